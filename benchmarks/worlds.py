"""Worlds sampled a minute at random decisions, dealt and not solved; or random deals, every world replayed.

python -m benchmarks.worlds [--decisions 500] [--worlds 100000] [--threads 2]
python -m benchmarks.worlds --replay 1000
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median
from time import perf_counter

import click

from solver.game.auction import discards
from solver.game.deal import random_deal
from solver.game.position import Decision, Position
from solver.game.rules import PRESETS, with_options
from solver.knowledge.places import puzzle
from solver.knowledge.seen import Knowledge
from solver.knowledge.worlds import sample_worlds

RULES = [with_options(rules, {"deck": deck}) for rules in PRESETS.values() for deck in (24, 25, 28, 32, 33)]


def after_random_action(position: Position, random: Random) -> Position:
    auction = position.auction
    assert auction is not None
    hand = position.deal.hands[auction.to_act if auction.to_act is not None else auction.dealer]
    assert hand is not None
    match position.decision:
        case Decision.BID:
            bids = auction.legal_bids(hand)
            return position.after(bid=bids[0] if random.random() < 0.6 else random.choice(bids))
        case Decision.DISCARD:
            return position.after(discard=random.choice(discards(auction, hand)))
    return position.after(card=random.choice(list(position.play().legal())))


def decisions(random: Random) -> Iterator[Position]:
    """Every position of random deals played at random, under every preset with every deck in turn; for ever."""
    while True:
        for rules in RULES:
            position = Position(random_deal(rules, random.choice(rules.seating.seats), random))
            yield position
            while position.decision != Decision.OVER:
                position = after_random_action(position, random)
                yield position


def speed(number: int, worlds: int, threads: int) -> None:
    random, rates, splits, preparing, dealing = Random(1), [], [], 0.0, 0.0
    every = decisions(random)
    while len(rates) < number:
        position = next(every)
        if random.random() < 0.8:  # fewer of a deal, from more deals
            continue
        knowledge = Knowledge.of(position, position.to_act or random.choice(position.rules.seating.seats))
        start = perf_counter()
        splits.append(len(puzzle(knowledge).splits))
        ready = perf_counter()
        sample_worlds(knowledge, worlds, threads=threads)
        end = perf_counter()
        preparing, dealing = preparing + ready - start, dealing + end - ready
        rates.append(60e-6 * worlds / (end - start))
    total = 60e-6 * number * worlds / (preparing + dealing)
    click.echo(
        f"{number} decisions, {worlds} worlds each, {threads} threads: {total:.0f} million worlds a minute; "
        f"slowest decision {min(rates):.0f}, median {median(rates):.0f}"
    )
    click.echo(f"preparing a decision: {1000 * preparing / number:.2f} ms, of at most {max(splits)} splits")


def replay(deals: int) -> None:
    random, checked, seen = Random(2), 0, 0
    for position in decisions(random):
        if position.decision == Decision.BID and not position.bids:
            seen += 1
            if seen > deals:
                break
        for seat in position.rules.seating.seats:
            knowledge = Knowledge.of(position, seat)
            worlds = sample_worlds(knowledge, 4, random.randrange(1 << 32))
            for row in range(len(worlds)):
                world = worlds.position(row)
                if world.problems() or Knowledge.of(world, seat) != knowledge:
                    raise SystemExit(f"not what {seat} saw: {world}\n{position}\n{world.problems()}")
            checked += len(worlds)
    click.echo(f"{deals} deals, {checked} worlds: all are legal and show what was seen")


@click.command()
@click.option("--decisions", "number", default=500, show_default=True)
@click.option("--worlds", default=100_000, show_default=True)
@click.option("--threads", default=2, show_default=True)
@click.option("--replay", "deals", default=0, help="Replay every world of so many deals instead.")
def main(number: int, worlds: int, threads: int, deals: int) -> None:
    if deals:
        replay(deals)
    else:
        speed(number, worlds, threads)


if __name__ == "__main__":
    main()
