"""Means over information sets by other means than the auction policy's own (`solver.bidding.smooth`).

Each family gives, from the weights of the samples of each information set and the weighted sums of some targets, an
estimate of each target for every information set: one for each of its settings, of which the caller picks one by cross
validation. None of them knows what a trump, a bower, an ace or a void is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.bidding.hands import DECK, HANDS, RANKS, all_hands, number
from solver.bidding.smooth import CELLS
from solver.game.cards import HAND_SIZE

Floats = NDArray[np.float64]
Matrix = NDArray[np.float32]
Places = NDArray[np.intp]


class Family(Protocol):
    """A way to estimate, with its settings."""

    name: str

    def fits(self, count: Floats, sums: Floats) -> Iterator[Floats]:
        """``count``: ``[cells]``, ``sums``: ``[cells, k]``. Estimates ``[cells, k]``, one for each setting."""


class CardsAndPairs:
    """Ridge regression on the cards of a hand, their pairs, and each card by the upcard's rank."""

    name = "cards and pairs, ridge"
    ridges = (300.0, 1_000.0, 3_000.0, 10_000.0)

    def fits(self, count: Floats, sums: Floats) -> Iterator[Floats]:
        pairs, cards = _pairs(), _cards()
        weights = count.reshape(RANKS, HANDS).astype(np.float32)
        totals = sums.reshape(RANKS, HANDS, -1).astype(np.float32)
        n, k = pairs.shape[1], cards.shape[1]
        gram = np.zeros((n + RANKS * k, n + RANKS * k))
        right = np.zeros((len(gram), totals.shape[2]))
        gram[:n, :n] = pairs.T @ (pairs * weights.sum(axis=0)[:, None])
        right[:n] = pairs.T @ totals.sum(axis=0)
        for rank in range(RANKS):
            own = slice(n + rank * k, n + (rank + 1) * k)
            weighted = cards * weights[rank][:, None]
            gram[own, own] = cards.T @ weighted
            gram[:n, own] = pairs.T @ weighted
            gram[own, :n] = gram[:n, own].T
            right[own] = cards.T @ totals[rank]
        size, axes = np.linalg.eigh(gram)
        turned = axes.T @ right
        for ridge in self.ridges:
            slopes = (axes @ (turned / (np.maximum(size, 0) + ridge)[:, None])).astype(np.float32)
            both = pairs @ slopes[:n]
            found = [both + cards @ slopes[n + rank * k : n + (rank + 1) * k] for rank in range(RANKS)]
            yield np.concatenate(found).astype(np.float64)


class NearHands:
    """The mean over the information set itself and those whose hands share four cards or three of the five with it,
    each counting less the farther it is, pulled to nothing by so many samples that say so."""

    name = "hands that share cards"
    settings = tuple(
        (four, three, pull)
        for four, three in ((0.0, 0.0), (0.3, 0.0), (0.3, 0.05), (1.0, 0.3))
        for pull in (30.0, 100.0, 300.0)
    )

    def fits(self, count: Floats, sums: Floats) -> Iterator[Floats]:
        both = np.concatenate([sums, count[:, None]], axis=1).reshape(RANKS, HANDS, -1)
        near = {size: np.stack([_shared(each, size) for each in both]) for size in (4, 3)}
        for four, three, pull in self.settings:
            total = (both + four * near[4] + three * near[3]).reshape(CELLS, -1)
            yield total[:, :-1] / (total[:, -1:] + pull)


