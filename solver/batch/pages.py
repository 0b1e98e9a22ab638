"""What came of a job, a page at a time, while it goes on.

A page ends at a key, and the next begins there: no page counts from the first line on, and none is torn by what is
done meanwhile. While a job runs, its lines are given up to the first chunk that is not done yet, so that what follows
key by key is all of them, in the order of the records.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from solver.batch.rows import lines_between, unpacked
from solver.batch.values import Job, JobState, Part, Yield
from solver.batch.work import PARQUET
from solver.errors import Fault, InvalidInput, StorageFailed

if TYPE_CHECKING:
    from solver.batch.store import Store


class Lines(Enum):
    """What is read: the rows, or the bad records."""

    ROWS = "rows"
    FAULTS = "faults"


@dataclass(frozen=True, slots=True)
class Key:
    """The place before a line of what came of a chunk. Its text, ``12.3400``, is good for as long as the job is."""

    chunk: int = 0
    line: int = 0

    def __str__(self) -> str:
        return f"{self.chunk}.{self.line}"


def read_key(text: str) -> Key:
    """Raises `InvalidInput`."""
    found = re.fullmatch(r"([0-9]{1,9})\.([0-9]{1,12})", text, re.ASCII)
    if found is None:
        raise InvalidInput([Fault("field.invalid", "this is no key of a page")])
    return Key(int(found[1]), int(found[2]))


@dataclass(frozen=True, slots=True)
class Range:
    """Lines of one chunk, from ``start`` to before ``stop``."""

    chunk: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Page:
    """Lines that are there. ``next`` is where to go on; None: the job has ended, and these were the last."""

    what: Lines
    ranges: tuple[Range, ...]
    next: Key | None


def page(store: Store, job: Job, what: Lines, at: Key, most: int | None) -> Page:
    """The lines from a key on, at most so many.

    ``job`` is to be read before the page is: then nothing is taken for the end that is not. Of a job that was cancelled
    all is given that is done, and what is not done is passed over.

    Raises `InvalidInput` (``job.elsewhere``) where the rows are not in the database.
    """
    if what is Lines.ROWS and job.spec.output == PARQUET:
        message = "the rows of this job were written to files of Parquet"
        raise InvalidInput([Fault("job.elsewhere", message, ("job",))])
    running = job.state == JobState.RUNNING
    ranges: list[Range] = []
    room = most
    for each in store.yields(job.id, at.chunk):
        if room == 0 and running:
            break
        if each.is_open and running:
            break
        start = at.line if each.chunk == at.chunk else 0
        left = _number_of_lines(store, job, what, each) - start
        if left > 0 and room == 0:
            return Page(what, tuple(ranges), at)
        taken = left if room is None else min(left, room)
        if taken > 0:
            ranges.append(Range(each.chunk, start, start + taken))
        if room is not None:
            room -= max(taken, 0)
        at = Key(each.chunk, start + taken) if left > taken else Key(each.chunk + 1)
        if left > taken:
            break
    else:
        return Page(what, tuple(ranges), at if running else None)
    return Page(what, tuple(ranges), at)


def page_lines(store: Store, job: Job, page: Page) -> Iterator[bytes]:
    """The lines of a page, in blocks that are cut anywhere.

    Raises `StorageFailed` if the job was removed meanwhile.
    """
    for each in page.ranges:
        part = _part(store, job, page.what, each.chunk)
        packed = part.faults if page.what is Lines.FAULTS else part.rows
        assert packed is not None  # `page` has seen to it
        yield from lines_between(packed, each.start, each.stop)


def _part(store: Store, job: Job, what: Lines, chunk: int) -> Part:
    for number, part in store.parts(job.id, rows=what is Lines.ROWS, after=chunk - 1):
        if number == chunk:
            return part
        break
    raise StorageFailed(f"job {job.id} was removed while it was read")


def _number_of_lines(store: Store, job: Job, what: Lines, of: Yield) -> int:
    if what is Lines.ROWS:
        return of.rows
    if not of.bad:
        return 0
    # A record may have more than one line here, so that its number of bad records is not enough.
    return sum(block.count(b"\n") for block in unpacked(_part(store, job, what, of.chunk).faults))
