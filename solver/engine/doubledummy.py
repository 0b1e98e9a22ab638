"""Double dummy by the rules' own values: checks, translates, calls the kernel, translates back."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from solver.engine.coordinates import batch_words, coordinates
from solver.engine.search import Search
from solver.errors import Fault, InvalidInput, Stopped, refuse
from solver.game.cards import HAND_SIZE, Card, Suit
from solver.game.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from solver.game.play import Play

#: Rows a thread takes at a time: some milliseconds, so that threads end together and Ctrl-C is noticed.
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
    deadline: float | None = None,
    cancel: Cancel | None = None,
) -> NDArray[np.uint8]:
    """NS tricks of many deals with best play of all, all cards known.

    ``hands`` is ``uint64[n, 4]``, seats N E S W as play begins; the bit of a card is ``8 * suit + rank``,
    suits ``C D H S``, ranks ``7 8 9 T J Q K A``, the Benny is bit 32. ``trump`` (a suit) and ``leader`` (a
    seat) are ``uint8[n]`` in the same orders; ``sitting_out`` is ``int8[n]``, -1 where all play. The result
    is ``uint8[n]``.

    Hands may hold fewer than five cards, or none. The hand of a seat that sits out is out of play. Where E
    and W have no cards and nobody sits out, N and S are opponents and the answer is N's tricks.

    The GIL is released; ``threads`` of them share the rows. Raises `InvalidInput`, naming the first row of
    each fault, and `Stopped` when ``deadline`` seconds have passed or ``cancel`` is set: both are looked at every
    `CHUNK` rows, some milliseconds.

    >>> import numpy as np
    >>> clubs = np.array([[1 << 5, 1 << 6, 1 << 7, 1 << 4]], dtype=np.uint64)
    >>> solve_batch(clubs, trump=[1], leader=[0])
    array([1], dtype=uint8)
    """
    rows = _Rows(hands, trump, leader, sitting_out)
    tricks = np.zeros(rows.number, dtype=np.uint8)

    def work(search: Search, start: int, stop: int) -> int:
        return search.solve_many(*rows.columns, batch_words(), tricks, start, stop)

    _share(work, rows.number, threads, _Limit(deadline, cancel), rows.refuse)
    return tricks


def classify_batch(
    hands: ArrayLike,
    trump: ArrayLike,
    leader: ArrayLike,
    maker: ArrayLike,
    sitting_out: ArrayLike | None = None,
    *,
    threads: int = 1,
    deadline: float | None = None,
    cancel: Cancel | None = None,
) -> NDArray[np.uint8]:
    """What points depend on, of many deals, for less than `solve_batch` takes: 0 where the side of ``maker`` (a seat,
    ``uint8[n]``) takes fewer than three tricks with best play of all, 1 where it takes three or four, 2 where all five.

    All else as in `solve_batch`.
    """
    rows = _Rows(hands, trump, leader, sitting_out)
    makers = _column("maker", maker, np.uint8, rows.number)
    classes = np.zeros(rows.number, dtype=np.uint8)

    def work(search: Search, start: int, stop: int) -> int:
        return search.classify_many(*rows.columns, makers, batch_words(), classes, start, stop)

    def refuse_rows() -> None:
        refuse(_first(makers > max(Seat), "field.invalid", "maker", "the maker is a seat, 0 to 3"))
        rows.refuse()

    _share(work, rows.number, threads, _Limit(deadline, cancel), refuse_rows)
    return classes


def solve_contracts(
    hands: ArrayLike,
    upcard: ArrayLike,
    trump: ArrayLike,
    leader: ArrayLike,
    sitting_out: ArrayLike,
    taker: ArrayLike,
    *,
    threads: int = 1,
    deadline: float | None = None,
    cancel: Cancel | None = None,
) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """NS tricks of ``m`` contracts of each of ``n`` deals, and the best discards: ``uint8[n, m]``, ``uint64[n, m]``.

    ``hands`` is ``uint64[n, 4]`` as dealt and ``upcard`` ``uint64[n]``, a card's bit. ``trump``, ``leader``,
    ``sitting_out`` and ``taker`` are integers ``[n, m]``: ``taker`` is the seat that takes the upcard and discards
    what is best for its side, -1 where nobody does. Of equally good discards a plain card is kept less than a trump,
    then the weakest, then the one that comes first in the deck. A discard is a card's bit, 0 where there is none: a
    seat that sits out discards without effect. All else as in `solve_batch`; a fault names deal and contract.
    """
    deals = whole_numbers("hands", hands, np.uint64)
    if deals.ndim != 2 or deals.shape[1] != len(Seat):
        raise InvalidInput([Fault("field.invalid", f"the shape is {deals.shape}, not (n, 4)", ("hands",))])
    taken = _column("upcard", upcard, np.uint64, len(deals))
    tables = (
        whole_numbers("trump", trump, np.uint8),
        whole_numbers("leader", leader, np.uint8),
        whole_numbers("sitting_out", sitting_out, np.int8),
        whole_numbers("taker", taker, np.int8),
    )
    shape = tables[0].shape
    if len(shape) != 2 or shape[0] != len(deals) or any(table.shape != shape for table in tables):
        shapes = ", ".join(str(table.shape) for table in tables)
        raise InvalidInput([Fault("field.invalid", f"the shapes are {shapes}: all (n, m) are needed", ("trump",))])
    tricks = np.zeros(shape, dtype=np.uint8)
    bits = np.zeros(shape, dtype=np.uint64)

    def work(search: Search, start: int, stop: int) -> int:
        return search.solve_contracts(deals, taken, *tables, batch_words(), tricks, bits, start, stop)

    def refuse_rows() -> None:
        for contract in range(shape[1]):
            columns = [table[:, contract] for table in tables]
            refuse(
                Fault(fault.code, f"contract {contract}, {fault.message}", fault.path)
                for fault in (*_row_faults(deals, *columns[:3]), *_taker_faults(deals, taken, columns[3]))
            )

    _share(work, len(deals), threads, _Limit(deadline, cancel), refuse_rows, max(1, CHUNK // max(1, shape[1])))
    return tricks, _public_bits(bits, tables[0])


class Cancel(Protocol):
    """What `threading.Event` is: set from elsewhere to stop the work."""

    def is_set(self) -> bool: ...


class _Limit:
    """When work is to stop."""

    def __init__(self, deadline: float | None, cancel: Cancel | None) -> None:
        self._ends = None if deadline is None else time.monotonic() + deadline
        self._deadline = deadline
        self._cancel = cancel

    def check(self) -> None:
        if self._cancel is not None and self._cancel.is_set():
            raise Stopped("cancelled")
        if self._ends is not None and time.monotonic() >= self._ends:
            raise Stopped(f"the deadline of {self._deadline} s has passed")


class _Rows:
    """The arrays of a batch. Their values are checked by the kernel as it comes to them."""

    def __init__(self, hands: ArrayLike, trump: ArrayLike, leader: ArrayLike, sitting_out: ArrayLike | None) -> None:
        rows = whole_numbers("hands", hands, np.uint64)
        if rows.ndim != 2 or rows.shape[1] != len(Seat):
            raise InvalidInput([Fault("field.invalid", f"the shape is {rows.shape}, not (n, 4)", ("hands",))])
        self.number = len(rows)
        absent = np.full(self.number, -1, dtype=np.int8) if sitting_out is None else sitting_out
        self.columns = (
            rows,
            _column("trump", trump, np.uint8, self.number),
            _column("leader", leader, np.uint8, self.number),
            _column("sitting_out", absent, np.int8, self.number),
        )

    def refuse(self) -> None:
        """Raise `InvalidInput` with the first row of each fault."""
        refuse(_row_faults(*self.columns))


def _share(
    work: Callable[[Search, int, int], int],
    rows: int,
    threads: int,
    limit: _Limit,
    refuse_rows: Callable[[], None],
    chunk: int = CHUNK,
) -> None:
    """Let threads take chunks of the rows until none are left. ``work`` returns where it ended: before its last row,
    that row is wrong, and ``refuse_rows`` says why."""
    if threads < 1:
        raise InvalidInput([Fault("field.invalid", f"threads is {threads}, at least one is needed", ("threads",))])
    starts = iter(range(0, rows, chunk))
    given_up = threading.Event()

    def take_chunks() -> None:
        search = Search()
        for start in starts:
            if given_up.is_set():
                return
            limit.check()
            stop = min(start + chunk, rows)
            if (row := work(search, start, stop)) < stop:
                refuse_rows()
                raise LookupError(f"the kernel does not take row {row}, and nothing is wrong with it")

    threads = min(threads, -(-rows // chunk))
    if threads <= 1:
        take_chunks()
        return
    with ThreadPoolExecutor(threads) as pool:
        taking = [pool.submit(take_chunks) for _ in range(threads)]
        try:
            for each in taking:
                each.result()
        finally:
            # One thread's error, or Ctrl-C in this one, ends the others at their next chunk.
            given_up.set()


def _public_bits(bits: NDArray[np.uint64], trump: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Kernel bits of cards as public bits; 0 stays 0."""
    found: NDArray[np.uint64] = _public_by_place()[trump, np.bitwise_count(bits - np.uint64(1))]
    return found


