"""Records that come again in a job are answered by what was kept of the first, whatever the engine and database."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from solver.batch import by_record
from solver.batch.engines import Engine, Processes, Threads
from solver.batch.jobs import spec_of
from solver.batch.repeats import digest_of_line
from solver.batch.results import result_lines, summary
from solver.batch.runner import Kept, Runner
from solver.batch.source import cut, load
from solver.batch.store import Store
from solver.batch.values import Cursor, Job, JobState, Part
from solver.batch.work import Task, run_chunk
from solver.notation.batch_query import read_batch
from tests.batch.files import played_codes, write_lines

EGN = Path(__file__).parent.parent / "data" / "egn"
SHORT = "american.N.9H.TCJCQCJDQD-9CKC9DTD9S-ACADTHAHJS-KDKHQSKSAS.o.JC.9SJSAS9H"


class Inline:
    """An engine that does a chunk at once, with a memory that forgets at once, as another machine's has not seen it."""

    slots = 1

    def __init__(self) -> None:
        self.parts: list[Part] = []

    def submit(self, task: Task) -> Future[Part]:
        by_record._memory = by_record.Memory(by_record.REMEMBERED)
        self.parts.append(run_chunk(task))
        future: Future[Part] = Future()
        future.set_result(self.parts[-1])
        return future

    def recover(self) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def one_chunk_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.batch.runner.WINDOW", 1)
    monkeypatch.setattr(by_record, "_memory", by_record.Memory(by_record.REMEMBERED))


def submitted(store: Store, path: Path, **asked: object) -> Job:
    return store.submit(spec_of(read_batch({"kind": "trace", **asked}), [path], None))


def rows_of(store: Store, job: Job) -> list[dict[str, object]]:
    return [json.loads(line) for lines in result_lines(store, job) for line in lines.splitlines()]


def test_far_apart_records_are_worked_out_once(store: Store, tmp_path: Path) -> None:
    codes = played_codes(12, 1)
    job = submitted(store, write_lines(tmp_path / "a", codes * 3))
    engine = Inline()
    Runner(store, engine, job_id=job.id, size=400).run()
    assert sum(part.repeated for part in engine.parts) == 24
    assert sum(len(part.answers) for part in engine.parts) == 12
    rows = rows_of(store, job)
    once = [{**row, "record": 0} for row in rows if row["record"] <= 12]
    assert [{**row, "record": 0} for row in rows] == once * 3
    assert {row["record"] for row in rows} >= {1, 13, 25}
    by_seat = summary(store, job)["by"]["seat"]
    assert sum(each["rows"] for each in by_seat.values()) == len(rows)


