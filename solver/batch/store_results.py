"""How far jobs are, and what came of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from solver.batch.database import load
from solver.batch.schema import chunks, jobs, parts
from solver.batch.store_jobs import Jobs
from solver.batch.values import ChunkState, JobState, Part, Progress, Yield

#: Chunks whose times make the rate.
_RECENT = 32
#: Chunks that are looked at in one transaction where a reader goes through all of them.
_AT_A_TIME = 500


class Results(Jobs):
    """The part of `Store` that is read."""

    def unfinished(self, job_id: str) -> tuple[int, int]:
        """How many of its chunks wait, and how many are leased."""
        with self.transaction(reading=True) as connection:
            states = _states(connection, job_id)
        return states.get(ChunkState.WAITING, 0), states.get(ChunkState.LEASED, 0)

    def progress(self, job_id: str) -> Progress:
        job = self.job(job_id)
        with self.transaction(reading=True) as connection:
            states = _states(connection, job_id)
            of_job = chunks.c.job == job_id
            ended = chunks.c.state.in_((ChunkState.DONE, ChunkState.FAILED))
            totals = (sa.func.sum(each) for each in (chunks.c.records, chunks.c.rows, chunks.c.bad))
            size_of_ended = sa.func.sum(sa.case((ended, chunks.c.size), else_=0))
            sums = connection.execute(sa.select(*totals, size_of_ended).where(of_job)).one()
            recent = connection.execute(
                sa.select(chunks.c.finished, chunks.c.seconds, chunks.c.records, chunks.c.size)
                .where(of_job, chunks.c.state == ChunkState.DONE)
                .order_by(chunks.c.finished.desc())
                .limit(_RECENT)
            ).all()
            errors = connection.execute(
                sa.select(chunks.c.number, chunks.c.error)
                .where(of_job, chunks.c.state == ChunkState.FAILED)
                .order_by(chunks.c.number)
                .limit(20)
            ).all()
        records, rows, bad, size = (int(each or 0) for each in sums)
        whole = sum(source.size for source in job.spec.sources)
        rate = left = None
        if recent and job.state == JobState.RUNNING:
            # From the first of them being begun to the last being done.
            taken = max(row.finished for row in recent) - min(row.finished - row.seconds for row in recent)
            if taken > 0:
                rate = sum(row.records for row in recent) / taken
                done_bytes = sum(row.size for row in recent)
                left = (whole - size) * taken / done_bytes if done_bytes else None
        return Progress(
            job.state,
            job.planned,
            states.get(ChunkState.WAITING, 0),
            states.get(ChunkState.LEASED, 0),
            states.get(ChunkState.DONE, 0),
            states.get(ChunkState.FAILED, 0),
            records,
            rows,
            bad,
            size / whole if whole else float(job.planned),
            rate,
            left,
            tuple(f"chunk {row.number}: {row.error}" for row in errors),
        )

    def counts(self) -> tuple[dict[str, int], dict[str, int]]:
        """How many jobs there are in each state, and how many chunks of the jobs that run."""
        running = sa.select(jobs.c.id).where(jobs.c.state == JobState.RUNNING)
        of_jobs = sa.select(jobs.c.state, sa.func.count()).group_by(jobs.c.state)
        of_chunks = sa.select(chunks.c.state, sa.func.count()).where(chunks.c.job.in_(running)).group_by(chunks.c.state)
        with self.transaction(reading=True) as connection:
            by_state = [{row[0]: row[1] for row in connection.execute(query)} for query in (of_jobs, of_chunks)]
        return by_state[0], by_state[1]

    def yields(self, job_id: str, first: int) -> Iterator[Yield]:
        """What each chunk has come to, from one on, in their order; some hundred are read at a time."""
        query = (
            sa.select(chunks.c.number, chunks.c.state, chunks.c.rows, chunks.c.bad)
            .order_by(chunks.c.number)
            .limit(_AT_A_TIME)
        )
        while True:
            with self.transaction(reading=True) as connection:
                rows = connection.execute(query.where(chunks.c.job == job_id, chunks.c.number >= first)).all()
            yield from (Yield(row.number, ChunkState(row.state), row.rows, row.bad) for row in rows)
            if len(rows) < _AT_A_TIME:
                return
            first = rows[-1].number + 1

    def parts(self, job_id: str, *, rows: bool = True, after: int = -1) -> Iterator[tuple[int, Part]]:
        """What came of every chunk that is done, by its number, in their order, from the one after ``after`` on: one at
        a time, each read by itself."""
        columns = [parts.c.chunk, parts.c.file, parts.c.faults, parts.c.summary, *([parts.c.rows] if rows else [])]
        of_chunk = (chunks.c.job == parts.c.job) & (chunks.c.number == parts.c.chunk)
        query = (
            sa.select(*columns, chunks.c.records, chunks.c.rows.label("number_of_rows"), chunks.c.bad, chunks.c.seconds)
            .join(chunks, of_chunk)
            .where(parts.c.job == job_id)
            .order_by(parts.c.chunk)
            .limit(1)
        )
        while True:
            with self.transaction(reading=True) as connection:
                row = connection.execute(query.where(parts.c.chunk > after)).first()
            if row is None:
                return
            after = row.chunk
            yield (
                row.chunk,
                Part(
                    row.records,
                    row.number_of_rows,
                    row.bad,
                    row.seconds,
                    row.faults,
                    load(row.summary, dict[str, Any]),
                    row.rows if rows else None,
                    row.file,
                ),
            )


def _states(connection: sa.Connection, job_id: str) -> dict[str, int]:
    query = sa.select(chunks.c.state, sa.func.count()).where(chunks.c.job == job_id).group_by(chunks.c.state)
    return {row[0]: row[1] for row in connection.execute(query)}
