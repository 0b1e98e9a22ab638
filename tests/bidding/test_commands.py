"""`rightbower policy`."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from solver.bidding import build_policy, measure_shares
from solver.bidding.policy import BUILT, checksum, load_tables
from solver.bidding.shares import Shares
from solver.cli import main
from solver.game.rules import PRESETS, Rules


def test_report_says_what_the_policy_does() -> None:
    ran = CliRunner().invoke(main, ["policy", "report", "--rules", "cardporch", "--deals", "200"])
    assert ran.exit_code == 0, ran.output
    assert ran.output.startswith("cardporch-2: ")
    assert "200 random deals" in ran.output
    assert "round 2, dealer" in ran.output and "thrown in: 0.00% of deals" in ran.output


def test_what_places_win_by_their_bids_is_what_the_dealers_side_makes() -> None:
    ran = CliRunner().invoke(main, ["policy", "report", "--deals", "300"])
    total = 0.0
    for line in ran.output.splitlines():
        if row := re.fullmatch(r"round [12], (dealer.*?) {2,}(.*)", line):
            comes, passes, *_, points = map(float, row[2].split())
            mine = 1 if row[1] in ("dealer", "dealer's partner") else -1
            total += mine * points * comes / 100 * (1 - passes / 100)
    made = re.search(r"^dealer's side: (\S+) points", ran.output, re.MULTILINE)
    assert made is not None and abs(total) > 0.1
    assert float(made[1]) == pytest.approx(total, abs=0.01)


def test_shares_writes_what_it_measures_and_says_how_sure_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    american, other = PRESETS["american"], Rules(going_alone="never")
    monkeypatch.setattr(measure_shares, "MEASURED", (american, other))
    out = tmp_path / "made" / "shares.json"
    ran = CliRunner().invoke(main, ["policy", "shares", "--out", str(out), "--deals", "48", "--others", "24"])
    assert ran.exit_code == 0, ran.output
    assert "american by american-2: 48 deals" in ran.output
    assert "american going_alone=never by simple: 24 deals" in ran.output
    assert ran.output.count("stderr") >= 6
    made = json.loads(out.read_text(encoding="utf-8"))
    assert made["seed"] == 11
    assert [Shares.read(each).rules for each in made["shares"]] == [american, other]


@pytest.mark.slow
def test_build_writes_a_file_that_says_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = load_tables()
    assert tables is not None
    # The discards take minutes, and each table some sweeps.
    monkeypatch.setattr(build_policy, "make_discards", lambda *_: tables["discards"])
    monkeypatch.setattr(build_policy, "DEALS_A_CHUNK", 64)
    make = build_policy.make_tables
    monkeypatch.setattr(build_policy, "make_tables", lambda *arguments, **_: make(*arguments[:2], BUILT[:1], (1.0,)))
    out = tmp_path / "made" / "policy.npz"
    ran = CliRunner().invoke(main, ["policy", "build", "--out", str(out), "--work", str(tmp_path), "--deals", "100"])
    assert ran.exit_code == 0, ran.output
    with np.load(out, allow_pickle=False) as stored:
        made = {name: stored[name] for name in stored.files}
    assert f'"checksum": "{checksum(made)}"' in str(made["provenance"])
    assert '"deals": 128' in str(made["provenance"])
