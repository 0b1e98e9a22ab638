"""How fast files are handed in over HTTP, and results read page by page.

python -m benchmarks.batch_http [--deals 1000000] [--limit 100000] [--kind tables]

The service is a process of its own, and so is the worker, which is started once the file is in; times are wall times
from the first byte to the last, of one client on the same machine.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import click
import zstandard

from benchmarks.batch import write_deals, write_played

_MAIN = "from solver.cli import main; main()"


@contextmanager
def running(home: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command of ours, ended with the block."""
    environ = {**os.environ, "RIGHTBOWER_HOME": str(home), "RIGHTBOWER_DB": f"sqlite:///{home}/jobs.sqlite"}
    process = subprocess.Popen([sys.executable, "-c", _MAIN, *arguments], env=environ, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=60)


class Client:
    """One client of the service."""

    def __init__(self, port: int) -> None:
        self._port = port

    def open(self, method: str, path: str, body: Any = None, **headers: str) -> HTTPResponse:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=600)
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        if answer.status >= 400:
            raise click.ClickException(f"{method} {path}: {answer.status} {answer.read()[:300].decode()}")
        return answer

    def wait(self) -> None:
        for _ in range(600):
            try:
                self.open("GET", "/readyz").read()
            except OSError:
                time.sleep(0.1)
            else:
                return
        raise click.ClickException("the service did not start")


def hand_in(client: Client, path: Path, kind: str, *, packed: bool) -> tuple[str, float]:
    """The batch and the seconds that it took to arrive. Each is one of its own."""
    headers = {"Content_Type": "text/plain", "Idempotency_Key": f"{path.name}-{packed}"}
    data = path.read_bytes()
    if packed:
        data, headers["Content_Encoding"] = zstandard.ZstdCompressor().compress(data), "zstd"
    began = time.perf_counter()
    answer = json.loads(client.open("POST", f"/v1/batches?kind={kind}", data, **headers).read())
    return answer["links"]["self"], time.perf_counter() - began


def read_pages(client: Client, path: str, limit: int) -> tuple[int, int, int, float]:
    """Pages, rows, bytes and seconds."""
    pages = rows = size = 0
    link: str | None = f"{path}/results?limit={limit}"
    began = time.perf_counter()
    while link is not None:
        answer = client.open("GET", link)
        while block := answer.read(1 << 20):
            rows += block.count(b"\n")
            size += len(block)
        pages += 1
        found = re.match(r"<([^>]*)>", answer.getheader("Link") or "")
        link = found[1] if found else None
    return pages, rows, size, time.perf_counter() - began


@click.command()
@click.option("--deals", default=1_000_000, show_default=True)
@click.option("--limit", default=100_000, show_default=True, help="Lines of a page.")
@click.option("--kind", default="tables", show_default=True, type=click.Choice(["tables", "trace"]))
def main(deals: int, limit: int, kind: str) -> None:
    with tempfile.TemporaryDirectory() as directory:
        home, path = Path(directory), Path(directory) / "deals.txt"
        (write_deals if kind == "tables" else write_played)(path, deals, 1)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port: int = free.getsockname()[1]
        client, megabytes = Client(port), path.stat().st_size / 1e6
        with running(home, "serve", "--port", str(port), "--batch-workers", "0"):
            client.wait()
            warm = home / "warm.txt"
            warm.write_bytes(path.read_bytes()[:10_000])
            hand_in(client, warm, kind, packed=False)  # which makes the tables of the database
            for packed in (True, False):
                place, taken = hand_in(client, path, kind, packed=packed)
                name = "compressed" if packed else "as it is"
                click.echo(f"{megabytes:.1f} MB handed in {name}: {taken:.2f} s, {megabytes / taken:.0f} MB/s unpacked")
                if packed:
                    client.open("DELETE", place).read()
            with running(home, "worker", "--db", f"sqlite:///{home}/jobs.sqlite"):
                began = time.perf_counter()
                while json.loads(client.open("GET", place).read())["state"] == "running":
                    time.sleep(0.2)
                taken = time.perf_counter() - began
                click.echo(f"{deals} records done by one worker after {taken:.1f} s, its start included")
            pages, rows, size, taken = read_pages(client, place, limit)
        click.echo(
            f"{rows} rows in {pages} pages of at most {limit}: {taken:.2f} s, {rows / taken:,.0f} rows/s,"
            f" {size / 1e6 / taken:.0f} MB/s"
        )


if __name__ == "__main__":
    main()
