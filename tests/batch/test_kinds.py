"""Kinds of work that look at deals as they were played: rows are what the analysis of each decision says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.analysis.analyze import analyze
from solver.analysis.trace import trace
from solver.batch import by_record, played
from solver.batch.answers import Result
from solver.batch.jobs import spec_of
from solver.batch.kinds import kind_named
from solver.batch.rows import unpack
from solver.batch.source import cut
from solver.batch.values import Cursor, Part
from solver.batch.work import Task, run_chunk
from solver.game.seats import Seat
from solver.notation.batch_query import read_batch
from solver.notation.deal_code import read_code
from tests.batch.files import played_codes, write_lines
from tests.strategies import decisions

EGN = Path(__file__).parent.parent / "data" / "egn" / "game02.egn"


def part_of(path: Path, **asked: object) -> Part:
    spec = spec_of(read_batch(asked), [path], None)
    pieces, _ = cut(spec.sources, Cursor(), 10**7)
    return run_chunk(Task(spec, pieces))


def rows_of(part: Part) -> list[dict[str, object]]:
    return [json.loads(line) for line in unpack(part.rows or b"").splitlines()]


def test_rows_of_a_trace_are_those_of_trace(tmp_path: Path) -> None:
    codes = played_codes(5, 3)
    rows = rows_of(part_of(write_lines(tmp_path / "a", codes), kind="trace"))
    for at, code in enumerate(codes):
        position = read_code(code)
        cards = trace(position).cards if position.contract is not None else ()
        mine = [row for row in rows if row["record"] == at + 1]
        assert [(row["card"], row["seat"], row["lost_tricks"], row["lost_points"]) for row in mine] == [
            (str(card.card), str(card.seat), card.lost_tricks, card.lost_points) for card in cards
        ]


def test_rows_of_advice_are_the_choices_from_each_seat(tmp_path: Path) -> None:
    (code,) = played_codes(1, 5)
    position = read_code(code)
    assert position.contract is not None
    rows = rows_of(part_of(write_lines(tmp_path / "a", [code]), kind="advice", worlds=5))
    expected = []
    for before in list(decisions(position))[:-1]:
        if before.to_act is None or before.decision == "bid":
            continue
        analysis = analyze(before, viewpoint=before.to_act, worlds=5)
        if len(analysis.options) > 1:
            error = {str(option.card): option.error for option in analysis.options}
            expected.append((str(before.to_act), analysis.decision.value, error))
    assert [(row["seat"], row["decision"]) for row in rows] == [(seat, decision) for seat, decision, _ in expected]
    assert [row["error"] for row in rows] == [
        errors[row["card"]] for row, (_, _, errors) in zip(rows, expected, strict=True)
    ]


def test_rows_of_bids_are_the_bids_that_were_choices(tmp_path: Path) -> None:
    (code,) = played_codes(1, 5)
    position = read_code(code)
    rows = rows_of(part_of(write_lines(tmp_path / "a", [code]), kind="bids", worlds=50))
    assert [row["bid"] for row in rows] == [str(bid) for bid in position.bids]
    assert all(row["error"] >= 0 and (row["bid"] != row["best"] or row["error"] == 0) for row in rows)


def test_players_are_named_and_summed(tmp_path: Path) -> None:
    part = part_of(EGN, kind="trace")
    rows = rows_of(part)
    names = {row["player"] for row in rows} - {None}
    assert rows and set(part.summary["player"] if names else []) == names
    assert sum(sums["rows"] for sums in part.summary["seat"].values()) == len(rows)
    assert set(part.summary["seat"]) <= {seat.name for seat in Seat}
    lost = sum(row["lost_tricks"] for row in rows)
    assert sum(sums["lost_tricks"] for sums in part.summary["seat"].values()) == lost


def test_records_that_come_again_are_worked_out_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_record, "_memory", by_record.Memory(by_record.REMEMBERED))
    asked: list[object] = []
    answer = played.trace_rows

    def counting(position: object, settings: object) -> object:
        asked.append(position)
        return answer(position, settings)

    run: Callable[..., Result] = by_record.by_record("trace", kind_named("trace").columns, counting)
    spec = spec_of(read_batch({"kind": "trace"}), [write_lines(tmp_path / "a", played_codes(2, 7) * 3)], None)
    pieces, _ = cut(spec.sources, Cursor(), 10**7)
    result = run(kinds_blocks(spec, pieces), {}, {})
    assert (len(asked), result.records, result.repeated) == (2, 6, 4)


def kinds_blocks(spec: object, pieces: object) -> object:
    from solver.batch.source import load

    return load(spec.sources, pieces)
