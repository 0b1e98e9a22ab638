"""The presets and options of the rules as a JSON document: what HTTP answers, and the command line prints."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, post_dump, pre_dump

from solver.game.catalogue import Catalogue
from solver.game.rules import OptionValue, Rules


class RuleValuesField(fields.Field[Rules]):
    """The value of every option, written only."""

    def _serialize(self, value: Rules | None, attr: str | None, obj: Any, **kwargs: Any) -> Any:
        return None if value is None else value.options()


class OptionValueField(fields.Field[OptionValue]):
    """One value of an option: a whole number, a boolean or a word, written only."""


class PresetAnswer(Schema):
    """Rules with a name."""

    name = fields.String(required=True)
    options = RuleValuesField(required=True, metadata={"description": "The value of every option."})


class RuleOptionAnswer(Schema):
    """An option, and what it takes: `values`, or a whole number from `least` to `most`."""

    name = fields.String(required=True)
    default = OptionValueField(required=True)
    values = fields.List(OptionValueField())
    unsupported = fields.List(
        OptionValueField(), metadata={"description": "Those of the values that are known but cannot be played yet."}
    )
    least = fields.Integer()
    most = fields.Integer()

    @post_dump
    def leave_out_what_does_not_apply(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {name: value for name, value in data.items() if value is not None}


class CatalogueAnswer(Schema):
    """Every way to play: the presets, and the options that a preset can be changed by."""

    default = fields.String(required=True, metadata={"description": "The preset where none is named."})
    presets = fields.List(fields.Nested(PresetAnswer), required=True)
    options = fields.List(fields.Nested(RuleOptionAnswer), required=True)

    @pre_dump
    def name_presets(self, catalogue: Catalogue, **kwargs: Any) -> dict[str, Any]:
        presets = [{"name": name, "options": rules} for name, rules in catalogue.presets.items()]
        return {"default": catalogue.default, "presets": presets, "options": catalogue.options}
