"""Reviews in batches: each row is what `review` says of that game, however the file is cut."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from solver.analysis.review.game import review
from solver.batch.games import games
from solver.batch.jobs import spec_of
from solver.batch.kinds import kind_named
from solver.batch.rows import KEY, unpack, write_csv
from solver.batch.source import bytes_of_a_record, cut, load, source
from solver.batch.values import Cursor, Part
from solver.batch.work import Task, run_chunk
from solver.errors import InvalidInput
from solver.logs import jsonl, read
from solver.notation.batch_query import read_batch
from solver.notation.review_answer import ReviewAnswer
from tests.batch.files import write_lines

EGN = Path(__file__).parent.parent / "data" / "egn"
#: Deals of which a trick was played: quick.
SHORT = (
    "american.N.9H.TCJCQCJDQD-9CKC9DTD9S-ACADTHAHJS-KDKHQSKSAS.o.JC.9SJSAS9H",
    "american.E.9H.KDKHQSKSAS-TCJCQCJDQD-9CKC9DTD9S-ACADTHAHJS.o.JC",
    "american.S.9H.ACADTHAHJS-KDKHQSKSAS-TCJCQCJDQD-9CKC9DTD9S.pppp",
)


def line(code: str, deal: int, **more: object) -> str:
    return json.dumps({"rightbower": 1, "game": 1, "deal": deal, **more, "code": code}, separators=(",", ":"))


@pytest.fixture
def two_games(tmp_path: Path) -> Path:
    """A game of three deals with a bad line in its midst, and one of one deal."""
    first = [line(code, at, title="First", players={"E": "Eve"}) for at, code in enumerate(SHORT, 1)]
    other = line(SHORT[1], 1, title="Second", initial_score={"NS": 9, "EW": 9})
    return write_lines(tmp_path / "games.jsonl", [first[0], "", '{"rightbower":1,"code":"x"}', *first[1:], other])


def parts(path: Path, size: int = 10**7, **asked: object) -> list[Part]:
    asked = {"kind": "review", "depth": "fast", **asked}
    spec = spec_of(read_batch(asked), [path], None)
    made, at = [], Cursor()
    while at is not None:
        pieces, at = cut(spec.sources, at, size, whole_games=kind_named("review").whole_games)
        made.append(run_chunk(Task(spec, pieces)))
    return made


def documents(path: Path, size: int = 10**7, **asked: object) -> list[dict[str, object]]:
    found = parts(path, size, **asked)
    assert sum(part.number_of_rows for part in found) == sum(unpack(part.rows).count(b"\n") for part in found)
    return [json.loads(each) for part in found for each in unpack(part.rows or b"").splitlines()]


def reviewed(path: Path) -> list[dict[str, object]]:
    answers = (ReviewAnswer().dump(review(game, settings="fast")) for game in read(path) if game.deals)
    return [json.loads(json.dumps(each)) for each in answers]


@pytest.mark.parametrize("size", [1, 400, 10**6])
def test_a_line_is_what_review_answers_of_the_game(two_games: Path, size: int) -> None:
    found = documents(two_games, size)
    assert [(each.pop("file"), each.pop("record")) for each in found] == [(0, 1), (0, 6)]
    assert found == reviewed(two_games)


def test_a_file_that_is_a_game_is_one_record() -> None:
    (found,) = documents(EGN / "game27.egn")
    assert (found.pop("file"), found.pop("record")) == (0, 1)
    assert found == reviewed(EGN / "game27.egn")[0]


def test_a_deal_code_is_a_game_of_one_deal(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "codes", [*SHORT, "american.N.JH.junk"])
    found = documents(path)
    assert [(each["record"], each["deals"][0]["code"]) for each in found] == [*enumerate(SHORT, 1)]
    (part,) = parts(path)
    assert (part.records, part.bad) == (4, 1)


def test_rows_for_tables_are_the_choices(two_games: Path) -> None:
    (part,) = parts(two_games, output="csv")
    lines = io.StringIO()
    write_csv((*KEY, *kind_named("review").columns), unpack(part.rows), lines, header=True)
    rows = list(csv.DictReader(io.StringIO(lines.getvalue())))
    expected = [
        (title, deal["number"], each["number"], each.get("bid", each.get("card")), each["held_out"], each["grade"])
        for title, answer in enumerate(reviewed(two_games))
        for deal in answer["deals"]
        for each in deal["decisions"]
        if not each["forced"]
    ]
    assert [
        ((1, 6).index(int(row["record"])), int(row["deal"]), int(row["number"]), row["action"], row["grade"])
        for row in rows
    ] == [(title, deal, number, action, grade) for title, deal, number, action, _, grade in expected]
    assert sum(float(row["held_out"]) for row in rows) == pytest.approx(sum(each[4] for each in expected), abs=1e-4)
    assert part.number_of_rows == len(rows)
    assert {row["player"] for row in rows} == {"Eve", ""}


def test_sums_are_of_choices_whatever_the_rows_are(two_games: Path) -> None:
    (lines,), (table,) = parts(two_games), parts(two_games, output="csv")
    assert lines.summary == table.summary
    assert sum(each["rows"] for each in lines.summary["seat"].values()) == table.number_of_rows
    assert set(lines.summary) == {"seat", "player", "contract", "decision", "grade"}


def test_faults_have_the_line_of_the_file(two_games: Path) -> None:
    for size in (1, 10**6):
        bad = [json.loads(each) for part in parts(two_games, size) for each in unpack(part.faults).splitlines()]
        assert [(each["record"], each["errors"][0]["path"][:2]) for each in bad] == [(3, ["lines", 2])]
        assert bad[0]["errors"][0]["message"].startswith("line 3: ")


def test_a_game_with_a_revoke_is_named_and_reviewed_as_far_as_it_goes(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "games.jsonl", [line(SHORT[2], 1), line(SHORT[0] + "QSQD", 2), line(SHORT[1], 3)])
    (part,) = parts(path)
    assert (part.records, part.bad, part.number_of_rows) == (1, 1, 1)
    (bad,) = (json.loads(each) for each in unpack(part.faults).splitlines())
    assert bad["record"] == 1
    assert any("line 2" in error["message"] for error in bad["errors"])


def test_places_to_cut_are_between_games(tmp_path: Path) -> None:
    lines = [line(SHORT[at % 3], deal, game=game) for game in range(1, 5) for at, deal in enumerate(range(1, game + 1))]
    lines[4:4] = ["not JSON", "", "{}"]
    path = write_lines(tmp_path / "games.jsonl", lines)
    whole = [game for _, game in jsonl.numbered(io.BytesIO(path.read_bytes()))]
    of = [source(path)]
    for size in (1, 200, 500, 10**6):
        found, at = [], Cursor()
        while at is not None:
            pieces, at = cut(of, at, size, whole_games=True)
            found += [game for block in load(of, pieces) for game in games(block)]
        assert [game.record.deals for game in found] == [game.deals for game in whole]
        assert sorted(game.number for game in found) == [1, 2, 4, 5, 7, 10]


def test_a_line_that_is_too_long_stands_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.logs.streams.lines.__defaults__", (1000,))
    content = "\n".join([line(SHORT[0], 1), line(SHORT[1], 2) + " " * 2000, line(SHORT[2], 3)])
    places = list(jsonl.ends(io.BytesIO(content.encode())))
    ends = [at for at, sign in enumerate(content, 1) if sign == "\n"]
    assert set(ends) <= set(places)


def test_settings_are_those_of_reviews(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "codes", [SHORT[0]])
    assert spec_of(read_batch({"kind": "review"}), [path], None).settings == {"depth": "default", "seed": 0}
    for wrong in ({"depth": "abyss"}, {"worlds": 3}):
        with pytest.raises(InvalidInput):
            spec_of(read_batch({"kind": "review", **wrong}), [path], None)
    with pytest.raises(InvalidInput, match="takes no depth"):
        spec_of(read_batch({"kind": "bids", "depth": "fast"}), [path], None)


def test_costs_follow_the_settings(tmp_path: Path) -> None:
    seconds = kind_named("review").seconds
    assert seconds({"depth": "fast"}) < seconds({"depth": "default"}) < seconds({"depth": "deep"})
    assert kind_named("bids").seconds({"worlds": 2000}) == 2 * kind_named("bids").seconds({"worlds": 1000})
    game = source(EGN / "game02.egn")
    deals = sum(len(each.deals) for each in read(EGN / "game02.egn"))
    assert game.size / bytes_of_a_record(game) == pytest.approx(deals, rel=0.3)
