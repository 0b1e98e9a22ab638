"""The card that a dealer who is to bid throws away after each bid that takes the upcard."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from solver.analysis.grades import CLEAR
from solver.bidding.deal_ends import DealEnds, Playing
from solver.bidding.policy import Policy
from solver.bidding.rest import Ending, Start, starts
from solver.game.auction import Auction, Bid, discards
from solver.game.cards import Card, CardSet
from solver.game.order import card_order
from solver.knowledge.seen import Knowledge

#: Worlds for a discard; how many of them are rolled out, for how many cards, how far behind double dummy these may be.
_SOLVED, _ROLLED, _CARDS, _BEHIND = 4096, 250, 2, 0.15
#: After so many worlds only those cards are solved in the others that may still be chosen: all but those that are
#: behind by more than what rollouts may make good, and so many standard errors.
_FIRST, _SURE = 128, 4.0
#: Worlds that a seat looks at in those rollouts: players who are a little worse prefer the same card. With 500 worlds,
#: three cards and 8 of these the choice was the same in 119 of 120 orders of the dealer; by another seed it is in 107.
_INNER = 4


def discarding_bids(knowledge: Knowledge, bids: Sequence[Bid]) -> list[Bid]:
    """Those of the seat's ``bids`` after which it has to throw a card away."""
    auction = knowledge.auction
    if auction is None or knowledge.seat != auction.dealer:
        return []
    return [bid for bid in bids if auction.after(bid).takes_upcard]


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
    """For a dealer who bids, the card to throw away after each of ``bids``, which all take the upcard.

    The best double dummy, unless rollouts find one of the close ones clearly better; by worlds that the bid itself
    is not rated by, so that a lucky choice does not flatter it.
    """
    auction = knowledge.auction
    assert auction is not None  # there is a bid to make
    chosen: dict[Bid, Card] = {}
    dealt = dealt[:_SOLVED]
    for bid in bids:
        then = auction.after(bid)
        after = _AfterDiscards(then, policy, ends, dealt)
        twins = _twins(then, knowledge.hand)
        seen = after.solved(discards(then, knowledge.hand), twins, _BEHIND if roll_out else 0.0)
        ranked = sorted(seen, key=lambda card: -seen[card])
        if roll_out:
            # Of twins the first is played: nobody sees which of them is gone, but for the upcard, which all know of.
            kinds: dict[tuple[Card, bool], Card] = {}
            for card in ranked:
                kinds.setdefault((twins[card], card == auction.upcard), card)
            close = [card for card in kinds.values() if seen[card] >= seen[ranked[0]] - _BEHIND][:_CARDS]
            if len(close) > 1:
                ranked = [close[_clearly_best(after.rolled_out(close, seed))]]
        chosen[bid] = ranked[0]
    return chosen


class _AfterDiscards:
    """What the dealer's side gets, in net points, in the same worlds after each discard."""

    def __init__(self, auction: Auction, policy: Policy, ends: DealEnds, dealt: NDArray[np.uint64]) -> None:
        self._auction, self._policy, self._ends, self._dealt = auction, policy, ends, dealt

    def solved(self, cards: Sequence[Card], twins: Mapping[Card, Card], behind: float) -> dict[Card, float]:
        """The mean of each card, double dummy, without the cards that are surely more than ``behind`` below the best.
        ``twins``: for each card the one, of those that come to the same, that is solved."""
        nets = self._solve(list(dict.fromkeys(twins[card] for card in cards)), 0, _FIRST)
        best = max(nets.values(), key=lambda net: net.mean())
        near = [card for card, net in nets.items() if not _surely_behind(best - net, behind)]
        rest = self._solve(near, _FIRST, len(self._dealt))
        means = {card: float(np.concatenate((nets[card], rest[card])).mean()) for card in near}
        return {card: means[twins[card]] for card in cards if twins[card] in means}

    def rolled_out(self, cards: Sequence[Card], seed: int) -> list[NDArray[np.int64]]:
        """The net points of each card in the first worlds, as seats play that see their own side."""
        number = min(_ROLLED, len(self._dealt))
        played = [Playing(self._starts(card, 0, number), 0, number, seed) for card in cards]
        return [self._ends.results.net[each] for each in self._ends.play(played, _INNER)]

    def _solve(self, cards: Sequence[Card], first: int, last: int) -> dict[Card, NDArray[np.int64]]:
        begun = [self._starts(card, first, last) for card in cards]
        solved = self._ends.solve(begun, len(self._dealt))
        return {card: self._ends.results.net[each[first:last]] for card, each in zip(cards, solved, strict=True)}

    def _starts(self, card: Card, first: int, last: int) -> list[Start]:
        rows = np.arange(first, min(last, len(self._dealt)))
        return list(starts(self._policy, Ending(self._auction, rows), self._dealt, card))


def _twins(auction: Auction, hand: CardSet) -> dict[Card, Card]:
    """For each card of the dealer, who has taken the upcard, the weakest that is as good, all cards seen: between the
    two there is no card of the suit that the dealer does not hold."""
    assert auction.contract is not None  # it was ordered
    held = hand.with_card(auction.upcard)
    twins: dict[Card, Card] = {}
    for cards in card_order(auction.rules, auction.contract.trump).suits:
        for at, card in enumerate(cards):
            if card in held:
                twins[card] = twins[cards[at - 1]] if at and cards[at - 1] in held else card
    return twins


def _surely_behind(lead: NDArray[np.int64], behind: float) -> bool:
    """Whether a card is below the best by more than ``behind``, ``lead`` being the best's lead in each world."""
    return bool(lead.mean() - behind > _SURE * lead.std() / math.sqrt(len(lead)))


def _clearly_best(nets: Sequence[NDArray[np.int64]]) -> int:
    """Which of several, in the order in which they are preferred, is best: the first, unless a later one is better by
    `CLEAR` standard errors."""
    best = 0
    for at in range(1, len(nets)):
        better = nets[at] - nets[best]
        if better.mean() > CLEAR * better.std() / math.sqrt(len(better)):
            best = at
    return best