class Trees:
    """Boosted regression trees on cards, lengths of suits as printed, and the upcard's rank; a tree's splits serve all
    targets at once, and it sees a part of the information sets."""

    name = "boosted trees"
    depth, rate, part, pull = 4, 0.3, 0.2, 60.0
    kept = (5, 10, 20)

    def fits(self, count: Floats, sums: Floats) -> Iterator[Floats]:
        random = np.random.default_rng(0)
        found = np.zeros_like(sums)
        seen = np.nonzero(count > 0)[0]
        for tree in range(1, max(self.kept) + 1):
            rows = seen[random.random(len(seen)) < self.part]
            left = np.concatenate([sums[rows] - found[rows] * count[rows, None], count[rows, None]], axis=1)
            found += self.rate * self._tree(rows, left.astype(np.float32))
            if tree in self.kept:
                yield found.copy()

    def _tree(self, rows: Places, left: Matrix) -> Floats:
        """The tree's step for every information set; ``left``: what is not explained yet, and the weight."""
        questions = _questions()
        node, everyone = np.zeros(len(rows), dtype=np.intp), np.zeros(CELLS, dtype=np.intp)
        asked = questions[rows]
        for level in range(self.depth):
            chosen = np.zeros(1 << level, dtype=np.intp)
            for at in range(1 << level):
                here = node == at
                yes = asked[here].T @ left[here]
                no = left[here].sum(axis=0) - yes
                chosen[at] = int((self._gain(yes) + self._gain(no)).argmax())
            node = 2 * node + (asked[np.arange(len(rows)), chosen[node]] > 0)
            everyone = 2 * everyone + (questions[np.arange(CELLS), chosen[everyone]] > 0)
        leaves = np.stack([np.bincount(node, column, 1 << self.depth) for column in left.T], axis=1)
        step: Floats = (leaves[:, :-1] / (leaves[:, -1:] + self.pull))[everyone]
        return step

    def _gain(self, sums: Matrix) -> Matrix:
        """What a leaf with these sums explains."""
        gained: Matrix = (sums[:, :-1] ** 2).sum(axis=1) / (sums[:, -1] + self.pull)
        return gained


FAMILIES: tuple[Family, ...] = (CardsAndPairs(), NearHands(), Trees())


@cache
def _cards() -> Matrix:
    """Each hand's cards, and a one: ``[hands, 25]``."""
    held = all_hands()[:, None] >> np.arange(DECK, dtype=np.uint32) & 1
    return np.concatenate([held, np.ones((HANDS, 1))], axis=1).astype(np.float32)


@cache
def _pairs() -> Matrix:
    """Each hand's cards and pairs: ``[hands, 300]``."""
    held = _cards()[:, :DECK]
    first, second = np.array(list(combinations(range(DECK), 2))).T
    return np.concatenate([held, held[:, first] * held[:, second]], axis=1)


@cache
def _parts(size: int) -> Places:
    """The numbers of the hands of ``size`` cards that are part of each hand: ``[hands, parts]``."""
    cards = np.nonzero(_cards()[:, :DECK])[1].reshape(HANDS, HAND_SIZE).astype(np.uint32)
    words = np.uint32(1) << cards
    subsets = list(combinations(range(HAND_SIZE), size))
    return np.stack([number(words[:, each].sum(axis=1, dtype=np.uint32), size) for each in map(list, subsets)], axis=1)


def _shared(values: Floats, size: int) -> Floats:
    """For each hand the sum over all hands that share ``size`` cards with it, once for each way."""
    parts = _parts(size)
    flat = parts.reshape(-1)
    found = np.empty_like(values)
    for at, column in enumerate(values.T):
        sums = np.bincount(flat, np.repeat(column, parts.shape[1]))
        found[:, at] = sums[parts].sum(axis=1)
    return found


@cache
def _questions() -> Matrix:
    """Yes or no for every information set: ``[cells, 46]``."""
    cards = _cards()[:, :DECK]
    lengths = cards.reshape(HANDS, 4, RANKS).sum(axis=2)
    longer = np.concatenate([lengths >= each for each in range(1, HAND_SIZE)], axis=1)
    hands = np.concatenate([cards, longer], axis=1).astype(np.float32)
    ups = np.repeat(np.eye(RANKS, dtype=np.float32), HANDS, axis=0)
    return np.concatenate([np.tile(hands, (RANKS, 1)), ups], axis=1)
