"""The double-dummy table of many deals at once: every contract that the auction can end in, and par.

The same values as `solver.analysis.contracts` has for one deal, worked out for whole arrays: what may be bid and what
it comes to is asked of the rules once for each dealer and suit of the upcard, and the rest is arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from solver.batch.bulk import Deals
from solver.batch.coded import Coded, whole_numbers
from solver.batch.rows import Column
from solver.engine.doubledummy import Cancel, solve_contracts
from solver.game.auction import Auction, Bid, Call, Contract
from solver.game.cards import BENNY, HAND_SIZE, Card, Suit
from solver.game.rules import Rules
from solver.game.scoring import score
from solver.game.seats import Seat

#: The calls that make trump, as the table has them: the order, and each suit named.
CALLS = ("order", *(suit.letter for suit in Suit))
#: Who plays alone, for each call: nobody, or a seat.
_WAYS = 1 + len(Seat)
_NONE = 255

#: How the points of a bid and its rank among those of a turn are one number: the rank in so many bits, pass above all.
_PLACES = 4
_PASSED = (1 << _PLACES) - 1
_NEVER = np.int16(-(1 << 14))

COLUMNS = (
    *(Column(call, "seats") for call in CALLS),
    Column("discards", "texts"),
    Column("par_maker", "text", groups=True),
    Column("par_bid", "text", groups=True),
    Column("par_points", "number", summed=True),
)


@dataclass(frozen=True, eq=False)
class Answers:
    """``tricks``: ``uint8[n, 5 calls, 5 ways]``, the first side's, 255 where there is no such contract; ``discards``,
    bits, ``uint64[n, 5]``, after an order; ``par`` net points of the first side, ``int16[n]``; ``par_bid``, a place in
    `bids_of`, -1 for a deal thrown in, and ``par_maker``."""

    tricks: NDArray[np.uint8]
    discards: NDArray[np.uint64]
    par: NDArray[np.int16]
    par_bid: NDArray[np.int16]
    par_maker: NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class _Way:
    """A bid that ends the auction. ``cell``: the place of its contract among those that are solved; ``worth``: points
    of the bidder's side by the first side's tricks, with the bid's rank among equals in the lowest `_PLACES` bits."""

    cell: int
    worth: NDArray[np.int16]
    needs_printed: bool


@dataclass(frozen=True, eq=False)
class _Turn:
    """A place of an auction in which all before it passed, and what may be bid there. ``sign``: 1 for a bidder of the
    first side, else -1; ``bids``: places in `BIDS` by rank."""

    bidder: Seat
    sign: int
    may_pass: bool
    ways: tuple[_Way, ...]
    bids: NDArray[np.int16]


@dataclass(frozen=True)
class _Cell:
    """A contract of the table. ``bidders``: who may bid it with a card printed in the suit turned up; None if anybody
    may."""

    call: int
    alone: int
    bidders: tuple[Seat, ...] | None


@dataclass(frozen=True, eq=False)
class _Auctions:
    """What can come of the auction for one dealer and one suit of the upcard. ``columns``: trump, leader, who sits out
    and who takes the upcard, ``int64[4, cells]``, -1 for nobody."""

    turns: tuple[_Turn, ...]
    cells: tuple[_Cell, ...]
    columns: NDArray[np.int64]
    up_suit: Suit | None


BIDS = tuple(
    Bid(call, suit, alone)
    for call, suit in ((Call.ORDER, None), *((Call.NAME, suit) for suit in Suit))
    for alone in (False, True)
)


def solve(deals: Deals, cancel: Cancel | None = None) -> Answers:
    """The table and par of every deal; equal deals are solved once."""
    keys = np.column_stack((deals.hands, deals.upcard, deals.dealer.astype(np.uint64)))
    first, inverse = _distinct(keys)
    if len(first) == len(keys):
        return _solve(deals.rules, deals.hands, deals.upcard, deals.dealer, cancel)
    found = _solve(deals.rules, deals.hands[first], deals.upcard[first], deals.dealer[first], cancel)
    return Answers(
        found.tricks[inverse],
        found.discards[inverse],
        found.par[inverse],
        found.par_bid[inverse],
        found.par_maker[inverse],
    )


