"""What does work: threads of this process, processes of this machine, or a Dask cluster, behind one interface.

An engine owes nothing to anybody but speed: whatever it loses, whoever sent it knows, and gives to be done again.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Protocol, TypeVar

from solver.analysis.values import engine_version
from solver.errors import RightbowerError

#: What an engine has to say to people.
Say = Callable[[str], None]


class EngineLost(RightbowerError):
    """The engine went away with the pieces that it had. None of them is to blame."""


class WrongVersion(RightbowerError):
    """Another version of the solver was asked than the one that the work was made for."""


def refuse_other_version(asked: str) -> None:
    """Raises `WrongVersion` unless this is that version of the solver."""
    if asked != engine_version():
        raise WrongVersion(f"the job was begun with {asked}, this is {engine_version()}")


T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Work(Protocol[T_co]):
    """A piece of work. It is sent as it is (pickled), and knows how it is done."""

    def run(self) -> T_co:
        """What comes of it, here. Raises `WrongVersion` where this is not the solver that it was made for."""

    def complete(self) -> Work[T_co]:
        """The work with all that it needs, for a machine that sees none of our files."""


def run(work: Work[T]) -> T:
    """Do it: what processes and other machines are sent by name."""
    return work.run()


class Engine(Protocol):
    """``slots`` pieces are done at a time. A future has what came of one, the work's own error, or `EngineLost`."""

    slots: int

    def submit(self, work: Work[T]) -> Future[T]: ...

    def recover(self) -> None:
        """Make it work again after `EngineLost`. Raises `RightbowerError` when there is no hope."""

    def close(self) -> None:
        """Wait for what is being done, begin nothing more."""


class Threads:
    """The kernel and the compressor release the GIL: the default, and the quickest on one machine for tables."""

    def __init__(self, slots: int | None = None) -> None:
        self.slots = slots or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self.slots, thread_name_prefix="batch")

    def submit(self, work: Work[T]) -> Future[T]:
        return self._pool.submit(run, work)

    def recover(self) -> None:
        pass

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


class Processes:
    """A process for each slot, ended when this one is, however this one ends: for work that is mostly Python."""

    def __init__(self, slots: int | None = None) -> None:
        self.slots = slots or os.cpu_count() or 1
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        # Not forked: threads of this process may hold locks at that moment.
        return ProcessPoolExecutor(self.slots, get_context("spawn"), end_with_parent, (os.getpid(),))

    def submit(self, work: Work[T]) -> Future[T]:
        try:
            return _Handed(self._pool.submit(run, work))
        except BrokenProcessPool:
            lost: Future[T] = Future()
            lost.set_exception(EngineLost(_DIED))
            return lost

    def recover(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._new_pool()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


_DIED = "a process of the pool died"


class _Handed(Future[T]):
    """A future of the pool, its breaking being told as `EngineLost`. What a process has begun is not cancelled."""

    def __init__(self, inner: Future[T]) -> None:
        super().__init__()
        self._inner = inner
        inner.add_done_callback(self._take)

    def cancel(self) -> bool:
        return self._inner.cancel()

    def _take(self, inner: Future[T]) -> None:
        if inner.cancelled():
            super().cancel()
        elif isinstance(error := inner.exception(), BrokenProcessPool):
            self.set_exception(EngineLost(_DIED))
        elif error is not None:
            self.set_exception(error)
        else:
            self.set_result(inner.result())


def end_with_parent(parent: int) -> None:
    """End this process when its parent has: a killed parent cannot tell its children."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
