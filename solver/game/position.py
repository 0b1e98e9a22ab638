"""One deal and all that has happened to it so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import takewhile
from typing import cast

from solver.errors import Fault
from solver.game.auction import Auction, Bid, Contract, discards, first_leader
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.deal import Deal, Hands, card_faults, foreign, hands_of
from solver.game.order import card_order
from solver.game.play import Play
from solver.game.rules import Rules
from solver.game.seats import Seat


class Decision(StrEnum):
    """What is to be decided next."""

    BID = "bid"
    DISCARD = "discard"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True)
class Position:
    """A deal, the bids, the dealer's discard and the cards played.

    The contract follows from the bids; where the deal has no upcard, and so no auction, it is ``given``. A position may
    hold faults, as records of real games do: `problems` names them, and only a position without any is asked for more.

    The dealer's hand may be one card short when cards were played after taking the upcard and the discard is not known.
    """

    deal: Deal
    bids: tuple[Bid, ...] = ()
    given: Contract | None = None
    discard: Card | None = None
    plays: tuple[Card, ...] = ()

    @property
    def rules(self) -> Rules:
        return self.deal.rules

    @cached_property
    def auction(self) -> Auction | None:
        if self.deal.upcard is None or self.deal.dealer is None:
            return None
        return Auction(self.rules, self.deal.dealer, self.deal.upcard, self.bids)

    @cached_property
    def contract(self) -> Contract | None:
        return self.auction.contract if self.auction is not None else self.given

    @cached_property
    def decision(self) -> Decision:
        if self.auction is not None and not self.auction.over:
            return Decision.BID
        if self.contract is None:
            return Decision.OVER
        if self.awaits_discard:
            return Decision.DISCARD
        return Decision.OVER if self._played.over else Decision.PLAY

    @property
    def awaits_discard(self) -> bool:
        """Whether the dealer has taken the upcard and is to discard."""
        return self._no_discard and not self.plays

    @property
    def discard_unknown(self) -> bool:
        """Whether cards were played after a discard that is not recorded."""
        return self._no_discard and bool(self.plays)

    @property
    def _no_discard(self) -> bool:
        return self.auction is not None and self.auction.takes_upcard and self.discard is None

    @property
    def to_act(self) -> Seat | None:
        """The seat that decides next; None when the deal is over."""
        match self.decision:
            case Decision.BID:
                return self.auction.to_act if self.auction is not None else None
            case Decision.DISCARD:
                return self.deal.dealer
            case Decision.PLAY:
                return self._played.to_act
        return None

    @cached_property
    def hands_in_play(self) -> Hands:
        """The hands as held when play begins: the dealer's with the upcard and without the discard."""
        if self.auction is None or not self.auction.takes_upcard:
            return self.deal.hands
        dealer, upcard = self.auction.dealer, self.auction.upcard
        hands = list(self.deal.hands)
        dealt = hands[dealer]
        if dealt is not None:
            taken = dealt.with_card(upcard)
            hands[dealer] = taken.without(self.discard) if self.discard is not None else taken
        return hands[0], hands[1], hands[2], hands[3]

    def play(self) -> Play:
        """The play so far, as a fresh `Play` of the caller's own. Needs a contract."""
        return self._played.copy()

    @cached_property
    def _played(self) -> Play:
        """The play so far, pushed once: a decision asks for it a dozen times."""
        return self.start().advance(self.plays)

    def start(self) -> Play:
        """The play before the first lead. Needs a contract."""
        contract = self.contract
        if contract is None:
            raise LookupError("there is no contract to play")
        order = card_order(self.rules, contract.trump)
        return Play(order, self.rules.seating, self.hands_in_play, contract.leader, contract.sitting_out)

    def after(self, *, bid: Bid | None = None, discard: Card | None = None, card: Card | None = None) -> Position:
        """The position after one more action."""
        bids = self.bids if bid is None else (*self.bids, bid)
        plays = self.plays if card is None else (*self.plays, card)
        return replace(self, bids=bids, discard=discard or self.discard, plays=plays)

    def without_hands(self, seats: Iterable[str]) -> Position:
        """The same with the hands of these seats, named by letter, not known."""
        gone = frozenset(seats)
        kept = {seat: hand for seat in Seat if (hand := self.deal.hands[seat]) is not None and seat.name not in gone}
        return replace(self, deal=replace(self.deal, hands=hands_of(kept)))

    def problems(self) -> list[Fault]:
        """Everything that keeps this from being a legal position with all cards known, each at its place."""
        deal = self.deal
        hands = {seat: tuple(hand) for seat in Seat if (hand := deal.hands[seat]) is not None}
        return position_faults(
            deal.rules, deal.dealer, deal.upcard, hands, self.bids, self.given, self.discard, self.plays
        )


