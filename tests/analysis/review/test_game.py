"""Whole reviews: of every real game, of games made up to the point, and the laws that all of them keep."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from solver.analysis.equity import equity_for
from solver.analysis.grades import CLEAR
from solver.analysis.review.decisions import taken
from solver.analysis.review.depths import DEPTHS, Depth
from solver.analysis.review.game import review
from solver.analysis.review.values import Review, ReviewedDecision
from solver.analysis.trace import trace
from solver.errors import InvalidInput
from solver.game.auction import Bid, Contract
from solver.game.cards import Card, CardSet, Suit
from solver.game.deal import Deal, hands_of, random_deal
from solver.game.position import Decision, Position
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import PRESETS, Rules
from solver.game.seats import Seat, Side
from solver.logs import read
from solver.notation.deal_code import read_code
from solver.notation.review_answer import ReviewAnswer
from tests.strategies import random_position

EGN = Path(__file__).parent.parent.parent / "data" / "egn"
GAMES = sorted(path.name for path in EGN.glob("*.egn"))
#: As quick as can be: what is tested does not rest on many worlds.
QUICK = Depth("quick", "double-dummy", 24, "pimc", 8, 2, 2)
AMERICAN = PRESETS["american"]


def game(name: str) -> GameRecord:
    (record,) = read(EGN / name)
    return record


@cache
def reviewed(name: str) -> Review:
    return review(game(name), settings=QUICK, seed=1)


def record_of(*positions: Position, **options: object) -> GameRecord:
    deals = tuple(DealRecord(number, each) for number, each in enumerate(positions, start=1))
    return replace(GameRecord(positions[0].rules, deals), **options)  # type: ignore[arg-type]


def random_game(rules: Rules, seed: int, deals: int = 1) -> GameRecord:
    random = Random(seed)
    return record_of(*(random_position(rules, random) for _ in range(deals)))


def all_decisions(found: Review) -> list[ReviewedDecision]:
    return [each for deal in found.deals for each in deal.decisions]


# ---- real games -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_decision_of_a_real_game_is_reviewed_or_named_with_the_reason(name: str) -> None:
    record, found = game(name), reviewed(name)
    for deal, of_deal in zip(record.deals, found.deals, strict=True):
        numbers = sorted(each.number for each in (*of_deal.decisions, *of_deal.unreviewed))
        assert numbers == [each.number for each in taken(deal)]
        assert all(each.faults for each in of_deal.unreviewed)
        clean = not deal.faults and None not in deal.position.deal.hands and not deal.position.discard_unknown
        assert not (clean and of_deal.unreviewed)
        assert of_deal.faults[: len(deal.faults)] == deal.faults


@pytest.mark.parametrize("name", GAMES)
def test_what_is_said_of_a_decision_holds_together(name: str) -> None:
    for each in all_decisions(reviewed(name)):
        assert each.error.mean >= 0 and each.game_error.mean >= 0
        assert each.hindsight is None or each.hindsight.points >= 0
        assert each.forced is (each.options == ())
        if each.forced or each.action == each.best:
            assert (each.error.mean, each.game_error.mean, each.grade) == (0, 0, "none")
        if each.grade != "none":
            assert each.game_error.mean > CLEAR * each.game_error.stderr and each.action != each.best
        if each.reason is not None:
            assert each.grade != "none"
        if each.options:
            assert [option.action for option in each.options if option.best] == [each.best]
            assert each.action in [option.action for option in each.options]


@pytest.mark.parametrize("name", GAMES)
def test_hindsight_on_plays_is_that_of_a_trace(name: str) -> None:
    found = reviewed(name)
    for deal in found.deals:
        plays = [each for each in deal.decisions if each.decision == Decision.PLAY]
        if deal.position.problems() or not plays:
            continue
        lost = {(each.trick, each.seat): each for each in trace(deal.position).cards}
        for each in plays:
            assert each.trick is not None and each.hindsight is not None
            traced = lost[each.trick, each.seat]
            assert (each.hindsight.points, each.hindsight.tricks) == (traced.lost_points, traced.lost_tricks)


def test_a_revoke_ends_the_review_of_its_play_and_is_named() -> None:
    first, second = reviewed("game14.egn").deals
    revoke, *later = [each for each in second.unreviewed if each.decision == Decision.PLAY]
    assert [fault.code for fault in revoke.faults] == ["play.illegal"]
    assert "diamonds were led" in revoke.faults[0].message
    assert {fault.code for each in later for fault in each.faults} == {"review.after_fault"}
    assert len([each for each in second.decisions if each.decision == Decision.PLAY]) == 2
    # W played the card that N had taken: W's own hand cannot be as it is told.
    assert next((each.seat, each.faults[0].code) for each in first.unreviewed) == (Seat.W, "card.duplicate")
    assert first.balance is None and second.balance is not None


def test_a_deal_without_hands_says_so_and_the_game_goes_on() -> None:
    first, second = reviewed("game27.egn").deals
    assert not first.decisions
    assert {fault.code for each in first.unreviewed for fault in each.faults} == {"hand.missing"}
    assert [fault.code for fault in first.faults] == ["review.result"]
    assert first.game_after is None and first.points is None
    assert second.score == {Side.NS: 0, Side.EW: 0} and second.decisions


def test_a_hand_that_sat_out_and_a_lost_discard_are_named() -> None:
    deal = reviewed("game04.egn").deals[9]
    assert [(each.seat, each.decision, each.faults[0].code) for each in deal.unreviewed] == [
        (Seat.E, Decision.BID, "hand.missing"),
        (Seat.W, Decision.BID, "discard.missing"),
    ]
    assert deal.balance is not None
    assert deal.balance[Side.NS].points.hidden is None
    # What is not known of one deal is not known of all.
    assert all(side.balance.points.hidden is None for side in reviewed("game04.egn").sides)


@pytest.mark.parametrize("name", GAMES)
def test_scores_add_up_and_the_curve_begins_and_ends_with_them(name: str) -> None:
    record, found = game(name), reviewed(name)
    score = {side: record.initial_score[side] for side in Side if side in record.initial_score}
    for deal in found.deals:
        assert deal.score == score
        if deal.points is not None:
            score = {side: points + int(deal.points[side]) for side, points in score.items()}
        moments = [moment for moment in found.curve if moment.deal == deal.number]
        assert moments[0].after == "start" and moments[0].game == deal.game_before
        assert (moments[-1].after, moments[-1].game) == ("result", deal.game_after) or deal.game_after is None
        # The last trick plays itself.
        before_last = [moment.game for moment in moments if moment.after == "trick 4"]
        assert deal.game_after is None or all(each == pytest.approx(deal.game_after) for each in before_last)
        assert all(sum(moment.game.values()) == pytest.approx(1) for moment in moments)


def test_a_won_game_ends_the_curve_at_one() -> None:
    last = reviewed("game04.egn").deals[-1]
    assert last.game_after == {Side.NS: 1.0, Side.EW: 0.0}


@pytest.mark.parametrize("name", GAMES)
def test_balances_are_opposite_and_add_up(name: str) -> None:
    found = reviewed(name)
    for deal in found.deals:
        if deal.balance is None:
            continue
        ours, theirs = deal.balance[Side.NS], deal.balance[Side.EW]
        for one, other in ((ours.points, theirs.points), (ours.game, theirs.game)):
            assert one.result == -other.result and one.deal == -other.deal and one.upcard == -other.upcard
            assert one.adjusted == pytest.approx(one.result - one.deal - one.upcard)
        assert deal.points is not None and deal.game_before is not None and deal.game_after is not None
        assert ours.points.result == deal.points[Side.NS] - deal.points[Side.EW]
        assert ours.game.result == pytest.approx(deal.game_after[Side.NS] - deal.game_before[Side.NS])
        if ours.game.hidden is not None:
            lost, game_lost = dict.fromkeys(Side, 0.0), dict.fromkeys(Side, 0.0)
            for each in deal.decisions:
                lost[AMERICAN.seating.side(each.seat)] += each.held_out
                game_lost[AMERICAN.seating.side(each.seat)] += each.game_held_out
            explained = ours.game.deal + ours.game.upcard + ours.game.hidden + game_lost[Side.EW] - game_lost[Side.NS]
            assert explained == pytest.approx(ours.game.result)
            # Points have a mean of their own, by who deals.
            assert deal.position.deal.dealer is not None and ours.points.hidden is not None
            dealers = sum(net * share for net, share in equity_for(found.rules).shares.items())
            expected = dealers if AMERICAN.seating.side(deal.position.deal.dealer) == Side.NS else -dealers
            explained = ours.points.deal + ours.points.upcard + ours.points.hidden + lost[Side.EW] - lost[Side.NS]
            assert expected + explained == pytest.approx(ours.points.result)
    ours, theirs = (side.balance.points for side in found.sides)
    assert ours.adjusted == pytest.approx(-theirs.adjusted)


@pytest.mark.parametrize("name", GAMES)
def test_accounts_are_sums_over_the_decisions(name: str) -> None:
    found = reviewed(name)
    for player in found.players:
        mine = [each for each in all_decisions(found) if each.seat == player.seat]
        total, kinds = player.account.total, (player.account.bidding, player.account.discard, player.account.play)
        assert total.decisions == len(mine) == sum(kind.decisions for kind in kinds)
        assert total.unforced == sum(not each.forced for each in mine)
        assert total.error == pytest.approx(sum(kind.error for kind in kinds))
        assert sum(total.grades.values()) == sum(each.grade != "none" for each in mine)
        errors = [each.game_error.mean for each in player.account.worst]
        assert errors == sorted((each.game_error.mean for each in mine if each.grade != "none"), reverse=True)[:3]
    for side in found.sides:
        pair = [player.account.total for player in found.players if player.seat.name in side.side]
        assert side.account.total.error == pytest.approx(sum(each.error for each in pair))
        assert side.account.total.unforced == sum(each.unforced for each in pair)


def test_players_have_the_names_of_the_record() -> None:
    assert [player.name for player in reviewed("game05.egn").players] == [
        "Player 1",
        "Player 2",
        "Player 3",
        "Player 4",
    ]


@pytest.mark.parametrize("name", GAMES)
def test_a_review_can_be_written_as_json(name: str) -> None:
    document = json.loads(json.dumps(ReviewAnswer().dump(reviewed(name)), allow_nan=False))
    assert [*document] == ["title", "deals", "players", "sides", "curve", "faults", "settings"]
    for deal, written in zip(reviewed(name).deals, document["deals"], strict=True):
        assert len(written["decisions"]) == len(deal.decisions)
        for each, of_each in zip(deal.decisions, written["decisions"], strict=True):
            assert of_each.get("bid", of_each.get("card")) == str(each.action)
            assert ("trick" in of_each) is (each.decision == Decision.PLAY)


# ---- laws -----------------------------------------------------------------------------------------


def test_equal_seeds_give_equal_reviews_with_any_number_of_threads() -> None:
    record = random_game(AMERICAN, 3, 2)
    one = review(record, settings=QUICK, seed=5)
    assert one == review(record, settings=QUICK, seed=5, threads=2) == review(record, settings=QUICK, seed=5, threads=3)
    assert one != review(record, settings=QUICK, seed=6)


def test_each_deal_is_reviewed_alike_whatever_comes_after_it() -> None:
    record = random_game(AMERICAN, 4, 2)
    alone = replace(record, deals=record.deals[:1])
    assert review(record, settings=QUICK).deals[0] == review(alone, settings=QUICK).deals[0]


def turned(position: Position) -> Position:
    """The same deal one seat to the left, with the suits of each colour exchanged."""

    def card(each: Card) -> Card:
        assert each.rank is not None and each.suit is not None
        return Card.of(each.rank, each.suit.same_colour)

    def bid(each: Bid) -> Bid:
        return each if each.suit is None else Bid(each.call, each.suit.same_colour, each.alone)

    rules, deal = position.rules, position.deal
    assert deal.dealer is not None and deal.upcard is not None
    left = rules.seating.left_of
    hands = hands_of(
        {left(seat): CardSet.of(card(each) for each in deal.hands[seat] or ()) for seat in rules.seating.seats}
    )
    return Position(
        Deal(rules, left(deal.dealer), card(deal.upcard), hands),
        tuple(bid(each) for each in position.bids),
        None,
        None if position.discard is None else card(position.discard),
        tuple(card(each) for each in position.plays),
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_turning_the_table_and_exchanging_suits_changes_no_hindsight_and_no_exact_error(seed: int) -> None:
    record = random_game(AMERICAN, seed)
    position = record.deals[0].position
    depth = replace(QUICK, card_worlds=800, card_draw=16)
    plain, other = (all_decisions(review(each, settings=depth)) for each in (record, record_of(turned(position))))
    compared = 0
    for one, two in zip(plain, other, strict=True):
        assert one.hindsight == two.hindsight
        assert one.forced == two.forced
        assert two.seat == AMERICAN.seating.left_of(one.seat)
        spreads = [option.points.stderr for option in (*one.options, *two.options)]
        if one.decision == Decision.PLAY and not one.forced and not any(spreads):  # all worlds that fit were looked at
            compared += 1
            assert two.game_error.mean == pytest.approx(one.game_error.mean)
            assert two.grade == one.grade
    assert compared


@pytest.mark.parametrize("rules", [*PRESETS.values(), Rules(deck=28), Rules(deck=33)], ids=str)
def test_every_preset_and_deck_is_reviewed(rules: Rules) -> None:
    found = review(random_game(rules, 8), settings=QUICK)
    (deal,) = found.deals
    assert deal.unreviewed == () and deal.decisions
    assert deal.balance is not None
    assert set(deal.balance) == set(rules.seating.sides)


def test_a_dealer_who_names_trump_before_looking_is_not_judged_by_the_hand() -> None:
    position = read_code("british.N.JO.9CTCJCQCKC-9DTDJDQDAD-9STSJSQSKS-9HTHJHQHKH.h.9C")
    bid, discard = review(record_of(position), settings=QUICK).deals[0].decisions
    assert bid.forced and bid.grade == "none"
    assert not discard.forced


def test_a_deal_thrown_in_scores_nothing_and_passes_the_deal() -> None:
    deal = random_deal(AMERICAN, Seat.N, Random(1))
    passed = read_code("american.N.9H")
    position = Position(deal, (*passed.bids, *read_code("american.N.9H..pppppppp").bids))
    (found,) = review(record_of(position), settings=QUICK).deals
    assert found.points == {Side.NS: 0, Side.EW: 0}
    assert found.game_after is not None
    assert found.game_after[Side.NS] == pytest.approx(equity_for(AMERICAN).chance(0, 0, we_deal=False))
    assert len(found.decisions) == 8 and found.balance is not None


def test_a_deal_after_the_game_was_won_is_the_first_of_a_new_one() -> None:
    record = replace(random_game(AMERICAN, 2, 2), initial_score={Side.NS: 9, Side.EW: 9})
    first, second = review(record, settings=QUICK).deals
    assert first.points is not None and first.game_after is not None
    assert max(first.game_after.values()) == 1
    assert second.score == {Side.NS: 0, Side.EW: 0}
    assert [fault.code for fault in second.faults] == ["review.won"]


def test_without_a_dealer_nothing_is_reviewed_and_that_is_said() -> None:
    position = random_position(AMERICAN, Random(2))
    assert position.contract is not None
    given = Contract(Suit.HEARTS, Seat.E, alone=False, leader=Seat.N)
    deal = replace(position.deal, dealer=None, upcard=None)
    (found,) = review(record_of(Position(deal, (), given)), settings=QUICK).deals
    assert found.decisions == () and found.game_before is None and found.balance is None
    played = Position(deal, (), given, None, (next(iter(deal.hands[0] or ())),))
    (found,) = review(record_of(played), settings=QUICK).deals
    assert [fault.path for each in found.unreviewed for fault in each.faults] == [("dealer",)]


def test_play_without_an_auction_is_reviewed_where_the_dealer_is_known() -> None:
    position = read_code("american.W..9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS.HNN..9C9DAD9S")
    assert position.problems() == []
    (found,) = review(record_of(position), settings=QUICK).deals
    assert found.unreviewed == () and [each.trick for each in found.decisions] == [1, 1, 1, 1]
    assert found.balance is None and found.points is None


def test_an_illegal_bid_is_not_judged() -> None:
    deal = random_deal(AMERICAN, Seat.N, Random(1))
    assert deal.upcard is not None and deal.upcard.suit is not None
    position = Position(deal, read_code("american.N.9H..ppppp").bids)
    named = position.after(bid=Bid(read_code("american.N.9H..pppppc").bids[-1].call, deal.upcard.suit))
    (found,) = review(record_of(named), settings=QUICK).deals
    assert [fault.code for fault in found.unreviewed[0].faults] == ["bid.illegal"]
    assert len(found.decisions) == 5


def test_progress_is_told_of_every_piece_of_work() -> None:
    record, told = random_game(AMERICAN, 3), list[tuple[int, int]]()
    found = review(record, settings=QUICK, progress=lambda done, of: told.append((done, of)))
    size = len(found.deals[0].decisions) + 1
    assert told == [(done, size) for done in range(1, size + 1)]


def test_a_stopped_progress_stops_the_review() -> None:
    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        review(random_game(AMERICAN, 3), settings=QUICK, progress=stop)


def test_depths_are_named_and_others_refused() -> None:
    assert [*DEPTHS] == ["fast", "default", "deep"]
    record = random_game(AMERICAN, 5)
    assert review(record, settings="fast").settings.depth == "fast"
    with pytest.raises(InvalidInput, match="there is no depth 'quick'; known are fast, default, deep"):
        review(record, settings="quick")
    with pytest.raises(InvalidInput, match="threads is 0"):
        review(record, threads=0)


def test_a_game_without_deals_has_a_review_without_decisions() -> None:
    found = review(GameRecord(AMERICAN, ()), settings=QUICK)
    assert found.deals == () and [player.account.total.decisions for player in found.players] == [0] * 4
    assert found.players[0].account.total.error_per_decision is None
