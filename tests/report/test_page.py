"""The HTML report: well-formed, alone, and safe whatever a record says."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from solver import Review, Seat, review
from solver.logs import read
from solver.report.page import page
from solver.report.steps import steps_of

EVIL = "<script>alert('x')</script>\"&"
VOID = {"meta", "input"}


class Tags(HTMLParser):
    """Every tag with its attributes; fails where one is closed that is not the last one open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, self.getpos()

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(scope="module")
def reviewed() -> Review:
    (game,) = read(Path(__file__).parents[1] / "data" / "egn" / "game04.egn")
    named = replace(game, deals=game.deals[:2], title=EVIL, players={**game.players, Seat.N: EVIL})
    return review(named, settings="fast")


@pytest.fixture(scope="module")
def text(reviewed: Review) -> str:
    return page(reviewed, "game04.egn")


def test_every_tag_is_closed_and_every_id_is_one(text: str) -> None:
    tags = Tags(text)
    assert tags.open == []
    ids = [attributes["id"] for _, attributes in tags.found if "id" in attributes]
    assert len(set(ids)) == len(ids) == 2
    links = [attributes["href"] for tag, attributes in tags.found if tag == "a"]
    assert links
    assert {str(link).removeprefix("#") for link in links} <= set(ids)


def test_nothing_is_loaded(text: str) -> None:
    assert "://" not in text
    assert "url(" not in text
    assert "@import" not in text
    for tag, attributes in Tags(text).found:
        assert tag not in ("link", "img", "iframe", "object", "base"), tag
        assert not {"src", "srcset", "style"} & attributes.keys()
        assert not any(name.startswith("on") for name in attributes)


def test_names_and_titles_are_text(text: str) -> None:
    tags = Tags(text)
    assert [tag for tag, _ in tags.found].count("script") == 1
    assert "alert('x')</script>" not in text
    assert EVIL in "".join(tags.text)


def test_the_policy_allows_just_the_style_and_the_script_that_are_here(text: str) -> None:
    (policy,) = (each["content"] for tag, each in Tags(text).found if each.get("http-equiv"))
    assert str(policy).startswith("default-src 'none';")
    for tag in ("style", "script"):
        (body,) = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert f"{tag}-src 'sha256-{b64encode(sha256(body.encode()).digest()).decode()}'" in str(policy)


def test_every_deal_has_all_its_steps_and_every_grade_its_mark(reviewed: Review, text: str) -> None:
    actions = sum(len(deal.decisions) + len(deal.unreviewed) for deal in reviewed.deals)
    steps = [attributes for tag, attributes in Tags(text).found if tag == "li" and "data-seat" in attributes]
    assert len(steps) == actions + len(reviewed.deals)
    signs = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}
    graded = [each for deal in reviewed.deals for each in deal.decisions if each.grade != "none"]
    assert graded
    for each in graded:
        assert f"<strong>{signs[each.grade]} {each.grade}</strong>" in text


def test_who_sits_out_is_said_to() -> None:
    (game,) = read(Path(__file__).parents[1] / "data" / "egn" / "game04.egn")
    (lone, *_) = (deal for deal in game.deals if deal.position.contract and deal.position.contract.alone)
    text = page(review(replace(game, deals=(lone,)), settings="fast"), "")
    contract = lone.position.contract
    assert contract is not None
    assert f"{contract.maker} makes {contract.trump} alone" in text
    assert text.count("<i>sits out</i>") == len(lone.position.plays)


def test_clubs_are_trump_and_a_discard_is_said_to_be_one() -> None:
    (game,) = read(Path(__file__).parents[1] / "data" / "egn" / "game14.egn")
    reviewed = review(game, settings="fast")
    text = page(reviewed, "")
    assert "N makes spades; " in text
    assert "W makes clubs alone; " in text
    discard = next(each for each in reviewed.deals[0].decisions if each.decision == "discard")
    assert discard.grade != "none"
    assert f"Deal 1</a>, discard: {discard.seat} " in text


def test_a_name_that_is_written_from_right_to_left_turns_nothing_else_round(text: str) -> None:
    escaped = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&#34;&amp;"
    body = text[text.index("<h2>Players") :]
    assert escaped in body
    assert body.count(escaped) == len(re.findall(f"<bdi>[^<]*{re.escape(escaped)}</bdi>", body))


def test_steps_end_with_all_tricks_taken_and_no_card_is_in_two_places(reviewed: Review) -> None:
    for deal in reviewed.deals:
        *_, last = steps = list(steps_of(deal))
        assert sum(won for _, won in last.tricks) == 5
        for step in steps:
            held = [card for hand in step.hands.values() for card in hand or ()]
            on_table = [card for _, card in step.table]
            assert len({*held, *on_table}) == len(held) + len(on_table)
