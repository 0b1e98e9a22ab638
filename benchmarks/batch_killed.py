"""kill -9 in the middle of a job: of the coordinator, a worker, a pool process, a Dask worker and the Dask scheduler.
Afterwards every record has to be there exactly once, and right.

python -m benchmarks.batch_killed [--deals 50000] [--chunks 60] [coordinator|worker|pool|dask_worker|dask_scheduler]...
"""

from __future__ import annotations

import hashlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click

from benchmarks.batch import write_deals
from solver.batch.results import result_lines
from solver.batch.store import Store
from solver.batch.values import JobState

RIGHTBOWER = (sys.executable, "-c", "from solver.cli import main; main()")
KILLS = 3


class Trial:
    """A job in a directory of its own, and the processes that work on it."""

    def __init__(self, deals: Path, directory: Path, chunk: int) -> None:
        self.url = f"sqlite:///{directory}/jobs.sqlite"
        self.small = ("--lease", "2", "--chunk-bytes", str(chunk))
        self.command = ("batch", "run", str(deals), "--out", str(directory), "--db", self.url)
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._processes.append(process)
        return process

    def rightbower(self, *arguments: str) -> subprocess.Popen[bytes]:
        return self.start(*RIGHTBOWER, *arguments)

    def submit(self) -> None:
        if self.rightbower(*self.command, "--no-wait").wait():
            raise click.ClickException("the job could not be submitted")

    def done(self) -> int:
        """Chunks that are done, all of them if the job is."""
        store = Store(self.url)
        try:
            jobs = store.jobs()
            if not jobs:
                return 0
            return 1 << 30 if jobs[0].state == JobState.DONE else store.progress(jobs[0].id).done
        finally:
            store.close()

    def wait_for(self, chunks: int) -> None:
        while self.done() < chunks:
            time.sleep(0.05)

    def digest(self) -> tuple[str, int]:
        store = Store(self.url)
        try:
            (job,) = store.jobs()
            rows = b"".join(result_lines(store, job))
            return hashlib.sha256(rows).hexdigest(), rows.count(b"\n")
        finally:
            store.close()

    def close(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()


def coordinator(trial: Trial) -> None:
    for kill in range(KILLS):
        process = trial.rightbower(*trial.command, *trial.small)
        trial.wait_for(8 * (kill + 1))
        process.kill()
        process.wait()
    trial.rightbower(*trial.command, "--lease", "2").wait()


def worker(trial: Trial) -> None:
    trial.submit()
    for kill in range(KILLS):
        process = trial.rightbower("worker", "--db", trial.url, *trial.small)
        trial.wait_for(8 * (kill + 1))
        process.kill()
        process.wait()
    trial.rightbower("worker", "--db", trial.url, "--lease", "2")
    trial.wait_for(1 << 30)


def pool(trial: Trial) -> None:
    process = trial.rightbower(*trial.command, *trial.small, "--engine", "processes", "--workers", "2")
    for kill in range(KILLS):
        trial.wait_for(8 * (kill + 1))
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        pool_processes = [int(each) for each in listed if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]
        if pool_processes:
            os.kill(pool_processes[0], signal.SIGKILL)
    process.wait()


class _Cluster:
    def __init__(self, trial: Trial) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._trial = trial
        self.address = f"tcp://127.0.0.1:{self.port}"

    def scheduler(self) -> subprocess.Popen[bytes]:
        return self._dask("scheduler", "--port", str(self.port))

    def worker(self) -> subprocess.Popen[bytes]:
        return self._dask("worker", self.address, "--nthreads", "1", "--no-nanny")

    def _dask(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        module = f"distributed.cli.dask_{what}"
        return self._trial.start(sys.executable, "-m", module, *arguments, "--host", "127.0.0.1", "--no-dashboard")


def dask_worker(trial: Trial) -> None:
    cluster = _Cluster(trial)
    cluster.scheduler()
    workers = [cluster.worker(), cluster.worker()]
    process = trial.rightbower(*trial.command, *trial.small, "--engine", "dask", "--scheduler", cluster.address)
    for kill in range(KILLS):
        trial.wait_for(8 * (kill + 1))
        workers.append(cluster.worker())
        workers[kill].kill()
    process.wait()


def dask_scheduler(trial: Trial) -> None:
    cluster = _Cluster(trial)
    scheduler = cluster.scheduler()
    cluster.worker()
    process = trial.rightbower(*trial.command, *trial.small, "--engine", "dask", "--scheduler", cluster.address)
    for kill in range(KILLS):
        trial.wait_for(8 * (kill + 1))
        scheduler.kill()
        scheduler.wait()
        scheduler = cluster.scheduler()
        cluster.worker()
    process.wait()


VICTIMS: dict[str, Callable[[Trial], None]] = {
    each.__name__: each for each in (coordinator, worker, pool, dask_worker, dask_scheduler)
}


@click.command()
@click.argument("victims", nargs=-1, type=click.Choice(list(VICTIMS)))
@click.option("--deals", "number", default=50_000, show_default=True)
@click.option("--chunks", default=60, show_default=True)
def main(victims: tuple[str, ...], number: int, chunks: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        deals = Path(directory) / "deals.txt"
        write_deals(deals, number, 1)
        chunk = deals.stat().st_size // chunks
        expected = None
        for name in ("nobody", *(victims or VICTIMS)):
            at = Path(directory) / name
            at.mkdir()
            trial = Trial(deals, at, chunk)
            began = time.monotonic()
            try:
                if name == "nobody":
                    trial.rightbower(*trial.command).wait()
                else:
                    VICTIMS[name](trial)
                digest, rows = trial.digest()
            finally:
                trial.close()
            expected = expected or digest
            right = rows == number and digest == expected
            click.echo(
                f"{name}, killed {KILLS if name != 'nobody' else 0} times: {rows} rows, "
                f"{'each once and right' if right else 'WRONG'}, {time.monotonic() - began:.0f} s"
            )
            if not right:
                raise click.ClickException("rows were lost, repeated or changed")


if __name__ == "__main__":
    main()
