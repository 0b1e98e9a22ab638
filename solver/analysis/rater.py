"""The worlds of one bidding decision, and what every bid comes to in each of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.analysis.calibrate import Mean, Sample, independent
from solver.analysis.equity import chances_after
from solver.analysis.rate_discards import best_discards, discarding_bids
from solver.analysis.rate_values import RatedBid
from solver.bidding.deal_ends import DealEnds, Playing, pick
from solver.bidding.policy import Policy, SimplePolicy
from solver.bidding.rest import Start, chance_of_bids, endings, starts
from solver.bidding.results import Results, possible_points
from solver.game.auction import Bid
from solver.game.cards import HAND_SIZE, Card
from solver.game.scoring import NEEDED
from solver.game.seats import Side
from solver.knowledge.seen import Knowledge
from solver.knowledge.worlds import Weigh, Worlds, effective_size, sample_worlds

#: Worlds that are solved double dummy for each that is rolled out, and how many are drawn for it at most to find them.
#: Where only few bids are played there have been many by then.
SOLVED, SOLVED_SIMPLE, SOLVED_FOR_FEW = 16, 3, 2
_MOST_DRAWN, _MOST_DRAWN_SIMPLE = 256, 8
#: So many are drawn at least: among few there may be none that fits what was bid, and then all look alike.
_LEAST_DRAWN = 512
#: A dealer's discard is chosen by worlds of its own: as many as are solved for so many to be played, or, where none are
#: played, half as many as bids are rated by, and no fewer than are drawn at least.
_FOR_DISCARDS = 256


@dataclass(frozen=True, eq=False)
class _Batch:
    """Worlds drawn together. ``chosen``: the numbers, among all that are solved, of those to be played; ``ready``: each
    bid in these, and the seed of its play. ``effective`` and ``effective_solved``: how many of equal weight they are
    worth, and those solved."""

    chosen: NDArray[np.intp]
    effective: float
    effective_solved: float
    ready: list[tuple[list[Start], int]]


@dataclass
class _Column:
    """One bid: makers and tricks, of all worlds solved, and of those played, which are the first of the worlds drawn
    to be played. Part by part."""

    seen: list[NDArray[np.int16]] = field(default_factory=list)
    played: list[NDArray[np.int16]] = field(default_factory=list)
    worlds: int = 0


class Means(NamedTuple):
    """Net points and chance to win the game, of each bid; the ``best`` is best by one of the two."""

    points: list[Mean]
    games: list[Mean]
    best: int


class Rater:
    """The worlds of one decision so far, and every bid in each of them: all legal ones, or those of ``bids``.

    All bids are solved in all worlds, and each is played in those of the first batches: of some bids, more are needed.
    ``discards``: what a dealer who bids throws away after each bid, None to find the best; the policy's where none is
    given.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        policy: Policy,
        method: str,
        seed: int,
        threads: int,
        bids: tuple[Bid, ...] | None = None,
        discards: Mapping[Bid, Card] | None = None,
    ) -> None:
        auction = knowledge.auction
        assert auction is not None  # there is a bid to make
        self.knowledge, self.policy, self.method, self.seed, self.threads = knowledge, policy, method, seed, threads
        self.rules, self.auction = knowledge.rules, auction
        self.side = self.rules.seating.side(knowledge.seat)
        self.bids = auction.legal_bids(knowledge.hand) if bids is None else bids
        self.results = Results(self.rules, self.side)
        self.ends = DealEnds(self.rules, self.results, threads)
        self._columns = [_Column() for _ in self.bids]
        self._batches: list[_Batch] = []
        self._solved = 0
        self._discards = discards

    @property
    def worlds(self) -> int:
        """Those that are played for at least one bid."""
        return sum(len(batch.chosen) for batch in self._batches)

    @property
    def effective_worlds(self) -> float:
        return sum(batch.effective for batch in self._batches)

    def add(self, number: int) -> None:
        """Play all bids in so many worlds more."""
        self.play({bid: column.worlds + number for bid, column in zip(self.bids, self._columns, strict=True)})

    def play(self, worlds: Mapping[Bid, int]) -> None:
        """Play each of these bids in so many worlds in all."""
        lacking = max(worlds.values()) - self.worlds
        if lacking > 0:
            self._draw(lacking, few=len(worlds) < len(self.bids))
        work: list[tuple[_Column, int, Playing]] = []
        for at, (bid, column) in enumerate(zip(self.bids, self._columns, strict=True)):
            first, last = column.worlds, worlds.get(bid, 0)
            before = 0
            for batch_number, batch in enumerate(self._batches):
                begin, end = max(first - before, 0), min(last - before, len(batch.chosen))
                if begin < end:
                    starts_of_bid, seed = batch.ready[at]
                    work.append((column, batch_number, Playing(starts_of_bid, begin, end, seed)))
                before += len(batch.chosen)
        if self.method == "rollout":
            found = self.ends.play([playing for _, _, playing in work])
        else:
            found = [column.seen[number][playing.first : playing.last] for column, number, playing in work]
        for (column, _, _), played in zip(work, found, strict=True):
            column.played.append(played)
            column.worlds += len(played)

    def _draw(self, number: int, *, few: bool) -> None:
        """``number`` more worlds, with every bid solved in them and in more. ``few``: not all bids are to be played."""
        stream = np.random.SeedSequence([self.seed, len(self._batches)])
        words = stream.generate_state(4 + len(self.bids), np.uint64)
        dealt, effective = self._deals(number, int(words[0]), few=few)
        # 1. The worlds that are rolled out are spread over those that are solved.
        chosen = np.arange(number) * len(dealt) // number
        draws = np.random.default_rng(words[1]).random((self.auction.turns, len(dealt)))
        if self._discards is None:
            self._discards = self._best_discards(number, int(words[2]), int(words[3]))
        # 2. Every bid in each of them: solved, and ready to be played in those chosen.
        if self.method == "double-dummy":
            dealt, draws, chosen = dealt[chosen], draws[:, chosen], np.arange(number)
        begun = [list(self._starts(bid, dealt, draws)) for bid in self.bids]
        for column, seen in zip(self._columns, self.ends.solve(begun, len(dealt)), strict=True):
            column.seen.append(seen)
        self._batches.append(
            _Batch(
                chosen + self._solved,
                min(float(number), effective),
                min(float(len(dealt)), effective),
                [
                    ([pick(start, chosen) for start in starts_of_bid], int(word))
                    for starts_of_bid, word in zip(begun, words[4:], strict=True)
                ],
            )
        )
        self._solved += len(dealt)

    def _best_discards(self, number: int, seed: int, seed_of_play: int) -> dict[Bid, Card]:
        """The dealer's discards where bids are rated by ``number`` worlds; none for another seat, or in round 2."""
        bids = discarding_bids(self.knowledge, self.bids)
        if not bids:
            return {}
        roll_out = self.method == "rollout"
        dealt, _ = self._deals(min(number, _FOR_DISCARDS) if roll_out else -(-number // 2), seed, few=False)
        return best_discards(self.knowledge, bids, self.policy, self.ends, dealt, seed_of_play, roll_out=roll_out)

    def _deals(self, number: int, seed: int, *, few: bool) -> tuple[NDArray[np.uint64], float]:
        """Hands as dealt in worlds that fit, the passes of the others included, each as likely as it should be; and
        how many equally likely ones those that they were picked from are worth.

        Worlds are drawn uniformly, weighted by the chance of those passes, and picked by weight at equal distances. No
        world is picked twice unless too few of those drawn fit.
        """
        simple = isinstance(self.policy, SimplePolicy)
        most = max(number, 1000) * (_MOST_DRAWN_SIMPLE if simple else _MOST_DRAWN)
        solved = SOLVED_SIMPLE if simple else SOLVED_FOR_FEW if few else SOLVED
        wanted = max(number * (solved if self.method == "rollout" else 1), _LEAST_DRAWN)
        drawn: list[Worlds] = []
        have, to_draw, weigh = 0, wanted, self._weigh
        while True:
            more = sample_worlds(self.knowledge, to_draw - have, seed, first=have, threads=self.threads, weigh=weigh)
            drawn.append(more)
            have = to_draw
            if drawn[0].weights is None:
                return drawn[0].dealt, float(have)
            weights = np.concatenate([worlds.weights for worlds in drawn if worlds.weights is not None])
            without_repeats = int(weights.sum() / weights.max())
            if without_repeats >= wanted or have >= most:
                break
            to_draw = min(most, max(2 * have, int(1.2 * have * wanted / max(without_repeats, 1))))
        kept = min(wanted, max(number, without_repeats))
        at = np.searchsorted(weights.cumsum() / weights.sum(), (np.arange(kept) + 0.5) / kept)
        dealt = np.concatenate([worlds.dealt for worlds in drawn])
        return dealt[np.minimum(at, have - 1)], effective_size(weights)

    @property
    def _weigh(self) -> Weigh | None:
        """By the chance of what the others bid, if any did."""
        others = any(self.auction.bidder(at) != self.knowledge.seat for at in range(len(self.auction.bids)))
        if not others:
            return None
        return lambda worlds: chance_of_bids(self.policy, self.auction, self.knowledge.seat, worlds.dealt)

    def _starts(self, bid: Bid, dealt: NDArray[np.uint64], draws: NDArray[np.float64]) -> Iterable[Start]:
        """The deals as play begins after the bid and the rest of the auction."""
        own = (self._discards or {}).get(bid)
        for ending in endings(self.policy, self.auction.after(bid), dealt, draws):
            yield from starts(self.policy, ending, dealt, own)

    def means(self, score: Mapping[Side, int], goal: str) -> Means:
        """What each bid comes to over the worlds so far; ``goal`` as in `solver.analysis.rate.rate`."""
        # 1. The worlds of each bid, weighted so that every bid has the double-dummy mean in them that it has in all.
        known = self._features() if self.method == "rollout" else None
        numbers = [column.worlds for column in self._columns]
        by_number = {number: self._sample(number, known) for number in set(numbers)}
        samples = [by_number[number] for number in numbers]
        # 2. What each comes to in them.
        chances = chances_after(self.rules, self.auction.dealer, score, self.side)
        by_net = np.array([chances[each] for each in range(min(chances), max(chances) + 1)])
        nets = [self.results.net[np.concatenate(column.played)] for column in self._columns]
        points = [sample.mean(net.astype(np.float64)) for sample, net in zip(samples, nets, strict=True)]
        games = [sample.mean(by_net[net - min(chances)]) for sample, net in zip(samples, nets, strict=True)]
        by_goal = [each.mean for each in (points if goal == "points" else games)]
        return Means(points, games, by_goal.index(max(by_goal)))

    def options(self, score: Mapping[Side, int], goal: str) -> tuple[RatedBid, ...]:
        """Every bid over the worlds so far."""
        results = self.results
        points, games, best = self.means(score, goal)
        possible = possible_points(self.rules)
        other = self.rules.seating.opponents(self.side)

        def option(at: int, bid: Bid) -> RatedBid:
            numbers, weights = np.concatenate(self._columns[at].played), points[at].sample.weights
            net, ours, won = results.net[numbers], results.ours[numbers], results.makers_tricks[numbers]
            scored = {
                self.side: float(weights @ np.maximum(net, 0)),
                other: float(weights @ np.maximum(-net, 0)),
            }
            return RatedBid(
                bid,
                points[at].estimate,
                games[at].estimate,
                points[at].less(points[best]),
                games[at].less(games[best]),
                {value: float(weights[net == value].sum()) for value in possible},
                float(weights[ours & (won >= NEEDED)].sum()),
                float(weights[ours & (won == HAND_SIZE)].sum()),
                float(weights[ours & (won < NEEDED)].sum()),
                float(results.net[np.concatenate(self._columns[at].seen)].mean()),
                {side: float(weights @ tricks[numbers]) for side, tricks in results.tricks.items()},
                {side: scored[side] for side in self.rules.seating.sides},
                len(numbers),
                (self._discards or {}).get(bid),
            )

        return tuple(option(at, bid) for at, bid in enumerate(self.bids))

    def _sample(self, number: int, known: NDArray[np.float64] | None) -> Sample:
        """The first so many worlds, among all; ``known`` of all by double dummy, if they are to be weighted by it."""
        effective, left = 0.0, number
        for batch in self._batches:
            taken = min(left, len(batch.chosen))
            effective += batch.effective * taken / len(batch.chosen)
            left -= taken
        sample = Sample(
            np.concatenate([batch.chosen for batch in self._batches])[:number],
            effective,
            sum(batch.effective_solved for batch in self._batches),
        )
        return sample if known is None else sample.calibrated(known)

    def _features(self) -> NDArray[np.float64]:
        """What double dummy says of each bid in each world: net points, and the tricks."""
        seen = [np.concatenate(column.seen) for column in self._columns]
        net, tricks = self.results.net, self.results.tricks[self.side]
        return independent(np.column_stack([told[each] for each in seen for told in (net, tricks)]).astype(np.float64))
