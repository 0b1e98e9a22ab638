"""Hands as numbers: relative to the upcard's suit, and counted.

A hand of the 24-card deck is four groups of six bits, nines lowest, one for each *role* of a suit: 0 the suit of the
upcard, 3 the other of its colour (next), 1 and 2 the two of the other colour (cross) as they come in the deck. In this
form, whatever the upcard's suit, the strategy is one and the same; 1 and 2 may be swapped.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from solver.game.cards import HAND_SIZE, Card, Rank, Suit

#: Cards in the deck, ranks in a suit, hands of five.
DECK, RANKS = 24, 6
HANDS = comb(DECK, HAND_SIZE)
UP, CROSS, OTHER_CROSS, NEXT = range(4)

_HALF = 12
_LOW = (1 << _HALF) - 1

Words = NDArray[np.uint64]
Hands = NDArray[np.uint32]
Places = NDArray[np.intp]


def suit_of_role(up: Suit) -> tuple[Suit, Suit, Suit, Suit]:
    """The suits in the order of their roles when ``up`` is the upcard's."""
    first, second = (suit for suit in Suit if suit not in (up, up.same_colour))
    return up, first, second, up.same_colour


def relative(cards: Words, up: Suit) -> Hands:
    """Public bits (``8 * suit + rank``) of the 24-card deck in roles, six bits each."""
    words = np.zeros(cards.shape, dtype=np.uint64)
    for role, suit in enumerate(suit_of_role(up)):
        words |= (cards >> np.uint64(8 * suit + Rank.NINE) & np.uint64(63)) << np.uint64(RANKS * role)
    return words.astype(np.uint32)


def public(hands: Hands) -> Words:
    """The public bits of hands in roles, clubs being the upcard's suit."""
    words = np.zeros(hands.shape, dtype=np.uint64)
    for role, suit in enumerate(suit_of_role(Suit.CLUBS)):
        words |= (hands.astype(np.uint64) >> np.uint64(RANKS * role) & np.uint64(63)) << np.uint64(8 * suit + Rank.NINE)
    return words


def card_indexes(up: Suit) -> NDArray[np.uint8]:
    """The public index of each of the 24 cards in roles."""
    return np.array(
        [8 * suit + rank for suit in suit_of_role(up) for rank in Rank if rank >= Rank.NINE], dtype=np.uint8
    )


def up_rank(upcard: Card) -> int:
    """0 for a nine turned up, to 5 for an ace."""
    assert upcard.rank is not None
    return upcard.rank - Rank.NINE


@cache
def _numbering(size: int) -> tuple[Places, Places]:
    """Where the hands with each upper half begin, and the place of each lower half among those of its size."""
    halves = np.arange(_LOW + 1)
    sizes = np.bitwise_count(halves.astype(np.uint16)).astype(np.intp)
    ways = np.array([comb(_HALF, size - upper) if upper <= size else 0 for upper in range(_HALF + 1)])
    begin = np.concatenate(([0], np.cumsum(ways[sizes])[:-1])).astype(np.intp)
    place = np.zeros(_LOW + 1, dtype=np.intp)
    for lower in range(_HALF + 1):
        place[sizes == lower] = np.arange((sizes == lower).sum())
    return begin, place


def number(hands: Hands, size: int = HAND_SIZE) -> Places:
    """The number of each hand of ``size`` cards, from 0, below the number of such hands."""
    begin, place = _numbering(size)
    places: Places = begin[hands >> np.uint32(_HALF)] + place[hands & np.uint32(_LOW)]
    return places


@cache
def all_hands(size: int = HAND_SIZE) -> Hands:
    """Every hand of that size, at its `number`."""
    cards = np.array(list(combinations(range(DECK), size)), dtype=np.uint32)
    hands: Hands = (np.uint32(1) << cards).sum(axis=1, dtype=np.uint32)
    ordered = np.empty_like(hands)
    ordered[number(hands, size)] = hands
    return ordered


def swapped(hands: Hands) -> Hands:
    """The hands with the two cross suits exchanged."""
    six = np.uint32(63)
    first, second = hands >> np.uint32(6) & six, hands >> np.uint32(12) & six
    exchanged: Hands = (hands & ~np.uint32(0x3FFC0)) | second << np.uint32(6) | first << np.uint32(12)
    return exchanged
