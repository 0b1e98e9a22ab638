"""Cards of the game <-> bits of the kernel. The only file that knows both.

A kernel bit is ``16 * lane + strength``: lane 3 is the trump suit, bowers and Benny in it at their strength,
lanes 0-2 are the other suits in their usual order. In no-trump the four suits take the four lanes.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from solver.game.cards import Card, CardSet, Suit
from solver.game.order import CardOrder, card_order
from solver.game.rules import Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

LANE = 16
TRUMP_LANE = 3


class Coordinates:
    """Both directions for one order. Get one from `coordinates`.

    >>> from solver.game.order import card_order
    >>> from solver.game.rules import Rules
    >>> from solver.game.cards import BENNY, Card, Rank, Suit
    >>> hearts = coordinates(card_order(Rules(deck=25), Suit.HEARTS))
    >>> hearts.bit(BENNY) == 1 << (16 * 3 + 7)
    True
    >>> hearts.card(1 << (16 * 3 + 5))
    Card(JD)
    """

    def __init__(self, order: CardOrder) -> None:
        self.order = order
        self._bits: dict[Card, int] = {}
        self._cards: dict[int, Card] = {}
        plain = [suit for suit in Suit if suit != order.trump]
        for suit in Suit:
            lane = TRUMP_LANE if suit == order.trump else plain.index(suit)
            for strength, card in enumerate(order.suits[suit]):
                self._bits[card] = 1 << (LANE * lane + strength)
                self._cards[1 << (LANE * lane + strength)] = card

    @property
    def no_trump(self) -> bool:
        return self.order.trump is None

    def bit(self, card: Card) -> int:
        """The card's bit. Raises KeyError if it is not in the order's deck."""
        return self._bits[card]

    def word(self, cards: CardSet) -> int:
        """The bits of all the cards. Raises KeyError if one is not in the order's deck."""
        word = 0
        for card in cards:
            word |= self._bits[card]
        return word

    def card(self, bit: int) -> Card:
        """The card of one bit."""
        return self._cards[bit]

    def cards(self, word: int) -> CardSet:
        """The cards of a word."""
        return CardSet.of(card for bit, card in self._cards.items() if word & bit)


@cache
def coordinates(order: CardOrder) -> Coordinates:
    return Coordinates(order)


@cache
def batch_words() -> NDArray[np.uint64]:
    """Kernel words by trump, suit and the suit's byte of public bits: ``uint64[4, 5, 256]``, suit 4 being the
    Benny's.

    One table serves every deck: strengths are those of the largest, and gaps between cards mean nothing to
    the kernel.
    """
    words = np.zeros((len(Suit), len(Suit) + 1, 256), dtype=np.uint64)
    rules = Rules(deck=33)
    for trump in Suit:
        where = coordinates(card_order(rules, trump))
        for card in rules.cards:
            suit, place = divmod(card.index, 8)
            holding = np.arange(256) >> place & 1 == 1
            words[trump, suit, holding] |= np.uint64(where.bit(card))
    words.flags.writeable = False
    return words
