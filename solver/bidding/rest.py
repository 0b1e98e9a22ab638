"""The rest of an auction as a policy bids it, over many deals at once, and the cards as play then begins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.bidding.policy import Policy
from solver.game.auction import PASS, Auction
from solver.game.cards import Card
from solver.game.order import card_order
from solver.game.play import Play
from solver.game.seats import Seat

#: The least chance that a bid is taken to have. People do not bid by our policy: a bid that it would never make makes
#: the hand unlikely, not impossible.
SLIP = 0.001


@dataclass(frozen=True, eq=False)
class Ending:
    """How the auction ends in some of the deals; ``rows`` are their numbers."""

    auction: Auction
    rows: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Start:
    """Deals about to be played that share all that is public. ``rows`` are their numbers.

    ``held`` is ``uint64[n, 4]``, ``out`` what each seat knows to be out of play, ``taken`` and ``hidden`` the upcard in
    the dealer's hand; all as in `solver.engine.playout`.
    """

    auction: Auction
    rows: NDArray[np.intp]
    held: NDArray[np.uint64]
    out: NDArray[np.uint64]
    taken: tuple[Seat, Card] | None
    hidden: bool

    def play(self) -> Play:
        auction, contract = self.auction, self.auction.contract
        assert contract is not None  # else there is nothing to play
        order = card_order(auction.rules, contract.trump)
        return Play(order, auction.rules.seating, [None] * len(Seat), contract.leader, contract.sitting_out)


def chance_of_bids(policy: Policy, auction: Auction, seat: Seat, dealt: NDArray[np.uint64]) -> NDArray[np.float64]:
    """How likely the others were to bid as they did, each by its own hand, in each deal: ``float64[n]``.

    What ``seat`` bid itself says nothing about the other hands. ``dealt`` is ``uint64[n, 4]``.
    """
    chance = np.ones(len(dealt))
    for at, bid in enumerate(auction.bids):
        before = Auction(auction.rules, auction.dealer, auction.upcard, auction.bids[:at])
        bidder = auction.bidder(at)
        if bidder != seat:
            chance *= np.maximum(policy.chance_batch(before, bid, dealt[:, bidder]), SLIP)
    return chance


def endings(
    policy: Policy, auction: Auction, dealt: NDArray[np.uint64], draws: NDArray[np.float64]
) -> Iterator[Ending]:
    """How the auction ends in each deal when every seat bids by the policy, by its own hand alone.

    ``draws``: ``float64[turns, n]``, uniform numbers that decide each bid where the policy mixes, whatever was bid
    before.
    """
    rows = np.arange(len(dealt))
    while not auction.over and len(rows):
        seat, legal = auction.to_act, auction.legal_bids()
        assert seat is not None  # the auction goes on
        reached = policy.bid_batch(auction, dealt[rows, seat]).cumsum(axis=1)
        chosen = (draws[len(auction.bids), rows, None] >= reached[:, :-1]).sum(axis=1)
        for at, bid in enumerate(legal):
            those = rows[chosen == at]
            if bid != PASS and len(those):
                yield Ending(auction.after(bid), those)
        if PASS not in legal:
            return
        rows, auction = rows[chosen == legal.index(PASS)], auction.after(PASS)
    if len(rows):
        yield Ending(auction, rows)


def starts(policy: Policy, ending: Ending, dealt: NDArray[np.uint64], discard: Card | None = None) -> Iterator[Start]:
    """The deals of an ending as play begins, the dealer having discarded.

    One card is thrown away for each hand of six that the dealer can have: ``discard`` where it is told, for one whose
    hand is known, else the policy's. Nothing comes of an auction that was thrown in.
    """
    auction, rows = ending.auction, ending.rows
    rules, dealer, upcard, contract = auction.rules, auction.dealer, auction.upcard, auction.contract
    if contract is None:
        return
    held = dealt[rows].copy()
    out = np.zeros_like(held)
    up = np.uint64(upcard.bit)
    if not auction.takes_upcard:
        yield Start(auction, rows, held, out | up, None, hidden=False)
        return
    if contract.sitting_out == dealer:
        # What it throws away changes nothing: all six cards are out of play.
        yield Start(auction, rows, held, out, (dealer, upcard), hidden=False)
        return
    if discard is None:
        thrown = np.uint64(1) << policy.discard_batch(auction, held[:, dealer]).astype(np.uint64)
    else:
        thrown = np.full(len(rows), discard.bit, dtype=np.uint64)
    held[:, dealer] = (held[:, dealer] | up) & ~thrown
    out[:, dealer] |= thrown
    declined = thrown == up
    if rules.dealer_may_decline_upcard and contract.maker != dealer and declined.any():
        # Everybody sees that the upcard is declined, so the two cases are played apart.
        for those, gone, taken in ((declined, up, None), (~declined, np.uint64(0), (dealer, upcard))):
            if those.any():
                yield Start(auction, rows[those], held[those], out[those] | gone, taken, hidden=False)
        return
    may_hide = rules.dealer_may_discard_upcard and not (rules.dealer_may_decline_upcard and contract.maker != dealer)
    yield Start(auction, rows, held, out, (dealer, upcard), hidden=may_hide)
