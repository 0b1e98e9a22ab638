"""Jobs and chunks in a database: SQLite by default, PostgreSQL by URL.

Nothing else of the project is durable: engines and queues may die as they like. A chunk is leased to one owner for some
time, and what came of it is kept in one transaction with its being done, so that every record is answered exactly once
whoever is killed. The database's own clock decides when a lease has run out.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from solver.batch.schema import chunks, jobs, parts
from solver.batch.values import (
    LEASE,
    MOST_FAILURES,
    MOST_LOSSES,
    ChunkState,
    Cursor,
    Job,
    JobState,
    Lease,
    Part,
    Piece,
    Progress,
    Spec,
    Yield,
)
from solver.errors import Fault, InvalidInput, StorageFailed

#: Seconds that SQLite waits for a lock before it says so.
PATIENCE = 30.0
#: Chunks whose times make the rate.
_RECENT = 32
#: Chunks that are looked at in one transaction where a reader goes through all of them.
_AT_A_TIME = 500
_OPEN = (ChunkState.WAITING, ChunkState.LEASED)
_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK_OF_MIGRATIONS = 0x7269676874  # any number of our own


class Store:
    """The database of jobs. Safe to use from several processes and threads."""

    def __init__(self, url: str, *, lease: float = LEASE, patience: float = PATIENCE) -> None:
        """Open it, and bring its tables to the present form.

        Raises `InvalidInput` for a URL that names no database, `StorageFailed` if it cannot be used.
        """
        self.url = url
        self.lease_seconds = lease
        try:
            self._engine = sa.create_engine(url, **_options(url, patience))
        except (sa.exc.ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
            raise InvalidInput([Fault("field.invalid", f"no database can be opened with {error}", ("db",))]) from None
        self._sqlite = self._engine.dialect.name == "sqlite"
        if self._sqlite:
            _prepare_sqlite(self._engine, patience)
        self._migrate()

    def close(self) -> None:
        self._engine.dispose()

    @property
    def shown_url(self) -> str:
        """The URL without its password."""
        return self._engine.url.render_as_string(hide_password=True)

    # -- transactions --------------------------------------------------------------------------------------------------

    @contextmanager
    def _transaction(self, *, reading: bool = False) -> Iterator[sa.Connection]:
        """One transaction, whole or not at all. On SQLite a writing one has the database to itself from the start: a
        transaction that began by reading could not be made to write."""
        try:
            with self._engine.connect().execution_options(reading=reading) as connection, connection.begin():
                yield connection
        except (DBAPIError, PoolTimeout) as error:
            said = str(error.orig) if isinstance(error, DBAPIError) else str(error)
            raise StorageFailed(f"the database did not take it: {' '.join(said.split())}") from error

    def _now(self) -> sa.ColumnElement[float]:
        """Seconds since 1970 by the clock of the database."""
        if self._sqlite:
            return sa.literal_column("(julianday('now') - 2440587.5) * 86400.0", sa.Float)
        return sa.cast(sa.literal_column("extract(epoch from clock_timestamp())"), sa.Float)

    def _migrate(self) -> None:
        with self._transaction() as connection:
            if not self._sqlite:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK_OF_MIGRATIONS)))
            if _at_head(connection):
                return
            from alembic import command
            from alembic.config import Config

            config = Config()
            config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    # -- jobs ----------------------------------------------------------------------------------------------------------

    def submit(self, spec: Spec) -> Job:
        """The job that does this: a new one, or the one that was submitted before, which goes on if it was cancelled.

        Raises `InvalidInput` if the caller's own key belongs to a job that does something else.
        """
        key, job_id = spec.key(), uuid.uuid4().hex
        with self._transaction() as connection:
            found = connection.execute(sa.select(jobs.c.id, jobs.c.state).where(jobs.c.key == key)).first()
            if found is None:
                values = {
                    "id": job_id,
                    "key": key,
                    "spec": _dump(spec),
                    "state": JobState.RUNNING,
                    "created": self._now(),
                    "planned_to": _dump(Cursor()),
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
            job = _job(connection.execute(sa.select(jobs).where(jobs.c.id == job_id)).one())
        if job.spec != spec:
            message = f"this key was given to job {job.id}, which does something else"
            raise InvalidInput([Fault("job.conflict", message, ("key",))])
        return job

    def job(self, job_id: str) -> Job:
        """Raises `InvalidInput` (``job.unknown``) if there is none of that id."""
        with self._transaction(reading=True) as connection:
            row = connection.execute(sa.select(jobs).where(jobs.c.id == job_id)).first()
        if row is None:
            raise InvalidInput([Fault("job.unknown", f"there is no job {job_id[:40]!a}", ("job",))])
        return _job(row)

    def jobs(self, state: JobState | None = None) -> list[Job]:
        """All jobs, or those in a state, the oldest first."""
        query = sa.select(jobs).order_by(jobs.c.created, jobs.c.id)
        with self._transaction(reading=True) as connection:
            return [
                _job(row) for row in connection.execute(query if state is None else query.where(jobs.c.state == state))
            ]

    def cancel(self, job_id: str) -> Job:
        """Let nobody begin another of its chunks; what is done stays. A job that is done stays done."""
        with self._transaction() as connection:
            running = sa.update(jobs).where(jobs.c.id == job_id, jobs.c.state == JobState.RUNNING)
            connection.execute(running.values(state=JobState.CANCELLED, finished=self._now()))
        return self.job(job_id)

    def forget(self, job_id: str) -> None:
        """Remove a job with all that came of it in the database. Whoever still works on it is fenced off."""
        with self._transaction() as connection:
            for table in (parts, chunks):
                connection.execute(sa.delete(table).where(table.c.job == job_id))
            connection.execute(sa.delete(jobs).where(jobs.c.id == job_id))

    # -- planning ------------------------------------------------------------------------------------------------------

    def plan(self, job: Job, cut: Sequence[tuple[Piece, ...]], then: Cursor | None) -> bool:
        """Add chunks, and move the place up to which the sources are cut to ``then`` (None: their end).

        False, and nothing is added, if another has planned on from ``job.planned_to`` already.
        """
        values: dict[str, Any] = {"chunks": job.chunks + len(cut), "planned": then is None}
        if then is not None:
            values["planned_to"] = _dump(then)
        with self._transaction() as connection:
            moved = connection.execute(
                sa.update(jobs)
                .where(
                    jobs.c.id == job.id,
                    jobs.c.planned_to == _dump(job.planned_to),
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
                    "pieces": _dump(pieces),
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

    # -- leases --------------------------------------------------------------------------------------------------------

    def lease(self, owner: str, most: int, job_id: str | None = None) -> list[Lease]:
        """Up to so many chunks that wait, or whose lease has run out; of one job or of any, the oldest first."""
        with self._transaction() as connection:
            now = connection.execute(sa.select(self._now())).scalar_one()
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
                leases.append(Lease(row.job, row.number, number, owner, _load(row.pieces, tuple[Piece, ...])))
        return leases

    def renew(self, leases: Sequence[Lease]) -> list[Lease]:
        """Hold them for another while. Those that are held no longer, and those of jobs that were cancelled, are left
        out of the answer."""
        kept = []
        with self._transaction() as connection:
            running = sa.select(jobs.c.id).where(jobs.c.state == JobState.RUNNING)
            for lease in sorted(leases, key=lambda each: (each.job, each.chunk)):
                held = sa.update(chunks).where(*_held(lease), chunks.c.job.in_(running))
                if connection.execute(held.values(expires=self._now() + self.lease_seconds)).rowcount:
                    kept.append(lease)
        return kept

    def release(self, leases: Sequence[Lease]) -> None:
        """Give them back, without blame."""
        with self._transaction() as connection:
            for lease in leases:
                given = sa.update(chunks).where(*_held(lease))
                connection.execute(given.values(state=ChunkState.WAITING, owner=None, expires=None))

    def finish(self, lease: Lease, part: Part) -> bool:
        """Keep what came of a chunk, and that it is done, in one transaction. False, and nothing is kept, if the lease
        is no longer held."""
        with self._transaction() as connection:
            done = connection.execute(
                sa.update(chunks)
                .where(*_held(lease))
                .values(
                    state=ChunkState.DONE,
                    finished=self._now(),
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
                "summary": _dump(part.summary),
            }
            connection.execute(sa.insert(parts).values(row))
        return True

    def fail(self, lease: Lease, error: str) -> bool:
        """Say that the work on a chunk ended in an error. True if that was once too often: it is not done again."""
        with self._transaction() as connection:
            row = connection.execute(sa.select(chunks.c.failures).where(*_held(lease)).with_for_update()).first()
            if row is None:
                return False
            failures = int(row.failures) + 1
            last = failures >= MOST_FAILURES
            again = {"state": ChunkState.WAITING, "owner": None, "expires": None, "error": error[:2000]}
            now = connection.execute(sa.select(self._now())).scalar_one()
            values = _failed(error, now) if last else again
            connection.execute(sa.update(chunks).where(*_held(lease)).values({**values, "failures": failures}))
        return last

    # -- how far, and what came of it ----------------------------------------------------------------------------------

    def unfinished(self, job_id: str) -> tuple[int, int]:
        """How many of its chunks wait, and how many are leased."""
        with self._transaction(reading=True) as connection:
            states = _states(connection, job_id)
        return states.get(ChunkState.WAITING, 0), states.get(ChunkState.LEASED, 0)

    def complete(self, job_id: str) -> bool:
        """Note that a job is done, if it is: cut to the end, and no chunk waits or is leased."""
        open_chunks = sa.select(chunks.c.number).where(chunks.c.job == job_id, chunks.c.state.in_(_OPEN))
        with self._transaction() as connection:
            done = sa.update(jobs).where(
                jobs.c.id == job_id,
                jobs.c.state == JobState.RUNNING,
                jobs.c.planned.is_(True),
                ~sa.exists(open_chunks),
            )
            return connection.execute(done.values(state=JobState.DONE, finished=self._now())).rowcount == 1

    def progress(self, job_id: str) -> Progress:
        job = self.job(job_id)
        with self._transaction(reading=True) as connection:
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
        with self._transaction(reading=True) as connection:
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
            with self._transaction(reading=True) as connection:
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
            with self._transaction(reading=True) as connection:
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
                    _load(row.summary, dict[str, Any]),
                    row.rows if rows else None,
                    row.file,
                ),
            )


def _options(url: str, patience: float) -> dict[str, Any]:
    if url.startswith("sqlite"):
        return {"connect_args": {"timeout": patience, "check_same_thread": False}}
    return {"pool_pre_ping": True}


def _prepare_sqlite(engine: sa.Engine, patience: float) -> None:
    def connected(connection: Any, _record: object) -> None:
        # The driver's own idea of when a transaction begins is not ours.
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", f"busy_timeout={int(patience * 1000)}"):
            connection.execute(f"PRAGMA {pragma}")

    def begun(connection: sa.Connection) -> None:
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    sa.event.listen(engine, "connect", connected)
    sa.event.listen(engine, "begin", begun)


def _at_head(connection: sa.Connection) -> bool:
    """Whether the tables are those of the last migration: asked first, as alembic takes its time to load."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return False
    version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    last = max(path.name for path in (_MIGRATIONS / "versions").glob("v*.py"))
    return version == last[1:5]


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


def _states(connection: sa.Connection, job_id: str) -> dict[str, int]:
    query = sa.select(chunks.c.state, sa.func.count()).where(chunks.c.job == job_id).group_by(chunks.c.state)
    return {row[0]: row[1] for row in connection.execute(query)}


def _dump(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


def _load(text: str, shape: Any) -> Any:
    return msgspec.json.decode(text, type=shape)


def _job(row: Any) -> Job:
    return Job(
        row.id,
        _load(row.spec, Spec),
        JobState(row.state),
        row.created,
        row.finished,
        _load(row.planned_to, Cursor),
        row.planned,
        row.chunks,
    )
