"""Jobs, from being submitted to being done, and their chunks as they are cut."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from solver.batch.database import Database, dump, load
from solver.batch.schema import answers, chunks, jobs, parts
from solver.batch.values import ChunkState, Cursor, Job, JobState, Piece, Spec, refuse_more
from solver.errors import Fault, InvalidInput

_OPEN = (ChunkState.WAITING, ChunkState.LEASED)
_LOCK_OF_ADMISSION = 0x7269676875  # any number of our own


class Jobs(Database):
    """The part of `Store` that has jobs."""

    def submit(self, spec: Spec, most: int | None = None) -> Job:
        """The job that does this: a new one, or the one that was submitted before, which goes on if it was cancelled.

        Raises `InvalidInput` if the caller's own key belongs to a job that does something else (``job.conflict``), or
        if it would be one more than ``most`` that run at once (``job.too_many``).
        """
        key, job_id = spec.key(), uuid.uuid4().hex
        with self.transaction() as connection:
            # Locked, so that it is not forgotten just now.
            same = sa.select(jobs.c.id, jobs.c.state).where(jobs.c.key == key).with_for_update()
            found = connection.execute(same).first()
            if most is not None and (found is None or found.state == JobState.CANCELLED):
                refuse_more(self._running(connection), most)
            if found is None:
                values = {
                    "id": job_id,
                    "key": key,
                    "spec": dump(spec),
                    "state": JobState.RUNNING,
                    "created": self.now(),
                    "planned_to": dump(Cursor()),
                    "planned": False,
                    "chunks": 0,
                }
                try:
                    with connection.begin_nested():
                        connection.execute(sa.insert(jobs).values(values))
                except sa.exc.IntegrityError:  # another submitted it in this moment
                    job_id = connection.execute(sa.select(jobs.c.id).where(jobs.c.key == key)).scalar_one()
            else:
                job_id = found.id
                if found.state == JobState.CANCELLED:
                    update = sa.update(jobs).where(jobs.c.id == job_id)
                    connection.execute(update.values(state=JobState.RUNNING, finished=None))
            job = job_of(connection.execute(sa.select(jobs).where(jobs.c.id == job_id)).one())
        if job.spec != spec:
            message = f"this key was given to job {job.id}, which does something else"
            raise InvalidInput([Fault("job.conflict", message, ("key",))])
        return job

    def _running(self, connection: sa.Connection) -> int:
        """How many jobs run. Until the end of the transaction nobody else who asks is told."""
        if not self._sqlite:  # which has one writer at a time
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK_OF_ADMISSION)))
        running = sa.select(sa.func.count()).select_from(jobs).where(jobs.c.state == JobState.RUNNING)
        return int(connection.execute(running).scalar_one())

    def job(self, job_id: str) -> Job:
        """Raises `InvalidInput` (``job.unknown``) if there is none of that id."""
        with self.transaction(reading=True) as connection:
            row = connection.execute(sa.select(jobs).where(jobs.c.id == job_id)).first()
        if row is None:
            raise InvalidInput([Fault("job.unknown", f"there is no job {job_id[:40]!a}", ("job",))])
        return job_of(row)

    def jobs(self, state: JobState | None = None) -> list[Job]:
        """All jobs, or those in a state, the oldest first."""
        query = sa.select(jobs).order_by(jobs.c.created, jobs.c.id)
        with self.transaction(reading=True) as connection:
            return [
                job_of(row)
                for row in connection.execute(query if state is None else query.where(jobs.c.state == state))
            ]

    def cancel(self, job_id: str) -> Job:
        """Let nobody begin another of its chunks; what is done stays. A job that is done stays done."""
        with self.transaction() as connection:
            running = sa.update(jobs).where(jobs.c.id == job_id, jobs.c.state == JobState.RUNNING)
            connection.execute(running.values(state=JobState.CANCELLED, finished=self.now()))
        return self.job(job_id)

    def forget(self, job_id: str, before: float) -> None:
        """Remove a job that ended before a time, with all that came of it in the database. One that goes on again
        stays. Whoever still works on it is fenced off."""
        ended = sa.select(jobs.c.id).where(jobs.c.id == job_id, jobs.c.finished < before).with_for_update()
        with self.transaction() as connection:
            if connection.execute(ended).first() is None:
                return
            for table in (answers, parts, chunks):
                connection.execute(sa.delete(table).where(table.c.job == job_id))
            connection.execute(sa.delete(jobs).where(jobs.c.id == job_id))

    def plan(self, job: Job, cut: Sequence[tuple[Piece, ...]], then: Cursor | None) -> bool:
        """Add chunks, and move the place up to which the sources are cut to ``then`` (None: their end).

        False, and nothing is added, if another has planned on from ``job.planned_to`` already.
        """
        values: dict[str, Any] = {"chunks": job.chunks + len(cut), "planned": then is None}
        if then is not None:
            values["planned_to"] = dump(then)
        with self.transaction() as connection:
            moved = connection.execute(
                sa.update(jobs)
                .where(
                    jobs.c.id == job.id,
                    jobs.c.planned_to == dump(job.planned_to),
                    jobs.c.chunks == job.chunks,
                    jobs.c.planned.is_(False),
                    jobs.c.state == JobState.RUNNING,
                )
                .values(values)
            )
            if moved.rowcount != 1:
                return False
            rows = [
                {
                    "job": job.id,
                    "number": job.chunks + at,
                    "pieces": dump(pieces),
                    "size": sum(piece.size for piece in pieces),
                    "state": ChunkState.WAITING,
                    "lease": 0,
                    "failures": 0,
                    "losses": 0,
                    "records": 0,
                    "rows": 0,
                    "bad": 0,
                }
                for at, pieces in enumerate(cut)
            ]
            if rows:
                connection.execute(sa.insert(chunks), rows)
        return True

    def complete(self, job_id: str) -> bool:
        """Note that a job is done, if it is: cut to the end, and no chunk waits or is leased."""
        open_chunks = sa.select(chunks.c.number).where(chunks.c.job == job_id, chunks.c.state.in_(_OPEN))
        with self.transaction() as connection:
            done = sa.update(jobs).where(
                jobs.c.id == job_id,
                jobs.c.state == JobState.RUNNING,
                jobs.c.planned.is_(True),
                ~sa.exists(open_chunks),
            )
            if connection.execute(done.values(state=JobState.DONE, finished=self.now())).rowcount != 1:
                return False
            connection.execute(sa.delete(answers).where(answers.c.job == job_id))
        return True


def job_of(row: Any) -> Job:
    return Job(
        row.id,
        load(row.spec, Spec),
        JobState(row.state),
        row.created,
        row.finished,
        load(row.planned_to, Cursor),
        row.planned,
        row.chunks,
    )
