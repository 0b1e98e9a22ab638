"""The body of ``rate-bid``: a bidding decision as the bidder sees it, and how it is to be rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, cast

from marshmallow import fields, post_load, validates_schema
from marshmallow.validate import Length, OneOf

from solver.errors import Fault, InvalidInput
from solver.game.auction import Auction, Bid
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.position import Position, position_faults
from solver.game.rules import DEFAULT_PRESET, Rules, preset
from solver.game.seats import Seat, Side
from solver.notation.codes import read_bid
from solver.notation.deal_code import read_code
from solver.notation.documents import Document, at_places, load, own_hand
from solver.notation.fields import CardField, CardsField, RatedWorldsField, RulesField, SeatField
from solver.notation.query import SEEDS, ScoreSchema, score_faults

#: The names that `solver.analysis.rate_arguments` knows; a test holds the two together.
RATE_METHODS = ("rollout", "double-dummy")
_MOST_BIDS = 64

#: The fields that a deal code stands for, and those of them that are needed without one.
_OF_THE_DEAL = ("rules", "dealer", "upcard", "hand", "auction")
_NEEDED = ("dealer", "upcard", "seat", "hand")


class RateQuery(TypedDict, total=False):
    """The arguments of `solver.rate_bid`; what is left out has the default."""

    rules: Rules
    dealer: Seat
    upcard: Card
    seat: Seat
    hand: tuple[Card, ...]
    auction: tuple[Bid, ...]
    score: dict[Side, int]
    bid: Bid
    worlds: int | str
    seed: int
    method: str


class RateSchema(Document):
    """A bidding decision: what the seat to bid sees. Loads to a `RateQuery`.

    `dealer`, `upcard`, `seat` and `hand` are needed, or a `code`, of which only the hand of the seat to bid is used.
    """

    code = fields.String(metadata={"description": "A deal code, instead of rules, dealer, upcard, hand and auction."})
    rules = RulesField(metadata={"description": "A preset's name, or an object of options with `preset`."})
    dealer = SeatField()
    upcard = CardField(metadata={"description": "The card turned up."})
    seat = SeatField(metadata={"description": "Who is to bid."})
    hand = CardsField(metadata={"description": "That seat's five cards as dealt."})
    auction = fields.List(
        fields.String(),
        validate=Length(max=_MOST_BIDS, error="no more than {max} bids belong here"),
        metadata={"description": "The bids before this one, from the dealer's left."},
    )
    score = fields.Nested(
        ScoreSchema, allow_none=True, metadata={"description": "The score before this deal; by default 0 to 0."}
    )
    bid = fields.String(allow_none=True, metadata={"description": "A bid to give a verdict on."})
    worlds = RatedWorldsField(
        allow_none=True,
        metadata={
            "description": "How many worlds are played; `precise`, the default: until every difference has a standard "
            "error of at most 0.03 points; `adaptive`: until the best bid is clear."
        },
    )
    seed = fields.Integer(
        allow_none=True, strict=True, validate=SEEDS, metadata={"description": "Equal seeds give equal answers."}
    )
    method = fields.String(
        allow_none=True,
        validate=OneOf(RATE_METHODS, error="{choices} belongs here"),
        metadata={"description": "How the cards are played: by seats that see their own, or by all seeing all."},
    )

    @validates_schema(skip_on_field_errors=False, pass_original=True)
    def check(self, data: Mapping[str, Any], original: Mapping[str, Any], **kwargs: Any) -> None:
        """Judge whatever could be read, so that all faults of a document come together."""
        faults = _code_faults(data, original) if "code" in original else _deal_faults(data, original)
        faults = list(dict.fromkeys([*faults, *score_faults(data, original)]))
        if faults:
            raise at_places(*faults)

    @post_load
    def make(self, data: Mapping[str, Any], **kwargs: Any) -> RateQuery:
        if "code" in data:
            position = read_code(data["code"])
            auction = position.auction
            assert auction is not None and auction.to_act is not None  # said by the check
            hand: Sequence[Card] = tuple(position.deal.hand(auction.to_act) or ())
        else:
            bids, _ = _bids(data, data)
            auction = Auction(_rules(data), data["dealer"], data["upcard"], tuple(bid for bid in bids if bid))
            hand = data["hand"]
        assert auction.to_act is not None  # said by the check
        query = RateQuery(
            rules=auction.rules,
            dealer=auction.dealer,
            upcard=auction.upcard,
            seat=auction.to_act,
            hand=tuple(hand),
            auction=auction.bids,
        )
        for name in ("worlds", "seed", "method"):
            if data.get(name) is not None:
                query[name] = data[name]
        if data.get("score") is not None:
            query["score"] = {Side(name): points for name, points in data["score"].items()}
        if data.get("bid") is not None:
            query["bid"] = _read_bid(data["bid"], auction)
        return query


def read_rate_query(document: object) -> RateQuery:
    """What a JSON document asks of `solver.rate_bid`. Raises `InvalidInput` with every fault."""
    return cast("RateQuery", load(RateSchema(), document))


def _rules(data: Mapping[str, Any]) -> Rules:
    rules: Rules = data.get("rules") or preset(DEFAULT_PRESET)
    return rules


def _read_bid(text: str, auction: Auction) -> Bid:
    in_round_1 = auction.round(len(auction.bids)) == 1
    return read_bid(text, auction.up_suit if in_round_1 else None)


def _seat_of_hand(data: Mapping[str, Any]) -> Seat:
    """Whose cards the hand is; where that cannot be told, anybody's."""
    seat: Seat = data.get("seat", Seat.N)
    return seat if seat in _rules(data).seating.seats else Seat.N


