"""`POST /v1/analyze` as the contract states it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.examples import POSITIONS
from solver import Decision, Position, read_code, write_code
from tests.strategies import ALL_RULES, random_position

ALWAYS = {"decision", "to_act", "information", "contract", "tricks", "points", "options", "line", "code", "settings"}
OUTCOME = {"tricks", "points"}
CARD_OPTION = {"card", "tricks", "points", "error", "best", "equals"}
BID_OPTION = {"bid", "tricks", "points", "error", "best"}


def answer_of(client: FlaskClient, body: dict[str, Any]) -> dict[str, Any]:
    answer = client.post("/v1/analyze", json=body)
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "application/json"
    document: dict[str, Any] = answer.get_json()
    return document


@pytest.mark.parametrize("name", POSITIONS)
def test_examples_are_answered_in_the_shape_of_the_contract(client: FlaskClient, name: str) -> None:
    answer = answer_of(client, POSITIONS[name]["value"])
    bidding = answer["decision"] == "bid"
    assert set(answer) == (ALWAYS | {"table", "par"} if bidding else ALWAYS)
    for option in answer["options"]:
        assert set(option) == (BID_OPTION if bidding else CARD_OPTION)
        assert option["error"] >= 0
        assert option["best"] == (option["error"] == 0)
    assert set(answer["settings"]) == {"engine", "worlds", "seed"}
    assert all("seat" in move and len(move) == 2 for move in answer["line"])


def test_examples_show_every_kind_of_decision(client: FlaskClient) -> None:
    decisions = {answer_of(client, example["value"])["decision"] for example in POSITIONS.values()}
    assert decisions == {"bid", "discard", "play"}


def test_table_and_par_are_in_the_shape_of_the_contract(client: FlaskClient) -> None:
    answer = answer_of(client, POSITIONS["bid"]["value"])
    for row in answer["table"]:
        assert {"maker", "trump", "alone", "discard", *OUTCOME} <= set(row)
    assert {"contract", *OUTCOME} <= set(answer["par"])


def test_an_answers_code_asks_for_the_same_answer(client: FlaskClient) -> None:
    for example in POSITIONS.values():
        answer = answer_of(client, example["value"])
        assert answer_of(client, {"code": answer["code"]}) == answer


def test_a_deal_that_is_over_has_no_options(client: FlaskClient) -> None:
    answer = answer_of(client, {"code": POSITIONS["code"]["value"]["code"].replace(".po.9C", ".pppppppp")})
    assert (answer["decision"], answer["to_act"], answer["options"]) == ("over", None, [])


@pytest.mark.parametrize("text", ["10H", "TH", "th", "HT", "T♥", "h10"])
def test_a_card_is_read_in_every_form(client: FlaskClient, text: str) -> None:
    hands = {"N": "9C TC JC QC KC", "E": "9D TD JD QD KD", "S": ["9H", text, "QH", "KH", "AH"], "W": "9S TS JS QS KS"}
    answer = answer_of(client, {"dealer": "N", "upcard": "JH", "hands": hands})
    assert answer["code"] == "american.N.JH.9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS"


def positions(number: int) -> list[Position]:
    random = Random(7)
    return [random_position(ALL_RULES[at % len(ALL_RULES)], random, random.randrange(30)) for at in range(number)]


def test_every_way_to_play_is_answered(client: FlaskClient) -> None:
    for position in positions(70):
        answer = answer_of(client, {"code": write_code(position)})
        assert answer["decision"] == position.decision
        assert bool(answer["options"]) == (position.decision != Decision.OVER)
        assert read_code(answer["code"]) == position


def test_requests_at_once_are_answered_as_one_by_one_with_bad_ones_between(app: Flask) -> None:
    bodies: list[dict[str, Any]] = [{"code": write_code(position)} for position in positions(40)]
    bodies[::5] = [{"code": "no.such"}, {"dealer": "X"}, {}, {"plays": [[[]]]}] * 2
    assert len(bodies) == 40

    def post(body: dict[str, Any]) -> tuple[int, bytes]:
        answer = app.test_client().post("/v1/analyze", json=body)
        return answer.status_code, answer.data

    serial = [post(body) for body in bodies]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(post, bodies * 3)) == serial * 3
    assert [status for status, _ in serial].count(422) == 8
