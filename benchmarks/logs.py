"""Reading and writing of every log format: deals a second of one core, and memory while a long native file streams.

python -m benchmarks.logs [--deals 20000] [--stream-mb 0]
"""

from __future__ import annotations

import io
import json
import tempfile
import time
from pathlib import Path
from random import Random

import click

from benchmarks.memory import resident
from solver.game.auction import discards
from solver.game.deal import random_deal
from solver.game.position import Decision, Position
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import Rules
from solver.logs import FORMATS, LogFormat, read

DEALS_OF_A_GAME = 12


def played(random: Random) -> Position:
    """A deal bid and played at random to its end."""
    rules = Rules(stick_the_dealer=True, dealer_may_discard_upcard=False)
    position = Position(random_deal(rules, random.choice(rules.seating.seats), random))
    while position.decision != Decision.OVER:
        auction = position.auction
        assert auction is not None
        match position.decision:
            case Decision.BID:
                position = position.after(bid=random.choice(auction.legal_bids()))
            case Decision.DISCARD:
                hand = position.deal.hands[auction.dealer]
                assert hand is not None
                position = position.after(discard=random.choice(discards(auction, hand)))
            case _:
                position = position.after(card=random.choice(list(position.play().legal())))
    return position


def made_games(deals: int) -> list[GameRecord]:
    positions = [played(Random(seed)) for seed in range(deals)]
    games = [positions[at : at + DEALS_OF_A_GAME] for at in range(0, deals, DEALS_OF_A_GAME)]
    return [
        GameRecord(game[0].rules, tuple(DealRecord(number, position) for number, position in enumerate(game, 1)))
        for game in games
    ]


def written(games: list[GameRecord], to: LogFormat) -> list[bytes]:
    """The games as one file, or as a file each where the format has it so."""
    assert to.write is not None
    files = []
    for part in [[game] for game in games] if to.one_game else [games]:
        stream = io.BytesIO()
        to.write(part, stream)
        files.append(stream.getvalue())
    return files


def rate(files: list[bytes], name: str) -> tuple[float, int]:
    """Deals a second of processor time, and how many there are."""
    start = time.process_time()
    deals = sum(len(game.deals) for content in files for game in read(content, name))
    return deals / (time.process_time() - start), deals


@click.command()
@click.option("--deals", default=20_000, show_default=True)
@click.option("--stream-mb", default=0, show_default=True, help="Also stream a native file of this size.")
def main(deals: int, stream_mb: int) -> None:
    games = made_games(deals)
    native = b""
    for each in FORMATS:
        if each.write is None:
            continue
        start = time.process_time()
        files = written(games, each)
        writing = deals / (time.process_time() - start)
        reading, found = rate(files, each.name)
        assert found == deals
        size = sum(map(len, files)) / deals
        click.echo(
            f"{each.name:<10} reads {reading:>8,.0f} deals/s  writes {writing:>8,.0f} deals/s  {size:.0f} bytes a deal"
        )
        if each.name == "jsonl":
            (native,) = files
            again, _ = rate(files, each.name)
            spaced = b"\n".join(json.dumps(json.loads(line)).encode() for line in native.splitlines()[:2000])
            strict, _ = rate([spaced], each.name)
            click.echo(
                f"{'':<10} reads {again:>8,.0f} deals/s the second time; other spellings {strict:>8,.0f} deals/s"
            )
    if stream_mb:
        streamed(native, stream_mb)


def streamed(native: bytes, stream_mb: int) -> None:
    """A long file, made of copies of one, from beginning to end."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "long.jsonl"
        with path.open("wb") as file:
            while file.tell() < stream_mb * 1_000_000:
                file.write(native)
        before, start, deals, most = resident(), time.process_time(), 0, 0.0
        for game in read(path):
            deals += len(game.deals)
            if deals % 50_000 < DEALS_OF_A_GAME:
                most = max(most, resident())
        seconds = time.process_time() - start
        size = path.stat().st_size / 1e6
    click.echo(
        f"{size:.0f} MB, {deals} deals in {seconds:.0f} s; {before:.1f} MB before, {most:.1f} MB at most while reading"
    )


if __name__ == "__main__":
    main()
