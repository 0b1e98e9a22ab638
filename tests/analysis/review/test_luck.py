"""The luck of a deal: a function of its cards whose mean is 0."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import fmean, stdev

import pytest

from solver.analysis.equity import chances_after, equity_for
from solver.analysis.review.luck import CardLuck, _known_hands, card_luck
from solver.game.auction import PASS
from solver.game.cards import BENNY, CardSet
from solver.game.deal import Deal, hands_of, random_deal
from solver.game.position import Position
from solver.game.rules import PRESETS, Rules
from solver.game.seats import Seat, Side
from solver.notation.codes import read_card
from solver.notation.deal_code import read_code

AMERICAN = PRESETS["american"]
SCORE = {Side.NS: 3, Side.EW: 5}


def luck(position: Position, plays: int = 40, seed: int = 1) -> CardLuck | None:
    rules, dealer = position.rules, position.deal.dealer
    assert dealer is not None
    equity, side = equity_for(rules), rules.seating.sides[0]
    score = dict(zip(rules.seating.sides, (3, 5), strict=True))
    before = equity.chance(3, 5, we_deal=rules.seating.side(dealer) == side)
    return card_luck(position, equity, before, chances_after(rules, dealer, score, side), plays, seed)


def found(position: Position, plays: int = 40, seed: int = 1) -> CardLuck:
    each = luck(position, plays, seed)
    assert each is not None
    return each


def test_the_luck_of_the_upcard_is_nothing_over_all_that_could_have_been_turned() -> None:
    deal = random_deal(AMERICAN, Seat.S, Random(9))
    assert deal.kitty is not None and deal.upcard is not None
    turned = [found(Position(replace(deal, upcard=card)), 100) for card in (deal.upcard, *deal.kitty)]
    assert sum(each.upcard for each in turned) == pytest.approx(0, abs=0.4)
    assert sum(each.game_upcard for each in turned) == pytest.approx(0, abs=0.04)
    # The hands are the same, so their luck is.
    assert [each.deal for each in turned] == pytest.approx([turned[0].deal] * 4, abs=0.3)


def test_the_luck_of_the_upcard_is_what_it_is_worth_less_the_mean_of_all_that_could_have_been_turned() -> None:
    deal = read_code("american.N.JH.JDAHKHASKS-9CTC9DTDQD-JCJSQCKC9S-QHTH9HTSQS").deal
    assert deal.kitty is not None and deal.upcard is not None
    turned = [found(Position(replace(deal, upcard=card)), 64) for card in (deal.upcard, *deal.kitty)]
    worth = [each.expected + each.deal + each.upcard for each in turned]
    assert worth[0] - fmean(worth[1:]) > 1
    assert turned[0].upcard == pytest.approx(worth[0] - fmean(worth), abs=0.08)


@pytest.mark.parametrize("name", ["american", "cardporch"])
def test_the_luck_of_the_cards_is_nothing_on_average(name: str) -> None:
    # Always the same dealer: what dealing is worth must not hide in the mean.
    random, rules = Random(f"luck {name}"), PRESETS[name]
    points, games = [], []
    for number in range(80):
        each = found(Position(random_deal(rules, Seat.N, random)), 2, number)
        points.append(each.deal + each.upcard)
        games.append(each.game_deal + each.game_upcard)
    assert abs(fmean(points)) < 3.5 * stdev(points) / len(points) ** 0.5
    assert abs(fmean(games)) < 3.5 * stdev(games) / len(games) ** 0.5


def test_luck_is_of_the_cards_and_not_of_what_was_done_with_them() -> None:
    position = Position(random_deal(AMERICAN, Seat.W, Random(4)))
    assert found(position) == found(position.after(bid=PASS).after(bid=PASS))


def test_what_one_side_gains_the_other_loses() -> None:
    deal = random_deal(AMERICAN, Seat.W, Random(5))
    turned = Deal(AMERICAN, Seat.N, deal.upcard, (deal.hands[3], deal.hands[0], deal.hands[1], deal.hands[2]))
    ours, theirs = found(Position(deal), 200), found(Position(turned), 200)
    assert ours.expected == -theirs.expected
    assert ours.deal == pytest.approx(-theirs.deal, abs=0.4)
    assert ours.upcard == pytest.approx(-theirs.upcard, abs=0.4)


def test_both_bowers_and_the_ace_are_luck() -> None:
    strong = read_code("american.N.9H.JHJDAHKHQH-9CTCJCQCKC-9DTDQDKDAD-9STSJSQSKS")
    assert found(strong).deal + found(strong).upcard > 2


def test_a_hand_that_sat_out_may_be_unknown_and_others_may_not() -> None:
    position = read_code("american.N.9H.JHJDAHKHQH-9CTCJCQCKC-9DTDQDKDAD-9STSJSQSKS.pppoa.9H")
    assert luck(position.without_hands("S")) is not None
    assert luck(position.without_hands("E")) is None
    lost = replace(position, deal=replace(position.deal, dealer=None))
    assert card_luck(lost, equity_for(AMERICAN), 0.5, {}, 4, 1) is None


def test_what_a_dealer_who_sat_out_discarded_was_in_that_hand() -> None:
    position = read_code("american.N.9H.9CJDAHKHQH-TCJCQCKCAC-9DTDQDKDAD-9STSJSQSKS.poa.9C").without_hands("N")
    assert position.deal.hands[Seat.N] is None
    known = _known_hands(position)
    assert known is not None and known[Seat.N] == CardSet.of([read_card("9C")])
    assert luck(position, 4) is not None


def test_a_deal_with_a_card_in_two_hands_has_no_luck_that_could_be_told() -> None:
    deal = random_deal(AMERICAN, Seat.W, Random(6))
    north = deal.hands[Seat.N]
    assert north is not None
    twice = hands_of({Seat.N: north, Seat.E: north, Seat.S: deal.hands[2] or CardSet(), Seat.W: north})
    assert luck(Position(replace(deal, hands=twice))) is None


@pytest.mark.parametrize("rules", [*PRESETS.values(), Rules(deck=32), Rules(deck=33)], ids=str)
def test_every_deck_and_preset_has_luck(rules: Rules) -> None:
    each = found(Position(random_deal(rules, rules.seating.seats[0], Random(7))), 4)
    assert 0 <= each.dealt <= 1


def test_equal_seeds_give_equal_luck() -> None:
    position = Position(random_deal(AMERICAN, Seat.W, Random(8)))
    assert found(position, 8, 5) == found(position, 8, 5) != found(position, 8, 6)


def test_a_benny_turned_up_or_in_the_kitty_is_a_card_like_others() -> None:
    british = PRESETS["british"]
    deal = random_deal(british, Seat.W, Random(9))
    cards = [card for card in british.cards if not card.is_benny]
    hands = hands_of({seat: CardSet.of(cards[5 * seat : 5 * seat + 5]) for seat in Seat})
    turned = replace(deal, hands=hands, upcard=BENNY)
    kept = replace(deal, hands=hands, upcard=cards[20])
    assert kept.kitty is not None and BENNY in kept.kitty
    assert found(Position(turned), 8).deal != found(Position(kept), 8).upcard
