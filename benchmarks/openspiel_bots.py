"""OpenSpiel's information set Monte Carlo tree search as a player.

    rightbower match pimc benchmarks.openspiel_bots:ISMCTS --rules cardporch --option dealer_may_discard_upcard=no

The bot is handed a state whose hidden cards are one world that fits what the seat has seen, and deals its own worlds
from that. It deals the hidden *hands* anew (``ResampleFromInfostate``), but leaves the kitty and the dealer's discard
as they are: handed the true state it would know them; handed one world it believes in a kitty that may be another.
`ISMCTS4` is handed four, so that it suffers less from that.

Its matches cannot be repeated to the digit: it breaks ties in the order of hash tables, which differs from run to run
whatever the seed. Needs open-spiel, a test extra.
"""

from __future__ import annotations

from dataclasses import replace

import pyspiel

from solver import Bid, Call, Card, Fault, InvalidInput, Position, Rules, Seat
from solver.game.auction import ORDER, PASS
from solver.game.cards import CardSet, Suit
from solver.game.position import Decision
from solver.knowledge.seen import Knowledge
from solver.knowledge.worlds import sample_worlds
from solver.logs.openspiel import RULES, card_of
from solver.player import legal_actions

#: The constant of its tree policy, as in OpenSpiel's own example.
UCT = 2.0

_PASS, _FIRST_NAME, _ALONE, _PARTNER = 24, 25, 29, 30


class ISMCTS:
    """Takes the action most visited in simulations with random playouts: to bid, to go alone, to discard, to play.

    OpenSpiel asks in another order: it lets the dealer discard before the maker says whether to go alone. So whoever
    orders is asked twice, the second time about a world with a discard in it; a dealer who orders has to discard in
    between, and later stands by that. A dealer discards without knowing whether another maker will be alone.
    """

    simulations = 1000
    #: How many worlds the bot is handed at a decision; it simulates from each, and the visits are added.
    worlds = 1

    def __init__(self, rules: Rules, seed: int) -> None:
        if rules != replace(RULES, stick_the_dealer=rules.stick_the_dealer):
            message = "OpenSpiel plays american or cardporch, and the dealer may not discard the upcard"
            raise InvalidInput([Fault("rules.unsupported", message, ("rules",))])
        stuck = str(rules.stick_the_dealer).lower()
        self.game = pyspiel.load_game(f"euchre(allow_lone_defender=false,stick_the_dealer={stuck})")
        self.seed = seed
        self.discards: dict[CardSet, Card] = {}
        self.bot = pyspiel.ISMCTSBot(
            seed,
            pyspiel.RandomRolloutEvaluator(1, seed),
            UCT,
            self.simulations,
            -1,
            pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT,
            False,
            # Its worlds hold revokes, so that one information set has several sets of legal actions.
            True,
        )

    def act(self, knowledge: Knowledge) -> Bid | Card:
        actions = legal_actions(knowledge)
        if len(actions) == 1:
            return actions[0]
        if knowledge.decision == Decision.BID:
            return self._bid(knowledge)
        if knowledge.decision == Decision.DISCARD and knowledge.hand in self.discards:
            return self.discards[knowledge.hand]
        return card_of(self._choice(knowledge))

    def _bid(self, knowledge: Knowledge) -> Bid:
        position, seat = knowledge.position, knowledge.seat
        call = self._choice(knowledge)
        if call == _PASS:
            return PASS
        assert knowledge.auction is not None
        orders = knowledge.auction.round(len(position.bids)) == 1
        bid = ORDER if orders else Bid(Call.NAME, Suit(call - _FIRST_NAME))
        position = position.after(bid=bid)
        if orders and seat == knowledge.dealer:
            self.discards[knowledge.hand] = card_of(self._choice(Knowledge.of(position, seat)))
            position = position.after(discard=self.discards[knowledge.hand])
        named = Knowledge.of(position, seat, discarded=orders)
        return replace(bid, alone=self._choice(named, before_alone=True) == _ALONE)

    def _choice(self, knowledge: Knowledge, *, before_alone: bool = False) -> int:
        """The action with the most visits; ``before_alone``: the bid is made, and whether it is alone is asked."""
        worlds = sample_worlds(knowledge, self.worlds, self.seed)
        visits: dict[int, float] = {}
        for row in range(self.worlds):
            actions = history(worlds.position(row))
            state = self.game.new_initial_state()
            for action in actions[:-1] if before_alone else actions:
                state.apply_action(action)
            for action, share in self.bot.get_policy(state):
                visits[action] = visits.get(action, 0.0) + share
        return max(visits, key=lambda action: visits[action])


class ISMCTS4(ISMCTS):
    """The same with 1,000 simulations from each of four worlds."""

    worlds = 4


def _number(card: Card) -> int:
    """OpenSpiel's number of a card: by rank from the nine, then suit."""
    assert card.suit is not None
    assert card.rank is not None
    return 4 * (card.rank - 2) + card.suit


def history(position: Position) -> list[int]:
    """OpenSpiel's actions that lead to a position with all cards known."""
    deal, contract = position.deal, position.contract
    assert deal.dealer is not None
    assert deal.upcard is not None
    hands = [list(hand or ()) for hand in deal.hands]
    dealt = [_number(hands[Seat((deal.dealer + turn) % 4)][turn // 4]) for turn in range(20)]
    actions = [int(deal.dealer), *dealt, _number(deal.upcard)]
    for bid in position.bids:
        suit = deal.upcard.suit if bid.call == Call.ORDER else bid.suit
        actions.append(_PASS if suit is None else _FIRST_NAME + suit)
    if position.bids and position.bids[-1].call == Call.ORDER and position.discard is not None:
        actions.append(_number(position.discard))
    if contract is not None and not position.awaits_discard:
        actions.append(_ALONE if contract.alone else _PARTNER)
    return actions + [_number(card) for card in position.plays]
