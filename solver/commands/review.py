"""`rightbower review`: games that were played, every decision graded."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from solver.analysis.review.depths import DEFAULT, DEPTHS
from solver.batch.engine_options import engine_of, engine_options
from solver.batch.reviews import Reviewing
from solver.commands.logs import BAD_INPUT, free_path, refuse_source, replaced
from solver.errors import Fault, InvalidInput, RightbowerError
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
@click.option("--format", "format_name", type=click.Choice([each.name for each in FORMATS]), help="Do not detect it.")
@click.option(
    "--out", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), help="Write annotated EGN files."
)
@click.option("--html", "as_html", is_flag=True, help="With --out: a report too, one HTML file a game.")
@click.option("--json", "as_json", is_flag=True, help="Print what HTTP would answer, a line a game.")
@engine_options
def review_command(
    files: Sequence[Path],
    depth: str,
    seed: int,
    format_name: str | None,
    out: Path | None,
    as_html: bool,
    as_json: bool,
    **engine: Any,
) -> None:
    """Review recorded games: what every decision lost by what its seat could know, and what was luck.

    With --out each game is written to DIR as NAME.review.egn too, with marks, remarks and better lines, and with --html
    as NAME.review.html.
    """
    if as_html and out is None:
        raise click.UsageError("--html needs --out DIR, where the reports go")
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    found, used = _Found(files, format_name), set[Path]()
    bad = False
    with _clear_errors(), engine_of(**engine) as does, tqdm(unit="deal", disable=None, leave=False) as bar:
        reviews = Reviewing(does, depth=depth, seed=seed, told=bar.update)
        for path, game, reviewed in reviews.games(found.games()):
            with tqdm.external_write_mode():
                click.echo(json.dumps(ReviewAnswer().dump(reviewed)) if as_json else draw_review(reviewed, str(path)))
            if out is not None:
                made = free_path(out, path, ".review.egn", used)
                refuse_source(made, files)
                bad |= not _write(annotated_game(game, reviewed), path, made)
                if as_html:
                    with replaced(free_path(out, path, ".review.html", used)) as stream:
                        stream.write(page(reviewed, path.name).encode())
    if bad or found.bad:
        sys.exit(BAD_INPUT)


@contextmanager
def _clear_errors() -> Iterator[None]:
    """What is wrong with the options ends the command with status 2, an engine that cannot go on with 1."""
    try:
        yield
    except InvalidInput as error:
        raise click.UsageError("; ".join(f"{fault} [{fault.code}]" for fault in error.faults)) from None
    except RightbowerError as error:
        raise click.ClickException(str(error)) from None


class _Found:
    """The games of files, what is wrong with them being named on the way; ``bad``: something was."""

    def __init__(self, files: Sequence[Path], format_name: str | None) -> None:
        self._files, self._format_name = files, format_name
        self.bad = False

    def games(self) -> Iterator[tuple[Path, GameRecord]]:
        """Those that have deals, with their file."""
        for path in self._files:
            for game in _games(path, self._format_name):
                if isinstance(game, Fault):
                    self._complain([(None, game)], path)
                    continue
                self._complain([(None, fault) for fault in game.faults], path)
                self._complain([(deal.number, fault) for deal in game.deals for fault in deal.faults], path)
                if game.deals:
                    yield path, game
                elif not game.faults:
                    self._complain([(None, Fault("log.record", "the game has no deals to review"))], path)

    def _complain(self, faults: Sequence[tuple[int | None, Fault]], path: Path) -> None:
        for number, fault in faults:
            self.bad = True
            click.echo(placed(fault, str(path), number), err=True)


def _games(path: Path, format_name: str | None) -> Iterator[GameRecord | Fault]:
    """The games of a file, and the faults that end it."""
    try:
        yield from read(path, format_name)
    except InvalidInput as error:
        yield from error.faults
    except OSError as error:
        yield Fault("file.unreadable", f"it cannot be read: {error.strerror or error}")


def _write(game: GameRecord, source: Path, path: Path) -> bool:
    """The annotated game as a file of its own; False, with the reason said, if the format cannot hold it."""
    try:
        with replaced(path) as stream:
            egn.write([game], stream)
    except InvalidInput as error:
        for fault in error.faults:
            click.echo(placed(fault, str(source)), err=True)
        return False
    return True
