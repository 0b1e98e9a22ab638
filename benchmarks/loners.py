"""Is going alone worth what the auction policy takes it to be, when all play better than in its making?

python -m benchmarks.loners [--rules american] [--deals 15360] [--inner 4,16,200] [--weighed 300]

Random deals bid by the policy. Those that it plays alone, and every third of those that it plays with the partner, are
played out both ways by seats that look at so many worlds for each card: 200 is `Player(pimc:200)` but for ties. Points
of the makers, and what going alone adds, over the same deals.

`--weighed`: so many of the lone ones are played by `advise` card by card, once with worlds that all count alike, once
with the defenders weighing 1,500 worlds by the policy's chance of all bids, the lone one included.
"""

from __future__ import annotations

from collections.abc import Iterator

import click
import numpy as np
from numpy.typing import NDArray

from solver.analysis.advice import advise
from solver.analysis.contracts import plainest
from solver.analysis.trace import played
from solver.bidding.equilibrium import PLACES, Table
from solver.bidding.hands import UP, card_indexes, public
from solver.bidding.policy import BUILT, Policy, TablePolicy, load_tables, policy_for
from solver.bidding.report_policy import WHO, table_of
from solver.bidding.rest import chance_of_bids
from solver.bidding.samples import DEALER, TRUMP, Played, play_contract, points_of, random_deals
from solver.bidding.smooth import cell
from solver.game.auction import PASS, Auction, Bid, Call
from solver.game.cards import Card, CardSet, Suit
from solver.game.deal import Deal
from solver.game.order import card_order
from solver.game.position import Decision, Position
from solver.game.rules import PRESETS, Rules
from solver.game.seats import Seat
from solver.knowledge.seen import Knowledge
from solver.knowledge.worlds import Weigh

Floats = NDArray[np.float64]

#: Worlds that count alike, and that are weighed: of those fewer are worth as much.
WORLDS, WEIGHED = 200, 1_500


