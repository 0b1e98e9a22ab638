"""A position as a JSON document: the body of ``analyze``, as HTTP and the command line read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, post_load, validates_schema
from marshmallow.validate import Length

from solver.errors import Fault, InvalidInput
from solver.game.auction import PASS, Auction, Bid, Call, Contract, first_leader
from solver.game.cards import Card, CardSet
from solver.game.deal import Deal, card_faults, hands_of
from solver.game.position import Position, leader_faults, position_faults
from solver.game.rules import DEFAULT_PRESET, Rules, preset
from solver.game.seats import Seat
from solver.notation.codes import read_bid
from solver.notation.deal_code import read_code
from solver.notation.fields import (
    NEEDED,
    SCHEMA_MESSAGES,
    CardField,
    CardsField,
    RulesField,
    SeatField,
    SuitField,
    TrueOrFalseField,
    faults_of,
)


class Document(Schema):
    """What all that is read has in common: a field that does not belong is a fault."""

    error_messages = SCHEMA_MESSAGES

    class Meta:
        unknown = RAISE


class HandsSchema(Document):
    """A hand for each seat: a list of cards, or one text."""

    N = CardsField()
    E = CardsField()
    S = CardsField()
    W = CardsField()


class ContractSchema(Document):
    """What is played, instead of an auction."""

    trump = SuitField(required=True, error_messages=NEEDED, metadata={"description": "The trump suit."})
    maker = SeatField(required=True, error_messages=NEEDED, metadata={"description": "Who named trump."})
    alone = TrueOrFalseField(load_default=False, metadata={"description": "The maker's partner sits out."})
    leader = SeatField(metadata={"description": "Who leads to the first trick; by default as the rules say."})


#: More bids than any auction has, so that each wrong one of a list can be named.
_MOST_BIDS = 64


class PositionSchema(Document):
    """A deal and all that happened to it. Loads to a `Position` that has no faults."""

    code = fields.String(metadata={"description": "A deal code, instead of all the other fields of the position."})
    rules = RulesField(metadata={"description": "A preset's name, or an object of options with `preset`."})
    dealer = SeatField(allow_none=True)
    upcard = CardField(
        allow_none=True,
        metadata={"description": "The card turned up. Without one, `hands` are as held when play begins."},
    )
    hands = fields.Nested(HandsSchema, metadata={"description": "The cards of each seat, as dealt."})
    auction = fields.List(
        fields.String(),
        validate=Length(max=_MOST_BIDS, error="no more than {max} bids belong here"),
        metadata={"description": "The bids from the dealer's left; or give `contract`."},
    )
    contract = fields.Nested(ContractSchema)
    discard = CardField(allow_none=True, metadata={"description": "The dealer's discard, if known."})
    plays = CardsField(metadata={"description": "The cards played, in order; seats follow from the rules."})

    @validates_schema(skip_on_field_errors=False, pass_original=True)
    def check(self, data: Mapping[str, Any], original: Mapping[str, Any], **kwargs: Any) -> None:
        """Judge whatever could be read, so that all faults of a document come together."""
        faults = self.faults(data, original)
        if faults:
            raise at_places(*faults)

    def faults(self, data: Mapping[str, Any], original: Mapping[str, Any]) -> list[Fault]:
        """What is wrong beyond single fields; ``data`` are those that could be read, ``original`` all."""
        return _code_faults(data) if "code" in original else _Reading(data, original).faults()

    @post_load
    def make(self, data: Mapping[str, Any], **kwargs: Any) -> Any:
        return position_of(data)


def position_of(data: Mapping[str, Any]) -> Position:
    """The position that loaded fields without faults describe."""
    return read_code(data["code"]) if "code" in data else _Reading(data, data).position()


def read_position(document: object) -> Position:
    """The position that a JSON document describes, all cards known. Raises `InvalidInput` with every fault."""
    position = load(PositionSchema(), document)
    assert isinstance(position, Position)
    return position


def load(schema: Schema, document: object) -> object:
    """What the schema makes of a JSON document. Raises `InvalidInput` with every fault."""
    try:
        if not isinstance(document, dict):
            raise ValidationError(SCHEMA_MESSAGES["type"])
        return schema.load(document)
    except ValidationError as error:
        # marshmallow's frame keeps the error, and the error's traceback the frame: a circle that would hold documents
        # until the next collection, which large ones of few objects do not bring about.
        error.__traceback__ = None
        raise InvalidInput(faults_of(error)) from None


def at_places(*faults: Fault) -> ValidationError:
    """Faults as a tree that marshmallow merges with those of the fields."""
    tree: dict[str, list[Fault]] = {}
    for fault in faults:
        tree.setdefault(str(fault.path[0]), []).append(Fault(fault.code, fault.message, fault.path[1:]))
    return ValidationError(tree)


def seen_faults(data: Mapping[str, Any], original: Mapping[str, Any], seat: Seat | None) -> list[Fault]:
    """As `PositionSchema.faults`, where only what one seat sees has to be there."""
    if "code" in original:
        return [fault for fault in _code_faults(data) if fault.code in ("field.conflict", "code.invalid")]
    return _Reading(data, original).seen_faults(seat)


def own_hand(data: Mapping[str, Any], original: Mapping[str, Any], seat: Seat) -> tuple[list[Fault], list[Bid | None]]:
    """The faults of a deal with the hand of one seat and its auction, nothing being missing; and the bids, None for one
    that cannot be read."""
    reading = _Reading(data, original)
    faults = [fault for fault in reading.faults() if fault.code not in _SAY_MISSING]
    return [fault for fault in faults if fault.path != ("hands", str(seat)) or fault.code == "hand.size"], reading.bids


def _code_faults(data: Mapping[str, Any]) -> list[Fault]:
    others = [name for name in data if name != "code" and name in PositionSchema._declared_fields]
    conflicts = [Fault("field.conflict", "the deal code says this already", (name,)) for name in others]
    if "code" not in data:
        return conflicts  # it could not be read, which its field says
    try:
        position = read_code(data["code"])
    except InvalidInput as error:
        return [*conflicts, *(Fault(fault.code, fault.message, ("code",)) for fault in error.faults)]
    return [*conflicts, *(Fault(fault.code, str(fault), ("code",)) for fault in position.problems())]


def _lost(original: object, data: object, path: Sequence[str | int]) -> bool:
    """Whether what the original has at a place, or around it, could not be read."""
    for step in path:
        if not isinstance(original, Mapping):
            return True
        if step not in original:
            return False
        if not isinstance(data, Mapping) or step not in data:
            return True
        original, data = original[step], data[step]
    return False


#: Faults that hold only where nothing stands at their place.
_SAY_MISSING = ("field.missing", "hand.missing", "discard.missing")
#: Whatever else could not be read, faults of these codes hold; the second ones if the rules could be.
_HOLD_ALWAYS = ("bid.unreadable", "card.duplicate", "hand.size")
_HOLD_UNDER_RULES = (*_HOLD_ALWAYS, "card.foreign", "hand.missing", "seat.foreign")


class _Reading:
    """What a document says, field by field, with what is left out filled in as far as the rules allow.

    ``data`` has the fields that could be read, ``original`` all.
    """

    def __init__(self, data: Mapping[str, Any], original: Mapping[str, Any]) -> None:
        self.data = data
        self.original = original
        self.rules: Rules = data.get("rules") or preset(DEFAULT_PRESET)
        self.dealer: Seat | None = data.get("dealer")
        self.upcard: Card | None = data.get("upcard")
        self.hands: dict[Seat, Sequence[Card | None]] = {
            Seat[name]: cards for name, cards in (data.get("hands") or {}).items()
        }
        self.discard: Card | None = data.get("discard")
        self.plays: Sequence[Card | None] = data.get("plays") or ()
        self.unreadable: list[Fault] = []
        self.bids = self._bids()
        self.given = self._given()

    def _auction(self) -> Auction | None:
        playable = self.dealer is not None and self.dealer in self.rules.seating.seats
        if self.upcard is None or self.dealer is None or not playable:
            return None
        return Auction(self.rules, self.dealer, self.upcard)

    def _bids(self) -> list[Bid | None]:
        """The bids as given, or those that lead to the contract given; None for one that cannot be read."""
        auction = self._auction()
        bids: list[Bid | None] = []
        given = self.original.get("auction") if "auction" in self.data else None
        for at, text in enumerate(given or ()):
            in_round_1 = auction is not None and auction.round(at) == 1
            if not isinstance(text, str):
                bids.append(None)  # which its field says
                continue
            try:
                bids.append(read_bid(text, auction.up_suit if auction is not None and in_round_1 else None))
            except InvalidInput as error:
                bids.append(None)
                self.unreadable += [fault.under("auction", at) for fault in error.faults]
        contract = self._contract()
        if auction is not None and contract is not None and not bids:
            return list(_bids_to(auction, contract))
        return bids

    def _contract(self) -> Mapping[str, Any] | None:
        contract = self.data.get("contract")
        if not isinstance(contract, Mapping) or not {"trump", "maker"} <= contract.keys():
            return None
        return contract if contract["maker"] in self.rules.seating.seats else None

    def _leader(self, contract: Mapping[str, Any]) -> Seat | None:
        """Who leads by the rules, if the dealer is known."""
        if self.dealer is None or self.dealer not in self.rules.seating.seats:
            return None
        return first_leader(self.rules, self.dealer, contract["maker"], contract.get("alone", False))

    def _given(self) -> Contract | None:
        contract = self._contract()
        if contract is None or self.upcard is not None:
            return None
        leader: Seat | None = contract["leader"] if "leader" in contract else self._leader(contract)
        if leader is None:
            return None
        return Contract(contract["trump"], contract["maker"], contract.get("alone", False), leader)

    def faults(self) -> list[Fault]:
        """Every fault of what could be read, and none that only follows from what could not."""
        return [fault for fault in self._all_faults() if self._holds(fault)]

    def _holds(self, fault: Fault) -> bool:
        if fault.code in _SAY_MISSING and (
            _lost(self.original, self.data, fault.path) or (self.data.get(str(fault.path[0])) and len(fault.path) == 1)
        ):
            return False
        if self._is_lost("rules"):
            return fault.code in _HOLD_ALWAYS
        contract_lost = self.data.get("contract") is not None and not {"trump", "maker"} <= self.data["contract"].keys()
        if contract_lost or any(self._is_lost(name) for name in ("dealer", "upcard", "auction", "contract")):
            return fault.code in _HOLD_UNDER_RULES
        return True

    def _is_lost(self, name: str) -> bool:
        return _lost(self.original, self.data, (name,))

    def seen_faults(self, seat: Seat | None) -> list[Fault]:
        """What is wrong with the form and the cards of one seat. What it can have seen is judged elsewhere."""
        cards = {each: hand for each, hand in self.hands.items() if each == seat}
        of_cards = card_faults(self.rules, cards, self.upcard)
        wrong = [fault for fault in of_cards if fault.code in ("card.foreign", "card.duplicate")]
        return [fault for fault in [*self._form_faults(), *wrong] if self._holds(fault)]

    def _form_faults(self) -> list[Fault]:
        """Bids that cannot be read, fields that exclude each other or need each other."""
        data = self.data
        faults = [*self.unreadable, *self._missing()]
        if data.get("auction") and data.get("contract") is not None:
            faults.append(Fault("field.conflict", "give the auction or the contract, not both", ("contract",)))
        auction, contract = self._auction(), self._contract()
        if auction is not None and contract is not None:
            faults += self._contract_faults(auction, contract)
        return faults

    def _all_faults(self) -> list[Fault]:
        data, faults = self.data, self._form_faults()
        found = position_faults(
            self.rules, self.dealer, self.upcard, self.hands, self.bids, self.given, self.discard, self.plays
        )
        if data.get("auction") or self.upcard is None:
            return faults + found
        # The bids were made up to reach the contract, so what is wrong with them is wrong with it.
        return faults + [
            Fault(fault.code, fault.message, ("contract",)) if fault.path[:1] == ("auction",) else fault
            for fault in found
        ]

    def _contract_faults(self, auction: Auction, contract: Mapping[str, Any]) -> list[Fault]:
        """Whether an auction can come to the contract given; the bids that lead to it are judged apart."""
        maker, dealer = contract["maker"], auction.dealer
        if auction.dealer_names and maker != dealer:
            message = f"{dealer} names trump for the Benny turned up, not {maker}"
            return [Fault("contract.illegal", message, ("contract", "maker"))]
        if "leader" not in contract:
            return []
        asked = Contract(contract["trump"], maker, contract.get("alone", False), contract["leader"])
        return leader_faults(self.rules, dealer, asked)

    def _missing(self) -> list[Fault]:
        """What this document needs besides what `position_faults` asks for."""
        data = self.data
        faults: list[Fault] = []
        contract = data.get("contract")
        if self.upcard is None and contract is not None and self.dealer is None and "leader" not in contract:
            message = "the dealer is needed, or the leader of the contract"
            faults.append(Fault("field.missing", message, ("dealer",)))
        maker = contract.get("maker") if contract is not None else None
        if maker is not None and maker not in self.rules.seating.seats:
            message = f"nobody sits at {maker} when {self.rules.seats} play"
            faults.append(Fault("seat.foreign", message, ("contract", "maker")))
        return faults

    def position(self) -> Position:
        hands = {seat: CardSet.of(card for card in cards if card is not None) for seat, cards in self.hands.items()}
        return Position(
            Deal(self.rules, self.dealer, self.upcard, hands_of(hands)),
            tuple(bid for bid in self.bids if bid is not None),
            self.given,
            self.discard,
            tuple(card for card in self.plays if card is not None),
        )


def _bids_to(auction: Auction, contract: Mapping[str, Any]) -> tuple[Bid, ...]:
    """The auction that ends in this contract: passes, then the maker's bid in the first round that allows it."""
    alone = bool(contract.get("alone", False))
    if auction.dealer_names:
        return (Bid(Call.NAME, contract["trump"], alone),)
    ordered = contract["trump"] == auction.up_suit
    first = 0 if ordered else auction.rules.seats
    turn = next(at for at in range(first, first + auction.rules.seats) if auction.bidder(at) == contract["maker"])
    bid = Bid(Call.ORDER, None, alone) if ordered else Bid(Call.NAME, contract["trump"], alone)
    return (*[PASS] * turn, bid)
