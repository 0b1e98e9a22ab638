"""Writing for the formats in which every deal stands by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import BinaryIO

from solver.errors import Fault, InvalidInput, refuse
from solver.game.record import DealRecord, GameRecord


def write_deals(
    games: Iterable[GameRecord], stream: BinaryIO, written: Callable[[GameRecord, DealRecord], bytes]
) -> None:
    """The deals of the games one after the other, each as ``written`` has it.

    Raises `InvalidInput`, before anything of that game is written, with the faults of every deal for which ``written``
    does, under ``deals`` and its place in the game.
    """
    for game in games:
        made: list[bytes] = []
        faults: list[Fault] = []
        for at, record in enumerate(game.deals):
            try:
                made.append(written(game, record))
            except InvalidInput as error:
                faults += [fault.under("deals", at) for fault in error.faults]
        refuse(faults)
        stream.write(b"".join(made))
