"""Whole games reviewed: the review's own answer for each, and a row for each decision that was a choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from solver.analysis.review.game import review
from solver.analysis.review.values import DealReview, Review, ReviewedDecision
from solver.batch.answers import Result, table_of
from solver.batch.games import faults_of, games
from solver.batch.played import WHO, Row, kind_of_bid, kind_of_contract
from solver.batch.rows import Column
from solver.batch.source import Block, Record
from solver.game.record import GameRecord
from solver.notation.review_answer import ReviewAnswer

REVIEW = (
    Column("deal", "number"),
    Column("number", "number"),
    *WHO,
    Column("decision", "text", groups=True),
    Column("trick", "number"),
    Column("action", "text"),
    Column("best", "text"),
    Column("error", "real", summed=True),
    Column("stderr", "real"),
    Column("held_out", "real", summed=True),
    Column("game_error", "real", summed=True),
    Column("game_held_out", "real", summed=True),
    Column("hindsight", "real", summed=True),
    Column("too_close", "flag"),
    Column("grade", "text", groups=True),
    Column("reason", "text"),
)

#: About the seconds that a deal takes at each depth (`python -m benchmarks.review --time`).
SECONDS = {"fast": 0.25, "default": 2.5, "deep": 12.0}


def run_review(blocks: Iterable[Block], settings: Mapping[str, Any]) -> Result:
    """Review each game. One with faults is named as bad, and reviewed as far as it can be."""
    rows: list[Row] = []
    documents: list[dict[str, Any]] = []
    bad: list[Record] = []
    number = 0
    for block in blocks:
        for game in games(block):
            number += 1
            if faults := faults_of(game.record):
                bad.append(Record(game.file, game.number, None, faults))
            if not game.record.deals:
                continue
            reviewed = review(game.record, settings=settings["depth"], seed=settings["seed"])
            documents.append({"file": game.file, "record": game.number, **ReviewAnswer().dump(reviewed)})
            rows += ((game.file, game.number, *row) for row in decision_rows(game.record, reviewed))
    return Result(table_of(rows, 2 + len(REVIEW)), len(rows), number, bad, documents)


def decision_rows(record: GameRecord, reviewed: Review) -> Iterator[Row]:
    """A row for each decision that was a choice."""
    for deal in reviewed.deals:
        for decision in deal.decisions:
            if not decision.forced:
                yield _row(record, deal, decision)


def _row(record: GameRecord, deal: DealReview, decision: ReviewedDecision) -> Row:
    bid, hindsight = decision.bid, decision.hindsight
    return (
        *(decision.deal, decision.number, decision.seat.name, record.players.get(decision.seat)),
        kind_of_contract(deal.position) if bid is None else kind_of_bid(bid),
        *(decision.decision.value, decision.trick, str(decision.action), str(decision.best)),
        *(decision.error.mean, decision.error.stderr, decision.held_out),
        *(decision.game_error.mean, decision.game_held_out, None if hindsight is None else hindsight.points),
        *(decision.too_close, decision.grade, decision.reason),
    )
