"""How the fields of `solver` appear in the OpenAPI document: a named schema for each, read or written.

What is read has several forms, what is written only one, so most fields have two schemas.
"""

from __future__ import annotations

from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema, fields

from solver.game.auction import ORDER, PASS, Bid, Call
from solver.game.cards import DECKS, Suit
from solver.game.rules import DEFAULT_PRESET, PRESETS, Rules, option_later, option_range, option_values
from solver.game.seats import Seat, Side
from solver.notation.documents import Document
from solver.notation.fields import (
    MOST_RATED_WORLDS,
    BidField,
    BySideField,
    CardField,
    CardsField,
    NumberField,
    RatedWorldsField,
    RulesField,
    SeatField,
    SharesField,
    SuitField,
    WorldsField,
)
from solver.notation.review_answer import FaultAnswer

JsonSchema = dict[str, Any]


class ProblemAnswer(Schema):
    """What is wrong with a request (RFC 9457)."""

    type = fields.String(required=True, metadata={"format": "uri-reference"})
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    errors = fields.List(fields.Nested(FaultAnswer), required=True)


class RuleValuesField(fields.Raw):
    """The value of every option of the rules."""


class OptionValueField(fields.Raw):
    """One value of an option of the rules."""


class RuleOptionAnswer(Schema):
    """What an option takes: `values`, or where there are none, a whole number from `minimum` to `maximum`."""

    default = OptionValueField(required=True)
    values = fields.List(OptionValueField())
    not_supported_yet = fields.List(
        OptionValueField(), metadata={"description": "Those of the values that are known but cannot be played yet."}
    )
    minimum = fields.Integer()
    maximum = fields.Integer()


class RulesAnswer(Schema):
    """Every way to play: presets by name, and the options that a preset can be changed by."""

    default = fields.String(required=True, metadata={"description": "The preset where a request names none."})
    presets = fields.Dict(fields.String(), RuleValuesField(), required=True)
    options = fields.Dict(fields.String(), fields.Nested(RuleOptionAnswer), required=True)
    not_supported_yet = fields.Dict(
        fields.String(),
        fields.List(fields.String()),
        required=True,
        metadata={"description": "Presets that are known by name, and the options that they wait for."},
    )


class FormatAnswer(Schema):
    """A log format."""

    name = fields.String(required=True)
    description = fields.String(required=True)


class FormatsAnswer(Schema):
    """The log formats that are read."""

    formats = fields.List(fields.Nested(FormatAnswer), required=True)


def _ref(name: str) -> JsonSchema:
    return {"$ref": f"#/components/schemas/{name}"}


def _any_case(text: str) -> str:
    """A pattern for the text in any case: JSON Schema knows no flag for it."""
    return "".join(f"[{each.upper()}{each.lower()}]" if each.isalpha() else each for each in text)


_SUIT_SIGNS = "♣♦♥♠♧♢♡♤"
_SUIT = f"[CDHScdhs{_SUIT_SIGNS}]\ufe0f?"
_RANK = "(10|[789TJQKANtjqkan])"
_CARD = rf"^\s*({_any_case('joker')}|{_any_case('jo')}|{_RANK}{_SUIT}|{_SUIT}{_RANK})\s*$"
_SUIT_WORDS = "|".join(_any_case(str(suit)) + "?" for suit in Suit)
_SEAT_WORDS = "|".join(_any_case(word) for word in ("north", "east", "south", "west"))
_NAMED = [Bid(Call.NAME, suit) for suit in Suit]
_BIDS = [PASS, *(Bid(bid.call, bid.suit, alone) for bid in (ORDER, *_NAMED) for alone in (False, True))]


def _option_read(name: str, default: object) -> JsonSchema:
    """What a request may give an option: besides what answers have, ``yes`` and ``no`` as in deal codes."""
    shape = _option_written(name)
    if isinstance(default, bool):
        shape["enum"] += ["yes", "no"]
    return {**shape, "default": default}


def _option_written(name: str) -> JsonSchema:
    bounds = option_range(name)
    if bounds is not None:
        return {"type": "integer", "minimum": bounds[0], "maximum": bounds[1]}
    return {"enum": [value for value in option_values(name) or () if value not in option_later(name)]}


