"""The service and those who work on its batches, as one: started together, stopped together."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from types import FrameType

from api.config import Config, from_environment
from solver.errors import RightbowerError

_SECONDS_BETWEEN_LOOKS = 0.1
#: Seconds that a worker may take for what it has begun, a chunk being some seconds' work.
_SECONDS_OF_A_WORKER = 60.0
_PR_SET_PDEATHSIG = 1


class PartStopped(RightbowerError):
    """One of them ended by itself, and so the others were stopped."""


def serve_together(options: Sequence[str], batch_workers: int, say: Callable[[str], None]) -> None:
    """Serve with so many workers until told to stop by TERM, INT or HUP; being told twice, they are killed.

    ``options`` are those of ``rightbower serve`` beside the number of workers.

    Raises `ConfigError`, before anything is started; `PartStopped`.
    """
    config = from_environment()
    config.home_directory.mkdir(parents=True, exist_ok=True)
    _Together(config, options, batch_workers, say).run()


class _Together:
    def __init__(self, config: Config, options: Sequence[str], batch_workers: int, say: Callable[[str], None]) -> None:
        # By the environment: a URL may hold a password, and everybody can read a command line.
        self._environ = {**os.environ, "RIGHTBOWER_DB": config.database}
        self._commands = {"the service": ["serve", *options, "--batch-workers", "0"]}
        for number in range(1, batch_workers + 1):
            name = "the worker" if batch_workers == 1 else f"worker {number}"
            self._commands[name] = ["worker"]
        self._seconds = max(_SECONDS_OF_A_WORKER, config.drain_notice_seconds + config.drain_seconds + 5.0)
        self._say = say
        self._told = 0
        self._parts: dict[str, subprocess.Popen[bytes]] = {}

    def run(self) -> None:
        numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
        before = {number: signal.signal(number, self._tell) for number in numbers}
        try:
            for name, command in self._commands.items():
                self._parts[name] = self._start(command)
            ended = self._watch()
            self._stop()
            if not self._told:
                raise PartStopped(f"{ended} ended by itself ({self._parts[ended].returncode}); all were stopped")
        finally:
            for part in self._parts.values():
                part.kill()
                part.wait()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _tell(self, number: int, frame: FrameType | None) -> None:
        self._told += 1

    def _start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        prepare = partial(_end_with, os.getpid())
        program = [sys.executable, "-c", "from solver.cli import main; main()", *command]
        # In a session of its own: Ctrl-C is told to us alone, and we tell it in order.
        return subprocess.Popen(program, env=self._environ, start_new_session=True, preexec_fn=prepare)  # noqa: PLW1509, S603

    def _watch(self) -> str:
        """Wait until told to stop, or until one has ended: then its name."""
        while not self._told:
            for name, part in self._parts.items():
                if part.poll() is not None:
                    return name
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        return ""

    def _stop(self) -> None:
        for part in self._parts.values():
            with suppress(ProcessLookupError):
                part.terminate()
        told, ends = self._told, time.monotonic() + self._seconds
        while any(part.poll() is None for part in self._parts.values()):
            if self._told > told or time.monotonic() > ends:
                self._say("not everything that was begun could be finished")
                return
            time.sleep(_SECONDS_BETWEEN_LOOKS)


def _end_with(parent: int) -> None:
    """Let the kernel send TERM to this process when its parent has died, however it died. Linux only."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it died before
        os._exit(1)
