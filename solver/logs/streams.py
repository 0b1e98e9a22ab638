"""Reading a file that may be anything within bounds of memory: lines of limited length, documents of limited size."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO, Protocol

from solver.errors import Fault, InvalidInput

#: Bytes of a line, and of a file that is one document. Real games have a hundredth of it.
LINE_LIMIT = 4 << 20
DOCUMENT_LIMIT = 8 << 20

#: Bytes from the beginning of a file by which its format is told.
HEAD = 1 << 16

_PIECE = 1 << 16
_BOM = b"\xef\xbb\xbf"
#: What is left of an empty line of UTF-16 where it is cut at the byte of its end.
_NOTHING = b"\x00 \t\r\n"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


class _Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


def refuse_wide(head: bytes) -> None:
    """Raise `InvalidInput` (``file.unreadable``) for a file that begins as text of two or four bytes a sign does."""
    if head.startswith(_WIDE_BOMS) or (head[:64].count(0) >= 2 and head[:64].count(0) * 3 >= len(head[:64])):
        message = "the text is UTF-16 or UTF-32, or no text at all; only UTF-8 is read"
        raise InvalidInput([Fault("file.unreadable", message)])


def lines(stream: BinaryIO, limit: int = LINE_LIMIT) -> Iterator[tuple[int, bytes | Fault]]:
    """The lines that are not blank, each with its place from 0 and without its end.

    Of a line longer than ``limit`` there is a fault instead, and no more than the limit is ever held. A byte order mark
    is skipped. Raises `InvalidInput` for a file in UTF-16 or UTF-32.
    """
    at, begun = -1, False
    while line := stream.readline(limit + 1):
        at += 1
        if not begun and line.strip(_NOTHING):
            begun = True
            refuse_wide(line)
        if at == 0:
            line = line.removeprefix(_BOM)
        if len(line) > limit and not line.endswith(b"\n"):
            _skip_line(stream)
            yield at, too_long(limit)
        elif stripped := line.strip():
            yield at, stripped


def too_long(limit: int) -> Fault:
    """What stands in place of a line of more bytes."""
    return Fault("log.record", f"the line is longer than {limit} bytes")


def _skip_line(stream: BinaryIO) -> None:
    while piece := stream.readline(_PIECE):
        if piece.endswith(b"\n"):
            return


def document_bytes(stream: BinaryIO, limit: int = DOCUMENT_LIMIT) -> bytes:
    """All bytes of a file that is one document.

    Raises `InvalidInput` if there are more than ``limit``, of which no more is read.
    """
    content = bytearray()
    while piece := stream.read(min(_PIECE, limit + 1 - len(content))):
        content += piece
        if len(content) > limit:
            message = f"the file is longer than {limit} bytes, the most that one game may have in this format"
            raise InvalidInput([Fault("file.unreadable", message)])
    return bytes(content)


def peeked(stream: _Readable) -> tuple[bytes, BinaryIO]:
    """The first `HEAD` bytes of a stream, and a stream that begins with them again. It need not be seekable."""
    head = bytearray()
    while len(head) < HEAD and (piece := stream.read(HEAD - len(head))):
        head += piece
    return bytes(head), io.BufferedReader(_Again(bytes(head), stream), _PIECE)


class _Again(io.RawIOBase):
    """What was read from a stream already, and then the rest of it."""

    def __init__(self, head: bytes, rest: _Readable) -> None:
        self._head = memoryview(head)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]  # any buffer will do
        piece = self._head[: len(buffer)] if self._head else self._rest.read(len(buffer))
        self._head = self._head[len(buffer) :]
        buffer[: len(piece)] = piece
        return len(piece)
