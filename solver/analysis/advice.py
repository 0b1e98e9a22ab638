"""What one seat should do, not seeing the other hands: every option over the same worlds that fit what it has seen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.analysis.equity import chances_after, equity_for
from solver.analysis.tricks import equal_cards, first_side
from solver.analysis.values import Analysis, Estimate, Option, Outcome, Settings, Uncertainty, engine_version
from solver.engine.doubledummy import solve_batch
from solver.engine.playout import card_values, rollouts
from solver.errors import Fault, InvalidInput
from solver.game.auction import discards
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.play import Play
from solver.game.position import Decision
from solver.game.scoring import score as score_deal
from solver.game.seats import Seat, Seating, Side
from solver.knowledge.seen import Knowledge, UpcardAt
from solver.knowledge.worlds import Weigh, Worlds, all_worlds, count_worlds, sample_worlds

DEFAULT_WORLDS = 1000

#: How a world is played out, the default first.
METHODS = ("pimc", "rollout")
DEFAULT_METHOD = METHODS[0]
#: The largest number of worlds that are looked at, sampled or all: some seconds' work.
MOST_WORLDS = {"pimc": 100_000, "rollout": 10_000}
#: The largest number that they are picked from.
MOST_DRAWN = 1_000_000


@dataclass(frozen=True, eq=False)
class Evaluation:
    """``tricks``: ``uint8[n, k]``, the first side's tricks of the whole deal in n worlds after each of k actions."""

    knowledge: Knowledge
    worlds: Worlds
    actions: tuple[Card, ...]
    tricks: NDArray[np.uint8]

    def points(self, side: Side) -> NDArray[np.float64]:
        """``float64[n, k]``: the points that the side scores."""
        rules, contract = self.knowledge.rules, self.knowledge.contract
        first, second = rules.seating.sides
        by_tricks = [
            score_deal(rules, contract, {first: won, second: HAND_SIZE - won})[side] for won in range(HAND_SIZE + 1)
        ]
        return np.array(by_tricks, dtype=np.float64)[self.tricks]


def find_worlds(
    knowledge: Knowledge, worlds: int | str, seed: int, threads: int, most: int, weigh: Weigh | None = None
) -> Worlds:
    """That many sampled worlds; all that fit when there are no more than that, or when ``worlds`` is ``"all"``.

    Raises `InvalidInput` if none fits, there would be more than ``most``, or ``worlds`` is no such number.
    """
    if worlds == "all":
        return all_worlds(knowledge, most, threads=threads, weigh=weigh)
    if type(worlds) is not int or worlds < 1:
        raise InvalidInput([Fault("field.invalid", f'worlds is {worlds}, not a number from 1 or "all"', ("worlds",))])
    if worlds > most:
        raise InvalidInput([Fault("field.invalid", f"at most {most} worlds are looked at", ("worlds",))])
    if count_worlds(knowledge) <= worlds:
        return all_worlds(knowledge, worlds, threads=threads, weigh=weigh)
    return sample_worlds(knowledge, worlds, seed, threads=threads, weigh=weigh)


def evaluate(knowledge: Knowledge, worlds: Worlds, method: str, seed: int, threads: int) -> Evaluation:
    """Every card that the seat may play, or discard, in every world."""
    if knowledge.decision == Decision.DISCARD:
        return _evaluate_discards(knowledge, worlds, method, seed, threads)
    play = knowledge.position.play()
    actions = tuple(play.legal())
    won = play.tricks_won()[play.seating.sides[0]]
    if method == "pimc":
        tricks = card_values(play, worlds.held, actions, first_side(play.seating), threads=threads)
    else:
        tricks = _rollouts(knowledge, play, worlds.held, actions, worlds.discard, seed, threads)
    return Evaluation(knowledge, worlds, actions, tricks + np.uint8(won))


def _evaluate_discards(knowledge: Knowledge, worlds: Worlds, method: str, seed: int, threads: int) -> Evaluation:
    auction, contract, dealer = knowledge.auction, knowledge.contract, knowledge.dealer
    assert auction is not None and contract is not None and dealer is not None  # said by Decision.DISCARD
    actions = discards(auction, knowledge.hand)
    number = len(worlds)
    sitting_out = -1 if contract.sitting_out is None else int(contract.sitting_out)
    columns = (
        np.full(number, contract.trump, dtype=np.uint8),
        np.full(number, contract.leader, dtype=np.uint8),
        np.full(number, sitting_out, dtype=np.int8),
    )
    tricks = np.empty((number, len(actions)), dtype=np.uint8)
    held = worlds.held.copy()
    for at, card in enumerate(actions):
        held[:, dealer] = knowledge.held.without(card).bits
        if method == "pimc":
            tricks[:, at] = solve_batch(held, *columns, threads=threads)
        else:
            play = knowledge.position.after(discard=card).play()
            thrown = np.full(number, card.index, dtype=np.int8)
            tricks[:, at] = _rollouts(knowledge, play, held, None, thrown, seed, threads)[:, 0]
    return Evaluation(knowledge, worlds, actions, tricks)


