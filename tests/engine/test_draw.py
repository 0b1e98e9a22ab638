"""Drawing by number: numbers are uniform and follow from seed and row, and every number is another world."""

from __future__ import annotations

from itertools import combinations, product
from math import comb, prod

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.engine.draw import draw_numbers, place_cards

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def numbers(seed: int, below: int, rows: int, start: int = 0) -> NDArray[np.uint64]:
    drawn = np.zeros(rows, dtype=np.uint64)
    draw_numbers(seed, below, start, drawn)
    return drawn


def mix(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


def by_hand(seed: int, below: int, row: int) -> int:
    word = mix(mix(seed + GOLDEN & WORD) + GOLDEN * row & WORD)
    bits = max(1, (below - 1).bit_length())
    while word >> (64 - bits) >= below:
        word = mix(word + GOLDEN & WORD)
    return word >> (64 - bits)


@pytest.mark.parametrize("below", [1, 2, 3, 7, 1 << 20, (1 << 40) + 1, 617512896, (1 << 63) - 1, 1 << 63, WORD])
@pytest.mark.parametrize("seed", [0, 1, 12345, WORD])
def test_numbers_are_those_of_splitmix(seed: int, below: int) -> None:
    drawn = numbers(seed, below, 50)
    assert drawn.tolist() == [by_hand(seed, below, row) for row in range(50)]
    assert int(drawn.max()) < below


def test_the_generator_is_splitmix64() -> None:
    # The first words of the stream of 1234567, as published for implementations to compare with.
    state, words = 1234567, []
    for _ in range(3):
        state = state + GOLDEN & WORD
        words.append(mix(state))
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_a_row_has_its_number_wherever_it_is_drawn() -> None:
    whole = numbers(5, 1000, 300)
    assert np.array_equal(whole, np.concatenate([numbers(5, 1000, 100, start) for start in (0, 100, 200)]))
    assert not np.array_equal(whole, numbers(6, 1000, 300))


@pytest.mark.parametrize("below", [2, 3, 7, 24, 100, 1000])
def test_numbers_are_uniform(below: int) -> None:
    rows = 1000 * below
    counts = np.bincount(numbers(7, below, rows).astype(np.int64), minlength=below)
    square = float(((counts - 1000) ** 2 / 1000).sum())
    free = below - 1
    assert abs(square - free) < 4.5 * (2 * free) ** 0.5


def test_pairs_of_successive_numbers_are_uniform() -> None:
    drawn = numbers(11, 10, 200_001).astype(np.int64)
    counts = np.bincount(10 * drawn[:-1] + drawn[1:], minlength=100)
    assert abs(float(((counts - 2000) ** 2 / 2000).sum()) - 99) < 4.5 * (2 * 99) ** 0.5


# Splits of two groups, of 4 and 3 cards, over three places.
SPLITS = np.array([[[2, 0], [1, 1], [1, 2]], [[0, 2], [3, 0], [1, 1]], [[1, 1], [1, 1], [2, 1]]], dtype=np.uint8)
CARDS = np.array([0, 3, 9, 32, 5, 17, 30], dtype=np.uint8)
GROUPS = (0, 3, 9, 32), (5, 17, 30)


def worlds_of(split: NDArray[np.uint8]) -> int:
    ways = 1
    for group in split.T.tolist():
        ways *= prod(comb(sum(group[at:]), cards) for at, cards in enumerate(group))
    return ways


def test_every_number_is_another_world_of_its_split() -> None:
    sizes = [worlds_of(split) for split in SPLITS]
    first = np.array([0, *np.cumsum(sizes)[:-1]], dtype=np.uint64)
    placed = np.zeros((sum(sizes), 3), dtype=np.uint64)
    place_cards(np.arange(sum(sizes), dtype=np.uint64), first, SPLITS, CARDS, placed)
    rows = [tuple(row) for row in placed.tolist()]
    assert len(set(rows)) == len(rows)
    expected = []
    for split in SPLITS.tolist():
        for places in product(range(3), repeat=7):
            words = [
                sum(1 << int(card) for card, at in zip(CARDS, places, strict=True) if at == each) for each in range(3)
            ]
            counts = [[sum(words[each] >> card & 1 for card in group) for group in GROUPS] for each in range(3)]
            if counts == split:
                expected.append(tuple(words))
    assert sorted(rows) == sorted(expected)
    for number, row in enumerate(rows):
        split = SPLITS[int(np.searchsorted(first, number, side="right")) - 1]
        assert [[sum(word >> card & 1 for card in group) for group in GROUPS] for word in row] == split.tolist()


@pytest.mark.parametrize("wanted", range(7))
def test_choices_of_cards_are_in_lexicographic_order(wanted: int) -> None:
    cards = np.array([3, 0, 30, 9, 32, 17], dtype=np.uint8)
    chosen = list(combinations(cards.tolist(), wanted))
    placed = np.zeros((len(chosen), 2), dtype=np.uint64)
    split = np.array([[[wanted], [6 - wanted]]], dtype=np.uint8)
    place_cards(np.arange(len(chosen), dtype=np.uint64), np.zeros(1, dtype=np.uint64), split, cards, placed)
    assert placed[:, 0].tolist() == [sum(1 << card for card in each) for each in chosen]
    assert (placed.sum(axis=1) == sum(1 << card for card in cards.tolist())).all()


def test_cards_that_no_array_holds_are_refused() -> None:
    none = np.zeros(0, dtype=np.uint64)
    with pytest.raises(ValueError, match="0 splits"):
        place_cards(none, none, SPLITS[:0], CARDS, np.zeros((0, 3), dtype=np.uint64))
    with pytest.raises(ValueError, match="34 cards"):
        place_cards(none, none[:0], SPLITS, np.zeros(34, dtype=np.uint8), np.zeros((0, 3), dtype=np.uint64))
