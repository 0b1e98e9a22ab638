"""In how many worlds each bid is to be played."""

from __future__ import annotations

import numpy as np

from solver.analysis.calibrate import Mean, Sample
from solver.analysis.rate_allocation import worlds_needed

STEP, MOST = 100, 100_000


def over(*numbers: np.ndarray) -> list[Mean]:
    return [Sample(np.arange(len(each)), len(each), 1e12).mean(each) for each in numbers]


def planned(means: list[Mean], best: int, error: float, costs: list[float]) -> list[int]:
    wanted = np.full(len(means), error**2)
    return worlds_needed(means, best, wanted, costs, step=STEP, most=MOST, solved=1)


def error_then(one: np.ndarray, other: np.ndarray, numbers: list[int]) -> float:
    """Of the difference of two independent numbers."""
    return float(np.sqrt(one.var() / numbers[0] + other.var() / numbers[1]))


def test_no_more_is_asked_for_where_it_is_enough() -> None:
    random = np.random.default_rng(1)
    assert planned(over(*random.normal(size=(3, 500))), 0, 0.2, [1.0] * 3) == [500] * 3


def test_the_plan_reaches_what_is_wanted_at_little_cost() -> None:
    random = np.random.default_rng(2)
    best, other = random.normal(size=500), 3 * random.normal(size=500)
    numbers = planned(over(best, other), 0, 0.05, [1.0, 1.0])
    assert 0.045 < error_then(best, other, numbers) < 0.0505
    # By Lagrange the numbers are as the deviations where both cost the same. (Neyman allocation.)
    assert 2.3 < numbers[1] / numbers[0] < 3.9
    dear = planned(over(best, other), 0, 0.05, [1.0, 9.0])
    assert 0.045 < error_then(best, other, dear) < 0.0505
    assert 0.7 < dear[1] / dear[0] < 1.4  # and as the deviations over the roots of the costs


def test_two_that_go_together_are_played_together() -> None:
    random = np.random.default_rng(3)
    shared = 3 * random.normal(size=500)
    best, other = shared + random.normal(size=500), shared + random.normal(size=500)
    numbers = planned(over(best, other), 0, 0.03, [1.0, 1.0])
    assert numbers[0] == numbers[1] < 3000  # apart they would need 22,000 each


def test_the_best_serves_all_differences() -> None:
    random = np.random.default_rng(4)
    numbers = planned(over(*random.normal(size=(7, 500))), 2, 0.03, [1.0] * 7)
    others = [number for at, number in enumerate(numbers) if at != 2]
    assert numbers[2] > 1.6 * max(others)


def test_what_cannot_be_reached_ends_at_the_most() -> None:
    random = np.random.default_rng(5)
    numbers = planned(over(*random.normal(size=(2, 500))), 0, 0.001, [1.0, 1.0])
    assert max(numbers) == MOST


def test_a_number_that_never_varies_needs_no_more_worlds() -> None:
    random = np.random.default_rng(6)
    numbers = planned(over(random.normal(size=500), np.full(500, -2.0)), 0, 0.02, [1.0, 1.0])
    assert numbers[1] == 500
    assert 2300 < numbers[0] < 2900
