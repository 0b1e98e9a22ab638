"""Files of records for tests."""

from __future__ import annotations

from pathlib import Path
from random import Random

from solver.game.deal import random_deal
from solver.game.position import Position
from solver.game.rules import Rules
from solver.notation.deal_code import write_code
from tests.strategies import random_position


def dealt_codes(number: int, seed: int, rules: Rules | None = None) -> list[str]:
    """Codes of deals that have just been dealt."""
    random, rules = Random(seed), rules or Rules()
    return [write_code(Position(random_deal(rules, random.choice(rules.seating.seats), random))) for _ in range(number)]


def played_codes(number: int, seed: int, rules: Rules | None = None) -> list[str]:
    """Codes of deals that were bid and played to their end, at random."""
    random = Random(seed)
    return [write_code(random_position(rules or Rules(), random)) for _ in range(number)]


def write_lines(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
