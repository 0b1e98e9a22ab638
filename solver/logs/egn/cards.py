"""Cards as the format writes them: ``Th``, ``Nc`` for a nine, ``R`` and ``L`` for the bowers, ``B`` for the Benny."""

from __future__ import annotations

from solver.errors import Fault, InvalidInput
from solver.game.cards import BENNY, Card, Rank, Suit
from solver.game.rules import Rules
from solver.logs.egn.values import typed
from solver.logs.faults import Path
from solver.notation.codes import read_card
from solver.notation.strict_json import Json


def text_of(card: Card) -> str:
    """The card as it is written.

    >>> text_of(Card.of(Rank.TEN, Suit.HEARTS))
    'Th'
    """
    if card.rank is None or card.suit is None:
        return "B"
    return card.rank.letter + card.suit.letter.lower()


class Cards:
    """Reads the cards of one deal. Slips are collected, so that all of them are named together by `refuse`."""

    def __init__(self, rules: Rules, name: str) -> None:
        self.rules, self.name = rules, name
        self.trump: Suit | None = None
        self.faults: list[Fault] = []

    def one(self, text: str, path: Path, where: str = "") -> Card:
        """The card; for one that cannot be read, and is a fault now, any of the deck."""
        try:
            card = self._read(text)
        except InvalidInput as error:
            self.faults += [Fault(each.code, f"{self._place(where)}: {each.message}", path) for each in error.faults]
            return next(iter(self.rules.cards))
        if card not in self.rules.cards:
            message = f"{self._place(where)}: {card} is not in the deck of {self.rules.deck} cards"
            self.faults.append(Fault("card.foreign", message, path))
        return card

    def known(self, listed: Json, path: Path) -> list[Card]:
        """The cards of a list that are known."""
        if listed is None:
            return []
        texts = typed(listed, list, path, f"{self.name}: {path[-1]}")
        return [
            self.one(text, (*path, at))
            for at, each in enumerate(texts)
            if (text := typed(each, str, (*path, at), f"{self.name}: a card")) and "X" not in text.upper()
        ]

    def refuse(self) -> None:
        if self.faults:
            raise InvalidInput(self.faults)

    def _place(self, where: str) -> str:
        return f"{self.name}, {where}" if where else self.name

    def _read(self, text: str) -> Card:
        word = text.strip().upper()
        if word == "B":
            return BENNY
        if word in ("R", "L") and self.trump is not None:
            return Card.of(Rank.JACK, self.trump if word == "R" else self.trump.same_colour)
        return read_card(text)
