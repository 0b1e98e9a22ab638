"""What a decision lost: every option over two independent halves of worlds, and what follows from the two.

The best of several noisy means is too large on average, so the error measured against it is, too, even for a player who
makes none. The cure is to choose the best by one half of the worlds and to value it by the other, both ways round
(cross-validation; Stone, "Cross-Validatory Choice", 1974). What is chosen so may be less than the best: on average the
error comes out no larger than it is. The plain error is kept beside it: the truth lies between the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from solver.analysis.advice import advise
from solver.analysis.grades import CLEAR, grade
from solver.analysis.rate import FEW, Stop, rate
from solver.analysis.rate_values import RatedBid
from solver.analysis.review.depths import Depth
from solver.analysis.review.values import ReviewedOption
from solver.analysis.values import Estimate
from solver.bidding.policy import SimplePolicy, policy_for
from solver.bidding.rest import chance_of_bids
from solver.game.auction import Bid
from solver.game.cards import Card
from solver.game.seats import Side
from solver.knowledge.seen import Knowledge
from solver.knowledge.worlds import Weigh

#: A first half settles a decision when the action taken is best by so many standard errors.
SETTLED = 3.0
#: A first half of bids is looked at in parts, each of which may settle it: so many of its worlds.
_PARTS = (1 / 4, 1 / 2)
#: Means that differ by less are equal: they are sums of the same numbers in another order.
_EQUAL = 1e-9
#: A bidder that is not a table takes longer to ask: so many draws for each world at most.
_SIMPLE_DRAW = 4

_NOTHING = Estimate(0.0, 0.0)


class Valued(NamedTuple):
    """An option over one half: its net points and its chance to win, and both less the best option's."""

    points: Estimate
    game: float
    difference: Estimate
    game_difference: Estimate


@dataclass(frozen=True)
class Half:
    """Every option over the same worlds. ``best`` has the best chance to win; ``exact``: those are all that fit."""

    options: Mapping[Bid | Card, Valued]
    best: Bid | Card
    worlds: int
    effective: float
    exact: bool
    equals: Mapping[Card, tuple[Card, ...]]


@dataclass(frozen=True)
class Judgement:
    """What came of a decision: fields as in `solver.analysis.review.values.ReviewedDecision`."""

    options: tuple[ReviewedOption, ...]
    best: Bid | Card
    error: Estimate
    game_error: Estimate
    held_out: float
    game_held_out: float
    too_close: bool
    grade: str
    worlds: int
    forced: bool


def forced(action: Bid | Card) -> Judgement:
    """Of an action that was the only one, or as good as any other whatever the cards."""
    return Judgement((), action, _NOTHING, _NOTHING, 0.0, 0.0, False, "none", 0, forced=True)


def judge(
    knowledge: Knowledge,
    action: Bid | Card,
    score: Mapping[Side, int],
    point: float,
    depth: Depth,
    seeds: tuple[int, int],
) -> Judgement:
    """What ``action``, which is legal, lost. ``point``: what a point is worth in chances to win.

    Raises `InvalidInput` if no world fits what the seat has seen.
    """
    if isinstance(action, Bid):
        parts = tuple(round(part * depth.bid_worlds) for part in _PARTS)
        first = _bids(knowledge, score, depth, seeds[0], Stop(parts, partial(_bid_settled, action)))
    else:
        first = _cards(knowledge, score, depth, seeds[0])
    if isinstance(action, Card) and len(first.equals.get(action, ())) == len(first.options) - 1:
        return forced(action)
    if first.exact or _is_settled(first, action):
        return combine([first], action, point)
    look = _bids if isinstance(action, Bid) else _cards
    return combine([first, look(knowledge, score, depth, seeds[1])], action, point)


def _is_settled(half: Half, action: Bid | Card) -> bool:
    return (
        half.best == action
        and half.effective >= FEW
        and all(
            -each.game_difference.mean > SETTLED * each.game_difference.stderr
            for option, each in half.options.items()
            if option != action
        )
    )


