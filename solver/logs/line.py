"""One deal a line, fields separated by bars: how programs that study the bidding of euchre print a deal.

    KcTsJsQsAd|9cTcAcKsAs|ThKh9dJdKd|JcJhQhAhQd|Qc|PPPT|Ah|L|AdPKdQd|  # dealer=W rules=cardporch

- four hands as dealt, clockwise from the dealer's left, so the fourth hand deals; empty where a hand is not known
- the upcard
- bids: ``P`` pass, ``T`` take (the dealer takes the upcard), ``C D H S`` a suit in round 2
- the dealer's discard, only after a ``T``; empty if it is not known
- ``L`` alone, ``P`` with the partner, which older files leave out
- tricks: the cards as they were played, with a ``P``, which may be left out, at the turn of the seat that sits out

A line may end after any field, and with a bar. Seats are not named in it: the first hand is N's and W deals, and the
rules are those of ``cardporch`` (the dealer is stuck), as in the programs that print it, unless words after a ``#`` say
otherwise: ``dealer=`` a seat, ``rules=`` as in a deal code. Other words there are a comment, kept in the ``notes``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, Final

from solver.errors import Fault, InvalidInput, refuse
from solver.game.auction import ORDER, PASS, Auction, Bid, Call, Contract
from solver.game.cards import HAND_SIZE, Card, CardSet, Suit
from solver.game.deal import Deal, hands_of
from solver.game.play import Play
from solver.game.position import Position
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import Rules, preset
from solver.game.seats import Seat
from solver.logs import streams
from solver.logs.deals import write_deals
from solver.logs.faults import bad, shown, unwritable
from solver.logs.places import on_line
from solver.logs.rebuild import completed, recorded_faults
from solver.notation.codes import read_card, read_each_card, read_seat, split_cards
from solver.notation.deal_code import MAX_LENGTH, read_rules, write_rules

RULES: Final = preset("cardporch")
DEALER: Final = Seat.W

_CARD = rb"(?:10|[2-9TJQKA])[CDHS]|JO"
_BEGIN = re.compile(
    rb"^[ \t]*(?:(?:(?:%b)[ ,]?){0,6}[ \t]*\|){4}[ \t]*(?:%b)[ \t]*(?:\||#|$)" % (_CARD, _CARD),
    re.MULTILINE | re.IGNORECASE,
)
_WORD = re.compile(r"(?:^|\s)(dealer|rules)=(\S+)")

_BIDS: Final = {"P": PASS, "T": ORDER, **{suit.letter: Bid(Call.NAME, suit) for suit in Suit}}
_LETTERS: Final = {bid: letter for letter, bid in _BIDS.items()}
_OUT = "P"

#: Signs of a field that are looked at: more than any of a deal has.
_LONGEST = 64
#: Hands, upcard, bids, discard, the choice to go alone, tricks.
_MOST_FIELDS = len(Seat) + 4 + HAND_SIZE


def detect(head: bytes) -> bool:
    """Whether a line of the beginning opens with four hands and an upcard."""
    return _BEGIN.search(head.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"")) is not None


# -- reading -----------------------------------------------------------------------------------------------------------


def read(stream: BinaryIO) -> Iterator[GameRecord]:
    """One game of one deal a line. A line that cannot be read gives a game without deals, and its faults."""
    number = 0
    for at, line in streams.lines(stream):
        if not isinstance(line, Fault) and line.startswith(b"#"):
            continue
        number += 1
        try:
            if isinstance(line, Fault):
                raise InvalidInput([line])
            position, faults, comment = _deal(_text(line))
        except InvalidInput as error:
            yield GameRecord(RULES, (), faults=tuple(on_line(fault, at) for fault in error.faults))
            continue
        placed = tuple(on_line(fault, at) for fault in faults)
        notes = {"comment": comment} if comment else {}
        yield GameRecord(position.rules, (DealRecord(number, position, placed, notes),))


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise bad(f"not UTF-8: byte {error.start} cannot be read") from None


@dataclass(frozen=True)
class _Fields:
    """The fields of a line in their places; what is left out is empty."""

    hands: Sequence[str]
    upcard: str
    bids: str
    rest: list[str]


def _deal(text: str) -> tuple[Position, list[Fault], str]:
    """The deal of a line, what is wrong with it, and the comment. Raises `InvalidInput` if there is none to be had."""
    told, _, remark = text.partition("#")
    rules, dealer, comment = _remark(remark)
    parts = [part.strip() for part in told.split("|")]
    if len(parts) < len(Seat) + 1:
        raise bad(f"a line has {len(Seat)} hands and an upcard, then bids and tricks, with a bar between them")
    if not parts[-1]:
        parts.pop()
    if len(parts) > _MOST_FIELDS:
        raise bad(f"{len(parts)} fields, a line has no more than {_MOST_FIELDS}")
    fields = _Fields(parts[:4], parts[4] if len(parts) > 4 else "", parts[5] if len(parts) > 5 else "", parts[6:])
    cards = _Cards()
    seats = rules.seating.from_seat(rules.seating.left_of(dealer))
    hands = {
        seat: cards.all(text, "hands", at) for at, (seat, text) in enumerate(zip(seats, fields.hands, strict=True))
    }
    upcard = cards.one(fields.upcard, "upcard")
    bids = _bids(fields.bids)
    auction = Auction(rules, dealer, upcard, bids)
    discard = None
    if auction.takes_upcard and fields.rest:
        thrown = fields.rest.pop(0)
        discard = cards.one(thrown, "discard") if thrown else None
    if auction.contract is not None and fields.rest and fields.rest[0].upper() in ("L", _OUT):
        alone = fields.rest.pop(0).upper() == "L"
        bids = (*bids[:-1], replace(bids[-1], alone=alone))
    tricks = [cards.with_gaps(trick, "tricks", at) for at, trick in enumerate(fields.rest)]
    refuse(cards.faults)
    twice = [Fault("card.duplicate", f"{hand[0]} is twice in one hand", ("hands", at)) for at, hand in _doubles(hands)]
    refuse(twice)
    deal = Deal(rules, dealer, upcard, hands_of({seat: CardSet.of(hand) for seat, hand in hands.items() if hand}))
    position = Position(deal, bids, None, discard)
    plays, faults = _plays(position, tricks)
    position = completed(replace(position, plays=plays))
    return position, [*faults, *recorded_faults(position)], comment


def _doubles(hands: dict[Seat, list[Card]]) -> Iterator[tuple[int, list[Card]]]:
    for at, hand in enumerate(hands.values()):
        double = [card for card in hand if hand.count(card) > 1]
        if double:
            yield at, double


def _remark(text: str) -> tuple[Rules, Seat, str]:
    """Rules, dealer and what else stands after the ``#``."""
    rules, dealer = RULES, DEALER
    for word, value in _WORD.findall(text):
        if len(value) > MAX_LENGTH:
            raise bad(f"{word} is longer than {MAX_LENGTH} signs", (word,))
        try:
            if word == "rules":
                rules = read_rules(value)
            else:
                dealer = read_seat(value)
        except InvalidInput as error:
            raise InvalidInput(Fault(each.code, f"{word}: {each.message}", (word,)) for each in error.faults) from None
    if rules.seats != len(Seat):
        raise bad(f"a line has four hands, and {rules.seats} play by these rules", ("rules",), code="rules.unsupported")
    return rules, dealer, " ".join(_WORD.sub(" ", text).split())


