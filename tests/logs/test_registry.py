"""The formats: what holds for every one of them, and how a file finds its reader."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import Fault, InvalidInput
from solver.game.position import Decision
from solver.game.record import GameRecord
from solver.logs import FORMATS, detect, named, read
from solver.logs.convert import convert
from solver.logs.streams import DOCUMENT_LIMIT, HEAD, LINE_LIMIT

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"

#: Format -> a file of it. A format without one has no test.
EXAMPLES = {
    "egn": DATA / "egn" / "game02.egn",
    "jsonl": DATA / "logs" / "native.jsonl",
    "line": DATA / "logs" / "deals.txt",
    "openspiel": DATA / "golden" / "openspiel_games.jsonl",
    "ptn": DATA / "ptn" / "friday.ptn",
}
#: Of a long file with a record a line the beginning is enough where each of many tries reads it all.
SHORT = {name: path.read_bytes() for name, path in EXAMPLES.items()}
SHORT["openspiel"] = b"".join(SHORT["openspiel"].splitlines(keepends=True)[:12])
WRITTEN = [each.name for each in FORMATS if each.write is not None]


def written(games: list[GameRecord], name: str) -> bytes:
    stream = io.BytesIO()
    write = named(name).write
    assert write is not None
    write(games, stream)
    return stream.getvalue()


def refusal(source: bytes, name: str | None = None) -> str:
    with pytest.raises(InvalidInput) as caught:
        read(source, name)
    (fault,) = caught.value.faults
    assert fault.code == "log.format"
    return fault.message


def test_every_format_has_a_name_of_its_own_a_description_and_an_example() -> None:
    names = [each.name for each in FORMATS]
    assert sorted(set(names)) == sorted(names) == sorted(EXAMPLES)
    assert all(each.description and each.suffix.startswith(".") for each in FORMATS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_format_is_documented(name: str) -> None:
    assert f"\n## `{name}`" in (ROOT / "docs" / "log-formats.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_file_is_detected_as_its_format_and_as_no_other(name: str) -> None:
    head = EXAMPLES[name].read_bytes()[:HEAD]
    assert [each.name for each in FORMATS if each.detect(head)] == [name]
    assert detect(head) is named(name)
    assert detect(b"\xef\xbb\xbf\r\n " + head) is named(name)
    assert detect(head.replace(b"\n", b"\r\n")) is named(name)


@pytest.mark.parametrize("name", EXAMPLES)
def test_path_bytes_stream_and_named_format_give_the_same_games(name: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(SHORT[name])
    games = list(read(path))
    assert games == list(read(str(path))) == list(read(path.read_bytes())) == list(read(path, name))
    with path.open("rb") as file:
        assert games == list(read(file))
    assert any(game.deals for game in games)


class Pipe(io.RawIOBase):
    """A stream that gives few bytes at a time, each once."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        piece, self.content = self.content[:100], self.content[100:]
        buffer[: len(piece)] = piece
        return len(piece)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_stream_need_not_be_seekable_nor_give_all_that_is_asked_for(name: str) -> None:
    content = SHORT[name]
    assert list(read(io.BufferedReader(Pipe(content), 128))) == list(read(content))
    assert list(read(Pipe(content), name)) == list(read(content))


def test_games_come_one_at_a_time() -> None:
    games = read(EXAMPLES["openspiel"])
    assert isinstance(games, Iterator)
    assert next(games).deals[0].number == 1
    assert next(games).deals[0].number == 2


@pytest.mark.parametrize(
    "source", [b"", b"\n", b"hello", b"{}", b"[]", b'["a"]', b"\x01\xff", b'{"game": "chess", "history": [1]}', b"||||"]
)
def test_content_of_no_format_is_refused_at_once(source: bytes) -> None:
    assert "egn" in refusal(source)


def test_an_unknown_format_is_refused_by_name_at_once() -> None:
    assert "'pdf'" in refusal(b"{}", "pdf")
    assert len(refusal(b"{}", "x" * 10_000)) < 150


def test_a_missing_file_is_an_os_error() -> None:
    with pytest.raises(FileNotFoundError):
        read(DATA / "none.egn")


def test_a_list_of_numbers_is_openspiel() -> None:
    assert detect(json.dumps([3, *range(21)]).encode()).name == "openspiel"


# -- any file whatever -------------------------------------------------------------------------------------------------


def survives(source: bytes, name: str) -> list[GameRecord]:
    """Only refusals, or games that every reader of games can use."""
    games: list[GameRecord] = []
    refused: list[Fault] = []
    try:
        games += read(source, name)
    except InvalidInput as error:
        refused += error.faults
    assert all(len(fault.message.encode()) < 400 for fault in refused)
    for game in games:
        json.dumps(game.notes, allow_nan=False).encode()
        for fault in (*game.faults, *(fault for deal in game.deals for fault in deal.faults)):
            assert len(fault.message.encode()) < 400
        for deal in game.deals:
            deal.position.problems()
            assert deal.position.decision in Decision
    return games


def test_text_in_utf_16_is_refused_with_the_reason() -> None:
    for name, content in SHORT.items():
        for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
            for asked in (name, None):
                with pytest.raises(InvalidInput) as caught:
                    list(read(content.decode().encode(encoding), asked))
                assert "UTF-8" in caught.value.faults[0].message


