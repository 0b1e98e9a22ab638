"""Files that were sent, in a directory of their own, until the jobs that read them have ended.

A file is called by the digest of its bytes and has always the same time of change: equal files sent twice are one file,
and, as a job is known by the files it reads, equal work asked for twice is one job. No name comes from a client.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from solver.errors import Fault, InvalidInput, StorageFailed

_ARRIVING = ".arriving-"
#: Seconds after which a file that nobody refers to is taken for left behind: longer than an upload may take to become
#: a job.
_LEFT_BEHIND = 2 * 3600
#: Bytes of a file that arrive between two looks at the room that is left: others arrive meanwhile.
_BETWEEN_LOOKS = 16 << 20
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True)
class Arrived:
    """A file that is all there, under a name for now."""

    path: Path
    digest: str


@dataclass(frozen=True)
class Spool:
    """``most_bytes`` for all files, and at least ``free_bytes`` left to others on the disk."""

    directory: Path
    most_bytes: int
    free_bytes: int

    @contextmanager
    def received(self, blocks: Iterable[bytes], most: int) -> Iterator[Arrived]:
        """Write a file, of at most so many bytes. It is removed at the end of the block unless it was kept.

        Raises `InvalidInput`: ``request.too_large``, or ``service.no_room``.
        """
        room = self._room()
        try:
            handle, name = tempfile.mkstemp(prefix=_ARRIVING, dir=self.directory)
        except OSError as error:
            raise _refusal(error) from error
        path = Path(name)
        digest, size, looked = hashlib.sha256(), 0, 0
        try:
            with os.fdopen(handle, "wb", buffering=0) as file:
                for block in blocks:
                    if size - looked >= _BETWEEN_LOOKS:
                        room, looked = size + self._room(), size
                    size += len(block)
                    if size > most:
                        message = f"a file for a batch has at most {most} bytes here once it is unpacked"
                        raise InvalidInput([Fault("request.too_large", message)])
                    if size > room:
                        raise _no_room()
                    digest.update(block)
                    _write(file.fileno(), block)
                _settle(file.fileno())
            yield Arrived(path, digest.hexdigest())
        finally:
            path.unlink(missing_ok=True)

    def place(self, arrived: Arrived) -> Path:
        """Where `keep` puts it."""
        return self.directory / arrived.digest

    def keep(self, arrived: Arrived) -> None:
        """Put it under its own name, on the disk before anything refers to it."""
        try:
            arrived.path.replace(self.place(arrived))
            directory = os.open(self.directory, os.O_RDONLY)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)
        except OSError as error:
            raise _refusal(error) from error

    def sweep(self, wanted: Collection[Path]) -> None:
        """Remove what no job wants, and what was left by a server that was killed."""
        for path, status in self._files():
            # The time of change is fixed; that of the entry is when it came under this name.
            if path not in wanted and status.st_ctime < time.time() - _LEFT_BEHIND:
                path.unlink(missing_ok=True)

    def _room(self) -> int:
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            free = shutil.disk_usage(self.directory).free - self.free_bytes
        except OSError as error:
            raise _refusal(error) from error
        room = min(self.most_bytes - sum(status.st_size for _, status in self._files()), free)
        if room <= 0:
            raise _no_room()
        return room

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        for path in self.directory.glob("*") if self.directory.is_dir() else ():
            try:
                yield path, path.stat()
            except FileNotFoundError:  # another process was quicker
                continue


def _write(handle: int, block: bytes) -> None:
    view = memoryview(block)
    try:
        while view:
            view = view[os.write(handle, view) :]
    except OSError as error:
        raise _refusal(error) from error


def _settle(handle: int) -> None:
    try:
        os.fsync(handle)
        os.utime(handle, ns=(0, 0))
    except OSError as error:
        raise _refusal(error) from error


def _no_room() -> InvalidInput:
    return InvalidInput([Fault("service.no_room", "there is no room on disk for this file now")])


def _refusal(error: OSError) -> InvalidInput | StorageFailed:
    if error.errno in _FULL:
        return _no_room()
    return StorageFailed(f"the directory of uploads did not take a file: {error.strerror or error}")
