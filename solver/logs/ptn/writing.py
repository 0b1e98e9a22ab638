"""Games written as PTN, every deal a record of its own, as Trickster writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from typing import BinaryIO

from solver.errors import InvalidInput
from solver.game.auction import Auction, Call
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.position import Position
from solver.game.record import DealRecord, GameRecord
from solver.game.seats import Seat
from solver.logs.deals import write_deals
from solver.logs.faults import unwritable
from solver.logs.ptn.cards import SIGNS, write_call, write_hand, write_one
from solver.logs.ptn.options import options_of, read_options
from solver.logs.ptn.reading import PLAYERS, TOLD, read
from solver.logs.rebuild import completed_in_full
from solver.notation.codes import read_cards, read_seat
from solver.notation.strict_json import Json


def write(games: Iterable[GameRecord], stream: BinaryIO) -> None:
    """The deals of the games, one after the other.

    What the format has no place for is left out: most options of the rules, the score before the deal, remarks. Raises
    `InvalidInput` (``log.unwritable``) for a game with deals that would be others without it.
    """
    write_deals(games, stream, _written)


def _written(game: GameRecord, record: DealRecord) -> bytes:
    text = ("\n".join(_record(game, record)) + "\n\n").encode()
    # Records may hold anything; the reader knows best what a text can say.
    found = list(read(BytesIO(text)))
    deals = [deal.position for each in found for deal in each.deals]
    if len(deals) != 1:
        reasons = "; ".join(fault.message for each in found for fault in each.faults)
        raise _unwritable(f"this deal: {reasons}")
    if (deals[0].bids, deals[0].plays) != (record.position.bids, record.position.plays):
        raise _unwritable("this deal as it is")
    return text


def _record(game: GameRecord, record: DealRecord) -> Iterator[str]:
    position, rules = completed_in_full(record.position), record.position.rules
    dealer, upcard, auction = position.deal.dealer, position.deal.upcard, position.auction
    if dealer is None or upcard is None or auction is None:
        raise _unwritable("a deal without its upcard")
    if rules.seats != len(Seat):
        raise _unwritable(f"a deal of {rules.seats} seats")
    if upcard.is_benny:
        raise _unwritable("a Benny turned up: it does not say what that means")
    if position.plays and auction.contract is None:
        raise _unwritable("cards played without a contract")

    yield "% PTN ---------------------------"
    if game.title.strip():
        yield _tag("Event", game.title)
    tags = _noted(game.notes.get("tags"))
    for name, value in {**_when(game), **tags}.items():
        if name not in TOLD and name != "GameOptionsJson" and re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII):
            yield _tag(name, str(value))
    yield _tag("GameCode", "Euchre")
    yield _tag(
        "GameOptionsJson", json.dumps(options_of(rules, _given(tags)), separators=(",", ":")).replace('"', '\\"')
    )
    for name, seat in PLAYERS.items():
        if seat in game.players:
            yield _tag(name, game.players[seat])
    yield _tag("Dealer", str(dealer))
    hands, kitty, exchanges = _before(position, record.notes)
    written = [write_hand(hands[seat]) if seat in hands else "-" for seat in rules.seating.from_seat(dealer)]
    yield _tag("Deal", f"{dealer}:{' '.join(written)}")
    yield _tag("Undealt", "".join(write_one(card) for card in (upcard, *kitty)))
    yield from _bidding(position, auction)
    yield from exchanges
    if position.discard is not None:
        yield _tag("CardsAdded", f"{dealer}:{write_one(upcard)}")
        yield _tag("CardsRemoved", f"{dealer}:{write_one(position.discard)}")
    if position.plays:
        yield from _play(position)


def _unwritable(what: str) -> InvalidInput:
    return InvalidInput([unwritable("ptn", what)])


def _tag(name: str, value: str) -> str:
    return f'[{name} "{" ".join(value.split())}"]'


def _noted(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _given(tags: Mapping[str, object]) -> Mapping[str, Json]:
    """Options that were read and that the rules have no place for."""
    try:
        return read_options(str(tags.get("GameOptionsJson", ""))).given
    except InvalidInput:
        return {}


def _when(game: GameRecord) -> dict[str, object]:
    date = str(_noted(game.notes.get("metadata")).get("date"))
    match = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)Z", date, re.ASCII)
    if match is None:
        return {}
    return {"UTCDate": f"{match[1]}.{match[2]}.{match[3]}", "UTCTime": match[4]}


def _before(position: Position, notes: Mapping[str, object]) -> tuple[dict[Seat, CardSet], CardSet, list[str]]:
    """The hands and the kitty before the exchanges that the notes tell, and these as tags."""
    deal = position.deal
    hands = {seat: hand for seat in Seat if (hand := deal.hand(seat)) is not None and len(hand) == HAND_SIZE}
    # Who played the upcard without having taken it (a fault) cannot be listed with it.
    hands = {seat: hand for seat, hand in hands.items() if deal.upcard is None or deal.upcard not in hand}
    # The rest is the kitty only beside hands that are all listed.
    kitty = (deal.kitty if len(hands) == len(Seat) else None) or CardSet()
    noted = notes.get("exchanges")
    tags: list[str] = []
    for each in reversed(noted if isinstance(noted, list) else []):
        words = _noted(each)
        try:
            seat = read_seat(str(words.get("seat")))
            added, removed = (read_cards(" ".join(map(str, _listed(words.get(key))))) for key in ("added", "removed"))
        except InvalidInput:
            continue
        ours, theirs = CardSet.of(added), CardSet.of(removed)
        if seat in hands and len(ours) == len(theirs) and ours <= hands[seat] and theirs <= kitty:
            hands[seat] = hands[seat] - ours | theirs
            kitty = kitty - theirs | ours
            for name, cards in (("CardsRemoved", removed), ("CardsAdded", added)):
                tags.insert(0, _tag(name, f"{seat}:{''.join(write_one(card) for card in cards)}"))
    return hands, kitty, tags


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _bidding(position: Position, auction: Auction) -> Iterator[str]:
    contract = position.contract
    if contract is not None:
        yield _tag("Declarer", str(contract.maker))
        yield _tag("Contract", SIGNS[contract.trump] + (" alone" if contract.alone else ""))
    if not position.bids:
        return
    yield _tag("Auction", str(auction.bidder(0)))
    words = [write_call(bid, auction.up_suit) for bid in position.bids]
    if position.bids[-1].call != Call.PASS:
        words += ["-"] * (-len(words) % position.rules.seats)
    for at in range(0, len(words), position.rules.seats):
        yield " ".join(words[at : at + position.rules.seats])


def _play(position: Position) -> Iterator[str]:
    play = position.play()
    tricks: list[dict[Seat, Card]] = [dict(zip(trick.seats, trick.cards, strict=True)) for trick in play.tricks]
    if play.table:
        tricks.append(dict(zip(play.order_of_trick(), play.table, strict=False)))
    first = position.start().leader
    yield _tag("Play", str(first))
    for trick in tricks:
        columns = position.rules.seating.from_seat(first)
        yield " ".join(write_one(trick[seat]) if seat in trick else "-" for seat in columns)