@pytest.mark.parametrize("name", EXAMPLES)
@given(data=st.data())
@settings(max_examples=25)
def test_cut_shuffled_and_broken_files_never_do_harm(name: str, data: st.DataObject) -> None:
    lines = SHORT[name].splitlines(keepends=True)
    if name != "egn":
        lines = data.draw(st.permutations(lines))
    content = bytearray(b"".join(lines))
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), max_size=4)):
        content[place] = data.draw(st.integers(0, 255))
    end = data.draw(st.just(len(content)) | st.integers(0, len(content)))
    survives(bytes(content[:end]), name)


@pytest.mark.parametrize("name", EXAMPLES)
@given(st.binary(max_size=300))
@settings(max_examples=40)
def test_any_bytes_are_refused_or_read(name: str, content: bytes) -> None:
    survives(content, name)


@pytest.mark.parametrize("name", EXAMPLES)
def test_deep_nesting_is_a_fault(name: str) -> None:
    for text in ("[" * 100_000, '{"rightbower":1,"notes":' + '{"a":' * 100_000, "|" * 100_000, "A" * 1_000_000):
        survives(text.encode(), name)


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name != "egn"])
def test_a_line_too_long_is_a_fault_and_the_others_are_read(name: str) -> None:
    good = [line for line in SHORT[name].splitlines() if not line.startswith(b"#")]
    plain = [deal.position for game in read(b"\n".join(good), name) for deal in game.deals]
    source = b"\n".join([good[0], b"x" * (LINE_LIMIT + 1), *good[1:]])
    games = survives(source, name)
    assert [deal.position for game in games for deal in game.deals] == plain
    (fault,) = [fault for game in games for fault in game.faults if fault.path == ("lines", 1)]
    assert "line 2: the line is longer than" in fault.message


def test_a_document_too_long_is_refused() -> None:
    with pytest.raises(InvalidInput, match="longer than"):
        list(read(b'{"fileType": "Euchre Game Notation"' + b" " * DOCUMENT_LIMIT, "egn"))


# -- written and read again --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_read_is_written_so_that_it_reads_the_same(name: str) -> None:
    games = [game for game in read(SHORT[name]) if game.deals]
    once = written(games, name)
    again = list(read(once))
    # Lines that were refused count too, so numbers may differ, and with them the places of faults.
    for game, other in zip(games, again, strict=True):
        assert replace(other, deals=(), faults=()) == replace(game, deals=(), faults=())
        assert [(deal.position, deal.notes) for deal in other.deals] == [
            (deal.position, deal.notes) for deal in game.deals
        ]
    assert written(again, name) == once


#: Records that once made a file which its own reader refused or wrote otherwise, or that a writer failed on.
ONCE_WRONG = {
    "a hand known in part": b"9cJcQdKhAh|TcTdJdJhAs|Kc9h9sTsQs|AcKdThQh|9d",
    "a hand known in part, and the play": (b"|Qh||9cKc9hQhJs|Ad|PPPPPS|P|ThJhTd9h|AcQdKcTc|QcTs9cJc|KsAs9sJs|Qh9dAhKd"),
    "no hand in full": b"9dTcJcKs||||Ah|",
    "a revoke, and hands that only the play tells": (
        b"||9cKd9h9sKs||Ah|PPPPD|P|JcTh9cTd|JdQcQdKd|JhQhKh9h|9dTcJsKs|KcQsTs9s"
    ),
    "a hand with the upcard, and the play": (
        b"AcAd9hJsKs|QcAcJhAhAs||9cKc9hQhJs|Ad|PPPPPS|P|ThJhTd9h|AcQdKcTc|QcTs9cJc|KsAs9sJs|Qh9dAhKd"
    ),
    "a card of another deck": b"||KdJh9sTsJo||Jc",
    "a card played twice": (
        b"[2,0,2,12,16,8,6,5,9,20,10,21,13,18,14,22,7,23,15,3,11,1,24,26,18,30,10,5,13,13,7,8,6,21,11]"
    ),
    "cards played without a contract": (
        b'{"rightbower":1,"game":1,"deal":4,"code":"american.E.QC.--9CTCTDADAH-9D9HJHQHTS...TCQHKCQC",'
        b'"faults":[{"code":"play.illegal","message":"","path":[]}]}'
    ),
    "an exchange of one card for none": (
        b'{"rightbower":1,"game":1,"deal":1,"code":"cardporch.N.9C.---.pppo..AS9SAHKSQSJHJCQHKHACTHKDQDJDAD9DJSKC9CTC",'
        b'"notes":{"exchanges":[{"seat":"E","added":["TH"]}]}}'
    ),
    "a play without cards": (
        b'{"rightbower":1,"game":1,"deal":1,"code":"cardporch.N.QS.--9CACQDADTS-","notes":{"play":{"a":[]}}}'
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("kind", ONCE_WRONG)
def test_of_any_record_a_file_is_written_that_is_a_fixed_point_or_none(kind: str, name: str) -> None:
    games = [game for game in read(ONCE_WRONG[kind]) if game.deals]
    assert games
    for made in convert(games, named(name)):
        if made.game is None:
            assert {fault.code for _, fault in made.unwritable} == {"log.unwritable"}
            continue
        once = written([made.game], name)
        again = list(named(name).read(io.BytesIO(once)))
        assert sum(len(game.deals) for game in again) == len(made.game.deals)
        assert written(again, name) == once
