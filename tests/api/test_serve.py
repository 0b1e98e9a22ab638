"""The service behind its own server, in a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

import api
from api.examples import POSITIONS

ROOT = Path(api.__file__).parents[1]
COMMAND = "import sys; from api.serve import serve; serve('127.0.0.1', int(sys.argv[1]), 1, 4)"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


def ask(port: int, method: str, path: str, body: object = None) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        if body is None:
            connection.request(method, path)
        else:
            connection.request(method, path, json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def environment(**variables: str) -> dict[str, str]:
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, **variables}


@contextmanager
def serving(**environ: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    port = free_port()
    command = [sys.executable, "-c", COMMAND, str(port)]
    with subprocess.Popen(command, env=environment(**environ), stderr=subprocess.DEVNULL) as process:
        try:
            for _ in range(300):
                try:
                    ask(port, "GET", "/readyz")
                    break
                except OSError:
                    time.sleep(0.05)
            yield process, port
        finally:
            process.kill()


def test_it_answers_and_says_that_it_stops_before_it_does() -> None:
    with serving(RIGHTBOWER_DRAIN_NOTICE_SECONDS="1") as (process, port):
        assert ask(port, "POST", "/v1/analyze", POSITIONS["code"]["value"])[0] == 200
        process.send_signal(signal.SIGTERM)
        for _ in range(100):
            status, body = ask(port, "GET", "/readyz")
            if status == 503:
                break
            time.sleep(0.01)
        assert (status, json.loads(body)["errors"][0]["code"]) == (503, "service.draining")
        assert ask(port, "POST", "/v1/analyze", POSITIONS["code"]["value"])[0] == 200
        assert process.wait(10) == 0


def test_broken_chunks_are_the_requests_fault() -> None:
    head = (
        b"POST /v1/analyze HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    with serving() as (_, port):
        for body in (b"zz\r\n{}\r\n", b"1\r\n{}}}\r\n", b"2\r\n{}\r\n0\r\nno trailer\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
                connection.sendall(head + body)
                assert b" 400 " in connection.recv(4096).partition(b"\r\n")[0]
        assert ask(port, "GET", "/healthz")[0] == 200


def test_a_review_ends_when_nobody_waits_for_it() -> None:
    """Without that it would take minutes, and end in a 200."""
    game = json.loads((Path(__file__).parents[1] / "data" / "egn" / "game04.egn").read_text(encoding="utf-8"))
    body = json.dumps({**game, "depth": "deep"}).encode()
    head = "POST /v1/review HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    with serving() as (_, port):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            figure(port, r"rightbower_solver_slots_used 1\.0")
        status = figure(port, r'rightbower_requests_total\{method="POST",route="/v1/review",status="(\d+)"\} 1\.0')
        assert status == ("400",)
        figure(port, r"rightbower_solver_slots_used 0\.0")


def figure(port: int, pattern: str) -> tuple[str, ...]:
    """What the pattern finds in the figures, once it does."""
    for _ in range(400):
        if found := re.search(pattern, ask(port, "GET", "/metrics")[1].decode()):
            return found.groups()
        time.sleep(0.05)
    raise AssertionError(pattern)


BROKEN = {
    "another protocol": (b"\x16\x03\x01\x02\x00\r\n\r\n", 400),
    "a method in small letters": (b"get / HTTP/1.1\r\n\r\n", 400),
    "two lengths": (b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    "a path that is not ASCII": ("GET /\u2665 HTTP/1.1\r\n\r\n".encode(), 400),
    "an endless line": (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n", 414),
    "an endless header": (b"GET / HTTP/1.1\r\nX: " + b"a" * 20_000 + b"\r\n\r\n", 431),
    "an expectation": (b"GET / HTTP/1.1\r\nExpect: wonders\r\n\r\n", 417),
}


def test_what_breaks_http_is_answered_with_a_problem_document_too() -> None:
    with serving() as (_, port):
        for name, (request, status) in BROKEN.items():
            with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
                connection.sendall(request)
                answer = HTTPResponse(connection)
                answer.begin()
                assert answer.status == status, name
                assert answer.getheader("Content-Type") == "application/problem+json", name
                document = json.loads(answer.read())
                assert document["status"] == status
                assert [fault["code"] for fault in document["errors"]] == ["request.invalid"]


def test_clients_that_stop_within_a_request_do_not_keep_others_waiting() -> None:
    head = b"POST /v1/analyze HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    with serving(RIGHTBOWER_STALL_SECONDS="1") as (_, port), ExitStack() as opened:
        stalled = [
            opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
            for _ in range(8)  # of which four take all threads
        ]
        for at, connection in enumerate(stalled):
            connection.sendall(head if at % 2 else head + b"Content-Length: 100\r\n\r\n{")
        assert ask(port, "GET", "/healthz")[0] == 200
        assert stalled[0].recv(4096).startswith(b"HTTP/1.1 400 ")
        assert stalled[1].recv(4096) == b""


def test_no_header_says_where_the_application_is_mounted() -> None:
    """gunicorn believes these from its own machine, and answers 500 when they do not fit the path."""
    with serving() as (_, port), socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nSCRIPT_NAME: /a\r\nPATH_INFO: /b\r\n\r\n")
        assert connection.recv(4096).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("path", ["/v1/analyze", "/v1/rules", "/nowhere"])
def test_a_connection_closed_after_a_large_body_is_said_to_close(path: str) -> None:
    """Else the next request on it, perhaps another client's behind a proxy, is lost without an answer."""
    with serving() as (_, port):
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        try:
            connection.request("POST", path, b" " * (2**20 + 1), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            assert answer.status in (404, 405, 413)
            assert answer.getheader("Connection") == "close"
        finally:
            connection.close()


def test_it_does_not_start_with_a_setting_that_cannot_be_read() -> None:
    variables = environment(RIGHTBOWER_DRAIN_SECONDS="long")
    command = [sys.executable, "-c", COMMAND, str(free_port())]
    done = subprocess.run(command, env=variables, capture_output=True, timeout=20, check=False)
    assert done.returncode != 0
    assert b"RIGHTBOWER_DRAIN_SECONDS takes a whole number" in done.stderr
