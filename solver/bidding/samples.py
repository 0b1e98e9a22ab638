"""What the auction policy is made from: the dealer's discards, and random deals with every contract played out.

W deals and clubs are turned: by the symmetry of seats and suits that is no loss. So seat and place in the auction are
one number, N bids first, and the suits C D H S have the roles 0 to 3 of `solver.bidding.hands`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.bidding.hands import (
    CROSS,
    DECK,
    OTHER_CROSS,
    RANKS,
    UP,
    Hands,
    all_hands,
    card_indexes,
    number,
    public,
    swapped,
)
from solver.bidding.policy import ALONE, OURS, THEIRS
from solver.engine.doubledummy import solve_batch
from solver.engine.playout import rollouts
from solver.game.auction import first_leader
from solver.game.cards import HAND_SIZE, Card, Suit
from solver.game.order import card_order
from solver.game.play import Play
from solver.game.rules import Rules
from solver.game.scoring import makers_points
from solver.game.seats import Seat, partner_of

RULES = Rules()
DEALER = Seat.W
TRUMP = Suit.CLUBS
#: Worlds for every discard, and more for those that may be the best.
WORLDS, MORE_WORLDS = 40, 96
#: How many points worse than the best a discard may look and still get more worlds.
CLOSE = 0.25
#: Decisions in the play are by that many worlds: for means over many deals few are best (docs/rollouts.md).
INNER = 4


class Played(NamedTuple):
    """A contract as it is played: the trump's role, the maker, whether alone, and who leads."""

    role: int
    maker: Seat
    alone: bool
    leader: Seat

    @staticmethod
    def by(rules: Rules, role: int, maker: Seat, alone: bool) -> Played:
        """With the partner it is the side that counts, not who of it is the maker."""
        one = maker if alone else Seat(maker % 2)
        return Played(role, one, alone, first_leader(rules, DEALER, one, alone))


Sorts = tuple[Played, ...]


def _sorts(*leads: str) -> Sorts:
    makers = [(alone, maker) for alone in (False, True) for maker in Seat]
    every = ((role, *each, Rules(lone_lead=lead)) for role in range(4) for each in makers for lead in leads)
    return tuple(dict.fromkeys(Played.by(rules, role, maker, alone) for role, alone, maker, rules in every))


#: The contracts that policies are made from, the dealer's left leading; and with each leader that rules may want
#: against a loner, which for all makers but the dealer are two.
SORTS = _sorts("dealer_left")
ALL_SORTS = _sorts("dealer_left", "maker_left")


@dataclass(frozen=True)
class Deals:
    """``hands`` uint32[n, 4] in roles, ``up`` uint8[n] the ranks of the upcards, from 0; ``tricks`` uint8[n, k] of
    the makers in each contract of ``sorts``."""

    hands: Hands
    up: NDArray[np.uint8]
    tricks: NDArray[np.uint8]
    sorts: Sorts = SORTS

    def played(self, rules: Rules, role: int, maker: Seat, alone: bool) -> NDArray[np.uint8]:
        """The makers' tricks ``uint8[n]`` in one contract: with the leader of the rules if that was played, else with
        the dealer's left leading."""
        wanted = Played.by(rules, role, maker, alone)
        if wanted not in self.sorts:
            wanted = Played.by(RULES, role, maker, alone)
        return self.tricks[:, self.sorts.index(wanted)]

    def some(self, rows: slice) -> Deals:
        return Deals(self.hands[rows], self.up[rows], self.tricks[rows], self.sorts)

    @staticmethod
    def join(parts: list[Deals]) -> Deals:
        return Deals(
            np.concatenate([part.hands for part in parts]),
            np.concatenate([part.up for part in parts]),
            np.concatenate([part.tricks for part in parts]),
            parts[0].sorts,
        )


def points_of(rules: Rules, alone: bool) -> NDArray[np.float64]:
    """The makers' net points for 0 to 5 tricks."""
    return np.array([makers_points(rules, alone, tricks) for tricks in range(HAND_SIZE + 1)], dtype=np.float64)


# --- the dealer's discards


def discard_hands() -> Hands:
    """The hands of six for which a discard is to be found: of two that differ by the cross suits' names, one."""
    hands = all_hands(HAND_SIZE + 1)
    return hands[hands <= swapped(hands)]


