"""Memory over a million deals: resident size before and after each block of them.

python -m benchmarks.memory [--deals 1000000]
"""

from __future__ import annotations

import os
from pathlib import Path

import click

from benchmarks.corpus import random_deals
from solver import solve_batch

BLOCK = 100_000


def resident() -> float:
    """MB of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@click.command()
@click.option("--deals", "number", default=1_000_000, show_default=True)
@click.option("--threads", default=2, show_default=True)
def main(number: int, threads: int) -> None:
    solve_batch(*random_deals(BLOCK, 0), threads=threads)  # what is allocated once, and one block's arrays
    before = resident()
    for block in range(number // BLOCK):
        solve_batch(*random_deals(BLOCK, block + 1), threads=threads)
    after = resident()
    click.echo(
        f"{number} deals: {before:.1f} MB after the first block, {after:.1f} MB at the end, {after - before:+.1f} MB"
    )


if __name__ == "__main__":
    main()