@cache
def _public_by_place() -> NDArray[np.uint64]:
    """Public bits by trump and the place of the kernel's bit, ``uint64[4, 65]``; place 64 is no card."""
    public = np.zeros((len(Suit), 65), dtype=np.uint64)
    for trump, words in enumerate(batch_words()):
        for suit, place in product(range(len(words)), range(8)):
            if card := int(words[suit, 1 << place]):
                public[trump, card.bit_length() - 1] = 1 << (8 * suit + place)
    return public


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


def _first(bad: NDArray[np.bool_], code: str, path: str, message: str) -> Iterator[Fault]:
    """The fault of the first row that is bad, if any is."""
    if bad.any():
        row = int(bad.argmax())
        yield Fault(code, f"row {row}: {message}", (path, row))


def _taker_faults(hands: NDArray[np.uint64], upcard: NDArray[np.uint64], taker: NDArray[np.int8]) -> Iterator[Fault]:
    yield from _first((taker < -1) | (taker > max(Seat)), "field.invalid", "taker", "a seat, 0 to 3, or -1 for nobody")
    foreign = (np.bitwise_count(upcard) != 1) | (upcard > _CARDS)
    yield from _first(foreign & (taker >= 0), "card.foreign", "upcard", "the upcard is not one card")
    held = np.bitwise_or.reduce(hands, axis=1) & upcard != 0
    yield from _first(held & (taker >= 0), "card.duplicate", "upcard", "the upcard is in a hand")
    empty = np.take_along_axis(hands, np.clip(taker, 0, 3)[:, None].astype(np.intp), axis=1)[:, 0] == 0
    yield from _first(empty & (taker >= 0), "hand.size", "taker", "who takes the upcard has no cards")


