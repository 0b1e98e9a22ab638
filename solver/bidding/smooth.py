"""Means of points over information sets of which a sample holds each a few times only, if at all.

A mean is taken in levels. The first is a ridge regression on what players look at: trumps, bowers, aces, voids, the
upcard. What it leaves is averaged over classes of hands, coarse ones first and single information sets last; each class
has its mean pulled to nothing by as much as chance explains (empirical Bayes by the method of moments).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solver.bidding.hands import CROSS, DECK, HANDS, NEXT, OTHER_CROSS, RANKS, UP, Hands, all_hands, number, swapped

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

#: Information sets of a place in the auction: the upcard's rank and the hand. Those with the upcard in hand are empty.
CELLS = RANKS * HANDS
#: Of the ridge, in samples.
RIDGE = 20.0

_NINE, _TEN, _JACK, _QUEEN, _KING, _ACE = range(RANKS)


def cell(hands: Hands, up: NDArray[np.uint8]) -> Places:
    """The number of an information set."""
    places: Places = up.astype(np.intp) * HANDS + number(hands)
    return places


@cache
def mirror() -> Places:
    """The information set with the cross suits exchanged."""
    hands = number(swapped(all_hands()))
    return (np.arange(RANKS)[:, None] * HANDS + hands).reshape(-1)


@cache
def possible() -> NDArray[np.bool_]:
    """Whether the hand leaves the upcard to be turned."""
    held = all_hands() >> np.arange(RANKS, dtype=np.uint32)[:, None] & 1
    free: NDArray[np.bool_] = held.reshape(-1) == 0
    return free


@cache
def single() -> Places:
    """The possible information sets, of two that are mirrors of each other one."""
    cells = np.arange(CELLS)
    return cells[possible() & (cells <= mirror())]


@dataclass(frozen=True)
class Smoother:
    """Features and classes, a row for each of the information sets ``cells``."""

    cells: Places
    features: NDArray[np.float32]
    classes: tuple[Places, ...]

    def means(self, count: Floats, samples: Sequence[tuple[Floats, float]]) -> list[Floats]:
        """The mean of every one of `CELLS`, from the weight of its samples and, for each thing to be averaged, their
        weighted sum, and the weighted sum of the squares of all. Those not among ``cells`` stay 0."""
        weight = count[self.cells]
        seen = np.nonzero(weight > 0)[0]
        rows = self.features[seen]
        gram = (rows * weight[seen].astype(np.float32)[:, None]).T @ rows
        totals = np.stack([total[self.cells] for total, _ in samples], axis=1)
        products = rows.T @ totals[seen].astype(np.float32)
        ridge = RIDGE * np.eye(len(gram))
        slopes = np.linalg.solve(gram.astype(np.float64) + ridge, products.astype(np.float64))
        fits = (self.features @ slopes.astype(np.float32)).astype(np.float64)
        found = []
        for at, (_, squares) in enumerate(samples):
            means = np.zeros(CELLS)
            means[self.cells] = self._levels(weight, totals[:, at], squares, fits[:, at].copy())
            found.append(means)
        return found

    def _levels(self, count: Floats, total: Floats, squares: float, fitted: Floats) -> Floats:
        """The fit with what the classes add to it."""
        chance = (squares - 2 * (fitted * total).sum() + (fitted**2 * count).sum()) / count.sum()
        for places in self.classes:
            of = np.bincount(places, count)
            left = np.bincount(places, total - fitted * count)
            filled = of > 0
            spread = (left[filled] ** 2 / of[filled] - chance).sum() / of.sum()
            if spread > 0:
                fitted += (left / (of + chance / spread))[places]
        return fitted


@cache
def for_trump(role: int) -> Smoother:
    """For contracts with that trump, by the hand as dealt. With a cross suit mirrors differ."""
    cells = np.nonzero(possible())[0] if role in (CROSS, OTHER_CROSS) else single()
    return _smoother(cells, *_held(cells), role)


def picked_up(played: Hands) -> Smoother:
    """For the dealer's contract in the upcard's suit, ``played`` being what is played after the discard, by cell."""
    return _smoother(single(), played[single()], _held(single())[1], UP)


@cache
def for_pass() -> Smoother:
    """For what a pass is worth."""
    hands, up = _held(single())
    crosses = [_trump_features(hands, role) for role in (CROSS, OTHER_CROSS)]
    return _smoother(single(), hands, up, UP, NEXT, also=[np.maximum(*crosses), np.minimum(*crosses)])


def _held(cells: Places) -> tuple[Hands, NDArray[np.uint8]]:
    return all_hands()[cells % HANDS], (cells // HANDS).astype(np.uint8)


def _smoother(
    cells: Places, hands: Hands, up: NDArray[np.uint8], *roles: int, also: Sequence[NDArray[np.float32]] = ()
) -> Smoother:
    parts = [*(_trump_features(hands, role) for role in roles), *also, _upcard_features(hands, up, roles[0])]
    features = np.concatenate([*parts, _cards(hands)], axis=1)
    features = features[:, features.max(axis=0) > features.min(axis=0)]
    features = np.concatenate([np.ones((len(features), 1), dtype=np.float32), features], axis=1)
    classes: list[Places] = []
    for role in roles:
        pattern, aces, voids = _pattern(hands, role), _side_aces(hands, role), _voids(hands, role)
        classes += [(pattern * 4 + aces) * 4 + voids, (pattern * 6 + up) * 4 + aces]
    return Smoother(cells, features, (*classes, number(hands), np.arange(len(cells))))


def _cards(hands: Hands) -> NDArray[np.float32]:
    return (hands[:, None] >> np.arange(DECK, dtype=np.uint32) & 1).astype(np.float32)


def _holds(hands: Hands, role: int, rank: int) -> NDArray[np.intp]:
    return (hands >> np.uint32(RANKS * role + rank) & 1).astype(np.intp)


def _pattern(hands: Hands, role: int) -> Places:
    """The trumps of a hand, seven bits: those printed in the suit, and the left bower."""
    return (hands >> np.uint32(RANKS * role) & np.uint32(63)).astype(np.intp) + 64 * _holds(hands, 3 - role, _JACK)


def _side(hands: Hands, role: int) -> list[NDArray[np.intp]]:
    """The side suits as they count in play, six bits each, the left bower taken out."""
    suits = [(hands >> np.uint32(RANKS * each) & np.uint32(63)).astype(np.intp) for each in range(4)]
    suits[3 - role] = suits[3 - role] & ~(1 << _JACK)
    return [suits[each] for each in range(4) if each != role]


def _side_aces(hands: Hands, role: int) -> NDArray[np.intp]:
    return sum((suit >> _ACE & 1 for suit in _side(hands, role)), np.zeros(len(hands), dtype=np.intp))


def _voids(hands: Hands, role: int) -> NDArray[np.intp]:
    return sum((suit == 0 for suit in _side(hands, role)), np.zeros(len(hands), dtype=np.intp))


def _trump_features(hands: Hands, role: int) -> NDArray[np.float32]:
    side = _side(hands, role)
    trumps = np.bitwise_count(_pattern(hands, role)).astype(np.intp)
    right, left = _holds(hands, role, _JACK), _holds(hands, 3 - role, _JACK)
    ace, king = _holds(hands, role, _ACE), _holds(hands, role, _KING)
    aces, voids = _side_aces(hands, role), _voids(hands, role)
    kings = sum(((suit >> _KING & 1) for suit in side), np.zeros_like(trumps))
    covered = sum(((suit >> _KING & 3 == 3) for suit in side), np.zeros_like(trumps))
    lone_king = sum((suit == 1 << _KING for suit in side), np.zeros_like(trumps))
    lone_ace = sum((suit == 1 << _ACE for suit in side), np.zeros_like(trumps))
    singles = sum((np.bitwise_count(suit) == 1 for suit in side), np.zeros_like(trumps))
    high = right * 3 + left * 2 + ace
    columns = [
        *(trumps == each for each in range(6)),
        *(voids == each for each in range(4)),
        *(aces == each for each in range(4)),
        *(right, left, ace, king, right * left, right * ace, left * ace, right * left * ace, king * ace),
        *(kings, covered, lone_king, lone_ace, singles),
        *(trumps * each for each in (aces, voids, right, left, kings, singles, high)),
        *((trumps >= 3) * each for each in (aces, voids, right, left, high)),
        *(aces * high, voids * high, aces * voids, side[0] == 0, side[2] == 0),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _upcard_features(hands: Hands, up: NDArray[np.uint8], role: int) -> NDArray[np.float32]:
    trumps = np.bitwise_count(_pattern(hands, role)).astype(np.intp)
    ups = [(up == rank).astype(np.intp) for rank in range(RANKS)]
    bower = _holds(hands, role, _JACK) + _holds(hands, 3 - role, _JACK)
    columns = [each * by for each in ups for by in (1, trumps, bower, _side_aces(hands, role))]
    return np.stack(columns, axis=1).astype(np.float32)
