"""Players and duplicate matches."""

from __future__ import annotations

import math
import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from solver.analysis.analyze import analyze
from solver.cli import main
from solver.errors import InvalidInput
from solver.game.auction import ORDER, PASS, Bid, Call
from solver.game.cards import Card, Suit
from solver.game.order import card_order
from solver.game.position import Decision, Position
from solver.game.rules import PRESETS, Rules
from solver.game.seats import Seat
from solver.knowledge.seen import Knowledge
from solver.match import Bidding, Match, deal_of, make_player, play_match, play_out
from solver.player import Player, RandomPlayer, decision_seed, legal_actions
from tests.strategies import ALL_RULES, decisions, random_position


@pytest.mark.parametrize("rules", ALL_RULES[::3])
@pytest.mark.parametrize("name", ["random", "pimc:8", "rollout:3"])
def test_a_player_plays_whole_deals_legally_at_every_seat(rules: Rules, name: str) -> None:
    player = make_player(name, rules, 1)
    position = random_position(rules, Random(4), 0)
    while position.decision != Decision.OVER:
        seat = position.to_act
        assert seat is not None
        knowledge = Knowledge.of(position, seat)
        action = player.act(knowledge)
        assert action in legal_actions(knowledge)
        match position.decision:
            case Decision.BID:
                position = position.after(bid=action)
            case Decision.DISCARD:
                position = position.after(discard=action)
            case Decision.PLAY:
                position = position.after(card=action)
    assert position.problems() == []


def test_a_player_depends_on_its_seed_and_what_it_sees_alone() -> None:
    rules = PRESETS["american"]
    position = next(
        p for seed in range(99) if (p := random_position(rules, Random(seed), 14)).decision == Decision.PLAY
    )
    seat = position.to_act
    assert seat is not None
    bare = position.without_hands(each.name for each in rules.seating.seats if each != seat)
    first, second = Player(rules, seed=5, worlds=20), Player(rules, seed=5, worlds=20)
    first.act(Knowledge.of(position, seat))
    assert first.act(Knowledge.of(position, seat)) == second.act(Knowledge.of(bare, seat))


def test_of_cards_that_are_equally_good_a_player_keeps_the_trump() -> None:
    rules, kept = PRESETS["american"], 0
    for seed in range(250):
        position = random_position(rules, Random(seed), 20)
        seat, contract = position.to_act, position.contract
        if position.decision != Decision.PLAY or seat is None or contract is None:
            continue
        knowledge = Knowledge.of(position, seat)
        seen = analyze(position, viewpoint=seat, worlds=20, seed=decision_seed(1, knowledge))
        best = [option.card for option in seen.options if option.best and option.card is not None]
        order = card_order(rules, contract.trump)
        if {order.suit(card) == contract.trump for card in best} == {True, False}:
            played = Player(rules, seed=1, worlds=20).act(knowledge)
            assert isinstance(played, Card) and order.suit(played) != contract.trump
            # A trump that comes first as the deck is ordered would be no proof.
            kept += order.suit(best[0]) == contract.trump
    assert kept


def test_every_decision_has_luck_of_its_own() -> None:
    end = random_position(PRESETS["american"], Random(6))
    places = [each for each in decisions(end) if each.to_act is not None]
    assert len(places) > 20
    known = [Knowledge.of(each, each.to_act) for each in places if each.to_act is not None]
    seeds = {decision_seed(seed, each) for seed in range(3) for each in known}
    assert len(seeds) == 3 * len(places)
    position = Position(end.deal)
    assert len({decision_seed(0, Knowledge.of(position, seat)) for seat in Seat}) == 4


def test_a_player_for_other_rules_is_refused() -> None:
    position = random_position(PRESETS["american"], Random(1), 0)
    seat = position.to_act
    assert seat is not None
    with pytest.raises(InvalidInput, match="other rules"):
        Player(PRESETS["spanish"]).act(Knowledge.of(position, seat))


def test_only_the_seat_to_act_acts() -> None:
    position = random_position(PRESETS["american"], Random(1), 0)
    other = next(seat for seat in PRESETS["american"].seating.seats if seat != position.to_act)
    with pytest.raises(InvalidInput, match="is to act"):
        RandomPlayer(PRESETS["american"]).act(Knowledge.of(position, other))


