"""Pages, put one after the other, are all that came of a job, whatever happens meanwhile."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.batch.engines import Threads
from solver.batch.jobs import spec_of
from solver.batch.pages import Key, Lines, page, page_lines, read_key
from solver.batch.results import fault_lines, result_lines
from solver.batch.rows import lines_between, pack
from solver.batch.runner import Runner
from solver.batch.source import cut
from solver.batch.store import Store
from solver.batch.values import Cursor, Job, JobState
from solver.batch.work import Task, run_chunk
from solver.errors import InvalidInput
from solver.notation.batch_query import read_batch
from tests.batch.files import dealt_codes, write_lines


@given(st.lists(st.integers(0, 200_000), max_size=12), st.integers(0, 14), st.integers(0, 14))
def test_lines_between_two_numbers_are_those_lines(sizes: list[int], start: int, stop: int) -> None:
    lines = [{"a": "x" * size} for size in sizes]
    found = b"".join(lines_between(pack(lines), start, stop))
    assert [json.loads(line) for line in found.splitlines()] == lines[start:stop]


def submit(store: Store, tmp_path: Path, **asked: object) -> Job:
    codes = dealt_codes(60, 1)
    for at in (7, 8, 30, 59):
        codes[at] += "x"
    path = write_lines(tmp_path / "deals.txt", codes)
    return store.submit(spec_of(read_batch(asked), [path], tmp_path))


def done(store: Store, tmp_path: Path) -> Job:
    """In chunks of some ten records."""
    job = submit(store, tmp_path)
    engine = Threads(1)
    Runner(store, engine, job_id=job.id, size=600).run()
    engine.close()
    return store.job(job.id)


def read_all(store: Store, job: Job, what: Lines, most: int | None) -> tuple[list[bytes], int]:
    lines: list[bytes] = []
    at: Key | None = Key()
    pages = 0
    while at is not None:
        found = page(store, job, what, at, most)
        read = b"".join(page_lines(store, job, found)).splitlines()
        assert most is None or len(read) == min(most, len(read))
        lines += read
        at = None if found.next is None else read_key(str(found.next))
        pages += 1
    return lines, pages


def test_pages_of_any_size_make_up_the_whole(store: Store, tmp_path: Path) -> None:
    job = done(store, tmp_path)
    for what, whole in ((Lines.ROWS, result_lines), (Lines.FAULTS, fault_lines)):
        expected = b"".join(whole(store, job)).splitlines()
        assert len(expected) == {Lines.ROWS: 56, Lines.FAULTS: 4}[what]
        for most in (1, 3, 7, 28, 56, 100, None):
            lines, pages = read_all(store, job, what, most)
            assert lines == expected
            assert pages == (1 if most is None else -(-len(expected) // most)), "the last page is never empty"


def test_a_running_job_is_read_up_to_what_is_not_done_and_then_on(store: Store, tmp_path: Path) -> None:
    job = submit(store, tmp_path)
    at: Cursor | None = Cursor()
    cuts = []
    while at is not None:
        pieces, at = cut(job.spec.sources, at, 1200)
        cuts.append(pieces)
    store.plan(job, cuts, None)
    leases = {lease.chunk: lease for lease in store.lease("me", 100, job.id)}
    key: Key | None = Key()
    lines: list[bytes] = []
    for number in (1, 0, 2):  # the second is done first, and must wait for the first
        job = store.job(job.id)
        assert key is not None
        found = page(store, job, Lines.ROWS, key, None)
        lines += b"".join(page_lines(store, job, found)).splitlines()
        key = found.next
        store.finish(leases[number], run_chunk(Task(job.spec, leases[number].pieces)))
    assert len(cuts) == 3
    store.complete(job.id)
    job = store.job(job.id)
    assert job.state == JobState.DONE
    assert key is not None
    found = page(store, job, Lines.ROWS, key, None)
    lines += b"".join(page_lines(store, job, found)).splitlines()
    assert found.next is None
    assert lines == b"".join(result_lines(store, job)).splitlines()


def test_of_a_cancelled_job_all_is_given_that_is_done(store: Store, tmp_path: Path) -> None:
    job = submit(store, tmp_path)
    first, at = cut(job.spec.sources, Cursor(), 1200)
    assert at is not None
    second, at = cut(job.spec.sources, at, 1200)
    store.plan(job, [first, second], at)
    leases = {lease.chunk: lease for lease in store.lease("me", 100, job.id)}
    store.finish(leases[1], run_chunk(Task(job.spec, leases[1].pieces)))
    running = page(store, store.job(job.id), Lines.ROWS, Key(), None)
    assert (running.ranges, running.next) == ((), Key())
    cancelled = page(store, store.cancel(job.id), Lines.ROWS, Key(), None)
    assert [each.chunk for each in cancelled.ranges] == [1]
    assert cancelled.next is None


@pytest.mark.parametrize("text", ["", "1", "1.", ".1", "-1.0", "1.-1", "1.0 ", "a.b", "1" * 10 + ".0", "٣.٣"])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="no key"):
        read_key(text)


def test_a_key_far_behind_the_end_is_an_empty_last_page(store: Store, tmp_path: Path) -> None:
    job = done(store, tmp_path)
    (*_, last) = page(store, job, Lines.ROWS, Key(), None).ranges
    for key in (Key(10**9 - 1), Key(last.chunk, 10**11), Key(last.chunk, last.stop)):
        found = page(store, job, Lines.ROWS, key, 1)
        assert (found.ranges, found.next) == ((), None)


def test_rows_that_are_in_files_are_refused(store: Store, tmp_path: Path) -> None:
    job = submit(store, tmp_path, output="parquet")
    with pytest.raises(InvalidInput) as caught:
        page(store, job, Lines.ROWS, Key(), None)
    assert [fault.code for fault in caught.value.faults] == ["job.elsewhere"]
    assert page(store, job, Lines.FAULTS, Key(), None).next == Key()


def test_many_threads_may_ask_one_store(store: Store, tmp_path: Path) -> None:
    job = done(store, tmp_path)
    expected, _ = read_all(store, job, Lines.ROWS, None)
    with ThreadPoolExecutor(8) as pool:
        for lines, _ in pool.map(lambda most: read_all(store, job, Lines.ROWS, most), [5, 9, 20, None] * 6):
            assert lines == expected


def test_counts_are_of_jobs_and_of_the_chunks_of_those_that_run(store: Store, tmp_path: Path) -> None:
    assert store.counts() == ({}, {})
    done(store, tmp_path)
    assert store.counts() == ({"done": 1}, {})
    store.submit(spec_of(read_batch({"key": "other"}), [tmp_path / "deals.txt"], None))
    assert store.counts() == ({"done": 1, "running": 1}, {})
