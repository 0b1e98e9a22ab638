"""How the auction policy is made: small builds, and the parts of large ones."""

from math import prod
from pathlib import Path

import numpy as np
import pytest

from solver.bidding import build_policy, samples, smooth
from solver.bidding.build_policy import make_deals, make_tables
from solver.bidding.equilibrium import FURTHER_STEPS, RARE, STEPS, Game, Table, legal_calls
from solver.bidding.hands import CROSS, NEXT, all_hands, number, public, swapped
from solver.bidding.policy import BUILT, CALLS, OURS, WHOLE, load_tables
from solver.bidding.samples import (
    ALL_SORTS,
    SORTS,
    Deals,
    Played,
    best_discards,
    discard_hands,
    play_out,
    random_deals,
)
from solver.game.cards import Card, CardSet, Suit
from solver.game.rules import PRESETS, Rules
from solver.game.seats import Seat


def shipped_discards() -> np.ndarray:
    tables = load_tables()
    assert tables is not None
    return tables["discards"]


@pytest.fixture(scope="module")
def deals() -> Deals:
    return play_out(*random_deals(600, 5, 0), shipped_discards(), 5)


def test_deals_are_deals() -> None:
    hands, up = random_deals(3_000, 1, 0)
    assert (np.bitwise_count(hands) == 5).all()
    everything = np.bitwise_or.reduce(hands, axis=1) | np.uint32(1) << up.astype(np.uint32)
    assert (np.bitwise_count(everything) == 21).all()
    assert np.bincount(up, minlength=6).min() > 400


def test_every_contract_is_played() -> None:
    assert len(SORTS) == 4 * (2 + 4) and set(SORTS) < set(ALL_SORTS)
    for rules in PRESETS.values():
        if rules.seats == 4:
            every = {Played.by(rules, role, maker, alone) for role in range(4) for maker in Seat for alone in (0, 1)}
            assert every <= set(ALL_SORTS)
    partners = (Played.by(Rules(), NEXT, maker, alone=False) for maker in (Seat.N, Seat.S))
    assert len(set(partners)) == 1


def test_the_leader_against_a_loner_is_that_of_the_rules_where_it_was_played() -> None:
    drawn = random_deals(400, 5, 0)
    few, all_ = (play_out(*drawn, shipped_discards(), 5, inner=1, sorts=sorts) for sorts in (SORTS, ALL_SORTS))
    for maker in Seat:
        american, spanish = (all_.played(PRESETS[name], NEXT, maker, alone=True) for name in ("american", "spanish"))
        assert (american == spanish).all() == (maker in (Seat.E, Seat.W)), maker
        assert (few.played(PRESETS["spanish"], NEXT, maker, True) == few.played(Rules(), NEXT, maker, True)).all()


def test_more_worlds_leave_random_deals_as_they_are() -> None:
    drawn = random_deals(300, 6, 0)
    one, more = (play_out(*drawn, shipped_discards(), 6, inner=inner) for inner in (1, 6))
    assert (one.hands == more.hands).all() and (one.tricks != more.tricks).any()


def test_each_deal_is_drawn_by_its_own_number() -> None:
    whole = play_out(*random_deals(8, 3, 0), shipped_discards(), 3, threads=2)
    again = play_out(*random_deals(8, 3, 0), shipped_discards(), 3)
    assert (whole.tricks == again.tricks).all()
    assert (whole.tricks <= 5).all()


def test_a_stopped_build_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_policy, "DEALS_A_CHUNK", 8)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    first = make_deals(tmp_path, shipped_discards(), 24, 1, 1)
    (tmp_path / "deals-4-24-1-00001.npz").unlink()
    (tmp_path / "deals-4-24-1-00001.part").write_bytes(b"half of it")
    second = make_deals(tmp_path, shipped_discards(), 24, 1, 1)
    assert (first.tricks == second.tricks).all()
    monkeypatch.setattr(build_policy, "play_out", stop)
    assert (make_deals(tmp_path, shipped_discards(), 24, 1, 1).tricks == first.tricks).all()


