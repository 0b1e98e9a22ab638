"""What runs chunks: threads of this process, processes of this machine, or a Dask cluster, behind one interface.

An engine owes nothing to anybody but speed: whatever it loses, the store knows, and gives to be done again.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Protocol

from solver.batch.values import Part
from solver.batch.work import Task, run_chunk
from solver.errors import RightbowerError

#: What an engine has to say to people.
Say = Callable[[str], None]


class EngineLost(RightbowerError):
    """The engine went away with the chunks that it had. None of them is to blame."""


class Engine(Protocol):
    """``slots`` chunks are done at a time. A future has the part, the work's own error, or `EngineLost`."""

    slots: int

    def submit(self, task: Task) -> Future[Part]: ...

    def recover(self) -> None:
        """Make it work again after `EngineLost`. Raises `RightbowerError` when there is no hope."""

    def close(self) -> None:
        """Wait for what is being done, begin nothing more."""


class Threads:
    """The kernel and the compressor release the GIL: the default, and the quickest on one machine for tables."""

    def __init__(self, slots: int | None = None) -> None:
        self.slots = slots or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self.slots, thread_name_prefix="batch")

    def submit(self, task: Task) -> Future[Part]:
        return self._pool.submit(run_chunk, task)

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

    def submit(self, task: Task) -> Future[Part]:
        try:
            return _Handed(self._pool.submit(run_chunk, task))
        except BrokenProcessPool:
            lost: Future[Part] = Future()
            lost.set_exception(EngineLost(_DIED))
            return lost

    def recover(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._new_pool()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


_DIED = "a process of the pool died"


class _Handed(Future[Part]):
    """A future of the pool, its breaking being told as `EngineLost`. What a process has begun is not cancelled."""

    def __init__(self, inner: Future[Part]) -> None:
        super().__init__()
        self._inner = inner
        inner.add_done_callback(self._take)

    def cancel(self) -> bool:
        return self._inner.cancel()

    def _take(self, inner: Future[Part]) -> None:
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
