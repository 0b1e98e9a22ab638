"""The native format: lossless, and readable line by line."""

from __future__ import annotations

import io
import json
import random
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import InvalidInput
from solver.game.position import Decision
from solver.game.record import GameRecord
from solver.game.rules import PRESETS
from solver.game.seats import Seat, Side
from solver.logs import jsonl, read, streams
from solver.notation.record_document import RecordSchema
from tests.logs.games import games

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "tests" / "data" / "logs" / "native.jsonl"
EGN = sorted((ROOT / "tests" / "data" / "egn").glob("*.egn"))
SCHEMA = jsonschema_rs.validator_for(json.loads((ROOT / "docs" / "log-record.schema.json").read_text(encoding="utf-8")))
CODE = "american.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS.po.9C.9D"


def written(*made: GameRecord) -> bytes:
    stream = io.BytesIO()
    jsonl.write(made, stream)
    return stream.getvalue()


def lines_of(*values: object) -> list[GameRecord]:
    return list(read("\n".join(json.dumps(value) for value in values).encode(), "jsonl"))


@given(st.lists(games(), max_size=3))
@settings(max_examples=25)
def test_games_of_all_presets_are_read_back_as_they_were(made: list[GameRecord]) -> None:
    content = written(*made)
    assert list(read(content, "jsonl")) == made
    assert all(SCHEMA.is_valid(json.loads(line)) for line in content.splitlines())


@pytest.mark.parametrize("path", EGN, ids=lambda path: path.stem)
def test_every_real_game_of_egn_is_kept_whole(path: Path) -> None:
    (game,) = read(path)
    assert list(read(written(game))) == [game]


def test_version_1_is_read_as_ever() -> None:
    first, second, third = read(NATIVE)
    assert first.title == "Kitchen table" and first.players[Seat.W] == "Dö"
    assert first.initial_score == {Side.NS: 3, Side.EW: 0} and first.notes == {"place": "home"}
    assert [deal.number for deal in first.deals] == [1, 2, 3, 4]
    thrown_in, loner, revoke = first.deals[1:]
    assert thrown_in.position.contract is None and thrown_in.notes == {"remark": "dealt again"}
    assert loner.position.contract is not None and loner.position.contract.alone
    assert [fault.code for fault in revoke.faults] == ["play.illegal"]
    assert second.rules == PRESETS["british"] and third.rules == PRESETS["two_handed"]
    assert third.faults[0].path == ("deals", 1)


def test_a_line_is_read_alone_and_shuffled_lines_lose_no_deal() -> None:
    lines = NATIVE.read_bytes().splitlines()
    whole = [deal for game in read(NATIVE) for deal in game.deals]
    random.Random(1).shuffle(lines)
    shuffled = [deal for game in read(b"\n".join(lines)) for deal in game.deals]
    assert sorted(shuffled, key=repr) == sorted(whole, key=repr)
    (alone,) = read(lines[0])
    assert len(alone.deals) == 1


def test_files_put_together_stay_apart_as_games() -> None:
    once = list(read(NATIVE))
    assert list(read(NATIVE.read_bytes() * 2)) == once * 2


def test_a_line_without_numbers_is_a_game_of_its_own_and_numbered_by_its_place() -> None:
    made = lines_of(*[{"rightbower": 1, "code": CODE}] * 2)
    assert [[deal.number for deal in game.deals] for game in made] == [[1], [2]]


def test_a_record_without_faults_is_judged() -> None:
    (game,) = lines_of({"rightbower": 1, "game": 1, "deal": 1, "code": CODE[:-2] + "TD9C"})
    (record,) = game.deals
    assert [(fault.code, fault.path) for fault in record.faults] == [("play.illegal", ("lines", 0, "code", "plays", 1))]
    assert record.faults[0].message.startswith("line 1: 9C: ")


def test_a_bad_line_is_named_and_the_game_around_it_goes_on() -> None:
    good = [json.dumps({"rightbower": 1, "game": 1, "deal": number, "code": CODE}) for number in (1, 2)]
    bad, game = read("\n".join([good[0], '{"rightbower": 1, "code": 3}', good[1]]).encode())
    assert bad.faults[0].path == ("lines", 1, "code") and bad.faults[0].message.startswith("line 2: ")
    assert [deal.number for deal in game.deals] == [1, 2]


