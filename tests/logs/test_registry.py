"""The formats, and how a file finds its reader."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.errors import InvalidInput
from solver.logs import FORMATS, HEAD, detect, named, read

DATA = Path(__file__).parents[1] / "data"

#: Format -> a real file of it. A format without one has no test.
EXAMPLES = {
    "egn": DATA / "egn" / "game02.egn",
    "openspiel": DATA / "golden" / "openspiel_games.jsonl",
    "ptn": DATA / "ptn" / "friday.ptn",
}


def refusal(source: bytes, name: str | None = None) -> str:
    with pytest.raises(InvalidInput) as caught:
        read(source, name)
    (fault,) = caught.value.faults
    assert fault.code == "log.format"
    return fault.message


def test_every_format_has_a_name_of_its_own_a_description_and_an_example() -> None:
    names = [each.name for each in FORMATS]
    assert sorted(set(names)) == sorted(names) == sorted(EXAMPLES)
    assert all(each.description for each in FORMATS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_file_is_detected_as_its_format_and_as_no_other(name: str) -> None:
    head = EXAMPLES[name].read_bytes()[:HEAD]
    assert [each.name for each in FORMATS if each.detect(head)] == [name]
    assert detect(head) is named(name)
    assert detect(b"\xef\xbb\xbf\r\n " + head) is named(name)


@pytest.mark.parametrize("name", EXAMPLES)
def test_path_text_bytes_and_named_format_give_the_same_games(name: str) -> None:
    path = EXAMPLES[name]
    games = list(read(path))
    assert games == list(read(str(path))) == list(read(path.read_bytes())) == list(read(path, name))
    assert any(game.deals for game in games)


def test_games_come_one_at_a_time() -> None:
    games = read(EXAMPLES["openspiel"])
    assert isinstance(games, Iterator)
    assert next(games).deals[0].number == 1
    assert next(games).deals[0].number == 2


@pytest.mark.parametrize(
    "source", [b"", b"\n", b"hello", b"{}", b"[]", b'["a"]', b"\x00\xff", b'{"game": "chess", "history": [1]}']
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
