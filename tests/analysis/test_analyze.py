"""What `analyze` says of every kind of decision, against golden vectors, a naive recursion, and laws."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from solver.analysis.analyze import analyze
from solver.analysis.contracts import plainest
from solver.analysis.tricks import tricks
from solver.analysis.values import Analysis
from solver.engine.doubledummy import DoubleDummy
from solver.errors import InvalidInput
from solver.game.auction import PASS, discards
from solver.game.cards import HAND_SIZE, Suit
from solver.game.deal import random_deal
from solver.game.order import card_order
from solver.game.position import Decision, Position
from solver.game.rules import PRESETS, Rules
from solver.game.scoring import makers_points, net, score
from solver.game.seats import Seat, Side
from solver.notation.answers import AnalysisAnswer
from solver.notation.codes import read_cards
from solver.notation.deal_code import read_code
from solver.notation.documents import read_position
from tests.strategies import ALL_RULES, positions, random_position

GOLDEN = Path(__file__).parent.parent / "data" / "golden"


def golden(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text().splitlines()]


def golden_analysis(row: dict[str, Any]) -> Analysis:
    maker = "NESW"[("NESW".index(row["sits_out"]) + 2) % 4] if "sits_out" in row else row["leader"]
    return analyze(
        read_position(
            {
                "hands": row["hands"],
                "contract": {
                    "trump": row["trump"],
                    "maker": maker,
                    "alone": "sits_out" in row,
                    "leader": row["leader"],
                },
                "plays": row["played"],
            }
        )
    )


@pytest.mark.parametrize("name", ["dd_cards.jsonl", "lone_cards.jsonl"])
def test_every_card_of_the_golden_positions_has_its_value(name: str) -> None:
    for row in golden(name):
        analysis = golden_analysis(row)
        assert str(analysis.to_act) == row["to_play"]
        values = {str(option.card): option.outcome.tricks[Side.NS] for option in analysis.options}
        assert values == row["ns_tricks_by_card"], row


def naive_net(engine: DoubleDummy, position: Position) -> int:
    """N's side's net points when all bid, discard and play double dummy: plain recursion over single actions."""
    rules, side = position.rules, position.rules.seating.sides[0]
    match position.decision:
        case Decision.OVER:
            return 0  # thrown in: the play is not followed here
        case Decision.PLAY:
            won = tricks(engine, position.start())
            first, second = rules.seating.sides
            return net(score(rules, position.contract, {first: won, second: HAND_SIZE - won}), side)
        case Decision.BID:
            assert position.auction is not None and position.to_act is not None
            bids = position.auction.legal_bids(position.deal.hands[position.to_act])
            after = [naive_net(engine, position.after(bid=bid)) for bid in bids]
        case Decision.DISCARD:
            assert position.auction is not None and position.to_act is not None
            hand = position.deal.hands[position.to_act]
            assert hand is not None
            after = [naive_net(engine, position.after(discard=card)) for card in discards(position.auction, hand)]
    assert position.to_act is not None
    return (max if rules.seating.side(position.to_act) == side else min)(after)


#: With the turned-down suit open to a stuck dealer, one maker can make one trump with the upcard and without it.
MORE_RULES = [*PRESETS.values(), Rules(stick_the_dealer=True, stuck_dealer_may_name_turned_down=True)]


@pytest.mark.parametrize("rules", MORE_RULES)
def test_par_and_bids_agree_with_a_naive_recursion(rules: Rules) -> None:
    random, engine = Random(1), DoubleDummy()
    for _ in range(12):
        position = Position(random_deal(rules, random.choice(rules.seating.seats), random))
        analysis = analyze(position)
        first = rules.seating.sides[0]
        assert analysis.par is not None
        assert analysis.par.outcome.net(first) == analysis.outcome.net(first) == naive_net(engine, position)
        for option in analysis.options:
            assert option.outcome.net(first) == naive_net(engine, position.after(bid=option.bid))


@pytest.mark.parametrize("rules", MORE_RULES)
def test_par_is_the_first_best_bid_and_then_the_par_of_what_follows(rules: Rules) -> None:
    random = Random(2)
    for _ in range(6):
        position = Position(random_deal(rules, random.choice(rules.seating.seats), random))
        while position.decision == Decision.BID:
            analysis = analyze(position)
            assert analysis.par is not None
            bid, *rest = analysis.par.bids
            assert bid == next(option.bid for option in analysis.options if option.best)
            position = position.after(bid=bid)
            par = analyze(position).par
            assert rest == ([] if par is None else list(par.bids))


def test_the_plainest_card_is_no_trump_then_the_lowest_then_the_first_of_the_deck() -> None:
    order = card_order(Rules(), Suit.HEARTS)
    for cards, plainest_of_them in (
        ("9H AC", "AC"),
        ("JD AD", "AD"),
        ("TC 9S", "9S"),
        ("9S 9C", "9C"),
        ("AH 9H", "9H"),
    ):
        assert str(plainest(read_cards(cards), order)) == plainest_of_them


@settings(max_examples=150)
@given(positions())
def test_options_are_the_legal_actions_and_the_best_one_makes_the_value(position: Position) -> None:
    analysis = analyze(position)
    assert analysis.decision == position.decision
    if position.decision == Decision.OVER:
        assert analysis.options == () and analysis.line == ()
        return
    seat = position.to_act
    assert seat is not None
    side = position.rules.seating.side(seat)
    actions = [option.card or option.bid for option in analysis.options]
    hand = position.deal.hands[seat]
    if position.decision == Decision.BID:
        assert position.auction is not None
        assert actions == list(position.auction.legal_bids(hand))
    elif position.decision == Decision.DISCARD:
        assert position.auction is not None and hand is not None
        assert actions == list(discards(position.auction, hand))
    else:
        assert actions == list(position.play().legal())
    best = max(option.outcome.net(side) for option in analysis.options)
    assert analysis.outcome.net(side) == best
    for option in analysis.options:
        assert option.error == best - option.outcome.net(side) >= 0
        assert option.best == (option.error == 0)


@settings(max_examples=100)
@given(positions())
def test_the_line_is_legal_and_leads_to_the_value(position: Position) -> None:
    analysis = analyze(position)
    for move in analysis.line:
        assert move.seat == position.to_act
        position = position.after(bid=move.bid, discard=move.discard, card=move.card)
    assert position.problems() == []
    assert position.decision == Decision.OVER
    assert analyze(position).outcome == analysis.outcome


@settings(max_examples=100)
@given(positions())
def test_equal_cards_have_equal_values(position: Position) -> None:
    analysis = analyze(position)
    value = {option.card: option.outcome for option in analysis.options}
    for option in analysis.options:
        for card in option.equals:
            assert value[card] == option.outcome
            other = next(each for each in analysis.options if each.card == card)
            assert option.card in other.equals


def test_cards_are_not_equal_while_a_card_between_lies_on_the_table() -> None:
    """9D and JD with TD on the table: the case of the trick under way."""
    hands = {"N": "TD 9C TC QC KC", "E": "9D JD 9H TH QH", "S": "AD KD QD AH KH", "W": "9S TS QS KS AS"}
    document = {"hands": hands, "contract": {"trump": "C", "maker": "N", "leader": "N"}, "plays": ["TD"]}
    options = {str(option.card): option.equals for option in analyze(read_position(document)).options}
    assert options == {"9D": (), "JD": ()}


def test_the_table_has_each_contract_that_the_rules_allow() -> None:
    deal = "N.JH.9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS"
    kinds = {
        name: {
            (str(value.contract.maker), value.contract.trump.letter, value.contract.alone)
            for value in analyze(read_code(f"{name}.{deal}")).table or ()
        }
        for name in ("american", "spanish", "canadian")
    }
    everything = {(maker, trump, alone) for maker in "NESW" for trump in "CDHS" for alone in (False, True)}
    assert kinds["american"] == everything
    assert kinds["spanish"] == {each for each in everything if each[0] != "S" or each[2]}
    assert kinds["canadian"] == everything - {("S", "H", False)}


def test_a_turned_down_suit_that_a_stuck_dealer_names_is_played_without_the_upcard() -> None:
    rules = "cardporch~stuck_dealer_may_name_turned_down-yes"
    analysis = analyze(read_code(f"{rules}.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS"))
    ordered, named = (
        value
        for value in analysis.table or ()
        if (value.contract.maker, value.contract.trump, value.contract.alone) == (Seat.N, Suit.HEARTS, False)
    )
    assert (ordered.round, str(ordered.discard), ordered.outcome.tricks[Side.NS]) == (1, "9C", 4)
    assert (named.round, named.discard, named.outcome.tricks[Side.NS]) == (2, None, 3)


def test_the_dealer_who_sits_out_still_discards_and_it_does_not_matter() -> None:
    position = read_code("american.N.JH.9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS.poa")
    analysis = analyze(position)
    assert (analysis.decision, analysis.to_act) == (Decision.DISCARD, Seat.N)
    assert len(analysis.options) == 6
    assert {option.error for option in analysis.options} == {0}
    after = position.after(discard=analysis.options[0].card)
    assert after.contract is not None and after.contract.sitting_out == Seat.N
    assert analyze(after).to_act == Seat.E


def test_a_deal_that_is_thrown_in_gives_nobody_anything() -> None:
    position = random_position(PRESETS["american"], Random(3), 0)
    for _ in range(8):
        position = position.after(bid=PASS)
    analysis = analyze(position)
    assert analysis.decision == Decision.OVER
    assert analysis.outcome.points == {Side.NS: 0, Side.EW: 0}
    assert analysis.contract is None


@pytest.mark.parametrize("rules", ALL_RULES)
def test_tricks_of_both_sides_sum_to_five_and_only_one_side_scores(rules: Rules) -> None:
    random = Random(7)
    for _ in range(3):
        analysis = analyze(random_position(rules, random, random.randrange(20)))
        for option in analysis.options:
            outcome = option.outcome
            thrown_in = option.bid is not None and not any(outcome.tricks.values())
            assert sum(outcome.tricks.values()) == (0 if thrown_in else HAND_SIZE)
            assert list(outcome.points.values()).count(0) >= 1


def test_points_never_fall_with_tricks() -> None:
    """What lets the search for most tricks stand for the search for most points."""
    for rules in PRESETS.values():
        for alone in (False, True):
            points = [makers_points(rules, alone, won) for won in range(HAND_SIZE + 1)]
            assert points == sorted(points)


def test_a_position_with_faults_is_refused_with_all_of_them() -> None:
    with pytest.raises(InvalidInput) as refusal:
        analyze(read_code("american.N.JH.9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQS9C.pc"))
    assert {fault.code for fault in refusal.value.faults} == {"card.duplicate", "bid.illegal"}


def test_the_answer_has_the_fields_of_the_contract() -> None:
    answer = AnalysisAnswer().dump(
        analyze(read_code("american.N.JH.9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS.po.9C"))
    )
    assert list(answer) == [
        "decision", "to_act", "information", "contract", "tricks", "points", "options", "line", "code", "settings",
    ]  # fmt: skip
    assert answer["contract"] == {"trump": "H", "maker": "S", "alone": False, "leader": "E"}
    assert set(answer["options"][0]) == {"card", "tricks", "points", "error", "best", "equals"}
    assert set(answer["line"][0]) == {"seat", "card"}
    assert answer["settings"]["worlds"] is answer["settings"]["seed"] is None
