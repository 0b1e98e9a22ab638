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


@dataclass(frozen=True)
class _Way:
    """A bid at some place of an auction in which all before it passed."""

    at: int
    bid: Bid
    call: int
    alone: int
    contract: Contract
    needs_printed: bool


@dataclass(frozen=True)
class _Auctions:
    """What can come of the auction for one dealer and one suit of the upcard."""

    ways: tuple[_Way, ...]
    may_pass: tuple[bool, ...]
    bidders: tuple[Seat, ...]
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
    number = len(first)
    answers = Answers(
        np.full((number, len(CALLS), _WAYS), _NONE, dtype=np.uint8),
        np.zeros((number, _WAYS), dtype=np.uint64),
        np.zeros(number, dtype=np.int16),
        np.full(number, -1, dtype=np.int16),
        np.full(number, -1, dtype=np.int16),
    )
    hands, upcard, dealer = deals.hands[first], deals.upcard[first], deals.dealer[first]
    place = _suit_place(upcard)
    for seat in np.unique(dealer):
        for suit in np.unique(place):
            rows = np.flatnonzero((dealer == seat) & (place == suit))
            if len(rows):
                auctions = _auctions(deals.rules, Seat(int(seat)), _some_card(deals.rules, int(suit)))
                _solve_group(answers, rows, hands[rows], upcard[rows], deals.rules, auctions, cancel)
    return Answers(
        answers.tricks[inverse],
        answers.discards[inverse],
        answers.par[inverse],
        answers.par_bid[inverse],
        answers.par_maker[inverse],
    )


def _solving_order(way: _Way) -> tuple[int, int]:
    out = way.contract.sitting_out
    return way.call, -1 if out is None else out


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
    ways: list[_Way] = []
    may_pass: list[bool] = []
    auction = Auction(rules, dealer, upcard)
    bidders = tuple(auction.bidder(at) for at in range(auction.turns))
    for at in range(auction.turns):
        passed = Auction(rules, dealer, upcard, (Bid(Call.PASS),) * at)
        bids = passed.legal_bids()
        may_pass.append(Bid(Call.PASS) in bids)
        for bid in bids:
            contract = passed.after(bid).contract
            if contract is None:
                continue
            call = 0 if bid.call == Call.ORDER else 1 + contract.trump
            needs = rules.natural_trump_to_order and bid.call == Call.ORDER
            ways.append(_Way(at, bid, call, 1 + contract.maker if contract.alone else 0, contract, needs))
        if not may_pass[-1]:
            break
    return _Auctions(tuple(ways), tuple(may_pass), bidders, auction.up_suit)


def _solve_group(
    answers: Answers,
    rows: NDArray[np.int64],
    hands: NDArray[np.uint64],
    upcard: NDArray[np.uint64],
    rules: Rules,
    auctions: _Auctions,
    cancel: Cancel | None,
) -> None:
    """Fill in the answers of rows with one dealer and one suit turned up."""
    # 1. The contracts, each once: the maker matters only by who leads, who sits out and who takes the upcard. Those of
    #    one trump follow each other, as the kernel keeps what it learns of a deal until trump changes.
    cells = {(way.call, way.alone): way for way in sorted(auctions.ways, key=_solving_order)}
    dealer = auctions.bidders[-1]
    takes = {cell: way.bid.call == Call.ORDER or len(auctions.bidders) == 1 for cell, way in cells.items()}
    columns = np.array(
        [
            (
                way.contract.trump,
                way.contract.leader,
                -1 if way.contract.sitting_out is None else way.contract.sitting_out,
                dealer if takes[cell] and way.contract.sitting_out != dealer else -1,
            )
            for cell, way in cells.items()
        ],
        dtype=np.int64,
    ).T
    shape = (len(rows), len(cells))
    trump, leader, out, taker = (np.broadcast_to(column, shape) for column in columns)
    tricks, discards = solve_contracts(hands, upcard, trump, leader, out, taker, cancel=cancel)
    # 2. Into the table, where somebody may make the contract.
    printed = _has_printed(hands, auctions.up_suit)
    for at, (call, alone) in enumerate(cells):
        may = np.zeros(len(rows), dtype=np.bool_)
        for way in auctions.ways:
            if (way.call, way.alone) == (call, alone):
                may |= printed[:, auctions.bidders[way.at]] | (not way.needs_printed)
        answers.tricks[rows, call, alone] = np.where(may, tricks[:, at], _NONE)
        if call == 0:
            answers.discards[rows, alone] = np.where(may, discards[:, at], 0)
    # 3. Par, from the last bid back: of equally good bids the first as the rules list them, pass before all others.
    places = {cell: at for at, cell in enumerate(cells)}
    value = np.zeros(len(rows), dtype=np.int16)
    chosen, maker = (np.full(len(rows), -1, dtype=np.int16) for _ in range(2))
    first = rules.seating.sides[0]
    for turn in reversed(range(len(auctions.may_pass))):
        bidder = auctions.bidders[turn]
        sign = 1 if rules.seating.side(bidder) == first else -1
        best = np.where(auctions.may_pass[turn], value * sign, np.int16(-1000))
        for way in auctions.ways:
            if way.at != turn:
                continue
            net = _net_points(rules, way.contract)[tricks[:, places[way.call, way.alone]]] * sign
            better = (net > best) & (printed[:, bidder] | (not way.needs_printed))
            best = np.where(better, net, best)
            chosen[better], maker[better] = BIDS.index(way.bid), bidder
        value = best * sign
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
