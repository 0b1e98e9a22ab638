"""Cards valued over many worlds that share one public state: with all cards seen, or played out by seats that each
see their own. Checks, translates, calls the kernel, translates back; no Python per world.

Worlds are rows: ``held`` is ``uint64[n, 4]``, what the seats N E S W hold now, the bit of a card being ``8 * suit +
rank``, the Benny bit 32, as in `solve_batch`. Rows of seats that sit out are not looked at. The public state is a
`Play`, whose own hands are not looked at either.

What a seat sees in a rollout: its own cards, every card played, the lanes that others have shown to be out of,
``taken``, and its column of ``out``. It takes every world that fits for as likely as any other.

- ``out``: ``uint64[n, 4]``, or one row for all: the cards that each seat knows to be out of play besides those played,
  such as the upcard turned down or its own discard.
- ``taken``: the upcard that the dealer took into the hand, and who that is; None if there is none. When the card has
  been played, or that seat sits out, all know that it is out of play. Where the dealer may have discarded it unseen,
  ``hidden`` says so: then it is in the hand or out of play, as the row has it, and only the dealer knows which.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.engine.coordinates import Coordinates, coordinates
from solver.engine.doubledummy import whole_numbers
from solver.engine.rollout import Playout
from solver.errors import Fault, InvalidInput, refuse
from solver.game.cards import HAND_SIZE, Card, CardSet, Suit
from solver.game.seats import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

    from solver.game.order import CardOrder
    from solver.game.play import Play

    Words = NDArray[np.uint64]

#: Rows a thread takes at a time: some hundredths of a second, so that threads end together.
CHUNK = 64
CHUNK_SEEN = 2048

#: Points for tricks where nothing else is said: as many.
TRICKS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)


def card_values(
    play: Play, held: ArrayLike, cards: Sequence[Card], side: Collection[Seat], *, threads: int = 1
) -> NDArray[np.uint8]:
    """Tricks that ``side`` still takes after each card when all play their best and see all cards: ``uint8[n, k]``.

    The trick under way counts. ``cards``: k cards that the seat to act may play, whatever the world. The GIL is
    released. Raises `InvalidInput`, naming the first row of each fault.

    >>> from solver.game.order import card_order
    >>> from solver.game.play import Play
    >>> from solver.game.rules import Rules
    >>> rules = Rules()
    >>> play = Play(card_order(rules, Suit.HEARTS), rules.seating, [None] * 4, Seat.N)
    >>> ace, nine = Card(31), Card(26)  # of spades, in two worlds with two cards a hand
    >>> held = [[1 << 31 | 1 << 26, 1 << 30 | 1 << 23, 3 << 10, 3 << 2], [1 << 31 | 1 << 26, 3 << 10, 3 << 29, 3 << 2]]
    >>> card_values(play, held, [ace, nine], [Seat.N, Seat.S]).tolist()
    [[1, 0], [2, 2]]
    """
    state = _State.of(play, held, side)
    columns = state.columns(cards)
    tricks = np.zeros((state.rows, len(cards)), dtype=np.uint8)
    _run(
        state.rows,
        threads,
        CHUNK_SEEN,
        state.playout,
        lambda playout, start, stop: playout.card_values(state.held, columns.words, tricks, start, stop),
    )
    return columns.back(tricks)


def rollouts(
    play: Play,
    held: ArrayLike,
    cards: Sequence[Card] | None,
    side: Collection[Seat],
    *,
    out: ArrayLike,
    taken: tuple[Seat, Card] | None,
    hidden: bool = False,
    points: Sequence[float] = TRICKS,
    inner: int | tuple[int, int] = 8,
    depth: int = HAND_SIZE,
    seed: int = 0,
    first: int = 0,
    threads: int = 1,
) -> NDArray[np.uint8]:
    """Tricks that ``side`` still takes after each card when every seat decides by what it sees: ``uint8[n, k]``.

    After the card, every seat (the one that played it, too) draws ``inner`` worlds that fit what it sees, solves each
    of its cards in each, and plays the card with the best mean of ``points``: what the tricks of the whole deal, 0 to
    5, are worth to ``side``; the others want it least. Equal means go by tricks, then to the cheapest card (tricks over
    the first four of the worlds, where more than three are left). A pair of numbers ``inner`` is that of the seats of
    ``side`` and that of the others. ``cards`` None leaves the first card to the seat to act as well, and there is one
    column.

    ``depth``: tricks, with the one under way, that are played like that; the rest is valued as by `card_values`. With 0
    that is all.

    Row i draws by the seed and the number ``first`` + i: the same for every card, whatever the threads, and however
    rows are cut into calls. See the module for ``out``, ``taken`` and ``hidden``. Raises `InvalidInput`, naming the
    first row of each fault.
    """
    state = _State.of(play, held, side, _Sight(out, taken, hidden), _Player(points, inner, depth, seed, first))
    columns = state.columns(cards)
    tricks = np.zeros((state.rows, len(columns.words)), dtype=np.uint8)

    def work(playout: Playout, start: int, stop: int) -> None:
        row = playout.rollouts(state.held, state.out, columns.words, first, tricks, start, stop)
        if row >= 0:
            raise _nothing_fits(row)

    _run(state.rows, threads, CHUNK, state.playout, work)
    return columns.back(tricks)


def choices(
    play: Play,
    held: ArrayLike,
    side: Collection[Seat],
    *,
    out: ArrayLike,
    taken: tuple[Seat, Card] | None,
    hidden: bool = False,
    points: Sequence[float] = TRICKS,
    inner: int = 8,
    seed: int = 0,
    first: int = 0,
    threads: int = 1,
) -> NDArray[np.uint8]:
    """The index of the card that the seat to act plays in a rollout, ``uint8[n]``. Arguments as in `rollouts`."""
    state = _State.of(play, held, side, _Sight(out, taken, hidden), _Player(points, inner, HAND_SIZE, seed, first))
    chosen = np.zeros(state.rows, dtype=np.uint64)
    _run(
        state.rows,
        threads,
        CHUNK,
        state.playout,
        lambda playout, start, stop: playout.choices(state.held, state.out, first, chosen, start, stop),
    )
    if not chosen.all():
        raise _nothing_fits(int((chosen == 0).argmax()))
    bits, places = np.unique(chosen, return_inverse=True)
    where = coordinates(play.order)
    return np.array([where.card(int(bit)).index for bit in bits], dtype=np.uint8)[places]


def inner_worlds(
    play: Play,
    held: ArrayLike,
    *,
    out: ArrayLike,
    taken: tuple[Seat, Card] | None,
    hidden: bool = False,
    number: int = 8,
    seed: int = 0,
    first: int = 0,
) -> NDArray[np.uint64]:
    """The worlds that the seat to act draws in a rollout: ``uint64[n, number, 4]``, hands as in ``held``. Arguments as
    in `rollouts`."""
    player = _Player(TRICKS, number, HAND_SIZE, seed, first)
    state = _State.of(play, held, (), _Sight(out, taken, hidden), player)
    drawn = np.zeros((state.rows, number, len(Seat)), dtype=np.uint64)
    state.playout().worlds(state.held, state.out, first, drawn, 0, state.rows)
    if not drawn[..., play.to_act].all():
        raise _nothing_fits(int((drawn[:, 0, play.to_act] == 0).argmax()))
    public = np.zeros_like(drawn)
    where = coordinates(play.order)
    for card in CardSet(_deck(play.order)):
        public |= np.where(drawn & np.uint64(where.bit(card)), np.uint64(card.bit), np.uint64(0))
    return public


@dataclass(frozen=True)
class _Sight:
    """What seats know besides the play, as handed in."""

    out: ArrayLike
    taken: tuple[Seat, Card] | None
    hidden: bool


@dataclass(frozen=True)
class _Player:
    """How seats decide."""

    points: Sequence[float]
    inner: int | tuple[int, int]
    depth: int
    seed: int
    first: int

    @property
    def inner_by_side(self) -> tuple[int, int]:
        return self.inner if isinstance(self.inner, tuple) else (self.inner, self.inner)

    def faults(self) -> Iterator[Fault]:
        if len(self.points) != HAND_SIZE + 1 or not np.isfinite(self.points).all():
            yield Fault(
                "field.invalid", f"points are {self.points}: six numbers are needed, for 0 to 5 tricks", ("points",)
            )
        for name, value, least, most in (
            *(("inner", worlds, 1, 1 << 20) for worlds in dict.fromkeys(self.inner_by_side)),
            ("depth", self.depth, 0, HAND_SIZE),
            ("seed", self.seed, 0, (1 << 64) - 1),
            ("first", self.first, 0, (1 << 63) - 1),
        ):
            if not least <= value <= most:
                yield Fault("field.invalid", f"{name} is {value}, not a number from {least} to {most}", (name,))


_SEES_NOTHING = _Sight((0, 0, 0, 0), None, hidden=False)
_ANY_PLAYER = _Player(TRICKS, 1, 0, 0, 0)


@dataclass(frozen=True)
class _Columns:
    """Candidate cards as the kernel wants them: ascending words; and their order back."""

    words: Words
    order: NDArray[np.intp]

    def back(self, tricks: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.ascontiguousarray(tricks[:, np.argsort(self.order)])


@dataclass(frozen=True)
class _State:
    """A public state and its rows, checked and in the words of the kernel."""

    held: Words
    out: Words
    to_act: Seat
    where: Coordinates
    table: tuple[int, ...]
    arguments: dict[str, Any]

    @property
    def rows(self) -> int:
        return len(self.held)

    def playout(self) -> Playout:
        return Playout(**self.arguments)

    @staticmethod
    def of(
        play: Play,
        held: ArrayLike,
        side: Collection[Seat],
        sight: _Sight = _SEES_NOTHING,
        player: _Player = _ANY_PLAYER,
    ) -> _State:
        order, where = play.order, coordinates(play.order)
        # 1. What can be read at all.
        refuse(player.faults())
        hands = whole_numbers("held", held, np.uint64)
        if hands.ndim != 2 or hands.shape[1] != len(Seat):
            raise InvalidInput([Fault("field.invalid", f"the shape is {hands.shape}, not (n, 4)", ("held",))])
        known = whole_numbers("out", sight.out, np.uint64)
        if known.shape not in ((len(Seat),), hands.shape):
            message = f"the shape is {known.shape}, neither (4,) nor {hands.shape}"
            raise InvalidInput([Fault("field.invalid", message, ("out",))])
        active = np.isin(np.arange(len(Seat)), [int(seat) for seat in play.active])
        hands = np.where(active, hands, np.uint64(0))
        known = np.where(active, known, np.uint64(0)) + np.zeros_like(hands)
        # 2. The card that the dealer took.
        taken = sight.taken if sight.taken is not None and sight.taken[1] not in _played(play) else None
        if taken is not None:
            dealer, card = taken
            if card.bit & ~_deck(order):
                raise InvalidInput([Fault("card.foreign", f"{card} is not in the deck", ("taken",))])
            if dealer not in play.active:
                known = np.where(active, known | np.uint64(card.bit), np.uint64(0))
                taken = None
            elif sight.hidden:
                known[(hands[:, dealer] & np.uint64(card.bit)) == 0, dealer] |= np.uint64(card.bit)
        gone = _gone(play)
        refuse(_row_faults(play, hands, known, gone, taken, sight.hidden))
        # 3. The kernel's words.
        table = tuple(where.bit(card) for card in play.table)
        return _State(
            _words(order, hands),
            _words(order, known),
            play.to_act,
            where,
            table,
            {
                "deck": sum(where.bit(card) for cards in order.suits for card in cards),
                "played": where.word(CardSet.of(card for trick in play.tricks for card in trick.cards)),
                "table": table,
                "no_trump": order.trump is None,
                "active": sum(1 << seat for seat in play.active),
                "sides": sum(1 << seat for seat in set(side)),
                "leader": int(play.leader),
                "gone": [sum(_lane(where.bit(order.suits[suit][0])) for suit in gone[seat]) for seat in Seat],
                "won": sum(trick.winner in side for trick in play.tricks),
                "left": _tricks_left(play, hands),
                "points": player.points,
                "taken": where.bit(taken[1]) if taken is not None else 0,
                "taker": int(taken[0]) if taken is not None else 0,
                "hidden": sight.hidden,
                "inner": player.inner_by_side,
                "depth": player.depth,
                "seed": player.seed,
            },
        )

    def columns(self, cards: Sequence[Card] | None) -> _Columns:
        """The cards in the order of the kernel; None stands for the seat's own choice."""
        if cards is None:
            return _Columns(np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.intp))
        own = self.held[:, self.to_act]
        lane = np.uint64(_lane(self.table[0]) if self.table else 0)
        words = np.zeros(len(cards), dtype=np.uint64)
        for at, card in enumerate(cards):
            if card.bit & ~_deck(self.where.order):
                raise InvalidInput([Fault("card.foreign", f"{card} is not in the deck", ("cards", at))])
            words[at] = self.where.bit(card)
            illegal = (own & words[at] == 0) | ((words[at] & lane == 0) & (own & lane != 0) & (lane != 0))
            if illegal.any():
                message = f"row {int(illegal.argmax())}: {self.to_act} may not play {card}"
                raise InvalidInput([Fault("play.illegal", message, ("cards", at))])
        order = np.argsort(words, kind="stable")
        return _Columns(words[order], order)


