"""What a dealer throws away, against every card solved in every world."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.analysis import rate_discards
from solver.analysis.rate_discards import best_discards, discarding_bids
from solver.bidding.deal_ends import DealEnds
from solver.bidding.policy import policy_for
from solver.bidding.rest import Ending, starts
from solver.bidding.results import Results
from solver.game.auction import ORDER, PASS, Auction, Bid, discards
from solver.game.cards import BENNY, Card, CardSet
from solver.game.deal import Deal, hands_of, random_deal
from solver.game.position import Position
from solver.game.rules import PRESETS, Rules
from solver.game.seats import Seat
from solver.knowledge.seen import Knowledge
from solver.knowledge.worlds import sample_worlds
from solver.notation.codes import read_card

WORLDS = 1000


def dealer_to_bid(rules: Rules, seed: int) -> Knowledge:
    """What the dealer of a random deal sees after three passes in turn."""
    random = Random(seed)
    deal = random_deal(rules, random.choice(rules.seating.seats), random)
    return Knowledge.of(Position(deal, (PASS,) * (rules.seats - 1)), deal.dealer)


def ends_for(knowledge: Knowledge) -> DealEnds:
    rules = knowledge.rules
    return DealEnds(rules, Results(rules, rules.seating.side(knowledge.seat)), 1)


def nets_of_all(knowledge: Knowledge, bid: Bid, dealt: NDArray[np.uint64]) -> dict[Card, NDArray[np.int64]]:
    """Net points of every card that may be thrown away, in every world."""
    auction = knowledge.auction
    assert auction is not None
    then, ends, rows = auction.after(bid), ends_for(knowledge), np.arange(len(dealt))
    cards = discards(then, knowledge.hand)
    begun = [list(starts(policy_for(knowledge.rules), Ending(then, rows), dealt, card)) for card in cards]
    return {card: ends.results.net[each] for card, each in zip(cards, ends.solve(begun, len(dealt)), strict=True)}


@pytest.mark.parametrize(
    "rules",
    [
        *(PRESETS[name] for name in ("american", "british", "two_handed")),
        Rules(dealer_may_discard_upcard=False),
        Rules(deck=33, dealer_may_decline_upcard=True, benny_upcard="H"),
    ],
    ids=["american", "british", "two handed", "upcard kept", "33 cards"],
)
def test_the_discard_is_that_of_all_cards_solved_in_all_worlds(rules: Rules) -> None:
    several = 0
    for seed in range(12):
        knowledge = dealer_to_bid(rules, seed)
        assert knowledge.auction is not None
        bids = discarding_bids(knowledge, knowledge.auction.legal_bids(knowledge.hand))
        dealt = sample_worlds(knowledge, WORLDS, seed).dealt
        policy, ends = policy_for(rules), ends_for(knowledge)
        chosen = best_discards(knowledge, bids, policy, ends, dealt, 0, roll_out=False)
        assert list(chosen) == bids
        for bid, card in chosen.items():
            means = {each: net.mean() for each, net in nets_of_all(knowledge, bid, dealt).items()}
            assert card == max(means, key=lambda each: means[each])
            several += 1
    assert several >= 12


def test_cards_that_rollouts_may_prefer_are_not_left_out() -> None:
    close, left_out = 0, 0
    for seed in range(24):
        knowledge = dealer_to_bid(Rules(), seed)
        assert knowledge.auction is not None
        then = knowledge.auction.after(ORDER)
        dealt = sample_worlds(knowledge, WORLDS, seed).dealt
        after = rate_discards._AfterDiscards(then, policy_for(Rules()), ends_for(knowledge), dealt)
        twins = rate_discards._twins(then, knowledge.hand)
        left = after.solved(discards(then, knowledge.hand), twins, rate_discards._BEHIND)
        means = {card: float(net.mean()) for card, net in nets_of_all(knowledge, ORDER, dealt).items()}
        best = max(means.values())
        for card, mean in means.items():
            if mean >= best - rate_discards._BEHIND:
                assert left[card] == mean
                close += mean < best
        left_out += len(means) - len(left)
    assert close > 8 and left_out > 24


@pytest.mark.parametrize("behind", [0.0, 0.15, 0.6])
def test_cards_that_are_surely_further_behind_than_that_are_left_out(
    monkeypatch: pytest.MonkeyPatch, behind: float
) -> None:
    monkeypatch.setattr(rate_discards, "_SURE", 0.0)  # whatever is behind is surely so
    left_out, kept = 0, 0
    for seed in range(12):
        knowledge = dealer_to_bid(Rules(), seed)
        assert knowledge.auction is not None
        then = knowledge.auction.after(ORDER)
        dealt = sample_worlds(knowledge, 300, seed).dealt
        nets = nets_of_all(knowledge, ORDER, dealt)
        best = max(float(net[: rate_discards._FIRST].mean()) for net in nets.values())
        near = {card for card, net in nets.items() if best - net[: rate_discards._FIRST].mean() <= behind}
        after = rate_discards._AfterDiscards(then, policy_for(Rules()), ends_for(knowledge), dealt)
        left = after.solved(tuple(nets), rate_discards._twins(then, knowledge.hand), behind)
        assert left == {card: float(net.mean()) for card, net in nets.items() if card in near}
        left_out += len(nets) - len(near)
        kept += len(near)
    assert left_out > 12 and kept >= 12


@pytest.mark.parametrize("worlds", [1, 2, 127, 128, 129])
def test_a_few_worlds_are_enough_to_choose_by(worlds: int) -> None:
    for name, seed in (("american", 1), ("british", 2), ("two_handed", 3)):
        knowledge = dealer_to_bid(PRESETS[name], seed)
        dealt, policy = sample_worlds(knowledge, worlds, seed).dealt, policy_for(knowledge.rules)
        chosen = best_discards(knowledge, [ORDER], policy, ends_for(knowledge), dealt, 0, roll_out=False)
        means = {card: net.mean() for card, net in nets_of_all(knowledge, ORDER, dealt).items()}
        assert chosen == {ORDER: max(means, key=lambda card: means[card])}


@pytest.mark.parametrize(("better", "place"), [(1, 1), (0, 0), (-1, 0)])
def test_rollouts_choose_among_the_close_cards(monkeypatch: pytest.MonkeyPatch, better: int, place: int) -> None:
    asked: list[list[Card]] = []

    def rolled_out(_: object, cards: list[Card], seed: int) -> list[NDArray[np.int64]]:
        assert seed == 77
        asked.append(cards)
        return [np.zeros(250, dtype=np.int64), np.full(250, better)]

    monkeypatch.setattr(rate_discards, "_SURE", 0.0)  # whatever is behind is surely so
    monkeypatch.setattr(rate_discards._AfterDiscards, "rolled_out", rolled_out)
    apart, left_out = 0, 0
    for seed in range(40):
        knowledge = dealer_to_bid(Rules(), seed)
        assert knowledge.auction is not None
        # No more worlds than decide which cards are left: the close ones are those of all of them.
        dealt, policy = sample_worlds(knowledge, rate_discards._FIRST, seed).dealt, policy_for(Rules())
        means = {card: float(net.mean()) for card, net in nets_of_all(knowledge, ORDER, dealt).items()}
        ranked = sorted(means, key=lambda card: -means[card])
        twins = rate_discards._twins(knowledge.auction.after(ORDER), knowledge.hand)
        behind = [card for card in ranked if means[card] >= means[ranked[0]] - rate_discards._BEHIND]
        # Of twins the first alone, but that the upcard, which everybody has seen, is like no other card.
        close = [
            card
            for at, card in enumerate(behind)
            if card == knowledge.upcard
            or not any(twins[other] == twins[card] and other != knowledge.upcard for other in behind[:at])
        ]
        left_out += close[:2] != behind[:2]
        close = close[:2]
        asked.clear()
        chosen = best_discards(knowledge, [ORDER], policy, ends_for(knowledge), dealt, 77, roll_out=True)
        assert asked == ([close] if len(close) > 1 else [])
        assert chosen[ORDER] == close[place if len(close) > 1 else 0]
        apart += len(close) > 1 and means[close[1]] < means[close[0]]
    assert apart > 3 and left_out > 1


def test_rollouts_of_discards_are_of_the_first_worlds_and_follow_from_the_seed() -> None:
    knowledge = dealer_to_bid(Rules(), 4)
    assert knowledge.auction is not None
    then, dealt = knowledge.auction.after(ORDER), sample_worlds(knowledge, 300, 4).dealt
    cards = discards(then, knowledge.hand)[:2]

    def nets(worlds: int, seed: int) -> list[list[int]]:
        after = rate_discards._AfterDiscards(then, policy_for(Rules()), ends_for(knowledge), dealt[:worlds])
        return [net.tolist() for net in after.rolled_out(cards, seed)]

    whole = nets(300, 1)
    assert [len(net) for net in whole] == [rate_discards._ROLLED] * 2
    assert nets(300, 1) == whole != nets(300, 2)
    assert nets(40, 1) == [net[:40] for net in whole]


def test_twins_come_to_the_same_in_every_world() -> None:
    pairs = 0
    for name in ("american", "british"):
        for seed in range(12):
            knowledge = dealer_to_bid(PRESETS[name], seed)
            assert knowledge.auction is not None
            twins = rate_discards._twins(knowledge.auction.after(ORDER), knowledge.hand)
            nets = nets_of_all(knowledge, ORDER, sample_worlds(knowledge, 200, seed).dealt)
            for card, twin in twins.items():
                assert (nets[card] == nets[twin]).all()
                pairs += card != twin
    assert pairs > 12


def test_twins_are_neighbours_in_the_suit_they_count_in() -> None:
    auction = Auction(Rules(), Seat.N, read_card("9S"), (ORDER,))
    # The left bower is next to the right one and to the ace; the nine of trumps is next to none of them.
    pairs = {("JS", "AS"), ("JC", "AS"), ("AS", "AS"), ("9S", "9S"), ("TD", "9D"), ("9D", "9D")}
    found = rate_discards._twins(auction, CardSet.of(map(read_card, ("JS", "JC", "AS", "9D", "TD"))))
    assert found == {read_card(card): read_card(twin) for card, twin in pairs}


def test_a_dealer_who_names_trump_for_the_benny_throws_a_card_away_after_every_bid() -> None:
    rules = PRESETS["british"]
    hand = CardSet.of(map(read_card, ("JC", "JS", "QS", "KH", "AH")))
    deal = Deal(rules, Seat.E, BENNY, hands_of({Seat.E: hand}))
    knowledge = Knowledge.of(Position(deal), Seat.E)
    assert knowledge.auction is not None
    bids = knowledge.auction.legal_bids(hand)
    assert len(bids) == 8 and discarding_bids(knowledge, bids) == list(bids)
    dealt = sample_worlds(knowledge, 300, 9).dealt
    chosen = best_discards(knowledge, bids, policy_for(rules), ends_for(knowledge), dealt, 0, roll_out=False)
    for bid in bids:
        means = {card: net.mean() for card, net in nets_of_all(knowledge, bid, dealt).items()}
        assert chosen[bid] == max(means, key=lambda card: means[card])
    assert len(set(chosen.values())) > 1


def test_only_the_dealer_throws_cards_away_and_only_in_round_1() -> None:
    rules = Rules()
    deal = random_deal(rules, rules.seating.seats[0], Random(3))
    for passes in range(8):
        position = Position(deal, (PASS,) * passes)
        auction = position.auction
        assert isinstance(auction, Auction) and auction.to_act is not None
        knowledge = Knowledge.of(position, auction.to_act)
        bids = auction.legal_bids()
        assert discarding_bids(knowledge, bids) == ([bids[1], bids[2]] if passes == 3 else [])
