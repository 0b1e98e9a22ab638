"""Analyses and traces as JSON documents: what HTTP answers, and the command line prints under ``--json``.

The schemas read attributes by name and import nothing of what they describe.
"""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, post_dump

from solver.notation.deal_code import write_code
from solver.notation.fields import BidField, BySideField, CardField, CardsField, SeatField, SuitField


class ContractAnswer(Schema):
    """What is played."""

    trump = SuitField()
    maker = SeatField()
    alone = fields.Boolean()
    leader = SeatField(metadata={"description": "Who leads to the first trick."})


class OutcomeAnswer(Schema):
    """Tricks and points of the whole deal, by side."""

    tricks = BySideField(attribute="outcome.tricks", metadata={"description": "Tricks of the whole deal by side."})
    points = BySideField(attribute="outcome.points", metadata={"description": "Points for the deal by side."})


class OptionAnswer(OutcomeAnswer):
    """A legal action: a `card` or a `bid`, the field that does not apply being left out."""

    card = CardField()
    bid = BidField()
    error = fields.Integer(metadata={"description": "Net points lost against the best option; never negative."})
    best = fields.Boolean()
    equals = CardsField(metadata={"description": "The other legal cards that no card in play stands between."})

    @post_dump
    def leave_out_what_does_not_apply(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        if data["card"] is None:
            del data["card"], data["equals"]
        else:
            del data["bid"]
        return data


class MoveAnswer(Schema):
    """One action of a line: `seat` and one of `bid`, `discard` and `card`."""

    seat = SeatField()
    bid = BidField()
    discard = CardField()
    card = CardField()

    @post_dump
    def leave_out_what_does_not_apply(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {name: value for name, value in data.items() if value is not None}


class ContractValueAnswer(OutcomeAnswer):
    """A contract that the auction can still end in, with its double-dummy outcome."""

    maker = SeatField(attribute="contract.maker")
    trump = SuitField(attribute="contract.trump")
    alone = fields.Boolean(attribute="contract.alone")
    leader = SeatField(attribute="contract.leader")
    round = fields.Integer(metadata={"description": "The round of the auction in which `bid` makes this contract."})
    bid = BidField()
    discard = CardField(
        allow_none=True, metadata={"description": "The dealer's best discard; null where the upcard is not taken."}
    )


class ParAnswer(OutcomeAnswer):
    """What comes of it when all bid and play double dummy from here."""

    bids = fields.List(BidField(), metadata={"description": "The bids from here to the end of the auction."})
    contract = fields.Nested(ContractAnswer, attribute="value.contract", allow_none=True)
    discard = CardField(attribute="value.discard", allow_none=True)

    @post_dump
    def say_that_there_is_no_contract(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {"contract": None, "discard": None, **data}


class SettingsAnswer(Schema):
    """What the answer depends on besides the position."""

    engine = fields.String()
    worlds = fields.Integer(allow_none=True)
    seed = fields.Integer(allow_none=True)


class AnalysisAnswer(OutcomeAnswer):
    """The answer of `analyze`."""

    decision = fields.String(metadata={"enum": ["bid", "discard", "play", "over"]})
    to_act = SeatField(allow_none=True)
    information = fields.String(metadata={"enum": ["complete"]})
    contract = fields.Nested(ContractAnswer, allow_none=True)
    options = fields.List(fields.Nested(OptionAnswer))
    line = fields.List(fields.Nested(MoveAnswer), metadata={"description": "What follows when all do what is best."})
    table = fields.List(
        fields.Nested(ContractValueAnswer),
        metadata={"description": "Bidding decisions: every contract that the auction can still end in."},
    )
    par = fields.Nested(
        ParAnswer, metadata={"description": "Bidding decisions: the outcome if all go on double dummy."}
    )
    code = fields.Function(lambda analysis: write_code(analysis.position), metadata={"type": "string"})
    settings = fields.Nested(SettingsAnswer)

    @post_dump
    def leave_out_what_does_not_apply(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {name: value for name, value in data.items() if value is not None or name not in ("table", "par")}


class TracedCardAnswer(OutcomeAnswer):
    """A card as it was played, the outcome of best play after it, and what it lost."""

    trick = fields.Integer()
    seat = SeatField()
    card = CardField()
    lost_tricks = fields.Integer()
    lost_points = fields.Integer()
    best = CardsField(metadata={"description": "The cards that would have kept most tricks."})


class TraceAnswer(Schema):
    """The play of a deal, card by card."""

    contract = fields.Nested(ContractAnswer, attribute="position.contract")
    tricks_before = BySideField(attribute="before.tricks")
    points_before = BySideField(attribute="before.points")
    tricks = BySideField(attribute="result.tricks", allow_none=True)
    points = BySideField(attribute="result.points", allow_none=True)
    cards = fields.List(fields.Nested(TracedCardAnswer))
    code = fields.Function(lambda trace: write_code(trace.position), metadata={"type": "string"})
