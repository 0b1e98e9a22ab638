"""What advice costs: the opening lead of random deals by each method, worlds and threads.

python -m benchmarks.advice [--deals 200]
"""

from __future__ import annotations

import time
from random import Random
from statistics import median

import click

from solver import Position, analyze
from solver.game.rules import preset
from solver.match import Bidding, deal_of


def leads(number: int, seed: int) -> list[Position]:
    """Deals bid by the simple bidder, before the opening lead."""
    return [deal_of(preset("american"), seed, at, Bidding.FIXED) for at in range(number)]


@click.command()
@click.option("--deals", default=200, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(deals: int, seed: int) -> None:
    positions = leads(deals, seed)
    for position in positions:  # what is built once for each trump
        analyze(position, viewpoint=position.to_act, worlds=10)
    for method, worlds in (("pimc", 1000), ("pimc", 10_000), ("rollout", 100), ("rollout", 1000)):
        for threads in (1, 2):
            times, errors = [], []
            for position in Random(seed).sample(positions, min(deals, 50)):
                started = time.perf_counter()
                analysis = analyze(position, viewpoint=position.to_act, worlds=worlds, method=method, threads=threads)
                times.append(1000 * (time.perf_counter() - started))
                errors += [each.uncertainty.difference.stderr for each in analysis.options if each.uncertainty]
            click.echo(
                f"{method:<8} {worlds:>6} worlds, threads {threads}: median {median(times):7.1f} ms, "
                f"slowest {max(times):7.1f} ms; a difference's standard error up to {max(errors):.3f}"
            )


if __name__ == "__main__":
    main()
