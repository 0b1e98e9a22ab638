"""One deal a line: hands|hands|hands|hands|upcard|bids|discard|P|tricks."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import InvalidInput
from solver.game.auction import ORDER, PASS, Bid, Call
from solver.game.cards import Suit
from solver.game.play import Play
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import PRESETS, preset, with_options
from solver.game.seats import Seat
from solver.logs import line, read
from solver.logs.rebuild import completed, recorded_faults
from solver.notation.codes import read_card
from solver.notation.deal_code import read_code
from tests.logs.games import records

ROOT = Path(__file__).parents[2]
LONER = "KcTsJsQsAd|9cTcAcKsAs|ThKh9dJdKd|JcJhQhAhQd|Qc|PPPT|Ah|L|AdPKdQd|"
FOUR = [rules for rules in PRESETS.values() if rules.seats == 4]


def games_of(*lines: str) -> list[GameRecord]:
    return list(read("\n".join(lines).encode(), "line"))


def record_of(text: str) -> DealRecord:
    (game,) = games_of(text)
    assert not game.faults
    (record,) = game.deals
    return record


def fault_of(text: str) -> tuple[str, tuple[str | int, ...], str]:
    (game,) = games_of(text)
    assert not game.deals
    (fault,) = game.faults
    return fault.code, fault.path[2:], fault.message


def written(*made: DealRecord) -> str:
    stream = io.BytesIO()
    line.write([GameRecord(record.position.rules, (record,)) for record in made], stream)
    return stream.getvalue().decode()


def test_the_fourth_hand_deals_and_the_first_is_eldest() -> None:
    position = record_of(LONER).position
    assert position.deal.dealer == Seat.W and position.deal.upcard == read_card("QC")
    assert [str(position.deal.hand(seat)) for seat in (Seat.N, Seat.W)] == ["KC AD TS JS QS", "JC QD JH QH AH"]
    assert position.bids == (PASS, PASS, PASS, Bid(Call.ORDER, None, alone=True))
    assert position.discard == read_card("AH")
    assert position.contract is not None and position.contract.sitting_out == Seat.E


def test_a_p_in_a_trick_is_the_turn_of_the_seat_that_sits_out() -> None:
    """N leads, E sits out, S and W follow; spades of W's... the ace of diamonds holds the trick."""
    record = record_of(LONER)
    assert [str(card) for card in record.position.plays] == ["AD", "KD", "QD"]
    (trick,) = record.position.play().tricks
    assert trick.seats == (Seat.N, Seat.S, Seat.W) and trick.winner == Seat.N
    assert not record.faults
    assert record_of(LONER.replace("AdPKdQd", "AdKdQd")).position == record.position


def test_an_eldest_who_sits_out_has_the_first_turn_of_the_first_trick() -> None:
    text = "KcTsJsQsAd|9cTcAcKsAs|ThKh9dJdKd|JcJhQhAhQd|Qc|PPT|Ah|L|P9cThJc|"
    record = record_of(text)
    assert record.position.play().tricks[0].seats == (Seat.E, Seat.S, Seat.W)
    assert written(record).rstrip().endswith("|Qc|PPT|Ah|L|P9cThJc")


def test_a_p_at_another_turn_is_a_fault() -> None:
    for trick in ("PAdKdQd", "AdKdPQd", "AdKdQdP"):
        (fault,) = record_of(LONER.replace("AdPKdQd", trick)).faults
        assert fault.code == "log.inconsistent" and fault.path == ("lines", 0, "tricks", 0)
    plain = LONER.replace("|L|AdPKdQd", "|P|AdKsKdP")
    assert "log.inconsistent" in [fault.code for fault in record_of(plain).faults]


def test_older_files_do_not_say_with_the_partner() -> None:
    told = "KcTsJsQsAd|9cTcAcKsAs|ThKh9dJdKd|JcJhQhAhQd|Qc|PPPT|Ah|P|AdKsKdQd|"
    assert record_of(told.replace("|P|", "|")).position == record_of(told).position


@pytest.mark.parametrize(
    ("text", "bids"),
    [
        ("", ()),
        ("|", ()),
        ("|PP", (PASS, PASS)),
        ("|PT", (PASS, ORDER)),
        ("|PPPPPH|", (PASS,) * 5 + (Bid(Call.NAME, Suit.HEARTS),)),
        ("|pppph|l|", (PASS,) * 4 + (Bid(Call.NAME, Suit.HEARTS, alone=True),)),
        ("|PPPPPPPP", (PASS,) * 8),
    ],
)
def test_a_line_may_end_after_any_field(text: str, bids: tuple[Bid, ...]) -> None:
    assert record_of("KcTsJsQsAd|9cTcAcKsAs|ThKh9dJdKd|JcJhQhAhQd|Qc" + text).position.bids == bids


