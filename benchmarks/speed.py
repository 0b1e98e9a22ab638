"""What the kernel costs: every kind of deal, every entry point, threads. Times are the least of several runs on one
core where not said otherwise; nodes are cards played by the search.

python -m benchmarks.speed [--deals 20000] [--rounds 9]
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from statistics import median

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import KINDS, Deals, random_deals
from benchmarks.slowest import nodes_of_each, slowest_deals
from solver import DECKS, classify_batch, solve_batch, solve_contracts
from solver.engine.coordinates import batch_words, coordinates
from solver.engine.search import Search
from solver.game.cards import CardSet, Suit
from solver.game.order import card_order
from solver.game.rules import Rules

DEALER, ELDEST = 0, 1


def times(work: Callable[[], object], rounds: int) -> list[float]:
    """Seconds of each round."""
    taken = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return taken


def full_table(number: int, seed: int) -> tuple[NDArray[np.generic], ...]:
    """Deals of a 24-card deck with an upcard, dealer N, and every contract that their auction can end in."""
    random = np.random.default_rng(seed)
    bits = np.array([card.bit for card in DECKS[24]], dtype=np.uint64)
    order = random.permuted(np.tile(bits, (number, 1)), axis=1)
    hands = np.bitwise_or.reduce(order[:, :20].reshape(number, 4, 5), axis=2)
    upcard = order[:, 20]
    up_suit = np.log2(upcard.astype(np.float64)).astype(np.int64) // 8
    contracts = []
    for turn in range(4):
        suit = (up_suit + turn) % 4
        for out in (-1, 2, 3, 0, 1):  # the team, and each maker alone
            leader = ELDEST if out != ELDEST else ELDEST + 1
            taker = DEALER if turn == 0 and out != DEALER else -1
            contracts.append((suit, *(np.full(number, each) for each in (leader, out, taker))))
    trump, leader, sitting_out, taker = (np.stack(column, axis=1) for column in zip(*contracts, strict=True))
    return (
        hands,
        upcard,
        trump.astype(np.uint8),
        leader.astype(np.uint8),
        sitting_out.astype(np.int8),
        taker.astype(np.int8),
    )


def card_arguments(deals: Deals) -> list[tuple[list[int], int]]:
    """The deals as `Search.solve` takes them."""
    where = [coordinates(card_order(Rules(), suit)) for suit in Suit]
    return [
        ([where[trump].word(CardSet(int(hand))) for hand in hands], int(leader))
        for hands, trump, leader in zip(deals.hands, deals.trump, deals.leader, strict=True)
    ]


def by_kind(number: int, rounds: int) -> None:
    click.echo(f"{'kind':<14} {'us':>7} {'nodes: mean':>12} {'p50':>6} {'p99':>6} {'max':>6}")
    kinds = {kind: make(number, 3) for kind, make in KINDS.items()}
    kinds["slowest"] = slowest_deals()
    for kind, deals in kinds.items():
        nodes = nodes_of_each(deals)
        taken = min(times(lambda deals=deals: solve_batch(*deals), rounds)) / deals.number * 1e6
        p50, p99 = np.percentile(nodes, [50, 99])
        click.echo(f"{kind:<14} {taken:7.2f} {nodes.mean():12.1f} {p50:6.0f} {p99:6.0f} {nodes.max():6}")


def one_by_one(number: int, rounds: int) -> None:
    """Each deal timed by itself, the least of the rounds: what a single solve costs at best, median and worst."""
    deals = random_deals(number, 3)
    words, tricks, search = batch_words(), np.zeros(number, dtype=np.uint8), Search()
    least = np.full(number, np.inf)
    for _ in range(rounds):
        for row in range(number):
            search.forget()
            started = time.perf_counter_ns()
            search.solve_many(*deals, words, tricks, row, row + 1)
            least[row] = min(least[row], time.perf_counter_ns() - started)
    p50, p99 = np.percentile(least, [50, 99]) / 1e3
    click.echo(
        f"one by one: mean {least.mean() / 1e3:.2f} us, p50 {p50:.2f}, p99 {p99:.2f}, max {least.max() / 1e3:.2f}"
    )


def by_entry_point(number: int, rounds: int) -> None:
    """Every entry point against one exact solve of a random four-handed deal, in turns."""
    deals = random_deals(number, 4)
    maker = np.random.default_rng(4).integers(0, 4, number)
    few = min(number, 2_000)
    tables = full_table(few, 4)
    positions = card_arguments(deals.rows(slice(few)))
    search = Search()
    works: dict[str, tuple[int, Callable[[], object]]] = {
        "exact tricks": (number, lambda: solve_batch(*deals)),
        "class of tricks": (number, lambda: classify_batch(*deals[:3], maker, deals.sitting_out)),
        "full contract table": (few, lambda: solve_contracts(*tables)),
        "one position, solve": (few, lambda: [search.solve(*each) for each in positions]),
        "one position, all cards": (few, lambda: [search.solve_cards(*each) for each in positions]),
    }
    ratios: dict[str, list[float]] = {name: [] for name in works}
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, (rows, work) in works.items():
            taken[name].append(min(times(work, 1)) / rows * 1e6)
            ratios[name].append(taken[name][-1] / taken["exact tricks"][-1])
    click.echo(f"{'entry point':<26} {'us':>8} {'x exact (median)':>17}")
    for name in works:
        click.echo(f"{name:<26} {min(taken[name]):8.2f} {median(ratios[name]):17.2f}")
    nodes = []
    for solve in (search.solve, search.solve_cards):
        before = search.nodes
        for each in positions:
            search.forget()
            solve(*each)
        nodes.append((search.nodes - before) / few)
    click.echo(f"nodes of a position: {nodes[0]:.1f} exact, {nodes[1]:.1f} all cards, x {nodes[1] / nodes[0]:.2f}")


def by_threads(rounds: int) -> None:
    """Wall time, which needs two idle cores, and processor time, which does not: what threads cost each other."""
    deals = random_deals(400_000, 5)
    wall: dict[int, list[float]] = {1: [], 2: []}
    cpu: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for threads in wall:
            started = time.process_time()
            wall[threads] += times(lambda threads=threads: solve_batch(*deals, threads=threads), 1)
            cpu[threads].append(time.process_time() - started)
    least, work = {n: min(wall[n]) for n in wall}, {n: min(cpu[n]) for n in cpu}
    click.echo(
        f"two threads: x {least[1] / least[2]:.2f} by the clock, x {2 * work[1] / work[2]:.2f} by processor time"
    )


@click.command()
@click.option("--deals", "number", default=20_000, show_default=True)
@click.option("--rounds", default=9, show_default=True)
def main(number: int, rounds: int) -> None:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    by_kind(number, rounds)
    one_by_one(min(number, 5_000), rounds)
    by_entry_point(number, rounds)
    os.sched_setaffinity(0, cores)
    if len(cores) > 1:
        by_threads(rounds)


if __name__ == "__main__":
    main()
