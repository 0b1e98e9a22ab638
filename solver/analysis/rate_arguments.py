"""What `solver.analysis.rate` can be asked: methods, numbers of worlds, and every fault of its arguments."""

from __future__ import annotations

from collections.abc import Mapping

from solver.analysis.equity import score_faults
from solver.errors import Fault
from solver.game.auction import Auction, Bid
from solver.game.cards import Card, CardSet
from solver.game.position import position_faults
from solver.game.rules import Rules
from solver.game.seats import Seat, Side

#: How the cards are played, the default first.
RATE_METHODS = ("rollout", "double-dummy")
DEFAULT_METHOD = RATE_METHODS[0]
MOST_WORLDS = 20_000
#: ``worlds`` may say these: as many as it takes until the best bid is clear, or until every difference is precise.
ADAPTIVE, PRECISE = "adaptive", "precise"
DEFAULT_WORLDS = PRECISE


def argument_faults(
    rules: Rules,
    dealer: Seat,
    upcard: Card,
    seat: Seat,
    cards: tuple[Card, ...],
    bids: tuple[Bid, ...],
    score: Mapping[Side, int] | None,
    bid: Bid | None,
    worlds: int | str,
    method: str,
    seed: int,
) -> list[Fault]:
    """Every fault of the arguments of `rate_bid`."""
    faults = settings_faults(worlds, method, seed)
    if score is not None:
        faults += score_faults(rules, score)
    found = position_faults(rules, dealer, upcard, {seat: cards}, bids, None, None, ())
    of_others = {("hands", str(each)) for each in Seat if each != seat}
    faults += [
        Fault(fault.code, fault.message, ("hand", *fault.path[2:])) if fault.path[:1] == ("hands",) else fault
        for fault in found
        if not (fault.code == "hand.missing" and fault.path in of_others)
    ]
    if not any(fault.path[:1] in (("dealer",), ("auction",), ("upcard",)) for fault in faults):
        faults += Auction(rules, dealer, upcard, bids).turn_faults(seat, bid, CardSet.of(cards))
    return faults


def settings_faults(worlds: int | str, method: str, seed: int) -> list[Fault]:
    faults = []
    if worlds not in (ADAPTIVE, PRECISE) and not (type(worlds) is int and 1 <= worlds <= MOST_WORLDS):
        message = f'worlds is {worlds}, not a number from 1 to {MOST_WORLDS}, "{ADAPTIVE}" or "{PRECISE}"'
        faults.append(Fault("field.invalid", message, ("worlds",)))
    if method not in RATE_METHODS:
        faults.append(Fault("field.invalid", f"method is {method}, not one of {', '.join(RATE_METHODS)}", ("method",)))
    if type(seed) is not int or not 0 <= seed < 1 << 64:
        faults.append(Fault("field.invalid", f"seed is {seed}, not a number from 0 to {(1 << 64) - 1}", ("seed",)))
    return faults
