"""What one seat has seen of a deal, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from solver.errors import Fault, refuse
from solver.game.auction import Auction, Bid, Contract
from solver.game.cards import HAND_SIZE, Card, CardSet, Suit
from solver.game.deal import Deal, hands_of
from solver.game.order import CardOrder, card_order
from solver.game.position import Decision, Position
from solver.game.rules import Rules
from solver.game.seats import Seat


class UpcardAt(StrEnum):
    """Where the card turned up is, as far as a seat can tell."""

    NOWHERE = "nowhere"  # the hands were given as play begins, without an upcard
    TABLE = "table"  # the auction goes on
    TURNED_DOWN = "turned down"
    DEALER = "dealer"  # in the dealer's hand
    DEALER_OR_DISCARD = "dealer or discard"
    DISCARD = "discard"
    PLAYED = "played"


@dataclass(frozen=True)
class Knowledge:
    """What ``seat`` has seen. Two positions that differ only in what is hidden from the seat give equal values.

    Get one from `Knowledge.of`, which leaves out what is hidden and refuses what cannot have been seen.

    ``hand`` are the seat's own cards as dealt (as play begins, without an upcard); one card short in the form of a
    `Position` in which a dealer's discard is lost. ``given`` is the contract where there was no auction.
    ``discarded``: the dealer took the upcard and has discarded. ``discard`` is that card if the seat saw it: its own,
    or an upcard that the dealer declined.
    """

    rules: Rules
    seat: Seat
    hand: CardSet
    dealer: Seat | None = None
    upcard: Card | None = None
    bids: tuple[Bid, ...] = ()
    given: Contract | None = None
    discarded: bool = False
    discard: Card | None = None
    plays: tuple[Card, ...] = ()

    @staticmethod
    def of(position: Position, seat: Seat, *, discarded: bool = False) -> Knowledge:
        """What ``seat`` has seen of a position, whose other hands may be wrong or missing: they are not looked at.

        Under ``dealer_may_decline_upcard`` everybody sees whether an upcard that another seat ordered is declined, so
        there a position without a discard is one in which it was not.

        A position in which nothing is played yet tells by its discard alone that the dealer has discarded.
        ``discarded`` says so where the card is not known; a dealer's own knowledge needs the card.

        Raises `InvalidInput` for everything that is wrong with what the seat sees, places as in the position; for the
        seat itself ``viewpoint``.
        """
        seats = position.rules.seating.seats
        refuse(
            Fault("seat.foreign", f"nobody sits at {each} when {position.rules.seats} play", (name,))
            for name, each in (("dealer", position.deal.dealer), ("viewpoint", seat))
            if each is not None and each not in seats
        )
        own = position.deal.hand(seat)
        if own is None:
            refuse([Fault("hand.missing", f"the hand of {seat} is missing", ("hands", str(seat)))])
        assert own is not None
        auction = position.auction
        taken = auction is not None and auction.takes_upcard
        is_own = seat == position.deal.dealer
        is_seen = is_own or position.discard == _declined_upcard(auction)
        knowledge = Knowledge(
            position.rules,
            seat,
            own,
            position.deal.dealer,
            position.deal.upcard,
            position.bids,
            position.given if auction is None else None,
            taken and (position.discard is not None or bool(position.plays) or (discarded and not is_own)),
            position.discard if is_seen else None,
            position.plays,
        )
        refuse(_faults(knowledge))
        return knowledge

    @cached_property
    def position(self) -> Position:
        """The position as the seat sees it: with its own hand alone, and without a hidden discard."""
        hands = hands_of({self.seat: self.hand})
        deal = Deal(self.rules, self.dealer, self.upcard, hands)
        return Position(deal, self.bids, self.given, self.discard, self.plays)

    @property
    def auction(self) -> Auction | None:
        return self.position.auction

    @property
    def contract(self) -> Contract | None:
        return self.position.contract

    @property
    def sitting_out(self) -> Seat | None:
        return self.contract.sitting_out if self.contract is not None else None

    @property
    def order(self) -> CardOrder | None:
        """How the cards count; None before trump is named."""
        return card_order(self.rules, self.contract.trump) if self.contract is not None else None

    @property
    def decision(self) -> Decision:
        decision = self.position.decision
        return Decision.PLAY if decision == Decision.DISCARD and self.discarded else decision

    @property
    def to_act(self) -> Seat | None:
        """The seat that decides next; None when the deal is over."""
        match self.decision:
            case Decision.PLAY:
                return self.position.play().to_act
            case Decision.OVER:
                return None
        return self.position.to_act

    @cached_property
    def taken(self) -> bool:
        """Whether the dealer took the upcard into the hand."""
        return self.auction is not None and self.auction.takes_upcard

    @property
    def may_hide_upcard(self) -> bool:
        """Whether the dealer may discard the upcard so that nobody else sees it."""
        return self.rules.dealer_may_discard_upcard and _declined_upcard(self.auction) is None

    @cached_property
    def turns(self) -> tuple[tuple[Seat, Card], ...]:
        """The cards played, in order, and by whom."""
        if not self.plays:
            return ()
        play = self.position.play()
        turns = [turn for trick in play.tricks for turn in zip(trick.seats, trick.cards, strict=True)]
        return (*turns, *zip(play.order_of_trick(), play.table, strict=False))

    def led(self, at: int) -> Card:
        """The card that was led to the trick of play number ``at``."""
        return self.plays[at - at % self._in_trick]

    def trick(self, at: int) -> int:
        """The trick of play number ``at``, from 1."""
        return at // self._in_trick + 1

    @property
    def _in_trick(self) -> int:
        return self.rules.seats - (self.sitting_out is not None)

    @cached_property
    def played(self) -> tuple[CardSet, ...]:
        """The cards played, by seat."""
        return tuple(CardSet.of(card for seat, card in self.turns if seat == each) for each in Seat)

    @property
    def held(self) -> CardSet:
        """The seat's own cards now. With a discard of its own that is lost it may be one of them."""
        cards = self.hand
        if self.taken and self.seat == self.dealer and self.upcard is not None:
            cards = cards.with_card(self.upcard)
            cards = cards.without(self.discard) if self.discard is not None else cards
        return cards - self.played[self.seat]

    @cached_property
    def shown_void(self) -> dict[tuple[Seat, Suit], int]:
        """Which other seats showed that they were out of which suits, and by which play: its place in ``plays``.

        Suits are those that the cards count as. A seat that does not follow is out of the suit led from then on; it may
        have discarded it before.
        """
        order, shown = self.order, dict[tuple[Seat, Suit], int]()
        if order is None:
            return shown
        for at, (seat, card) in enumerate(self.turns):
            led = order.suit(self.led(at))
            if order.suit(card) != led and seat != self.seat:
                shown.setdefault((seat, led), at)
        return shown

    @cached_property
    def voids(self) -> tuple[frozenset[Suit], ...]:
        """By seat, the suits that the seat has shown to be out of; empty for the seat itself, which holds its hand."""
        return tuple(frozenset(suit for seat, suit in self.shown_void if seat == each) for each in Seat)

    @property
    def upcard_at(self) -> UpcardAt:
        auction, upcard = self.auction, self.upcard
        if auction is None or upcard is None:
            return UpcardAt.NOWHERE
        if not self.taken:
            return UpcardAt.TURNED_DOWN if auction.over or auction.round(len(self.bids)) == 2 else UpcardAt.TABLE
        if upcard in self.plays:
            return UpcardAt.PLAYED
        if self.discard == upcard:
            return UpcardAt.DISCARD
        is_short = self.seat == self.dealer and len(self.hand) < HAND_SIZE  # of the card that is lost, so not of this
        if not self.discarded or self.discard is not None or is_short or not self.may_hide_upcard:
            return UpcardAt.DEALER
        return UpcardAt.DEALER_OR_DISCARD


