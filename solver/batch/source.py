"""Files of records: cut into chunks of bytes, read again whenever a chunk is to be done.

A file whose records are lines is cut at ends of lines, so that it need never be read as a whole; others are chunks as
they are, small ones together. A record's number is that of its line, or of its deal where a file is no list of lines.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from solver.batch.values import MOST_BYTES, Cursor, Piece, Source
from solver.errors import Fault, InvalidInput
from solver.game.position import Position
from solver.game.record import GameRecord
from solver.game.rules import PRESETS
from solver.game.seats import Seat
from solver.logs import FORMATS, detect, jsonl, named, read
from solver.logs.streams import HEAD
from solver.notation.deal_code import read_code
from solver.notation.quick_code import read_legal

#: Lines that are deal codes: the bulk format, and no log.
CODES = "codes"
#: Formats with a record on each line.
LINES = (CODES, "openspiel", "line", "jsonl")
#: Formats of which a game may take several lines.
_GAMES_OF_LINES = ("jsonl",)
#: About what a deal takes in a file that is no list of lines.
_BYTES_OF_A_DEAL = 700
#: Bytes of a line: a longer one is no record.
MOST_LINE = 1 << 20
_CODE_LINE = re.compile(rb"\s*(" + b"|".join(name.encode() for name in PRESETS) + rb")(~[\w~-]*)?\.")


@dataclass(frozen=True)
class Record:
    """A record of a file: its position if it has no ``faults``."""

    file: int
    number: int
    position: Position | None
    faults: tuple[Fault, ...] = ()
    players: Mapping[Seat, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Block:
    """A piece with its bytes."""

    piece: Piece
    format: str
    data: bytes


def formats() -> tuple[str, ...]:
    """Every format that a job can read."""
    return (CODES, *(each.name for each in FORMATS))


def source(path: Path, format_name: str | None = None) -> Source:
    """The file as a source, its format detected where it is not named.

    Raises `InvalidInput` if it is no readable file, or its format is not known.
    """
    if path.exists() and not path.is_file():  # before it is opened: a pipe would let us wait
        message = f"{path} is no file, and the work must be able to read it more than once"
        raise InvalidInput([Fault("file.unreadable", message)])
    try:
        with path.open("rb") as file:
            head, status = file.read(HEAD), os.fstat(file.fileno())
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror or error}"
        raise InvalidInput([Fault("file.unreadable", message)]) from None
    place = place_of(path)
    if format_name is None:
        format_name = _detected(head)
    elif format_name != CODES:
        named(format_name)
    return Source(place, format_name, status.st_size, status.st_mtime_ns)


def _detected(head: bytes) -> str:
    if _CODE_LINE.match(head):
        return CODES
    try:
        return detect(head).name
    except InvalidInput as error:
        also = f"; nor is the first line a deal code, of which a file has the format {CODES}"
        faults = [replace(each, message=each.message + also * (each.code == "log.format")) for each in error.faults]
        raise InvalidInput(faults) from None


def place_of(path: Path) -> str:
    """The whole path, as a job has it. Raises `InvalidInput` for one that is no text, and so cannot be written down."""
    place = str(path.resolve())
    try:
        place.encode()
    except UnicodeEncodeError:
        raise InvalidInput([Fault("file.unreadable", f"the name {place!a} is no text in UTF-8")]) from None
    return place


def bytes_of_a_record(first: Source) -> int:
    """How long the deals at the beginning of a source are, on average."""
    if first.format not in LINES or not _is_as_it_was(first):
        return max(1, min(first.size, _BYTES_OF_A_DEAL))
    try:
        with Path(first.path).open("rb") as file:
            head = file.read(HEAD)
    except OSError:  # the work will say so
        return 1
    return max(1, len(head) // max(1, head.count(b"\n")))


def cut(
    sources: Sequence[Source], at: Cursor, size: int, *, whole_games: bool = False
) -> tuple[tuple[Piece, ...], Cursor | None]:
    """About ``size`` bytes of records from a place on, and the place after them: None at the end of the sources.

    With ``whole_games`` no game is cut in two, though its deals be lines: a piece has at least one.
    """
    pieces: list[Piece] = []
    taken, size = 0, min(size, MOST_BYTES)
    while at.file < len(sources) and taken < size:
        of = sources[at.file]
        if at.byte >= of.size:
            at = Cursor(at.file + 1)
            continue
        try:
            piece = _next_piece(of, at, size - taken, whole_games=whole_games)
            then = _after(of, piece)
        except OSError:
            piece, then = _rest(of, at), Cursor(at.file + 1)
        # One piece of a chunk may be large, so that a large file does not wait for small ones before it.
        if pieces and taken + piece.size > 2 * size:
            return tuple(pieces), at
        pieces.append(piece)
        taken += piece.size
        at = then
    while at.file < len(sources) and at.byte >= sources[at.file].size:
        at = Cursor(at.file + 1)
    return tuple(pieces), at if at.file < len(sources) else None


def _next_piece(of: Source, at: Cursor, size: int, *, whole_games: bool) -> Piece:
    if of.format not in LINES or not _is_as_it_was(of):
        return _rest(of, at)
    with Path(of.path).open("rb") as file:
        file.seek(at.byte)
        if whole_games and of.format in _GAMES_OF_LINES:
            return Piece(at.file, at.byte, _end_of_games(file, at.byte + size), at.line)
        data = file.read(size)
        if not data.endswith(b"\n"):
            data += file.readline(MOST_LINE)
        if data.endswith(b"\n") or at.byte + len(data) >= of.size:
            return Piece(at.file, at.byte, at.byte + len(data), at.line)
        whole = data.rfind(b"\n") + 1
        if whole:
            return Piece(at.file, at.byte, at.byte + whole, at.line)
        # A line that is no record: a piece by itself.
        while (more := file.readline(MOST_LINE)) and not more.endswith(b"\n"):
            pass
        return Piece(at.file, at.byte, file.tell(), at.line)


def _rest(of: Source, at: Cursor) -> Piece:
    """Of a file that is no longer what it was, or cannot be read, all the rest is one piece: whoever is to do it finds
    out, and it fails."""
    return Piece(at.file, at.byte, of.size, at.line)


def _end_of_games(file: BinaryIO, limit: int) -> int:
    """The last end of a game up to the limit, or the first one."""
    last = start = file.tell()
    for end in jsonl.ends(file):
        if end > limit and last > start:
            break
        last = end
        if end >= limit:
            break
    return last


def _is_as_it_was(of: Source) -> bool:
    try:
        status = Path(of.path).stat()
    except OSError:
        return False
    return (status.st_size, status.st_mtime_ns) == (of.size, of.changed)


def _after(of: Source, piece: Piece) -> Cursor:
    if piece.stop >= of.size:
        return Cursor(piece.file + 1)
    return Cursor(piece.file, piece.stop, piece.line + (1 if _too_long(piece) else _lines(of, piece)))


def _lines(of: Source, piece: Piece) -> int:
    with Path(of.path).open("rb") as file:
        file.seek(piece.start)
        return file.read(piece.size).count(b"\n")


def _too_long(piece: Piece) -> bool:
    return piece.size > MOST_BYTES + MOST_LINE


def load(sources: Sequence[Source], pieces: Sequence[Piece]) -> Iterator[Block]:
    """The bytes of pieces, one after the other. Raises `InvalidInput` if a file is no longer what it was."""
    for piece in pieces:
        of = sources[piece.file]
        try:
            with Path(of.path).open("rb") as file:
                status = os.fstat(file.fileno())
                if (status.st_size, status.st_mtime_ns) != (of.size, of.changed):
                    raise InvalidInput([Fault("source.changed", f"{of.path} has changed since the job was begun")])
                file.seek(piece.start)
                unread = of.format in LINES and _too_long(piece)
                if unread and b"\n" in file.read(MOST_LINE).strip():
                    message = f"{of.path} could not be read when it was to be cut at this place"
                    raise InvalidInput([Fault("file.unreadable", message)])
                data = b"" if unread else file.read(piece.size)
        except OSError as error:
            message = f"{of.path} cannot be read: {error.strerror or error}"
            raise InvalidInput([Fault("file.unreadable", message)]) from None
        yield Block(piece, of.format, data)


def records(block: Block) -> Iterator[Record]:
    """The records of a block in their order; one that is bad has its faults and no position."""
    piece = block.piece
    if block.format not in LINES:
        yield from _of_games(piece.file, block)
    elif not block.data:
        yield Record(piece.file, piece.line, None, (too_long(),))
    else:
        for at, line in enumerate(block.data.split(b"\n")):
            if line and not line.isspace():
                yield line_record(piece.file, piece.line + at, block.format, line)


def line_record(file: int, number: int, format_name: str, line: bytes) -> Record:
    """The record on a line. A line has one; more, or a game's own faults, are faults of the line."""
    try:
        if len(line) > MOST_LINE:
            raise InvalidInput([too_long()])
        if format_name == CODES:
            return _of_code(file, number, line.decode("ascii").strip())
        # As most are: written here, of a legal deal. It has been judged.
        said = jsonl.read_quickly(line.strip()) if format_name == "jsonl" else None
        if said is not None and said.position is not None:
            return Record(file, number, said.position, (), said.players)
        games = list(read(line, format_name))
    except UnicodeDecodeError:
        return Record(file, number, None, (Fault("code.invalid", "a deal code is ASCII"),))
    except InvalidInput as error:
        return Record(file, number, None, error.faults)
    return _of_line(file, number, games)


