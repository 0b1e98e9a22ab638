"""The rest of an auction over many deals, against the same one deal at a time."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.bidding.policy import policy_for
from solver.bidding.rest import SLIP, Ending, chance_of_bids, endings, starts
from solver.game.auction import ORDER, PASS, Auction, Bid, Call
from solver.game.cards import Card, CardSet, Suit
from solver.game.deal import Deal, random_deal
from solver.game.position import Position
from solver.game.rules import PRESETS, Rules
from solver.game.seats import Seat
from solver.knowledge.seen import Knowledge
from solver.notation.codes import read_card, read_cards


def same_upcard(rules: Rules, upcard: Card, number: int, seed: int) -> list[Deal]:
    random, found = Random(seed), list[Deal]()
    while len(found) < number:
        deal = random_deal(rules, Seat.S, random)
        if deal.upcard == upcard:
            found.append(deal)
    return found


def rows(deals: list[Deal]) -> NDArray[np.uint64]:
    return np.array([[hand.bits if hand is not None else 0 for hand in deal.hands] for deal in deals], dtype=np.uint64)


@pytest.mark.parametrize("name", ["american", "cardporch", "two_handed"])
def test_every_deal_ends_as_its_seats_bid_by_their_own_hands(name: str) -> None:
    rules = PRESETS[name]
    upcard = max(rules.cards, key=lambda card: card.index)
    deals, policy = same_upcard(rules, upcard, 60, 1), policy_for(rules)
    dealt, auction = rows(deals), Auction(rules, Seat.S, upcard)
    draws = np.random.default_rng(1).random((auction.turns, len(deals)))
    found = list(endings(policy, auction, dealt, draws))
    assert sorted(row for ending in found for row in ending.rows) == list(range(len(deals)))
    for ending in found:
        assert ending.auction.over
        for row in ending.rows:
            before = auction
            for bid in ending.auction.bids:
                assert before.to_act is not None
                hand = deals[row].hands[before.to_act]
                assert hand is not None
                chances = policy.probabilities(before, hand)
                reached = np.cumsum([0.0, *chances.values()])
                at = list(chances).index(bid)
                draw = draws[len(before.bids), row]
                assert reached[at] - 1e-12 <= draw <= reached[at + 1] + 1e-12
                before = before.after(bid)


@pytest.mark.parametrize("bids", [(PASS,) * 6, (PASS, PASS, ORDER)])
def test_the_chance_of_bids_is_that_of_the_others_by_their_own_hands(bids: tuple[Bid, ...]) -> None:
    rules, upcard = PRESETS["american"], Card(31)
    deals, policy = same_upcard(rules, upcard, 40, 2), policy_for(rules)
    auction = Auction(rules, Seat.S, upcard, bids)
    chances = chance_of_bids(policy, auction, Seat.E, rows(deals))
    for deal, chance in zip(deals, chances, strict=True):
        expected = 1.0
        for at, bid in enumerate(bids):
            before = Auction(rules, Seat.S, upcard, bids[:at])
            hand = deal.hands[auction.bidder(at)]
            assert hand is not None
            if auction.bidder(at) != Seat.E:
                expected *= max(policy.probabilities(before, hand)[bid], SLIP)
        assert chance == pytest.approx(expected)


def test_a_pass_that_the_policy_would_not_make_is_unlikely_and_not_impossible() -> None:
    rules, policy = PRESETS["american"], policy_for(PRESETS["american"])
    auction = Auction(rules, Seat.S, read_card("9H"), (PASS,))
    strong, other = (CardSet.of(read_cards(cards)) for cards in ("JH JD AH KH QH", "9C TC 9D 9S TS"))
    assert policy.choose(Auction(rules, Seat.S, read_card("9H")), strong) != PASS
    dealt = np.array([[0, 0, 0, strong.bits], [0, 0, 0, other.bits]], dtype=np.uint64)
    never, sure = chance_of_bids(policy, auction, Seat.N, dealt)
    assert 0 < never <= 0.01
    assert sure > 0.99


def test_an_upcard_that_may_not_be_discarded_is_known_to_be_in_the_dealers_hand() -> None:
    rules, upcard = Rules(dealer_may_discard_upcard=False), read_card("9S")
    deals = same_upcard(rules, upcard, 10, 6)
    (start,) = starts(policy_for(rules), Ending(Auction(rules, Seat.S, upcard, (ORDER,)), np.arange(10)), rows(deals))
    assert (start.taken, start.hidden) == ((Seat.S, upcard), False)
    assert (start.held[:, Seat.S] & np.uint64(upcard.bit) != 0).all()


@pytest.mark.parametrize(
    ("name", "order"),
    [
        *(("american", (*[PASS] * passes, ORDER)) for passes in range(4)),
        *(("two_handed", (*[PASS] * passes, ORDER)) for passes in range(2)),
    ],
)
def test_play_begins_as_in_a_position_with_that_discard(name: str, order: tuple[object, ...]) -> None:
    rules, upcard = PRESETS[name], Card(31)
    deals, policy = same_upcard(rules, upcard, 30, 3), policy_for(rules)
    auction = Auction(rules, Seat.S, upcard, order)  # type: ignore[arg-type]
    begun = list(starts(policy, Ending(auction, np.arange(len(deals))), rows(deals)))
    assert sorted(row for start in begun for row in start.rows) == list(range(len(deals)))
    for start in begun:
        for at, row in enumerate(start.rows):
            hand = deals[row].hands[Seat.S]
            assert hand is not None
            discard = policy.discard(auction, hand)
            position = Position(deals[row], auction.bids, None, discard)
            assert not position.problems()
            held = [cards.bits if cards is not None else 0 for cards in position.hands_in_play]
            assert start.held[at].tolist() == held
            for seat in rules.seating.seats:
                seen = Knowledge.of(position, seat).discard
                assert start.out[at, seat] == (0 if seen is None else seen.bit)
            kept = start.held[at, Seat.S] & np.uint64(upcard.bit) != 0
            assert (start.taken == (Seat.S, upcard)) == (kept or start.hidden)
            assert start.hidden == (name == "american" or auction.bids[-2:-1] == (PASS,))


@pytest.mark.parametrize(
    "bids", [(*[PASS] * 5, Bid(Call.NAME, Suit.HEARTS)), (PASS, Bid(Call.ORDER, None, alone=True))]
)
def test_of_cards_out_of_play_all_know_the_upcard_alone(bids: tuple[Bid, ...]) -> None:
    """Turned down, or taken by a dealer who sits out: what else that hand held is not told."""
    rules, upcard = PRESETS["american"], Card(31)
    deals = same_upcard(rules, upcard, 10, 5)
    auction = Auction(rules, Seat.S, upcard, bids)
    (start,) = starts(policy_for(rules), Ending(auction, np.arange(10)), rows(deals))
    taken = (Seat.S, upcard) if auction.takes_upcard else None
    assert (start.taken, start.hidden) == (taken, False)
    assert (start.out == (0 if taken else upcard.bit)).all()
    assert (start.held == rows(deals)).all()


def test_an_upcard_declined_before_all_eyes_is_out_of_play_for_all() -> None:
    rules, upcard = PRESETS["two_handed"], Card(29)
    deals = same_upcard(rules, upcard, 10, 4)
    auction = Auction(rules, Seat.S, upcard, (ORDER,))
    begun = list(starts(policy_for(rules), Ending(auction, np.arange(10)), rows(deals), upcard))
    assert [start.taken for start in begun] == [None]
    assert (begun[0].out & np.uint64(upcard.bit) != 0).all()
