"""The auction's approximate equilibrium over a sample of deals whose contracts have been played out.

The first bid ends the auction, so the whole game is: at each of eight places, pass or make one of a few contracts. A
sweep goes from the last place to the first. At each it takes, for every information set, the mean of every contract and
of passing over the deals that come there: weighted by the chance that the others have passed so far, and with a pass
worth what the policy makes of the rest of the auction, each later seat seeing its own cards. Then the policy moves
some way to what is best. A seat's own passes need no weight: they say nothing that it does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.bidding import smooth
from solver.bidding.hands import CROSS, HANDS, NEXT, OTHER_CROSS, RANKS, UP, all_hands, number
from solver.bidding.policy import CALLS, EITHER_CROSS, OURS, WHOLE
from solver.bidding.samples import DEALER, TRUMP, Deals, points_of
from solver.bidding.smooth import CELLS, Floats, Smoother, cell, mirror, possible
from solver.game.auction import PASS, Auction, Call
from solver.game.cards import HAND_SIZE, Card, Rank
from solver.game.rules import Rules
from solver.game.seats import Seat

Sample = tuple[Floats, float]

#: The places of an auction.
PLACES = 8
#: A pass that nobody makes still counts a little, so that what follows it is known.
TREMBLE = 0.02
#: Two actions that differ by this many points are taken 73 to 27 times of 100: mixing where it hardly matters keeps
#: sweeps from chasing each other.
SOFTNESS = 0.03
#: How far each sweep moves the policy.
STEPS = (1.0, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.2)
#: The same for rules that start from the policy of others. The first goes all the way: else a twentieth of bids that
#: are good with a partner stays where these rules allow to make them alone only.
FURTHER_STEPS = (1.0, 0.5, 0.4, 0.3, 0.2)
#: Shares nearer to nothing or all than this become nothing or all.
RARE = 0.04


@dataclass
class Table:
    """By place and information set: the call that is made if any, and how often it is made."""

    calls: NDArray[np.uint8]
    shares: Floats

    @staticmethod
    def passes() -> Table:
        return Table(np.zeros((PLACES, CELLS), dtype=np.uint8), np.zeros((PLACES, CELLS)))

    def copy(self) -> Table:
        return Table(self.calls.copy(), self.shares.copy())

    def stored(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """As in the data file."""
        shares = np.where(self.shares < RARE, 0.0, np.where(self.shares > 1 - RARE, 1.0, self.shares))
        whole = np.round(shares * WHOLE).astype(np.uint8)
        whole[:, ~possible()] = 0
        calls = np.where(whole > 0, self.calls, 0).astype(np.uint8)
        # A hand that is its own mirror has no first cross suit.
        itself = mirror() == np.arange(CELLS)
        cross = np.isin(calls >> 1, (CROSS, OTHER_CROSS)) & itself
        calls = np.where(cross, EITHER_CROSS + (calls & 1), calls).astype(np.uint8)
        shape = (PLACES, RANKS, HANDS)
        return calls.reshape(shape), whole.reshape(shape)

    @staticmethod
    def read(calls: NDArray[np.uint8], shares: NDArray[np.uint8]) -> Table:
        flat = calls.reshape(PLACES, CELLS)
        roles = np.where(flat >= EITHER_CROSS, 2 * CROSS + (flat & 1), flat).astype(np.uint8)
        return Table(roles, shares.reshape(PLACES, CELLS) / WHOLE)


class Game:
    """The auction of some rules over a sample of deals. Values are net points of N and S, seats 0 and 2."""

    def __init__(self, rules: Rules, deals: Deals, discards: NDArray[np.uint8]) -> None:
        self.rules = rules
        self.deals = deals
        self.cells = np.stack([cell(deals.hands[:, seat], deals.up) for seat in range(4)])
        self.legal = [legal_calls(rules, place) for place in range(PLACES)]
        self._points = [points_of(rules, alone).astype(np.float32) for alone in (False, True)]
        self._discards = discards

    def value(self, place: int, call: int) -> NDArray[np.float32]:
        """Of that call in each deal."""
        seat, role, alone = Seat(place % 4), call >> 1, bool(call & 1)
        points = self._points[alone][self.deals.played(self.rules, role, seat, alone)]
        return points if seat % 2 == 0 else -points

    def made(self, table: Table, place: int) -> tuple[Floats, NDArray[np.float32]]:
        """In each deal, how often the seat bids that comes to that place, and what its bid is worth."""
        cells = self.cells[place % 4]
        calls = table.calls[place][cells]
        value = np.zeros(len(cells), dtype=np.float32)
        for call in self.legal[place][1]:
            value = np.where(calls == call, self.value(place, call), value)
        return table.shares[place][cells], value

    def worth(self, table: Table) -> Floats:
        """Of each deal under the policy."""
        rest = np.zeros(len(self.deals.up))
        for place in reversed(range(PLACES)):
            share, value = self.made(table, place)
            rest = share * value + (1 - share) * rest
        return rest

    def sweep(self, table: Table, step: float) -> None:
        """Move the policy towards what is best against it, the later places of the sweep first."""

        def moved(place: int, means: Floats, passing: Floats) -> None:
            call = means.argmax(axis=0)
            target, size = np.ones(CELLS), 1.0
            if self.legal[place][0]:
                target, size = _share(means[call, np.arange(CELLS)] - passing), step
            table.calls[place] = call
            table.shares[place] += size * (target - table.shares[place])

        self._backwards(table, range(PLACES), moved)

    def respond(self, table: Table, seat: int, least: float = 0.0) -> Table:
        """The policy with both places of one seat bidding what is best against it, where that is worth more than
        ``least`` points to it."""
        response = table.copy()

        def moved(place: int, means: Floats, passing: Floats) -> None:
            share, every = response.shares[place], np.arange(CELLS)
            call, before = means.argmax(axis=0), response.calls[place].astype(np.intp)
            most = np.maximum(means[call, every], passing) if self.legal[place][0] else means[call, every]
            # Where nothing is bid, the call that stands there need not be legal.
            bid = np.where(share > 0, np.nan_to_num(means[before, every], neginf=0.0), 0.0)
            better = most - (share * bid + (1 - share) * passing) > least
            response.calls[place] = np.where(better, call, before)
            response.shares[place] = np.where(better, most == means[call, every], share)

        self._backwards(response, (seat, seat + 4), moved)
        return response

    def _backwards(self, table: Table, places: Collection[int], moved: Callable[[int, Floats, Floats], None]) -> None:
        """From the last place to the first, have those places moved by what their calls and their pass are worth."""
        bids = [table.shares[place][self.cells[place % 4]] for place in range(PLACES)]
        rest = np.zeros(len(self.deals.up))
        for place in reversed(range(PLACES)):
            if place in places:
                weight = np.ones(len(rest))
                for earlier in range(place):
                    if earlier % 4 != place % 4:
                        weight *= np.maximum(1 - bids[earlier], TREMBLE)
                moved(place, *self.values(place, weight, rest))
            share, value = self.made(table, place)
            rest = share * value + (1 - share) * rest

    def values(self, place: int, weight: Floats, rest: Floats) -> tuple[Floats, Floats]:
        """For each information set of a place what each of `CALLS` is worth to the seat, ``[calls, cells]``, minus
        infinity where it is illegal, and what a pass is; ``weight``: how often each deal comes there."""
        cells, sign = self.cells[place % 4], 1 if place % 2 == 0 else -1
        there = mirror()
        count: Floats = np.bincount(cells, weight, CELLS).astype(np.float64)
        count += count[there]

        def sums(values: Floats | NDArray[np.float32], mirrored: Floats | NDArray[np.float32]) -> Sample:
            """Of the values, and of what in the mirror is the same again."""
            total: Floats = np.bincount(cells, sign * weight * values, CELLS).astype(np.float64)
            total += np.bincount(cells, sign * weight * mirrored, CELLS)[there]
            return total, float((weight * (values**2 + mirrored**2)).sum())

        may_pass, calls = self.legal[place]
        means = np.full((CALLS, CELLS), -np.inf)
        for role in {call >> 1 for call in calls} - {OTHER_CROSS}:
            ours = [call for call in calls if call >> 1 == role]
            samples = []
            for call in ours:
                value = self.value(place, call)
                samples.append(sums(value, self.value(place, call + 2) if role == CROSS else value))
            for call, found in zip(ours, self._smoother(place, role).means(count, samples), strict=True):
                means[call] = found if role == CROSS else _both(found)
                if role == CROSS:
                    means[call + 2] = found[there]
        passing = _both(smooth.for_pass().means(count, [sums(rest, rest)])[0]) if may_pass else np.zeros(CELLS)
        return means, passing

    @cached_property
    def _picked_up(self) -> Smoother:
        return smooth.picked_up(_after_discard(self._discards))

    def _smoother(self, place: int, role: int) -> Smoother:
        return self._picked_up if place == DEALER and role == UP else smooth.for_trump(role)


def solve(game: Game, table: Table, steps: Sequence[float] = STEPS) -> list[float]:
    """Some sweeps that change ``table``; gives after each in which share of the decisions that are come to it acts
    otherwise than before."""
    changes = []
    for step in steps:
        before = table.copy()
        game.sweep(table, step)
        changes.append(_change(game, before, table))
    return changes


def legal_calls(rules: Rules, place: int) -> tuple[bool, tuple[int, ...]]:
    """Whether one may pass at a place, and the calls that one may make."""
    upcard = Card.of(Rank.NINE, TRUMP)
    legal = Auction(rules, DEALER, upcard, (PASS,) * place).legal_bids()
    roles = {bid: UP if bid.suit is None else (UP, CROSS, OTHER_CROSS, NEXT)[bid.suit] for bid in legal}
    calls = [2 * roles[bid] + bid.alone for bid in legal if bid.call != Call.PASS]
    return PASS in legal, tuple(calls)


def _share(gain: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(gain / SOFTNESS, -40, 40)))


def _both(means: Floats) -> Floats:
    """What is known of one of two mirrors, for both."""
    cells = np.arange(CELLS)
    return means[np.minimum(cells, mirror())]


def _after_discard(discards: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """What the dealer plays with, by information set; with the upcard in hand, which is none, the hand itself."""
    hands = np.tile(all_hands(), RANKS)
    upcard = np.repeat(np.uint32(1) << np.arange(RANKS, dtype=np.uint32), HANDS)
    six = np.where(possible(), hands | upcard, 0b111111)
    thrown = np.uint32(1) << discards[OURS, 0][number(six.astype(np.uint32), HAND_SIZE + 1)].astype(np.uint32)
    return np.where(possible(), six & ~thrown, hands).astype(np.uint32)


def _change(game: Game, before: Table, after: Table) -> float:
    reached, changed, total = np.ones(len(game.deals.up)), 0.0, 0.0
    for place in range(PLACES):
        cells = game.cells[place % 4]
        old, new = before.shares[place][cells], after.shares[place][cells]
        same = before.calls[place][cells] == after.calls[place][cells]
        kept = np.where(same, np.minimum(old, new), 0) + np.minimum(1 - old, 1 - new)
        changed += float((reached * (1 - kept)).sum())
        total += float(reached.sum())
        reached = reached * (1 - new)
    return changed / total
