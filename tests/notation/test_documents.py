"""Positions as JSON documents: what is read, and how all faults of one document come together."""

from __future__ import annotations

import gc
import weakref
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
from solver.notation.record_document import read_record
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
    for no in (False, "no"):
        free = read_position({**DEAL, "rules": {"preset": "cardporch", "stick_the_dealer": no}})
        assert free.rules == preset("american")


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
        ({"upcard": "XX", "auction": ["order"], "discard": "9C"}, [("card.unreadable", ("upcard",))]),
        ({"upcard": None}, [("field.missing", ("contract",))]),
        ({"auction": ["C"]}, [("bid.illegal", ("auction", 0))]),
        ({"auction": ["pass"] * 4 + ["H"]}, [("bid.illegal", ("auction", 4))]),
        ({"auction": ["pass"] * 4 + ["order"]}, [("bid.illegal", ("auction", 4))]),
        ({"auction": ["order", "pass"]}, [("bid.illegal", ("auction", 1))]),
        ({"auction": ["order", "pass", "clubs"]}, [("bid.illegal", ("auction", 1))]),
        ({"auction": ["pass", "frog"]}, [("bid.unreadable", ("auction", 1))]),
        ({"auction": ["pass", 3]}, [("field.invalid", ("auction", 1))]),
        ({"auction": [3, "pass", "C"]}, [("field.invalid", ("auction", 0))]),
        ({"auction": "pass"}, [("field.invalid", ("auction",))]),
        ({"discard": "9C"}, [("discard.illegal", ("discard",))]),
        ({"auction": ["order"], "discard": "AS"}, [("discard.illegal", ("discard",))]),
        ({"auction": ["order"], "discard": "7S"}, [("card.foreign", ("discard",))]),
        ({"auction": ["order"], "plays": "9D"}, [("discard.missing", ("discard",))]),
        ({"auction": ["order"], "discard": "9", "plays": "9D"}, [("card.unreadable", ("discard",))]),
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
        ({"rules": "twohanded", "hands": {"N": HANDS["N"], "S": HANDS["S"]}}, [("rules.unknown", ("rules",))]),
        ({"rules": "two_handed"}, [("seat.foreign", ("hands", "E")), ("seat.foreign", ("hands", "W"))]),
        ({"colour": "red"}, [("field.unknown", ("colour",))]),
        ({"hands": {**HANDS, "X": []}}, [("field.unknown", ("hands", "X"))]),
    ],
)
def test_each_fault_has_its_place(change: dict[str, Any], expected: list[tuple[str, tuple[str | int, ...]]]) -> None:
    assert faults({**DEAL, **change}) == expected


def test_a_hand_that_sits_out_and_is_not_given_limits_the_discard_only_by_the_cards_elsewhere() -> None:
    hands = {seat: cards for seat, cards in HANDS.items() if seat != "N"}
    ordered_alone = {**DEAL, "hands": hands, "auction": ["pass", "order alone"]}
    assert faults(ordered_alone) == [("hand.missing", ("hands", "N"))]  # from which N is to discard
    for discard in ("9C", "JH", "AS"):
        assert read_position({**ordered_alone, "discard": discard}).problems() == []
    assert faults({**ordered_alone, "discard": "AH"}) == [("discard.illegal", ("discard",))]
    assert faults({**ordered_alone, "discard": "7C"}) == [("card.foreign", ("discard",))]
    for known in (hands, HANDS):
        assert read_position({**ordered_alone, "hands": known, "plays": "9D"}).problems() == []


BENNY: dict[str, Any] = {"rules": "british", "dealer": "N", "upcard": "JO", "hands": HANDS}


def test_a_contract_for_a_benny_turned_up_is_the_dealers() -> None:
    named = read_position({**BENNY, "contract": {"trump": "H", "maker": "N", "alone": True}})
    assert [str(bid) for bid in named.bids] == ["H alone"]
    assert faults({**BENNY, "contract": {"trump": "H", "maker": "E"}}) == [("contract.illegal", ("contract", "maker"))]


