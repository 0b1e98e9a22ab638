"""Cards, seats and bids as text: one written form of each, several that are read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from solver.errors import Fault, InvalidInput
from solver.game.auction import ORDER, PASS, Bid, Call
from solver.game.cards import BENNY, Card, Rank, Suit
from solver.game.seats import Seat, Side

_SUITS: dict[str, Suit] = {
    **{suit.letter: suit for suit in Suit},
    **dict(zip("♣♦♥♠", Suit, strict=True)),
    **dict(zip("♧♢♡♤", Suit, strict=True)),
}
_RANKS: dict[str, Rank] = {**{rank.letter: rank for rank in Rank}, "10": Rank.TEN, "N": Rank.NINE}
_BENNY_TEXTS = ("JOKER", "JO")

_SUIT_WORDS: dict[str, Suit] = {
    **{str(suit).upper(): suit for suit in Suit},
    **{str(suit).upper()[:-1]: suit for suit in Suit},
    **_SUITS,
}

_ranks = "10|[789TJQKAN]"
_suits = "[CDHS♣♦♥♠♧♢♡♤]"
# The Benny goes first: "JO" must not be looked for as a jack. Unicode variation selectors may follow a suit sign.
_CARD = re.compile(
    rf"(?P<benny>JOKER|JO)|(?P<rank>{_ranks})(?P<suit>{_suits})\ufe0f?|(?P<suit2>{_suits})\ufe0f?(?P<rank2>{_ranks})"
)
_SEPARATORS = re.compile(r"[\s,]+")


def read_card(text: str) -> Card:
    """A card from text, in any form that is read.

    >>> [str(read_card(text)) for text in ("JH", "10h", "hj", "J♥", "NH", "joker")]
    ['JH', 'TH', 'JH', 'JH', '9H', 'JO']

    Raises `InvalidInput` with the code ``card.unreadable``.
    """
    match = _CARD.fullmatch(text.strip().upper())
    if match is None:
        raise InvalidInput([Fault("card.unreadable", f"{_quoted(text)} is not a card")])
    return _card(match)


def _card(match: re.Match[str]) -> Card:
    if match["benny"]:
        return BENNY
    return Card.of(_RANKS[match["rank"] or match["rank2"]], _SUITS[match["suit"] or match["suit2"]])


def split_cards(text: str) -> list[str]:
    """The pieces of a text of several cards, each to be read as one: ``JH AS``, ``JH,AS`` or ``JHAS``.

    What cannot be read stays whole, as a piece of its own, so that it can be named.
    """
    pieces: list[str] = []
    for chunk in filter(None, _SEPARATORS.split(text.strip())):
        upper, at = chunk.upper(), 0
        if len(upper) != len(chunk):  # a sign whose upper case is longer: no card has one
            pieces.append(chunk)
            continue
        while at < len(chunk):
            match = _CARD.match(upper, at)
            if match is None:
                pieces.append(chunk[at:])
                break
            pieces.append(match.group())
            at = match.end()
    return pieces


def read_cards(text: str) -> tuple[Card, ...]:
    """Several cards from one text. Raises `InvalidInput` naming every piece that is no card, by its place."""
    cards, faults = read_each_card(split_cards(text))
    if faults:
        raise InvalidInput(faults)
    return tuple(card for card in cards if card is not None)


def read_each_card(pieces: Sequence[object]) -> tuple[list[Card | None], list[Fault]]:
    """Each piece as a card, None where it is none, and the faults with the places of those."""
    cards: list[Card | None] = []
    faults: list[Fault] = []
    for at, piece in enumerate(pieces):
        try:
            if not isinstance(piece, str):
                raise InvalidInput([Fault("card.unreadable", f"{_quoted(piece)} is not a card")])
            cards.append(read_card(piece))
        except InvalidInput as error:
            cards.append(None)
            faults += [fault.under(at) for fault in error.faults]
    return cards, faults


def read_seat(text: str) -> Seat:
    """A seat from its letter or its name, any case. Raises `InvalidInput` (``seat.unreadable``)."""
    names = {seat.name: seat for seat in Seat} | {"NORTH": Seat.N, "EAST": Seat.E, "SOUTH": Seat.S, "WEST": Seat.W}
    key = text.strip().upper()
    if key not in names:
        raise InvalidInput([Fault("seat.unreadable", f"{_quoted(text)} is not a seat (N E S W)")])
    return names[key]


def read_side(text: str) -> Side:
    """A side from its letters, any case. Raises `InvalidInput` (``seat.unreadable``)."""
    key = text.strip().upper()
    if key not in {side.value for side in Side}:
        raise InvalidInput([Fault("seat.unreadable", f"{_quoted(text)} is not a side (NS EW)")])
    return Side(key)


def read_suit(text: str) -> Suit:
    """A suit from its letter, sign or name.

    Raises `InvalidInput` (``card.unreadable``; ``rules.unsupported`` for no-trump).
    """
    key = text.strip().upper().removesuffix("\ufe0f")
    if key in _NO_TRUMP:
        raise InvalidInput([_no_trump(text)])
    if key not in _SUIT_WORDS:
        raise InvalidInput([Fault("card.unreadable", f"{_quoted(text)} is not a suit (C D H S)")])
    return _SUIT_WORDS[key]


_NO_TRUMP = ("NT", "NO TRUMP", "NO-TRUMP", "NOTRUMP")


def _no_trump(text: str) -> Fault:
    return Fault("rules.unsupported", f"{_quoted(text)}: no-trump is not supported yet")


_BID_WORDS: dict[str, Bid] = {
    "PASS": PASS,
    "ORDER": ORDER,
    "ORDER UP": ORDER,
    "ORDER IT UP": ORDER,
    "PICK UP": ORDER,
    "PICK IT UP": ORDER,
    "ASSIST": ORDER,
}
# The call ends in neither space nor comma: with any other end a text of nothing but commas takes quadratic time.
_ALONE = re.compile(r"^(?P<call>.*[^\s,])[\s,]+ALONE$")


def read_bid(text: str, up_suit: Suit | None = None) -> Bid:
    """A bid from text, in any form that is read.

    ``up_suit`` is the suit that can be ordered, given for a bid of round 1: naming it is ordering.

    >>> str(read_bid("pick up")), str(read_bid("hearts alone")), str(read_bid("♥", up_suit=Suit.HEARTS))
    ('order', 'H alone', 'order')

    Raises `InvalidInput` with the code ``bid.unreadable``, or ``rules.unsupported`` for no-trump.
    """
    words = " ".join(text.upper().split()).replace("_", " ")
    match = _ALONE.match(words)
    call = match["call"] if match else words
    bid = _BID_WORDS.get(call)
    if bid is None:
        suit = _SUIT_WORDS.get(call.removesuffix("\ufe0f"))
        if call in _NO_TRUMP:
            raise InvalidInput([_no_trump(text)])
        if suit is None:
            raise InvalidInput([Fault("bid.unreadable", f"{_quoted(text)} is not a bid")])
        bid = ORDER if suit == up_suit else Bid(Call.NAME, suit)
    if match and bid.call == Call.PASS:
        raise InvalidInput([Fault("bid.unreadable", f"{_quoted(text)} is not a bid: nobody passes alone")])
    return Bid(bid.call, bid.suit, alone=match is not None)


def _quoted(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:36] + "...'"
