"""Euchre Game Notation: rulesets, who leads, and calls."""

from __future__ import annotations

from typing import Any

import pytest

from solver.errors import InvalidInput
from tests.logs.egn import LONE_DEALER, LONE_PARTNER, PLAIN, game_of, one_deal

# -- ruleset and lead --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "options"),
    [
        ({"std": False}, {}),
        ({"std": True}, {"stick_the_dealer": True}),
        ({"std": False, "canadian": True}, {"dealers_partner": "alone_if_ordering"}),
        ({"std": False, "loner_lead": "LEFT_OF_LONER"}, {"lone_lead": "maker_left"}),
        ({"std": False, "lonerLead": "LEFT_OF_LONER"}, {"lone_lead": "maker_left"}),
        ({"std": False, "min_rank": 7, "winning_score": 5}, {"deck": 32, "target": 5}),
        ({"std": False, "joker": True, "farmers": False}, {"deck": 25}),
        ({}, {"stick_the_dealer": True}),
        ({"std": False, "loner_march_score": 5, "loner_euchred_score": 3}, {"lone_march": 5, "lone_euchre": 3}),
        ({"std": False, "num_deals": 8, "winning_score": 0, "num_players": 4}, {}),
    ],
)
def test_rulesets_map_onto_options(ruleset: dict[str, object], options: dict[str, object]) -> None:
    made = one_deal(PLAIN)
    made["deals"] = []
    made["metadata"]["ruleset"] = ruleset
    game = game_of(made)
    assert not game.faults
    assert game.rules.differences(type(game.rules)()) == options


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("loner_lead", "RIGHT_OF_MARS"),
        ("std", "yes"),
        ("std", 1),
        ("canadian", None),
        ("duplicate", True),
        ("min_rank", 10),
        ("joker", "one"),
        ("loner_lead", [1]),
    ],
)
def test_a_ruleset_value_that_is_not_known_is_a_fault_that_names_it(key: str, value: object) -> None:
    game = game_of(one_deal(PLAIN, **{key: value}))
    (fault,) = game.faults
    assert fault.code == "rules.unknown"
    assert fault.path == ("metadata", "ruleset", key)
    assert key in fault.message and str(value if not isinstance(value, list) else "1") in fault.message
    assert len(game.deals) == 1


