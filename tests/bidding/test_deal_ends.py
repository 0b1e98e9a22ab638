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
from solver.game.auction import ORDER, PASS, Auction
from solver.game.rules import PRESETS
from solver.game.seats import Seat, Side
from solver.notation.codes import read_card
from solver.notation.deal_code import read_code


@pytest.mark.parametrize(("passes", "worth"), [(0, [-2, -1, -1, 2, 2, 2]), (1, [-2, -2, -2, 1, 1, 2])])
def test_seats_play_for_what_tricks_are_worth_to_the_makers(
    passes: int, worth: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For the first side, by its tricks: a side that defends gets two points for three tricks."""
    rules, asked = PRESETS["american"], list[Any]()
    rollouts = deal_ends.rollouts

    def noted(*arguments: Any, **named: Any) -> Any:
        asked.append(named["points"])
        return rollouts(*arguments, **named)

    monkeypatch.setattr(deal_ends, "rollouts", noted)
    hands = read_code("american.N.JH.9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS").deal.hands
    dealt = np.array([[hand.bits for hand in hands if hand is not None]], dtype=np.uint64)
    auction = Auction(rules, Seat.N, read_card("JH"), (*[PASS] * passes, ORDER))
    begun = list(starts(policy_for(rules), Ending(auction, np.arange(1)), dealt))
    DealEnds(rules, Results(rules, Side.NS), 1).play([Playing(begun, 0, 1, seed=1)])
    assert [list(map(float, each)) for each in asked] == [worth]
