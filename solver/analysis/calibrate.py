"""Means over few worlds that were looked at closely, with the help of many that were looked at quickly.

A world's double-dummy result costs a sixtieth of a rollout and goes a long way to predict it. So many worlds are solved
and some of them rolled out, and those get weights under which each double-dummy mean is that of all: what chance made
them easier or harder than worlds are goes out of every mean. One set of weights serves every number, so that shares sum
to 1 and a mean is the mean of its shares.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.analysis.values import Estimate

#: Worlds that a number known of all of them needs, to be worth using.
_ROWS_A_FEATURE = 10


@dataclass(frozen=True, eq=False)
class Sample:
    """``chosen``: the numbers of the worlds looked at closely, among all. ``effective`` and ``effective_all``: how many
    independent ones those are worth, and all. ``features`` are ``[all, k]``, what is known of all; None if nothing."""

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

    def calibrated(self, known: NDArray[np.float64]) -> Sample:
        """The sample with what is ``known`` of all worlds, ``[all, k]``; unchanged where it is too small for it."""
        features = _independent(known)
        if len(self.chosen) < _ROWS_A_FEATURE * (features.shape[1] + 1) or not features.shape[1]:
            return self
        calibration = _balance(features[self.chosen])
        if calibration is None:
            return self
        return Sample(self.chosen, self.effective, self.effective_all, features, calibration)


def estimates(sample: Sample, values: NDArray[np.float64]) -> list[Estimate]:
    """The mean of each column of ``values``, ``[chosen, m]``, and its standard error.

    With features, the error of a mean has two parts: what they do not explain, over the worlds looked at closely, and
    what they do, over all (double sampling, Cochran, "Sampling Techniques", 12.6).
    """
    means = sample.weights @ values
    number = len(values)
    if sample.features is None:
        spread = values.var(axis=0) / max(sample.effective - 1, 1)
    else:
        design = np.column_stack([np.ones(number), sample.features[sample.chosen]])
        # The columns are nearly uncorrelated, so the normal equations lose nothing and are small.
        fit = np.linalg.lstsq(design.T @ design, design.T @ values, rcond=None)[0]
        left = np.square(values - design @ fit).sum(axis=0) / (number - design.shape[1])
        # Over all worlds the features are uncorrelated and of variance 1.
        explained = np.square(fit[1:]).sum(axis=0)
        spread = left / sample.effective + explained / sample.effective_all
    return [Estimate(float(mean), math.sqrt(each)) for mean, each in zip(means, spread, strict=True)]


def _independent(known: NDArray[np.float64]) -> NDArray[np.float64]:
    """Columns of mean 0 and variance 1, uncorrelated, that span those given."""
    centred: NDArray[np.float64] = known - known.mean(axis=0)
    deviation = centred.std(axis=0)
    centred = centred[:, deviation > 1e-9] / deviation[deviation > 1e-9]
    if not centred.shape[1]:
        return centred
    values, vectors = np.linalg.eigh(centred.T @ centred / len(centred))
    kept = values > 1e-6
    independent: NDArray[np.float64] = centred @ (vectors[:, kept] / np.sqrt(values[kept]))
    return independent


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
