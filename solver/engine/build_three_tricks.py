"""Builds the file of three-trick endings by plain search, shape after shape.

python -m solver.engine.build_three_tricks [--threads 2] [--out FILE]

Half a minute on two cores. The same file comes out on every machine; it is replaced only when complete.
"""

from __future__ import annotations

import os
import sys
import zlib
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from solver.engine.search import Search
from solver.engine.three_tricks import BLOCKS, FILE, HEADER, MAGIC, ThreeTricks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def shape_values(
    lengths: Sequence[int], seats: int, mates: int, words: NDArray[np.uint32], search: Search | None = None
) -> NDArray[np.uint8]:
    """Tricks of the leader's side for these arrangements of a shape, found by search."""
    values = np.zeros(len(words), dtype=np.uint8)
    (search or Search(without_file=True)).value_endings(lengths, seats, mates, words, values)
    return values


def arrangements(endings: ThreeTricks, seats: int) -> NDArray[np.uint32]:
    """Every arrangement of a shape, in the order of the file."""
    words = np.zeros(369_600, dtype=np.uint32)
    return words[: endings.words(seats, words)]


def packed(values: NDArray[np.uint8]) -> bytes:
    """Four values a byte, the first lowest."""
    fours = np.zeros(-(-len(values) // 4) * 4, dtype=np.uint8)
    fours[: len(values)] = values
    return bytes(fours[0::4] | fours[1::4] << 2 | fours[2::4] << 4 | fours[3::4] << 6)


def content(threads: int) -> bytes:
    """The whole file."""
    endings = ThreeTricks()
    blocks: list[bytes] = []
    for seats, mates in BLOCKS:
        words = arrangements(endings, seats)
        shapes = endings.shapes(seats)
        values: list[NDArray[np.uint8]] = []
        with ThreadPoolExecutor(threads) as pool:
            jobs = [pool.submit(shape_values, lengths, seats, mates, words) for _, lengths in shapes]
            for done, job in enumerate(jobs, 1):
                values.append(job.result())
                print(
                    f"\r{seats} seats, sides {mates:0{seats}b}: {done} of {len(jobs)} shapes", end="", file=sys.stderr
                )
        print(file=sys.stderr)
        blocks.append(packed(np.concatenate(values)))
    body = b"".join(blocks)
    return (MAGIC + zlib.crc32(body).to_bytes(4, "little")).ljust(HEADER, b"\0") + body


def main() -> None:
    parser = ArgumentParser(description="Build the file of three-trick endings.")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=FILE)
    options = parser.parse_args()
    options.out.parent.mkdir(exist_ok=True)
    part = options.out.with_suffix(".part")
    part.write_bytes(content(options.threads))
    part.replace(options.out)


if __name__ == "__main__":
    main()
