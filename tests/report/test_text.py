"""The review as a terminal shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver import DealRecord, GameRecord, Review, read_code, review
from solver.logs import read
from solver.report.page import page
from solver.report.text import draw_review

DATA = Path(__file__).parents[1] / "data" / "egn"


@pytest.fixture(scope="module")
def broken() -> Review:
    """Two deals, of which the first was played against the rules, so that its result is not known."""
    (game,) = read(DATA / "game14.egn")
    return review(game, settings="fast")


def test_what_a_decision_lost_is_told_in_points_and_by_the_game_that_its_grade_goes_by(broken: Review) -> None:
    rows = draw_review(broken, "game14.egn").splitlines()
    graded = [each for deal in broken.deals for each in deal.decisions if each.grade != "none"]
    assert graded
    for each in graded:
        (row,) = (
            row for row in rows if f" {each.action} " in row and f" {each.grade} " in row and f", {each.seat} " in row
        )
        assert f"{-each.error.mean:+.2f}" in row
        assert f"{-100 * each.game_error.mean:+.1f}%" in row


def test_of_how_many_deals_the_luck_is_told_is_said_where_it_is_not_all(broken: Review) -> None:
    assert [side.balanced for side in broken.sides] == [1, 1]
    assert "luck, of the 1 of 2 deals of which all that is known" in draw_review(broken, "")
    assert "luck of the cards, of the 1 of 2 deals of which all that is known" in page(broken, "")


def test_that_a_result_is_missing_is_said() -> None:
    position = read_code("american.N.9H.TCJCQCJDQD-9CKC9DTD9S-ACADTHAHJS-QSKSASKDKH.o.JC.9SJSAS9H")
    reviewed = review(GameRecord(position.rules, (DealRecord(1, position),)), settings="fast")
    (fault,) = reviewed.deals[0].faults
    assert fault.code == "review.result"
    assert fault.message in draw_review(reviewed, "").splitlines()
