"""A document read: its header, and its deals one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import BinaryIO, Final

from solver.errors import Fault, InvalidInput
from solver.game.auction import Auction
from solver.game.cards import CardSet
from solver.game.position import Position
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import Rules
from solver.game.seats import Seat, Side
from solver.logs.egn.binary import is_binary, unpack
from solver.logs.egn.bits import unpack_deal
from solver.logs.egn.cards import Cards
from solver.logs.egn.phases import Phases, bids_of, hands_key, listed_hands, phases_of, tricks_of, until_trump
from solver.logs.egn.ruleset import LONE_LEADS, rules_of
from solver.logs.egn.values import FILE_TYPE, member, optional, renamed, rest, typed
from solver.logs.faults import Path, bad, shown
from solver.logs.rebuild import Told, rebuild
from solver.logs.streams import document_bytes, refuse_wide
from solver.notation.strict_json import Json, loads

#: The format itself takes a hundred.
MOST_DEALS: Final = 10_000


def detect(head: bytes) -> bool:
    """Whether a file that begins like this names the format: a JSON object, or its binary form."""
    return is_binary(head) or (head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and FILE_TYPE.encode() in head)


def read(stream: BinaryIO) -> Iterator[GameRecord]:
    """The game of one document. Raises `InvalidInput` when the document as a whole cannot be read."""
    source = document_bytes(stream)
    if is_binary(source):
        value: Json = unpack(source)
    else:
        refuse_wide(source[:64])
        value = loads(source)
    yield game_of(value)


# -- the document ------------------------------------------------------------------------------------------------------


def game_of(value: Json) -> GameRecord:
    """The game of a JSON document. Raises `InvalidInput` when the document as a whole cannot be read."""
    document: Mapping[str, Json] = typed(renamed(value), dict, (), "the document")
    file_type = document.get("fileType")
    if file_type != FILE_TYPE:
        raise bad(f"fileType is {shown(file_type)}, not {FILE_TYPE!r}", ("fileType",), "log.format")
    version = member(document, "version", str, (), "version")
    if not re.fullmatch(r"1(\.\d+)*", version):
        raise bad(f"version {shown(version)} is not read, only 1.x is", ("version",), "log.format")
    metadata = optional(document, "metadata", dict, (), "metadata") or {}
    ruleset = optional(metadata, "ruleset", dict, ("metadata",), "ruleset") or {}
    deals = member(document, "deals", list, (), "deals")
    if len(deals) > MOST_DEALS:
        raise bad(f"{len(deals)} deals, one game has no more than {MOST_DEALS}", ("deals",))

    rules, faults = rules_of(ruleset)
    title, players = _title(metadata, faults), _players(metadata, faults)
    score = _initial_score(rules, metadata, faults)
    records: list[DealRecord] = []
    for at, deal in enumerate(deals):
        try:
            records.append(_deal(rules, deal, at))
        except InvalidInput as error:
            faults += [fault.under("deals", at) for fault in error.faults]
    notes = {**rest(document, "fileType", "metadata", "deals"), "metadata": metadata}
    return GameRecord(rules, tuple(records), title, players, score, tuple(faults), notes)


def _title(metadata: Mapping[str, Json], faults: list[Fault]) -> str:
    title = metadata.get("title")
    if title is None or isinstance(title, str):
        return title or ""
    faults.append(Fault("log.record", f"title is a text, not {shown(title)}", ("metadata", "title")))
    return ""


def _players(metadata: Mapping[str, Json], faults: list[Fault]) -> dict[Seat, str]:
    """The names; a player may be an object that has other things beside the name."""
    listed = metadata.get("players", [])
    if isinstance(listed, list) and len(listed) <= len(Seat):
        names = [each.get("name") if isinstance(each, dict) else each for each in listed]
        if all(isinstance(name, str) for name in names):
            return {Seat(at): str(name) for at, name in enumerate(names)}
    message = f"players is a list of up to four names, not {shown(listed)}"
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
    message = f"initialScore is a list of two whole numbers from 0, not {shown(score)}"
    faults.append(Fault("log.record", message, ("metadata", "initialScore")))
    return {}


# -- one deal ----------------------------------------------------------------------------------------------------------


def _deal(rules: Rules, deal: Json, at: int) -> DealRecord:
    """The record of one deal, paths of its faults from the document.

    Raises `InvalidInput`, with paths from the deal, if there is no record to be had.
    """
    name = f"deal {at + 1}"
    node = _condensed(deal, at, name) if isinstance(deal, str) else typed(deal, dict, (), name)
    state = member(node, "initialState", dict, (), f"{name}: initialState")
    dealer_number = member(state, "dealer", int, ("initialState",), f"{name}: dealer")
    if dealer_number not in range(len(Seat)):
        raise bad(f"{name}: dealer is a seat from 0 to 3, not {shown(dealer_number)}", ("initialState", "dealer"))
    dealer = Seat(dealer_number)
    cards = Cards(rules, name)
    upcard = cards.one(member(state, "upCard", str, ("initialState",), f"{name}: upCard"), ("initialState", "upCard"))
    cards.refuse()
    phases = phases_of(node, name)

    bids, bid_faults = bids_of(rules, dealer, upcard, phases, name)
    auction = Auction(rules, dealer, upcard, until_trump(bids))
    cards.trump = auction.contract.trump if auction.contract is not None else None
    # Who plays is as the calls say, legal or not: the number of cards in a trick depends on it.
    alone = auction.contract is not None and auction.contract.alone
    seats = rules.seats - 1 if alone else rules.seats
    tricks = tricks_of(phases, seats, cards, name)
    discard = optional(phases.bidding, "discard", str, phases.bidding_path, f"{name}: discard") or None
    exchanges = phases.bidding.get("card_exchanges") or phases.bidding.get("cardExchanges")
    if exchanges:
        message = f"{name}: cards were exchanged (call for best, or a farmer's hand), which is not supported"
        raise bad(message, (*phases.bidding_path, "card_exchanges"), "rules.unsupported")
    defender = optional(phases.bidding, "aloneDefender", int, phases.bidding_path, f"{name}: aloneDefender")
    if defender is not None and defender >= 0:
        message = f"{name}: a defender plays alone, which is not supported"
        raise bad(message, (*phases.bidding_path, "aloneDefender"), "rules.unsupported")

    told = Told(
        rules,
        dealer,
        upcard,
        bids,
        tuple(card for trick in tricks for card in trick),
        cards.one(discard, (*phases.bidding_path, "discard")) if discard is not None else None,
        listed_hands(state, dealer, upcard, auction.takes_upcard, cards, name),
        CardSet.of(cards.known(state.get("kitty"), ("initialState", "kitty"))),
    )
    cards.refuse()
    position, faults = rebuild(told)
    plays = tuple((row, place) for row, trick in enumerate(tricks) for place in range(len(trick)))
    places = _Places(phases, plays, hands_key(state))
    faults = [*bid_faults, *(places.of(fault) for fault in faults), *_lead_faults(phases, position, name)]
    faults += _other_lone_lead(told, position, faults, phases, name)
    notes = {
        **rest(node, "initialState", "phases"),
        "initialState": rest(state, "dealer", "upCard"),
        "bidding": rest(phases.bidding, "type", "phaseNumber", *([] if faults else ["calls", "isAlone"])),
        "play": rest(phases.play, "type", "phaseNumber", *([] if faults else ["tricks"])),
    }
    kept = {key: value for key, value in notes.items() if value != {}}
    named = tuple(Fault(fault.code, f"{name}: {fault.message}", fault.path).under("deals", at) for fault in faults)
    return DealRecord(at + 1, position, named, kept)


def _condensed(text: str, at: int, name: str) -> dict[str, Json]:
    try:
        return unpack_deal(text, at)
    except InvalidInput as error:
        raise InvalidInput(Fault(fault.code, f"{name}: {fault.message}", ()) for fault in error.faults) from None


@dataclass(frozen=True)
class _Places:
    """Where the things of a rebuilt deal stand in the document: ``plays`` has row and column of every card."""

    phases: Phases
    plays: tuple[tuple[int, int], ...]
    hands: str

    def of(self, fault: Fault) -> Fault:
        match fault.path:
            case ("auction", at):
                path: Path = (*self.phases.bidding_path, "calls", at)
            case ("plays", int(at)):
                path = (*self.phases.play_path, "tricks", *self.plays[at])
            case ("discard",):
                path = (*self.phases.bidding_path, "discard")
            case ("hands", str(seat)):
                path = ("initialState", self.hands, Seat[seat].value)
            case ("kitty",):
                path = ("initialState", "kitty")
            case _:
                path = fault.path
        return Fault(fault.code, fault.message, path)


def _lead_faults(phases: Phases, position: Position, name: str) -> list[Fault]:
    """That ``initialLead``, where given, is who leads by the rules."""
    lead = optional(phases.play, "initialLead", int, phases.play_path, f"{name}: initialLead")
    contract = position.contract
    if lead is None or contract is None or lead == contract.leader:
        return []
    said = Seat(lead).name if lead in range(len(Seat)) else str(lead)
    message = f"initialLead is {lead} ({said}), but {contract.leader} leads by the rules of this game"
    return [Fault("log.inconsistent", message, (*phases.play_path, "initialLead"))]


def _other_lone_lead(told: Told, position: Position, faults: list[Fault], phases: Phases, name: str) -> list[Fault]:
    """Whether a lone deal with faults has none when the first lead follows the other rule that a header can name.

    The format stores no leader. A wrong rule in the header moves all cards by as many seats, so each hand stays
    together and nobody revokes for that; but the upcard, a listed hand or ``initialLead`` turns up at the wrong seat.
    """
    contract = position.contract
    if contract is None or not contract.alone or not faults or told.rules.lone_lead not in LONE_LEADS:
        return []
    (other,) = (each for each in LONE_LEADS if each != told.rules.lone_lead)
    moved, moved_faults = rebuild(replace(told, rules=replace(told.rules, lone_lead=other)))
    leader = moved.contract.leader if moved.contract is not None else contract.leader
    if leader == contract.leader or moved_faults or _lead_faults(phases, moved, name):
        return []
    message = (
        f"it has faults under loner_lead = {LONE_LEADS[told.rules.lone_lead]}, where {contract.leader} leads, and "
        f"none under {LONE_LEADS[other]}, where {leader} leads: the header seems to name the wrong rule"
    )
    return [Fault("log.inconsistent", message, phases.play_path)]
