"""The fast way to read deal codes accepts what the slow one finds no fault in, and makes the same of it."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import InvalidInput
from solver.game.position import Position
from solver.notation.deal_code import read_code, write_code
from solver.notation.quick_code import read_legal
from tests.strategies import ALL_RULES, positions, random_position

CODES = [write_code(random_position(rules, Random(seed))) for seed in range(3) for rules in ALL_RULES]
SIGNS = "9TJQKACDHSO.-~pocdhsaNESW78"


def judged(code: str) -> Position | None:
    try:
        position = read_code(code)
    except InvalidInput:
        return None
    return position if not position.problems() and write_code(position) == code else None


@given(positions())
def test_every_legal_position_is_read_alike(position: Position) -> None:
    natural = position.rules.natural_trump_to_order
    assert read_legal(write_code(position)) == (None if natural else position)


@given(st.sampled_from(CODES), st.data())
@settings(max_examples=150)
def test_codes_with_other_cards_bids_and_signs_are_judged_alike(code: str, data: st.DataObject) -> None:
    fields = code.split(".")
    for _ in range(data.draw(st.integers(1, 2))):
        at = data.draw(st.integers(0, len(fields) - 1))
        field = fields[at]
        if field and data.draw(st.booleans()):
            one, other = (2 * data.draw(st.integers(0, (len(field) - 1) // 2)) for _ in range(2))
            pieces = list(field)
            pieces[one : one + 2], pieces[other : other + 2] = pieces[other : other + 2], pieces[one : one + 2]
            fields[at] = "".join(pieces)
        else:
            place = data.draw(st.integers(0, len(field)))
            fields[at] = (
                field[:place] + data.draw(st.text(SIGNS, max_size=2)) + field[place + data.draw(st.integers(0, 2)) :]
            )
    changed = ".".join(fields)
    quick, slow = read_legal(changed), judged(changed)
    if quick is not None:
        assert quick == read_code(changed) and not quick.problems()
    if slow is not None:
        # The seat that sits out may be unknown, which the slow way allows.
        assert quick == slow or slow.auction is None or slow.deal.kitty is None
