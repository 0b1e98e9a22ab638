"""Exact tricks of random four-handed deals, against DDS: same deals, one core, one run, taken in turns.

python -m benchmarks.against_dds [--deals 20000] [--rounds 5]
"""

from __future__ import annotations

import os
import time
from statistics import median

import click
import numpy as np

from benchmarks import dds
from benchmarks.corpus import random_deals
from solver import solve_batch


@click.command()
@click.option("--deals", "number", default=20_000, show_default=True)
@click.option("--rounds", default=5, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(number: int, rounds: int, seed: int) -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    deals = random_deals(number, seed)
    dds.use_one_thread()
    boards = dds.boards_of(deals)
    solve_batch(*deals.rows(slice(100)))  # builds what is built once
    ratios, ours_at, theirs_at = [], [], []
    for _ in range(rounds):
        started = time.perf_counter()
        ours = solve_batch(*deals)
        middle = time.perf_counter()
        theirs = dds.solve(boards)
        ended = time.perf_counter()
        if not np.array_equal(ours, dds.ns_tricks(theirs, deals)):
            raise SystemExit("the answers differ")
        ours_at.append((middle - started) / number * 1e6)
        theirs_at.append((ended - middle) / number * 1e6)
        ratios.append(theirs_at[-1] / ours_at[-1])
    click.echo(f"{number} deals, {rounds} rounds, equal answers; medians:")
    click.echo(f"  rightbower  {median(ours_at):8.2f} us a deal")
    click.echo(f"  DDS         {median(theirs_at):8.2f} us a deal")
    click.echo(f"  ratio       {median(ratios):8.1f}   ({min(ratios):.1f} to {max(ratios):.1f})")


if __name__ == "__main__":
    main()