def best_discards(hands: Hands, seed: Sequence[int], threads: int = 1) -> NDArray[np.uint8]:
    """``uint8[3, 2, n]``: the best card and the second of six, in roles, by the mean of points over worlds in which
    all see all cards: when the dealer's side plays, when the others do, when the dealer plays alone.

    Any card but all trumps save the lowest may go.
    """
    strength = np.array([card_order(RULES, TRUMP).strength(Card(int(each))) for each in card_indexes(TRUMP)])
    trump = np.array([card_order(RULES, TRUMP).suit(Card(int(each))) == TRUMP for each in card_indexes(TRUMP)])
    # Each hand's cards, plain ones and low ones first; trumps beyond the first (and needed second) are no candidates.
    held = hands[:, None] >> np.arange(DECK, dtype=np.uint32) & 1 == 1
    worth = np.where(held, trump * 100 + strength, 1000)
    cards = np.argsort(worth, axis=1, kind="stable")[:, : HAND_SIZE + 1]
    trumps_before = np.cumsum(trump[cards], axis=1) - trump[cards]
    open_ = (trumps_before == 0) | (np.arange(HAND_SIZE + 1) < 2)
    random = np.random.default_rng(seed)
    total, count = _mean_points(hands, cards, open_, WORLDS, random, threads)
    means = np.where(open_, total / np.maximum(count, 1), -np.inf)
    close = (means >= means.max(axis=2, keepdims=True) - CLOSE).any(axis=0)
    more, further = _mean_points(hands, cards, close & (close.sum(axis=1) > 1)[:, None], MORE_WORLDS, random, threads)
    means = np.where(open_, (total + more) / np.maximum(count + further, 1), -np.inf)
    best = np.argsort(-means, axis=2, kind="stable")[:, :, :2]
    return np.take_along_axis(cards[None], best, axis=2).transpose(0, 2, 1).astype(np.uint8)


