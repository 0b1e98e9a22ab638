"""The chance to win the game, at every score and with every dealer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from solver.game.rules import Rules
from solver.game.seats import Seat, Side

#: How deals between equal sides may end: net points of the dealer's side and their share. Round figures, not measured
#: here: a policy's own shares should take their place.
DEFAULT_SHARES: dict[int, float] = {1: 0.45, 2: 0.16, 4: 0.05, -1: 0.17, -2: 0.12, -4: 0.05}


@dataclass(frozen=True)
class Equity:
    """The chain of scores of a game in which every deal ends by the same shares.

    ``shares``: net points of the dealer's side -> share of deals, summing to 1; a share for 0 is that of deals thrown
    in. The deal alternates between the sides.
    """

    target: int
    shares: Mapping[int, float] = field(default_factory=lambda: DEFAULT_SHARES)

    @cached_property
    def _dealing(self) -> dict[tuple[int, int], float]:
        """(points of the dealer's side, of the other) -> the dealer's side's chance, before a deal.

        Points only rise, so each value follows from higher scores, but for a deal thrown in: then the other side deals
        at the same score. With z its share, x = a + z (1 - y) and y = b + z (1 - x) are solved for the pair.
        """
        chance: dict[tuple[int, int], float] = {}
        thrown_in = self.shares.get(0, 0.0)

        def decided(ours: int, theirs: int) -> float:
            """The dealer's side's chance from deals that somebody scores in."""
            total = 0.0
            for points, share in self.shares.items():
                if points > 0:
                    total += share * (1.0 if ours + points >= self.target else 1 - chance[theirs, ours + points])
                elif points < 0:
                    total += share * (0.0 if theirs - points >= self.target else 1 - chance[theirs - points, ours])
            return total

        for total in range(2 * self.target - 2, -1, -1):
            for ours in range(max(0, total - self.target + 1), min(self.target, total + 1)):
                theirs = total - ours
                if (ours, theirs) in chance:
                    continue
                a, b = decided(ours, theirs), decided(theirs, ours)
                x = (a + thrown_in * (1 - b - thrown_in)) / (1 - thrown_in**2)
                chance[ours, theirs] = x
                if ours != theirs:
                    chance[theirs, ours] = b + thrown_in * (1 - x)
        return chance

    def chance(self, ours: int, theirs: int, *, we_deal: bool) -> float:
        """The chance of the side with ``ours`` points, before a deal that it makes or the other side makes."""
        if ours >= self.target or theirs >= self.target:
            return 1.0 if ours >= theirs else 0.0
        return self._dealing[ours, theirs] if we_deal else 1 - self._dealing[theirs, ours]


def chances_after(
    equity: Equity, rules: Rules, dealer: Seat, score: Mapping[Side, int], side: Side
) -> dict[int, float]:
    """Net points of ``side`` for this deal -> its chance to win the game after it, the deal having passed on."""
    seating = rules.seating
    ours, theirs = score[side], score[seating.opponents(side)]
    we_deal = seating.side(seating.left_of(dealer)) == side
    most = max(rules.march, rules.lone_march, rules.euchre, rules.lone_euchre)
    return {
        net: equity.chance(ours + max(net, 0), theirs + max(-net, 0), we_deal=we_deal) for net in range(-most, most + 1)
    }
