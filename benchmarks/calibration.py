"""Whether bids are worth what `rate_bid` says: rated values against deals that are played out by other means.

python -m benchmarks.calibration [--decisions 300] [--deals 20] [--worlds 400] [--seed 1] [--workers 2]

A decision is a random deal, bid by the policy up to a random turn. Its pass, its best bid with the partner and its
best one alone (by a double-dummy rating of other worlds) are rated. Then `--deals` times the unseen cards are dealt
anew until the others, bidding by the policy, pass as they did; the bid is made, the auction goes on, and the cards are
played by seats that look at eight worlds each. That shares no code with the rating but the rules, the policy, the
worlds that fit one seat and the solver: the auction and the play are those of `Position`, one bid and one card at a
time. The figures are rated points less played ones, by kind of bid, each with its standard error over decisions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import NamedTuple

import click
import numpy as np

from solver import Bid, Call, Card, CardSet, Deal, Decision, Knowledge, Position, Rules, Seat, preset, random_deal
from solver.analysis.rate import rate
from solver.analysis.rate_values import RatedBid
from solver.bidding.policy import Policy, policy_for
from solver.engine.playout import card_values
from solver.game.auction import PASS, Auction
from solver.game.deal import hands_of
from solver.game.scoring import makers_points
from solver.knowledge.worlds import sample_worlds

#: Worlds that a player looks at for each card, as in a rollout.
INNER = 8


class Compared(NamedTuple):
    """One bid of one decision: its kind, the rated mean, and those of deals played out."""

    kind: str
    rated: float
    played: float
    double_dummy: float


def bid_by(policy: Policy, auction: Auction, hand: CardSet, random: Random) -> Bid:
    chances = policy.probabilities(auction, hand)
    return random.choices(list(chances), list(chances.values()))[0]


def random_decision(rules: Rules, policy: Policy, random: Random) -> Position:
    """A deal bid by the policy to a random turn."""
    while True:
        position = Position(random_deal(rules, random.choice(rules.seating.seats), random))
        turn = random.randrange(2 * rules.seats)
        for _ in range(turn):
            auction = position.auction
            if auction is None or auction.to_act is None:
                break
            position = position.after(bid=bid_by(policy, auction, hand_of(position, auction.to_act), random))
        if position.decision == Decision.BID and len(position.bids) == turn:
            return position


def hand_of(position: Position, seat: Seat) -> CardSet:
    hand = position.deal.hands[seat]
    assert hand is not None  # all hands of these deals are known
    return hand


def dealt_anew(position: Position, policy: Policy, random: Random) -> Position:
    """The decision of the same seat with other unseen cards, those passes being what the policy does with them."""
    auction = position.auction
    assert auction is not None and auction.to_act is not None
    seat, rules, own = auction.to_act, position.rules, hand_of(position, auction.to_act)
    unseen = list((rules.cards - own).without(auction.upcard))
    others = [each for each in rules.seating.seats if each != seat]
    while True:
        random.shuffle(unseen)
        hands = {each: CardSet.of(unseen[5 * at : 5 * at + 5]) for at, each in enumerate(others)} | {seat: own}
        for at, bid in enumerate(auction.bids):
            before = Auction(rules, auction.dealer, auction.upcard, auction.bids[:at])
            bidder = auction.bidder(at)
            if bidder != seat and bid_by(policy, before, hands[bidder], random) != bid:
                break
        else:
            return Position(Deal(rules, auction.dealer, auction.upcard, hands_of(hands)), auction.bids)


def play_out(position: Position, policy: Policy, random: Random, discard: Card | None) -> int:
    """Net points of the first side once the rest is bid by the policy and played by seats that see their own."""
    rules, first = position.rules, position.rules.seating.sides[0]
    while True:
        auction = position.auction
        assert auction is not None
        match position.decision:
            case Decision.BID:
                assert auction.to_act is not None
                position = position.after(bid=bid_by(policy, auction, hand_of(position, auction.to_act), random))
            case Decision.DISCARD:
                thrown = discard or policy.discard(auction, hand_of(position, auction.dealer))
                position = position.after(discard=thrown)
            case Decision.PLAY:
                position = position.after(card=card_by(position, random))
            case Decision.OVER:
                contract = position.contract
                if contract is None:
                    return 0
                won = position.play().tricks_won()
                makers = rules.seating.side(contract.maker)
                net = makers_points(rules, contract.alone, won[makers])
                return net if makers == first else -net


def card_by(position: Position, random: Random) -> Card:
    """The card of the seat to act: the best mean of points over a few worlds that fit what it sees, then of tricks."""
    play, contract = position.play(), position.contract
    assert contract is not None
    cards = list(play.legal())
    if len(cards) == 1:
        return cards[0]
    seating = position.rules.seating
    makers = seating.seats_of(seating.side(contract.maker))
    knowledge = Knowledge.of(position, play.to_act, discarded=play.to_act != position.deal.dealer)
    worlds = sample_worlds(knowledge, INNER, random.getrandbits(63))
    so_far = play.tricks_won()[seating.side(contract.maker)]
    tricks = so_far + card_values(play, worlds.held, cards, makers).astype(np.int64)
    points = np.array([makers_points(position.rules, contract.alone, each) for each in range(6)])
    sign = 1 if play.to_act in makers else -1
    order = play.order

    def worth(at: int) -> tuple[int, int, bool, int]:
        card = cards[at]
        cheap = order.suit(card) != order.trump, -order.strength(card)
        return sign * int(points[tricks[:, at]].sum()), sign * int(tricks[:, at].sum()), *cheap

    return cards[max(range(len(cards)), key=worth)]


def kind_of(auction: Auction, bid: Bid) -> str:
    """``pass``, ``order`` by whom, ``name``, each in its round; and ``alone``."""
    if bid == PASS:
        return f"pass, round {auction.round(len(auction.bids))}"
    if bid.alone:
        return f"{bid.call.value} alone"
    if bid.call == Call.NAME:
        return "name"
    seats = ("dealer's left", "dealer's partner", "dealer's right", "dealer")
    return f"order, {seats[len(auction.bids)]}"


def compare(rules: Rules, seed: int, decision: int, deals: int, worlds: int) -> Iterator[Compared]:
    """The bids of one random decision."""
    random, policy = Random(f"{seed} {decision}"), policy_for(rules)
    position = random_decision(rules, policy, random)
    auction = position.auction
    assert auction is not None and auction.to_act is not None
    knowledge = Knowledge.of(position, auction.to_act)
    side = rules.seating.side(auction.to_act)
    rough = rate(knowledge, worlds=200, seed=random.getrandbits(62), method="double-dummy", policy=policy).options
    rated = rate(knowledge, worlds=worlds, seed=random.getrandbits(62), policy=policy)
    groups = (
        [each for each in rough if each.bid == PASS],
        [each for each in rough if each.bid != PASS and not each.bid.alone],
        [each for each in rough if each.bid.alone],
    )
    for group in groups:
        if group:
            bid = max(group, key=lambda each: each.points.mean).bid
            option: RatedBid = rated.option(bid)
            nets = [
                play_out(dealt_anew(position, policy, random).after(bid=bid), policy, random, option.discard)
                for _ in range(deals)
            ]
            sign = 1 if side == rules.seating.sides[0] else -1
            yield Compared(kind_of(auction, bid), option.points.mean, sign * float(np.mean(nets)), option.double_dummy)


def _block(rules: Rules, seed: int, block: range, deals: int, worlds: int) -> list[Compared]:
    return [each for decision in block for each in compare(rules, seed, decision, deals, worlds)]


@click.command()
@click.option("--decisions", default=300, show_default=True)
@click.option("--deals", default=20, show_default=True, help="Played out for each bid of a decision.")
@click.option("--worlds", default=400, show_default=True)
@click.option("--rules", "preset_name", default="american", show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--workers", default=2, show_default=True)
def main(decisions: int, deals: int, worlds: int, preset_name: str, seed: int, workers: int) -> None:
    rules = preset(preset_name)
    blocks = [range(at, min(at + 10, decisions)) for at in range(0, decisions, 10)]
    by_kind: dict[str, list[Compared]] = defaultdict(list)
    with ProcessPoolExecutor(workers) as pool:
        for found in pool.map(_block, *zip(*((rules, seed, each, deals, worlds) for each in blocks), strict=True)):
            for each in found:
                by_kind[each.kind].append(each)
                by_kind["all"].append(each)
    click.echo(f"{preset_name}, policy {policy_for(rules).name}: rated less played, points")
    for kind in sorted(by_kind):
        rows = by_kind[kind]
        apart = np.array([each.rated - each.played for each in rows])
        seen = np.array([each.double_dummy - each.played for each in rows])
        error = apart.std(ddof=1) / len(rows) ** 0.5 if len(rows) > 1 else float("nan")
        click.echo(
            f"{kind:24} {len(rows):5} bids {np.mean([each.played for each in rows]):+.3f} played"
            f" {apart.mean():+.3f} ± {error:.3f}; double dummy {seen.mean():+.3f}"
        )


if __name__ == "__main__":
    main()
