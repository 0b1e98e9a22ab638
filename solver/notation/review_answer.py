"""Reviews as JSON documents. As in `solver.notation.answers`, attributes are read by name."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, post_dump

from solver.notation.answers import EstimateAnswer
from solver.notation.deal_code import write_code
from solver.notation.fields import BidField, BySideField, CardField, NumberField, SeatField

_DECISIONS = ["bid", "discard", "play"]
_GRADES = ["none", "inaccuracy", "mistake", "blunder"]


def _without_nothing(data: dict[str, Any], *names: str) -> dict[str, Any]:
    """The document without those of the fields that have no value."""
    return {name: value for name, value in data.items() if value is not None or name not in names}


class FaultAnswer(Schema):
    """One thing that is wrong, and where."""

    code = fields.String(required=True, metadata={"description": "Which kind of fault it is; these stay as they are."})
    path = fields.List(
        fields.Raw(metadata={"type": ["string", "integer"]}),
        required=True,
        metadata={"description": "The way to the place: names of fields, and places in lists from 0."},
    )
    message = fields.String(required=True, metadata={"description": "For people; the wording may change."})


class ReviewedOptionAnswer(Schema):
    """A legal action: a `card` or a `bid`, and what the seat could expect of it."""

    bid = BidField()
    card = CardField()
    points = fields.Nested(EstimateAnswer, required=True, metadata={"description": "Net points."})
    game = NumberField(required=True, metadata={"description": "The chance to win the game."})
    difference = fields.Nested(
        EstimateAnswer, required=True, metadata={"description": "Net points less those of the best, the same worlds."}
    )
    game_difference = fields.Nested(EstimateAnswer, required=True)
    best = fields.Boolean(required=True)

    @post_dump
    def leave_out_what_does_not_apply(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return _without_nothing(data, "bid", "card")


class HindsightAnswer(Schema):
    """What an action lost with all cards seen."""

    points = NumberField(required=True)
    tricks = NumberField(required=True, allow_none=True, metadata={"description": "Null for bids."})


class DecisionSummaryAnswer(Schema):
    """A decision and what it lost, for the side that took it. `bid` or `card` is what was done."""

    deal = fields.Integer(required=True)
    number = fields.Integer(required=True, metadata={"description": "Counts the decisions of the deal from 1."})
    decision = fields.String(required=True, metadata={"enum": _DECISIONS})
    trick = fields.Integer(metadata={"description": "Plays only."})
    seat = SeatField(required=True)
    bid = BidField()
    card = CardField()
    best_bid = BidField()
    best_card = CardField()
    error = fields.Nested(
        EstimateAnswer, required=True, metadata={"description": "Net points lost against the best; never negative."}
    )
    game_error = fields.Nested(
        EstimateAnswer, required=True, metadata={"description": "The same in chances to win the game."}
    )
    grade = fields.String(required=True, metadata={"enum": _GRADES})
    reason = fields.String(metadata={"description": "What was wrong, in words, where a fact that is looked for holds."})

    @post_dump
    def leave_out_what_does_not_apply(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return _without_nothing(data, "trick", "bid", "card", "best_bid", "best_card", "reason")


class ReviewedDecisionAnswer(DecisionSummaryAnswer):
    """A decision with all that it was judged by."""

    forced = fields.Boolean(required=True, metadata={"description": "There was nothing to decide: no options."})
    too_close = fields.Boolean(
        required=True, metadata={"description": "The error is within two standard errors, or the worlds are few."}
    )
    held_out = NumberField(
        required=True,
        metadata={
            "description": "The error in points, the best chosen by one half of the worlds and valued by the other."
        },
    )
    game_held_out = NumberField(required=True)
    worlds = fields.Integer(required=True)
    options = fields.List(fields.Nested(ReviewedOptionAnswer), required=True)
    hindsight = fields.Nested(HindsightAnswer, required=True, allow_none=True)


class UnreviewedAnswer(Schema):
    """A decision that could not be reviewed, and why."""

    deal = fields.Integer(required=True)
    number = fields.Integer(required=True)
    decision = fields.String(required=True, metadata={"enum": _DECISIONS})
    trick = fields.Integer(metadata={"description": "Plays only."})
    seat = SeatField(required=True)
    bid = BidField()
    card = CardField()
    faults = fields.List(fields.Nested(FaultAnswer), required=True)

    @post_dump
    def leave_out_what_does_not_apply(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return _without_nothing(data, "trick", "bid", "card")


class BalanceAnswer(Schema):
    """What a side got, and what chance had to do with it: all net points, or all chances to win the game."""

    result = NumberField(required=True)
    deal = NumberField(required=True, metadata={"description": "Luck of the hands dealt."})
    upcard = NumberField(required=True, metadata={"description": "Luck of the card turned."})
    hidden = NumberField(
        required=True,
        allow_none=True,
        metadata={"description": "What neither they nor errors explain; null unless every decision was reviewed."},
    )
    adjusted = NumberField(required=True, metadata={"description": "`result` less `deal` and `upcard`."})


class BalancesAnswer(Schema):
    """The same in net points, and in chances to win the game."""

    points = fields.Nested(BalanceAnswer, required=True)
    game = fields.Nested(BalanceAnswer, required=True)


class DealReviewAnswer(Schema):
    """One deal of the game."""

    number = fields.Integer(required=True)
    code = fields.Function(lambda deal: write_code(deal.position), required=True, metadata={"type": "string"})
    score = BySideField(required=True, metadata={"description": "Before the deal."})
    game_before = BySideField(required=True, allow_none=True)
    game_after = BySideField(required=True, allow_none=True)
    points = BySideField(required=True, allow_none=True, metadata={"description": "As scored; null if not recorded."})
    balance = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(BalancesAnswer),
        required=True,
        allow_none=True,
        metadata={"description": "By side; null where the result or the cards are not known."},
    )
    decisions = fields.List(fields.Nested(ReviewedDecisionAnswer), required=True)
    unreviewed = fields.List(fields.Nested(UnreviewedAnswer), required=True)
    faults = fields.List(fields.Nested(FaultAnswer), required=True)


class MomentAnswer(Schema):
    """A point of the winning-chance curve: each side's chance for one who sees all cards."""

    deal = fields.Integer(required=True)
    after = fields.String(required=True)
    game = BySideField(required=True)


