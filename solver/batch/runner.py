"""The loop that brings jobs to their end: plan ahead, lease, run, keep. As many as like may run it on one database."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from solver.batch.engines import Engine, EngineLost
from solver.batch.kinds import kind_named
from solver.batch.results import write_part
from solver.batch.source import bytes_of_a_record, cut
from solver.batch.values import Cursor, Job, JobState, Lease, Part, Piece, Spec, new_owner
from solver.batch.waiting import Repeats
from solver.batch.work import PARQUET, Task
from solver.errors import StorageFailed

if TYPE_CHECKING:
    from solver.batch.store import Store

#: Seconds of work in a chunk: long against what keeping it takes, short against what a crash costs.
TARGET = 4.0
#: Chunks in flight and planned ahead, for each slot of the engine.
WINDOW = 4
#: The first chunks are smaller, as what a record takes is only guessed.
_FIRST = 4
#: Seconds between two looks at a database that has nothing to do.
_IDLE = 0.5


@dataclass(frozen=True)
class Kept:
    """Told of every chunk that has been kept, or has failed (``part`` None)."""

    job: Job
    chunk: int
    part: Part | None
    error: str = ""


class Runner:
    """Works on one job to its end, or on all that come until it is stopped.

    Chunks are so large that each takes about `TARGET` seconds; ``size`` has them of so many bytes instead.
    """

    def __init__(
        self,
        store: Store,
        engine: Engine,
        *,
        job_id: str | None = None,
        size: int | None = None,
        told: Callable[[Kept], None] = lambda _: None,
    ) -> None:
        self._store, self._engine, self._job_id, self._fixed_size, self._told = store, engine, job_id, size, told
        self._owner = new_owner()
        self._stopping = threading.Event()
        self._flying: dict[Future[Part], Lease] = {}
        self._held: list[Lease] = []
        self._repeats = Repeats(store)
        self._landed: queue.SimpleQueue[Future[Part]] = queue.SimpleQueue()
        self._jobs: dict[str, Job] = {}
        self._sizes: dict[str, float] = {}
        self._renewed = time.monotonic()

    def stop(self) -> None:
        """Finish and keep what is being done, give the rest back, and return from `run`. From any thread or signal."""
        self._stopping.set()

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop."""
        return self._stopping.is_set()

    def run(self) -> None:
        """Until the job is done or cancelled; without one, until stopped.

        Raises `StorageFailed` when the database or the disk does not take something: what was kept is kept, and running
        again goes on.
        """
        try:
            while not self._stopping.is_set():
                self._renew()
                jobs = self._open_jobs()
                if self._job_id is not None and not jobs and not self._flying:
                    return
                planned = [job.id for job in jobs if self._plan(job)]
                self._begin()
                self._land(_IDLE)
                in_hand = self._in_hand()
                for job_id in planned:
                    # Whoever keeps the last chunk of a job says so.
                    if job_id not in in_hand:
                        self._store.complete(job_id)
            self._drain()
        finally:
            self._abandon()

    # -- steps ---------------------------------------------------------------------------------------------------------

    def _open_jobs(self) -> list[Job]:
        if self._job_id is None:
            jobs = self._store.jobs(JobState.RUNNING)
        else:
            jobs = [each for each in [self._store.job(self._job_id)] if each.state == JobState.RUNNING]
        in_hand = self._in_hand()
        self._jobs = {job.id: job for job in self._jobs.values() if job.id in in_hand} | {job.id: job for job in jobs}
        self._sizes = {job_id: size for job_id, size in self._sizes.items() if job_id in self._jobs}
        return jobs

    def _in_hand(self) -> set[str]:
        """The jobs of the chunks that this runner has."""
        return {lease.job for lease in (*self._flying.values(), *self._held)}

    def _plan(self, job: Job) -> bool:
        """Cut so many chunks ahead that nobody has to wait for them, and no more. Whether all are cut now."""
        if job.planned or self._store.unfinished(job.id)[0] >= WINDOW * self._engine.slots:
            return job.planned
        size = int(self._size(job))
        chunks: list[tuple[Piece, ...]] = []
        at: Cursor | None = job.planned_to
        while at is not None and len(chunks) < WINDOW * self._engine.slots:
            pieces, at = cut(
                job.spec.sources,
                at,
                self._near_the_end(job, at, size),
                whole_games=kind_named(job.spec.kind).whole_games,
            )
            if pieces:
                chunks.append(pieces)
        return self._store.plan(job, chunks, at) and at is None

    def _near_the_end(self, job: Job, at: Cursor, size: int) -> int:
        """Less for the last chunks, so that all end together: half of what is left to each (guided self-scheduling;
        Polychronopoulos and Kuck, 1987), but no less than an eighth."""
        if self._fixed_size is not None:
            return size
        left = sum(source.size for source in job.spec.sources[at.file :]) - at.byte
        return max(1, size // 8, min(size, left // (2 * self._engine.slots)))

    def _size(self, job: Job) -> float:
        """Bytes of a chunk, by what those before took."""
        if self._fixed_size is not None:
            return self._fixed_size
        if job.id not in self._sizes:
            record = bytes_of_a_record(job.spec.sources[0]) if job.spec.sources else 1
            kind = kind_named(job.spec.kind)
            seconds = kind.seconds(job.spec.settings)
            self._sizes[job.id] = min(kind.most_bytes, max(1.0, TARGET / seconds / _FIRST * record))
        return self._sizes[job.id]

    def _learn(self, lease: Lease, part: Part) -> None:
        # By what was worked out: records that were known take no time, and those that follow may be new.
        share = 1 - part.repeated / max(1, part.records)
        size, before = int(share * sum(piece.size for piece in lease.pieces)), self._sizes.get(lease.job)
        if before is None or not size:
            return
        wanted = size * TARGET / max(part.seconds, 1e-3)
        most = kind_named(self._jobs[lease.job].spec.kind).most_bytes
        self._sizes[lease.job] = min(most, max(1.0, before / 4, min(before * 2, (before + wanted) / 2)))

    def _begin(self) -> None:
        """Lease and submit up to a full window."""
        room = WINDOW * self._engine.slots - len(self._flying) - len(self._held)
        self._held += self._store.lease(self._owner, room, self._job_id) if room > 0 else []
        self._held = [lease for lease in self._held if not self._send(lease)]

    def _send(self, lease: Lease) -> bool:
        """Give a chunk to the engine, unless most of what it asks is being worked out already: then it is held."""
        job = self._jobs.get(lease.job) or self._store.job(lease.job)
        self._jobs[lease.job] = job
        known = self._repeats.known(job, lease)
        if known is None:
            return False
        future = self._engine.submit(Task(job.spec, lease.pieces, known=known))
        self._flying[future] = lease
        future.add_done_callback(self._landed.put)
        return True

    def _land(self, wait: float) -> None:
        """Keep what comes back, waiting so long for the first; while the window is at least half full for others, too,
        as planning and leasing look at the database, which takes as long as a hundred deals."""
        ends, patient = time.monotonic() + wait, True
        while True:
            try:
                future = self._landed.get(timeout=max(0.0, ends - time.monotonic()) if patient else 0.0)
            except queue.Empty:
                return
            lease = self._flying.pop(future, None)
            if lease is not None:
                self._settle(lease, future)
                self._repeats.forget(lease)
                self._renew()
            patient = len(self._flying) >= WINDOW * self._engine.slots // 2 and not self._stopping.is_set()

    def _settle(self, lease: Lease, future: Future[Part]) -> None:
        try:
            self._keep(lease, future)
        except StorageFailed:
            # For `_abandon`: a disk that is full for an hour must not look like owners that die one after the other.
            self._held.append(lease)
            raise

    def _keep(self, lease: Lease, future: Future[Part]) -> None:
        if future.cancelled():
            self._store.release([lease])
            return
        error, job = future.exception(), self._jobs[lease.job]
        if isinstance(error, EngineLost):
            self._lose(lease)
        elif error is not None:
            said = f"{type(error).__name__}: {error}"
            if self._store.fail(lease, said):
                self._told(Kept(job, lease.chunk, None, said))
        else:
            part = future.result()
            self._learn(lease, part)
            part = self._with_file(job.spec, lease, part)
            if self._store.finish(lease, part):
                self._told(Kept(job, lease.chunk, part))

    def _with_file(self, spec: Spec, lease: Lease, part: Part) -> Part:
        if spec.output != PARQUET or spec.directory is None or part.rows is None:
            return part
        try:
            # By lease: one that was lost meanwhile must not touch the file of another.
            name = f"{lease.job}-{lease.chunk:08}-{lease.number}.parquet"
            write_part(Path(spec.directory) / name, part.rows)
        except OSError as error:
            raise StorageFailed(f"{spec.directory} did not take a file: {error.strerror or error}") from error
        return replace(part, rows=None, file=name)

    def _lose(self, first: Lease) -> None:
        """The engine is gone: all that it had goes back without blame, then it is brought up again."""
        lost = [first]
        ends = time.monotonic() + 5
        while self._flying and time.monotonic() < ends:
            # What it had finished before is not lost.
            try:
                future = self._landed.get(timeout=0.5)
            except queue.Empty:
                continue
            lease = self._flying.pop(future, None)
            if lease is None:
                continue
            if not future.cancelled() and isinstance(future.exception(), EngineLost):
                lost.append(lease)
            else:
                self._settle(lease, future)
                self._repeats.forget(lease)
        lost += self._flying.values()
        self._flying.clear()
        self._store.release(lost)
        for each in lost:
            self._repeats.forget(each)
        self._engine.recover()

    def _renew(self) -> None:
        """Hold on to what is in flight; forget what is no longer ours."""
        if time.monotonic() - self._renewed < self._store.lease_seconds / 3:
            return
        mine = [*self._flying.values(), *self._held]
        kept = set(self._store.renew(mine))
        lost = [lease for lease in mine if lease not in kept]
        # Those of a job that was cancelled are nobody's else: left as they are they would be taken for under way.
        if lost:
            self._store.release(lost)
        for future, lease in list(self._flying.items()):
            if lease not in kept:
                future.cancel()
                del self._flying[future]
        self._held = [lease for lease in self._held if lease in kept]
        for lease in lost:
            self._repeats.forget(lease)
        self._renewed = time.monotonic()

    def _drain(self) -> None:
        """Cancel what has not begun, and keep what has."""
        self._store.release(self._held)
        self._held.clear()
        for future in list(self._flying):
            future.cancel()
        while self._flying:
            self._renew()
            self._land(_IDLE)

    def _abandon(self) -> None:
        """On the way out with an error: give back at once what nobody will keep."""
        if self._flying or self._held:
            leases = [*self._flying.values(), *self._held]
            for future in self._flying:
                future.cancel()
            self._flying.clear()
            self._held.clear()
            try:
                self._store.release(leases)
            except StorageFailed:
                return  # the leases run out by themselves
