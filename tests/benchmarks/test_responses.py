"""Best responses: what is there to gain is found by each family, and nothing where there is nothing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from benchmarks.regressors import FAMILIES, Family, _shared
from benchmarks.responses import Choice, best_response, habits, with_habit
from solver.bidding.equilibrium import Game, Table
from solver.bidding.hands import HANDS, all_hands
from solver.bidding.policy import load_tables
from solver.bidding.samples import SORTS, Deals, random_deals
from solver.bidding.smooth import CELLS, mirror, possible
from solver.game.rules import Rules

JACK_OF_TRUMPS = np.uint32(1 << 2)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_truth_of_one_card_is_found(family: Family) -> None:
    """The jack is worth a point, all else costs half of one: noise of two points hides that in a single sample."""
    random = np.random.default_rng(3)
    drawn = random.choice(np.nonzero(possible())[0], 60_000)
    truth = np.tile(np.where(all_hands() & JACK_OF_TRUMPS != 0, 1.0, -0.5), 6)
    values = truth[drawn] + random.normal(0, 2, len(drawn))
    count = np.bincount(drawn, minlength=CELLS).astype(float)
    sums = np.stack([np.bincount(drawn, values, CELLS), np.zeros(CELLS)], axis=1)
    right = [(np.sign(means[drawn, 0]) == np.sign(truth[drawn])).mean() for means in family.fits(count, sums)]
    assert max(right) > 0.8
    assert all((means[:, 1] == 0).all() for means in family.fits(count, sums))


def test_shared_cards_are_counted_once_for_each_way() -> None:
    random = np.random.default_rng(4)
    values = np.zeros((HANDS, 1))
    chosen = random.choice(HANDS, 40, replace=False)
    values[chosen, 0] = random.normal(size=40)
    hands = [set(np.nonzero([hand >> card & 1 for card in range(24)])[0]) for hand in all_hands()[chosen].tolist()]
    for size in (3, 4):
        found = _shared(values, size)[chosen, 0]
        for at, hand in enumerate(hands):
            ways = [len(list(combinations(hand & other, size))) for other in hands]
            assert found[at] == pytest.approx(float(np.dot(ways, values[chosen, 0])))


@pytest.fixture(scope="module")
def game() -> Game:
    """Invented tricks: the makers of the upcard's suit march if the dealer's left has its jack, else they are euchred,
    and so are all others."""
    hands, up = random_deals(4_000, 9, 0)
    tricks = np.zeros((len(up), len(SORTS)), dtype=np.uint8)
    marches = hands[:, 0] & JACK_OF_TRUMPS != 0
    tricks[:, [sort.role == 0 and sort.maker % 2 == 0 for sort in SORTS]] = np.where(marches, 5, 0)[:, None]
    tables = load_tables()
    assert tables is not None
    return Game(Rules(), Deals(hands, up, tricks), tables["discards"])


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_seat_bids_what_wins_and_no_more(game: Game, family: Family) -> None:
    passes = Table.passes()
    response = best_response(game, passes, 0, family)
    holds = np.tile(all_hands() & JACK_OF_TRUMPS != 0, 6)
    seen = np.bincount(game.cells[0], minlength=CELLS) > 0
    bids = response.shares[0][seen] == 1
    assert bids[holds[seen]].mean() > 0.9 and not bids[~holds[seen]].any()
    assert game.worth(response).mean() > 0.9 * 4 * (game.deals.hands[:, 0] & JACK_OF_TRUMPS != 0).mean()
    assert (response.shares[1:4] == 0).all() and (response.shares[5:] == 0).all()


def test_gains_are_those_of_the_bids(game: Game) -> None:
    passes = Table.passes()
    choice = Choice.at(game, passes, 0)
    marches = game.deals.hands[:, 0] & JACK_OF_TRUMPS != 0
    assert choice.actions == (0, 1, None)
    assert (choice.gains[:, 0] == np.where(marches, 2, -2)).all()
    assert (choice.gains[:, 1] == np.where(marches, 4, -2)).all() and (choice.gains[:, 2] == 0).all()
    count, sums = choice.sums(game, 0, slice(None))
    assert count.sum() == 2 * len(marches) and (count == count[mirror()]).all()
    assert sums[:, 0].sum() == 2 * choice.gains[:, 0].sum()


def test_habits_change_nothing_but_one_seat_and_stay_legal(game: Game) -> None:
    tables = load_tables()
    assert tables is not None
    table = Table.read(tables["american_calls"], tables["american_shares"])
    for name, habit in habits():
        for seat in range(4):
            response = with_habit(game, table, seat, habit)
            for place in range(8):
                same = (response.calls[place] == table.calls[place]) & (response.shares[place] == table.shares[place])
                assert same.all() or place % 4 == seat, name
                made = set(np.unique(response.calls[place][response.shares[place] > 0]).tolist())
                assert made <= set(game.legal[place][1]), name
