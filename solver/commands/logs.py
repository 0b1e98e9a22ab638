"""`rightbower convert` and `rightbower formats`: files of recorded games."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import chain, islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO

import click
from tqdm import tqdm

from solver.errors import Fault, InvalidInput
from solver.game.record import GameRecord
from solver.logs import FORMATS, LogFormat, formats_document, named, read
from solver.logs.convert import convert
from solver.logs.places import placed, printable

BAD_INPUT = 1
_STDIN = Path("-")


@click.command("formats")
@click.option("--json", "as_json", is_flag=True, help="Print what HTTP would answer.")
def formats_command(as_json: bool) -> None:
    """List the log formats that are read, and whether they are written too."""
    if as_json:
        click.echo(json.dumps(formats_document()))
        return
    for each in FORMATS:
        click.echo(f"{each.name:<12} {each.description}{'' if each.write is not None else ' (read only)'}")


@click.command("convert")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True, path_type=Path))
@click.option(
    "--to", "to_name", required=True, type=click.Choice([each.name for each in FORMATS if each.write is not None])
)
@click.option("--from", "from_name", type=click.Choice([each.name for each in FORMATS]), help="Do not detect it.")
@click.option("--out", metavar="FILE|DIR/", help="Where to; by default standard output. A directory gets a file each.")
def convert_command(files: Sequence[Path], to_name: str, from_name: str | None, out: str | None) -> None:
    """Write recorded games in another format. A FILE may be - for standard input.

    Bad records are named on standard error, all others are written; what the format has no place for is named once.
    """
    run = _Conversion(named(to_name), from_name)
    if out is None:
        run.into_one(files, sys.stdout.buffer)
    elif out.endswith(("/", os.sep)) or Path(out).is_dir():
        Path(out).mkdir(parents=True, exist_ok=True)
        run.into_directory(files, Path(out))
    else:
        refuse_source(Path(out), files)
        with replaced(Path(out)) as stream:
            run.into_one(files, stream)
    if run.bad:
        sys.exit(BAD_INPUT)


class _Conversion:
    """One run of the command: what it found and has said so far."""

    def __init__(self, target: LogFormat, from_name: str | None) -> None:
        self.target, self.from_name = target, from_name
        self.bad = False
        self.said: set[str] = set()

    def into_one(self, files: Sequence[Path], stream: BinaryIO) -> None:
        """All games one after the other."""
        games: Iterator[GameRecord] = chain.from_iterable(map(self._games, files))
        if self.target.one_game:
            held = list(islice(games, 2))
            if len(held) > 1:
                raise click.UsageError(f"{self.target.name} has one game a file, and here are more: --out a directory")
            if not held:
                # Why there is none has been said; without a game there is no document, so no file either.
                raise click.exceptions.Exit(BAD_INPUT)
            games = iter(held)
        self._write(games, stream)
        stream.flush()

    def into_directory(self, files: Sequence[Path], directory: Path) -> None:
        """A file for each source, or for each game of it where the format has one game a file."""
        used: set[Path] = set()
        for source in files:
            games = self._games(source)
            # The first game is awaited, so that a source without any leaves no file.
            while first := list(islice(games, 1)):
                path = free_path(directory, source, self.target.suffix, used)
                refuse_source(path, files)
                with replaced(path) as stream:
                    self._write(first if self.target.one_game else chain(first, games), stream)

    def _write(self, games: Iterable[GameRecord], stream: BinaryIO) -> None:
        assert self.target.write is not None  # the option takes no other
        self.target.write(games, stream)

    def _games(self, path: Path) -> Iterator[GameRecord]:
        """The games of a file as far as the target holds them. Faults and losses are told before the game is given."""
        name = "standard input" if path == _STDIN else str(path)
        for game in _read(path, self.from_name):
            if isinstance(game, Fault):
                self._complain([(None, game)], name)
                continue
            self._complain([(None, fault) for fault in game.faults], name)
            self._complain([(deal.number, fault) for deal in game.deals for fault in deal.faults], name)
            for made in convert([game], self.target):
                self._complain(made.unwritable, name)
                if news := [what for what in made.lost if what not in self.said]:
                    self.said |= set(news)
                    said = f"{name}: {self.target.name} has no place for {', '.join(news)}"
                    click.echo(printable(said), err=True)
                if made.game is not None:
                    yield made.game

    def _complain(self, faults: Sequence[tuple[int | None, Fault]], name: str) -> None:
        """Name faults, each with the number of its deal."""
        for number, fault in faults:
            self.bad = True
            click.echo(placed(fault, name, number), err=True)


def _read(path: Path, from_name: str | None) -> Iterator[GameRecord | Fault]:
    """The games of a file, with a bar on a terminal, and the faults that end it."""
    try:
        with _opened(path) as file:
            size = os.fstat(file.fileno()).st_size if path != _STDIN and file.seekable() else None
            with tqdm(total=size, unit="B", unit_scale=True, desc=path.name, disable=None, leave=False) as bar:
                for game in read(file, from_name):
                    yield game
                    if size is not None:
                        bar.update(file.tell() - bar.n)
    except InvalidInput as error:
        yield from error.faults
    except OSError as error:
        yield Fault("file.unreadable", f"it cannot be read: {error.strerror or error}")


def _opened(path: Path) -> AbstractContextManager[BinaryIO]:
    if path != _STDIN:
        return path.open("rb")
    if sys.stdin is None:
        raise click.UsageError("standard input is closed")
    return nullcontext(sys.stdin.buffer)


def free_path(directory: Path, source: Path, suffix: str, used: set[Path]) -> Path:
    """A path after the source's name that this run has not used: later ones of the same name are numbered."""
    stem = "stdin" if source == _STDIN else _stem(source.name)
    number, path = 1, directory / f"{stem}{suffix}"
    while path in used:
        number += 1
        path = directory / f"{stem}-{number}{suffix}"
    used.add(path)
    return path


def _stem(name: str) -> str:
    """The name without the ending of its format, or else without its last one: dots before it are the user's."""
    endings = sorted((each.suffix for each in FORMATS), key=len, reverse=True)
    return next((name.removesuffix(each) for each in endings if name.endswith(each)), Path(name).stem) or name


def refuse_source(path: Path, sources: Sequence[Path]) -> None:
    """Raise `click.UsageError` if the file that is to be written is one of those that are read."""
    if path.exists() and any(source != _STDIN and source.exists() and path.samefile(source) for source in sources):
        raise click.UsageError(f"{path} is read, and cannot be written at the same time")


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """A stream whose content takes the place of the file when all went well; otherwise the file stays as it is."""
    try:
        file = NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False)  # noqa: SIM115  # just below
    except OSError as error:
        # The name that is told is the one that was asked for.
        raise OSError(error.errno, error.strerror, str(path)) from None
    with file:
        made = Path(file.name)
        try:
            yield file  # type: ignore[misc]  # a wrapper that has all of a binary stream
            file.close()
            made.chmod(0o666 & ~_umask())
            made.replace(path)
        except BaseException:
            made.unlink(missing_ok=True)
            raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
