"""Files that nobody plays, of 100 MB and each through every reader: what is said of them, and the memory that it takes.

python -m benchmarks.hostile_logs [--mb 100] [--sort SORT]

Each file is read in a process of its own, whose peak of resident memory is told. A good deal stands before and after,
where the format has a deal a line: what is between must not keep the reader from the second.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import click

from solver.errors import InvalidInput
from solver.logs import FORMATS, named
from solver.logs.streams import DOCUMENT_LIMIT, LINE_LIMIT

PIECE = 1 << 20
#: Each is a fault of its own.
SHORT_LINES = 100_000

GOOD = {
    "jsonl": b'{"rightbower":1,"game":1,"deal":1,"code":"american.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS"}',
    "line": b"9cTcQcKcAs|9dTdJdQdAh|Ad9hThQhKh|9sTsJsQsKs|Jh|",
    "ptn": b'[Dealer "N"][Deal "N:K.Q.Q.AQ AQT.9.T. J9.J.AK. .AK.9.KJ"][Undealt "C9CTDJHT"]',
    "openspiel": b"[3,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]",
    "egn": b"",
}
_DOCUMENT = b'{"fileType":"Euchre Game Notation","version":"1.4","deals":'

#: What is repeated within one line.
FILLS = {
    "one line": b"x",
    "zero bytes": b"\x00",
    "deep lists": b"[",
    "deep objects": b'{"a":',
    "bars and cards": b"9c|",
    "tags": b'[Deal "N:"]',
    "a string": b'{"rightbower":1,"game":"' + b"x" * 1000,
}
#: What is repeated within lines, or a document, just short of the limit.
VALUES = {
    "empty lists": (b"[", b"[],", b"[]]"),
    "empty objects": (b"[", b"{},", b"{}]"),
    "lists of lists": (b"[", b"[[[[]]]],", b"[]]"),
    "numbers": (b"[", b"1000,", b"1]"),
    "floats": (b"[", b"1.5,", b"1]"),
    "objects of one key": (b"[", b'{"a":1},', b"1]"),
    "strings": (b"[", '"ж",'.encode(), b'""]'),
}


def hostile(name: str, sort: str, megabytes: int) -> Iterator[bytes]:
    """The pieces of a file."""
    good = GOOD[name]
    yield good + b"\n" if good else b""
    if sort == "short lines":
        yield b"x\n" * SHORT_LINES
    elif sort == "blank lines":
        yield from [b"\n" * PIECE] * megabytes
    elif sort in FILLS:
        fill = FILLS[sort]
        yield _DOCUMENT if name == "egn" else b""
        yield from [fill * (PIECE // len(fill))] * megabytes
    else:
        begin, fill, end = VALUES[sort]
        before, after = (_DOCUMENT, b"}") if name == "egn" else (b'{"rightbower":1,"notes":', b"}")
        limit = DOCUMENT_LIMIT if name == "egn" else LINE_LIMIT
        room = limit - len(before + begin + end + after) - 2
        line = before + begin + fill * (room // len(fill)) + end + after + b"\n"
        yield from [line] * (1 if name == "egn" else max(1, megabytes * PIECE // limit))
    yield b"\n" + good


def looked_at(path: Path, name: str) -> dict[str, object]:
    """What reading the file comes to."""
    begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    deals, faults, said = 0, 0, ""
    try:
        with path.open("rb") as stream:
            for game in named(name).read(stream):
                deals += len(game.deals)
                faults += len(game.faults)
                said = said or next((fault.message for fault in game.faults), "")
    except InvalidInput as error:
        faults += len(error.faults)
        said = said or error.faults[0].message
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = time.process_time() - start
    return {"deals": deals, "faults": faults, "said": said, "seconds": seconds, "begun": begun, "peak": peak}


@click.command()
@click.option("--mb", "megabytes", default=100, show_default=True)
@click.option("--sort", "sorts", multiple=True, help="Of these alone.")
@click.option("--read", nargs=2, hidden=True, help="Read one file: its path, and the format.")
def main(megabytes: int, sorts: tuple[str, ...], read: tuple[str, str] | None) -> None:
    if read is not None:
        click.echo(json.dumps(looked_at(Path(read[0]), read[1])))
        return
    click.echo("| file | format | deals | faults | the first | processor, s | peak, MB above the start |")
    click.echo("|---|---|---:|---:|---|---:|---:|")
    for sort in sorts or ("short lines", "blank lines", *FILLS, *VALUES):
        for each in FORMATS:
            with tempfile.NamedTemporaryFile() as file:
                file.writelines(hostile(each.name, sort, megabytes))
                file.flush()
                command = [sys.executable, "-m", "benchmarks.hostile_logs", "--read", file.name, each.name]
                made = subprocess.run(command, capture_output=True, check=True, text=True)
            found = json.loads(made.stdout)
            above = (found["peak"] - found["begun"]) / 1024
            click.echo(
                f"| {sort} | `{each.name}` | {found['deals']} | {found['faults']} | {found['said']} "
                f"| {found['seconds']:.1f} | {above:.0f} |"
            )


if __name__ == "__main__":
    main()
