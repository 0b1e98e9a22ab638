"""Double dummy by the rules' own values: checks, translates, calls the kernel, translates back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.engine.coordinates import batch_words, coordinates
from solver.engine.search import Search
from solver.errors import Fault, InvalidInput, refuse
from solver.game.cards import HAND_SIZE, Card, Suit
from solver.game.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from solver.game.play import Play

#: Rows a thread takes at a time: some hundredths of a second, so that threads end together.
CHUNK = 4096

_CARDS = (1 << 33) - 1


class DoubleDummy:
    """Positions of the game, solved. Keeps what it has learnt; not for two threads at once: give each its
    own."""

    def __init__(self, table_bits: int = 12) -> None:
        self._search = Search(table_bits)

    def tricks(self, play: Play, side: Collection[Seat]) -> int:
        """Tricks the seats of ``side`` still take, the current trick included, with best play by all.

        Tricks won before are not counted. All hands must be known.
        """
        return self._search.solve(*_position(play), *_masks(play, side), play.order.trump is None)

    def reaches(self, play: Play, side: Collection[Seat], need: int) -> bool:
        """Whether the seats of ``side`` still take ``need`` tricks. Cheaper than to ask how many."""
        return self._search.at_least(*_position(play), *_masks(play, side), need, play.order.trump is None)

    def cards(self, play: Play, side: Collection[Seat]) -> dict[Card, int]:
        """Every legal card of the seat to act, and the tricks ``side`` still takes after it, the current
        trick included."""
        where = coordinates(play.order)
        answers = self._search.solve_cards(*_position(play), *_masks(play, side), play.order.trump is None)
        return {where.card(bit): tricks for bit, tricks in answers}


def _position(play: Play) -> tuple[list[int], int, list[int]]:
    where = coordinates(play.order)
    hands = [0, 0, 0, 0]
    for seat in play.active:
        hand = play.hands[seat]
        if hand is None:
            raise LookupError(f"the hand of {seat} is not known")
        hands[seat] = where.word(hand)
    return hands, int(play.leader), [where.bit(card) for card in play.table]


def _masks(play: Play, side: Collection[Seat]) -> tuple[int, int]:
    return sum(1 << seat for seat in play.active), sum(1 << seat for seat in side)


def solve_batch(
    hands: ArrayLike,
    trump: ArrayLike,
    leader: ArrayLike,
    sitting_out: ArrayLike | None = None,
    *,
    threads: int = 1,
) -> NDArray[np.uint8]:
    """NS tricks of many deals with best play of all, all cards known.

    ``hands`` is ``uint64[n, 4]``, seats N E S W as play begins; the bit of a card is ``8 * suit + rank``,
    suits ``C D H S``, ranks ``7 8 9 T J Q K A``, the Benny is bit 32. ``trump`` (a suit) and ``leader`` (a
    seat) are ``uint8[n]`` in the same orders; ``sitting_out`` is ``int8[n]``, -1 where all play. The result
    is ``uint8[n]``.

    Hands may hold fewer than five cards, or none. The hand of a seat that sits out is out of play. Where E
    and W have no cards and nobody sits out, N and S are opponents and the answer is N's tricks.

    The GIL is released; ``threads`` of them share the rows. Raises `InvalidInput`, naming the first row of
    each fault.

    >>> import numpy as np
    >>> clubs = np.array([[1 << 5, 1 << 6, 1 << 7, 1 << 4]], dtype=np.uint64)
    >>> solve_batch(clubs, trump=[1], leader=[0])
    array([1], dtype=uint8)
    """
    if threads < 1:
        raise InvalidInput([Fault("field.invalid", f"threads is {threads}, at least one is needed", ("threads",))])
    rows = whole_numbers("hands", hands, np.uint64)
    if rows.ndim != 2 or rows.shape[1] != len(Seat):
        raise InvalidInput([Fault("field.invalid", f"the shape is {rows.shape}, not (n, 4)", ("hands",))])
    deals = len(rows)
    suits = _column("trump", trump, np.uint8, deals)
    leaders = _column("leader", leader, np.uint8, deals)
    absent = _column("sitting_out", np.full(deals, -1) if sitting_out is None else sitting_out, np.int8, deals)
    refuse(_row_faults(rows, suits, leaders, absent))

    tricks = np.zeros(deals, dtype=np.uint8)
    words = batch_words()

    def work(first: int) -> None:
        search = Search()
        for start in range(first * CHUNK, deals, threads * CHUNK):
            search.solve_many(rows, suits, leaders, absent, words, tricks, start, min(start + CHUNK, deals))

    threads = max(1, min(threads, -(-deals // CHUNK)))
    if threads == 1:
        work(0)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, range(threads)))
    return tricks


def whole_numbers(name: str, values: ArrayLike, dtype: DTypeLike) -> NDArray[Any]:
    """The values as a contiguous array of that type; refused if it cannot hold one of them."""
    given = np.asarray(values)
    if given.size and not np.issubdtype(given.dtype, np.integer):
        raise InvalidInput([Fault("field.invalid", f"the dtype is {given.dtype}, not an integer", (name,))])
    taken = np.ascontiguousarray(given, dtype=dtype)
    unlike = np.argwhere(taken != given)
    if len(unlike):
        place = tuple(int(at) for at in unlike[0])
        raise InvalidInput([Fault("field.invalid", f"{given[place]} is no {np.dtype(dtype)}", (name, *place))])
    return taken


def _column(name: str, values: ArrayLike, dtype: DTypeLike, deals: int) -> NDArray[Any]:
    column = whole_numbers(name, values, dtype)
    if column.shape != (deals,):
        message = f"the shape is {column.shape}, but there are {deals} rows of hands"
        raise InvalidInput([Fault("field.invalid", message, (name,))])
    return column


def _row_faults(
    hands: NDArray[np.uint64], trump: NDArray[np.uint8], leader: NDArray[np.uint8], absent: NDArray[np.int8]
) -> Iterator[Fault]:
    """The first row of each kind of fault."""

    def first(bad: NDArray[np.bool_], code: str, path: str, message: str) -> Iterator[Fault]:
        if bad.any():
            row = int(bad.argmax())
            yield Fault(code, f"row {row}: {message}", (path, row))

    seats = np.arange(len(Seat))
    # 1. Each value for itself.
    yield from first(trump > max(Suit), "field.invalid", "trump", "trump is a suit, 0 to 3")
    yield from first(leader > max(Seat), "field.invalid", "leader", "the leader is a seat, 0 to 3")
    yield from first(
        (absent < -1) | (absent > max(Seat)), "field.invalid", "sitting_out", "a seat, 0 to 3, or -1 for none"
    )
    foreign = np.bitwise_or.reduce(hands, axis=1) > _CARDS
    yield from first(foreign, "card.foreign", "hands", "bits above 32 are no cards")
    # 2. No card in two hands, the hand that sits out included.
    twice = np.zeros(len(hands), dtype=np.bool_)
    seen = np.zeros(len(hands), dtype=np.uint64)
    for seat in seats:
        twice |= (seen & hands[:, seat]) != 0
        seen |= hands[:, seat]
    yield from first(twice, "card.duplicate", "hands", "a card is in two hands")
    # 3. Sizes. Whoever has no cards does not play: nobody, E and W, the seat that sits out, or that seat and
    # one opponent.
    sizes = np.bitwise_count(hands)
    yield from first(sizes.max(axis=1) > HAND_SIZE, "hand.size", "hands", "a hand has more than five cards")
    out = absent[:, None] == seats
    holds = (sizes > 0) & ~out
    size = np.where(holds, sizes, 0).max(axis=1)
    empty = ~holds & ~out
    opposite = empty[:, Seat.E] & empty[:, Seat.W] & holds[:, Seat.N] & holds[:, Seat.S] & (absent == -1)
    other_side = (seats - absent[:, None]) % 2 == 1
    defends_alone = (absent != -1) & (empty.sum(axis=1) == 1) & (empty <= other_side).all(axis=1)
    unequal = (holds & (sizes != size[:, None])).any(axis=1)
    unequal |= empty.any(axis=1) & (size > 0) & ~opposite & ~defends_alone
    yield from first(unequal, "hand.size", "hands", "the hands of those who play differ in size")
    # 4. Somebody must lead.
    led_by = np.take_along_axis(holds, np.minimum(leader, max(Seat))[:, None].astype(np.intp), axis=1)[:, 0]
    yield from first(~led_by & (size > 0) & ~unequal, "field.conflict", "leader", "the leader does not play")
