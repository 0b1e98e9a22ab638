"""OpenSpiel's information set Monte Carlo tree search as a player.

    rightbower match pimc benchmarks.openspiel_bots:ISMCTS --option dealer_may_discard_upcard=no

The bot is handed a state whose hidden cards are one world that fits what the seat has seen; it looks at the state's
information set only, and deals its own worlds from that. Needs open-spiel, a test extra.
"""

from __future__ import annotations

import pyspiel

from solver import Bid, Call, Card, Position, Rules, Seat
from solver.bidding.simple import choose_bid
from solver.knowledge.seen import Knowledge
from solver.knowledge.worlds import sample_worlds
from solver.player import legal_actions

SIMULATIONS = 1000
#: The constant of its tree policy, as in OpenSpiel's own example.
UCT = 2.0

_PASS, _FIRST_NAME, _ALONE, _PARTNER = 24, 25, 29, 30


class ISMCTS:
    """Plays cards by `SIMULATIONS` simulations with random playouts. The auction is bid by the simple bidder."""

    def __init__(self, rules: Rules, seed: int) -> None:
        if rules != Rules(stick_the_dealer=rules.stick_the_dealer, dealer_may_discard_upcard=False):
            raise ValueError("OpenSpiel plays american or cardporch, and the dealer may not discard the upcard")
        stuck = str(rules.stick_the_dealer).lower()
        self.game = pyspiel.load_game(f"euchre(allow_lone_defender=false,stick_the_dealer={stuck})")
        self.seed = seed
        self.bot = pyspiel.ISMCTSBot(
            seed,
            pyspiel.RandomRolloutEvaluator(1, seed),
            UCT,
            SIMULATIONS,
            -1,
            pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            False,
            # Its worlds hold revokes, so that one information set has several sets of legal actions.
            True,
        )

    def act(self, knowledge: Knowledge) -> Bid | Card:
        actions = legal_actions(knowledge)
        if len(actions) == 1:
            return actions[0]
        if isinstance(actions[0], Bid):
            assert knowledge.auction is not None
            return choose_bid(knowledge.auction, knowledge.hand)
        world = sample_worlds(knowledge, 1, self.seed).position(0)
        state = self.game.new_initial_state()
        for action in history(world):
            state.apply_action(action)
        number = self.bot.step(state)
        return next(card for card in actions if isinstance(card, Card) and _number(card) == number)


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
