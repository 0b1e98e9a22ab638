"""The auction: who bids, what may be bid, what it comes to, and what the dealer may throw away."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from solver.errors import Fault
from solver.game.cards import Card, CardSet, Suit
from solver.game.rules import Rules
from solver.game.seats import Seat, partner_of


class Call(Enum):
    PASS = "pass"
    ORDER = "order"  # accept the upcard's suit; the dealer takes the upcard
    NAME = "name"  # name another suit, the upcard being turned down; or trump for a Benny turned up


@dataclass(frozen=True, slots=True)
class Bid:
    """One call. ``suit`` is what a `Call.NAME` names; ``alone``: the bidder's partner will sit out.

    Raises `ValueError` for what is no bid: a pass alone, a suit with another call, a naming without one.
    """

    call: Call
    suit: Suit | None = None
    alone: bool = False

    def __post_init__(self) -> None:
        if self.call == Call.PASS and self.alone:
            raise ValueError("nobody passes alone")
        if (self.call == Call.NAME) != (self.suit is not None):
            raise ValueError(f"{self.call.value} {'needs a' if self.call == Call.NAME else 'takes no'} suit")

    def __str__(self) -> str:
        word = self.suit.letter if self.suit is not None else self.call.value
        return f"{word} alone" if self.alone else word


PASS = Bid(Call.PASS)
ORDER = Bid(Call.ORDER)


@dataclass(frozen=True, slots=True)
class Contract:
    """What is played: trump, who named it, whether without the partner, and who leads to the first trick."""

    trump: Suit
    maker: Seat
    alone: bool
    leader: Seat

    @property
    def sitting_out(self) -> Seat | None:
        """The lone maker's partner."""
        return partner_of(self.maker) if self.alone else None


def first_leader(rules: Rules, dealer: Seat, maker: Seat, alone: bool) -> Seat:
    """Who leads to the first trick (option ``lone_lead``; without a loner always the dealer's left)."""
    seating = rules.seating
    eldest = seating.left_of(dealer)
    if not alone:
        return eldest
    if rules.lone_lead == "maker":
        return maker
    of_dealers_side = seating.side(maker) == seating.side(dealer)
    if rules.lone_lead == "maker_left" or (rules.lone_lead == "maker_left_unless_dealers_side" and not of_dealers_side):
        return seating.left_of(maker)
    return seating.left_of(eldest) if eldest == partner_of(maker) else eldest


