"""What an auction policy does, over random deals that were not used to make it: `rightbower policy report`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from solver.bidding.equilibrium import PLACES, Game, Table
from solver.bidding.hands import CROSS, HANDS, NEXT, OTHER_CROSS, RANKS
from solver.bidding.policy import TablePolicy
from solver.bidding.samples import DEALER
from solver.bidding.smooth import Floats, possible
from solver.game.cards import HAND_SIZE, Rank
from solver.game.scoring import NEEDED
from solver.game.seats import Seat

WHO = ("dealer's left", "dealer's partner", "dealer's right", "dealer")


def table_of(policy: TablePolicy) -> Table:
    return Table.read(policy.calls, policy.shares)


def pick_ups(table: Table) -> list[float]:
    """Of all hands that the dealer may hold, the share that picks the upcard up when all have passed, by its rank."""
    shares = np.where(possible(), table.shares[DEALER], 0).reshape(RANKS, HANDS)
    return [float(each) for each in shares.sum(axis=1) / possible().reshape(RANKS, HANDS).sum(axis=1)]


def report(game: Game, table: Table) -> Iterator[str]:
    """Lines of text."""
    deals = len(game.deals.up)
    reach = np.ones(deals)
    rows: list[tuple[str, Floats, NDArray[np.uint8], Floats]] = []
    yield f"{deals:,} random deals. Of those who come to a place, in percent:"
    yield ""
    yield f"{'':26}{'comes to it':>12}{'pass':>8}{'partner':>9}{'alone':>8}{'next':>8}{'cross':>8}{'points':>9}"
    for place in range(PLACES):
        seat = Seat(place % 4)
        share, value = game.made(table, place)
        calls = table.calls[place][game.cells[seat]]
        weight = reach * share
        role, alone = calls >> 1, calls & 1
        tricks = np.zeros(deals, dtype=np.uint8)
        for call in game.legal[place][1]:
            column = game.deals.played(game.rules, call >> 1, seat, bool(call & 1))
            tricks = np.where(calls == call, column, tricks)
        rows.append((f"round {1 + place // 4}", weight, tricks, alone.astype(np.float64)))
        come = max(float(reach.sum()), 1e-9)
        parts = [
            (reach * (1 - share)).sum(),
            (weight * (1 - alone)).sum(),
            (weight * alone).sum(),
            (weight * (role == NEXT)).sum(),
            (weight * np.isin(role, (CROSS, OTHER_CROSS))).sum(),
        ]
        shown = [f"{100 * part / come:.1f}" for part in parts]
        sign = 1 if place % 2 == 0 else -1
        mean = sign * float((weight * value).sum()) / max(float(weight.sum()), 1e-9)
        yield (
            f"{f'round {1 + place // 4}, ' + WHO[seat]:26}{100 * come / deals:12.1f}{shown[0]:>8}{shown[1]:>9}"
            f"{shown[2]:>8}{shown[3]:>8}{shown[4]:>8}{mean:+9.3f}"
        )
        reach = reach * (1 - share)
    yield ""
    yield f"{'contracts':26}{'of deals':>12}{'1 point':>9}{'march':>9}{'euchred':>9}"
    for name in ("round 1", "round 2"):
        for alone_, word in ((0, "with the partner"), (1, "alone")):
            chosen = [(weight * (alone == alone_), tricks) for which, weight, tricks, alone in rows if which == name]
            weight = np.concatenate([each for each, _ in chosen])
            tricks = np.concatenate([each for _, each in chosen])
            total = max(float(weight.sum()), 1e-9)
            shares = [
                weight[(tricks >= NEEDED) & (tricks < HAND_SIZE)].sum() / total,
                weight[tricks == HAND_SIZE].sum() / total,
                weight[tricks < NEEDED].sum() / total,
            ]
            cells = "".join(f"{100 * each:9.1f}" for each in shares)
            yield f"{f'{name}, {word}':26}{100 * total / deals:12.1f}{cells}"
    worth = -game.worth(table)
    yield ""
    yield f"thrown in: {100 * reach.mean():.2f}% of deals"
    yield f"dealer's side: {worth.mean():+.3f} points a deal, stderr {worth.std() / max(deals, 1) ** 0.5:.3f}"
    ups = ", ".join(f"{Rank(Rank.NINE + rank).letter} {100 * share:.0f}%" for rank, share in enumerate(pick_ups(table)))
    yield f"hands with which the dealer picks up when all have passed: {ups}"
