"""What a document holds beyond the play, made to fit the published schema: header, annotations, alternative lines.

Notes may come from older versions or from hand-made files. What fits is kept, a text that is too long is cut, and
the rest, which no reader that keeps to the schema would open, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final, TypeGuard

from solver.errors import InvalidInput
from solver.game.record import GameRecord
from solver.game.seats import Seat
from solver.logs.egn.cards import text_of
from solver.logs.egn.phases import SHORT_CALLS, call_of
from solver.notation.codes import read_bid, read_card
from solver.notation.strict_json import Json

_MOST_REMARKS: Final = 50
_MOST_LINES: Final = 50
_TEXT: Final = 1024
_CARD = re.compile(r"[78N9TJQKAX][SsHhCcDdxtngh]|[LRB]")
_CALLS: Final = ("Pass", "Order", "s", "h", "d", "c", "n", "x")
# A time with its zone needs seconds and a T.
_DATE = re.compile(
    r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?|T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))", re.ASCII
)


def noted(value: object) -> Mapping[str, Json]:
    """An object of the notes, empty if there is none."""
    return value if isinstance(value, dict) else {}


def metadata(game: GameRecord, former: Mapping[str, Json]) -> dict[str, Json]:
    """The header but for the ruleset; ``former`` is the one that the game was read from, if any."""
    texts = {
        "gameId": (former.get("gameId", former.get("matchId")), 64),
        "title": (game.title, 128),
        "description": (former.get("description"), _TEXT),
    }
    made: dict[str, Json] = {
        name: text[:most] for name, (text, most) in texts.items() if text and isinstance(text, str)
    }
    date = former.get("date")
    if isinstance(date, str) and len(date) <= 64 and _is_date(date):
        made["date"] = date
    made["players"] = _players(game, former.get("players"))
    made["initialScore"] = [game.initial_score.get(side, 0) for side in game.rules.seating.sides]
    final = former.get("finalScore")
    if isinstance(final, list) and len(final) <= 2 and all(_is_int(points) for points in final):
        made["finalScore"] = final
    return made


def _is_date(text: str) -> bool:
    if _DATE.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:  # the 30th of February
        return False
    return True


def _players(game: GameRecord, former: Json) -> list[Json]:
    count = max((seat + 1 for seat in game.players), default=0)
    were = former if isinstance(former, list) else []
    return [_player(game.players.get(Seat(at), ""), were[at] if at < len(were) else None) for at in range(count)]


def _player(name: str, former: Json) -> Json:
    """The name, or what the player was if it has that name."""
    if not isinstance(former, dict) or former.get("name") != name:
        return name[:64]
    made: dict[str, Json] = {"name": name[:64]}
    if isinstance(own := former.get("id"), str):
        made["id"] = own[:64]
    listed = former.get("playerIds")
    ids = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    fitting: list[Json] = [
        {"id": number[:64], "source": source[:64]}
        for each in ids[:10]
        if isinstance(number := each.get("id"), str) and isinstance(source := each.get("source"), str)
    ]
    return made | ({"playerIds": fitting} if "playerIds" in former else {})


def _is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def remarks_of(phase: Mapping[str, Json], name: str) -> dict[str, Json]:
    """The annotations that stand in a phase under that name, as a phase to be merged into another; or nothing."""
    made: dict[str, Json] = {}
    for key, remarks in noted(phase.get(name)).items():
        texts = [each[:_TEXT] for each in remarks if isinstance(each, str)] if isinstance(remarks, list) else []
        if texts and re.fullmatch("[0-9]+", key):
            made[key] = list(texts[:_MOST_REMARKS])
    return {name: made} if made else {}


def lines(value: object) -> list[Json]:
    """The alternative lines, but for those that cannot be written."""
    listed = value if isinstance(value, list) else []
    made: list[Json] = [line for each in listed if (line := _line(noted(each)))]
    return made[:_MOST_LINES]


def _line(line: Mapping[str, Json]) -> dict[str, Json] | None:
    branch, listed = line.get("branchIndex"), line.get("phases")
    if not _is_int(branch) or branch < 0 or not isinstance(listed, list) or not listed:
        return None
    phases: list[Json] = []
    for each in listed:
        phase = noted(each)
        made = _bidding(phase) if phase.get("type") == "EUCHRE_BIDDING" else _play(phase)
        if made is None:
            return None
        phases.append(made)
    return {"branchIndex": branch, "phases": phases}


def _bidding(phase: Mapping[str, Json]) -> dict[str, Json] | None:
    listed = phase.get("calls")
    calls = [_call(each) for each in listed] if isinstance(listed, list) else [None]
    if None in calls:
        return None
    made: dict[str, Json] = {"phaseNumber": 0, "type": "EUCHRE_BIDDING", "calls": list(calls)}
    if isinstance(alone := phase.get("isAlone"), bool):
        made["isAlone"] = alone
    if (discard := _card(phase.get("discard"))) is not None:
        made["discard"] = discard
    return made | remarks_of(phase, "callAnnotations")


def _play(phase: Mapping[str, Json]) -> dict[str, Json] | None:
    rows = phase.get("tricks")
    if phase.get("type") != "TRICK_PLAY" or not isinstance(rows, list):
        return None
    tricks = [[_card(each) for each in row] if isinstance(row, list) else [None] for row in rows]
    if any(None in trick for trick in tricks):
        return None
    made: dict[str, Json] = {"phaseNumber": 1, "type": "TRICK_PLAY", "tricks": [list(trick) for trick in tricks]}
    return made | remarks_of(phase, "playAnnotations")


def _call(value: Json) -> str | None:
    if not isinstance(value, str) or value in _CALLS:
        return value if isinstance(value, str) else None
    try:
        return call_of(read_bid(SHORT_CALLS.get(value.strip().upper(), value)))
    except InvalidInput:
        return None


def _card(value: Json) -> str | None:
    if not isinstance(value, str) or _CARD.fullmatch(value):
        return value if isinstance(value, str) else None
    try:
        return text_of(read_card(value))
    except InvalidInput:
        return None