@dataclass(frozen=True, slots=True)
class Auction:
    """The bids so far, from the dealer's left. A value: `after` gives the next one.

    The first bid that is not a pass ends it; so do as many passes as there are turns. With a Benny turned up under
    ``benny_upcard = dealer_names`` the dealer alone bids, once.
    """

    rules: Rules
    dealer: Seat
    upcard: Card
    bids: tuple[Bid, ...] = ()

    @property
    def dealer_names(self) -> bool:
        """Whether the dealer names trump for the Benny turned up: the only bid of this auction."""
        return self.upcard.is_benny and self.rules.benny_upcard == "dealer_names"

    @property
    def up_suit(self) -> Suit | None:
        """The suit that ordering makes trump: the upcard's; for a Benny the suit fixed before the deal, if any."""
        if self.upcard.is_benny:
            fixed = self.rules.benny_upcard
            return None if fixed == "dealer_names" else Suit("CDHS".index(fixed))
        return self.upcard.suit

    @property
    def turns(self) -> int:
        """The largest number of bids this auction can have."""
        return 1 if self.dealer_names else 2 * self.rules.seats

    def bidder(self, at: int) -> Seat:
        """The seat that makes bid number ``at``, from 0."""
        if self.dealer_names:
            return self.dealer
        first = self.rules.seating.left_of(self.dealer)
        return self.rules.seating.from_seat(first)[at % self.rules.seats]

    def round(self, at: int) -> int:
        """1 or 2: the round that bid number ``at`` belongs to."""
        return 1 if at < self.rules.seats else 2

    @property
    def winning_bid(self) -> Bid | None:
        return self.bids[-1] if self.bids and self.bids[-1].call != Call.PASS else None

    @property
    def over(self) -> bool:
        return self.winning_bid is not None or len(self.bids) >= self.turns

    @property
    def thrown_in(self) -> bool:
        return self.over and self.winning_bid is None

    @property
    def to_act(self) -> Seat | None:
        return None if self.over else self.bidder(len(self.bids))

    @property
    def takes_upcard(self) -> bool:
        """Whether the auction put the upcard into the dealer's hand."""
        bid = self.winning_bid
        return bid is not None and (bid.call == Call.ORDER or self.dealer_names)

    @property
    def contract(self) -> Contract | None:
        """What the winning bid comes to; None without one, or for an order (a fault) of a Benny that has no suit."""
        bid = self.winning_bid
        if bid is None:
            return None
        trump = self.up_suit if bid.call == Call.ORDER else bid.suit
        if trump is None:
            return None
        maker = self.bidder(len(self.bids) - 1)
        return Contract(trump, maker, bid.alone, first_leader(self.rules, self.dealer, maker, bid.alone))

    def after(self, bid: Bid) -> Auction:
        return Auction(self.rules, self.dealer, self.upcard, (*self.bids, bid))

    def legal_bids(self, hand: CardSet | None = None) -> tuple[Bid, ...]:
        """What the seat to act may bid: pass first, then each suit (C D H S), with the partner before alone.

        ``hand`` are the seat's cards, read only where the rules make bids depend on them
        (``natural_trump_to_order``); without it such bids count as legal.
        """
        if self.over:
            return ()
        at = len(self.bids)
        bids = [] if self.must_name(at) else [PASS]
        for bid in self._namings(at):
            bids += [each for each in (bid, Bid(bid.call, bid.suit, alone=True)) if not self._why_not(each, at, hand)]
        return tuple(bids)

    def check(self, bid: Bid, hand: CardSet | None = None) -> Fault | None:
        """Why the seat to act may not bid this, or None. The path is left to the caller."""
        if self.over:
            ended = "the deal was thrown in" if self.thrown_in else f"{self.bids[-1]} ended the auction"
            return Fault("bid.illegal", f"{bid}: {ended}")
        why = self._why_not(bid, len(self.bids), hand)
        return Fault("bid.illegal", why) if why else None

    def turn_faults(self, seat: Seat, bid: Bid | None = None, hand: CardSet | None = None) -> list[Fault]:
        """Why ``seat`` may not make the next bid, or not ``bid``: places are ``auction``, ``seat`` and ``bid``."""
        if self.to_act is None:
            ended = "the deal was thrown in" if self.thrown_in else f"{self.bids[-1]} ended it"
            return [Fault("field.conflict", f"nobody is to bid: {ended}", ("auction",))]
        faults = []
        if seat != self.to_act:
            faults.append(Fault("field.conflict", f"{self.to_act} is to bid, not {seat}", ("seat",)))
            hand = None
        fault = self.check(bid, hand) if bid is not None else None
        return faults if fault is None else [*faults, fault.under("bid")]

    def must_name(self, at: int) -> bool:
        """Whether bid number ``at`` may not be a pass: the Benny's dealer, and a stuck dealer in round 2."""
        stuck = self.rules.stick_the_dealer and self.round(at) == 2 and self.bidder(at) == self.dealer
        return self.dealer_names or stuck

    def _namings(self, at: int) -> list[Bid]:
        """Every bid with the partner that makes trump in some auction at this place, legal here or not."""
        if self.dealer_names or self.round(at) == 2:
            return [Bid(Call.NAME, suit) for suit in Suit]
        return [ORDER]

    def _why_not(self, bid: Bid, at: int, hand: CardSet | None) -> str | None:
        """Why ``bid`` may not be bid number ``at``, in words; None if it may."""
        seat, rules = self.bidder(at), self.rules
        if bid.call == Call.PASS:
            if not self.must_name(at):
                return None
            reason = "the Benny was turned up" if self.dealer_names else "the dealer is stuck in round 2"
            return f"{seat} may not pass: {reason}"
        if bid.call == Call.ORDER:
            if self.dealer_names:
                return f"{seat} names trump for the Benny turned up; there is no suit to order"
            if self.round(at) == 2:
                return f"{seat} may not order: the upcard {self.upcard} was turned down in round 1"
        else:
            if not self.dealer_names and self.round(at) == 1:
                return (
                    f"{seat} may not name {bid.suit} in round 1: only the upcard's suit, {self.up_suit}, can be ordered"
                )
            stuck_may = rules.stuck_dealer_may_name_turned_down and self.must_name(at)
            if bid.suit == self.up_suit and not stuck_may:
                return f"{seat} may not name {bid.suit}: that suit was turned down"
        return self._why_not_as_maker(bid, seat, hand)

    def _why_not_as_maker(self, bid: Bid, seat: Seat, hand: CardSet | None) -> str | None:
        """The restrictions on who may order, and on going alone."""
        rules = self.rules
        if bid.alone and rules.going_alone == "never":
            return f"{seat} may not go alone under these rules"
        if seat == rules.seating.partner(self.dealer):
            ordering = bid.call == Call.ORDER
            if ordering and rules.dealers_partner == "may_not_order":
                return f"{seat} may not order: the dealer's partner never may under these rules"
            must_be_alone = rules.dealers_partner == "alone_always" or (
                ordering and rules.dealers_partner == "alone_if_ordering"
            )
            if must_be_alone and not bid.alone:
                return f"{seat} may only go alone: the dealer's partner must under these rules"
        needs_natural = bid.call == Call.ORDER and rules.natural_trump_to_order and hand is not None
        if needs_natural and not any(card.suit == self.up_suit for card in hand or ()):
            return f"{seat} may not order without a card printed in {self.up_suit}"
        return None


def discards(auction: Auction, hand: CardSet) -> tuple[Card, ...]:
    """What the dealer may throw away, having been dealt ``hand`` and taken the upcard.

    Throwing away the upcard itself is legal under ``dealer_may_discard_upcard``, and, being then called declining it,
    under ``dealer_may_decline_upcard`` when another seat ordered.
    """
    rules, contract = auction.rules, auction.contract
    ordered_by_another = contract is not None and contract.maker != auction.dealer
    may_return_it = rules.dealer_may_discard_upcard or (rules.dealer_may_decline_upcard and ordered_by_another)
    return tuple(card for card in hand.with_card(auction.upcard) if may_return_it or card != auction.upcard)
