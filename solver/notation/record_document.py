"""One recorded deal as a JSON document: a line of the native log format, and what HTTP takes as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from marshmallow import ValidationError, fields, post_load
from marshmallow.validate import OneOf

from solver.errors import CODES, Fault, InvalidInput, refuse
from solver.game.deal import foreign
from solver.game.position import Position
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import DEFAULT_PRESET, Rules, describe, preset
from solver.game.seats import Seat, Side
from solver.notation.deal_code import read_code, write_code
from solver.notation.documents import Document, at_places, load
from solver.notation.fields import NEEDED, RulesField, as_validation_error

#: The version of the schema: raised with every change, additions included.
VERSION = 1
#: The largest number that every reader of JSON has exactly (RFC 7493, 2.2), and every form of output holds.
MOST_NUMBER = 2**53 - 1


@dataclass(frozen=True, slots=True)
class RecordLine:
    """What one line says: a deal with its game's heading; ``position`` is None where a game has no deal.

    ``game`` and ``deal`` are the numbers of both, None where they are not given. ``game_faults`` and ``game_notes``
    stand on the first line of a game only.
    """

    rules: Rules
    position: Position | None = None
    game: int | None = None
    deal: int | None = None
    title: str = ""
    players: Mapping[Seat, str] = field(default_factory=dict)
    initial_score: Mapping[Side, int] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    notes: Mapping[str, object] = field(default_factory=dict)
    game_faults: tuple[Fault, ...] = ()
    game_notes: Mapping[str, object] = field(default_factory=dict)


def record_documents(game: GameRecord, number: int) -> list[dict[str, object]]:
    """The lines of a game, of which ``number`` tells it from its neighbours. What is empty is left out."""
    heading = {
        "title": game.title,
        "players": {str(seat): game.players[seat] for seat in Seat if seat in game.players},
        "initial_score": {str(side): game.initial_score[side] for side in Side if side in game.initial_score},
    }
    own = _filled({"faults": _fault_documents(game.faults), "notes": dict(game.notes)})
    lines = [_deal_document(record, number, heading) for record in game.deals]
    if not lines:
        name, options = describe(game.rules)
        rules = {"preset": name, **options} if options else name
        lines = [{"rightbower": VERSION, "game": number, **_filled(heading), "rules": rules}]
    if own:
        lines[0]["of_game"] = own
    return lines


def _deal_document(record: DealRecord, number: int, heading: Mapping[str, object]) -> dict[str, object]:
    beside = {"faults": _fault_documents(record.faults), "notes": dict(record.notes)}
    return {
        "rightbower": VERSION,
        "game": number,
        "deal": record.number,
        **_filled(heading),
        "code": write_code(record.position),
        **_filled(beside),
    }


def _filled(members: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in members.items() if value}


def _fault_documents(faults: tuple[Fault, ...]) -> list[dict[str, object]]:
    return [{"code": each.code, "message": each.message, "path": list(each.path)} for each in faults]


def read_record(document: object) -> RecordLine:
    """What the document of a line says; whether its deal is a legal one is not judged.

    Raises `InvalidInput` with every fault.
    """
    if isinstance(document, dict):
        version = document.get("rightbower", VERSION)
        if type(version) is int and version > VERSION:
            message = f"version {version} of the native format is not read, only {VERSION} is"
            raise InvalidInput([Fault("log.format", message, ("rightbower",))])
    line = load(RecordSchema(), document)
    assert isinstance(line, RecordLine)
    return line


def read_recorded(code: str) -> Position:
    """The deal of a code as a record may hold it, legal or not: but every card played is of the deck, as without that
    nobody can tell who took the trick and led to the next.

    Raises `InvalidInput`.
    """
    position = read_code(code)
    cards = position.rules.cards
    refuse([foreign(position.rules, card, "plays", at) for at, card in enumerate(position.plays) if card not in cards])
    return position


# -- the schema --------------------------------------------------------------------------------------------------------


class _WholeField(fields.Field[int]):
    """A whole number from ``least`` to `MOST_NUMBER`; none of the truths that count as numbers in Python."""

    def __init__(self, least: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.least = least

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if type(value) is int and self.least <= value <= MOST_NUMBER:
            return value
        raise ValidationError(f"a whole number from {self.least} to {MOST_NUMBER} belongs here")


class _CodeField(fields.Field[Position]):
    """A deal code."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Position:
        try:
            if not isinstance(value, str):
                raise InvalidInput([Fault("code.invalid", "a deal code is a text")])
            return read_recorded(value)
        except InvalidInput as error:
            raise as_validation_error(InvalidInput(Fault(each.code, each.message) for each in error.faults)) from None


