"""The values that jobs are made of. All of them go through JSON or pickle unchanged."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import msgspec

from solver.errors import Fault, InvalidInput

#: Bytes of input that one chunk holds at most, whatever the kind of work.
MOST_BYTES = 16 << 20
#: A chunk fails for good after so many errors of its own, or when so many owners died over it. The second number is
#: larger, as an owner that is killed takes every chunk it holds with it.
MOST_FAILURES, MOST_LOSSES = 3, 10

#: Seconds that a lease holds without being renewed; owners renew it three times as often.
LEASE = 60.0


class JobState(StrEnum):
    """``done`` is said of a job all of whose chunks are done or failed for good."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"


class ChunkState(StrEnum):
    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Source:
    """A file of records. Size and time of change tell whether it is still the file that was cut into chunks."""

    path: str
    format: str
    size: int
    changed: int


@dataclass(frozen=True, slots=True)
class Spec:
    """What a job is to do. ``settings`` are those of the kind; ``output`` is where and as what rows are kept:
    ``directory`` None keeps them in the database.

    Equal specs have equal keys: a job that is submitted again is the same job.
    """

    kind: str
    sources: tuple[Source, ...]
    settings: dict[str, Any] = field(default_factory=dict)
    output: str = "ndjson"
    directory: str | None = None
    engine: str = ""
    key_of_caller: str | None = None

    def key(self) -> str:
        """The idempotency key: the caller's own, or a digest of all that determines the answer and its place."""
        said = self.key_of_caller
        text = said.encode() if said is not None else msgspec.json.encode(self, order="sorted")
        return hashlib.sha256(text).hexdigest()


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in the sources: a file, a byte of it, and the number of the line that begins there, from 1."""

    file: int = 0
    byte: int = 0
    line: int = 1


@dataclass(frozen=True, slots=True)
class Piece:
    """Records that follow each other in one file: the bytes from ``start`` to ``stop``; ``line`` is the first line's
    number."""

    file: int
    start: int
    stop: int
    line: int

    @property
    def size(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, slots=True)
class Job:
    id: str
    spec: Spec
    state: JobState
    created: float
    finished: float | None
    planned_to: Cursor
    planned: bool
    chunks: int


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to do a chunk, until it expires or another has it. ``number`` is the fence."""

    job: str
    chunk: int
    number: int
    owner: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """What came of a chunk. ``rows`` are compressed lines, or Parquet until they have been put into ``file`` and are
    None here; ``number_of_rows`` rows answer ``records`` records, and ``bad`` of those have faults, each named in
    ``faults``, which are compressed lines, too. ``repeated``: how many records were answered by what was known;
    ``answers``: what is known now, by digests."""

    records: int
    number_of_rows: int
    bad: int
    seconds: float
    faults: bytes
    summary: dict[str, Any]
    rows: bytes | None = None
    file: str | None = None
    repeated: int = 0
    answers: Mapping[bytes, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Yield:
    """How many rows and bad records a chunk has come to: none unless it is done."""

    chunk: int
    state: ChunkState
    rows: int
    bad: int

    @property
    def is_open(self) -> bool:
        return self.state in (ChunkState.WAITING, ChunkState.LEASED)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is. ``share`` is that of the input's bytes; ``rate``, records a second, is that of the last chunks,
    and it and ``seconds_left`` are None while there is nothing to measure."""

    state: JobState
    planned: bool
    waiting: int
    leased: int
    done: int
    failed: int
    records: int
    rows: int
    bad: int
    share: float
    rate: float | None
    seconds_left: float | None
    errors: tuple[str, ...]


def new_owner() -> str:
    """A name that no other process has ever had."""
    return uuid.uuid4().hex


def refuse_more(running: int, most: int) -> None:
    """Raises `InvalidInput` (``job.too_many``) if so many jobs run already."""
    if running >= most:
        message = f"{running} batches are open, and no more than {most} may be at once"
        raise InvalidInput([Fault("job.too_many", message)])
