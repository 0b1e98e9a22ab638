"""What the cards of a deal were worth, whoever played them.

A deal is bid anew by the policy and played out by seats that each see their own side, many times over: the mean is what
it comes to in steady hands. That less the mean over all deals is the luck of the deal. It follows from the cards alone,
and cards are dealt at random, so whoever plays: its mean is 0, and a result less that luck has the mean of the results
and less of their variance. It is a control variate; where chance and players alternate, one for each chance event is
known as AIVAT (Burch et al., "AIVAT: A New Variance Reduction Technique for Agent Evaluation in Imperfect Information
Games", 2018). The card turned up is a chance event of its own: given the hands it is any of those not dealt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.analysis.equity import Equity
from solver.bidding.deal_ends import DealEnds, Playing
from solver.bidding.policy import policy_for
from solver.bidding.rest import endings, starts
from solver.bidding.results import Results
from solver.game.auction import Auction
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.position import Position

#: Other cards that may have been turned up, at most; of more so many are tried.
_UPCARDS = 3


@dataclass(frozen=True)
class CardLuck:
    """The luck of the hands and of the upcard, for the first side: in net points and in chances to win.

    ``expected`` are its mean net points over all deals of this dealer, ``dealt`` its chance to win once the cards lie
    as they do.
    """

    deal: float
    upcard: float
    game_deal: float
    game_upcard: float
    expected: float
    dealt: float


def card_luck(
    position: Position, equity: Equity, game_before: float, chances: Mapping[int, float], plays: int, seed: int
) -> CardLuck | None:
    """The luck of a deal, from ``plays`` times that it is bid and played; None where the cards are not known.

    ``game_before`` is the first side's chance before the deal, ``chances`` the one after it by its net points. A hand
    that sat out may be unknown, and a card that was discarded: they are dealt anew each time.
    """
    known = _known_hands(position)
    upcard, dealer = position.deal.upcard, position.deal.dealer
    if known is None or upcard is None or dealer is None:
        return None
    rules = position.rules
    random = np.random.default_rng(seed)
    dealt, kitty = _dealt(position, known, upcard, plays, random)
    first = rules.seating.sides[0]
    results = Results(rules, first)
    ends = DealEnds(rules, results, threads=1)
    policy = policy_for(rules)
    # An auction has at most two rounds; the Benny turned up makes a shorter one.
    draws = random.random((2 * rules.seats, plays))
    by_net = np.array([chances[each] for each in range(min(chances), max(chances) + 1)])

    def values(turned: NDArray[np.uint8]) -> tuple[float, float]:
        """The mean net points and chance to win, when that card is turned in each row."""
        nets = np.zeros(plays, dtype=np.int64)
        for index in np.unique(turned):
            rows = np.flatnonzero(turned == index)
            auction = Auction(rules, dealer, Card(int(index)))
            begun = [
                start
                for ending in endings(policy, auction, dealt[rows], draws[: auction.turns, rows])
                for start in starts(policy, ending, dealt[rows])
            ]
            nets[rows] = results.net[ends.play([Playing(begun, 0, len(rows), seed)])[0]]
        return float(nets.mean()), float(by_net[nets - min(chances)].mean())

    points, game = values(np.full(plays, upcard.index, dtype=np.uint8))
    others = [values(kitty[:, at]) for at in range(min(_UPCARDS, kitty.shape[1]))]
    not_dealt = kitty.shape[1] + 1
    share = (not_dealt - 1) / not_dealt / max(len(others), 1)
    any_points = points / not_dealt + share * sum(each for each, _ in others)
    any_game = game / not_dealt + share * sum(each for _, each in others)
    deals = rules.seating.side(dealer) == first
    prior = sum(net * part for net, part in equity.shares.items()) * (1 if deals else -1)
    return CardLuck(any_points - prior, points - any_points, any_game - game_before, game - any_game, prior, game)


def _known_hands(position: Position) -> dict[int, CardSet] | None:
    """The hands as dealt that are known, None if one of those that played is not, or they cannot be as told."""
    contract = position.contract
    if position.deal.dealer is None or any(fault.code != "hand.size" for fault in position.deal.problems()):
        return None
    known: dict[int, CardSet] = {}
    for seat in position.rules.seating.seats:
        hand = position.deal.hands[seat]
        sat_out = contract is not None and contract.sitting_out == seat
        may_lack = HAND_SIZE if sat_out else int(position.discard_unknown and seat == position.deal.dealer)
        if hand is None and not sat_out:
            return None
        held = hand or CardSet()
        if seat == position.deal.dealer and position.discard not in (None, position.deal.upcard):
            # Of a dealer who sat out it may be all that is known.
            assert position.discard is not None
            held = held.with_card(position.discard)
        known[seat] = held
        if not HAND_SIZE - may_lack <= len(known[seat]) <= HAND_SIZE:
            return None
    return known


def _dealt(
    position: Position, known: Mapping[int, CardSet], upcard: Card, rows: int, random: np.random.Generator
) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """The hands as dealt, ``uint64[rows, 4]``, what is not known dealt at random; and the rest, ``uint8[rows, k]``."""
    rest = position.rules.cards.without(upcard)
    for hand in known.values():
        rest = rest - hand
    indexes = np.array([card.index for card in rest], dtype=np.uint8)
    shuffled = random.permuted(np.tile(indexes, (rows, 1)), axis=1)
    dealt = np.zeros((rows, 4), dtype=np.uint64)
    at = 0
    for seat, hand in known.items():
        missing = HAND_SIZE - len(hand)
        filled = np.uint64(1) << shuffled[:, at : at + missing].astype(np.uint64)
        dealt[:, seat] = np.uint64(hand.bits) | np.bitwise_or.reduce(filled, axis=1)
        at += missing
    return dealt, shuffled[:, at:]
