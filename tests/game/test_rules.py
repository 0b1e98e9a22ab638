"""The rules are the published table: options with their values and defaults, presets, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from solver.errors import InvalidInput
from solver.game.rules import (
    PRESETS,
    UNSUPPORTED_PRESETS,
    Rules,
    describe,
    option_later,
    option_range,
    option_values,
    preset,
    with_options,
)

#: Option -> its values, default first; those that cannot be played yet apart.
OPTIONS: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "seats": ((4, 2), (3,)),
    "deck": ((24, 25, 28, 32, 33), ()),
    "stick_the_dealer": ((False, True), ()),
    "stuck_dealer_may_name_turned_down": ((False, True), ()),
    "going_alone": (("either_round", "never"), ()),
    "dealers_partner": (("free", "alone_if_ordering", "alone_always", "may_not_order"), ()),
    "lone_lead": (("dealer_left", "maker_left", "maker_left_unless_dealers_side", "maker"), ()),
    "defend_alone": (("no",), ("against_loner", "always")),
    "dealer_may_decline_upcard": ((False, True), ()),
    "dealer_may_discard_upcard": ((True, False), ()),
    "natural_trump_to_order": ((False, True), ()),
    "benny_upcard": (("dealer_names", "C", "D", "H", "S"), ()),
    "no_trump": ((False,), (True,)),
    "call_for_best": ((False,), (True,)),
}
NUMBERS = {"points": 1, "march": 2, "lone_march": 4, "lone_points": 1, "euchre": 2, "lone_euchre": 2,
           "defended_alone_euchre": 4, "target": 10}  # fmt: skip

TABLE: dict[str, dict[str, Any]] = {
    "american": {},
    "cardporch": {"stick_the_dealer": True},
    "spanish": {"dealers_partner": "alone_always", "lone_lead": "maker_left_unless_dealers_side"},
    "two_handed": {"seats": 2, "going_alone": "never", "dealer_may_decline_upcard": True},
    "british": {"deck": 25, "target": 11, "lone_euchre": 4},
    "canadian": {"dealers_partner": "alone_if_ordering"},
    "euchre_com": {"stick_the_dealer": True, "lone_lead": "maker_left"},
}


def refusal(**options: Any) -> dict[str, str]:
    """Option -> code, of every fault of these options on the default rules."""
    with pytest.raises(InvalidInput) as caught:
        with_options(Rules(), options)
    for fault in caught.value.faults:
        assert str(fault.path[0]) in fault.message
    return {str(fault.path[0]): fault.code for fault in caught.value.faults}


def test_options_and_their_defaults_are_the_published_ones() -> None:
    assert Rules().options() == {name: values[0] for name, (values, _) in OPTIONS.items()} | NUMBERS


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_takes_the_published_values(name: str) -> None:
    values, later = OPTIONS[name]
    assert option_values(name) == values
    assert option_later(name) == later
    assert option_range(name) is None


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_takes_what_is_within_its_range_and_nothing_else(name: str) -> None:
    bounds = option_range(name)
    assert bounds is not None and option_values(name) is None
    least, most = bounds
    assert refusal(**{name: least - 1}) == refusal(**{name: most + 1}) == {name: "rules.value"}
    for value in (True, 2.0, "2", None):
        assert refusal(**{name: value}) == {name: "rules.value"}


@pytest.mark.parametrize("name", TABLE)
def test_a_preset_differs_from_the_defaults_as_published(name: str) -> None:
    assert preset(name) == Rules(**TABLE[name])
    assert preset(name).differences(Rules()) == TABLE[name]


def test_every_preset_is_in_the_table() -> None:
    assert sorted(PRESETS) == sorted(TABLE)
    assert sorted(UNSUPPORTED_PRESETS) == ["railroad", "three_handed"]


@pytest.mark.parametrize("name", TABLE)
def test_rules_are_described_by_a_preset_and_read_back(name: str) -> None:
    for rules in (preset(name), with_options(preset(name), {"target": 7})):
        said, differences = describe(rules)
        assert with_options(preset(said), differences) == rules
    assert describe(preset(name)) == (name, {})


def test_of_presets_that_differ_as_little_the_first_describes() -> None:
    rules = Rules(stick_the_dealer=True, lone_lead="maker")
    assert [len(rules.differences(preset(name))) for name in ("cardporch", "euchre_com")] == [1, 1]
    assert describe(rules) == ("cardporch", {"lone_lead": "maker"})


@pytest.mark.parametrize(
    ("name", "options"), [("three_handed", ["seats"]), ("railroad", ["call_for_best", "defend_alone"])]
)
def test_a_preset_that_waits_is_refused_naming_the_options_it_waits_for(name: str, options: list[str]) -> None:
    with pytest.raises(InvalidInput) as caught:
        preset(name)
    (fault,) = caught.value.faults
    assert fault.code == "rules.unsupported"
    assert all(option in fault.message for option in options)


def test_an_unknown_preset_is_refused_naming_the_known() -> None:
    with pytest.raises(InvalidInput, match="american") as caught:
        preset("x" * 1000)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, (_, later) in OPTIONS.items() for value in later])
def test_a_way_to_play_that_is_not_supported_is_refused_by_name(name: str, value: Any) -> None:
    assert refusal(**{name: value})[name] == "rules.unsupported"


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"seats": 2}, {"going_alone"}),
        ({"seats": 2, "going_alone": "never", "dealers_partner": "may_not_order"}, {"dealers_partner"}),
        ({"seats": 2, "going_alone": "never", "defend_alone": "always"}, {"defend_alone"}),
        ({"going_alone": "never", "dealers_partner": "alone_always"}, {"dealers_partner"}),
        ({"going_alone": "never", "dealers_partner": "alone_if_ordering"}, {"dealers_partner"}),
        ({"stuck_dealer_may_name_turned_down": True}, {"stuck_dealer_may_name_turned_down"}),
        ({"no_trump": True, "deck": 25}, {"no_trump"}),
        ({"benny_upcard": "H"}, {"benny_upcard"}),
        ({"points": 3}, {"march"}),
        ({"lone_points": 5}, {"lone_march"}),
    ],
)
def test_options_that_exclude_each_other_are_refused_by_name(options: dict[str, Any], named: set[str]) -> None:
    assert named <= set(refusal(**options))
    with pytest.raises(InvalidInput):
        Rules(**options)


def test_all_faults_of_the_options_come_together() -> None:
    found = refusal(seats=5, deck=26, lone_lead="left", target=0, colour="red")
    assert found == dict.fromkeys(("seats", "deck", "lone_lead", "target"), "rules.value") | {"colour": "rules.unknown"}


@pytest.mark.parametrize("value", [True, 4.0, "4", None, [4]])
def test_a_value_of_another_type_is_no_value(value: Any) -> None:
    assert refusal(seats=value) == {"seats": "rules.value"}
