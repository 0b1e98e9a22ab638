"""From what a log tells of a deal to the deal: most formats store the play, and the hands follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from solver.errors import Fault
from solver.game.auction import Auction, Bid, Contract, discards
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.deal import Deal, hands_of
from solver.game.order import card_order
from solver.game.play import Play
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.seats import Seat


@dataclass(frozen=True)
class Told:
    """What a log tells of one deal.

    The reader has seen to it that every card is of the deck and is played once, and that there are no more plays than
    the hands have cards. ``hands`` are as dealt, five cards each, of the seats for which the log lists them.
    """

    rules: Rules
    dealer: Seat
    upcard: Card
    bids: tuple[Bid, ...]
    plays: tuple[Card, ...] = ()
    discard: Card | None = None
    hands: Mapping[Seat, CardSet] = field(default_factory=dict)
    kitty: CardSet = field(default_factory=CardSet)


def rebuild(told: Told) -> tuple[Position, list[Fault]]:
    """The deal that was played, hands as dealt, and everything in which it breaks the rules or contradicts itself.

    - Where all tricks were played, hands are the cards played. The dealer who took the upcard was dealt these without
      it and with the discard: four cards are known while the discard is not. If the dealer did not play the upcard, it
      was discarded.
    - Where some tricks are missing (claims, logs cut short), a hand is known only if the log lists it.
    - The last hand, or the discard, follows if every other card is known.
    - Plays count for more than lists: a hand, a kitty or a discard which they contradict is a fault and is left out.

    Paths begin at ``auction``, ``discard``, ``hands``, ``kitty`` and ``plays``, with places as in ``told``.
    """
    auction, faults = _auction(told)
    contract = auction.contract
    if contract is None:
        if told.plays:
            message = f"{told.plays[0]}: nothing is played before a contract"
            faults.append(Fault("play.illegal", message, ("plays", 0)))
        if told.discard is not None:
            faults.append(_no_discard(told.discard))
        deal = Deal(told.rules, told.dealer, told.upcard, hands_of(told.hands))
        return Position(deal, auction.bids), faults
    return _Rebuilding(told, auction, contract, faults).result()


def _auction(told: Told) -> tuple[Auction, list[Fault]]:
    """The bids up to the one that ends the auction; later ones are only faults."""
    auction = Auction(told.rules, told.dealer, told.upcard)
    faults: list[Fault] = []
    for at, bid in enumerate(told.bids):
        bidder = auction.to_act
        fault = auction.check(bid, told.hands.get(bidder) if bidder is not None else None)
        if fault is not None:
            faults.append(fault.under("auction", at))
        if auction.over:
            break
        auction = auction.after(bid)
    return auction, faults


def _no_discard(discard: Card) -> Fault:
    message = f"{discard}: nothing is discarded, the dealer did not take the upcard"
    return Fault("discard.illegal", message, ("discard",))


class _Rebuilding:
    """One deal with a contract on its way from what was told to a position."""

    def __init__(self, told: Told, auction: Auction, contract: Contract, faults: list[Fault]) -> None:
        self.told, self.auction, self.contract, self.faults = told, auction, contract, faults
        rules = told.rules
        self.order = card_order(rules, contract.trump)
        unknown = (None, None, None, None)
        play = Play(self.order, rules.seating, unknown, contract.leader, contract.sitting_out).advance(told.plays)
        self.active = play.active
        self.complete = len(play.tricks) == HAND_SIZE
        by_trick = [seat for trick in play.tricks for seat in trick.seats]
        self.players = (*by_trick, *play.order_of_trick()[: len(play.table)])
        self.played = {
            seat: CardSet.of(card for player, card in zip(self.players, told.plays, strict=True) if player == seat)
            for seat in self.active
        }
        self.dealer_takes = auction.takes_upcard and told.dealer in self.active
        self.discard = told.discard
        self.dealt: dict[Seat, CardSet] = {}

    def result(self) -> tuple[Position, list[Fault]]:
        self._check_upcard()
        self._settle_discard()
        for seat in self.active:
            self._settle_hand(seat)
        self._settle_sitting_out()
        self._check_kitty()
        if self.complete:
            self._eliminate()
        self._check_discard()
        deal = Deal(self.told.rules, self.told.dealer, self.told.upcard, hands_of(self.dealt))
        position = Position(deal, self.auction.bids, None, self.discard, self.told.plays)
        self._check_plays(position)
        return position, self.faults

    def _contradiction(self, message: str, *path: str | int) -> None:
        self.faults.append(Fault("log.inconsistent", message, path))

    def _check_upcard(self) -> None:
        """Nobody plays the upcard but the dealer who took it."""
        dealer, upcard = self.told.dealer, self.told.upcard
        for at, (seat, card) in enumerate(zip(self.players, self.told.plays, strict=True)):
            if card == upcard and not (self.dealer_takes and seat == dealer):
                why = f"{dealer} took it" if self.auction.takes_upcard else "it was turned down"
                self._contradiction(f"{card}: {seat} played the upcard, but {why}", "plays", at)

    def _settle_discard(self) -> None:
        """What was discarded, as far as it is told or the dealer's plays say so."""
        told, upcard = self.told, self.told.upcard
        if not self.auction.takes_upcard:
            if told.discard is not None:
                self.faults.append(_no_discard(told.discard))
            self.discard = None
            return
        if told.discard in told.plays:
            self._contradiction(f"{told.discard}: it was discarded, and played", "discard")
            self.discard = None
        if not (self.complete and self.dealer_takes) or upcard in self.played[told.dealer]:
            return
        if told.discard not in (None, upcard):
            message = (
                f"{told.discard}: {told.dealer} took the upcard {upcard} and did not play it, so that was discarded"
            )
            self._contradiction(message, "discard")
        self.discard = upcard

    def _settle_hand(self, seat: Seat) -> None:
        listed, is_taker = self.told.hands.get(seat), self.dealer_takes and seat == self.told.dealer
        if not self.complete:
            # Six cards of which an unknown one is gone are no hand that play can go on from.
            if listed is not None and not (is_taker and self.discard is None and self.told.plays):
                self.dealt[seat] = listed
            return
        dealt = self.played[seat]
        if is_taker:
            dealt = dealt.without(self.told.upcard)
            if self.discard is None and listed is not None and dealt <= listed:
                (self.discard,) = listed - dealt
            if self.discard is not None and self.discard != self.told.upcard:
                dealt = dealt.with_card(self.discard)
        if listed is not None and listed != dealt:
            self._contradiction(f"{seat} is listed with {listed}, and played from {dealt}", "hands", str(seat))
        self.dealt[seat] = dealt

    def _settle_sitting_out(self) -> None:
        seat = self.contract.sitting_out
        listed = self.told.hands.get(seat) if seat is not None else None
        if seat is None or listed is None:
            return
        elsewhere = CardSet.of((*self.told.plays, self.told.upcard))
        for hand in self.dealt.values():
            elsewhere |= hand
        if listed & elsewhere:
            message = f"{seat} sits out with {listed & elsewhere}, which others hold or were played"
            self._contradiction(message, "hands", str(seat))
        else:
            self.dealt[seat] = listed

    def _check_kitty(self) -> None:
        known = self._known()
        if self.told.kitty & known:
            message = f"the kitty lists {self.told.kitty & known}, which were dealt or played"
            self._contradiction(message, "kitty")

    def _known(self) -> CardSet:
        known = CardSet.of((*self.told.plays, self.told.upcard, *self._discarded()))
        for hand in self.dealt.values():
            known |= hand
        return known

    def _discarded(self) -> tuple[Card, ...]:
        return () if self.discard is None else (self.discard,)

    def _eliminate(self) -> None:
        """The only cards that are not known are where the only gap is: a hand, or the dealer's discard."""
        rules, known = self.told.rules, self._known()
        in_kitty = len(rules.cards) - HAND_SIZE * rules.seats - 1
        gaps = [seat for seat in rules.seating.seats if len(self.dealt.get(seat, ())) < HAND_SIZE]
        if len(gaps) != 1 or len(self.told.kitty) != in_kitty or self.told.kitty & known:
            return
        (seat,) = gaps
        rest = rules.cards - known - self.told.kitty
        hand = self.dealt.get(seat, CardSet())
        if len(hand) + len(rest) != HAND_SIZE:
            return
        self.dealt[seat] = hand | rest
        if self.dealer_takes and seat == self.told.dealer:
            (self.discard,) = rest

    def _check_discard(self) -> None:
        """That the dealer could throw that card away; after contradictions above there is no more to say."""
        hand = self.dealt.get(self.told.dealer)
        if self.discard is None or hand is None or len(hand) != HAND_SIZE:
            return
        if self.discard in discards(self.auction, hand):
            return
        if self.discard == self.told.upcard:
            message = f"{self.discard}: the upcard may not be discarded under these rules"
        else:
            message = f"{self.discard}: {self.told.dealer} does not hold it"
            self.discard = None
            if self.dealer_takes and self.told.plays:
                del self.dealt[self.told.dealer]
        self.faults.append(Fault("discard.illegal", message, ("discard",)))

    def _check_plays(self, position: Position) -> None:
        """Revokes, and cards that a listed hand does not have. An unknown hand held at least what it played."""
        in_play = position.hands_in_play
        holdings = [self.played.get(seat, CardSet()) if in_play[seat] is None else in_play[seat] for seat in Seat]
        contract = self.contract
        play = Play(self.order, self.told.rules.seating, holdings, contract.leader, contract.sitting_out)
        for at, card in enumerate(self.told.plays):
            fault = play.check(card)
            if fault is not None:
                self.faults.append(fault.under("plays", at))
            play.push(card)


