"""`rightbower convert` as a user meets it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from solver.cli import main
from solver.logs import FORMATS, read

DATA = Path(__file__).parents[1] / "data"
GAME, REVOKES = DATA / "egn" / "game05.egn", DATA / "egn" / "game14.egn"
DEALS = DATA / "logs" / "deals.txt"


def run(*arguments: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["convert", *map(str, arguments)], input=stdin)


def test_a_game_goes_to_standard_output() -> None:
    result = run(GAME, "--to", "jsonl")
    assert result.exit_code == 0 and not result.stderr
    assert list(read(result.stdout_bytes)) == list(read(GAME))


def test_standard_input_is_read_and_its_format_may_be_named() -> None:
    result = run("-", "--from", "line", "--to", "jsonl", stdin=DEALS.read_bytes())
    assert result.exit_code == 0
    assert len(list(read(result.stdout_bytes))) == len(list(read(DEALS)))


def test_bad_records_are_named_with_their_place_and_the_others_written(tmp_path: Path) -> None:
    source = tmp_path / "deals.txt"
    source.write_bytes(DEALS.read_bytes() + b"9c|\n" + DEALS.read_bytes())
    result = run(source, "--to", "jsonl", "--out", tmp_path / "out.jsonl")
    assert result.exit_code == 1
    assert re.fullmatch(rf"{re.escape(str(source))}:9: .*\[log.record\]\n", result.stderr)
    assert len(list(read(tmp_path / "out.jsonl"))) == 2 * len(list(read(DEALS)))


def test_a_revoke_is_named_by_deal_trick_and_seat() -> None:
    result = run(REVOKES, "--to", "jsonl")
    assert result.exit_code == 1
    assert f"{REVOKES}: deal 2, trick 1, N: TH: diamonds were led and 9D TD AD are held [play.illegal]" in result.stderr


def test_what_has_no_place_is_named_once_and_is_no_bad_record(tmp_path: Path) -> None:
    result = run(GAME, DATA / "egn" / "game02.egn", "--to", "line", "--out", tmp_path / "out.txt")
    assert result.exit_code == 0
    assert result.stderr.count("line has no place for the title") == 1


def test_a_directory_gets_a_file_for_each_input(tmp_path: Path) -> None:
    out = tmp_path / "made"
    result = run(GAME, DEALS, "--to", "jsonl", "--out", f"{out}/")
    assert result.exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == ["deals.jsonl", "game05.jsonl"]
    assert [len(list(read(path))) for path in sorted(out.iterdir())] == [len(list(read(DEALS))), 1]


def test_inputs_of_one_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "deals.txt").write_bytes(DEALS.read_bytes())
    out = tmp_path / "made"
    run(tmp_path / "a" / "deals.txt", tmp_path / "b" / "deals.txt", "--to", "jsonl", "--out", f"{out}/")
    assert sorted(path.name for path in out.iterdir()) == ["deals-2.jsonl", "deals.jsonl"]


def test_a_file_that_is_read_is_not_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "deals.txt"
    source.write_bytes(DEALS.read_bytes())
    for out in (source, f"{tmp_path}/"):
        result = run(source, "--to", "line", "--out", out)
        assert result.exit_code == 2 and "cannot be written at the same time" in result.stderr
    assert source.read_bytes() == DEALS.read_bytes() and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--to", "pdf"], "pdf"),
        ([], "--to"),
        (["--to", "jsonl", "--from", "pdf"], "pdf"),
    ],
)
def test_wrong_usage_ends_with_2(arguments: list[str], words: str) -> None:
    result = run(DEALS, *arguments)
    assert result.exit_code == 2 and words in result.stderr


def test_dots_in_names_stay_and_the_ending_of_the_format_goes(tmp_path: Path) -> None:
    names = ("2024.05.01.txt", "2024.06.01.txt", "club.openspiel.jsonl", "plain")
    for name in names:
        (tmp_path / name).write_bytes(DEALS.read_bytes())
    out = tmp_path / "made"
    assert (
        run(*(tmp_path / name for name in names), "--to", "jsonl", "--from", "line", "--out", f"{out}/").exit_code == 0
    )
    made = sorted(path.name for path in out.iterdir())
    assert made == ["2024.05.01.jsonl", "2024.06.01.jsonl", "club.jsonl", "plain.jsonl"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    for out in (tmp_path / "none" / "deals.jsonl", f"{DEALS}/", DEALS / "deals.jsonl"):
        result = run(DEALS, "--to", "jsonl", "--out", out)
        assert result.exit_code == 1
        assert str(out).rstrip("/") in result.stderr


@pytest.mark.parametrize("target", [each.name for each in FORMATS])
def test_where_no_record_is_good_that_is_named_whatever_is_to_be_written(tmp_path: Path, target: str) -> None:
    source, out = tmp_path / "bad.jsonl", tmp_path / "made"
    source.write_text('{"rightbower":1,"code":"x"}\n')
    for options in ([], ["--out", out], ["--out", f"{tmp_path}/all/"]):
        result = run(source, "--to", target, *options)
        assert (result.exit_code, result.stdout) == (1, "")
        assert isinstance(result.exception, SystemExit)
        assert f"{source}:1: " in result.stderr
    assert out.exists() is (target != "egn")


def test_files_that_cannot_be_read_are_named_and_the_others_done(tmp_path: Path) -> None:
    (tmp_path / "picture").write_bytes(b"\x89PNG")
    result = run(tmp_path / "none", tmp_path / "picture", tmp_path, DEALS, "--to", "jsonl")
    assert result.exit_code == 1
    assert "none: it cannot be read: No such file" in result.stderr
    assert "picture: the format is not known" in result.stderr
    assert "it cannot be read: Is a directory" in result.stderr
    assert len(list(read(result.stdout_bytes))) == len(list(read(DEALS)))
