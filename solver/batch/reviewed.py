"""Whole games reviewed: the review's own answer for each, and a row for each decision that was a choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from solver.analysis.review.game import review
from solver.analysis.review.values import DealReview, Review, ReviewedDecision
from solver.batch.answers import Result, table_of
from solver.batch.games import faults_of, games
from solver.batch.played import WHO, Row, kind_of_bid, kind_of_contract
from solver.batch.repeats import Known, digest_of_game, pack_answer, unpack_answer
from solver.batch.rows import Column
from solver.batch.source import Block, Record
from solver.game.record import GameRecord
from solver.game.seats import Seat
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


def run_review(blocks: Iterable[Block], settings: Mapping[str, Any], known: Known) -> Result:
    """Review each game. One with faults is named as bad, and reviewed as far as it can be."""
    rows: list[Row] = []
    documents: list[dict[str, Any]] = []
    bad: list[Record] = []
    new: dict[bytes, bytes] = {}
    number = repeated = 0
    for game in (game for block in blocks for game in games(block)):
        record, digest = game.record, digest_of_game(game.record)
        number += 1
        if faults := faults_of(record):
            bad.append(Record(game.file, game.number, None, faults))
        if not record.deals:
            continue
        packed = known.get(digest, new.get(digest)) if digest is not None else None
        if packed is not None:
            repeated += 1
            document, its_rows = unpack_answer(packed)
        else:
            reviewed = review(record, settings=settings["depth"], seed=settings["seed"])
            document, its_rows = ReviewAnswer().dump(reviewed), list(decision_rows(reviewed))
            if digest is not None:
                new[digest] = pack_answer((document, its_rows))
        documents.append({"file": game.file, "record": game.number, **_named(document, record)})
        rows += (
            (game.file, game.number, deal, at, seat, record.players.get(Seat[seat]), *rest)
            for deal, at, seat, *rest in its_rows
        )
    return Result(table_of(rows, 2 + len(REVIEW)), len(rows), number, bad, documents, repeated, new)


def _named(document: dict[str, Any], record: GameRecord) -> dict[str, Any]:
    """The answer with the names of this game, which may be another that was played alike."""
    players = [{**each, "name": record.players.get(Seat[each["seat"]], "")} for each in document["players"]]
    return {**document, "title": record.title, "players": players}


def decision_rows(reviewed: Review) -> Iterator[Row]:
    """A row for each decision that was a choice, without the player."""
    for deal in reviewed.deals:
        for decision in deal.decisions:
            if not decision.forced:
                yield _row(deal, decision)


def _row(deal: DealReview, decision: ReviewedDecision) -> Row:
    bid, hindsight = decision.bid, decision.hindsight
    return (
        *(decision.deal, decision.number, decision.seat.name),
        kind_of_contract(deal.position) if bid is None else kind_of_bid(bid),
        *(decision.decision.value, decision.trick, str(decision.action), str(decision.best)),
        *(decision.error.mean, decision.error.stderr, decision.held_out),
        *(decision.game_error.mean, decision.game_held_out, None if hindsight is None else hindsight.points),
        *(decision.too_close, decision.grade, decision.reason),
    )
