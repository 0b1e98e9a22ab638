"""Work that is done record by record, each answer being rows without the player's name."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from solver.batch import played
from solver.batch.answers import Result, table_of
from solver.batch.repeats import Known, digest_of_file, digest_of_line, pack_answer, unpack_answer
from solver.batch.rows import Column
from solver.batch.source import LINES, Block, Record, line_record, records
from solver.game.position import Position
from solver.game.seats import Seat
from solver.notation.deal_code import write_code

#: Answers that a process remembers, so that records that come again are not worked out again.
REMEMBERED = 20_000


class Memory:
    """The last answers of this process, by what they depend on. Threads share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._answers: OrderedDict[tuple[str, bytes, str], list[played.Row]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: tuple[str, bytes, str]) -> list[played.Row] | None:
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
            return self._answers.get(key)

    def keep(self, key: tuple[str, bytes, str], rows: list[played.Row]) -> None:
        with self._lock:
            self._answers[key] = rows
            if len(self._answers) > self._most:
                self._answers.popitem(last=False)


_memory = Memory(REMEMBERED)


def by_record(
    name: str, columns: tuple[Column, ...], answer: Callable[[Position, Mapping[str, Any]], Iterator[played.Row]]
) -> Callable[[Iterable[Block], Mapping[str, Any], Known], Result]:
    """The work of the kind of that name on a chunk."""

    def run(blocks: Iterable[Block], settings: Mapping[str, Any], known: Known) -> Result:
        rows: list[played.Row] = []
        bad: list[Record] = []
        new: dict[bytes, bytes] = {}
        number = repeated = 0
        said = msgspec.json.encode(dict(settings), order="sorted")

        def answered(position: Position) -> list[played.Row]:
            key = (name, said, write_code(position))
            found = _memory.get(key)
            if found is None:
                found = list(answer(position, settings))
                _memory.keep(key, found)
            return found

        for digest, found in (unit for block in blocks for unit in _units(block)):
            good = [record for record in found if record.position is not None]
            bad += (record for record in found if record.position is None)
            number += len(found)
            packed = known.get(digest, new.get(digest)) if good else None
            if packed is not None:
                repeated += len(good)
                answers: list[list[played.Row]] = unpack_answer(packed)
            else:
                answers = [answered(record.position) for record in good if record.position is not None]
                if good:
                    new[digest] = pack_answer(answers)
            for record, its_rows in zip(good, answers, strict=True):
                for seat, *rest in its_rows:
                    rows.append((record.file, record.number, seat, record.players.get(Seat[seat]), *rest))
        return Result(table_of(rows, 2 + len(columns)), len(rows), number, bad, repeated=repeated, answers=new)

    return run


def _units(block: Block) -> Iterator[tuple[bytes, list[Record]]]:
    """The records of a block, those together that are answered as a whole, with their digest."""
    if block.format not in LINES or not block.data:
        yield digest_of_file(block), list(records(block))
        return
    for at, line in enumerate(block.data.split(b"\n")):
        if line and not line.isspace():
            record = line_record(block.piece.file, block.piece.line + at, block.format, line)
            yield digest_of_line(block.format, line), [record]
