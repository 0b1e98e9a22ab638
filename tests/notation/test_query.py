"""The body of ``analyze``: what stands beside a position, and what is asked of it from a viewpoint."""

from __future__ import annotations

from typing import Any

import pytest

from solver.analysis.advice import METHODS
from solver.errors import InvalidInput
from solver.game.cards import CardSet
from solver.game.seats import Seat, Side
from solver.notation import query
from solver.notation.codes import read_cards
from solver.notation.deal_code import write_code
from solver.notation.documents import read_position
from solver.notation.query import read_query

HANDS = {"N": "9C TC JC QC KC", "E": "9D TD JD QD KD", "S": "9H TH QH KH AH", "W": "9S TS JS QS KS"}
DEAL: dict[str, Any] = {"dealer": "N", "upcard": "JH", "hands": HANDS}
SEEN: dict[str, Any] = {**DEAL, "hands": {"E": HANDS["E"]}, "auction": ["order"], "viewpoint": "E"}


def faults(document: object) -> list[tuple[str, tuple[str | int, ...]]]:
    with pytest.raises(InvalidInput) as refusal:
        read_query(document)
    return [(fault.code, fault.path) for fault in refusal.value.faults]


def test_the_methods_are_those_of_the_analysis() -> None:
    assert query.METHODS == METHODS


def test_what_is_left_out_or_null_has_the_default_of_the_analysis() -> None:
    nothing = dict.fromkeys(("viewpoint", "worlds", "seed", "score", "method"))
    assert read_query(DEAL) == read_query({**DEAL, **nothing}) == {"position": read_position(DEAL)}


def test_a_query_reads_the_same_beside_the_long_form_and_the_code() -> None:
    beside = {"viewpoint": "E", "worlds": "all", "seed": 7, "score": {"NS": 9, "EW": 6}, "method": "rollout"}
    assert read_query({**DEAL, **beside}) == read_query({"code": write_code(read_position(DEAL)), **beside})
    assert read_query({**DEAL, **beside}) == {
        "position": read_position(DEAL),
        "viewpoint": Seat.E,
        "worlds": "all",
        "seed": 7,
        "score": {Side.NS: 9, Side.EW: 6},
        "method": "rollout",
    }


def test_from_a_viewpoint_other_hands_may_be_missing_or_wrong() -> None:
    position = read_query(SEEN)["position"]
    assert position.deal.hands[Seat.N] is None
    assert position.deal.hands[Seat.E] == CardSet.of(read_cards(HANDS["E"]))
    assert read_query({**SEEN, "hands": {"E": HANDS["E"], "S": "9D", "W": HANDS["E"]}})["viewpoint"] == Seat.E
    assert read_query({"code": write_code(position), "viewpoint": "E"})["position"] == position


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"viewpoint": "X"}, [("seat.unreadable", ("viewpoint",))]),
        ({"viewpoint": 5}, [("seat.unreadable", ("viewpoint",))]),
        ({"worlds": 0}, [("field.invalid", ("worlds",))]),
        ({"worlds": True}, [("field.invalid", ("worlds",))]),
        ({"worlds": "many"}, [("field.invalid", ("worlds",))]),
        ({"seed": -1}, [("field.invalid", ("seed",))]),
        ({"seed": "1"}, [("field.invalid", ("seed",))]),
        ({"method": "guess"}, [("field.invalid", ("method",))]),
        ({"score": {"NS": -1, "EW": 0}}, [("field.invalid", ("score", "NS"))]),
        ({"score": {"NS": "1"}}, [("field.invalid", ("score", "NS")), ("field.missing", ("score", "EW"))]),
        ({"score": {"NS": 1}}, [("field.missing", ("score", "EW"))]),
        ({"score": {"NS": 1, "EW": 10}}, [("field.invalid", ("score", "EW"))]),
        ({"score": {"NS": 1, "EW": 1, "N": 1}}, [("seat.foreign", ("score", "N"))]),
        ({"score": {"NS": 1, "EW": 1, "XY": 1}}, [("field.unknown", ("score", "XY"))]),
        ({"auction": ["frog"]}, [("bid.unreadable", ("auction", 0))]),
        ({"hands": {"E": "9D TD JD QD XX"}}, [("card.unreadable", ("hands", "E", 4))]),
        ({"hands": {"E": "9D TD JD QD 9D"}}, [("card.duplicate", ("hands", "E", 4))]),
        ({"hands": {"E": "9D TD JD QD JH"}}, [("card.duplicate", ("hands", "E", 4))]),
        ({"hands": {"E": "9D TD JD QD 7D"}}, [("card.foreign", ("hands", "E", 4))]),
        ({"auction": ["order"], "contract": {"trump": "H", "maker": "E"}}, [("field.conflict", ("contract",))]),
    ],
)
def test_each_fault_has_its_place(change: dict[str, Any], expected: list[tuple[str, tuple[str | int, ...]]]) -> None:
    assert faults({**SEEN, **change}) == expected


def test_a_code_that_cannot_be_read_is_refused_from_a_viewpoint_too() -> None:
    assert faults({"code": "nonsense", "viewpoint": "E"}) == [("code.invalid", ("code",))]
    assert faults({"code": "american", "dealer": "N", "viewpoint": "E"}) == [("field.conflict", ("dealer",))]
