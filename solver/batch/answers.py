"""What comes of the records of a chunk, before it has a form of output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from solver.batch.repeats import Known
from solver.batch.rows import Table
from solver.batch.source import Record


@dataclass(frozen=True)
class Result:
    """What came of a chunk: a table of so many ``rows`` with their key, how many records it had, and which are bad.

    ``repeated`` of the records had been answered before; ``answers`` are those that are new, for when they come again.
    ``documents`` stand for the rows where the answers are lines of JSON that are no rows of a table.
    """

    table: Table
    rows: int
    records: int
    bad: Sequence[Record]
    documents: Sequence[dict[str, Any]] | None = None
    repeated: int = 0
    answers: Known = field(default_factory=dict)


def table_of(rows: Sequence[tuple[Any, ...]], columns: int) -> Table:
    """Rows as columns, of which there are as many though there be no row."""
    return [list(values) for values in zip(*rows, strict=True)] or [[] for _ in range(columns)]
