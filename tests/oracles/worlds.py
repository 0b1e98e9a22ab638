"""All worlds that fit what a seat has seen, found by dealing the unseen cards in every way and replaying each deal.

Slow and obvious: the game's own judgement of a whole position says which deals could have been, no void is ever worked
out. Only how many ways there are to try must be small.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import comb, prod

from solver.game.auction import discards
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.deal import hands_of
from solver.game.position import Position
from solver.game.seats import Seat

#: The hands as dealt, by seat, and the discard: bits and index, -1 without one.
World = tuple[int, int, int, int, int]


def fitting_worlds(position: Position, seat: Seat) -> set[World]:
    """The worlds that the seat cannot tell from this position, in which all cards are known."""
    found = set()
    for dealt in _deals(position, seat):
        for discard in _discards(position, seat, dealt):
            world = replace(position, deal=replace(position.deal, hands=hands_of(dealt)), discard=discard)
            if not world.problems():
                bits = [dealt.get(each, CardSet()).bits for each in Seat]
                found.add((bits[0], bits[1], bits[2], bits[3], discard.index if discard is not None else -1))
    return found


def ways_to_try(position: Position, seat: Seat) -> int:
    """How many deals and discards `fitting_worlds` will try, about."""
    needs = [HAND_SIZE - len(cards) for cards in _shown(position, seat).values()]
    free = len(_unseen(position, seat)) - sum(map(len, _shown(position, seat).values()))
    return prod(comb(free - sum(needs[:at]), need) for at, need in enumerate(needs)) * (1 + _takes(position))


def _takes(position: Position) -> bool:
    return position.auction is not None and position.auction.takes_upcard


def _unseen(position: Position, seat: Seat) -> CardSet:
    own, upcard = position.deal.hand(seat), position.deal.upcard
    assert own is not None
    return position.rules.cards - own - CardSet.of([upcard] if upcard is not None else [])


def _shown(position: Position, seat: Seat) -> dict[Seat, CardSet]:
    """For every other seat the cards that it was seen to have been dealt."""
    shown = {each: CardSet() for each in position.rules.seating.seats if each != seat}
    if position.plays:
        play = position.play()
        turns = [turn for trick in play.tricks for turn in zip(trick.seats, trick.cards, strict=True)]
        for who, card in [*turns, *zip(play.order_of_trick(), play.table, strict=False)]:
            if who != seat and card != position.deal.upcard:
                shown[who] = shown[who].with_card(card)
    return shown


def _deals(position: Position, seat: Seat) -> Iterator[dict[Seat, CardSet]]:
    shown, own = _shown(position, seat), position.deal.hand(seat)
    assert own is not None
    free = _unseen(position, seat)
    for cards in shown.values():
        free -= cards

    def deal(seats: tuple[Seat, ...], left: CardSet) -> Iterator[dict[Seat, CardSet]]:
        if not seats:
            yield {seat: own}
            return
        first = shown[seats[0]]
        for more in combinations(left, HAND_SIZE - len(first)):
            for others in deal(seats[1:], left - CardSet.of(more)):
                yield {seats[0]: first | CardSet.of(more), **others}

    yield from deal(tuple(shown), free)


def _discards(position: Position, seat: Seat, dealt: dict[Seat, CardSet]) -> Iterator[Card | None]:
    """What the dealer may have discarded, for all that the seat can tell."""
    auction, thrown = position.auction, position.discard
    if thrown is None or auction is None or seat == auction.dealer:
        yield thrown
        return
    contract = auction.contract
    assert contract is not None
    is_seen = position.rules.dealer_may_decline_upcard and contract.maker != auction.dealer
    for card in discards(auction, dealt[auction.dealer]):
        if not is_seen or (card == auction.upcard) == (thrown == auction.upcard):
            yield card
