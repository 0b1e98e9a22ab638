"""Euchre Game Notation: a record that cannot be read is named, and the others are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from solver.errors import InvalidInput
from tests.logs.egn import PLAIN, document, game_of, one_deal

Change = Callable[[dict[str, Any]], object]


def setting(*path: str | int, value: object) -> Change:
    def change(deal: dict[str, Any]) -> None:
        node: Any = deal
        for step in path[:-1]:
            node = node[step]
        node[path[-1]] = value

    return change


TRICKS = ("phases", 1, "tricks")
CALLS = ("phases", 0, "calls")
BAD: list[tuple[str, Change, str, tuple[str | int, ...], str]] = [
    ("unknown card", setting(*TRICKS, 2, 0, value="XX"), "card.unreadable", (*TRICKS, 2, 0), "deal 2, trick 3"),
    ("hidden card", setting(*TRICKS, 2, 0, value=""), "card.unreadable", (*TRICKS, 2, 0), "trick 3"),
    ("foreign card", setting(*TRICKS, 0, 1, value="7h"), "card.foreign", (*TRICKS, 0, 1), "24 cards"),
    ("card of another type", setting(*TRICKS, 0, 1, value=7), "log.record", (*TRICKS, 0, 1), "trick 1"),
    ("card in two tricks", setting(*TRICKS, 1, 1, value="Qh"), "card.duplicate", (*TRICKS, 1, 1), "trick 1 already"),
    ("two decks", setting(*TRICKS, 0, 1, value="Jd"), "rules.unsupported", (*TRICKS, 0, 1), "double-deck"),
    ("bid euchre", setting(*CALLS, 7, value=4), "rules.unsupported", (*CALLS, 7), "bid euchre"),
    ("bid euchre in text", setting(*CALLS, 7, value="4h"), "rules.unsupported", (*CALLS, 7), "bid euchre"),
    ("no-trump", setting(*CALLS, 7, value="n"), "rules.unsupported", (*CALLS, 7), "no-trump"),
    ("unknown call", setting(*CALLS, 7, value="x"), "bid.unreadable", (*CALLS, 7), "call 8"),
    ("call of another type", setting(*CALLS, 7, value=None), "log.record", (*CALLS, 7), "call 8"),
    (
        "five cards in a trick",
        lambda deal: deal["phases"][1]["tricks"][1].append("Ah"),
        "log.record",
        (*TRICKS, 1),
        "trick 2",
    ),
    ("a short trick", lambda deal: deal["phases"][1]["tricks"][1].pop(), "log.record", (*TRICKS, 2), "trick 2"),
    ("six tricks", lambda deal: deal["phases"][1]["tricks"].append([]), "log.record", TRICKS, "6 tricks"),
    ("tricks of another type", setting(*TRICKS, value={}), "log.record", TRICKS, "a list"),
    ("trick of another type", setting(*TRICKS, 0, value="Jd"), "log.record", (*TRICKS, 0), "trick 1"),
    ("no phases", lambda deal: deal.pop("phases"), "log.record", ("phases",), "missing"),
    ("play alone", lambda deal: deal["phases"].pop(0), "log.record", ("phases",), "EUCHRE_BIDDING"),
    (
        "unknown phase",
        setting("phases", 0, "type", value="BID_BIDDING"),
        "rules.unsupported",
        ("phases", 0, "type"),
        "BID",
    ),
    ("phase twice", setting("phases", 0, "type", value="TRICK_PLAY"), "log.record", ("phases", 1), "second"),
    ("no state", lambda deal: deal.pop("initialState"), "log.record", ("initialState",), "missing"),
    ("dealer 4", setting("initialState", "dealer", value=4), "log.record", ("initialState", "dealer"), "0 to 3"),
    ("dealer true", setting("initialState", "dealer", value=True), "log.record", ("initialState", "dealer"), "whole"),
    ("no upcard", setting("initialState", "upCard", value=None), "log.record", ("initialState", "upCard"), "upCard"),
    (
        "upcard unknown",
        setting("initialState", "upCard", value="Xd"),
        "card.unreadable",
        ("initialState", "upCard"),
        "Xd",
    ),
    ("alone 1", setting("phases", 0, "isAlone", value=1), "log.record", ("phases", 0, "isAlone"), "true or false"),
    (
        "exchange",
        setting("phases", 0, "card_exchanges", value=[{}]),
        "rules.unsupported",
        ("phases", 0, "card_exchanges"),
        "exchanged",
    ),
    (
        "kitty of numbers",
        setting("initialState", "kitty", value=[1]),
        "log.record",
        ("initialState", "kitty", 0),
        "a card",
    ),
    (
        "hand of six",
        setting("initialState", "player_cards", value=[["9h", "Th", "Jh", "Qh", "Kh", "Ah"]]),
        "hand.size",
        ("initialState", "player_cards", 0),
        "6 cards",
    ),
    (
        "discard unreadable",
        setting("phases", 0, "discard", value="?"),
        "card.unreadable",
        ("phases", 0, "discard"),
        "deal 2",
    ),
    (
        "lead of another type",
        setting("phases", 1, "initialLead", value="N"),
        "log.record",
        ("phases", 1, "initialLead"),
        "",
    ),
]


@pytest.mark.parametrize(("change", "code", "path", "words"), [each[1:] for each in BAD], ids=[each[0] for each in BAD])
def test_a_bad_record_is_named_and_the_others_are_read(
    change: Change, code: str, path: tuple[str | int, ...], words: str
) -> None:
    made = document("game02.egn")
    usual = game_of(made)
    change(made["deals"][1])
    game = game_of(made)
    (fault,) = game.faults
    assert (fault.code, fault.path) == (code, ("deals", 1, *path))
    assert "deal 2" in fault.message and words in fault.message
    assert [deal.number for deal in game.deals] == [1, 3, 4, 5, 6, 7, 8, 9]
    assert game.deals == usual.deals[:1] + usual.deals[2:]


@pytest.mark.parametrize("deal", ["AAECAw", None, 3, [], True])
def test_a_deal_that_is_no_object_is_named(deal: object) -> None:
    made = document("game02.egn")
    made["deals"][1] = deal
    (fault,) = game_of(made).faults
    assert fault.path == ("deals", 1) and "deal 2" in fault.message


def test_all_unreadable_cards_of_a_deal_are_named_together() -> None:
    made = one_deal(PLAIN)
    tricks = made["deals"][0]["phases"][1]["tricks"]
    tricks[0][0], tricks[3][2] = "Zz", "1"
    assert [fault.path[-2:] for fault in game_of(made).faults] == [(0, 0), (3, 2)]


@pytest.mark.parametrize(
    ("key", "value"),
    [("fileType", "Euchre Match Notation"), ("fileType", None), ("version", "2.0"), ("version", "1.x")],
)
def test_another_document_is_refused_by_its_name(key: str, value: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        game_of(document("game02.egn") | {key: value})
    assert caught.value.faults[0].path == (key,)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("players", "x"),
        ("players", [1, 2, 3, 4]),
        ("initialScore", [0]),
        ("initialScore", [True, 0]),
        ("initialScore", [0, -1]),
        ("title", 5),
    ],
)
def test_metadata_of_another_type_is_a_fault_and_the_deals_are_read(key: str, value: object) -> None:
    made = document("game02.egn")
    made["metadata"][key] = value
    game = game_of(made)
    assert [fault.path for fault in game.faults] == [("metadata", key)]
    assert len(game.deals) == 9
