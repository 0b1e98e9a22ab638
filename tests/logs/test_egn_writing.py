"""Euchre Game Notation written: the same game when it is read again, and a document that the published schema takes."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import example, given, settings

from solver.errors import InvalidInput
from solver.game.position import Position
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import PRESETS, Rules, with_options
from solver.game.seats import Seat, Side
from solver.logs import read
from solver.logs.egn import document as written
from solver.logs.egn import write
from tests.logs.egn import DATA, LONE_PARTNER, PLAIN, document, game_of, one_deal
from tests.strategies import ALL_RULES, positions

FILES = sorted(path.name for path in DATA.glob("*.egn"))
SCHEMA = json.loads((Path(__file__).parents[1] / "data" / "egn-schema" / "egn-schema-v1.json").read_text())
VALIDATOR = jsonschema_rs.Draft7Validator(SCHEMA, validate_formats=True)

#: Rules that a header can name. Decks of 28 cards have no Benny there.
HEADER_RULES = [
    rules for rules in ALL_RULES if rules.seats == 4 and rules.dealers_partner != "alone_always" and rules.deck != 28
]


def bytes_of(game: GameRecord) -> bytes:
    stream = BytesIO()
    write([game], stream)
    return stream.getvalue()


def again(game: GameRecord) -> GameRecord:
    """The game written and read, having passed the schema."""
    source = bytes_of(game)
    errors = [f"{error.message} at {error.instance_path}" for error in VALIDATOR.iter_errors(json.loads(source))]
    assert not errors
    (found,) = read(source)
    return found


def game_with(position: Position) -> GameRecord:
    return GameRecord(position.rules, (DealRecord(1, position),))


def refusal(game: GameRecord) -> list[str]:
    stream = BytesIO()
    with pytest.raises(InvalidInput) as caught:
        write([game], stream)
    assert {fault.code for fault in caught.value.faults} == {"log.unwritable"}
    assert not stream.getvalue()
    return [str(fault) for fault in caught.value.faults]


# -- the schema is no mere formality -----------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["kitty", "club"])
def test_the_schema_refuses_what_it_does_not_know(place: str) -> None:
    made = one_deal(PLAIN)
    assert VALIDATOR.is_valid(made)
    made["deals"][0]["initialState"][place] = []
    assert not VALIDATOR.is_valid(made)


# -- real games --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_a_real_game_reads_back_the_same(name: str) -> None:
    (game,) = read(DATA / name)
    found = again(game)
    assert [deal.position for deal in found.deals] == [deal.position for deal in game.deals]
    assert [deal.faults for deal in found.deals] == [deal.faults for deal in game.deals]
    assert (found.rules, found.title, found.players) == (game.rules, game.title, game.players)
    assert (found.initial_score, found.faults) == (game.initial_score, game.faults)
    for before, after in zip(game.deals, found.deals, strict=True):
        assert after.notes["dealNumber"] == before.notes["dealNumber"]
        assert after.notes.get("alternativeLines") == before.notes.get("alternativeLines")
        assert after.notes.get("bidding", {}).get("callAnnotations") == (  # type: ignore[attr-defined]
            before.notes.get("bidding", {}).get("callAnnotations")  # type: ignore[attr-defined]
        )


@pytest.mark.parametrize("name", [name for name in FILES if document(name)["version"] == "1.4"])
def test_a_real_document_of_the_present_version_is_written_as_it_was(name: str) -> None:
    (game,) = read(DATA / name)
    assert written(game) == document(name)


def test_writing_is_a_fixed_point() -> None:
    for name in FILES:
        (game,) = read(DATA / name)
        assert written(again(game)) == written(game)


def test_hands_are_listed_only_where_the_play_does_not_tell_them() -> None:
    (game,) = read(DATA / "game14.egn")
    first, second = written(game)["deals"]  # type: ignore[misc, union-attr]
    assert "playerCards" not in first["initialState"]  # type: ignore[index, operator]
    assert any(second["initialState"]["playerCards"])  # type: ignore[index, call-overload]


# -- any deal ----------------------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(positions(HEADER_RULES))
def test_any_deal_at_any_point_reads_back_the_same(position: Position) -> None:
    found = again(game_with(position))
    assert found.rules == position.rules
    (deal,) = found.deals
    assert not deal.faults
    assert deal.position == position


@settings(max_examples=50)
@given(positions(HEADER_RULES))
def test_a_dealt_hand_that_is_not_known_stays_so_until_the_play_tells_it(position: Position) -> None:
    position = position.without_hands(["E", "W"])
    found = again(game_with(position)).deals[0].position
    for seat in (Seat.N, Seat.S):
        assert found.deal.hand(seat) == position.deal.hand(seat)
    assert (found.bids, found.discard, found.plays) == (position.bids, position.discard, position.plays)


def test_options_come_back_by_the_keys_that_name_them() -> None:
    for rules in (
        Rules(),
        Rules(stick_the_dealer=True, lone_lead="maker_left", target=5, lone_march=3, lone_euchre=4),
        Rules(deck=33, dealers_partner="alone_if_ordering"),
        Rules(deck=32),
        PRESETS["british"],
    ):
        assert again(GameRecord(rules, ())).rules == rules


def test_options_without_a_key_are_left_out_where_the_deals_stay_the_same() -> None:
    made = one_deal(PLAIN)
    game = game_of(made)
    rules = with_options(game.rules, {"dealer_may_discard_upcard": False, "lone_lead": "maker"})
    position = replace(game.deals[0].position, deal=replace(game.deals[0].position.deal, rules=rules))
    assert again(game_with(position)).deals[0].position == game.deals[0].position


def test_a_lone_deal_led_by_a_rule_that_no_key_names_is_refused() -> None:
    game = game_of(one_deal(LONE_PARTNER))
    rules = replace(game.rules, lone_lead="maker")
    position = replace(game.deals[0].position, deal=replace(game.deals[0].position.deal, rules=rules))
    (message,) = refusal(game_with(position))
    assert "lone_lead = maker" in message and message.startswith("deals.0: ")


def test_rules_that_the_format_cannot_name_are_refused_by_option() -> None:
    assert "seats = 2" in refusal(GameRecord(PRESETS["two_handed"], ()))[0]
    assert "benny_upcard = H" in refusal(GameRecord(Rules(deck=25, benny_upcard="H"), ()))[0]


def test_a_deal_without_an_auction_is_refused() -> None:
    position = game_of(one_deal(PLAIN)).deals[0].position
    bare = Position(replace(position.deal, upcard=None), given=position.contract)
    assert "without its upcard" in refusal(game_with(bare))[0]


def test_a_file_holds_one_game() -> None:
    game = game_of(one_deal(PLAIN))
    for games, word in (([], "without a game"), ([game, game], "more than one game")):
        with pytest.raises(InvalidInput, match=word):
            write(games, BytesIO())
    assert "100" in refusal(replace(game, deals=game.deals * 101))[0]


# -- what is no play ---------------------------------------------------------------------------------------------------


def test_the_header_is_kept_as_far_as_the_schema_goes() -> None:
    made = one_deal(PLAIN)
    player: dict[str, Any] = {"name": "Ann", "playerIds": [{"id": "7", "source": "club"}]}
    made["metadata"] |= {
        "gameId": "g-1",
        "description": "a final",
        "date": "2026-05-17T19:00:00+05:30",
        "players": [player, "Bo", "Cy"],
        "finalScore": [10, 8],
        "venue": "dropped",
    }
    made["metadata"]["ruleset"]["num_deals"] = 8
    found = written(game_of(made))["metadata"]
    del made["metadata"]["venue"]
    assert found == made["metadata"]
    assert game_of(made).players == {Seat.N: "Ann", Seat.E: "Bo", Seat.S: "Cy"}


@pytest.mark.parametrize(
    "date", ["yesterday", "2026-05-17", "2026-13-40T19:00", "2026-05-17T19:00Z", "2026-02-30T19:00:00Z", 5, None]
)
def test_a_date_that_the_schema_does_not_take_is_left_out(date: object) -> None:
    made = one_deal(PLAIN)
    made["metadata"]["date"] = date
    assert "date" not in document_of(again(game_of(made)))["metadata"]


def document_of(game: GameRecord) -> dict[str, Any]:
    return json.loads(bytes_of(game))


def test_texts_too_long_for_the_schema_are_cut() -> None:
    made = one_deal(PLAIN)
    made["metadata"] |= {"title": "t" * 999, "players": ["p" * 999], "description": "d" * 9999}
    made["deals"][0]["phases"][1]["playAnnotations"] = {"0": ["x" * 9999] * 99, "first": ["y"], "1": "z", "2": [3]}
    found = again(game_of(made))
    assert len(found.title) == 128 and len(found.players[Seat.N]) == 64
    assert found.deals[0].notes["play"] == {"playAnnotations": {"0": ["x" * 1024] * 50}}


def test_the_score_is_that_of_the_sides() -> None:
    game = replace(game_of(one_deal(PLAIN)), initial_score={Side.NS: 3, Side.EW: 8})
    assert again(game).initial_score == {Side.NS: 3, Side.EW: 8}


def test_former_names_are_read_and_present_ones_written() -> None:
    made = one_deal(PLAIN)
    deal = made["deals"][0]
    usual = game_of(made).deals[0].position
    deal["initial_state"] = deal.pop("initialState")
    deal["initial_state"]["up_card"] = deal["initial_state"].pop("upCard")
    bidding, play = deal["phases"]
    bidding["is_alone"] = bidding.pop("isAlone")
    bidding["calls_annotations"], play["tricks_annotations"] = {"0": ["[!]a"]}, {"1": ["b"]}
    line = {
        "branch_index": 0,
        "phases": [{"type": "EUCHRE_BIDDING", "calls": ["o"], "calls_annotations": {"0": ["c"]}}],
    }
    deal["alternative_lines"] = [line]
    made["metadata"]["match_id"] = "m"
    found = again(game_of(made)).deals[0]
    assert found.position == usual
    assert found.notes["bidding"] == {"callAnnotations": {"0": ["[!]a"]}}
    assert found.notes["play"] == {"playAnnotations": {"1": ["b"]}}
    phase = {"phaseNumber": 0, "type": "EUCHRE_BIDDING", "calls": ["Order"], "callAnnotations": {"0": ["c"]}}
    assert found.notes["alternativeLines"] == [{"branchIndex": 0, "phases": [phase]}]


@pytest.mark.parametrize(
    "line",
    [
        7,
        {},
        {"branchIndex": -1, "phases": [{"type": "TRICK_PLAY", "tricks": []}]},
        {"branchIndex": 0, "phases": []},
        {"branchIndex": 0, "phases": [3]},
        {"branchIndex": 0, "phases": [{"type": "EUCHRE_BIDDING", "calls": ["shrug"]}]},
        {"branchIndex": 0, "phases": [{"type": "EUCHRE_BIDDING", "calls": 5}]},
        {"branchIndex": 0, "phases": [{"type": "TRICK_PLAY", "tricks": [["??"]]}]},
        {"branchIndex": 0, "phases": [{"type": "TRICK_PLAY", "tricks": [4]}]},
    ],
)
def test_a_line_that_no_reader_would_open_is_left_out(line: object) -> None:
    made = one_deal(PLAIN)
    made["deals"][0]["alternativeLines"] = [line]
    assert "alternativeLines" not in again(game_of(made)).deals[0].notes


# -- deals with faults -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"calls": ["Pass"] * 4 + ["d", "Pass", "s"]},
        {"calls": ["h"]},
        {"calls": ["Pass"] * 8},
        {"isAlone": True, "calls": ["Pass"] * 4},
        {"discard": "9h"},
    ],
)
def test_a_fault_of_the_calls_is_still_there_when_read_again(change: dict[str, object]) -> None:
    made = one_deal(PLAIN)
    made["deals"][0]["phases"][0] |= change
    made["deals"][0]["phases"][1]["tricks"] = []
    game = game_of(made)
    found = again(game)
    assert game.deals[0].faults
    assert found.deals[0].faults == game.deals[0].faults
    assert found.deals[0].position == game.deals[0].position


def test_a_listed_hand_that_the_play_contradicts_is_written_as_it_was() -> None:
    made = one_deal(PLAIN)
    made["deals"][0]["initialState"]["playerCards"] = [["9c", "10c", "J♣", "Qc", "Kc"], [], ["Xx", "Ad"], []]
    game = game_of(made)
    assert [fault.code for fault in game.deals[0].faults] == ["log.inconsistent"]
    assert again(game).deals[0].faults == game.deals[0].faults


@settings(max_examples=50)
@given(positions([Rules()]))
@example(Position(game_of(one_deal(PLAIN)).deals[0].position.deal))
def test_a_document_is_the_same_whatever_notes_other_formats_left(position: Position) -> None:
    notes = {"bidding": 3, "play": ["x"], "initialState": None, "dealNumber": "one", "alternativeLines": {}, "tags": {}}
    game = GameRecord(position.rules, (DealRecord(1, position, (), notes),), notes={"metadata": 1})
    assert written(game) == written(game_with(position))
