"""The page about batches: its example runs, and it names every kind, column and option."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from solver.batch.commands import run_command
from solver.batch.kinds import KINDS
from tests.batch.files import dealt_codes, write_lines

PAGE = (Path(__file__).parent.parent.parent / "docs" / "batch.md").read_text(encoding="utf-8")


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    *_, block = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    write_lines(Path("deals.txt"), dealt_codes(3, 1))
    exec(compile(block, "batch.md", "exec"), {})
    assert [json.loads(line)["record"] for line in capsys.readouterr().out.splitlines()] == [1, 2, 3]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_column_and_setting_is_described(kind: object) -> None:
    (row,) = re.findall(rf"^\| `{kind.name}` \|.*$", PAGE, re.MULTILINE)
    assert [column.name for column in kind.columns if f"`{column.name}`" not in row] == []
    assert [name for name, value in kind.settings.items() if f"`{name}` ({value}" not in row] == []


def test_every_option_that_says_where_or_how_is_described() -> None:
    names = {option for parameter in run_command.params for option in parameter.opts if option.startswith("--")}
    settings = {f"--{name}" for kind in KINDS for name in kind.settings}
    assert {name for name in names if name not in PAGE} == {"--chunk-bytes"} | settings
