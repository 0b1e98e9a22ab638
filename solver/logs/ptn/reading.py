"""A record read: the header, the cards that were dealt and exchanged, the bids, and the cards played."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Final

from solver.errors import Fault, InvalidInput
from solver.game.auction import PASS, Auction, Bid, Call, Contract
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import Rules
from solver.game.seats import Seat
from solver.logs.ptn.blocks import OF_THE_DEAL, Block, Tag, blocks, line_fault
from solver.logs.ptn.cards import read_call, read_hand, read_row
from solver.logs.ptn.options import Options, read_options
from solver.logs.ptn.tricks import Played, with_leader
from solver.logs.rebuild import Told, rebuild
from solver.notation.codes import read_seat
from solver.notation.strict_json import Json

PLAYERS: Final = {"North": Seat.N, "East": Seat.E, "South": Seat.S, "West": Seat.W}
#: Tags that a record says in another way.
TOLD: Final = {*OF_THE_DEAL, *PLAYERS, "Event", "GameCode"}


def read(stream: BinaryIO) -> Iterator[GameRecord]:
    """One game a deal, as it comes. A record that cannot be read gives a game without deals, and its faults."""
    for number, block in enumerate(blocks(stream), 1):
        options = Options(Rules(), {})
        try:
            options = _options(block)
            yield _game(block, options, number)
        except InvalidInput as error:
            yield GameRecord(options.rules, (), _title(block), faults=(*block.faults, *error.faults))


def _bad(code: str, message: str, line: int) -> InvalidInput:
    return InvalidInput([line_fault(code, message, line)])


def _at(error: InvalidInput, line: int, what: str) -> InvalidInput:
    """The faults of a piece of text, at the line where it stands."""
    return InvalidInput(line_fault(fault.code, f"{what}: {fault.message}", line) for fault in error.faults)


def _title(block: Block) -> str:
    event = block.tag("Event")
    return event.value if event is not None else ""


def _options(block: Block) -> Options:
    tag = block.tag("GameOptionsJson")
    if tag is None:
        return Options(Rules(), {})
    try:
        options = read_options(tag.value)
    except InvalidInput as error:
        raise _at(error, tag.line, tag.name) from None
    faults = tuple(line_fault(fault.code, f"{tag.name}: {fault.message}", tag.line) for fault in options.faults)
    return replace(options, faults=faults)


def _game(block: Block, options: Options, number: int) -> GameRecord:
    code = block.tag("GameCode")
    if code is not None and code.value.strip().lower() != "euchre":
        raise _bad("log.format", f"the game is {code.value[:40]!a}, not Euchre", code.line)
    rules, record = _deal(block, options.rules, number)
    names = {seat: tag.value for name, seat in PLAYERS.items() if (tag := block.tag(name)) is not None}
    tags: dict[str, object] = {tag.name: tag.value for tag in block.tags if tag.name not in TOLD}
    notes: dict[str, object] = {"tags": tags} if tags else {}
    if options.not_applied:
        notes["optionsNotApplied"] = list(options.not_applied)
    if (date := _date(block)) is not None:
        notes["metadata"] = {"date": date}
    faults = (*block.faults, *options.faults)
    return GameRecord(rules, (record,), _title(block), names, {}, faults, notes)


def _date(block: Block) -> str | None:
    day, time = block.tag("UTCDate"), block.tag("UTCTime")
    match = re.fullmatch(r"(\d{4})\.(\d\d)\.(\d\d)", day.value.strip(), re.ASCII) if day is not None else None
    if match is None or time is None or not re.fullmatch(r"\d\d:\d\d:\d\d", time.value.strip(), re.ASCII):
        return None
    return f"{match[1]}-{match[2]}-{match[3]}T{time.value.strip()}Z"


# -- one deal ----------------------------------------------------------------------------------------------------------


@dataclass
class _Dealt:
    """The cards before the bids, and where they are told."""

    dealer: Seat
    upcard: Card
    kitty: CardSet
    hands: dict[Seat, CardSet]
    lines: dict[str, int]
    discard: Card | None = None
    exchanges: list[Json] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def _deal(block: Block, rules: Rules, number: int) -> tuple[Rules, DealRecord]:
    """The record of the deal, and the rules that it was played by: the lead against a loner tells one of them."""
    dealt = _dealt(block, rules)
    _exchange(block, dealt, rules)
    bids, bid_lines, faults = _bids(block, rules, dealt)
    faults = [*dealt.faults, *faults]
    auction = Auction(rules, dealt.dealer, dealt.upcard, _until_trump(bids))
    contract, played = auction.contract, Played()
    tag = block.tag("Play")
    if contract is not None:
        faults += _contract_faults(block, contract)
        if tag is not None:
            first = _seat(tag.value, tag)
            rules, contract = with_leader(rules, replace(auction, rules=rules), contract, first, tag)
            played = Played.read(tag, first, rules, contract)
    elif tag is not None and tag.rows:
        faults.append(line_fault("play.illegal", "nothing is played before a contract", tag.line))
    told = Told(rules, dealt.dealer, dealt.upcard, bids, played.cards, dealt.discard, dealt.hands, dealt.kitty)
    position, found = rebuild(told)
    lines = {**dealt.lines, **{f"auction {at}": line for at, line in enumerate(bid_lines)}}
    lines |= {f"plays {at}": line for at, line in enumerate(played.lines)}
    faults = [*faults, *played.faults, *(_placed(fault, lines) for fault in found)]
    notes: dict[str, object] = {"exchanges": dealt.exchanges} if dealt.exchanges else {}
    return rules, DealRecord(number, position, tuple(faults), notes)


def _placed(fault: Fault, lines: Mapping[str, int]) -> Fault:
    place = " ".join(str(step) for step in fault.path[:2])
    line = lines.get(place, lines.get(str(fault.path[0]) if fault.path else "", lines["deal"]))
    return line_fault(fault.code, fault.message, line)


def _until_trump(bids: tuple[Bid, ...]) -> tuple[Bid, ...]:
    passes = next((at for at, bid in enumerate(bids) if bid.call != Call.PASS), len(bids))
    return bids[: passes + 1]


def _seat(text: str, tag: Tag) -> Seat:
    try:
        return read_seat(text)
    except InvalidInput as error:
        raise _at(error, tag.line, tag.name) from None


# -- cards -------------------------------------------------------------------------------------------------------------


def _dealt(block: Block, rules: Rules) -> _Dealt:
    deal, undealt, named = block.tag("Deal"), block.tag("Undealt"), block.tag("Dealer")
    if deal is None:
        raise _bad("log.record", "a record without the tag Deal", block.line)
    match = re.match(r"\s*([A-Za-z]+)\s*:\s*", deal.value)
    if named is not None:
        dealer = _seat(named.value, named)
    elif match is not None:
        dealer = _seat(match[1], deal)
    else:
        raise _bad("log.record", "neither Dealer nor Deal names a seat", deal.line)
    first = _seat(match[1], deal) if match is not None else dealer
    texts = deal.value[match.end() if match is not None else 0 :].split()
    if len(texts) != rules.seats:
        raise _bad("log.record", f"Deal has {len(texts)} hands, not {rules.seats}", deal.line)
    try:
        listed = [read_hand(text, rules) for text in texts]
        rest = read_row(undealt.value, rules) if undealt is not None else ()
    except InvalidInput as error:
        raise _at(error, deal.line, "Deal and Undealt") from None
    if not rest:
        raise _bad("log.record", "Undealt does not tell the upcard", undealt.line if undealt else deal.line)
    assert undealt is not None
    lines = {"deal": deal.line, "hands": deal.line, "kitty": undealt.line, "discard": deal.line}
    dealt = _Dealt(dealer, rest[0], CardSet.of(rest[1:]), {}, lines)
    _no_twins(rest, "Undealt", undealt.line)
    for seat, cards in zip(rules.seating.from_seat(first), listed, strict=True):
        if cards is None:
            continue
        _no_twins(cards, f"the hand of {seat}", deal.line)
        if len(cards) != HAND_SIZE:
            raise _bad("hand.size", f"{seat} was dealt {len(cards)} cards, not {HAND_SIZE}", deal.line)
        dealt.hands[seat] = CardSet.of(cards)
    _leave_out_what_is_twice(dealt)
    return dealt


def _no_twins(cards: tuple[Card, ...], where: str, line: int) -> None:
    """That no card is twice in one place."""
    for at, card in enumerate(cards):
        if card in cards[:at]:
            message = f"{card} is twice in {where}; two decks (double-deck euchre) are not supported"
            raise _bad("rules.unsupported", message, line)


def _leave_out_what_is_twice(dealt: _Dealt) -> None:
    """Places that list the same card are faults, and not known: the play may tell which one has it."""
    places = {f"the hand of {seat}": hand for seat, hand in dealt.hands.items()}
    places |= {"the kitty": dealt.kitty, "the upcard": CardSet.of([dealt.upcard])}
    names = list(places)
    for at, name in enumerate(names):
        for other in names[:at]:
            both = places[name] & places[other]
            if not both:
                continue
            line = dealt.lines["hands" if name.startswith("the hand") else "kitty"]
            dealt.faults.append(line_fault("card.duplicate", f"{both} in {other} and in {name}", line))
            for seat in list(dealt.hands):
                if f"the hand of {seat}" in (name, other):
                    del dealt.hands[seat]
            if "the kitty" in (name, other):
                dealt.kitty = CardSet()


def _exchange(block: Block, dealt: _Dealt, rules: Rules) -> None:
    """Cards that changed places before the play: the dealer's upcard and discard, and hands going under."""
    passed = block.tag("CardsPassed")
    if passed is not None:
        raise _bad("rules.unsupported", "partners exchanged cards (call for best), which is not supported", passed.line)
    taken: dict[Seat, tuple[Card, ...]] = {}
    for tag in block.tags:
        if tag.name not in ("CardsAdded", "CardsRemoved"):
            continue
        name, _, text = tag.value.partition(":")
        seat = _seat(name, tag)
        try:
            cards = read_row(text, rules)
        except InvalidInput as error:
            raise _at(error, tag.line, tag.name) from None
        if tag.name == "CardsAdded":
            if seat in taken:
                raise _bad("log.record", f"{seat} takes cards twice and puts none back", tag.line)
            taken[seat] = cards
        elif seat not in taken:
            raise _bad("log.record", f"{seat} puts back cards without taking any", tag.line)
        else:
            _settle(dealt, seat, taken.pop(seat), cards, tag)


