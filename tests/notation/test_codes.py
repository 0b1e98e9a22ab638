"""Cards, seats and bids as text."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import InvalidInput
from solver.game.auction import ORDER, PASS, Bid, Call
from solver.game.cards import BENNY, DECKS, Card, Rank, Suit
from solver.game.seats import Seat
from solver.notation.codes import read_bid, read_card, read_cards, read_seat, read_side, split_cards


@pytest.mark.parametrize("card", DECKS[33], ids=str)
def test_every_card_reads_back_as_written(card: Card) -> None:
    assert read_card(str(card)) == card
    assert read_card(str(card).lower()) == card


@pytest.mark.parametrize(
    ("text", "rank", "suit"),
    [
        ("10D", Rank.TEN, Suit.DIAMONDS),
        ("TD", Rank.TEN, Suit.DIAMONDS),
        ("td", Rank.TEN, Suit.DIAMONDS),
        ("NH", Rank.NINE, Suit.HEARTS),
        ("J♥", Rank.JACK, Suit.HEARTS),
        ("J♥\ufe0f", Rank.JACK, Suit.HEARTS),
        ("HT", Rank.TEN, Suit.HEARTS),
        ("H10", Rank.TEN, Suit.HEARTS),
        ("♠a", Rank.ACE, Suit.SPADES),
        (" 7c ", Rank.SEVEN, Suit.CLUBS),
    ],
)
def test_other_forms_of_a_card_are_read(text: str, rank: Rank, suit: Suit) -> None:
    assert read_card(text) == Card.of(rank, suit)


@pytest.mark.parametrize("text", ["JO", "jo", "JOKER", "Joker"])
def test_the_benny_is_read(text: str) -> None:
    assert read_card(text) == BENNY


@pytest.mark.parametrize("text", ["XX", "1", "", "J", "H", "JHX", "1H", "11H", "HH", "JJ", "6C", "J H", "ßH", "ﬀ"])
def test_what_is_no_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_card(text)
    (fault,) = refusal.value.faults
    assert fault.code == "card.unreadable"
    assert repr(text) in fault.message


@pytest.mark.parametrize(
    "text", ["JH AS KS 9C TD", "JHASKS9CTD", "jh, as,ks 9c,10d", "HJ SA SK C9 DT", " J♥A♠K♠9♣10♦ "]
)
def test_several_cards_in_one_text(text: str) -> None:
    assert " ".join(str(card) for card in read_cards(text)) == "JH AS KS 9C TD"


def test_a_run_of_cards_with_the_benny_among_them() -> None:
    assert [str(card) for card in read_cards("JHJOJDJOKERJS")] == ["JH", "JO", "JD", "JO", "JS"]


def test_every_piece_that_is_no_card_is_named_by_its_place() -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_cards("JH XX AS ZZ9C")
    assert [(fault.path, fault.code) for fault in refusal.value.faults] == [
        ((1,), "card.unreadable"),
        ((3,), "card.unreadable"),
    ]


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert all(split_cards(text))
    for read in (read_card, read_cards, read_seat, read_side, read_bid):
        with suppress(InvalidInput):
            assert read(text) is not None  # type: ignore[operator]  # functions of one text, of several result types


@pytest.mark.parametrize(
    ("text", "bid"),
    [
        ("pass", PASS),
        ("Pass", PASS),
        ("order", ORDER),
        ("order up", ORDER),
        ("pick up", ORDER),
        ("assist", ORDER),
        ("order alone", Bid(Call.ORDER, None, alone=True)),
        ("Pick up, alone", Bid(Call.ORDER, None, alone=True)),
        ("C", Bid(Call.NAME, Suit.CLUBS)),
        ("hearts", Bid(Call.NAME, Suit.HEARTS)),
        ("♥", Bid(Call.NAME, Suit.HEARTS)),
        ("hearts alone", Bid(Call.NAME, Suit.HEARTS, alone=True)),
        ("s  ALONE", Bid(Call.NAME, Suit.SPADES, alone=True)),
    ],
)
def test_forms_of_a_bid(text: str, bid: Bid) -> None:
    assert read_bid(text) == bid


def test_naming_the_upcards_suit_in_round_1_is_ordering() -> None:
    assert read_bid("H", Suit.HEARTS) == ORDER
    assert read_bid("hearts alone", Suit.HEARTS) == Bid(Call.ORDER, None, alone=True)
    assert read_bid("H") == Bid(Call.NAME, Suit.HEARTS)


@pytest.mark.parametrize("text", ["", "alone", "pass alone", "bid", "3", "pas"])
def test_what_is_no_bid_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read_bid(text)
    assert refusal.value.faults[0].code == "bid.unreadable"


@pytest.mark.parametrize(
    "bid", [PASS, ORDER, *(Bid(Call.NAME, suit, alone) for suit in Suit for alone in (False, True))]
)
def test_every_bid_reads_back_as_written(bid: Bid) -> None:
    assert read_bid(str(bid)) == bid


def test_seats_by_letter_and_by_name() -> None:
    assert [read_seat(text) for text in ("N", "e", "South", "WEST")] == list(Seat)
