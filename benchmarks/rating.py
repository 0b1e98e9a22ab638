"""What does a rated bid cost, and how sure is it? `python -m benchmarks.rating`

Random decisions that the policy reaches, each rated with the default settings or with those told: processor time, time
by the clock, and the largest standard error of a difference to the best bid. With ``--times N`` each is rated N times
and its median times count; the longest time of all ratings is printed, too.
"""

from __future__ import annotations

import argparse
import time
from random import Random
from statistics import median

from solver.analysis.rate import rate
from solver.analysis.rate_arguments import DEFAULT_METHOD, DEFAULT_WORLDS, RATE_METHODS
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
    parser.add_argument("--method", choices=RATE_METHODS, default=DEFAULT_METHOD)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--times", type=int, default=1)
    arguments = parser.parse_args()
    rules = PRESETS[arguments.rules]
    policy = policy_for(rules)
    rows, longest = [], 0.0
    for seed in range(arguments.decisions):
        position = random_decision(rules, policy, Random(seed))
        assert position.to_act is not None
        knowledge = Knowledge.of(position, position.to_act)
        rate(knowledge, worlds=100, method=arguments.method)
        used, by_clock = [], []
        for _ in range(arguments.times):
            began_with, begun = time.process_time(), time.perf_counter()
            rating = rate(
                knowledge, worlds=arguments.worlds, seed=seed, method=arguments.method, threads=arguments.threads
            )
            used.append(time.process_time() - began_with)
            by_clock.append(time.perf_counter() - begun)
        longest = max(longest, *by_clock)
        rows.append((median(used), median(by_clock), max(option.difference.stderr for option in rating.options)))
        shown = ", ".join(map(str, position.bids)) or "first"
        print("{:3} {:40} {:7.3f} s of a core {:7.3f} s {:8.4f} points".format(seed, shown, *rows[-1]))
    for name, column in zip(("s of a core", "s", "points"), zip(*rows, strict=True), strict=True):
        print(f"{name}: median {median(column):.4f}, most {max(column):.4f}")
    print(f"the longest of all: {longest:.4f} s")


if __name__ == "__main__":
    main()