def test_equal_arguments_give_equal_matches() -> None:
    rules = PRESETS["american"]
    assert play_match(rules, "pimc:5", "pimc:6", 4, seed=2) == play_match(rules, "pimc:5", "pimc:6", 4, seed=2)


def test_sampling_beats_playing_at_random() -> None:
    match = play_match(PRESETS["american"], "pimc:10", "random", 25, seed=1)
    assert match.interval[0] > 0


def test_a_match_is_the_same_with_any_number_of_workers() -> None:
    rules = PRESETS["american"]
    assert play_match(rules, "pimc:5", "random", 6, 3, workers=2) == play_match(rules, "pimc:5", "random", 6, 3)


@pytest.mark.parametrize("rules", [PRESETS["american"], PRESETS["two_handed"], PRESETS["spanish"]])
@pytest.mark.parametrize("bidding", Bidding)
def test_who_plays_against_itself_gets_exactly_nothing(rules: Rules, bidding: Bidding) -> None:
    for name in ("pimc:4", "random"):
        assert set(play_match(rules, name, name, 6, seed=4, bidding=bidding).margins) == {0.0}


@pytest.mark.parametrize("bidding", Bidding)
def test_swapped_players_have_swapped_margins(bidding: Bidding) -> None:
    rules = PRESETS["american"]
    match = play_match(rules, "pimc:4", "random", 6, seed=5, bidding=bidding)
    swapped = play_match(rules, "random", "pimc:4", 6, seed=5, bidding=bidding)
    assert any(match.margins)
    assert swapped.margins == tuple(-margin for margin in match.margins)


def test_fixed_contracts_are_the_same_for_everybody_and_exist() -> None:
    for name, rules in PRESETS.items():
        for number in range(20):
            position = deal_of(rules, 1, number, Bidding.FIXED)
            assert position.decision == Decision.PLAY, name
            assert position.problems() == []


def test_with_own_bidding_nothing_is_bid_yet() -> None:
    for rules in PRESETS.values():
        position = deal_of(rules, 1, 0)
        assert (position.bids, position.decision) == ((), Decision.BID)


class Passing:
    """A player that passes whenever it may."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.player = RandomPlayer(rules, seed)

    def act(self, knowledge: Knowledge) -> Bid | Card:
        actions = legal_actions(knowledge)
        return PASS if PASS in actions else self.player.act(knowledge)


class Revoking(Passing):
    """A player that passes, and plays any card that it holds."""

    def act(self, knowledge: Knowledge) -> Bid | Card:
        return next(iter(knowledge.held)) if knowledge.decision == Decision.PLAY else super().act(knowledge)


class Orderer(Passing):
    """A player that orders at once, and throws away a card of which it has heard."""

    def act(self, knowledge: Knowledge) -> Bid | Card:
        if knowledge.decision == Decision.DISCARD:
            return next(card for card in knowledge.rules.cards if card not in knowledge.held)
        return ORDER


def test_a_deal_that_is_thrown_in_gives_nobody_points() -> None:
    match = play_match(PRESETS["american"], f"{__name__}:Passing", f"{__name__}:Passing", 5)
    assert match.margins == (0.0,) * 5


def test_each_side_bids_for_itself() -> None:
    """Who always passes gets no contract, so that all of them are the other's."""
    rules = PRESETS["american"]
    one, other = rules.seating.sides
    for number in range(12):
        end = play_out(deal_of(rules, 3, number), {one: Passing(rules, 0), other: Player(rules, worlds=3)})
        assert end.contract is None or rules.seating.side(end.contract.maker) == other


def test_a_seat_that_orders_has_the_discard_of_the_side_that_deals() -> None:
    """The dealer throws away for its own side, also when the others order."""
    rules = PRESETS["american"]
    position = next(p for number in range(9) if (p := deal_of(rules, 3, number)).deal.dealer == Seat.N)
    asked = []

    class Asked(Passing):
        def act(self, knowledge: Knowledge) -> Bid | Card:
            asked.append((knowledge.seat, knowledge.decision))
            return super().act(knowledge)

    north_south, east_west = rules.seating.sides
    play_out(position.after(bid=ORDER), {north_south: Asked(rules, 0), east_west: Passing(rules, 0)})
    assert asked[0] == (Seat.N, Decision.DISCARD)
    assert {seat for seat, _ in asked} == {Seat.N, Seat.S}


