"""Remarks and better lines: into a record, through a file, and out again."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.position import Decision, Position
from solver.game.record import DealRecord
from solver.logs import read
from solver.logs.egn.annotations import Annotation, Line, Mark, annotated, annotations_of, lines_of
from tests.logs.egn import DATA, LONE_DEALER, PLAIN, document, game_of, one_deal
from tests.logs.test_egn_writing import HEADER_RULES, again, game_with
from tests.strategies import random_action, random_position


def record_of(place: tuple[str, int]) -> DealRecord:
    return game_of(one_deal(place)).deals[0]


def through_a_file(record: DealRecord) -> DealRecord:
    return again(replace(game_with(record.position), deals=(record,))).deals[0]


# -- real lines --------------------------------------------------------------------------------------------------------


def test_real_lines_are_legal_deals_of_the_same_hands() -> None:
    (game,) = read(DATA / "game04.egn")
    lines = [(deal, line) for deal in game.deals for line in lines_of(deal)]
    assert [(deal.number, line.decision, line.at) for deal, line in lines] == [
        (2, Decision.PLAY, 0),
        (4, Decision.PLAY, 0),
        (7, Decision.BID, 3),
        (8, Decision.PLAY, 0),
        (9, Decision.BID, 1),
    ]
    for deal, line in lines:
        assert line.position.decision == Decision.OVER
        assert not line.position.problems()
        assert line.position.deal == deal.position.deal
        (remark,) = line.remarks
        assert (remark.decision, remark.at, remark.mark) == (line.decision, line.at, None)


def test_real_lines_are_written_as_they_were() -> None:
    (game,) = read(DATA / "game04.egn")
    for deal, source in zip(game.deals, document("game04.egn")["deals"], strict=True):
        bare = replace(deal, notes={})
        made = annotated(bare, annotations_of(deal), lines_of(deal))
        assert made.notes.get("alternativeLines") == source.get("alternativeLines")


# -- remarks -----------------------------------------------------------------------------------------------------------


def test_remarks_stand_under_the_names_of_the_format() -> None:
    record = record_of(("game02.egn", 0))
    remarks = (
        Annotation(Decision.BID, 0, "Two aces and a void.", Mark.DUBIOUS),
        Annotation(Decision.BID, 1),
        Annotation(Decision.DISCARD, 0, "a king away", Mark.BLUNDER),
        Annotation(Decision.PLAY, 0, "", Mark.GREAT),
        Annotation(Decision.PLAY, 11, "no mark"),
    )
    made = annotated(record, remarks)
    last = len(record.position.bids) - 1
    assert made.notes["bidding"] == {
        "callAnnotations": {"0": ["[?!]Two aces and a void."], str(last): ["", "[??]Discard: a king away"]}
    }
    assert made.notes["play"] == {"playAnnotations": {"0": ["[!]"], "11": ["no mark"]}}
    assert annotations_of(made) == annotations_of(through_a_file(made)) == remarks


def test_remarks_come_after_those_that_are_there() -> None:
    record = record_of(LONE_DEALER)
    (former,) = annotations_of(record)
    fresh = Annotation(Decision.BID, 0, "and so it was", Mark.MISTAKE)
    assert annotations_of(annotated(record, [fresh])) == (former, fresh)
    assert annotations_of(record) == (former,)


@pytest.mark.parametrize("mark", Mark)
def test_every_mark_is_told_from_the_others(mark: Mark) -> None:
    record = annotated(record_of(PLAIN), [Annotation(Decision.PLAY, 3, "text", mark)])
    assert [each.mark for each in annotations_of(through_a_file(record))] == [mark]


@pytest.mark.parametrize(
    ("decision", "at"),
    [(Decision.BID, -1), (Decision.BID, 8), (Decision.PLAY, 20), (Decision.DISCARD, 0), (Decision.OVER, 0)],
)
def test_a_remark_on_a_decision_that_the_deal_does_not_have_is_an_error(decision: Decision, at: int) -> None:
    with pytest.raises(LookupError):
        annotated(record_of(PLAIN), [Annotation(decision, at)])  # the upcard was turned down


def test_what_cannot_be_read_as_a_remark_is_passed_over() -> None:
    made = one_deal(PLAIN)
    bidding, play = made["deals"][0]["phases"]
    bidding["callAnnotations"] = {"x": ["a"], "1": "b", "2": [3], "9" * 99: ["c"]}
    play["playAnnotations"] = ["d"]
    assert annotations_of(game_of(made).deals[0]) == ()


# -- lines -------------------------------------------------------------------------------------------------------------


def branch(main: Position, random: Random) -> Line:
    """A random other way for a deal to go on, from a random decision."""
    decisions = [(Decision.BID, at) for at in range(len(main.bids))]
    decisions += [(Decision.DISCARD, 0)] * (main.discard is not None)
    decisions += [(Decision.PLAY, at) for at in range(len(main.plays))]
    decision, at = random.choice(decisions)
    match decision:
        case Decision.BID:
            other = replace(main, bids=main.bids[:at], discard=None, plays=())
        case Decision.DISCARD:
            other = replace(main, discard=None, plays=())
        case _:
            other = replace(main, plays=main.plays[:at])
    for _ in range(random.randint(1, 24)):
        if other.decision != Decision.OVER:
            other = random_action(other, random)
    if decision == Decision.DISCARD and other.discard == main.discard:
        decision, at = Decision.BID, len(main.bids) - 1
    same_call = decision == Decision.BID and at == len(main.bids) - 1 and other.bids == main.bids
    if same_call and other.discard not in (None, main.discard):
        decision, at = Decision.DISCARD, 0
    remarks = []
    if other.plays and (decision != Decision.PLAY or len(other.plays) > at):
        remarks.append(Annotation(Decision.PLAY, len(other.plays) - 1, "the last", Mark.BRILLIANT))
    if decision == Decision.BID:
        remarks.insert(0, Annotation(Decision.BID, at, "instead"))
    return Line(decision, at, other, tuple(remarks))


@settings(max_examples=50)
@given(st.sampled_from(HEADER_RULES), st.integers(0, 2**32))
def test_any_line_of_any_deal_comes_back_through_a_file(rules: object, seed: int) -> None:
    random = Random(seed)
    main = random_position(rules, random)  # type: ignore[arg-type]
    lines = (branch(main, random), branch(main, random))
    record = through_a_file(annotated(DealRecord(1, main), [], lines))
    assert record.position == main
    assert lines_of(record) == lines


def test_a_line_that_branches_off_in_a_trick_begins_with_the_rest_of_it() -> None:
    record = record_of(PLAIN)
    other = replace(record.position, plays=(*record.position.plays[:6], *record.position.plays[7:10]))
    made = annotated(record, [], [Line(Decision.PLAY, 6, other)])
    ((line),) = made.notes["alternativeLines"]  # type: ignore[misc]
    assert line["branchIndex"] == len(record.position.bids) + 6
    assert [len(trick) for trick in line["phases"][0]["tricks"]] == [2, 1]


def test_a_line_that_does_not_branch_off_there_is_an_error() -> None:
    record = record_of(PLAIN)
    for decision, at, other in (
        (Decision.PLAY, 4, replace(record.position, plays=record.position.plays[::-1])),
        (Decision.PLAY, 21, record.position),
        (Decision.BID, 9, record.position),
        (Decision.BID, 1, replace(record.position, bids=())),
    ):
        with pytest.raises(LookupError, match="branch"):
            annotated(record, [], [Line(decision, at, other)])


@pytest.mark.parametrize(
    "line",
    [
        3,
        {"branchIndex": "0", "phases": []},
        {"branchIndex": 99, "phases": []},
        {"branchIndex": 0, "phases": [{"type": "TRICK_PLAY", "tricks": [["Ac"]]}]},
        {"branchIndex": 8, "phases": [{"type": "EUCHRE_BIDDING", "calls": ["Order"]}]},
        {"branchIndex": 0, "phases": [{"type": "EUCHRE_BIDDING", "calls": ["5"]}]},
        {"branchIndex": 9, "phases": [{"type": "TRICK_PLAY", "tricks": [["7c"]]}]},
    ],
)
def test_a_line_that_cannot_be_read_is_passed_over_and_stays_in_the_notes(line: object) -> None:
    made = one_deal(PLAIN)
    made["deals"][0]["alternativeLines"] = [line]
    record = game_of(made).deals[0]
    assert lines_of(record) == ()
    assert record.notes["alternativeLines"] == [line]
