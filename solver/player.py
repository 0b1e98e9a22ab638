"""Players: who sees what a seat has seen and chooses its next action."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from random import Random
from typing import Protocol

from solver.analysis.advice import DEFAULT_METHOD, advise
from solver.analysis.contracts import plainest
from solver.bidding.policy import policy_for
from solver.errors import Fault, InvalidInput
from solver.game.auction import Bid, discards
from solver.game.cards import Card
from solver.game.order import card_order
from solver.game.position import Decision
from solver.game.rules import Rules
from solver.knowledge.seen import Knowledge
from solver.notation.deal_code import write_code


class Agent(Protocol):
    """Anybody who can play a seat."""

    def act(self, knowledge: Knowledge) -> Bid | Card:
        """The next action of ``knowledge.seat``, which is to act: a bid, the dealer's discard or a card."""


def legal_actions(knowledge: Knowledge) -> tuple[Bid, ...] | tuple[Card, ...]:
    """What the seat may do; it must be to act."""
    auction = knowledge.auction
    if knowledge.to_act != knowledge.seat:
        raise InvalidInput([Fault("field.invalid", f"{knowledge.to_act} is to act, not {knowledge.seat}", ("seat",))])
    match knowledge.decision:
        case Decision.BID:
            assert auction is not None
            return auction.legal_bids(knowledge.hand)
        case Decision.DISCARD:
            assert auction is not None
            return discards(auction, knowledge.hand)
        case _:
            return tuple(knowledge.position.play().legal())


class Player:
    """A player that looks at worlds that fit what it has seen, and takes the action that is best on average.

    It bids and discards by the auction policy of its rules (`solver.bidding.policy`). Equal seeds play equally,
    whatever was played before; a decision's worlds follow from the seed and what the seat has seen.
    """

    def __init__(
        self, rules: Rules, method: str = DEFAULT_METHOD, seed: int = 0, *, worlds: int = 200, threads: int = 1
    ) -> None:
        self.rules = rules
        self.method = method
        self.seed = seed
        self.worlds = worlds
        self.threads = threads

    def act(self, knowledge: Knowledge) -> Bid | Card:
        """Raises `InvalidInput` if the seat is not to act, or plays by other rules."""
        if knowledge.rules != self.rules:
            raise InvalidInput([Fault("field.invalid", "the player was made for other rules", ("rules",))])
        actions = legal_actions(knowledge)
        if len(actions) == 1:
            return actions[0]
        if knowledge.decision == Decision.BID:
            assert knowledge.auction is not None
            return policy_for(self.rules).choose(knowledge.auction, knowledge.hand)
        if knowledge.decision == Decision.DISCARD:
            assert knowledge.auction is not None
            return policy_for(self.rules).discard(knowledge.auction, knowledge.hand)
        advice = advise(
            knowledge,
            worlds=self.worlds,
            seed=decision_seed(self.seed, knowledge),
            method=self.method,
            threads=self.threads,
        )
        assert knowledge.contract is not None
        order = card_order(self.rules, knowledge.contract.trump)
        return plainest(tuple(each.card for each in advice.options if each.best and each.card is not None), order)


class RandomPlayer:
    """A player that takes any legal action."""

    def __init__(self, rules: Rules, seed: int = 0) -> None:
        self.rules = rules
        self.seed = seed

    def act(self, knowledge: Knowledge) -> Bid | Card:
        actions: Sequence[Bid | Card] = legal_actions(knowledge)
        return Random(decision_seed(self.seed, knowledge)).choice(actions)


def decision_seed(seed: int, knowledge: Knowledge) -> int:
    """A seed of the decision's own, so that decisions are independent of each other and of their order."""
    text = f"{seed} {knowledge.seat} {write_code(knowledge.position)}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