def _of_code(file: int, number: int, code: str) -> Record:
    position = read_legal(code)
    return Record(file, number, position) if position is not None else _judged(Record(file, number, read_code(code)))


def _of_line(file: int, number: int, games: Sequence[GameRecord]) -> Record:
    found = [each for game in games for each in _records_of(file, game)]
    faults = tuple(fault for each in found for fault in each.faults)
    # The reader saw this line alone, and so took it for the first; the record's number says which it is.
    if faults:
        return Record(file, number, None, tuple(map(in_line, faults)))
    if len(found) != 1:
        return Record(file, number, None, (Fault("log.record", f"{len(found)} deals, not one"),))
    return Record(file, number, found[0].position, (), found[0].players)


def in_line(fault: Fault) -> Fault:
    """A fault of a line that was read alone, without the place of the line."""
    inner = fault.path[2:] if fault.path[:1] == ("lines",) else fault.path
    return Fault(fault.code, fault.message.removeprefix("line 1: "), inner)


def too_long() -> Fault:
    """What is wrong with a line of more than `MOST_LINE` bytes."""
    return Fault("log.record", f"it is longer than {MOST_LINE} bytes")


def _of_games(file: int, block: Block) -> Iterator[Record]:
    try:
        for game in read(block.data, block.format):
            yield from _records_of(file, game)
    except InvalidInput as error:
        yield Record(file, 0, None, error.faults)


def _records_of(file: int, game: GameRecord) -> Iterator[Record]:
    """The deals of a game; what is wrong with the game itself comes as record 0."""
    if game.faults:
        yield Record(file, 0, None, game.faults)
    for deal in game.deals:
        yield _judged(Record(file, deal.number, deal.position, deal.faults, game.players))


def _judged(record: Record) -> Record:
    assert record.position is not None
    faults = record.faults or tuple(record.position.problems())
    return Record(record.file, record.number, None, faults) if faults else record
