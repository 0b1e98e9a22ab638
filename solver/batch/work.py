"""One chunk, done: what threads, processes and machines of a cluster all do. It knows no database."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

from solver.batch.answers import Result
from solver.batch.engines import refuse_other_version
from solver.batch.kinds import Kind, kind_named
from solver.batch.repeats import Known
from solver.batch.rows import KEY, arrow_table, pack, pack_lines, summarize
from solver.batch.source import Block, Record, load
from solver.batch.values import Part, Piece, Spec

if TYPE_CHECKING:
    import pyarrow as pa

NDJSON, PARQUET = "ndjson", "parquet"


@dataclass(frozen=True)
class Task:
    """A chunk to do. ``blocks`` are its bytes where the files cannot be read, as on other machines; ``known`` are
    answers that other chunks have come to."""

    spec: Spec
    pieces: tuple[Piece, ...]
    blocks: tuple[Block, ...] | None = None
    known: Known = field(default_factory=dict)

    def run(self) -> Part:
        return run_chunk(self)

    def complete(self) -> Task:
        return replace(self, blocks=tuple(load(self.spec.sources, self.pieces)))


def run_chunk(task: Task) -> Part:
    """Do it. Rows come as the bytes of their form of output.

    Raises `WrongVersion` where this is not the solver that the job was begun with, `InvalidInput` if a file has changed
    or cannot be read. A record that is bad is no error: it is named in the part.
    """
    refuse_other_version(task.spec.engine)
    began = time.perf_counter()
    kind = kind_named(task.spec.kind)
    blocks: Iterable[Block] = load(task.spec.sources, task.pieces) if task.blocks is None else task.blocks
    result = kind.run(blocks, task.spec.settings, task.known)
    documents = result.documents if task.spec.output == NDJSON else None
    return Part(
        records=result.records,
        number_of_rows=result.rows if documents is None else len(documents),
        bad=len({(each.file, each.number) for each in result.bad}),
        rows=_encoded(kind, result, task.spec.output) if documents is None else pack(documents) if documents else b"",
        faults=pack(_named(each) for each in result.bad),
        summary=summarize((*KEY, *kind.columns), result.table) if result.rows else {},
        seconds=time.perf_counter() - began,
        repeated=result.repeated,
        answers=result.answers,
    )


def _encoded(kind: Kind, result: Result, output: str) -> bytes:
    columns = (*KEY, *kind.columns)
    if output != PARQUET:
        return pack_lines(columns, result.table) if result.rows else b""
    table = arrow_table(columns, result.table if result.rows else [[] for _ in columns])
    return parquet_bytes(table)


def parquet_bytes(table: pa.Table) -> bytes:
    import pyarrow.parquet as pq

    buffer = BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _named(record: Record) -> dict[str, Any]:
    errors = [{"code": each.code, "path": list(each.path), "message": each.message} for each in record.faults]
    return {"file": record.file, "record": record.number, "errors": errors}
