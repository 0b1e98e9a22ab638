"""Worlds are legal, all of them, equally likely, and the same for the same seed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.errors import InvalidInput
from solver.game.cards import HAND_SIZE
from solver.game.deal import Deal, random_deal
from solver.game.position import Decision, Position
from solver.game.rules import PRESETS, Rules, with_options
from solver.game.seats import Seat
from solver.knowledge.seen import Knowledge
from solver.knowledge.worlds import Worlds, all_worlds, count_worlds, sample_worlds
from solver.logs import read
from tests.knowledge.legal import EVERY_RULES, assert_legal
from tests.oracles.worlds import World, fitting_worlds, ways_to_try
from tests.strategies import decisions, random_position

N, E, S, W = Seat


def as_play_begins(position: Position) -> Position:
    """The same play, told without the auction."""
    deal = Deal(position.rules, None, None, position.hands_in_play)
    return Position(deal, (), position.contract, None, position.plays)


def rows(worlds: Worlds) -> list[World]:
    return [(*dealt, thrown) for dealt, thrown in zip(worlds.dealt.tolist(), worlds.discard.tolist(), strict=True)]


# -- legal ------------------------------------------------------------------------------------------------------------


def rules_names() -> list[str]:
    return [f"{number}-{rules.seats}-{rules.deck}" for number, rules in enumerate(EVERY_RULES)]


@pytest.mark.parametrize("rules", EVERY_RULES, ids=rules_names())
def test_every_world_at_every_decision_is_legal_and_shows_what_was_seen(rules: Rules) -> None:
    random = Random(6)
    for _ in range(6):
        for position in decisions(random_position(rules, random)):
            seat = random.choice(rules.seating.seats)
            assert_legal(sample_worlds(Knowledge.of(position, seat), 1, random.randrange(1000)))
            if position.contract is not None and position.discard is not None and random.random() < 0.3:
                told = as_play_begins(position)
                assert_legal(sample_worlds(Knowledge.of(told, seat), 1, random.randrange(1000)))


EGN = sorted((Path(__file__).parents[1] / "data" / "egn").glob("*.egn"))


def faultless_deals(path: Path) -> list[Position]:
    return [deal.position for game in read(path) for deal in game.deals if not deal.faults]


@pytest.mark.parametrize("path", EGN, ids=lambda path: path.stem)
def test_every_world_at_every_decision_of_real_games_is_legal(path: Path) -> None:
    random = Random(1)
    for position in faultless_deals(path):
        for at in decisions(position):
            for seat in {at.to_act or N, random.choice(list(Seat))}:
                hand = at.deal.hand(seat)
                # The file may not tell a dealer's discard, or all cards of a deal that was given up.
                if hand is not None and len(hand) == HAND_SIZE:
                    assert_legal(sample_worlds(Knowledge.of(at, seat), 1))


def test_real_games_are_looked_at() -> None:
    assert sum(len(faultless_deals(path)) for path in EGN) > 50


def test_deals_with_a_revoke_are_refused_once_it_shows_and_not_before() -> None:
    game = next(iter(read(EGN[0].with_name("game14.egn"))))
    for deal in game.deals:
        assert deal.faults
        refused = []
        for at in decisions(deal.position):
            try:
                worlds = sample_worlds(Knowledge.of(at, N), 2)
            except InvalidInput as error:
                refused.append(error.faults)
            else:
                assert not refused
                assert all(worlds.position(row).problems() == [] for row in range(2))
        assert refused


# -- all of them ------------------------------------------------------------------------------------------------------


@cache
def small_cases() -> list[tuple[Position, Seat]]:
    """Positions with few ways to deal what a seat has not seen, of all kinds."""
    random, found = Random(3), []
    for rules in EVERY_RULES:
        for _ in range(9):
            position = random_position(rules, random, random.randrange(8 if rules.seats == 2 else 14, 30))
            seat = random.choice(rules.seating.seats)
            if ways_to_try(position, seat) <= 400:
                found.append((position, seat))
            if position.contract is not None and position.plays and random.random() < 0.3:
                told = as_play_begins(position)
                if ways_to_try(told, seat) <= 300:
                    found.append((told, seat))
    return found


def test_all_worlds_are_those_that_trying_everything_finds() -> None:
    cases = small_cases()
    assert len(cases) > 100
    kinds = set()
    for position, seat in cases:
        knowledge = Knowledge.of(position, seat)
        expected = fitting_worlds(position, seat)
        assert count_worlds(knowledge) == len(expected), (position, seat)
        worlds = all_worlds(knowledge, 10_000)
        assert worlds.enumerated and worlds.count == len(worlds) == len(expected)
        assert set(rows(worlds)) == expected, (position, seat)
        contract = position.contract
        kinds |= {
            (name, len(expected) > 1)
            for name, holds in {
                "two-handed": position.rules.seats == 2,
                "lone": contract is not None and contract.alone,
                "sitting out": contract is not None and contract.sitting_out == seat,
                "no upcard": position.deal.upcard is None,
                "hidden discard": position.discard is not None and seat != position.deal.dealer,
                "own discard": position.discard is not None and seat == position.deal.dealer,
                "upcard discarded": position.discard is not None and position.discard == position.deal.upcard,
                "declined": position.discard == position.deal.upcard and position.rules.dealer_may_decline_upcard,
                "natural": position.rules.natural_trump_to_order and position.discard is not None,
                "upcard kept": position.discard is not None and not position.rules.dealer_may_discard_upcard,
                "over": position.decision == Decision.OVER,
                "void": any(knowledge.voids),
            }.items()
            if holds
        }
    assert len({name for name, several in kinds if several}) == 12, kinds


def test_an_order_shows_a_natural_trump_of_its_maker_alone() -> None:
    """Whether the maker or the dealer, and in the discard too: counted by trying everything, in worlds few enough."""
    random, needed = Random(8), 0
    rules = with_options(PRESETS["two_handed"], {"natural_trump_to_order": True})
    while needed < 5:
        position = random_position(rules, random, random.randrange(6, 14))
        seat = random.choice([N, S])
        if position.discard is None or not position.plays or ways_to_try(position, seat) > 600:
            continue
        free = replace(position, deal=replace(position.deal, rules=PRESETS["two_handed"]))
        found = fitting_worlds(position, seat)
        assert count_worlds(Knowledge.of(position, seat)) == len(found)
        needed += len(found) < count_worlds(Knowledge.of(free, seat))


def test_from_one_seat_in_round_1_there_are_617512896_worlds() -> None:
    for rules in (PRESETS["american"], PRESETS["spanish"]):
        position = Position(random_deal(rules, W, Random(0)))
        assert {count_worlds(Knowledge.of(position, seat)) for seat in Seat} == {617_512_896}


@pytest.mark.parametrize(
    ("deck", "seats", "count"),
    # Of n unseen cards 5 to each other seat: n! / (5!^others (n - 5 others)!).
    [
        (24, 4, 617_512_896),
        (25, 4, 2_933_186_256),
        (28, 4, 129_060_195_264),
        (32, 4, 5_846_817_936_960),
        (33, 4, 13_155_340_358_160),
        (24, 2, 8568),
        (33, 2, 80_730),
    ],
)
def test_first_round_counts_are_multinomials(deck: int, seats: int, count: int) -> None:
    rules = with_options(PRESETS["american" if seats == 4 else "two_handed"], {"deck": deck})
    position = Position(random_deal(rules, N, Random(0)))
    assert count_worlds(Knowledge.of(position, S)) == count


def test_the_same_worlds_come_in_the_same_order() -> None:
    for position, seat in small_cases()[:20]:
        first, second = (all_worlds(Knowledge.of(position, seat), 10_000, threads=threads) for threads in (1, 2))
        assert rows(first) == rows(second)
        assert len(set(rows(first))) == len(first)


def test_more_worlds_than_the_limit_are_refused() -> None:
    knowledge = Knowledge.of(Position(random_deal(Rules(), N, Random(0))), S)
    with pytest.raises(InvalidInput, match="617512896 worlds fit what was seen, more than the limit of 1000"):
        all_worlds(knowledge, 1000)


# -- equally likely ---------------------------------------------------------------------------------------------------


def test_sampled_worlds_are_uniform_over_all() -> None:
    chosen = [case for case in small_cases() if 3 <= count_worlds(Knowledge.of(*case)) <= 400]
    assert len(chosen) > 40
    spread = 0.0
    for seed, (position, seat) in enumerate(chosen):
        knowledge = Knowledge.of(position, seat)
        place = {world: at for at, world in enumerate(rows(all_worlds(knowledge, 1000)))}
        number = 50 * len(place)
        sampled = rows(sample_worlds(knowledge, number, seed))
        counts = np.bincount([place[world] for world in sampled], minlength=len(place))
        free = len(place) - 1
        deviation = (float(((counts - 50) ** 2 / 50).sum()) - free) / (2 * free) ** 0.5
        assert deviation < 5, (position, seat)
        spread += deviation / len(chosen) ** 0.5
    assert abs(spread) < 4


def places_of(worlds: Worlds) -> dict[str, NDArray[np.uint64]]:
    hidden = {f"hand of {seat}": worlds.held[:, seat] for seat in worlds.knowledge.rules.seating.seats}
    return {**hidden, "kitty": worlds.kitty, "discard": worlds.discard.astype(np.uint64)}


def test_everything_hidden_varies_where_it_can() -> None:
    random, some = Random(4), 0
    for rules in EVERY_RULES:
        for position in decisions(random_position(rules, random)):
            seat = random.choice(rules.seating.seats)
            knowledge = Knowledge.of(position, seat)
            sampled = places_of(sample_worlds(knowledge, 300, 1))
            if count_worlds(knowledge) <= 3000:
                every = places_of(all_worlds(knowledge, 3000))
                can_vary = {place for place, words in every.items() if len(np.unique(words)) > 1}
            else:
                can_vary = {place for place, words in sampled.items() if words.any() and place != f"hand of {seat}"}
                if knowledge.discard is not None or not knowledge.discarded:
                    can_vary.remove("discard")
                # The upcard alone may be all that the dealer has, or be the discard for certain.
                if knowledge.upcard_at in ("dealer", "dealer or discard"):
                    can_vary -= {f"hand of {knowledge.dealer}", "discard"}
            varies = {place for place, words in sampled.items() if len(np.unique(words)) > 1}
            assert can_vary <= varies, (position, seat)
            some += 1
    assert some > 500


# -- the same for the same seed ---------------------------------------------------------------------------------------


def equal(one: Worlds, other: Worlds) -> bool:
    pairs = ((one.held, other.held), (one.dealt, other.dealt), (one.discard, other.discard), (one.kitty, other.kitty))
    return all(np.array_equal(mine, theirs) for mine, theirs in pairs)


def test_threads_and_prefixes_change_no_world() -> None:
    knowledge = Knowledge.of(random_position(Rules(), Random(12), 9), S)
    whole = sample_worlds(knowledge, 20_000, 7)
    assert all(equal(whole, sample_worlds(knowledge, 20_000, 7, threads=threads)) for threads in (2, 3))
    for number in (1, 100, 4096, 4097, 9000):
        assert equal(whole.take(slice(number)), sample_worlds(knowledge, number, 7))
    assert not equal(whole, sample_worlds(knowledge, 20_000, 8))


def test_worlds_can_be_drawn_from_any_number_on() -> None:
    knowledge = Knowledge.of(random_position(Rules(), Random(12), 9), S)
    whole = sample_worlds(knowledge, 10_000, 7)
    for first, number in ((1, 1), (3000, 7000), (4095, 5000)):
        for threads in (1, 2):
            some = sample_worlds(knowledge, number, 7, first=first, threads=threads)
            assert equal(whole.take(slice(first, first + number)), some)


@pytest.mark.parametrize("seed", [0, (1 << 64) - 1])
def test_the_largest_numbers_of_worlds_go_on_like_the_first(seed: int) -> None:
    knowledge, most = Knowledge.of(random_position(Rules(), Random(12), 9), S), 1 << 40
    last = sample_worlds(knowledge, 5000, seed, first=most, threads=2)
    assert equal(last.take(slice(100)), sample_worlds(knowledge, 101, seed, first=most - 1).take(slice(1, None)))
    assert not equal(last, sample_worlds(knowledge, 5000, seed))


def test_worlds_cannot_be_written_to() -> None:
    worlds = sample_worlds(Knowledge.of(Position(random_deal(Rules(), N, Random(0))), S), 5)
    for array in (worlds.held, worlds.dealt, worlds.discard, worlds.kitty, worlds.take([0, 1]).held):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_rows_can_be_taken() -> None:
    worlds = all_worlds(Knowledge.of(*small_cases()[0]), 10_000, weigh=lambda each: np.arange(len(each)) + 1.0)
    some = worlds.take([2, 0])
    assert rows(some) == [rows(worlds)[2], rows(worlds)[0]]
    assert some.weights is not None and some.weights.tolist() == [3.0, 1.0]
    assert not some.enumerated and some.count == worlds.count


# -- weights ----------------------------------------------------------------------------------------------------------


def test_weights_change_no_world_and_tell_the_effective_size() -> None:
    knowledge = Knowledge.of(Position(random_deal(Rules(), N, Random(0))), S)
    plain = sample_worlds(knowledge, 100, 3)
    assert plain.weights is None and plain.effective_size == 100
    weighed = sample_worlds(knowledge, 100, 3, weigh=lambda worlds: np.where(np.arange(len(worlds)) < 25, 2.0, 0.0))
    assert equal(plain, weighed)
    assert weighed.effective_size == 25
    mixed = sample_worlds(knowledge, 2, 3, weigh=lambda worlds: np.array([1.0, 3.0]))
    assert mixed.effective_size == pytest.approx(16 / 10)


def test_worlds_are_picked_by_their_weight_and_none_twice() -> None:
    knowledge = Knowledge.of(Position(random_deal(Rules(), N, Random(0))), S)
    plain = sample_worlds(knowledge, 100, 3)
    assert equal(plain.pick(10), plain.take(slice(10)))
    weights = np.random.default_rng(1).permutation(np.arange(4000) % 4).astype(np.float64)
    weighed = sample_worlds(knowledge, 4000, 3, weigh=lambda worlds: weights)
    picked = weighed.pick(1000)
    assert picked.weights is None and len(picked) == 1000 and not picked.enumerated and picked.count == weighed.count
    number = {tuple(dealt): row for row, dealt in enumerate(weighed.dealt.tolist())}
    chosen = [number[tuple(dealt)] for dealt in picked.dealt.tolist()]
    assert len(set(chosen)) == 1000
    shares = np.bincount(weights[chosen].astype(int), minlength=4)
    assert shares == pytest.approx([0, 1000 / 6, 1000 / 3, 1000 / 2], abs=60)


def test_where_few_worlds_have_all_the_weight_fewer_are_picked() -> None:
    knowledge = Knowledge.of(Position(random_deal(Rules(), N, Random(0))), S)
    few = sample_worlds(knowledge, 100, 3, weigh=lambda worlds: np.where(np.arange(len(worlds)) < 7, 2.0, 0.0))
    assert equal(few.pick(50), few.take(slice(7)))


def test_weights_that_are_none_are_refused() -> None:
    knowledge = Knowledge.of(Position(random_deal(Rules(), N, Random(0))), S)
    with pytest.raises(InvalidInput, match="none has a weight") as error:
        sample_worlds(knowledge, 4, weigh=lambda worlds: np.zeros(len(worlds)))
    assert error.value.faults[0].code == "world.none"
    for wrong in (np.ones(3), np.array([1, 1, 1, -1.0]), np.array([1, 1, 1, np.nan])):
        with pytest.raises(ValueError, match="4 weights"):
            sample_worlds(knowledge, 4, weigh=lambda worlds, wrong=wrong: wrong)


@pytest.mark.parametrize(
    ("number", "options", "path"),
    [
        (0, {}, "worlds"),
        (-1, {}, "worlds"),
        (1, {"seed": -1}, "seed"),
        (1, {"seed": 1 << 64}, "seed"),
        (1, {"first": -1}, "first"),
        (1, {"first": (1 << 40) + 1}, "first"),
        (1, {"threads": 0}, "threads"),
    ],
)
def test_zero_worlds_and_other_numbers_out_of_range_are_refused(
    number: int, options: dict[str, int], path: str
) -> None:
    knowledge = Knowledge.of(Position(random_deal(Rules(), N, Random(0))), S)
    with pytest.raises(InvalidInput) as error:
        sample_worlds(knowledge, number, **options)
    assert [(fault.code, fault.path) for fault in error.value.faults] == [("field.invalid", (path,))]