@pytest.mark.parametrize(
    ("player", "code"), [("Orderer", "discard.illegal"), ("Revoking", "play.illegal"), ("Barking", "bid.illegal")]
)
def test_a_player_who_does_what_it_may_not_is_named(player: str, code: str) -> None:
    rules = PRESETS["cardporch"]
    with pytest.raises(InvalidInput) as caught:
        play_match(rules, f"{__name__}:{player}", f"{__name__}:{player}", 20)
    (fault,) = caught.value.faults
    assert fault.code == code
    assert fault.path == ("player",)


class Barking(Passing):
    """A player that names a suit in the round where it can only be ordered."""

    def act(self, knowledge: Knowledge) -> Bid | Card:
        return Bid(Call.NAME, Suit.CLUBS)


@pytest.mark.parametrize(
    ("deals", "errors"), [(2, 12.706), (3, 4.303), (4, 3.182), (5, 2.776), (20, 2.093), (121, 1.980), (5000, 1.960)]
)
def test_the_interval_is_that_of_independent_deals(deals: int, errors: float) -> None:
    """Student's t is in every table: two-sided, 5%."""
    match = Match(tuple((-1.0) ** at for at in range(deals)))
    spread = sum((margin - match.mean) ** 2 for margin in match.margins) / (deals - 1)
    assert match.stderr == pytest.approx((spread / deals) ** 0.5)
    low, high = match.interval
    assert (low + high) / 2 == pytest.approx(match.mean)
    assert (high - low) / 2 == pytest.approx(errors * match.stderr, rel=0.0005)


def test_nothing_is_known_of_the_mean_from_one_deal() -> None:
    assert Match((1.0,)).interval == (-math.inf, math.inf)


@pytest.mark.parametrize(
    "name",
    ["", "deep", "pimc:", "pimc:x", "pimc:0", "pimc:1000000", "random:5", "no.module:Class", "solver.player:Nobody"],
)
def test_a_player_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="there is no player"):
        make_player(name, PRESETS["american"], 0)


@pytest.mark.parametrize("name", [":Player", ".player:Player", "os:sep", "os:getcwd", "collections:ChainMap"])
def test_what_is_no_class_of_players_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="there is no player"):
        make_player(name, PRESETS["american"], 0)


def test_the_command_reports_points_a_deal_with_their_interval() -> None:
    result = CliRunner().invoke(main, ["match", "pimc:10", "random", "--deals", "5", "--seed", "3"])
    assert result.exit_code == 0, result.output
    assert "pimc:10 against random" in result.stdout
    assert "5 deals" in result.stdout
    assert "95%" in result.stdout


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[1] / "docs" / "matches.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(block.replace(", 20, ", ", 3, "), "matches.md", "exec"), {})
    assert capsys.readouterr().out.startswith("3 ")


def test_the_command_bids_as_it_is_told() -> None:
    arguments = ["match", "random", "pimc:3", "--deals", "3", "--seed", "3"]
    own, fixed = (play_match(PRESETS["american"], "random", "pimc:3", 3, 3, bidding=bidding) for bidding in Bidding)
    assert own != fixed
    for options, match in (([], own), (["--bidding", "own"], own), (["--bidding", "fixed"], fixed)):
        assert f"{match.mean:+.4f} points a deal" in CliRunner().invoke(main, [*arguments, *options]).stdout
    assert CliRunner().invoke(main, [*arguments, "--bidding", "none"]).exit_code == 2


def test_a_long_match_tells_how_it_stands_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.cli.LINE_EVERY", 2)
    result = CliRunner().invoke(main, ["match", "random", "random", "--deals", "6"])
    assert result.stderr.splitlines() == [
        f"{done} of 6 deals: +0.0000 points a deal, 95% from +0.0000 to +0.0000" for done in (2, 4)
    ]
    assert len(result.stdout.splitlines()) == 2


def test_the_command_refuses_players_and_rules_that_there_are_not() -> None:
    assert CliRunner().invoke(main, ["match", "pimc", "nobody"]).exit_code == 2
    for options in (
        ["--rules", "nonsense"],
        ["--rules", "american.N.9H"],
        ["--option", "deck=7"],
        ["--option", "deck"],
    ):
        result = CliRunner().invoke(main, ["match", "pimc", "random", *options])
        assert result.exit_code == 2
        assert "deal code" not in result.stderr
