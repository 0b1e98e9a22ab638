"""Cards as they are printed, sets of them, and the decks. Which card beats which is said in `order`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum


class Suit(IntEnum):
    """A printed suit; its value is its place in every array of this package."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        return "CDHS"[self]

    @property
    def same_colour(self) -> Suit:
        """The other suit of the colour: the one that the left bower is printed in."""
        return Suit(3 - self)

    def __str__(self) -> str:
        return self.name.lower()


class Rank(IntEnum):
    """A printed rank; ascending as in a plain suit."""

    SEVEN = 0
    EIGHT = 1
    NINE = 2
    TEN = 3
    JACK = 4
    QUEEN = 5
    KING = 6
    ACE = 7

    @property
    def letter(self) -> str:
        return "789TJQKA"[self]


_BENNY = 32


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card, by its index: ``8 * suit + rank``, the Benny (joker) 32. Prints as rank and suit: ``JH``, ``JO``."""

    index: int

    def __post_init__(self) -> None:
        if not 0 <= self.index <= _BENNY:
            raise ValueError(f"a card has an index of 0 to {_BENNY}, not {self.index}")

    @staticmethod
    def of(rank: Rank, suit: Suit) -> Card:
        return Card(8 * suit + rank)

    @property
    def is_benny(self) -> bool:
        return self.index == _BENNY

    @property
    def suit(self) -> Suit | None:
        """The printed suit; the Benny has none."""
        return None if self.is_benny else Suit(self.index >> 3)

    @property
    def rank(self) -> Rank | None:
        """The printed rank; the Benny has none."""
        return None if self.is_benny else Rank(self.index & 7)

    @property
    def bit(self) -> int:
        return 1 << self.index

    def __str__(self) -> str:
        return "JO" if self.is_benny else "789TJQKA"[self.index & 7] + "CDHS"[self.index >> 3]

    def __repr__(self) -> str:
        return f"Card({self})"


BENNY = Card(_BENNY)


@dataclass(frozen=True, slots=True)
class CardSet:
    """An immutable set of cards over one integer: bit ``i`` is the card of index ``i``. Iterates in index order."""

    bits: int = 0

    @staticmethod
    def of(cards: Iterable[Card]) -> CardSet:
        bits = 0
        for card in cards:
            bits |= card.bit
        return CardSet(bits)

    def __contains__(self, card: Card) -> bool:
        return bool(self.bits >> card.index & 1)

    def __iter__(self) -> Iterator[Card]:
        rest = self.bits
        while rest:
            low = rest & -rest
            yield Card(low.bit_length() - 1)
            rest ^= low

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __bool__(self) -> bool:
        return self.bits != 0

    def __or__(self, other: CardSet) -> CardSet:
        return CardSet(self.bits | other.bits)

    def __and__(self, other: CardSet) -> CardSet:
        return CardSet(self.bits & other.bits)

    def __sub__(self, other: CardSet) -> CardSet:
        return CardSet(self.bits & ~other.bits)

    def __le__(self, other: CardSet) -> bool:
        return self.bits & ~other.bits == 0

    def with_card(self, card: Card) -> CardSet:
        return CardSet(self.bits | card.bit)

    def without(self, card: Card) -> CardSet:
        return CardSet(self.bits & ~card.bit)

    def __str__(self) -> str:
        return " ".join(str(card) for card in self)

    def __repr__(self) -> str:
        return f"CardSet({self})"


def _ranks_up_from(lowest: Rank) -> CardSet:
    return CardSet.of(Card.of(rank, suit) for suit in Suit for rank in Rank if rank >= lowest)


#: Number of cards -> the deck: nines up, eights up, sevens up, the first and the last also with the Benny.
DECKS: dict[int, CardSet] = {
    24: _ranks_up_from(Rank.NINE),
    25: _ranks_up_from(Rank.NINE).with_card(BENNY),
    28: _ranks_up_from(Rank.EIGHT),
    32: _ranks_up_from(Rank.SEVEN),
    33: _ranks_up_from(Rank.SEVEN).with_card(BENNY),
}

#: Cards dealt to each seat, and the number of tricks of a deal.
HAND_SIZE = 5