def _mean_points(
    hands: Hands,
    cards: NDArray[np.intp],
    asked: NDArray[np.bool_],
    worlds: int,
    random: np.random.Generator,
    threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums of points ``[3, n, 6]`` of the cards that are asked for, and how many worlds each sum is of."""
    held = hands[:, None] >> np.arange(DECK, dtype=np.uint32) & 1
    rest = np.argsort(held, axis=1, kind="stable")[:, : DECK - HAND_SIZE - 1]
    keys = random.random((len(hands), worlds, rest.shape[1]), dtype=np.float32)
    dealt = np.take_along_axis(rest[:, None, :], np.argsort(keys, axis=2)[:, :, : 3 * HAND_SIZE], axis=2)
    others = (np.uint32(1) << dealt.astype(np.uint32)).reshape(len(hands), worlds, 3, HAND_SIZE).sum(3, dtype=np.uint32)
    row, column = np.nonzero(asked)
    deals = np.zeros((len(row), worlds, 4), dtype=np.uint64)
    deals[:, :, :3] = public(others)[row]
    left = hands[row] ^ np.uint32(1) << cards[row, column].astype(np.uint32)
    deals[:, :, DEALER] = public(left)[:, None]
    flat = deals.reshape(-1, 4)
    trump, leader = np.zeros(len(flat), dtype=np.uint8), np.zeros(len(flat), dtype=np.uint8)
    ours = HAND_SIZE - solve_batch(flat, trump, leader, threads=threads)
    absent = np.full(len(flat), partner_of(DEALER), dtype=np.int8)
    alone = HAND_SIZE - solve_batch(flat, trump, leader, absent, threads=threads)
    sums = np.zeros((3, *asked.shape))
    together, by_itself = points_of(RULES, alone=False), points_of(RULES, alone=True)
    for kind, points in (
        (OURS, together[ours]),
        (THEIRS, -together[HAND_SIZE - ours]),
        (ALONE, by_itself[alone]),
    ):
        sums[kind][row, column] = points.reshape(-1, worlds).sum(axis=1)
    return sums, np.where(asked, float(worlds), 0.0)


def whole_table(found: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The discards of every hand of six, by `number`, from those of `discard_hands`."""
    hands = discard_hands()
    table = np.zeros((3, 2, len(all_hands(HAND_SIZE + 1))), dtype=np.uint8)
    mirrored = np.arange(DECK, dtype=np.uint8).reshape(4, RANKS)[[0, OTHER_CROSS, CROSS, 3]].reshape(-1)
    table[:, :, number(swapped(hands), HAND_SIZE + 1)] = mirrored[found]
    table[:, :, number(hands, HAND_SIZE + 1)] = found
    return table


# --- deals


def random_deals(count: int, seed: int, chunk: int) -> tuple[Hands, NDArray[np.uint8]]:
    """So many uniform deals with clubs turned: ``uint32[n, 4]`` in roles, and the ranks of the upcards."""
    random = np.random.default_rng([seed, chunk])
    up = random.integers(0, RANKS, count, dtype=np.uint8)
    keys = random.random((count, DECK), dtype=np.float32)
    keys[np.arange(count), up] = -1
    dealt = np.argsort(keys, axis=1)[:, 1 : 1 + 4 * HAND_SIZE].astype(np.uint32)
    hands = (np.uint32(1) << dealt).reshape(count, 4, HAND_SIZE).sum(axis=2, dtype=np.uint32)
    return hands, up


def play_out(
    hands: Hands,
    up: NDArray[np.uint8],
    discards: NDArray[np.uint8],
    seed: int,
    first: int = 0,
    threads: int = 1,
    inner: int = INNER,
    sorts: Sorts = SORTS,
) -> Deals:
    """The deals with each of their contracts played out once by seats that see their own (docs/rollouts.md), which draw
    by the seed and numbers from ``first`` on, and decide by ``inner`` worlds."""
    tricks = np.zeros((len(hands), len(sorts)), dtype=np.uint8)
    for at, sort in enumerate(sorts):
        tricks[:, at] = play_contract(sort, hands, up, discards, seed, first + at * len(hands), threads, inner)
    return Deals(hands, up, tricks, sorts)


def play_contract(
    sort: Played,
    hands: Hands,
    up: NDArray[np.uint8],
    discards: NDArray[np.uint8],
    seed: int,
    first: int = 0,
    threads: int = 1,
    inner: int = INNER,
) -> NDArray[np.uint8]:
    """The makers' tricks ``uint8[n]`` in one contract, played out once in each deal by seats that decide by ``inner``
    worlds."""
    held = public(hands)
    if sort.role != UP:
        out = np.repeat((np.uint64(1) << card_indexes(TRUMP)[up].astype(np.uint64))[:, None], 4, axis=1)
        return _roll(sort, held, out, None, seed, first, threads, inner)
    tricks = np.zeros(len(hands), dtype=np.uint8)
    kind = ALONE if sort.alone and sort.maker == DEALER else OURS if sort.maker % 2 == DEALER % 2 else THEIRS
    six = number(hands[:, DEALER] | np.uint32(1) << up.astype(np.uint32), HAND_SIZE + 1)
    thrown = card_indexes(TRUMP)[discards[kind, 0]][six].astype(np.uint64)
    for rank in range(RANKS):
        rows = np.nonzero(up == rank)[0]
        upcard = Card(int(card_indexes(TRUMP)[rank]))
        with_discard, out = held[rows], np.zeros((len(rows), 4), dtype=np.uint64)
        out[:, DEALER] = np.uint64(1) << thrown[rows]
        with_discard[:, DEALER] = (with_discard[:, DEALER] | np.uint64(upcard.bit)) ^ out[:, DEALER]
        tricks[rows] = _roll(sort, with_discard, out, upcard, seed, first, threads, inner)
        first += len(rows)
    return tricks


def _roll(
    sort: Played,
    held: NDArray[np.uint64],
    out: NDArray[np.uint64],
    upcard: Card | None,
    seed: int,
    first: int,
    threads: int,
    inner: int,
) -> NDArray[np.uint8]:
    if not len(held):
        return np.zeros(0, dtype=np.uint8)
    absent = partner_of(sort.maker) if sort.alone else None
    play = Play(card_order(RULES, Suit(sort.role)), RULES.seating, [None] * 4, sort.leader, absent)
    side = (sort.maker, partner_of(sort.maker))
    points = points_of(RULES, sort.alone).tolist()
    return rollouts(
        play,
        held,
        None,
        side,
        out=out,
        taken=None if upcard is None else (DEALER, upcard),
        hidden=upcard is not None and RULES.dealer_may_discard_upcard,
        points=points,
        inner=inner,
        seed=seed,
        first=first,
        threads=threads,
    )[:, 0]
