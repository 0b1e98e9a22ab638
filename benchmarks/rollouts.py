"""What a rollout costs, and what more worlds for each decision buy.

python -m benchmarks.rollouts [--deals 20000] [--decisions 2000]

Random deals, hearts trump, N and S the makers, E leads; one thread. First the time of rollouts from the opening lead
on, that decision included, and of valuing one world with all cards seen. Then how far the makers' mean points are from
those of rollouts with the most worlds a decision. Last the loss of a decision in points, by the means over 1,000 other
worlds that fit what the seat sees: what the best card has there less what the chosen card has, for opening leads and
for the sixth card played.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import random_deals
from solver import Card, CardSet, Play, Rules, Seat
from solver.engine.playout import card_values, choices, inner_worlds, rollouts
from solver.game.cards import Suit
from solver.game.order import card_order

INNER = (1, 2, 4, 8, 16, 32, 64)
REFERENCE = 1_000
POINTS = np.array([-2, -2, -2, 1, 1, 2])
MAKERS = (Seat.N, Seat.S)
SEEN = {"out": [0, 0, 0, 0], "taken": None}


def opening() -> Play:
    rules = Rules()
    return Play(card_order(rules, Suit.HEARTS), rules.seating, [None] * 4, Seat.E)


def milliseconds(work: Callable[[], object], rows: int) -> float:
    """Of this process for one row; the least of three times."""
    times = []
    for _ in range(3):
        start = process_time()
        work()
        times.append(process_time() - start)
    return 1000 * min(times) / rows


def after_cards(hands: NDArray[np.uint64], row: int, number: int) -> tuple[Play, NDArray[np.uint64]]:
    """The play of a deal after that many cards chosen from eight worlds each, and the hands then, as one row."""
    play, held = opening(), hands[None].copy()
    for _ in range(number):
        card = Card(int(choices(play, held, MAKERS, points=POINTS, first=row, **SEEN)[0]))
        held[0, play.to_act] ^= np.uint64(card.bit)
        play.push(card)
    return play, held


def loss(play: Play, held: NDArray[np.uint64], row: int) -> list[float] | None:
    """Points lost for each of `INNER`; None if the card is forced."""
    hand = CardSet(int(held[0, play.to_act]))
    cards = list(play.order.legal(hand, play.led))
    if len(cards) == 1:
        return None
    worlds = inner_worlds(play, held, number=REFERENCE, seed=99, first=row, **SEEN)[0]
    won = sum(trick.winner in MAKERS for trick in play.tricks)
    means = POINTS[won + card_values(play, worlds, cards, MAKERS)].mean(axis=0)
    means = means if play.to_act in MAKERS else -means
    chosen = [
        int(choices(play, held, MAKERS, points=POINTS, inner=inner, seed=inner, first=row, **SEEN)[0])
        for inner in INNER
    ]
    return [float(means.max() - means[cards.index(Card(index))]) for index in chosen]


@click.command()
@click.option("--deals", "number", default=20_000, show_default=True)
@click.option("--decisions", default=2_000, show_default=True)
def main(number: int, decisions: int) -> None:
    held = random_deals(number, 5).hands
    play = opening()
    for depth in (0, 1, 2, 5):
        for inner in INNER if depth == 5 else (8,):
            taken = milliseconds(
                lambda inner=inner, depth=depth: rollouts(
                    play, held, None, MAKERS, points=POINTS, inner=inner, depth=depth, **SEEN
                ),
                number,
            )
            click.echo(f"{inner:3} worlds a decision, {depth} tricks: {taken:.4f} ms a rollout")
    same = np.tile(held[0], (number, 1))
    same[:] = inner_worlds(play, held[:1], number=number, **SEEN)[0]
    cards = list(CardSet(int(held[0, Seat.E])))
    seen = milliseconds(lambda: card_values(play, same, cards, MAKERS), number)
    click.echo(f"all five leads with all cards seen: {seen:.4f} ms a world")
    many = POINTS[rollouts(play, held, None, MAKERS, points=POINTS, inner=INNER[-1], **SEEN)[:, 0]]
    for depth, inner in ((0, 1), (1, 8), (2, 8), *((5, inner) for inner in INNER[:-1])):
        tricks = rollouts(play, held, None, MAKERS, points=POINTS, inner=inner, depth=depth, seed=1, **SEEN)
        apart = POINTS[tricks[:, 0]] - many
        error = apart.std() / number**0.5
        click.echo(
            f"{inner:3} worlds, {depth} tricks: {apart.mean():+.3f} ± {error:.3f} points from {INNER[-1]} worlds"
        )
    for name, played in (("opening lead", 0), ("sixth card", 5)):
        losses = [
            each for row in range(decisions) if (each := loss(*after_cards(held[row], row, played), row)) is not None
        ]
        means = np.mean(losses, axis=0)
        click.echo(f"{name}, {len(losses)} decisions, points lost:")
        for inner, mean in zip(INNER, means, strict=True):
            click.echo(f"{inner:3} worlds: {mean:.4f}")


if __name__ == "__main__":
    main()
