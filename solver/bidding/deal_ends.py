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
from solver.game.auction import Auction, Contract
from solver.game.cards import HAND_SIZE
from solver.game.rules import Rules
from solver.game.scoring import makers_points

#: Worlds that makers, and defenders, look at for each card. Makers lose more by looking at few than defenders do, most
#: where they have to lead; with these numbers bids come to what they do among players who look at 200 (docs/rating.md).
#: Where the dealer and the partner are the makers; where one who does not lead plays alone; all others; and where most
#: is unseen: of two players, and of one who plays alone with more cards than `_SMALLEST` in the deck.
INNER_DEALERS_SIDE, INNER_ALONE, INNER_OTHERS, INNER_UNSEEN = (12, 12), (8, 5), (16, 6), (20, 6)
_SMALLEST = 24
#: Rows that a thread rolls out at a time: some hundredths of a second, so that threads end together.
_CHUNK = 256


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

    def play(self, begun: Sequence[Playing], inner: int | None = None) -> list[NDArray[np.int16]]:
        """Result numbers of each, rolled out by seats that look at ``inner`` worlds for each card; None: as many as
        make the results level."""
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

    def _rollouts(self, start: Start, seed: int, first: int, inner: int | None) -> NDArray[np.int16]:
        contract = _contract(start)
        seating = self.rules.seating
        makers_are_first = seating.side(contract.maker) == seating.sides[0]
        of_makers, of_defenders = _level(start.auction, contract) if inner is None else (inner, inner)
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
            inner=(of_makers, of_defenders) if makers_are_first else (of_defenders, of_makers),
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


def _level(auction: Auction, contract: Contract) -> tuple[int, int]:
    """Worlds that makers and defenders look at."""
    rules, seating = auction.rules, auction.rules.seating
    if rules.seats == 2 or (contract.alone and rules.deck > _SMALLEST):
        return INNER_UNSEEN
    if contract.alone:
        return INNER_OTHERS if contract.leader == contract.maker else INNER_ALONE
    return INNER_DEALERS_SIDE if seating.side(contract.maker) == seating.side(auction.dealer) else INNER_OTHERS


def _contract(start: Start) -> Contract:
    contract = start.auction.contract
    assert contract is not None  # deals that are played have one
    return contract


def _absent(contract: Contract) -> int:
    return -1 if contract.sitting_out is None else int(contract.sitting_out)