def combine(halves: list[Half], action: Bid | Card, point: float) -> Judgement:
    """The judgement from one half that settles the matter, or from two."""
    actions = list(halves[0].options)
    points = {each: _mean([half.options[each].points.mean for half in halves]) for each in actions}
    game = {each: _mean([half.options[each].game for half in halves]) for each in actions}
    best = max(actions, key=lambda each: (game[each], points[each]))
    if game[best] - game[action] < _EQUAL and points[best] - points[action] < _EQUAL:
        best = action

    def against_best(each: Bid | Card, of: Callable[[Valued], Estimate], means: Mapping[Bid | Card, float]) -> Estimate:
        if each == best:
            return _NOTHING
        parts = [_spread(half, each, best, of) for half in halves]
        return Estimate(means[each] - means[best], math.hypot(*parts) / len(parts))

    options = tuple(
        ReviewedOption(
            Estimate(points[each], math.hypot(*(half.options[each].points.stderr for half in halves)) / len(halves)),
            game[each],
            against_best(each, lambda valued: valued.difference, points),
            against_best(each, lambda valued: valued.game_difference, game),
            best=each == best,
            bid=each if isinstance(each, Bid) else None,
            card=each if isinstance(each, Card) else None,
        )
        for each in actions
    )
    taken = next(option for option in options if option.action == action)
    # With an eye to the game the best action may be one that loses points.
    error = Estimate(max(0.0, -taken.difference.mean), taken.difference.stderr)
    game_error = Estimate(max(0.0, -taken.game_difference.mean), taken.game_difference.stderr)
    effective = sum(half.effective for half in halves)
    few = effective < FEW and not halves[0].exact
    too_close = best != action and (few or game_error.mean <= max(CLEAR * game_error.stderr, _EQUAL))
    return Judgement(
        options,
        best,
        error,
        game_error,
        _held_out(halves, action, lambda valued: valued.points.mean),
        _held_out(halves, action, lambda valued: valued.game),
        too_close,
        grade(game_error.mean / point, too_close=too_close),
        sum(half.worlds for half in halves),
        forced=False,
    )


def _spread(half: Half, one: Bid | Card, other: Bid | Card, of: Callable[[Valued], Estimate]) -> float:
    """The standard error of the difference of two options.

    Only those to the best of the half are told; that of two others is at most the sum of theirs.
    """
    return sum(of(half.options[each]).stderr for each in (one, other) if each != half.best)


def _held_out(halves: list[Half], action: Bid | Card, of: Callable[[Valued], float]) -> float:
    """What was lost against the best option of the other half; one half alone is its own other."""
    lost = [
        of(valued.options[chooser.best]) - of(valued.options[action])
        for chooser, valued in zip(halves, reversed(halves), strict=True)
    ]
    return _mean(lost)


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


# ---- one half -----------------------------------------------------------------------------------


def _bids(knowledge: Knowledge, score: Mapping[Side, int], depth: Depth, seed: int, stop: Stop | None = None) -> Half:
    method, worlds = depth.bid_method, depth.bid_worlds
    rating = rate(knowledge, score=score, worlds=worlds, seed=seed, method=method, goal="game", stop=stop)
    return _half(rating.options, rating.settings.worlds, rating.settings.effective_worlds)


def _half(bids: Sequence[RatedBid], worlds: int, effective: float) -> Half:
    options: dict[Bid | Card, Valued] = {
        each.bid: Valued(each.points, each.game.mean, each.difference, each.game_difference) for each in bids
    }
    best = max(bids, key=lambda each: each.game.mean).bid
    return Half(options, best, worlds, effective, exact=False, equals={})


def _bid_settled(action: Bid, bids: Sequence[RatedBid], effective: float) -> bool:
    return _is_settled(_half(bids, 0, effective), action)


def _cards(knowledge: Knowledge, score: Mapping[Side, int], depth: Depth, seed: int) -> Half:
    draw = depth.card_draw
    weigh = _weigh(knowledge)
    if isinstance(policy_for(knowledge.rules), SimplePolicy):
        draw = min(draw, _SIMPLE_DRAW)
    analysis = advise(
        knowledge,
        worlds=depth.card_worlds,
        seed=seed,
        score=score,
        method=depth.card_method,
        weigh=weigh,
        draw=draw if weigh is not None else 1,
    )
    side = knowledge.rules.seating.side(knowledge.seat)
    options: dict[Bid | Card, Valued] = {}
    equals: dict[Card, tuple[Card, ...]] = {}
    for option in analysis.options:
        known, game = option.uncertainty, option.outcome.game
        assert option.card is not None and known is not None and game is not None and known.game_difference is not None
        options[option.card] = Valued(known.points, game[side], known.difference, known.game_difference)
        equals[option.card] = option.equals
    best = max(options, key=lambda each: options[each].game)
    settings = analysis.settings
    worlds = settings.worlds or 0
    exact = analysis.information == "enumerated"
    return Half(options, best, worlds, settings.effective_worlds or float(worlds), exact, equals)


def _weigh(knowledge: Knowledge) -> Weigh | None:
    """By how likely the others were to bid as they did. None where they made no bid."""
    auction = knowledge.auction
    if auction is None or all(auction.bidder(at) == knowledge.seat for at in range(len(auction.bids))):
        return None
    policy, seat = policy_for(knowledge.rules), knowledge.seat
    return lambda worlds: chance_of_bids(policy, auction, seat, worlds.dealt)


def seeds_of(seed: int, *place: int) -> tuple[int, int]:
    """Two seeds for the decision at a place of the record, whatever was reviewed before it."""
    first, second = np.random.SeedSequence([seed, *place]).generate_state(2, np.uint64)
    return int(first), int(second)
