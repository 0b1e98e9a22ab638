"""The decisions of a recorded deal, in order, each with the deal as it was then; and those that cannot be judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from solver.errors import Fault, InvalidInput, refuse
from solver.game.auction import Bid, discards
from solver.game.cards import HAND_SIZE, Card
from solver.game.play import Play
from solver.game.position import Decision, Position
from solver.game.record import DealRecord
from solver.game.seats import Seat
from solver.knowledge.seen import Knowledge


@dataclass(frozen=True)
class Taken:
    """A decision that was taken: the ``position`` before it, who took it, and what was done.

    ``at`` is its place in the bids or the plays; ``number`` counts all decisions of the deal from 1.
    """

    number: int
    decision: Decision
    at: int
    seat: Seat
    action: Bid | Card
    position: Position
    trick: int | None = None

    @property
    def path(self) -> tuple[str | int, ...]:
        match self.decision:
            case Decision.BID:
                return ("auction", self.at)
            case Decision.DISCARD:
                return ("discard",)
            case _:
                return ("plays", self.at)


def taken(record: DealRecord) -> Iterator[Taken]:
    """Every decision that a record tells of. A discard that is not told is none, and neither is that of a hand that
    nobody played."""
    position = record.position
    auction, contract = position.auction, position.contract
    number = 0
    for at, bid in enumerate(position.bids if auction is not None else ()):
        assert auction is not None
        number += 1
        before = replace(position, bids=position.bids[:at], discard=None, plays=())
        yield Taken(number, Decision.BID, at, auction.bidder(at), bid, before)
    if contract is None:
        return
    if auction is not None and auction.takes_upcard and position.discard is not None:
        number += 1
        before = replace(position, discard=None, plays=())
        yield Taken(number, Decision.DISCARD, 0, auction.dealer, position.discard, before)
    # Who is to play follows from the cards alone, legal or not.
    play = Play(position.start().order, position.rules.seating, (None,) * 4, contract.leader, contract.sitting_out)
    for at, card in enumerate(position.plays):
        if play.over:
            return
        number += 1
        before = replace(position, plays=position.plays[:at])
        yield Taken(number, Decision.PLAY, at, play.to_act, card, before, len(play.tricks) + 1)
        play.push(card)


class IllegalPlay(NamedTuple):
    """A card that the rules forbid: its place in the plays, and why."""

    at: int
    fault: Fault


def first_illegal_play(position: Position) -> IllegalPlay | None:
    """The first card that the rules forbid, by the hands that are known: after it nobody can tell who holds what."""
    if position.contract is None:
        return None
    play = position.start()
    for at, card in enumerate(position.plays):
        fault = play.check(card)
        if fault is not None:
            return IllegalPlay(at, fault.under("plays", at))
        play.push(card)
    return None


def knowledge_of(decision: Taken, illegal: IllegalPlay | None) -> Knowledge:
    """What the seat knew when it took the decision. ``illegal`` is that of `first_illegal_play`.

    Raises `InvalidInput` with every reason why that, or the decision, cannot be judged.
    """
    if illegal is not None and decision.decision == Decision.PLAY and illegal.at < decision.at:
        message = f"it comes after a card that the rules forbid: {illegal.fault.message}"
        raise InvalidInput([Fault("review.after_fault", message, decision.path)])
    refuse(_unknown(decision))
    knowledge = Knowledge.of(decision.position, decision.seat, discarded=decision.decision == Decision.PLAY)
    if knowledge.decision != decision.decision or knowledge.to_act != decision.seat:
        message = f"{decision.seat}: what was discarded is not recorded, so the hand is not known"
        raise InvalidInput([Fault("discard.missing", message, ("discard",))])
    refuse(_illegal(decision, knowledge))
    return knowledge


def _unknown(decision: Taken) -> list[Fault]:
    position, seat = decision.position, decision.seat
    if position.deal.dealer is None:
        message = "the dealer is not known, on whom the chance to win depends"
        return [Fault("field.missing", message, ("dealer",))]
    hand = position.deal.hands[seat]
    if hand is None:
        return [Fault("hand.missing", f"the hand of {seat} is not known", ("hands", str(seat)))]
    if decision.decision == Decision.BID and len(hand) == HAND_SIZE - 1 and seat == position.deal.dealer:
        message = f"{seat}: what was discarded is not recorded, so the hand as dealt is not known"
        return [Fault("discard.missing", message, ("discard",))]
    return []


def _illegal(decision: Taken, knowledge: Knowledge) -> list[Fault]:
    """Why the seat may not do what it did."""
    action, auction = decision.action, knowledge.auction
    fault: Fault | None = None
    if isinstance(action, Bid):
        fault = auction.check(action, knowledge.hand) if auction is not None else None
    elif decision.decision == Decision.PLAY:
        fault = knowledge.position.play().check(action)
    elif auction is not None and action not in discards(auction, knowledge.hand):
        fault = Fault("discard.illegal", f"{action}: {decision.seat} may not discard it")
    return [fault.under(*decision.path)] if fault is not None else []
