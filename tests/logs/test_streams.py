"""Streams of any size and shape are read within bounds of memory."""

from __future__ import annotations

import io
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import Fault, InvalidInput
from solver.logs import FORMATS
from solver.logs.streams import DOCUMENT_LIMIT, HEAD, LINE_LIMIT, document_bytes, lines, peeked

PIECE = 1 << 16


class Endless(io.RawIOBase):
    """A beginning, one line of 100 MB that nobody holds, and an end."""

    def __init__(self, begin: bytes, fill: bytes, end: bytes = b"") -> None:
        self.parts = [begin, *[fill * (PIECE // len(fill))] * (100 * (1 << 20) // PIECE), end]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        piece = b""
        while self.parts and not piece:
            piece, self.parts[0] = self.parts[0][: len(buffer)], self.parts[0][len(buffer) :]
            if not self.parts[0]:
                self.parts.pop(0)
        buffer[: len(piece)] = piece
        return len(piece)


def peak(begin: bytes, fill: bytes, end: bytes, name: str) -> tuple[int, list[Fault], int]:
    """Bytes held at most while a format reads it, the faults, and how many deals came."""
    (each,) = (each for each in FORMATS if each.name == name)
    faults: list[Fault] = []
    deals = 0
    tracemalloc.start()
    try:
        for game in each.read(io.BufferedReader(Endless(begin, fill, end))):
            faults += game.faults
            deals += len(game.deals)
    except InvalidInput as error:
        faults += error.faults
    finally:
        held = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return held, faults, deals


GOOD = {
    "jsonl": b'{"rightbower":1,"game":1,"deal":1,"code":"american.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS"}',
    "line": b"9cTcQcKcAs|9dTdJdQdAh|Ad9hThQhKh|9sTsJsQsKs|Jh|",
    "ptn": b'[Dealer "N"][Deal "N:K.Q.Q.AQ AQT.9.T. J9.J.AK. .AK.9.KJ"][Undealt "C9CTDJHT"]',
    "openspiel": b"[3,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]",
}


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("fill", [b"x", b"[", b"9c|", b'{"a":'])
def test_one_line_of_100_mb_is_a_fault_and_never_held(name: str, fill: bytes) -> None:
    good = GOOD[name]
    held, faults, deals = peak(good + b"\n" + good[:20], fill, b"\n" + good + b"\n", name)
    assert [fault.path for fault in faults] == [("lines", 1)]
    assert deals == 2
    assert held < 5 * LINE_LIMIT


def test_a_document_of_100_mb_is_refused_and_never_held() -> None:
    held, faults, deals = peak(b'{"fileType": "Euchre Game Notation", "deals": [', b"[", b"]", "egn")
    assert [fault.code for fault in faults] == ["file.unreadable"] and deals == 0
    assert held < 5 * DOCUMENT_LIMIT


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", ["9cTc", "\n\r\n \n9cTc\n"])
def test_lines_of_a_wide_encoding_are_refused_wherever_they_begin(encoding: str, text: str) -> None:
    with pytest.raises(InvalidInput, match="UTF-8"):
        list(lines(io.BytesIO(text.encode(encoding))))


def test_a_line_of_other_bytes_among_good_ones_ends_nothing() -> None:
    assert len(list(lines(io.BytesIO(b"x\n" + bytes(64) + b"\n\xff\xfe\nx\n")))) == 4


@given(st.lists(st.binary(max_size=30).filter(lambda line: b"\n" not in line)))
def test_lines_are_those_that_are_not_blank(content: list[bytes]) -> None:
    source = b"x\n" + b"\n".join(content)  # a first line that is no byte order mark
    found = [(at, line) for at, line in lines(io.BytesIO(source))]
    assert found == [(0, b"x")] + [(at, line.strip()) for at, line in enumerate(content, 1) if line.strip()]


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_a_line_may_be_as_long_as_the_limit(end: bytes) -> None:
    ((_, line),) = lines(io.BytesIO(b"x" * (50 - len(end)) + end), limit=50)
    assert line == b"x" * (50 - len(end))
    (first, (at, second)) = lines(io.BytesIO(b"x" * 51 + b"y" * 1000 + b"\nz" + end), limit=50)
    assert isinstance(first[1], Fault) and (at, second) == (1, b"z")


def test_a_document_may_be_as_long_as_the_limit() -> None:
    assert document_bytes(io.BytesIO(b"x" * 50), limit=50) == b"x" * 50
    with pytest.raises(InvalidInput, match="50 bytes"):
        document_bytes(io.BytesIO(b"x" * 51), limit=50)


@given(st.sampled_from([0, 1, HEAD - 1, HEAD, HEAD + 1, 3 * HEAD]), st.integers(500, 5000))
@settings(max_examples=30)
def test_a_peeked_stream_begins_again(size: int, step: int) -> None:
    content = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    head, stream = peeked(io.BytesIO(content))
    assert head == content[:HEAD]
    assert b"".join(iter(lambda: stream.read(step), b"")) == content
