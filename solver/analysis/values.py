"""The values that an analysis is made of. They compare by value; numbers by side name their side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version

from solver.game.auction import Bid, Contract
from solver.game.cards import Card
from solver.game.position import Decision, Position
from solver.game.scoring import net, score
from solver.game.seats import Seat, Side


@dataclass(frozen=True)
class Outcome:
    """How a deal ends: tricks and points of the whole deal, by side."""

    tricks: Mapping[Side, int]
    points: Mapping[Side, int]

    def net(self, side: Side) -> int:
        """The side's points less the other's."""
        return net(self.points, side)


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
class Option:
    """A legal action and what comes of it when all go on double dummy.

    ``error``: points, net for the side to act, lost against the best option; 0 and ``best`` go together.
    ``equals``: the other legal cards that no card in play stands between.
    """

    outcome: Outcome
    error: int
    card: Card | None = None
    bid: Bid | None = None
    equals: tuple[Card, ...] = ()

    @property
    def best(self) -> bool:
        return self.error == 0


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
    """What an answer depends on besides the position."""

    engine: str
    worlds: int | None = None
    seed: int | None = None


@dataclass(frozen=True)
class Analysis:
    """The answer to "what is best here, and what is everything worth?"

    ``options`` are exactly the legal actions of ``to_act``, ``line`` the actions from here when every seat takes a best
    one. ``table`` and ``par`` belong to bidding decisions and are None at others.
    """

    position: Position
    information: str
    outcome: Outcome
    options: tuple[Option, ...]
    line: tuple[Move, ...]
    table: tuple[ContractValue, ...] | None
    par: Par | None
    settings: Settings

    @property
    def decision(self) -> Decision:
        return self.position.decision

    @property
    def to_act(self) -> Seat | None:
        return self.position.to_act

    @property
    def contract(self) -> Contract | None:
        return self.position.contract
