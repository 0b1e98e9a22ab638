"""In how many worlds each bid is to be played, so that what is asked of the differences to the best bid costs least."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from solver.analysis.calibrate import Mean


def worlds_needed(
    means: Sequence[Mean],
    best: int,
    wanted: NDArray[np.float64],
    costs: Sequence[float],
    *,
    step: int,
    most: int,
    solved: int,
) -> list[int]:
    """So many worlds for each bid, none fewer than now and none more than ``most``.

    ``wanted``: the variance that the difference of each bid to the ``best`` one may have; ``costs``: those of playing
    each in one world; ``solved``: for each world drawn besides, so many are solved. What the variances will be is
    reckoned from what they are now. In each step of so many worlds those bids are played on that bring the differences
    nearest to what is wanted for their cost: one bid, or one together with the best, as two that come to much the same
    in each world are best compared over the same worlds.
    """
    numbers = np.array([len(mean.left) for mean in means])
    forecast = _Forecast(means, best, solved)
    moves = [[best], *chain.from_iterable(([at], [at, best]) for at in range(len(means)) if at != best)]
    lacking = _lacking(forecast, numbers, wanted)
    while lacking > 0:
        gains = []
        for move in moves:
            more = _with(numbers, move, step)
            cost = sum(costs[at] for at in move)
            gains.append((lacking - _lacking(forecast, more, wanted)) / cost if more.max() <= most else 0.0)
        chosen = int(np.argmax(gains))
        if gains[chosen] <= 0:
            break
        numbers = _with(numbers, moves[chosen], step)
        lacking = _lacking(forecast, numbers, wanted)
    return [int(number) for number in numbers]


class _Forecast:
    """The variances of the differences to the best bid as they will be with other numbers of worlds."""

    def __init__(self, means: Sequence[Mean], best: int, solved: int) -> None:
        top = means[best]
        self._best = best
        self._own = np.array([mean.covariance(mean) for mean in means])
        self._with_best = np.array([mean.covariance(top) for mean in means])
        self._explained = np.array([mean.explained_apart(top) for mean in means])
        self._all, self._solved = top.sample.effective_all, solved
        self._drawn = max(len(mean.left) for mean in means)
        self._fitted = max(mean.fitted for mean in means)
        self._worth = np.array([mean.sample.effective / len(mean.left) for mean in means])

    def variances(self, numbers: NDArray[np.intp]) -> NDArray[np.float64]:
        worlds = np.maximum(numbers * self._worth - self._fitted, 1.0)
        shared = np.maximum(worlds, worlds[self._best])
        of_all = self._all + self._solved * max(int(numbers.max()) - self._drawn, 0)
        apart = self._own / worlds + (self._own / worlds)[self._best] - 2 * self._with_best / shared
        apart[self._best] = 0.0
        found: NDArray[np.float64] = np.maximum(apart, 0.0) + self._explained * self._all / of_all
        return found


def _lacking(forecast: _Forecast, numbers: NDArray[np.intp], wanted: NDArray[np.float64]) -> float:
    """By how much the variances are too large: each as a part of what is wanted."""
    return float((np.maximum(forecast.variances(numbers) - wanted, 0.0) / wanted).sum())


def _with(numbers: NDArray[np.intp], move: Sequence[int], step: int) -> NDArray[np.intp]:
    more = numbers.copy()
    more[move] += step
    return more
