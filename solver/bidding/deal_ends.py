"""What many deals come to once their auctions are over: solved double dummy, or played out by seats that see their own.

What is found are result numbers, see `solver.bidding.results`.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.bidding.rest import Start
from solver.bidding.results import Results
from solver.engine.doubledummy import solve_batch
from solver.engine.playout import rollouts
from solver.game.auction import Contract
from solver.game.cards import HAND_SIZE
from solver.game.rules import Rules
from solver.game.scoring import makers_points

#: Worlds that a seat looks at for each card. With 8 a lone bid comes out 0.06 points too low, and so does a bid by the
#: side that does not deal: makers lose more by looking at few worlds than defenders do. With 32 it is at most 0.01.
INNER = 32
#: The same where somebody plays alone: with 32 that maker gets 0.05 points more than among players who look at 200
#: worlds, with 8 a little less (docs/rating.md).
INNER_ALONE = 10
#: Rows that a thread rolls out at a time: a hundredth of a second, so that threads end together.
_CHUNK = 128


@dataclass(frozen=True, eq=False)
class Playing:
    """Deals to be played: of ``starts`` those with numbers from ``first`` up to ``last``, by the luck of a ``seed``.
    The luck of a deal does not depend on which others are played with it."""

    starts: Sequence[Start]
    first: int
    last: int
    seed: int


class DealEnds:
    """The ends of deals under some rules. Deals that are in none of the starts given are thrown in."""

    def __init__(self, rules: Rules, results: Results, threads: int) -> None:
        self.rules, self.results, self.threads = rules, results, threads

    def solve(self, begun: Sequence[Sequence[Start]], number: int) -> list[NDArray[np.int16]]:
        """Result numbers of each, double dummy, among so many deals."""
        found = [np.zeros(number, dtype=np.int16) for _ in begun]
        parts = [(results, start) for results, each in zip(found, begun, strict=True) for start in each]
        if not parts:
            return found
        contracts = [_contract(start) for _, start in parts]
        sizes = [len(start.rows) for _, start in parts]
        tricks = solve_batch(
            np.concatenate([start.held for _, start in parts]),
            np.repeat(np.array([each.trump for each in contracts], dtype=np.uint8), sizes),
            np.repeat(np.array([each.leader for each in contracts], dtype=np.uint8), sizes),
            np.repeat(np.array([_absent(each) for each in contracts], dtype=np.int8), sizes),
            threads=self.threads,
        )
        split = np.split(tricks, np.cumsum(sizes)[:-1])
        for (results, start), contract, of_start in zip(parts, contracts, split, strict=True):
            results[start.rows] = self.results.numbers(self.rules, contract, of_start)
        return found

    def play(self, begun: Sequence[Playing], inner: int = INNER) -> list[NDArray[np.int16]]:
        """Result numbers of each, rolled out by seats that look at ``inner`` worlds for each card, and at no more than
        `INNER_ALONE` where somebody plays alone."""
        found = [np.zeros(each.last - each.first, dtype=np.int16) for each in begun]
        work: list[tuple[NDArray[np.int16], Playing, Start, int]] = []
        for results, each in zip(found, begun, strict=True):
            number = 0
            for start in each.starts:
                begin, end = np.searchsorted(start.rows, (each.first, each.last)).tolist()
                cuts = range(begin, end, _CHUNK)
                work += [(results, each, _part(start, at, min(at + _CHUNK, end)), number + at) for at in cuts]
                number += len(start.rows)

        def play(piece: tuple[NDArray[np.int16], Playing, Start, int]) -> None:
            results, each, start, number_of_first = piece
            results[start.rows - each.first] = self._rollouts(start, each.seed, number_of_first, inner)

        if self.threads == 1:
            for piece in work:
                play(piece)
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(play, work))
        return found

    def _rollouts(self, start: Start, seed: int, first: int, inner: int) -> NDArray[np.int16]:
        contract = _contract(start)
        inner = min(inner, INNER_ALONE) if contract.alone else inner
        seating = self.rules.seating
        makers_are_first = seating.side(contract.maker) == seating.sides[0]
        points = [makers_points(self.rules, contract.alone, won) for won in range(HAND_SIZE + 1)]
        tricks = rollouts(
            start.play(),
            start.held,
            None,
            seating.seats_of(seating.sides[0]),
            out=start.out,
            taken=start.taken,
            hidden=start.hidden,
            points=points if makers_are_first else [-each for each in reversed(points)],
            inner=inner,
            seed=seed,
            first=first,
        )
        return self.results.numbers(self.rules, contract, tricks[:, 0])


def pick(start: Start, chosen: NDArray[np.intp]) -> Start:
    """The deals whose numbers are chosen, numbered by their places in that ascending list."""
    at = np.searchsorted(chosen, start.rows)
    there = chosen[np.minimum(at, len(chosen) - 1)] == start.rows
    return Start(start.auction, at[there], start.held[there], start.out[there], start.taken, start.hidden)


def _part(start: Start, begin: int, end: int) -> Start:
    rows = slice(begin, end)
    return Start(start.auction, start.rows[rows], start.held[rows], start.out[rows], start.taken, start.hidden)


def _contract(start: Start) -> Contract:
    contract = start.auction.contract
    assert contract is not None  # deals that are played have one
    return contract


def _absent(contract: Contract) -> int:
    return -1 if contract.sitting_out is None else int(contract.sitting_out)
