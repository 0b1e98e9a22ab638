"""Best play found by trying everything: slow, obvious, and sharing nothing with the package.

Cards are strings (`JH`, the Benny `JO`), hands are frozensets, rules are written out again from the rule
book. No bound, no order, no equals; positions that come up twice are looked up, that is all.
"""

from __future__ import annotations

RANKS = "789TJQKA"
OTHER_OF_COLOUR = {"C": "S", "S": "C", "H": "D", "D": "H"}

Hands = dict[str, frozenset[str]]


def deck(size: int) -> list[str]:
    lowest = {24: "9", 25: "9", 28: "8", 32: "7", 33: "7"}[size]
    cards = [rank + suit for suit in "CDHS" for rank in RANKS[RANKS.index(lowest) :]]
    return cards + ["JO"] * (size % 2)


def suit_of(card: str, trump: str | None) -> str:
    """The suit a card counts as."""
    if card == "JO" and trump is not None:
        return trump
    if trump is not None and card == "J" + OTHER_OF_COLOUR[trump]:
        return trump
    return card[1]


def height(card: str, trump: str | None) -> int:
    """Higher beats lower within a suit."""
    if trump is not None and suit_of(card, trump) == trump:
        if card == "JO":
            return 100
        if card[0] == "J":
            return 99 if card[1] == trump else 98
    return RANKS.index(card[0])


def legal_cards(hand: frozenset[str], table: tuple[str, ...], trump: str | None) -> frozenset[str]:
    if not table:
        return hand
    led = suit_of(table[0], trump)
    return frozenset(card for card in hand if suit_of(card, trump) == led) or hand


def winning_place(table: tuple[str, ...], trump: str | None) -> int:
    """Which card of a trick wins."""
    trumps = [card for card in table if suit_of(card, trump) == trump]
    in_suit = [card for card in table if suit_of(card, trump) == suit_of(table[0], trump)]
    return table.index(max(trumps or in_suit, key=lambda card: height(card, trump)))


class Minimax:
    """All values of one deal. `active` are the seats that play, clockwise; `side` those whose tricks are
    counted."""

    def __init__(self, active: str, side: str, trump: str | None) -> None:
        self.active = active
        self.side = side
        self.trump = trump
        self._known: dict[tuple[tuple[frozenset[str], ...], str, tuple[str, ...]], int] = {}

    def turn(self, leader: str, table: tuple[str, ...]) -> str:
        return self.active[(self.active.index(leader) + len(table)) % len(self.active)]

    def value(self, hands: Hands, leader: str, table: tuple[str, ...] = ()) -> int:
        """Tricks of the side from here on, the trick on the table included."""
        if not table and not any(hands.values()):
            return 0
        key = (tuple(hands[seat] for seat in self.active), leader, table)
        if key not in self._known:
            values = self.values(hands, leader, table).values()
            self._known[key] = max(values) if self.turn(leader, table) in self.side else min(values)
        return self._known[key]

    def values(self, hands: Hands, leader: str, table: tuple[str, ...] = ()) -> dict[str, int]:
        """The same after each legal card."""
        seat = self.turn(leader, table)
        result = {}
        for card in legal_cards(hands[seat], table, self.trump):
            then, on_table = {**hands, seat: hands[seat] - {card}}, (*table, card)
            if len(on_table) < len(self.active):
                result[card] = self.value(then, leader, on_table)
            else:
                winner = self.turn(leader, on_table[: winning_place(on_table, self.trump)])
                result[card] = (winner in self.side) + self.value(then, winner)
        return result