def _bids(data: Mapping[str, Any], original: Mapping[str, Any]) -> tuple[Sequence[Bid | None], list[Fault]]:
    """The bids, None for one that cannot be read, and the faults of the deal as far as it is told."""
    seat = _seat_of_hand(data)
    names = ("rules", "dealer", "upcard", "auction")

    def deal(fields_read: Mapping[str, Any]) -> dict[str, Any]:
        hands = {"hands": {str(seat): fields_read["hand"]}} if "hand" in fields_read else {}
        return {name: fields_read[name] for name in names if name in fields_read} | hands

    faults, bids = own_hand(deal(data), deal(original), seat)
    return bids, [
        Fault(fault.code, fault.message, ("hand", *fault.path[2:])) if fault.path[:1] == ("hands",) else fault
        for fault in faults
    ]


def _deal_faults(data: Mapping[str, Any], original: Mapping[str, Any]) -> list[Fault]:
    faults = [Fault("field.missing", "this field is needed", (name,)) for name in _NEEDED if name not in original]
    bids, of_deal = _bids(data, original)
    faults += of_deal
    rules, seat = _rules(data), data.get("seat")
    if seat is not None and seat not in rules.seating.seats:
        faults.append(Fault("seat.foreign", f"nobody sits at {seat} when {rules.seats} play", ("seat",)))
    # Whose turn it is, and whether the bid is legal, can be told where the auction can be.
    is_read = all(name in data or name not in original for name in ("rules", "dealer", "upcard", "seat", "auction"))
    known = is_read and {"dealer", "upcard", "seat"} <= data.keys()
    if known and not any(fault.path[:1] in (("dealer",), ("auction",), ("seat",)) for fault in faults):
        auction = Auction(rules, data["dealer"], data["upcard"], tuple(bid for bid in bids if bid is not None))
        cards = CardSet.of(card for card in data.get("hand", ()) if card is not None)
        faults += _turn_faults(data, auction, data["seat"], cards)
    elif isinstance(data.get("bid"), str):
        faults += _unreadable_bid(data["bid"])
    return faults


def _turn_faults(data: Mapping[str, Any], auction: Auction, seat: Seat, hand: CardSet) -> list[Fault]:
    bid, faults = None, []
    if data.get("bid") is not None:
        try:
            bid = _read_bid(data["bid"], auction)
        except InvalidInput as error:
            faults = [fault.under("bid") for fault in error.faults]
    return [*faults, *auction.turn_faults(seat, bid, hand if len(hand) == HAND_SIZE else None)]


def _unreadable_bid(text: str) -> list[Fault]:
    try:
        read_bid(text)
    except InvalidInput as error:
        return [fault.under("bid") for fault in error.faults]
    return []


def _code_faults(data: Mapping[str, Any], original: Mapping[str, Any]) -> list[Fault]:
    faults = [
        Fault("field.conflict", "the deal code says this already", (name,)) for name in _OF_THE_DEAL if name in original
    ]
    try:
        position = read_code(data["code"]) if "code" in data else None
    except InvalidInput as error:
        faults += [Fault(fault.code, fault.message, ("code",)) for fault in error.faults]
        position = None
    if position is None:
        return faults + (_unreadable_bid(data["bid"]) if isinstance(data.get("bid"), str) else [])
    auction = position.auction
    if auction is None:
        return [*faults, Fault("code.invalid", "there is no auction without a dealer and an upcard", ("code",))]
    seat = auction.to_act
    of_code = _seen_in_code(position, seat)
    faults += [Fault(fault.code, str(fault), ("code",)) for fault in of_code]
    if any(fault.path[:1] in (("dealer",), ("auction",)) for fault in of_code):
        return faults
    hand = (position.deal.hand(seat) if seat is not None else None) or CardSet()
    of_turn = _turn_faults(data, auction, data.get("seat") or seat or auction.dealer, hand)
    return faults + [
        Fault(fault.code, fault.message, ("code",)) if fault.path == ("auction",) else fault for fault in of_turn
    ]


def _seen_in_code(position: Position, seat: Seat | None) -> list[Fault]:
    """What is wrong with what the seat to bid sees; other hands are not looked at."""
    hand = position.deal.hand(seat) if seat is not None else None
    hands = {} if seat is None or hand is None else {seat: tuple(hand)}
    found = position_faults(
        position.rules, position.deal.dealer, position.deal.upcard, hands, position.bids, position.given, None, ()
    )
    faults = [fault for fault in found if fault.code != "hand.missing"]
    if seat is not None and hand is None:
        faults.append(Fault("hand.missing", f"the hand of {seat} is missing", ("hands", str(seat))))
    return faults