class _Cards:
    """Reads cards; slips are collected, so that all of a line are named together."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def one(self, text: str, *path: str | int) -> Card:
        """The card; any for one that cannot be read, which is a fault now."""
        try:
            return read_card(text)
        except InvalidInput as error:
            self.faults += [fault.under(*path) for fault in error.faults]
            return Card(0)

    def all(self, text: str, *path: str | int) -> list[Card]:
        found, faults = read_each_card(split_cards(text[:_LONGEST]))
        self.faults += [fault.under(*path) for fault in faults]
        if len(found) > HAND_SIZE:
            self.faults.append(Fault("hand.size", f"{len(found)} cards, a hand has {HAND_SIZE}", path))
        return [card for card in found if card is not None]

    def with_gaps(self, text: str, *path: str | int) -> list[Card | None]:
        """The cards of a trick, None for the seat that sits out."""
        if len(text) > _LONGEST:
            text = text[:_LONGEST]
        before, gap, after = text.upper().partition(_OUT)
        cards = [*self.all(before, *path), *([None] if gap else []), *self.all(after, *path)]
        if len(cards) > len(Seat):
            raise bad(f"trick {int(path[-1]) + 1}: {len(cards)} turns, a trick has {len(Seat)}", path)
        return cards


def _bids(text: str) -> tuple[Bid, ...]:
    letters = "".join(text.split()).upper()
    wrong = re.search("[^PTCDHS]", letters)
    if wrong or len(letters) > 2 * len(Seat):
        raise bad(f"bids are up to eight letters of P T C D H S, not {shown(text)}", ("auction",), "bid.unreadable")
    if letters.rstrip("TCDHS") not in (letters, letters[:-1]) or re.search("[TCDHS].", letters):
        raise bad(f"{shown(text)}: bids after the one that ends the auction", ("auction",), code="bid.illegal")
    return tuple(_BIDS[letter] for letter in letters)


def _plays(position: Position, tricks: list[list[Card | None]]) -> tuple[tuple[Card, ...], list[Fault]]:
    """The cards played, and the places of ``P`` that are not those of the seat that sits out."""
    contract, faults = position.contract, []
    if contract is None:
        if tricks:
            raise bad("nothing is played before a contract", ("tricks", 0), code="play.illegal")
        return (), []
    if len(tricks) > HAND_SIZE:
        raise bad(f"{len(tricks)} tricks, a deal has {HAND_SIZE}", ("tricks", HAND_SIZE))
    play = _following(position)
    for at, trick in enumerate(tricks):
        cards = [card for card in trick if card is not None]
        if len(cards) > len(play.active):
            raise bad(f"trick {at + 1}: {len(cards)} cards, but {len(play.active)} play", ("tricks", at))
        if len(cards) < len(play.active) and at + 1 < len(tricks):
            raise bad(f"trick {at + 1}: {len(cards)} of {len(play.active)} cards, and another follows", ("tricks", at))
        gap = _gap(play, contract, position)
        if None in trick and trick.index(None) != gap:
            what = f"the turn of {contract.sitting_out}, who sits out" if gap is not None else "no turn: all play"
            message = f"trick {at + 1}: there is a P at place {trick.index(None) + 1}, which is not {what}"
            faults.append(Fault("log.inconsistent", message, ("tricks", at)))
        for card in cards:
            if card not in position.rules.cards:
                raise bad(f"{card} is not in the deck of {position.rules.deck} cards", ("tricks", at), "card.foreign")
            play.push(card)
    return tuple(card for trick in tricks for card in trick if card is not None), faults


def _following(position: Position) -> Play:
    """A play in which anybody may play any card: only whose turn it is matters."""
    play, contract = position.start(), position.contract
    assert contract is not None
    return Play(play.order, play.seating, (None,) * len(Seat), contract.leader, contract.sitting_out)


def _gap(play: Play, contract: Contract, position: Position) -> int | None:
    """At which place of the trick under way the seat that sits out would have its turn; None if all play.

    Turns go round from whoever leads. In the first trick they go round from the dealer's left, who may be sitting out.
    """
    out, dealer = contract.sitting_out, position.deal.dealer
    if out is None:
        return None
    seating = position.rules.seating
    if (
        not play.tricks
        and dealer is not None
        and out == seating.left_of(dealer)
        and play.leader == seating.left_of(out)
    ):
        return 0
    return seating.from_seat(play.leader).index(out)


# -- writing -----------------------------------------------------------------------------------------------------------


def write(games: Iterable[GameRecord], stream: BinaryIO) -> None:
    """One line a deal. Raises `InvalidInput` for a game with deals that a line cannot hold."""
    write_deals(games, stream, lambda _, record: f"{_line(record)}\n".encode())


def _line(record: DealRecord) -> str:
    position, rules = completed(record.position), record.position.rules
    if rules.seats != len(Seat):
        raise _unwritable(f"a deal of {rules.seats} seats")
    auction = position.auction
    if auction is None:
        raise _unwritable("a deal without its upcard")
    if any(bid != PASS for bid in position.bids[:-1]):
        raise _unwritable("bids after the one that ends the auction")
    seats = rules.seating.from_seat(rules.seating.left_of(auction.dealer))
    fields = [_cards(position.deal.hands[seat] or ()) for seat in seats]
    fields += [_cards([auction.upcard]), "".join(_LETTERS[Bid(bid.call, bid.suit)] for bid in position.bids)]
    contract = auction.contract
    if contract is not None:
        if auction.takes_upcard:
            fields.append(_cards([] if position.discard is None else [position.discard]))
        fields += ["L" if contract.alone else _OUT, *_tricks(position, contract)]
    text = "|".join(fields) + _written_remark(record, auction.dealer)
    # Records may hold anything; the reader knows best what a line can say.
    try:
        read_back, _, _ = _deal(text)
    except InvalidInput as error:
        raise _unwritable(f"this deal: {'; '.join(fault.message for fault in error.faults)}") from None
    if read_back != position:
        raise _unwritable("this deal as it is")
    return text


def _unwritable(what: str) -> InvalidInput:
    return InvalidInput([unwritable("line", what)])


def _cards(cards: Iterable[Card]) -> str:
    return "".join(str(card)[0] + str(card)[1].lower() for card in cards)


def _tricks(position: Position, contract: Contract) -> Iterator[str]:
    play, rest = _following(position), list(position.plays)
    while rest:
        turns, rest = rest[: len(play.active)], rest[len(play.active) :]
        gap = _gap(play, contract, position)
        texts = [_cards([card]) for card in turns]
        if gap is not None and gap <= len(texts):
            texts.insert(gap, _OUT)
        play.advance(turns)
        yield "".join(texts)


def _written_remark(record: DealRecord, dealer: Seat) -> str:
    words = [f"dealer={dealer}"] if dealer != DEALER else []
    rules, comment = record.position.rules, record.notes.get("comment")
    words += [f"rules={write_rules(rules)}"] if rules != RULES else []
    if isinstance(comment, str) and comment == " ".join(_WORD.sub(" ", comment).split()):
        words += [comment] if comment else []
    return f"  # {' '.join(words)}" if words else ""
