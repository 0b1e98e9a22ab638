"""Rows of answers: lines of JSON, CSV or Parquet from one list of columns, and sums over them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

import msgspec
import zstandard

from solver.batch.coded import Coded, json_lines

if TYPE_CHECKING:
    import pyarrow as pa

#: What a column holds. ``seats`` is five small numbers: with all four playing, and with N, E, S or W alone.
TYPES = ("number", "real", "text", "flag", "seats", "texts")
#: Values of a column by which sums are kept: what more there are go together, so that a summary stays small.
MOST_GROUPS = 10_000
OTHERS = "(others)"
_LEVEL = 1
#: Bytes of lines that are unpacked at a time.
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class Column:
    """One column. Summaries group rows by those that ``groups``, and have the sums of those that are ``summed``."""

    name: str
    type: str
    groups: bool = False
    summed: bool = False


#: What every row begins with: which file of the job, and which record of it.
KEY = (Column("file", "number"), Column("record", "number"))

#: Column by column, each as long as the others; large ones are coded.
Table = Sequence[list[Any] | Coded]


def pack_lines(columns: Sequence[Column], table: Table) -> bytes:
    """The rows as lines of JSON, compressed."""
    names = [column.name for column in columns]
    coded = {name: values for name, values in zip(names, table, strict=True) if isinstance(values, Coded)}
    if len(coded) == len(names):
        return _compressed(json_lines(coded))
    return pack(dict(zip(names, row, strict=True)) for row in zip(*table, strict=True))


def pack(objects: Iterable[Mapping[str, Any]]) -> bytes:
    """Objects as lines of JSON, compressed."""
    return _compressed(msgspec.json.Encoder().encode_lines(list(objects)))


def _compressed(lines: bytes) -> bytes:
    return zstandard.ZstdCompressor(_LEVEL).compress(lines)


def unpack(packed: bytes) -> bytes:
    """The lines of `pack`."""
    return zstandard.ZstdDecompressor().decompress(packed) if packed else b""


def unpacked(packed: bytes) -> Iterator[bytes]:
    """The lines of `pack` in blocks, cut anywhere, so that few of them are in memory at a time."""
    with zstandard.ZstdDecompressor().stream_reader(packed) as reader:
        while block := reader.read(_BLOCK):
            yield block


def lines_between(packed: bytes, start: int, stop: int) -> Iterator[bytes]:
    """Those of the lines of `pack` from number ``start``, counted from 0, to before ``stop``, in blocks."""
    at = 0  # the line that the block begins in
    for block in unpacked(packed) if start < stop else ():
        ends = block.count(b"\n")
        first = _after_lines(block, start - at) if at < start else 0
        last = _after_lines(block, stop - at) if at + ends >= stop else len(block)
        if at + ends >= start and first < last:
            yield block[first:last]
        at += ends
        if at >= stop:
            return


def _after_lines(block: bytes, number: int) -> int:
    """The place after so many ends of lines; that after the last if there are fewer."""
    place = 0
    for _ in range(number):
        found = block.find(b"\n", place)
        if found < 0:
            break
        place = found + 1
    return place


def write_csv(columns: Sequence[Column], lines: bytes, to: TextIO, *, header: bool) -> None:
    """Lines of JSON as rows of CSV; lists with spaces between, ``-`` for what is not there."""
    writer = csv.writer(to, lineterminator="\n")
    if header:
        writer.writerow([column.name for column in columns])
    for line in io.BytesIO(lines):
        row = msgspec.json.decode(line)
        writer.writerow([_cell(row[column.name]) for column in columns])


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list):
        return " ".join("-" if each is None else str(each) for each in value)
    return value


def arrow_table(columns: Sequence[Column], table: Table) -> pa.Table:
    """The rows for Parquet (extra ``analytics``)."""
    import pyarrow as pa

    types = {
        "number": pa.int64(),
        "real": pa.float64(),
        "text": pa.string(),
        "flag": pa.bool_(),
        "seats": pa.list_(pa.int8()),
        "texts": pa.list_(pa.string()),
    }
    arrays = [
        values.arrow(types[column.type]) if isinstance(values, Coded) else pa.array(values, types[column.type])
        for column, values in zip(columns, table, strict=True)
    ]
    return pa.Table.from_arrays(arrays, names=[column.name for column in columns])


def arrow_lines(table: pa.Table) -> Iterator[bytes]:
    """Rows of Parquet as lines of JSON, some thousand at a time."""
    encoder = msgspec.json.Encoder()
    for batch in table.to_batches(max_chunksize=10_000):
        yield encoder.encode_lines(batch.to_pylist())


# -- summaries -------------------------------------------------------------------------------------------------------

#: Column -> its value -> ``rows`` and the sum of each summed column.
Summary = dict[str, dict[str, dict[str, float]]]


def summarize(columns: Sequence[Column], table: Table) -> Summary:
    """The sums over the rows, by each value of each column that groups; rows without a value are left out."""
    summed = [(column.name, values) for column, values in zip(columns, table, strict=True) if column.summed]
    grouping = [(column.name, values) for column, values in zip(columns, table, strict=True) if column.groups]
    return merge([{name: _groups(values, summed)} for name, values in grouping])


def _groups(by: list[Any] | Coded, summed: Sequence[tuple[str, list[Any] | Coded]]) -> dict[str, dict[str, float]]:
    if isinstance(by, Coded):
        sums = {name: by.sums(values) for name, values in summed if isinstance(values, Coded)}
        return {
            value: {"rows": int(rows), **{name: float(each[at]) for name, each in sums.items()}}
            for at, (value, rows) in enumerate(zip(by.values, by.counts(), strict=True))
            if rows and value is not None
        }
    groups: dict[str, dict[str, float]] = {}
    for row, value in enumerate(by):
        if value is None:
            continue
        mine = groups.setdefault(value, {"rows": 0, **dict.fromkeys((name for name, _ in summed), 0.0)})
        mine["rows"] += 1
        for name, values in summed:
            assert not isinstance(values, Coded)
            mine[name] += values[row] or 0
    return groups


def merge(summaries: Iterable[Summary]) -> Summary:
    """One summary of many. Beyond `MOST_GROUPS` values of a column, those that come first keep their names."""
    merged: Summary = {}
    for summary in summaries:
        for column, groups in summary.items():
            into = merged.setdefault(column, {})
            for value, sums in groups.items():
                name = value if value in into or len(into) < MOST_GROUPS else OTHERS
                mine = into.setdefault(name, {})
                for key, number in sums.items():
                    mine[key] = mine.get(key, 0) + number
    return merged
