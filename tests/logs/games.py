"""Games of deals played at random, to be written and read back."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from solver.errors import Fault
from solver.game.position import Position
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import PRESETS, Rules
from solver.game.seats import Seat
from tests.strategies import random_position

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
NOTES = st.dictionaries(NAMES, JSON, max_size=3)


def revoked(position: Position, random: Random) -> Position:
    """The same with two cards played in each other's place, which mostly makes a revoke."""
    plays = list(position.plays)
    if len(plays) > 1:
        one, other = random.sample(range(len(plays)), 2)
        plays[one], plays[other] = plays[other], plays[one]
    return replace(position, plays=tuple(plays))


def records(
    rules: Rules, *, legal: bool = False, notes: st.SearchStrategy[dict[str, object]] = NOTES
) -> st.SearchStrategy[DealRecord]:
    """Deals of all kinds: played out, broken off anywhere, thrown in, alone, with hands not known, with faults."""

    def record(seed: int, number: int, actions: int | None, kind: str, notes: dict[str, object]) -> DealRecord:
        random = Random(seed)
        position = random_position(rules, random, actions)
        if kind == "unknown" and not legal:
            position = position.without_hands([str(random.choice(rules.seating.seats))])
        if kind == "revoke" and not legal:
            position = revoked(position, random)
        problems = [each for each in position.problems() if each.code != "hand.missing"]
        faults = tuple(Fault(each.code, each.message, ("deals", number, *each.path)) for each in problems)
        return DealRecord(number, position, faults, notes)

    return st.builds(
        record,
        st.integers(0, 2**32),
        st.integers(1, 99),
        st.none() | st.integers(0, 30),
        st.sampled_from(["whole", "whole", "unknown", "revoke"]),
        notes,
    )


def games(rules: list[Rules] | None = None) -> st.SearchStrategy[GameRecord]:
    """Games with all that a record can have, deals numbered upwards."""

    def game_under(each: Rules) -> st.SearchStrategy[GameRecord]:
        numbered = st.lists(records(each), max_size=4, unique_by=lambda record: record.number)
        return st.builds(
            GameRecord,
            st.just(each),
            numbered.map(lambda deals: tuple(sorted(deals, key=lambda record: record.number))),
            NAMES,
            st.dictionaries(st.sampled_from(Seat), NAMES),
            st.dictionaries(st.sampled_from(each.seating.sides), st.integers(0, 2**53 - 1)),
            st.lists(
                st.builds(Fault, st.just("log.record"), NAMES, st.tuples(NAMES, st.integers(0, 9))), max_size=2
            ).map(tuple),
            NOTES,
        )

    return st.sampled_from(rules or list(PRESETS.values())).flatmap(game_under)