class _PathField(fields.Field[tuple[str | int, ...]]):
    """The way to a place: names and places in lists."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> tuple[str | int, ...]:
        if isinstance(value, list) and all(_is_step(step) for step in value):
            return tuple(value)
        raise ValidationError("a list of names and whole numbers belongs here")


def _is_step(step: object) -> bool:
    return type(step) is str or (type(step) is int and abs(step) <= MOST_NUMBER)


class _NotesField(fields.Field[Mapping[str, object]]):
    """Any JSON object."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Mapping[str, object]:
        if isinstance(value, dict):
            return value
        raise ValidationError("an object belongs here")


class FaultSchema(Document):
    """One thing that was wrong with the record where it was first read."""

    code = fields.String(required=True, validate=OneOf(list(CODES), error="no such code"), error_messages=NEEDED)
    message = fields.String(required=True, error_messages=NEEDED)
    path = _PathField(load_default=())

    @post_load
    def make(self, data: Mapping[str, Any], **kwargs: Any) -> Fault:
        return Fault(**data)


class PlayersSchema(Document):
    """Names by seat."""

    N = fields.String()
    E = fields.String()
    S = fields.String()
    W = fields.String()


class InitialScoreSchema(Document):
    """Points by side, before the first deal of the game."""

    NS = _WholeField(0)
    EW = _WholeField(0)
    N = _WholeField(0)
    E = _WholeField(0)
    S = _WholeField(0)
    W = _WholeField(0)


class OfGameSchema(Document):
    """What belongs to a game as a whole; it stands on the first line of the game."""

    faults = fields.List(fields.Nested(FaultSchema), load_default=())
    notes = _NotesField(load_default=dict)


class RecordSchema(Document):
    """A deal and what is to be known of its game. Loads to a `RecordLine`."""

    rightbower = _WholeField(VERSION, required=True, error_messages=NEEDED)
    game = _WholeField(1)
    deal = _WholeField(1)
    title = fields.String(load_default="")
    players = fields.Nested(PlayersSchema)
    initial_score = fields.Nested(InitialScoreSchema)
    code = _CodeField(metadata={"description": "The deal code; only a game without deals has none."})
    rules = RulesField(metadata={"description": "Of a game without deals; otherwise they are in the deal code."})
    faults = fields.List(fields.Nested(FaultSchema), load_default=())
    notes = _NotesField(load_default=dict)
    of_game = fields.Nested(OfGameSchema)

    @post_load
    def make(self, data: Mapping[str, Any], **kwargs: Any) -> RecordLine:
        position = data.get("code")
        if position is None:
            beside = [name for name in ("deal", "faults", "notes") if data.get(name)]
            message = "this belongs to a deal, with its code"
        else:
            beside = [name for name in ("rules",) if name in data]
            message = "the deal code says this already"
        if beside:
            raise at_places(*(Fault("field.conflict", message, (name,)) for name in beside))
        of_game = data.get("of_game", {})
        return RecordLine(
            position.rules if position is not None else data.get("rules", preset(DEFAULT_PRESET)),
            position,
            data.get("game"),
            data.get("deal"),
            data["title"],
            {Seat[name]: player for name, player in data.get("players", {}).items()},
            {Side(name): points for name, points in data.get("initial_score", {}).items()},
            tuple(data["faults"]),
            data["notes"],
            tuple(of_game.get("faults", ())),
            of_game.get("notes", {}),
        )
