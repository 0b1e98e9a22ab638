"""Compressed bodies come out as they went in, or are refused, in little memory."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Callable, Iterator

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from api.jobs.decoding import DECODERS
from solver import InvalidInput


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


COMPRESS: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.compress, "zstd": zstd}
both = pytest.mark.parametrize("name", COMPRESS)


def in_blocks(data: bytes, size: int) -> Iterator[bytes]:
    for at in range(0, len(data), size):
        yield data[at : at + size]


def decoded(name: str, data: bytes, size: int = 1 << 16) -> bytes:
    return b"".join(DECODERS[name](in_blocks(data, size)))


@both
@given(parts=st.lists(st.binary(max_size=300), min_size=1, max_size=4), size=st.integers(1, 400))
def test_members_and_frames_one_after_the_other_are_one_file(name: str, parts: list[bytes], size: int) -> None:
    sent = b"".join(COMPRESS[name](part) for part in parts)
    assert decoded(name, sent, size) == b"".join(parts)


@both
@given(part=st.binary(max_size=300), data=st.data())
def test_what_is_cut_short_or_has_a_tail_is_refused(name: str, part: bytes, data: st.DataObject) -> None:
    sent = COMPRESS[name](part)
    for wrong in (sent[: data.draw(st.integers(0, len(sent) - 1))], sent + b"tail", b"\x00" + sent):
        with pytest.raises(InvalidInput) as caught:
            decoded(name, wrong)
        assert [fault.code for fault in caught.value.faults] == ["request.encoding"]


@both
def test_a_bomb_is_never_in_memory_as_a_whole(name: str) -> None:
    bomb = COMPRESS[name](bytes(1 << 28))
    tracemalloc.start()
    total = sum(len(block) for block in DECODERS[name](in_blocks(bomb, 1 << 16)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert total == 1 << 28
    assert peak < 1 << 27


def test_a_window_larger_than_http_allows_is_refused() -> None:
    settings = zstandard.ZstdCompressionParameters(window_log=25, compression_level=1)
    sent = zstandard.ZstdCompressor(compression_params=settings).compress(bytes(1 << 25))
    with pytest.raises(InvalidInput, match="memory"):
        decoded("zstd", sent)