def _settle(dealt: _Dealt, seat: Seat, added: tuple[Card, ...], removed: tuple[Card, ...], tag: Tag) -> None:
    if seat == dealt.dealer and added == (dealt.upcard,):
        if len(removed) != 1:
            raise _bad("log.record", f"the dealer throws away {len(removed)} cards, not one", tag.line)
        (dealt.discard,) = removed
        dealt.lines["discard"] = tag.line
        return
    hand = dealt.hands.get(seat)
    if not (CardSet.of(added) <= dealt.kitty and len(added) == len(removed)):
        message = f"{seat} took cards that are not in the kitty, an exchange that is not supported"
        raise _bad("rules.unsupported", message, tag.line)
    if hand is not None and not CardSet.of(removed) <= hand:
        message = f"{seat} put back {CardSet.of(removed) - hand}, which {seat} does not hold"
        raise _bad("log.inconsistent", message, tag.line)
    dealt.kitty = (dealt.kitty - CardSet.of(added)) | CardSet.of(removed)
    if hand is not None:
        dealt.hands[seat] = (hand - CardSet.of(removed)) | CardSet.of(added)
    words: dict[str, Json] = {
        "seat": str(seat),
        "added": [str(card) for card in added],
        "removed": [str(card) for card in removed],
    }
    dealt.exchanges.append(words)


