"""Draw what bids are worth as rated and as played out, from `benchmarks/results/calibration.json`.

python -m benchmarks.calibration_plot [--figures FILE] [--picture FILE]

The picture is `docs/calibration.svg`: a panel for each kind of bid, in it a point for each tenth of its decisions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from pathlib import Path
from typing import Any

import click

from benchmarks.calibration import KINDS

RESULTS = Path(__file__).parent / "results" / "calibration.json"
PICTURE = Path(__file__).parent.parent / "docs" / "calibration.svg"

#: Panels in a row, the side of a panel, and what is left free around it.
COLUMNS, SIDE, LEFT, TOP, BETWEEN = 4, 190, 58, 46, 62
#: Bars hold the mean in 95 of 100 cases: so many standard errors to either side.
ERRORS = 1.96
STYLE = (
    "text{font:12px sans-serif;fill:#333}.title{font-weight:bold}.number{font-size:11px;fill:#666}"
    ".grid{stroke:#e2e2e2}.equal{stroke:#888;stroke-dasharray:4 3}.bar{stroke:#0b62a4}.point{fill:#0b62a4}"
)
NOTE = (
    *("A point: a tenth of the", "decisions of a kind, set apart", "by double dummy."),
    *("Bars: 95% intervals.", "Dashed: played as rated."),
)


@dataclass(frozen=True)
class Panel:
    """A square of the picture, and the points, least and most, at its edges."""

    left: float
    top: float
    least: int
    most: int

    def x(self, points: float) -> float:
        return round(self.left + SIDE * (points - self.least) / (self.most - self.least), 1)

    def y(self, points: float) -> float:
        return round(self.top + SIDE * (self.most - points) / (self.most - self.least), 1)

    def line(self, kind: str, one: Sequence[float], other: Sequence[float]) -> str:
        """From one point of the panel, in net points, to another."""
        return (
            f'<line class="{kind}" x1="{self.x(one[0])}" y1="{self.y(one[1])}" '
            f'x2="{self.x(other[0])}" y2="{self.y(other[1])}"/>'
        )


def _text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    words = words.replace("-", "\N{MINUS SIGN}")
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{words}</text>'


def _kind(panel: Panel, kind: str, told: Mapping[str, Any]) -> Iterator[str]:
    """One kind of bid."""
    # 1. The paper.
    for at in range(panel.least, panel.most + 1):
        yield panel.line("grid", (at, panel.least), (at, panel.most))
        yield panel.line("grid", (panel.least, at), (panel.most, at))
        yield _text(panel.x(at), panel.top + SIDE + 15, f"{at}", "number", "middle")
        yield _text(panel.left - 6, panel.y(at) + 4, f"{at}", "number", "end")
    yield panel.line("equal", (panel.least, panel.least), (panel.most, panel.most))
    # 2. What was found.
    for each in told["bins"]:
        (x, across), (y, up) = ((each[by]["mean"], ERRORS * each[by]["stderr"]) for by in ("rated", "played"))
        yield panel.line("bar", (x - across, y), (x + across, y))
        yield panel.line("bar", (x, y - up), (x, y + up))
        yield f'<circle class="point" cx="{panel.x(x)}" cy="{panel.y(y)}" r="2.5"/>'
    # 3. What it is.
    apart = told["rated_less_played"]
    yield _text(panel.left, panel.top - 22, f"{kind}: {told['decisions']:,} decisions", "title")
    yield _text(panel.left, panel.top - 7, f"rated less played {apart['mean']:+.3f} ± {apart['stderr']:.3f}")


def draw(figures: Mapping[str, Any]) -> str:
    """The picture, as SVG."""
    kinds = [kind for kind in KINDS if kind in figures["kinds"]]
    ends = [
        each[by]["mean"] + sign * ERRORS * each[by]["stderr"]
        for kind in kinds
        for each in figures["kinds"][kind]["bins"]
        for by in ("rated", "played")
        for sign in (1, -1)
    ]
    places = [
        (LEFT + (SIDE + BETWEEN) * (at % COLUMNS), TOP + (SIDE + TOP + BETWEEN / 2) * (at // COLUMNS))
        for at in range(len(kinds) + 1)
    ]
    width, height = LEFT + (SIDE + BETWEEN) * COLUMNS, places[-1][1] + SIDE + 44
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="t">',
        '<title id="t">Net points of bids: rated across, played out upwards</title>',
        f"<style>{STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for (left, top), kind in zip(places, kinds, strict=False):
        lines += _kind(Panel(left, top, floor(min(ends)), ceil(max(ends))), kind, figures["kinds"][kind])
    left, top = places[-1]
    lines += [_text(left, top + 20 + 18 * at, words) for at, words in enumerate(NOTE)]
    lines.append(_text(width / 2, height - 8, "rated, net points of the bidder's side", anchor="middle"))
    lines.append(f'<g transform="translate(16 {height / 2}) rotate(270)">{_text(0, 0, "played out", "", "middle")}</g>')
    return "\n".join([*lines, "</svg>", ""])


@click.command()
@click.option("--figures", type=click.Path(path_type=Path, exists=True), default=RESULTS)
@click.option("--picture", type=click.Path(path_type=Path), default=PICTURE)
def main(figures: Path, picture: Path) -> None:
    """Draw the figures."""
    picture.write_text(draw(json.loads(figures.read_text())))


if __name__ == "__main__":
    main()
