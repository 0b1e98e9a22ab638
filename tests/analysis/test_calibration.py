"""The program that holds rated bids against deals played out, its figures and its picture."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.calibration import KINDS, SEATS, Compared, chunk, decisions, kind_of, main, read, summary, table
from benchmarks.calibration_plot import PICTURE, RESULTS, draw
from solver.bidding.policy import policy_for
from solver.game.auction import PASS
from solver.game.rules import preset
from solver.game.seats import Seat

FIGURES = json.loads(RESULTS.read_text())
PAGE = (Path(__file__).parents[2] / "docs" / "rating.md").read_text()


def test_decisions_are_bids_of_the_policy_in_legal_deals() -> None:
    rules = preset("american")
    policy = policy_for(rules)
    found = decisions(rules, policy, Seat.S, 120, np.random.default_rng(1))
    assert tuple(found) == KINDS
    deals: dict[object, list[bool]] = {}
    for kind, those in found.items():
        for position, bid in those:
            auction = position.auction
            assert auction is not None and auction.to_act is not None
            hand = position.deal.hands[auction.to_act]
            assert hand is not None and not position.problems()
            assert policy.probabilities(auction, hand)[bid] > 0
            assert kind_of(auction, bid) == kind
            deals.setdefault(position.deal, []).append(bid == PASS)
    # The bids of a deal are all there: one that ends the auction, or as many passes as there are turns.
    assert len(deals) == 120
    assert all(passes.count(False) == 1 or (len(passes) == 8 and all(passes)) for passes in deals.values())


def test_a_kind_is_picked_from_all_its_decisions_and_each_once() -> None:
    settings = {"part": "played", "rules": "american", "seed": 1, "each": 2}
    picked = chunk(settings, 5)
    assert [kind_of(position.auction, bid) for position, bid, _ in picked if position.auction] == [
        kind for kind in KINDS for _ in range(2)
    ]
    assert len({(position, bid) for position, bid, _ in picked}) == len(picked)
    again = chunk({**settings, "part": "rated"}, 5)
    assert [row[:2] for row in again] == [row[:2] for row in picked]
    # Both parts have luck of their own.
    assert {row[2].random() for row in again}.isdisjoint({row[2].random() for row in picked})


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    def go(*words: str) -> str:
        result = CliRunner().invoke(main, [*words], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    few = ("--each", "1", "--chunks", "2")
    go("play", str(tmp_path), *few, "--player", "pimc:4")
    go("rate", str(tmp_path), *few, "--worlds", "2")
    whole = {path.name: path.read_bytes() for path in tmp_path.glob("*.csv")}
    assert len(whole) == 4
    (tmp_path / "00001.played.csv").unlink()
    assert len(list(read(tmp_path))) == len(KINDS)  # what is half there is left out
    go("play", str(tmp_path), *few, "--player", "pimc:4")
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.csv")} == whole
    other = CliRunner().invoke(main, ["play", str(tmp_path), *few, "--player", "pimc:5"])
    assert other.exit_code == 1 and "other settings" in other.output
    told = go("worlds", str(tmp_path), "--chunks", "2", "--worlds", "2/1", "--worlds", "4")
    assert told.count(", 4 ") > 5 and all(f"{kind}, 2 deals: 2/1 " in told for kind in KINDS[1:5])
    go("report", str(tmp_path), "--write", str(tmp_path / "figures.json"))
    assert set(json.loads((tmp_path / "figures.json").read_text())["kinds"]) == set(KINDS)


def test_runs_of_several_seeds_are_reported_as_one(tmp_path: Path) -> None:
    few = ("--each", "1", "--chunks", "1")
    runs = [str(tmp_path / seed) for seed in ("1", "2")]
    for seed, run in enumerate(runs):
        assert CliRunner().invoke(main, ["play", run, *few, "--seed", str(seed), "--player", "pimc:4"]).exit_code == 0
        assert CliRunner().invoke(main, ["rate", run, *few, "--seed", str(seed), "--worlds", "2"]).exit_code == 0
    figures = tmp_path / "figures.json"
    assert CliRunner().invoke(main, ["report", *runs, "--write", str(figures)]).exit_code == 0
    told = json.loads(figures.read_text())
    assert [each["rated"]["seed"] for each in told["settings"]] == [0, 1]
    played = [row.played for run in runs for row in read(Path(run)) if row.kind == "pass"]
    assert told["kinds"]["pass"]["decisions"] == 2
    assert told["kinds"]["pass"]["played"]["mean"] == sum(played) / 2
    twice = CliRunner().invoke(main, ["report", runs[0], runs[0]])
    assert twice.exit_code == 1 and "the same seed" in twice.output


def test_the_luck_of_deals_is_taken_out_of_a_difference_and_leaves_its_mean() -> None:
    random = np.random.default_rng(2)
    luck, noise = random.integers(-2, 3, 4000), random.normal(size=4000)
    rows = [
        Compared("pass", 1, SEATS[0], 0.25 + float(each), 0.0, int(chance), int(chance))
        for chance, each in zip(luck, noise, strict=True)
    ]
    told = summary(rows, 10)
    assert told["slope"] == pytest.approx(1, abs=0.05)
    assert told["play"]["mean"] == pytest.approx(0.25, abs=4 / 4000**0.5)
    assert told["play"]["stderr"] == pytest.approx(1 / 4000**0.5, rel=0.05)
    assert told["rated_less_played"]["stderr"] == pytest.approx(3**0.5 / 4000**0.5, rel=0.05)
    assert len(told["bins"]) == 10


def test_the_picture_is_that_of_the_figures() -> None:
    picture = draw(FIGURES)
    assert PICTURE.read_text() == picture
    drawn = ET.fromstring(picture)
    points = [each for each in drawn.iter() if each.get("class") == "point"]
    assert len(points) == sum(len(told["bins"]) for told in FIGURES["kinds"].values())


def test_the_page_states_the_figures() -> None:
    assert "\n".join(table(FIGURES["kinds"])) in PAGE
