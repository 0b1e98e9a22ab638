"""The service and its worker as processes: one lifetime, and a batch from the file to its rows."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

from tests.api.test_serve import ask, environment, free_port, serving
from tests.batch.files import dealt_codes

COMMAND = "from solver.cli import main; main()"


def wait_for(true: Callable[[], object], seconds: float = 60.0) -> None:
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "it did not come"
        time.sleep(0.05)


def answers(port: int) -> bool:
    try:
        return ask(port, "GET", "/readyz")[0] == 200
    except OSError:
        return False


def children(process: subprocess.Popen[bytes]) -> list[int]:
    return [int(each) for each in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@contextmanager
def together(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], int, Path]]:
    port, said = free_port(), tmp_path / "said"
    variables = environment(RIGHTBOWER_HOME=str(tmp_path / "home"), RIGHTBOWER_LOG_LEVEL="warning")
    variables.pop("RIGHTBOWER_DB", None)
    command = [sys.executable, "-c", COMMAND, "serve", "--port", str(port)]
    with said.open("wb") as file, subprocess.Popen(command, env=variables, stderr=file) as process:
        try:
            wait_for(lambda: answers(port) and b"working on the jobs" in said.read_bytes())
            yield process, port, said
        finally:
            process.kill()


def test_a_file_handed_in_is_worked_on_and_both_stop_when_told_to(tmp_path: Path) -> None:
    with together(tmp_path) as (process, port, _):
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        codes = "".join(f"{code}\n" for code in dealt_codes(50, 5)).encode()
        # In chunks, as a client does that reads from a pipe.
        connection.request("POST", "/v1/batches", iter([codes[:100], codes[100:]]), {"Content-Type": "text/plain"})
        answer = connection.getresponse()
        assert answer.status == 202
        place = json.loads(answer.read())["links"]
        connection.close()
        wait_for(lambda: json.loads(ask(port, "GET", place["self"])[1])["state"] == "done")
        rows = [json.loads(line) for line in ask(port, "GET", place["results"])[1].splitlines()]
        assert [row["record"] for row in rows] == list(range(1, 51))
        both = children(process)
        assert len(both) == 2
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert not any(is_alive(each) for each in both)


def test_when_one_of_them_is_killed_the_other_stops_and_it_is_said(tmp_path: Path) -> None:
    with together(tmp_path) as (process, _, said):
        service, worker = children(process)
        os.kill(worker, signal.SIGKILL)
        assert process.wait(60) == 1
        assert not is_alive(service)
        assert re.search(rb"the worker ended by itself \(-9\)", said.read_bytes())


def test_when_the_command_is_killed_both_stop(tmp_path: Path) -> None:
    with together(tmp_path) as (process, port, _):
        both = children(process)
        process.kill()
        wait_for(lambda: not any(is_alive(each) for each in both))
        assert not answers(port)


def test_a_file_that_does_not_arrive_in_time_is_answered_408(tmp_path: Path) -> None:
    """A byte now and then keeps a connection from stalling: it must not keep a thread."""
    home = str(tmp_path / "home")
    with serving(RIGHTBOWER_HOME=home, RIGHTBOWER_UPLOAD_SECONDS="1", RIGHTBOWER_STALL_SECONDS="20") as (_, port):
        with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
            connection.sendall(b"POST /v1/batches HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
            connection.settimeout(0.2)
            answer = b""
            for _ in range(100):
                connection.sendall(b"x")
                try:
                    answer = connection.recv(4096)
                    break
                except TimeoutError:
                    continue
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert ask(port, "GET", "/healthz")[0] == 200
    assert list((tmp_path / "home" / "uploads").iterdir()) == []
