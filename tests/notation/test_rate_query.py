"""The body of ``rate-bid``."""

from __future__ import annotations

from typing import Any

import pytest

from solver.analysis import rate_arguments
from solver.errors import InvalidInput
from solver.game.auction import ORDER, PASS
from solver.game.rules import PRESETS
from solver.game.seats import Seat, Side
from solver.notation import fields, rate_query
from solver.notation.codes import read_card, read_cards
from solver.notation.rate_query import read_rate_query

SEEN: dict[str, Any] = {"dealer": "N", "upcard": "9H", "seat": "E", "hand": "JH AH KH 9S AD"}


def faults(document: object) -> set[tuple[str, tuple[str | int, ...]]]:
    with pytest.raises(InvalidInput) as refusal:
        read_rate_query(document)
    return {(fault.code, fault.path) for fault in refusal.value.faults}


def test_methods_and_limits_are_those_of_the_rating() -> None:
    assert rate_query.RATE_METHODS == rate_arguments.RATE_METHODS
    assert fields.MOST_RATED_WORLDS == rate_arguments.MOST_WORLDS


def test_what_is_left_out_or_null_has_the_default_of_the_rating() -> None:
    nothing = dict.fromkeys(("score", "bid", "worlds", "seed", "method"))
    expected = {
        "rules": PRESETS["american"],
        "dealer": Seat.N,
        "upcard": read_card("9H"),
        "seat": Seat.E,
        "hand": read_cards("JH AH KH 9S AD"),
        "auction": (),
    }
    assert read_rate_query(SEEN) == read_rate_query({**SEEN, **nothing}) == expected


def test_a_code_stands_for_the_fields_of_the_deal() -> None:
    beside = {"bid": "hearts", "worlds": "adaptive", "seed": 3, "method": "double-dummy", "score": {"NS": 9, "EW": 6}}
    long = read_rate_query({**SEEN, **beside})
    # The code writes a hand in its own order, and another hand in it is not looked at.
    for code in ("american.N.9H.-JHAHKH9SAD--", "american.N.9H.9CTCJCQCKC-JHAHKH9SAD--9DTDJDQDKD"):
        short = read_rate_query({"code": code, **beside})
        assert {*short.pop("hand")} == {*long["hand"]}
        assert short == {name: value for name, value in long.items() if name != "hand"}
    assert long["bid"] == ORDER
    assert long["score"] == {Side.NS: 9, Side.EW: 6}
    assert read_rate_query({"code": "american.N.9H.-JHAHKH9SAD--", "seat": "E"})["seat"] == Seat.E


def test_all_faults_come_together() -> None:
    assert faults({}) == {("field.missing", (name,)) for name in ("dealer", "upcard", "seat", "hand")}
    document = {
        "dealer": "N",
        "upcard": "9H",
        "seat": "S",
        "hand": "9H JH JX 8C",
        "auction": ["pass", "foo"],
        "worlds": 0,
        "method": "x",
        "score": {"NS": 10, "EW": 0},
        "bid": "bar",
        "plays": [],
    }
    assert faults(document) == {
        ("card.duplicate", ("hand", 0)),
        ("card.unreadable", ("hand", 2)),
        ("card.foreign", ("hand", 3)),
        ("hand.size", ("hand",)),
        ("bid.unreadable", ("auction", 1)),
        ("bid.unreadable", ("bid",)),
        ("field.invalid", ("worlds",)),
        ("field.invalid", ("method",)),
        ("field.invalid", ("score", "NS")),
        ("field.unknown", ("plays",)),
    }


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"seat": "S"}, {("field.conflict", ("seat",))}),
        ({"seat": "Q"}, {("seat.unreadable", ("seat",))}),
        ({"auction": ["order"]}, {("field.conflict", ("auction",))}),
        ({"auction": ["pass"] * 8}, {("field.conflict", ("auction",))}),
        ({"auction": ["spades"]}, {("bid.illegal", ("auction", 0))}),
        ({"bid": "spades"}, {("bid.illegal", ("bid",))}),
        ({"hand": "JH AH KH 9S"}, {("hand.size", ("hand",))}),
        ({"hand": "JH AH KH 9S AD QD"}, {("hand.size", ("hand",))}),
        ({"hand": "JH AH KH 9S 9H"}, {("card.duplicate", ("hand", 4))}),
        ({"hand": "JH AH KH 9S JH"}, {("card.duplicate", ("hand", 4))}),
        ({"worlds": "all"}, {("field.invalid", ("worlds",))}),
        ({"score": {"NS": -1, "EW": 1.0}}, {("field.invalid", ("score", "NS")), ("field.invalid", ("score", "EW"))}),
        ({"score": {"NS": True}}, {("field.invalid", ("score", "NS")), ("field.missing", ("score", "EW"))}),
        ({"rules": "two_handed"}, {("seat.foreign", ("seat",))}),
        ({"rules": "two_handed", "dealer": "E", "seat": "N"}, {("seat.foreign", ("dealer",))}),
    ],
)
def test_each_fault_has_its_place(change: dict[str, Any], expected: set[tuple[str, tuple[str, ...]]]) -> None:
    assert faults({**SEEN, **change}) == expected


def test_a_stuck_dealer_may_not_pass() -> None:
    stuck = {"rules": "cardporch", "seat": "N", "auction": ["pass"] * 7}
    assert faults({**SEEN, **stuck, "bid": "pass"}) == {("bid.illegal", ("bid",))}
    assert read_rate_query({**SEEN, **stuck, "rules": "american", "bid": "pass"})["bid"] == PASS


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"code": "american.N.9H.-JHAHKH9SAD--", "hand": "JH"}, {("field.conflict", ("hand",))}),
        ({"code": "american.N.9H.-JHAHKH9SAD--", "seat": "W"}, {("field.conflict", ("seat",))}),
        ({"code": "american.N.9H.-JHAHKH9SAD--.o"}, {("field.conflict", ("code",))}),
        ({"code": "american.N.9H.-JHAHKH9SAD--.p"}, {("hand.missing", ("code",))}),
        ({"code": "american.N.9H.-JHAHKH9S9H--"}, {("card.duplicate", ("code",))}),
        ({"code": "nonsense", "bid": "x"}, {("code.invalid", ("code",)), ("bid.unreadable", ("bid",))}),
    ],
)
def test_faults_of_a_code_stand_at_the_code(
    document: dict[str, Any], expected: set[tuple[str, tuple[str, ...]]]
) -> None:
    assert faults(document) == expected