def _components() -> dict[str, JsonSchema]:
    """Every schema by its name in the document."""
    options = Rules().options()
    preset: JsonSchema = {"type": "string", "enum": [*PRESETS], "default": DEFAULT_PRESET}
    return {
        "Card": {
            "type": "string",
            "enum": [str(card) for card in DECKS[33]],
            "description": "A card: rank, then suit; the Benny is `JO`.",
        },
        "CardRead": {
            "type": "string",
            "pattern": _CARD,
            "description": "A card. Read besides `JH`: any case, `10H`, suit first, `J♥`, `N` for nine, `JOKER`.",
            "examples": ["JH", "TD", "9C", "JO"],
        },
        "Cards": {"type": "array", "items": _ref("Card")},
        "CardsRead": {
            "oneOf": [{"type": "array", "items": _ref("CardRead")}, {"type": "string"}],
            "description": "Cards, as a list or as one text, with or without spaces.",
            "examples": [["JH", "AS", "KS", "9C", "TD"], "JH AS KS 9C TD", "JHASKS9CTD"],
        },
        "Seat": {"type": "string", "enum": [seat.name for seat in Seat]},
        "SeatRead": {
            "type": "string",
            "pattern": rf"^\s*([NESWnesw]|{_SEAT_WORDS})\s*$",
            "description": "A seat: `N`, `E`, `S` or `W`. Any case and the full name are read.",
            "examples": ["N"],
        },
        "Suit": {"type": "string", "enum": [suit.letter for suit in Suit]},
        "SuitRead": {
            "type": "string",
            "pattern": rf"^\s*({_SUIT}|{_SUIT_WORDS})\s*$",
            "description": "A suit: `C`, `D`, `H` or `S`. Any case, its sign and its name are read.",
            "examples": ["H"],
        },
        "Bid": {"type": "string", "enum": [str(bid) for bid in _BIDS]},
        "BySide": {
            "type": "object",
            "properties": {side.value: {"type": "number"} for side in Side},
            "additionalProperties": False,
            "minProperties": 2,
            "description": "A number for each side. With two players a side is its seat.",
            "examples": [{"NS": 3, "EW": 2}],
        },
        "Number": {"type": "number", "description": "Whole where it can be, else to six places."},
        "RulesRead": {
            "oneOf": [
                preset,
                {
                    "type": "object",
                    "properties": {
                        "preset": preset,
                        **{name: _option_read(name, default) for name, default in options.items()},
                    },
                    "additionalProperties": False,
                },
            ],
            "description": "A preset's name, or options that change a preset. See `/v1/rules`.",
            "examples": ["american", {"preset": "american", "stick_the_dealer": True}],
        },
        "WorldsRead": {
            "oneOf": [{"type": "integer", "minimum": 1}, {"type": "string", "const": "all"}],
            "description": "How many worlds to sample; `all`: every world that fits what is known.",
            "examples": [1000, "all"],
        },
        "RatedWorldsRead": {
            "oneOf": [
                {"type": "integer", "minimum": 1, "maximum": MOST_RATED_WORLDS},
                {"type": "string", "enum": ["precise", "adaptive"]},
            ],
            "description": "How many worlds to play; `precise`, the default: until every difference has a standard "
            "error of at most 0.03 points; `adaptive`: until the best bid is clear.",
            "examples": [1000, "adaptive"],
        },
        "Shares": {
            "type": "object",
            "patternProperties": {"^-?[0-9]+$": {"type": "number", "minimum": 0, "maximum": 1}},
            "description": "Net points, and how often they come; all shares sum to 1.",
            "examples": [{"-2": 0.19, "1": 0.63, "2": 0.18}],
        },
        "RuleValues": {
            "type": "object",
            "properties": {name: _option_written(name) for name in options},
            "required": [*options],
        },
        "OptionValue": {"type": ["boolean", "integer", "string"]},
    }


#: Field -> its schema where it is read, and where it is written. None: it does not appear there.
_FIELDS: dict[type[fields.Field[Any]], tuple[str | None, str | None]] = {
    CardField: ("CardRead", "Card"),
    CardsField: ("CardsRead", "Cards"),
    SeatField: ("SeatRead", "Seat"),
    SuitField: ("SuitRead", "Suit"),
    RulesField: ("RulesRead", None),
    WorldsField: ("WorldsRead", None),
    RatedWorldsField: ("RatedWorldsRead", None),
    SharesField: (None, "Shares"),
    BidField: (None, "Bid"),
    BySideField: (None, "BySide"),
    NumberField: (None, "Number"),
    RuleValuesField: (None, "RuleValues"),
    OptionValueField: (None, "OptionValue"),
}


class Converter(OpenAPIConverter):
    """apispec's, which knows our fields, and leaves answers open: fields may be added to them within a version."""

    def field2property(self, field: fields.Field[Any]) -> JsonSchema:
        shape: JsonSchema = super().field2property(field)
        names = _FIELDS.get(type(field))
        if names is None:
            return shape
        name = names[0] if isinstance(field.root, Document) else names[1]
        if name is None:
            raise LookupError(f"{type(field).__name__} is not in the table for where {field.root} has it")
        return {**shape, **({"anyOf": [_ref(name), {"type": "null"}]} if field.allow_none else _ref(name))}

    def schema2jsonschema(self, schema: Schema) -> JsonSchema:
        shape: JsonSchema = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]  # untyped
        if not isinstance(schema, Document):
            shape.pop("additionalProperties", None)
        return shape


class Plugin(MarshmallowPlugin):
    Converter = Converter


def register(spec: APISpec) -> None:
    """Make the named schemas known."""
    for name, schema in _components().items():
        spec.components.schema(name, schema)
