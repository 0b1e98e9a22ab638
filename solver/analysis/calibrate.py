"""Means over few worlds that were looked at closely, with the help of many that were looked at quickly.

A world's double-dummy result costs a small part of a rollout and goes a long way to predict it. So many worlds are
solved and some of them rolled out, and those get weights under which each double-dummy mean is that of all: what chance
made them easier or harder than worlds are goes out of every mean. One set of weights serves every number, so that
shares sum to 1 and a mean is the mean of its shares.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.analysis.values import Estimate

#: Worlds that a number known of all of them needs, to be worth using.
_ROWS_A_FEATURE = 10
#: The least part of the worlds in which a number must not be what it is in most.
_LEAST_APART = 0.02


@dataclass(frozen=True, eq=False)
class Sample:
    """``chosen``: the numbers of the worlds looked at closely, among all. ``effective`` and ``effective_all``: how many
    independent ones those are worth, and all. ``features`` are ``[all, k]``, what is known of all, uncorrelated and of
    variance 1; None if nothing."""

    chosen: NDArray[np.intp]
    effective: float
    effective_all: float
    features: NDArray[np.float64] | None = None
    calibration: NDArray[np.float64] | None = None

    @property
    def weights(self) -> NDArray[np.float64]:
        """Of the worlds looked at closely; they sum to 1."""
        if self.calibration is not None:
            return self.calibration
        return np.full(len(self.chosen), 1 / len(self.chosen))

    def calibrated(self, features: NDArray[np.float64]) -> Sample:
        """The sample with what is known of all worlds, ``[all, k]``, uncorrelated (see `independent`); unchanged where
        it is too small for it."""
        if len(self.chosen) < _ROWS_A_FEATURE * (features.shape[1] + 1) or not features.shape[1]:
            return self
        calibration = _balance(features[self.chosen])
        if calibration is None:
            return self
        return Sample(self.chosen, self.effective, self.effective_all, features, calibration)

    @cached_property
    def _design(self) -> NDArray[np.float64]:
        """A column of ones, and the features of the worlds looked at closely."""
        ones = np.ones((len(self.chosen), 1))
        return ones if self.features is None else np.column_stack([ones, self.features[self.chosen]])

    @cached_property
    def _gram(self) -> NDArray[np.float64]:
        return self._design.T @ self._design

    def mean(self, values: NDArray[np.float64]) -> Mean:
        """The mean of a number that has ``values`` in the worlds looked at closely."""
        design = self._design
        # The columns are nearly uncorrelated, so the normal equations lose nothing and are small.
        fit = np.asarray(np.linalg.lstsq(self._gram, design.T @ values, rcond=None)[0], dtype=np.float64)
        return Mean(self, float(self.weights @ values), values - design @ fit, fit[1:])


@dataclass(frozen=True, eq=False)
class Mean:
    """A mean over a sample. ``left``: what the features do not explain, of each world looked at closely; ``slopes``:
    how much of each feature is in the number."""

    sample: Sample
    mean: float
    left: NDArray[np.float64]
    slopes: NDArray[np.float64]

    @property
    def fitted(self) -> int:
        """Numbers that were fitted to the values."""
        return 1 + len(self.slopes)

    @property
    def estimate(self) -> Estimate:
        """With its standard error, of two parts: what the features do not explain, over the worlds looked at closely,
        and what they do, over all (double sampling, Cochran, "Sampling Techniques", 12.6)."""
        variance = self.covariance(self) / _divisor(self, self) + self.slopes @ self.slopes / self.sample.effective_all
        return Estimate(self.mean, math.sqrt(variance))

    def less(self, other: Mean) -> Estimate:
        """The difference to the mean of another number. Either was looked at in the first of the worlds of the other,
        so that what both share goes out of the error: over n and m worlds, the covariance of one world over the larger
        number."""
        own = self.covariance(self) / _divisor(self, self) + other.covariance(other) / _divisor(other, other)
        unexplained = own - 2 * self.covariance(other) / _divisor(self, other)
        return Estimate(self.mean - other.mean, math.sqrt(max(unexplained, 0.0) + self.explained_apart(other)))

    def covariance(self, other: Mean) -> float:
        """Of the two numbers in one world: of what the features do not explain."""
        shared = min(len(self.left), len(other.left))
        return float(self.left[:shared] @ other.left[:shared]) / shared

    def explained_apart(self, other: Mean) -> float:
        """The part of the variance of the difference that the features explain."""
        if len(self.slopes) == len(other.slopes):
            apart = np.square(self.slopes - other.slopes).sum()
        else:
            apart = self.slopes @ self.slopes + other.slopes @ other.slopes
        return float(apart) / self.sample.effective_all


def _divisor(one: Mean, other: Mean) -> float:
    """The worlds that a covariance of two means is over, less what was fitted in them."""
    fitted = max(one.fitted, other.fitted)
    return max(one.sample.effective - fitted, other.sample.effective - fitted, 1.0)


def independent(known: NDArray[np.float64]) -> NDArray[np.float64]:
    """Columns of mean 0 and variance 1, uncorrelated, that span those given, without the ones that are nearly constant:
    what is so in few worlds explains little, and no weights can right it where it is so in none of those looked at."""
    known = known[:, (known != np.median(known, axis=0)).mean(axis=0) > _LEAST_APART]
    centred: NDArray[np.float64] = known - known.mean(axis=0)
    centred /= centred.std(axis=0)
    if not centred.shape[1]:
        return centred
    values, vectors = np.linalg.eigh(centred.T @ centred / len(centred))
    kept = values > 1e-6
    uncorrelated: NDArray[np.float64] = centred @ (vectors[:, kept] / np.sqrt(values[kept]))
    return uncorrelated


def _balance(inside: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Positive weights, summing to 1, under which each column has mean 0, as close to equal as can be: exp(x b) for
    some b (Hainmueller, "Entropy balancing", 2012). None if Newton's method finds none."""
    tilt = np.zeros(inside.shape[1])
    weights: NDArray[np.float64]
    for _ in range(30):
        power = inside @ tilt
        weights = np.exp(power - power.max())
        weights = weights / weights.sum()
        mean = weights @ inside
        if np.abs(mean).max() < 1e-10:
            return weights
        spread = (inside * weights[:, None]).T @ inside - np.outer(mean, mean)
        try:
            step = np.linalg.solve(spread, mean)
        except np.linalg.LinAlgError:
            return None
        tilt -= step * min(1.0, 1.0 / max(float(np.abs(step).max()), 1e-300))
    return None
