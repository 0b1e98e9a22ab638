"""Every way in which a request can be wrong is a problem document with the right status and codes."""

from __future__ import annotations

import io
import json
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api import Config, create_app
from api.service import service_of
from solver import CODES

JSON = "application/json"
HANDS = {"N": "9C TC JC QC KC", "E": "9D TD JD QD KD", "S": "9H TH QH KH AH", "W": "9S TS JS QS KS"}
DEAL: dict[str, Any] = {"dealer": "N", "upcard": "JH", "hands": HANDS}


def faults_of(answer: TestResponse, status: int) -> list[tuple[str, list[str | int]]]:
    """The codes and places of an answer that is a problem document in every part."""
    assert answer.status_code == status, answer.text
    assert answer.content_type == "application/problem+json"
    document = json.loads(answer.data)
    assert list(document) == ["type", "title", "status", "detail", "errors"]
    assert document["status"] == status
    assert document["title"]
    assert document["detail"]
    for error in document["errors"]:
        assert list(error) == ["code", "path", "message"]
        assert error["code"] in CODES
        assert error["message"]
    assert document["errors"]
    return [(error["code"], error["path"]) for error in document["errors"]]


# code -> a body of analyze that has it, and where.
REFUSED: dict[str, tuple[dict[str, Any], list[str | int]]] = {
    "field.unknown": ({**DEAL, "player": "N"}, ["player"]),
    "field.missing": ({**DEAL, "dealer": None}, ["dealer"]),
    "field.invalid": ({**DEAL, "auction": "pass"}, ["auction"]),
    "field.conflict": ({"code": "american", "dealer": "N"}, ["dealer"]),
    "code.invalid": ({"code": "american.N.JH.x"}, ["code"]),
    "rules.unknown": ({**DEAL, "rules": "martian"}, ["rules"]),
    "rules.value": ({**DEAL, "rules": {"deck": 23}}, ["rules", "deck"]),
    "rules.conflict": ({**DEAL, "rules": {"benny_upcard": "C"}}, ["rules", "benny_upcard"]),
    "rules.unsupported": ({**DEAL, "rules": {"no_trump": True}}, ["rules", "no_trump"]),
    "card.unreadable": ({**DEAL, "hands": {**HANDS, "E": "9D TD JD QD XX"}}, ["hands", "E", 4]),
    "card.foreign": ({**DEAL, "hands": {**HANDS, "E": "9D TD JD QD 7D"}}, ["hands", "E", 4]),
    "card.duplicate": ({**DEAL, "hands": {**HANDS, "E": "9D TD JD QD JH"}}, ["hands", "E", 4]),
    "seat.unreadable": ({**DEAL, "dealer": "Q"}, ["dealer"]),
    "seat.foreign": ({**DEAL, "rules": "two_handed", "dealer": "E"}, ["dealer"]),
    "hand.missing": ({**DEAL, "hands": {seat: HANDS[seat] for seat in "NES"}}, ["hands", "W"]),
    "hand.size": ({**DEAL, "hands": {**HANDS, "E": "9D TD JD QD KD AD"}}, ["hands", "E"]),
    "bid.unreadable": ({**DEAL, "auction": ["pass", "perhaps"]}, ["auction", 1]),
    "bid.illegal": ({**DEAL, "auction": ["pass", "clubs"]}, ["auction", 1]),
    "contract.illegal": ({**DEAL, "contract": {"trump": "H", "maker": "E", "leader": "W"}}, ["contract", "leader"]),
    "discard.illegal": ({**DEAL, "auction": ["order"], "discard": "9D"}, ["discard"]),
    "discard.missing": ({**DEAL, "auction": ["order"], "plays": ["9D"]}, ["discard"]),
    "play.illegal": ({**DEAL, "auction": ["order"], "discard": "9C", "plays": ["9D", "9D"]}, ["plays", 1]),
    "world.none": ({"code": "american.E.JH.--9CTHQHKHAH-.pppps..9C9DTDJD", "viewpoint": "S"}, ["plays", 1]),
}
ELSEWHERE = {
    "json.invalid",
    "request.media_type",
    "request.too_large",
    "request.not_found",
    "request.method",
    "request.invalid",
    "request.abandoned",
    "service.draining",
    "service.full",
    "service.deadline",
    "service.failed",
}
#: In tests/api/jobs, which hands in files.
OF_BATCHES = {code for code in CODES if code.startswith(("job.", "log.format"))} | {
    *("request.encoding", "request.too_slow", "service.no_room", "service.storage")
}
#: Faults of records and files, which no endpoint answers a request with.
IN_LINES = {code for code in CODES if code.startswith(("file.", "log.", "review.", "source."))} - OF_BATCHES