WRONG: list[tuple[dict[str, Any], tuple[str | int, ...]]] = [
    ({"rightbower": 2, "code": CODE}, ("rightbower",)),
    ({"rightbower": True, "code": CODE}, ("rightbower",)),
    ({"code": CODE}, ("rightbower",)),
    ({"rightbower": 1, "code": CODE, "game": 0}, ("game",)),
    ({"rightbower": 1, "code": CODE, "deal": "1"}, ("deal",)),
    ({"rightbower": 1, "code": CODE, "title": 3}, ("title",)),
    ({"rightbower": 1, "code": CODE, "players": {"X": "Ann"}}, ("players", "X")),
    ({"rightbower": 1, "code": CODE, "players": {"N": 1}}, ("players", "N")),
    ({"rightbower": 1, "code": CODE, "initial_score": {"NS": -1}}, ("initial_score", "NS")),
    ({"rightbower": 1, "code": CODE, "notes": []}, ("notes",)),
    ({"rightbower": 1, "code": CODE, "faults": [{"code": "log.record"}]}, ("faults", 0, "message")),
    (
        {"rightbower": 1, "code": CODE, "faults": [{"code": "log.record", "message": "", "path": [None]}]},
        ("faults", 0, "path"),
    ),
    ({"rightbower": 1, "code": CODE, "rules": "american"}, ("rules",)),
    ({"rightbower": 1, "code": CODE, "of_game": {"title": ""}}, ("of_game", "title")),
    ({"rightbower": 1, "code": CODE, "score": {}}, ("score",)),
]


@pytest.mark.parametrize(("value", "path"), WRONG)
def test_schema_and_reader_refuse_the_same_lines(value: dict[str, Any], path: tuple[str | int, ...]) -> None:
    (game,) = lines_of(value)
    assert not game.deals
    assert [fault.path for fault in game.faults] == [("lines", 0, *path)]
    assert not SCHEMA.is_valid(value)


def test_all_faults_of_a_line_come_together() -> None:
    (game,) = lines_of({"rightbower": 1, "game": 0, "title": 1, "code": "x"})
    assert {fault.path[2] for fault in game.faults} == {"game", "title", "code"}


@given(games(), st.data())
@settings(max_examples=20)
def test_the_fast_way_and_the_strict_one_say_the_same(made: GameRecord, data: st.DataObject) -> None:
    """The same lines with other white space are read on the strict way only."""
    content = written(made)
    spaced = b"\n".join(json.dumps(json.loads(line)).encode() for line in content.splitlines())
    assert list(read(content, "jsonl")) == list(read(spaced, "jsonl"))


def test_json_that_readers_differ_about_is_refused_on_both_ways() -> None:
    line = json.dumps({"rightbower": 1, "game": 1, "deal": 1, "code": CODE}, separators=(",", ":"))
    for bad in (line.replace('"game":1', '"game":1,"game":1'), line.replace('"game":1', '"game":NaN'), line + line):
        (game,) = read(bad.encode(), "jsonl")
        assert [fault.code for fault in game.faults] == ["json.invalid"]


def test_the_page_has_every_member_and_its_example_is_read() -> None:
    page = (ROOT / "docs" / "log-formats.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```json\n(.*?)\n```", page, re.DOTALL)
    (game,) = read(example.encode())
    assert game.deals[0].number == 3 and not game.faults and not game.deals[0].faults
    schema = json.loads((ROOT / "docs" / "log-record.schema.json").read_text(encoding="utf-8"))
    assert set(schema["properties"]) == set(RecordSchema().fields)
    assert all(f"`{member}`" in page for member in schema["properties"])


def test_a_long_game_is_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MOST_DEALS", 2)
    made = lines_of(*[{"rightbower": 1, "game": 1, "deal": number, "code": CODE} for number in range(1, 6)])
    assert [len(game.deals) for game in made] == [2, 2, 1]


def test_a_line_longer_than_is_read_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LINE_LIMIT", 100)
    (game, *_) = read(NATIVE)
    with pytest.raises(InvalidInput) as caught:
        written(game)
    assert {fault.code for fault in caught.value.faults} == {"log.unwritable"}


def test_a_card_played_that_the_deck_does_not_have_refuses_its_record_alone() -> None:
    """Who took the trick, and led to the next, cannot be told: no reader of records could go on from it."""
    code = "cardporch.E.QD.---.o..JDTSJH9DADJCTCQDKDKHQCKCASAHJS8H9S"
    line = f'{{"rightbower":1,"game":1,"deal":1,"code":"{code}"}}\n'.encode()
    first, second = read(line + line.replace(b"8H", b"TH"), "jsonl")
    assert [fault.code for fault in first.faults] == ["card.foreign"] and not first.deals
    assert len(second.deals) == 1 and second.deals[0].position.decision == Decision.PLAY
