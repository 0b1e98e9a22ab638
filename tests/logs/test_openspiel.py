"""OpenSpiel's action lists: its own games replayed step by step, and lines that are none."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import InvalidInput
from solver.game.auction import ORDER, PASS, Bid, Call, discards
from solver.game.cards import Card
from solver.game.position import Decision, Position
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import Rules
from solver.game.seats import Seat
from solver.logs import openspiel, read
from solver.logs.openspiel import card_of, points_of
from solver.notation.deal_code import read_code
from tests.strategies import positions

GAMES = Path(__file__).parents[1] / "data" / "golden" / "openspiel_games.jsonl"
LINES = [json.loads(line) for line in GAMES.read_text().splitlines()]
PLAYABLE = [line for line in LINES if "allow_lone_defender=false" in line["game"]]
REFUSED = [line for line in LINES if "allow_lone_defender=true" in line["game"]]


def games_of(*lines: object) -> list[GameRecord]:
    return list(read("\n".join(json.dumps(line) for line in lines).encode(), "openspiel"))


def game_of(line: object) -> GameRecord:
    (game,) = games_of(line)
    return game


def shown(card: Card) -> str:
    return str(card)[::-1]


def decisions(position: Position) -> list[tuple[str, set[str], str]]:
    """Seat, legal actions and the one taken at every decision of a whole deal, as OpenSpiel asks and names them."""
    whole, auction = position, position.auction
    assert auction is not None
    found: list[tuple[str, set[str], str]] = []
    at = Position(whole.deal)

    def naming(bid: Bid) -> str:
        suit = auction.up_suit if bid.call == Call.ORDER else bid.suit
        return "Pass" if suit is None or bid.call == Call.PASS else suit.name.capitalize()

    for bid in whole.bids:
        assert at.decision == Decision.BID and at.to_act is not None and at.auction is not None
        legal = at.auction.legal_bids(at.deal.hand(at.to_act))
        assert bid in legal
        found.append((str(at.to_act), {naming(each) for each in legal}, naming(bid)))
        at = at.after(bid=bid)
    contract = at.contract
    if contract is None:
        return found
    if at.decision == Decision.DISCARD:
        dealer = at.to_act
        assert dealer is not None and at.auction is not None and whole.discard is not None
        legal_cards = discards(at.auction, at.deal.hand(dealer) or at.rules.cards)
        found.append((str(dealer), {shown(card) for card in legal_cards}, shown(whole.discard)))
        at = at.after(discard=whole.discard)
    alone = {each.alone for each in Position(whole.deal, whole.bids[:-1]).auction.legal_bids()} if whole.bids else set()
    assert alone == {True, False}
    found.append((str(contract.maker), {"Alone", "Partner"}, "Alone" if contract.alone else "Partner"))
    play = at.start()
    for card in whole.plays:
        assert not play.check(card)
        found.append((str(play.to_act), {shown(each) for each in play.legal()}, shown(card)))
        play.push(card)
    assert play.over
    return found


def test_there_are_300_games_without_lone_defenders() -> None:
    assert (len(PLAYABLE), len(REFUSED)) == (300, 100)


@pytest.mark.parametrize("part", range(10))
def test_every_decision_of_openspiel_has_the_same_legal_actions_and_result_here(part: int) -> None:
    for line in PLAYABLE[part::10]:
        game = game_of(line)
        (record,) = game.deals
        assert not game.faults and not record.faults
        steps = [(step["seat"], set(step["legal"]), step["action"]) for step in line["steps"]]
        assert decisions(record.position) == steps
        assert points_of(record.position) == line["returns"]
        assert record.position.decision == Decision.OVER


def test_games_with_lone_defenders_are_refused_by_name() -> None:
    for game in games_of(*REFUSED):
        (fault,) = game.faults
        assert fault.code == "rules.unsupported" and "defend_alone" in fault.message
        assert not game.deals


def test_parameters_are_options() -> None:
    for value, stick in (("false", False), ("True", True)):
        rules = game_of(PLAYABLE[0] | {"game": f"euchre(stick_the_dealer={value})"}).rules
        assert rules.stick_the_dealer is stick
        assert not rules.dealer_may_discard_upcard
    assert game_of({"history": PLAYABLE[0]["history"]}).rules.stick_the_dealer


def test_a_bare_list_is_a_game() -> None:
    line = PLAYABLE[0]
    assert game_of(line["history"]).deals[0].position.plays == game_of(line).deals[0].position.plays


def test_what_else_a_line_holds_is_kept_in_the_notes() -> None:
    assert game_of(PLAYABLE[0]).deals[0].notes == {key: value for key, value in PLAYABLE[0].items() if key != "history"}


def test_seats_and_cards_are_numbered_as_openspiel_does() -> None:
    assert [str(card_of(action)) for action in (0, 1, 2, 3, 4, 8, 23)] == ["9C", "9D", "9H", "9S", "TC", "JC", "AS"]
    position = game_of([3, *range(21), 24]).deals[0].position
    assert position.deal.dealer == Seat.W
    assert str(position.deal.upcard) == "AC"
    assert str(position.deal.hand(Seat.W)) == "9C TC JC QC KC"
    assert position.bids == (PASS,)


def test_lines_are_read_on_after_a_bad_one_and_records_count_on() -> None:
    source = b"\n".join([json.dumps(PLAYABLE[0]).encode(), b"", b"{", json.dumps(PLAYABLE[1]).encode()])
    first, bad, last = read(source)
    assert (first.deals[0].number, last.deals[0].number) == (1, 3)
    assert not bad.deals
    assert bad.faults[0].code == "json.invalid" and bad.faults[0].path == ("lines", 2)
    assert bad.faults[0].message.startswith("line 3: ")


# -- histories that are odd --------------------------------------------------------------------------------------------

DEAL = [3, *range(21)]  # W deals itself the clubs; AC is turned up


@pytest.mark.parametrize(
    ("history", "place", "words"),
    [
        ([], (), "before the upcard"),
        (DEAL[:21], (), "before the upcard"),
        ([4, *DEAL[1:]], (0,), "dealer"),
        ([3, *range(20), 19], (21,), "dealt twice"),
        ([3, 24, *range(20)], (1,), "a card"),
        ([*DEAL, 3], (22,), "a bid"),
        ([*DEAL, 29], (22,), "a bid"),
        ([*DEAL, 25, 24], (23,), "discard"),
        ([*DEAL, 25, 0, 3], (24,), "30"),
        ([*DEAL, 25, 0, 30, 29], (25,), "a play"),
        ([*DEAL, *[24] * 8, 3], (30,), "follow the end"),
        ([*DEAL, 25, 0, 29, *range(16)], (40,), "16 cards"),
        ([*DEAL, 31], (22,), "0 to 30"),
        ([*DEAL, True], (22,), "a number"),
        ([*DEAL, 24.0], (22,), "a number"),
        ([*DEAL, "24"], (22,), "a number"),
        ("24", (), "a list"),
        (None, (), "a list"),
    ],
)
def test_a_history_that_is_none_is_named_with_its_place(history: Any, place: tuple[int, ...], words: str) -> None:
    game = game_of({"history": history})
    (fault,) = game.faults
    assert fault.path == ("lines", 0, "history", *place)
    assert words in fault.message
    assert not game.deals


@pytest.mark.parametrize(
    ("history", "place", "code"),
    [
        ([*DEAL, 26, 30], 22, "bid.illegal"),
        ([*DEAL, *[24] * 8], 29, "bid.illegal"),
        ([*DEAL, 25, 20], 23, "discard.illegal"),
        ([*DEAL, 25, 0, 30, 0], 25, "play.illegal"),
        ([*DEAL, 25, 0, 30, 1, 2, 3, 4, 8, 5, 6, 7], 32, "play.illegal"),  # clubs led, S keeps the left bower
        ([*DEAL, 25, 0], 23, "log.record"),
    ],
)
def test_an_illegal_action_is_a_fault_at_its_place(history: list[int], place: int, code: str) -> None:
    complete = [*history, 30] if code == "discard.illegal" else history
    (record,) = game_of(complete).deals
    assert record.faults[0].code == code
    assert record.faults[0].path == ("lines", 0, "history", place)


def test_a_history_may_end_anywhere_after_the_deal() -> None:
    whole = PLAYABLE[1]
    actions = whole["history"]
    for end in range(22, len(actions) + 1):
        (record,) = game_of(whole | {"history": actions[:end]}).deals
        undecided = any(25 <= action <= 28 for action in actions[22:end]) and not {29, 30} & set(actions[22:end])
        assert [fault.code for fault in record.faults] == ["log.record"] * undecided
        assert (record.position.decision == Decision.OVER) == (end == len(actions))


def test_an_order_is_left_out_until_it_is_known_whether_it_was_alone() -> None:
    for history in ([*DEAL, 24, 25], [*DEAL, 24, 25, 0]):
        position = game_of(history).deals[0].position
        assert position.bids == (PASS,) and position.discard is None
    assert game_of([*DEAL, 24, 25, 0, 30]).deals[0].position.bids == (PASS, ORDER)


def test_returns_that_the_deal_did_not_give_are_a_fault() -> None:
    for returns in ([9, -9, 9, -9], [], "2", None):
        faults = game_of(PLAYABLE[0] | {"returns": returns}).deals[0].faults
        assert [fault.path for fault in faults] == [("lines", 0, "returns")] * (returns is not None)


@pytest.mark.parametrize(
    "game", ["chess", "euchre(", "euchre(bids=3)", "euchre(stick_the_dealer=maybe)", None, 3, "x" * 999]
)
def test_another_game_is_refused_by_its_name(game: object) -> None:
    (fault,) = game_of(PLAYABLE[0] | {"game": game}).faults
    assert fault.path == ("lines", 0, "game") and len(fault.message) < 120


# -- any file whatever -------------------------------------------------------------------------------------------------

SOURCE = "\n".join(
    json.dumps(line) for line in [PLAYABLE[0], PLAYABLE[250], REFUSED[0], PLAYABLE[3]["history"]]
).encode()


def survives(source: bytes) -> None:
    try:
        games = list(read(source, "openspiel"))
    except InvalidInput:
        return
    for game in games:
        for fault in game.faults:
            assert len(fault.message.encode()) < 400
        for record in game.deals:
            record.position.problems()
            assert record.position.decision in Decision


@given(
    st.lists(st.tuples(st.integers(0, len(SOURCE) - 1), st.integers(0, 255)), max_size=5), st.integers(0, len(SOURCE))
)
@settings(max_examples=150)
def test_other_bytes_and_cuts_never_do_harm(changes: list[tuple[int, int]], end: int) -> None:
    changed = bytearray(SOURCE)
    for place, byte in changes:
        changed[place] = byte
    survives(bytes(changed[:end]))
    survives(bytes(changed))


@given(
    st.sampled_from(PLAYABLE[:20] + PLAYABLE[200:210]),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 30)), min_size=1, max_size=3),
)
@settings(max_examples=200)
def test_other_actions_never_do_harm(line: dict[str, Any], changes: list[tuple[int, int]]) -> None:
    history = list(line["history"])
    for place, action in changes:
        history[place % len(history)] = action
    survives(json.dumps(line | {"history": history}).encode())


# -- writing -----------------------------------------------------------------------------------------------------------


def written(*records: DealRecord) -> list[Any]:
    stream = io.BytesIO()
    openspiel.write([GameRecord(record.position.rules, (record,)) for record in records], stream)
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_every_game_of_openspiel_is_written_as_it_was() -> None:
    """Up to the order in which the cards of a hand are dealt, which a deal does not know."""
    for line in PLAYABLE[::20]:
        (value,), (bare,) = written(game_of(line).deals[0]), written(game_of(line["history"]).deals[0])
        assert value["history"][21:] == line["history"][21:] and value["history"][0] == line["history"][0]
        for seat in range(1, 5):
            assert sorted(value["history"][seat:21:4]) == sorted(line["history"][seat:21:4])
        assert value | {"history": line["history"]} == line
        assert bare == value["history"]


@given(positions([Rules(), openspiel.RULES]))
@settings(max_examples=60)
def test_a_deal_is_read_back_with_its_play_or_refused(position: Position) -> None:
    try:
        (value,) = written(DealRecord(1, position))
    except InvalidInput as error:
        refused = [fault.code for fault in error.faults]
        ordered = position.auction is not None and position.auction.takes_upcard
        assert ordered and position.discard is None and refused == ["log.unwritable"]
        return
    again = game_of(value).deals[0].position
    assert (again.deal.hands, again.bids, again.discard, again.plays) == (
        position.deal.hands,
        position.bids,
        position.discard,
        position.plays,
    )
    assert again.rules.stick_the_dealer == position.rules.stick_the_dealer


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("british.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS", "25 cards"),
        ("two_handed.N.TD.TC9DJHKHKS-ACQDKDTHJS", "2 seats"),
        ("american...9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS.HNE", "upcard"),
        ("american.N.JH.9CTCQCKCAS--AD9HTHQHKH-9STSJSQSKS", "(E)"),
        ("american.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS.po", "discard"),
        ("euchre_com.W.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS.poa.9S", "leader"),
        ("american.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS.poo.9C", "ends the auction"),
    ],
)
def test_what_has_no_action_list_is_refused_with_the_deal(code: str, words: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        written(DealRecord(1, read_code(code)))
    (fault,) = caught.value.faults
    assert (fault.code, fault.path) == ("log.unwritable", ("deals", 0))
    assert words in fault.message
