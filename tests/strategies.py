"""Random positions that could have happened, for tests of laws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from solver.bidding.policy import policy_for
from solver.game.auction import discards
from solver.game.deal import random_deal
from solver.game.position import Decision, Position
from solver.game.rules import PRESETS, Rules, with_options

#: Every preset, with every deck that it can be played with.
ALL_RULES: list[Rules] = [
    with_options(rules, {"deck": deck}) for rules in PRESETS.values() for deck in (24, 25, 28, 32, 33)
]


def random_action(position: Position, random: Random) -> Position:
    """The position after a random legal action; passes are likelier than other bids, so that round 2 comes up."""
    match position.decision:
        case Decision.BID:
            auction = position.auction
            assert auction is not None and auction.to_act is not None
            bids = auction.legal_bids(position.deal.hands[auction.to_act])
            return position.after(bid=bids[0] if random.random() < 0.6 else random.choice(bids))
        case Decision.DISCARD:
            assert position.auction is not None
            hand = position.deal.hands[position.auction.dealer]
            assert hand is not None
            return position.after(discard=random.choice(discards(position.auction, hand)))
        case Decision.PLAY:
            return position.after(card=random.choice(list(position.play().legal())))
    raise LookupError("the deal is over")


def random_position(rules: Rules, random: Random, actions: int | None = None) -> Position:
    """A position after that many random legal actions, or as many as the deal has."""
    position = Position(random_deal(rules, random.choice(rules.seating.seats), random))
    while position.decision != Decision.OVER and actions != 0:
        position = random_action(position, random)
        actions = None if actions is None else actions - 1
    return position


def decisions(position: Position) -> Iterator[Position]:
    """The position at every decision up to where it is, from the first bid on."""
    for bids in range(len(position.bids) + 1):
        yield replace(position, bids=position.bids[:bids], discard=None, plays=())
    if position.discard is not None:
        yield replace(position, plays=())
    for plays in range(1, len(position.plays) + 1):
        yield replace(position, plays=position.plays[:plays])


def positions(rules: list[Rules] | None = None) -> st.SearchStrategy[Position]:
    """Positions at any point of a deal, under any rules of the list."""
    return st.builds(
        lambda each, seed, actions: random_position(each, Random(seed), actions),
        st.sampled_from(rules or ALL_RULES),
        st.integers(0, 2**32),
        st.integers(0, 30),
    )


def random_decision(rules: Rules, random: Random) -> Position:
    """A random deal that the policy has bid to a random turn."""
    policy = policy_for(rules)
    while True:
        position = Position(random_deal(rules, random.choice(rules.seating.seats), random))
        turn = random.randrange(2 * rules.seats)
        for _ in range(turn):
            auction, seat = position.auction, position.to_act
            if auction is None or auction.over or seat is None:
                break
            hand = position.deal.hands[seat]
            assert hand is not None
            chances = policy.probabilities(auction, hand)
            position = position.after(bid=random.choices(list(chances), list(chances.values()))[0])
        if position.decision == Decision.BID and len(position.bids) == turn:
            return position
