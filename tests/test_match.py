"""Players and duplicate matches."""

from __future__ import annotations

from random import Random

import pytest
from click.testing import CliRunner

from solver.cli import main
from solver.errors import InvalidInput
from solver.game.position import Decision, Position
from solver.game.rules import PRESETS, Rules
from solver.knowledge.seen import Knowledge
from solver.match import Match, deal_of, make_player, play_match
from solver.player import Player, RandomPlayer, legal_actions
from tests.strategies import ALL_RULES, random_position


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
    match = play_match(PRESETS["american"], "pimc:20", "random", 40, seed=1)
    assert match.interval[0] > 0


def test_a_match_is_the_same_with_any_number_of_workers() -> None:
    rules = PRESETS["american"]
    assert play_match(rules, "pimc:5", "random", 6, 3, workers=2) == play_match(rules, "pimc:5", "random", 6, 3)


def test_every_deal_of_a_match_has_a_contract() -> None:
    for name, rules in PRESETS.items():
        for number in range(20):
            position = deal_of(rules, 1, number)
            assert isinstance(position, Position)
            assert position.decision == Decision.PLAY, name
            assert position.problems() == []


def test_the_interval_is_that_of_independent_deals() -> None:
    match = Match((1.0, -1.0, 1.0, -1.0))
    assert match.mean == 0
    assert match.stderr == pytest.approx((4 / 3 / 4) ** 0.5)
    assert match.interval == pytest.approx((-1.96 * match.stderr, 1.96 * match.stderr))


@pytest.mark.parametrize("name", ["", "deep", "pimc:", "pimc:x", "no.module:Class", "solver.player:Nobody", "random:5"])
def test_a_player_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="there is no player"):
        make_player(name, PRESETS["american"], 0)


def test_the_command_reports_points_a_deal_with_their_interval() -> None:
    result = CliRunner().invoke(main, ["match", "pimc:10", "random", "--deals", "5", "--seed", "3"])
    assert result.exit_code == 0, result.output
    assert "pimc:10 against random" in result.stdout
    assert "5 deals" in result.stdout
    assert "95%" in result.stdout


def test_the_command_refuses_players_and_rules_that_there_are_not() -> None:
    assert CliRunner().invoke(main, ["match", "pimc", "nobody"]).exit_code == 2
    assert CliRunner().invoke(main, ["match", "pimc", "random", "--rules", "nonsense"]).exit_code == 2