def position_faults(
    rules: Rules,
    dealer: Seat | None,
    upcard: Card | None,
    hands: Mapping[Seat, Sequence[Card | None]],
    bids: Sequence[Bid | None],
    given: Contract | None,
    discard: Card | None,
    plays: Sequence[Card | None],
) -> list[Fault]:
    """Every fault of a position, with places as in the lists handed in.

    A None in a list stands for something that could not be read: what depends on it is not judged.
    """
    if dealer is not None and dealer not in rules.seating.seats:
        return [Fault("seat.foreign", f"nobody sits at {dealer} when {rules.seats} play", ("dealer",))]
    readable_bids = tuple(takewhile(lambda bid: bid is not None, bids))
    position = Position(
        Deal(rules, dealer, upcard, hands_of({seat: _readable(cards) for seat, cards in hands.items()})),
        cast("tuple[Bid, ...]", readable_bids),
        given,
        discard,
        tuple(card for card in plays if card is not None),
    )
    faults = [*_dealer_faults(position), *_auction_faults(position), *_contract_faults(position)]
    settled = not faults and len(readable_bids) == len(bids)
    of_hands = _hand_faults(position, hands, settled)
    if settled:
        # A hand with a fault counts as not known from here on, so that one slip is not reported twice.
        position = position.without_hands(str(fault.path[1]) for fault in of_hands if len(fault.path) > 1)
        of_discard = _discard_faults(position)
        position = position.without_hands([str(dealer)] if of_discard else [])
        return [*of_hands, *of_discard, *_play_faults(position, plays)]
    return [*faults, *of_hands]


def _readable(cards: Sequence[Card | None]) -> CardSet:
    return CardSet.of(card for card in cards if card is not None)


def _dealer_faults(position: Position) -> list[Fault]:
    if position.deal.upcard is None or position.deal.dealer is not None:
        return []
    return [Fault("field.missing", "the dealer is needed when there is an upcard", ("dealer",))]


def _auction_faults(position: Position) -> list[Fault]:
    deal = position.deal
    if deal.upcard is None or deal.dealer is None:
        conflict = Fault("field.conflict", "there is no auction without an upcard", ("auction",))
        return [conflict] if position.bids and deal.upcard is None else []
    faults: list[Fault] = []
    auction = Auction(deal.rules, deal.dealer, deal.upcard)
    for at, bid in enumerate(position.bids):
        hand = deal.hands[auction.to_act] if auction.to_act is not None else None
        # In a hand that is short the very card that allowed the bid may be missing.
        fault = auction.check(bid, hand if hand is not None and len(hand) >= HAND_SIZE else None)
        if fault is not None:
            faults.append(fault.under("auction", at))
            if auction.over:
                break
        auction = auction.after(bid)
    return faults


def _contract_faults(position: Position) -> list[Fault]:
    rules, dealer, contract = position.rules, position.deal.dealer, position.given
    if contract is None:
        needed = position.deal.upcard is None and not position.bids
        return [Fault("field.missing", "without an upcard the contract is needed", ("contract",))] if needed else []
    faults = [
        Fault("seat.foreign", f"nobody sits at {seat} when {rules.seats} play", ("contract", name))
        for name, seat in (("maker", contract.maker), ("leader", contract.leader))
        if seat not in rules.seating.seats
    ]
    if faults:
        return faults
    if contract.alone and rules.going_alone == "never":
        faults.append(Fault("contract.illegal", "nobody may go alone under these rules", ("contract", "alone")))
    elif contract.sitting_out == contract.leader:
        message = f"{contract.leader} sits out and cannot lead: the partner {contract.maker} is alone"
        faults.append(Fault("contract.illegal", message, ("contract", "leader")))
    elif dealer is not None:
        faults += leader_faults(rules, dealer, contract)
    of_dealers_partner = dealer is not None and contract.maker == rules.seating.partner(dealer)
    if of_dealers_partner and rules.dealers_partner == "alone_always" and not contract.alone:
        message = f"{contract.maker} may only go alone: the dealer's partner must under these rules"
        faults.append(Fault("contract.illegal", message, ("contract", "alone")))
    return faults


