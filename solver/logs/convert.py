"""From one log format to another, saying what does not survive.

Every game that is written is read back and compared with its source, so nothing is lost silently, whatever a format
turns out not to hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TypeVar

from solver.errors import Fault, InvalidInput
from solver.game.position import Position
from solver.game.record import GameRecord
from solver.logs import LogFormat
from solver.logs.faults import unwritable as unwritable_fault

_K = TypeVar("_K")


@dataclass(frozen=True, slots=True)
class Converted:
    """What of one game another format can hold: the game with those deals, the others, and what else it loses.

    ``game`` is None where nothing of it can be written. ``unwritable`` has the number of each deal with each reason,
    None for the game as a whole. ``lost`` names kinds of things, not each of them.
    """

    game: GameRecord | None
    unwritable: tuple[tuple[int | None, Fault], ...] = ()
    lost: tuple[str, ...] = ()


def convert(games: Iterable[GameRecord], to: LogFormat) -> Iterator[Converted]:
    """Each game, as it comes, as far as the format ``to`` holds it; for ``to.write`` to write in one go.

    A game without deals and with faults is what a reader gives for a bad record, and is left out.

    Raises `InvalidInput` (``log.format``) if the format is not written.
    """
    if to.write is None:
        raise InvalidInput([Fault("log.format", f"{to.name} is only read, not written", ("format",))])
    return (_converted(game, to) for game in games if game.deals or not game.faults)


def _converted(game: GameRecord, to: LogFormat) -> Converted:
    content, faults = _written(game, to)
    unwritable = [(_number(game, fault), fault) for fault in faults]
    if content is None:
        refused = {fault.path[1] for fault in faults if fault.path[:1] == ("deals",) and len(fault.path) > 1}
        kept = tuple(deal for at, deal in enumerate(game.deals) if at not in refused)
        if not refused or not kept:
            return Converted(None, tuple(unwritable))
        game = replace(game, deals=kept)
        content, faults = _written(game, to)
        if content is None:
            return Converted(None, (*unwritable, *((_number(game, fault), fault) for fault in faults)))
    if not content:
        return Converted(None, ((None, unwritable_fault(to.name, "a game without deals")),))
    return Converted(game, tuple(unwritable), tuple(_lost(game, list(to.read(BytesIO(content))))))


def _written(game: GameRecord, to: LogFormat) -> tuple[bytes | None, tuple[Fault, ...]]:
    """The bytes of the game, or why there are none."""
    assert to.write is not None
    stream = BytesIO()
    try:
        to.write([game], stream)
    except InvalidInput as error:
        return None, error.faults
    return stream.getvalue(), ()


def _number(game: GameRecord, fault: Fault) -> int | None:
    match fault.path:
        case ("deals", int(at), *_) if at < len(game.deals):
            return game.deals[at].number
    return None


# -- what is lost ------------------------------------------------------------------------------------------------------


def _lost(game: GameRecord, back: list[GameRecord]) -> Iterator[str]:
    """What of a game is not there when it is read back."""
    deals = [deal for each in back for deal in each.deals]
    first = back[0] if back else GameRecord(game.rules, ())
    for name, same in (
        ("the rules", all(game.rules == each.rules for each in back)),
        ("the title", first.title == game.title),
        ("the players' names", _held(game.players, first.players)),
        ("the initial score", _held(game.initial_score, first.initial_score)),
        ("which deals are one game", len(game.deals) <= 1 or len(back) == 1),
        ("faults of the file", set(_codes(game.faults)) <= set(_codes(first.faults))),
    ):
        if not same:
            yield name
    yield from _lost_notes("of the game", [(game.notes, first.notes)])
    if len(deals) != len(game.deals):
        yield f"{len(game.deals) - len(deals)} of {len(game.deals)} deals"
        return
    pairs = list(zip(game.deals, deals, strict=True))
    yield from _lost_in_play([(deal.position, again.position) for deal, again in pairs])
    if any(_codes(deal.faults) and not _codes(again.faults) for deal, again in pairs):
        yield "faults found where the deal was first read"
    yield from _lost_notes("of deals", [(deal.notes, again.notes) for deal, again in pairs])


def _held(before: Mapping[_K, object], after: Mapping[_K, object]) -> bool:
    return all(after.get(key) == value for key, value in before.items())


def _codes(faults: Iterable[Fault]) -> list[str]:
    return [fault.code for fault in faults]


def _lost_in_play(pairs: list[tuple[Position, Position]]) -> Iterator[str]:
    # Hands and discards that follow from the play may be known only now.
    for name, same in (
        (
            "hands",
            all(
                one is None or one == other
                for before, after in pairs
                for one, other in zip(before.deal.hands, after.deal.hands, strict=True)
            ),
        ),
        ("discards", all(before.discard in (None, after.discard) for before, after in pairs)),
        (
            "bids or cards played",
            all(
                (before.deal.dealer, before.deal.upcard, before.bids, before.plays)
                == (after.deal.dealer, after.deal.upcard, after.bids, after.plays)
                for before, after in pairs
            ),
        ),
    ):
        if not same:
            yield name


def _lost_notes(whose: str, pairs: list[tuple[Mapping[str, object], Mapping[str, object]]]) -> Iterator[str]:
    """The names that have another value afterwards, or those within an object of which some are kept."""
    kept = {key for _, after in pairs for key, value in after.items() if isinstance(value, dict)}
    names = set()
    for before, after in pairs:
        for key, value in before.items():
            if key in kept and isinstance(value, dict):
                inside = after.get(key)
                held = inside if isinstance(inside, dict) else {}
                names |= {f"{key}.{name}" for name, each in value.items() if held.get(name) != each}
            elif after.get(key) != value:
                names.add(key)
    yield from (f"the note {name} {whose}" for name in sorted(names))
