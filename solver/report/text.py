"""A review as text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.analysis.review.values import Account, PlayerSummary, Review, ReviewedDecision, SideSummary, Tally
from solver.logs.places import printable

#: Of decisions with a grade, so many are shown.
MOST_SHOWN = 10
_BARS = "▁▂▃▄▅▆▇█"


def draw_review(review: Review, heading: str) -> str:
    """Players, pairs with their luck, the worst decisions, and the curve."""
    first = review.sides[0].side
    settings = review.settings
    deals = f"{len(review.deals)} deal{'s' * (len(review.deals) != 1)}"
    rows = [printable(f"{heading}: {review.title or 'no title'}, {deals}"), ""]
    rows += [
        "Points lost a decision that was not forced, and how many of each grade",
        f"  {'':<18}{'bidding':>9}{'discard':>9}{'play':>9}{'all':>9}   inaccuracies  mistakes  blunders",
        *(_account(_name(each), each.account) for each in review.players),
        *(_account(str(each.side), each.account) for each in review.sides),
        "",
        f"Net points, and how much of them was luck{_balanced(review)}",
        f"  {'':<18}{'result':>9}{'hands':>9}{'upcard':>9}{'adjusted':>10}   chance to win: result, adjusted",
        *(_balance(each) for each in review.sides),
        "",
        *_worst(review),
    ]
    curve = [moment.game[first] for moment in review.curve]
    if curve:
        rows += [f"Chance of {first} to win the game, from {curve[0]:.0%} to {curve[-1]:.0%}", *_curve(review)]
    unreviewed = len(review.unreviewed)
    if unreviewed:
        rows += ["", f"Not reviewed: {unreviewed} decision{'s' * (unreviewed != 1)}, see --json for the reasons"]
    # Faults of the record itself are named where it is read.
    found = [fault for deal in review.deals for fault in deal.faults if fault.code.startswith("review.")]
    if found:
        rows += ["", *(printable(fault.message) for fault in found)]
    rows += ["", f"depth {settings.depth}, seed {settings.seed}; bids by the policy {settings.policy}"]
    return "\n".join(row.rstrip() for row in rows)


def _name(player: PlayerSummary) -> str:
    return f"{player.seat} {printable(player.name)[:16]}".rstrip()


def _account(name: str, account: Account) -> str:
    kinds = (account.bidding, account.discard, account.play, account.total)
    grades = account.total.grades
    counts = "".join(
        f"{grades.get(grade, 0):>{width}}" for grade, width in (("inaccuracy", 15), ("mistake", 10), ("blunder", 10))
    )
    return f"  {name:<18}" + "".join(f"{_rate(each):>9}" for each in kinds) + counts


def _rate(tally: Tally) -> str:
    return "-" if tally.error_per_decision is None else f"{tally.error_per_decision + 0.0:.3f}"


def _balance(side: SideSummary) -> str:
    points, game = side.balance.points, side.balance.game
    return (
        f"  {side.side.value:<18}{points.result:>+9.0f}{points.deal:>+9.2f}{points.upcard:>+9.2f}"
        f"{points.adjusted:>+10.2f}   {100 * game.result:>+13.1f}%, {100 * game.adjusted:+.1f}%"
    )


def _worst(review: Review) -> Iterator[str]:
    graded = [each for deal in review.deals for each in deal.decisions if each.grade != "none"]
    if not graded:
        yield "No decision lost anything clear."
        yield ""
        return
    graded.sort(key=lambda each: -each.game_error.mean)
    more = len(graded) - MOST_SHOWN
    others = f" ({more} more in --json)" if more > 0 else ""
    yield f"{f'The worst decisions{others}':<51}points    game"
    for each in graded[:MOST_SHOWN]:
        lost = f"{-each.error.mean:+.2f} {-100 * each.game_error.mean:>+6.1f}%"
        yield f"  {_place(each):<26}{each.action!s:<12}{each.grade:<11} {lost}   best {each.best}"
        if each.reason is not None:
            yield f"      {each.reason}"
    yield ""


def _balanced(review: Review) -> str:
    balanced = review.sides[0].balanced
    return (
        f", of the {balanced} of {len(review.deals)} deals of which all that is known"
        if balanced < len(review.deals)
        else ""
    )


def _place(decision: ReviewedDecision) -> str:
    trick = f", trick {decision.trick}" if decision.trick is not None else f", {decision.decision}"
    return f"deal {decision.deal}{trick}, {decision.seat}"


def _curve(review: Review) -> Iterator[str]:
    first = review.sides[0].side
    parts = [_bars([moment.game[first] for moment in deal.moments]) for deal in review.deals]
    line = ""
    for part in parts:
        if line and len(line) + len(part) > 96:
            yield f"  {line}"
            line = ""
        line += f"{part} "
    yield f"  {line}"


def _bars(chances: Sequence[float]) -> str:
    return "".join(_BARS[min(int(chance * len(_BARS)), len(_BARS) - 1)] for chance in chances)
