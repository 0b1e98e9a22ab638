"""The document describes what the service does: examples, answers and refusals all fit it."""

from __future__ import annotations

from itertools import product
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from openapi_spec_validator import validate
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api import create_app
from api.endpoints import ENDPOINTS
from api.examples import POSITIONS
from solver import InvalidInput, Position, Rules, formats_document, write_code
from solver.game.cards import DECKS
from solver.game.rules import option_later
from solver.notation.codes import read_card, read_seat, read_suit
from tests.strategies import positions

APP = create_app()


@pytest.fixture(scope="module")
def document(app: Flask) -> dict[str, Any]:
    found: dict[str, Any] = app.test_client().get("/openapi.json").get_json()
    return found


def validator(document: dict[str, Any], name: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({**document, "$ref": f"#/components/schemas/{name}"})


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Path, method and operation of each; what a path says beside its operations is no operation."""
    return [
        (path, method, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    ]


def test_document_is_openapi_3_1(document: dict[str, Any]) -> None:
    validate(document)
    assert document["openapi"].startswith("3.1")


def test_document_has_every_endpoint(document: dict[str, Any], app: Flask) -> None:
    blueprints = {blueprint.name for blueprint in ENDPOINTS}
    rules = {rule.rule for rule in app.url_map.iter_rules() if rule.endpoint.split(".")[0] in blueprints}
    assert {path.replace("{", "<").replace("}", ">") for path in document["paths"]} == rules


def test_every_schema_is_used(document: dict[str, Any]) -> None:
    text = str(document)
    assert [name for name in document["components"]["schemas"] if f"'#/components/schemas/{name}'" not in text] == []


def test_every_property_says_what_it_is(document: dict[str, Any]) -> None:
    for name, schema in document["components"]["schemas"].items():
        for field, shape in schema.get("properties", {}).items():
            assert {"type", "$ref", "anyOf", "enum"} & set(shape), f"{name}.{field}"


def test_every_operation_has_a_name_of_its_own(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(set(names)) == len(names)


#: Fields of answers that are left out where they do not apply.
SOMETIMES = {
    "AnalysisAnswer": {"table", "par"},
    "OptionAnswer": {"card", "bid", "equals", "game", "stderr", "difference", "game_difference", "best_chance"}
    | {"outcomes", "double_dummy", "discard"},
    "RatedBidAnswer": {"discard"},
    "SettingsAnswer": {"worlds_that_fit", "method", "goal", "effective_worlds", "policy", "shares"},
    "MoveAnswer": {"bid", "discard", "card"},
    "ReviewedOptionAnswer": {"bid", "card"},
    "DecisionSummaryAnswer": {"trick", "bid", "card", "best_bid", "best_card", "reason"},
    "ReviewedDecisionAnswer": {"trick", "bid", "card", "best_bid", "best_card", "reason"},
    "UnreviewedAnswer": {"trick", "bid", "card"},
    "RuleOptionAnswer": {"values", "not_supported_yet", "minimum", "maximum"},
}


def test_answers_say_which_fields_are_always_there(document: dict[str, Any]) -> None:
    for name, schema in document["components"]["schemas"].items():
        if name.endswith("Answer"):
            assert {*schema["properties"]} - {*schema["required"]} == SOMETIMES.get(name, set()), name


def test_fields_come_in_the_order_in_which_they_are_described(document: dict[str, Any], client: FlaskClient) -> None:
    schemas = document["components"]["schemas"]
    answer = client.post("/v1/analyze", json=POSITIONS["bid"]["value"]).get_json()
    card = client.post("/v1/analyze", json=POSITIONS["lead"]["value"]).get_json()["options"][0]
    for name, found in (
        ("AnalysisAnswer", answer),
        ("OptionAnswer", answer["options"][0]),
        ("OptionAnswer", card),
        ("ContractValueAnswer", answer["table"][0]),
        ("ParAnswer", answer["par"]),
    ):
        assert [*found] == [field for field in schemas[name]["properties"] if field in found], name
    assert [*answer][:5] == ["decision", "to_act", "information", "contract", "tricks"]
    assert [*card][:3] == ["card", "tricks", "points"]


def test_bodies_can_be_refused_and_answers_without_a_body_have_none(document: dict[str, Any]) -> None:
    for _, _, operation in operations(document):
        if "requestBody" in operation:
            assert {"400", "413", "415", "422"} <= set(operation["responses"])
        for status, answer in operation["responses"].items():
            if status[0] in "45":
                assert list(answer["content"]) == ["application/problem+json"]
            elif status in ("204", "304"):
                assert "content" not in answer


def test_every_example_is_answered_as_described(document: dict[str, Any], client: FlaskClient) -> None:
    tried = 0
    for path, method, operation in operations(document):
        for media, content in operation.get("requestBody", {}).get("content", {}).items():
            for example in content["examples"].values():
                if "$ref" in content["schema"]:
                    validator(document, content["schema"]["$ref"].rpartition("/")[2]).validate(example["value"])
                    answer = client.open(path, method=method, json=example["value"], content_type=media)
                else:  # a file
                    answer = client.open(path, method=method, data=example["value"], content_type=media)
                assert answer.status_code in (200, 202), answer.text
                reply = operation["responses"][str(answer.status_code)]["content"]["application/json"]["schema"]
                validator(document, reply["$ref"].rpartition("/")[2]).validate(answer.get_json())
                tried += 1
    assert tried >= 9


def test_rules_are_answered_as_described(document: dict[str, Any], client: FlaskClient) -> None:
    validator(document, "RulesAnswer").validate(client.get("/v1/rules").get_json())


def test_formats_are_answered_as_described(document: dict[str, Any], client: FlaskClient) -> None:
    formats = client.get("/v1/formats").get_json()
    validator(document, "FormatsAnswer").validate(formats)
    assert formats == formats_document()


ANSWER = validator(APP.test_client().get("/openapi.json").get_json(), "AnalysisAnswer")


@given(position=positions())
@settings(max_examples=60)
def test_every_answer_fits_its_schema(position: Position) -> None:
    answer = APP.test_client().post("/v1/analyze", json={"code": write_code(position)})
    ANSWER.validate(answer.get_json())


def test_no_value_of_an_option_is_offered_that_cannot_be_played(document: dict[str, Any]) -> None:
    rules = validator(document, "RulesRead")
    later = {name: option_later(name) for name in Rules().options() if option_later(name)}
    assert {"seats", "no_trump"} <= later.keys()
    for name, values in later.items():
        assert rules.is_valid({name: Rules().options()[name]})
        assert not any(rules.is_valid({name: value}) for value in values)


def test_what_the_patterns_take_is_read_and_the_other_way_round(document: dict[str, Any]) -> None:
    """On every text of up to three signs that cards, seats and suits are made of, and some longer ones."""
    signs = ["J", "j", "H", "h", "1", "0", "N", "9", "♥", "♡", "O", "o", " ", "\ufe0f", "X", ""]
    texts = {"".join(each) for each in product(signs, repeat=3)} | {
        "JOKER",
        "joker",
        "♥️J",
        "North",
        "west ",
        "Spade",
        "HEARTS",
    }
    for name, read in (("CardRead", read_card), ("SeatRead", read_seat), ("SuitRead", read_suit)):
        described = validator(document, name)
        for text in texts:
            try:
                read(text)
                is_read = True
            except InvalidInput:
                is_read = False
            assert described.is_valid(text) == is_read, (name, text)


def test_what_is_written_has_one_form(document: dict[str, Any]) -> None:
    assert document["components"]["schemas"]["Card"]["enum"] == [str(card) for card in DECKS[33]]


@schemathesis.serializer("application/x-ndjson")
def as_it_is(_: object, value: object) -> bytes:
    return str(value).encode("utf-8", "replace")


SCHEMA = schemathesis.openapi.from_wsgi("/openapi.json", APP)


@SCHEMA.parametrize()
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_generated_requests_are_answered_as_described(case: schemathesis.Case) -> None:
    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    case.call_and_validate(checks=checks)
