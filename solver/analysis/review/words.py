"""Cards and counts as players name them."""

from __future__ import annotations

from collections.abc import Sequence

from solver.game.cards import Card, Rank
from solver.game.order import CardOrder

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def card_name(card: Card, order: CardOrder) -> str:
    """``the right bower``, ``the ace of spades``.

    >>> from solver.game.cards import Suit
    >>> from solver.game.order import card_order
    >>> from solver.game.rules import Rules
    >>> order = card_order(Rules(), Suit.HEARTS)
    >>> [card_name(Card.of(Rank.JACK, suit), order) for suit in (Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)]
    ['the right bower', 'the left bower', 'the jack of clubs']
    """
    if card.rank is None or card.suit is None:
        return "the Benny"
    if card.rank == Rank.JACK and order.trump is not None:
        if card.suit == order.trump:
            return "the right bower"
        if card.suit == order.trump.same_colour:
            return "the left bower"
    return f"the {card.rank.name.lower()} of {card.suit}"


def listed(parts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def listed_of_one_suit(cards: Sequence[Card], order: CardOrder) -> str:
    """``the right bower, the ace and the ten``: the suit is said by what stands around it."""
    return listed([card_name(card, order).partition(" of ")[0] for card in cards])


def counted(number: int, noun: str) -> str:
    """``no trump``, ``one trump``, ``two trumps``."""
    return f"{_NUMBERS[number]} {noun}{'' if number < 2 else 's'}"
