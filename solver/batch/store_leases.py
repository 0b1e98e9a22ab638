"""Chunks leased to those who do them, and kept when they are done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from solver.batch.database import Database, dump, load
from solver.batch.schema import chunks, jobs, parts
from solver.batch.store_answers import keep_answers
from solver.batch.values import MOST_FAILURES, MOST_LOSSES, ChunkState, JobState, Lease, Part, Piece


class Leases(Database):
    """The part of `Store` that has leases."""

    def lease(self, owner: str, most: int, job_id: str | None = None) -> list[Lease]:
        """Up to so many chunks that wait, or whose lease has run out; of one job or of any, the oldest first."""
        with self.transaction() as connection:
            now = connection.execute(sa.select(self.now())).scalar_one()
            free = (chunks.c.state == ChunkState.WAITING) | (
                (chunks.c.state == ChunkState.LEASED) & (chunks.c.expires < now)
            )
            query = (
                sa.select(chunks)
                .join(jobs, jobs.c.id == chunks.c.job)
                .where(
                    jobs.c.state == JobState.RUNNING, chunks.c.state.in_((ChunkState.WAITING, ChunkState.LEASED)), free
                )
                .order_by(jobs.c.created, chunks.c.job, chunks.c.number)
                .limit(most)
                .with_for_update(skip_locked=True, of=chunks)
            )
            if job_id is not None:
                query = query.where(chunks.c.job == job_id)
            leases = []
            for row in connection.execute(query).all():
                lost = row.state == ChunkState.LEASED
                mine = sa.update(chunks).where(chunks.c.job == row.job, chunks.c.number == row.number)
                if lost and row.losses + 1 >= MOST_LOSSES:
                    error = f"{MOST_LOSSES} owners stopped while they worked on it"
                    connection.execute(mine.values(_failed(error, now, losses=MOST_LOSSES)))
                    continue
                number = row.lease + 1
                connection.execute(
                    mine.values(
                        state=ChunkState.LEASED,
                        owner=owner,
                        lease=number,
                        expires=now + self.lease_seconds,
                        losses=row.losses + lost,
                    )
                )
                leases.append(Lease(row.job, row.number, number, owner, load(row.pieces, tuple[Piece, ...])))
        return leases

    def renew(self, leases: Sequence[Lease]) -> list[Lease]:
        """Hold them for another while. Those that are held no longer, and those of jobs that were cancelled, are left
        out of the answer."""
        kept = []
        with self.transaction() as connection:
            running = sa.select(jobs.c.id).where(jobs.c.state == JobState.RUNNING)
            for lease in sorted(leases, key=lambda each: (each.job, each.chunk)):
                held = sa.update(chunks).where(*_held(lease), chunks.c.job.in_(running))
                if connection.execute(held.values(expires=self.now() + self.lease_seconds)).rowcount:
                    kept.append(lease)
        return kept

    def release(self, leases: Sequence[Lease]) -> None:
        """Give them back, without blame."""
        with self.transaction() as connection:
            for lease in leases:
                given = sa.update(chunks).where(*_held(lease))
                connection.execute(given.values(state=ChunkState.WAITING, owner=None, expires=None))

    def finish(self, lease: Lease, part: Part) -> bool:
        """Keep what came of a chunk, and that it is done, in one transaction. False, and nothing is kept, if the lease
        is no longer held."""
        with self.transaction() as connection:
            done = connection.execute(
                sa.update(chunks)
                .where(*_held(lease))
                .values(
                    state=ChunkState.DONE,
                    finished=self.now(),
                    seconds=part.seconds,
                    records=part.records,
                    rows=part.number_of_rows,
                    bad=part.bad,
                    expires=None,
                    error=None,
                )
            )
            if done.rowcount != 1:
                return False
            row = {
                "job": lease.job,
                "chunk": lease.chunk,
                "rows": part.rows,
                "file": part.file,
                "faults": part.faults,
                "summary": dump(part.summary),
            }
            connection.execute(sa.insert(parts).values(row))
            keep_answers(connection, lease.job, part.answers)
        return True

    def fail(self, lease: Lease, error: str) -> bool:
        """Say that the work on a chunk ended in an error. True if that was once too often: it is not done again."""
        with self.transaction() as connection:
            row = connection.execute(sa.select(chunks.c.failures).where(*_held(lease)).with_for_update()).first()
            if row is None:
                return False
            failures = int(row.failures) + 1
            last = failures >= MOST_FAILURES
            again = {"state": ChunkState.WAITING, "owner": None, "expires": None, "error": error[:2000]}
            now = connection.execute(sa.select(self.now())).scalar_one()
            values = _failed(error, now) if last else again
            connection.execute(sa.update(chunks).where(*_held(lease)).values({**values, "failures": failures}))
        return last

    def undo(self, job_id: str, numbers: Sequence[int]) -> None:
        """Let these chunks that were done be done again, and their job go on: what came of them is lost."""
        fresh = {"state": ChunkState.WAITING, "owner": None, "finished": None, "seconds": None}
        counts = {"records": 0, "rows": 0, "bad": 0}
        with self.transaction() as connection:
            running = sa.update(jobs).where(jobs.c.id == job_id)
            connection.execute(running.values(state=JobState.RUNNING, finished=None))
            for number in numbers:
                done = (chunks.c.job == job_id, chunks.c.number == number, chunks.c.state == ChunkState.DONE)
                if connection.execute(sa.update(chunks).where(*done).values({**fresh, **counts})).rowcount:
                    connection.execute(sa.delete(parts).where(parts.c.job == job_id, parts.c.chunk == number))


def _held(lease: Lease) -> tuple[sa.ColumnElement[bool], ...]:
    """That the chunk is leased to this owner, by this lease. That its time is up does not matter while nobody else has
    taken it."""
    return (
        chunks.c.job == lease.job,
        chunks.c.number == lease.chunk,
        chunks.c.state == ChunkState.LEASED,
        chunks.c.lease == lease.number,
        chunks.c.owner == lease.owner,
    )


def _failed(error: str, now: float, **more: int) -> dict[str, Any]:
    values = {"state": ChunkState.FAILED, "error": error[:2000], "finished": now, "owner": None, "expires": None}
    return {**values, **more}
