"""Worlds that fit what a seat has seen: counted, drawn uniformly, or all of them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from solver.engine.draw import draw_numbers, place_cards
from solver.errors import Fault, InvalidInput, refuse
from solver.game.cards import Card, CardSet
from solver.game.deal import Deal, hands_of
from solver.game.position import Position
from solver.game.seats import Seat
from solver.knowledge.places import DISCARD, KITTY, puzzle
from solver.knowledge.seen import Knowledge

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

#: Rows a thread takes at a time: what is worked on stays in the second level cache.
CHUNK = 1 << 12


@dataclass(frozen=True, eq=False)
class Worlds:
    """Worlds in rows, n of them. A card is the bit ``8 * suit + rank`` of a word, the Benny bit 32.

    ``held``: ``uint64[n, 4]``, what each seat holds now, N E S W; the hand of a seat that sits out too.
    ``dealt``: ``uint64[n, 4]``, the hands as dealt; without an upcard as play begins.
    ``discard``: ``int8[n]``, the index of the card that the dealer discarded, -1 where none was.
    ``kitty``: ``uint64[n]``, the undealt cards without the upcard; without an upcard all cards that are out of play.
    ``weights``: ``float64[n]``, how much each counts; None when all count alike.
    ``enumerated``: whether these are all worlds, each once. ``count``: how many fit, however many are here.

    The arrays cannot be written to.
    """

    knowledge: Knowledge
    held: NDArray[np.uint64]
    dealt: NDArray[np.uint64]
    discard: NDArray[np.int8]
    kitty: NDArray[np.uint64]
    weights: NDArray[np.float64] | None
    enumerated: bool
    count: int

    def sealed(self) -> Worlds:
        """These, with arrays that cannot be written to any more."""
        for array in (self.held, self.dealt, self.discard, self.kitty, self.weights):
            if array is not None:
                array.flags.writeable = False
        return self

    def __len__(self) -> int:
        return len(self.held)

    @property
    def effective_size(self) -> float:
        """How many equally weighted worlds would be worth as much."""
        return float(len(self)) if self.weights is None else effective_size(self.weights)

    def take(self, rows: ArrayLike | slice) -> Worlds:
        """Some of the rows, chosen as numpy chooses them; no longer all worlds."""
        at = rows if isinstance(rows, slice) else np.asarray(rows)
        return Worlds(
            self.knowledge,
            self.held[at],
            self.dealt[at],
            self.discard[at],
            self.kitty[at],
            self.weights[at] if self.weights is not None else None,
            enumerated=False,
            count=self.count,
        ).sealed()

    def pick(self, number: int) -> Worlds:
        """At most ``number`` of the rows, that many by their weight, and then counting all alike.

        None is picked twice: the heaviest row at most once, so that there are fewer where few rows have most of the
        weight. They lie at equal distances in the sum of the weights (Kitagawa, "Monte Carlo Filter", 1996, appendix).
        """
        if self.weights is None:
            return self.take(slice(number))
        kept = max(1, min(number, int(self.weights.sum() / self.weights.max())))
        reached = self.weights.cumsum() / self.weights.sum()
        at = np.searchsorted(reached, (np.arange(kept) + 0.5) / kept)
        return replace(self.take(np.minimum(at, len(self) - 1)), weights=None)

    def position(self, row: int) -> Position:
        """The world of one row with all that has happened: a `Position` with every hand and the discard."""
        seen, dealt = self.knowledge, self.dealt[row].tolist()
        hands = hands_of({seat: CardSet(dealt[seat]) for seat in seen.rules.seating.seats})
        discard = Card(int(self.discard[row])) if self.discard[row] >= 0 else None
        return Position(Deal(seen.rules, seen.dealer, seen.upcard, hands), seen.bids, seen.given, discard, seen.plays)


#: Gives each world a weight, ``float64[n]``: finite, none negative, not all zero.
Weigh = Callable[[Worlds], "NDArray[np.float64]"]


def effective_size(weights: NDArray[np.float64]) -> float:
    """How many equal weights are worth as much as these: (Σw)² / Σw² (Kish, "Survey Sampling", 1965)."""
    return float(weights.sum() ** 2 / np.square(weights).sum())


def count_worlds(knowledge: Knowledge) -> int:
    """How many worlds fit, exactly. Raises `InvalidInput` (``world.none``) if none does."""
    return puzzle(knowledge).count


def sample_worlds(
    knowledge: Knowledge, number: int, seed: int = 0, *, first: int = 0, threads: int = 1, weigh: Weigh | None = None
) -> Worlds:
    """``number`` worlds drawn independently and uniformly from all that fit: those from number ``first`` on.

    World i follows from the knowledge, the seed (0 to 2**64 - 1) and i alone: neither the number of threads nor of rows
    changes it. With ``weigh`` the worlds are the same, and count by the weights that it gives them.

    Raises `InvalidInput` if no world fits, or none has a weight.
    """
    refuse(
        [
            *_range_fault("worlds", number, 1, 1 << 40),
            *_range_fault("seed", seed, 0, (1 << 64) - 1),
            *_range_fault("first", first, 0, 1 << 40),
            *_range_fault("threads", threads, 1, 1 << 10),
        ]
    )
    return _weighed(_worlds(knowledge, number, seed, threads, first), weigh)


def all_worlds(knowledge: Knowledge, limit: int, *, threads: int = 1, weigh: Weigh | None = None) -> Worlds:
    """Every world that fits, once, in an order that is always the same.

    Raises `InvalidInput` if there are more than ``limit``, if no world fits, or none has a weight.
    """
    refuse([*_range_fault("limit", limit, 1, 1 << 40), *_range_fault("threads", threads, 1, 1 << 10)])
    count = count_worlds(knowledge)
    if count > limit:
        message = f"{count} worlds fit what was seen, more than the limit of {limit}"
        raise InvalidInput([Fault("field.invalid", message, ("worlds",))])
    return _weighed(_worlds(knowledge, count, None, threads), weigh)


def _range_fault(name: str, value: int, least: int, most: int) -> list[Fault]:
    if least <= value <= most:
        return []
    return [Fault("field.invalid", f"{name} is {value}, not a number from {least} to {most}", (name,))]


def _worlds(knowledge: Knowledge, number: int, seed: int | None, threads: int, first: int = 0) -> Worlds:
    """That many rows from number ``first`` on: drawn with the seed, or without one as they are counted."""
    chosen = puzzle(knowledge)
    cards = np.array([card.index for group in chosen.groups for card in group.cards], dtype=np.uint8)
    begin, splits = chosen.first[:-1], chosen.splits
    worlds = Worlds(
        knowledge,
        np.zeros((number, len(Seat)), dtype=np.uint64),
        np.zeros((number, len(Seat)), dtype=np.uint64),
        np.empty(number, dtype=np.int8),
        np.empty(number, dtype=np.uint64),
        None,
        enumerated=seed is None,
        count=chosen.count,
    )

    def work(start: int) -> None:
        stop = min(start + CHUNK, number)
        numbers = np.arange(first + start, first + stop, dtype=np.uint64)
        if seed is not None:
            draw_numbers(seed, chosen.count, first + start, numbers)
        placed = np.zeros((len(numbers), len(chosen.room)), dtype=np.uint64)
        place_cards(numbers, begin, splits, cards, placed)
        _tell(worlds, slice(start, stop), {place: placed[:, at] for at, (place, _) in enumerate(chosen.room)})

    starts = range(0, number, CHUNK)
    if min(threads, len(starts)) <= 1:
        for start in starts:
            work(start)
    else:
        with ThreadPoolExecutor(min(threads, len(starts))) as pool:
            list(pool.map(work, starts))
    return worlds.sealed()


def _tell(worlds: Worlds, rows: slice, placed: dict[int, NDArray[np.uint64]]) -> None:
    """Fill rows with what was placed, joined to what is known."""
    seen = worlds.knowledge
    held, dealt = worlds.held[rows], worlds.dealt[rows]
    held[:, seen.seat] = seen.held.bits
    for seat in seen.rules.seating.seats:
        if seat in placed:
            held[:, seat] = placed[seat]
        dealt[:, seat] = held[:, seat] | np.uint64(seen.played[seat].bits)
    thrown = placed.get(DISCARD)
    if thrown is None:
        thrown = np.full(len(held), seen.discard.bit if seen.discard is not None else 0, dtype=np.uint64)
    if seen.taken and seen.dealer is not None and seen.upcard is not None:
        dealt[:, seen.dealer] |= thrown
        dealt[:, seen.dealer] &= ~np.uint64(seen.upcard.bit)
    # The index of one bit is the exponent of its power of two, for frexp one more; without a bit -1.
    worlds.discard[rows] = np.frexp(thrown)[1] - 1
    worlds.kitty[rows] = placed[KITTY]


def _weighed(worlds: Worlds, weigh: Weigh | None) -> Worlds:
    if weigh is None:
        return worlds
    weights = np.array(weigh(worlds), dtype=np.float64)
    if weights.shape != (len(worlds),) or not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError(f"{len(worlds)} weights that are finite and not negative are needed")
    if not weights.any():
        message = f"no world fits what was seen: of {len(worlds)} none has a weight above 0"
        raise InvalidInput([Fault("world.none", message)])
    return replace(worlds, weights=weights).sealed()
