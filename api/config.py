"""Every limit and default of the service, each with the environment variable that sets it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from solver.errors import RightbowerError

PREFIX = "RIGHTBOWER_"


class ConfigError(RightbowerError):
    """Settings that cannot be used; the message names each variable."""


def _whole(default: int, least: int, most: int, meaning: str) -> Any:
    def read(text: str) -> int:
        # int() alone would also take "1_000", "٣" and numbers too long to print.
        if re.fullmatch(r"[0-9]{1,12}", text) and least <= int(text) <= most:
            return int(text)
        raise ValueError(f"takes a whole number from {least} to {most}")

    return field(default=default, metadata={"read": read, "meaning": meaning})


def _text(default: str, meaning: str) -> Any:
    return field(default=default, metadata={"read": str, "meaning": meaning})


def _choice(*values: str, meaning: str) -> Any:
    """One of ``values``, the first by default."""

    def read(text: str) -> str:
        if text in values:
            return text
        raise ValueError(f"takes {', '.join(values)}")

    return field(default=values[0], metadata={"read": read, "meaning": meaning})


@dataclass(frozen=True, slots=True)
class Config:
    """The table. The variable of ``max_body_bytes`` is ``RIGHTBOWER_MAX_BODY_BYTES``, and so on."""

    max_body_bytes: int = _whole(2**20, 2**10, 2**30, "the largest request body; a larger one is answered 413")
    max_faults: int = _whole(200, 1, 100_000, "faults that an answer lists; it says how many more there are")
    home: str = _text(".rightbower", "the directory for what is kept: files for batches, and their database")
    db: str = _text("", "the database of batches, an SQLAlchemy URL; by default SQLite in the directory above")
    max_upload_bytes: int = _whole(2**30, 2**10, 2**40, "the largest file for a batch as it is sent")
    max_unpacked_bytes: int = _whole(2**33, 2**10, 2**40, "the largest file for a batch once it is unpacked")
    max_whole_bytes: int = _whole(
        2**26, 2**10, 2**40, "the largest file for a batch of a format without a record on each line"
    )
    max_spool_bytes: int = _whole(2**35, 2**10, 2**50, "bytes of all files that wait or are worked on; then 503")
    min_free_bytes: int = _whole(2**28, 0, 2**50, "bytes that files for batches leave free on the disk; else 503")
    max_jobs: int = _whole(100, 1, 100_000, "batches that may be open at once; another is answered 429")
    transfer_slots: int = _whole(4, 1, 10_000, "files and results of batches that are under way at once; then 503")
    upload_seconds: int = _whole(3600, 1, 7200, "how long a file for a batch may take to arrive")
    keep_hours: int = _whole(168, 1, 1_000_000, "how long a batch and its results are kept after it ended")
    rating_threads: int = _whole(2, 1, 64, "threads that one rating of a bid may use")
    review_threads: int = _whole(2, 1, 64, "threads that one review may use")
    review_deals: int = _whole(40, 1, 10_000, "deals that one review may have")
    review_seconds: int = _whole(120, 1, 3600, "how long one review may take before it is given up, answered 503")
    cache_seconds: int = _whole(3600, 0, 31_536_000, "how long a client may keep what changes only with a release")
    solver_slots: int = _whole(0, 0, 10_000, "requests at the solver at once; 0 is one for each processor")
    admission_seconds: int = _whole(20, 0, 3600, "how long a request waits for the solver before it is answered 503")
    log_level: str = _choice("info", "debug", "warning", "error", meaning="how much the server logs")
    keep_alive_seconds: int = _whole(5, 0, 3600, "how long an idle connection is kept open")
    stall_seconds: int = _whole(30, 1, 3600, "how long a client may pause while it sends a request or takes the answer")
    drain_notice_seconds: int = _whole(
        0, 0, 3600, "how long a server told to stop goes on serving while /readyz answers 503"
    )
    drain_seconds: int = _whole(30, 1, 3600, "how long a server that stops waits for requests under way")

    @property
    def home_directory(self) -> Path:
        return Path(self.home).resolve()

    @property
    def database(self) -> str:
        """The URL of the database of batches."""
        return self.db or f"sqlite:///{self.home_directory}/jobs.sqlite"


def variable(name: str) -> str:
    """The environment variable that sets a field of `Config`."""
    return PREFIX + name.upper()


def from_environment(environ: Mapping[str, str] = os.environ) -> Config:
    """The defaults, changed by what the environment says. An empty variable counts as not set.

    Raises `ConfigError` naming every variable that cannot be read.
    """
    values: dict[str, int | str] = {}
    problems: list[str] = []
    for spec in fields(Config):
        text = environ.get(variable(spec.name), "").strip()
        read: Callable[[str], int | str] = spec.metadata["read"]
        try:
            if text:
                values[spec.name] = read(text)
        except ValueError as error:
            problems.append(f"{variable(spec.name)} {error}, not {text[:40]!r}")
    if problems:
        raise ConfigError("; ".join(problems))
    return Config(**values)  # type: ignore[arg-type]  # each value was read by its own field
