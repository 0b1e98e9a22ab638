"""Compressed bodies, unpacked as they arrive, never much at a time: a bomb costs no more than its limit."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator

import zstandard

from solver.errors import Fault, InvalidInput

#: Bytes that come out of a decoder at a time, at most; of zstd some 32 MiB may, a thousand bytes of blocks of 128 KiB.
_MOST_OUT = 1 << 20
_ZSTD_IN = 1 << 10
#: The window that HTTP allows zstd (RFC 9659).
_ZSTD_WINDOW = 1 << 23


def gunzipped(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """All members of a gzip stream. Raises `InvalidInput` if it is none, or is cut short."""
    member = zlib.decompressobj(wbits=31)
    begun = False
    for block in blocks:
        while block:
            if member.eof:
                member, begun = zlib.decompressobj(wbits=31), False
            try:
                out = member.decompress(block, _MOST_OUT)
            except zlib.error as error:
                raise _refusal("gzip", str(error)) from None
            begun = True
            if out:
                yield out
            block = member.unused_data if member.eof else member.unconsumed_tail
    # What is left inside comes without further input.
    while begun and not member.eof:
        out = member.decompress(b"", _MOST_OUT)
        if not out:
            break
        yield out
    if not member.eof:
        raise _refusal("gzip", "it ends too early")


def unzstd(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """All frames of a zstd stream. Raises `InvalidInput` if it is none, is cut short, or wants too much memory."""
    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    frame = decompressor.decompressobj()
    for block in blocks:
        for at in range(0, len(block), _ZSTD_IN):
            piece = block[at : at + _ZSTD_IN]
            while piece:
                if frame.eof:
                    frame = decompressor.decompressobj()
                try:
                    out = frame.decompress(piece)
                except zstandard.ZstdError as error:
                    raise _refusal("zstd", str(error)) from None
                if out:
                    yield out
                piece = frame.unused_data if frame.eof else b""
    if not frame.eof:
        raise _refusal("zstd", "it ends too early")


def _refusal(encoding: str, reason: str) -> InvalidInput:
    return InvalidInput([Fault("request.encoding", f"the body is not {encoding} as it says: {reason}")])


#: What a ``Content-Encoding`` may name.
DECODERS: dict[str, Callable[[Iterable[bytes]], Iterator[bytes]]] = {
    "identity": iter,
    "gzip": gunzipped,
    "x-gzip": gunzipped,
    "zstd": unzstd,
}
