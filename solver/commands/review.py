"""`rightbower review`: games that were played, every decision graded."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click
from tqdm import tqdm

from solver.analysis.review.depths import DEFAULT, DEPTHS
from solver.analysis.review.game import review
from solver.analysis.review.values import Review
from solver.commands.logs import BAD_INPUT, free_path, replaced
from solver.errors import Fault, InvalidInput
from solver.game.record import GameRecord
from solver.logs import FORMATS, egn, read
from solver.logs.places import placed
from solver.notation.review_answer import ReviewAnswer
from solver.report.marks import annotated_game
from solver.report.page import page
from solver.report.text import draw_review


@click.command("review")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--depth", default=DEFAULT.name, show_default=True, type=click.Choice([*DEPTHS]), help="How closely.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Equal seeds, equal reviews.")
@click.option("--workers", type=click.IntRange(1, 256), help="Threads; by default one a core, at most 8.")
@click.option("--format", "format_name", type=click.Choice([each.name for each in FORMATS]), help="Do not detect it.")
@click.option(
    "--out", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), help="Write annotated EGN files."
)
@click.option("--html", "as_html", is_flag=True, help="With --out: a report too, one HTML file a game.")
@click.option("--json", "as_json", is_flag=True, help="Print what HTTP would answer, a line a game.")
def review_command(
    files: Sequence[Path],
    depth: str,
    seed: int,
    workers: int | None,
    format_name: str | None,
    out: Path | None,
    as_html: bool,
    as_json: bool,
) -> None:
    """Review recorded games: what every decision lost by what its seat could know, and what was luck.

    With --out each game is written to DIR as NAME.review.egn too, with marks, remarks and better lines, and with --html
    as NAME.review.html.
    """
    if as_html and out is None:
        raise click.UsageError("--html needs --out DIR, where the reports go")
    threads = workers or min(os.cpu_count() or 1, 8)
    bad, used = False, set[Path]()
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    for path in files:
        for game in _games(path, format_name):
            if isinstance(game, Fault):
                click.echo(placed(game, str(path)), err=True)
                bad = True
                continue
            bad |= _complain(game, path)
            if not game.deals:
                continue
            reviewed = _reviewed(game, path, depth, seed, threads)
            click.echo(json.dumps(ReviewAnswer().dump(reviewed)) if as_json else draw_review(reviewed, str(path)))
            if out is not None:
                bad |= not _write(annotated_game(game, reviewed), path, out, used)
                if as_html:
                    with replaced(free_path(out, path, ".review.html", used)) as stream:
                        stream.write(page(reviewed, path.name).encode())
    if bad:
        sys.exit(BAD_INPUT)


def _games(path: Path, format_name: str | None) -> Iterator[GameRecord | Fault]:
    """The games of a file, and the faults that end it."""
    try:
        yield from read(path, format_name)
    except InvalidInput as error:
        yield from error.faults
    except OSError as error:
        yield Fault("file.unreadable", f"it cannot be read: {error.strerror or error}")


def _complain(game: GameRecord, path: Path) -> bool:
    """Name what is wrong with a game and its deals; whether anything is."""
    found = [(None, fault) for fault in game.faults]
    of_deals = [(deal.number, fault) for deal in game.deals for fault in deal.faults]
    for number, fault in [*found, *of_deals]:
        click.echo(placed(fault, str(path), number), err=True)
    return bool(found or of_deals)


def _reviewed(game: GameRecord, path: Path, depth: str, seed: int, threads: int) -> Review:
    """The review, with a bar by deals on a terminal."""
    deals = len(game.deals)
    with tqdm(total=deals, unit="deal", desc=path.name, disable=None, leave=False) as bar:
        return review(game, settings=depth, seed=seed, threads=threads, progress=_shown(bar, deals))


def _shown(bar: tqdm[None], deals: int) -> Callable[[int, int], None]:
    def progress(done: int, of: int) -> None:
        bar.update(deals * done // of - bar.n)

    return progress


def _write(game: GameRecord, source: Path, directory: Path, used: set[Path]) -> bool:
    """The annotated game as a file of its own; False, with the reason said, if the format cannot hold it."""
    path = free_path(directory, source, ".review.egn", used)
    try:
        with replaced(path) as stream:
            egn.write([game], stream)
    except InvalidInput as error:
        for fault in error.faults:
            click.echo(f"{source}: {fault} [{fault.code}]", err=True)
        return False
    return True
