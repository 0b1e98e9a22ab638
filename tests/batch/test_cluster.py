"""A Dask cluster of real processes: killed workers, a killed scheduler, workers that do not come, addresses."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from solver.batch.cluster import ClusterFailed, Dask, Tls, _refuse_unsafe
from solver.batch.engines import WrongVersion
from solver.batch.jobs import spec_of
from solver.batch.results import result_lines
from solver.batch.rows import unpack
from solver.batch.runner import Kept, Runner
from solver.batch.source import cut
from solver.batch.store import Store
from solver.batch.values import Cursor, JobState
from solver.batch.work import Task, run_chunk
from solver.cli import main
from solver.errors import InvalidInput
from solver.notation.batch_query import read_batch
from tests.batch.files import played_codes, write_lines

assert importlib.util.find_spec("distributed"), "the extra `cluster` belongs to the tests"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Cluster:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self) -> None:
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:], "--no-dashboard"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.processes.append(process)
        return process

    def scheduler(self, *more: str) -> subprocess.Popen[bytes]:
        return self.start("scheduler", "--host", "127.0.0.1", "--port", str(self.port), *more)

    def worker(self, *more: str) -> subprocess.Popen[bytes]:
        return self.start("worker", self.address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", *more)

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    made = Cluster()
    yield made
    made.close()


def test_killed_workers_and_a_killed_scheduler_lose_and_repeat_nothing(cluster: Cluster, tmp_path: Path) -> None:
    deals = write_lines(tmp_path / "deals.txt", played_codes(60, 1))
    spec = spec_of(read_batch({"kind": "trace"}), [deals], None)
    pieces, _ = cut(spec.sources, Cursor(), 10**6)
    expected = unpack(run_chunk(Task(spec, pieces)).rows or b"").splitlines()
    scheduler = cluster.scheduler()
    workers = [cluster.worker(), cluster.worker()]
    said: list[str] = []
    engine = Dask(cluster.address, said.append, give_up_after=120)
    store = Store(f"sqlite:///{tmp_path}/jobs.sqlite")
    job = store.submit(spec)
    done = 0

    def kill_in_turn(kept: Kept) -> None:
        nonlocal done
        done += 1
        if done == 3:
            workers[0].kill()
        if done == 10:
            scheduler.kill()
            scheduler.wait()
            threading.Thread(target=cluster.scheduler).start()
            cluster.worker()

    try:
        Runner(store, engine, job_id=job.id, size=1, told=kill_in_turn).run()
    finally:
        engine.close()
    assert done >= 10
    assert any("gone" in each for each in said)
    assert store.job(job.id).state == JobState.DONE
    assert store.progress(job.id).failed == 0
    assert b"".join(result_lines(store, job)).splitlines() == expected
    store.close()


def test_a_game_is_reviewed_by_a_cluster_as_by_threads(cluster: Cluster) -> None:
    cluster.scheduler()
    cluster.worker()
    game = Path(__file__).parent.parent / "data" / "egn" / "game27.egn"
    command = ["review", str(game), "--depth", "fast", "--json"]
    here = CliRunner().invoke(main, command)
    there = CliRunner().invoke(main, [*command, "--engine", "dask", "--scheduler", cluster.address])
    assert here.exit_code == there.exit_code == 1, "its revoke is named"
    assert json.loads(there.stdout) == json.loads(here.stdout)


#: Who makes the certificates. Where there is no such program there is no such test.
CERTIFIERS = ("openssl",) if shutil.which("openssl") else ()


@pytest.mark.parametrize("certifier", CERTIFIERS)
def test_a_cluster_asks_for_the_certificates_that_the_page_makes(
    cluster: Cluster, certifier: str, tmp_path: Path
) -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "deployment.md").read_text(encoding="utf-8")
    (commands,) = [block for block in re.findall(r"```\n(.*?)```", page, re.DOTALL) if f"{certifier} req" in block]
    (tmp_path / "somewhere-safe").mkdir()
    subprocess.run(["sh", "-e", "-c", commands], cwd=tmp_path, check=True, capture_output=True)
    files = Tls(*(str(tmp_path / "certs" / f"{name}.pem") for name in ("ca", "cert", "key")))
    options = [f"--tls-ca-file={files.ca}", f"--tls-cert={files.cert}", f"--tls-key={files.key}"]
    cluster.address = cluster.address.replace("tcp://", "tls://")
    cluster.scheduler("--protocol=tls", *options)
    cluster.worker(*options)
    deals = write_lines(tmp_path / "deals.txt", played_codes(3, 1))
    spec = spec_of(read_batch({"kind": "trace"}), [deals], None)
    pieces, _ = cut(spec.sources, Cursor(), 10**6)
    engine = Dask(cluster.address, print, tls=files, give_up_after=60)
    there = engine.submit(Task(spec, pieces)).result(timeout=60)
    engine.close()
    assert unpack(there.rows or b"") == unpack(run_chunk(Task(spec, pieces)).rows or b"") != b""
    with pytest.raises(ClusterFailed):
        Dask(f"tcp://127.0.0.1:{cluster.port}", print, give_up_after=0.1)


def test_a_cluster_without_workers_is_loud_and_then_given_up(cluster: Cluster) -> None:
    cluster.scheduler()
    said: list[str] = []
    with pytest.raises(ClusterFailed, match="no worker has joined"):
        Dask(cluster.address, said.append, loud_after=0.3, give_up_after=15)
    assert any("nothing is being done" in each for each in said)


def test_nobody_at_the_address_is_said_so() -> None:
    with pytest.raises(ClusterFailed, match="no scheduler answers"):
        Dask(f"tcp://127.0.0.1:{free_port()}", print, give_up_after=0.1)


def test_workers_with_another_solver_are_refused(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster.scheduler()
    cluster.worker()
    theirs = Dask.__init__.__globals__["engine_version"]

    def ours() -> str:
        return "rightbower 9.9"

    monkeypatch.setattr("solver.batch.cluster._asked_of_workers", theirs)
    monkeypatch.setattr("solver.batch.cluster.engine_version", ours)
    with pytest.raises(WrongVersion, match=r"this is rightbower 9\.9, but tcp://127"):
        Dask(cluster.address, print, give_up_after=120)


@pytest.mark.parametrize(
    ("scheduler", "tls"),
    [
        ("tcp://192.168.1.5:8786", None),
        ("tcp://example.org:8786", None),
        ("tls://127.0.0.1:8786", None),
        ("tcp://127.0.0.1:8786", Tls("ca", "cert", "key")),
        ("127.0.0.1:8786", None),
        ("tcp://127.0.0.1", None),
        ("tcp://127.0.0.1:port", None),
        ("http://127.0.0.1:8786", None),
    ],
)
def test_addresses_that_are_not_safe_are_refused(scheduler: str, tls: Tls | None) -> None:
    with pytest.raises(InvalidInput):
        _refuse_unsafe(scheduler, tls)


@pytest.mark.parametrize(
    ("scheduler", "tls"),
    [
        ("tcp://127.0.0.1:8786", None),
        ("tcp://localhost:8786", None),
        ("tcp://[::1]:8786", None),
        ("tls://example.org:8786", Tls("ca", "cert", "key")),
    ],
)
def test_loopback_and_tls_are_safe(scheduler: str, tls: Tls | None) -> None:
    _refuse_unsafe(scheduler, tls)
