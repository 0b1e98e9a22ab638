"""Traces of played deals, against DDS on real games and against fresh solves."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from solver.analysis.analyze import analyze
from solver.analysis.trace import trace
from solver.errors import InvalidInput
from solver.game.position import Position
from solver.game.record import DealRecord
from solver.game.rules import Rules
from solver.game.seats import Side
from solver.logs import read
from solver.notation.answers import TraceAnswer
from solver.notation.deal_code import read_code
from tests.strategies import ALL_RULES, random_position

EGN = Path(__file__).parent.parent / "data" / "egn"
EXPECTED = {row["file"]: row["deals"] for row in map(json.loads, (EGN / "expected.jsonl").read_text().splitlines())}


def deals(name: str) -> list[DealRecord]:
    return [deal for game in read(EGN / name) for deal in game.deals]


@pytest.mark.parametrize("name", EXPECTED)
def test_real_games_are_traced_as_dds_traces_them(name: str) -> None:
    for deal, expected in zip(deals(name), EXPECTED[name], strict=True):
        if "dd_trace" in expected:
            traced = trace(deal.position)
            assert [card.outcome.tricks[Side.NS] for card in traced.cards] == expected["dd_trace"]
        if expected["complete"] and not expected["reneges"]:
            result = trace(deal.position).result
            assert result is not None
            assert list(result.tricks.values()) == expected["tricks"]
            assert list(result.points.values()) == expected["points"]


def test_a_deal_with_a_revoke_is_not_traced() -> None:
    revoked, incomplete = deals("game14.egn")[0], deals("game27.egn")[0]
    for deal in (revoked, incomplete):
        with pytest.raises(InvalidInput):
            trace(deal.position)


@pytest.mark.parametrize(
    ("auction", "code"), [("", "field.missing"), ("pppppppp", "field.missing"), ("po", "discard.missing")]
)
def test_what_comes_before_the_play_is_not_traced(auction: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        trace(read_code(f"american.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS.{auction}"))
    assert [fault.code for fault in refusal.value.faults] == [code]


def test_a_deal_that_was_not_played_out_has_a_trace_without_a_result() -> None:
    traced = trace(read_code("american.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS.po.9C.9D"))
    assert traced.result is None
    document = TraceAnswer().dump(traced)
    assert [*document] == ["contract", "tricks_before", "points_before", "tricks", "points", "cards", "code"]
    assert document["tricks"] is document["points"] is None


@pytest.mark.parametrize("rules", ALL_RULES[::3])
def test_the_value_after_each_card_is_that_of_a_fresh_analysis(rules: Rules) -> None:
    position = played(rules, Random(11))
    traced = trace(position)
    assert traced.result is not None and traced.result == traced.cards[-1].outcome
    for count, card in enumerate(traced.cards, start=1):
        so_far = Position(position.deal, position.bids, None, position.discard, position.plays[:count])
        assert analyze(so_far).outcome == card.outcome
    before = Position(position.deal, position.bids, None, position.discard)
    assert analyze(before).outcome == traced.before


@pytest.mark.parametrize("rules", ALL_RULES[::3])
def test_a_card_loses_what_its_side_had_before_it_and_has_no_more(rules: Rules) -> None:
    traced = trace(played(rules, Random(13)))
    value = traced.before
    for card in traced.cards:
        side = rules.seating.side(card.seat)
        assert card.lost_tricks == value.tricks[side] - card.outcome.tricks[side] >= 0
        assert card.lost_points == value.net(side) - card.outcome.net(side) >= 0
        value = card.outcome


@pytest.mark.parametrize("rules", ALL_RULES[1::3])
def test_tricks_lost_by_both_sides_account_for_the_result(rules: Rules) -> None:
    position = played(rules, Random(12))
    traced = trace(position)
    first = rules.seating.sides[0]
    lost = {
        side: sum(c.lost_tricks for c in traced.cards if rules.seating.side(c.seat) == side)
        for side in rules.seating.sides
    }
    other = rules.seating.opponents(first)
    assert traced.result is not None
    assert traced.result.tricks[first] == traced.before.tricks[first] - lost[first] + lost[other]
    for card in traced.mistakes:
        assert card.card not in card.best


def played(rules: Rules, random: Random) -> Position:
    while True:
        position = random_position(rules, random)
        if position.plays:
            return position
