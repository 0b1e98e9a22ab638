"""Deal codes of legal deals, read and judged on bits: the fast twin of `read_code` and `Position.problems`.

Bulk files hold millions of deals as this package writes them. Each costs some 50 microseconds here and ten times as
much on the way that names what is wrong. Whatever is not plainly legal is left to that way, so there is one judge of
what is a fault; tests hold the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from solver.errors import InvalidInput
from solver.game.auction import Auction, Bid, discards
from solver.game.cards import DECKS, Card, CardSet, Suit
from solver.game.deal import Deal, hands_of
from solver.game.order import card_order
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.seats import Seat
from solver.notation.deal_code import read_code

_CARDS = {str(card): card for card in DECKS[33]}
_TRUMP = 100  # above the strength of any plain card


def read_legal(code: str) -> Position | None:
    """The position of a deal code, if all hands are known, the code is in written form and nothing in it is a fault.

    None says nothing but that `read_code` is to be asked.
    """
    fields = code.split(".")
    if not 4 <= len(fields) <= 7:
        return None
    rules, dealer, upcard, hands, bids, discard, plays = fields + [""] * (7 - len(fields))
    try:
        bidding = _bidding(rules, dealer, upcard, bids)
        if bidding is None:
            return None
        held = [_hand(hand) for hand in hands.split("-")]
        thrown = _CARDS[discard] if discard else None
        cards = _sequence(plays)
    except KeyError:
        return None
    return bidding.position(held, thrown, cards)


def _sequence(text: str) -> tuple[Card, ...]:
    return tuple([_CARDS[text[at : at + 2]] for at in range(0, len(text), 2)])


@lru_cache(1 << 16)  # more than the hands of 24 cards; a hand text is short
def _hand(text: str) -> CardSet:
    return CardSet.of(_sequence(text))


@lru_cache(1 << 12)  # presets have under 3,000 each of dealer, upcard and legal auction
def _bidding(rules: str, dealer: str, upcard: str, bids: str) -> _Bidding | None:
    """What a deal with this auction shares with all others; None if something is odd or depends on the hands."""
    try:
        start = read_code(f"{rules}.{dealer}.{upcard}..{bids}")
    except InvalidInput:
        return None
    auction, known = start.auction, start.deal.rules
    if auction is None or auction.dealer not in known.seating.seats or known.natural_trump_to_order:
        return None
    if auction.upcard not in known.cards:
        return None
    so_far = Auction(known, auction.dealer, auction.upcard)
    for bid in auction.bids:
        if so_far.check(bid) is not None:
            return None
        so_far = so_far.after(bid)
    return _Bidding(auction)


@dataclass(frozen=True, slots=True)
class _Table:
    """Masks and strengths of an order of the cards, by index of the card."""

    followers: tuple[int, ...]
    strength: tuple[int, ...]
    trumps: int


@cache
def _table(rules: Rules, trump: Suit | None) -> _Table:
    order = card_order(rules, trump)
    followers, strength = [0] * 33, [0] * 33
    for card in rules.cards:
        suit = order.suit(card)
        followers[card.index] = order.members(suit).bits
        strength[card.index] = order.strength(card) + _TRUMP * (suit == trump)
    return _Table(tuple(followers), tuple(strength), order.members(trump).bits if trump is not None else 0)


class _Bidding:
    """The part of a deal that its auction decides."""

    def __init__(self, auction: Auction) -> None:
        self.auction, self.rules, self.seats = auction, auction.rules, auction.rules.seating.seats
        self.bids: tuple[Bid, ...] = auction.bids
        self.upcard = auction.upcard
        self.takes = auction.takes_upcard
        self.may_return = self.upcard in discards(auction, CardSet()) if self.takes else False
        self.contract = contract = auction.contract
        if contract is not None:
            self.table = _table(self.rules, contract.trump)
            active = [seat for seat in self.seats if seat != contract.sitting_out]
            self.in_trick = len(active)
            self.next = {seat: active[(at + 1) % len(active)] for at, seat in enumerate(active)}

    def position(self, held: list[CardSet], discard: Card | None, plays: tuple[Card, ...]) -> Position | None:
        """The position with these hands in seat order, if it is legal."""
        if len(held) != len(self.seats):
            return None
        dealt = self.upcard.bit
        for hand in held:
            if len(hand) != 5 or hand.bits & dealt:
                return None
            dealt |= hand.bits
        if dealt & ~self.rules.cards.bits:
            return None
        hands = dict(zip(self.seats, held, strict=True))
        if not self._may_discard(hands, discard, plays):
            return None
        if plays and not self._may_play(hands, discard, plays):
            return None
        deal = Deal(self.rules, self.auction.dealer, self.upcard, hands_of(hands))
        return Position(deal, self.bids, None, discard, plays)

    def _may_discard(self, hands: dict[Seat, CardSet], discard: Card | None, plays: tuple[Card, ...]) -> bool:
        if discard is None:
            return not (self.takes and plays)
        if not self.takes:
            return False
        return discard in hands[self.auction.dealer] or (discard == self.upcard and self.may_return)

    def _may_play(self, hands: dict[Seat, CardSet], discard: Card | None, plays: tuple[Card, ...]) -> bool:
        if self.contract is None:
            return False
        left = {seat: hand.bits for seat, hand in hands.items()}
        if self.takes and discard is not None:
            dealer = self.auction.dealer
            left[dealer] = (left[dealer] | self.upcard.bit) & ~discard.bit
        table, after = self.table, self.next
        followers, strength, trumps = table.followers, table.strength, table.trumps
        seat = winner = self.contract.leader
        on_table = led = best = 0
        for card in plays:
            index = card.index
            bit, hand = 1 << index, left[seat]
            if not hand & bit:
                return False
            if not on_table:
                led, best, winner = followers[index], strength[index], seat
            elif hand & led and not bit & led:
                return False
            elif bit & (led | trumps) and strength[index] > best:
                best, winner = strength[index], seat
            left[seat] = hand ^ bit
            on_table += 1
            if on_table == self.in_trick:
                seat, on_table = winner, 0
            else:
                seat = after[seat]
        return True
