"""The native format: one deal a line, a JSON object each, lossless. `solver.notation.record_document` has its schema.

    {"rightbower":1,"game":1,"deal":3,"players":{"N":"Ann"},"code":"american.N.JH.9CTCJCQCKC-….ppo.9C.9D…"}

A line can be read alone: it has its game's rules (in the code), title, players and initial score. Lines one after the
other are one game if they have the same ``game`` and heading, and rising numbers of ``deal``. What belongs to the game
as a whole (``of_game``) stands on its first line. A game without deals is a line without ``code``.

The faults of a record are kept with it, and a record without any is judged when it is read. A line that cannot be read
gives a game without deals and its faults, at once; the game around it goes on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO

import msgspec

from solver.errors import Fault, InvalidInput
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import Rules
from solver.game.seats import Seat, Side
from solver.logs import streams
from solver.logs.places import on_line
from solver.logs.rebuild import recorded_faults
from solver.notation.quick_code import read_legal
from solver.notation.record_document import MOST_NUMBER, VERSION, RecordLine, read_record, record_documents
from solver.notation.strict_json import loads

_BEGIN = re.compile(rb'^[ \t]*\{[ \t]*"rightbower"[ \t]*:', re.MULTILINE)

#: A longer game is read as several: the deals and the bytes of one are held together.
MOST_DEALS = 10_000
MOST_BYTES = 16 << 20
#: What a line that is too long counts for: no game goes on over it.
_TOO_LONG = MOST_BYTES + 1


def detect(head: bytes) -> bool:
    """Whether a line of the beginning opens with the format's name. So it must be the first member."""
    return _BEGIN.search(head.removeprefix(b"\xef\xbb\xbf")) is not None


# -- writing -----------------------------------------------------------------------------------------------------------


def write(games: Iterable[GameRecord], stream: BinaryIO) -> None:
    """One line a deal, games numbered from 1.

    Raises `InvalidInput` (``log.unwritable``) for a game with a line that would be longer than is read.
    """
    for number, game in enumerate(games, 1):
        lines = [
            json.dumps(each, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"
            for each in record_documents(game, number)
        ]
        faults = [
            Fault("log.unwritable", f"the line would be longer than {streams.LINE_LIMIT} bytes", ("deals", at))
            for at, line in enumerate(lines)
            if len(line) > streams.LINE_LIMIT
        ]
        if faults:
            raise InvalidInput(faults)
        stream.write(b"".join(lines))


# -- reading -----------------------------------------------------------------------------------------------------------


def read(stream: BinaryIO) -> Iterator[GameRecord]:
    """The games as they end."""
    for _, game in numbered(stream):
        yield game


def numbered(stream: BinaryIO) -> Iterator[tuple[int, GameRecord]]:
    """The games as they end, each with the place from 0 of its first line."""
    for each in _walk(stream, lambda: 0):
        if not isinstance(each, int):
            yield each


def ends(stream: BinaryIO) -> Iterator[int]:
    """The places in a seekable stream where it can be cut: no game goes on there, so that reading on from such a place
    gives what reading from the beginning does. No two are much further apart than the bytes of a game may be, but for
    a line that is longer than is read."""
    for each in _walk(stream, stream.tell):
        if isinstance(each, int):
            yield each


def _walk(stream: BinaryIO, place: Callable[[], int]) -> Iterator[tuple[int, GameRecord] | int]:
    """Each game as it ends with the place of its first line; and the ``place`` of the stream, before its next line,
    whenever no game is open there."""
    game, before = _Game(), place()
    for at, line in streams.lines(stream):
        said = _said(line, at)
        size = _TOO_LONG if isinstance(line, Fault) else len(line)
        if not game.goes_on(said, size):
            yield from game.end()
            game = _Game()
            yield before
        if isinstance(said, RecordLine):
            game.add(said, at, size)
        else:
            game.bytes += size
            yield at, GameRecord(Rules(), (), faults=said)
        before = place()
    yield from game.end()
    yield before


def _said(line: bytes | Fault, at: int) -> RecordLine | tuple[Fault, ...]:
    """What a line says, or what is wrong with it."""
    if isinstance(line, Fault):
        return (on_line(line, at),)
    try:
        return read_quickly(line) or _judged(line, at)
    except InvalidInput as error:
        return tuple(on_line(fault, at) for fault in error.faults)


def _judged(line: bytes, at: int) -> RecordLine:
    """What a line says. A deal to which no fault is noted gets those that are found."""
    said = read_record(loads(line))
    if said.position is None or said.faults:
        return said
    return replace(said, faults=tuple(on_line(fault.under("code"), at) for fault in recorded_faults(said.position)))


class _Line(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A line of a deal with nothing beside it, members in the order in which they are written."""

    rightbower: int
    game: int
    deal: int
    title: str = ""
    players: dict[str, str] = {}
    initial_score: dict[str, int] = {}
    code: str = ""


_DECODER = msgspec.json.Decoder(_Line)
_ENCODER = msgspec.json.Encoder()
_SEATS = {str(seat): seat for seat in Seat}
_SIDES = {str(side): side for side in Side}


def read_quickly(line: bytes) -> RecordLine | None:
    """What a line says that is to the byte as it is written here, of a legal deal; None for any other."""
    try:
        said = _DECODER.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if _ENCODER.encode(said) != line or said.rightbower != VERSION or said.game < 1 or said.deal < 1:
        return None
    if max(said.game, said.deal, *said.initial_score.values()) > MOST_NUMBER:
        return None
    position = read_legal(said.code)
    if position is None:
        return None
    if not (said.players.keys() <= _SEATS.keys() and said.initial_score.keys() <= _SIDES.keys()):
        return None
    if min(said.initial_score.values(), default=0) < 0:
        return None
    players = {_SEATS[seat]: name for seat, name in said.players.items()}
    score = {_SIDES[side]: points for side, points in said.initial_score.items()}
    return RecordLine(position.rules, position, said.game, said.deal, said.title, players, score)


class _Game:
    """The lines of one game so far."""

    def __init__(self) -> None:
        self.lines: list[RecordLine] = []
        self.deals: list[DealRecord] = []
        self.first = 0
        self.bytes = 0

    def goes_on(self, said: RecordLine | tuple[Fault, ...], size: int) -> bool:
        """Whether the next line belongs to this game, or is a bad one in its midst."""
        if self.bytes + size > MOST_BYTES:
            return False
        if not self.lines or not isinstance(said, RecordLine):
            return True
        last = self.lines[-1]
        return (
            said.position is not None
            and last.position is not None
            and said.game is not None
            and said.game == last.game
            and (last.deal or 0) < (said.deal or 0)
            and (said.title, said.players, said.initial_score, said.rules)
            == (last.title, last.players, last.initial_score, last.rules)
            and not (said.game_faults or said.game_notes)
            and len(self.deals) < MOST_DEALS
        )

    def add(self, said: RecordLine, at: int, size: int) -> None:
        self.bytes += size
        self.first = self.first if self.lines else at
        self.lines = [*self.lines[:1], said]
        if said.position is not None:
            number = said.deal if said.deal is not None else at + 1
            self.deals.append(DealRecord(number, said.position, said.faults, said.notes))

    def end(self) -> Iterator[tuple[int, GameRecord]]:
        """The game and the place of its first line, if there is one."""
        if self.lines:
            head = self.lines[0]
            yield (
                self.first,
                GameRecord(
                    head.rules,
                    tuple(self.deals),
                    head.title,
                    head.players,
                    head.initial_score,
                    head.game_faults,
                    head.game_notes,
                ),
            )
