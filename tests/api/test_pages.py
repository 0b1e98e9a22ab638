"""Pages for people, which ask nothing of any other host."""

from __future__ import annotations

import json
import re
import shlex

import pytest
from flask.testing import FlaskClient

from solver import PRESETS, Rules

PAGES = ("/", "/docs")
CACHED = ("/", "/docs", "/openapi.json", "/v1/rules", "/docs/swagger-ui-bundle.js")


@pytest.mark.parametrize("page", PAGES)
def test_everything_a_page_asks_for_is_here(client: FlaskClient, page: str) -> None:
    text = client.get(page).text
    addresses = re.findall(r'(?:src|href|data-document)="([^"]*)"', text)
    assert addresses
    for address in addresses:
        assert address.startswith("/"), f"{address} is on another host"
        assert client.get(address).status_code == 200, address


@pytest.mark.parametrize("page", PAGES)
def test_no_page_has_what_its_policy_forbids(client: FlaskClient, page: str) -> None:
    answer = client.get(page)
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert re.findall(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=", answer.text) == []


def test_the_viewer_asks_no_validator(client: FlaskClient) -> None:
    assert "validatorUrl: null" in client.get("/static/docs.js").text


def test_the_command_on_the_first_page_works(client: FlaskClient) -> None:
    (command,) = re.findall(r"<code>(.*?)</code>", client.get("/").text, re.DOTALL)
    words = shlex.split(command.replace("\\\n", " "))
    assert words[0] == "curl"
    header, body = words[words.index("-H") + 1], words[words.index("-d") + 1]
    answer = client.post(words[1], data=body, headers=dict([header.split(": ")]))
    assert answer.status_code == 200
    assert answer.get_json()["code"] == json.loads(body)["code"]


@pytest.mark.parametrize("path", CACHED)
def test_what_changes_only_with_a_release_can_be_kept_and_asked_after(client: FlaskClient, path: str) -> None:
    first = client.get(path)
    assert first.cache_control.max_age == 3600
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_answers_say_that_their_type_is_meant(client: FlaskClient) -> None:
    for path in ("/", "/v1/rules", "/nope"):
        assert client.get(path).headers["X-Content-Type-Options"] == "nosniff"


def test_rules_have_every_preset_and_option_with_values_or_bounds(client: FlaskClient) -> None:
    rules = client.get("/v1/rules").get_json()
    assert rules["presets"] == {name: each.options() for name, each in PRESETS.items()}
    assert set(rules["options"]) == set(Rules().options())
    for option in rules["options"].values():
        if "values" in option:
            assert option["default"] in option["values"]
        else:
            assert option["minimum"] <= option["default"] <= option["maximum"]


def test_every_value_that_rules_list_is_taken(client: FlaskClient) -> None:
    hands = {"N": "9C TC JC QC KC", "E": "9D TD JD QD KD", "S": "9H TH QH KH AH", "W": "9S TS JS QS KS"}
    for name, option in client.get("/v1/rules").get_json()["options"].items():
        for value in option.get("values", []):
            body = {"dealer": "N", "upcard": "JH", "hands": hands, "rules": {name: value}}
            codes = {error["code"] for error in client.post("/v1/analyze", json=body).get_json().get("errors", ())}
            assert not codes & {"rules.value", "rules.unknown"}, (name, value)
            assert ("rules.unsupported" in codes) == (value in option.get("not_supported_yet", ())), (name, value)