def _rollouts(
    knowledge: Knowledge,
    play: Play,
    held: NDArray[np.uint64],
    cards: tuple[Card, ...] | None,
    discard: NDArray[np.int8],
    seed: int,
    threads: int,
) -> NDArray[np.uint8]:
    """The first side's tricks to come, each world played out by seats that see their own."""
    first, second = play.seating.sides
    by_tricks = [
        score_deal(knowledge.rules, knowledge.contract, {first: won, second: HAND_SIZE - won})
        for won in range(HAND_SIZE + 1)
    ]
    out, taken = sight(knowledge, discard)
    return rollouts(
        play,
        held,
        cards,
        first_side(play.seating),
        out=out,
        taken=taken,
        hidden=knowledge.may_hide_upcard,
        points=[points[first] - points[second] for points in by_tricks],
        seed=seed,
        threads=threads,
    )


def sight(knowledge: Knowledge, discard: NDArray[np.int8]) -> tuple[NDArray[np.uint64], tuple[Seat, Card] | None]:
    """What seats know besides the play, for `rollouts`: ``out``, ``uint64[n, 4]``, and the upcard that was ``taken``.

    ``discard`` is the dealer's in each world. An upcard that the dealer may decline is seen by all to go out of play.
    """
    dealer, upcard = knowledge.dealer, knowledge.upcard
    out = np.zeros((len(discard), len(Seat)), dtype=np.uint64)
    if dealer is None:
        return out, None
    thrown = discard >= 0
    out[thrown, dealer] |= np.uint64(1) << discard[thrown].astype(np.uint64)
    if upcard is None:
        return out, None
    # Where it is not hidden that the upcard is thrown away, it is so in every world or in none.
    is_declined = not knowledge.may_hide_upcard and bool((discard == upcard.index).any())
    if knowledge.taken and not is_declined:
        return out, (dealer, upcard)
    return out | np.uint64(upcard.bit), None


def advise(
    knowledge: Knowledge,
    *,
    worlds: int | str = DEFAULT_WORLDS,
    seed: int = 0,
    score: Mapping[Side, int] | None = None,
    method: str = DEFAULT_METHOD,
    threads: int = 1,
    weigh: Weigh | None = None,
    draw: int = 1,
) -> Analysis:
    """The means of every card that the seat to act may play or discard.

    ``method``: ``pimc`` takes each world as seen by all from here on (perfect information Monte Carlo); ``rollout``
    plays each out by seats that see only their own side of things. Options are compared by points, or with a ``score``
    by the chance to win the game. ``weigh`` makes some worlds count for more than others, as a policy's chance of the
    bids would; the settings then say how many equally weighted worlds would be worth as much. With ``draw`` that many
    times as many are drawn and weighed, which is cheap, and the ``worlds`` that are looked at are picked from those by
    weight; fewer, where too few of those drawn are likely.

    Raises `InvalidInput` if no world fits, or for a decision that is not the seat's.
    """
    if knowledge.to_act not in (None, knowledge.seat):
        raise InvalidInput([Fault("field.invalid", f"{knowledge.to_act} is to act", ("viewpoint",))])
    if knowledge.decision not in (Decision.PLAY, Decision.DISCARD):
        what = "nobody is to act" if knowledge.decision == Decision.OVER else "bids are rated, by rate_bid"
        raise InvalidInput([Fault("field.invalid", f"no card is to be played or discarded: {what}", ("viewpoint",))])
    if method not in METHODS:
        raise InvalidInput([Fault("field.invalid", f"there is no method {method!r}", ("method",))])
    chances = None if score is None else _chances(knowledge, score)
    if draw == 1 or not isinstance(worlds, int):
        found = find_worlds(knowledge, worlds, seed, threads, MOST_WORLDS[method], weigh)
    else:
        found = find_worlds(knowledge, worlds * draw, seed, threads, MOST_DRAWN, weigh)
        found = found if found.enumerated else found.pick(worlds)
    evaluation = evaluate(knowledge, found, method, seed, threads)
    options = _options(evaluation, chances)
    best = next(option for option in options if option.best)
    settings = Settings(
        engine_version(),
        len(found),
        None if found.enumerated else seed,
        found.count,
        method,
        "points" if score is None else "game",
        None if found.weights is None else found.effective_size,
        shares=None if score is None else equity_for(knowledge.rules).source,
    )
    information = "enumerated" if found.enumerated else "sampled"
    return Analysis(
        knowledge.position, knowledge.decision, knowledge.to_act, information, best.outcome, options, settings
    )


