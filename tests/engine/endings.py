"""Random endings in the oracle's words, and the same ending in the kernel's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from solver.engine.coordinates import Coordinates, coordinates
from solver.game.cards import BENNY, Card, CardSet, Rank, Suit
from solver.game.order import CardOrder, card_order
from solver.game.rules import Rules
from tests.oracles.minimax import Hands, Minimax, deck, legal_cards

if TYPE_CHECKING:
    from random import Random

    from solver.engine.search import Search

SEATS = "NESW"


@cache
def game_card(text: str) -> Card:
    return BENNY if text == "JO" else Card.of(Rank("789TJQKA".index(text[0])), Suit("CDHS".index(text[1])))


@cache
def order_for(cards: int, trump: str | None) -> CardOrder:
    return card_order(Rules(deck=cards), None if trump is None else Suit("CDHS".index(trump)))


@dataclass(frozen=True)
class Ending:
    """A position: `active` seats clockwise, `side` the seats whose tricks are counted."""

    cards: int
    trump: str | None
    active: str
    side: str
    hands: Hands
    leader: str
    table: tuple[str, ...] = ()

    @property
    def where(self) -> Coordinates:
        return coordinates(order_for(self.cards, self.trump))

    @property
    def kernel(self) -> tuple[list[int], int, list[int], int, int, bool]:
        """The arguments of `Search.solve` and `Search.solve_cards`."""
        words = [self.where.word(CardSet.of(map(game_card, self.hands.get(seat, ())))) for seat in SEATS]
        played = [self.where.bit(game_card(card)) for card in self.table]
        active = sum(1 << SEATS.index(seat) for seat in self.active)
        sides = sum(1 << SEATS.index(seat) for seat in self.side)
        return words, SEATS.index(self.leader), played, active, sides, self.trump is None

    @property
    def size(self) -> int:
        """Tricks to come, the one on the table included."""
        return max(map(len, self.hands.values())) if not self.table else len(self.hands[self.leader]) + 1

    def truth(self) -> dict[str, int]:
        """Every legal card's value, by trying everything."""
        return Minimax(self.active, self.side, self.trump).values(self.hands, self.leader, self.table)

    def answers(self, search: Search) -> dict[str, int]:
        """Every legal card's value, by the kernel."""
        return {str(self.where.card(bit)): tricks for bit, tricks in search.solve_cards(*self.kernel)}

    @property
    def to_act(self) -> str:
        return Minimax(self.active, self.side, self.trump).turn(self.leader, self.table)


def random_ending(
    random: Random, cards: int, size: int, active: str = SEATS, side: str = "NS", trump: str | None = "CDHS"
) -> Ending:
    """`size` cards a hand, any number of them already on the table; `trump` is one of the letters, or
    None."""
    pack = deck(cards)
    random.shuffle(pack)
    hands = {seat: frozenset(pack[size * at : size * (at + 1)]) for at, seat in enumerate(active)}
    suit = random.choice(trump) if trump is not None else None
    ending = Ending(cards, suit, active, side, hands, random.choice(active))
    for _ in range(random.randrange(len(active))):
        seat = ending.to_act
        card = random.choice(sorted(legal_cards(ending.hands[seat], ending.table, suit)))
        rest = {**ending.hands, seat: ending.hands[seat] - {card}}
        ending = replace(ending, hands=rest, table=(*ending.table, card))
    return ending
