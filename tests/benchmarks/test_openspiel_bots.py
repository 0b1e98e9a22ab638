"""The adapter of OpenSpiel's tree search, against OpenSpiel's own rules."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import SimpleNamespace

import pyspiel
import pytest

from benchmarks.openspiel_bots import ISMCTS, history
from solver import PRESETS, InvalidInput, Knowledge, Position, Rules, Seat
from solver.bidding.policy import policy_for
from solver.game.deal import random_deal
from solver.logs.openspiel import RULES, points_of
from solver.match import play_out

#: OpenSpiel's number of a pass.
PASS = 24


class Drawing:
    """Stands in for OpenSpiel's bot, whose moves differ from run to run: passes so often, then takes what it draws."""

    def __init__(self, seed: int, passes: int) -> None:
        self.random = Random(seed)
        self.passes = passes

    def get_policy(self, state: pyspiel.State) -> list[tuple[int, float]]:
        legal = state.legal_actions()
        if self.passes and PASS in legal:
            self.passes -= 1
            return [(PASS, 1.0)]
        return [(self.random.choice(legal), 1.0)]


class Quick(ISMCTS):
    simulations = 20


class QuickInTwoWorlds(Quick):
    worlds = 2


def played_out(bot: ISMCTS, rules: Rules, seed: int) -> Position:
    random = Random(seed)
    position = Position(random_deal(rules, random.choice(rules.seating.seats), random))
    return play_out(position, dict.fromkeys(rules.seating.sides, bot))


def assert_openspiel_agrees(end: Position, game: pyspiel.Game) -> None:
    assert end.problems() == []
    state = game.new_initial_state()
    for action in history(end):
        assert action in state.legal_actions()
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == points_of(end)


@pytest.mark.parametrize("kind", [Quick, QuickInTwoWorlds])
def test_whole_deals_are_legal_and_openspiel_gives_them_the_same_points(kind: type[ISMCTS]) -> None:
    for seed in range(3):
        bot = kind(RULES, seed)
        assert_openspiel_agrees(played_out(bot, RULES, seed), bot.game)


def test_every_way_through_the_auction_is_legal_and_a_dealer_who_orders_stands_by_its_discard() -> None:
    ways = set()
    for seed in range(48):
        rules = replace(RULES, stick_the_dealer=seed % 16 < 8)
        bot = ISMCTS(rules, seed)
        bot.bot = Drawing(seed, passes=seed % 8)
        end = played_out(bot, rules, seed)
        assert_openspiel_agrees(end, bot.game)
        if end.contract is None:
            continue
        deals = end.contract.maker == end.deal.dealer
        ways.add((end.auction.takes_upcard, deals, end.contract.alone))
        assert (end.discard in bot.discards.values()) == (deals and end.auction.takes_upcard)
    assert len(ways) == 8


def test_the_visits_of_all_worlds_are_added() -> None:
    bot = QuickInTwoWorlds(RULES, 0)
    answers = iter([[(PASS, 0.6), (25, 0.4)], [(PASS, 0.3), (25, 0.7)]])
    bot.bot = SimpleNamespace(get_policy=lambda _: next(answers))
    position = Position(random_deal(RULES, Seat.N, Random(1)))
    assert bot._choice(Knowledge.of(position, Seat.E)) == 25


def test_other_rules_are_refused() -> None:
    for name in ("american", "cardporch", "canadian"):
        with pytest.raises(InvalidInput, match="OpenSpiel plays"):
            ISMCTS(PRESETS[name], 0)


def test_openspiels_rules_are_bid_by_the_table_of_cardporch() -> None:
    assert policy_for(RULES) == policy_for(PRESETS["cardporch"])


def test_openspiel_deals_hands_anew_but_keeps_the_kitty() -> None:
    """What the docstring says of it, and why there is a bot that is handed several worlds."""
    random = Random(1)
    state = pyspiel.load_game("euchre").new_initial_state()
    while state.is_chance_node():
        state.apply_action(random.choice(state.legal_actions()))
    dealt = state.history()[1:21]
    others = [state.resample_from_infostate(state.current_player(), random.random).history()[1:21] for _ in range(20)]
    assert any(other != dealt for other in others)
    assert all(set(other) == set(dealt) for other in others)
