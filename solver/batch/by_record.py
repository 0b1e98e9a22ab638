"""Work that is done record by record, each answer being rows without the player's name."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from solver.batch import played
from solver.batch.answers import Result, table_of
from solver.batch.rows import Column
from solver.batch.source import Block, Record, records
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
) -> Callable[[Iterable[Block], Mapping[str, Any]], Result]:
    """The work of the kind of that name on a chunk."""

    def run(blocks: Iterable[Block], settings: Mapping[str, Any]) -> Result:
        rows: list[played.Row] = []
        bad: list[Record] = []
        number = 0
        said = msgspec.json.encode(dict(settings), order="sorted")
        for block in blocks:
            for record in records(block):
                number += 1
                if record.position is None:
                    bad.append(record)
                    continue
                key = (name, said, write_code(record.position))
                found = _memory.get(key)
                if found is None:
                    found = list(answer(record.position, settings))
                    _memory.keep(key, found)
                for seat, *rest in found:
                    rows.append((record.file, record.number, seat, record.players.get(Seat[seat]), *rest))
        return Result(table_of(rows, 2 + len(columns)), len(rows), number, bad)

    return run