def test_every_code_has_a_test() -> None:
    assert {*REFUSED, *ELSEWHERE, *OF_BATCHES, *IN_LINES} == {*CODES}


@pytest.mark.parametrize("code", REFUSED)
def test_a_body_that_is_wrong_is_answered_422_with_code_and_place(client: FlaskClient, code: str) -> None:
    body, path = REFUSED[code]
    assert (code, path) in faults_of(client.post("/v1/analyze", json=body), 422)


def test_all_faults_come_together(client: FlaskClient) -> None:
    body = {
        "rules": "american",
        "dealer": "Q",
        "upcard": "XX",
        "hands": {"N": ["9C", "1", "JC"], "E": "9D 9D JD QD KD", "S": 5, "Z": "9H"},
        "auction": ["perhaps"],
        "plays": ["AC", "zz"],
        "player": "N",
    }
    found = faults_of(client.post("/v1/analyze", json=body), 422)
    assert {
        ("seat.unreadable", ("dealer",)),
        ("card.unreadable", ("upcard",)),
        ("card.unreadable", ("hands", "N", 1)),
        ("card.duplicate", ("hands", "E", 1)),
        ("field.invalid", ("hands", "S")),
        ("field.unknown", ("hands", "Z")),
        ("bid.unreadable", ("auction", 0)),
        ("card.unreadable", ("plays", 1)),
        ("field.unknown", ("player",)),
    } <= {(code, tuple(path)) for code, path in found}


def test_a_long_list_of_faults_is_cut_and_counted(client: FlaskClient) -> None:
    answer = client.post("/v1/analyze", json={str(number): 0 for number in range(5000)})
    assert len(faults_of(answer, 422)) == Config().max_faults
    assert "of which the first 200 are listed" in json.loads(answer.data)["detail"]


NOT_JSON = {
    "empty": b"",
    "cut": b'{"dealer": "N"',
    "words": b"hello",
    "two documents": b"{}{}",
    "a key twice": b'{"dealer": "N", "dealer": "N"}',
    "a key twice inside": b'{"hands": {"N": [], "N": []}}',
    "NaN": b'{"plays": NaN}',
    "Infinity": b'{"plays": -Infinity}',
    "overflow": b'{"plays": 1e999}',
    "a long number": b'{"plays": ' + b"9" * 5000 + b"}",
    "not UTF-8": b'{"dealer": "\xff"}',
    "UTF-16": '{"dealer": "N"}'.encode("utf-16"),
    "half a surrogate pair": b'{"dealer": "\\ud800"}',
    "lists without end": b"[" * 60_000,
    "deep lists": b"[" * 60_000 + b"]" * 60_000,
    "deep objects": b'{"a":' * 30_000 + b"1" + b"}" * 30_000,
    "deep where cards belong": b'{"plays": ' + b"[" * 500 + b"]" * 500 + b"}",
    "deep where rules belong": b'{"rules": ' + b'{"preset":' * 500 + b"1" + b"}" * 500 + b"}",
}


@pytest.mark.parametrize("name", NOT_JSON)
def test_what_is_not_safe_json_is_answered_400(client: FlaskClient, name: str) -> None:
    answer = client.post("/v1/analyze", data=NOT_JSON[name], content_type=JSON)
    assert faults_of(answer, 400) == [("json.invalid", [])]


