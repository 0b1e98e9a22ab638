"""Cards of the game and bits of the kernel name each other."""

from __future__ import annotations

from itertools import pairwise

import pytest

from solver.engine.coordinates import batch_words, coordinates
from solver.game.cards import Card, CardSet
from tests.engine.endings import game_card, order_for

DECKS = (24, 25, 28, 32, 33)


@pytest.mark.parametrize("cards", DECKS)
@pytest.mark.parametrize("trump", ["C", "D", "H", "S"])
def test_every_card_has_one_bit_and_every_bit_its_card(cards: int, trump: str) -> None:
    order = order_for(cards, trump)
    where = coordinates(order)
    bits = [where.bit(card) for suit in order.suits for card in suit]
    assert len(set(bits)) == cards
    assert all(bit.bit_count() == 1 and bit.bit_length() % 16 for bit in bits)
    for suit in order.suits:
        assert all(where.bit(low) < where.bit(high) for low, high in pairwise(suit))
        assert [where.card(where.bit(card)) for card in suit] == list(suit)
        assert where.cards(where.word(CardSet.of(suit))) == CardSet.of(suit)


@pytest.mark.parametrize("trump", ["C", "D", "H", "S"])
def test_trump_is_the_top_lane(trump: str) -> None:
    order = order_for(33, trump)
    where = coordinates(order)
    trumps = order.suits["CDHS".index(trump)]
    assert {where.bit(card) >> 48 for card in trumps} == {1 << at for at in range(10)}


@pytest.mark.parametrize("trump", [0, 1, 2, 3])
def test_the_batch_words_say_the_same_for_every_card(trump: int) -> None:
    where = coordinates(order_for(33, "CDHS"[trump]))
    words = batch_words()
    for index in range(33):
        suit, place = divmod(index, 8)
        assert int(words[trump, suit, 1 << place]) == where.bit(Card(index))
    both = int(words[trump, 0, 0b11])
    assert both == where.bit(game_card("7C")) | where.bit(game_card("8C"))


def test_the_batch_words_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        batch_words()[0, 0, 0] = 1
