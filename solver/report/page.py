"""A review as one HTML file that needs nothing else: no network, and its tables and diagrams no script."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import accumulate
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from solver.analysis.review.values import Review, ReviewedDecision
from solver.game.auction import Bid
from solver.game.cards import Card
from solver.report.marks import MARKS, mark_of
from solver.report.steps import Step, card_text, steps_of

_DATA = Path(__file__).parent / "data"
_WIDTH, _HEIGHT = 600, 160


def page(review: Review, heading: str) -> str:
    """The document. ``heading`` stands where the game has no title."""
    # Whatever a record says is escaped, and the policy of the page runs no script but the one that is here.
    environment = Environment(
        autoescape=True, loader=FileSystemLoader(_DATA), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["action"] = _action
    style, script = ((_DATA / name).read_text(encoding="utf-8") for name in ("review.css", "review.js"))
    first = review.sides[0].side
    steps = {deal.number: tuple(steps_of(deal)) for deal in review.deals}
    chances = [moment.game[first] for moment in review.curve]
    return environment.get_template("review.html").render(
        review=review,
        title=review.title or heading,
        style=style,
        script=script,
        policy=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'",
        first=first.value,
        chances=chances,
        points=_points(chances),
        bounds=_bounds(review),
        size=(_WIDTH, _HEIGHT),
        names={player.seat: player.name for player in review.players},
        graded=_graded(review),
        steps=steps,
        step_of=_step_of(steps),
        mark=lambda decision: _mark(decision, review.settings.point),
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _action(action: Bid | Card) -> str:
    return card_text(action) if isinstance(action, Card) else str(action)


def _mark(decision: ReviewedDecision, point: float) -> str:
    mark = mark_of(decision, point)
    return mark.strip("[]") if mark is not None else ""


def _graded(review: Review) -> list[ReviewedDecision]:
    """The decisions with a grade, the worst first."""
    found = [each for deal in review.deals for each in deal.decisions if each.grade in MARKS]
    return sorted(found, key=lambda each: -each.game_error.mean)


def _step_of(steps: Mapping[int, Sequence[Step]]) -> dict[tuple[int, int], int]:
    """Of a deal and a decision of it, the step that shows it."""
    return {
        (deal, step.decision.number): at
        for deal, found in steps.items()
        for at, step in enumerate(found)
        if step.decision is not None
    }


def _points(chances: Sequence[float]) -> str:
    """The curve as points of an SVG polyline."""
    step = _WIDTH / max(len(chances) - 1, 1)
    return " ".join(f"{at * step:.1f},{_HEIGHT * (1 - chance):.1f}" for at, chance in enumerate(chances))


def _bounds(review: Review) -> Iterator[tuple[int, str]]:
    """Each deal with the place where its part of the curve begins."""
    sizes = [len(deal.moments) for deal in review.deals]
    step = _WIDTH / max(sum(sizes) - 1, 1)
    for deal, begin in zip(review.deals, accumulate(sizes, initial=0), strict=False):
        yield deal.number, f"{begin * step:.1f}"
