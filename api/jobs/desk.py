"""Where batches are handed in and out: one for each application."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import url_for

from api.config import Config
from api.jobs.spool import Spool
from solver.batch.jobs import spec_of
from solver.batch.pages import Key, Lines, Page, page
from solver.batch.results import summary
from solver.batch.source import LINES
from solver.batch.values import Job, JobState, Progress, Spec, refuse_more
from solver.errors import Fault, InvalidInput, StorageFailed

if TYPE_CHECKING:
    from solver.batch.store import Store

#: Seconds that a request waits for a lock of the database.
_PATIENCE = 5.0
#: Seconds between two looks for what can be removed.
_BETWEEN_SWEEPS = 60.0


__all__ = ["Desk", "Lines", "State"]


@dataclass(frozen=True)
class State:
    """A job and how far it is: what its document is made from."""

    job: Job
    progress: Progress

    @property
    def links(self) -> dict[str, str]:
        routes = {"self": "get", "results": "results", "errors": "errors", "summary": "summary"}
        return {name: url_for(f"batches.{route}", job_id=self.job.id) for name, route in routes.items()}


class Desk:
    """Jobs made of files that were sent, and what came of any job of the database."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._spool = Spool(config.home_directory / "uploads", config.max_spool_bytes, config.min_free_bytes)
        self._opening = threading.Lock()
        self._store: Store | None = None
        self._swept = -_BETWEEN_SWEEPS

    @property
    def store(self) -> Store:
        """Opened when it is first needed: after a fork, and not at all where nobody asks for batches. Opened anew when
        its file was removed.

        Raises `StorageFailed` if it cannot be.
        """
        with self._opening:
            if self._store is not None and self._store.replaced:
                self._store.close()
                self._store = None
            if self._store is None:
                from solver.batch.store import Store  # slow to load

                try:
                    self._config.home_directory.mkdir(parents=True, exist_ok=True)
                    self._store = Store(self._config.database, patience=_PATIENCE)
                except (InvalidInput, OSError) as error:
                    raise StorageFailed(str(error)) from error
            return self._store

    def submit(self, asked: Mapping[str, Any], key: str | None, blocks: Iterable[bytes]) -> Job:
        """The job that does what is ``asked`` on a file that arrives now.

        Raises `InvalidInput`, and leaves nothing behind.
        """
        self._sweep()
        self._admit()
        with self._spool.received(blocks, self._config.max_unpacked_bytes) as file:
            spec = _described(asked, key, file.path)
            self._check_size(spec)
            (source,) = spec.sources
            spec = replace(spec, sources=(replace(source, path=str(self._spool.place(file))),))
            self._spool.keep(file)
            try:
                return self.store.submit(spec, self._config.max_jobs)
            except InvalidInput as error:
                if error.faults[0].code != "job.conflict":
                    raise
                # No other job is told of.
                message = "this key was given with another file or other options"
                raise InvalidInput([Fault("job.conflict", message, ("Idempotency-Key",))]) from None

    def job(self, job_id: str) -> Job:
        # Others would not all reach the database: PostgreSQL takes no NUL.
        if not re.fullmatch(r"[0-9a-f]{32}", job_id):
            raise InvalidInput([Fault("job.unknown", f"there is no job {job_id[:40]!a}", ("job",))])
        return self.store.job(job_id)

    def state(self, job_id: str) -> State:
        job = self.job(job_id)
        progress = self.store.progress(job.id)
        # Where files lie on this machine is nobody's business.
        errors = tuple(_without_paths(job, each) for each in progress.errors)
        return State(job, replace(progress, errors=errors))

    def cancel(self, job_id: str) -> State:
        self.store.cancel(self.job(job_id).id)
        return self.state(job_id)

    def summary(self, job_id: str) -> dict[str, Any]:
        sums = summary(self.store, self.job(job_id))
        del sums["files"]
        return sums

    def page(self, job_id: str, what: Lines, at: Key, most: int | None) -> tuple[Job, Page]:
        job = self.job(job_id)
        return job, page(self.store, job, what, at, most)

    # -- limits --------------------------------------------------------------------------------------------------------

    def _admit(self) -> None:
        """Refuse what will not be taken before it arrives."""
        refuse_more(self.store.counts()[0].get(JobState.RUNNING, 0), self._config.max_jobs)

    def _check_size(self, spec: Spec) -> None:
        (source,) = spec.sources
        most = self._config.max_whole_bytes
        if source.format not in LINES and source.size > most:
            message = (
                f"a file of the format {source.format} has at most {most} bytes here: it is read as a whole. "
                f"Formats with a record on each line are not: {', '.join(LINES)}"
            )
            raise InvalidInput([Fault("request.too_large", message)])

    def _sweep(self) -> None:
        """Forget jobs that ended long ago, and remove the files that no job will read again."""
        now = time.monotonic()
        if now - self._swept < _BETWEEN_SWEEPS:
            return
        self._swept = now
        long_ago = time.time() - 3600 * self._config.keep_hours
        wanted: set[Path] = set()
        for job in self.store.jobs():
            if not self._is_ours(job):
                continue
            if job.finished is not None and job.finished < long_ago:
                self.store.forget(job.id, long_ago)
            elif job.state != JobState.DONE:  # one that was cancelled may be asked for again
                wanted |= {Path(source.path) for source in job.spec.sources}
        self._spool.sweep(wanted)

    def _is_ours(self, job: Job) -> bool:
        """Whether it was handed in here, and not on a command line beside."""
        return all(Path(source.path).parent == self._spool.directory for source in job.spec.sources)


def _described(asked: Mapping[str, Any], key: str | None, path: Path) -> Spec:
    try:
        return spec_of({**asked, "output": "ndjson", "key": key}, [path], None)
    except InvalidInput as error:
        # The name of the file is not the client's.
        faults = [Fault(each.code, each.message.replace(str(path), "the file"), each.path) for each in error.faults]
        raise InvalidInput(faults) from None


def _without_paths(job: Job, text: str) -> str:
    for source in job.spec.sources:
        text = text.replace(source.path, "the file")
    return text