_LANE = 0xFFFF


def _lane(bit: int) -> int:
    """The lane of a kernel bit, as a mask."""
    return _LANE << ((bit.bit_length() - 1) & ~15)


def _played(play: Play) -> CardSet:
    return CardSet.of([*(card for trick in play.tricks for card in trick.cards), *play.table])


def _gone(play: Play) -> list[set[Suit]]:
    """By seat, the suits it has shown to be out of, as cards count in play."""
    gone: list[set[Suit]] = [set() for _ in Seat]
    turns = [(trick.seats, trick.cards) for trick in play.tricks]
    for seats, cards in [*turns, (play.order_of_trick(), play.table)]:
        for seat, card in zip(seats, cards, strict=False):
            led = play.order.suit(cards[0])
            if play.order.suit(card) != led:
                gone[seat].add(led)
    return gone


def _tricks_left(play: Play, hands: Words) -> int:
    """With the one under way, by the cards of the seat to act in the first row."""
    return int(hands[0, play.to_act]).bit_count() if len(hands) else HAND_SIZE - len(play.tricks)


@cache
def _deck(order: CardOrder) -> int:
    """All cards of the order, public bits."""
    return sum(card.bit for cards in order.suits for card in cards)


@cache
def _byte_words(order: CardOrder) -> Words:
    """Kernel words by suit and the suit's byte of public bits: ``uint64[5, 256]``, suit 4 being the Benny's."""
    where = coordinates(order)
    words = np.zeros((len(Suit) + 1, 256), dtype=np.uint64)
    for cards in order.suits:
        for card in cards:
            suit, place = divmod(card.index, 8)
            words[suit, np.arange(256) >> place & 1 == 1] |= np.uint64(where.bit(card))
    return words


