"""What a review is made of. Numbers of a decision are for the side that took it; all others name their side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solver.analysis.values import Estimate
from solver.errors import Fault
from solver.game.auction import Bid
from solver.game.cards import Card
from solver.game.position import Decision, Position
from solver.game.rules import Rules
from solver.game.seats import Seat, Side


@dataclass(frozen=True)
class ReviewedOption:
    """A legal action and what the seat could expect of it.

    ``points``: net, of the whole deal. ``game``: the chance to win the game. ``difference`` and ``game_difference``:
    less the best option over the same worlds.
    """

    points: Estimate
    game: float
    difference: Estimate
    game_difference: Estimate
    best: bool
    bid: Bid | None = None
    card: Card | None = None

    @property
    def action(self) -> Bid | Card:
        action = self.bid or self.card
        assert action is not None
        return action


@dataclass(frozen=True)
class Hindsight:
    """What an action lost with all cards seen: net points, and tricks; of a bid only points."""

    points: float
    tricks: float | None = None


@dataclass(frozen=True)
class ReviewedDecision:
    """One decision: what was done, and what it lost by what the seat could know.

    ``deal`` is the number of its deal in the record, ``number`` counts the decisions of the deal from 1, ``trick`` is
    None but for plays. ``bid`` is what was bid, ``card`` what was played or discarded.

    ``forced``: there was nothing to decide, so there are no ``options`` and no error. Else ``options`` are exactly the
    legal actions. ``best`` is by the chance to win the game, and the action that was taken if none was better.

    ``error`` and ``game_error``: net points and chance to win lost against the best, over all worlds looked at and
    never negative; choosing the best of noisy means makes them too large on average. ``held_out`` and
    ``game_held_out``: the same, the best being chosen by one half of the worlds and valued by the other; on average no
    more than was lost, and negative at times. Sums and means over decisions are of these.

    ``too_close``: the error is not clear of its standard error, or the worlds are few. ``grade``: see
    `solver.analysis.grades`; "none" for what is too close. ``reason``: in words, what was wrong with an action that has
    a grade, where one of the facts that are looked for holds. ``hindsight`` is None where hands are not known.
    """

    deal: int
    number: int
    decision: Decision
    seat: Seat
    forced: bool
    error: Estimate
    game_error: Estimate
    held_out: float
    game_held_out: float
    too_close: bool
    grade: str
    worlds: int
    options: tuple[ReviewedOption, ...] = ()
    trick: int | None = None
    bid: Bid | None = None
    card: Card | None = None
    best_bid: Bid | None = None
    best_card: Card | None = None
    reason: str | None = None
    hindsight: Hindsight | None = None

    @property
    def action(self) -> Bid | Card:
        action = self.bid or self.card
        assert action is not None
        return action

    @property
    def best(self) -> Bid | Card:
        best = self.best_bid or self.best_card
        assert best is not None
        return best


@dataclass(frozen=True)
class Unreviewed:
    """A decision that could not be reviewed, and why. Fields as in `ReviewedDecision`."""

    deal: int
    number: int
    decision: Decision
    seat: Seat
    faults: tuple[Fault, ...]
    trick: int | None = None
    bid: Bid | None = None
    card: Card | None = None


@dataclass(frozen=True)
class Balance:
    """What one side got, and what chance had to do with it; all in net points, or all in chances to win the game.

    ``deal``: luck of the hands dealt; ``upcard``: of the card turned, among those that could have been. Both are 0 on
    average over all deals, whoever plays them. ``hidden``: the rest of the result that neither they nor the errors of
    both sides explain, so how cards that nobody saw lay for what was tried; None unless every decision was reviewed. In
    points what dealing is worth on average is in neither.
    """

    result: float
    deal: float
    upcard: float
    hidden: float | None

    @property
    def adjusted(self) -> float:
        """The luck-adjusted result: less the luck of the deal and of the upcard. Its mean is that of the result."""
        return self.result - self.deal - self.upcard


@dataclass(frozen=True)
class Balances:
    """The same in net points, and in chances to win the game."""

    points: Balance
    game: Balance


@dataclass(frozen=True)
class Moment:
    """A point of the winning-chance curve: each side's chance for one who sees all cards.

    ``after`` is ``start``, ``deal``, ``auction``, ``trick 1`` to ``trick 4``, and ``result``.
    """

    deal: int
    after: str
    game: Mapping[Side, float]


@dataclass(frozen=True)
class DealReview:
    """One deal. ``score`` and ``game_before`` are before it, the chance None where the dealer is not known;
    ``game_after`` is None where its result is not known.

    ``points``: those scored as it was played, None where not known. ``balance`` is None where the result or the cards
    are not known. ``moments`` are its part of the winning-chance curve.
    """

    number: int
    position: Position
    score: Mapping[Side, int]
    game_before: Mapping[Side, float] | None
    game_after: Mapping[Side, float] | None
    points: Mapping[Side, float] | None
    balance: Mapping[Side, Balances] | None
    moments: tuple[Moment, ...]
    decisions: tuple[ReviewedDecision, ...]
    unreviewed: tuple[Unreviewed, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class Tally:
    """Decisions of one kind, or all. ``error`` and ``game_error`` are sums of what was held out, ``hindsight`` of
    points lost with all cards seen (of the decisions where that is known); ``grades`` counts each but "none"."""

    decisions: int
    unforced: int
    error: float
    game_error: float
    hindsight: float
    grades: Mapping[str, int]

    @property
    def error_per_decision(self) -> float | None:
        """Per unforced decision; None where there is none."""
        return self.error / self.unforced if self.unforced else None

    @property
    def game_error_per_decision(self) -> float | None:
        return self.game_error / self.unforced if self.unforced else None


@dataclass(frozen=True)
class Account:
    """The decisions of a player or a pair: ``worst`` are at most three that have a grade, the worst first."""

    bidding: Tally
    discard: Tally
    play: Tally
    total: Tally
    worst: tuple[ReviewedDecision, ...]


@dataclass(frozen=True)
class PlayerSummary:
    """What one seat did. ``name`` is empty where the record has none."""

    seat: Seat
    name: str
    account: Account


@dataclass(frozen=True)
class SideSummary:
    """What a side did, and what the cards did for it: ``balance`` is the sum over the ``balanced`` deals that have
    one."""

    side: Side
    account: Account
    balanced: int
    balance: Balances


@dataclass(frozen=True)
class ReviewSettings:
    """What a review depends on besides the record. ``depth`` is the name of one of `DEPTHS`, ``policy`` what bids and
    passes are read by, ``shares`` whose deals the chance to win rests on. ``point``: what a point is worth in chances
    to win at the start of the game; grades go by it."""

    engine: str
    depth: str
    seed: int
    policy: str
    shares: str
    point: float


@dataclass(frozen=True)
class Review:
    """A game, decision by decision. ``faults`` are those of the record as a whole."""

    rules: Rules
    title: str
    deals: tuple[DealReview, ...]
    players: tuple[PlayerSummary, ...]
    sides: tuple[SideSummary, ...]
    faults: tuple[Fault, ...]
    settings: ReviewSettings

    @property
    def curve(self) -> tuple[Moment, ...]:
        """The winning-chance curve of the game."""
        return tuple(moment for deal in self.deals for moment in deal.moments)

    @property
    def unreviewed(self) -> tuple[Unreviewed, ...]:
        """Every decision that could not be reviewed."""
        return tuple(each for deal in self.deals for each in deal.unreviewed)
