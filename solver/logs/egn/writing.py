"""A game written as a document of version 1.4, the one that the published schema describes.

Only what the format has a place for is written. Of the notes these are, under the names of the format: ``gameId``,
``description``, ``date`` and ``finalScore`` of the ``metadata``, what a player is beside the name, ``dealNumber``,
annotations and alternative lines. Hands are listed only where they do not follow from the play.

Options of the rules that the format has no key for are left out, as long as the deals mean the same without them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO, Final

from solver.errors import Fault, InvalidInput, refuse
from solver.game.auction import Auction, Bid
from solver.game.cards import HAND_SIZE, Card
from solver.game.position import Position
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import Rules
from solver.game.seats import Seat
from solver.logs.egn import extras
from solver.logs.egn.cards import Cards, text_of
from solver.logs.egn.phases import bids_of, call_of, hands_key, phases_of, trick_size, tricks_of, until_trump
from solver.logs.egn.reading import game_of
from solver.logs.egn.ruleset import rules_of, ruleset_of
from solver.logs.egn.values import FILE_TYPE
from solver.logs.faults import unwritable
from solver.logs.rebuild import Told, completed_in_full, rebuild
from solver.notation.strict_json import Json

VERSION: Final = "1.4"
MAX_DEALS: Final = 100

#: Options without which the cards of a deal would mean something else.
_OF_THE_DEAL: Final = ("seats", "deck", "benny_upcard")


def write(games: Iterable[GameRecord], stream: BinaryIO) -> None:
    """One game as one document.

    Raises `InvalidInput` (``log.unwritable``) before anything is written if there are more games than one, or if the
    format has no place for something that the game needs.
    """
    found = list(islice(games, 2))
    if len(found) != 1:
        raise InvalidInput([_fault("more than one game in a file" if found else "a file without a game")])
    stream.write((json.dumps(document(found[0]), ensure_ascii=False, indent=1) + "\n").encode())


def document(game: GameRecord) -> dict[str, Json]:
    """The game as a JSON document. Raises `InvalidInput` (``log.unwritable``) with all that it has no place for."""
    metadata = extras.noted(game.notes.get("metadata"))
    ruleset = ruleset_of(game.rules, extras.noted(metadata.get("ruleset")))
    rules, _ = rules_of(ruleset)
    faults = [
        _fault(f"{name} = {value}", "rules", name)
        for name, value in game.rules.differences(rules).items()
        if name in _OF_THE_DEAL
    ]
    if len(game.deals) > MAX_DEALS:
        faults.append(_fault(f"a game of {len(game.deals)} deals, only one of up to {MAX_DEALS}", "deals"))
    refuse(faults)
    deals: list[Json] = []
    for at, record in enumerate(game.deals):
        try:
            deals.append(_deal(record, rules, at))
        except InvalidInput as error:
            faults += [fault.under("deals", at) for fault in error.faults]
    refuse(faults)
    header = extras.metadata(game, metadata) | {"ruleset": ruleset}
    made: dict[str, Json] = {"fileType": FILE_TYPE, "version": VERSION, "metadata": header, "deals": deals}
    # Records may hold anything; the reader knows best what a document can say.
    refuse(
        [
            _fault(f"this deal: {fault.message}", *fault.path[:2])
            for fault in game_of(made).faults
            if fault.path[:1] == ("deals",)
        ]
    )
    return made


def _fault(what: str, *path: str | int) -> Fault:
    return unwritable("egn", what, path)


# -- one deal ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Told:
    """What a document tells of a deal. ``hands`` are listed or not as a whole."""

    bids: Sequence[Bid]
    alone: bool
    discard: Card | None
    tricks: Sequence[Sequence[Card]]
    hands: Sequence[Sequence[Card]] | None


def _deal(record: DealRecord, rules: Rules, at: int) -> dict[str, Json]:
    position = record.position
    dealer, upcard = position.deal.dealer, position.deal.upcard
    if dealer is None or upcard is None:
        raise InvalidInput([_fault("a deal without its upcard")])
    _check_lead(position, rules, dealer, upcard)

    noted = {key: extras.noted(record.notes.get(key)) for key in ("initialState", "bidding", "play")}
    # Of a deal with faults the notes hold what the document said, slips and all.
    told = (
        _as_said(record, noted, dealer, upcard) if "calls" in noted["bidding"] else _as_read(position, dealer, upcard)
    )
    bidding: dict[str, Json] = {
        "phaseNumber": 0,
        "type": "EUCHRE_BIDDING",
        "calls": [call_of(bid) for bid in told.bids],
        "isAlone": told.alone,
    }
    if told.discard is not None:
        bidding["discard"] = text_of(told.discard)
    phases: list[Json] = [bidding | extras.remarks_of(noted["bidding"], "callAnnotations")]
    remarks = extras.remarks_of(noted["play"], "playAnnotations")
    if told.tricks or remarks:
        play: dict[str, Json] = {"phaseNumber": 1, "type": "TRICK_PLAY", "tricks": _texts(told.tricks)}
        phases.append(play | remarks)
    state: dict[str, Json] = {"dealer": dealer.value, "upCard": text_of(upcard)}
    if told.hands is not None:
        state["playerCards"] = _texts(told.hands)
    number = record.notes.get("dealNumber")
    deal: dict[str, Json] = {
        "dealNumber": number if isinstance(number, int) and number >= 0 else at,
        "initialState": state,
        "phases": phases,
    }
    lines = extras.lines(record.notes.get("alternativeLines"))
    return deal | ({"alternativeLines": lines} if lines else {})


def _check_lead(position: Position, rules: Rules, dealer: Seat, upcard: Card) -> None:
    """That the first lead, which is not stored, is the same under the rules that the header can name."""
    contract, read = position.contract, Auction(rules, dealer, upcard, position.bids).contract
    if contract is not None and read is not None and contract.leader != read.leader:
        lead = position.rules.lone_lead
        raise InvalidInput([_fault(f"lone_lead = {lead}, by which {contract.leader} leads")])


def _as_read(position: Position, dealer: Seat, upcard: Card) -> _Told:
    position = completed_in_full(position)
    size = trick_size(position)
    tricks = [position.plays[at : at + size] for at in range(0, len(position.plays), size)]
    told = Told(position.rules, dealer, upcard, position.bids, position.plays, position.discard)
    without, _ = rebuild(told)
    hands = None
    if without.deal != position.deal:
        listed = [tuple(hand) if hand is not None and len(hand) == HAND_SIZE else () for hand in position.deal.hands]
        hands = listed if any(listed) else None
    alone = bool(position.bids) and position.bids[-1].alone
    return _Told(position.bids, alone, position.discard, tricks, hands)


def _as_said(record: DealRecord, noted: Mapping[str, Mapping[str, Json]], dealer: Seat, upcard: Card) -> _Told:
    """What the document said from which the record comes, by the same readers."""
    rules, name = record.position.rules, f"deal {record.number}"
    bidding, play = noted["bidding"], noted["play"]
    phases = phases_of(
        {"phases": [{**bidding, "type": "EUCHRE_BIDDING"}, {**play, "type": "TRICK_PLAY"}]},
        name,
    )
    bids, _ = bids_of(rules, dealer, upcard, phases, name)
    auction = Auction(rules, dealer, upcard, until_trump(bids))
    cards = Cards(rules, name)
    cards.trump = auction.contract.trump if auction.contract is not None else None
    alone = auction.contract is not None and auction.contract.alone
    tricks = tricks_of(phases, rules.seats - alone, cards, name)
    discard = bidding.get("discard")
    listed = noted["initialState"].get(hands_key(noted["initialState"]))
    hands = (
        [cards.known(each, ("playerCards", at)) for at, each in enumerate(listed)] if isinstance(listed, list) else []
    )
    thrown = cards.one(discard, ("discard",)) if isinstance(discard, str) and discard else None
    cards.refuse()
    return _Told(bids, bidding.get("isAlone") is True, thrown, tricks, hands if any(hands) else None)


def _texts(rows: Sequence[Sequence[Card]]) -> list[Json]:
    return [[text_of(card) for card in row] for row in rows]
