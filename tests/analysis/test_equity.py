"""The chance to win the game at a score."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest

from solver.analysis.analyze import analyze
from solver.analysis.equity import Equity, chances_after, equity_for
from solver.analysis.rate import rate
from solver.bidding.shares import shares_for
from solver.game.rules import PRESETS, Rules, preset
from solver.game.seats import Seat, Side
from solver.knowledge.seen import Knowledge
from solver.notation.deal_code import read_code

#: Case 41: net points of the dealer's side -> share of deals.
KNOWN = {1: 0.45, 2: 0.16, 4: 0.05, -1: 0.17, -2: 0.12, -4: 0.05}


@pytest.mark.parametrize(
    ("ours", "theirs", "we_deal", "chance"),
    [(0, 0, True, 0.512), (9, 9, True, 0.660), (2, 8, True, 0.082), (9, 6, False, 0.819), (2, 8, False, 0.067)],
)
def test_known_figures_to_ten_points(ours: int, theirs: int, we_deal: bool, chance: float) -> None:
    assert Equity(10, KNOWN).chance(ours, theirs, we_deal=we_deal) == pytest.approx(chance, abs=0.0005)


def with_thrown_in(share: float) -> dict[int, float]:
    return {net: each * (1 - share) for net, each in KNOWN.items()} | {0: share}


@pytest.mark.parametrize("thrown_in", [0.0, 0.1, 0.9])
@pytest.mark.parametrize("target", [1, 5, 10, 11])
def test_every_chance_is_the_mean_of_those_after_the_deal(target: int, thrown_in: float) -> None:
    shares = with_thrown_in(thrown_in)
    equity = Equity(target, shares)
    for ours, theirs in product(range(target), repeat=2):
        after = sum(
            share * equity.chance(ours + max(net, 0), theirs + max(-net, 0), we_deal=False)
            for net, share in shares.items()
        )
        assert equity.chance(ours, theirs, we_deal=True) == pytest.approx(after, abs=1e-12)


@pytest.mark.parametrize("thrown_in", [0.0, 0.3])
def test_the_chain_is_the_solution_of_all_its_equations_at_once(thrown_in: float) -> None:
    target, shares = 7, with_thrown_in(thrown_in)
    states = list(product(range(target), range(target), (True, False)))
    place = {state: at for at, state in enumerate(states)}
    matrix, right = np.eye(len(states)), np.zeros(len(states))
    for (ours, theirs, we_deal), row in place.items():
        for net, share in shares.items():
            mine = net if we_deal else -net
            after = ours + max(mine, 0), theirs + max(-mine, 0), not we_deal
            if after in place:
                matrix[row, place[after]] -= share
            else:
                right[row] += share * (after[0] >= target)
    found = np.linalg.solve(matrix, right)
    equity = Equity(target, shares)
    for (ours, theirs, we_deal), row in place.items():
        assert equity.chance(ours, theirs, we_deal=we_deal) == pytest.approx(found[row], abs=1e-12)


@pytest.mark.parametrize(("name", "ours", "theirs"), [("american", 0, 0), ("british", 7, 9), ("two_handed", 4, 2)])
def test_games_played_deal_by_deal_are_won_as_often(name: str, ours: int, theirs: int) -> None:
    equity, random, games, won = equity_for(PRESETS[name]), Random(4), 4000, 0
    nets, shares = list(equity.shares), list(equity.shares.values())
    for _ in range(games):
        score, dealing = [ours, theirs], 0
        while max(score) < equity.target:
            net = random.choices(nets, shares)[0]
            score[dealing if net > 0 else 1 - dealing] += abs(net)
            dealing = 1 - dealing
        won += score[0] >= equity.target
    chance = equity.chance(ours, theirs, we_deal=True)
    assert won / games == pytest.approx(chance, abs=4 * (chance * (1 - chance) / games) ** 0.5)


@pytest.mark.parametrize("name", PRESETS)
def test_the_chances_of_both_sides_sum_to_one_and_rise_with_points(name: str) -> None:
    equity = equity_for(PRESETS[name])
    for ours, theirs, we_deal in product(range(equity.target), range(equity.target), (False, True)):
        chance = equity.chance(ours, theirs, we_deal=we_deal)
        assert chance + equity.chance(theirs, ours, we_deal=not we_deal) == pytest.approx(1)
        assert chance < equity.chance(ours + 1, theirs, we_deal=we_deal)
        assert chance > equity.chance(ours, theirs + 1, we_deal=we_deal)


def test_who_has_reached_the_target_has_won() -> None:
    assert Equity(10, KNOWN).chance(10, 9, we_deal=False) == 1
    assert Equity(10, KNOWN).chance(3, 11, we_deal=True) == 0


def test_a_game_in_which_nobody_can_score_is_even() -> None:
    worthless = Rules(points=0, march=0, lone_points=0, lone_march=0, euchre=0, lone_euchre=0)
    assert equity_for(worthless).shares == {0: 1.0}
    assert equity_for(worthless).chance(0, 9, we_deal=True) == 0.5


def test_a_game_to_a_point_is_won_by_whoever_scores_first() -> None:
    shares = with_thrown_in(0.3)
    positive = sum(share for net, share in shares.items() if net > 0)
    negative = sum(share for net, share in shares.items() if net < 0)
    once = positive + 0.3 * negative
    assert Equity(1, shares).chance(0, 0, we_deal=True) == pytest.approx(once / (1 - 0.3**2))


def test_the_longest_game_is_almost_even_at_the_start_and_decided_near_the_end() -> None:
    equity = equity_for(Rules(target=1000))
    assert equity.chance(0, 0, we_deal=True) == pytest.approx(0.5, abs=0.02)
    assert equity.chance(999, 900, we_deal=False) > 0.999


def test_rules_are_valued_by_their_own_points() -> None:
    plain, dear = (equity_for(preset("american")), equity_for(replace(preset("american"), lone_march=20)))
    assert 20 in dear.shares
    assert 20 not in plain.shares
    assert dear.chance(0, 9, we_deal=True) > plain.chance(0, 9, we_deal=True)


def test_at_nine_a_march_is_worth_no_more_than_a_point() -> None:
    chances = chances_after(preset("american"), Seat.N, {Side.NS: 9, Side.EW: 5}, Side.NS)
    assert chances[1] == chances[2] == chances[4] == 1
    assert chances[-2] < chances[-1]


@pytest.mark.parametrize("name", PRESETS)
def test_every_outcome_of_a_deal_has_a_chance(name: str) -> None:
    rules = PRESETS[name]
    first, second = rules.seating.sides
    chances = chances_after(rules, Seat.N, {first: 0, second: 0}, first)
    assert {rules.march, -rules.euchre, rules.lone_march, -rules.lone_euchre} <= set(chances)
    assert list(chances.values()) == sorted(chances.values())


@pytest.mark.parametrize("name", PRESETS)
def test_the_chance_before_a_deal_is_the_mean_of_the_chances_after_it(name: str) -> None:
    """For either side and with any dealer; the british euchre of a loner is more than any march."""
    rules = PRESETS[name] if name != "british" else replace(PRESETS[name], lone_euchre=6)
    equity, seating = equity_for(rules), rules.seating
    first, second = seating.sides
    score = {first: rules.target - 2, second: rules.target - 5}
    for dealer, side in product(seating.seats, seating.sides):
        deals = seating.side(dealer) == side
        after = chances_after(rules, dealer, score, side)
        assert {rules.lone_euchre, -rules.lone_euchre} <= after.keys()
        mean = sum(share * after[net if deals else -net] for net, share in equity.shares.items())
        before = equity.chance(score[side], score[seating.opponents(side)], we_deal=deals)
        assert mean == pytest.approx(before, abs=1e-12)


def test_answers_name_the_source_of_their_chances() -> None:
    to_bid, to_lead = read_code("american.N.9H.-JHAHKH9SAD--"), read_code("american.N.JH.-9DTDJDQDAH--.po")
    american = shares_for(preset("american")).name
    assert rate(Knowledge.of(to_bid, Seat.E), worlds=20).settings.shares == american
    even = {Side.NS: 0, Side.EW: 0}
    for position in (to_bid, to_lead):
        assert analyze(position, viewpoint=Seat.E, worlds=20, score=even).settings.shares == american
        assert analyze(position, viewpoint=Seat.E, worlds=20).settings.shares is None
