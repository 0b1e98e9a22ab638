"""What a player, or a pair, did over a whole game."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from solver.analysis.grades import GRADES
from solver.analysis.review.values import (
    Account,
    Balance,
    Balances,
    DealReview,
    PlayerSummary,
    ReviewedDecision,
    SideSummary,
    Tally,
)
from solver.game.position import Decision
from solver.game.rules import Rules
from solver.game.seats import Seat, Side

#: How many of the worst decisions are named.
WORST = 3

#: Every grade but that of no error.
_GRADES = tuple(GRADES)[1:]


def summarize(
    rules: Rules, names: Mapping[Seat, str], deals: Sequence[DealReview]
) -> tuple[tuple[PlayerSummary, ...], tuple[SideSummary, ...]]:
    """Each seat's account and each side's."""
    by_seat = {
        seat: [each for deal in deals for each in deal.decisions if each.seat == seat] for seat in rules.seating.seats
    }
    players = tuple(PlayerSummary(seat, names.get(seat, ""), account(by_seat[seat])) for seat in by_seat)
    sides = tuple(
        _side(side, [each for seat in rules.seating.seats_of(side) for each in by_seat[seat]], deals)
        for side in rules.seating.sides
    )
    return players, sides


def account(decisions: Sequence[ReviewedDecision]) -> Account:
    """The decisions counted by kind, and the worst of them."""
    bidding, discard, play = (
        tally(each for each in decisions if each.decision == kind)
        for kind in (Decision.BID, Decision.DISCARD, Decision.PLAY)
    )
    graded = sorted(
        (each for each in decisions if each.grade != "none"),
        key=lambda each: (-each.game_error.mean, each.deal, each.number),
    )
    return Account(bidding, discard, play, tally(decisions), tuple(graded[:WORST]))


def tally(decisions: Iterable[ReviewedDecision]) -> Tally:
    found = list(decisions)
    return Tally(
        len(found),
        sum(not each.forced for each in found),
        math.fsum(each.held_out for each in found),
        math.fsum(each.game_held_out for each in found),
        math.fsum(each.hindsight.points for each in found if each.hindsight is not None),
        {grade: sum(each.grade == grade for each in found) for grade in _GRADES},
    )


def _side(side: Side, decisions: Sequence[ReviewedDecision], deals: Sequence[DealReview]) -> SideSummary:
    balances = [deal.balance[side] for deal in deals if deal.balance is not None]
    total = Balances(total_of([each.points for each in balances]), total_of([each.game for each in balances]))
    return SideSummary(side, account(decisions), len(balances), total)


def total_of(balances: Sequence[Balance]) -> Balance:
    """The sum. What is hidden is not known of all if it is not of one."""
    hidden = [each.hidden for each in balances if each.hidden is not None]
    return Balance(
        math.fsum(each.result for each in balances),
        math.fsum(each.deal for each in balances),
        math.fsum(each.upcard for each in balances),
        math.fsum(hidden) if len(hidden) == len(balances) else None,
    )
