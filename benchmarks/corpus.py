"""Seeded random deals as the arrays that `solver.solve_batch` takes. The same seed gives the same deals for ever."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver import DECKS, Seat

HAND = 5


class Deals(NamedTuple):
    """``hands`` uint64[n, 4], ``trump`` and ``leader`` uint8[n], ``sitting_out`` int8[n]; cards as in `solve_batch`."""

    hands: NDArray[np.uint64]
    trump: NDArray[np.uint8]
    leader: NDArray[np.uint8]
    sitting_out: NDArray[np.int8]

    @property
    def number(self) -> int:
        return len(self.hands)

    def rows(self, chosen: NDArray[np.intp] | slice) -> Deals:
        return Deals(self.hands[chosen], self.trump[chosen], self.leader[chosen], self.sitting_out[chosen])


def random_deals(number: int, seed: int = 1, deck: int = 24, seats: int = 4, lone: bool = False) -> Deals:
    """Uniform deals as play begins: random trump and leader; ``lone``: a random other seat sits out."""
    random = np.random.default_rng([seed, deck, seats, lone])
    cards = np.array([card.index for card in DECKS[deck]], dtype=np.uint8)
    # The first places of a random order of the deck, by sorting random keys: one row a deal.
    order = np.argsort(random.random((number, len(cards)), dtype=np.float32), axis=1)[:, : HAND * seats]
    bits = np.uint64(1) << cards[order].astype(np.uint64)
    dealt = np.bitwise_or.reduce(bits.reshape(number, seats, HAND), axis=2)
    taken = [Seat.N, Seat.E, Seat.S, Seat.W] if seats == 4 else [Seat.N, Seat.S]
    hands = np.zeros((number, 4), dtype=np.uint64)
    hands[:, taken] = dealt
    trump = random.integers(0, 4, number, dtype=np.uint8)
    leader = np.array(taken, dtype=np.uint8)[random.integers(0, seats, number)]
    sitting_out = np.full(number, -1, dtype=np.int8)
    if lone:
        sitting_out = ((leader + random.integers(1, 4, number)) % 4).astype(np.int8)
    return Deals(hands, trump, leader, sitting_out)


#: What speed and nodes are measured on: name -> deals by number and seed.
KINDS = {
    "four-handed": random_deals,
    "lone": lambda number, seed: random_deals(number, seed, lone=True),
    "two-handed": lambda number, seed: random_deals(number, seed, seats=2),
    "25 cards": lambda number, seed: random_deals(number, seed, deck=25),
    "32 cards": lambda number, seed: random_deals(number, seed, deck=32),
}