@pytest.mark.parametrize(
    "key",
    ["allow_no_trump", "allowNoTrump", "partners_best", "defend_alone", "farmers", "farmer", "go_under", "fast_break"],
)
def test_a_way_to_play_that_is_not_supported_refuses_the_file_by_name(key: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        game_of(one_deal(PLAIN, **{key: True}))
    (fault,) = caught.value.faults
    assert fault.code == "rules.unsupported"
    assert fault.path == ("metadata", "ruleset", key)


def test_tables_of_other_than_four_and_lone_defenders_are_refused() -> None:
    with pytest.raises(InvalidInput, match="of four"):
        game_of(one_deal(PLAIN, num_players=6))
    made = one_deal(LONE_DEALER)
    made["deals"][0]["phases"][0]["aloneDefender"] = -1
    assert not game_of(made).faults
    made["deals"][0]["phases"][0]["aloneDefender"] = 1
    (fault,) = game_of(made).faults
    assert fault.code == "rules.unsupported" and fault.path == ("deals", 0, "phases", 0, "aloneDefender")


def test_a_deal_that_was_only_set_up_is_a_record() -> None:
    made = one_deal(PLAIN)
    made["deals"][0]["phases"] = []
    (record,) = game_of(made).deals
    assert not record.faults and record.position.bids == ()


def test_the_lead_follows_from_the_lone_lead_rule() -> None:
    # The dealer N is alone: dealer's left and the loner's left are the same seat. For S alone they are not.
    for rule, leaders in (("LEFT_OF_DEALER", "EE"), ("LEFT_OF_LONER", "EW")):
        for place, leader in zip((LONE_DEALER, LONE_PARTNER), leaders, strict=True):
            contract = game_of(one_deal(place, loner_lead=rule)).deals[0].position.contract
            assert contract is not None and contract.leader.name == leader


def lone_order_of_the_eldest(leads: str) -> dict[str, Any]:
    """E deals and takes QD, S orders alone and leads by one rule; by the other, W would."""
    made = one_deal(("game05.egn", 1), loner_lead=leads)
    bidding, play = made["deals"][0]["phases"]
    bidding["isAlone"] = True
    play["tricks"] = [cards.split() for cards in ("Jd Ts 9d", "Ad Jc Qd", "Kd Kh Kc", "As Ah 9h", "9s Ac Qh")]
    return made


def test_a_header_with_the_wrong_lone_lead_rule_is_named() -> None:
    assert not game_of(lone_order_of_the_eldest("LEFT_OF_DEALER")).deals[0].faults
    upcard, header = game_of(lone_order_of_the_eldest("LEFT_OF_LONER")).deals[0].faults
    assert "QD: S played the upcard, but E took it" in upcard.message
    assert header.code == "log.inconsistent"
    assert "LEFT_OF_LONER" in header.message and "LEFT_OF_DEALER" in header.message and "wrong rule" in header.message


def test_a_wrong_lone_lead_rule_makes_no_revoke() -> None:
    # Three hands in a ring: another leader moves every card by as many seats, and each hand stays together.
    for rule in ("LEFT_OF_DEALER", "LEFT_OF_LONER"):
        assert not game_of(one_deal(LONE_PARTNER, loner_lead=rule)).deals[0].faults


def test_a_listed_hand_tells_a_wrong_lone_lead_rule() -> None:
    made = one_deal(LONE_PARTNER, loner_lead="LEFT_OF_LONER")
    made["deals"][0]["initialState"]["player_cards"] = [[], [], ["As", "Jh", "Jd", "Th", "Qs"], []]
    listed, header = game_of(made).deals[0].faults
    assert listed.path[-2:] == ("player_cards", 2)
    assert "wrong rule" in header.message


def test_an_initial_lead_must_agree_with_the_rules() -> None:
    made = one_deal(LONE_PARTNER)
    play = made["deals"][0]["phases"][1]
    play["initialLead"] = 1
    assert not game_of(made).deals[0].faults
    play["initialLead"] = 2
    (fault,) = game_of(made).deals[0].faults
    assert fault.path == ("deals", 0, "phases", 1, "initialLead")
    assert "S" in fault.message and "E leads" in fault.message


# -- calls -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "at", "why"),
    [
        (["Pass"] * 4 + ["s"], 4, "turned down"),
        (["h"], 0, "round 1"),
        (["Pass"] * 4 + ["Order"], 4, "turned down"),
        (["Order", "Pass"], 1, "ended the auction"),
        (["Pass"] * 8, 7, "stuck"),
        (["Pass"] * 4 + ["h", "Pass", "d"], 5, "ended the auction"),
    ],
)
def test_an_illegal_call_is_a_fault_at_its_place(calls: list[str], at: int, why: str) -> None:
    made = one_deal(PLAIN)  # AS is turned up
    made["deals"][0]["phases"][0]["calls"] = calls
    made["deals"][0]["phases"][1]["tricks"] = []
    record = game_of(made).deals[0]
    fault = record.faults[0]
    assert fault.code == "bid.illegal" and why in fault.message
    assert fault.path == ("deals", 0, "phases", 0, "calls", at)
    assert record.notes["bidding"] == {"calls": calls, "isAlone": False}


def test_short_calls_and_the_upcards_suit_are_read() -> None:
    made = one_deal(("game02.egn", 0))
    usual = game_of(made).deals[0].position
    for calls in (["p", "o"], ["PASS", "order"], ["p", "h"], ["Pass", "Hearts"]):
        made["deals"][0]["phases"][0]["calls"] = calls
        assert game_of(made).deals[0].position == usual


def test_alone_without_a_maker_is_a_fault() -> None:
    made = one_deal(PLAIN, std=False)
    made["deals"][0]["phases"] = [{"type": "EUCHRE_BIDDING", "calls": ["Pass"] * 8, "isAlone": True}]
    (fault,) = game_of(made).deals[0].faults
    assert fault.path == ("deals", 0, "phases", 0, "isAlone")


def test_plays_without_a_contract_are_a_fault() -> None:
    made = one_deal(PLAIN)
    made["deals"][0]["phases"][0]["calls"] = ["Pass"]
    record = game_of(made).deals[0]
    (fault,) = record.faults
    assert fault.path == ("deals", 0, "phases", 1, "tricks", 0, 0)
    assert record.notes["play"] == {"tricks": made["deals"][0]["phases"][1]["tricks"]}
