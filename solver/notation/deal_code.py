"""The deal code: one line of text for a deal and all that happened to it, safe in a URL.

Seven fields, separated by full stops; empty ones at the end are left out::

    rules . dealer . upcard . hands . auction . discard . plays

    american.N.JH.9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS.ppo.9C
    spanish~target-5...9C9HJHKSAS-…-…-TCKCACKDAD.HNW

- rules: a preset, then ``~option-value`` for each option that differs; the written form is the shortest one
- dealer: a seat, or nothing where it is not known
- upcard: a card, or nothing when the hands are as held when play begins
- hands: the seats that play, N E S W, each with its cards in order of suit and rank; nothing for a hand not known
- auction: with an upcard a letter for each bid from the dealer's left, ``p`` pass, ``o`` order, ``c d h s`` a suit,
  each but a pass followed by ``a`` when alone; without an upcard the contract, as trump, maker, ``a`` when alone,
  leader: ``HNW``, ``HNaW``
- discard: the dealer's, if known
- plays: cards in the order played
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeVar

from solver.errors import Fault, InvalidInput
from solver.game.auction import ORDER, PASS, Bid, Call, Contract
from solver.game.cards import Card, CardSet, Suit
from solver.game.deal import Deal, hands_of
from solver.game.position import Position
from solver.game.rules import OptionValue, Rules, describe, preset, with_options
from solver.game.seats import Seat
from solver.notation.codes import read_card, read_cards, read_seat

T = TypeVar("T")

_FIELDS = ("rules", "dealer", "upcard", "hands", "auction", "discard", "plays")
#: Characters of a code; one with every field full has fewer.
MAX_LENGTH = 2000

_BID_LETTERS: dict[str, Bid] = {
    "p": PASS,
    "o": ORDER,
    **{suit.letter.lower(): Bid(Call.NAME, suit) for suit in Suit},
}
_BIDS = re.compile(r"(p)|([ocdhs])(a?)")
_CONTRACT = re.compile(r"([CDHS])([NESW])(a?)([NESW])")


def write_code(position: Position) -> str:
    """The position as a deal code. Equal positions have equal codes."""
    deal = position.deal
    fields = (
        write_rules(deal.rules),
        "" if deal.dealer is None else str(deal.dealer),
        "" if deal.upcard is None else str(deal.upcard),
        _write_hands(deal),
        _write_contract(position.given) if position.given is not None else _write_bids(position.bids),
        "" if position.discard is None else str(position.discard),
        _write_cards(position.plays),
    )
    return ".".join(fields).rstrip(".")


def read_code(text: str) -> Position:
    """The position that a deal code stands for.

    Only the form is judged here: whether the position is a legal one is for `Position.problems`.

    Raises `InvalidInput`, each fault with the name of the field that cannot be read.
    """
    parts = text.strip().split(".")
    if len(text) > MAX_LENGTH:
        raise InvalidInput([Fault("code.invalid", f"a deal code has at most {MAX_LENGTH} characters")])
    if len(parts) > len(_FIELDS):
        raise InvalidInput([Fault("code.invalid", f"a deal code has at most {len(_FIELDS)} fields")])
    values = dict(zip(_FIELDS, parts + [""] * len(_FIELDS), strict=False))
    rules = _field("rules", lambda: read_rules(values["rules"]))
    upcard = _field("upcard", lambda: read_card(values["upcard"])) if values["upcard"] else None
    has_contract = upcard is None and values["auction"] != ""
    return Position(
        Deal(
            rules,
            _field("dealer", lambda: read_seat(values["dealer"])) if values["dealer"] else None,
            upcard,
            _field("hands", lambda: hands_of(_read_hands(values["hands"], rules))),
        ),
        () if has_contract else _field("auction", lambda: _read_bids(values["auction"])),
        _field("auction", lambda: _read_contract(values["auction"])) if has_contract else None,
        _field("discard", lambda: read_card(values["discard"])) if values["discard"] else None,
        _field("plays", lambda: read_cards(values["plays"])),
    )


def _field(name: str, read: Callable[[], T]) -> T:
    try:
        return read()
    except InvalidInput as error:
        messages = "; ".join(fault.message for fault in error.faults)
        raise InvalidInput([Fault("code.invalid", f"{name} of the deal code: {messages}")]) from None


@lru_cache(maxsize=64)
def write_rules(rules: Rules) -> str:
    """Rules as they begin a deal code."""
    name, options = describe(rules)
    return "~".join([name, *(f"{option}-{_write_value(value)}" for option, value in options.items())])


def _write_value(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def read_rules(text: str) -> Rules:
    """Rules from the beginning of a deal code. Raises `InvalidInput`."""
    name, *options = text.split("~")
    pairs = [option.partition("-") for option in options]
    names = [option for option, _, _ in pairs]
    twice = [option for option in dict.fromkeys(names) if names.count(option) > 1]
    if twice:
        raise InvalidInput([Fault("code.invalid", f"{option[:40]!r} is there twice") for option in twice])
    base = preset(name)
    own = base.options()
    return with_options(base, {option: _read_value(own.get(option), value) for option, _, value in pairs})


def _read_value(like: OptionValue | None, text: str) -> object:
    """The text as a value of the same type as ``like``; as it stands if it is none, for the rules to refuse."""
    if isinstance(like, bool):
        return {"yes": True, "no": False}.get(text, text)
    if isinstance(like, int) and re.fullmatch(r"[0-9]{1,9}", text):
        return int(text)
    return text


def _write_cards(cards: Iterable[Card]) -> str:
    return "".join(str(card) for card in cards)


def _write_hands(deal: Deal) -> str:
    hands = [_write_cards(deal.hands[seat] or ()) for seat in deal.rules.seating.seats]
    return "-".join(hands) if any(hands) else ""


def _read_hands(text: str, rules: Rules) -> dict[Seat, CardSet]:
    seats = rules.seating.seats
    hands = text.split("-") if text else [""] * len(seats)
    if len(hands) != len(seats):
        raise InvalidInput([Fault("code.invalid", f"{len(seats)} hands belong here, not {len(hands)}")])
    read = {seat: read_cards(hand) for seat, hand in zip(seats, hands, strict=True) if hand}
    twice = [card for cards in read.values() for card in set(cards) if cards.count(card) > 1]
    if twice:
        raise InvalidInput([Fault("code.invalid", f"{card} is twice in one hand") for card in sorted(twice)])
    return {seat: CardSet.of(cards) for seat, cards in read.items()}


def _write_bids(bids: tuple[Bid, ...]) -> str:
    letters = {bid: letter for letter, bid in _BID_LETTERS.items()}
    return "".join(letters[Bid(bid.call, bid.suit)] + "a" * bid.alone for bid in bids)


def _read_bids(text: str) -> tuple[Bid, ...]:
    if _BIDS.sub("", text):
        raise InvalidInput([Fault("code.invalid", f"{text[:40]!r} is not a list of bids (p o c d h s, a for alone)")])
    bids = [(_BID_LETTERS[passed or naming], alone == "a") for passed, naming, alone in _BIDS.findall(text)]
    return tuple(Bid(bid.call, bid.suit, alone) for bid, alone in bids)


def _write_contract(contract: Contract) -> str:
    return f"{contract.trump.letter}{contract.maker}{'a' * contract.alone}{contract.leader}"


def _read_contract(text: str) -> Contract:
    match = _CONTRACT.fullmatch(text)
    if match is None:
        raise InvalidInput([Fault("code.invalid", f"{text[:40]!r} is not a contract like HNW or HNaW")])
    trump, maker, alone, leader = match.groups()
    return Contract(Suit("CDHS".index(trump)), read_seat(maker), alone == "a", read_seat(leader))
