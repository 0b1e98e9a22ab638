"""Points for a deal, and the game to the target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solver.errors import Fault, InvalidInput, refuse
from solver.game.auction import Contract
from solver.game.cards import HAND_SIZE
from solver.game.rules import Rules
from solver.game.seats import Seat, Side

#: Tricks that the makers need so as not to be euchred.
NEEDED = 3


def makers_points(rules: Rules, alone: bool, makers_tricks: int) -> int:
    """Net points of the makers' side for that many of five tricks: negative when they are euchred."""
    if makers_tricks < NEEDED:
        return -(rules.lone_euchre if alone else rules.euchre)
    if makers_tricks == HAND_SIZE:
        return rules.lone_march if alone else rules.march
    return rules.lone_points if alone else rules.points


def score(rules: Rules, contract: Contract | None, tricks: Mapping[Side, int]) -> dict[Side, int]:
    """Points by side for a played deal; nobody scores in one thrown in (``contract`` None)."""
    points = dict.fromkeys(rules.seating.sides, 0)
    if contract is None:
        return points
    makers = rules.seating.side(contract.maker)
    net = makers_points(rules, contract.alone, tricks[makers])
    points[makers if net > 0 else rules.seating.opponents(makers)] = abs(net)
    return points


def net(points: Mapping[Side, int], side: Side) -> int:
    """The side's points less the other's."""
    return sum(value if each == side else -value for each, value in points.items())


@dataclass(frozen=True, slots=True)
class Game:
    """A game under way: the score before the next deal, and who deals it.

    ``scores`` are in the order of the rules' sides. The deal passes to the left after every deal, thrown in or not.
    """

    rules: Rules
    dealer: Seat
    scores: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        refuse(
            Fault("field.invalid", f"{side} cannot have {points} points", ("scores", str(side)))
            for side, points in zip(self.rules.seating.sides, self.scores, strict=True)
            if points < 0
        )

    @property
    def score(self) -> dict[Side, int]:
        return dict(zip(self.rules.seating.sides, self.scores, strict=True))

    @property
    def winner(self) -> Side | None:
        """The side that has reached the target, if any: only one side scores in a deal."""
        return next((side for side, points in self.score.items() if points >= self.rules.target), None)

    def after(self, points: Mapping[Side, int]) -> Game:
        """The game after a deal that gave these points. Raises `InvalidInput` when the game is already won."""
        if self.winner is not None:
            raise InvalidInput([Fault("field.invalid", f"{self.winner} has already won the game", ("scores",))])
        first, second = (old + points[side] for side, old in self.score.items())
        return Game(self.rules, self.rules.seating.left_of(self.dealer), (first, second))
