"""Records of deals that were played, and of games made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from solver.errors import Fault
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.seats import Seat, Side


@dataclass(frozen=True)
class DealRecord:
    """One deal as it was recorded, with its faults: a revoke does not make a record unreadable.

    ``number`` counts from 1 within its file. ``notes`` keeps what the format holds beyond the play (annotations,
    alternative lines) as plain JSON values.
    """

    number: int
    position: Position
    faults: tuple[Fault, ...] = ()
    notes: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class GameRecord:
    """A game, or a series of deals, under one set of rules.

    ``faults`` are those of the file as a whole and of records that could not be read at all.
    """

    rules: Rules
    deals: tuple[DealRecord, ...]
    title: str = ""
    players: Mapping[Seat, str] = field(default_factory=dict)
    initial_score: Mapping[Side, int] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    notes: Mapping[str, object] = field(default_factory=dict)
