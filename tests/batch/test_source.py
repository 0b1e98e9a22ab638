"""Files cut into chunks: every record in one chunk, whatever the size, and each named by its own line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.batch import source as sources
from solver.batch.source import Record, cut, line_record, load, records, source
from solver.batch.values import Cursor, Piece, Source
from solver.errors import InvalidInput
from solver.logs import read
from tests.batch.files import dealt_codes, played_codes, write_lines
from tests.strategies import ALL_RULES

DATA = Path(__file__).parent.parent / "data"
OPENSPIEL = DATA / "golden" / "openspiel_games.jsonl"


def chunks(of: list[Source], size: int) -> list[tuple[Piece, ...]]:
    found, at = [], Cursor()
    while at is not None:
        pieces, at = cut(of, at, size)
        if pieces:
            found.append(pieces)
    return found


def read_all(of: list[Source], size: int) -> list[Record]:
    return [record for pieces in chunks(of, size) for block in load(of, pieces) for record in records(block)]


@settings(max_examples=60)
@given(
    lines=st.lists(st.lists(st.sampled_from([b"", b"x", b"yy yy", b"z" * 30]), max_size=12), min_size=1, max_size=4),
    size=st.integers(1, 60),
    newline_at_end=st.booleans(),
)
def test_pieces_are_the_file_cut_at_ends_of_lines(
    tmp_path_factory: pytest.TempPathFactory, lines: list[list[bytes]], size: int, newline_at_end: bool
) -> None:
    directory = tmp_path_factory.mktemp("cut")
    of = []
    for at, each in enumerate(lines):
        path = directory / str(at)
        path.write_bytes(b"\n".join(each) + b"\n" * newline_at_end)
        of.append(Source(str(path), "codes", path.stat().st_size, path.stat().st_mtime_ns))
    pieces = [piece for chunk in chunks(of, size) for piece in chunk]
    for at, each in enumerate(of):
        content = Path(each.path).read_bytes()
        mine = [piece for piece in pieces if piece.file == at]
        assert b"".join(content[piece.start : piece.stop] for piece in mine) == content
        for piece in mine:
            assert piece.start == 0 or content[piece.start - 1 : piece.start] == b"\n"
            assert piece.line == 1 + content[: piece.start].count(b"\n")


@pytest.mark.parametrize("size", [1, 1000, 10**6])
def test_records_are_the_same_however_they_are_cut(tmp_path: Path, size: int) -> None:
    codes = dealt_codes(20, 1)
    lines = [*codes[:5], "", "junk", *codes[5:]]
    games = OPENSPIEL.read_text(encoding="utf-8").splitlines()[:12]
    of = [source(write_lines(tmp_path / "a.txt", lines)), source(write_lines(tmp_path / "b.jsonl", games))]
    found = [(each.file, each.number, each.position is None) for each in read_all(of, size)]
    wrong = [bool(game.faults or any(deal.faults for deal in game.deals)) for game in read(of[1].path)]
    assert 0 < sum(wrong) < len(wrong) == 12
    assert found == [
        *((0, at + 1, line == "junk") for at, line in enumerate(lines) if line),
        *((1, at + 1, bad) for at, bad in enumerate(wrong)),
    ]


@pytest.fixture(scope="module")
def lines_of_every_kind() -> list[tuple[str, str]]:
    """Lines as they are written here, cut short, with a card, a bid or a sign changed, and in other spellings."""
    random, found = Random(4), []
    for seed in range(12):
        for code in played_codes(1, seed, random.choice(ALL_RULES)):
            for _ in range(6):
                at = random.randrange(len(code))
                changed = code[:at] + random.choice("9TJQKACDHS.-~pod ") + code[at + random.randrange(2) :]
                for each in (code, changed, code[:at], code.lower(), f" {code}\r"):
                    line = json.dumps({"rightbower": 1, "game": 1, "deal": 2, "players": {"N": "x"}, "code": each})
                    found += [("codes", each), ("jsonl", line), ("jsonl", line.replace(" ", ""))]
    return found


def test_the_quick_way_takes_and_refuses_what_the_slow_one_does(
    lines_of_every_kind: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def answers() -> list[Record]:
        return [line_record(0, 7, name, line.encode()) for name, line in lines_of_every_kind]

    quick = answers()
    asked = {"codes": 0, "jsonl": 0}

    def slow(name: str) -> Callable[[object], None]:
        def nothing(_: object) -> None:
            asked[name] += 1

        return nothing

    monkeypatch.setattr(sources, "read_legal", slow("codes"))
    monkeypatch.setattr(sources.jsonl, "read_quickly", slow("jsonl"))
    assert quick == answers()
    assert min(asked.values()) > 100, "both were asked before"
    assert 100 < sum(record.position is None for record in quick) < len(quick) - 100


def test_formats_are_detected(tmp_path: Path) -> None:
    assert source(write_lines(tmp_path / "a", dealt_codes(1, 1))).format == "codes"
    assert source(OPENSPIEL).format == "openspiel"
    assert source(DATA / "egn" / "game02.egn").format == "egn"
    with pytest.raises(InvalidInput, match="not known"):
        source(write_lines(tmp_path / "b", ["who knows"]))
    with pytest.raises(InvalidInput, match="no log format"):
        source(OPENSPIEL, "nonsense")


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing", Path("/dev/null")):
        with pytest.raises(InvalidInput) as error:
            source(path, "codes")
        assert [fault.code for fault in error.value.faults] == ["file.unreadable"]


def test_small_files_share_a_chunk_and_large_ones_do_not() -> None:
    of = [source(path) for path in sorted((DATA / "egn").glob("*.egn"))]
    whole = sum(each.size for each in of)
    assert len(chunks(of, 10 * whole)) == 1
    assert [len(each) for each in chunks(of, 1)] == [1] * len(of)
    numbers = [(each.file, each.number) for each in read_all(of, whole)]
    assert len(set(numbers)) == len(numbers) > len(of)


def test_a_large_file_does_not_keep_the_small_ones_before_it() -> None:
    of = [Source(f"{size}.egn", "egn", size, 1) for size in (100, 100, 5000, 100)]
    assert [[piece.file for piece in each] for each in chunks(of, 1000)] == [[0, 1], [2], [3]]
    assert [[piece.file for piece in each] for each in chunks(of, 3000)] == [[0, 1, 2], [3]]


def test_a_line_that_is_too_long_is_one_bad_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MOST_LINE", 1000)
    monkeypatch.setattr(sources, "MOST_BYTES", 500)
    first, last = dealt_codes(2, 1)
    of = [source(write_lines(tmp_path / "a", [first, "x" * 5000, last, "y" * 1200, last]), "codes")]
    found = read_all(of, 100)
    assert [(each.number, each.position is None) for each in found] == [
        (1, False),
        (2, True),
        (3, False),
        (4, True),
        (5, False),
    ]
    assert "longer than 1000 bytes" in found[1].faults[0].message


def test_a_file_that_changed_is_not_read_on(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a", dealt_codes(3, 1))
    of = [source(path)]
    (pieces,) = chunks(of, 10**6)
    write_lines(path, dealt_codes(4, 2))
    with pytest.raises(InvalidInput) as error:
        list(load(of, pieces))
    assert [fault.code for fault in error.value.faults] == ["source.changed"]


def test_faults_of_a_line_have_their_place_in_the_line(tmp_path: Path) -> None:
    game = json.loads(OPENSPIEL.read_text(encoding="utf-8").splitlines()[0])
    game["history"][0] = 99
    path = write_lines(tmp_path / "a", ["", json.dumps(game)])
    (bad,) = read_all([source(path, "openspiel")], 10)
    assert (bad.number, bad.position) == (2, None)
    assert bad.faults[0].path[0] == "history"
    assert not bad.faults[0].message.startswith("line")


def test_no_chunk_is_larger_than_the_largest_however_large_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond the largest all the rest of the file was once one chunk, read as a whole."""
    monkeypatch.setattr(sources, "MOST_BYTES", 500)
    of = [source(write_lines(tmp_path / "a.txt", dealt_codes(60, 1)))]
    found = chunks(of, 900)
    assert len(found) > 5
    assert max(piece.size for pieces in found for piece in pieces) < 600


