"""Games of OpenSpiel's ``euchre``: lists of its action numbers, one game of one deal a line.

A line is the bare JSON list, or an object with the list as ``history`` and OpenSpiel's name of the game with its
parameters as ``game``. How it maps:

- Seats 0-3 are N E S W, and the first action is the dealer. Cards are ``4 * rank + suit``, ranks from the nine, suits
  C D H S. The next 20 actions deal one card at a time, beginning with the dealer; one more turns the upcard.
- 24 passes; 25-28 name C D H S, the upcard's suit in round 1 being an order. After an order comes the dealer's discard.
  Then the maker plays alone (29) or not (30), and the cards follow.
- ``stick_the_dealer`` (true where it is not given) is the option of that name. A lone maker's deal is led by the
  dealer's left, or the next seat if that one sits out; the dealer may not throw the upcard away; scores are the usual.
- ``allow_lone_defender`` adds decisions of the defenders and is refused: ``defend_alone`` is not supported.

``returns``, where given, must be the points of the deal. ``notes`` keep what else the object has, to be written again.

Written is the bare list where the rules are those of the game by default and there are no notes. What has no action
cannot be written: cards that are not known, an order without its discard, other decks, numbers of seats and leaders.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO

from solver.errors import Fault, InvalidInput, refuse
from solver.game.auction import ORDER, PASS, Auction, Bid, Call
from solver.game.cards import HAND_SIZE, Card, CardSet, Rank, Suit
from solver.game.deal import Deal, hands_of
from solver.game.position import Decision, Position
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import Rules
from solver.game.scoring import net, score
from solver.game.seats import Seat
from solver.logs import streams
from solver.logs.deals import write_deals
from solver.logs.faults import bad, shown, unwritable
from solver.logs.places import on_line
from solver.notation.strict_json import Json, loads

RULES = Rules(stick_the_dealer=True, dealer_may_discard_upcard=False)

_CARDS = range(24)
_PASS = 24
_NAMES = range(25, 29)
_ALONE, _PARTNER = 29, 30
_DEALT = 1 + HAND_SIZE * len(Seat) + 1  # the dealer, the hands, the upcard


def detect(head: bytes) -> bool:
    """Whether the first line that is not empty is a list of numbers, or an object with a history of euchre."""
    lines = head.lstrip(b"\xef\xbb\xbf \t\r\n").splitlines()
    line = lines[0] if lines else b""
    if line.startswith(b"["):
        return re.match(rb"\[\s*\d+\s*(,\s*\d+\s*)*\]\s*$", line) is not None
    if not line.startswith(b"{") or re.search(rb'"history"\s*:\s*\[\s*\d', line) is None:
        return False
    return b'"game"' not in line or re.search(rb'"game"\s*:\s*"euchre\b', line) is not None


def read(stream: BinaryIO) -> Iterator[GameRecord]:
    """One game a line, as it comes. A line that cannot be read gives a game without deals, and its faults."""
    for number, (at, line) in enumerate(streams.lines(stream), 1):
        try:
            if isinstance(line, Fault):
                raise InvalidInput([line])
            yield _game(line, at, number)
        except InvalidInput as error:
            yield GameRecord(RULES, (), faults=tuple(on_line(fault, at) for fault in error.faults))


def _game(line: bytes, at: int, number: int) -> GameRecord:
    value = loads(line)
    if not isinstance(value, (dict, list)):
        raise bad("a game is a list of actions or an object with a history")
    node: dict[str, Json] = value if isinstance(value, dict) else {"history": value}
    rules = _rules(node.get("game", "euchre"))
    history = node.get("history")
    position, offset, faults = _position(rules, history)
    faults += _illegal(position, offset)
    if not faults:
        faults += _wrong_returns(position, node.get("returns"))
    named = (on_line(fault, at) for fault in faults)
    notes = {key: value for key, value in node.items() if key != "history"}
    return GameRecord(rules, (DealRecord(number, position, tuple(named), notes),))


# -- writing -----------------------------------------------------------------------------------------------------------


def write(games: Iterable[GameRecord], stream: BinaryIO) -> None:
    """One line a deal. Raises `InvalidInput` for a game with deals that have no action list."""
    write_deals(games, stream, lambda _, record: _line(record))


def _line(record: DealRecord) -> bytes:
    stick = record.position.rules.stick_the_dealer
    node = {name: value for name, value in record.notes.items() if name != "history"}
    if not _names(node.get("game", "euchre"), stick):
        node["game"] = f"euchre(stick_the_dealer={str(stick).lower()})"
    node["history"] = _history(record.position)
    value = node if len(node) > 1 else node["history"]
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _names(game: object, stick: bool) -> bool:
    """Whether this names a game that is read, with or without stick the dealer."""
    try:
        return _rules(game).stick_the_dealer == stick
    except InvalidInput:
        return False


def _history(position: Position) -> list[int]:
    """The actions of a deal. Raises `InvalidInput` with the reasons why there are none."""
    deal, rules, auction = position.deal, position.rules, position.auction
    if rules.seats != len(Seat) or rules.deck != len(_CARDS):
        raise _unwritable(f"{rules.seats} seats with a deck of {rules.deck} cards")
    if auction is None or deal.upcard is None:
        raise _unwritable("a deal without its upcard")
    unknown = [str(seat) for seat in Seat if len(deal.hands[seat] or ()) != HAND_SIZE]
    if unknown:
        raise _unwritable(f"a hand that is not known in full ({' '.join(unknown)})")
    if auction.takes_upcard and position.discard is None:
        raise _unwritable("an order without the dealer's discard")
    if any(bid != PASS for bid in position.bids[:-1]):
        raise _unwritable("bids after the one that ends the auction")
    in_turn = rules.seating.from_seat(auction.dealer)
    dealt = [card for cards in zip(*(deal.hands[seat] or () for seat in in_turn), strict=True) for card in cards]
    discard = [] if position.discard is None else [position.discard]
    contract = auction.contract
    actions = [
        int(auction.dealer),
        *map(action_of, [*dealt, deal.upcard]),
        *(_action_of_bid(auction, bid) for bid in position.bids),
        *map(action_of, discard),
        *([] if contract is None else [_ALONE if contract.alone else _PARTNER]),
        *map(action_of, position.plays),
    ]
    # Records may hold anything; the reader knows best what a list of actions can say.
    try:
        read_back, _, _ = _position(RULES, list(actions))
    except InvalidInput as error:
        raise _unwritable(f"this deal: {'; '.join(fault.message for fault in error.faults)}") from None
    said = position.bids, contract, position.discard, position.plays
    if (read_back.bids, read_back.contract, read_back.discard, read_back.plays) != said:
        raise _unwritable("another first leader than its own rules have")
    return actions


def _unwritable(what: str) -> InvalidInput:
    return InvalidInput([unwritable("openspiel", what)])


def _action_of_bid(auction: Auction, bid: Bid) -> int:
    suit = auction.up_suit if bid.call == Call.ORDER else bid.suit
    return _PASS if suit is None else _NAMES[suit]


def action_of(card: Card) -> int:
    """The action from 0 to 23 of a card of the deck."""
    return 4 * ((card.index & 7) - Rank.NINE) + (card.index >> 3)


# -- parameters --------------------------------------------------------------------------------------------------------


def _rules(game: object) -> Rules:
    match = re.fullmatch(r"euchre(?:\((?P<parameters>[^()]*)\))?", game) if isinstance(game, str) else None
    if match is None:
        raise bad(f"the game is {shown(game)}, not euchre", ("game",), code="log.format")
    rules, faults = RULES, []
    for parameter in filter(None, (match["parameters"] or "").split(",")):
        name, _, value = (part.strip() for part in parameter.partition("="))
        flag = {"true": True, "false": False}.get(value.lower())
        if flag is None or name not in ("stick_the_dealer", "allow_lone_defender"):
            faults.append(Fault("rules.unknown", f"the parameter {shown(parameter)} is not known", ("game",)))
        elif name == "stick_the_dealer":
            rules = replace(rules, stick_the_dealer=flag)
        elif flag:
            message = "allow_lone_defender needs defend_alone, which is not supported"
            faults.append(Fault("rules.unsupported", message, ("game",)))
    refuse(faults)
    return rules


# -- history -----------------------------------------------------------------------------------------------------------


def card_of(action: int) -> Card:
    """The card of an action from 0 to 23."""
    return Card.of(Rank(Rank.NINE + action // 4), Suit(action % 4))


def _position(rules: Rules, history: Json) -> tuple[Position, int, list[Fault]]:
    """The deal, where in the history its plays begin, and what is odd about its end."""
    if not isinstance(history, list):
        raise bad(f"history is a list of actions, not {shown(history)}", ("history",))
    actions: list[int] = []
    for at, action in enumerate(history):
        if isinstance(action, bool) or not isinstance(action, int) or not 0 <= action <= _PARTNER:
            raise bad(f"an action is a number from 0 to {_PARTNER}, not {shown(action)}", ("history", at))
        actions.append(action)
    auction, deal = _dealt(rules, actions)
    bids, at = _bids(auction, actions)
    position = Position(deal, tuple(bids))
    if not bids or bids[-1].call == Call.PASS:
        if at < len(actions):
            raise bad("actions follow the end of the auction", ("history", at))
        return position, at, []
    discard = None
    if bids[-1].call == Call.ORDER:
        if at == len(actions):
            return _undecided(position, at)
        discard, at = _card(actions, at, "the dealer's discard"), at + 1
    if at == len(actions):
        return _undecided(position, at)
    if actions[at] not in (_ALONE, _PARTNER):
        raise bad(f"the maker chooses {_ALONE} or {_PARTNER}, not {actions[at]}", ("history", at))
    bids[-1] = replace(bids[-1], alone=actions[at] == _ALONE)
    at += 1
    most = HAND_SIZE * (len(Seat) - bids[-1].alone)
    plays = tuple(_card(actions, place, "a play") for place in range(at, len(actions)))
    if len(plays) > most:
        raise bad(f"{len(plays)} cards are played, the deal has {most}", ("history", at + most))
    return replace(position, bids=tuple(bids), discard=discard, plays=plays), at, []


def _undecided(position: Position, at: int) -> tuple[Position, int, list[Fault]]:
    """The position before a bid of which the history does not tell whether it was alone."""
    message = f"the history ends before the maker chose to play alone or not; {position.bids[-1]} is left out"
    return replace(position, bids=position.bids[:-1]), at, [Fault("log.record", message, ("history", at - 1))]


def _dealt(rules: Rules, actions: Sequence[int]) -> tuple[Auction, Deal]:
    if len(actions) < _DEALT:
        raise bad(f"the history ends after {len(actions)} actions, before the upcard is turned", ("history",))
    if actions[0] not in range(len(Seat)):
        raise bad(f"the dealer is a seat from 0 to 3, not {actions[0]}", ("history", 0))
    dealer = Seat(actions[0])
    cards = [_card(actions, at, "a card dealt") for at in range(1, _DEALT)]
    for at, card in enumerate(cards):
        if card in cards[:at]:
            raise bad(f"{card} is dealt twice", ("history", 1 + at), code="card.duplicate")
    in_turn = rules.seating.from_seat(dealer)
    hands = {seat: CardSet.of(cards[at:-1:4]) for at, seat in enumerate(in_turn)}
    return Auction(rules, dealer, cards[-1]), Deal(rules, dealer, cards[-1], hands_of(hands))


def _card(actions: Sequence[int], at: int, what: str) -> Card:
    if actions[at] not in _CARDS:
        raise bad(f"{what} is a card from 0 to 23, not {actions[at]}", ("history", at))
    return card_of(actions[at])


def _bids(auction: Auction, actions: Sequence[int]) -> tuple[list[Bid], int]:
    """The bids, the last one not yet alone, and where they end."""
    bids: list[Bid] = []
    at = _DEALT
    while at < len(actions) and len(bids) < auction.turns:
        action = actions[at]
        if action != _PASS and action not in _NAMES:
            raise bad(f"a bid is a number from {_PASS} to {_NAMES[-1]}, not {action}", ("history", at))
        at += 1
        if action == _PASS:
            bids.append(PASS)
            continue
        suit = Suit(action - _NAMES[0])
        orders = suit == auction.up_suit and auction.round(len(bids)) == 1
        bids.append(ORDER if orders else Bid(Call.NAME, suit))
        break
    return bids, at


# -- what the rules say to it ------------------------------------------------------------------------------------------


def _illegal(position: Position, offset: int) -> list[Fault]:
    """Every breach of the rules, each at its action."""

    def place(fault: Fault) -> tuple[str | int, ...]:
        match fault.path:
            case ("auction", int(at)):
                return "history", _DEALT + at
            case ("discard",):
                return "history", _DEALT + len(position.bids)
            case ("plays", int(at)):
                return "history", offset + at
        return ("history",)

    return [Fault(fault.code, fault.message, place(fault)) for fault in position.problems()]


def _wrong_returns(position: Position, returns: Json) -> list[Fault]:
    """That the points given are those of the deal; of an unfinished one there are none to compare."""
    if returns is None or position.decision != Decision.OVER:
        return []
    points = points_of(position)
    if returns == points:
        return []
    message = f"returns are {shown(returns)}, but the deal gave {points}"
    return [Fault("log.inconsistent", message, ("returns",))]


def points_of(position: Position) -> list[int]:
    """The net points of a deal that is over, by seat: what OpenSpiel returns."""
    contract, sides = position.contract, position.rules.seating.sides
    tricks = position.play().tricks_won() if contract is not None else dict.fromkeys(sides, 0)
    points = score(position.rules, contract, tricks)
    return [net(points, position.rules.seating.side(seat)) for seat in Seat]
