"""A review written into the record of its game: marks and remarks on decisions, and better lines."""

from __future__ import annotations

from dataclasses import replace

from solver.analysis.analyze import analyze
from solver.analysis.grades import CLEAR, GRADES
from solver.analysis.review.decisions import Taken, taken
from solver.analysis.review.values import DealReview, Review, ReviewedDecision
from solver.game.auction import Bid
from solver.game.cards import Card
from solver.game.position import Decision, Position
from solver.game.record import DealRecord, GameRecord
from solver.logs.egn.annotations import Annotation, Line, Mark, annotated

#: Grade -> the format's mark.
MARKS = {"inaccuracy": Mark.DUBIOUS, "mistake": Mark.MISTAKE, "blunder": Mark.BLUNDER}


def annotated_game(game: GameRecord, review: Review) -> GameRecord:
    """The record with the review in the notes of its deals, besides the remarks and lines that it has."""
    deals = (
        annotated_deal(record, reviewed, review.settings.point)
        for record, reviewed in zip(game.deals, review.deals, strict=True)
    )
    return replace(game, deals=tuple(deals))


def annotated_deal(record: DealRecord, review: DealReview, point: float) -> DealRecord:
    """``point`` is what a point is worth in chances to win, see `ReviewSettings`."""
    by_number = {each.number: each for each in taken(record)}
    remarks, lines = [], []
    for decision in review.decisions:
        was = by_number[decision.number]
        mark = mark_of(decision, point)
        if mark is None:
            continue
        remarks.append(Annotation(decision.decision, was.at, remark(decision), mark))
        if mark in MARKS.values() and record.position.deal.dealer is not None:
            lines.append(_better(was, decision))
    return annotated(record, remarks, lines)


def mark_of(decision: ReviewedDecision, point: float) -> Mark | None:
    """The mark that a decision has, if any.

    A great one, ``[!]``, is the only good one, every other action being clearly a mistake or worse, and not what all
    cards seen would have said: who goes by the result would call it wrong.
    """
    if decision.grade in MARKS:
        return MARKS[decision.grade]
    seen = decision.hindsight
    if decision.action != decision.best or len(decision.options) < 2 or seen is None or seen.points <= 0:
        return None
    lost = [-each.game_difference.mean for each in decision.options if each.action != decision.action]
    clear = all(
        -each.game_difference.mean > CLEAR * each.game_difference.stderr
        for each in decision.options
        if each.action != decision.action
    )
    return Mark.GREAT if clear and min(lost) >= GRADES["mistake"] * point else None


def remark(decision: ReviewedDecision) -> str:
    """What was wrong, and what it lost; of what was right, why it was hard."""
    if decision.grade not in MARKS:
        return "The only good choice by what could be seen, though with all cards seen another was better."
    reason = f"{decision.reason[:1].upper()}{decision.reason[1:]}. " if decision.reason else ""
    lost = f"{decision.error.mean:.2f} points, {100 * decision.game_error.mean:.1f}% of the game"
    return f"{reason}Better: {decision.best}. Loses {lost}."


def _better(was: Taken, decision: ReviewedDecision) -> Line:
    """The best action, and where all hands are known what all then play who see all cards."""
    after = _after(was.position, decision)
    text = f"Better by {decision.error.mean:.2f} points"
    if not after.problems() and after.decision != Decision.OVER:
        text += "; from here on as if all saw all cards"
        for move in analyze(after).line:
            after = after.after(bid=move.bid, discard=move.discard, card=move.card)
    return Line(was.decision, was.at, after, (Annotation(was.decision, was.at, f"{text}."),))


def _after(position: Position, decision: ReviewedDecision) -> Position:
    best = decision.best
    if isinstance(best, Bid):
        return position.after(bid=best)
    assert isinstance(best, Card)
    return position.after(discard=best) if decision.decision == Decision.DISCARD else position.after(card=best)
