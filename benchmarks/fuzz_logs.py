"""Every reader and writer of logs under a coverage-guided fuzzer: atheris, which drives libFuzzer.

pip install --target DIR atheris
PYTHONPATH=DIR python -m benchmarks.fuzz_logs [--minutes 15] [--seed 1] [--corpus DIR]

An input is a byte that chooses the format, and a file. Files begin as those under tests/data, and a deal of each in
every other format; they change byte by byte, and by pieces (lines, JSON values, cards, tags) that are swapped, doubled,
left out, or taken from another file. Whatever comes of it must keep the `law`. The first input that does not is written
beside the corpus and ends the run; ``--input FILE`` tries it again, without atheris.
"""

from __future__ import annotations

import io
import json
import random
import re
import sys
import tempfile
import zlib
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import click

DATA = Path(__file__).parent.parent / "tests" / "data"
SEEDS = ("egn/*.egn", "egnb/*.egnb", "logs/deals.txt", "logs/native.jsonl", "golden/openspiel_games.jsonl", "ptn/*.ptn")
#: Bytes of one input: two deals of the longest spelling have half of it.
MOST = 1 << 13
#: Signs of a message: what it quotes is cut, whatever the file holds.
MOST_SAID = 600

#: Hands that contradict each other or their play, which is believed: they are not written again.
_CONTRADICTED = ("log.inconsistent", "card.duplicate")

_PIECES = re.compile(rb'\n|"(?:[^"\\\n]|\\.){0,40}"|\d+|\w+|[][{}(),:|.#-]|[^\w\s]|\s+')


# -- the law -----------------------------------------------------------------------------------------------------------


def law(source: bytes, name: str | None) -> None:
    """What holds of every file: it is refused by `InvalidInput`, or makes records that can be used and written.

    What a format has written of a game it reads back, and writing that gives the same bytes. To be quick, a file is
    written in one of the formats, which its bytes choose.
    """
    from solver.errors import InvalidInput
    from solver.logs import FORMATS, read

    try:
        games = list(islice(read(source, name), 40))
    except InvalidInput as error:
        _sayable(error.faults)
        return
    to = FORMATS[zlib.crc32(source) % len(FORMATS)]
    for game in games:
        _usable(game)
        if to.write is not None:
            _fixed(game, to)


def _sayable(faults: Iterable[Any], deal: int | None = None) -> None:
    from solver.logs.places import placed

    for fault in faults:
        said = placed(fault, "file", deal)
        said.encode()
        assert len(said) < MOST_SAID, said


def _usable(game: Any) -> None:
    """That everything a record says can be asked of it."""
    from solver.game.position import Decision

    _sayable(game.faults)
    json.dumps(game.notes, allow_nan=False).encode()
    for deal in game.deals:
        _sayable(deal.faults, deal.number)
        json.dumps(deal.notes, allow_nan=False).encode()
        position = deal.position
        assert deal.faults or {fault.code for fault in position.problems()} <= {"hand.missing"}, position.problems()
        if position.contract is not None and not deal.faults:
            position.play()
        assert position.decision in Decision


def _fixed(game: Any, to: Any) -> None:
    from solver.errors import InvalidInput
    from solver.logs.convert import convert

    for made in convert([game], to):
        _sayable(fault for _, fault in made.unwritable)
        if made.game is None:
            continue
        once = io.BytesIO()
        to.write([made.game], once)
        back = list(to.read(io.BytesIO(once.getvalue())))
        assert sum(len(each.deals) for each in back) == len(made.game.deals), f"{to.name}: not all deals are read back"
        twice = io.BytesIO()
        try:
            to.write(back, twice)
        except InvalidInput as error:
            if to.one_game and not back:
                return
            raise AssertionError(f"{to.name}: what was read back is not written: {error}") from error
        if any(fault.code in _CONTRADICTED for each in back for deal in each.deals for fault in deal.faults):
            continue
        assert once.getvalue() == twice.getvalue(), f"{to.name}: written again it is another file"


# -- inputs ------------------------------------------------------------------------------------------------------------


