"""Jobs from their submission to their end, in one process."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from solver.batch import runner as runner_module
from solver.batch.engines import EngineLost, Threads, WrongVersion
from solver.batch.jobs import spec_of
from solver.batch.results import columns_of, export, fault_lines, read_results, result_lines, summary
from solver.batch.runner import Kept, Runner
from solver.batch.store import Store
from solver.batch.values import MOST_FAILURES, Job, JobState, Part
from solver.batch.work import Task, run_chunk
from solver.errors import InvalidInput, StorageFailed
from solver.notation.batch_query import read_batch
from tests.batch.files import dealt_codes, played_codes, write_lines

Rows = list[dict[str, object]]


class Inline:
    """An engine that does a chunk at once, or whatever the test wants instead."""

    slots = 2

    def __init__(self, instead: Callable[[Task], Part] = run_chunk) -> None:
        self._do = instead
        self.recovered = 0

    def submit(self, task: Task) -> Future[Part]:
        future: Future[Part] = Future()
        try:
            future.set_result(self._do(task))
        except Exception as error:  # noqa: BLE001
            future.set_exception(error)
        return future

    def recover(self) -> None:
        self.recovered += 1

    def close(self) -> None:
        pass


def submitted(store: Store, files: list[Path], directory: Path | None = None, **asked: object) -> Job:
    return store.submit(spec_of(read_batch(asked), files, directory))


def run(store: Store, job: Job, engine: object = None, **options: object) -> Job:
    Runner(store, engine or Inline(), job_id=job.id, **{"size": 300, **options}).run()
    return store.job(job.id)


def rows_of(store: Store, job: Job) -> Rows:
    return [json.loads(line) for lines in result_lines(store, job) for line in lines.splitlines()]


def bad_of(store: Store, job: Job) -> list[tuple[int, int]]:
    named = (json.loads(line) for lines in fault_lines(store, job) for line in lines.splitlines())
    return [(each["file"], each["record"]) for each in named]


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    """Freshly dealt deals, some bad lines, and some that were played."""
    codes = dealt_codes(40, 1)
    codes[7], codes[30] = "american.N.JH.junk", codes[30].replace("american", "nowhere")
    return write_lines(tmp_path / "deals.txt", codes + played_codes(3, 2))


def test_every_record_is_answered_once_and_the_bad_are_named(store: Store, deals: Path) -> None:
    job = run(store, submitted(store, [deals]))
    assert job.state == JobState.DONE
    assert job.chunks > 5
    assert [row["record"] for row in rows_of(store, job)] == [at for at in range(1, 44) if at not in (8, 31)]
    assert bad_of(store, job) == [(0, 8), (0, 31)]
    progress = store.progress(job.id)
    assert (progress.records, progress.rows, progress.bad, progress.share) == (43, 41, 2, 1.0)


def test_chunks_do_not_change_the_answers(store: Store, deals: Path, tmp_path: Path) -> None:
    small = run(store, submitted(store, [deals], key="small"), size=100)
    large = run(store, submitted(store, [deals], key="large"), Threads(2), size=2000)
    assert small.chunks > large.chunks
    assert rows_of(store, small) == rows_of(store, large)
    assert summary(store, small)["by"] == summary(store, large)["by"]


def test_the_same_job_again_does_nothing_again(store: Store, deals: Path) -> None:
    job = run(store, submitted(store, [deals]))

    def nothing(task: Task) -> Part:
        raise AssertionError("it was done already")

    again = submitted(store, [deals])
    assert again.id == job.id
    assert run(store, again, Inline(nothing)) == job


def test_a_job_that_was_stopped_goes_on_where_it_was(store: Store, deals: Path) -> None:
    job = submitted(store, [deals])
    done: list[int] = []
    first = Runner(store, Inline(), job_id=job.id, size=100, told=lambda kept: (done.append(kept.chunk), first.stop()))
    first.run()
    assert store.job(job.id).state == JobState.RUNNING
    assert done
    again: list[int] = []
    run(store, job, told=lambda kept: again.append(kept.chunk))
    assert again
    assert sorted(done + again) == list(range(store.job(job.id).chunks))
    assert len(rows_of(store, job)) == 41


def test_a_cancelled_job_stops_and_the_same_work_goes_on_with_it(store: Store, deals: Path) -> None:
    job = submitted(store, [deals])
    job = run(store, job, size=100, told=lambda kept: store.cancel(job.id))
    assert job.state == JobState.CANCELLED
    assert len(rows_of(store, job)) < 41
    job = run(store, submitted(store, [deals]))
    assert (job.state, len(rows_of(store, job))) == (JobState.DONE, 41)


def test_a_chunk_that_always_fails_does_not_stop_the_others(store: Store, deals: Path) -> None:
    tried: list[Task] = []

    def fails(task: Task) -> Part:
        if task.pieces[0].start == 0:
            tried.append(task)
            raise RuntimeError("this one cannot be done")
        return run_chunk(task)

    told: list[Kept] = []
    job = run(store, submitted(store, [deals]), Inline(fails), told=told.append)
    progress = store.progress(job.id)
    assert (progress.state, progress.failed, len(tried)) == (JobState.DONE, 1, MOST_FAILURES)
    assert progress.errors == ("chunk 0: RuntimeError: this one cannot be done",)
    assert [kept.error for kept in told if kept.part is None] == ["RuntimeError: this one cannot be done"]
    assert 0 < len(rows_of(store, job)) < 41


@pytest.mark.parametrize("change", [lambda path: path.write_bytes(b"x"), Path.unlink])
def test_a_file_that_changed_before_it_was_cut_is_one_chunk_that_fails(
    store: Store, deals: Path, change: Callable[[Path], object]
) -> None:
    """It was once cut into pieces of nothing without end."""
    job = store.submit(spec_of(read_batch({}), [deals], None))
    change(deals)
    engine = Threads(1)
    Runner(store, engine, job_id=job.id).run()
    engine.close()
    progress = store.progress(job.id)
    assert (progress.state, progress.failed, progress.done, progress.share) == (JobState.DONE, 1, 0, 1.0)
    assert str(deals) in progress.errors[0]


def test_chunks_of_an_engine_that_is_lost_are_done_again_without_blame(store: Store, deals: Path) -> None:
    left = 2 * MOST_FAILURES

    def lost(task: Task) -> Part:
        nonlocal left
        left -= 1
        if left >= 0:
            raise EngineLost("gone")
        return run_chunk(task)

    engine = Inline(lost)
    job = run(store, submitted(store, [deals]), engine)
    assert engine.recovered > 0
    assert (store.progress(job.id).failed, len(rows_of(store, job))) == (0, 41)


def test_two_runners_share_a_job(open_store: Callable[..., Store], deals: Path) -> None:
    stores = [open_store(), open_store()]
    job = submitted(stores[0], [deals])
    chunks: list[list[int]] = [[], []]

    def slow(task: Task) -> Part:
        time.sleep(0.002)
        return run_chunk(task)

    def work(at: int) -> None:
        run(stores[at], job, Inline(slow), size=100, told=lambda kept: chunks[at].append(kept.chunk))

    threads = [threading.Thread(target=work, args=(at,)) for at in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(chunks[0] + chunks[1]) == list(range(stores[0].job(job.id).chunks))
    assert len(rows_of(stores[0], job)) == 41


def test_a_runner_without_a_job_takes_all_until_it_is_stopped(store: Store, deals: Path) -> None:
    jobs = [submitted(store, [deals], key=key) for key in ("a", "b")]
    worker = Runner(store, Inline(), size=600)

    def stop_when_done(kept: Kept) -> None:
        if all(store.progress(job.id).share == 1.0 for job in jobs):
            worker.stop()

    worker._told = stop_when_done
    worker.run()
    assert [len(rows_of(store, job)) for job in jobs] == [41, 41]


def test_planning_stays_a_window_ahead(store: Store, deals: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: list[int] = []
    job = submitted(store, [deals])
    run(store, job, size=1, told=lambda kept: waiting.append(store.unfinished(job.id)[0]))
    assert store.job(job.id).chunks == 43
    assert max(waiting) <= 2 * runner_module.WINDOW * Inline.slots


def test_another_solver_does_not_do_the_work(store: Store, deals: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = submitted(store, [deals])
    task = Task(job.spec, ())
    monkeypatch.setattr("solver.batch.engines.engine_version", lambda: "rightbower 9.9")
    with pytest.raises(WrongVersion, match=r"this is rightbower 9\.9"):
        run_chunk(task)


@pytest.mark.parametrize("output", ["ndjson", "csv", "parquet"])
def test_every_form_of_output_has_the_same_rows(store: Store, deals: Path, tmp_path: Path, output: str) -> None:
    expected = run(store, submitted(store, [deals], key="expected"))
    job = run(store, submitted(store, [deals], tmp_path / "out", output=output))
    export(store, job)
    assert rows_of(store, job) == rows_of(store, expected)
    table = read_results(tmp_path / "out")
    assert table["record"].to_list() == [row["record"] for row in rows_of(store, job)]
    assert table["par_points"].to_list() == [row["par_points"] for row in rows_of(store, job)]
    if output != "csv":
        assert table.to_dicts() == rows_of(store, expected)
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["by"] == summary(store, expected)["by"]
    assert len((tmp_path / "out" / "faults.ndjson").read_text().splitlines()) == 2
    assert not list((tmp_path / "out").glob(".*"))


def test_files_of_leases_that_were_lost_are_removed(store: Store, deals: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    job = run(store, submitted(store, [deals], out, output="parquet"))
    export(store, job)
    before = sorted(out.glob("*.parquet"))
    stray = out / before[0].name.replace("-1.parquet", "-0.parquet")
    stray.write_bytes(b"half a file")
    export(store, job)
    assert sorted(out.glob("*.parquet")) == before


def test_results_of_two_jobs_are_not_read_as_those_of_one(store: Store, deals: Path, tmp_path: Path) -> None:
    """Of a directory with lines of JSON and a table of CSV only the lines were read once."""
    for output in ("ndjson", "csv"):
        export(store, run(store, submitted(store, [deals], tmp_path, output=output)))
    with pytest.raises(ValueError, match="the results of 2 jobs"):
        read_results(tmp_path)
    (tmp_path / "results.ndjson").unlink()
    assert len(read_results(tmp_path)) == 41


def test_files_of_rows_that_are_gone_are_missed(store: Store, deals: Path, tmp_path: Path) -> None:
    """The job was once called done, and its results were read without them. Now they are made again."""
    out = tmp_path / "out"
    job = run(store, submitted(store, [deals], out, output="parquet"))
    gone = sorted(out.glob("*.parquet"))[1]
    gone.unlink()
    with pytest.raises(StorageFailed, match=f"1 files of rows are gone from .*, {gone.name} first"):
        export(store, job)
    job = store.job(job.id)
    assert (job.state, store.unfinished(job.id)) == (JobState.RUNNING, (1, 0))
    assert store.progress(job.id).records < 43
    job = run(store, job)
    export(store, job)
    assert (job.state, store.progress(job.id).records) == (JobState.DONE, 43)
    assert [row["record"] for row in rows_of(store, job)] == [at for at in range(1, 44) if at not in (8, 31)]


@pytest.mark.parametrize("output", ["ndjson", "csv", "parquet"])
@pytest.mark.parametrize("lines", [[], ["junk"]])
def test_a_job_without_rows_is_read_as_a_table_without_rows(
    store: Store, tmp_path: Path, output: str, lines: list[str]
) -> None:
    path = write_lines(tmp_path / "deals.txt", lines)
    job = run(store, submitted(store, [path], tmp_path / "out", output=output, format="codes"))
    export(store, job)
    table = read_results(tmp_path / "out")
    assert (len(table), table.columns) == (0, [column.name for column in columns_of(job)])


def test_a_disk_that_takes_no_file_stops_the_job_and_keeps_nothing_half(
    store: Store, deals: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    job = submitted(store, [deals], out, output="parquet")
    written = 0

    def full(handle: int) -> None:
        nonlocal written
        written += 1
        if written > 4:  # a file and its name are two
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(StorageFailed, match="No space left on device"):
            run(store, job)
    names = {part.file for _, part in store.parts(job.id)}
    assert {path.name for path in out.iterdir()} == names
    assert store.unfinished(job.id)[1] == 0, "what was leased is given back"
    run(store, job)
    assert len(rows_of(store, job)) == 41


def test_what_is_asked_is_judged_as_a_whole(tmp_path: Path, deals: Path) -> None:
    asked = read_batch({"kind": "tables", "worlds": 5, "seed": 1})
    with pytest.raises(InvalidInput) as error:
        spec_of(asked, [deals, tmp_path / "missing"], None)
    assert [fault.code for fault in error.value.faults] == ["field.conflict", "field.conflict", "file.unreadable"]
    for wrong in ({"kind": "advice", "worlds": 10**9}, {"kind": "bids", "method": "guess"}, {"kind": "nothing"}):
        with pytest.raises(InvalidInput):
            spec_of(read_batch(wrong), [deals], None)
    with pytest.raises(InvalidInput) as error:
        read_batch({"kind": 5, "worlds": 0, "output": "xml", "colour": "red"})
    assert len(error.value.faults) == 4


class Pending(Inline):
    """An engine that never comes to an end, with what a test does when it is handed something."""

    def __init__(self, then: Callable[[], object]) -> None:
        super().__init__()
        self._then = then

    def submit(self, task: Task) -> Future[Part]:
        self._then()
        return Future()


class Watched(queue.SimpleQueue[Future[Part]]):
    """What comes back to a runner, with the seconds of each time that it waited for nothing."""

    def __init__(self) -> None:
        self.idle: list[float] = []

    def get(self, block: bool = True, timeout: float | None = None) -> Future[Part]:
        try:
            return super().get(block, timeout)
        except queue.Empty:
            self.idle.append(timeout or 0.0)
            raise


@pytest.fixture
def landed(monkeypatch: pytest.MonkeyPatch) -> Watched:
    watched = Watched()
    monkeypatch.setattr("solver.batch.runner.queue.SimpleQueue", lambda: watched)
    return watched


def answers_noted(store: Store, method: str, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What the database answers to all that follow of some question."""
    answers: list[object] = []
    ask = getattr(store, method)

    def noted(*asked: object) -> object:
        answers.append(ask(*asked))
        return answers[-1]

    monkeypatch.setattr(store, method, noted)
    return answers


