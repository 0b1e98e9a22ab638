"""Analyses and traces as JSON documents: what HTTP answers, and the command line prints under ``--json``.

The schemas read attributes by name and import nothing of what they describe.
"""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, post_dump

from solver.notation.deal_code import write_code
from solver.notation.fields import (
    BidField,
    BySideField,
    CardField,
    CardsField,
    NumberField,
    SeatField,
    SharesField,
    SuitField,
)


def _tricks() -> BySideField:
    """Not inherited: fields are written in the order in which a class states them."""
    metadata = {"description": "Tricks of the whole deal by side."}
    return BySideField(required=True, attribute="outcome.tricks", metadata=metadata)


def _points() -> BySideField:
    metadata = {"description": "Points for the deal by side."}
    return BySideField(required=True, attribute="outcome.points", metadata=metadata)


class ContractAnswer(Schema):
    """What is played."""

    trump = SuitField(required=True)
    maker = SeatField(required=True)
    alone = fields.Boolean(required=True)
    leader = SeatField(required=True, metadata={"description": "Who leads to the first trick."})


class EstimateAnswer(Schema):
    """A mean over worlds."""

    mean = NumberField(required=True)
    stderr = NumberField(required=True, metadata={"description": "Its standard error; 0 if the worlds are all."})


class OptionAnswer(Schema):
    """A legal action: a `card` or a `bid`, the field that does not apply being left out."""

    card = CardField()
    bid = BidField()
    tricks = _tricks()
    points = _points()
    game = BySideField(
        attribute="outcome.game", metadata={"description": "With a score: each side's chance to win the game."}
    )
    error = NumberField(
        required=True, metadata={"description": "Net points lost against the best option; never negative."}
    )
    best = fields.Boolean(required=True)
    equals = CardsField(metadata={"description": "The other legal cards that no card in play stands between."})
    stderr = NumberField(
        attribute="uncertainty.points.stderr",
        metadata={"description": "From a viewpoint: the standard error of the mean net points of the side to act."},
    )
    difference = fields.Nested(
        EstimateAnswer,
        attribute="uncertainty.difference",
        metadata={"description": "From a viewpoint: net points less those of the best option, over the same worlds."},
    )
    game_difference = fields.Nested(
        EstimateAnswer,
        attribute="uncertainty.game_difference",
        metadata={"description": "With a score: the same in chances to win the game."},
    )
    best_chance = NumberField(
        attribute="uncertainty.best_chance",
        metadata={"description": "From a viewpoint, cards: the share of worlds in which no option does better."},
    )
    outcomes = SharesField(
        metadata={"description": "From a viewpoint, bids: how often each net result for the side to act."}
    )
    double_dummy = NumberField(
        metadata={"description": "From a viewpoint, bids: net points if all cards were seen after the auction."}
    )
    discard = CardField(metadata={"description": "From a viewpoint, bids: what the dealer then throws away."})

    @post_dump
    def leave_out_what_does_not_apply(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        if data["card"] is None:
            del data["equals"]
        return {name: value for name, value in data.items() if value is not None}


class MoveAnswer(Schema):
    """One action of a line: `seat` and one of `bid`, `discard` and `card`."""

    seat = SeatField(required=True)
    bid = BidField()
    discard = CardField()
    card = CardField()

    @post_dump
    def leave_out_what_does_not_apply(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {name: value for name, value in data.items() if value is not None}


class ContractValueAnswer(Schema):
    """A contract that the auction can still end in, with its double-dummy outcome."""

    maker = SeatField(required=True, attribute="contract.maker")
    trump = SuitField(required=True, attribute="contract.trump")
    alone = fields.Boolean(required=True, attribute="contract.alone")
    leader = SeatField(required=True, attribute="contract.leader")
    tricks = _tricks()
    points = _points()
    discard = CardField(
        required=True,
        allow_none=True,
        metadata={"description": "The dealer's best discard; null where the upcard is not taken."},
    )
    round = fields.Integer(
        required=True, metadata={"description": "The round of the auction in which `bid` makes this contract."}
    )
    bid = BidField(required=True)


class ParAnswer(Schema):
    """What comes of it when all bid and play double dummy from here."""

    tricks = _tricks()
    points = _points()
    bids = fields.List(
        BidField(), required=True, metadata={"description": "The bids from here to the end of the auction."}
    )
    contract = fields.Nested(
        ContractAnswer, required=True, attribute="value.contract", allow_none=True, dump_default=None
    )
    discard = CardField(required=True, attribute="value.discard", allow_none=True, dump_default=None)


class SettingsAnswer(Schema):
    """What the answer depends on besides the position."""

    engine = fields.String(required=True)
    worlds = fields.Integer(required=True, allow_none=True)
    seed = fields.Integer(required=True, allow_none=True)
    worlds_that_fit = fields.Integer(metadata={"description": "How many worlds fit what the seat has seen."})
    method = fields.String()
    goal = fields.String(metadata={"enum": ["points", "game"], "description": "What options are compared by."})
    effective_worlds = NumberField(metadata={"description": "With weights: how many equal worlds are worth as much."})
    policy = fields.String(metadata={"description": "Bids: what the others are taken to bid by."})
    shares = fields.String(metadata={"description": "With a score: whose shares of results the game is valued by."})

    @post_dump
    def leave_out_what_does_not_apply(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {name: value for name, value in data.items() if value is not None or name in ("worlds", "seed")}


class AnalysisAnswer(Schema):
    """The answer of `analyze`."""

    decision = fields.String(required=True, metadata={"enum": ["bid", "discard", "play", "over"]})
    to_act = SeatField(required=True, allow_none=True)
    information = fields.String(required=True, metadata={"enum": ["complete", "sampled", "enumerated"]})
    contract = fields.Nested(ContractAnswer, required=True, allow_none=True)
    tricks = _tricks()
    points = _points()
    options = fields.List(fields.Nested(OptionAnswer), required=True)
    line = fields.List(
        fields.Nested(MoveAnswer), required=True, metadata={"description": "What follows when all do what is best."}
    )
    table = fields.List(
        fields.Nested(ContractValueAnswer),
        metadata={"description": "Bidding decisions: every contract that the auction can still end in."},
    )
    par = fields.Nested(
        ParAnswer, metadata={"description": "Bidding decisions: the outcome if all go on double dummy."}
    )
    code = fields.Function(lambda analysis: write_code(analysis.position), required=True, metadata={"type": "string"})
    settings = fields.Nested(SettingsAnswer, required=True)

    @post_dump
    def leave_out_what_does_not_apply(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {name: value for name, value in data.items() if value is not None or name not in ("table", "par")}


class TracedCardAnswer(Schema):
    """A card as it was played, the outcome of best play after it, and what it lost."""

    trick = fields.Integer(required=True)
    seat = SeatField(required=True)
    card = CardField(required=True)
    tricks = _tricks()
    points = _points()
    lost_tricks = fields.Integer(required=True)
    lost_points = fields.Integer(required=True)
    best = CardsField(required=True, metadata={"description": "The cards that would have kept most tricks."})


class TraceAnswer(Schema):
    """The play of a deal, card by card."""

    contract = fields.Nested(ContractAnswer, required=True, attribute="position.contract")
    tricks_before = BySideField(required=True, attribute="before.tricks")
    points_before = BySideField(required=True, attribute="before.points")
    tricks = BySideField(required=True, attribute="result.tricks", allow_none=True, dump_default=None)
    points = BySideField(required=True, attribute="result.points", allow_none=True, dump_default=None)
    cards = fields.List(fields.Nested(TracedCardAnswer), required=True)
    code = fields.Function(lambda trace: write_code(trace.position), required=True, metadata={"type": "string"})


class RatedBidAnswer(Schema):
    """A legal bid, and what comes of it for the bidder's side."""

    bid = BidField(required=True)
    points = fields.Nested(EstimateAnswer, required=True, metadata={"description": "Net points."})
    game = fields.Nested(EstimateAnswer, required=True, metadata={"description": "The chance to win the game."})
    difference = fields.Nested(
        EstimateAnswer,
        required=True,
        metadata={"description": "Net points less those of the best bid."},
    )
    game_difference = fields.Nested(
        EstimateAnswer, required=True, metadata={"description": "The same in chances to win the game."}
    )
    outcomes = SharesField(required=True, metadata={"description": "How often each net result; sums to 1."})
    made = NumberField(
        required=True, metadata={"description": "How often the bidder's side is maker and takes three tricks or more."}
    )
    march = NumberField(required=True, metadata={"description": "How often it takes all five as maker."})
    euchred = NumberField(required=True, metadata={"description": "How often it is maker and euchred."})
    double_dummy = NumberField(
        required=True, metadata={"description": "Net points if all cards were seen once the auction is over."}
    )
    worlds = fields.Integer(
        required=True,
        metadata={"description": "How many it was played in. Those of every bid are the first of the same worlds."},
    )
    discard = CardField(metadata={"description": "A dealer who takes the upcard: what to throw away then."})

    @post_dump
    def leave_out_what_does_not_apply(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {name: value for name, value in data.items() if value is not None or name != "discard"}


class VerdictAnswer(Schema):
    """The bid that was asked about, against the best."""

    bid = BidField(required=True)
    error = NumberField(required=True, metadata={"description": "Net points lost; never negative."})
    stderr = NumberField(required=True)
    grade = fields.String(required=True, metadata={"enum": ["none", "inaccuracy", "mistake", "blunder"]})
    too_close = fields.Boolean(
        required=True,
        metadata={"description": "The error is within two standard errors, or the worlds are few: there is no grade."},
    )


class RateSettingsAnswer(Schema):
    """What a rating depends on besides the decision."""

    engine = fields.String(required=True)
    method = fields.String(required=True)
    worlds = fields.Integer(required=True, metadata={"description": "The most that any bid was played in."})
    effective_worlds = NumberField(
        required=True, metadata={"description": "How many worlds of equal weight they are worth."}
    )
    seed = fields.Integer(required=True)
    policy = fields.String(required=True, metadata={"description": "What the others are taken to bid by."})
    shares = fields.String(
        required=True, metadata={"description": "Whose shares of results the game is valued by, and what they bid by."}
    )
    score = BySideField(required=True)


class RatingAnswer(Schema):
    """The answer of `rate-bid`."""

    options = fields.List(fields.Nested(RatedBidAnswer), required=True)
    best = BidField(required=True, metadata={"description": "By points."})
    best_for_game = BidField(required=True, metadata={"description": "By the chance to win the game."})
    discard = CardField(
        required=True,
        allow_none=True,
        metadata={"description": "What the dealer throws away after the best bid that takes the upcard; else null."},
    )
    verdict = fields.Nested(VerdictAnswer, required=True, allow_none=True)
    code = fields.Function(lambda rating: write_code(rating.position), required=True, metadata={"type": "string"})
    settings = fields.Nested(RateSettingsAnswer, required=True)
