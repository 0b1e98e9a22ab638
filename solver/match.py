"""Duplicate matches: the same deals, played twice with the seats swapped."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from multiprocessing import get_context
from random import Random
from typing import cast

from solver.analysis.advice import METHODS
from solver.analysis.trace import played
from solver.bidding.simple import choose_bid, throw_away
from solver.errors import Fault, InvalidInput
from solver.game.auction import Bid
from solver.game.cards import Card
from solver.game.deal import random_deal
from solver.game.position import Decision, Position
from solver.game.rules import Rules
from solver.game.seats import Seat, Side
from solver.knowledge.seen import Knowledge
from solver.player import Agent, Player, RandomPlayer, legal_actions

#: An interval holds the mean in that share of matches.
CONFIDENCE = 0.95


class Bidding(StrEnum):
    """Who bids and discards in a match."""

    OWN = "own"  # each player for itself; a deal that is thrown in gives nobody points
    FIXED = "fixed"  # one simple bidder, once for both seatings, so that the cards alone decide


@dataclass(frozen=True)
class Match:
    """``margins``: for each deal the first player's net points, the mean of its two seatings."""

    margins: tuple[float, ...]

    @property
    def deals(self) -> int:
        return len(self.margins)

    @property
    def mean(self) -> float:
        """The first player's net points a deal."""
        return math.fsum(self.margins) / self.deals if self.margins else 0.0

    @property
    def stderr(self) -> float:
        """The standard error of the mean: deals are independent, the two seatings of one are not."""
        if self.deals < 2:
            return math.inf
        spread = math.fsum((margin - self.mean) ** 2 for margin in self.margins)
        return math.sqrt(spread / (self.deals - 1) / self.deals)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the mean, by Student's t: few deals do not tell their standard error well."""
        if self.deals < 2:
            return -math.inf, math.inf
        reach = _student(self.deals - 1) * self.stderr
        return self.mean - reach, self.mean + reach


@cache
def _student(freedom: int) -> float:
    """How many standard errors to either side hold `CONFIDENCE` of Student's t with so many degrees of freedom."""
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < CONFIDENCE else (low, middle)
    return math.tan(low) * math.sqrt(freedom)


def _within(angle: float, freedom: int) -> float:
    """How often Student's t lies within ``tan(angle) * sqrt(freedom)`` of 0 (Abramowitz and Stegun, 26.7.3 and 4)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for power in range(odd, freedom - 1, 2):
        total += term
        term *= cosine**2 * (power + 1) / (power + 2)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def make_player(text: str, rules: Rules, seed: int) -> Agent:
    """A player from its name: ``random``, a method, a method with its worlds (``pimc:50``), or ``module:Class``.

    The class of a module is called with the rules and the seed, and must have ``act`` as `Agent` has.

    Raises `InvalidInput` if there is none of that name.
    """
    name, _, rest = text.partition(":")
    if text == "random":
        return RandomPlayer(rules, seed)
    if text in METHODS:
        return Player(rules, text, seed)
    if name in METHODS and re.fullmatch("[1-9][0-9]{0,5}", rest):
        return Player(rules, name, seed, worlds=int(rest))
    if rest.isidentifier() and all(part.isidentifier() for part in name.split(".")):
        return _imported(name, rest, rules, seed)
    known = ", ".join(("random", *METHODS))
    message = f"there is no player {text}; known are {known}, pimc:WORLDS and module:Class"
    raise InvalidInput([Fault("field.invalid", message, ("player",))])


def _imported(module: str, name: str, rules: Rules, seed: int) -> Agent:
    """A player of somebody else's."""
    try:
        made = getattr(import_module(module), name)(rules, seed)
    # A class that takes other arguments, or something that is no class.
    except (ImportError, AttributeError, TypeError) as error:
        message = f"there is no player {module}:{name}: {error}"
        raise InvalidInput([Fault("field.invalid", message, ("player",))]) from None
    if not callable(getattr(made, "act", None)):
        message = f"there is no player {module}:{name}: what it makes cannot act"
        raise InvalidInput([Fault("field.invalid", message, ("player",))])
    return cast("Agent", made)