def _row_faults(
    hands: NDArray[np.uint64], trump: NDArray[np.uint8], leader: NDArray[np.uint8], absent: NDArray[np.int8]
) -> Iterator[Fault]:
    """The first row of each kind of fault."""

    seats = np.arange(len(Seat))
    # 1. Each value for itself.
    yield from _first(trump > max(Suit), "field.invalid", "trump", "trump is a suit, 0 to 3")
    yield from _first(leader > max(Seat), "field.invalid", "leader", "the leader is a seat, 0 to 3")
    yield from _first(
        (absent < -1) | (absent > max(Seat)), "field.invalid", "sitting_out", "a seat, 0 to 3, or -1 for none"
    )
    foreign = np.bitwise_or.reduce(hands, axis=1) > _CARDS
    yield from _first(foreign, "card.foreign", "hands", "bits above 32 are no cards")
    # 2. No card in two hands, the hand that sits out included.
    twice = np.zeros(len(hands), dtype=np.bool_)
    seen = np.zeros(len(hands), dtype=np.uint64)
    for seat in seats:
        twice |= (seen & hands[:, seat]) != 0
        seen |= hands[:, seat]
    yield from _first(twice, "card.duplicate", "hands", "a card is in two hands")
    # 3. Sizes. Whoever has no cards does not play: nobody, E and W, the seat that sits out, or that seat and
    # one opponent.
    sizes = np.bitwise_count(hands)
    yield from _first(sizes.max(axis=1) > HAND_SIZE, "hand.size", "hands", "a hand has more than five cards")
    out = absent[:, None] == seats
    holds = (sizes > 0) & ~out
    size = np.where(holds, sizes, 0).max(axis=1)
    empty = ~holds & ~out
    opposite = empty[:, Seat.E] & empty[:, Seat.W] & holds[:, Seat.N] & holds[:, Seat.S] & (absent == -1)
    other_side = (seats - absent[:, None]) % 2 == 1
    defends_alone = (absent != -1) & (empty.sum(axis=1) == 1) & (empty <= other_side).all(axis=1)
    unequal = (holds & (sizes != size[:, None])).any(axis=1)
    unequal |= empty.any(axis=1) & (size > 0) & ~opposite & ~defends_alone
    yield from _first(unequal, "hand.size", "hands", "the hands of those who play differ in size")
    # 4. Somebody must lead.
    led_by = np.take_along_axis(holds, np.minimum(leader, max(Seat))[:, None].astype(np.intp), axis=1)[:, 0]
    yield from _first(~led_by & (size > 0) & ~unequal, "field.conflict", "leader", "the leader does not play")