def bid_out(table: Table, cells: NDArray[np.intp], seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """In each deal the place whose bid ends the auction, -1 for none, and its call."""
    random = np.random.default_rng(seed)
    places, calls = np.full(cells.shape[1], -1), np.zeros(cells.shape[1], dtype=np.intp)
    for place in range(PLACES):
        here = cells[place % 4]
        bids = (places < 0) & (random.random(len(here)) < table.shares[place][here])
        places[bids], calls[bids] = place, table.calls[place][here][bids]
    return places, calls


def shown(values: Floats) -> str:
    return f"{values.mean():+.3f} ± {values.std() / len(values) ** 0.5:.3f}"


def weigher(policy: Policy, auction: Auction, seat: Seat) -> Weigh:
    """By the chance of what the others bid."""

    return lambda worlds: chance_of_bids(policy, auction, seat, worlds.dealt)


def by_players(policy: Policy, deal: Deal, bids: tuple[Bid, ...], weighing: bool) -> float:
    """The makers' net points, the defenders weighing their worlds by the bids or not."""
    rules, auction = deal.rules, Auction(deal.rules, DEALER, deal.upcard or Card(0), bids)
    dealt, contract = deal.hand(DEALER), auction.contract
    assert dealt is not None and contract is not None
    discard = policy.discard(auction, dealt) if auction.takes_upcard else None
    position = Position(deal, bids, discard=discard)
    order, makers = card_order(rules, contract.trump), rules.seating.side(contract.maker)
    while position.decision == Decision.PLAY:
        seat, legal = position.to_act, tuple(position.play().legal())
        assert seat is not None
        card = legal[0]
        if len(legal) > 1:
            weighs = weighing and rules.seating.side(seat) != makers
            advice = advise(
                Knowledge.of(position, seat),
                worlds=WEIGHED if weighs else WORLDS,
                seed=len(position.plays),
                weigh=weigher(policy, auction, seat) if weighs else None,
            )
            card = plainest(tuple(each.card for each in advice.options if each.best and each.card is not None), order)
        position = position.after(card=card)
    outcome = played(position)
    assert outcome is not None
    return outcome.net(makers)


def bids_of(place: int, call: int, alone: bool) -> tuple[Bid, ...]:
    role = call >> 1
    suit = None if role == UP else Suit(role)
    return (*(PASS,) * place, Bid(Call.ORDER if suit is None else Call.NAME, suit, alone))


def lines(rules: Rules, places: NDArray[np.intp], values: dict[int, Floats]) -> Iterator[str]:
    for inner, value in values.items():
        there = ~np.isnan(value[:, 0])
        for place in (*range(PLACES), None):
            rows = there if place is None else there & (places == place)
            if rows.sum() < 200:
                continue
            name = "all" if place is None else f"round {1 + place // 4}, {WHO[place % 4]}"
            alone, partner = value[rows].T
            march = 100 * (alone == rules.lone_march).mean()
            yield (
                f"  {inner:4} worlds  {name:26}{rows.sum():6,}  alone {shown(alone)}  partner {shown(partner)}"
                f"  alone adds {shown(alone - partner)}  march {march:.1f}%  euchred {100 * (alone < 0).mean():.1f}%"
            )


@click.command()
@click.option("--rules", "preset", type=click.Choice(BUILT), default=BUILT[0], show_default=True)
@click.option("--deals", default=15_360, show_default=True)
@click.option("--seed", default=3, show_default=True)
@click.option("--inner", default="4,16,200", show_default=True)
@click.option("--weighed", default=0, show_default=True, help="Lone deals played card by card, too: 0.7 s each.")
@click.option("--threads", default=1, show_default=True)
def main(preset: str, deals: int, seed: int, inner: str, weighed: int, threads: int) -> None:
    rules, tables = PRESETS[preset], load_tables()
    policy = policy_for(rules)
    assert isinstance(policy, TablePolicy) and tables is not None
    hands, up = random_deals(deals, seed, 0)
    cells = np.stack([cell(hands[:, seat], up) for seat in range(4)])
    places, calls = bid_out(table_of(policy), cells, seed)
    print(f"{policy.name}, {deals:,} deals; played alone: {100 * ((places >= 0) & (calls & 1 == 1)).mean():.1f}%")
    for lone in (1, 0):
        values = {int(each): np.full((deals, 2), np.nan) for each in inner.split(",")}
        for role, seat in ((role, seat) for role in range(4) for seat in Seat):
            chosen = (places >= 0) & (places % 4 == seat) & (calls >> 1 == role) & (calls & 1 == lone)
            rows = np.nonzero(chosen)[0][:: 1 if lone else 3]
            for alone in (False, True):
                sort, first = Played.by(rules, role, seat, alone), (role * 4 + seat) * deals
                points = points_of(rules, alone)
                for worlds, value in values.items():
                    args = hands[rows], up[rows], tables["discards"], seed, first, threads, worlds
                    value[rows, 1 - alone] = points[play_contract(sort, *args)]
        print("hands that the policy plays", "alone:" if lone else "with the partner:")
        for line in lines(rules, places, values):
            print(line, flush=True)
    rows = np.nonzero((places >= 0) & (calls & 1 == 1))[0][:weighed]
    found = []
    for row in rows:
        upcard = Card(int(card_indexes(TRUMP)[up[row]]))
        north, east, south, west = (CardSet(int(hand)) for hand in public(hands[row]))
        deal = Deal(rules, DEALER, upcard, (north, east, south, west))
        contracts = [bids_of(int(places[row]), int(calls[row]), alone) for alone in (True, False)]
        found.append([by_players(policy, deal, bids, weighs) for bids in contracts for weighs in (False, True)])
    if found:
        alone, alone_weighed, partner, partner_weighed = np.array(found, dtype=np.float64).T
        print(f"card by card, {len(found):,} deals: alone {shown(alone)}, partner {shown(partner)}")
        print(f"  defenders weighing add to it: alone {shown(alone_weighed - alone)}", end=", ")
        print(f"partner {shown(partner_weighed - partner)}; alone then adds {shown(alone_weighed - partner_weighed)}")


if __name__ == "__main__":
    main()
