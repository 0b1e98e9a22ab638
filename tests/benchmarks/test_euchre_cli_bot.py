"""The adapter of euchre-cli's computer player, against its own game."""

from __future__ import annotations

import random
from dataclasses import replace
from random import Random

import pytest
from euchre.abstract import Computer, Team, computer
from euchre.command import play as own_game
from euchre.util import hand_winner, rotate_trick_order

from benchmarks.euchre_cli_bot import CARDS, SUITS, EuchreCli
from solver import PRESETS, Bid, CardSet, Deal, InvalidInput, Knowledge, Position, Rules, Seat
from solver.analysis.trace import played
from solver.game.auction import ORDER, PASS
from solver.game.deal import hands_of, random_deal
from solver.match import play_out
from solver.notation.codes import read_card, read_cards
from solver.player import RandomPlayer

RULES = Rules()


def dealt(seed: int) -> Position:
    return Position(random_deal(RULES, Seat(seed % 4), Random(seed)))


def by_one(bot: object) -> dict[object, object]:
    return dict.fromkeys(RULES.seating.sides, bot)


def in_its_own_game(deal: Deal, bot: EuchreCli) -> tuple[list[object], dict[str, int]]:
    """The cards in the order played, and the points of both sides, as the package's own game has them."""
    teams = {str(side): Team(str(side)) for side in RULES.seating.sides}
    players = []
    for seat in RULES.seating.from_seat(RULES.seating.left_of(deal.dealer)):
        player = Computer(str(seat), teams[str(RULES.seating.side(seat))])
        player.hand = [CARDS[card] for card in bot.dealt(deal.hands[seat])]
        player.is_dealer = seat == deal.dealer
        players.append(player)
    trump = own_game.set_trump_suit(players, [CARDS[deal.upcard]])
    cards: list[object] = []
    if trump is not None:
        for number in range(1, 6):
            table = own_game.trick(1, number, players, trump)
            own_game.trick_winner(players, table, trump)
            rotate_trick_order(players)
            cards += table
        hand_winner(list(teams.values()))
    return cards, {name: team.game_score for name, team in teams.items()}


@pytest.mark.parametrize("accident", [True, False])
def test_it_does_what_it_does_in_its_own_game(monkeypatch: pytest.MonkeyPatch, accident: bool) -> None:
    monkeypatch.setattr(own_game, "output", lambda *_: None)
    for seed in range(25):
        # What its player does by chance is one choice for all here: chances are not in the same order in both games.
        monkeypatch.setattr(computer, "choices", lambda *_, weights, seed=seed: [accident and seed % 3 == 0])
        bot = EuchreCli(RULES, seed)
        position = dealt(seed)
        end = play_out(position, by_one(bot))
        result = played(end)
        points = result.points if result is not None else dict.fromkeys(RULES.seating.sides, 0)
        cards, scores = in_its_own_game(position.deal, bot)
        assert [CARDS[card] for card in end.plays] == cards
        assert {str(side): points[side] for side in points} == scores


def test_it_plays_legally_against_all_kinds_of_contracts() -> None:
    for seed in range(25):
        one, other = RULES.seating.sides
        end = play_out(dealt(seed), {one: EuchreCli(RULES, seed), other: RandomPlayer(RULES, seed)})
        assert end.problems() == []


def test_it_orders_at_random_once_in_eleven() -> None:
    hand = read_cards("9C TC 9D TD QC")
    deal = Deal(RULES, Seat.N, read_card("JH"), hands_of({Seat.E: CardSet.of(hand)}))
    knowledge = Knowledge.of(Position(deal), Seat.E)
    orders = sum(EuchreCli(RULES, seed).act(knowledge) == ORDER for seed in range(220))
    assert 7 < orders < 37  # 20 are expected, with a standard deviation of 4.3


def test_it_is_the_same_whatever_was_drawn_before_and_puts_the_generator_back() -> None:
    position, bot = dealt(3), EuchreCli(RULES, 3)
    random.seed(1)
    first, before = play_out(position, by_one(bot)), random.getstate()
    random.seed(2)
    assert play_out(position, by_one(bot)) == first
    random.seed(1)
    assert random.getstate() == before


def test_with_five_cards_of_the_suit_turned_down_it_passes_where_its_game_ends() -> None:
    hand = CardSet.of(read_cards("9H TH QH KH AH"))
    deal = Deal(RULES, Seat.N, read_card("JH"), hands_of({Seat.E: hand}))
    bot, knowledge = EuchreCli(RULES, 0), Knowledge.of(Position(deal, (PASS,) * 4), Seat.E)
    player = Computer("E", Team("EW"))
    player.hand = [CARDS[card] for card in hand]
    with pytest.raises(IndexError):
        player.call_trump_suit(SUITS[deal.upcard.suit])
    assert bot.act(knowledge) == PASS


def test_of_two_suits_with_equally_many_trumps_it_names_the_first() -> None:
    hand = CardSet.of(read_cards("JC JS AC AS 9D"))
    deal = Deal(RULES, Seat.N, read_card("9H"), hands_of({Seat.E: hand}))
    named = EuchreCli(RULES, 0).act(Knowledge.of(Position(deal, (PASS,) * 4), Seat.E))
    assert isinstance(named, Bid)
    assert str(named) == "C"


def test_rules_that_its_game_does_not_know_are_refused() -> None:
    EuchreCli(replace(RULES, going_alone="never"), 0)
    for name in ("cardporch", "spanish", "british", "two_handed"):
        with pytest.raises(InvalidInput, match="euchre-cli plays american"):
            EuchreCli(PRESETS[name], 0)
