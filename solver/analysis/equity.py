"""The chance to win the game, at every score and with every dealer.

A game is a chain of scores in which every deal ends by the same shares. They are those of the policy that bids are
rated with (`solver.bidding.shares`), so that what a bid wins now and what the rest of the game is worth are said of the
same players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.bidding.shares import shares_for
from solver.errors import Fault, refuse
from solver.game.rules import Rules
from solver.game.seats import Seat, Side


@dataclass(frozen=True)
class Equity:
    """The chain of scores of a game in which every deal ends by the same shares, whatever the score.

    ``shares``: net points of the dealer's side -> share of deals, summing to 1; a share for 0 is that of deals in which
    nobody scores. The deal alternates between the sides. ``source`` says whose the shares are.
    """

    target: int
    shares: Mapping[int, float]
    source: str = ""

    @cached_property
    def _dealing(self) -> NDArray[np.float64]:
        """``[target, target]``: the dealer's side's chance before a deal, by its points and those of the other side.

        Points only rise, so each value follows from those with more points together, but for a deal without points:
        then the other side deals at the same score. With z its share and a, b what all other deals give the side that
        deals first and the other one when it deals, x = a + z (1 - y) and y = b + z (1 - x) are solved for the pair.
        """
        target, most = self.target, max((abs(net) for net in self.shares), default=0)
        nobody = self.shares.get(0, 0.0)
        if nobody >= 1:
            # Such a game never ends.
            return np.full((target, target), 0.5)
        # Beyond the target, where a deal may end, the side that has come there has won.
        chance = np.zeros((target + most, target + most))
        chance[target:, :target] = 1.0
        for total in range(2 * target - 2, -1, -1):
            ours = np.arange(max(0, total - target + 1), min(target, total + 1))
            theirs = total - ours
            scored = np.zeros(len(ours))
            for net, share in self.shares.items():
                if net > 0:
                    scored += share * (1 - chance[theirs, ours + net])
                elif net < 0:
                    scored += share * (1 - chance[theirs - net, ours])
            # The same scores the other way round stand in the same row, from its other end.
            chance[ours, theirs] = (scored + nobody * (1 - scored[::-1] - nobody)) / (1 - nobody**2)
        return chance[:target, :target].copy()

    def chance(self, ours: int, theirs: int, *, we_deal: bool) -> float:
        """The chance of the side with ``ours`` points, before a deal that it makes or the other side makes."""
        if ours >= self.target or theirs >= self.target:
            return 1.0 if ours >= theirs else 0.0
        return float(self._dealing[ours, theirs] if we_deal else 1 - self._dealing[theirs, ours])


# A chain to the greatest target takes 8 MB, so only some are kept.
@lru_cache(maxsize=16)
def equity_for(rules: Rules) -> Equity:
    """The chain of a game by these rules: their target and points, and deals that go as under the most similar rules
    that were measured (`shares_for`)."""
    shares = shares_for(rules)
    return Equity(rules.target, shares.net(rules), shares.name)


def score_faults(rules: Rules, score: Mapping[Side, int]) -> list[Fault]:
    """What is wrong with the score of a game that goes on."""
    if set(score) != set(rules.seating.sides):
        named = " and ".join(rules.seating.sides)
        return [Fault("field.invalid", f"the score has the points of {named}", ("score",))]
    return [
        Fault("field.invalid", f"{side} has {points} points, and the game is to {rules.target}", ("score", side))
        for side, points in score.items()
        if type(points) is not int or not 0 <= points < rules.target
    ]


def chances_after(rules: Rules, dealer: Seat, score: Mapping[Side, int], side: Side) -> dict[int, float]:
    """Net points of ``side`` for this deal -> its chance to win the game after it, the deal having passed on.

    Raises `InvalidInput` for what is no score of a game that goes on.
    """
    refuse(score_faults(rules, score))
    equity, seating = equity_for(rules), rules.seating
    ours, theirs = score[side], score[seating.opponents(side)]
    we_deal = seating.side(seating.left_of(dealer)) == side
    most = max(rules.march, rules.lone_march, rules.euchre, rules.lone_euchre)
    return {
        net: equity.chance(ours + max(net, 0), theirs + max(-net, 0), we_deal=we_deal) for net in range(-most, most + 1)
    }
