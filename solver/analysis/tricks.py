"""Double-dummy tricks of whole deals, those already won included, always for the first side of the rules."""

from __future__ import annotations

from collections.abc import Iterable

from solver.engine.doubledummy import DoubleDummy
from solver.game.cards import Card, CardSet
from solver.game.order import CardOrder
from solver.game.play import Play
from solver.game.seats import Seat, Seating


def first_side(seating: Seating) -> tuple[Seat, ...]:
    """The seats of the side that the numbers here belong to."""
    return seating.seats_of(seating.sides[0])


def is_first_side(seating: Seating, seat: Seat) -> bool:
    return seating.side(seat) == seating.sides[0]


def tricks(engine: DoubleDummy, play: Play) -> int:
    """What the deal comes to with best play by all from here."""
    return _won(play) + engine.tricks(play, first_side(play.seating))


def tricks_by_card(engine: DoubleDummy, play: Play) -> dict[Card, int]:
    """What the deal comes to after each legal card of the seat to act."""
    won = _won(play)
    after = engine.cards(play, first_side(play.seating))
    return {card: won + after[card] for card in sorted(after)}


def _won(play: Play) -> int:
    return play.tricks_won()[play.seating.sides[0]]


def equal_cards(order: CardOrder, own: CardSet, others: CardSet, among: Iterable[Card]) -> dict[Card, tuple[Card, ...]]:
    """For each card of ``among``, all held by one seat, the others of them that it is equal to.

    Two cards of a suit are equal when no card in play that the seat does not hold (``others``: the hands of the other
    seats and the trick under way) stands between them.
    """
    group: dict[Card, tuple[int, int]] = {}
    for suit, cards in enumerate(order.suits):
        run = 0
        for card in cards:
            run += card in others
            if card in own:
                group[card] = suit, run
    among = tuple(among)
    return {card: tuple(each for each in among if each != card and group[each] == group[card]) for card in among}


def in_play_beside(play: Play, seat: Seat) -> CardSet:
    """The cards in play that ``seat`` does not hold: other hands, and the trick under way."""
    cards = CardSet.of(play.table)
    for other in play.active:
        hand = play.hands[other]
        if other != seat and hand is not None:
            cards |= hand
    return cards
