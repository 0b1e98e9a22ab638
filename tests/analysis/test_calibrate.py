"""Means over few worlds with the help of many."""

from __future__ import annotations

import numpy as np
import pytest

from solver.analysis.calibrate import Sample, independent


def test_worlds_looked_at_closely_are_weighted_to_the_mean_of_all() -> None:
    random = np.random.default_rng(1)
    known_of_all = random.normal(size=(5000, 3))
    chosen = np.arange(0, 5000, 20)
    values = known_of_all[chosen] @ [1.0, 2.0, 0.0] + random.normal(size=250)
    plain = Sample(chosen, 250.0, 5000.0)
    better = plain.calibrated(independent(known_of_all))
    assert better.weights.sum() == pytest.approx(1)
    assert better.weights.min() > 0
    assert better.features is not None
    assert np.cov(better.features.T, bias=True) == pytest.approx(np.eye(3), abs=1e-9)  # standard errors count on it
    assert better.weights @ known_of_all[chosen] == pytest.approx(known_of_all.mean(axis=0), abs=1e-6)
    assert better.mean(values).estimate.stderr < 0.6 * plain.mean(values).estimate.stderr


def test_a_sample_too_small_for_what_is_known_is_left_alone() -> None:
    sample = Sample(np.arange(12), 12.0, 100.0)
    assert sample.calibrated(independent(np.random.default_rng(1).normal(size=(100, 3)))) is sample
    assert sample.calibrated(independent(np.ones((100, 3)))) is sample


def test_what_is_so_in_hardly_any_world_is_left_out() -> None:
    """Else there may be none of them among those looked at closely, and no weights would do."""
    known = np.random.default_rng(2).normal(size=(4000, 3))
    known[:, 1] = 0
    known[1:60:2, 1] = -4  # 30 of 4,000, none of those chosen
    sample = Sample(np.arange(0, 4000, 8), 500.0, 4000.0).calibrated(independent(known))
    assert sample.features is not None
    assert sample.features.shape == (4000, 2)


@pytest.mark.parametrize(("few", "many"), [(300, 300), (300, 1200), (1200, 300)])
def test_standard_errors_of_differences_are_those_of_repetitions(few: int, many: int) -> None:
    """Two numbers that go together, of which one is looked at in more worlds than the other."""
    random = np.random.default_rng(few + 2 * many)
    found, claimed = [], []
    for _ in range(400):
        known = random.normal(size=(4800, 2))
        luck = random.normal(size=4800)
        one = known @ [1.0, 0.5] + luck + random.normal(size=4800)
        other = known @ [0.5, 1.0] + luck + random.normal(size=4800)
        features, chosen = independent(known), np.arange(0, 4800, 4)
        means = [
            Sample(chosen[:number], float(number), 4800.0).calibrated(features).mean(values[chosen[:number]])
            for values, number in ((one, few), (other, many))
        ]
        difference = means[0].less(means[1])
        found.append(difference.mean)
        claimed.append(difference.stderr)
        assert difference.mean == pytest.approx(means[0].mean - means[1].mean)
        assert means[1].less(means[0]).stderr == pytest.approx(difference.stderr)
    # The deviation of 400 means is known to 3.5%.
    assert np.mean(claimed) == pytest.approx(np.std(found, ddof=1), rel=0.12)
    assert abs(np.mean(found)) < 4 * np.std(found) / 20
