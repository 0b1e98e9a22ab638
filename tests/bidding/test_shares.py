"""How deals end: what is shipped is what the program measures, and what the tables were made from says so too."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from solver.bidding.equilibrium import Game
from solver.bidding.measure_shares import MEASURED, measure, write
from solver.bidding.policy import BUILT, TablePolicy, load_tables, policy_for
from solver.bidding.report_policy import table_of
from solver.bidding.samples import play_out, random_deals
from solver.bidding.shares import Shares, load_shares, shares_for
from solver.game.rules import PRESETS, Rules
from solver.game.scoring import makers_points


def test_what_is_measured_is_shipped_with_the_policies_of_today() -> None:
    assert [each.rules for each in load_shares()] == list(MEASURED)
    for each in load_shares():
        assert each.policy == policy_for(each.rules).name


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_shares_of_its_own_from_many_deals(name: str) -> None:
    shares = shares_for(PRESETS[name])
    assert shares.rules == PRESETS[name]
    assert shares.deals >= 50_000
    assert shares.name.startswith(f"{name} by ")


@pytest.mark.parametrize("shares", load_shares(), ids=[each.name for each in load_shares()])
def test_shares_sum_to_one_and_only_deals_end_that_can(shares: Shares) -> None:
    rules, net = shares.rules, shares.net(shares.rules)
    assert sum(net.values()) == pytest.approx(1)
    possible = {
        sign * makers_points(rules, alone, tricks)
        for sign, alone, tricks in product((1, -1), (False, True), range(6))
        if not alone or rules.going_alone != "never"
    }
    assert set(net) <= possible | {0}
    assert shares.thrown_in == 0 or not rules.stick_the_dealer


def apart(one: Shares, other: Shares) -> list[float]:
    """By how many standard errors of their difference each share differs, where deals are enough to say."""
    found = []
    counts = zip(
        [one.thrown_in, *np.ravel((one.dealers, one.others))],
        [other.thrown_in, *np.ravel((other.dealers, other.others))],
        strict=True,
    )
    for left, right in counts:
        share = (left + right) / (one.deals + other.deals)
        if min(left, right) >= 10:
            found.append(
                (left / one.deals - right / other.deals)
                / (share * (1 - share) * (1 / one.deals + 1 / other.deals)) ** 0.5
            )
    return found


@pytest.mark.parametrize("rules", [PRESETS["american"], PRESETS["two_handed"], PRESETS["british"]])
def test_other_deals_end_by_the_shipped_shares(rules: Rules) -> None:
    errors = apart(shares_for(rules), measure(rules, 1200, seed=5))
    assert len(errors) > 5
    assert max(map(abs, errors)) < 4.5


def test_deals_of_another_program_have_the_same_mean() -> None:
    """The one that tables are made from values every contract of a deal; players there look at fewer worlds."""
    policy, tables = policy_for(PRESETS["american"]), load_tables()
    assert isinstance(policy, TablePolicy)
    assert tables is not None
    deals = play_out(*random_deals(400, 9, 0), tables["discards"], 9)
    worth = -Game(PRESETS["american"], deals, tables["discards"]).worth(table_of(policy))
    mean = sum(net * share for net, share in shares_for(PRESETS["american"]).net(PRESETS["american"]).items())
    assert mean == pytest.approx(worth.mean(), abs=4 * worth.std() / len(worth) ** 0.5)


def test_equal_seeds_measure_equal_shares_with_any_number_of_threads() -> None:
    rules = PRESETS["cardporch"]
    one, two, other = measure(rules, 96, 1), measure(rules, 96, 1, threads=2), measure(rules, 96, 2)
    assert one == two != other
    assert one.deals == 96


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "shares.json"
    write(path, load_shares(), 11)
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) == len(load_shares()) + 2
    assert [Shares.read(each.document()) for each in load_shares()] == list(load_shares())


@pytest.mark.parametrize("name", BUILT)
def test_the_target_and_points_that_a_policy_is_blind_to_are_no_other_deals(name: str) -> None:
    rules = PRESETS[name]
    assert shares_for(replace(rules, target=21)) is shares_for(rules)
    other = shares_for(replace(rules, lone_march=5))
    assert other.policy == "simple"
    assert other.rules.differences(rules).keys() == {"lone_euchre"}
    assert 5 in other.net(replace(rules, lone_march=5))


@pytest.mark.parametrize(
    ("rules", "like"),
    [
        (Rules(deck=28, euchre=4), Rules(deck=28)),
        (Rules(deck=28, stick_the_dealer=True, lone_lead="maker"), Rules(deck=28, stick_the_dealer=True)),
        (replace(PRESETS["two_handed"], deck=32, march=3), replace(PRESETS["two_handed"], deck=32)),
        (Rules(going_alone="never", dealer_may_discard_upcard=False), Rules(going_alone="never")),
        (replace(PRESETS["british"], benny_upcard="S"), PRESETS["british"]),
        (Rules(natural_trump_to_order=True, lone_euchre=4), Rules(natural_trump_to_order=True)),
    ],
)
def test_rules_that_were_not_measured_take_the_shares_of_the_most_similar(rules: Rules, like: Rules) -> None:
    found = shares_for(rules).rules
    assert found.differences(like).keys() <= {"target", "lone_euchre"}


def test_every_card_is_turned_up_equally_often() -> None:
    assert [measure(PRESETS["american"], deals, 1).deals for deals in (1, 24, 25)] == [24, 24, 48]
