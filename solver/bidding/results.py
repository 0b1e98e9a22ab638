"""What can come of a deal, as numbers that arrays of deals hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.game.auction import Contract
from solver.game.cards import HAND_SIZE
from solver.game.rules import Rules
from solver.game.scoring import makers_points
from solver.game.seats import Side


class Results:
    """What can come of a deal, numbered: a contract's kind of makers, with the first side's tricks.

    Result number ``6 * kind + tricks``; the kinds are the pairs (makers' side, alone), and one for a deal thrown in.
    """

    def __init__(self, rules: Rules, side: Side) -> None:
        self.kinds: list[tuple[Side, bool] | None] = [None]
        self.kinds += [(makers, alone) for makers in rules.seating.sides for alone in (False, True)]
        first = rules.seating.sides[0]
        self.net = np.zeros(len(self.kinds) * (HAND_SIZE + 1), dtype=np.int64)
        self.tricks = {each: np.zeros(len(self.net)) for each in rules.seating.sides}
        self.ours = np.zeros(len(self.net), dtype=np.bool_)
        self.makers_tricks = np.zeros(len(self.net), dtype=np.int64)
        for at, kind in enumerate(self.kinds):
            for won in range(HAND_SIZE + 1) if kind is not None else ():
                assert kind is not None
                makers, alone = kind
                place = (HAND_SIZE + 1) * at + won
                of_makers = won if makers == first else HAND_SIZE - won
                points = makers_points(rules, alone, of_makers)
                self.net[place] = points if makers == side else -points
                for each, tricks in self.tricks.items():
                    tricks[place] = won if each == first else HAND_SIZE - won
                self.ours[place] = makers == side
                self.makers_tricks[place] = of_makers

    def numbers(self, rules: Rules, contract: Contract, first_sides_tricks: NDArray[np.uint8]) -> NDArray[np.int16]:
        kind = self.kinds.index((rules.seating.side(contract.maker), contract.alone))
        return first_sides_tricks.astype(np.int16) + np.int16((HAND_SIZE + 1) * kind)


def possible_points(rules: Rules) -> tuple[int, ...]:
    """Every net result of a deal for one side that the rules have points for, and 0."""
    points = {
        *(rules.points, rules.march, rules.lone_points, rules.lone_march),
        *(rules.euchre, rules.lone_euchre, 0),
    }
    return tuple(sorted({sign * each for each in points for sign in (1, -1)}))
