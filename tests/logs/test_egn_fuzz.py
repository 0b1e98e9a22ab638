"""Euchre Game Notation: any file whatever is refused, or makes records that can be used."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import InvalidInput
from solver.game.position import Decision
from solver.logs import read
from tests.logs.egn import DATA, LONE_DEALER, one_deal

SOURCES = [(DATA / name).read_bytes() for name in ("game05.egn", "game14.egn", "game27.egn")]
DOCUMENTS = [json.loads(source) for source in SOURCES] + [one_deal(("game04.egn", 3)), one_deal(LONE_DEALER)]
ANYTHING = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        1,
        -1,
        5,
        10**30,
        0.5,
        "",
        "x",
        "Jd",
        "Ah",
        "Pass",
        "Order",
        "h",
        "n",
        "TRICK_PLAY",
        "\x00",
        "♥",
        [],
        ["Jd"],
        [[]],
        [["Jd", "Jd"]],
        {},
        {"type": "TRICK_PLAY"},
    ]
)


def survives(source: bytes) -> None:
    """Only refusals, or records that every reader of records can use."""
    try:
        games = list(read(source, "egn"))
    except InvalidInput as error:
        for fault in error.faults:
            fault.message.encode()
        return
    for game in games:
        json.dumps(game.notes, allow_nan=False).encode()
        for deal in game.deals:
            position = deal.position
            position.problems()
            if position.contract is not None and not deal.faults:
                position.play()
            assert position.decision in Decision
            json.dumps(deal.notes, allow_nan=False).encode()
        faults = [fault for deal in game.deals for fault in deal.faults]
        for fault in (*game.faults, *faults):
            fault.message.encode()
            assert len(fault.message) < 400


@given(st.sampled_from(SOURCES), st.floats(0, 1))
@settings(max_examples=100)
def test_a_file_cut_anywhere_is_refused(source: bytes, where: float) -> None:
    end = int(where * (len(source.rstrip()) - 1))
    with pytest.raises(InvalidInput):
        list(read(source[:end], "egn"))


@given(st.sampled_from(SOURCES), st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), min_size=1, max_size=4))
@settings(max_examples=150)
def test_other_bytes_never_do_harm(source: bytes, changes: list[tuple[float, int]]) -> None:
    changed = bytearray(source)
    for where, byte in changes:
        changed[int(where * len(changed))] = byte
    survives(bytes(changed))


def places(node: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) within the document."""
    keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else []
    return [(node, key) for key in keys] + [place for key in keys for place in places(node[key])]


@given(st.data(), st.sampled_from(DOCUMENTS))
@settings(max_examples=300)
def test_other_values_and_missing_keys_never_do_harm(data: st.DataObject, source: dict[str, Any]) -> None:
    made = copy.deepcopy(source)
    for _ in range(data.draw(st.integers(1, 3))):
        node, key = data.draw(st.sampled_from(places(made)))
        if data.draw(st.booleans()):
            node[key] = copy.deepcopy(data.draw(ANYTHING))
        else:
            del node[key]
        if not made:
            break
    survives(json.dumps(made).encode())


@given(st.data(), st.sampled_from(DOCUMENTS))
@settings(max_examples=150)
def test_cards_and_calls_that_move_never_do_harm(data: st.DataObject, source: dict[str, Any]) -> None:
    made = copy.deepcopy(source)
    texts = [place for place in places(made["deals"]) if isinstance(place[0][place[1]], str)]
    for _ in range(data.draw(st.integers(1, 3))):
        (one, at), (other, there) = data.draw(st.sampled_from(texts)), data.draw(st.sampled_from(texts))
        one[at], other[there] = other[there], one[at]
    made["deals"][0]["initialState"]["dealer"] = data.draw(st.integers(0, 3))
    made["deals"][0]["phases"][0]["isAlone"] = data.draw(st.booleans())
    survives(json.dumps(made).encode())
