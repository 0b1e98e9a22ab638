"""Euchre Game Notation: real games against another program's reading of them, and every way a file can be wrong."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import Fault, InvalidInput
from solver.game.cards import CardSet
from solver.game.order import card_order
from solver.game.position import Decision
from solver.game.record import DealRecord, GameRecord
from solver.game.scoring import score
from solver.game.seats import Seat, Side
from solver.logs import read
from solver.notation.codes import read_card, read_cards

DATA = Path(__file__).parents[1] / "data" / "egn"
FILES = sorted(path.name for path in DATA.glob("*.egn"))
EXPECTED = {each["file"]: each["deals"] for each in map(json.loads, (DATA / "expected.jsonl").read_text().splitlines())}
DEALS = [(name, at) for name in FILES for at in range(len(EXPECTED[name]))]

#: A deal of game02, and lone deals of game04 (the dealer's) and game05 (the dealer's partner's, in round 2).
PLAIN, LONE_DEALER, LONE_PARTNER = ("game02.egn", 1), ("game04.egn", 10), ("game05.egn", 0)


def document(name: str) -> dict[str, Any]:
    return json.loads((DATA / name).read_text())


def game_of(value: object) -> GameRecord:
    (game,) = read(json.dumps(value).encode(), "egn")
    return game


def one_deal(place: tuple[str, int], **ruleset: object) -> dict[str, Any]:
    """A document with that deal alone, for a test to change."""
    name, at = place
    made = document(name)
    made["deals"] = [made["deals"][at]]
    made["metadata"]["ruleset"] |= ruleset
    return made


def played(record: DealRecord) -> dict[Seat, list[str]]:
    """The cards by seat in the order played."""
    play = record.position.play()
    cards: dict[Seat, list[str]] = {seat: [] for seat in Seat}
    for trick in play.tricks:
        for seat, card in zip(trick.seats, trick.cards, strict=True):
            cards[seat].append(str(card))
    for seat, card in zip(play.order_of_trick(), play.table, strict=False):
        cards[seat].append(str(card))
    return cards


def cards_shown_late(record: DealRecord) -> int:
    """Cards played after their owner had failed to follow the suit they count as."""
    contract = record.position.contract
    assert contract is not None
    order = card_order(record.position.rules, contract.trump)
    void: set[tuple[Seat, int]] = set()
    late = 0
    for trick in record.position.play().tricks:
        for seat, card in zip(trick.seats, trick.cards, strict=True):
            late += (seat, order.suit(card)) in void
            if order.suit(card) != order.suit(trick.cards[0]):
                void.add((seat, order.suit(trick.cards[0])))
    return late


# -- real games --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_every_deal_of_a_real_game_is_read(name: str) -> None:
    (game,) = read(DATA / name)
    metadata = document(name)["metadata"]
    assert [deal.number for deal in game.deals] == list(range(1, len(EXPECTED[name]) + 1))
    assert not game.faults
    assert game.title == metadata["title"]
    assert list(game.players.values()) == metadata["players"]
    assert [game.initial_score[side] for side in (Side.NS, Side.EW)] == metadata["initialScore"]
    assert game.rules.stick_the_dealer


@pytest.mark.parametrize(("name", "at"), DEALS)
def test_a_real_deal_is_read_as_another_program_reads_it(name: str, at: int) -> None:
    (game,) = read(DATA / name)
    record, expected = game.deals[at], EXPECTED[name][at]
    position, contract = record.position, record.position.contract
    assert contract is not None and position.auction is not None
    assert position.deal.dealer == expected["dealer"]
    assert position.deal.upcard == read_card(expected["up"])
    assert contract.trump.letter == expected["trump"]
    assert contract.maker == expected["maker"]
    assert contract.alone == expected["alone"]
    assert contract.sitting_out == expected["out"]
    assert position.auction.takes_upcard == expected["ordered"]
    assert played(record) == {Seat(int(seat)): cards for seat, cards in expected["hands"].items()}
    tricks = position.play().tricks_won()
    assert [tricks[Side.NS], tricks[Side.EW]] == expected["tricks"]
    assert (position.decision == Decision.OVER) == expected["complete"]
    if expected["complete"]:
        points = score(position.rules, contract, tricks)
        assert [points[Side.NS], points[Side.EW]] == expected["points"]
        assert cards_shown_late(record) == expected["reneges"]
    assert any(fault.code == "play.illegal" for fault in record.faults) == (expected["reneges"] > 0)
    if not expected["reneges"]:
        assert not record.faults


@pytest.mark.parametrize(("name", "at"), DEALS)
def test_a_complete_real_deal_has_every_hand_but_the_one_that_sat_out(name: str, at: int) -> None:
    (game,) = read(DATA / name)
    position = game.deals[at].position
    if not EXPECTED[name][at]["complete"]:
        assert position.deal.hands == (None,) * 4
        return
    in_play = position.hands_in_play
    for seat, cards in EXPECTED[name][at]["hands"].items():
        if cards:
            assert in_play[int(seat)] == CardSet.of(read_cards(" ".join(cards)))
    if not game.deals[at].faults:
        sizes = [f"{seat}" for fault in position.problems() for seat in fault.path]
        assert not sizes


def test_revokes_are_reported_by_deal_trick_seat_and_card_and_the_rest_is_read() -> None:
    (game,) = read(DATA / "game27.egn")
    (fault,) = game.deals[1].faults
    assert fault == Fault(
        "play.illegal",
        "deal 2: TD: clubs were led and KC is held (trick 1, N)",
        ("deals", 1, "phases", 1, "tricks", 0, 3),
    )
    assert len(game.deals[1].position.plays) == 20


def test_what_is_no_play_is_kept_in_the_notes() -> None:
    (game,) = read(DATA / "game04.egn")
    source = document("game04.egn")
    assert game.notes["metadata"] == source["metadata"]
    assert game.notes["version"] == "1.4"
    assert game.deals[1].notes["alternativeLines"] == source["deals"][1]["alternativeLines"]
    bidding = game.deals[10].notes["bidding"]
    assert bidding == {"callAnnotations": source["deals"][10]["phases"][0]["callAnnotations"]}
    assert [deal.notes["dealNumber"] for deal in game.deals] == list(range(11))


def test_keys_that_nobody_knows_are_kept_in_the_notes() -> None:
    made = one_deal(PLAIN)
    deal = made["deals"][0]
    made["club"] = {"name": "x"}
    deal["table"], deal["initialState"]["clock"] = 3, [1, 2]
    deal["phases"][0]["thinking"], deal["phases"][1]["playAnnotations"] = [0.5], {"0": ["!"]}
    game = game_of(made)
    assert game.notes["club"] == {"name": "x"}
    assert game.deals[0].notes == {
        "dealNumber": 1,
        "table": 3,
        "initialState": {"clock": [1, 2]},
        "bidding": {"thinking": [0.5]},
        "play": {"playAnnotations": {"0": ["!"]}},
    }


# -- hands, discard, kitty ---------------------------------------------------------------------------------------------


def test_a_dealer_whose_discard_is_not_known_has_four_cards_as_dealt() -> None:
    (game,) = read(DATA / "game02.egn")
    position = game.deals[0].position
    assert position.discard is None and position.discard_unknown
    assert position.deal.hand(Seat.N) == CardSet.of(read_cards("9C AS KC TS"))
    assert not position.problems()


def test_a_known_discard_completes_the_dealers_hand() -> None:
    (game,) = read(DATA / "game04.egn")
    position = game.deals[0].position
    assert position.discard == read_card("KS")
    assert position.deal.hand(Seat.S) == CardSet.of(read_cards("AC AH TH QH KS"))
    assert not position.problems()


def test_an_upcard_that_the_dealer_never_plays_was_discarded() -> None:
    made = one_deal(("game02.egn", 6))  # JC is turned up, the dealer plays it to the last trick
    made["deals"][0]["phases"][1]["tricks"][4][0] = "Kh"
    game = game_of(made)
    position = game.deals[0].position
    assert position.discard == position.deal.upcard == read_card("JC")
    assert read_card("KH") in (position.deal.hand(Seat.S) or ())
    assert not position.problems()


@pytest.mark.parametrize("kitty_known", [True, False])
def test_the_hand_that_sits_out_is_known_if_listed_or_if_nothing_else_is_left(kitty_known: bool) -> None:
    made = document("game14.egn")
    made["deals"] = made["deals"][1:]
    state = made["deals"][0]["initialState"]
    if kitty_known:
        state["player_cards"] = [[], [], [], []]
    else:
        state["kitty"] = ["", "Xx", ""]
    position = game_of(made).deals[0].position
    assert position.deal.hand(Seat.E) == CardSet.of(read_cards("QD QC KC KH KS"))


def test_the_discard_follows_from_a_known_kitty() -> None:
    made = one_deal(("game02.egn", 0))
    used = {read_card(card) for trick in made["deals"][0]["phases"][1]["tricks"] for card in trick}
    rest = [str(card) for card in game_of(made).rules.cards if card not in used]
    made["deals"][0]["initialState"]["kitty"] = rest[:3]
    record = game_of(made).deals[0]
    assert not record.faults and not record.position.problems()
    assert record.position.discard == read_card(rest[3])
    assert len(record.position.deal.hand(Seat.N) or ()) == 5


@pytest.mark.parametrize("listed", ["9c As Kc Ts Ad", "9c As Kc Ts Ad Th"])
def test_a_listed_hand_of_the_dealer_tells_the_discard(listed: str) -> None:
    made = one_deal(("game02.egn", 0))
    made["deals"][0]["initialState"]["playerCards"] = [listed.split(), [], [], []]
    # AD is in the kitty or was discarded: nobody played it.
    record = game_of(made).deals[0]
    assert not record.faults
    assert record.position.discard == read_card("AD")


def test_a_listed_hand_that_the_play_contradicts_is_a_fault_and_the_play_counts() -> None:
    made = one_deal(PLAIN)
    made["deals"][0]["initialState"]["player_cards"] = [["9c", "Tc", "Jc", "Qc", "Kc"], [], [], []]
    record = game_of(made).deals[0]
    (fault,) = record.faults
    assert fault.code == "log.inconsistent"
    assert fault.path == ("deals", 0, "initialState", "player_cards", 0)
    assert record.position.deal.hand(Seat.N) == CardSet.of(read_cards("QH KS 9C KC AH"))


@pytest.mark.parametrize(
    ("place", "value", "path"),
    [
        ("kitty", ["Jd", "", ""], ("initialState", "kitty")),
        ("discard", "Ac", ("phases", 0, "discard")),
    ],
)
def test_a_kitty_or_discard_that_was_played_is_a_fault(place: str, value: object, path: tuple[object, ...]) -> None:
    made = one_deal(("game02.egn", 0))
    deal = made["deals"][0]
    (deal["initialState"] if place == "kitty" else deal["phases"][0])[place] = value
    (fault,) = game_of(made).deals[0].faults
    assert (fault.code, fault.path) == ("log.inconsistent", ("deals", 0, *path))


def test_a_discard_without_an_order_is_a_fault() -> None:
    made = one_deal(PLAIN)
    made["deals"][0]["phases"][0]["discard"] = "9h"
    (fault,) = game_of(made).deals[0].faults
    assert (fault.code, fault.path) == ("discard.illegal", ("deals", 0, "phases", 0, "discard"))


def test_a_played_upcard_that_was_turned_down_is_a_fault() -> None:
    made = one_deal(PLAIN)  # AS was turned down
    made["deals"][0]["phases"][1]["tricks"][4][3] = "As"
    fault = game_of(made).deals[0].faults[0]
    assert fault.code == "log.inconsistent" and "turned down" in fault.message
    assert fault.path == ("deals", 0, "phases", 1, "tricks", 4, 3)


def test_bowers_may_be_written_as_such() -> None:
    made = one_deal(PLAIN)  # diamonds
    text = (
        json.dumps(made).replace('"Jd"', '"R"').replace('"Jh"', '"L"').replace('"9d"', '"Nd"').replace('"Td"', '"10d"')
    )
    assert game_of(json.loads(text)).deals[0].position == game_of(made).deals[0].position


# -- deals that end early ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", range(20))
def test_a_deal_cut_short_keeps_its_plays_and_finds_its_revokes(cards: int) -> None:
    (game,) = read(DATA / "game27.egn")
    whole = game.deals[1].position.plays
    made = one_deal(("game27.egn", 1))
    tricks = made["deals"][0]["phases"][1]["tricks"]
    flat = [card for trick in tricks for card in trick][:cards]
    made["deals"][0]["phases"][1]["tricks"] = [flat[at : at + 4] for at in range(0, cards, 4)]
    record = game_of(made).deals[0]
    assert record.position.plays == whole[:cards]
    assert record.position.decision == Decision.PLAY
    # N failed to follow clubs in the first trick, and leads one to the last.
    assert [fault.path[-2:] for fault in record.faults] == ([(0, 3)] if cards > 16 else [])


def test_a_deal_that_nobody_made_trump_in_is_a_record() -> None:
    made = one_deal(PLAIN, std=False)
    deal = made["deals"][0]
    deal["phases"] = [{"type": "EUCHRE_BIDDING", "calls": ["Pass"] * 8, "isAlone": False}]
    record = game_of(made).deals[0]
    assert not record.faults
    assert record.position.decision == Decision.OVER
    assert record.position.auction is not None and record.position.auction.thrown_in


def test_a_listed_hand_stands_in_a_deal_cut_short() -> None:
    made = one_deal(PLAIN)
    deal = made["deals"][0]
    deal["phases"][1]["tricks"] = deal["phases"][1]["tricks"][:1]
    deal["initialState"]["player_cards"] = [[], [], ["Jd", "Jh", "Js", "Jc", "9h"], []]
    record = game_of(made).deals[0]
    assert not record.faults
    assert record.position.deal.hands[:2] == (None, None)
    assert record.position.deal.hand(Seat.S) == CardSet.of(read_cards("JD JH JS JC 9H"))
    deal["initialState"]["player_cards"][2][0] = "Ad"
    (fault,) = game_of(made).deals[0].faults
    assert fault.code == "play.illegal" and "S does not hold it" in fault.message


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


# -- records that cannot be read ---------------------------------------------------------------------------------------

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
    ("empty phases", setting("phases", value=[]), "log.record", ("phases",), "EUCHRE_BIDDING"),
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


# -- any file whatever -------------------------------------------------------------------------------------------------

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