@pytest.mark.parametrize("make", [lambda: Threads(1), lambda: Processes(1)])
def test_engines_are_told_what_is_known(make: Callable[[], Engine], tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/jobs.sqlite")
    job = submitted(store, write_lines(tmp_path / "a", played_codes(4, 1) * 2))
    told: list[Kept] = []
    engine = make()
    Runner(store, engine, job_id=job.id, size=700, told=told.append).run()
    engine.close()
    assert sum(kept.part.repeated for kept in told if kept.part is not None) == 4
    store.close()


def test_names_are_those_of_each_record(store: Store, tmp_path: Path) -> None:
    lines = [json.dumps({"rightbower": 1, "players": {"N": name}, "code": SHORT}) for name in ("Ann", "Bob", "Cleo")]
    path = write_lines(tmp_path / "a.jsonl", lines)
    for kind in ({"kind": "trace"}, {"kind": "review", "depth": "fast"}):
        job = submitted(store, path, **kind)
        engine = Inline()
        Runner(store, engine, job_id=job.id, size=1).run()
        assert sum(part.repeated for part in engine.parts) == 2
        players = summary(store, job)["by"]["player"]
        assert set(players) == {"Ann", "Bob", "Cleo"}
        assert players["Ann"] == players["Bob"] == players["Cleo"]
    names = [{each["seat"]: each["name"] for each in row["players"]}["N"] for row in rows_of(store, job)]
    assert names == ["Ann", "Bob", "Cleo"]


def test_a_game_under_another_name_is_reviewed_once(tmp_path: Path) -> None:
    lines = [
        json.dumps({"rightbower": 1, "game": game, "deal": deal, "title": title, "code": SHORT})
        for game, title in ((1, "First"), (2, "Second"))
        for deal in (1, 2)
    ]
    spec = spec_of(read_batch({"kind": "review", "depth": "fast"}), [write_lines(tmp_path / "a.jsonl", lines)], None)
    pieces, _ = cut(spec.sources, Cursor(), 10**6, whole_games=True)
    part = run_chunk(Task(spec, pieces))
    assert (part.records, part.repeated, len(part.answers)) == (2, 1, 1)


def test_a_file_that_comes_again_is_answered_at_once(store: Store, tmp_path: Path) -> None:
    for name in ("one.egn", "two.egn"):
        (tmp_path / name).write_bytes((EGN / "game02.egn").read_bytes())
    job = store.submit(spec_of(read_batch({"kind": "trace"}), [tmp_path / "one.egn", tmp_path / "two.egn"], None))
    engine = Inline()
    Runner(store, engine, job_id=job.id, size=1).run()
    first, second = engine.parts
    assert second.repeated == second.records - second.bad > 0 == first.repeated
    rows = rows_of(store, job)
    assert [row for row in rows if row["file"] == 1] == [{**row, "file": 1} for row in rows if row["file"] == 0]


def test_only_what_is_plainly_the_same_deal_has_the_same_digest() -> None:
    def digest(line: str) -> bytes:
        return digest_of_line("jsonl", line.encode())

    same = digest(f'{{"rightbower":1,"code":"{SHORT}"}}')
    assert same == digest(f'{{"rightbower":1,"game":4,"players":{{"N":"x"}},"code": "{SHORT}"}}')
    assert same == digest_of_line("codes", f" {SHORT}\r".encode())
    assert same != digest(f'{{"rightbower":1,"code":"{SHORT[:-2]}"}}')
    assert same != digest(f'{{"rightbower":1,"c\\u006fde":"{SHORT[:-2]}","notes":{{"code":"{SHORT}"}}}}')
    assert same != digest(f'{{"rightbower":1,"code":"{SHORT[:-2]}","notes":{{"code":"{SHORT}"}}}}')


def test_answers_go_with_the_job(store: Store, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a", played_codes(3, 1))
    job = submitted(store, path)
    blocks = list(load(job.spec.sources, cut(job.spec.sources, Cursor(), 10**6)[0]))
    digests = [digest_of_line("codes", line) for block in blocks for line in block.data.split()]
    seen: list[int] = []
    runner = Runner(
        store, Inline(), job_id=job.id, size=1, told=lambda _: seen.append(len(store.known(job.id, digests)))
    )
    runner.run()
    assert seen == [1, 2, 3]
    assert store.job(job.id).state == JobState.DONE
    assert store.known(job.id, digests) == {}


def test_what_one_owner_answered_another_that_comes_after_its_death_knows(url: str, tmp_path: Path) -> None:
    """The first is killed between two chunks of a job; what it kept is there, once."""
    path = write_lines(tmp_path / "a", played_codes(6, 1) * 2)
    script = (
        "import os, signal, sys\n"
        "from solver.batch.engines import Threads\n"
        "from solver.batch.runner import Runner\n"
        "from solver.batch.store import Store\n"
        "store, done = Store(sys.argv[1], lease=1.0), []\n"
        "def told(kept):\n"
        "    done.append(kept)\n"
        "    if len(done) == 7: os.kill(os.getpid(), signal.SIGKILL)\n"
        "Runner(store, Threads(1), job_id=sys.argv[2], size=1, told=told).run()\n"
    )
    store = Store(url, lease=1.0)
    job = submitted(store, path)
    killed = subprocess.run([sys.executable, "-c", script, url, job.id], check=False, env={**os.environ}, timeout=60)
    assert killed.returncode == -signal.SIGKILL
    engine = Inline()
    Runner(store, engine, job_id=job.id, size=1).run()
    assert sum(part.repeated for part in engine.parts) == len(engine.parts) == 5
    rows = rows_of(store, job)
    assert [{**row, "record": row["record"] + 6} for row in rows if row["record"] <= 6] == [
        row for row in rows if row["record"] > 6
    ]
    store.close()


class Slow:
    """An engine that gives back a chunk, the oldest first, when it is asked for the next with all slots full."""

    slots = 8

    def __init__(self) -> None:
        self.works: list[tuple[Task, Future[Part]]] = []
        self.together: list[list[tuple[int, int]]] = []
        self.parts: list[Part] = []

    def submit(self, task: Task) -> Future[Part]:
        future: Future[Part] = Future()
        self.works.append((task, future))
        return future

    def give(self) -> None:
        self.together.append([(task.pieces[0].start, len(task.known)) for task, _ in self.works])
        task, future = self.works.pop(0)
        self.parts.append(run_chunk(task))
        future.set_result(self.parts[-1])

    def recover(self) -> None:
        pass

    def close(self) -> None:
        pass


def run_slowly(store: Store, job: Job, size: int, monkeypatch: pytest.MonkeyPatch) -> Slow:
    engine = Slow()
    monkeypatch.setattr(by_record, "_memory", by_record.Memory(0))
    runner = Runner(store, engine, job_id=job.id, size=size)
    land = runner._land

    def give_and_land(_: float) -> None:
        if engine.works:
            engine.give()
        land(0.0)

    monkeypatch.setattr(runner, "_land", give_and_land)
    runner.run()
    return engine


def test_a_chunk_waits_for_those_that_work_out_what_it_asks(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = played_codes(2, 1)
    job = submitted(store, write_lines(tmp_path / "a", codes * 3))
    engine = run_slowly(store, job, 1, monkeypatch)
    assert [part.repeated for part in engine.parts] == [0, 0, 1, 1, 1, 1]
    assert len(engine.together[0]) == 2, "the other four are held"
    assert store.progress(job.id).done == 6


def test_neighbours_that_share_a_record_are_worked_on_at_once(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = played_codes(9, 1)
    chain = [line for at in range(0, 8, 2) for line in codes[at : at + 3]]
    job = submitted(store, write_lines(tmp_path / "a", chain))
    width = max(map(len, chain)) * 3
    engine = run_slowly(store, job, width, monkeypatch)
    assert len(engine.together[0]) == store.job(job.id).chunks > 1


def test_a_runner_that_is_stopped_gives_back_what_it_holds(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = submitted(store, write_lines(tmp_path / "a", played_codes(1, 1) * 4))
    engine = Inline()
    slow = Slow()
    runner = Runner(store, slow, job_id=job.id, size=1)
    monkeypatch.setattr(runner, "_land", lambda _: (slow.give() if slow.works else None, runner.stop(), land(0.0)))
    land = type(runner)._land.__get__(runner)
    runner.run()
    assert store.unfinished(job.id) == (3, 0)
    Runner(store, engine, job_id=job.id, size=1).run()
    assert [part.repeated for part in engine.parts] == [1, 1, 1]
