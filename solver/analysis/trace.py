"""Tracing a played deal: the double-dummy value before the lead and after every card."""

from __future__ import annotations

from dataclasses import dataclass

from solver.analysis.tricks import tricks, tricks_by_card
from solver.analysis.values import Outcome, outcome
from solver.engine.doubledummy import DoubleDummy
from solver.errors import Fault, refuse
from solver.game.cards import HAND_SIZE, Card
from solver.game.position import Position
from solver.game.seats import Seat


@dataclass(frozen=True)
class TracedCard:
    """A card as it was played, and what it gave away.

    ``outcome`` is that of best play by all after it. ``lost_tricks`` and ``lost_points`` (net) are what the side of
    ``seat`` has less than after ``best``, the cards that would have kept most; both are 0 for a card among those.
    """

    trick: int
    seat: Seat
    card: Card
    outcome: Outcome
    lost_tricks: int
    lost_points: int
    best: tuple[Card, ...]


@dataclass(frozen=True)
class Trace:
    """A deal with its value before the lead, and after each card that was played.

    ``result`` is the outcome as played, None where the play is not complete.
    """

    position: Position
    before: Outcome
    cards: tuple[TracedCard, ...]
    result: Outcome | None

    @property
    def mistakes(self) -> tuple[TracedCard, ...]:
        """The cards that lost tricks."""
        return tuple(card for card in self.cards if card.lost_tricks)


def played(position: Position) -> Outcome | None:
    """The outcome as the cards were played, legal or not; None where the play is not complete."""
    if position.contract is None:
        return None
    play = position.play()
    won = play.tricks_won()[position.rules.seating.sides[0]]
    return outcome(position, position.contract, won, HAND_SIZE) if len(play.tricks) == HAND_SIZE else None


def _nothing_to_play(position: Position) -> list[Fault]:
    if position.contract is None:
        return [Fault("field.missing", "there is no contract, so nothing was played", ("contract",))]
    if position.awaits_discard:
        message = f"{position.deal.dealer} took the upcard: what was discarded?"
        return [Fault("discard.missing", message, ("discard",))]
    return []


def traceable(position: Position) -> bool:
    """Whether there is play to trace: a contract has been made, and the dealer who took the upcard has discarded."""
    return not _nothing_to_play(position)


def trace(position: Position) -> Trace:
    """Trace the play of a position.

    Raises `InvalidInput` with every fault of the position: a deal with a revoke has no double-dummy value after it,
    and one before the contract or the discard has no play.
    """
    refuse(position.problems() or _nothing_to_play(position))
    contract = position.contract
    engine, play = DoubleDummy(), position.start()
    before = outcome(position, contract, tricks(engine, play), HAND_SIZE)
    cards: list[TracedCard] = []
    for card in position.plays:
        seat, number = play.to_act, len(play.tricks) + 1
        side = position.rules.seating.side(seat)
        values = {
            each: outcome(position, contract, won, HAND_SIZE) for each, won in tricks_by_card(engine, play).items()
        }
        most = max(each.tricks[side] for each in values.values())
        now = values[card]
        net = max(each.net(side) for each in values.values())
        best = tuple(each for each, value in values.items() if value.tricks[side] == most)
        lost_tricks = most - now.tricks[side]
        cards.append(TracedCard(number, seat, card, now, lost_tricks, net - now.net(side), best))
        play.push(card)
    return Trace(position, before, tuple(cards), played(position))
