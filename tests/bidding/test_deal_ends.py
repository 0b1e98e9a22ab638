"""What deals come to once their auctions are over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.bidding import deal_ends
from solver.bidding.deal_ends import DealEnds, Playing
from solver.bidding.policy import policy_for
from solver.bidding.rest import Ending, starts
from solver.bidding.results import Results
from solver.game.auction import ORDER, PASS, Auction, Bid
from solver.game.rules import PRESETS, Rules, with_options
from solver.game.seats import Seat
from solver.notation.codes import read_card
from solver.notation.deal_code import read_code

ALONE = Bid(ORDER.call, alone=True)
LEADS_ALONE = with_options(Rules(), {"lone_lead": "maker"})
AMERICAN, TWO, BRITISH = PRESETS["american"], PRESETS["two_handed"], PRESETS["british"]
MORE_CARDS = with_options(Rules(), {"deck": 28})
FOUR_HANDS = "american.N.JH.9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS"
TWO_HANDS = "two_handed.N.JH.9CTCJCQCKC-9HTHQHKHAH"


def asked_of_rollouts(
    rules: Rules, bids: tuple[Bid, ...], monkeypatch: pytest.MonkeyPatch, *inner: int
) -> list[dict[str, Any]]:
    """With what arguments the deal is rolled out."""
    asked: list[dict[str, Any]] = []
    rollouts = deal_ends.rollouts

    def noted(*arguments: Any, **named: Any) -> Any:
        asked.append(named)
        return rollouts(*arguments, **named)

    monkeypatch.setattr(deal_ends, "rollouts", noted)
    hands = read_code(TWO_HANDS if rules.seats == 2 else FOUR_HANDS).deal.hands
    dealt = np.array([[hand.bits if hand is not None else 0 for hand in hands]], dtype=np.uint64)
    auction = Auction(rules, Seat.N, read_card("JH"), bids)
    begun = list(starts(policy_for(rules), Ending(auction, np.arange(1)), dealt))
    DealEnds(rules, Results(rules, rules.seating.sides[0]), 1).play([Playing(begun, 0, 1, seed=1)], *inner)
    return asked


@pytest.mark.parametrize(
    ("rules", "passes", "bid", "worth", "worlds"),
    [
        (AMERICAN, 0, ORDER, [-2, -1, -1, 2, 2, 2], (6, 16)),
        (AMERICAN, 1, ORDER, [-2, -2, -2, 1, 1, 2], (12, 12)),
        (AMERICAN, 0, ALONE, [-4, -1, -1, 2, 2, 2], (6, 16)),
        (AMERICAN, 1, ALONE, [-2, -2, -2, 1, 1, 4], (8, 5)),
        (AMERICAN, 2, ALONE, [-4, -1, -1, 2, 2, 2], (5, 8)),
        (LEADS_ALONE, 2, ALONE, [-4, -1, -1, 2, 2, 2], (6, 16)),
        (LEADS_ALONE, 3, ALONE, [-2, -2, -2, 1, 1, 4], (16, 6)),
        (MORE_CARDS, 0, ORDER, [-2, -1, -1, 2, 2, 2], (6, 16)),
        (MORE_CARDS, 1, ORDER, [-2, -2, -2, 1, 1, 2], (12, 12)),
        (MORE_CARDS, 1, ALONE, [-2, -2, -2, 1, 1, 4], (20, 6)),
        (BRITISH, 2, ALONE, [-4, -1, -1, 4, 4, 4], (6, 20)),
        (TWO, 0, ORDER, [-2, -1, -1, 2, 2, 2], (6, 20)),
        (TWO, 1, ORDER, [-2, -2, -2, 1, 1, 2], (20, 6)),
    ],
)
def test_seats_play_for_what_tricks_are_worth_to_the_makers(
    rules: Rules,
    passes: int,
    bid: Bid,
    worth: list[int],
    worlds: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """For the first side, by its tricks: a side that defends gets two points for three tricks. Makers look at more
    worlds than defenders, but for the dealer's side with both its hands; of the first side and of the other."""
    (asked,) = asked_of_rollouts(rules, (*[PASS] * passes, bid), monkeypatch)
    assert list(map(float, asked["points"])) == worth
    assert asked["inner"] == worlds


def test_seats_look_at_as_many_worlds_as_they_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    (asked,) = asked_of_rollouts(AMERICAN, (ALONE,), monkeypatch, 3)
    assert asked["inner"] == (3, 3)
