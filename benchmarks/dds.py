"""Four-handed deals given to DDS, the bridge solver, as five-card bridge endings. Needs endplay, a test extra."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import endplay._dds as dds
import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import HAND, Deals
from solver import Card, Rules, Suit, card_order

#: Boards that DDS takes in one call.
BOARDS = 200
_LOWEST = 2  # a bridge deuce, as DDS counts bits


def use_one_thread() -> None:
    dds.SetMaxThreads(1)


def boards_of(deals: Deals, deck: int = 24) -> list[ctypes.Structure]:
    """The deals as DDS wants them, `BOARDS` at a time. Trump becomes spades; relative ranks are kept."""
    places = [_places(deck, Suit(trump)) for trump in range(4)]
    batches = []
    for start in range(0, deals.number, BOARDS):
        batch = dds.boards()
        batch.noOfBoards = min(BOARDS, deals.number - start)
        for at in range(batch.noOfBoards):
            row = start + at
            deal = batch.deals[at]
            deal.trump = 0
            deal.first = int(deals.leader[row])
            for seat in range(4):
                for index in _indices(int(deals.hands[row, seat])):
                    suit, bit = places[deals.trump[row]][index]
                    deal.remainCards[seat][suit] |= bit
            # The best score only, and searched for even if a card is forced.
            batch.target[at], batch.solutions[at], batch.mode[at] = -1, 1, 1
        batches.append(batch)
    return batches


def solve(batches: list[ctypes.Structure]) -> list[ctypes.Structure]:
    """Solve; this alone is worth timing."""
    answers = []
    for batch in batches:
        solved = dds.solvedBoards()
        dds.SolveAllBoardsBin(batch, solved)
        answers.append(solved)
    return answers


def ns_tricks(answers: list[ctypes.Structure], deals: Deals) -> NDArray[np.uint8]:
    scores = np.array([solved.solvedBoard[at].score[0] for solved in answers for at in range(solved.noOfBoards)])
    return np.where(deals.leader % 2 == 0, scores, HAND - scores).astype(np.uint8)


def _places(deck: int, trump: Suit) -> dict[int, tuple[int, int]]:
    """Card index -> DDS's suit and rank bit."""
    suits = card_order(Rules(deck=deck), trump).suits
    ordered = [suits[trump], *(suits[suit] for suit in Suit if suit != trump)]
    return {
        card.index: (at, 1 << (_LOWEST + strength))
        for at, cards in enumerate(ordered)
        for strength, card in enumerate(cards)
    }


def _indices(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield Card(low.bit_length() - 1).index
        bits ^= low
