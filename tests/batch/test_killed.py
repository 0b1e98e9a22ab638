"""kill -9 of real processes in the middle of a job: afterwards every record is there exactly once, and right.

The full form, with 50,000 deals, is `benchmarks/batch_killed.py`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from solver.batch.jobs import spec_of
from solver.batch.results import result_lines
from solver.batch.rows import unpack
from solver.batch.runner import Runner
from solver.batch.source import cut
from solver.batch.store import Store
from solver.batch.values import Cursor, Job, JobState
from solver.batch.work import Task, run_chunk
from solver.cli import main
from solver.errors import StorageFailed
from solver.notation.batch_query import read_batch
from tests.batch.files import played_codes, write_lines

RIGHTBOWER = (sys.executable, "-c", "from solver.cli import main; main()")
#: Small leases and chunks, so that little has to be waited for.
SMALL = ("--lease", "1", "--chunk-bytes", "1")


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "deals.txt", played_codes(120, 1))


@pytest.fixture
def expected(deals: Path) -> list[bytes]:
    """The rows of the whole file as one chunk."""
    spec = spec_of(read_batch({"kind": "trace"}), [deals], None)
    pieces, then = cut(spec.sources, Cursor(), 10**6)
    assert then is None
    return unpack(run_chunk(Task(spec, pieces)).rows or b"").splitlines()


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([*RIGHTBOWER, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def until(true: Callable[[], Any], seconds: float = 120) -> Any:
    ends = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < ends, "it does not come to that"
        time.sleep(0.01)
    return found


def some_done(url: str) -> Job | None:
    """The job of a database, as soon as some of it is done."""
    path = Path(url.removeprefix("sqlite:///"))
    if url.startswith("sqlite") and not path.exists():
        return None
    store = Store(url)
    try:
        jobs = store.jobs()
        return jobs[0] if jobs and store.progress(jobs[0].id).done > 2 else None
    finally:
        store.close()


def outcome(url: str) -> tuple[JobState, list[bytes]]:
    store = Store(url)
    try:
        (job,) = store.jobs()
        return job.state, b"".join(result_lines(store, job)).splitlines()
    finally:
        store.close()


def test_a_coordinator_that_is_killed_loses_and_repeats_nothing(
    deals: Path, tmp_path: Path, expected: list[bytes]
) -> None:
    out, url = tmp_path / "out", f"sqlite:///{tmp_path}/out/jobs.sqlite"
    command = ("batch", "run", str(deals), "--kind", "trace", "--out", str(out))
    with running(*command, *SMALL) as process:
        until(lambda: some_done(url))
        process.kill()
    state, rows = outcome(url)
    assert state == JobState.RUNNING
    assert 0 < len(rows) < len(expected)
    result = CliRunner().invoke(main, [*command, "--lease", "1"])
    assert result.exit_code == 0, result.output
    assert outcome(url) == (JobState.DONE, expected)
    assert (out / "results.ndjson").read_bytes().splitlines() == expected


def test_a_worker_that_is_killed_loses_and_repeats_nothing(
    deals: Path, tmp_path: Path, url: str, expected: list[bytes]
) -> None:
    submit = ["batch", "run", str(deals), "--kind", "trace", "--out", str(tmp_path / "out"), "--db", url, "--no-wait"]
    submitted = CliRunner().invoke(main, submit)
    assert submitted.exit_code == 0, submitted.output
    with running("worker", "--db", url, *SMALL) as first:
        until(lambda: some_done(url))
        first.kill()
    assert outcome(url)[0] == JobState.RUNNING
    with running("worker", "--db", url, "--lease", "1") as second:
        until(lambda: outcome(url)[0] == JobState.DONE)
        second.terminate()
        assert second.wait(60) == 0, "TERM lets it end in order"
    assert outcome(url)[1] == expected


def children(process: int) -> list[int]:
    """The processes of a pool."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    return [int(each) for each in listed if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]