def test_of_a_file_that_cannot_be_read_any_more_the_rest_is_one_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It once ended the worker, and every one after it."""
    of = [source(write_lines(tmp_path / name, dealt_codes(10, 1))) for name in ("a.txt", "b.txt")]
    first, at = cut(of, Cursor(), 100)
    assert at is not None and at.file == 0

    def refused(path: Path, *_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refused)
    assert sources.bytes_of_a_record(of[0]) == 1
    for whole_games in (False, True):
        pieces, then = cut(of, at, 1 << 20, whole_games=whole_games)
        assert [(piece.file, piece.start, piece.stop) for piece in pieces] == [
            (0, first[0].stop, of[0].size),
            (1, 0, of[1].size),
        ]
        assert then is None


def test_what_was_not_cut_is_not_taken_for_one_long_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is back, but all its records would be one bad one."""
    of = [source(write_lines(tmp_path / "a.txt", dealt_codes(60, 1)))]
    monkeypatch.setattr(sources, "MOST_LINE", 1000)
    monkeypatch.setattr(sources, "MOST_BYTES", 500)
    with pytest.raises(InvalidInput, match="could not be read when it was to be cut"):
        list(load(of, [sources._rest(of[0], Cursor(0, 58, 2))]))


def test_a_file_that_cannot_be_a_source_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    odd = Path(os.fsdecode(bytes(tmp_path) + b"/deals\xff.txt"))
    write_lines(odd, dealt_codes(1, 1))
    for path, said in ((tmp_path / "pipe", "is no file"), (odd, "no text in UTF-8"), (tmp_path / "x", "No such file")):
        with pytest.raises(InvalidInput, match=said) as error:
            source(path)
        assert [fault.code for fault in error.value.faults] == ["file.unreadable"]


@pytest.mark.parametrize(
    "beside",
    [
        {"game": 2**53},
        {"deal": 10**30},
        {"deal": 2**63},
        {"initial_score": {"NS": 10**30}},
        {"faults": [{"code": "log.record", "message": "x", "path": ["plays", 10**30]}]},
        {"faults": [{"code": "log.record", "message": "x", "path": [-(2**64)]}]},
    ],
)
def test_a_number_that_no_output_can_hold_is_a_fault_of_its_line_alone(beside: dict[str, object]) -> None:
    """It once failed the chunk with all its neighbours."""
    line = {"rightbower": 1, "game": 1, "deal": 1, **beside, "code": played_codes(1, 3)[0]}
    record = line_record(0, 7, "jsonl", json.dumps(line, separators=(",", ":")).encode())
    assert record.position is None
    assert [fault.code for fault in record.faults] == ["field.invalid"]
    largest = {**line, "game": 2**53 - 1, "deal": 2**53 - 1, "initial_score": {"NS": 2**53 - 1}, "faults": []}
    assert line_record(0, 7, "jsonl", json.dumps(largest, separators=(",", ":")).encode()).position is not None


def test_of_a_file_of_no_known_format_deal_codes_are_named_too(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"known are jsonl, .*; nor is the first line a deal code, .* format codes"):
        source(write_lines(tmp_path / "a.txt", ["what is this?", *dealt_codes(1, 1)]))
