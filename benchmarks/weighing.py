"""Does it choose better cards to weigh worlds by how likely the others were to bid as they did?

python -m benchmarks.weighing [--deals 1800] [--seed 77]

A review weighs them; `Player` does not. Random deals are bid by the policy and played twice with the sides exchanged:
by one side as `Player` does, over 200 worlds, by the other over 200 worlds picked by weight from 16 times as many.
Deals that are thrown in do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean, stdev

import click

from solver import Bid, Card, Decision, Knowledge, Player, Position, Rules, Side, preset, random_deal
from solver.analysis.advice import advise
from solver.analysis.contracts import plainest
from solver.analysis.trace import played
from solver.bidding.policy import policy_for
from solver.bidding.rest import chance_of_bids
from solver.game.order import card_order
from solver.player import decision_seed, legal_actions

WORLDS, DRAW = 200, 16


class WeighingPlayer(Player):
    """`Player`, but for the worlds that it looks at."""

    def act(self, knowledge: Knowledge) -> Bid | Card:
        auction, contract = knowledge.auction, knowledge.contract
        if knowledge.decision != Decision.PLAY or len(legal_actions(knowledge)) == 1:
            return super().act(knowledge)
        assert auction is not None and contract is not None
        policy, seat = policy_for(self.rules), knowledge.seat
        advice = advise(
            knowledge,
            worlds=WORLDS,
            seed=decision_seed(self.seed, knowledge),
            weigh=lambda worlds: chance_of_bids(policy, auction, seat, worlds.dealt),
            draw=DRAW,
        )
        best: Sequence[Card] = [each.card for each in advice.options if each.best and each.card is not None]
        return plainest(tuple(best), card_order(self.rules, contract.trump))


def bid_out(position: Position, player: Player) -> Position:
    while position.decision in (Decision.BID, Decision.DISCARD):
        seat = position.to_act
        assert seat is not None
        action = player.act(Knowledge.of(position, seat))
        position = position.after(bid=action) if isinstance(action, Bid) else position.after(discard=action)
    return position


def margin(position: Position, weighing: Side, seed: int) -> int:
    """Net points of the side that weighs."""
    rules = position.rules
    players = {True: WeighingPlayer(rules, seed=seed, worlds=WORLDS), False: Player(rules, seed=seed, worlds=WORLDS)}
    while position.decision == Decision.PLAY:
        seat = position.to_act
        assert seat is not None
        card = players[rules.seating.side(seat) == weighing].act(Knowledge.of(position, seat))
        assert isinstance(card, Card)
        position = position.after(card=card)
    result = played(position)
    assert result is not None
    return int(result.net(weighing))


def margins(rules: Rules, deals: int, seed: int) -> list[float]:
    random, found, number = Random(seed), list[float](), 0
    while len(found) < deals:
        deal = random_deal(rules, random.choice(rules.seating.seats), random)
        position = bid_out(Position(deal), Player(rules, seed=number))
        if position.contract is not None:
            found.append(fmean(margin(position, side, number) for side in rules.seating.sides))
        number += 1
    return found


@click.command()
@click.option("--deals", default=1800, show_default=True)
@click.option("--seed", default=77, show_default=True)
def main(deals: int, seed: int) -> None:
    found = margins(preset("american"), deals, seed)
    click.echo(f"{deals} deals: {fmean(found):+.4f} ± {stdev(found) / deals**0.5:.4f} points a deal for who weighs")


if __name__ == "__main__":
    main()
