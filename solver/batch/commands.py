"""The commands ``rightbower batch …`` and ``rightbower worker``."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click
import msgspec
from tqdm import tqdm

from solver.batch.engine_options import engine_of, engine_options
from solver.batch.jobs import spec_of
from solver.batch.kinds import KINDS
from solver.batch.results import export, fault_lines, result_lines, summary
from solver.batch.rows import unpack
from solver.batch.runner import Kept, Runner
from solver.batch.source import formats
from solver.batch.values import LEASE, Job, JobState, Progress
from solver.errors import InvalidInput, RightbowerError, StorageFailed
from solver.notation.batch_query import OUTPUTS, BatchAnswer, read_batch

if TYPE_CHECKING:
    from solver.batch.store import Store

BAD_INPUT = 1
#: Bad records that are named on the terminal; all of them are in ``faults.ndjson``.
_MOST_NAMED = 100
_SECONDS_BETWEEN_LINES = 10.0
_SECONDS_AFTER_A_FAILURE = 5.0


def _db_options(command: Callable[..., Any]) -> Callable[..., Any]:
    out = click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="The directory of a job.")
    db = click.option("--db", envvar="RIGHTBOWER_DB", metavar="URL", help="The database; by default DIR/jobs.sqlite.")
    return out(db(command))


def _chunk_options(command: Callable[..., Any]) -> Callable[..., Any]:
    size = click.option("--chunk-bytes", type=click.IntRange(1), help="By default what takes some seconds.")
    lease = click.option("--lease", default=LEASE, show_default=True, type=click.FloatRange(1), help="Seconds.")
    return lease(size(command))


@click.group("batch")
def batch_commands() -> None:
    """Work on files of many records, as jobs that outlive their processes."""


@batch_commands.command("run")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--kind", default="tables", show_default=True, type=click.Choice([each.name for each in KINDS]))
@_db_options
@click.option(
    "--format", "output", default=OUTPUTS[0], show_default=True, type=click.Choice(OUTPUTS), help="Of the rows."
)
@click.option("--input-format", type=click.Choice(formats()), help="Do not detect it.")
@click.option("--worlds", type=int, help="Kinds that look at worlds: how many for each decision.")
@click.option("--seed", type=int, help="Equal seeds give equal answers (default 0).")
@click.option("--method", help="Kinds that look at worlds: how they are played out.")
@click.option("--depth", help="Reviews: how closely (fast, default, deep).")
@click.option("--key", help="Stands for this work: by default all that determines it does.")
@click.option("--no-wait", is_flag=True, help="Only submit the job; workers do it.")
@_chunk_options
@engine_options
def run_command(
    files: Sequence[Path], db: str | None, out: Path | None, no_wait: bool, input_format: str | None, **options: Any
) -> None:
    """Do a job, or go on with it: the same command again does what is left.

    Rows go to DIR (results.ndjson, results.csv, or a file of Parquet for each chunk), bad records to faults.ndjson and
    sums to summary.json.
    """
    if out is None:
        raise click.UsageError("--out DIR is needed, for the results")
    asked = {name: options[name] for name in ("kind", "output", "worlds", "seed", "method", "depth", "key")}
    asked["format"] = input_format
    with _clear_errors():
        spec = spec_of(read_batch({name: value for name, value in asked.items() if value is not None}), files, out)
        out.mkdir(parents=True, exist_ok=True)
        with _store(db, out, options["lease"]) as store:
            job = store.submit(spec)
            if no_wait:
                click.echo(job.id)
                return
            if job.state != JobState.DONE:
                report = _Report(store, job)
                with engine_of(**options) as engine, report:
                    _until_stopped(Runner(store, engine, job_id=job.id, size=options["chunk_bytes"], told=report.told))
            _finish(store, store.job(job.id))


def _finish(store: Store, job: Job) -> None:
    """Write what there is, say how it went, and exit by it."""
    progress = store.progress(job.id)
    if job.state == JobState.RUNNING:
        click.echo(f"job {job.id} was stopped at {progress.share:.0%}: the same command goes on with it", err=True)
        sys.exit(BAD_INPUT)
    try:
        export(store, job)
    except OSError as error:
        raise StorageFailed(f"{job.spec.directory} did not take the results: {error.strerror or error}") from error
    click.echo(
        f"job {job.id} is {job.state}: {progress.records} records, {progress.rows} rows, {progress.bad} bad records,"
        f" {progress.failed} chunks failed; in {job.spec.directory}"
    )
    for each in progress.errors:
        click.echo(each, err=True)
    if progress.bad:
        click.echo(f"{progress.bad} records were bad: see faults.ndjson", err=True)
    if progress.bad or progress.failed or job.state == JobState.CANCELLED:
        sys.exit(BAD_INPUT)


class _Report:
    """Progress on standard error: a bar on a terminal, else a line now and then; and the bad records, by name."""

    def __init__(self, store: Store, job: Job) -> None:
        self._store, self._job = store, job
        self._bar = tqdm(total=100, unit="%", disable=not sys.stderr.isatty(), bar_format="{l_bar}{bar}{postfix}")
        self._said = time.monotonic()
        self._named = 0

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def told(self, kept: Kept) -> None:
        for line in BytesIO(unpack(kept.part.faults) if kept.part is not None else b""):
            if self._named < _MOST_NAMED:
                self._write(_named(self._job, msgspec.json.decode(line)))
            self._named += 1
        now = time.monotonic()
        if not self._bar.disable or now - self._said >= _SECONDS_BETWEEN_LINES:
            self._said = now
            progress = self._store.progress(self._job.id)
            self._bar.n = round(100 * progress.share, 1)
            self._bar.set_postfix_str(_shown(progress))
            if self._bar.disable:
                self._write(f"{progress.share:.1%}: {_shown(progress)}")

    def _write(self, line: str) -> None:
        tqdm.write(line, file=sys.stderr)


def _named(job: Job, bad: dict[str, Any]) -> str:
    path = job.spec.sources[bad["file"]].path
    number = bad["record"]
    errors = "; ".join(f"{each['message']} [{each['code']}]" for each in bad["errors"])
    return f"{path}: record {number}: {errors}" if number else f"{path}: {errors}"


def _shown(progress: Progress) -> str:
    left = "" if progress.seconds_left is None else f", {_clock(progress.seconds_left)} left"
    rate = "" if progress.rate is None else f", {progress.rate:,.0f} a second"
    return f"{progress.records:,} records{rate}{left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


@batch_commands.command("status")
@click.argument("job_id", metavar="[JOB]", required=False)
@_db_options
@click.option("--json", "as_json", is_flag=True, help="Print what HTTP would answer.")
def status_command(job_id: str | None, db: str | None, out: Path | None, as_json: bool) -> None:
    """How far a job is, or all jobs are."""
    with _clear_errors(), _store(db, out) as store:
        for job in store.jobs() if job_id is None else [store.job(job_id)]:
            progress = store.progress(job.id)
            if as_json:
                click.echo(json.dumps(BatchAnswer().dump(_State(job, progress))))
                continue
            chunks = f"{progress.done} chunks done, {progress.leased} under way, {progress.failed} failed"
            click.echo(f"{job.id} {job.spec.kind}: {job.state}, {progress.share:.1%}, {_shown(progress)}; {chunks}")
            for each in progress.errors:
                click.echo(f"  {each}")


@dataclass(frozen=True)
class _State:
    """What `BatchAnswer` is made from."""

    job: Job
    progress: Progress


@batch_commands.command("cancel")
@click.argument("job_id", metavar="JOB")
@_db_options
def cancel_command(job_id: str, db: str | None, out: Path | None) -> None:
    """Begin no further chunk of a job. What is done stays; the command that began it goes on with it."""
    with _clear_errors(), _store(db, out) as store:
        click.echo(f"job {job_id} is {store.cancel(job_id).state}")


@batch_commands.command("results")
@click.argument("job_id", metavar="JOB")
@_db_options
@click.option("--faults", "what", flag_value="faults", help="The bad records instead.")
@click.option("--summary", "what", flag_value="summary", help="The sums instead.")
def results_command(job_id: str, db: str | None, out: Path | None, what: str | None) -> None:
    """Print the rows of a job that there are so far, as lines of JSON."""
    with _clear_errors(), _store(db, out) as store:
        job = store.job(job_id)
        if what == "summary":
            click.echo(json.dumps(summary(store, job)))
            return
        for lines in (fault_lines if what == "faults" else result_lines)(store, job):
            click.echo(lines, nl=False)


@click.command("worker")
@click.option("--db", envvar="RIGHTBOWER_DB", metavar="URL", required=True, help="The database of jobs.")
@_chunk_options
@engine_options
def worker_command(db: str, **options: Any) -> None:
    """Work on whatever jobs the database has, until told to stop: TERM lets it finish what it has begun."""
    with _clear_errors(), engine_of(**options) as engine:
        while True:
            runner: Runner | None = None
            try:
                with _store(db, None, options["lease"]) as store:
                    click.echo(f"working on the jobs of {store.shown_url}", err=True)
                    runner = Runner(store, engine, size=options["chunk_bytes"], told=_tell)
                    _until_stopped(runner)
                    return
            except StorageFailed as error:
                if runner is not None and runner.stopping:
                    raise
                click.echo(f"{error}; trying again in {_SECONDS_AFTER_A_FAILURE:.0f} s", err=True)
                time.sleep(_SECONDS_AFTER_A_FAILURE)


def _tell(kept: Kept) -> None:
    said = f"failed: {kept.error}" if kept.part is None else f"{kept.part.records} records, {kept.part.bad} bad"
    click.echo(f"job {kept.job.id}, chunk {kept.chunk}: {said}", err=True)


# -- what they share ---------------------------------------------------------------------------------------------------


@contextmanager
def _clear_errors() -> Iterator[None]:
    """What is wrong with the command ends it with status 2, what went wrong on the way with 1: a sentence, no trace."""
    try:
        yield
    except InvalidInput as error:
        raise click.UsageError("; ".join(f"{fault} [{fault.code}]" for fault in error.faults)) from None
    except RightbowerError as error:
        raise click.ClickException(f"{error}. What was done is kept; the same command goes on from there.") from None


@contextmanager
def _store(db: str | None, out: Path | None, lease: float = LEASE) -> Iterator[Store]:
    if db is None:
        if out is None:
            raise click.UsageError("--db URL or --out DIR is needed, to find the jobs")
        db = f"sqlite:///{out.resolve()}/jobs.sqlite"
    from solver.batch.store import Store  # no other command needs the database's library, which is slow to load

    store = Store(db, lease=lease)
    try:
        yield store
    finally:
        store.close()


def _until_stopped(runner: Runner) -> None:
    """Run it; TERM and the first Ctrl-C stop it in order, a second Ctrl-C at once."""

    def stop(number: int, _: FrameType | None) -> None:
        runner.stop()
        if number == signal.SIGINT:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        runner.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
