"""What a seat is advised, against brute force over every world that fits what it has seen."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from solver.analysis.advice import METHODS, MOST_WORLDS, advise, sight
from solver.analysis.analyze import analyze
from solver.errors import InvalidInput
from solver.game.cards import CardSet
from solver.game.position import Decision, Position
from solver.game.rules import PRESETS, Rules, with_options
from solver.game.seats import Seat, Side
from solver.knowledge.seen import Knowledge
from solver.knowledge.worlds import all_worlds, count_worlds, sample_worlds
from solver.notation.codes import read_card
from solver.notation.deal_code import read_code
from tests.strategies import ALL_RULES, random_position


def decision(rules: Rules, seed: int, kind: Decision, most: int | None = None) -> Position:
    """A random position at a decision of that kind, with more than one option and at most so many worlds."""
    random = Random(seed)
    while True:
        position = random_position(rules, random, random.randrange(28))
        if position.decision != kind or position.to_act is None:
            continue
        if kind == Decision.PLAY and len(position.play().legal()) < 2:
            continue
        if most is None or count_worlds(Knowledge.of(position, position.to_act)) <= most:
            return position


@pytest.mark.parametrize("kind", [Decision.PLAY, Decision.DISCARD])
@pytest.mark.parametrize("rules", ALL_RULES[::4])
def test_means_are_those_of_the_worlds_analyzed_one_by_one(rules: Rules, kind: Decision) -> None:
    position = decision(rules, 5, kind)
    seat = position.to_act
    assert seat is not None
    side = rules.seating.side(seat)
    advice = analyze(position, viewpoint=seat, worlds=30, seed=3)
    knowledge = Knowledge.of(position, seat)
    few = count_worlds(knowledge) <= 30
    worlds = all_worlds(knowledge, 30) if few else sample_worlds(knowledge, 30, 3)
    nets = np.array(
        [[each.outcome.net(side) for each in analyze(worlds.position(row)).options] for row in range(len(worlds))]
    )
    tricks = np.array(
        [[each.outcome.tricks[side] for each in analyze(worlds.position(row)).options] for row in range(len(worlds))]
    )
    best = int(nets.mean(axis=0).argmax())
    assert advice.information == ("enumerated" if few else "sampled")
    for at, option in enumerate(advice.options):
        assert option.uncertainty is not None
        assert option.outcome.net(side) == pytest.approx(nets[:, at].mean())
        assert option.outcome.tricks[side] == pytest.approx(tricks[:, at].mean())
        assert option.error == pytest.approx(nets[:, best].mean() - nets[:, at].mean())
        assert option.uncertainty.best_chance == pytest.approx((nets[:, at] == nets.max(axis=1)).mean())
        difference = nets[:, at] - nets[:, best]
        stderr = 0.0 if few else difference.std(ddof=1) / math.sqrt(len(worlds))
        assert option.uncertainty.difference.mean == pytest.approx(difference.mean())
        assert option.uncertainty.difference.stderr == pytest.approx(stderr)


@pytest.mark.parametrize("method", METHODS)
def test_hidden_cards_that_are_sent_along_change_nothing(method: str) -> None:
    position = decision(PRESETS["american"], 1, Decision.PLAY)
    seat = position.to_act
    assert seat is not None
    bare = position.without_hands(each.name for each in Seat if each != seat)
    full, partial = (analyze(each, viewpoint=seat, worlds=20, method=method) for each in (position, bare))
    assert full.options == partial.options
    assert full.settings == partial.settings


@pytest.mark.parametrize("method", METHODS)
def test_equal_seeds_give_equal_advice_with_any_number_of_threads(method: str) -> None:
    position = decision(PRESETS["american"], 2, Decision.PLAY)
    one, two, other = (
        analyze(position, viewpoint=position.to_act, worlds=40, seed=seed, method=method, threads=threads)
        for seed, threads in ((1, 1), (1, 2), (2, 1))
    )
    assert one == two
    assert one != other


def test_few_worlds_are_all_looked_at() -> None:
    position = decision(PRESETS["american"], 3, Decision.PLAY, most=200)
    advice = analyze(position, viewpoint=position.to_act, worlds=200)
    assert advice.information == "enumerated"
    assert advice.settings.worlds == advice.settings.worlds_that_fit
    assert advice.settings.seed is None
    assert {option.uncertainty.points.stderr for option in advice.options if option.uncertainty} == {0.0}
    assert analyze(position, viewpoint=position.to_act, worlds="all").options == advice.options


@pytest.mark.parametrize("method", METHODS)
def test_one_option_at_least_is_best_and_no_error_is_negative(method: str) -> None:
    for seed in range(6):
        position = decision(ALL_RULES[5 * seed], seed, Decision.PLAY)
        advice = analyze(position, viewpoint=position.to_act, worlds=25, method=method)
        assert {option.card for option in advice.options} == set(position.play().legal())
        assert any(option.best for option in advice.options)
        assert min(option.error for option in advice.options) == 0
        for option in advice.options:
            assert sum(option.outcome.tricks.values()) == pytest.approx(5)


def test_with_a_score_options_are_compared_by_the_chance_to_win_the_game() -> None:
    position = decision(PRESETS["american"], 4, Decision.PLAY)
    seat = position.to_act
    assert seat is not None
    side = PRESETS["american"].seating.side(seat)
    advice = analyze(position, viewpoint=seat, worlds=200, score={Side.NS: 9, Side.EW: 8})
    chances = []
    for option in advice.options:
        assert option.outcome.game is not None
        assert sum(option.outcome.game.values()) == pytest.approx(1)
        chances.append(option.outcome.game[side])
    assert advice.settings.goal == "game"
    assert [option.best for option in advice.options] == [chance == max(chances) for chance in chances]


def test_equals_are_equal_in_every_world() -> None:
    for seed in range(5):
        position = decision(PRESETS["american"], seed, Decision.PLAY)
        outcomes = {each.card: each for each in analyze(position, viewpoint=position.to_act, worlds=50).options}
        for option in outcomes.values():
            for card in option.equals:
                assert outcomes[card].outcome == option.outcome


def test_the_dealers_discard_is_one_for_all_worlds() -> None:
    """The best fixed discard is worth less than the best in each world, which a dealer cannot see."""
    position = decision(PRESETS["american"], 6, Decision.DISCARD)
    seat = position.to_act
    assert seat is not None
    side = PRESETS["american"].seating.side(seat)
    advice = analyze(position, viewpoint=seat, worlds=100)
    worlds = sample_worlds(Knowledge.of(position, seat), 100)
    seeing = np.mean([analyze(worlds.position(row)).outcome.net(side) for row in range(100)])
    assert advice.outcome.net(side) <= seeing + 1e-9


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"worlds": MOST_WORLDS["pimc"] + 1}, "field.invalid"),
        ({"worlds": MOST_WORLDS["rollout"] + 1, "method": "rollout"}, "field.invalid"),
        ({"worlds": "all"}, "field.invalid"),
    ],
)
def test_more_worlds_than_the_limit_are_refused(arguments: dict[str, int | str], code: str) -> None:
    position = decision(PRESETS["american"], 7, Decision.DISCARD)
    with pytest.raises(InvalidInput) as refusal:
        analyze(position, viewpoint=position.to_act, **arguments)  # type: ignore[arg-type]  # one value of either type
    assert [(fault.code, fault.path) for fault in refusal.value.faults] == [(code, ("worlds",))]


def test_a_deal_that_is_over_ends_as_it_was_played_from_every_viewpoint() -> None:
    position = random_position(PRESETS["american"], Random(5))
    for seat in PRESETS["american"].seating.seats:
        bare = position.without_hands(each.name for each in Seat if each != seat)
        seen = analyze(bare, viewpoint=seat)
        assert (seen.decision, seen.outcome) == (Decision.OVER, analyze(position).outcome)


def test_worlds_are_picked_from_more_that_were_drawn() -> None:
    position = decision(PRESETS["american"], 2, Decision.PLAY)
    assert position.to_act is not None
    knowledge = Knowledge.of(position, position.to_act)
    assert count_worlds(knowledge) > 1000
    heavy = advise(knowledge, worlds=60, seed=1, draw=4, weigh=lambda worlds: (np.arange(len(worlds)) < 60) * 1.0)
    assert heavy.options == advise(knowledge, worlds=60, seed=1).options
    assert (heavy.settings.worlds, heavy.settings.effective_worlds) == (60, None)
    rare = advise(knowledge, worlds=60, seed=1, draw=4, weigh=lambda worlds: (np.arange(len(worlds)) < 10) * 1.0)
    assert rare.settings.worlds == 10
    assert advise(knowledge, worlds=60, seed=1, draw=4).options == advise(knowledge, worlds=60, seed=1).options


def test_worlds_that_are_all_drawn_are_all_looked_at() -> None:
    position = decision(PRESETS["american"], 3, Decision.PLAY, most=300)
    assert position.to_act is not None
    knowledge = Knowledge.of(position, position.to_act)
    advice = advise(knowledge, worlds=20, draw=16, weigh=lambda worlds: np.arange(len(worlds)) + 1.0)
    assert advice.information == "enumerated" and advice.settings.worlds == count_worlds(knowledge)


def test_worlds_of_no_weight_do_not_count() -> None:
    position = decision(PRESETS["american"], 10, Decision.PLAY)
    seat = position.to_act
    assert seat is not None
    knowledge = Knowledge.of(position, seat)
    plain = advise(knowledge, worlds=60, seed=1)
    alike = advise(knowledge, worlds=60, seed=1, weigh=lambda worlds: np.full(len(worlds), 3.0))
    assert alike.settings.effective_worlds == pytest.approx(plain.settings.worlds)
    half = advise(knowledge, worlds=60, seed=1, weigh=lambda worlds: (np.arange(len(worlds)) < 30).astype(float))
    first = advise(knowledge, worlds=30, seed=1)
    assert half.settings.effective_worlds == pytest.approx(30)
    for one, other, third in zip(
        half.options, first.options, zip(plain.options, alike.options, strict=True), strict=True
    ):
        assert one.outcome.points == pytest.approx(other.outcome.points)
        assert one.error == pytest.approx(other.error)
        assert third[0].outcome.points == pytest.approx(third[1].outcome.points)


def test_only_the_seat_to_act_is_advised() -> None:
    position = decision(PRESETS["american"], 8, Decision.PLAY)
    other = next(seat for seat in position.play().active if seat != position.to_act)
    with pytest.raises(InvalidInput, match="is to act"):
        analyze(position, viewpoint=other)


def test_a_world_that_nobody_can_have_seen_is_no_advice() -> None:
    position = decision(PRESETS["american"], 9, Decision.PLAY)
    seat = position.to_act
    assert seat is not None
    hands = list(position.deal.hands)
    hands[seat] = CardSet()
    broken = replace(position, deal=replace(position.deal, hands=tuple(hands)))
    with pytest.raises(InvalidInput):
        advise(Knowledge.of(broken, seat))


@pytest.mark.parametrize("base", ["two_handed", "american"])
@pytest.mark.parametrize("method", METHODS)
def test_an_upcard_that_may_be_declined_is_discarded_in_the_sight_of_all(base: str, method: str) -> None:
    rules = with_options(PRESETS[base], {"dealer_may_decline_upcard": True})
    for seed in range(40):
        position = random_position(rules, Random(seed), 1 + seed % 3)
        auction, dealer = position.auction, position.deal.dealer
        if position.decision != Decision.DISCARD or auction is None or auction.contract is None:
            continue
        upcard = auction.upcard
        if auction.contract.maker == dealer or dealer in (None, auction.contract.sitting_out):
            continue
        throwing = analyze(position, viewpoint=dealer, worlds=12, method=method)
        assert upcard in {option.card for option in throwing.options}
        declined = position.after(discard=upcard)
        assert declined.to_act is not None
        leading = analyze(declined, viewpoint=declined.to_act, worlds=12, method=method)
        assert {option.card for option in leading.options} == set(declined.play().legal())
        return
    raise AssertionError("no deal with an order of another seat")


def test_everybody_knows_that_a_declined_upcard_is_out_of_play() -> None:
    declined = Knowledge.of(read_code("two_handed.S.JH.9HTHQHKHAH-9CTC9DTD9S.o.JH"), Seat.N)
    out, taken = sight(declined, sample_worlds(declined, 5).discard)
    assert (out == read_card("JH").bit).all()
    assert taken is None
    kept = Knowledge.of(read_code("two_handed.S.JH.9HTHQHKHAH-9CTC9DTD9S.o.9C"), Seat.N)
    out, taken = sight(kept, sample_worlds(kept, 5).discard)
    assert not out[:, Seat.N].any() and (np.bitwise_count(out[:, Seat.S]) == 1).all()
    assert taken == (Seat.S, read_card("JH"))


def test_a_seat_whose_turn_it_is_not_is_told_whose_it_is() -> None:
    position = read_code("american.N.9H.-JHAHKH9SAD--.p")
    with pytest.raises(InvalidInput, match="S is to act"):
        analyze(position, viewpoint=Seat.E)


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        *(({"worlds": worlds}, ("worlds",)) for worlds in (0, -1, 2.5, True, "many")),
        *(({"score": {Side.NS: points, Side.EW: 0}}, ("score", Side.NS)) for points in (-1, 10, 1.5, True)),
        ({"score": {Side.NS: 1}}, ("score",)),
        ({"score": {Side.N: 1, Side.S: 1}}, ("score",)),
        ({"method": "guess"}, ("method",)),
        ({"seed": -1}, ("seed",)),
        ({"threads": 0}, ("threads",)),
    ],
)
def test_advice_that_cannot_be_given_is_refused_at_the_argument(asked: dict[str, Any], path: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput) as refusal:
        analyze(read_code("american.N.JH.-9DTDJDQDAH--.po"), viewpoint=Seat.E, **{"worlds": 20, **asked})
    assert [(fault.code, fault.path) for fault in refusal.value.faults] == [("field.invalid", path)]


@pytest.mark.parametrize("points", [-1, 10, 1.5])
def test_a_bid_at_no_score_of_a_game_is_refused(points: Any) -> None:
    position = read_code("american.N.9H.-JHAHKH9SAD--")
    with pytest.raises(InvalidInput, match="the game is to 10"):
        analyze(position, viewpoint=Seat.E, worlds=20, score={Side.NS: points, Side.EW: 0})


def test_cards_are_equal_across_an_upcard_that_was_turned_down() -> None:
    answer = analyze(read_code("american.N.TD.-9DJDACKCQC--.ppppc"), viewpoint=Seat.E, worlds=5)
    equals = {str(option.card): {str(card) for card in option.equals} for option in answer.options}
    assert equals["9D"] == {"JD"}
    kept = analyze(read_code("american.N.TH.-9DJDACKCQC--.ppppc"), viewpoint=Seat.E, worlds=5)
    assert {option.equals for option in kept.options if str(option.card) == "9D"} == {()}
