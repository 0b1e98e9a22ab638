"""``POST /v1/review``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from api import Config, create_app
from api.examples import GAMES
from solver import DEPTHS, DealRecord, GameRecord, ReviewAnswer, read_code, review, write_code
from solver.logs import read
from solver.logs.review_query import DEPTH_NAMES
from solver.notation.record_document import record_documents

EGN = Path(__file__).parents[1] / "data" / "egn"
CODE = GAMES["code"]["value"]["code"]
#: A deal of one trick: quick.
SHORT = "american.N.9H.TCJCQCJDQD-9CKC9DTD9S-ACADTHAHJS-QSKSASKDKH.o.JC.9SJSAS9H"
RECORD: dict[str, Any] = {"rightbower": 1, "game": 1, "deal": 1, "code": SHORT}
LOG: dict[str, Any] = json.loads((EGN / "game27.egn").read_text())


def faults(client: FlaskClient, body: dict[str, Any], status: int = 422) -> set[tuple[str, tuple[str | int, ...]]]:
    answer = client.post("/v1/review", json=body)
    assert answer.status_code == status, answer.text
    assert answer.content_type == "application/problem+json"
    return {(fault["code"], tuple(fault["path"])) for fault in answer.get_json()["errors"]}


def test_the_depths_are_those_of_reviews() -> None:
    assert [*DEPTH_NAMES] == [*DEPTHS]


def test_the_answer_is_the_review(client: FlaskClient) -> None:
    deal = read_code(SHORT)
    asked = review(GameRecord(deal.rules, (DealRecord(1, deal),)), settings="fast", seed=3)
    answer = client.post("/v1/review", json={"code": SHORT, "depth": "fast", "seed": 3}).get_json()
    assert answer == json.loads(json.dumps(ReviewAnswer().dump(asked)))
    assert answer["deals"][0]["code"] == write_code(deal)


def test_a_game_of_a_log_and_its_native_records_are_reviewed_alike(client: FlaskClient) -> None:
    (game,) = read(EGN / "game27.egn")
    native = {"records": record_documents(game, 1), "depth": "fast"}
    of_egn = client.post("/v1/review", json={**LOG, "depth": "fast"})
    assert of_egn.status_code == 200
    assert [player["name"] for player in of_egn.get_json()["players"]] == LOG["metadata"]["players"]
    (first, second) = (client.post("/v1/review", json=body).get_json() for body in ({**LOG, "depth": "fast"}, native))
    for answer in (first, second):
        answer.pop("faults")  # of places in other documents
        for deal in answer["deals"]:
            deal.pop("faults")
    assert first == second


def test_score_players_and_title_come_with_a_record(client: FlaskClient) -> None:
    answer = client.post("/v1/review", json=GAMES["records"]["value"]).get_json()
    assert answer["title"] == "Kitchen table"
    assert [player["name"] for player in answer["players"]] == ["Ann", "Ben", "Cleo", "Dan"]
    assert answer["deals"][0]["score"] == {"NS": 3, "EW": 1}
    assert answer["deals"][0]["number"] == 3


def test_a_revoke_is_in_the_answer_and_no_error(client: FlaskClient) -> None:
    revoke = SHORT.replace(".9SJSAS9H", ".9SJSAS9HQSQD")
    answer = client.post("/v1/review", json={"code": revoke, "depth": "fast"})
    assert answer.status_code == 200
    (deal,) = answer.get_json()["deals"]
    assert ("play.illegal", ["code", "plays"]) in [(each["code"], each["path"][:2]) for each in deal["faults"]]
    assert deal["unreviewed"]


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ({}, "field.missing", ()),
        ({"depth": "fast"}, "field.missing", ()),
        ({"code": SHORT, "records": [RECORD]}, "field.conflict", ("records",)),
        ({**LOG, "code": SHORT}, "field.conflict", ("fileType",)),
        ({"code": SHORT, "player": "N"}, "field.unknown", ("player",)),
        ({"code": 3}, "field.invalid", ("code",)),
        ({"code": "american.N.JH.x"}, "code.invalid", ("code",)),
        ({"code": SHORT, "depth": "abyss"}, "field.invalid", ("depth",)),
        ({"code": SHORT, "seed": -1}, "field.invalid", ("seed",)),
        ({"records": []}, "field.invalid", ("records",)),
        ({"records": ["x"]}, "field.invalid", ("records", 0)),
        ({"records": [{"rightbower": 1, "rules": "american"}]}, "field.missing", ("records", 0, "code")),
        ({"records": [RECORD, {**RECORD, "code": "x"}]}, "code.invalid", ("records", 1, "code")),
        ({"records": [RECORD, {**RECORD, "title": "x"}]}, "field.conflict", ("records", 1, "title")),
        ({"records": [RECORD, {**RECORD, "code": CODE}]}, "field.conflict", ("records", 1, "code")),
        ({"records": [{**RECORD, "rightbower": 2}]}, "log.format", ("records", 0, "rightbower")),
        ({**LOG, "fileType": "Bridge"}, "log.format", ("fileType",)),
        ({**LOG, "version": "2.0"}, "log.format", ("version",)),
        ({**LOG, "deals": 3}, "field.invalid", ("deals",)),
        ({**LOG, "deals": []}, "log.record", ("deals",)),
        ({**LOG, "deals": [{"initialState": {"dealer": 7}}]}, "log.record", ("deals", 0, "initialState", "dealer")),
    ],
)
def test_what_cannot_be_reviewed_is_refused_at_its_place(
    client: FlaskClient, body: dict[str, Any], code: str, path: tuple[str | int, ...]
) -> None:
    assert (code, path) in faults(client, body)


def test_all_faults_come_together(client: FlaskClient) -> None:
    found = faults(client, {"records": [{**RECORD, "code": "x"}, {}], "depth": 1, "seed": "x", "more": 1})
    assert {
        ("code.invalid", ("records", 0, "code")),
        ("field.missing", ("records", 1, "rightbower")),
        ("field.invalid", ("depth",)),
        ("field.invalid", ("seed",)),
        ("field.unknown", ("more",)),
    } <= found


def test_only_so_many_deals_are_taken() -> None:
    client = create_app(Config(review_deals=1)).test_client()
    records = [RECORD, {**RECORD, "deal": 2}]
    assert faults(client, {"records": records, "depth": "fast"}) == {("field.invalid", ())}
    assert client.post("/v1/review", json={"records": records[:1], "depth": "fast"}).status_code == 200


def test_a_review_that_takes_too_long_is_given_up_and_leaves_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    client = create_app(Config(review_seconds=1, solver_slots=1, admission_seconds=0)).test_client()
    moments = iter([0.0])
    with monkeypatch.context() as patch:
        patch.setattr("api.endpoints.review.time.monotonic", lambda: next(moments, 2.0))
        answer = client.post("/v1/review", json={"code": SHORT, "depth": "fast"})
    assert answer.status_code == 503
    assert [fault["code"] for fault in answer.get_json()["errors"]] == ["service.deadline"]
    assert "Retry-After" not in answer.headers
    assert client.post("/v1/review", json={"code": SHORT, "depth": "fast"}).status_code == 200


def test_a_card_played_that_the_deck_does_not_have_is_named(client: FlaskClient) -> None:
    code = SHORT.replace("AS9H", "AS8H")
    assert faults(client, {"code": code}) == {("card.foreign", ("code",))}
    assert faults(client, {"records": [{**RECORD, "code": code}]}) == {("card.foreign", ("records", 0, "code"))}
