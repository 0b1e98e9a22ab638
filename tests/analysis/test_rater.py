"""The worlds that bids are rated by: how many are drawn, which, and what they are worth."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.analysis import rater
from solver.analysis.rate import rate
from solver.analysis.rate_arguments import RATE_METHODS
from solver.analysis.rater import Rater
from solver.bidding.policy import SimplePolicy, policy_for
from solver.bidding.rest import chance_of_bids
from solver.game.auction import ORDER, PASS, Auction, Bid
from solver.game.cards import Card
from solver.game.deal import random_deal
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.seats import Seat
from solver.knowledge.seen import Knowledge
from solver.knowledge.worlds import Worlds, sample_worlds


def after_passes(rules: Rules, seed: int, passes: int) -> Knowledge:
    position = Position(random_deal(rules, Seat.N, Random(seed)), (PASS,) * passes)
    assert position.to_act is not None
    return Knowledge.of(position, position.to_act)


class Bids(SimplePolicy):
    """Orders with any hand but one in a hundred or so."""

    def bid_batch(self, auction: Auction, hands: NDArray[np.uint64]) -> NDArray[np.float64]:
        return np.eye(len(auction.legal_bids()))[np.where(hands % np.uint64(97) == 0, 0, 1)]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, Worlds]]:
    """Every seed, and the worlds drawn with it."""
    found: list[tuple[int, Worlds]] = []

    def noted(knowledge: Knowledge, number: int, seed: int, **others: Any) -> Worlds:
        worlds = sample_worlds(knowledge, number, seed, **others)
        found.append((seed, worlds))
        return worlds

    monkeypatch.setattr(rater, "sample_worlds", noted)
    return found


def test_no_more_worlds_are_drawn_than_are_solved(drawn: list[tuple[int, Worlds]]) -> None:
    for method, number in (("double-dummy", 700), ("rollout", 700 * rater.SOLVED)):
        drawn.clear()
        knowledge = after_passes(Rules(), 1, 0)
        Rater(knowledge, policy_for(Rules()), method, 3, 1, (PASS,))._draw(700, few=False)
        assert [len(worlds) for _, worlds in drawn] == [number]


def test_worlds_are_picked_by_their_weight_from_all_that_were_drawn(drawn: list[tuple[int, Worlds]]) -> None:
    several = 0
    for seed in range(8):
        knowledge, policy = after_passes(Rules(), seed, 6), policy_for(Rules())
        drawn.clear()
        rating = Rater(knowledge, policy, "double-dummy", seed, 1)
        dealt, effective = rating._deals(600, seed, few=False)
        several += len(drawn) > 1
        # Drawn at once, they are the same worlds.
        together = sample_worlds(knowledge, sum(len(worlds) for _, worlds in drawn), seed)
        auction = knowledge.auction
        assert auction is not None
        weights = chance_of_bids(policy, auction, knowledge.seat, together.dealt)
        assert effective == pytest.approx(weights.sum() ** 2 / (weights**2).sum())
        assert weights.sum() / weights.max() >= 600
        # Each is picked as often as its weight says, but for one time: at equal distances in the sum of the weights.
        reached = weights.cumsum() / weights.sum() * 600
        rows = np.searchsorted(reached, np.arange(600) + 0.5)
        assert len(np.unique(rows)) == 600
        assert np.array_equal(dealt, together.dealt[rows])
    assert several > 4


def test_the_draw_ends_where_worlds_that_fit_are_too_rare(drawn: list[tuple[int, Worlds]]) -> None:
    dealt, effective = Rater(after_passes(Rules(), 1, 1), Bids("bids"), "double-dummy", 0, 1)._deals(400, 4, few=False)
    assert sum(len(worlds) for _, worlds in drawn) == 1000 * rater._MOST_DRAWN_SIMPLE
    assert len(dealt) == 400 and effective < 200


@pytest.mark.parametrize(("method", "worlds"), [("double-dummy", 1), ("double-dummy", 1301), ("rollout", 300)])
def test_a_dealers_discard_is_chosen_by_worlds_of_its_own(
    monkeypatch: pytest.MonkeyPatch, drawn: list[tuple[int, Worlds]], method: str, worlds: int
) -> None:
    asked: list[tuple[list[Bid], int, int, bool]] = []

    def chosen(
        _: Knowledge, bids: list[Bid], policy: object, ends: object, dealt: Any, seed: int, *, roll_out: bool
    ) -> Mapping[Bid, Card]:
        asked.append((bids, len(dealt), seed, roll_out))
        return {}

    monkeypatch.setattr(rater, "best_discards", chosen)
    knowledge = after_passes(Rules(), 1, 3)
    rating = Rater(knowledge, policy_for(Rules()), method, 3, 1, (PASS, ORDER))
    rating._draw(worlds, few=False)
    rating._draw(worlds, few=False)  # once chosen, it stays
    ((bids, number, seed_of_play, roll_out),) = asked
    assert bids == [ORDER] and roll_out == (method == "rollout")
    assert number == (rater._FOR_DISCARDS * rater.SOLVED if roll_out else max((worlds + 1) // 2, rater._LEAST_DRAWN))
    seeds = {seed for seed, _ in drawn}
    assert len(seeds) == 3 and seed_of_play not in seeds


@pytest.mark.parametrize("method", RATE_METHODS)
def test_few_worlds_are_picked_from_enough_to_know_what_fits(drawn: list[tuple[int, Worlds]], method: str) -> None:
    rating = rate(after_passes(Rules(), 1, 6), worlds=5, method=method)
    assert rating.settings.worlds == 5 and rating.settings.effective_worlds <= 5
    assert sum(len(worlds) for _, worlds in drawn) >= 512


def test_who_throws_no_card_away_draws_no_worlds_for_it(drawn: list[tuple[int, Worlds]]) -> None:
    for passes in (0, 1, 2, 4, 5, 6, 7):
        drawn.clear()
        rate(after_passes(Rules(), 2, passes), worlds=50, method="double-dummy")
        assert len({seed for seed, _ in drawn}) == 1


def test_double_dummy_ratings_are_plain_means_over_their_worlds() -> None:
    """Nothing else is known of those worlds than what they are rated by, so nothing is to be weighted."""
    for seed in range(4):
        rating = rate(after_passes(Rules(), seed, 3), worlds=400, seed=seed, method="double-dummy")
        for option in rating.options:
            assert option.points.mean == pytest.approx(option.double_dummy, abs=1e-12)
            spread = sum(share * (points - option.points.mean) ** 2 for points, share in option.outcomes.items())
            assert option.points.stderr == pytest.approx((spread / (rating.settings.effective_worlds - 1)) ** 0.5)


def test_what_is_known_of_all_worlds_are_the_points_and_the_tricks_of_every_bid() -> None:
    rating = Rater(after_passes(Rules(), 1, 3), policy_for(Rules()), "rollout", 3, 1)
    rating._draw(100, few=False)
    rating._draw(40, few=False)
    known = rating._features()
    assert np.allclose(known.mean(axis=0), 0) and np.allclose(known.std(axis=0), 1)
    numbers = [np.concatenate(column.seen) for column in rating._columns]
    told = [value[each] for each in numbers for value in (rating.results.net, rating.results.tricks[rating.side])]
    varied = [value for value in told if (value != np.median(value)).mean() > 0.1]
    assert len(varied) == 2 * len(rating.bids) and all(len(value) == len(known) for value in varied)
    design = np.column_stack([np.ones(len(known)), known])
    for value in varied:
        fit = np.linalg.lstsq(design, value, rcond=None)[0]
        assert np.allclose(design @ fit, value, atol=0.02)


def test_worlds_played_are_weighted_to_be_as_hard_double_dummy_as_all() -> None:
    rating = Rater(after_passes(Rules(), 1, 3), policy_for(Rules()), "rollout", 3, 1)
    rating.add(300)
    sample = rating.means(dict.fromkeys(Rules().seating.sides, 0), "points").points[0].sample
    assert len(sample.weights) == 300 and sample.weights.sum() == pytest.approx(1)
    for column in rating._columns:
        net = rating.results.net[np.concatenate(column.seen)]
        assert len(net) == 300 * rater.SOLVED
        assert sample.weights @ net[sample.chosen] == pytest.approx(net.mean(), abs=1e-3)
        assert net[sample.chosen].mean() != pytest.approx(net.mean(), abs=1e-3)
