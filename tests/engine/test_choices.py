"""What a seat of a rollout plays, against the plain reading of the words: draw, solve every card in each world, take
the best mean of points, of equal means the most tricks, then the cheapest card."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from solver.engine.playout import choices, inner_worlds, rollouts
from solver.engine.search import Search
from solver.game.cards import Card, CardSet
from solver.game.play import Play
from solver.game.seats import SEATINGS, Seat
from tests.engine.endings import SEATS, Ending, game_card, order_for, random_ending
from tests.oracles.minimax import deck

#: Tricks alone, makers, loners, a single step; the same in tenths, which are no binary fractions, and of no order.
POINTS = [
    ("0", "1", "2", "3", "4", "5"),
    ("-2", "-2", "-2", "1", "1", "2"),
    ("-2", "-2", "-2", "1", "1", "4"),
    ("0", "0", "0", "0", "0", "1"),
    ("0", "0", "0", "0", "0", "0"),
    ("-0.2", "-0.2", "-0.2", "0.1", "0.1", "0.2"),
    ("0.1", "0.1", "0.1", "0.7", "0.7", "0.9"),
    ("0.5", "0.1", "0.5", "0.1", "0.5", "0.1"),
]

#: Seats that play, and those whose tricks are counted.
TABLES = [("NESW", "NS"), ("NESW", "EW"), ("ESW", "EW"), ("NSW", "NS"), ("NES", "E"), ("NS", "N")]


@dataclass(frozen=True)
class Sight:
    """A position of any deck, with or without trump, and what its seats know besides the play."""

    ending: Ending
    out: list[int]
    taken: tuple[Seat, Card] | None
    hidden: bool

    @property
    def play(self) -> Play:
        sits_out = next((Seat[seat] for seat in SEATS if seat not in self.ending.active), None)
        alone = sits_out if len(self.ending.active) == 3 else None
        seating = SEATINGS[2 if len(self.ending.active) == 2 else 4]
        play = Play(
            order_for(self.ending.cards, self.ending.trump), seating, [None] * 4, Seat[self.ending.leader], alone
        )
        play.advance(map(game_card, self.ending.table))
        return play

    @property
    def held(self) -> list[int]:
        return [CardSet.of(map(game_card, self.ending.hands.get(seat, ()))).bits for seat in SEATS]

    @property
    def side(self) -> list[Seat]:
        return [Seat[seat] for seat in self.ending.side]

    @property
    def known(self) -> dict[str, object]:
        return {"out": self.out, "taken": self.taken, "hidden": self.hidden}


def random_sight(random: Random, active: str, side: str) -> Sight:
    trump = None if random.random() < 0.25 else "CDHS"
    cards = random.choice([24, 25, 28, 32, 33] if trump else [24, 28, 32])
    ending = random_ending(random, cards, random.choice([2, 3, 4, 4, 5, 5]), active, side, trump)
    used = frozenset().union(*ending.hands.values(), ending.table)
    kitty = [game_card(card) for card in deck(cards) if card not in used]
    out = [CardSet.of(random.sample(kitty, random.randrange(min(4, len(kitty))))).bits for _ in SEATS]
    taker = random.choice(active)
    taken = None
    hidden = random.random() < 0.5
    if random.random() < 0.5 and ending.hands[taker]:
        taken = (Seat[taker], game_card(random.choice(sorted(ending.hands[taker]))))
        if hidden and random.random() < 0.5:
            # Put away: the dealer alone knows.
            card = random.choice(kitty)
            out = [bits & ~card.bit for bits in out]
            taken = (Seat[taker], card)
    return Sight(ending, out, taken, hidden)


def best_card(sight: Sight, worlds: list[list[int]], points: tuple[str, ...], search: Search) -> Card:
    """The choice by the plain reading; of cards that only their suits tell apart that of the first suit.

    Where more than three tricks are left, and points depend on them, the tricks of four worlds tell equals apart.
    """
    sign = 1 if sight.ending.to_act in sight.ending.side else -1
    order = sight.play.order
    means: dict[str, Fraction] = {}
    tricks: dict[str, int] = {}
    left = max(len(hand) for hand in sight.ending.hands.values())
    four_do = left > 3 and any(points[won] != points[won - 1] for won in range(1, left + 1))
    for number, world in enumerate(worlds):
        hands = {seat: frozenset(map(str, CardSet(world[SEATS.index(seat)]))) for seat in sight.ending.active}
        for card, won in replace(sight.ending, hands=hands).answers(search).items():
            means[card] = means.get(card, Fraction(0)) + sign * Fraction(points[won])
            tricks[card] = tricks.get(card, 0) + (0 if four_do and number >= 4 else sign * won)

    def rank(text: str) -> tuple[Fraction, int, int]:
        card = game_card(text)
        is_trump = order.trump is not None and order.suit(card) == order.trump
        return -means[text], -tricks[text], order.strength(card) + 100 * is_trump

    return game_card(min(means, key=rank))


@pytest.mark.parametrize(("active", "side"), TABLES)
def test_the_choice_is_the_best_mean_over_the_worlds_drawn(active: str, side: str) -> None:
    random = Random(f"{active} {side}")
    search = Search()
    for _ in range(150):
        sight = random_sight(random, active, side)
        points = random.choice(POINTS)
        luck = {"seed": random.randrange(1 << 64), "first": random.randrange(1 << 63)}
        inner = random.choice([1, 2, 5, 8])
        worlds = inner_worlds(sight.play, [sight.held], number=inner, **luck, **sight.known)[0].tolist()
        chosen = choices(
            sight.play,
            [sight.held],
            sight.side,
            points=[float(each) for each in points],
            inner=inner,
            **luck,
            **sight.known,
        )
        assert Card(int(chosen[0])) == best_card(sight, worlds, points, search), (sight, points)


def test_points_in_other_units_change_no_choice() -> None:
    """Tenths of points are no binary fractions: equal means then differ in their last bits, and are equal all the
    same."""
    random = Random(2)
    for _ in range(40):
        sight = random_sight(random, "NESW", "NS")
        rows = np.array([sight.held] * 40, dtype=np.uint64)
        whole, tenths = (
            choices(sight.play, rows, sight.side, points=[each * unit for each in (-2, -2, -2, 1, 1, 2)], **sight.known)
            for unit in (1, 0.1)
        )
        assert whole.tolist() == tenths.tolist()


def test_who_knows_all_that_is_out_of_play_knows_where_a_hidden_upcard_is() -> None:
    hands = {"N": {"9C", "AD"}, "E": {"JH", "TC"}, "S": {"9D", "KS"}, "W": {"9S", "QC"}}
    ending = Ending(24, "H", "NESW", "NS", {seat: frozenset(hand) for seat, hand in hands.items()}, "N")
    used = frozenset().union(*ending.hands.values())
    out = CardSet.of(game_card(card) for card in deck(24) if card not in used).bits
    sight = Sight(ending, [out] * 4, (Seat.E, game_card("JH")), hidden=True)
    worlds = inner_worlds(sight.play, [sight.held], number=200, **sight.known)[0]
    assert (worlds[:, Seat.E] & np.uint64(game_card("JH").bit)).all()
    cards = [game_card("9C"), game_card("AD")]
    assert rollouts(sight.play, [sight.held], cards, sight.side, **sight.known).shape == (1, 2)
