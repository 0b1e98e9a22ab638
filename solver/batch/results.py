"""What came of a job, out of its parts: lines, files, bad records, sums."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from solver.batch.kinds import kind_named
from solver.batch.rows import KEY, Column, Summary, arrow_lines, merge, unpack, write_csv
from solver.batch.values import Job, Part
from solver.batch.work import PARQUET
from solver.errors import StorageFailed

if TYPE_CHECKING:
    import polars as pl

    from solver.batch.store import Store


def columns_of(job: Job) -> tuple[Column, ...]:
    return (*KEY, *kind_named(job.spec.kind).columns)


def result_lines(store: Store, job: Job) -> Iterator[bytes]:
    """All rows as lines of JSON, in the order of the records, a chunk's or less at a time."""
    for _, part in store.parts(job.id):
        yield from _lines(job, part)


def _lines(job: Job, part: Part) -> Iterator[bytes]:
    if part.rows is not None and job.spec.output != PARQUET:
        yield unpack(part.rows)
    elif part.number_of_rows:
        import pyarrow.parquet as pq

        if part.rows is not None:
            yield from arrow_lines(pq.read_table(io.BytesIO(part.rows)))
        else:
            assert part.file is not None and job.spec.directory is not None  # the rows are nowhere else
            yield from arrow_lines(pq.read_table(Path(job.spec.directory) / part.file, partitioning=None))


def fault_lines(store: Store, job: Job) -> Iterator[bytes]:
    """The bad records as lines of JSON: ``file``, ``record``, ``errors``."""
    for _, part in store.parts(job.id, rows=False):
        yield unpack(part.faults)


def summary(store: Store, job: Job) -> dict[str, Any]:
    """Sums over all rows: by player, seat, kind of contract, whatever the kind of work groups by."""
    progress = store.progress(job.id)
    by: Summary = merge(part.summary for _, part in store.parts(job.id, rows=False))
    return {
        "job": job.id,
        "kind": job.spec.kind,
        "settings": job.spec.settings,
        "engine": job.spec.engine,
        "records": progress.records,
        "rows": progress.rows,
        "bad": progress.bad,
        "chunks_failed": progress.failed,
        "files": [source.path for source in job.spec.sources],
        "by": by,
    }


# -- files -------------------------------------------------------------------------------------------------------------


def export(store: Store, job: Job) -> None:
    """Write the results into the job's directory: rows, ``faults.ndjson`` and ``summary.json``, each whole or not at
    all. Rows in Parquet are there already, a file a chunk; those of leases that were lost are removed.

    Raises `StorageFailed` if files of rows are gone; then the job is no longer done, and goes on with those.
    """
    directory = job.spec.directory
    assert directory is not None  # else there is nothing to write
    at = Path(directory)
    if job.spec.output == PARQUET:
        known = {part.file: number for number, part in store.parts(job.id, rows=False)}
        there = {path.name for path in at.glob(f"{job.id}-*.parquet")}
        if lost := sorted(name for name in known if name is not None and name not in there):
            store.undo(job.id, [known[name] for name in lost])
            raise StorageFailed(
                f"{len(lost)} files of rows are gone from {at}, {lost[0]} first, and must be made again"
            )
        for name in there - known.keys():
            (at / name).unlink()
    elif job.spec.output == "csv":
        with _whole(at / "results.csv") as file:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
            write_csv(columns_of(job), b"", text, header=True)
            for lines in result_lines(store, job):
                write_csv(columns_of(job), lines, text, header=False)
            text.detach()
    else:
        with _whole(at / "results.ndjson") as file:
            file.writelines(result_lines(store, job))
    with _whole(at / "faults.ndjson") as file:
        file.writelines(fault_lines(store, job))
    with _whole(at / "summary.json") as file:
        file.write(msgspec.json.format(msgspec.json.encode(summary(store, job)), indent=2) + b"\n")


def write_part(path: Path, content: bytes) -> None:
    with _whole(path) as file:
        file.write(content)


@contextmanager
def _whole(path: Path) -> Iterator[IO[bytes]]:
    """A file that appears under its name complete, and on the disk, or does not appear."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)  # the name, too
    finally:
        os.close(directory)


def read_results(path: str | os.PathLike[str]) -> pl.DataFrame:
    """The rows of a finished job as a Polars table (extra ``analytics``), from its directory or from one file of it.

    Rows are in the order of the records; of a job without rows there are the columns. ``.to_pandas()`` makes one of
    pandas.
    """
    import polars as pl

    at = Path(path)
    if at.is_dir():
        parquet = sorted(at.glob("*.parquet"))
        jobs = {each.name.partition("-")[0] for each in parquet}
        found = [at / name for name in ("results.ndjson", "results.csv") if (at / name).is_file()]
        if len(jobs) + len(found) > 1:
            raise ValueError(f"{at} has the results of {len(jobs) + len(found)} jobs, not of one")
        if parquet:
            return pl.concat([pl.read_parquet(each) for each in parquet]).sort("file", "record", maintain_order=True)
        if not found and not (at / "summary.json").is_file():
            raise FileNotFoundError(f"{at} has no results")
        if not found or not found[0].stat().st_size:  # a job without rows
            return pl.DataFrame({column.name: [] for column in _columns_in(at)})
        at = found[0]
    if at.suffix == ".parquet":
        return pl.read_parquet(at)
    if at.suffix == ".csv":
        return pl.read_csv(at, infer_schema_length=None)
    return pl.read_ndjson(at, infer_schema_length=None)


def _columns_in(directory: Path) -> tuple[Column, ...]:
    """Those of the job whose results these are."""
    sums = msgspec.json.decode((directory / "summary.json").read_bytes())
    return (*KEY, *kind_named(sums["kind"]).columns)
