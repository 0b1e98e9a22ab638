"""Do reviews measure skill, and take out luck? And what do they cost?

python -m benchmarks.review [--noise 0 --noise 0.1 …] [--deals 120] [--depth fast] [--workers 2]
python -m benchmarks.review --time tests/data/egn/game04.egn [--threads 2]

In the first form N and S are strong players who with the chance ``--noise`` take any legal action at random instead; E
and W are strong. Random deals, each a game of its own from nothing to nothing; every level of noise is played on the
same deals. Errors are points a deal (of a side) or an unforced decision, by the worlds held out; ± is a standard error
over deals. What N and S lost to E and W is the other side's result, raw and luck-adjusted: the errors should add up to
it. The ratio is that of the variances of the two.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean, variance
from typing import NamedTuple

import click

from solver import (
    Bid,
    Card,
    DealRecord,
    Decision,
    GameRecord,
    Knowledge,
    Player,
    Position,
    Review,
    Rules,
    Side,
    preset,
    random_deal,
    review,
)
from solver.analysis.review.depths import DEPTHS
from solver.logs import read
from solver.player import legal_actions

LEVELS = (0.0, 0.05, 0.2, 0.5, 1.0)


class Row(NamedTuple):
    """One deal: errors of N and S, and of E and W; unforced decisions of N and S; what N and S got."""

    noisy: float
    strong: float
    plain: float
    noisy_decisions: int
    strong_decisions: int
    raw: float
    adjusted: float


def act(player: Player, knowledge: Knowledge, noise: float, random: Random) -> Bid | Card:
    if random.random() < noise:
        return random.choice(list[Bid | Card](legal_actions(knowledge)))
    return player.act(knowledge)


def played(rules: Rules, noise: float, number: int) -> Position:
    """Deal ``number``: the same cards at every level of noise."""
    random = Random(f"deal {number}")
    slips = Random(f"noise {number}")
    position = Position(random_deal(rules, random.choice(rules.seating.seats), random))
    player = Player(rules, seed=number)
    while position.decision != Decision.OVER:
        seat = position.to_act
        assert seat is not None
        noisy = rules.seating.side(seat) == Side.NS
        action = act(player, Knowledge.of(position, seat), noise if noisy else 0.0, slips)
        if isinstance(action, Bid):
            position = position.after(bid=action)
        elif position.decision == Decision.DISCARD:
            position = position.after(discard=action)
        else:
            position = position.after(card=action)
    return position


def row(job: tuple[float, int, str]) -> Row:
    noise, number, depth = job
    rules = preset("american")
    record = GameRecord(rules, (DealRecord(1, played(rules, noise, number)),))
    found = review(record, settings=depth, seed=number)
    ours, theirs = found.sides
    plain = sum(each.error.mean for each in found.deals[0].decisions if rules.seating.side(each.seat) == Side.NS)
    return Row(
        ours.account.total.error,
        theirs.account.total.error,
        plain,
        ours.account.total.unforced,
        theirs.account.total.unforced,
        ours.balance.points.result,
        ours.balance.points.adjusted,
    )


def report(noise: float, rows: Sequence[Row]) -> str:
    def mean(values: Sequence[float]) -> str:
        return f"{fmean(values):+.3f} ± {(variance(values) / len(values)) ** 0.5:.3f}"

    noisy, strong = [each.noisy for each in rows], [each.strong for each in rows]
    per_decision = sum(noisy) / sum(each.noisy_decisions for each in rows)
    of_strong = sum(strong) / sum(each.strong_decisions for each in rows)
    raw, adjusted = [each.raw for each in rows], [each.adjusted for each in rows]
    ratio = variance(raw) / variance(adjusted)
    return (
        f"| {noise:g} | {len(rows)} | {per_decision:+.4f} | {mean(noisy)} | {mean([each.plain for each in rows])} "
        f"| {of_strong:+.4f} | {mean(strong)} | {mean(raw)} | {mean(adjusted)} | {ratio:.1f} |"
    )


def rows_of(noise: float, deals: int, depth: str, workers: int) -> Iterator[Row]:
    jobs = [(noise, number, depth) for number in range(deals)]
    if workers == 1:
        yield from map(row, jobs)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(row, jobs, chunksize=4)


def cost(path: Path, threads: int) -> Iterator[str]:
    """What each depth costs for a game, in seconds of processor and of the clock."""
    (record, *_) = read(path)
    review(record, settings="fast")  # what is loaded once
    for depth in DEPTHS:
        processor, clock = time.process_time(), time.perf_counter()
        found: Review = review(record, settings=depth, threads=threads)
        processor, clock = time.process_time() - processor, time.perf_counter() - clock
        decisions = sum(len(deal.decisions) for deal in found.deals)
        yield f"| {depth} | {len(found.deals)} | {decisions} | {processor:.1f} | {clock:.1f} |"


@click.command()
@click.option("--noise", "levels", multiple=True, type=click.FloatRange(0, 1), default=LEVELS, show_default=True)
@click.option("--deals", default=120, show_default=True)
@click.option("--depth", type=click.Choice(list(DEPTHS)), default="fast", show_default=True)
@click.option("--workers", default=1, show_default=True)
@click.option("--time", "timed", type=click.Path(exists=True, path_type=Path), help="Time the review of a game.")
@click.option("--threads", default=2, show_default=True, help="For --time.")
def main(levels: Sequence[float], deals: int, depth: str, workers: int, timed: Path | None, threads: int) -> None:
    if timed is not None:
        click.echo("| depth | deals | decisions reviewed | processor, s | clock, s |\n|---|---:|---:|---:|---:|")
        for line in cost(timed, threads):
            click.echo(line)
        return
    click.echo(
        "| noise | deals | error a decision | error a deal | the same, against the best of the same worlds "
        "| strong side: a decision | a deal | result | adjusted | variances |\n|" + "---:|" * 10
    )
    for noise in levels:
        click.echo(report(noise, list(rows_of(noise, deals, depth, workers))))


if __name__ == "__main__":
    main()
