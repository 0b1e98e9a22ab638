"""`rightbower review`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from solver.cli import main
from solver.logs import read

GAME = Path(__file__).parents[1] / "data" / "egn" / "game27.egn"
DEAL = "american.N.9H.TCJCQCJDQD-9CKC9DTD9S-ACADTHAHJS-QSKSASKDKH.o.JC.9SJSAS9H"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["review", "--depth", "fast", *map(str, arguments)])


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.jsonl"
    path.write_text(json.dumps({"rightbower": 1, "players": {"N": "An\x1b[31mn"}, "code": DEAL}) + "\n")
    return path


def test_a_good_game_is_reviewed_with_status_0(good: Path) -> None:
    result = run(good)
    assert result.exit_code == 0, result.output
    for words in ("Points lost a decision", "Chance of NS to win the game", "depth fast, seed 0"):
        assert words in result.stdout


@pytest.mark.parametrize("evil", ["\x1b[31mred", "\x1b]0;title\x07", "\u202etfel", "\x9b2J", "new\nline"])
def test_nothing_in_a_file_or_its_name_commands_the_terminal(tmp_path: Path, evil: str) -> None:
    path = tmp_path / f"a{evil}.jsonl"
    line = {"rightbower": 1, "title": evil, "players": {"N": evil}, "notes": {evil: evil}, "code": DEAL}
    bad = {**line, "code": evil, "notes": {}}
    path.write_text(json.dumps(line) + "\n" + json.dumps(bad) + "\n")
    result = run(path)
    converted = CliRunner().invoke(main, ["convert", str(path), "--to", "line"])
    for said in (result.stdout, result.stderr, converted.stderr):
        assert said
        assert evil not in said
        assert all(sign.isprintable() or sign == "\n" for sign in said), ascii(said)


def test_json_is_what_http_answers(good: Path) -> None:
    answer = json.loads(run(good, "--json", "--seed", "2").stdout)
    assert answer["settings"]["seed"] == 2
    assert len(answer["deals"]) == 1


def test_out_writes_a_file_for_each_game_that_reads_back(good: Path, tmp_path: Path) -> None:
    twice = tmp_path / "twice.jsonl"
    line = json.loads(good.read_text())
    twice.write_text("".join(json.dumps({**line, "game": game}) + "\n" for game in (1, 2)))
    assert run(twice, "--out", tmp_path / "made", "--html").exit_code == 0
    reports = [tmp_path / "made" / name for name in ("twice.review.html", "twice-2.review.html")]
    for report in reports:
        assert report.read_text().startswith("<!doctype html>")
        report.unlink()
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == ["twice-2.review.egn", "twice.review.egn"]
    (source, _), (again,) = read(twice), read(tmp_path / "made" / "twice.review.egn")
    assert again.deals[0].position.plays == source.deals[0].position.plays


def test_a_file_that_is_reviewed_is_not_overwritten(good: Path, tmp_path: Path) -> None:
    other = tmp_path / "good.review.egn"
    other.write_bytes(good.read_bytes())
    result = run(good, other, "--out", tmp_path)
    assert result.exit_code == 2
    assert "cannot be written at the same time" in result.stderr
    assert other.read_bytes() == good.read_bytes()


def test_bad_records_are_named_and_the_others_done(good: Path, tmp_path: Path) -> None:
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text(good.read_text() + '{"rightbower":1,"code":"x"}\n')
    empty = tmp_path / "empty"
    empty.write_text("")
    result = run(empty, mixed)
    assert result.exit_code == 1
    assert f"{mixed}:2:" in result.stderr
    assert str(empty) in result.stderr
    assert "Chance of NS" in result.stdout


def test_a_game_without_deals_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    path.write_text('{"rightbower":1,"title":"Nobody came","rules":"american"}\n')
    result = run(path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"{path}: the game has no deals to review [log.record]\n"


def test_what_the_format_cannot_hold_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bare.jsonl"
    path.write_text('{"rightbower":1,"code":"american.~H.~E.9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS"}\n')
    result = run(path, "--out", tmp_path / "made")
    assert result.exit_code == 1
    assert str(path) in result.stderr


@pytest.mark.parametrize(
    "arguments", [[], ["/no/such/file"], [GAME, "--depth", "abyss"], [GAME, "--workers", "0"], [GAME, "--html"]]
)
def test_wrong_usage_is_status_2(arguments: list[str | Path]) -> None:
    assert run(*arguments).exit_code == 2
