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
from solver.game.rules import PRESETS
from solver.game.seats import Seat, Side
from solver.notation.codes import read_card
from solver.notation.deal_code import read_code

ALONE = Bid(ORDER.call, alone=True)


@pytest.mark.parametrize(
    ("passes", "bid", "worth", "worlds"),
    [
        (0, ORDER, [-2, -1, -1, 2, 2, 2], (6, 16)),
        (1, ORDER, [-2, -2, -2, 1, 1, 2], (12, 12)),
        (0, ALONE, [-4, -1, -1, 2, 2, 2], (6, 16)),
        (1, ALONE, [-2, -2, -2, 1, 1, 4], (8, 5)),
    ],
)
def test_seats_play_for_what_tricks_are_worth_to_the_makers(
    passes: int, bid: Bid, worth: list[int], worlds: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For the first side, by its tricks: a side that defends gets two points for three tricks. Makers look at more
    worlds than defenders, but for the dealer's side with both its hands; of the first side and of the other."""
    rules, asked, looked = PRESETS["american"], list[Any](), list[Any]()
    rollouts = deal_ends.rollouts

    def noted(*arguments: Any, **named: Any) -> Any:
        asked.append(named["points"])
        looked.append(named["inner"])
        return rollouts(*arguments, **named)

    monkeypatch.setattr(deal_ends, "rollouts", noted)
    hands = read_code("american.N.JH.9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS").deal.hands
    dealt = np.array([[hand.bits for hand in hands if hand is not None]], dtype=np.uint64)
    auction = Auction(rules, Seat.N, read_card("JH"), (*[PASS] * passes, bid))
    begun = list(starts(policy_for(rules), Ending(auction, np.arange(1)), dealt))
    DealEnds(rules, Results(rules, Side.NS), 1).play([Playing(begun, 0, 1, seed=1)])
    assert [list(map(float, each)) for each in asked] == [worth]
    assert looked == [worlds]
