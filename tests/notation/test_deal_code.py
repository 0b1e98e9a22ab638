"""The deal code: one line for a deal and all that happened to it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import InvalidInput
from solver.game.auction import Contract
from solver.game.cards import CardSet, Suit
from solver.game.deal import Deal, hands_of
from solver.game.position import Position
from solver.game.rules import Rules, preset, with_options
from solver.game.seats import Seat
from solver.notation.codes import read_cards
from solver.notation.deal_code import MAX_LENGTH, read_code, write_code
from tests.strategies import positions

HANDS = "9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS"


@given(positions())
def test_a_code_reads_back_as_the_same_position(position: Position) -> None:
    code = write_code(position)
    assert read_code(code) == position
    assert write_code(read_code(code)) == code


@given(positions())
def test_a_code_is_safe_in_a_url_and_not_too_long(position: Position) -> None:
    code = write_code(position)
    assert re.fullmatch(r"[A-Za-z0-9._~-]+", code)
    assert not code.endswith(".")
    assert len(code) < MAX_LENGTH


def test_a_deal_with_its_history() -> None:
    position = read_code(f"american.N.JH.{HANDS}.po.9C.9DAH")
    assert (position.deal.dealer, str(position.deal.upcard), str(position.discard)) == (Seat.N, "JH", "9C")
    assert [str(bid) for bid in position.bids] == ["pass", "order"]
    assert [str(card) for card in position.plays] == ["9D", "AH"]
    assert position.problems() == []


def test_a_partial_deal_has_a_code() -> None:
    hands = hands_of({Seat.N: CardSet.of(read_cards("JH AS KS 9C TD"))})
    position = Position(Deal(preset("american"), Seat.E, None, hands))
    assert write_code(position) == "american.E..9CTDJHKSAS---"
    assert read_code("american.E..9CTDJHKSAS---") == position


def test_hands_as_play_begins_carry_their_contract() -> None:
    position = read_code(f"american...{HANDS}.HNaE")
    assert position.given == Contract(Suit.HEARTS, Seat.N, True, Seat.E)
    assert write_code(position) == f"american...{HANDS}.HNaE"


def test_options_that_differ_from_the_preset_are_written() -> None:
    rules = with_options(preset("spanish"), {"target": 5, "stick_the_dealer": True})
    code = write_code(Position(Deal(rules, Seat.N, None, hands_of({}))))
    assert code.startswith("spanish~stick_the_dealer-yes~target-5.")
    assert read_code(code).rules == rules


def test_equal_rules_have_one_written_form() -> None:
    by_hand = "american~stick_the_dealer-yes.N.JH"
    assert read_code(by_hand).rules == preset("cardporch")
    assert write_code(read_code(by_hand)).startswith("cardporch.")


@pytest.mark.parametrize(
    ("code", "field"),
    [
        ("", "rules"),
        ("nonsense", "rules"),
        ("american~color-red", "rules"),
        ("american~seats-3", "rules"),
        ("american~target", "rules"),
        ("american.X", "dealer"),
        ("american.N.1H", "upcard"),
        ("american.N.JH.9C-TC", "hands"),
        ("american.N.JH.9C9C---", "hands"),
        ("american.N.JH.9CX---", "hands"),
        (f"american.N.JH.{HANDS}.px", "auction"),
        (f"american.N.JH.{HANDS}.pa", "auction"),
        (f"american.N.JH.{HANDS}.HNE", "auction"),
        (f"american.N..{HANDS}.p", "auction"),
        (f"american.N.JH.{HANDS}.po.9", "discard"),
        (f"american.N.JH.{HANDS}.po.9C.9DA", "plays"),
        (f"american.N.JH.{HANDS}.po.9C.9D.AH", "a deal code has at most 7 fields"),
        ("american" + "." * 1900, "a deal code has at most 7 fields"),
        ("american" + "~target-5" * 300, "a deal code has at most 2000 characters"),
    ],
)
def test_a_code_that_cannot_be_read_names_the_field(code: str, field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_code(code)
    assert refusal.value.faults[0].code == "code.invalid"
    assert refusal.value.faults[0].message.startswith(field)


@given(st.text(alphabet="american.NESW9TJQKACDHSpoachdsJO~-_", max_size=120))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        position = read_code(text)
    except InvalidInput:
        return
    assert read_code(write_code(position)) == position


def test_rules_are_described_by_the_preset_that_differs_least() -> None:
    assert write_code(Position(Deal(Rules(deck=25, lone_euchre=4, target=11), None, None, hands_of({})))) == "british"


def test_an_option_stands_once_in_a_code() -> None:
    with pytest.raises(InvalidInput, match="'target' is there twice"):
        read_code("american~target-5~march-3~target-6.N.JH")
