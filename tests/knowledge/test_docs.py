"""The example of docs/sampling.md runs, and prints what its comments say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "sampling.md").read_text(encoding="utf-8")


def test_the_example_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(block, "sampling.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    said = re.findall(r"^print.*?  # (\(.*?\)|[^ =:]+)[ :]", block, re.MULTILINE)
    assert printed == said
