"""The HTML report as a browser shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from solver import review
from solver.logs import read
from solver.report.page import page
from tests.report.browser import Page, browser

PHONE = 360


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    (game,) = read(Path(__file__).parents[1] / "data" / "egn" / "game08.egn")
    reviewed = review(replace(game, deals=game.deals[:3]), settings="fast")
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page(reviewed, "game08.egn"), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def shown(address: str, tmp_path: Path) -> Iterator[Page]:
    with browser(tmp_path) as found:
        found.open(address, PHONE)
        yield found


def test_nothing_is_asked_of_a_network_and_nothing_is_said_on_the_console(shown: Page, address: str) -> None:
    shown.value("document.querySelector('.one button:last-of-type').click()")
    assert [each["request"]["url"] for each in shown.of("Network.requestWillBeSent")] == [address]
    said = [*shown.of("Log.entryAdded"), *shown.of("Runtime.consoleAPICalled"), *shown.of("Runtime.exceptionThrown")]
    assert said == []


def test_steps_go_by_buttons_and_keys_and_stop_at_both_ends(shown: Page) -> None:
    number = "document.querySelector('.said').textContent.split(':')[0]"
    last = shown.value("document.querySelector('.one').querySelectorAll('.steps > li').length") - 1
    visible = "[...document.querySelector('.one').querySelectorAll('.felt')].filter(e => e.checkVisibility()).length"
    assert (shown.value(number), shown.value(visible)) == (f"0 of {last}", 1)
    shown.value("document.querySelector('[data-by=\"1\"]').focus()")
    for key, at in (("ArrowRight", 1), ("ArrowLeft", 0), ("ArrowLeft", 0), ("End", last), ("ArrowRight", last)):
        shown.press(key)
        assert (shown.value(number), shown.value(visible)) == (f"{at} of {last}", 1), key
    shown.value("document.querySelector('[data-by=\"-99\"]').click()")
    shown.value("document.querySelector('[data-by=\"1\"]').click()")
    assert shown.value(number) == f"1 of {last}"


def test_only_the_hand_of_who_acts_is_shown_where_that_is_wanted(shown: Page) -> None:
    shown.value("document.querySelector('.one input').click()")
    shown.value("document.querySelector('[data-by=\"1\"]').click()")
    seen = (
        "[...document.querySelectorAll('.steps > li.now')[0].querySelectorAll('.hand .card')]"
        ".filter(e => getComputedStyle(e).visibility === 'visible').length"
    )
    assert shown.value(seen) == 5


def test_a_link_of_what_went_wrong_shows_that_decision(shown: Page) -> None:
    for at in range(shown.value("document.querySelectorAll('.worst a').length")):
        link = f"document.querySelectorAll('.worst a')[{at}]"
        shown.value(f"{link}.click()")
        grade = shown.value(f"{link}.parentElement.querySelector('strong').textContent.split(' ')[1]")
        said = shown.value(f"document.querySelector({link}.getAttribute('href') + ' .said').textContent")
        assert grade in said


@pytest.mark.parametrize("width", [PHONE, 1000])
def test_no_width_makes_the_page_scroll_sideways(address: str, tmp_path: Path, width: int) -> None:
    with browser(tmp_path) as found:
        found.open(address, width)
        assert found.value("document.documentElement.scrollWidth <= innerWidth")
        # Nor the tables, nor a hand of five cards.
        found.value("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        wide = "[...document.querySelectorAll('.wide, .felt')].filter(e => e.scrollWidth > e.clientWidth).length"
        assert found.value(wide) == 0
