"""Makes the file of `solver.bidding.shares` again: `rightbower policy shares`.

Uniform deals that no policy was made from: all four bid by the policy of the rules, each by its own hand, and the cards
are played out once by seats that see their own. Every card is turned up equally often. This is how `rate_bid` goes on
after a bid, so that a game is valued by the same players as a deal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.bidding.deal_ends import DealEnds, Playing
from solver.bidding.policy import BUILT, policy_for
from solver.bidding.rest import endings, starts
from solver.bidding.results import Results
from solver.bidding.shares import Shares
from solver.game.auction import Auction
from solver.game.cards import HAND_SIZE, Card
from solver.game.rules import PRESETS, OptionValue, Rules, with_options
from solver.game.seats import Seat

Progress = Callable[[Iterable[Rules]], Iterable[Rules]]

DEALER = Seat.N


def _variants() -> Iterable[Rules]:
    """Other rules that deals end otherwise by than by the presets."""
    sticks = (False, True)
    # Other points are bid for by the simple policy, which does not look at them.
    yield from (with_options(PRESETS[preset], {"lone_euchre": 4}) for preset in BUILT)
    yield from (Rules(stick_the_dealer=stick, going_alone="never") for stick in sticks)
    options: tuple[dict[str, OptionValue], ...] = (
        {"dealers_partner": "may_not_order"},
        {"dealer_may_decline_upcard": True},
        {"natural_trump_to_order": True},
    )
    yield from (with_options(Rules(), each) for each in options)
    for base, deck, stick in product((Rules(), PRESETS["two_handed"]), (24, 25, 28, 32, 33), sticks):
        yield with_options(base, {"deck": deck, "stick_the_dealer": stick})


#: What is measured, the presets first.
MEASURED: tuple[Rules, ...] = tuple(dict.fromkeys((*PRESETS.values(), *_variants())))


def measure_all(deals: int, others: int, seed: int, threads: int = 1, progress: Progress = tuple) -> list[Shares]:
    """All of `MEASURED`: so many ``deals`` for each preset, and for each of the ``others``."""
    presets = set(PRESETS.values())
    return [measure(rules, deals if rules in presets else others, seed, threads) for rules in progress(MEASURED)]


def measure(rules: Rules, deals: int, seed: int, threads: int = 1) -> Shares:
    """So many deals, rounded up to as many for each card turned up."""
    policy, dealers = policy_for(rules), rules.seating.side(DEALER)
    results = Results(rules, dealers)
    ends = DealEnds(rules, results, threads)
    each = -(-deals // len(rules.cards))
    counts = np.zeros(len(results.net), dtype=np.int64)
    for upcard in rules.cards:
        words = np.random.SeedSequence([seed, upcard.index]).generate_state(2, np.uint64)
        random = np.random.default_rng(words[0])
        dealt = _random_hands(rules, upcard, each, random)
        auction = Auction(rules, DEALER, upcard)
        draws = random.random((auction.turns, each))
        begun = [start for ending in endings(policy, auction, dealt, draws) for start in starts(policy, ending, dealt)]
        counts += np.bincount(ends.play([Playing(begun, 0, each, int(words[1]))])[0], minlength=len(counts))
    found: dict[tuple[bool, bool], list[int]] = {
        (ours, alone): [0] * (HAND_SIZE + 1) for ours, alone in product((True, False), repeat=2)
    }
    thrown_in = 0
    for number, count in enumerate(counts.tolist()):
        kind = results.kinds[number // (HAND_SIZE + 1)]
        if kind is None:
            thrown_in += count
        else:
            makers, alone = kind
            found[makers == dealers, alone][results.makers_tricks[number]] += count
    return Shares(
        rules,
        policy.name,
        thrown_in,
        (tuple(found[True, False]), tuple(found[True, True])),
        (tuple(found[False, False]), tuple(found[False, True])),
    )


def _random_hands(rules: Rules, upcard: Card, count: int, random: np.random.Generator) -> NDArray[np.uint64]:
    """``uint64[count, 4]``: uniform hands of all seats that play."""
    rest = np.array([card.bit for card in rules.cards if card != upcard], dtype=np.uint64)
    seats = rules.seating.seats
    keys = random.random((count, len(rest)), dtype=np.float32)
    drawn = rest[np.argsort(keys, axis=1)[:, : HAND_SIZE * len(seats)]]
    dealt = np.zeros((count, len(Seat)), dtype=np.uint64)
    for at, seat in enumerate(seats):
        dealt[:, seat] = np.bitwise_or.reduce(drawn[:, HAND_SIZE * at : HAND_SIZE * (at + 1)], axis=1)
    return dealt


def write(path: Path, shares: Sequence[Shares], seed: int) -> None:
    """The data file, one line for each."""
    lines = ",\n".join(json.dumps(each.document()) for each in shares)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'{{"seed": {seed}, "shares": [\n{lines}\n]}}\n', encoding="utf-8")