def leader_faults(rules: Rules, dealer: Seat, contract: Contract) -> list[Fault]:
    """That somebody else leads to the first trick than the contract says, where the dealer is known."""
    leader = first_leader(rules, dealer, contract.maker, contract.alone)
    if contract.leader == leader:
        return []
    message = f"{leader} leads to the first trick under these rules, not {contract.leader}"
    return [Fault("contract.illegal", message, ("contract", "leader"))]


def _hand_faults(position: Position, hands: Mapping[Seat, Sequence[Card | None]], settled: bool) -> list[Fault]:
    """Faults of the cards; ``settled``: the contract is known and sound."""
    rules, dealer = position.rules, position.deal.dealer
    faults = card_faults(rules, hands, position.deal.upcard)
    contract = position.contract if settled else None
    # Who sits out needs no hand, except the dealer who has yet to discard from it.
    not_needed = contract.sitting_out if contract is not None and not position.awaits_discard else None
    if position.discard_unknown and dealer is not None and len(hands.get(dealer, ())) == HAND_SIZE - 1:
        faults = [fault for fault in faults if (fault.code, fault.path) != ("hand.size", ("hands", str(dealer)))]
    return faults + [
        Fault("hand.missing", f"the hand of {seat} is missing", ("hands", str(seat)))
        for seat in rules.seating.seats
        if seat not in hands and seat != not_needed
    ]


def _discard_faults(position: Position) -> list[Fault]:
    auction, discard = position.auction, position.discard
    path = ("discard",)
    if auction is None or not auction.takes_upcard:
        if discard is None:
            return []
        why = "there is no upcard" if auction is None else "the dealer did not take the upcard"
        return [Fault("discard.illegal", f"{discard}: nothing is discarded, {why}", path)]
    hand = position.deal.hand(auction.dealer)
    contract = auction.contract
    dealer_plays = contract is not None and contract.sitting_out != auction.dealer
    if discard is None:
        if position.plays and dealer_plays and hand is not None and len(hand) == HAND_SIZE:
            message = f"{auction.dealer} took the upcard and cards were played: what was discarded?"
            return [Fault("discard.missing", message, path)]
        return []
    if discard not in position.rules.cards:
        return [foreign(position.rules, discard, "discard")]
    elsewhere = next((seat for seat in Seat if discard in (position.deal.hands[seat] or ())), None)
    if hand is None and elsewhere is not None:
        return [Fault("discard.illegal", f"{discard}: {auction.dealer} does not hold it, {elsewhere} holds it", path)]
    # Of a hand that is not known any other card of the deck can be discarded.
    if discard in discards(auction, hand if hand is not None else position.rules.cards.without(auction.upcard)):
        return []
    if discard == auction.upcard:
        return [Fault("discard.illegal", f"{discard}: the upcard may not be discarded under these rules", path)]
    return [Fault("discard.illegal", f"{discard}: {auction.dealer} does not hold it", path)]


def _play_faults(position: Position, plays: Sequence[Card | None]) -> list[Fault]:
    if not plays:
        return []
    if position.contract is None:
        return [Fault("play.illegal", f"{plays[0]}: nothing is played before a contract", ("plays", 0))]
    faults: list[Fault] = []
    play = position.start()
    for at, card in enumerate(plays):
        if card is None:
            break
        if card not in position.rules.cards:
            faults.append(foreign(position.rules, card, "plays", at))
            break
        fault = play.check(card)
        if fault is not None:
            faults.append(fault.under("plays", at))
            if play.over:
                break
        play.push(card)
    return faults
