"""What was wrong with a bid: facts of the bidder's hand and the upcard, in a player's words.

Each function looks for one fact about the bid made and the best one, and says nothing where it does not hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from solver.analysis.review.words import counted, listed_of_one_suit
from solver.game.auction import PASS, Auction, Bid, Call
from solver.game.cards import Card, CardSet, Rank, Suit
from solver.game.order import CardOrder, card_order
from solver.game.seats import Seat
from solver.knowledge.seen import Knowledge


@dataclass(frozen=True)
class BidChoice:
    """The bid ``taken`` and the ``best`` one, with what the seat saw. They are not the same bid."""

    knowledge: Knowledge
    taken: Bid
    best: Bid

    @cached_property
    def auction(self) -> Auction:
        auction = self.knowledge.auction
        assert auction is not None  # there is a bid to make
        return auction

    @property
    def seat(self) -> Seat:
        return self.knowledge.seat

    @property
    def deals(self) -> bool:
        return self.seat == self.auction.dealer

    @property
    def partner_deals(self) -> bool:
        return self.auction.dealer == self.knowledge.rules.seating.partner(self.seat)

    def suit(self, bid: Bid) -> Suit | None:
        """What the bid makes trump."""
        return self.auction.up_suit if bid.call == Call.ORDER else bid.suit

    def order(self, bid: Bid) -> CardOrder:
        return card_order(self.knowledge.rules, self.suit(bid))

    def holds(self, bid: Bid) -> CardSet:
        """The cards that the seat would have to play from, with the upcard where it takes that: six then."""
        takes = self.deals and self.auction.after(bid).takes_upcard
        return self.knowledge.hand.with_card(self.auction.upcard) if takes else self.knowledge.hand

    def trumps(self, bid: Bid) -> tuple[Card, ...]:
        """Those held, the highest first."""
        order, suit = self.order(bid), self.suit(bid)
        held = self.holds(bid) & order.members(suit) if suit is not None else CardSet()
        return tuple(sorted(held, key=order.strength, reverse=True))

    def has_sure_trick(self, bid: Bid) -> bool:
        """Whether the trumps take a trick wherever the others lie: one for each higher trump that is not held, and one
        more."""
        held, order = self.trumps(bid), self.order(bid)
        suit = self.suit(bid)
        if not held or suit is None:
            return False
        above = len(order.members(suit)) - 1 - order.strength(held[0])
        return len(held) > above

    def named(self, bid: Bid) -> str:
        """The suit, as a player says it."""
        return str(self.suit(bid))

    def listed_trumps(self, bid: Bid) -> str:
        return listed_of_one_suit(self.trumps(bid), self.order(bid))


Reason = Callable[[BidChoice], str | None]


def ordered_an_opponent_with_no_sure_trick(choice: BidChoice) -> str | None:
    orders = choice.taken.call == Call.ORDER and choice.best == PASS
    if not orders or choice.deals or choice.partner_deals or choice.has_sure_trick(choice.taken):
        return None
    held = counted(len(choice.trumps(choice.taken)), "trump")
    return f"ordered up {choice.auction.dealer}, an opponent, with {held} and no sure trick"


def gave_an_opponent_a_bower(choice: BidChoice) -> str | None:
    orders = choice.taken.call == Call.ORDER and choice.best == PASS
    is_bower = choice.auction.upcard.rank == Rank.JACK
    if orders and is_bower and not choice.deals and not choice.partner_deals:
        return f"gave {choice.auction.dealer}, an opponent, the right bower"
    return None


def bid_with_few_trumps(choice: BidChoice) -> str | None:
    """On two trumps or fewer, where a pass was best."""
    is_bid = choice.taken != PASS and choice.best == PASS and choice.suit(choice.taken) is not None
    if not is_bid or len(choice.trumps(choice.taken)) > 2:
        return None
    held = counted(len(choice.trumps(choice.taken)), "trump")
    if choice.taken.call == Call.NAME:
        what = f"named {choice.named(choice.taken)}"
    else:
        what = f"{'picked up' if choice.deals else 'ordered'} the upcard"
    return f"{what} with only {held}" if choice.trumps(choice.taken) else f"{what} with {held}"


def bid_without_a_bower(choice: BidChoice) -> str | None:
    """On a hand without one, where the partner does not get one either."""
    for_partner = choice.partner_deals and choice.taken.call == Call.ORDER and not choice.taken.alone
    if for_partner and choice.auction.upcard.rank == Rank.JACK:
        return None
    if choice.taken == PASS or choice.best != PASS or not choice.trumps(choice.taken):
        return None
    if any(card.rank == Rank.JACK or card.is_benny for card in choice.trumps(choice.taken)):
        return None
    return f"made {choice.named(choice.taken)} trump without a bower"


def went_alone_without_the_right_bower(choice: BidChoice) -> str | None:
    suit = choice.suit(choice.taken)
    if not choice.taken.alone or choice.best.alone or suit is None:
        return None
    right = Card.of(Rank.JACK, suit)
    return None if right in choice.trumps(choice.taken) else "went alone without the right bower"


def passed_with_trumps(choice: BidChoice) -> str | None:
    """A pass, where a bid was best and the hand has three of its trumps or more, or both bowers."""
    if choice.taken != PASS or choice.best == PASS:
        return None
    held = choice.trumps(choice.best)
    bowers = sum(card.rank == Rank.JACK for card in held)
    if len(held) < 3 and bowers < 2:
        return None
    with_upcard = ", the upcard included" if choice.holds(choice.best) != choice.knowledge.hand else ""
    return f"passed with {choice.listed_trumps(choice.best)} for {choice.named(choice.best)}{with_upcard}"


def did_not_help_the_partner(choice: BidChoice) -> str | None:
    if choice.taken != PASS or choice.best.call != Call.ORDER or not choice.partner_deals:
        return None
    held = choice.trumps(choice.best)
    if not held:
        return None
    return f"did not order the upcard to partner, holding {choice.listed_trumps(choice.best)}"


def turned_down_a_bower(choice: BidChoice) -> str | None:
    turned = choice.deals and choice.taken == PASS and choice.best.call == Call.ORDER
    return "turned down the right bower" if turned and choice.auction.upcard.rank == Rank.JACK else None


def passed_next(choice: BidChoice) -> str | None:
    """A pass left of the dealer, where the suit of the colour was best that the dealer's side turned down."""
    suit = _passed_suit(choice)
    is_eldest = choice.auction.bidder(0) == choice.seat
    if suit is None or not is_eldest or suit.same_colour != choice.auction.up_suit:
        return None
    return f"did not name next, {suit}, after the dealer's side had turned down {choice.auction.up_suit}"


