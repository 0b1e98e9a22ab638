"""A deal as it went, step by step: what each seat held at that moment, and what was done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from solver.analysis.review.decisions import first_illegal_play, taken
from solver.analysis.review.values import DealReview, ReviewedDecision
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.order import card_order
from solver.game.position import Decision, Position
from solver.game.record import DealRecord
from solver.game.seats import Seat

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", "O": "★"}


@dataclass(frozen=True)
class Step:
    """The table after an action; of the first step nothing was done yet.

    ``hands`` are None where not known, and ``missing`` says how many cards are not known of one that is told in part.
    ``upcard``: the card that lies turned up while they bid.
    """

    said: str
    seat: Seat | None
    hands: dict[Seat, tuple[Card, ...] | None]
    table: tuple[tuple[Seat, Card], ...]
    tricks: tuple[tuple[str, int], ...]
    upcard: Card | None
    missing: dict[Seat, int]
    decision: ReviewedDecision | None = None


def card_text(card: Card) -> str:
    """``J♥``: rank and sign, for people to read."""
    name = str(card)
    return name[0] + SIGNS[name[1]]


def steps_of(review: DealReview) -> Iterator[Step]:
    """The deal as dealt, and the table after every action; up to the first card that the rules forbid."""
    position = review.position
    by_number = {each.number: each for each in review.decisions}
    illegal = first_illegal_play(position)
    yield _step("as dealt", None, _before(position), None)
    for each in taken(DealRecord(review.number, position)):
        if each.decision == Decision.PLAY and illegal is not None and each.at >= illegal.at:
            return
        if each.decision == Decision.PLAY and isinstance(each.action, Card):
            said, after = f"plays {card_text(each.action)}", each.position.after(card=each.action)
        elif each.decision == Decision.DISCARD and isinstance(each.action, Card):
            said, after = f"discards {card_text(each.action)}", each.position.after(discard=each.action)
        else:
            said, after = f"bids {each.action}", each.position
        yield _step(said, each.seat, after, by_number.get(each.number))


def _before(position: Position) -> Position:
    return Position(position.deal, (), position.given)


def _step(said: str, seat: Seat | None, position: Position, decision: ReviewedDecision | None) -> Step:
    seats = position.rules.seating.seats
    started = position.contract is not None and bool(position.plays or position.discard or position.given)
    if not started or position.contract is None:
        hands: dict[Seat, CardSet | None] = {each: position.hands_in_play[each] for each in seats}
        table: tuple[tuple[Seat, Card], ...] = ()
        won: dict[str, int] = {}
    else:
        play = position.play()
        hands = {each: play.hands[each] for each in seats}
        table = tuple(zip(play.order_of_trick(), play.table, strict=False))
        if not play.table and play.tricks:
            table = tuple(zip(play.tricks[-1].seats, play.tricks[-1].cards, strict=True))
        won = {side.value: number for side, number in play.tricks_won().items()}
    order = card_order(position.rules, position.contract.trump if position.contract is not None else None)
    shown = {
        each: None if hand is None else tuple(card for suit in order.suits for card in reversed(suit) if card in hand)
        for each, hand in hands.items()
    }
    auction = position.auction
    lies = auction is not None and not started and not auction.takes_upcard
    taken_by = {auction.dealer} if auction is not None and auction.takes_upcard else set()
    missing = {
        each: HAND_SIZE + (each in taken_by) - len(hand) if not started else 0
        for each, hand in hands.items()
        if hand is not None
    }
    return Step(said, seat, shown, table, tuple(won.items()), position.deal.upcard if lies else None, missing, decision)