def test_a_pool_process_that_is_killed_loses_and_repeats_nothing(
    deals: Path, tmp_path: Path, expected: list[bytes]
) -> None:
    out, url = tmp_path / "out", f"sqlite:///{tmp_path}/out/jobs.sqlite"
    pool = ("--engine", "processes", "--workers", "2")
    with running("batch", "run", str(deals), "--kind", "trace", "--out", str(out), *pool, *SMALL) as process:
        until(lambda: some_done(url))
        os.kill(children(process.pid)[0], signal.SIGKILL)
        assert process.wait(120) == 0
    assert outcome(url) == (JobState.DONE, expected)


def test_the_pool_of_a_coordinator_that_is_killed_ends_with_it(deals: Path, tmp_path: Path) -> None:
    out, url = tmp_path / "out", f"sqlite:///{tmp_path}/out/jobs.sqlite"
    pool = ("--engine", "processes", "--workers", "2")
    with running("batch", "run", str(deals), "--kind", "trace", "--out", str(out), *pool, *SMALL) as process:
        until(lambda: some_done(url))
        pool_processes = children(process.pid)
        assert len(pool_processes) == 2
        process.kill()
    until(lambda: not any(Path(f"/proc/{each}/cmdline").exists() for each in pool_processes), 30)


def test_exit_status_says_whether_records_were_bad(tmp_path: Path) -> None:
    good = write_lines(tmp_path / "good", played_codes(2, 1))
    bad = write_lines(tmp_path / "bad", [*played_codes(2, 1), "american.N.JH.junk"])
    for path, status in ((good, 0), (bad, 1)):
        result = CliRunner().invoke(main, ["batch", "run", str(path), "--out", str(tmp_path / f"out-{path.name}")])
        assert result.exit_code == status, result.output
    assert f"{bad}: record 3: " in result.stderr
    assert "[code.invalid]" in result.stderr
    out = str(tmp_path / "out-bad")
    status_of = CliRunner().invoke(main, ["batch", "status", "--out", out, "--json"])
    answer = json.loads(status_of.stdout)
    assert (answer["state"], answer["progress"]["bad"], answer["progress"]["rows"]) == ("done", 1, 2)
    rows = CliRunner().invoke(main, ["batch", "results", answer["id"], "--out", out])
    assert len(rows.stdout.splitlines()) == 2
    faults = CliRunner().invoke(main, ["batch", "results", answer["id"], "--out", out, "--faults"])
    assert json.loads(faults.stdout)["record"] == 3
    sums = CliRunner().invoke(main, ["batch", "results", answer["id"], "--out", out, "--summary"])
    assert json.loads(sums.stdout)["rows"] == 2
    cancelled = CliRunner().invoke(main, ["batch", "cancel", answer["id"], "--out", out])
    assert cancelled.output == f"job {answer['id']} is done\n"


def test_a_worker_that_is_told_to_stop_stops_though_its_database_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It once tried again, and had forgotten that it was told."""
    tried: list[Runner] = []

    def fails(runner: Runner) -> None:
        tried.append(runner)
        if len(tried) == 2:
            runner.stop()
        raise StorageFailed("the database did not take it: database is locked")

    monkeypatch.setattr(Runner, "run", fails)
    monkeypatch.setattr("solver.batch.commands.time.sleep", lambda _: None)
    result = CliRunner().invoke(main, ["worker", "--db", f"sqlite:///{tmp_path}/jobs.sqlite", "--workers", "1"])
    assert (result.exit_code, len(tried)) == (1, 2)
    assert "database is locked; trying again" in result.stderr
    assert "Error: the database did not take it" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--kind", "tables", "--worlds", "5"], "takes no worlds"),
        (["--engine", "dask"], "needs --scheduler"),
        (["--scheduler", "tcp://127.0.0.1:1"], "belong to --engine dask"),
        (["--engine", "dask", "--scheduler", "tcp://10.1.2.3:8786"], "without TLS"),
        (["--engine", "dask", "--scheduler", "tls://127.0.0.1:8786"], "needs the files of TLS"),
        (["--db", "nonsense"], "no database"),
        (["--input-format", "egn", "--kind", "nothing"], "nothing"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(tmp_path: Path, arguments: list[str], said: str) -> None:
    path = write_lines(tmp_path / "deals", played_codes(1, 1))
    result = CliRunner().invoke(main, ["batch", "run", str(path), "--out", str(tmp_path / "out"), *arguments])
    assert (result.exit_code, said in result.output) == (2, True), result.output
