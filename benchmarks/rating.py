"""What does a rated bid cost, and how sure is it? `python -m benchmarks.rating`

Random decisions that the policy reaches, each rated with the default settings: processor time, time by the clock, and
the largest standard error of a difference to the best bid.
"""

from __future__ import annotations

import argparse
import time
from random import Random
from statistics import median

from solver.analysis.rate import rate
from solver.analysis.rate_arguments import DEFAULT_WORLDS
from solver.bidding.policy import Policy, policy_for
from solver.game.deal import random_deal
from solver.game.position import Decision, Position
from solver.game.rules import PRESETS, Rules
from solver.knowledge.seen import Knowledge


def random_decision(rules: Rules, policy: Policy, random: Random) -> Position:
    """A deal bid by the policy to a random turn."""
    while True:
        position = Position(random_deal(rules, random.choice(rules.seating.seats), random))
        turn = random.randrange(2 * rules.seats)
        for _ in range(turn):
            auction = position.auction
            if position.decision != Decision.BID or auction is None or auction.to_act is None:
                break
            hand = position.deal.hands[auction.to_act]
            assert hand is not None
            chances = policy.probabilities(auction, hand)
            position = position.after(bid=random.choices(list(chances), list(chances.values()))[0])
        if position.decision == Decision.BID and len(position.bids) == turn:
            return position


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", choices=PRESETS, default="american")
    parser.add_argument("--decisions", type=int, default=24)
    parser.add_argument("--worlds", type=lambda text: int(text) if text.isdecimal() else text, default=DEFAULT_WORLDS)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    rules = PRESETS[arguments.rules]
    policy = policy_for(rules)
    rows = []
    for seed in range(arguments.decisions):
        position = random_decision(rules, policy, Random(seed))
        assert position.to_act is not None
        knowledge = Knowledge.of(position, position.to_act)
        rate(knowledge, worlds=100)
        used, begun = time.process_time(), time.perf_counter()
        rating = rate(knowledge, worlds=arguments.worlds, seed=seed, threads=arguments.threads)
        times = time.process_time() - used, time.perf_counter() - begun
        rows.append((*times, max(option.difference.stderr for option in rating.options)))
        shown = ", ".join(map(str, position.bids)) or "first"
        print(f"{seed:3} {shown:40} {times[0]:6.2f} s of a core {times[1]:6.2f} s {rows[-1][2]:8.4f} points")
    for name, column in zip(("s of a core", "s", "points"), zip(*rows, strict=True), strict=True):
        print(f"{name}: median {median(column):.4f}, most {max(column):.4f}")


if __name__ == "__main__":
    main()
