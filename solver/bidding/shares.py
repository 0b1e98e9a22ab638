"""How deals end when all bid by the policy of the rules and the cards are played out: what was measured and is shipped.

`rightbower policy shares` makes the file (`solver.bidding.measure_shares`). It holds tricks, not points, so that rules
that differ in what tricks are worth can take the points from the same deals.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from solver.bidding.policy import policy_for
from solver.game.rules import PRESETS, Rules, describe, with_options
from solver.game.scoring import makers_points

DATA = "shares.json"
#: Options that say what tricks are worth, or how long a game is, and nothing of how a deal goes.
SCORING = frozenset(
    ("points", "march", "lone_points", "lone_march", "euchre", "lone_euchre", "defended_alone_euchre", "target")
)

#: Deals of one kind of makers by the tricks that these took, 0 to 5.
ByTricks = tuple[int, ...]


@dataclass(frozen=True)
class Shares:
    """Deals under some rules, by how they ended.

    ``policy``: the name of the policy that all bid by. ``thrown_in``: deals in which all passed. ``dealers`` and
    ``others``: deals that the dealer's side or the other one made, first with the partner, then alone.
    """

    rules: Rules
    policy: str
    thrown_in: int
    dealers: tuple[ByTricks, ByTricks]
    others: tuple[ByTricks, ByTricks]

    @property
    def deals(self) -> int:
        return self.thrown_in + sum(sum(counts) for counts in (*self.dealers, *self.others))

    @property
    def name(self) -> str:
        """The rules and the policy: ``british deck=28 by simple``."""
        base, options = describe(self.rules)
        changed = "".join(f" {option}={_shown(value)}" for option, value in options.items())
        return f"{base}{changed} by {self.policy}"

    def net(self, rules: Rules) -> dict[int, float]:
        """Net points of the dealer's side -> share of deals, tricks being worth what these rules say; 0 is there."""
        counts: dict[int, int] = defaultdict(int, {0: self.thrown_in})
        for sign, made in ((1, self.dealers), (-1, self.others)):
            for alone, by_tricks in enumerate(made):
                for tricks, count in enumerate(by_tricks):
                    if count:
                        counts[sign * makers_points(rules, bool(alone), tricks)] += count
        return {net: count / self.deals for net, count in sorted(counts.items())}

    def document(self) -> dict[str, Any]:
        """As in the file."""
        preset, options = describe(self.rules)
        return {
            "preset": preset,
            "options": options,
            "policy": self.policy,
            "thrown_in": self.thrown_in,
            "dealers": self.dealers,
            "others": self.others,
        }

    @staticmethod
    def read(document: Mapping[str, Any]) -> Shares:
        def pair(found: Sequence[Sequence[int]]) -> tuple[ByTricks, ByTricks]:
            together, alone = found
            return tuple(together), tuple(alone)

        return Shares(
            with_options(PRESETS[document["preset"]], document["options"]),
            document["policy"],
            document["thrown_in"],
            pair(document["dealers"]),
            pair(document["others"]),
        )


def _shown(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


@cache
def load_shares() -> tuple[Shares, ...]:
    """All that is in the file."""
    document = json.loads((files("solver.bidding") / "data" / DATA).read_text(encoding="utf-8"))
    return tuple(Shares.read(each) for each in document["shares"])


def shares_for(rules: Rules) -> Shares:
    """What was measured for rules that deals go by most like they go by these.

    Alike in the number of seats, the deck, whether one may go alone, and the policy, in this order; then in as many
    other options as can be. What tricks are worth is not compared, as `Shares.net` sees to it. Of equals the first.
    """
    policy = policy_for(rules).name

    def apart(each: Shares) -> tuple[bool, bool, bool, bool, int]:
        other = each.rules
        return (
            other.seats != rules.seats,
            other.deck != rules.deck,
            (other.going_alone == "never") != (rules.going_alone == "never"),
            each.policy != policy,
            len(other.differences(rules).keys() - SCORING),
        )

    return min(load_shares(), key=apart)
