"""Positions as JSON documents: what is read, and how all faults of one document come together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from solver.errors import InvalidInput
from solver.game.auction import Contract
from solver.game.cards import Suit
from solver.game.position import Position
from solver.game.rules import describe, preset
from solver.game.seats import Seat
from solver.notation.deal_code import write_code
from solver.notation.documents import read_position
from tests.strategies import positions

HANDS = {
    "N": "9C TC JC QC KC",
    "E": ["9D", "TD", "JD", "QD", "KD"],
    "S": "9HTHQHKHAH",
    "W": "9S,TS,JS,QS,KS",
}
DEAL: dict[str, Any] = {"dealer": "N", "upcard": "JH", "hands": HANDS}


def document_of(position: Position) -> dict[str, Any]:
    """The long form of a position."""
    name, options = describe(position.rules)
    deal = position.deal
    return {
        "rules": {"preset": name, **options},
        "dealer": str(deal.dealer),
        "upcard": str(deal.upcard),
        "hands": {str(seat): [str(card) for card in hand] for seat in Seat if (hand := deal.hands[seat]) is not None},
        "auction": [str(bid) for bid in position.bids],
        "discard": None if position.discard is None else str(position.discard),
        "plays": [str(card) for card in position.plays],
    }


def faults(document: object) -> list[tuple[str, tuple[str | int, ...]]]:
    with pytest.raises(InvalidInput) as refusal:
        read_position(document)
    return [(fault.code, fault.path) for fault in refusal.value.faults]


@given(positions())
def test_long_form_and_code_say_the_same(position: Position) -> None:
    assert read_position(document_of(position)) == position
    assert read_position({"code": write_code(position)}) == position


def test_rules_default_to_american_and_take_options() -> None:
    assert read_position(DEAL).rules == preset("american")
    assert read_position({**DEAL, "rules": "cardporch"}).rules == preset("cardporch")
    for yes in (True, "yes"):
        stuck = read_position({**DEAL, "rules": {"preset": "american", "stick_the_dealer": yes}})
        assert stuck.rules == preset("cardporch")


def test_a_contract_stands_for_the_auction_that_leads_to_it() -> None:
    ordered = read_position({**DEAL, "contract": {"trump": "H", "maker": "W"}})
    assert [str(bid) for bid in ordered.bids] == ["pass", "pass", "order"]
    named = read_position({**DEAL, "contract": {"trump": "C", "maker": "E", "alone": True, "leader": "E"}})
    assert [str(bid) for bid in named.bids] == ["pass"] * 4 + ["C alone"]


def test_only_the_dealer_is_the_maker_when_the_benny_is_turned_up() -> None:
    benny = {**DEAL, "rules": "british", "upcard": "JO"}
    position = read_position({**benny, "contract": {"trump": "H", "maker": "N"}})
    assert position.contract == Contract(Suit.HEARTS, Seat.N, False, Seat.E)
    assert faults({**benny, "contract": {"trump": "H", "maker": "E"}}) == [("contract.illegal", ("contract", "maker"))]


def test_hands_as_play_begins_need_no_dealer_when_the_leader_is_given() -> None:
    position = read_position({"hands": HANDS, "contract": {"trump": "C", "maker": "E", "leader": "S"}})
    assert position.contract == Contract(Suit.CLUBS, Seat.E, False, Seat.S)
    by_rule = read_position({"dealer": "W", "hands": HANDS, "contract": {"trump": "C", "maker": "E"}})
    assert by_rule.contract == Contract(Suit.CLUBS, Seat.E, False, Seat.N)


def test_who_sits_out_needs_no_hand() -> None:
    hands = {seat: cards for seat, cards in HANDS.items() if seat != "N"}
    document = {"hands": hands, "contract": {"trump": "C", "maker": "S", "alone": True, "leader": "E"}}
    assert read_position(document).problems() == []
    assert faults({**document, "contract": {"trump": "C", "maker": "E", "alone": True, "leader": "E"}}) == [
        ("hand.missing", ("hands", "N"))
    ]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"hands": {**HANDS, "E": "9D TD JD QD"}}, [("hand.size", ("hands", "E"))]),
        ({"hands": {**HANDS, "E": "9D TD JD QD KD AD"}}, [("hand.size", ("hands", "E"))]),
        ({"hands": {**HANDS, "E": "9D TD JD QD 9C"}}, [("card.duplicate", ("hands", "E", 4))]),
        ({"hands": {**HANDS, "E": "9D TD JD QD JH"}}, [("card.duplicate", ("hands", "E", 4))]),
        ({"hands": {**HANDS, "E": "9D TD JD QD 7D"}}, [("card.foreign", ("hands", "E", 4))]),
        ({"hands": {**HANDS, "E": ["9D", "TD", "JD", "QD", None]}}, [("card.unreadable", ("hands", "E", 4))]),
        ({"hands": {**HANDS, "E": None}}, [("field.invalid", ("hands", "E"))]),
        ({"hands": {**HANDS, "E": 5}}, [("field.invalid", ("hands", "E"))]),
        ({"hands": []}, [("field.invalid", ("hands",))]),
        ({"hands": {}}, [("hand.missing", ("hands", each)) for each in "NESW"]),
        ({"upcard": "JO"}, [("card.foreign", ("upcard",))]),
        ({"upcard": 3}, [("card.unreadable", ("upcard",))]),
        ({"upcard": 3, "auction": ["order"], "discard": "9C"}, [("card.unreadable", ("upcard",))]),
        ({"dealer": "Q"}, [("seat.unreadable", ("dealer",))]),
        ({"dealer": "Q", "auction": ["order"], "plays": "9D"}, [("seat.unreadable", ("dealer",))]),
        ({"dealer": None}, [("field.missing", ("dealer",))]),
        ({"rules": "brittish", "upcard": "JO"}, [("rules.unknown", ("rules",))]),
        ({"auction": "order", "plays": "9D"}, [("field.invalid", ("auction",))]),
        ({"contract": {"trump": "X", "maker": "E"}, "discard": "9C"}, [("card.unreadable", ("contract", "trump"))]),
        ({"upcard": None, "contract": 5}, [("field.invalid", ("contract",))]),
        ({"contract": {"trump": "C", "maker": "E", "alone": 1}}, [("field.invalid", ("contract", "alone"))]),
        ({"contract": {"trump": "NT", "maker": "E"}}, [("rules.unsupported", ("contract", "trump"))]),
        ({"auction": ["pass"] * 4 + ["no trump alone"]}, [("rules.unsupported", ("auction", 4))]),
        ({"score": {"NS": 1, "N": 1}}, [("seat.foreign", ("score", "N"))]),
        ({"auction": ["C"]}, [("bid.illegal", ("auction", 0))]),
        ({"auction": ["pass"] * 4 + ["H"]}, [("bid.illegal", ("auction", 4))]),
        ({"auction": ["pass"] * 4 + ["order"]}, [("bid.illegal", ("auction", 4))]),
        ({"auction": ["order", "pass"]}, [("bid.illegal", ("auction", 1))]),
        ({"auction": ["pass", "frog"]}, [("bid.unreadable", ("auction", 1))]),
        ({"auction": ["pass", 3]}, [("field.invalid", ("auction", 1))]),
        ({"auction": "pass"}, [("field.invalid", ("auction",))]),
        ({"discard": "9C"}, [("discard.illegal", ("discard",))]),
        ({"auction": ["order"], "discard": "AS"}, [("discard.illegal", ("discard",))]),
        ({"auction": ["order"], "plays": "9D"}, [("discard.missing", ("discard",))]),
        ({"plays": "9D"}, [("play.illegal", ("plays", 0))]),
        ({"auction": ["order"], "discard": "9C", "plays": "9C"}, [("play.illegal", ("plays", 0))]),
        ({"auction": ["order"], "discard": "9C", "plays": "9D AH 9S 9D"}, [("play.illegal", ("plays", 3))]),
        ({"auction": ["order"], "discard": "9C", "plays": "9D 7H"}, [("card.foreign", ("plays", 1))]),
        ({"contract": {"trump": "H"}}, [("field.missing", ("contract", "maker"))]),
        ({"contract": {"trump": "H", "maker": "E", "leader": "S"}}, [("contract.illegal", ("contract", "leader"))]),
        ({"contract": {"trump": "H", "maker": "E"}, "auction": ["pass"]}, [("field.conflict", ("contract",))]),
        ({"rules": {"seats": 3}}, [("rules.unsupported", ("rules", "seats"))]),
        ({"rules": {"seats": True}}, [("rules.value", ("rules", "seats"))]),
        (
            {"rules": {"colour": 1, "deck": 26}},
            [("rules.unknown", ("rules", "colour")), ("rules.value", ("rules", "deck"))],
        ),
        ({"rules": {"preset": 1}}, [("rules.unknown", ("rules", "preset"))]),
        ({"rules": "railroad"}, [("rules.unsupported", ("rules",))]),
        ({"rules": "two_handed"}, [("seat.foreign", ("hands", "E")), ("seat.foreign", ("hands", "W"))]),
        ({"viewpoint": "N"}, [("field.invalid", ("viewpoint",))]),
        ({"worlds": 0}, [("field.invalid", ("worlds",))]),
        ({"worlds": True}, [("field.invalid", ("worlds",))]),
        ({"seed": -1}, [("field.invalid", ("seed",))]),
        ({"seed": "1"}, [("field.invalid", ("seed",))]),
        ({"score": {"NS": -1, "XY": 1}}, [("field.invalid", ("score", "NS")), ("field.unknown", ("score", "XY"))]),
        ({"colour": "red"}, [("field.unknown", ("colour",))]),
        ({"hands": {**HANDS, "X": []}}, [("field.unknown", ("hands", "X"))]),
    ],
)
def test_each_fault_has_its_place(change: dict[str, Any], expected: list[tuple[str, tuple[str | int, ...]]]) -> None:
    assert faults({**DEAL, **change}) == expected


def test_what_is_no_part_of_the_position_may_stand_beside_it() -> None:
    beside = {"viewpoint": None, "worlds": "all", "seed": 7, "score": {"NS": 9, "EW": 6}}
    assert read_position({**DEAL, **beside}) == read_position({"code": write_code(read_position(DEAL)), **beside})


def test_all_faults_of_a_document_come_together() -> None:
    document = {
        **DEAL,
        "hands": {**HANDS, "E": ["9D", "TD", "XX", "9C", "7C", "AD"]},
        "auction": ["pass", "clubs"],
        "plays": "AH ZZ",
        "colour": "red",
    }
    assert set(faults(document)) == {
        ("field.unknown", ("colour",)),
        ("card.unreadable", ("hands", "E", 2)),
        ("card.duplicate", ("hands", "E", 3)),
        ("card.foreign", ("hands", "E", 4)),
        ("hand.size", ("hands", "E")),
        ("bid.illegal", ("auction", 1)),
        ("card.unreadable", ("plays", 1)),
    }


def test_a_revoke_names_the_suit_led_and_who_held_it() -> None:
    document = {
        **DEAL,
        "hands": {**HANDS, "S": "9H TH QH KH AD"},
        "auction": ["order"],
        "discard": "9C",
        "plays": "9D 9H",
    }
    with pytest.raises(InvalidInput) as refusal:
        read_position(document)
    (fault,) = refusal.value.faults
    assert fault.message == "9H: diamonds were led and AD is held (trick 1, S)"


def test_a_code_excludes_the_fields_that_it_stands_for() -> None:
    code = write_code(read_position(DEAL))
    assert faults({"code": code, "dealer": "N"}) == [("field.conflict", ("dealer",))]
    assert faults({"code": code + ".pq"}) == [("code.invalid", ("code",))]
    assert faults({"code": code + ".o.AS"}) == [("discard.illegal", ("code",))]
    assert faults({"code": code, "score": {"S": 1}}) == [("seat.foreign", ("score", "S"))]
    assert faults({"code": 5}) == [("field.invalid", ("code",))]


@pytest.mark.parametrize("document", [None, [], "american", 5])
def test_a_document_is_an_object(document: object) -> None:
    assert faults(document) == [("field.invalid", ())]
