"""Which suit a card belongs to and which card beats which, once trump is named."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from solver.game.cards import BENNY, Card, CardSet, Rank, Suit
from solver.game.rules import Rules

Suits = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]


class CardOrder:
    """The deck in its four suits as they count in play, each ascending in strength.

    The left bower is a trump for every purpose, and so is the Benny; the suit that the left bower was printed in is one
    card shorter. In no-trump (``trump`` None) there are no bowers. Get one from `card_order`; it is never changed.
    """

    def __init__(self, trump: Suit | None, suits: Suits) -> None:
        self.trump = trump
        self.suits = suits
        self._place = {card: (suit, at) for suit in Suit for at, card in enumerate(suits[suit])}
        self._members = tuple(CardSet.of(cards) for cards in suits)

    def suit(self, card: Card) -> Suit:
        """The suit that the card counts as."""
        return self._place[card][0]

    def strength(self, card: Card) -> int:
        """How many cards of its suit the card beats."""
        return self._place[card][1]

    def members(self, suit: Suit) -> CardSet:
        """All cards of the deck that count as this suit."""
        return self._members[suit]

    def legal(self, hand: CardSet, led: Card | None) -> CardSet:
        """What a hand may play: on lead anything; else the suit led if it has any, else anything."""
        if led is None:
            return hand
        return hand & self.members(self.suit(led)) or hand

    def winner(self, cards: Sequence[Card]) -> int:
        """Which card of a trick wins, by its place in the order played: highest trump, else highest of the suit led."""
        best, (suit, strength) = 0, self._place[cards[0]]
        for place in range(1, len(cards)):
            other, beaten = self._place[cards[place]]
            if (other == self.trump and suit != self.trump) or (other == suit and beaten > strength):
                best, suit, strength = place, other, beaten
        return best


@cache
def _order(deck: CardSet, trump: Suit | None) -> CardOrder:
    suits: list[list[Card]] = [[card for card in deck if card.suit == suit] for suit in Suit]
    if trump is not None:
        right, left = Card.of(Rank.JACK, trump), Card.of(Rank.JACK, trump.same_colour)
        suits[trump].remove(right)
        suits[trump.same_colour].remove(left)
        suits[trump] += [left, right] + [BENNY] * (BENNY in deck)
    clubs, diamonds, hearts, spades = (tuple(cards) for cards in suits)
    return CardOrder(trump, (clubs, diamonds, hearts, spades))


def card_order(rules: Rules, trump: Suit | None) -> CardOrder:
    """The order of the rules' deck under that trump; None is no-trump."""
    return _order(rules.cards, trump)
