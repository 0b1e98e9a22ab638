"""What batches cost: throughput against the bare kernel, memory over many deals, where the time goes, bytes of a row.

python -m benchmarks.batch [--deals 100000] [--threads 2] [steps|reading|repeats|throughput|sizes|memory|kinds|log]...

Times are CPU seconds of the threads that worked where the machine may be busy with other things, so that they can be
compared on any; `throughput` compares wall times of the two in turns.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Generic
from unittest import mock

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.memory import resident
from solver import Position, Rules, Seat, random_deal, solve_contracts, write_code
from solver.batch import by_record, tables
from solver.batch.bulk import Deals, read_deals
from solver.batch.coded import whole_numbers
from solver.batch.engines import Processes, T, Threads, Work
from solver.batch.jobs import spec_of
from solver.batch.kinds import KINDS
from solver.batch.results import export
from solver.batch.rows import KEY, arrow_table, pack_lines
from solver.batch.runner import Runner
from solver.batch.source import Block, cut, records
from solver.batch.store import Store
from solver.batch.store_answers import keep_answers
from solver.batch.values import Cursor, Job, Part, Piece
from solver.batch.work import Task, parquet_bytes, run_chunk
from solver.game.auction import discards
from solver.game.position import Decision
from solver.notation.batch_query import read_batch

BLOCK = 100_000
#: Jobs of `throughput` for each form of output.
ROUNDS = 7


def write_deals(path: Path, number: int, seed: int) -> None:
    """A file of that many deal codes, quickly: every field has its fixed place."""
    letters = np.array([rank + suit for suit in "CDHS" for rank in "9TJQKA"], dtype="S2")
    random = np.random.default_rng(seed)
    with path.open("wb") as file:
        for start in range(0, number, BLOCK):
            rows = min(BLOCK, number - start)
            order = random.permuted(np.tile(np.arange(24), (rows, 1)), axis=1)
            cards = letters[order].view(np.uint8).reshape(rows, 24, 2)
            line = np.tile(np.frombuffer(b"american.N.JH.".ljust(57, b"-") + b"\n", np.uint8), (rows, 1))
            line[:, 9] = np.frombuffer(b"NESW", np.uint8)[random.integers(0, 4, rows)]
            line[:, 11:13] = cards[:, 20]
            for seat in range(4):
                line[:, 14 + 11 * seat : 24 + 11 * seat] = cards[:, 5 * seat : 5 * seat + 5].reshape(rows, 10)
            file.write(line.tobytes())


def write_played(path: Path, number: int, seed: int) -> None:
    """Deals that were bid and played at random, to the end."""
    random = Random(seed)
    with path.open("w", encoding="utf-8") as file:
        for _ in range(number):
            position = Position(random_deal(Rules(), random.choice(list(Seat)), random))
            while position.decision != Decision.OVER:
                position = _random_action(position, random)
            file.write(f"{write_code(position)}\n")


def _random_action(position: Position, random: Random) -> Position:
    if position.decision == Decision.PLAY:
        return position.after(card=random.choice(list(position.play().legal())))
    auction = position.auction
    assert auction is not None
    if position.decision == Decision.DISCARD:
        hand = position.deal.hands[auction.dealer]
        assert hand is not None
        return position.after(discard=random.choice(discards(auction, hand)))
    assert auction.to_act is not None
    bids = auction.legal_bids(position.deal.hands[auction.to_act])
    return position.after(bid=bids[0] if random.random() < 0.6 else random.choice(bids))


def bare(deals: Deals, threads: int) -> None:
    """The kernel by itself, with the contracts that a table of these deals has."""
    for seat in Seat:
        for suit in range(4):
            rows = (deals.dealer == seat) & (np.bitwise_count(deals.upcard - np.uint64(1)) // 8 == suit)
            columns = []
            for turn in range(4):
                trump = (suit + turn) % 4
                for out in (-1, 0, 1, 2, 3):
                    eldest = (seat + 1) % 4
                    leader = eldest if out != eldest else (eldest + 1) % 4
                    columns.append((trump, leader, out, seat if turn == 0 and out != seat else -1))
            shape = (int(rows.sum()), len(columns))
            arrays = (np.broadcast_to(column, shape) for column in np.array(columns).T)
            solve_contracts(deals.hands[rows], deals.upcard[rows], *arrays, threads=threads)


@contextmanager
def a_job(source: Path, **asked: object) -> Iterator[tuple[Store, Job, Path]]:
    directory = Path(tempfile.mkdtemp(prefix="batch-"))
    store = Store(f"sqlite:///{directory}/jobs.sqlite")
    try:
        yield store, store.submit(spec_of(read_batch(asked), [source], directory)), directory
    finally:
        store.close()
        shutil.rmtree(directory)


def throughput(source: Path, number: int, threads: int) -> None:
    """The whole of a job against the bare kernel on the same deals with as many threads, in turns: each job against the
    mean of the bare runs before and after it, as the machine is not always equally fast. And, whatever its speed, what
    part of a job's processor time its calls of the kernel take."""
    (deals,), _ = read_deals(source.read_bytes())

    def timed(work: Callable[[], None]) -> NDArray[np.float64]:
        began, began_cpu = time.perf_counter(), time.process_time()
        work()
        return np.array([time.perf_counter() - began, time.process_time() - began_cpu])

    for output in ("ndjson", "parquet"):
        alone, whole, inside = [timed(lambda: bare(deals, threads))], [], []
        for _ in range(ROUNDS):
            with a_job(source, kind="tables", output=output) as (store, job, _directory), _in_the_kernel() as seconds:
                whole.append(timed(lambda store=store, job=job: _brought_to_its_end(store, job, threads)))
            inside.append(sum(seconds) / whole[-1][1])
            alone.append(timed(lambda: bare(deals, threads)))
        shares = (np.array(alone[:-1]) + np.array(alone[1:])) / 2 / np.array(whole)
        wall, cpu = np.median(shares, axis=0)
        each = " ".join(f"{share:.0%}" for share in shares[:, 0])
        click.echo(
            f"{output}: {wall:.1%} of the bare kernel's throughput with {threads} threads by wall time ({each}),"
            f" {cpu:.1%} by CPU time; {np.median(inside):.1%} of a job's CPU time is in the kernel's calls;"
            f" {np.median(whole, axis=0)[1] / number * 1e6:.1f} us of CPU a deal"
        )


