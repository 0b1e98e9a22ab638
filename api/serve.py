"""The service behind gunicorn: few processes, many threads."""

from __future__ import annotations

import logging
import sys
from threading import Timer
from types import FrameType
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.workers.gthread import ThreadWorker

from api import create_app
from api.config import Config, from_environment
from api.service import service_of


def serve(host: str, port: int, workers: int, threads: int) -> None:
    """Serve until told to stop; then finish the requests under way, and return by `SystemExit`.

    Raises `ConfigError` for an environment that cannot be used, before anything is started.
    """
    config = from_environment()
    logging.basicConfig(
        level=config.log_level.upper(),
        stream=sys.stderr,
        format="%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s",
    )
    _Server(config, host, port, workers, threads).run()


class _Server(BaseApplication):
    def __init__(self, config: Config, host: str, port: int, workers: int, threads: int) -> None:
        address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._service = config
        self._settings: dict[str, Any] = {
            "bind": address,
            "workers": workers,
            "threads": threads,
            "worker_class": f"{__name__}.Worker",
            "keepalive": config.keep_alive_seconds,
            "graceful_timeout": config.drain_notice_seconds + config.drain_seconds,
            "loglevel": config.log_level,
            "control_socket_disable": True,
            "proc_name": "rightbower",
        }
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._settings.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Called in each worker: locks and threads made before a fork would not work after it."""
        return create_app(self._service)


class Worker(ThreadWorker):
    """A worker that says on ``/readyz`` that it is about to stop, for as long as it takes others to notice."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not isinstance(self.wsgi, Flask):  # told to stop while it was starting
            super().handle_exit(sig, frame)
            return
        service = service_of(self.wsgi)
        if not service.draining.is_set():
            service.draining.set()
            Timer(service.config.drain_notice_seconds, super().handle_exit, (sig, frame)).start()