def _chances(knowledge: Knowledge, score: Mapping[Side, int]) -> dict[int, float]:
    rules, dealer = knowledge.rules, knowledge.dealer
    if dealer is None:
        raise InvalidInput([Fault("field.missing", "the dealer is needed to weigh the score", ("dealer",))])
    side = rules.seating.side(knowledge.seat)
    return chances_after(rules, dealer, score, side)


def _options(evaluation: Evaluation, chances: Mapping[int, float] | None) -> tuple[Option, ...]:
    """``chances``: net points of the seat's side -> its chance to win the game; None to compare by points."""
    knowledge, worlds = evaluation.knowledge, evaluation.worlds
    seating = knowledge.rules.seating
    side = seating.side(knowledge.seat)
    other = seating.opponents(side)
    # 1. What each option comes to in each world, for the side to act.
    points = {each: evaluation.points(each) for each in (side, other)}
    net = points[side] - points[other]
    game = None
    if chances is not None:
        least, most = min(chances), max(chances)
        by_net = np.array([chances[each] for each in range(least, most + 1)])
        game = by_net[net.astype(np.intp) - least]
    # 2. The best of them.
    goal = net if game is None else game
    means = np.average(goal, axis=0, weights=worlds.weights)
    best = int(means.argmax())
    unbeaten = goal == goal.max(axis=1, keepdims=True)
    lost = np.average(net[:, [best]] - net, axis=0, weights=worlds.weights)
    equals = _equals(knowledge, evaluation.actions)
    # 3. All means and errors at once: a call of numpy for each costs more than the sum.
    tricks = _means(evaluation.tricks, worlds)
    scored = {each: _means(points[each], worlds) for each in (side, other)}
    shares = _means(unbeaten, worlds)
    nets, differences = _estimates(net, worlds), _estimates(net - net[:, [best]], worlds)
    chance = None if game is None else _means(game, worlds)
    game_differences = None if game is None else _estimates(game - game[:, [best]], worlds)

    def option(at: int, card: Card) -> Option:
        mine = tricks[at] if side == seating.sides[0] else HAND_SIZE - tricks[at]
        return Option(
            Outcome(
                _by_side(seating, side, mine, HAND_SIZE - mine),
                _by_side(seating, side, scored[side][at], scored[other][at]),
                None if chance is None else _by_side(seating, side, chance[at], 1 - chance[at]),
            ),
            # With the score given, the best option may be one that loses points.
            max(0.0, float(lost[at])),
            best=bool(means[at] == means[best]),
            card=card,
            equals=equals[card],
            uncertainty=Uncertainty(
                nets[at],
                differences[at],
                shares[at],
                None if game_differences is None else game_differences[at],
            ),
        )

    return tuple(option(at, card) for at, card in enumerate(evaluation.actions))


def _by_side(seating: Seating, side: Side, mine: float, theirs: float) -> dict[Side, float]:
    return {each: mine if each == side else theirs for each in seating.sides}


def _means(values: NDArray[Any], worlds: Worlds) -> list[float]:
    """Of each column."""
    means: list[float] = np.average(values, axis=0, weights=worlds.weights).tolist()
    return means


def _estimates(values: NDArray[np.float64], worlds: Worlds) -> list[Estimate]:
    """The mean of each column, and its standard error if the worlds are a sample: with weights, that of a ratio of
    sums."""
    means = _means(values, worlds)
    if worlds.enumerated:
        return [Estimate(mean, 0.0) for mean in means]
    number = len(worlds)
    weights = np.full(number, 1 / number) if worlds.weights is None else worlds.weights / worlds.weights.sum()
    spread = np.square(weights[:, None] * (values - means)).sum(axis=0) * number / max(number - 1, 1)
    return [Estimate(mean, math.sqrt(each)) for mean, each in zip(means, spread, strict=True)]


def _equals(knowledge: Knowledge, actions: tuple[Card, ...]) -> dict[Card, tuple[Card, ...]]:
    """Cards that are equal whatever the others hold: all that may still be in play counts as in play."""
    order = knowledge.order
    assert order is not None  # there is a contract
    played = CardSet.of(knowledge.plays)
    table = CardSet.of(knowledge.position.play().table) if knowledge.decision == Decision.PLAY else CardSet()
    out = played - table
    if knowledge.discard is not None:
        out = out.with_card(knowledge.discard)
    if knowledge.upcard_at == UpcardAt.TURNED_DOWN and knowledge.upcard is not None:
        out = out.with_card(knowledge.upcard)
    others = knowledge.rules.cards - knowledge.held - out
    return equal_cards(order, knowledge.held, others, actions)