class TallyAnswer(Schema):
    """Decisions counted. Errors are sums of what was held out."""

    decisions = fields.Integer(required=True)
    unforced = fields.Integer(required=True)
    error = NumberField(required=True, metadata={"description": "Net points lost."})
    game_error = NumberField(required=True)
    error_per_decision = NumberField(required=True, allow_none=True, metadata={"description": "Per unforced decision."})
    game_error_per_decision = NumberField(required=True, allow_none=True)
    hindsight = NumberField(required=True, metadata={"description": "Net points lost with all cards seen."})
    grades = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)


class AccountAnswer(Schema):
    """The decisions of a player or a side, by kind."""

    bidding = fields.Nested(TallyAnswer, required=True)
    discard = fields.Nested(TallyAnswer, required=True)
    play = fields.Nested(TallyAnswer, required=True)
    total = fields.Nested(TallyAnswer, required=True)
    worst = fields.List(
        fields.Nested(DecisionSummaryAnswer), required=True, metadata={"description": "At most three, the worst first."}
    )


class PlayerSummaryAnswer(Schema):
    """What one seat did."""

    seat = SeatField(required=True)
    name = fields.String(required=True)
    account = fields.Nested(AccountAnswer, required=True)


class SideSummaryAnswer(Schema):
    """What a side did, and what the cards did for it in the `balanced` deals of which that is known."""

    side = fields.String(required=True)
    account = fields.Nested(AccountAnswer, required=True)
    balanced = fields.Integer(required=True)
    balance = fields.Nested(BalancesAnswer, required=True)


class ReviewSettingsAnswer(Schema):
    """What a review depends on besides the record."""

    engine = fields.String(required=True)
    depth = fields.String(required=True)
    seed = fields.Integer(required=True)
    policy = fields.String(required=True, metadata={"description": "What bids are read by."})
    shares = fields.String(required=True, metadata={"description": "Whose deals the chance to win the game rests on."})
    point = NumberField(
        required=True, metadata={"description": "A point's worth in chances to win at the start; grades go by it."}
    )


class ReviewAnswer(Schema):
    """The answer of `review`."""

    title = fields.String(required=True)
    deals = fields.List(fields.Nested(DealReviewAnswer), required=True)
    players = fields.List(fields.Nested(PlayerSummaryAnswer), required=True)
    sides = fields.List(fields.Nested(SideSummaryAnswer), required=True)
    curve = fields.List(
        fields.Nested(MomentAnswer), required=True, metadata={"description": "The winning-chance curve of the game."}
    )
    faults = fields.List(fields.Nested(FaultAnswer), required=True)
    settings = fields.Nested(ReviewSettingsAnswer, required=True)