def _solve(
    rules: Rules,
    hands: NDArray[np.uint64],
    upcard: NDArray[np.uint64],
    dealer: NDArray[np.uint8],
    cancel: Cancel | None,
) -> Answers:
    number = len(hands)
    answers = Answers(
        np.full((number, len(CALLS), _WAYS), _NONE, dtype=np.uint8),
        np.zeros((number, _WAYS), dtype=np.uint64),
        np.zeros(number, dtype=np.int16),
        np.full(number, -1, dtype=np.int16),
        np.full(number, -1, dtype=np.int16),
    )
    place = _suit_place(upcard)
    group = (dealer << 3 | place).astype(np.uint8)
    order = np.argsort(group, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
        if len(rows):
            one = rows[0]
            auctions = _auctions(rules, Seat(int(dealer[one])), _some_card(rules, int(place[one])))
            _solve_group(answers, rows, hands[rows], upcard[rows], auctions, cancel)
    return answers


def _distinct(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first row of each kind, and for each row its place among those: by a hash, as rows themselves sort slowly."""
    odd = np.uint64(0x9E3779B97F4A7C15)
    mixed = np.zeros(len(keys), dtype=np.uint64)
    for column in keys.T:
        mixed = (mixed ^ column) * odd
        mixed ^= mixed >> np.uint64(29)
    _, first, inverse = np.unique(mixed, return_index=True, return_inverse=True)
    if not (keys[first[inverse]] == keys).all():  # two rows with one hash
        _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return first, inverse.reshape(-1)


def _suit_place(upcard: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The printed suit of a bit; 4 for the Benny."""
    index: NDArray[np.uint8] = np.bitwise_count(upcard - np.uint64(1))
    return (index // 8).astype(np.int64)


@cache
def _some_card(rules: Rules, place: int) -> Card:
    return next(card for card in rules.cards if card.index // 8 == place)


@cache
def _auctions(rules: Rules, dealer: Seat, upcard: Card) -> _Auctions:
    # 1. Every place and the bids that end it there, each with its contract.
    places: list[tuple[Seat, bool, list[tuple[Bid, Contract]]]] = []
    auction = Auction(rules, dealer, upcard)
    for at in range(auction.turns):
        passed = Auction(rules, dealer, upcard, (Bid(Call.PASS),) * at)
        legal = passed.legal_bids()
        ends = [(bid, contract) for bid in legal if (contract := passed.after(bid).contract) is not None]
        places.append((auction.bidder(at), Bid(Call.PASS) in legal, ends))
        if Bid(Call.PASS) not in legal:
            break
    # 2. The contracts, each once: the maker matters only by who leads, who sits out and who takes the upcard. Those of
    #    one trump follow each other, as the kernel keeps what it learns of a deal until trump changes.
    every = [(seat, bid, contract) for seat, _, ends in places for bid, contract in ends]
    contracts = {_cell_of(bid, contract): (bid, contract) for _, bid, contract in every}
    order = sorted(contracts, key=lambda cell: _solving_order(cell, contracts[cell][1]))
    last = auction.bidder(auction.turns - 1)

    def needs_printed(bid: Bid) -> bool:
        return rules.natural_trump_to_order and bid.call == Call.ORDER

    def column(bid: Bid, contract: Contract) -> tuple[int, int, int, int]:
        out = -1 if contract.sitting_out is None else int(contract.sitting_out)
        takes = (bid.call == Call.ORDER or auction.turns == 1) and contract.sitting_out != last
        return contract.trump, contract.leader, out, last if takes else -1

    def bidders(cell: tuple[int, int]) -> tuple[Seat, ...] | None:
        able = [(seat, needs_printed(bid)) for seat, bid, contract in every if _cell_of(bid, contract) == cell]
        return tuple(seat for seat, _ in able) if all(needs for _, needs in able) else None

    first = rules.seating.sides[0]

    def turn(seat: Seat, may_pass: bool, ends: list[tuple[Bid, Contract]]) -> _Turn:
        sign, bids = 1 if rules.seating.side(seat) == first else -1, np.zeros(_PASSED + 1, dtype=np.int16)
        ways = []
        for rank, (bid, contract) in zip(range(_PASSED - 1, -1, -1), ends, strict=False):
            worth = (_net_points(rules, contract) * sign << _PLACES) + rank
            ways.append(_Way(order.index(_cell_of(bid, contract)), worth.astype(np.int16), needs_printed(bid)))
            bids[rank] = BIDS.index(bid)
        return _Turn(seat, sign, may_pass, tuple(ways), bids)

    return _Auctions(
        tuple(turn(*place) for place in places),
        tuple(_Cell(*cell, bidders(cell)) for cell in order),
        np.array([column(*contracts[cell]) for cell in order], dtype=np.int64).T,
        auction.up_suit,
    )


def _cell_of(bid: Bid, contract: Contract) -> tuple[int, int]:
    """The call, and who is alone."""
    return 0 if bid.call == Call.ORDER else 1 + contract.trump, 1 + contract.maker if contract.alone else 0


def _solving_order(cell: tuple[int, int], contract: Contract) -> tuple[int, int]:
    return cell[0], -1 if contract.sitting_out is None else int(contract.sitting_out)


def _solve_group(
    answers: Answers,
    rows: NDArray[np.int64],
    hands: NDArray[np.uint64],
    upcard: NDArray[np.uint64],
    auctions: _Auctions,
    cancel: Cancel | None,
) -> None:
    """Fill in the answers of rows with one dealer and one suit turned up."""
    shape = (len(rows), len(auctions.cells))
    trump, leader, out, taker = (np.broadcast_to(column, shape) for column in auctions.columns)
    tricks, discards = solve_contracts(hands, upcard, trump, leader, out, taker, cancel=cancel)
    # 1. Into the table, where somebody may make the contract.
    printed = _has_printed(hands, auctions.up_suit)
    table = np.full((len(rows), len(CALLS), _WAYS), _NONE, dtype=np.uint8)
    thrown = np.zeros((len(rows), _WAYS), dtype=np.uint64)
    for at, cell in enumerate(auctions.cells):
        may = True if cell.bidders is None else printed[:, cell.bidders].any(axis=1)
        table[:, cell.call, cell.alone] = np.where(may, tricks[:, at], _NONE)
        if cell.call == 0:
            thrown[:, cell.alone] = np.where(may, discards[:, at], 0)
    answers.tricks[rows], answers.discards[rows] = table, thrown
    # 2. Par, from the last bid back: of equally good bids the first as the rules list them, pass before all others.
    value = np.zeros(len(rows), dtype=np.int16)
    chosen, maker = (np.full(len(rows), -1, dtype=np.int16) for _ in range(2))
    for turn in reversed(auctions.turns):
        best = (value * turn.sign << _PLACES) + _PASSED if turn.may_pass else np.full(len(rows), _NEVER)
        for way in turn.ways:
            worth = way.worth[tricks[:, way.cell]]
            if way.needs_printed:
                worth = np.where(printed[:, turn.bidder], worth, _NEVER)
            np.maximum(best, worth, out=best)
        value = (best >> _PLACES) * turn.sign
        place = best & _PASSED
        bids = place != _PASSED
        chosen = np.where(bids, turn.bids[place], chosen)
        maker[bids] = turn.bidder
    answers.par[rows], answers.par_bid[rows], answers.par_maker[rows] = value, chosen, maker


def _has_printed(hands: NDArray[np.uint64], suit: Suit | None) -> NDArray[np.bool_]:
    """Whether each hand has a card printed in the suit; ``bool[n, 4]``."""
    mask = np.uint64(0 if suit is None else 0xFF << (8 * suit))
    printed: NDArray[np.bool_] = (hands & mask) != 0
    return printed


@cache
def _net_points(rules: Rules, contract: Contract) -> NDArray[np.int16]:
    """The first side's net points by its tricks."""
    first, second = rules.seating.sides
    points = [score(rules, contract, {first: won, second: HAND_SIZE - won}) for won in range(HAND_SIZE + 1)]
    return np.array([each[first] - each[second] for each in points], dtype=np.int16)


def rows_of(answers: Answers) -> list[Coded]:
    """The answers as columns."""
    tricks = np.minimum(answers.tricks, len(_TRICKS) - 1)
    return [
        *(Coded(tricks[:, call], _TRICKS) for call in range(len(CALLS))),
        Coded(np.bitwise_count(answers.discards - np.uint64(1)), _CARDS),  # 64 where there is none
        Coded(answers.par_maker % len(_MAKERS), _MAKERS),
        Coded(answers.par_bid % len(_BIDS), _BIDS),
        whole_numbers(answers.par),
    ]


_TRICKS = (*range(HAND_SIZE + 1), None)
_CARDS = tuple(str(Card(index)) if index <= BENNY.index else None for index in range(65))
_MAKERS = (*(seat.name for seat in Seat), None)  # the last is place -1
_BIDS = (*(str(bid) for bid in BIDS), "pass")
