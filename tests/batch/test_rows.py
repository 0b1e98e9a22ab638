"""Rows: whatever way they are written, they are the same rows."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.batch import rows
from solver.batch.coded import Coded, json_lines, whole_numbers
from solver.batch.rows import OTHERS, Column, arrow_table, merge, pack_lines, summarize, unpack, write_csv

COLUMNS = (
    Column("number", "number", summed=True),
    Column("name", "text", groups=True),
    Column("seats", "seats"),
    Column("cards", "texts"),
)
NAMES = ("Ann", 'B"ob', "Zoë", None)


def table(numbers: list[int], codes: list[int]) -> list[Coded]:
    grid = np.array(codes, dtype=np.int64)[:, None] + np.arange(5)
    return [
        whole_numbers(np.array(numbers, dtype=np.int64)),
        Coded(np.array(codes, dtype=np.uint8), NAMES),
        Coded(grid % 7, (0, 1, 2, 3, 4, 5, None)),
        Coded(grid % 3, ("JH", None, "9C")),
    ]


ROWS = st.lists(st.tuples(st.integers(-300, 300), st.integers(0, 3)), min_size=1, max_size=40)


@given(ROWS)
def test_coded_columns_are_written_as_their_values_are(made: list[tuple[int, int]]) -> None:
    coded = table([number for number, _ in made], [code for _, code in made])
    plain = [column.tolist() for column in coded]
    lines = unpack(pack_lines(COLUMNS, coded))
    assert lines == unpack(pack_lines(COLUMNS, plain))
    assert [json.loads(line) for line in lines.splitlines()] == [
        dict(zip([column.name for column in COLUMNS], row, strict=True)) for row in zip(*plain, strict=True)
    ]
    assert arrow_table(COLUMNS, coded).equals(arrow_table(COLUMNS, plain))
    assert summarize(COLUMNS, coded) == summarize(COLUMNS, plain)


def test_many_rows_are_written_in_slices_without_a_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {"record": whole_numbers(np.arange(95, 1205))}
    whole = json_lines(columns)
    monkeypatch.setattr("solver.batch.coded._ROWS", 7)
    assert json_lines(columns) == whole
    assert [json.loads(line)["record"] for line in whole.splitlines()] == list(range(95, 1205))


def test_numbers_far_apart_take_no_room_for_those_between() -> None:
    """A chunk may hold the end of a long file and the beginning of the next."""
    numbers = np.r_[50_000_000:50_000_100, 0:100]
    coded = whole_numbers(numbers)
    assert len(coded.values) == 200
    assert coded.tolist() == numbers.tolist()


def test_csv_has_lists_with_spaces_and_a_dash_for_nothing() -> None:
    to = io.StringIO()
    lines = unpack(pack_lines(COLUMNS, table([1, -2], [1, 3])))
    write_csv(COLUMNS, lines, to, header=True)
    assert to.getvalue() == 'number,name,seats,cards\n1,"B""ob",1 2 3 4 5,- 9C JH - 9C\n-2,,3 4 5 - 0,JH - 9C JH -\n'


def test_summaries_merge_to_that_of_the_whole() -> None:
    first, second = table([1, 2, 3], [0, 1, 0]), table([5, -1], [1, 2])
    whole = table([1, 2, 3, 5, -1], [0, 1, 0, 1, 2])
    assert merge([summarize(COLUMNS, first), summarize(COLUMNS, second)]) == summarize(COLUMNS, whole)
    assert summarize(COLUMNS, whole)["name"]["Ann"] == {"rows": 2, "number": 4}


def test_a_summary_stays_small_and_loses_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MOST_GROUPS", 3)
    merged = merge({"name": {f"p{at}": {"rows": 1}}} for at in range(10))
    assert merged["name"] == {"p0": {"rows": 1}, "p1": {"rows": 1}, "p2": {"rows": 1}, OTHERS: {"rows": 7}}
