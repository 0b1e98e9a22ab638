"""The worlds of one bidding decision, and what every bid comes to in each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solver.analysis.calibrate import Sample, estimates
from solver.analysis.equity import chances_after
from solver.analysis.rate_discards import best_discards
from solver.analysis.rate_values import RatedBid
from solver.bidding.deal_ends import DealEnds, pick
from solver.bidding.policy import Policy, SimplePolicy
from solver.bidding.rest import Start, chance_of_bids, endings, starts
from solver.bidding.results import Results, possible_points
from solver.game.auction import Bid
from solver.game.cards import HAND_SIZE, Card
from solver.game.scoring import NEEDED
from solver.game.seats import Side
from solver.knowledge.seen import Knowledge
from solver.knowledge.worlds import Worlds, sample_worlds

#: Worlds that are solved double dummy for each that is rolled out, and how many are drawn for it at most to find them.
#: A rollout costs 57 times as much. Twice as many would make errors 2% smaller, and take a fifth more time.
SOLVED, SOLVED_SIMPLE = 8, 3
_MOST_DRAWN, _MOST_DRAWN_SIMPLE = 256, 8


@dataclass
class _Column:
    """One bid over all worlds so far, batch by batch: makers and tricks, of the worlds solved and of those played."""

    seen: list[NDArray[np.int16]] = field(default_factory=list)
    played: list[NDArray[np.int16]] = field(default_factory=list)


class Rater:
    """The worlds of one decision so far, and every bid in each of them: all legal ones, or those of ``bids``.

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
        self.columns = [_Column() for _ in self.bids]
        self.worlds = 0
        self.effective_worlds = 0.0
        self._effective_solved = 0.0
        self._chosen: list[NDArray[np.intp]] = []
        self._solved = 0
        self._batches = 0
        self._discards = discards

    def add(self, number: int) -> None:
        """``number`` more worlds."""
        stream = np.random.SeedSequence([self.seed, self._batches])
        words = stream.generate_state(3, np.uint64)
        dealt, effective = self._deals(number, int(words[0]))
        # 1. The worlds that are rolled out are spread over those that are solved.
        chosen = np.arange(number) * len(dealt) // number
        draws = np.random.default_rng(words[1]).random((self.auction.turns, len(dealt)))
        if self._discards is None:
            rest = np.ones(len(dealt), dtype=np.bool_)
            rest[chosen] = False
            self._discards = best_discards(
                self.knowledge,
                self.bids,
                self.policy,
                self.ends,
                dealt[rest] if rest.any() else dealt,
                int(words[2]),
                roll_out=self.method == "rollout",
            )
        # 2. Every bid in each of them: solved, and those chosen played.
        looked_at = chosen if self.method == "double-dummy" else np.arange(len(dealt))
        ready = [list(self._starts(bid, dealt[looked_at], draws[:, looked_at])) for bid in self.bids]
        for column, begun in zip(self.columns, ready, strict=True):
            column.seen.append(self.ends.solve(begun, len(looked_at)))
        if self.method == "rollout":
            picked = [[pick(start, chosen) for start in begun] for begun in ready]
            for column, played in zip(self.columns, self.ends.play(picked, number, int(words[2])), strict=True):
                column.played.append(played)
        else:
            chosen = np.arange(number)
            for column in self.columns:
                column.played.append(column.seen[-1])
        # 3. Count them.
        self._chosen.append(chosen + self._solved)
        self._solved += len(looked_at)
        self.worlds += number
        self.effective_worlds += min(float(number), effective)
        self._effective_solved += min(float(len(looked_at)), effective)
        self._batches += 1

    def _deals(self, number: int, seed: int) -> tuple[NDArray[np.uint64], float]:
        """Hands as dealt in worlds that fit, the passes of the others included, each as likely as it should be; and
        how many equally likely ones those that they were picked from are worth.

        Worlds are drawn uniformly, weighted by the chance of those passes, and picked by weight at equal distances. No
        world is picked twice unless too few of those drawn fit.
        """
        simple = isinstance(self.policy, SimplePolicy)
        most = max(number, 1000) * (_MOST_DRAWN_SIMPLE if simple else _MOST_DRAWN)
        wanted = (
            number * 2 if self.method == "double-dummy" else max(number * (SOLVED_SIMPLE if simple else SOLVED), 512)
        )
        drawn = wanted
        while True:
            worlds = sample_worlds(self.knowledge, drawn, seed, threads=self.threads, weigh=self._weigh)
            weights = worlds.weights
            if weights is None:
                return worlds.dealt, float(drawn)
            without_repeats = int(weights.sum() / weights.max())
            if without_repeats >= wanted or drawn >= most:
                break
            drawn = min(most, max(2 * drawn, int(1.2 * drawn * wanted / max(without_repeats, 1))))
        kept = min(wanted, max(number, without_repeats))
        at = np.searchsorted(weights.cumsum() / weights.sum(), (np.arange(kept) + 0.5) / kept)
        return worlds.dealt[np.minimum(at, drawn - 1)], worlds.effective_size

    @property
    def _weigh(self) -> Callable[[Worlds], NDArray[np.float64]] | None:
        others = any(self.auction.bidder(at) != self.knowledge.seat for at in range(len(self.auction.bids)))
        if not others:
            return None
        return lambda worlds: chance_of_bids(self.policy, self.auction, self.knowledge.seat, worlds.dealt)

    def _starts(self, bid: Bid, dealt: NDArray[np.uint64], draws: NDArray[np.float64]) -> Iterable[Start]:
        """The deals as play begins after the bid and the rest of the auction."""
        own = (self._discards or {}).get(bid)
        for ending in endings(self.policy, self.auction.after(bid), dealt, draws):
            yield from starts(self.policy, ending, dealt, own)

    def options(self, score: Mapping[Side, int], goal: str) -> tuple[RatedBid, ...]:
        """Every bid over the worlds so far."""
        results = self.results
        # 1. The worlds, weighted so that each bid has the double-dummy mean that it has over many more.
        seen = [np.concatenate(column.seen) for column in self.columns]
        played = [np.concatenate(column.played) for column in self.columns]
        sample = Sample(np.concatenate(self._chosen), self.effective_worlds, self._effective_solved)
        if self.method == "rollout":
            sample = sample.calibrated(np.column_stack([self._features(each) for each in seen]))
        weights = sample.weights
        # 2. What each comes to in them.
        chances = chances_after(self.rules, self.auction.dealer, score, self.side)
        net = np.column_stack([results.net[each] for each in played]).astype(np.float64)
        by_net = np.array([chances[each] for each in range(min(chances), max(chances) + 1)])
        game = by_net[net.astype(np.intp) - min(chances)]
        best = int((weights @ (net if goal == "points" else game)).argmax())
        values = np.column_stack([net, net - net[:, [best]], game, game - game[:, [best]]])
        found, bids = estimates(sample, values), len(self.bids)
        points, differences, games, game_differences = (found[at : at + bids] for at in range(0, 4 * bids, bids))
        possible = possible_points(self.rules)
        other = self.rules.seating.opponents(self.side)

        def option(at: int, bid: Bid) -> RatedBid:
            numbers = played[at]
            ours, won = results.ours[numbers], results.makers_tricks[numbers]
            scored = {
                self.side: float(weights @ np.maximum(net[:, at], 0)),
                other: float(weights @ np.maximum(-net[:, at], 0)),
            }
            return RatedBid(
                bid,
                points[at],
                games[at],
                differences[at],
                game_differences[at],
                {value: float(weights[net[:, at] == value].sum()) for value in possible},
                float(weights[ours & (won >= NEEDED)].sum()),
                float(weights[ours & (won == HAND_SIZE)].sum()),
                float(weights[ours & (won < NEEDED)].sum()),
                float(results.net[seen[at]].mean()),
                {side: float(weights @ tricks[numbers]) for side, tricks in results.tricks.items()},
                {side: scored[side] for side in self.rules.seating.sides},
                (self._discards or {}).get(bid),
            )

        return tuple(option(at, bid) for at, bid in enumerate(self.bids))

    def _features(self, numbers: NDArray[np.int16]) -> NDArray[np.float64]:
        """What double dummy says of a bid in each world: net points, and the tricks."""
        return np.column_stack([self.results.net[numbers], self.results.tricks[self.side][numbers]]).astype(np.float64)
