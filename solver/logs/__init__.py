"""Files of many records: every format, and how to tell which one a file is in.

A reader takes a binary stream and gives games as it comes to them, so that a file need not fit into memory: lines and
documents have limits (`solver.logs.streams`). It goes on after a bad record: what is wrong stands in the ``faults`` of
the game or the deal. It raises `InvalidInput` only where nothing can be read at all.

A writer takes games and a binary stream. It raises `InvalidInput`, before it has written anything of that game, where
its format cannot hold a game or some of its deals: each such deal has a fault with the path ``deals`` and its place in
the game. What is beside the play (notes, names) is written where the format has a place for it;
`solver.logs.convert` says what is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from solver.errors import Fault, InvalidInput
from solver.game.record import GameRecord
from solver.logs import egn, jsonl, line, openspiel, ptn
from solver.logs.streams import HEAD, peeked, refuse_wide


@dataclass(frozen=True, slots=True)
class LogFormat:
    """One way to write down games. ``detect`` is shown the first `HEAD` bytes of a file.

    ``suffix`` is that of the files that are written. ``write`` is None where a format is only read; ``one_game``: a
    file holds one game, so ``write`` takes no more.
    """

    name: str
    description: str
    detect: Callable[[bytes], bool]
    read: Callable[[BinaryIO], Iterator[GameRecord]]
    suffix: str
    write: Callable[[Iterable[GameRecord], BinaryIO], None] | None = None
    one_game: bool = False


#: The order is the order in which `detect` asks.
FORMATS: tuple[LogFormat, ...] = (
    LogFormat("jsonl", "the native format, lossless: a deal a line", jsonl.detect, jsonl.read, ".jsonl", jsonl.write),
    LogFormat(
        "egn",
        "Euchre Game Notation, JSON or binary, versions 1.x",
        egn.detect,
        egn.read,
        ".egn",
        egn.write,
        one_game=True,
    ),
    LogFormat(
        "openspiel",
        "action lists of OpenSpiel's euchre, one game a line",
        openspiel.detect,
        openspiel.read,
        ".openspiel.jsonl",
        openspiel.write,
    ),
    LogFormat(
        "line", "one deal a line: hands|upcard|PPPT|discard|P|tricks", line.detect, line.read, ".txt", line.write
    ),
    LogFormat(
        "ptn",
        "PTN, Trickster's dialect of Portable Bridge Notation, one deal a record",
        ptn.detect,
        ptn.read,
        ".ptn",
        ptn.write,
    ),
)


def formats_document() -> dict[str, list[dict[str, str]]]:
    """The formats as a JSON document."""
    return {"formats": [{"name": each.name, "description": each.description} for each in FORMATS]}


def named(name: str) -> LogFormat:
    """The format of that name. Raises `InvalidInput` (``log.format``) if there is none."""
    for each in FORMATS:
        if each.name == name:
            return each
    shown = name if len(name) <= 40 else name[:37] + "..."
    raise InvalidInput([Fault("log.format", f"there is no log format {shown!a}; known are {_known()}", ("format",))])


def detect(head: bytes) -> LogFormat:
    """The format of a file that begins like this.

    Raises `InvalidInput`: ``log.format`` if it is not known, ``file.unreadable`` for text in UTF-16.
    """
    for each in FORMATS:
        if each.detect(head[:HEAD]):
            return each
    refuse_wide(head)
    raise InvalidInput([Fault("log.format", f"the format is not known; known are {_known()}")])


def read(source: str | PathLike[str] | bytes | BinaryIO, format: str | None = None) -> Iterator[GameRecord]:  # noqa: A002
    """The games of a file, given by its path, as its bytes or as a binary stream, one at a time.

    The format is the one named, or detected from the first `HEAD` bytes. A stream need not be seekable and stays open.

    Raises `InvalidInput` (``log.format``, ``file.unreadable``) at once if the format is not known, and while reading
    where the file as a whole cannot be read; `OSError` if there is no such file.
    """
    if isinstance(source, bytes):
        return _format(source[:HEAD], format).read(BytesIO(source))
    if not isinstance(source, (str, PathLike)):
        head, stream = peeked(source)
        return _format(head, format).read(stream)
    file = Path(source).open("rb")  # noqa: SIM115  # closed by the generator, or here if it comes to none
    try:
        head, stream = peeked(file)
        chosen = _format(head, format)
    except BaseException:
        file.close()
        raise
    return _from_file(file, stream, chosen)


def _from_file(file: BinaryIO, stream: BinaryIO, chosen: LogFormat) -> Iterator[GameRecord]:
    with file:
        yield from chosen.read(stream)


def _format(head: bytes, name: str | None) -> LogFormat:
    return named(name) if name is not None else detect(head)


def _known() -> str:
    return ", ".join(each.name for each in FORMATS)
