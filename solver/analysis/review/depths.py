"""How closely a review looks: every setting there is, by name."""

from __future__ import annotations

from dataclasses import dataclass

from solver.errors import Fault, InvalidInput


@dataclass(frozen=True)
class Depth:
    """What the numbers of a review rest on.

    Worlds are those of one half: a decision is looked at over two independent halves, unless the first one settles it.
    ``bid_method`` is one of `RATE_METHODS`, ``card_method`` one of `METHODS`. ``card_draw``: so many worlds are drawn
    and weighed by the bids for each that is looked at. ``plays``: how often a deal is bid and played out anew, for what
    its cards are worth.
    """

    name: str
    bid_method: str
    bid_worlds: int
    card_method: str
    card_worlds: int
    card_draw: int
    plays: int


FAST = Depth("fast", "double-dummy", 250, "pimc", 100, 8, 16)
DEFAULT = Depth("default", "rollout", 400, "pimc", 500, 16, 64)
DEEP = Depth("deep", "rollout", 2000, "rollout", 400, 16, 256)

#: Every depth by name, the quickest first.
DEPTHS: dict[str, Depth] = {depth.name: depth for depth in (FAST, DEFAULT, DEEP)}


def depth_named(name: str) -> Depth:
    """The depth of that name. Raises `InvalidInput` if there is none."""
    if name in DEPTHS:
        return DEPTHS[name]
    message = f"there is no depth {name[:40]!r}; known are {', '.join(DEPTHS)}"
    raise InvalidInput([Fault("field.invalid", message, ("depth",))])