# -- bids --------------------------------------------------------------------------------------------------------------


def _bids(block: Block, rules: Rules, dealt: _Dealt) -> tuple[tuple[Bid, ...], list[int], list[Fault]]:
    """The bids, the line of each, and what the contract says otherwise."""
    tag = block.tag("Auction")
    auction = Auction(rules, dealt.dealer, dealt.upcard)
    if tag is None:
        return _from_contract(block, auction)
    if tag.value.strip() and (first := _seat(tag.value, tag)) != auction.bidder(0):
        message = f"Auction begins with {first}, but {auction.bidder(0)} is left of the dealer {dealt.dealer}"
        raise _bad("log.inconsistent", message, tag.line)
    bids: list[Bid] = []
    lines: list[int] = []
    for line, row in tag.rows:
        for word in re.sub(r"(?<!\s)\s+(?=alone\b)", "", row, flags=re.IGNORECASE).split():
            if set(word) <= set("-–—"):
                continue
            try:
                bids.append(read_call(word, auction.up_suit if auction.round(len(bids)) == 1 else None))
            except InvalidInput as error:
                raise _at(error, line, f"bid {len(bids) + 1}") from None
            lines.append(line)
    return tuple(bids), lines, []


def _from_contract(block: Block, auction: Auction) -> tuple[tuple[Bid, ...], list[int], list[Fault]]:
    """The only bids that come to the contract: a suit that is turned up was ordered in round 1."""
    declarer, tag = block.tag("Declarer"), block.tag("Contract")
    if declarer is None or tag is None:
        return (), [], []
    try:
        bid = read_call(" ".join(tag.value.split()), auction.up_suit)
    except InvalidInput as error:
        raise _at(error, tag.line, tag.name) from None
    maker = _seat(declarer.value, declarer)
    before = auction.rules.seating.from_seat(auction.bidder(0)).index(maker)
    passes = before if bid.call == Call.ORDER else before + auction.rules.seats
    return (*[PASS] * passes, bid), [tag.line] * (passes + 1), []


def _contract_faults(block: Block, contract: Contract) -> list[Fault]:
    """That ``Declarer`` and ``Contract``, where given, are what the bids come to."""
    faults = []
    declarer, tag = block.tag("Declarer"), block.tag("Contract")
    if declarer is not None and (named := _seat(declarer.value, declarer)) != contract.maker:
        message = f"Declarer is {named}, but {contract.maker} made trump"
        faults.append(line_fault("log.inconsistent", message, declarer.line))
    if tag is not None and tag.value.strip():
        try:
            bid = read_call(" ".join(tag.value.split()), None)
        except InvalidInput as error:
            raise _at(error, tag.line, tag.name) from None
        if (bid.suit, bid.alone) != (contract.trump, contract.alone):
            message = f"Contract is {bid}, but the bids come to {Bid(Call.NAME, contract.trump, contract.alone)}"
            faults.append(line_fault("log.inconsistent", message, tag.line))
    return faults