@pytest.mark.parametrize("body", [b"null", b"[]", b"1", b'"american"', b"true", b"[{}]"])
def test_json_that_is_no_object_is_one_fault(client: FlaskClient, body: bytes) -> None:
    answer = client.post("/v1/analyze", data=body, content_type=JSON)
    assert faults_of(answer, 422) == [("field.invalid", [])]


@pytest.mark.parametrize(
    "name",
    [
        "plays",
        "rules",
        "hands",
        "auction",
        "contract",
        "dealer",
        "upcard",
        "code",
        "discard",
        "worlds",
        "seed",
        "score",
        "viewpoint",
    ],
)
@pytest.mark.parametrize(
    "value", [[[[[]]]], {"a": {"b": {}}}, 10**90, -1.5, True, "", "\x00", "♥" * 3000, [None], [{}]]
)
def test_any_value_in_any_field_is_answered_422(client: FlaskClient, name: str, value: object) -> None:
    faults_of(client.post("/v1/analyze", json={name: value}), 422)


@pytest.mark.parametrize(
    "content_type", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonx", ";", "é"]
)
def test_another_media_type_is_answered_415(client: FlaskClient, content_type: str | None) -> None:
    answer = client.post("/v1/analyze", data=json.dumps(DEAL), content_type=content_type)
    assert faults_of(answer, 415) == [("request.media_type", [])]


def test_a_compressed_body_is_answered_415(client: FlaskClient) -> None:
    answer = client.post("/v1/analyze", json=DEAL, headers={"Content-Encoding": "gzip"})
    assert faults_of(answer, 415) == [("request.media_type", [])]


@pytest.mark.parametrize("content_type", ["application/json", "Application/JSON", "application/json; charset=utf-8"])
def test_json_is_taken_with_parameters_and_in_any_case(client: FlaskClient, content_type: str) -> None:
    assert client.post("/v1/analyze", data=json.dumps(DEAL), content_type=content_type).status_code == 200


def chunked(client: FlaskClient, body: bytes) -> TestResponse:
    """As a server hands on a body without a stated length."""
    environ = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    return client.post("/v1/analyze", input_stream=io.BytesIO(body), content_type=JSON, environ_overrides=environ)


def test_a_body_over_the_limit_is_answered_413(client: FlaskClient) -> None:
    body = json.dumps(DEAL).encode() + b" " * Config().max_body_bytes
    answer = client.post("/v1/analyze", data=body, content_type=JSON)
    assert faults_of(answer, 413) == [("request.too_large", [])]


def test_a_body_without_a_stated_length_has_the_same_limit(client: FlaskClient) -> None:
    document = json.dumps(DEAL).encode()
    assert chunked(client, document).status_code == 200
    assert faults_of(chunked(client, document + b" " * 2**20), 413) == [("request.too_large", [])]
    assert faults_of(chunked(client, b""), 400) == [("json.invalid", [])]


def test_the_limit_is_a_setting() -> None:
    client = create_app(Config(max_body_bytes=100)).test_client()
    assert faults_of(client.post("/v1/analyze", json=DEAL), 413) == [("request.too_large", [])]


def test_a_body_that_was_cut_short_is_answered_400(client: FlaskClient) -> None:
    environ = {"wsgi.input_terminated": True, "CONTENT_LENGTH": "5000"}
    stream = io.BytesIO(json.dumps(DEAL).encode())
    answer = client.post("/v1/analyze", input_stream=stream, content_type=JSON, environ_overrides=environ)
    assert faults_of(answer, 400) == [("request.invalid", [])]


@pytest.mark.parametrize("path", ["/nope", "/v1", "/v1/analyze/", "//v1/rules", "/v2/analyze", "/%ff%00"])
def test_an_unknown_address_is_answered_404(client: FlaskClient, path: str) -> None:
    for answer in (client.get(path), client.post(path, json={})):
        assert faults_of(answer, 404) == [("request.not_found", [])]


