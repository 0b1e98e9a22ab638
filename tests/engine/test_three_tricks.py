"""The file of three-trick endings: it is what plain search says, what the program builds, and whole."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from solver.engine.build_three_tricks import arrangements, packed, shape_values
from solver.engine.search import Search
from solver.engine.three_tricks import BLOCKS, FILE, HEADER, ThreeTricks, kept_shapes, three_tricks

if TYPE_CHECKING:
    from pathlib import Path


def block(seats: int, mates: int) -> bytes:
    endings = ThreeTricks()
    start = HEADER
    for each in BLOCKS:
        if each == (seats, mates):
            return FILE.read_bytes()[start : start + endings.block_bytes(seats)]
        start += endings.block_bytes(each[0])
    raise LookupError((seats, mates))


def test_every_arrangement_has_a_number_of_its_own() -> None:
    for seats, number in ((4, 369_600), (3, 1680)):
        words = arrangements(ThreeTricks(), seats)
        assert len(words) == number
        assert len(np.unique(words)) == number


@pytest.mark.parametrize(("seats", "mates"), BLOCKS)
def test_a_random_sample_of_values_is_what_search_finds(seats: int, mates: int) -> None:
    rng = np.random.default_rng(seats + mates)
    values = np.frombuffer(block(seats, mates), dtype=np.uint8)
    words = arrangements(ThreeTricks(), seats)
    for base, lengths in ThreeTricks().shapes(seats):
        chosen = rng.choice(len(words), 300, replace=False)
        kept = values[(base + chosen) // 4] >> ((base + chosen) % 4 * 2) & 3
        search = Search(portable=True, without_file=True)
        assert (shape_values(lengths, seats, mates, words[chosen], search) == kept).all()


@pytest.mark.parametrize("shape", [(4, 3, 2, 3), (6, 6, 0, 0), (3, 1, 1, 7)])
def test_whole_shapes_are_what_the_program_builds(shape: tuple[int, int, int, int]) -> None:
    (base,) = (base for base, lengths in ThreeTricks().shapes(4) if lengths == shape)
    words = arrangements(ThreeTricks(), 4)
    built = packed(shape_values(shape, 4, 0b0101, words))
    assert block(4, 0b0101)[base // 4 : base // 4 + len(built)] == built


def test_blocks_of_three_seats_are_what_the_program_builds() -> None:
    words = arrangements(ThreeTricks(), 3)
    for seats, mates in BLOCKS[1:]:
        shapes = [shape_values(lengths, seats, mates, words) for _, lengths in ThreeTricks().shapes(seats)]
        assert packed(np.concatenate(shapes)) == block(seats, mates)


def test_shapes_are_those_of_a_deck_of_24() -> None:
    assert len(kept_shapes(12)) == 57
    for first, second, third, trumps in kept_shapes(12) + kept_shapes(9):
        assert 6 >= first >= second >= third
        assert trumps <= 7


def test_a_look_up_is_a_search_saved() -> None:
    with_file, without = Search(), Search(without_file=True)
    random = Random(3)
    for _ in range(50):
        hands = [0] * 4
        cards = random.sample([16 * lane + strength for lane in range(4) for strength in range(6)], 12)
        for at, card in enumerate(cards):
            hands[at % 4] |= 1 << card
        assert with_file.solve(hands, 0) == without.solve(hands, 0)
    assert with_file.nodes == 0 < without.nodes


def test_a_missing_file_is_a_loud_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="cannot be read"):
        ThreeTricks(tmp_path / "missing.bin")


@pytest.mark.parametrize("fault", ["empty", "short", "foreign", "damaged"])
def test_a_wrong_file_is_a_loud_error(tmp_path: Path, fault: str) -> None:
    content = bytearray(FILE.read_bytes())
    if fault == "damaged":
        content[len(content) // 2] ^= 1
    elif fault == "foreign":
        content[0] ^= 1
    file = tmp_path / "three_tricks.bin"
    file.write_bytes({"empty": b"", "short": content[:-1]}.get(fault, content))
    with pytest.raises(RuntimeError, match=r"three_tricks\.bin"):
        ThreeTricks(file)


def test_the_file_is_mapped_once() -> None:
    assert three_tricks() is three_tricks()
