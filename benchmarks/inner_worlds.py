"""How many worlds a seat must look at for each card of a rollout, for the makers to get what better players get.

python -m benchmarks.inner_worlds [--rules american] [--deck 24] [--deals 16000] [--each 400] [--worlds 16/8 …] …

Random deals, for each rank of an upcard of hearts so many, are bid by the policy. Of each way that the auction ends, at
most ``--each`` are played out once with each number of worlds: 16/8 are 16 for makers and 8 for defenders. What the
makers' side gets is compared with what it gets with the last number. `benchmarks.calibration worlds` compares with
`Player`s.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import click
import numpy as np
from numpy.typing import NDArray

from solver import Seat, Suit, preset
from solver.bidding.policy import policy_for
from solver.bidding.rest import Ending, Start, endings, starts
from solver.engine.playout import rollouts
from solver.game.auction import Auction, Contract
from solver.game.cards import HAND_SIZE
from solver.game.rules import with_options
from solver.game.scoring import makers_points


def inner_of(text: str) -> tuple[int, int]:
    """Worlds of makers and of defenders."""
    makers, _, defenders = text.partition("/")
    return int(makers), int(defenders or makers)


def makers_net(start: Start, contract: Contract, inner: tuple[int, int], seed: int) -> NDArray[np.int64]:
    """Net points of the makers' side in each deal."""
    rules = start.auction.rules
    points = np.array([makers_points(rules, contract.alone, won) for won in range(HAND_SIZE + 1)])
    makers = rules.seating.seats_of(rules.seating.side(contract.maker))
    tricks = rollouts(
        start.play(),
        start.held,
        None,
        makers,
        out=start.out,
        taken=start.taken,
        hidden=start.hidden,
        points=points.tolist(),
        inner=inner,
        seed=seed,
    )
    return points[tricks[:, 0]]


def kind_of(contract: Contract, dealers_side: bool) -> str:
    if contract.alone:
        return "alone"
    return f"with the partner, makers {'' if dealers_side else 'not '}the dealer's side"


@click.command()
@click.option("--rules", "rules_name", default="american", show_default=True)
@click.option("--deck", type=int, help="Cards in the deck; that of the rules by default.")
@click.option("--deals", default=16_000, show_default=True)
@click.option("--each", default=400, show_default=True)
@click.option("--worlds", multiple=True, default=("8", "16", "16/8", "32", "128"), show_default=True)
@click.option("--seed", default=7, show_default=True)
def main(rules_name: str, deck: int | None, deals: int, each: int, worlds: Sequence[str], seed: int) -> None:
    rules, dealer, random = preset(rules_name), Seat.N, np.random.default_rng(seed)
    if deck is not None:
        rules = with_options(rules, {"deck": deck})
    seats = [seat.value for seat in rules.seating.seats]
    policy, found = policy_for(rules), defaultdict(list)
    for upcard in (card for card in rules.cards if card.suit == Suit.HEARTS):
        cards = np.array([card.bit for card in rules.cards if card != upcard], dtype=np.uint64)
        mixed = random.permuted(np.broadcast_to(cards, (deals, len(cards))), axis=1)
        dealt = np.zeros((deals, len(Seat)), dtype=np.uint64)
        dealt[:, seats] = mixed[:, : HAND_SIZE * len(seats)].reshape(deals, len(seats), HAND_SIZE).sum(axis=2)
        auction = Auction(rules, dealer, upcard)
        for ending in endings(policy, auction, dealt, random.random((auction.turns, deals))):
            contract = ending.auction.contract
            if contract is None:
                continue
            kind = kind_of(contract, rules.seating.side(contract.maker) == rules.seating.side(dealer))
            for start in starts(policy, Ending(ending.auction, ending.rows[:each]), dealt):
                nets = [makers_net(start, contract, inner_of(inner), at) for at, inner in enumerate(worlds)]
                found[kind].append(np.stack(nets, axis=1))
    for kind in sorted(found):
        nets = np.concatenate(found[kind])
        apart = nets[:, :-1] - nets[:, -1:]
        means = zip(worlds, apart.mean(axis=0), apart.std(axis=0, ddof=1) / len(apart) ** 0.5, strict=False)
        told = ", ".join(f"{inner} worlds {mean:+.4f} ± {error:.4f}" for inner, mean, error in means)
        click.echo(f"{kind}: {len(nets)} deals, {nets[:, -1].mean():+.3f} points; {told}")


if __name__ == "__main__":
    main()
