"""A deal: the rules, who deals, the hands, and the card turned up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from solver.errors import Fault
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.rules import Rules
from solver.game.seats import Seat

Hands = tuple[CardSet | None, CardSet | None, CardSet | None, CardSet | None]


def hands_of(hands: Mapping[Seat, CardSet]) -> Hands:
    """The hands by seat as a tuple in seat order; None where nothing is known."""
    return hands.get(Seat.N), hands.get(Seat.E), hands.get(Seat.S), hands.get(Seat.W)


@dataclass(frozen=True, slots=True)
class Deal:
    """What was dealt.

    With an ``upcard``, ``hands`` are as dealt; without one they are as held when play begins. A hand that is not known
    is None. ``dealer`` may be None only where nothing depends on it.
    """

    rules: Rules
    dealer: Seat | None
    upcard: Card | None
    hands: Hands

    def hand(self, seat: Seat) -> CardSet | None:
        return self.hands[seat]

    @property
    def kitty(self) -> CardSet | None:
        """The undealt cards other than the upcard, known when the whole deal is."""
        if self.upcard is None or any(self.hands[seat] is None for seat in self.rules.seating.seats):
            return None
        dealt = CardSet.of([self.upcard])
        for hand in self.hands:
            dealt |= hand or CardSet()
        return self.rules.cards - dealt

    def problems(self) -> list[Fault]:
        """Every fault of the cards: foreign, twice, hands too large or too small, seats that nobody takes."""
        hands = {seat: tuple(hand) for seat in Seat if (hand := self.hands[seat]) is not None}
        return card_faults(self.rules, hands, self.upcard)


def card_faults(rules: Rules, hands: Mapping[Seat, Sequence[Card | None]], upcard: Card | None) -> list[Fault]:
    """What is wrong with the cards, with places as in the lists handed in.

    A None in a list stands for a card that could not be read: it counts for the size and for nothing else.
    """
    faults: list[Fault] = []
    owner: dict[Card, str] = {}
    if upcard is not None:
        if upcard not in rules.cards:
            faults.append(foreign(rules, upcard, "upcard"))
        owner[upcard] = "the upcard"
    for seat, cards in hands.items():
        if seat not in rules.seating.seats:
            faults.append(Fault("seat.foreign", f"nobody sits at {seat} when {rules.seats} play", ("hands", str(seat))))
            continue
        for at, card in enumerate(cards):
            if card is None:
                continue
            if card not in rules.cards:
                faults.append(foreign(rules, card, "hands", str(seat), at))
            if card in owner:
                message = f"{card} is also {owner[card]}"
                faults.append(Fault("card.duplicate", message, ("hands", str(seat), at)))
            else:
                owner[card] = f"in the hand of {seat}"
        if len(cards) != HAND_SIZE:
            message = f"{seat} has {len(cards)} {'card' if len(cards) == 1 else 'cards'}, not {HAND_SIZE}"
            faults.append(Fault("hand.size", message, ("hands", str(seat))))
    return faults


def foreign(rules: Rules, card: Card, *path: str | int) -> Fault:
    """That the deck does not have the card."""
    return Fault("card.foreign", f"{card} is not in the deck of {rules.deck} cards", path)


def random_deal(rules: Rules, dealer: Seat, random: Random) -> Deal:
    """A deal with every hand and the upcard known, uniform over all."""
    cards = list(rules.cards)
    random.shuffle(cards)
    hands = {
        seat: CardSet.of(cards[HAND_SIZE * at : HAND_SIZE * (at + 1)]) for at, seat in enumerate(rules.seating.seats)
    }
    return Deal(rules, dealer, cards[HAND_SIZE * rules.seats], hands_of(hands))