def completed(position: Position) -> Position:
    """The position with those hands, and the discard, that it leaves open and that follow from its play.

    One that contradicts itself stays as it is, and so does one with a hand that is listed in part. A revoke, or a bid
    that the rules forbid, is no contradiction: what was played tells the hands all the same.
    """
    deal, plays = position.deal, position.plays
    hands = {seat: hand for seat in position.rules.seating.seats if (hand := deal.hands[seat]) is not None}
    auction = position.auction
    if auction is None or deal.dealer is None or deal.upcard is None:
        return position
    discard_open = auction.takes_upcard and position.discard is None
    if not plays or not (discard_open or len(hands) < position.rules.seats):
        return position
    if len(CardSet.of(plays)) < len(plays) or any(len(hand) != HAND_SIZE for hand in hands.values()):
        return position
    told = Told(position.rules, deal.dealer, deal.upcard, position.bids, plays, position.discard, hands)
    found, faults = rebuild(told)
    if any(fault.code not in ("play.illegal", "bid.illegal") for fault in faults):
        return position
    known = {seat: hand for seat in Seat if (hand := found.deal.hands[seat]) is not None}
    return replace(position, deal=replace(deal, hands=hands_of(known | hands)), discard=found.discard)


def completed_in_full(position: Position) -> Position:
    """As `completed`, for a format that lists a hand in full or not at all. One that is known in part, or that has the
    upcard, which nobody was dealt, is left out and may then follow from the play."""
    upcard = CardSet() if position.deal.upcard is None else CardSet.of([position.deal.upcard])
    listed = {seat.name: hand for seat, hand in zip(Seat, position.deal.hands, strict=True) if hand is not None}
    return completed(
        position.without_hands(name for name, hand in listed.items() if len(hand) != HAND_SIZE or upcard & hand)
    )


def recorded_faults(position: Position) -> list[Fault]:
    """What is wrong with a recorded position. That the log does not tell a hand is no fault of the record."""
    return [fault for fault in position.problems() if fault.code != "hand.missing"]
