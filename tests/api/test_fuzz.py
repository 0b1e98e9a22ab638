"""Whatever is sent, the service answers with a result or with a problem document, never with an error of its own."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from api import create_app
from api.examples import POSITIONS

APP = create_app()
BODIES = [each["value"] for each in POSITIONS.values()]

texts = st.one_of(st.text(max_size=20), st.text("9TJQKACDHSNEWO10 .-~pod", max_size=60))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=6), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)


def check(answer: TestResponse) -> None:
    assert answer.status_code in (200, 400, 422), answer.text
    if answer.status_code != 200:
        assert answer.content_type == "application/problem+json"
        assert json.loads(answer.data)["errors"]
    good = APP.test_client().post("/v1/analyze", json=BODIES[0])
    assert good.status_code == 200


def post(data: bytes | str) -> TestResponse:
    return APP.test_client().post("/v1/analyze", data=data, content_type="application/json")


@given(
    st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
)
@settings(max_examples=200)
def test_any_bytes(data: bytes) -> None:
    check(post(data))


@given(st.sampled_from(BODIES), st.data())
@settings(max_examples=200)
def test_any_bytes_within_a_good_body(body: dict[str, Any], data: st.DataObject) -> None:
    raw = bytearray(json.dumps(body), "utf-8")
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    check(post(bytes(raw)))


@given(
    st.dictionaries(
        st.sampled_from([*BODIES[0], "code", "contract", "plays", "viewpoint", "worlds", "seed", "score"]), values
    )
)
@settings(max_examples=200)
@example({"hands": {"N": {"a": 1}}, "contract": {"trump": [], "maker": {}}})
@example({"rules": {"preset": []}})
def test_any_values_in_the_fields(body: dict[str, Any]) -> None:
    check(post(json.dumps(body)))


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container within a document, with each of its keys."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [(value, key) for key in keys] + [place for key in keys for place in places(value[key])]


PARTS = [container[key] for container, key in places(BODIES[0])]


@given(st.sampled_from(BODIES), st.data())
@settings(max_examples=250)
def test_a_good_body_with_some_values_changed(body: dict[str, Any], data: st.DataObject) -> None:
    changed = deepcopy(body)
    for _ in range(data.draw(st.integers(1, 3))):
        container, key = data.draw(st.sampled_from(places(changed)))
        container[key] = deepcopy(data.draw(st.one_of(values, st.sampled_from(PARTS))))
    check(post(json.dumps(changed)))
