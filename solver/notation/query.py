"""The body of ``analyze``: a position, and how it is to be looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict, cast

from marshmallow import ValidationError, fields, post_load
from marshmallow.validate import OneOf, Range

from solver.errors import Fault, InvalidInput
from solver.game.position import Position
from solver.game.rules import DEFAULT_PRESET, Rules, preset
from solver.game.seats import Seat, Side
from solver.notation.deal_code import read_code
from solver.notation.documents import Document, PositionSchema, load, position_of, seen_faults
from solver.notation.fields import RulesField, SeatField, WorldsField

#: The names that `solver.analysis.advice` knows; a test holds the two together.
METHODS = ("pimc", "rollout")
SEEDS = Range(0, 2**63 - 1)
_POINTS = Range(0, 1000)


class Query(TypedDict, total=False):
    """The arguments of `solver.analyze`; what is left out has the default."""

    position: Position
    viewpoint: Seat
    worlds: int | str
    seed: int
    score: dict[Side, int]
    method: str


class ScoreSchema(Document):
    """The score of the game before this deal, by side."""

    NS = fields.Integer(strict=True, validate=_POINTS)
    EW = fields.Integer(strict=True, validate=_POINTS)
    N = fields.Integer(strict=True, validate=_POINTS)
    S = fields.Integer(strict=True, validate=_POINTS)


class AnalyzeSchema(PositionSchema):
    """A deal, all that happened to it, and from whose viewpoint it is looked at. Loads to a `Query`.

    Without `viewpoint` all cards must be known, and the fields after it have no effect.
    """

    viewpoint = SeatField(
        allow_none=True,
        metadata={"description": "A seat to act: only what it can have seen is used. Other hands may be missing."},
    )
    worlds = WorldsField(
        allow_none=True,
        metadata={"description": "How many worlds that fit what the seat has seen are sampled; all if no more fit."},
    )
    seed = fields.Integer(
        allow_none=True, strict=True, validate=SEEDS, metadata={"description": "Equal seeds sample equal worlds."}
    )
    score = fields.Nested(
        ScoreSchema,
        allow_none=True,
        metadata={"description": "With it options are compared by the chance to win the game, not by points."},
    )
    method = fields.String(
        allow_none=True,
        validate=OneOf(METHODS, error="{choices} belongs here"),
        metadata={"description": "How a world is played out: by all seeing all cards, or each by what it sees."},
    )

    def faults(self, data: Mapping[str, Any], original: Mapping[str, Any]) -> list[Fault]:
        if original.get("viewpoint") is None:
            found = super().faults(data, original)
        else:
            found = seen_faults(data, original, data.get("viewpoint"))
        return [*found, *score_faults(data, original)]

    @post_load
    def make(self, data: Mapping[str, Any], **kwargs: Any) -> Query:
        query = Query(position=position_of({name: data[name] for name in data if name in _OF_THE_POSITION}))
        given = {name: data[name] for name in _BESIDE if data.get(name) is not None}
        if "score" in given:
            given["score"] = {Side(name): points for name, points in given["score"].items()}
        query.update(given)  # type: ignore[typeddict-item]  # the fields are those of a query
        return query


_OF_THE_POSITION = frozenset(PositionSchema._declared_fields)
_BESIDE = tuple(name for name in AnalyzeSchema._declared_fields if name not in _OF_THE_POSITION)


def score_faults(data: Mapping[str, Any], original: Mapping[str, Any]) -> list[Fault]:
    """A score names the sides that play, and all of them; it is below the target."""
    given, rules = original.get("score"), _rules(data, original)
    if not isinstance(given, Mapping) or rules is None:
        return []
    # Points that could not be read are not here; they have a fault already, and are not missing.
    score = data.get("score", {})
    sides = [side.value for side in rules.seating.sides]
    faults = [
        Fault("seat.foreign", f"there is no side {name} when {rules.seats} play", ("score", name))
        for name in score
        if name not in sides
    ]
    faults += [
        Fault("field.missing", f"the points of {name} are needed", ("score", name))
        for name in sides
        if name not in given
    ]
    return faults + [
        Fault("field.invalid", f"{name} has {points} points, and the game is to {rules.target}", ("score", name))
        for name, points in score.items()
        if name in sides and points >= rules.target
    ]


def _rules(data: Mapping[str, Any], original: Mapping[str, Any]) -> Rules | None:
    """The rules that a document names; None if they cannot be read."""
    if "code" in original:
        try:
            return read_code(data.get("code", "")).rules
        except InvalidInput:
            return None
    if "rules" in original:
        return data.get("rules")
    return preset(DEFAULT_PRESET)


def rules_told(document: Mapping[str, Any]) -> Rules:
    """The rules of a document that is not read yet; the default where they cannot be read, as others will say."""
    try:
        named = RulesField().deserialize(document["rules"]) if "rules" in document else None
    except ValidationError:
        named = None
    return _rules({**document, "rules": named}, document) or preset(DEFAULT_PRESET)


def read_query(document: object) -> Query:
    """What a JSON document asks of `solver.analyze`. Raises `InvalidInput` with every fault."""
    return cast("Query", load(AnalyzeSchema(), document))
