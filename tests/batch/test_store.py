"""The rows that make jobs durable, on every database that there is."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from solver.batch.schema import metadata
from solver.batch.store import Store
from solver.batch.values import (
    MOST_FAILURES,
    MOST_LOSSES,
    Cursor,
    Job,
    JobState,
    Lease,
    Part,
    Piece,
    Source,
    Spec,
    new_owner,
)
from solver.errors import InvalidInput, StorageFailed

SPEC = Spec("tables", (Source("deals.txt", "codes", 1000, 1),))
PART = Part(10, 10, 0, 0.5, b"", {"deals": 10}, b"rows")


def planned(store: Store, chunks: int = 4, spec: Spec = SPEC) -> Job:
    job = store.submit(spec)
    size = 1000 // chunks
    cut = [(Piece(0, at * size, (at + 1) * size, 1 + 10 * at),) for at in range(chunks)]
    assert store.plan(job, cut, None)
    return store.job(job.id)


def test_a_database_of_an_earlier_version_keeps_its_jobs(open_store: Callable[..., Store], url: str) -> None:
    first = open_store()
    job = first.submit(Spec("trace", ()))
    with first.transaction() as connection:
        connection.execute(sa.text("DROP TABLE answers"))
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
    second = open_store()
    assert second.job(job.id) == job
    with second.transaction(reading=True) as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_database_of_a_later_version_is_a_clear_failure(open_store: Callable[..., Store]) -> None:
    with open_store().transaction() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StorageFailed, match="version 9999, of a newer solver"):
        open_store()


def test_migrations_make_the_tables_that_the_queries_expect(store: Store, url: str) -> None:
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


def test_two_who_open_a_fresh_database_at_once_both_can(url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: Store(url), range(4)))
    assert {store.submit(SPEC).id for store in stores} == {stores[0].submit(SPEC).id}
    for store in stores:
        store.close()


def test_the_same_work_is_the_same_job(store: Store) -> None:
    job = store.submit(SPEC)
    assert store.submit(SPEC) == job
    assert store.job(job.id) == job
    assert store.submit(replace(SPEC, settings={"seed": 1})).id != job.id
    assert store.jobs()[0].id == job.id


def test_no_more_jobs_run_than_may_though_many_are_submitted_at_once(open_store: Callable[..., Store]) -> None:
    stores = [open_store() for _ in range(4)]

    def submit(at: int) -> str:
        try:
            return stores[at % 4].submit(replace(SPEC, key_of_caller=str(at)), 3).id
        except InvalidInput as error:
            return error.faults[0].code

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(submit, range(16)))
    taken = [each for each in answers if each != "job.too_many"]
    store = stores[0]
    assert len(taken) == len(store.jobs(JobState.RUNNING)) == 3
    again = store.job(taken[0]).spec
    assert store.submit(again, 3).id == taken[0], "it runs already"
    store.cancel(taken[0])
    store.submit(SPEC, 3)
    with pytest.raises(InvalidInput, match="no more than 3"):
        store.submit(again, 3)
    assert store.job(taken[0]).state == JobState.CANCELLED


def test_a_key_of_the_caller_stands_for_one_work(store: Store) -> None:
    job = store.submit(replace(SPEC, key_of_caller="mine"))
    assert store.submit(replace(SPEC, key_of_caller="mine")) == job
    with pytest.raises(InvalidInput, match="something else"):
        store.submit(replace(SPEC, kind="trace", key_of_caller="mine"))


def test_a_job_that_does_not_exist_is_named(store: Store) -> None:
    with pytest.raises(InvalidInput) as error:
        store.job("nobody")
    assert [fault.code for fault in error.value.faults] == ["job.unknown"]


def test_of_two_plans_from_one_place_one_holds(store: Store) -> None:
    job = store.submit(SPEC)
    assert store.plan(job, [(Piece(0, 0, 500, 1),)], Cursor(0, 500, 6))
    assert not store.plan(job, [(Piece(0, 0, 400, 1),)], Cursor(0, 400, 5))
    job = store.job(job.id)
    assert (job.planned_to, job.chunks, job.planned) == (Cursor(0, 500, 6), 1, False)
    assert store.plan(job, [(Piece(0, 500, 1000, 6),)], None)
    assert not store.plan(store.job(job.id), [(Piece(0, 500, 1000, 6),)], None)
    assert [lease.pieces[0].start for lease in store.lease("a", 9)] == [0, 500]


def test_nothing_is_planned_for_a_cancelled_job(store: Store) -> None:
    job = store.submit(SPEC)
    store.cancel(job.id)
    assert not store.plan(job, [(Piece(0, 0, 500, 1),)], Cursor(0, 500, 6))
    assert store.unfinished(job.id) == (0, 0)
    job = store.submit(SPEC)
    assert (job.planned_to, job.chunks, job.finished) == (Cursor(), 0, None)
    assert store.plan(job, [(Piece(0, 0, 500, 1),)], Cursor(0, 500, 6))


def test_no_chunk_has_two_owners(open_store: Callable[..., Store]) -> None:
    planned(open_store(), 50)
    stores = [open_store() for _ in range(4)]

    def take(store: Store) -> list[Lease]:
        owner, taken = new_owner(), []
        while got := store.lease(owner, 3):
            taken += got
        return taken

    with ThreadPoolExecutor(4) as pool:
        taken = [lease for leases in pool.map(take, stores) for lease in leases]
    assert Counter(lease.chunk for lease in taken) == Counter(range(50))


def test_who_lost_the_lease_cannot_finish(open_store: Callable[..., Store]) -> None:
    store = open_store(lease=1.0)
    job = planned(store, 1)
    (slow,) = store.lease("slow", 1)
    assert store.lease("quick", 1) == []
    time.sleep(1.1)
    (quick,) = store.lease("quick", 1)
    assert quick.number > slow.number
    assert not store.finish(slow, PART)
    assert not store.fail(slow, "late")
    store.release([slow])
    assert store.renew([slow, quick]) == [quick]
    assert store.finish(quick, PART)
    assert not store.finish(quick, PART)
    assert [number for number, _ in store.parts(job.id)] == [0]


def test_the_same_owner_is_fenced_off_from_its_own_older_lease(open_store: Callable[..., Store]) -> None:
    store = open_store(lease=0.05)
    planned(store, 1)
    (older,) = store.lease("me", 1)
    time.sleep(0.1)
    (newer,) = store.lease("me", 1)
    assert not store.finish(older, PART)
    assert store.finish(newer, PART)


def test_a_lease_that_is_renewed_does_not_run_out(open_store: Callable[..., Store]) -> None:
    store = open_store(lease=0.4)
    planned(store, 1)
    leases = store.lease("me", 1)
    for _ in range(4):
        time.sleep(0.15)
        assert store.renew(leases) == leases
        assert store.lease("other", 1) == []


def test_what_is_given_back_goes_to_the_next_without_blame(store: Store) -> None:
    planned(store, 1)
    for _ in range(MOST_LOSSES + 1):
        (lease,) = store.lease("me", 1)
        store.release([lease])
    assert len(store.lease("me", 1)) == 1


def test_three_failures_fail_a_chunk_and_not_the_job(store: Store) -> None:
    job = planned(store, 2)
    for attempt in range(MOST_FAILURES):
        lease = store.lease("me", 1)[0]
        assert lease.chunk == 0
        assert store.fail(lease, "it cannot be done") == (attempt == MOST_FAILURES - 1)
    (last,) = store.lease("me", 9)
    assert last.chunk == 1
    assert not store.complete(job.id)
    assert store.finish(last, PART)
    assert store.complete(job.id)
    progress = store.progress(job.id)
    assert (progress.state, progress.done, progress.failed) == (JobState.DONE, 1, 1)
    assert progress.errors == ("chunk 0: it cannot be done",)
    assert progress.share == 1.0


def test_a_chunk_that_many_owners_died_over_fails(open_store: Callable[..., Store]) -> None:
    store = open_store(lease=0.0)
    job = planned(store, 1)
    taken = sum(len(store.lease(new_owner(), 1)) for _ in range(MOST_LOSSES + 2) if not time.sleep(0.005))
    assert taken == MOST_LOSSES
    assert store.complete(job.id)
    assert store.progress(job.id).failed == 1


def test_nobody_begins_a_chunk_of_a_cancelled_job(store: Store) -> None:
    job = planned(store, 3)
    (lease,) = store.lease("me", 1)
    assert store.cancel(job.id).state == JobState.CANCELLED
    assert store.lease("other", 9) == []
    assert store.renew([lease]) == []
    assert not store.complete(job.id)
    store.release([lease])
    # The same command again goes on with it.
    assert store.submit(SPEC).state == JobState.RUNNING
    assert len(store.lease("other", 9)) == 3


def test_a_job_that_is_done_is_not_cancelled(store: Store) -> None:
    job = planned(store, 1)
    (lease,) = store.lease("me", 1)
    store.finish(lease, PART)
    store.complete(job.id)
    assert store.cancel(job.id).state == JobState.DONE


def test_a_job_is_not_done_before_it_is_planned_to_the_end(store: Store) -> None:
    job = store.submit(SPEC)
    store.plan(job, [(Piece(0, 0, 500, 1),)], Cursor(0, 500, 6))
    store.finish(store.lease("me", 1)[0], PART)
    assert not store.complete(job.id)
    assert store.plan(store.job(job.id), [], None)
    assert store.complete(job.id)


def test_parts_come_in_order_and_as_they_were_kept(store: Store) -> None:
    job = planned(store, 3)
    leases = store.lease("me", 9)
    for lease in reversed(leases):
        assert store.finish(lease, replace(PART, rows=f"rows {lease.chunk}".encode(), bad=lease.chunk))
    assert [(number, part.rows, part.bad, part.summary) for number, part in store.parts(job.id)] == [
        (at, f"rows {at}".encode(), at, {"deals": 10}) for at in range(3)
    ]
    assert store.progress(job.id).bad == 3


def test_progress_has_a_rate_and_the_time_left(store: Store) -> None:
    job = planned(store, 4)
    assert store.progress(job.id).rate is None
    leases = store.lease("me", 2)
    for lease in leases:
        store.finish(lease, PART)
    progress = store.progress(job.id)
    assert (progress.records, progress.share, progress.waiting) == (20, 0.5, 2)
    assert progress.rate is not None and progress.seconds_left is not None
    # Two chunks of half a second each, done at once: as many records are left as were done.
    assert progress.seconds_left == pytest.approx(20 / progress.rate)


def test_what_is_forgotten_is_gone_and_its_owner_fenced_off(store: Store) -> None:
    job = planned(store, 2)
    first, second = store.lease("me", 2)
    store.finish(first, replace(PART, answers={b"digest": b"answer"}))
    assert store.known(job.id, [b"digest"]) == {b"digest": b"answer"}
    other = store.submit(replace(SPEC, kind="trace"))
    assert store.known(other.id, [b"digest"]) == {}, "what a job knows is its own"
    ended = store.cancel(job.id).finished
    assert ended is not None
    store.forget(job.id, ended + 1)
    assert store.known(job.id, [b"digest"]) == {}
    assert not store.finish(second, PART)
    assert store.jobs() == [other]
    assert list(store.parts(job.id)) == []


def test_a_job_that_goes_on_again_is_not_forgotten(store: Store) -> None:
    """Who forgets has looked at it before: it may have been handed in once more meanwhile."""
    job = planned(store, 1)
    store.finish(store.lease("me", 1)[0], PART)
    ended = store.cancel(job.id).finished
    assert ended is not None
    store.forget(job.id, ended)
    assert store.job(job.id).state == JobState.CANCELLED
    store.submit(SPEC)
    store.forget(job.id, ended + 1000)
    assert store.job(job.id).state == JobState.RUNNING
    assert [number for number, _ in store.parts(job.id)] == [0]


def test_a_database_whose_file_was_removed_takes_nothing(tmp_path: Path) -> None:
    """What it took once went into a file without a name, and was gone with the process."""
    path = tmp_path / "jobs.sqlite"
    store = Store(f"sqlite:///{path}")
    job = planned(store, 2)
    (lease,) = store.lease("me", 1)
    assert not store.replaced
    path.unlink()
    for fails in (lambda: store.job(job.id), lambda: store.finish(lease, PART), lambda: store.submit(SPEC)):
        with pytest.raises(StorageFailed, match="was removed while it was open"):
            fails()
    other = Store(store.url)
    assert other.jobs() == []
    with pytest.raises(StorageFailed, match="was removed"):
        store.jobs()
    for each in (store, other):
        each.close()


def test_a_url_that_names_no_database_is_refused() -> None:
    for url in ("nonsense", "nosuchkind://x/y"):
        with pytest.raises(InvalidInput):
            Store(url)


def test_a_directory_that_is_not_there_is_a_clear_failure(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match="unable to open"):
        Store(f"sqlite:///{tmp_path}/missing/jobs.sqlite")


def test_a_locked_database_is_a_clear_failure_and_loses_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.sqlite"
    store = Store(url, patience=0.1)
    job = planned(store, 1)
    (lease,) = store.lease("me", 1)
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with Store(url).transaction():
            held.set()
            release.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(10)
    with pytest.raises(StorageFailed, match="locked"):
        store.finish(lease, PART)
    release.set()
    holder.join()
    assert list(store.parts(job.id)) == []
    assert store.finish(lease, PART)
    store.close()


def test_a_full_disk_keeps_neither_the_rows_nor_the_done(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/jobs.sqlite")
    job = planned(store, 1)
    (lease,) = store.lease("me", 1)
    with store.transaction() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()

    def limit(connection: object, record: object, proxy: object) -> None:
        connection.execute(f"PRAGMA max_page_count={pages + most}")

    most = 0
    sa.event.listen(store._engine, "checkout", limit)
    with pytest.raises(StorageFailed, match="full"):
        store.finish(lease, replace(PART, rows=bytes(1 << 20)))
    assert (list(store.parts(job.id)), store.unfinished(job.id)) == ([], (0, 1))
    most = 1000
    assert store.finish(lease, replace(PART, rows=bytes(1 << 20)))
    store.close()