def seeds() -> list[bytes]:
    """The files under tests/data, and what comes of them in every other format."""
    from solver.logs import FORMATS, read
    from solver.logs.convert import convert

    names = [each.name for each in FORMATS]
    found = [path.read_bytes() for pattern in SEEDS for path in sorted(DATA.glob(pattern))]
    made: list[bytes] = []
    for source in found:
        short = source if source[:1] in b"{\x00\x01" else b"".join(source.splitlines(keepends=True)[:20])
        games = [replace(game, deals=game.deals[:2]) for game in islice(read(short), 4)]
        made += [bytes([number]) + short for number, name in enumerate([*names, ""]) if _is(short, name)]
        for number, to in enumerate(FORMATS):
            for each in convert(games, to):
                stream = io.BytesIO()
                if to.write is not None and each.game is not None:
                    to.write([each.game], stream)
                    made.append(bytes([number]) + stream.getvalue())
    return sorted({each for each in made if len(each) <= MOST})


def _is(source: bytes, name: str) -> bool:
    from solver.logs import detect

    return not name or detect(source).name == name


def chosen(data: bytes) -> tuple[bytes, str | None]:
    """The file and the format of an input; no format where it is to be detected."""
    from solver.logs import FORMATS

    names = [each.name for each in FORMATS]
    number = data[0] % (len(names) + 1) if data else 0
    return data[1:], names[number] if number < len(names) else None


def changed(data: bytes, other: bytes, size: int, draw: random.Random) -> bytes:
    """The input with some of its pieces at other places, gone, doubled, or from another input."""
    pieces, others = _PIECES.findall(data[1:]), _PIECES.findall(other[1:]) or [b""]
    for _ in range(draw.choice((1, 1, 2, 4))):
        if not pieces:
            break
        at, there = draw.randrange(len(pieces)), draw.randrange(len(pieces))
        span = draw.choice((1, 1, 1, 2, 8, 60))
        begin = draw.randrange(len(others))
        match draw.randrange(6):
            case 0:
                pieces[at], pieces[there] = pieces[there], pieces[at]
            case 1:
                del pieces[at : at + span]
            case 2:
                pieces[at:at] = pieces[there : there + span]
            case 3:
                pieces[at : at + span] = others[begin : begin + span]
            case 4:
                pieces[at] = draw.choice((b"", b"null", b"true", b"-1", b'""', b"[]", b"{}", b"1e9", b"0", b'"R"'))
            case _:
                pieces[at : at + 1] = [pieces[at]] * draw.choice((2, 5, 30))
    return (data[:1] + b"".join(pieces))[:size]


# -- the run -----------------------------------------------------------------------------------------------------------


@click.command()
@click.option("--minutes", default=15.0, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--corpus", type=click.Path(path_type=Path), help="Where inputs are kept; by default nowhere.")
@click.option("--input", "tried", type=click.Path(exists=True, path_type=Path), help="Try this input alone.")
def main(minutes: float, seed: int, corpus: Path | None, tried: Path | None) -> None:
    if tried is not None:
        law(*chosen(tried.read_bytes()))
        click.echo("the law is kept")
        return
    import atheris

    with atheris.instrument_imports(include=["solver.logs", "solver.notation"]):
        import solver.logs
        import solver.logs.convert  # noqa: F401
    directory = corpus or Path(tempfile.mkdtemp(prefix="fuzz-logs-"))
    directory.mkdir(parents=True, exist_ok=True)
    begun = seeds()
    for number, each in enumerate(begun):
        (directory / f"seed-{number}").write_bytes(each)

    def one(data: bytes) -> None:
        law(*chosen(data))

    def mutated(data: bytes, size: int, number: int) -> bytes:
        draw = random.Random(number)
        if draw.random() < 0.3:
            return atheris.Mutate(data, size)
        return changed(data, draw.choice(begun), size, draw)

    options = [
        f"-max_total_time={round(60 * minutes)}",
        f"-seed={seed}",
        f"-max_len={MOST}",
        "-timeout=200",
        "-rss_limit_mb=1500",
        "-print_final_stats=1",
        "-verbosity=1",
        f"-artifact_prefix={directory}/found-",
    ]
    click.echo(f"{len(begun)} seeds; what is found is written to {directory}")
    atheris.Setup([sys.argv[0], *options, str(directory)], one, custom_mutator=mutated)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