def test_words_after_the_sign_say_who_deals_by_which_rules() -> None:
    record = record_of(f"{LONER} # from the club dealer=N rules=spanish~target-5 evening")
    assert record.position.deal.dealer == Seat.N
    assert record.position.rules == with_options(preset("spanish"), {"target": 5})
    assert record.notes == {"comment": "from the club evening"}
    assert record_of(LONER).position.rules == preset("cardporch")


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("a|b", "log.record", ()),
        (LONER.replace("Qc|", "|"), "card.unreadable", ("upcard",)),
        (LONER.replace("KcTs", "KcXx"), "card.unreadable", ("hands", 0, 1)),
        (LONER.replace("KcTs", "Kc9hTs"), "hand.size", ("hands", 0)),
        (LONER.replace("KcTs", "KcKc"), "card.duplicate", ("hands", 0)),
        (LONER.replace("PPPT", "PPXT"), "bid.unreadable", ("auction",)),
        (LONER.replace("PPPT", "TPPP"), "bid.illegal", ("auction",)),
        (LONER.replace("PPPT", "P" * 9), "bid.unreadable", ("auction",)),
        (LONER.replace("PPPT|Ah|L|", "PPPP|"), "play.illegal", ("tricks", 0)),
        (LONER + "Kc|Ts", "log.record", ("tricks", 1)),
        (LONER.replace("AdPKdQd", "AdPKdQdAs"), "log.record", ("tricks", 0)),
        (LONER.replace("AdPKdQd", "7dPKdQd"), "card.foreign", ("tricks", 0)),
        (LONER + "|" * 20 + "x", "log.record", ()),
        (LONER + "# dealer=Q", "seat.unreadable", ("dealer",)),
        (LONER + "# rules=poker", "rules.unknown", ("rules",)),
        (LONER + "# rules=two_handed", "rules.unsupported", ("rules",)),
        (LONER + "# rules=" + "x" * 5000, "log.record", ("rules",)),
    ],
)
def test_a_line_that_is_none_is_named_with_its_place(text: str, code: str, path: tuple[str | int, ...]) -> None:
    found, place, message = fault_of(text)
    assert (found, place) == (code, path)
    assert message.startswith("line 1: ")


def test_a_revoke_is_read_with_its_fault_and_the_next_line_too() -> None:
    first, second = games_of(LONER.replace("AdPKdQd", "AdPThQd"), LONER)
    (fault,) = first.deals[0].faults
    assert fault.code == "play.illegal" and fault.message.endswith("(trick 1, S)")
    assert not second.deals[0].faults


def test_bytes_that_are_no_text_are_a_fault_of_their_line() -> None:
    good = LONER.encode()
    games = list(read(b"\n".join([good, b"9c\xff|", b"# a comment \xff", good]), "line"))
    assert [len(game.deals) for game in games] == [1, 0, 1]
    assert games[1].faults[0].path == ("lines", 1)


@given(st.sampled_from(FOUR).flatmap(lambda rules: records(rules, notes=st.just({}))))
@settings(max_examples=60)
def test_every_deal_of_four_seats_is_read_back_with_its_play(record: DealRecord) -> None:
    text = written(record)
    (game,) = read(text.encode())
    position = completed(record.position)
    assert game.deals[0].position == position
    assert game.rules == position.rules
    assert [fault.code for fault in game.deals[0].faults] == [fault.code for fault in recorded_faults(position)]
    assert written(*game.deals) == text


@given(st.sampled_from(FOUR).flatmap(lambda rules: records(rules, legal=True, notes=st.just({}))))
@settings(max_examples=40)
def test_each_trick_is_a_turn_of_every_seat_from_its_leader(record: DealRecord) -> None:
    """Whoever takes the letters of a trick one by one round the table finds each seat with its own card."""
    position = record.position
    if position.contract is None:
        return
    tricks = re.findall(r"\|((?:P|[2-9TJQKA][cdhs]|Jo)+)", written(record).partition("#")[0])[5:]
    play: Play = position.play()
    turns = [re.findall("P|..", trick) for trick in tricks if trick != "P"]
    turns = [each for each in turns if len(each) == 4][-len(play.tricks) :] if play.tricks else []
    for number, (letters, trick) in enumerate(zip(turns, play.tricks, strict=True)):
        out = position.contract.sitting_out
        first = trick.seats[0]
        if number == 0 and letters[0] == "P":
            assert out is not None
            first = out
        for seat, letter in zip(position.rules.seating.from_seat(first), letters, strict=True):
            assert letter.upper() == (str(trick.cards[trick.seats.index(seat)]) if seat != out else "P")


@pytest.mark.parametrize(
    "code",
    [
        "american...9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS.HNE",
        "two_handed.N.TD.TC9DJHKHKS-ACQDKDTHJS",
        "american.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS.poo",
        "american.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS.oap",
    ],
)
def test_what_a_line_cannot_hold_is_refused_with_the_deal(code: str) -> None:
    position = read_code(code)
    with pytest.raises(InvalidInput) as caught:
        line.write([GameRecord(position.rules, (DealRecord(1, position),))], io.BytesIO())
    assert [(fault.code, fault.path) for fault in caught.value.faults] == [("log.unwritable", ("deals", 0))]


def test_the_examples_of_the_page_are_read() -> None:
    page = (ROOT / "docs" / "log-formats.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```\n([^`]*\|PPPT\|[^`]*)```", page)
    games = list(read(block.encode()))
    assert len(games) == 2 and not any(game.faults or game.deals[0].faults for game in games)
    assert games[1].deals[0].notes == {"comment": "from the club evening"}
