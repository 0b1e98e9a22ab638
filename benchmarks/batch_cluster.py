"""How a Dask cluster scales: records a second with two workers against one, one thread each, in turns.

python -m benchmarks.batch_cluster [--records 6000] [--kind trace] [--rounds 3]

Scheduler and workers are processes of this machine, which needs a core for each worker and some of one for the
coordinator. A job is done before the clock runs, so that every worker has loaded what it needs.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click

from benchmarks.batch import write_deals, write_played
from solver.batch.cluster import Dask
from solver.batch.jobs import spec_of
from solver.batch.kinds import KINDS
from solver.batch.runner import Runner
from solver.batch.store import Store
from solver.notation.batch_query import read_batch


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """The address of a scheduler on a loopback address, with so many workers of one thread."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    processes: list[subprocess.Popen[bytes]] = []

    def start(program: str, *arguments: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.dask_{program}", *arguments, "--host", "127.0.0.1"]
        nothing = subprocess.DEVNULL
        processes.append(subprocess.Popen([*command, "--no-dashboard"], stdout=nothing, stderr=nothing))

    try:
        start("scheduler", "--port", str(port))
        for _ in range(workers):
            start("worker", address, "--nthreads", "1", "--no-nanny")
        yield address
    finally:
        for process in processes:
            process.kill()
            process.wait()


class Speed(NamedTuple):
    """Of a whole job: cut, sent, done and kept. ``coordinator``: processor seconds of ours for a chunk."""

    records_a_second: float
    coordinator: float
    chunks: int


def speed(workers: int, kind: str, warm: Path, path: Path) -> Speed:
    with cluster(workers) as address, tempfile.TemporaryDirectory() as directory:
        store, engine = Store(f"sqlite:///{directory}/jobs.sqlite"), _engine(address, workers)
        taken = used = 0.0
        for each in (warm, path):
            job = store.submit(spec_of(read_batch({"kind": kind}), [each], None))
            began, began_used = time.perf_counter(), time.process_time()
            Runner(store, engine, job_id=job.id).run()
            taken, used = time.perf_counter() - began, time.process_time() - began_used
        records, chunks = store.progress(job.id).records, store.job(job.id).chunks
        engine.close()
        store.close()
    return Speed(records / taken, used / chunks, chunks)


def _engine(address: str, workers: int) -> Dask:
    """The engine with all its workers: it counts them when it meets them."""
    while True:
        engine = Dask(address, lambda said: click.echo(said, err=True))
        if engine.slots == workers:
            return engine
        engine.close()
        time.sleep(0.2)


@click.command()
@click.option("--records", default=6000, show_default=True)
@click.option("--kind", default="trace", show_default=True, type=click.Choice([each.name for each in KINDS]))
@click.option("--rounds", default=3, show_default=True)
def main(records: int, kind: str, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        warm, path = Path(directory) / "warm", Path(directory) / "played"
        write = write_deals if kind == "tables" else write_played
        write(warm, max(8, records // 50), 1)
        write(path, records, 2)
        ratios = []
        for number in range(rounds):
            one, two = (speed(workers, kind, warm, path) for workers in (1, 2))
            ratios.append(two.records_a_second / one.records_a_second)
            click.echo(
                f"round {number + 1}: one worker {one.records_a_second:,.1f} records/s, "
                f"two {two.records_a_second:,.1f}: {ratios[-1]:.2f} times; "
                f"the coordinator {1e3 * two.coordinator:.0f} ms for each of {two.chunks} chunks"
            )
    click.echo(f"{kind}, {records} records: median {median(ratios):.2f} times with two workers")


if __name__ == "__main__":
    main()