@pytest.mark.parametrize(
    ("method", "path", "taken"),
    [
        ("GET", "/v1/analyze", {"POST", "OPTIONS"}),
        ("DELETE", "/v1/analyze", {"POST", "OPTIONS"}),
        ("POST", "/v1/rules", {"GET", "HEAD", "OPTIONS"}),
        ("BREW", "/healthz", {"GET", "HEAD", "OPTIONS"}),
        ("PUT", "/", {"GET", "HEAD", "OPTIONS"}),
    ],
)
def test_another_method_is_answered_405_with_those_taken(
    client: FlaskClient, method: str, path: str, taken: set[str]
) -> None:
    answer = client.open(path, method=method)
    assert faults_of(answer, 405) == [("request.method", [])]
    assert set(answer.headers["Allow"].split(", ")) == taken


def test_an_error_of_the_service_is_logged_and_not_told(caplog: pytest.LogCaptureFixture) -> None:
    app = create_app()
    app.add_url_rule("/broken", "broken", lambda: 1 / 0)
    with caplog.at_level(logging.ERROR):
        answer = app.test_client().get("/broken")
    assert faults_of(answer, 500) == [("service.failed", [])]
    assert "division" not in answer.text
    assert "ZeroDivisionError" in caplog.text


def test_a_service_that_is_about_to_stop_is_not_ready_but_alive() -> None:
    app = create_app()
    client = app.test_client()
    assert client.get("/readyz").get_json() == {"status": "ready"}
    service_of(app).draining.set()
    assert faults_of(client.get("/readyz"), 503) == [("service.draining", [])]
    assert client.get("/healthz").get_json() == {"status": "ok"}


@pytest.mark.parametrize(
    "body_of",
    [
        lambda size: {"auction": ["," * size]},
        lambda size: {"auction": ["a,"] * (size // 5)},
        lambda size: {"plays": "J" * size},
        lambda size: {"plays": "JH" * (size // 2)},
        lambda size: {"plays": ["JH"] * (size // 7)},
        lambda size: {**DEAL, "hands": {**HANDS, "N": ["JH"] * (size // 7)}},
        lambda size: {"code": "." * size},
        lambda size: {str(number): 0 for number in range(size // 11)},
        lambda size: {"rules": {str(number): 0 for number in range(size // 11)}},
    ],
    ids=["commas", "bids", "no cards", "one text", "a list", "a hand", "a code", "fields", "options"],
)
def test_the_work_for_a_wrong_body_grows_no_faster_than_the_body(
    client: FlaskClient, body_of: Callable[[int], dict[str, Any]]
) -> None:
    """Options once took 45 s at the largest size, and commas more than ten minutes: both grew with the square."""

    def seconds(size: int) -> float:
        data = json.dumps(body_of(size), separators=(",", ":"))
        assert size / 2 < len(data) <= Config().max_body_bytes
        started = time.process_time()
        faults_of(client.post("/v1/analyze", data=data, content_type=JSON), 422)
        return time.process_time() - started

    largest = 1_000_000
    fixed = min(seconds(1_000) for _ in range(3))
    small = min(seconds(largest // 10) for _ in range(3))
    # Linear is 10, quadratic 100; what an answer costs whatever its size is given away.
    assert seconds(largest) < 50 * (small + fixed)


def test_a_request_that_finds_no_place_at_the_solver_is_answered_503_and_takes_none() -> None:
    app = create_app(Config(solver_slots=1, admission_seconds=0))
    client, slots = app.test_client(), service_of(app).slots
    slots.acquire()
    answer = client.post("/v1/analyze", json=DEAL)
    assert faults_of(answer, 503) == [("service.full", [])]
    assert answer.headers["Retry-After"] == "1"
    assert client.get("/healthz").status_code == 200
    slots.release()
    for _ in range(3):
        assert client.post("/v1/analyze", json=DEAL).status_code == 200
        assert client.post("/v1/analyze", json={**DEAL, "auction": ["frog"]}).status_code == 422


def test_every_code_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "errors.md").read_text(encoding="utf-8")
    for code, meaning in CODES.items():
        assert f"| `{code}` | {meaning} |" in text