@contextmanager
def _in_the_kernel() -> Iterator[list[float]]:
    """CPU seconds of each call that a job makes of the kernel, as they come."""
    seconds: list[float] = []
    solve = tables.solve_contracts

    def timed(*arguments: Any, **named: Any) -> Any:
        began = time.thread_time()
        found = solve(*arguments, **named)
        seconds.append(time.thread_time() - began)
        return found

    with mock.patch.object(tables, "solve_contracts", timed):
        yield seconds


def _brought_to_its_end(store: Store, job: Job, threads: int) -> None:
    engine = Threads(threads)
    Runner(store, engine, job_id=job.id).run()
    engine.close()
    export(store, store.job(job.id))


def reading(_source: Path, number: int, _threads: int) -> None:
    """CPU microseconds a record of lines that were bid and played to the end, one thread: as this package writes them,
    and in another spelling. Each line comes once."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "played"
        write_played(path, min(number, 20_000), 1)
        codes = path.read_text(encoding="ascii").splitlines()
    wrapped = {"codes": "{}", "jsonl": '{{"rightbower":1,"game":1,"deal":1,"code":"{}"}}'}
    for at, (name, spelling) in enumerate(product(wrapped, ("as written", "other spellings"))):
        lines = codes[at::4]  # none that a cache has seen
        if spelling != "as written":
            lines = [_otherwise(code) for code in lines]
        data = "".join(f"{wrapped[name].format(code)}\n" for code in lines).encode()
        began = time.thread_time()
        found = sum(record.position is not None for record in records(Block(Piece(0, 0, len(data), 1), name, data)))
        taken = time.thread_time() - began
        click.echo(f"{name}, {spelling}: {taken / len(lines) * 1e6:.0f} us a record, {found} of {len(lines)} good")


def _otherwise(code: str) -> str:
    """The same with small letters in the hands, which is read on the slow way."""
    rules, dealer, upcard, hands, *rest = code.split(".")
    return ".".join([rules, dealer, upcard, hands.lower(), *rest])


def repeats(_source: Path, number: int, threads: int) -> None:
    """What knowing every record of a job costs. First the store by itself: as many answers as there are deals, each as
    long as that of a traced deal, kept chunk by chunk and then looked up in another order. Then a job of `trace` whose
    records come twice, far apart, in processes that remember none of them."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "played"
        write_played(path, 200, 1)
        spec = spec_of(read_batch({"kind": "trace"}), [path], None)
        pieces, _ = cut(spec.sources, Cursor(), 1 << 30)
        answers = list(run_chunk(Task(spec, pieces)).answers.values())
        store = Store(f"sqlite:///{directory}/jobs.sqlite")
        job = store.submit(spec)
        before, (kept, looked) = resident(), _kept_and_found(store, job.id, answers, number)
        after = resident()
        store.close()
        size = sum(each.stat().st_size for each in Path(directory).glob("jobs.sqlite*"))
    length = sum(map(len, answers)) / len(answers)
    click.echo(
        f"{number} answers: {kept:.1f} us to keep one, {looked:.1f} us to find one, {size / number:.0f} bytes each in"
        f" the database ({length:.0f} of them the answer), {after - before:+.0f} MB resident"
    )
    _job_of_repeats(min(number, 60_000), threads)


