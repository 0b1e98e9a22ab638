"""Documents of Euchre Game Notation for the tests, most of them real games that a test may change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from solver.game.record import GameRecord
from solver.logs import read

DATA = Path(__file__).parents[1] / "data" / "egn"

#: A deal of game02, and lone deals of game04 (the dealer's) and game05 (the dealer's partner's, in round 2).
PLAIN, LONE_DEALER, LONE_PARTNER = ("game02.egn", 1), ("game04.egn", 10), ("game05.egn", 0)


def document(name: str) -> dict[str, Any]:
    return json.loads((DATA / name).read_text())


def game_of(value: object) -> GameRecord:
    (game,) = read(json.dumps(value).encode(), "egn")
    return game


def one_deal(place: tuple[str, int], **ruleset: object) -> dict[str, Any]:
    """A document with that deal alone, for a test to change."""
    name, at = place
    made = document(name)
    made["deals"] = [made["deals"][at]]
    made["metadata"]["ruleset"] |= ruleset
    return made
