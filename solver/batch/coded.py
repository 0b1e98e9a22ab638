"""Columns of few different values, as arrays of places in a list of them.

What rows by the hundred thousand are made of: with a Python object for each value, writing a row down takes a sixth of
the time that solving its deal does; here none is made on the way to the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa


_ROWS = 8192
#: Numbers with more than so many times as many between them are told one by one.
_SPREAD = 4


@dataclass(frozen=True, eq=False)
class Coded:
    """``values[codes]``: ``codes`` is ``int[n]``, or ``int[n, k]`` for a list of k values in each row."""

    codes: NDArray[np.integer[Any]]
    values: Sequence[Any]

    def __len__(self) -> int:
        return len(self.codes)

    def tolist(self) -> list[Any]:
        values = np.empty(len(self.values), dtype=object)
        values[:] = self.values
        listed: list[Any] = values[self.codes].tolist()
        return listed

    def arrow(self, type_: pa.DataType) -> pa.Array:
        """The column for Parquet."""
        import pyarrow as pa

        flat = self.codes.reshape(-1).astype(np.int32)
        inner = type_ if self.codes.ndim == 1 else type_.value_type
        array = pa.array(list(self.values), inner).take(pa.array(flat))
        if self.codes.ndim == 1:
            return array
        offsets = np.arange(len(self) + 1, dtype=np.int32) * self.codes.shape[1]
        return pa.ListArray.from_arrays(pa.array(offsets), array)

    def counts(self) -> NDArray[np.int64]:
        """How often each value is there."""
        return np.bincount(self.codes.reshape(-1), minlength=len(self.values))

    def sums(self, of: Coded) -> NDArray[np.float64]:
        """The sum of the numbers ``of`` over the rows of each value."""
        numbers = np.array([0 if value is None else value for value in of.values], dtype=np.float64)[of.codes]
        return np.bincount(self.codes, weights=numbers, minlength=len(self.values)).astype(np.float64)


def whole_numbers(numbers: NDArray[np.integer[Any]]) -> Coded:
    """A column of whole numbers, most of which lie close together."""
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    if high - low <= _SPREAD * len(numbers):
        return Coded(numbers.astype(np.int64) - low, range(low, high + 1))
    # Such as the numbers of records at the end of one file and the beginning of the next.
    values, codes = np.unique(numbers, return_inverse=True)
    return Coded(codes, values.tolist())


def json_lines(columns: Mapping[str, Coded]) -> bytes:
    """The rows as lines of JSON, as a JSON encoder would write them: a matrix of bytes with a row for each, from which
    what is left over of every value's width is then dropped. Some thousand rows at a time, as the matrix is large."""
    rows = len(next(iter(columns.values())))
    coded = [(msgspec.json.encode(name) + b":", column.codes, _tokens(column)) for name, column in columns.items()]
    return b"".join(
        _json_lines([(name, codes[at : at + _ROWS], tokens) for name, codes, tokens in coded], min(_ROWS, rows - at))
        for at in range(0, rows, _ROWS)
    )


def _json_lines(columns: Sequence[tuple[bytes, NDArray[np.integer[Any]], NDArray[np.uint8]]], rows: int) -> bytes:
    """Of each column its name, its codes, and the values they stand for."""
    pieces: list[bytes | NDArray[np.uint8]] = []
    joint = b"{"
    for name, codes, tokens in columns:
        pieces.append(joint + name)
        if codes.ndim == 1:
            pieces.append(_picked(tokens, codes))
        else:
            for at in range(codes.shape[1]):
                pieces += [b"," if at else b"[", _picked(tokens, codes[:, at])]
            pieces.append(b"]")
        joint = b","
    pieces.append(b"}\n")
    return _joined(pieces, rows)


def _picked(tokens: NDArray[np.uint8], codes: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
    # Single bytes are picked several times as fast as rows of one.
    picked: NDArray[np.uint8] = tokens[codes] if tokens.shape[1] > 1 else tokens[:, 0][codes][:, None]
    return picked


def _tokens(column: Coded) -> NDArray[np.uint8]:
    """Each value in JSON, as many bytes wide as the widest that is used; nothing follows as zeros."""
    if isinstance(column.values, range):
        encoded = np.array(column.values, dtype=np.int64).astype("S")
    else:
        used = column.counts() > 0
        encoded = np.array(
            [msgspec.json.encode(value) if use else b"" for value, use in zip(column.values, used, strict=True)]
        )
    return encoded.view(np.uint8).reshape(len(encoded), -1)


def _joined(pieces: Sequence[bytes | NDArray[np.uint8]], rows: int) -> bytes:
    widths = [len(piece) if isinstance(piece, bytes) else piece.shape[1] for piece in pieces]
    matrix = np.empty((rows, sum(widths)), dtype=np.uint8)
    at = 0
    for piece, width in zip(pieces, widths, strict=True):
        matrix[:, at : at + width] = np.frombuffer(piece, np.uint8) if isinstance(piece, bytes) else piece
        at += width
    return matrix.tobytes().translate(None, b"\0")
