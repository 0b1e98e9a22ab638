"""Playing the cards: whose turn, what is legal, who won."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass

from solver.errors import Fault
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.order import CardOrder
from solver.game.seats import Seat, Seating, Side


@dataclass(frozen=True, slots=True)
class Trick:
    """A complete trick: the cards in the order played, by whom, and who won it."""

    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]
    winner: Seat


class Play:
    """The play of one deal as it goes on: `push` a card, `pop` it again.

    ``hands``: by seat, as play begins; the seat that sits out is given by name and its hand is not looked at. A hand
    that is None is not known: any card may come from it.
    """

    def __init__(
        self,
        order: CardOrder,
        seating: Seating,
        hands: Sequence[CardSet | None],
        leader: Seat,
        sitting_out: Seat | None = None,
    ) -> None:
        self.order = order
        self.seating = seating
        self.active = tuple(seat for seat in seating.seats if seat != sitting_out)
        self.hands = [hands[seat] if seat in self.active else None for seat in Seat]
        self.tricks: list[Trick] = []
        self.to_act = leader
        self._size = max((len(hand) for hand in self.hands if hand is not None), default=HAND_SIZE)
        self._leader = leader
        self._table: list[Card] = []

    def copy(self) -> Play:
        """A play of its own in the same state."""
        other = copy(self)
        other.hands, other.tricks, other._table = self.hands.copy(), self.tricks.copy(), self._table.copy()
        return other

    @property
    def leader(self) -> Seat:
        """Who led, or leads, the trick under way."""
        return self._leader

    @property
    def table(self) -> tuple[Card, ...]:
        """The cards of the trick under way, in the order played."""
        return tuple(self._table)

    @property
    def over(self) -> bool:
        return len(self.tricks) == self._size

    @property
    def led(self) -> Card | None:
        return self._table[0] if self._table else None

    def order_of_trick(self) -> tuple[Seat, ...]:
        """The active seats from the leader of the trick under way."""
        at = self.active.index(self._leader)
        return self.active[at:] + self.active[:at]

    def legal(self) -> CardSet:
        """What the seat to act may play."""
        hand = self.hands[self.to_act]
        if hand is None:
            raise LookupError(f"the hand of {self.to_act} is not known")
        return self.order.legal(hand, self.led)

    def check(self, card: Card) -> Fault | None:
        """Why the seat to act may not play ``card``, or None. The path is left to the caller."""
        seat, place = self.to_act, f"trick {len(self.tricks) + 1}, {self.to_act}"
        if self.over:
            return Fault("play.illegal", f"{card}: the play was already over after {len(self.tricks)} tricks")
        hand = self.hands[seat]
        owner = next((each for each in self.active if card in (self.hands[each] or ())), None)
        if owner != seat and not (hand is None and owner is None):
            whose = f"{owner} holds it" if owner is not None else self._where(card)
            return Fault("play.illegal", f"{card}: {seat} does not hold it, {whose} ({place})")
        if hand is None:
            return None
        legal = self.order.legal(hand, self.led)
        if card in legal or self.led is None:
            return None
        suit = self.order.suit(self.led)
        verb = "is" if len(legal) == 1 else "are"
        return Fault("play.illegal", f"{card}: {suit} were led and {legal} {verb} held ({place})")

    def _where(self, card: Card) -> str:
        """What became of a card that nobody holds, in words."""
        played = card in self._table or any(card in trick.cards for trick in self.tricks)
        return "it was played before" if played else "nobody holds it"

    def push(self, card: Card) -> None:
        """Play ``card`` from the seat to act, whether or not it is legal: records of real games hold revokes too."""
        seat = self.to_act
        hand = self.hands[seat]
        self.hands[seat] = hand.without(card) if hand is not None else None
        self._table.append(card)
        seats = self.order_of_trick()
        if len(self._table) < len(seats):
            self.to_act = seats[len(self._table)]
            return
        winner = seats[self.order.winner(self._table)]
        self.tricks.append(Trick(seats, tuple(self._table), winner))
        self._table = []
        self._leader = self.to_act = winner

    def advance(self, cards: Iterable[Card]) -> Play:
        """Push all these cards; returns itself."""
        for card in cards:
            self.push(card)
        return self

    def pop(self) -> Card:
        """Take back the last card, and return it."""
        if not self._table:
            trick = self.tricks.pop()
            self._table, self._leader = list(trick.cards), trick.seats[0]
        card = self._table.pop()
        self.to_act = self.order_of_trick()[len(self._table)]
        hand = self.hands[self.to_act]
        self.hands[self.to_act] = hand.with_card(card) if hand is not None else None
        return card

    def tricks_won(self) -> dict[Side, int]:
        """Tricks by side, of those completed."""
        won = dict.fromkeys(self.seating.sides, 0)
        for trick in self.tricks:
            won[self.seating.side(trick.winner)] += 1
        return won
