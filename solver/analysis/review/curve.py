"""The winning-chance curve within a deal: the chance of each side for one who sees all cards, while four play on who
do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from solver.analysis.tricks import first_side
from solver.engine.playout import rollouts
from solver.game.cards import HAND_SIZE
from solver.game.play import Play
from solver.game.position import Position
from solver.game.scoring import net, score


def chances_in_play(
    position: Position, chances: Mapping[int, float], plays: int, seed: int
) -> Iterator[tuple[str, float]]:
    """The first side's chance to win the game before the first lead and after each of the first four tricks.

    Each is the mean over ``plays`` times that the deal is played on. ``chances``: the first side's chance after the
    deal, by its net points. Nothing comes of a deal whose cards in play are not all known, or without a contract.
    """
    contract = position.contract
    if contract is None or position.awaits_discard or position.problems():
        return
    first = position.rules.seating.sides[0]
    worth = [
        net(score(position.rules, contract, {first: won, position.rules.seating.sides[1]: HAND_SIZE - won}), first)
        for won in range(HAND_SIZE + 1)
    ]
    by_tricks = np.array([chances[each] for each in worth])
    in_trick = len(position.start().active)
    for trick in range(min(HAND_SIZE, len(position.plays) // in_trick + 1)):
        play = position.start().advance(position.plays[: trick * in_trick])
        won = play.tricks_won()[first] + _played_on(position, play, worth, plays, seed)
        yield f"trick {trick}" if trick else "auction", float(by_tricks[won].mean())


def _played_on(position: Position, play: Play, worth: list[int], plays: int, seed: int) -> np.ndarray:
    """The first side's tricks to come."""
    rules, auction = position.rules, position.auction
    bits = [hand.bits if hand is not None else 0 for hand in play.hands]
    held = np.tile(np.array(bits, dtype=np.uint64), (plays, 1))
    out = np.zeros(4, dtype=np.uint64)
    taken, hidden = None, False
    if auction is not None and auction.takes_upcard:
        by_another = position.contract is not None and position.contract.maker != auction.dealer
        is_seen = rules.dealer_may_decline_upcard and by_another
        if is_seen and position.discard == auction.upcard:
            out |= np.uint64(auction.upcard.bit)
        else:
            taken, hidden = (auction.dealer, auction.upcard), rules.dealer_may_discard_upcard and not is_seen
        if position.discard is not None:
            out[auction.dealer] |= np.uint64(position.discard.bit)
    elif auction is not None:
        out |= np.uint64(auction.upcard.bit)
    return rollouts(
        play,
        held,
        None,
        first_side(rules.seating),
        out=out,
        taken=taken,
        hidden=hidden,
        points=[float(each) for each in worth],
        seed=seed,
    )[:, 0].astype(np.intp)