def _kept_and_found(store: Store, job: str, answers: list[bytes], number: int) -> tuple[float, float]:
    """CPU microseconds for each."""
    digests = [hashlib.blake2b(str(at).encode(), digest_size=16).digest() for at in range(number)]
    clock, begun = time.process_time, time.process_time()
    for at in range(0, number, 2000):
        new = {digest: answers[place % len(answers)] for place, digest in enumerate(digests[at : at + 2000])}
        with store.transaction() as connection:
            keep_answers(connection, job, new)
    kept, begun = clock() - begun, clock()
    Random(1).shuffle(digests)
    found = sum(len(store.known(job, digests[at : at + 2000])) for at in range(0, number, 2000))
    assert found == number
    return kept / number * 1e6, (clock() - begun) / number * 1e6


def _job_of_repeats(number: int, threads: int) -> None:
    """Seconds of the processes for chunks, for records that are new and for those that are known."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "played"
        write_played(path, number // 2, 2)
        path.write_text(path.read_text(encoding="ascii") * 2, encoding="ascii")
        parts: list[Part] = []
        with a_job(path, kind="trace") as (store, job, _directory):
            engine = _Forgetful(threads)
            Runner(store, engine, job_id=job.id, told=lambda kept: parts.append(kept.part or parts[-1])).run()
            engine.close()
    worked = sum(part.records - part.repeated for part in parts)
    known = [part for part in parts if part.repeated == part.records]
    new_ms = 1e3 * sum(part.seconds for part in parts if not part.repeated) / max(1, worked)
    known_ms = 1e3 * sum(part.seconds for part in known) / max(1, sum(part.records for part in known))
    click.echo(
        f"trace of {number} records, each of them twice: {worked} worked out, {new_ms:.2f} ms a record that is new,"
        f" {known_ms:.2f} ms one that is known"
    )


class _Forgetful(Processes):
    """Processes that remember nothing from one chunk to the next, as if each chunk had another machine."""

    def submit(self, work: Work[T]) -> Future[T]:
        return super().submit(_Afresh(work))


@dataclass(frozen=True)
class _Afresh(Generic[T]):
    work: Work[T]

    def run(self) -> T:
        by_record._memory = by_record.Memory(0)
        return self.work.run()

    def complete(self) -> _Afresh[T]:
        return self


def memory(source: Path, number: int, threads: int) -> None:
    """The largest resident size over a job, looked at every 50 ms; the deals and the process are separate from ours."""
    with a_job(source, kind="tables", output="parquet") as (_store, _job, directory):
        command = ("batch", "run", str(source), "--out", str(directory / "out"), "--format", "parquet")
        process = subprocess.Popen(
            [sys.executable, "-c", "from solver.cli import main; main()", *command, "--workers", str(threads)],
            stderr=subprocess.DEVNULL,
        )
        largest = 0.0
        while process.poll() is None:
            try:
                pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
            except (OSError, IndexError):
                break
            largest = max(largest, pages * os.sysconf("SC_PAGE_SIZE") / 1e6)
            time.sleep(0.05)
        status = process.wait()
    click.echo(f"{number} tables to Parquet: at most {largest:.0f} MB resident, exit status {status}")


def steps(source: Path, number: int, _threads: int) -> None:
    """CPU microseconds a deal of each step, one thread."""
    data = source.read_bytes()
    clock = time.thread_time
    marks = [clock()]
    (deals,), _ = read_deals(data)
    marks.append(clock())
    answers = tables.solve(deals)
    marks.append(clock())
    columns = [whole_numbers(np.zeros(number, np.int64)), whole_numbers(deals.line), *tables.rows_of(answers)]
    lines = pack_lines((*KEY, *tables.COLUMNS), columns)
    marks.append(clock())
    parquet = parquet_bytes(arrow_table((*KEY, *tables.COLUMNS), columns))
    marks.append(clock())
    bare(deals, 1)
    marks.append(clock())
    names = ("read", "solve", "lines of JSON, compressed", "Parquet", "(bare kernel)")
    for name, first, last in zip(names, marks, marks[1:], strict=False):
        click.echo(f"{name:<26} {(last - first) / number * 1e6:7.2f} us")
    click.echo(f"bytes a row: {len(lines) / number:.1f} compressed lines, {len(parquet) / number:.1f} Parquet")


def sizes(source: Path, number: int, threads: int) -> None:
    """Bytes that a job's rows take, in the database and as files."""
    for output in ("ndjson", "parquet"):
        with a_job(source, kind="tables", output=output) as (store, job, directory):
            engine = Threads(threads)
            Runner(store, engine, job_id=job.id).run()
            engine.close()
            store.close()
            database = sum(path.stat().st_size for path in directory.glob("jobs.sqlite*"))
            files = sum(path.stat().st_size for path in directory.glob("*.parquet"))
            chunks = store.job(job.id).chunks
        click.echo(
            f"{output}: database {database / number:.1f} bytes a deal, Parquet {files / number:.1f}, {chunks} chunks"
        )


