"""Deal codes by the hundred thousand, straight to arrays.

What is taken here has to look exactly like a deal that has just been dealt; every other line, right or wrong, is left
to the reader of single codes, which names what is wrong with it. So there is one judge of what is legal, and this a
lane around it that must never take what it would refuse, nor read it otherwise: a test holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solver.errors import InvalidInput
from solver.game.cards import BENNY, HAND_SIZE, Rank, Suit
from solver.game.rules import Rules
from solver.game.seats import Seat
from solver.notation.deal_code import read_code

#: Different rules in one block; lines under further ones go the slow way.
_MOST_RULES = 16
_NEWLINE, _RETURN, _DOT, _DASH = b"\n\r.-"


@dataclass(frozen=True, eq=False)
class Deals:
    """Deals under the same rules, the whole deal known: ``line`` is ``int64[n]``, places in the block from 0;
    ``dealer`` ``uint8[n]``; ``upcard``, a bit, ``uint64[n]``; ``hands`` ``uint64[n, 4]`` as dealt."""

    rules: Rules
    line: NDArray[np.int64]
    dealer: NDArray[np.uint8]
    upcard: NDArray[np.uint64]
    hands: NDArray[np.uint64]


def read_deals(data: bytes) -> tuple[list[Deals], list[tuple[int, bytes]]]:
    """The deals that could be taken, and the other lines that are not empty, each with its place."""
    text = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(text == _NEWLINE)
    if len(text) and text[-1] != _NEWLINE:
        ends = np.append(ends, len(text))
    starts = np.concatenate(([0], ends[:-1] + 1)) if len(ends) else ends
    stops = ends - ((ends > starts) & (text[np.maximum(ends - 1, 0)] == _RETURN))
    dots = np.append(np.flatnonzero(text == _DOT), len(text))
    dot = dots[np.searchsorted(dots, starts)]
    waiting = dot < stops
    taken: list[Deals] = []
    done = stops <= starts
    for _ in range(_MOST_RULES):
        if not waiting.any():
            break
        first = int(waiting.argmax())
        prefix = data[starts[first] : dot[first]]
        same = np.flatnonzero(waiting & (dot - starts == len(prefix)))
        same = same[(_windows(text, starts[same], len(prefix)) == np.frombuffer(prefix, np.uint8)).all(axis=1)]
        waiting[same] = False
        rules = _rules(prefix)
        if rules is None:
            continue
        deals = _deals(text, rules, same, dot[same], stops[same])
        done[deals.line] = True
        taken.append(deals)
    return taken, [(int(at), data[starts[at] : stops[at]]) for at in np.flatnonzero(~done)]


@cache
def _rules(prefix: bytes) -> Rules | None:
    try:
        return read_code(prefix.decode("ascii")).rules
    except (InvalidInput, UnicodeDecodeError):
        return None


def _windows(text: NDArray[np.uint8], starts: NDArray[np.int64], width: int) -> NDArray[np.uint8]:
    """``uint8[n, width]``: the bytes from each start on, all of which must be there."""
    if not len(starts) or not width:
        return np.zeros((len(starts), width), dtype=np.uint8)
    return np.lib.stride_tricks.sliding_window_view(text, width)[starts]


def _deals(
    text: NDArray[np.uint8],
    rules: Rules,
    line: NDArray[np.int64],
    dot: NDArray[np.int64],
    stop: NDArray[np.int64],
) -> Deals:
    """Those of the lines, all under these rules, that are ``.dealer.upcard.hands`` from ``dot`` on and nothing more."""
    seats = rules.seating.seats
    hand = 2 * HAND_SIZE
    width = 6 + len(seats) * (hand + 1) - 1
    fits = stop - dot == width
    line, body = line[fits], _windows(text, dot[fits], width)
    cards_at = [3, *(6 + (hand + 1) * seat + 2 * card for seat in range(len(seats)) for card in range(HAND_SIZE))]
    bits = _card_bits()[body[:, cards_at], body[:, [at + 1 for at in cards_at]]]
    dealer = _seats(seats)[body[:, 1]]
    # No card twice, none unreadable (a 0), none that the deck does not have.
    every = np.bitwise_or.reduce(bits, axis=1)
    fine = (np.bitwise_count(every) == len(cards_at)) & (every & ~np.uint64(rules.cards.bits) == 0)
    fine &= dealer < len(Seat)
    for at in (0, 2, 5):
        fine &= body[:, at] == _DOT
    for at in range(1, len(seats)):
        fine &= body[:, 5 + (hand + 1) * at] == _DASH
    bits = bits[fine]
    hands = np.zeros((len(bits), len(Seat)), dtype=np.uint64)
    for at, seat in enumerate(seats):
        hands[:, seat] = np.bitwise_or.reduce(bits[:, 1 + HAND_SIZE * at : 1 + HAND_SIZE * (at + 1)], axis=1)
    return Deals(rules, line[fine], dealer[fine], bits[:, 0], hands)


@cache
def _card_bits() -> NDArray[np.uint64]:
    """A card's bit by its two characters as written, 0 for what is no card: ``uint64[256, 256]``."""
    bits = np.zeros((256, 256), dtype=np.uint64)
    for suit in Suit:
        for rank in Rank:
            bits[ord(rank.letter), ord(suit.letter)] = 1 << (8 * suit + rank)
    bits[ord("J"), ord("O")] = BENNY.bit
    return bits


@cache
def _seats(seats: tuple[Seat, ...]) -> NDArray[np.uint8]:
    by_letter = np.full(256, 255, dtype=np.uint8)
    for seat in seats:
        by_letter[ord(seat.name)] = seat
    return by_letter
