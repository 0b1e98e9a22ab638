"""The example of docs/review.md runs, and says what it promises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from solver.analysis.review.depths import DEPTHS

PAGE = (Path(__file__).parents[3] / "docs" / "review.md").read_text(encoding="utf-8")


def test_the_example_runs_and_names_what_was_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(block, "docs/review.md", "exec"), {})
    said = capsys.readouterr().out
    assert re.search("^W AC (mistake|blunder) trumped partner's winning jack of hearts$", said, re.MULTILINE)


def test_the_depths_are_those_that_there_are() -> None:
    (header,) = re.findall(r"^\| \| (`fast`.*) \|$", PAGE, re.MULTILINE)
    assert [name.strip(" `") for name in header.split("|")] == [*DEPTHS]
    for depth in DEPTHS.values():
        assert f"2 × {depth.bid_worlds:,}" in PAGE
        assert f"2 × {depth.card_worlds:,}" in PAGE
        assert f"{depth.plays} times" in PAGE
