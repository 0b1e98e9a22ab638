"""From one format to another: what both can hold stays, what the other cannot hold is named."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings

from solver.errors import Fault, InvalidInput
from solver.game.record import GameRecord
from solver.logs import FORMATS, LogFormat, named, read
from solver.logs.convert import convert
from solver.logs.places import placed
from tests.logs.games import games
from tests.logs.test_registry import SHORT

EGN = sorted((Path(__file__).parents[1] / "data" / "egn").glob("*.egn"))
WRITTEN = [each for each in FORMATS if each.write is not None]


def files_of(made: list[GameRecord], to: LogFormat) -> Iterator[bytes]:
    """The games as files: one, or one for each game."""
    assert to.write is not None
    for part in [[game] for game in made] if to.one_game else [made]:
        stream = io.BytesIO()
        to.write(part, stream)
        yield stream.getvalue()


def converted(made: list[GameRecord], to: LogFormat) -> tuple[list[GameRecord], set[str], list[int | None]]:
    """The games as they are read back, what was lost, and the deals that were refused."""
    parts = list(convert(made, to))
    kept = [part.game for part in parts if part.game is not None]
    again = [game for file in files_of(kept, to) for game in read(file, to.name)]
    lost = {what for part in parts for what in part.lost}
    return again, lost, [number for part in parts for number, _ in part.unwritable]


@pytest.mark.parametrize("to", WRITTEN, ids=lambda each: each.name)
@pytest.mark.parametrize("name", SHORT)
def test_between_any_two_formats_the_play_of_every_deal_written_stays(name: str, to: LogFormat) -> None:
    source = [game for game in read(SHORT[name], name) if game.deals]
    again, lost, refused = converted(source, to)
    before = [deal.position for game in source for deal in game.deals]
    after = [deal.position for game in again for deal in game.deals]
    assert len(before) == len(after) + len(refused)
    if not refused:
        for one, other in zip(before, after, strict=True):
            assert (one.deal.hands, one.bids, one.discard, one.plays) == (
                other.deal.hands,
                other.bids,
                other.discard,
                other.plays,
            )
    if to.name == "jsonl":
        assert not lost and not refused and again == source


@pytest.mark.parametrize("path", EGN, ids=lambda path: path.stem)
def test_every_real_game_goes_to_the_native_format_and_nothing_is_lost(path: Path) -> None:
    source = list(read(path))
    again, lost, refused = converted(source, named("jsonl"))
    assert again == source and not lost and not refused


@given(games())
@settings(max_examples=25, deadline=None)
def test_the_native_format_loses_nothing(made: GameRecord) -> None:
    again, lost, refused = converted([made], named("jsonl"))
    assert not lost and not refused
    assert again == ([made] if made.deals or not made.faults else [])


def test_what_a_format_has_no_place_for_is_named_by_kind() -> None:
    (game,) = read(SHORT["egn"])
    (part,) = convert([game], named("line"))
    assert "the title" in part.lost and "the players' names" in part.lost and "the initial score" in part.lost
    assert [what for what in part.lost if what.startswith("notes of the game")]
    assert not part.unwritable


def test_deals_that_cannot_be_held_are_named_and_the_others_written() -> None:
    (game,) = read(SHORT["egn"])
    unknown = [deal.number for deal in game.deals if any(len(hand or ()) < 5 for hand in deal.position.deal.hands)]
    (part,) = convert([game], named("openspiel"))
    assert unknown and [number for number, _ in part.unwritable] == unknown
    assert part.game is not None
    assert len(part.game.deals) == len(game.deals) - len(unknown) > 0


def test_a_format_that_is_only_read_is_refused() -> None:
    only_read = LogFormat("ink", "", lambda head: False, lambda stream: iter(()), ".ink")
    with pytest.raises(InvalidInput, match="not written"):
        convert([], only_read)


@pytest.mark.parametrize(
    ("fault", "deal", "text"),
    [
        (Fault("log.record", "line 3: no", ("lines", 2, "x")), None, "f:3: no [log.record]"),
        (Fault("log.record", "line 3: no", ("lines", 2)), 7, "f:3: deal 7: no [log.record]"),
        (Fault("log.record", "deal 2, trick 3: no", ("deals", 1)), 2, "f: deal 2, trick 3: no [log.record]"),
        (Fault("log.record", "deal 2: no", ("deals", 1)), None, "f: deal 2: no [log.record]"),
        (
            Fault("play.illegal", "line 4: 9S: hearts were led and AH is held (trick 2, E)", ("lines", 3, "plays", 5)),
            3,
            "f:4: deal 3, trick 2, E: 9S: hearts were led and AH is held [play.illegal]",
        ),
        (Fault("file.unreadable", "no text"), None, "f: no text [file.unreadable]"),
    ],
)
def test_a_fault_is_told_with_file_line_deal_trick_and_seat(fault: Fault, deal: int | None, text: str) -> None:
    assert placed(fault, "f", deal) == text
