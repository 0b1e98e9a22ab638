"""What `solver.analysis.rate` answers: every bid, what it is worth, and a verdict on one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solver.analysis.values import Estimate
from solver.game.auction import Bid
from solver.game.cards import Card
from solver.game.position import Position
from solver.game.seats import Seat, Side


@dataclass(frozen=True)
class RatedBid:
    """A legal bid and what comes of it, for the bidder's side.

    ``points`` are net. ``game``: the chance to win the game. ``difference`` and ``game_difference``: less the best
    bid (by points). ``outcomes``: net points -> how often. ``made``, ``march``, ``euchred``: how often the bidder's
    side is maker and takes three tricks or more, five, or fewer than three. ``double_dummy``: net points if all cards
    were seen once the auction is over, over more worlds. ``tricks`` and ``scored``: mean tricks and points by side.
    ``worlds``: how many were played out; those of every bid are the first of the same worlds. ``discard``: for a dealer
    who would take the upcard, the card to throw away.
    """

    bid: Bid
    points: Estimate
    game: Estimate
    difference: Estimate
    game_difference: Estimate
    outcomes: Mapping[int, float]
    made: float
    march: float
    euchred: float
    double_dummy: float
    tricks: Mapping[Side, float]
    scored: Mapping[Side, float]
    worlds: int
    discard: Card | None = None


@dataclass(frozen=True)
class Verdict:
    """A bid that was made, against the best: ``error`` is the net points lost, with its standard error.

    ``too_close``: the error is not clear of `CLEAR` standard errors, so there is no grade.
    """

    bid: Bid
    error: float
    stderr: float
    grade: str
    too_close: bool


@dataclass(frozen=True)
class RateSettings:
    """What a rating depends on besides the decision. ``effective_worlds``: how many worlds of equal weight would be
    worth as much as those that fit the passes. ``shares``: whose shares of results the chances to win are made of."""

    engine: str
    method: str
    worlds: int
    effective_worlds: float
    seed: int
    policy: str
    shares: str
    score: Mapping[Side, int]


@dataclass(frozen=True)
class BidRating:
    """What every legal bid is worth. ``best`` is by points, ``best_for_game`` by the chance to win the game."""

    position: Position
    seat: Seat
    options: tuple[RatedBid, ...]
    best: Bid
    best_for_game: Bid
    discard: Card | None
    verdict: Verdict | None
    settings: RateSettings

    def option(self, bid: Bid) -> RatedBid:
        return next(option for option in self.options if option.bid == bid)
