"""Euchre Game Notation: one JSON document a game, versions 1.x.

How it maps:

- Seats 0-3 are N E S W. Calls go from the dealer's left: ``Pass`` (``p``), ``Order`` (``o``), a suit letter;
  ``isAlone`` belongs to the last one. Tricks list cards as they were played; who led follows from the rules, and
  ``initialLead`` (1.0), where it is given, must agree.
- Cards are rank and suit (``Th``, ``Nc`` for a nine), ``R`` and ``L`` for the bowers, ``B`` for the Benny; ``""`` and
  cards with an ``X`` are not known and may stand only in the kitty and in ``player_cards``.
- Hands are as dealt where they are listed (``player_cards``; ``playerCards`` since 1.5) and follow from the play
  otherwise, see `solver.logs.rebuild`.
- ``ruleset`` keys map onto options by `_OPTIONS`. A value that is not known is a fault and leaves the default; a known
  way to play that is not supported refuses the file.

What is not part of the play stays in ``notes`` under the names of the format: of the document (``version``,
``metadata`` with its ``ruleset``, …), and of each deal (``dealNumber``, ``alternativeLines``, …; ``initialState``,
``bidding`` and ``play`` hold the rest of the state and of the two phases; the phases of a deal with faults stand there
in full).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import BinaryIO, Final, TypeVar

from solver.errors import Fault, InvalidInput
from solver.game.auction import Auction, Bid, Call
from solver.game.cards import BENNY, HAND_SIZE, Card, CardSet, Rank, Suit
from solver.game.position import Position
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import Rules, with_options
from solver.game.seats import Seat, Side
from solver.logs import streams
from solver.logs.rebuild import Told, rebuild
from solver.notation.codes import read_bid, read_card
from solver.notation.strict_json import Json, loads

FILE_TYPE = "Euchre Game Notation"

Path = tuple[str | int, ...]
_T = TypeVar("_T")


def detect(head: bytes) -> bool:
    """Whether a file that begins like this is a JSON object that names the format."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and FILE_TYPE.encode() in head


def read(stream: BinaryIO) -> Iterator[GameRecord]:
    """The game of one document. Raises `InvalidInput` when the document as a whole cannot be read."""
    document = _typed(loads(streams.document(stream)), dict, (), "the document")
    yield _game(document)


# -- values of the right type ------------------------------------------------------------------------------------------

_KINDS: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    bool: "true or false",
}


def _bad(message: str, path: Path, code: str = "log.record") -> InvalidInput:
    return InvalidInput([Fault(code, message, path)])


