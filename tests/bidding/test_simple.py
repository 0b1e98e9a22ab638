"""The simple bidder over many hands is the one over single hands."""

from dataclasses import replace

import numpy as np
import pytest

from solver.bidding.simple import choose_bid, choose_bids, throw_away, throw_away_each
from solver.game.auction import PASS, Auction, Call
from solver.game.cards import Card, CardSet
from solver.game.rules import PRESETS
from solver.game.seats import Seat
from solver.notation.codes import read_card, read_cards


def hands_without(deck: CardSet, upcard: Card, count: int) -> np.ndarray:
    random = np.random.default_rng(upcard.index)
    cards = np.array([card.index for card in deck if card != upcard], dtype=np.uint64)
    return np.array(
        [np.bitwise_or.reduce(np.uint64(1) << random.choice(cards, 5, replace=False)) for _ in range(count)]
    )


RULES = [*PRESETS.values(), replace(PRESETS["american"], natural_trump_to_order=True, dealer_may_discard_upcard=False)]


@pytest.mark.parametrize("rules", RULES)
def test_many_hands_are_bid_like_single_ones(rules) -> None:
    for upcard in list(rules.cards)[::5] + list(rules.cards)[-1:]:
        hands = hands_without(rules.cards, upcard, 20)
        auction = Auction(rules, Seat.N, upcard)
        while not auction.over:
            legal = auction.legal_bids()
            chosen = [legal[at] for at in choose_bids(auction, hands)]
            assert chosen == [choose_bid(auction, CardSet(int(hand))) for hand in hands]
            for bid in legal:
                ordered = auction.after(bid)
                if ordered.takes_upcard and ordered.contract is not None:
                    thrown = throw_away_each(ordered, hands).tolist()
                    assert thrown == [throw_away(ordered, CardSet(int(hand))).index for hand in hands]
            if legal[0].call != Call.PASS:
                break
            auction = auction.after(PASS)


@pytest.mark.parametrize(
    ("passes", "hand", "orders"),
    [
        # Worth 4, with the void, and 1.8 for the right bower that the partner takes: 6 are needed.
        (1, "AH KH 9C TC 9D", False),
        (1, "AH KH AC TC 9D", True),
        # Worth 8 and 6.5, less 1.8 for what the opponent takes.
        (0, "JD AH KH AC 9C", True),
        (0, "JD AH 9H KC 9C", False),
    ],
)
def test_an_upcard_that_goes_to_another_counts_in_part(passes: int, hand: str, orders: bool) -> None:
    auction = Auction(PRESETS["american"], Seat.N, read_card("JH"), (PASS,) * passes)
    assert (choose_bid(auction, CardSet.of(read_cards(hand))) != PASS) == orders