def _declined_upcard(auction: Auction | None) -> Card | None:
    """The upcard if the dealer may decline it, which everybody sees; being recorded as discarding it."""
    if auction is None or not auction.takes_upcard or not auction.rules.dealer_may_decline_upcard:
        return None
    ordered_by_another = auction.bidder(len(auction.bids) - 1) != auction.dealer
    return auction.upcard if ordered_by_another else None


# ---- what cannot have been seen -----------------------------------------------------------------


def _faults(knowledge: Knowledge) -> list[Fault]:
    """Everything that is wrong with what the seat sees."""
    hidden = {("hands", str(seat)) for seat in Seat if seat != knowledge.seat}
    faults = [
        fault for fault in knowledge.position.problems() if not (fault.code == "hand.missing" and fault.path in hidden)
    ]
    if any(fault.path[0] != "plays" for fault in faults):
        return faults
    known = {fault.path for fault in faults}
    faults += [fault for fault in _play_faults(knowledge) if fault.path not in known]
    return sorted(faults, key=lambda fault: fault.path[1])


def _play_faults(knowledge: Knowledge) -> Iterator[Fault]:
    """Plays of seats with hidden hands that cannot be: those that a `Play` of one known hand lets pass."""
    order = knowledge.order
    if order is None:
        return
    for at, (seat, card) in enumerate(knowledge.turns):
        place = f"trick {knowledge.trick(at)}, {seat}"
        why = _why_not_held(knowledge, at, seat, card)
        if why:
            yield Fault("play.illegal", f"{card}: {seat} does not hold it, {why} ({place})", ("plays", at))
        led = order.suit(knowledge.led(at))
        later = [
            other
            for who, other in knowledge.turns[at + 1 :]
            if seat == who != knowledge.seat and order.suit(other) == led != order.suit(card)
        ]
        if later:
            message = f"{card}: {led} were led and {later[0]} is held, as later plays show ({place})"
            yield Fault("play.illegal", message, ("plays", at))


def _why_not_held(knowledge: Knowledge, at: int, seat: Seat, card: Card) -> str | None:
    if card in knowledge.plays[:at]:
        return "it was played before"
    if card == knowledge.discard:
        return "it was discarded"
    if card == knowledge.upcard and not knowledge.taken:
        return "it was turned down"
    if card == knowledge.upcard and seat != knowledge.dealer:
        return f"{knowledge.dealer} took it"
    return None
