"""Cards, hands and bids as PTN writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from solver.game.auction import PASS, Bid, Call
from solver.game.cards import BENNY, Card, CardSet, Rank, Suit
from solver.game.rules import Rules
from solver.logs.faults import bad, shown
from solver.notation.codes import read_bid, read_card

#: The order of suits within a hand, the Benny's after them.
SUITS: Final = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
SIGNS: Final = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}

_BENNY: Final = "JH"
_CARD = re.compile(r"[SHDC♠♥♦♣](?:10|[2-9TJQKA])|J[HL]|JO(?:KER)?|\S")
_OF_TRICKS = re.compile(r"\d.*|alone|call ?\d.*", re.IGNORECASE)
_RANKS: Final = {rank.letter: rank for rank in Rank}


def read_one(text: str, rules: Rules) -> Card:
    """A card, suit first. Raises `InvalidInput` (``card.unreadable``, ``card.foreign``)."""
    word = text.upper()
    card = BENNY if rules.has_benny and word in (_BENNY, "JO", "JOKER") else read_card(word)
    if card not in rules.cards:
        raise bad(f"{card} is not in the deck of {rules.deck} cards", code="card.foreign")
    return card


def read_row(text: str, rules: Rules) -> tuple[Card, ...]:
    """Cards written one after the other without a space. Raises `InvalidInput` for the first that is none."""
    return tuple(read_one(piece, rules) for piece in _CARD.findall(text.upper()))


def read_hand(text: str, rules: Rules) -> tuple[Card, ...] | None:
    """A hand by suits; None for one that is not known. Raises `InvalidInput`."""
    if text == "-":
        return None
    suits = text.upper().replace("10", "T").split(".")
    if len(suits) not in (4, 5):
        raise bad(f"a hand has four suits with a dot between them, not {shown(text)}", code="card.unreadable")
    return tuple(_hand(suits, rules))


def _hand(suits: list[str], rules: Rules) -> Iterator[Card]:
    for suit, ranks in zip(SUITS, suits, strict=False):
        for letter in ranks:
            if letter not in _RANKS and letter not in "23456":
                raise bad(f"{shown(letter)} is not a rank", code="card.unreadable")
            card = Card.of(_RANKS[letter], suit) if letter in _RANKS else None
            if card is None or card not in rules.cards:
                raise bad(f"{letter} of {suit} is not in the deck of {rules.deck} cards", code="card.foreign")
            yield card
    for letter in suits[4] if len(suits) == 5 else "":
        if letter != "H" or not rules.has_benny:
            raise bad(f"{shown(letter)} is no joker of this deck", code="card.foreign")
        yield BENNY


def write_one(card: Card) -> str:
    text = str(card)
    return _BENNY if card.is_benny else text[1] + text[0]


def write_hand(hand: CardSet) -> str:
    ranks = [
        "".join(card.rank.letter for card in reversed(list(hand)) if card.suit == suit and card.rank is not None)
        for suit in SUITS
    ]
    return ".".join([*ranks, "H"] if BENNY in hand else ranks)


def read_call(text: str, up_suit: Suit | None) -> Bid:
    """A bid; ``up_suit`` can be ordered in round 1.

    Raises `InvalidInput` (``bid.unreadable``, or ``rules.unsupported`` for bids of tricks and for no-trump).
    """
    if _OF_TRICKS.fullmatch(text):
        raise bad(f"the bid {shown(text)} is one of bid euchre, which is not supported", code="rules.unsupported")
    match = re.fullmatch(r"(?P<call>.+?)\s*alone", text, re.IGNORECASE)
    call = match["call"] if match else text
    if call.upper().startswith("NT"):
        raise bad(f"the bid {shown(text)}: no-trump is not supported", code="rules.unsupported")
    bid = PASS if call.upper() == "P" else read_bid(call, up_suit)
    if match is None:
        return bid
    if bid.call == Call.PASS:
        raise bad(f"{shown(text)} is not a bid: nobody passes alone", code="bid.unreadable")
    return Bid(bid.call, bid.suit, alone=True)


def write_call(bid: Bid, up_suit: Suit | None) -> str:
    suit = up_suit if bid.call == Call.ORDER else bid.suit
    if suit is None:
        return "Pass"
    return SIGNS[suit] + ("alone" if bid.alone else "")
