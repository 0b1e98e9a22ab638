"""The card that a dealer who is to bid throws away after each bid that takes the upcard."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.analysis.grades import CLEAR
from solver.bidding.deal_ends import DealEnds, Playing
from solver.bidding.policy import Policy
from solver.bidding.rest import Ending, starts
from solver.game.auction import Bid, Call, discards
from solver.game.cards import Card
from solver.knowledge.seen import Knowledge

#: Worlds for a discard; how many of them are rolled out, for how many cards, how far behind double dummy these may be.
_SOLVED, _ROLLED, _CARDS, _BEHIND = 4096, 250, 2, 0.15
#: Worlds that a seat looks at in those rollouts: players who are a little worse prefer the same card. With 500 worlds,
#: three cards and 8 of these the choice was the same in 119 of 120 orders of the dealer; by another seed it is in 107.
_INNER = 4


def best_discards(
    knowledge: Knowledge,
    bids: Sequence[Bid],
    policy: Policy,
    ends: DealEnds,
    dealt: NDArray[np.uint64],
    seed: int,
    *,
    roll_out: bool,
) -> dict[Bid, Card]:
    """For a dealer who bids, the card to throw away after each of ``bids`` that takes the upcard.

    The best double dummy, unless rollouts find one of the close ones clearly better; by worlds that the bid itself
    is not rated by, so that a lucky choice does not flatter it.
    """
    chosen: dict[Bid, Card] = {}
    auction = knowledge.auction
    if auction is None or knowledge.seat != auction.dealer:
        return chosen
    dealt = dealt[:_SOLVED]
    rows, net = np.arange(len(dealt)), ends.results.net
    for bid in bids:
        then = auction.after(bid)
        if bid.call == Call.PASS or not then.takes_upcard:
            continue
        cards = discards(then, knowledge.hand)
        ending = Ending(then, rows)
        begun = {card: list(starts(policy, ending, dealt, card)) for card in cards}
        solved = ends.solve(list(begun.values()), len(rows))
        seen = {card: net[each].mean() for card, each in zip(begun, solved, strict=True)}
        ranked = sorted(cards, key=lambda card: -seen[card])
        if roll_out:
            close = [card for card in ranked if seen[card] >= seen[ranked[0]] - _BEHIND][:_CARDS]
            if len(close) > 1:
                played = [Playing(begun[card], 0, min(_ROLLED, len(rows)), seed) for card in close]
                nets = [net[each] for each in ends.play(played, _INNER)]
                ranked = [close[_clearly_best(nets)]]
        chosen[bid] = ranked[0]
    return chosen


def _clearly_best(nets: Sequence[NDArray[np.int64]]) -> int:
    """Which of several, in the order in which they are preferred, is best: the first, unless a later one is better by
    `CLEAR` standard errors."""
    best = 0
    for at in range(1, len(nets)):
        better = nets[at] - nets[best]
        if better.mean() > CLEAR * better.std() / math.sqrt(len(better)):
            best = at
    return best