def test_discards_keep_trumps_and_follow_the_seed() -> None:
    hands = discard_hands()[::6_000]
    found = best_discards(hands, (1, 0))
    assert (found == best_discards(hands, (1, 0))).all()
    for at, hand in enumerate(public(hands)):
        cards = CardSet(int(hand))
        for kind in range(3):
            best, second = (Card(int(samples.card_indexes(Suit.CLUBS)[each])) for each in found[kind, :, at])
            assert best != second and best in cards and second in cards
            assert best != Card(4)  # the right bower


def test_discards_of_known_hands() -> None:
    def discard(*cards: int) -> int:
        hand = np.array([sum(1 << card for card in cards)], dtype=np.uint32)
        return int(shipped_discards()[OURS, 0][number(hand, 6)][0])

    nine, ten, jack, queen, king, ace = range(6)
    assert discard(jack, ace, king, 6 + nine, 12 + ace, 12 + king) == 6 + nine  # the void
    assert discard(jack, 6 + ten, 18 + ace, 12 + ace, nine, 12 + queen) in (6 + ten, 12 + queen)


def test_means_of_a_linear_truth_are_found() -> None:
    random = np.random.default_rng(1)
    cells = np.nonzero(smooth.possible())[0]
    trumps = np.bitwise_count(all_hands() & np.uint32(63))[cells % len(all_hands())].astype(float)
    drawn = random.choice(len(cells), 40_000)
    values = trumps[drawn] - 2 + random.normal(0, 1.5, len(drawn))
    count = np.bincount(cells[drawn], minlength=smooth.CELLS).astype(float)
    total = np.bincount(cells[drawn], values, smooth.CELLS)
    (means,) = smooth.for_trump(CROSS).means(count, [(total, float((values**2).sum()))])
    assert np.abs(means[cells] - (trumps - 2)).mean() < 0.1


def test_legal_calls_are_those_of_the_rules() -> None:
    assert legal_calls(Rules(), 0) == (True, (0, 1))
    assert legal_calls(Rules(), 4) == (True, (2, 3, 4, 5, 6, 7))
    assert legal_calls(PRESETS["cardporch"], 7)[0] is False
    assert legal_calls(PRESETS["canadian"], 1) == (True, (1,))
    assert legal_calls(PRESETS["spanish"], 5) == (True, (3, 5, 7))


def test_the_policy_that_sweeps_start_from_leaves_no_trace() -> None:
    for steps in (STEPS, FURTHER_STEPS):
        assert prod(1 - step for step in steps) < RARE


@pytest.mark.slow
def test_equal_samples_make_equal_tables(deals: Deals) -> None:
    presets, steps = ("american", "canadian"), (1.0,)
    one, changes = make_tables(deals, shipped_discards(), presets, steps, steps)
    other, _ = make_tables(deals, shipped_discards(), presets, steps, steps)
    assert set(one) == {"discards", "american_calls", "american_shares", "canadian_calls", "canadian_shares"}
    assert all((one[name] == other[name]).all() for name in one)
    assert {name: len(each) for name, each in changes.items()} == {"american": 1, "canadian": 1}
    assert set(np.unique(one["canadian_calls"][1])) <= {0, 1}


def test_stored_tables_read_back() -> None:
    tables = load_tables()
    assert tables is not None
    for preset in BUILT:
        calls, shares = tables[f"{preset}_calls"], tables[f"{preset}_shares"]
        table = Table.read(calls, shares)
        assert (np.round(table.shares * WHOLE) == shares.reshape(8, -1)).all()
        assert table.calls.max() < CALLS and (calls[shares == 0] == 0).all()
        for place in range(8):
            made = table.calls[place][table.shares[place] > 0]
            assert set(np.unique(made)) <= set(legal_calls(PRESETS[preset], place)[1])


def test_the_mirror_bids_the_mirror() -> None:
    tables = load_tables()
    assert tables is not None
    shares = tables["american_shares"][6]
    assert (shares == shares[:, number(swapped(all_hands()))]).all()


def test_a_deal_is_worth_its_contract(deals: Deals) -> None:
    """With everybody passing nothing; with the dealer ordering always, the points of that."""
    game = Game(Rules(), deals, shipped_discards())
    table = Table.passes()
    assert (game.worth(table) == 0).all()
    table.shares[3] = 1
    tricks = deals.played(Rules(), 0, Seat.W, alone=False)
    assert (game.worth(table) == -samples.points_of(Rules(), alone=False)[tricks]).all()
