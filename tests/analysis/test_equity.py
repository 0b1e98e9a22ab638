"""The chance to win the game at a score."""

from __future__ import annotations

import pytest

from solver.analysis.equity import DEFAULT_SHARES, Equity, chances_after
from solver.game.rules import PRESETS, preset
from solver.game.seats import Seat, Side


@pytest.mark.parametrize(
    ("ours", "theirs", "we_deal", "chance"),
    [(0, 0, True, 0.512), (9, 9, True, 0.660), (2, 8, True, 0.082), (9, 6, False, 0.819), (2, 8, False, 0.067)],
)
def test_known_figures_to_ten_points(ours: int, theirs: int, we_deal: bool, chance: float) -> None:
    assert Equity(10).chance(ours, theirs, we_deal=we_deal) == pytest.approx(chance, abs=0.0005)


@pytest.mark.parametrize("thrown_in", [0.0, 0.1, 0.9])
@pytest.mark.parametrize("target", [1, 5, 10, 11])
def test_every_chance_is_the_mean_of_those_after_the_deal(target: int, thrown_in: float) -> None:
    shares = {net: share * (1 - thrown_in) for net, share in DEFAULT_SHARES.items()} | {0: thrown_in}
    equity = Equity(target, shares)
    for ours in range(target):
        for theirs in range(target):
            after = sum(
                share * equity.chance(ours + max(net, 0), theirs + max(-net, 0), we_deal=False)
                for net, share in shares.items()
            )
            assert equity.chance(ours, theirs, we_deal=True) == pytest.approx(after, abs=1e-12)


def test_the_chances_of_both_sides_sum_to_one_and_rise_with_points() -> None:
    equity = Equity(10)
    for ours in range(10):
        for theirs in range(10):
            for we_deal in (False, True):
                chance = equity.chance(ours, theirs, we_deal=we_deal)
                assert chance + equity.chance(theirs, ours, we_deal=not we_deal) == pytest.approx(1)
                assert chance < equity.chance(ours + 1, theirs, we_deal=we_deal)


def test_who_has_reached_the_target_has_won() -> None:
    assert Equity(10).chance(10, 9, we_deal=False) == 1
    assert Equity(10).chance(3, 11, we_deal=True) == 0


def test_at_nine_a_march_is_worth_no_more_than_a_point() -> None:
    chances = chances_after(Equity(10), preset("american"), Seat.N, {Side.NS: 9, Side.EW: 5}, Side.NS)
    assert chances[1] == chances[2] == chances[4] == 1
    assert chances[-2] < chances[-1]


@pytest.mark.parametrize("name", PRESETS)
def test_every_outcome_of_a_deal_has_a_chance(name: str) -> None:
    rules = PRESETS[name]
    first, second = rules.seating.sides
    chances = chances_after(Equity(rules.target), rules, Seat.N, {first: 0, second: 0}, first)
    assert {rules.march, -rules.euchre, rules.lone_march, -rules.lone_euchre} <= set(chances)
    assert list(chances.values()) == sorted(chances.values())
