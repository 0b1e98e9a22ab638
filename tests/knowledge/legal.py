"""Whether worlds are what they should be, and the rules under which that is asked."""

from __future__ import annotations

import numpy as np

from solver.game.cards import CardSet
from solver.game.rules import PRESETS, Rules, with_options
from solver.knowledge.seen import Knowledge
from solver.knowledge.worlds import Worlds
from tests.strategies import ALL_RULES

#: Rules under which what may have been differs from the presets.
ODD_RULES = [
    Rules(dealer_may_discard_upcard=False),
    Rules(natural_trump_to_order=True),
    Rules(deck=25, natural_trump_to_order=True, dealer_may_discard_upcard=False),
    Rules(dealer_may_decline_upcard=True),
    Rules(dealer_may_decline_upcard=True, dealer_may_discard_upcard=False, natural_trump_to_order=True),
    with_options(PRESETS["two_handed"], {"natural_trump_to_order": True}),
    with_options(PRESETS["two_handed"], {"dealer_may_discard_upcard": False}),
    Rules(dealers_partner="alone_if_ordering", lone_lead="maker_left", natural_trump_to_order=True),
    *(Rules(deck=25, benny_upcard=suit, natural_trump_to_order=True) for suit in "CDHS"),
]
EVERY_RULES = ALL_RULES + ODD_RULES


def assert_legal(worlds: Worlds) -> None:
    """Each world replays, shows the seat what it saw, and is told rightly."""
    seen = worlds.knowledge
    for row in range(len(worlds)):
        position = worlds.position(row)
        assert position.problems() == [], position
        assert Knowledge.of(position, seen.seat) == seen, position
        held = position.hands_in_play
        for seat in seen.rules.seating.seats:
            hand = held[seat]
            assert hand is not None and (hand - seen.played[seat]).bits == worlds.held[row, seat]
        if position.deal.upcard is not None:
            assert position.deal.kitty == CardSet(int(worlds.kitty[row]))
        everything = int(np.bitwise_or.reduce(worlds.dealt[row]) | worlds.kitty[row])
        assert CardSet(everything) == seen.rules.cards - CardSet.of([seen.upcard] if seen.upcard else [])