def _words(order: CardOrder, public: Words) -> Words:
    """Public bits to kernel words."""
    table = _byte_words(order)
    words = np.zeros_like(public)
    for suit in range(len(table)):
        words |= table[suit][(public >> np.uint64(8 * suit) & np.uint64(0xFF)).astype(np.intp)]
    return words


def _row_faults(
    play: Play, hands: Words, known: Words, gone: list[set[Suit]], taken: tuple[Seat, Card] | None, hidden: bool
) -> Iterator[Fault]:
    """The first row of each kind of fault."""

    def first(bad: NDArray[np.bool_], code: str, path: str, message: str) -> Iterator[Fault]:
        if bad.any():
            row = int(bad.argmax())
            yield Fault(code, f"row {row}: {message}", (path, row))

    def holds(seat: Seat, cards: int) -> NDArray[np.bool_]:
        held: NDArray[np.bool_] = hands[:, seat] & np.uint64(cards) != 0
        return held

    def holds_any(cards: int) -> NDArray[np.bool_]:
        held: NDArray[np.bool_] = (hands & np.uint64(cards) != 0).any(axis=1)
        return held

    # 1. Each card for itself: of the deck, in one place.
    foreign = np.uint64(~_deck(play.order) & (1 << 64) - 1)
    yield from first((hands & foreign != 0).any(axis=1), "card.foreign", "held", "a card that the deck does not have")
    yield from first((known & foreign != 0).any(axis=1), "card.foreign", "out", "a card that the deck does not have")
    seen = np.full(len(hands), _played(play).bits, dtype=np.uint64)
    twice = np.zeros(len(hands), dtype=np.bool_)
    for seat in play.active:
        twice |= hands[:, seat] & seen != 0
        seen |= hands[:, seat]
    yield from first(twice, "card.duplicate", "held", "a card is in two hands, or was played")
    # 2. Sizes.
    left = _tricks_left(play, hands)
    if not 1 <= left <= HAND_SIZE - len(play.tricks):
        message = f"{play.to_act} has {left} cards after {len(play.tricks)} tricks"
        yield Fault("hand.size", message, ("held", 0))
    turned = play.order_of_trick()[: len(play.table)]
    for seat in play.active:
        unlike = np.bitwise_count(hands[:, seat]) != left - (seat in turned)
        yield from first(unlike, "hand.size", "held", f"{seat} has not as many cards as the play leaves")
    # 3. What is known of the hands.
    for seat in play.active:
        for suit in sorted(gone[seat]):
            shown = holds(seat, play.order.members(suit).bits)
            yield from first(shown, "field.conflict", "held", f"{seat} has {suit}, but did not follow to them")
    everyone = np.bitwise_or.reduce(hands, axis=1, keepdims=True)
    in_hand = (known & everyone != 0).any(axis=1)
    yield from first(in_hand, "field.conflict", "out", "a card known to be out of play is in a hand")
    if taken is not None:
        dealer, card = taken
        elsewhere = holds_any(card.bit) & ~holds(dealer, card.bit) if hidden else ~holds(dealer, card.bit)
        yield from first(elsewhere, "field.conflict", "taken", f"{dealer} took {card} and does not have it")


def _nothing_fits(row: int) -> RuntimeError:
    """Rows are checked, and a row fits what each of its seats sees: an error of ours, not of the caller."""
    return RuntimeError(f"row {row}: no world fits what a seat saw, though the row itself does")


def _run(
    rows: int, threads: int, chunk: int, playout: Callable[[], Playout], work: Callable[[Playout, int, int], None]
) -> None:
    """Share the rows out to threads, each with a `Playout` of its own."""
    if threads < 1:
        raise InvalidInput([Fault("field.invalid", f"threads is {threads}, at least one is needed", ("threads",))])
    threads = max(1, min(threads, -(-rows // chunk)))

    def of_thread(number: int) -> None:
        own = playout()
        for start in range(number * chunk, rows, threads * chunk):
            work(own, start, min(start + chunk, rows))

    if threads == 1:
        of_thread(0)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(of_thread, range(threads)))