def kinds(_source: Path, _number: int, _threads: int) -> None:
    """CPU seconds a deal of the kinds that look at deals as they were played, and bytes of its rows in Parquet."""
    with tempfile.TemporaryDirectory() as directory:
        for kind in KINDS[1:]:
            path = Path(directory) / kind.name
            number = {"trace": 2000, "advice": 100}.get(kind.name, 10)
            write_played(path, number, 1)
            spec = spec_of(read_batch({"kind": kind.name, "output": "parquet"}), [path], Path(directory))
            pieces, _ = cut(spec.sources, Cursor(), 1 << 30)
            # Of the process: a review has threads of its own.
            began = time.process_time()
            part = run_chunk(Task(spec, pieces))
            taken = time.process_time() - began
            rows, size = part.number_of_rows / number, len(part.rows or b"") / number
            click.echo(f"{kind.name:<8} {taken / number * 1e3:9.2f} ms a deal, {rows:.1f} rows, {size:.0f} bytes")


def log(_source: Path, number: int, threads: int) -> None:
    """A large file whose lines are all bad: nothing but reading, naming and keeping. Resident size while it goes."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "log.txt"
        line = b"american.N.JH." + b"x" * 985 + b"\n"
        with path.open("wb") as file:
            for _ in range(number // 1000):
                file.write(line * 1000)
        before, largest, ended = resident(), 0.0, threading.Event()

        def watch() -> None:
            nonlocal largest
            while not ended.wait(0.05):
                largest = max(largest, resident())

        watcher = threading.Thread(target=watch)
        watcher.start()
        with a_job(path, kind="tables", format="codes") as (store, job, _directory):
            engine = Threads(threads)
            Runner(store, engine, job_id=job.id).run()
            engine.close()
            bad = store.progress(job.id).bad
        ended.set()
        watcher.join()
        size = path.stat().st_size / 1e6
    click.echo(f"a log of {size:.0f} MB, {bad} bad records: {before:.0f} MB resident before, at most {largest:.0f} MB")


QUESTIONS = {each.__name__: each for each in (steps, reading, repeats, throughput, sizes, memory, kinds, log)}


@click.command()
@click.argument("questions", nargs=-1, type=click.Choice(list(QUESTIONS)))
@click.option("--deals", "number", default=100_000, show_default=True)
@click.option("--threads", default=2, show_default=True)
def main(questions: tuple[str, ...], number: int, threads: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory) / "deals.txt"
        write_deals(source, number, 1)
        for name in questions or QUESTIONS:
            QUESTIONS[name](source, number, threads)


if __name__ == "__main__":
    main()
