"""The values that an analysis is made of. They compare by value; numbers by side name their side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version

from solver.game.auction import Bid, Contract
from solver.game.cards import Card
from solver.game.position import Decision, Position
from solver.game.scoring import score
from solver.game.seats import Seat, Side


@dataclass(frozen=True)
class Outcome:
    """How a deal ends: tricks and points of the whole deal, by side.

    Whole numbers where all cards are known, else means over worlds; then ``game`` is each side's chance to win the
    game, if the score was given.
    """

    tricks: Mapping[Side, float]
    points: Mapping[Side, float]
    game: Mapping[Side, float] | None = None

    def net(self, side: Side) -> float:
        """The side's points less the other's."""
        return sum(value if each == side else -value for each, value in self.points.items())


def outcome(position: Position, contract: Contract | None, first_sides_tricks: int, tricks: int) -> Outcome:
    """The outcome of ``tricks`` tricks of which the first side of the rules took that many."""
    first, second = position.rules.seating.sides
    won = {first: first_sides_tricks, second: tricks - first_sides_tricks}
    return Outcome(won, score(position.rules, contract, won))


@dataclass(frozen=True)
class Move:
    """One action of a line: a bid, the dealer's discard or a card played; the other two are None."""

    seat: Seat
    bid: Bid | None = None
    discard: Card | None = None
    card: Card | None = None


@dataclass(frozen=True)
class Estimate:
    """A mean over worlds and its standard error, which is 0 where the worlds are all that fit."""

    mean: float
    stderr: float


@dataclass(frozen=True)
class Uncertainty:
    """How far the means of an option can be trusted, for the side to act.

    ``points`` are net. ``difference`` is this option less the best, paired over the same worlds, in points, and
    ``game_difference`` the same in chances to win the game. ``best_chance`` is the share of worlds in which no option
    does better, so that those of several options may sum to more than 1; None for bids.
    """

    points: Estimate
    difference: Estimate
    best_chance: float | None = None
    game_difference: Estimate | None = None


@dataclass(frozen=True)
class Option:
    """A legal action and what comes of it.

    ``error``: points, net for the side to act, lost against the best option. ``best``: no option is better, in points
    or, where the score is given, in chances to win the game.
    ``equals``: the other legal cards that no card in play stands between.
    ``uncertainty`` is None when all cards are known.

    For a bid rated from a viewpoint: ``outcomes``, the share of each net result for the side to act;
    ``double_dummy``, its net points if all cards were seen once the auction is over; and ``discard``, what a dealer who
    takes the upcard then throws away.
    """

    outcome: Outcome
    error: float
    best: bool
    card: Card | None = None
    bid: Bid | None = None
    equals: tuple[Card, ...] = ()
    uncertainty: Uncertainty | None = None
    outcomes: Mapping[int, float] | None = None
    double_dummy: float | None = None
    discard: Card | None = None


@dataclass(frozen=True)
class ContractValue:
    """A contract that the rules allow for a deal, and its double-dummy outcome after the best discard.

    ``bid`` made in ``round`` leads to it. ``discard`` is None when the dealer does not take the upcard.
    """

    bid: Bid
    round: int
    contract: Contract
    discard: Card | None
    outcome: Outcome


@dataclass(frozen=True)
class Par:
    """What comes of the auction when each seat bids what is best for its side and all play double dummy.

    ``bids`` are those from here to the end of the auction. ``value`` is None when the deal is thrown in.
    """

    bids: tuple[Bid, ...]
    value: ContractValue | None
    outcome: Outcome


@cache
def engine_version() -> str:
    return f"rightbower {version('rightbower')}"


@dataclass(frozen=True)
class Settings:
    """What an answer depends on besides the position.

    The rest is None when all cards are known: how many ``worlds`` were looked at and how many fit, the ``seed`` that
    they were drawn with (None when they are all), the ``method`` and the ``goal`` that options are compared by. Where
    worlds have weights, ``effective_worlds`` with equal ones would be worth as much. For bids, ``policy`` is what the
    others bid by. With a score, ``shares`` says whose shares of results the chances to win are made of.
    """

    engine: str
    worlds: int | None = None
    seed: int | None = None
    worlds_that_fit: int | None = None
    method: str | None = None
    goal: str | None = None
    effective_worlds: float | None = None
    policy: str | None = None
    shares: str | None = None


@dataclass(frozen=True)
class Analysis:
    """The answer to "what is best here, and what is everything worth?"

    ``options`` are exactly the legal actions of ``to_act``, ``line`` the actions from here when every seat takes a best
    one. ``table`` and ``par`` belong to bidding decisions and are None at others.

    From a viewpoint ``position`` has what that seat has seen and no more, and ``information`` is ``sampled`` or
    ``enumerated`` instead of ``complete``.
    """

    position: Position
    decision: Decision
    to_act: Seat | None
    information: str
    outcome: Outcome
    options: tuple[Option, ...]
    settings: Settings
    line: tuple[Move, ...] = ()
    table: tuple[ContractValue, ...] | None = None
    par: Par | None = None

    @property
    def contract(self) -> Contract | None:
        return self.position.contract
