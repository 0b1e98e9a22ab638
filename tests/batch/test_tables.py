"""Tables of whole arrays are those of one deal at a time."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from solver.analysis.analyze import analyze
from solver.batch import tables
from solver.batch.bulk import Deals, read_deals
from solver.game.cards import BENNY
from solver.game.deal import random_deal
from solver.game.position import Position
from solver.game.rules import PRESETS, Rules, with_options
from solver.game.seats import Seat
from solver.notation.deal_code import write_code

OPTIONS = [
    *PRESETS.values(),
    with_options(Rules(), {"natural_trump_to_order": True}),
    with_options(Rules(), {"natural_trump_to_order": True, "deck": 25, "benny_upcard": "C"}),
    with_options(Rules(), {"stick_the_dealer": True, "stuck_dealer_may_name_turned_down": True}),
    with_options(Rules(), {"dealers_partner": "may_not_order", "lone_lead": "maker"}),
    with_options(Rules(), {"dealer_may_discard_upcard": True, "deck": 33, "benny_upcard": "H"}),
    with_options(Rules(), {"going_alone": "never", "deck": 32}),
    with_options(PRESETS["two_handed"], {"stick_the_dealer": True, "deck": 25}),
    with_options(
        Rules(),
        {"natural_trump_to_order": True, "march": 100, "lone_march": 100, "euchre": 100, "lone_euchre": 100},
    ),
]


def answered(rules: Rules, deals: list[Position]) -> list[dict[str, object]]:
    (block,), rest = read_deals("\n".join(write_code(each) for each in deals).encode())
    assert rest == []
    columns = tables.rows_of(tables.solve(block))
    names = [column.name for column in tables.COLUMNS]
    return [dict(zip(names, row, strict=True)) for row in zip(*(column.tolist() for column in columns), strict=True)]


def deals_of(rules: Rules, number: int) -> list[Position]:
    random = Random(4)
    return [Position(random_deal(rules, random.choice(rules.seating.seats), random)) for _ in range(number)]


@pytest.mark.parametrize("rules", OPTIONS, ids=str)
def test_tables_and_par_are_those_of_analyze(rules: Rules) -> None:
    # Par seldom hangs on who has a natural trump.
    deals = deals_of(rules, 60 if rules.natural_trump_to_order else 6)
    for position, row in zip(deals, answered(rules, deals), strict=True):
        analysis = analyze(position)
        assert analysis.table is not None and analysis.par is not None
        first = rules.seating.sides[0]
        expected: dict[str, list[int | None]] = {call: [None] * 5 for call in tables.CALLS}
        discards: list[str | None] = [None] * 5
        for each in analysis.table:
            call = "order" if each.bid.call.value == "order" else each.contract.trump.letter
            way = 1 + each.contract.maker if each.contract.alone else 0
            assert expected[call][way] in (None, each.outcome.tricks[first]), "one cell, one value"
            expected[call][way] = int(each.outcome.tricks[first])
            if call == "order" and each.contract.sitting_out != position.deal.dealer:
                discards[way] = str(each.discard)
        assert {call: row[call] for call in tables.CALLS} == expected
        assert row["discards"] == discards
        assert row["par_points"] == analysis.par.outcome.net(first)
        last = analysis.par.bids[-1]
        assert row["par_bid"] == str(last)
        assert row["par_maker"] == (None if analysis.par.value is None else str(analysis.par.value.contract.maker))


def test_a_benny_turned_up_is_named_by_the_dealer_alone() -> None:
    rules = PRESETS["british"]
    random = Random(1)
    deals = []
    while len(deals) < 3:
        deal = random_deal(rules, random.choice(list(Seat)), random)
        deals += [Position(deal)] if deal.upcard == BENNY else []
    for position, row in zip(deals, answered(rules, deals), strict=True):
        analysis = analyze(position)
        assert analysis.par is not None
        assert row["order"] == [None] * 5
        assert row["par_maker"] == str(position.deal.dealer)
        assert row["par_points"] == analysis.par.outcome.net(rules.seating.sides[0])


def test_equal_deals_are_solved_once_and_answered_each(monkeypatch: pytest.MonkeyPatch) -> None:
    deals = deals_of(Rules(), 5)
    single = answered(Rules(), deals)
    solved: list[int] = []
    solve = tables.solve_contracts

    def counting(hands: np.ndarray, *rest: object, **options: object) -> object:
        solved.append(len(hands))
        return solve(hands, *rest, **options)

    monkeypatch.setattr(tables, "solve_contracts", counting)
    assert answered(Rules(), deals * 4) == single * 4
    assert sum(solved) == 5


@pytest.mark.parametrize("number", [0, 1])
def test_hardly_any_deals_are_answered_too(number: int) -> None:
    (block,), _ = read_deals(write_code(*deals_of(Rules(), 1)).encode())
    few = Deals(block.rules, block.line[:number], block.dealer[:number], block.upcard[:number], block.hands[:number])
    assert [len(column) for column in tables.rows_of(tables.solve(few))] == [number] * len(tables.COLUMNS)