def _shown(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 40 else text[:36] + "..."


def _typed(value: object, kind: type[_T], path: Path, what: str) -> _T:
    # A bool is an int in Python: `"dealer": true` must not pass for seat 1.
    if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
        return value
    raise _bad(f"{what} is {_KINDS[kind]}, not {_shown(value)}", path)


def _member(node: Mapping[str, object], key: str, kind: type[_T], path: Path, what: str) -> _T:
    if key not in node:
        raise _bad(f"{what} is missing", (*path, key))
    return _typed(node[key], kind, (*path, key), what)


def _optional(node: Mapping[str, object], key: str, kind: type[_T], path: Path, what: str) -> _T | None:
    return _typed(node[key], kind, (*path, key), what) if node.get(key) is not None else None


def _rest(node: Mapping[str, Json], *consumed: str) -> dict[str, Json]:
    return {key: value for key, value in node.items() if key not in consumed}


# -- the document ------------------------------------------------------------------------------------------------------


def _game(document: Mapping[str, Json]) -> GameRecord:
    file_type = document.get("fileType")
    if file_type != FILE_TYPE:
        raise _bad(f"fileType is {_shown(file_type)}, not {FILE_TYPE!r}", ("fileType",), "log.format")
    version = _member(document, "version", str, (), "version")
    if not re.fullmatch(r"1(\.\d+)*", version):
        raise _bad(f"version {_shown(version)} is not read, only 1.x is", ("version",), "log.format")
    metadata = _optional(document, "metadata", dict, (), "metadata") or {}
    ruleset = _optional(metadata, "ruleset", dict, ("metadata",), "ruleset") or {}
    deals = _member(document, "deals", list, (), "deals")

    rules, faults = _rules(ruleset)
    title, players = _title(metadata, faults), _players(metadata, faults)
    score = _initial_score(rules, metadata, faults)
    records: list[DealRecord] = []
    for at, deal in enumerate(deals):
        try:
            records.append(_deal(rules, deal, at))
        except InvalidInput as error:
            faults += [fault.under("deals", at) for fault in error.faults]
    notes = {**_rest(document, "fileType", "metadata", "deals"), "metadata": metadata}
    return GameRecord(rules, tuple(records), title, players, score, tuple(faults), notes)


def _title(metadata: Mapping[str, Json], faults: list[Fault]) -> str:
    title = metadata.get("title")
    if title is None or isinstance(title, str):
        return title or ""
    faults.append(Fault("log.record", f"title is a text, not {_shown(title)}", ("metadata", "title")))
    return ""


def _players(metadata: Mapping[str, Json], faults: list[Fault]) -> dict[Seat, str]:
    names = metadata.get("players", [])
    if isinstance(names, list) and len(names) <= len(Seat) and all(isinstance(name, str) for name in names):
        return {Seat(at): str(name) for at, name in enumerate(names)}
    message = f"players is a list of up to four names, not {_shown(names)}"
    faults.append(Fault("log.record", message, ("metadata", "players")))
    return {}


def _initial_score(rules: Rules, metadata: Mapping[str, Json], faults: list[Fault]) -> dict[Side, int]:
    score = metadata.get("initialScore")
    if score is None:
        return {}
    sides = rules.seating.sides
    if isinstance(score, list) and len(score) == len(sides):
        points = [each for each in score if isinstance(each, int) and not isinstance(each, bool) and each >= 0]
        if len(points) == len(sides):
            return dict(zip(sides, points, strict=True))
    message = f"initialScore is a list of two whole numbers from 0, not {_shown(score)}"
    faults.append(Fault("log.record", message, ("metadata", "initialScore")))
    return {}


# -- ruleset -----------------------------------------------------------------------------------------------------------

#: Key -> value -> options. Where a key is missing, the first value holds.
_OPTIONS: Final[Mapping[str, Mapping[Json, Mapping[str, str | bool]]]] = {
    "std": {True: {"stick_the_dealer": True}, False: {"stick_the_dealer": False}},
    "canadian": {False: {"dealers_partner": "free"}, True: {"dealers_partner": "alone_if_ordering"}},
    "loner_lead": {"LEFT_OF_DEALER": {"lone_lead": "dealer_left"}, "LEFT_OF_LONER": {"lone_lead": "maker_left"}},
    "allow_no_trump": {False: {}, True: {"no_trump": True}},
    "partners_best": {False: {}, True: {"call_for_best": True}},
    "defend_alone": {False: {}, True: {"defend_alone": "against_loner"}},
}
_LONE_LEADS: Final = {"dealer_left": "LEFT_OF_DEALER", "maker_left": "LEFT_OF_LONER"}

#: Least rank -> the deck without and with the Benny; None where there is no such deck.
_DECKS: Final = {9: (24, 25), 8: (28, None), 7: (32, 33)}

#: House rules for which `Rules` has no option.
_UNPLAYABLE: Final = ("farmer", "farmers", "go_under", "fast_break", "four_trick_tokens")


def _rules(ruleset: Mapping[str, Json]) -> tuple[Rules, list[Fault]]:
    """The rules that the ruleset names, and its values that are not known."""
    faults: list[Fault] = []
    options: dict[str, object] = {}
    source: dict[str, str] = {}  # option -> the key that asked for it
    values = {_snake(key): (key, value) for key, value in ruleset.items()}

    def unknown(key: str, value: Json) -> None:
        message = f"ruleset {_shown(key)} = {_shown(value)} is not known"
        faults.append(Fault("rules.unknown", message, ("metadata", "ruleset", key)))

    for name, meanings in _OPTIONS.items():
        first = next(iter(meanings))
        key, value = values.pop(name, (name, first))
        if not isinstance(value, type(first)) or value not in meanings:
            unknown(key, value)
            value = first
        options |= meanings[value]
        source |= dict.fromkeys(meanings[value], key)

    rank_key, rank = values.pop("min_rank", ("min_rank", 9))
    benny_key, benny = values.pop("jokers" if "jokers" in values else "joker", ("joker", False))
    if isinstance(rank, bool) or not isinstance(rank, int) or rank not in _DECKS:
        unknown(rank_key, rank)
        rank = 9
    if not isinstance(benny, (bool, int)) or benny not in (0, 1):
        unknown(benny_key, benny)
        benny = False
    options["deck"], source["deck"] = _DECKS[rank][bool(benny)], rank_key
    if "winning_score" in values:
        source["target"], options["target"] = values.pop("winning_score")

    for name, (key, value) in values.items():
        if value is False or value is None:
            continue
        if name in _UNPLAYABLE:
            message = f"ruleset {key} = {_shown(value)} is a way to play that is not supported"
            raise _bad(message, ("metadata", "ruleset", key), "rules.unsupported")
        unknown(key, value)
    try:
        return with_options(Rules(), options), faults
    except InvalidInput as error:
        raise InvalidInput(
            Fault(
                fault.code, fault.message, ("metadata", "ruleset", source.get(str(fault.path[0]), str(fault.path[0])))
            )
            for fault in error.faults
        ) from None


def _snake(key: str) -> str:
    """Later versions write keys in camel case."""
    return re.sub(r"(?<=[a-z])[A-Z]", lambda match: "_" + match[0].lower(), key)


# -- one deal ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Phases:
    """The two phases of a deal and where they stand."""

    bidding: Mapping[str, Json]
    bidding_path: Path
    play: Mapping[str, Json]
    play_path: Path


def _deal(rules: Rules, deal: Json, at: int) -> DealRecord:
    """The record of one deal, paths of its faults from the document.

    Raises `InvalidInput`, with paths from the deal, if there is no record to be had.
    """
    name = f"deal {at + 1}"
    if isinstance(deal, str):
        raise _bad(f"{name} is in the condensed form, which is not read", ())
    node = _typed(deal, dict, (), name)
    state = _member(node, "initialState", dict, (), f"{name}: initialState")
    dealer_number = _member(state, "dealer", int, ("initialState",), f"{name}: dealer")
    if dealer_number not in range(len(Seat)):
        raise _bad(f"{name}: dealer is a seat from 0 to 3, not {_shown(dealer_number)}", ("initialState", "dealer"))
    dealer = Seat(dealer_number)
    cards = _Cards(rules, name)
    upcard = cards.one(_member(state, "upCard", str, ("initialState",), f"{name}: upCard"), ("initialState", "upCard"))
    cards.refuse()
    phases = _phases(node, name)

    bids, bid_faults = _bids(rules, dealer, upcard, phases, name)
    auction = Auction(rules, dealer, upcard, _until_trump(bids))
    cards.trump = auction.contract.trump if auction.contract is not None else None
    # Who plays is as the calls say, legal or not: the number of cards in a trick depends on it.
    alone = auction.contract is not None and auction.contract.alone
    seats = rules.seats - 1 if alone else rules.seats
    tricks = _tricks(phases, seats, cards, name)
    discard = _optional(phases.bidding, "discard", str, phases.bidding_path, f"{name}: discard") or None
    exchanges = phases.bidding.get("card_exchanges") or phases.bidding.get("cardExchanges")
    if exchanges:
        message = f"{name}: cards were exchanged (call for best, or a farmer's hand), which is not supported"
        raise _bad(message, (*phases.bidding_path, "card_exchanges"), "rules.unsupported")

    told = Told(
        rules,
        dealer,
        upcard,
        bids,
        tuple(card for trick in tricks for card in trick),
        cards.one(discard, (*phases.bidding_path, "discard")) if discard is not None else None,
        _listed_hands(state, dealer, upcard, auction.takes_upcard, cards, name),
        CardSet.of(cards.known(state.get("kitty"), ("initialState", "kitty"))),
    )
    cards.refuse()
    position, faults = rebuild(told)
    places = _Places(phases, tuple((row, place) for row, trick in enumerate(tricks) for place in range(len(trick))))
    faults = [*bid_faults, *(places.of(fault) for fault in faults), *_lead_faults(phases, position, name)]
    faults += _other_lone_lead(told, position, faults, phases, name)
    notes = {
        **_rest(node, "initialState", "phases"),
        "initialState": _rest(state, "dealer", "upCard"),
        "bidding": _rest(phases.bidding, "type", "phaseNumber", *([] if faults else ["calls", "isAlone"])),
        "play": _rest(phases.play, "type", "phaseNumber", *([] if faults else ["tricks"])),
    }
    kept = {key: value for key, value in notes.items() if value != {}}
    named = tuple(Fault(fault.code, f"{name}: {fault.message}", fault.path).under("deals", at) for fault in faults)
    return DealRecord(at + 1, position, named, kept)


class _Cards:
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
        texts = _typed(listed, list, path, f"{self.name}: {path[-1]}")
        return [
            self.one(text, (*path, at))
            for at, each in enumerate(texts)
            if (text := _typed(each, str, (*path, at), f"{self.name}: a card")) and "X" not in text.upper()
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


def _phases(node: Mapping[str, Json], name: str) -> _Phases:
    phases = _member(node, "phases", list, (), f"{name}: phases")
    found: dict[str, tuple[Mapping[str, Json], Path]] = {}
    for at, each in enumerate(phases):
        path: Path = ("phases", at)
        phase = _typed(each, dict, path, f"{name}: phase {at + 1}")
        kind = _member(phase, "type", str, path, f"{name}: the type of phase {at + 1}")
        if kind not in ("EUCHRE_BIDDING", "TRICK_PLAY"):
            raise _bad(f"{name}: a phase of type {_shown(kind)} is not supported", (*path, "type"), "rules.unsupported")
        if kind in found:
            raise _bad(f"{name}: a second phase of type {kind}", path)
        found[kind] = phase, path
    if "EUCHRE_BIDDING" not in found:
        raise _bad(f"{name}: the phase EUCHRE_BIDDING is missing", ("phases",))
    bidding, bidding_path = found["EUCHRE_BIDDING"]
    play, play_path = found.get("TRICK_PLAY", ({}, ("phases",)))
    return _Phases(bidding, bidding_path, play, play_path)


# -- bidding -----------------------------------------------------------------------------------------------------------

_SHORT_CALLS: Final = {"P": "pass", "O": "order"}
_BID_OF_TRICKS = re.compile(r"\s*\d.*", re.DOTALL)


def _bids(rules: Rules, dealer: Seat, upcard: Card, phases: _Phases, name: str) -> tuple[tuple[Bid, ...], list[Fault]]:
    path = (*phases.bidding_path, "calls")
    calls = _member(phases.bidding, "calls", list, phases.bidding_path, f"{name}: calls")
    auction = Auction(rules, dealer, upcard)
    bids: list[Bid] = []
    for at, call in enumerate(calls):
        if (isinstance(call, (int, float)) and not isinstance(call, bool)) or (
            isinstance(call, str) and _BID_OF_TRICKS.fullmatch(call)
        ):
            message = f"{name}: call {at + 1} bids {_shown(call)}; bid euchre is not supported"
            raise _bad(message, (*path, at), "rules.unsupported")
        text = _typed(call, str, (*path, at), f"{name}: call {at + 1}")
        if text.strip().upper() in ("N", "NT"):
            raise _bad(
                f"{name}: call {at + 1} names no-trump, which is not supported", (*path, at), "rules.unsupported"
            )
        first_round = auction.round(at) == 1 and not auction.dealer_names
        try:
            bids.append(
                read_bid(_SHORT_CALLS.get(text.strip().upper(), text), auction.up_suit if first_round else None)
            )
        except InvalidInput as error:
            raise InvalidInput(
                Fault(fault.code, f"{name}: call {at + 1}: {fault.message}", (*path, at)) for fault in error.faults
            ) from None
    alone = _optional(phases.bidding, "isAlone", bool, phases.bidding_path, f"{name}: isAlone")
    faults: list[Fault] = []
    if alone and (not bids or bids[-1].call == Call.PASS):
        message = "isAlone, but the last call makes nobody the maker"
        faults.append(Fault("log.inconsistent", message, (*phases.bidding_path, "isAlone")))
    elif alone:
        bids[-1] = replace(bids[-1], alone=True)
    return tuple(bids), faults


def _until_trump(bids: tuple[Bid, ...]) -> tuple[Bid, ...]:
    """The bids up to the first that names trump; a log may have more."""
    passes = len(list(takewhile(lambda bid: bid.call == Call.PASS, bids)))
    return bids[: passes + 1]


def _listed_hands(
    state: Mapping[str, Json], dealer: Seat, upcard: Card, takes_upcard: bool, cards: _Cards, name: str
) -> dict[Seat, CardSet]:
    """The hands that are listed in full, as dealt: a dealer may be listed with the upcard as a sixth card."""
    key = "playerCards" if "playerCards" in state else "player_cards"
    path: Path = ("initialState", key)
    lists = _optional(state, key, list, ("initialState",), f"{name}: {key}") or []
    if len(lists) > len(Seat):
        raise _bad(f"{name}: {key} lists {len(lists)} hands, there are four seats", path)
    all_listed = [cards.known(each, (*path, at)) for at, each in enumerate(lists)]
    cards.refuse()
    hands: dict[Seat, CardSet] = {}
    for at, listed in enumerate(all_listed):
        seat, hand = Seat(at), CardSet.of(listed)
        may_be_six = takes_upcard and seat == dealer and upcard in hand
        if len(listed) > HAND_SIZE + may_be_six or len(hand) < len(listed):
            slip = "a card twice" if len(hand) < len(listed) else f"{len(listed)} cards"
            raise _bad(f"{name}: {seat} is listed with {slip}", (*path, at), "hand.size")
        if may_be_six:
            hand = hand.without(upcard)
        if len(hand) == HAND_SIZE:
            hands[seat] = hand
    return hands


# -- play --------------------------------------------------------------------------------------------------------------


def _tricks(phases: _Phases, seats: int, cards: _Cards, name: str) -> list[list[Card]]:
    """The cards by trick. All tricks but the last have one card of each of the ``seats`` that play."""
    path = (*phases.play_path, "tricks")
    rows = _optional(phases.play, "tricks", list, phases.play_path, f"{name}: tricks") or []
    if len(rows) > HAND_SIZE:
        raise _bad(f"{name}: {len(rows)} tricks, a deal has {HAND_SIZE}", path)
    tricks: list[list[Card]] = []
    place_of: dict[Card, int] = {}
    for row, each in enumerate(rows):
        here, where = (*path, row), f"trick {row + 1}"
        texts = _typed(each, list, here, f"{name}, {where}")
        if len(texts) > seats:
            raise _bad(f"{name}, {where}: {len(texts)} cards, but {seats} play", here)
        if texts and tricks and len(tricks[-1]) < seats:
            short = len(tricks)
            raise _bad(f"{name}, trick {short}: {len(tricks[-1])} of {seats} cards, and another trick follows", here)
        trick: list[Card] = []
        for place, text in enumerate(texts):
            at = (*here, place)
            slips = len(cards.faults)
            card = cards.one(_typed(text, str, at, f"{name}, {where}: a card"), at, where)
            trick.append(card)
            if len(cards.faults) > slips:
                continue
            if place_of.get(card) == row:
                message = f"{name}, {where}: {card} is there twice; two decks (double-deck euchre) are not supported"
                cards.faults.append(Fault("rules.unsupported", message, at))
            elif card in place_of:
                message = f"{name}, {where}: {card} was played in trick {place_of[card] + 1} already"
                cards.faults.append(Fault("card.duplicate", message, at))
            place_of.setdefault(card, row)
        tricks.append(trick)
    return tricks


@dataclass(frozen=True)
class _Places:
    """Where the things of a rebuilt deal stand in the document: ``plays`` has row and column of every card."""

    phases: _Phases
    plays: tuple[tuple[int, int], ...]

    def of(self, fault: Fault) -> Fault:
        match fault.path:
            case ("auction", at):
                path: Path = (*self.phases.bidding_path, "calls", at)
            case ("plays", int(at)):
                path = (*self.phases.play_path, "tricks", *self.plays[at])
            case ("discard",):
                path = (*self.phases.bidding_path, "discard")
            case ("hands", str(seat)):
                path = ("initialState", "player_cards", Seat[seat].value)
            case ("kitty",):
                path = ("initialState", "kitty")
            case _:
                path = fault.path
        return Fault(fault.code, fault.message, path)


def _lead_faults(phases: _Phases, position: Position, name: str) -> list[Fault]:
    """That ``initialLead``, where given, is who leads by the rules."""
    lead = _optional(phases.play, "initialLead", int, phases.play_path, f"{name}: initialLead")
    contract = position.contract
    if lead is None or contract is None or lead == contract.leader:
        return []
    said = Seat(lead).name if lead in range(len(Seat)) else str(lead)
    message = f"initialLead is {lead} ({said}), but {contract.leader} leads by the rules of this game"
    return [Fault("log.inconsistent", message, (*phases.play_path, "initialLead"))]


def _other_lone_lead(told: Told, position: Position, faults: list[Fault], phases: _Phases, name: str) -> list[Fault]:
    """Whether a lone deal with faults has none when the first lead follows the other rule that a header can name.

    The format stores no leader. A wrong rule in the header moves all cards by as many seats, so each hand stays
    together and nobody revokes for that; but the upcard, a listed hand or ``initialLead`` turns up at the wrong seat.
    """
    contract = position.contract
    if contract is None or not contract.alone or not faults or told.rules.lone_lead not in _LONE_LEADS:
        return []
    (other,) = (each for each in _LONE_LEADS if each != told.rules.lone_lead)
    moved, moved_faults = rebuild(replace(told, rules=replace(told.rules, lone_lead=other)))
    leader = moved.contract.leader if moved.contract is not None else contract.leader
    if leader == contract.leader or moved_faults or _lead_faults(phases, moved, name):
        return []
    message = (
        f"it has faults under loner_lead = {_LONE_LEADS[told.rules.lone_lead]}, where {contract.leader} leads, and "
        f"none under {_LONE_LEADS[other]}, where {leader} leads: the header seems to name the wrong rule"
    )
    return [Fault("log.inconsistent", message, phases.play_path)]
