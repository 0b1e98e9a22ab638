"""What a decision lost: the statistics of two halves, and what a judgement may say."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from solver.analysis.grades import CLEAR, GRADES
from solver.analysis.rate import FEW, Stop, rate
from solver.analysis.review.depths import Depth
from solver.analysis.review.judge import Half, Valued, combine, judge, seeds_of
from solver.analysis.values import Estimate
from solver.game.cards import Card, CardSet
from solver.game.position import Decision
from solver.game.rules import PRESETS
from solver.game.seats import Seat, Side
from solver.knowledge.seen import Knowledge
from solver.notation.codes import read_bid, read_card
from solver.notation.deal_code import read_code
from solver.player import legal_actions
from tests.strategies import random_position

SCORE = {Side.NS: 0, Side.EW: 0}
POINT = 0.06
QUICK = Depth("quick", "double-dummy", 40, "pimc", 20, 2, 4)
CARDS = (Card(0), Card(1), Card(2))


def half(points: list[float], stderr: float = 0.1, worlds: int = 100) -> Half:
    """Options worth so many points, a point being worth `POINT`."""
    best = max(range(len(points)), key=lambda at: points[at])
    options = {
        CARDS[at]: Valued(
            Estimate(each, stderr),
            POINT * each,
            Estimate(each - points[best], stderr if at != best else 0.0),
            Estimate(POINT * (each - points[best]), POINT * stderr if at != best else 0.0),
        )
        for at, each in enumerate(points)
    }
    return Half(options, CARDS[best], worlds, float(worlds), exact=False, equals={})


def test_the_best_option_of_both_halves_has_no_error() -> None:
    judgement = combine([half([1.0, 0.5]), half([0.8, 0.6])], CARDS[0], POINT)
    assert judgement.best == CARDS[0]
    assert (judgement.error.mean, judgement.game_error.mean, judgement.held_out) == (0, 0, 0)
    assert judgement.grade == "none" and not judgement.too_close


def test_an_error_is_that_of_the_means_over_both_halves() -> None:
    judgement = combine([half([1.0, 0.4]), half([0.8, 0.4])], CARDS[1], POINT)
    assert judgement.error.mean == pytest.approx(0.5)
    assert judgement.error.stderr == pytest.approx(0.1 / 2**0.5)
    assert judgement.held_out == pytest.approx(0.5)
    assert judgement.grade == "blunder"


def test_what_is_within_its_standard_error_has_no_grade() -> None:
    judgement = combine([half([1.0, 0.4], 0.5), half([0.8, 0.4], 0.5)], CARDS[1], POINT)
    assert judgement.error.mean == pytest.approx(0.5)
    assert judgement.too_close and judgement.grade == "none"
    few = combine([half([1.0, 0.4], worlds=10), half([0.8, 0.4], worlds=10)], CARDS[1], POINT)
    assert few.too_close and few.grade == "none"


def test_the_error_of_a_difference_to_no_half_s_best_is_bounded_by_the_sum() -> None:
    judgement = combine([half([1.0, 0.0, 0.9], 0.1), half([0.0, 1.0, 0.9], 0.1)], CARDS[0], POINT)
    assert judgement.best == CARDS[2]
    assert judgement.error.stderr == pytest.approx((0.1**2 + 0.2**2) ** 0.5 / 2)


def test_what_changes_points_but_no_chance_to_win_has_no_grade() -> None:
    """At 9 points a march wins no more than a point."""
    flat = Valued(Estimate(1.0, 0.1), 1.0, Estimate(0.0, 0.0), Estimate(0.0, 0.0))
    more = flat._replace(points=Estimate(2.0, 0.1))
    one = Half({CARDS[0]: flat, CARDS[1]: more}, CARDS[1], 100, 100.0, exact=False, equals={})
    judgement = combine([one, one], CARDS[0], POINT)
    assert judgement.best == CARDS[1]
    assert judgement.grade == "none"


@pytest.mark.parametrize("truth", [(0.0, 0.0, 0.0), (0.3, 0.3, 0.0), (0.2, 0.1, 0.0)])
def test_held_out_errors_do_not_flatter_the_best_and_plain_ones_do(truth: tuple[float, ...]) -> None:
    random, plain, held_out = np.random.default_rng(1), [], []
    for _ in range(2000):
        halves = [half([value + random.normal(0, 0.2) for value in truth], 0.2) for _ in range(2)]
        judgement = combine(halves, CARDS[0], POINT)
        plain.append(judgement.error.mean)
        held_out.append(judgement.held_out)
    noise = 4 * np.std(held_out) / len(held_out) ** 0.5
    # The first option is a best one: nothing was lost.
    assert np.mean(held_out) < noise
    if truth[0] == truth[-1]:
        assert abs(np.mean(held_out)) < noise
    assert np.mean(plain) > 0.02


@pytest.mark.parametrize("name", ["american", "two_handed", "british"])
def test_whoever_takes_the_best_option_makes_no_error_and_gets_no_grade(name: str) -> None:
    random, found = Random(name), 0
    while found < 4:
        position = random_position(PRESETS[name], random, random.randrange(20))
        if position.to_act is None:
            continue
        knowledge = Knowledge.of(position, position.to_act)
        actions = legal_actions(knowledge)
        score = dict.fromkeys(position.rules.seating.sides, 0)
        if len(actions) == 1 or knowledge.sitting_out == knowledge.seat:
            continue
        found += 1
        first = judge(knowledge, actions[0], score, POINT, QUICK, (1, 2))
        if first.forced:
            continue
        again = judge(knowledge, first.best, score, POINT, QUICK, (1, 2))
        assert again.error.mean == again.game_error.mean == 0
        assert again.grade == "none" and not again.too_close
        assert tuple(each.action for each in first.options) == actions


def test_a_grade_is_given_only_beyond_the_standard_error_and_by_the_table() -> None:
    random, graded = Random(3), 0
    while graded < 4:
        position = random_position(PRESETS["american"], random, random.randrange(4, 22))
        if position.decision != Decision.PLAY or position.to_act is None:
            continue
        knowledge = Knowledge.of(position, position.to_act)
        actions = legal_actions(knowledge)
        if len(actions) == 1:
            continue
        judgement = judge(knowledge, random.choice(actions), SCORE, POINT, QUICK, (1, 2))
        error = judgement.game_error
        if judgement.grade != "none":
            graded += 1
            assert error.mean > CLEAR * error.stderr
            assert error.mean / POINT >= GRADES[judgement.grade]
        elif not judgement.too_close:
            assert error.mean / POINT < GRADES["inaccuracy"]


def test_cards_that_nothing_stands_between_leave_nothing_to_decide() -> None:
    position = read_code("american.N.9H.TCJCQCJDQD-9CKC9DTD9S-ACADTHAHJS-QSKSKDQHKH.o.JC.9SJS")
    knowledge = Knowledge.of(position, Seat.W)
    assert knowledge.position.play().legal() == CardSet.of([read_card("QS"), read_card("KS")])
    judgement = judge(knowledge, read_card("KS"), SCORE, POINT, QUICK, (1, 2))
    assert judgement.forced and judgement.options == ()


@pytest.mark.parametrize(
    ("made", "action", "looks"),
    [
        (half([1.0, 0.69]), 0, 1),
        (half([1.0, 0.71]), 0, 2),  # best by less than three standard errors
        (half([1.0, 0.0, 0.71]), 0, 2),  # which holds of each other option
        (half([1.0, 0.0], worlds=FEW - 1), 0, 2),
        (half([1.0, 0.0], worlds=FEW), 0, 1),
        (half([1.0, 0.0]), 1, 2),  # an error is never settled
        (replace(half([1.0, 0.0]), exact=True), 1, 1),  # there are no other worlds
    ],
)
def test_a_second_half_is_looked_at_unless_the_first_settles_that_the_action_is_best(
    monkeypatch: pytest.MonkeyPatch, made: Half, action: int, looks: int
) -> None:
    seeds: list[int] = []

    def cards(knowledge: Knowledge, score: object, depth: Depth, seed: int) -> Half:
        seeds.append(seed)
        return made

    monkeypatch.setattr("solver.analysis.review.judge._cards", cards)
    knowledge = Knowledge.of(read_code("american.N.9H.---9CTC9DTHKH.o..AS9S"), Seat.W, discarded=True)
    judgement = judge(knowledge, CARDS[action], SCORE, POINT, QUICK, (7, 8))
    assert seeds == [7, 8][:looks]
    assert judgement.worlds == looks * made.worlds


def test_few_worlds_are_enough_where_there_are_no_others() -> None:
    judgement = combine([replace(half([1.0, 0.4], 0.0, worlds=10), exact=True)], CARDS[1], POINT)
    assert judgement.grade == "blunder" and not judgement.too_close


def test_seeds_follow_from_the_place_and_no_two_places_share_them() -> None:
    seeds = {seeds_of(1, deal, number) for deal in range(20) for number in range(30)}
    assert len(seeds) == 600 and seeds_of(1, 3, 4) in seeds
    assert seeds_of(2, 3, 4) not in seeds


#: The dealer's partner, to whom the dealer's king of hearts is shown: without a trump, and with the three highest.
HOPELESS, SURE = "american.N.KH.--9CTC9DTDTS-.p", "american.N.KH.--9CTCJDJHAH-.p"


def worlds_of(code: str, bid: str) -> int:
    depth = Depth("quick", "double-dummy", 200, "pimc", 20, 2, 4)
    return judge(Knowledge.of(read_code(code), Seat.S), read_bid(bid), SCORE, POINT, depth, (1, 2)).worlds


def test_a_bid_that_is_clearly_best_is_looked_at_in_a_quarter_of_the_worlds_and_any_other_in_all() -> None:
    assert worlds_of(SURE, "order") == 50
    assert worlds_of(SURE, "pass") == 2 * 200
    assert worlds_of(HOPELESS, "order alone") == 2 * 200


def test_a_rating_stops_where_it_is_told_that_it_knows_enough() -> None:
    told: list[tuple[int, float]] = []

    def enough(of: int) -> Stop:
        return Stop((10, 20, 500), lambda bids, effective: told.append((len(bids), effective)) or len(told) == of)

    knowledge = Knowledge.of(read_code(SURE), Seat.S)
    for of, worlds in ((1, 10), (2, 20), (9, 60)):
        told.clear()
        rating = rate(knowledge, worlds=60, method="double-dummy", stop=enough(of))
        assert rating.settings.worlds == worlds
        assert [bids for bids, _ in told] == [3] * min(of, 2)
