"""The quick lane takes what the judge of single codes would take, and reads it alike."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.batch.bulk import read_deals
from solver.errors import InvalidInput
from solver.game.position import Position
from solver.game.rules import PRESETS, Rules, with_options
from solver.notation.deal_code import read_code, write_code
from tests.batch.files import dealt_codes, played_codes
from tests.strategies import ALL_RULES


def judged(line: str) -> Position | None:
    """The position of a code that is right; None of one that is not."""
    try:
        position = read_code(line)
    except InvalidInput:
        return None
    return None if position.problems() else position


def positions_taken(data: bytes) -> dict[int, Position]:
    """What the quick lane took, by place, as positions."""
    from solver.game.cards import Card, CardSet
    from solver.game.deal import Deal, hands_of
    from solver.game.seats import Seat

    found = {}
    for deals in read_deals(data)[0]:
        for line, dealer, upcard, hands in zip(deals.line, deals.dealer, deals.upcard, deals.hands, strict=True):
            held = {seat: CardSet(int(hands[seat])) for seat in deals.rules.seating.seats}
            card = Card(int(upcard).bit_length() - 1)
            found[int(line)] = Position(Deal(deals.rules, Seat(int(dealer)), card, hands_of(held)))
    return found


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: f"{rules.seats}-{rules.deck}")
def test_every_deal_that_is_freshly_dealt_is_taken(rules: Rules) -> None:
    codes = dealt_codes(8, 1, rules)
    taken = positions_taken("\n".join(codes).encode())
    assert [write_code(taken[at]) for at in range(8)] == codes


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "\n"])
def test_places_count_every_line(end: str, last: str) -> None:
    first, second, third = dealt_codes(2, 1) + dealt_codes(1, 2, PRESETS["two_handed"])
    text = end.join(["", first, "", "nonsense", second, third]) + last
    taken = positions_taken(text.encode())
    assert {at: write_code(position) for at, position in taken.items()} == {1: first, 4: second, 5: third}
    assert read_deals(text.encode())[1] == [(3, b"nonsense")]


def test_nothing_is_read_from_nothing() -> None:
    for data in (b"", b"\n", b"\n\n\r\n"):
        assert read_deals(data) == ([], [])


def test_a_deal_that_was_bid_goes_the_other_way() -> None:
    codes = played_codes(5, 1)
    taken, rest = read_deals("\n".join(codes).encode())
    assert sum(len(deals.line) for deals in taken) == 0
    assert [line.decode() for _, line in rest] == codes


def test_many_different_rules_in_one_block_lose_no_line() -> None:
    codes = [
        code for target in range(5, 45) for code in dealt_codes(1, target, with_options(Rules(), {"target": target}))
    ]
    data = "\n".join(codes).encode()
    taken, rest = read_deals(data)
    assert sorted([int(at) for deals in taken for at in deals.line] + [at for at, _ in rest]) == list(range(40))
    assert {line.decode() for _, line in rest} <= set(codes)


@given(seed=st.integers(0, 2**32), changes=st.integers(1, 3), which=st.sampled_from(ALL_RULES))
def test_what_is_taken_of_a_spoilt_line_is_what_the_judge_takes(seed: int, changes: int, which: Rules) -> None:
    """Characters changed, dropped, doubled: whatever comes of it, what is taken is right and read alike, and no line
    goes unread."""
    random = Random(seed)
    code = dealt_codes(1, seed, which)[0]
    for _ in range(changes):
        at = random.randrange(len(code))
        other = random.choice("JQKATN987CDHSO10.-~ nesw")
        code = random.choice(
            [code[:at] + other + code[at + 1 :], code[:at] + code[at + 1 :], code[:at] + other + code[at:]]
        )
    taken, rest = positions_taken(code.encode()), read_deals(code.encode())[1]
    assert len(taken) + len(rest) == 1
    if taken:
        assert taken[0] == judged(code)


def test_the_quick_lane_is_not_idle() -> None:
    """A lane that refused everything would pass the test above."""
    codes = dealt_codes(500, 3)
    taken, rest = read_deals("\n".join(codes).encode())
    assert (sum(len(deals.line) for deals in taken), rest) == (500, [])