def passed_across(choice: BidChoice) -> str | None:
    """A pass of the dealer's partner, where a suit of the other colour was best than the one turned down."""
    suit = _passed_suit(choice)
    turned_down = choice.auction.up_suit
    if suit is None or turned_down is None or not choice.partner_deals or suit.same_colour == turned_down:
        return None
    return f"did not cross the colour to {suit}, as the dealer's partner"


def _passed_suit(choice: BidChoice) -> Suit | None:
    """The suit that was best to name, where it was passed."""
    return choice.best.suit if choice.taken == PASS and choice.best.call == Call.NAME else None


def kept_the_partner_in(choice: BidChoice) -> str | None:
    """With the partner, where alone was best in the same suit, the two highest trumps in hand."""
    same = choice.suit(choice.taken) == choice.suit(choice.best)
    if choice.taken == PASS or choice.taken.alone or not choice.best.alone or not same:
        return None
    order, held = choice.order(choice.best), choice.trumps(choice.best)
    suit = choice.suit(choice.best)
    top = order.suits[suit][-2:] if suit is not None else ()
    if not set(top) <= set(held):
        return None
    return f"did not go alone with {choice.listed_trumps(choice.best)}"


def named_the_shorter_suit(choice: BidChoice) -> str | None:
    if PASS in (choice.taken, choice.best) or choice.suit(choice.taken) == choice.suit(choice.best):
        return None
    fewer, more = len(choice.trumps(choice.taken)), len(choice.trumps(choice.best))
    if fewer >= more or choice.suit(choice.taken) is None:
        return None
    taken = f"{choice.named(choice.taken)} with {counted(fewer, 'trump')}"
    return f"named {taken} rather than {choice.named(choice.best)} with {counted(more, 'trump')}"


#: In the order in which they are looked for: what says most first.
BID_REASONS: tuple[Reason, ...] = (
    ordered_an_opponent_with_no_sure_trick,
    gave_an_opponent_a_bower,
    bid_with_few_trumps,
    bid_without_a_bower,
    went_alone_without_the_right_bower,
    passed_with_trumps,
    did_not_help_the_partner,
    turned_down_a_bower,
    passed_next,
    passed_across,
    kept_the_partner_in,
    named_the_shorter_suit,
)


def bid_reason(knowledge: Knowledge, taken: Bid, best: Bid) -> str | None:
    """What was wrong with the bid, in words; None where none of the facts looked for holds."""
    if taken == best:
        return None
    choice = BidChoice(knowledge, taken, best)
    return next((text for reason in BID_REASONS if (text := reason(choice)) is not None), None)
