"""The two phases of a deal: what was called, and the cards of the tricks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from solver.errors import Fault, InvalidInput
from solver.game.auction import Auction, Bid, Call
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.seats import Seat
from solver.logs.egn.cards import Cards
from solver.logs.egn.values import member, optional, typed
from solver.logs.faults import Path, bad, shown
from solver.notation.codes import read_bid
from solver.notation.strict_json import Json


@dataclass(frozen=True)
class Phases:
    """The two phases of a deal and where they stand."""

    bidding: Mapping[str, Json]
    bidding_path: Path
    play: Mapping[str, Json]
    play_path: Path


def phases_of(node: Mapping[str, Json], name: str) -> Phases:
    phases = member(node, "phases", list, (), f"{name}: phases")
    found: dict[str, tuple[Mapping[str, Json], Path]] = {}
    for at, each in enumerate(phases):
        path: Path = ("phases", at)
        phase = typed(each, dict, path, f"{name}: phase {at + 1}")
        kind = member(phase, "type", str, path, f"{name}: the type of phase {at + 1}")
        if kind not in ("EUCHRE_BIDDING", "TRICK_PLAY"):
            raise bad(f"{name}: a phase of type {shown(kind)} is not supported", (*path, "type"), "rules.unsupported")
        if kind in found:
            raise bad(f"{name}: a second phase of type {kind}", path)
        found[kind] = phase, path
    if not found:  # a deal of which nothing is told but the upcard
        return Phases({"calls": []}, ("phases",), {}, ("phases",))
    if "EUCHRE_BIDDING" not in found:
        raise bad(f"{name}: the phase EUCHRE_BIDDING is missing", ("phases",))
    bidding, bidding_path = found["EUCHRE_BIDDING"]
    play, play_path = found.get("TRICK_PLAY", ({}, ("phases",)))
    return Phases(bidding, bidding_path, play, play_path)


# -- bidding -----------------------------------------------------------------------------------------------------------

SHORT_CALLS: Final = {"P": "pass", "O": "order"}
_BID_OF_TRICKS = re.compile(r"\s*\d.*", re.DOTALL)


def bids_of(rules: Rules, dealer: Seat, upcard: Card, phases: Phases, name: str) -> tuple[tuple[Bid, ...], list[Fault]]:
    path = (*phases.bidding_path, "calls")
    calls = member(phases.bidding, "calls", list, phases.bidding_path, f"{name}: calls")
    auction = Auction(rules, dealer, upcard)
    bids: list[Bid] = []
    for at, call in enumerate(calls):
        if (isinstance(call, (int, float)) and not isinstance(call, bool)) or (
            isinstance(call, str) and _BID_OF_TRICKS.fullmatch(call)
        ):
            message = f"{name}: call {at + 1} bids {shown(call)}; bid euchre is not supported"
            raise bad(message, (*path, at), "rules.unsupported")
        text = typed(call, str, (*path, at), f"{name}: call {at + 1}")
        if text.strip().upper() in ("N", "NT"):
            raise bad(f"{name}: call {at + 1} names no-trump, which is not supported", (*path, at), "rules.unsupported")
        first_round = auction.round(at) == 1 and not auction.dealer_names
        try:
            bids.append(read_bid(SHORT_CALLS.get(text.strip().upper(), text), auction.up_suit if first_round else None))
        except InvalidInput as error:
            raise InvalidInput(
                Fault(fault.code, f"{name}: call {at + 1}: {fault.message}", (*path, at)) for fault in error.faults
            ) from None
    alone = optional(phases.bidding, "isAlone", bool, phases.bidding_path, f"{name}: isAlone")
    faults: list[Fault] = []
    if alone and (not bids or bids[-1].call == Call.PASS):
        message = "isAlone, but the last call makes nobody the maker"
        faults.append(Fault("log.inconsistent", message, (*phases.bidding_path, "isAlone")))
    elif alone:
        bids[-1] = replace(bids[-1], alone=True)
    return tuple(bids), faults


def call_of(bid: Bid) -> str:
    """The call as it is written; that a bid is alone stands elsewhere."""
    return bid.suit.letter.lower() if bid.suit is not None else bid.call.value.capitalize()


def until_trump(bids: tuple[Bid, ...]) -> tuple[Bid, ...]:
    """The bids up to the first that names trump; a log may have more."""
    passes = len(list(takewhile(lambda bid: bid.call == Call.PASS, bids)))
    return bids[: passes + 1]


def hands_key(state: Mapping[str, Json]) -> str:
    """The name under which a state lists the hands: another one before version 1.2."""
    return "playerCards" if "playerCards" in state else "player_cards"


def listed_hands(
    state: Mapping[str, Json], dealer: Seat, upcard: Card, takes_upcard: bool, cards: Cards, name: str
) -> dict[Seat, CardSet]:
    """The hands that are listed in full, as dealt: a dealer may be listed with the upcard as a sixth card."""
    key = hands_key(state)
    path: Path = ("initialState", key)
    lists = optional(state, key, list, ("initialState",), f"{name}: {key}") or []
    if len(lists) > len(Seat):
        raise bad(f"{name}: {key} lists {len(lists)} hands, there are four seats", path)
    all_listed = [cards.known(each, (*path, at)) for at, each in enumerate(lists)]
    cards.refuse()
    hands: dict[Seat, CardSet] = {}
    for at, listed in enumerate(all_listed):
        seat, hand = Seat(at), CardSet.of(listed)
        may_be_six = takes_upcard and seat == dealer and upcard in hand
        if len(listed) > HAND_SIZE + may_be_six or len(hand) < len(listed):
            slip = "a card twice" if len(hand) < len(listed) else f"{len(listed)} cards"
            raise bad(f"{name}: {seat} is listed with {slip}", (*path, at), "hand.size")
        if may_be_six:
            hand = hand.without(upcard)
        if len(hand) == HAND_SIZE:
            hands[seat] = hand
    return hands


# -- play --------------------------------------------------------------------------------------------------------------


def trick_size(position: Position) -> int:
    """The number of cards in a trick: a lone maker's partner sits out."""
    alone = position.contract is not None and position.contract.alone
    return position.rules.seats - alone


def tricks_of(phases: Phases, seats: int, cards: Cards, name: str) -> list[list[Card]]:
    """The cards by trick. All tricks but the last have one card of each of the ``seats`` that play."""
    path = (*phases.play_path, "tricks")
    rows = optional(phases.play, "tricks", list, phases.play_path, f"{name}: tricks") or []
    if len(rows) > HAND_SIZE:
        raise bad(f"{name}: {len(rows)} tricks, a deal has {HAND_SIZE}", path)
    tricks: list[list[Card]] = []
    place_of: dict[Card, int] = {}
    for row, each in enumerate(rows):
        here, where = (*path, row), f"trick {row + 1}"
        texts = typed(each, list, here, f"{name}, {where}")
        if len(texts) > seats:
            raise bad(f"{name}, {where}: {len(texts)} cards, but {seats} play", here)
        if texts and tricks and len(tricks[-1]) < seats:
            short = len(tricks)
            raise bad(f"{name}, trick {short}: {len(tricks[-1])} of {seats} cards, and another trick follows", here)
        trick: list[Card] = []
        for place, text in enumerate(texts):
            at = (*here, place)
            slips = len(cards.faults)
            card = cards.one(typed(text, str, at, f"{name}, {where}: a card"), at, where)
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