AS_PLAY_BEGINS: dict[str, Any] = {"hands": HANDS}


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"contract": {"trump": "C", "maker": "E", "leader": "S"}, "dealer": "N"}, "leader"),
        ({"contract": {"trump": "C", "maker": "E", "alone": True, "leader": "W"}}, "leader"),
        ({"contract": {"trump": "C", "maker": "S"}, "dealer": "N", "rules": "spanish"}, "alone"),
        (
            {
                "contract": {"trump": "C", "maker": "S", "alone": True, "leader": "E"},
                "rules": {"going_alone": "never"},
            },
            "alone",
        ),
    ],
)
def test_a_contract_that_no_auction_comes_to_is_refused(document: dict[str, Any], place: str) -> None:
    assert faults({**AS_PLAY_BEGINS, **document}) == [("contract.illegal", ("contract", place))]


def test_nobody_is_maker_or_leader_from_a_seat_that_is_not_taken() -> None:
    two = {"rules": "two_handed", "hands": {"N": HANDS["N"], "S": HANDS["S"]}}
    for maker, leader, place in (("E", "S", "maker"), ("N", "W", "leader")):
        contract = {"trump": "C", "maker": maker, "leader": leader}
        assert faults({**two, "contract": contract}) == [("seat.foreign", ("contract", place))]
        assert faults({**two, "dealer": "N", "contract": contract}) == [("seat.foreign", ("contract", place))]


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


ORDERED: dict[str, Any] = {**DEAL, "auction": ["order"], "discard": "9C"}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        # E is one card short, and may have played the one that is missing.
        ({"hands": {**HANDS, "E": "TD JD QD KD"}, "plays": "AD"}, ("hand.size", ("hands", "E"))),
        # Had N thrown away the AD, as the wrong discard may mean, clubs would be no revoke.
        (
            {"hands": {**HANDS, "N": "9C TC JC QC AD"}, "discard": "AS", "plays": "9D 9H 9S TC"},
            ("discard.illegal", ("discard",)),
        ),
    ],
)
def test_a_slip_in_a_hand_is_not_reported_again_as_a_revoke(
    change: dict[str, Any], expected: tuple[str, tuple[str | int, ...]]
) -> None:
    assert faults({**ORDERED, **change}) == [expected]


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


@pytest.mark.parametrize(
    ("plays", "message"),
    [
        ("9D 9S", "9S: S does not hold it, W holds it (trick 1, S)"),
        ("9D 9D", "9D: S does not hold it, it was played before (trick 1, S)"),
        ("9D AH 9S TC 9D", "9D: S does not hold it, it was played before (trick 2, S)"),
        ("9D AS", "AS: S does not hold it, nobody holds it (trick 1, S)"),
    ],
)
def test_a_card_that_is_not_held_is_said_to_be_where_it_is(plays: str, message: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_position({**ORDERED, "plays": plays})
    assert [fault.message for fault in refusal.value.faults] == [message]


def test_a_code_excludes_the_fields_that_it_stands_for() -> None:
    code = write_code(read_position(DEAL))
    assert faults({"code": code, "dealer": "N"}) == [("field.conflict", ("dealer",))]
    assert faults({"code": code.replace(".JH.", "..").replace("N", "", 1)}) == [("field.missing", ("code",))]
    assert faults({"code": code + ".pq"}) == [("code.invalid", ("code",))]
    assert faults({"code": code + ".o.AS"}) == [("discard.illegal", ("code",))]
    assert faults({"code": 5}) == [("field.invalid", ("code",))]


@pytest.mark.parametrize("document", [None, [], "american", 5])
def test_a_document_is_an_object(document: object) -> None:
    assert faults(document) == [("field.invalid", ())]


def test_a_document_that_is_refused_is_let_go_at_once() -> None:
    class Document(dict[str, object]):
        """One that can be asked after."""

    gc.disable()
    try:
        document = Document(notes=[1000] * 10)
        held = weakref.ref(document)
        with pytest.raises(InvalidInput) as caught:
            read_record(document)
        del document, caught
        assert held() is None
    finally:
        gc.enable()
