"""The examples of the README run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from solver.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_python_examples_run(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out


@pytest.mark.parametrize("line", re.findall(r"^\.venv/bin/rightbower (.*)$", README, re.MULTILINE))
def test_commands_run(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(main, shlex.split(line))
    assert result.exit_code == 0, result.output
    assert result.output


def test_the_code_of_the_http_example_is_the_position_of_the_python_example() -> None:
    (python, *_) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(python, "README.md", "exec"), names)
    (code,) = re.findall(r'"code": "([^"]+)"', README)
    from solver import Position, write_code

    position = names["position"]
    assert isinstance(position, Position)
    assert write_code(position) == code


def test_every_link_between_documents_leads_somewhere() -> None:
    """To a file that there is, and to a heading of it."""
    root = ROOT
    documents = [*root.glob("*.md"), *root.glob("docs/*.md"), *root.glob("benchmarks/*.md")]
    lost = []
    for document in documents:
        for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
            if target.startswith(("http://", "https://", "mailto:")):
                continue
            name, _, heading = target.partition("#")
            file = document.parent / name if name else document
            if not file.exists() or (heading and heading not in _headings(file)):
                lost.append(f"{document.name}: {target}")
    assert len(documents) > 15
    assert not lost


def _headings(document: Path) -> set[str]:
    """As they are linked to: words in lower case between hyphens."""
    found = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in found}
