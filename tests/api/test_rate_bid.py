"""``POST /v1/rate-bid``."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from api.examples import BIDS

SEEN: dict[str, Any] = {"dealer": "N", "upcard": "9H", "seat": "E", "hand": "JH AH KH 9S AD", "worlds": 60}


def test_the_answer_has_the_fields_of_the_contract(client: FlaskClient) -> None:
    answer = client.post("/v1/rate-bid", json={**SEEN, "bid": "pass", "seed": 3}).get_json()
    assert [option["bid"] for option in answer["options"]] == ["pass", "order", "order alone"]
    for option in answer["options"]:
        for name in ("points", "game", "difference"):
            assert option[name].keys() == {"mean", "stderr"}
        assert [*option["outcomes"]] == ["-4", "-2", "-1", "0", "1", "2", "4"]
        assert sum(option["outcomes"].values()) == pytest.approx(1, abs=1e-5)
        assert isinstance(option["double_dummy"], (int, float))
    assert answer["best"] == "order"
    assert answer["discard"] is None
    assert answer["verdict"].keys() >= {"bid", "error", "grade", "too_close"}
    assert answer["code"] == "american.N.9H.-ADJHKHAH9S--"
    settings = answer["settings"]
    assert (settings["method"], settings["worlds"], settings["seed"]) == ("rollout", 60, 3)
    assert settings["policy"]


def test_the_dealer_is_told_what_to_throw_away(client: FlaskClient) -> None:
    answer = client.post("/v1/rate-bid", json=BIDS["pass-or-order"]["value"]).get_json()
    assert answer["discard"] == "9D"
    assert answer["verdict"]["bid"] == "pass"


def test_the_code_of_an_answer_asks_the_same_again(client: FlaskClient) -> None:
    first = client.post("/v1/rate-bid", json=SEEN).get_json()
    again = client.post("/v1/rate-bid", json={"code": first["code"], "worlds": 60}).get_json()
    assert again == first


def test_a_bid_from_a_viewpoint_has_the_options_of_a_rating(client: FlaskClient) -> None:
    rated = client.post("/v1/rate-bid", json=SEEN).get_json()
    code = {"code": rated["code"], "viewpoint": "E", "worlds": 60}
    answer = client.post("/v1/analyze", json=code).get_json()
    assert (answer["decision"], answer["information"]) == ("bid", "sampled")
    assert answer["settings"]["policy"] == rated["settings"]["policy"]
    for option, of_rating in zip(answer["options"], rated["options"], strict=True):
        for name in ("bid", "outcomes", "difference", "double_dummy"):
            assert option[name] == of_rating[name]
        assert option["points"]["EW"] - option["points"]["NS"] == pytest.approx(of_rating["points"]["mean"], abs=1e-5)
        assert option["stderr"] == of_rating["points"]["stderr"]


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"hand": "JH AH KH 9S"}, "hand.size", ["hand"]),
        ({"hand": "JH AH KH 9S 9H"}, "card.duplicate", ["hand", 4]),
        ({"hand": "JH AH KH 9S 7H"}, "card.foreign", ["hand", 4]),
        ({"seat": "S"}, "field.conflict", ["seat"]),
        ({"bid": "clubs"}, "bid.illegal", ["bid"]),
        ({"worlds": 10**9}, "field.invalid", ["worlds"]),
    ],
)
def test_what_cannot_be_rated_is_refused_at_its_place(
    client: FlaskClient, change: dict[str, Any], code: str, path: list[str | int]
) -> None:
    answer = client.post("/v1/rate-bid", json={**SEEN, **change})
    assert answer.status_code == 422
    assert [(fault["code"], fault["path"]) for fault in answer.get_json()["errors"]] == [(code, path)]
