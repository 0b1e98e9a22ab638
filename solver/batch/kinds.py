"""Every kind of work that a job can do: what it takes, the columns of its rows, and how a chunk is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.analysis.advice import METHODS, MOST_WORLDS
from solver.analysis.rate_arguments import MOST_WORLDS as MOST_BID_WORLDS
from solver.analysis.rate_arguments import RATE_METHODS
from solver.analysis.review.depths import DEFAULT, DEPTHS
from solver.batch import played, reviewed, tables
from solver.batch.answers import Result
from solver.batch.bulk import Deals, read_deals
from solver.batch.by_record import by_record
from solver.batch.coded import Coded, whole_numbers
from solver.batch.repeats import Known, digests_of_games, digests_of_records
from solver.batch.rows import Column
from solver.batch.source import CODES, Block, Record, line_record, records
from solver.batch.values import MOST_BYTES
from solver.errors import Fault, refuse
from solver.game.position import Position
from solver.game.rules import Rules

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Kind:
    """One kind of work.

    ``columns`` follow the key. ``settings`` are what it can be told, with the defaults; ``seconds`` is about what a
    deal takes with them. ``digests`` are those of a block (`solver.batch.repeats`), None where keeping answers is
    not worth its cost. ``whole_games``: what is worked on is a game, not a deal. ``most_bytes``: of a chunk, however
    fast its work is.
    """

    name: str
    description: str
    columns: tuple[Column, ...]
    seconds: Callable[[Settings], float]
    settings: Settings
    run: Callable[[Iterable[Block], Settings, Known], Result]
    digests: Callable[[Block], Iterable[bytes]] | None = None
    whole_games: bool = False
    most_bytes: int = MOST_BYTES


# -- double-dummy tables -----------------------------------------------------------------------------------------------


def _run_tables(blocks: Iterable[Block], _settings: Settings, _known: Known) -> Result:
    """Whole arrays at a time: lines that are freshly dealt deals never become values of the game."""
    deals: list[tuple[int, Deals]] = []
    bad: list[Record] = []
    number = 0
    for block in blocks:
        rest: Iterable[Record]
        if block.format == CODES and block.data:
            quick, lines = read_deals(block.data)
            first = block.piece.line
            deals += [(block.piece.file, _from_line(each, first)) for each in quick]
            number += sum(len(each.line) for each in quick)
            rest = (line_record(block.piece.file, first + at, CODES, line) for at, line in lines)
        else:
            rest = records(block)
        by_rules: dict[Rules, list[Record]] = {}
        for record in rest:
            number += 1
            faults = record.faults or _no_table(record.position)
            if faults:
                bad.append(Record(record.file, record.number, None, faults))
            else:
                assert record.position is not None
                by_rules.setdefault(record.position.rules, []).append(record)
        deals += [(block.piece.file, _arrays(rules, each)) for rules, each in by_rules.items()]
    parts = [(file, each.line, tables.rows_of(tables.solve(each))) for file, each in deals if len(each.line)]
    table = _joined(parts)
    return Result(table, len(table[0]) if table else 0, number, bad)


def _no_table(position: Position | None) -> tuple[Fault, ...]:
    if position is None or position.auction is not None:
        return ()
    return (Fault("field.missing", "a table needs the upcard and the dealer", ("upcard",)),)


def _from_line(deals: Deals, first: int) -> Deals:
    return Deals(deals.rules, deals.line + first, deals.dealer, deals.upcard, deals.hands)


def _arrays(rules: Rules, found: Sequence[Record]) -> Deals:
    positions = [record.position for record in found if record.position is not None]
    hands = [[hand.bits if hand is not None else 0 for hand in position.deal.hands] for position in positions]
    dealers = [position.deal.dealer for position in positions]
    upcards = [position.deal.upcard for position in positions]
    return Deals(
        rules,
        np.array([record.number for record in found], dtype=np.int64),
        np.array(dealers, dtype=np.uint8),
        np.array([card.bit for card in upcards if card is not None], dtype=np.uint64),
        np.array(hands, dtype=np.uint64),
    )


def _joined(parts: Sequence[tuple[int, NDArray[np.int64], list[Coded]]]) -> list[Coded]:
    """One table of several, in the order of the records."""
    if not parts:
        return []
    file = np.concatenate([np.full(len(line), file) for file, line, _ in parts])
    line = np.concatenate([line for _, line, _ in parts])
    order = np.lexsort((line, file))
    table = [whole_numbers(file[order]), whole_numbers(line[order])]
    for columns in zip(*(columns for _, _, columns in parts), strict=True):
        if isinstance(columns[0].values, range):
            values = np.concatenate([column.codes + column.values[0] for column in columns])
            table.append(whole_numbers(values[order]))
        else:
            table.append(Coded(np.concatenate([column.codes for column in columns])[order], columns[0].values))
    return table


# -- all of them -------------------------------------------------------------------------------------------------------

KINDS: tuple[Kind, ...] = (
    Kind(
        "tables",
        "every contract of a deal double dummy, and par",
        tables.COLUMNS,
        lambda _: 60e-6,
        {},
        _run_tables,
        # Some 50,000 deals, whose arrays are a fifth of what the process takes at the most.
        most_bytes=3 << 20,
    ),
    Kind(
        "trace",
        "what each card lost double dummy",
        played.TRACE,
        lambda _: 2e-3,
        {},
        by_record("trace", played.TRACE, played.trace_rows),
        digests_of_records,
    ),
    Kind(
        "advice",
        "what each card lost by what its seat could see",
        played.ADVICE,
        lambda settings: 0.0015 * settings["worlds"],
        {"worlds": 200, "seed": 0, "method": METHODS[0]},
        by_record("advice", played.ADVICE, played.advice_rows),
        digests_of_records,
    ),
    Kind(
        "bids",
        "what each bid is worth, and lost, by what its seat could see",
        played.BIDS,
        lambda settings: 0.001 * settings["worlds"],
        {"worlds": 1000, "seed": 0, "method": RATE_METHODS[0]},
        by_record("bids", played.BIDS, played.bid_rows),
        digests_of_records,
    ),
    Kind(
        "review",
        "a game's every decision graded, its luck, and the chance to win as it went",
        reviewed.REVIEW,
        lambda settings: reviewed.SECONDS[settings["depth"]],
        {"depth": DEFAULT.name, "seed": 0},
        reviewed.run_review,
        digests_of_games,
        whole_games=True,
    ),
)


def kind_named(name: str) -> Kind:
    """Raises `InvalidInput` if there is none of that name."""
    for each in KINDS:
        if each.name == name:
            return each
    known = ", ".join(each.name for each in KINDS)
    refuse([Fault("field.invalid", f"there is no kind {name[:40]!a}; known are {known}", ("kind",))])
    raise AssertionError


def settings_of(kind: Kind, given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that the kind works with: those given, else its own. Raises `InvalidInput` with every fault."""
    faults = [
        Fault("field.conflict", f"{kind.name} takes no {name}", (name,))
        for name, value in given.items()
        if value is not None and name not in kind.settings
    ]
    settings = {name: given[name] if given.get(name) is not None else value for name, value in kind.settings.items()}
    if "method" in settings:
        methods = METHODS if kind.name == "advice" else RATE_METHODS
        most = MOST_WORLDS if kind.name == "advice" else dict.fromkeys(RATE_METHODS, MOST_BID_WORLDS)
        if settings["method"] not in methods:
            faults.append(Fault("field.invalid", f"{kind.name} takes {' or '.join(methods)}", ("method",)))
        elif not 1 <= settings["worlds"] <= most[settings["method"]]:
            message = f"worlds are 1 to {most[settings['method']]}"
            faults.append(Fault("field.invalid", message, ("worlds",)))
    if settings.get("seed", 0) < 0:
        faults.append(Fault("field.invalid", "a seed is not negative", ("seed",)))
    if settings.get("depth", DEFAULT.name) not in DEPTHS:
        faults.append(Fault("field.invalid", f"{kind.name} takes {', '.join(DEPTHS)}", ("depth",)))
    refuse(faults)
    return settings