def bid_out(position: Position) -> Position:
    """The position after the auction and the discard of the simple bidder, which knows nothing of the players."""
    while (decision := position.decision) in (Decision.BID, Decision.DISCARD):
        auction, seat = position.auction, position.to_act
        assert auction is not None and seat is not None
        hand = position.deal.hands[seat]
        assert hand is not None
        if decision == Decision.BID:
            position = position.after(bid=choose_bid(auction, hand))
        else:
            position = position.after(discard=throw_away(auction, hand))
    return position


def play_out(position: Position, players: Mapping[Side, Agent]) -> Position:
    """The position after all that is left to decide, each seat seeing only what it has seen.

    Raises `InvalidInput` if a player does what it may not.
    """
    while (seat := position.to_act) is not None:
        knowledge = Knowledge.of(position, seat)
        action = players[position.rules.seating.side(seat)].act(knowledge)
        position = _after(position, seat, action, legal_actions(knowledge))
    return position


def _after(position: Position, seat: Seat, action: Bid | Card, legal: Sequence[Bid | Card]) -> Position:
    decision = position.decision
    if action not in legal:
        allowed = " ".join(map(str, legal))
        message = f"the player of {seat} answers {action} with {decision} to decide; legal are {allowed}"
        raise InvalidInput([Fault(f"{decision}.illegal", message, ("player",))])
    if isinstance(action, Bid):
        return position.after(bid=action)
    return position.after(discard=action) if decision == Decision.DISCARD else position.after(card=action)


def deal_of(rules: Rules, seed: int, number: int, bidding: Bidding = Bidding.OWN) -> Position:
    """Deal ``number`` of a match: before the first bid, or with fixed contracts after the auction and the discard.

    Where contracts are fixed, deals that would be thrown in are dealt again.
    """
    random = Random(f"{seed} {number}")
    while True:
        position = Position(random_deal(rules, random.choice(rules.seating.seats), random))
        if bidding == Bidding.OWN:
            return position
        position = bid_out(position)
        if position.contract is not None:
            return position


def margin(rules: Rules, first: str, second: str, seed: int, number: int, bidding: Bidding = Bidding.OWN) -> float:
    """The first player's net points in deal ``number``, the mean of both seatings.

    Both are made anew for each seating, with the same seed: who plays against itself gets 0.
    """
    position = deal_of(rules, seed, number, bidding)
    one, other = rules.seating.sides
    total = 0.0
    for ours, theirs in ((one, other), (other, one)):
        players = {ours: make_player(first, rules, seed), theirs: make_player(second, rules, seed)}
        result = played(play_out(position, players))
        total += result.net(ours) if result is not None else 0.0
    return total / 2


def play_match(
    rules: Rules,
    first: str,
    second: str,
    deals: int,
    seed: int = 0,
    *,
    bidding: Bidding = Bidding.OWN,
    workers: int = 1,
    progress: Callable[[Iterator[float]], Iterator[float]] = iter,
) -> Match:
    """A match of so many deals, each played twice; ``progress`` may wrap the margins as they come, in order.

    Equal arguments give equal matches, whatever the number of ``workers`` (processes), and the players swapped the
    same match with the signs of all margins turned. Raises `InvalidInput` for players that there are not, or that do
    what they may not.
    """
    for name in (first, second):
        make_player(name, rules, seed)
    jobs = [(rules, first, second, seed, number, bidding) for number in range(deals)]
    if workers == 1:
        return Match(tuple(progress(margin(*job) for job in jobs)))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return Match(tuple(progress(pool.map(_margin, jobs, chunksize=4))))


def _margin(job: tuple[Rules, str, str, int, int, Bidding]) -> float:
    return margin(*job)
