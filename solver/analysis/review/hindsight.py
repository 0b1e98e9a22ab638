"""What each action of a deal lost with all cards seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from solver.analysis.contracts import contract_table, discard_tricks, pars
from solver.analysis.review.decisions import Taken
from solver.analysis.review.values import Hindsight
from solver.analysis.trace import trace, traceable
from solver.analysis.tricks import is_first_side
from solver.analysis.values import outcome
from solver.engine.doubledummy import DoubleDummy
from solver.game.auction import Bid
from solver.game.cards import HAND_SIZE, Card
from solver.game.position import Decision, Position


def of_plays(position: Position, legal: int) -> Mapping[int, Hindsight]:
    """Of the first ``legal`` cards, which the rules allow, by their place in the plays; none where hands are not
    known."""
    played = replace(position, plays=position.plays[:legal])
    if not legal or played.problems() or not traceable(played):
        return {}
    return {at: Hindsight(card.lost_points, card.lost_tricks) for at, card in enumerate(trace(played).cards)}


def of_choice(taken: Taken) -> Hindsight | None:
    """Of a bid, all others then bidding their best with all cards seen; or of a discard. None where hands are not
    known."""
    position = taken.position
    if position.problems():
        return None
    if taken.decision == Decision.BID:
        return _of_bid(position, taken)
    return _of_discard(position, taken)


def _of_bid(position: Position, taken: Taken) -> Hindsight | None:
    if not isinstance(taken.action, Bid):
        return None
    side = position.rules.seating.side(taken.seat)
    net = {bid: par.outcome.net(side) for bid, par in pars(position, contract_table(DoubleDummy(), position)).items()}
    return Hindsight(max(net.values()) - net[taken.action]) if taken.action in net else None


def _of_discard(position: Position, taken: Taken) -> Hindsight | None:
    won = discard_tricks(DoubleDummy(), position)
    if not isinstance(taken.action, Card) or taken.action not in won:
        return None
    side = position.rules.seating.side(taken.seat)
    ours = {
        card: each if is_first_side(position.rules.seating, taken.seat) else HAND_SIZE - each
        for card, each in won.items()
    }
    net = {card: outcome(position, position.contract, each, HAND_SIZE).net(side) for card, each in won.items()}
    return Hindsight(max(net.values()) - net[taken.action], float(max(ours.values()) - ours[taken.action]))
