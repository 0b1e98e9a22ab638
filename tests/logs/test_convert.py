"""From one format to another: what both can hold stays, what the other cannot hold is named."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from solver.errors import Fault, InvalidInput
from solver.game.record import GameRecord
from solver.logs import FORMATS, LogFormat, named, read
from solver.logs.convert import convert
from solver.logs.egn.annotations import annotations_of, lines_of
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
            assert (one.bids, one.discard, one.plays) == (other.bids, other.discard, other.plays)
            # One that is not known may follow from the play.
            assert all(hand in (None, same) for hand, same in zip(one.deal.hands, other.deal.hands, strict=True))
    if to.name == "jsonl":
        assert not lost and not refused and again == source


@pytest.mark.parametrize("path", EGN, ids=lambda path: path.stem)
def test_every_real_game_goes_to_the_native_format_and_nothing_is_lost(path: Path) -> None:
    source = list(read(path))
    again, lost, refused = converted(source, named("jsonl"))
    assert again == source and not lost and not refused


def meaning(game: GameRecord) -> object:
    """What a document says, whatever version it is of."""
    remarks = [(annotations_of(deal), lines_of(deal)) for deal in game.deals]
    deals = [(deal.number, deal.position, [fault.code for fault in deal.faults]) for deal in game.deals]
    return game.rules, deals, game.title, game.players, game.initial_score, remarks


@pytest.mark.parametrize("path", EGN, ids=lambda path: path.stem)
def test_every_real_game_goes_to_the_native_format_and_comes_back(path: Path) -> None:
    source = list(read(path))
    native, _, _ = converted(source, named("jsonl"))
    again, lost, refused = converted(native, named("egn"))
    assert not refused and not [what for what in lost if not what.startswith("the note")]
    assert [meaning(game) for game in again] == [meaning(game) for game in source]


@pytest.mark.parametrize("to", WRITTEN, ids=lambda each: each.name)
@given(made=games())
@settings(max_examples=15)
def test_of_any_game_every_deal_is_written_or_refused_with_the_reason(to: LogFormat, made: GameRecord) -> None:
    for part in convert([made], to):
        refused = {number for number, _ in part.unwritable}
        assert all(fault.code == "log.unwritable" and to.name in fault.message for _, fault in part.unwritable)
        if part.game is None:
            assert refused
            continue
        assert part.game.deals == tuple(deal for deal in made.deals if deal.number not in refused)
        files = list(files_of([part.game], to))
        again = [game for file in files for game in read(file, to.name)]
        positions = [deal.position for game in again for deal in game.deals]
        for deal, position in zip(part.game.deals, positions, strict=True):
            assert (position.bids, position.plays) == (deal.position.bids, deal.position.plays)
        # Where hands and play contradict each other, some formats believe the play; it is named.
        assert any(deal.faults for deal in part.game.deals) or not {"hands", "discards"} & set(part.lost)
        assert "hands" in part.lost or b"".join(files_of(again, to)) == b"".join(files)


@given(games())
@settings(max_examples=25)
def test_the_native_format_loses_nothing(made: GameRecord) -> None:
    again, lost, refused = converted([made], named("jsonl"))
    assert not lost and not refused
    assert again == ([made] if made.deals or not made.faults else [])


def test_what_a_format_has_no_place_for_is_named_by_kind() -> None:
    (game,) = read(SHORT["egn"])
    (part,) = convert([game], named("line"))
    assert "the title" in part.lost and "the players' names" in part.lost and "the initial score" in part.lost
    assert "the note metadata of the game" in part.lost and "the note dealNumber of deals" in part.lost
    assert not part.unwritable


def test_of_an_object_that_both_have_only_what_is_gone_is_named() -> None:
    (game,) = read(SHORT["egn"])
    noted = replace(game, notes={"metadata": {"date": "2026-03-06T20:15", "club": "Kitchen"}})
    (part,) = convert([noted], named("egn"))
    assert part.lost == ("the note metadata.club of the game",)


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


@pytest.mark.parametrize("to", WRITTEN, ids=lambda each: each.name)
def test_a_game_without_deals_is_written_or_refused_and_never_an_empty_file(to: LogFormat) -> None:
    (made,) = convert([replace(next(read(EGN[0])), deals=())], to)
    if made.game is None:
        assert [(number, fault.code) for number, fault in made.unwritable] == [(None, "log.unwritable")]
    else:
        (content,) = files_of([made.game], to)
        assert len(list(read(content))) == 1
