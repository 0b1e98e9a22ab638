"""The games of a block: what is reviewed is a game, as the chance to win goes on from deal to deal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from io import BytesIO

from solver.batch.source import CODES, LINES, MOST_LINE, Block, in_line, too_long
from solver.errors import Fault, InvalidInput
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import Rules
from solver.logs import jsonl, read
from solver.logs.rebuild import recorded_faults
from solver.notation.deal_code import read_code
from solver.notation.quick_code import read_legal


@dataclass(frozen=True)
class Game:
    """A game of a file. ``number`` is that of its first line, or in a file that is no list of lines its own, from 1."""

    file: int
    number: int
    record: GameRecord


def games(block: Block) -> Iterator[Game]:
    """The games of a block in their order. One that cannot be read has no deals, and its faults."""
    piece = block.piece
    if block.format not in LINES:
        for number, record in enumerate(_of_file(block), 1):
            yield Game(piece.file, number, record)
    elif not block.data:
        yield Game(piece.file, piece.line, GameRecord(Rules(), (), faults=(too_long(),)))
    elif block.format == "jsonl":
        for at, record in jsonl.numbered(BytesIO(block.data)):
            moved = record if piece.line == 1 else _with_faults(record, lambda fault: _on(fault, piece.line - 1))
            yield Game(piece.file, piece.line + at, moved)
    else:
        for at, line in enumerate(block.data.split(b"\n")):
            if line and not line.isspace():
                for record in _of_line(block.format, line):
                    yield Game(piece.file, piece.line + at, _with_faults(record, in_line))


def faults_of(record: GameRecord) -> tuple[Fault, ...]:
    """What is wrong with a game and its deals, each fault with its deal."""
    of_deals = [
        fault if fault.path[:1] == ("lines",) else Fault(fault.code, _named(deal, fault), fault.path)
        for deal in record.deals
        for fault in deal.faults
    ]
    return (*record.faults, *of_deals)


def _named(deal: DealRecord, fault: Fault) -> str:
    name = f"deal {deal.number}"
    return fault.message if fault.message.startswith(name) else f"{name}: {fault.message}"


def _of_file(block: Block) -> Iterator[GameRecord]:
    try:
        yield from read(block.data, block.format)
    except InvalidInput as error:
        yield GameRecord(Rules(), (), faults=error.faults)


def _of_line(format_name: str, line: bytes) -> Iterator[GameRecord]:
    """The game of one deal on a line; none where the line is a remark."""
    try:
        if len(line) > MOST_LINE:
            raise InvalidInput([too_long()])
        if format_name == CODES:
            code = line.decode("ascii").strip()
            legal = read_legal(code)
            position = read_code(code) if legal is None else legal
            faults = () if legal is not None else tuple(recorded_faults(position))
            yield GameRecord(position.rules, (DealRecord(1, position, faults),))
        else:
            yield from read(line, format_name)
    except UnicodeDecodeError:
        yield GameRecord(Rules(), (), faults=(Fault("code.invalid", "a deal code is ASCII"),))
    except InvalidInput as error:
        yield GameRecord(Rules(), (), faults=error.faults)


def _with_faults(record: GameRecord, change: Callable[[Fault], Fault]) -> GameRecord:
    if not record.faults and not any(deal.faults for deal in record.deals):
        return record
    deals = tuple(replace(deal, faults=tuple(map(change, deal.faults))) for deal in record.deals)
    return replace(record, deals=deals, faults=tuple(map(change, record.faults)))


def _on(fault: Fault, by: int) -> Fault:
    """The fault on a line of the file that begins so many lines before what was read."""
    match fault.path:
        case ("lines", int(at), *rest):
            message = fault.message.removeprefix(f"line {at + 1}: ")
            return Fault(fault.code, f"line {at + by + 1}: {message}", ("lines", at + by, *rest))
    return fault
