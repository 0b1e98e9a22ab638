"""Reviews in the record of a game: marks, remarks and better lines that read back."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import jsonschema_rs
import pytest

from solver import Review, ReviewedDecision, review
from solver.analysis.review.values import Hindsight, ReviewedOption
from solver.analysis.values import Estimate
from solver.game.record import GameRecord
from solver.logs import egn, read
from solver.logs.egn.annotations import Mark, annotations_of, lines_of
from solver.report.marks import MARKS, annotated_game, mark_of

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def game() -> GameRecord:
    (found,) = read(DATA / "egn" / "game04.egn")
    return replace(found, deals=tuple(replace(deal, notes={}) for deal in found.deals[:3]))


@pytest.fixture(scope="module")
def reviewed(game: GameRecord) -> Review:
    return review(game, settings="fast")


@pytest.fixture(scope="module")
def written(game: GameRecord, reviewed: Review) -> bytes:
    stream = BytesIO()
    egn.write([annotated_game(game, reviewed)], stream)
    return stream.getvalue()


def test_every_grade_has_its_mark_and_its_better_line(reviewed: Review, written: bytes) -> None:
    (again,) = read(written)
    found = 0
    for deal, of_deal in zip(again.deals, reviewed.deals, strict=True):
        graded = [each for each in of_deal.decisions if each.grade != "none"]
        marks = [each for each in annotations_of(deal) if each.mark in MARKS.values()]
        lines = lines_of(deal)
        assert [each.mark for each in marks] == [MARKS[each.grade] for each in graded]
        assert len(lines) == len(graded)
        for decision, remark, line in zip(graded, marks, lines, strict=True):
            assert (line.decision, line.at) == (remark.decision, remark.at)
            assert f"Better: {decision.best}." in remark.text
            taken = line.position.bids if decision.bid is not None else line.position.plays
            if decision.decision != "discard":
                assert taken[line.at] == decision.best
            found += 1
    assert found >= 3


def test_what_was_played_is_as_it_was(game: GameRecord, written: bytes) -> None:
    (again,) = read(written)
    assert [deal.position for deal in again.deals] == [deal.position for deal in game.deals]


def test_the_file_is_valid_by_the_published_schema(written: bytes) -> None:
    (schema,) = (DATA / "egn-schema").glob("*.json")
    jsonschema_rs.validator_for(json.loads(schema.read_text())).validate(json.loads(written))


def _right(reviewed: Review, lost: float, stderr: float, hindsight: float) -> ReviewedDecision:
    """A decision that was best, the other option losing that much of the game."""
    decision = next(each for each in reviewed.deals[0].decisions if each.card is not None and len(each.options) > 1)
    nothing = Estimate(0.0, 0.0)

    def option(at: int, difference: Estimate) -> ReviewedOption:
        return replace(decision.options[at], game_difference=difference, best=at == 0)

    options = (option(0, nothing), option(1, Estimate(-lost, stderr)))
    best = options[0].card
    return replace(
        decision, card=best, best_card=best, grade="none", options=options, hindsight=Hindsight(hindsight, hindsight)
    )


@pytest.mark.parametrize(
    ("lost", "stderr", "hindsight", "mark"),
    [
        (0.02, 0.001, 1.0, Mark.GREAT),
        (0.02, 0.001, 0.0, None),  # all cards seen say the same
        (0.02, 0.02, 1.0, None),  # not clear
        (0.005, 0.0001, 1.0, None),  # the other one is nearly as good
    ],
)
def test_great_is_the_only_good_choice_that_all_cards_seen_would_call_wrong(
    reviewed: Review, lost: float, stderr: float, hindsight: float, mark: Mark | None
) -> None:
    decision = _right(reviewed, lost, stderr, hindsight)
    assert mark_of(decision, reviewed.settings.point) == mark
    assert mark_of(replace(decision, options=(), forced=True), reviewed.settings.point) is None