@pytest.mark.parametrize("size", [100, 100_000])
def test_a_job_ends_with_its_last_chunk(
    store: Store, deals: Path, monkeypatch: pytest.MonkeyPatch, landed: Watched, size: int
) -> None:
    """Every small job once took half a second more, for a chunk that nobody was working on."""
    asked = answers_noted(store, "complete", monkeypatch)
    assert run(store, submitted(store, [deals]), size=size).state == JobState.DONE
    assert set(landed.idle) == {0.0}
    assert asked == [True], "whether it is done is asked when it can be, and not before"


class Queued(Inline):
    """An engine whose oldest chunk is done whenever the runner waits for one. ``left``: how many it had then."""

    def __init__(self, landed: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.left: list[int] = []
        self._working: list[tuple[Future[Part], Task]] = []
        self._get = landed.get
        monkeypatch.setattr(landed, "get", self._one_comes_back)

    def submit(self, task: Task) -> Future[Part]:
        self._working.append((Future(), task))
        return self._working[-1][0]

    def _one_comes_back(self, block: bool = True, timeout: float | None = None) -> Future[Part]:
        self._working = [each for each in self._working if not each[0].cancelled()]
        if timeout and self._working:
            self.left.append(len(self._working))
            future, task = self._working.pop(0)
            future.set_result(run_chunk(task))
        return self._get(block, timeout)


def test_a_runner_looks_at_the_database_once_for_some_chunks_and_leaves_no_slot_idle(
    store: Store, deals: Path, monkeypatch: pytest.MonkeyPatch, landed: Watched
) -> None:
    engine = Queued(landed, monkeypatch)
    leases, asked = (answers_noted(store, method, monkeypatch) for method in ("lease", "complete"))
    job = run(store, submitted(store, [deals]), engine, size=1)
    window = runner_module.WINDOW * engine.slots
    assert (job.state, job.chunks, len(engine.left)) == (JobState.DONE, 43, 43)
    assert min(engine.left[:-window]) >= 2 * engine.slots, "there is always more to do for every slot"
    assert len(leases) < job.chunks / 2
    assert asked == [True]


def test_a_runner_that_is_told_to_stop_waits_for_no_chunk_that_has_not_begun(
    store: Store, deals: Path, monkeypatch: pytest.MonkeyPatch, landed: Watched
) -> None:
    engine = Queued(landed, monkeypatch)
    job = submitted(store, [deals])
    worker = Runner(store, engine, job_id=job.id, size=1, told=lambda _: worker.stop())
    worker.run()
    progress = store.progress(job.id)
    assert (len(engine.left), progress.done, progress.leased) == (1, 1, 0)


def test_a_runner_that_is_told_to_stop_waits_for_what_is_being_done(
    store: Store, deals: Path, monkeypatch: pytest.MonkeyPatch, landed: Watched
) -> None:
    """It once looked without end, as quickly as it could, and left the work itself no time."""
    monkeypatch.setattr(runner_module, "_IDLE", 0.02)
    job = submitted(store, [deals])
    futures: list[Future[Part]] = []

    class Working(Inline):
        def submit(self, task: Task) -> Future[Part]:
            future: Future[Part] = Future()
            future.set_running_or_notify_cancel()  # what has begun cannot be cancelled
            futures.append(future)
            threading.Timer(0.3, lambda: future.set_result(run_chunk(task))).start()
            worker.stop()
            return future

    worker = Runner(store, Working(), job_id=job.id, size=100_000)
    worker.run()
    assert len(futures) == store.progress(job.id).done == 1
    assert len([seconds for seconds in landed.idle if seconds == 0.0]) <= 2, "once after it came back"
    assert 2 < len(landed.idle) < 30


def test_of_a_cancelled_job_no_chunk_stays_under_way(open_store: Callable[..., Store], deals: Path) -> None:
    store = open_store(lease=1.0)
    job = submitted(store, [deals])
    run(store, job, Pending(lambda: store.cancel(job.id)))
    progress = store.progress(job.id)
    assert (progress.state, progress.leased) == (JobState.CANCELLED, 0)
    assert progress.waiting > 0


@pytest.mark.parametrize("fails", ["finish", "known"])
def test_a_database_that_takes_nothing_blames_no_chunk(
    store: Store, deals: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """A worker tries again every few seconds: a disk that was full for long once failed chunks for good."""
    job = submitted(store, [deals], kind="trace")

    def full(*_: object) -> bool:
        raise StorageFailed("the database did not take it: database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(store, fails, full)
        for _ in range(2):
            with pytest.raises(StorageFailed, match="full"):
                run(store, job)
            assert store.unfinished(job.id)[1] == 0
    assert {lease.number for lease in store.lease("another", 1)} == {3}


@pytest.mark.parametrize("repeated", [0, 9])
def test_chunks_come_to_what_takes_the_time_that_is_wanted(store: Store, tmp_path: Path, repeated: int) -> None:
    """By what is worked out: records that were known before take no time, and do not make chunks larger."""
    job = submitted(store, [write_lines(tmp_path / "deals.txt", dealt_codes(1000, 1))], kind="bids")
    sizes: list[int] = []

    def takes_four_seconds_for_a_thousand_bytes(task: Task) -> Part:
        size = sum(piece.size for piece in task.pieces)
        sizes.append(size)
        seconds = runner_module.TARGET * size / 1000 * (10 - repeated) / 10
        return Part(10, 0, 0, seconds, b"", {}, b"", repeated=repeated)

    run(store, job, Inline(takes_four_seconds_for_a_thousand_bytes), size=None)
    assert sum(sizes) == job.spec.sources[0].size
    assert sizes[0] < 100, "the first are small"
    assert all(800 < size < 1200 for size in sizes[-30:-15])
    # The last are small, too, so that all who work end together.
    assert all(100 < size < 500 for size in sizes[-4:-1])


def test_what_an_engine_had_done_before_it_was_lost_is_kept(store: Store, deals: Path) -> None:
    begun: list[int] = []

    def loses_the_first(task: Task) -> Part:
        begun.append(task.pieces[0].start)
        if len(begun) == 1:
            raise EngineLost("gone")
        return run_chunk(task)

    job = run(store, submitted(store, [deals]), Inline(loses_the_first))
    assert len(begun) == job.chunks + 1
    assert begun.count(begun[0]) == 2
