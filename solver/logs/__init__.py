"""Files of many records: every format, and how to tell which one a file is in.

A reader takes a binary stream and gives games as it comes to them, so that a file need not fit into memory. It goes on
after a bad record: what is wrong stands in the ``faults`` of the game or the deal. It raises `InvalidInput` only where
nothing can be read at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from solver.errors import Fault, InvalidInput
from solver.game.record import GameRecord
from solver.logs import egn, openspiel, ptn

#: Bytes from the beginning of a file that `detect` looks at.
HEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class LogFormat:
    """One way to write down games. ``detect`` is shown the first `HEAD` bytes of a file."""

    name: str
    description: str
    detect: Callable[[bytes], bool]
    read: Callable[[BinaryIO], Iterator[GameRecord]]


FORMATS: tuple[LogFormat, ...] = (
    LogFormat("egn", "Euchre Game Notation, JSON or binary, versions 1.x", egn.detect, egn.read),
    LogFormat("openspiel", "action lists of OpenSpiel's euchre, one game a line", openspiel.detect, openspiel.read),
    LogFormat("ptn", "PTN, Trickster's dialect of Portable Bridge Notation, one deal a record", ptn.detect, ptn.read),
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
    """The format of a file that begins like this. Raises `InvalidInput` (``log.format``) if it is not known."""
    for each in FORMATS:
        if each.detect(head[:HEAD]):
            return each
    raise InvalidInput([Fault("log.format", f"the format is not known; known are {_known()}")])


def read(source: str | PathLike[str] | bytes, format: str | None = None) -> Iterator[GameRecord]:  # noqa: A002
    """The games of a file, given by its path or as its bytes, one at a time.

    The format is the one named, or detected from the first `HEAD` bytes.

    Raises `InvalidInput` (``log.format``) at once if the format is not known, and while reading where the file as a
    whole cannot be read; `OSError` if there is no such file.
    """
    if isinstance(source, bytes):
        return _format(source[:HEAD], format).read(BytesIO(source))
    with Path(source).open("rb") as file:
        head = file.read(HEAD)
        chosen = _format(head, format)
        if not file.seekable():  # a pipe gives each byte once
            return chosen.read(BytesIO(head + file.read()))
    return _from_file(source, chosen)


def _from_file(path: str | PathLike[str], chosen: LogFormat) -> Iterator[GameRecord]:
    with Path(path).open("rb") as file:
        yield from chosen.read(file)


def _format(head: bytes, name: str | None) -> LogFormat:
    return named(name) if name is not None else detect(head)


def _known() -> str:
    return ", ".join(each.name for each in FORMATS)
