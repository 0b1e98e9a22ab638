"""``rate_bid``: what every bid is worth to a seat that sees its own five cards, the upcard and the bids before it.

Nothing here looks at a card that the one who decides would not see. The others bid by a stated policy, each by its own
hand; the dealer throws away one card for each hand; and the cards are played by seats that each see their own side.
It stands here and not in `solver.bidding`, as it needs the equity of a score, grades, and the values of an analysis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.analysis.equity import equity_for, score_faults
from solver.analysis.grades import CLEAR, grade
from solver.analysis.rate_allocation import worlds_needed
from solver.analysis.rate_arguments import (
    DEFAULT_METHOD,
    DEFAULT_WORLDS,
    PRECISE,
    argument_faults,
    settings_faults,
)
from solver.analysis.rate_values import BidRating, RatedBid, RateSettings, Verdict
from solver.analysis.rater import SOLVED_FOR_FEW, Rater
from solver.analysis.values import Analysis, Option, Outcome, Settings, Uncertainty, engine_version
from solver.bidding.policy import Policy, policy_for
from solver.errors import Fault, InvalidInput, refuse
from solver.game.auction import Bid
from solver.game.cards import Card, CardSet
from solver.game.deal import Deal, hands_of
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.seats import Seat, Side
from solver.knowledge.seen import Knowledge
from solver.knowledge.worlds import count_worlds

#: Worlds that are drawn together at most, and in what steps they are reckoned where it is to be seen whether they are
#: enough.
BATCH, STEP = 4000, 250
#: Adaptive ratings stop when the best bid is clear by so many standard errors, or with so many worlds.
STOP_AT, ADAPTIVE_MOST = 3.0, 16_000
#: Precise ones stop when no difference has a larger standard error in points, or with so many worlds.
PRECISE_ERROR, PRECISE_MOST = 0.03, 16_000
#: Both look at no fewer: the standard errors of fewer are not worth much.
LEAST = 750
#: What it costs to play a world in which the partner plays, too, when one in which a side plays alone costs 1: there is
#: one hand more, and players look at more worlds for a card.
_COST_TOGETHER = 3.0
#: The least standard error that is asked for: in points no number of worlds gives it, in chances to win it is nothing.
_NO_LESS = 0.0001
#: Fewer worlds than this are too few to call anything.
FEW = 30


@dataclass(frozen=True)
class Stop:
    """When to look at no more worlds: ``after`` any of these numbers, rising, if that is ``enough``, told every bid in
    them and how many equally likely worlds they are worth."""

    after: tuple[int, ...]
    enough: Callable[[Sequence[RatedBid], float], bool]


def rate_bid(
    rules: Rules,
    dealer: Seat,
    upcard: Card,
    seat: Seat,
    hand: Iterable[Card],
    auction: Sequence[Bid] = (),
    score: Mapping[Side, int] | None = None,
    bid: Bid | None = None,
    worlds: int | str = DEFAULT_WORLDS,
    seed: int = 0,
    method: str = DEFAULT_METHOD,
    threads: int = 1,
) -> BidRating:
    """What every bid of ``seat``, which is to bid after ``auction``, is worth, and a verdict on ``bid``.

    ``hand`` are the seat's five cards as dealt; ``worlds`` a number, ``"precise"`` for as many as make the standard
    error of every difference 0.03 points, or ``"adaptive"`` for as many as make the best bid clear; ``score`` that of
    the game before this deal, nothing to nothing by default. ``method``: ``rollout`` plays each world out by seats that
    see only their own side of it; ``double-dummy`` is fast, and partial: see docs/rating.md. Equal seeds give equal
    answers, whatever the number of threads.

    Raises `InvalidInput` with every fault, each at the argument that it is about.
    """
    cards = tuple(hand)
    refuse(argument_faults(rules, dealer, upcard, seat, cards, tuple(auction), score, bid, worlds, method, seed))
    deal = Deal(rules, dealer, upcard, hands_of({seat: CardSet.of(cards)}))
    knowledge = Knowledge.of(Position(deal, tuple(auction)), seat)
    return rate(knowledge, score=score, bid=bid, worlds=worlds, seed=seed, method=method, threads=threads)


def rate(
    knowledge: Knowledge,
    *,
    score: Mapping[Side, int] | None = None,
    bid: Bid | None = None,
    worlds: int | str = DEFAULT_WORLDS,
    seed: int = 0,
    method: str = DEFAULT_METHOD,
    threads: int = 1,
    policy: Policy | None = None,
    goal: str = "points",
    stop: Stop | None = None,
) -> BidRating:
    """As `rate_bid`, for what a seat that is to bid has seen; ``policy`` None is that of the rules.

    ``goal``: differences are from the bid that is best by ``points``, or by the chance to win the ``game``. ``stop``
    may end it before so many ``worlds``, a number then, are looked at.
    """
    refuse([*settings_faults(worlds, method, seed), *([] if score is None else score_faults(knowledge.rules, score))])
    rater = Rater(knowledge, policy or policy_for(knowledge.rules), method, seed, threads)
    nothing = dict.fromkeys(knowledge.rules.seating.sides, 0)
    score = nothing if score is None else score
    if isinstance(worlds, int):
        total = worlds
        for look in () if stop is None else stop.after:
            if stop is not None and rater.worlds < look < total:
                rater.add(look - rater.worlds)
                total = look if stop.enough(rater.options(score, goal), rater.effective_worlds) else total
        while rater.worlds < total:
            rater.add(min(BATCH, total - rater.worlds))
        options = rater.options(score, goal)
    else:
        options = _enough(rater, score, goal, worlds)
    best = max(options, key=lambda option: option.points.mean)
    for_game = max(options, key=lambda option: option.game.mean)
    settings = RateSettings(
        engine_version(),
        method,
        rater.worlds,
        rater.effective_worlds,
        seed,
        rater.policy.name,
        equity_for(knowledge.rules).source,
        dict(score),
    )
    ordering = [option for option in options if option.discard is not None]
    return BidRating(
        knowledge.position,
        knowledge.seat,
        options,
        best.bid,
        for_game.bid,
        max(ordering, key=lambda option: option.points.mean).discard if ordering else None,
        None if bid is None else _verdict(options, best.bid, bid, rater.effective_worlds),
        settings,
    )


def rated_bids(
    knowledge: Knowledge,
    *,
    worlds: int | str = DEFAULT_WORLDS,
    seed: int = 0,
    score: Mapping[Side, int] | None = None,
    method: str | None = None,
    threads: int = 1,
) -> Analysis:
    """`rate` in the form of an analysis. ``method`` None or ``rollout`` plays worlds out, ``pimc`` solves them.

    With a ``score`` the best bid is that with the best chance to win the game.
    """
    if worlds == "all":
        message = "there are too many worlds before the first bid that ends the auction to look at them all"
        raise InvalidInput([Fault("field.invalid", message, ("worlds",))])
    by_method = {"pimc": "double-dummy", None: DEFAULT_METHOD}.get(method, method)
    method, goal = by_method or DEFAULT_METHOD, "points" if score is None else "game"
    rating = rate(knowledge, score=score, worlds=worlds, seed=seed, method=method, threads=threads, goal=goal)
    best = rating.option(rating.best if score is None else rating.best_for_game)
    sides = knowledge.rules.seating.sides
    side = knowledge.rules.seating.side(knowledge.seat)

    def option(rated: RatedBid) -> Option:
        chance = rated.game.mean
        game = None if score is None else {each: chance if each == side else 1 - chance for each in sides}
        return Option(
            Outcome(rated.tricks, rated.scored, game),
            # With the score given, the best bid may be one that loses points.
            max(0.0, best.points.mean - rated.points.mean),
            best=rated.bid == best.bid,
            bid=rated.bid,
            uncertainty=Uncertainty(
                rated.points, rated.difference, None, None if score is None else rated.game_difference
            ),
            outcomes=rated.outcomes,
            double_dummy=rated.double_dummy,
            discard=rated.discard,
        )

    options = tuple(option(rated) for rated in rating.options)
    settings = Settings(
        engine_version(),
        rating.settings.worlds,
        seed,
        count_worlds(knowledge),
        "pimc" if method == "double-dummy" else method,
        goal,
        policy=rating.settings.policy,
        shares=None if score is None else rating.settings.shares,
    )
    outcome = next(each.outcome for each in options if each.best)
    return Analysis(knowledge.position, knowledge.decision, knowledge.seat, "sampled", outcome, options, settings)


def _enough(rater: Rater, score: Mapping[Side, int], goal: str, wanted: str) -> tuple[RatedBid, ...]:
    """Every bid over as many worlds as it takes. Bids whose place is known are not played any more."""
    most = PRECISE_MOST if wanted == PRECISE else ADAPTIVE_MOST
    costs = [1.0 if bid.alone else _COST_TOGETHER for bid in rater.bids]
    rater.add(LEAST)
    while True:
        points, games, best = rater.means(score, goal)
        means = points if wanted == PRECISE or goal == "points" else games
        differences = [mean.less(means[best]) for mean in means]
        errors = [PRECISE_ERROR if wanted == PRECISE else -each.mean / STOP_AT for each in differences]
        variances = np.square(np.maximum(errors, _NO_LESS))
        played = [len(mean.left) for mean in means]
        needed = worlds_needed(means, best, variances, costs, step=STEP, most=most, solved=SOLVED_FOR_FEW)
        # What is foreseen from few worlds is not worth much: no more than as many again before it is looked at anew.
        more = {
            bid: min(worlds, 2 * now)
            for bid, worlds, now in zip(rater.bids, needed, played, strict=True)
            if worlds > now
        }
        if not more:
            return rater.options(score, goal)
        rater.play(more)


def _verdict(options: Sequence[RatedBid], best: Bid, bid: Bid, effective: float) -> Verdict:
    rated = next(option for option in options if option.bid == bid)
    error, stderr = max(0.0, -rated.difference.mean), rated.difference.stderr
    too_close = bid != best and (error <= CLEAR * stderr or effective < FEW)
    return Verdict(bid, error, stderr, grade(error, too_close=too_close), too_close)
