"""The service behind gunicorn: few processes, many threads."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import socket
import struct
import sys
import tempfile
from contextlib import suppress
from http import HTTPStatus
from threading import Timer
from types import FrameType
from typing import Any, ClassVar

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.http import errors as framing
from gunicorn.http.message import Request
from gunicorn.workers.gthread import TConn, ThreadWorker

from api import create_app
from api.config import Config, from_environment
from api.errors import MEDIA_TYPE, problem_document
from api.metrics import DIRECTORY
from api.service import service_of
from solver.errors import CODES, Fault


def serve(host: str, port: int, workers: int, threads: int) -> None:
    """Serve until told to stop; then finish the requests under way, and return by `SystemExit`.

    Raises `ConfigError` for an environment that cannot be used, before anything is started.
    """
    config = from_environment()
    if workers > 1:
        _share_figures()
    logging.basicConfig(
        level=config.log_level.upper(),
        stream=sys.stderr,
        format="%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s",
    )
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it tells each step of opening a database
    _Server(config, host, port, workers, threads).run()


def _share_figures() -> None:
    """Give the figures of all processes a place in common, for any of them to tell."""
    directory = tempfile.mkdtemp(prefix="rightbower-metrics-")
    atexit.register(_remove_figures, directory, os.getpid())
    os.environ[DIRECTORY] = directory


def _remove_figures(directory: str, process: int) -> None:
    if os.getpid() == process:  # and not one that was forked from it
        shutil.rmtree(directory, ignore_errors=True)


def _forget_process(_: object, worker: Worker) -> None:
    """What a process that has gone was doing, nobody does any more; what it had counted stays."""
    if DIRECTORY in os.environ:
        from prometheus_client.multiprocess import mark_process_dead  # not before the directory is named

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]  # its authors left it without types


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
            # By default a request from this machine may say by headers where the application is mounted.
            "forwarder_headers": "",
            "proc_name": "rightbower",
            "child_exit": _forget_process,
        }
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._settings.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Called in each worker: locks and threads made before a fork would not work after it."""
        return create_app(self._service)


class Worker(ThreadWorker):
    """gunicorn's worker with threads, and our answers to what never reaches the application.

    On ``/readyz`` it says that it is about to stop, for as long as it takes others to notice.
    """

    #: Where gunicorn finds that a request breaks HTTP, and what is answered; 400 to all that is not here.
    STATUSES: ClassVar[dict[type[Exception], HTTPStatus]] = {
        framing.LimitRequestLine: HTTPStatus.REQUEST_URI_TOO_LONG,
        framing.LimitRequestHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
        framing.ExpectationFailed: HTTPStatus.EXPECTATION_FAILED,
        framing.UnsupportedTransferCoding: HTTPStatus.NOT_IMPLEMENTED,
    }
    #: Parts of the same family that are no fault of the request.
    OURS = (framing.ConfigurationProblem, framing.InvalidResponseHeader, framing.InvalidResponseHeaderName)
    #: Bytes of a body that nobody read which gunicorn skips to get at the next request.
    SKIPPED = 2**16

    def handle(self, conn: TConn) -> object:
        """Let go of a client that stops sending or taking in the middle: it would hold its thread for good."""
        if isinstance(self.wsgi, Flask):
            # Not the socket's own timeout: gunicorn takes that back.
            pause = struct.pack("ll", service_of(self.wsgi).config.stall_seconds, 0)
            for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
                conn.sock.setsockopt(socket.SOL_SOCKET, option, pause)
        return super().handle(conn)

    def init_process(self) -> None:
        # gunicorn reports as its own failure, with a traceback, what a client did not send in time.
        self.log.error_log.addFilter(
            lambda record: not (record.exc_info and isinstance(record.exc_info[1], BlockingIOError))
        )
        super().init_process()

    def handle_request(self, req: Request, conn: TConn) -> bool:
        """Close the connection after a large body: unread, it would be closed without a word, and take along the next
        request.
        """
        headers = dict(req.headers)
        if int(headers.get("CONTENT-LENGTH", 0)) > self.SKIPPED or "TRANSFER-ENCODING" in headers:
            req.force_close()
        again: bool = super().handle_request(req, conn)
        return again

    def handle_error(self, req: Request | None, client: socket.socket, addr: Any, exc: BaseException) -> None:
        """A problem document, like all errors, where gunicorn has a page of its own."""
        if isinstance(exc, framing.ParseException) and not isinstance(exc, self.OURS):
            status = self.STATUSES.get(type(exc), HTTPStatus.BAD_REQUEST)
            fault = Fault("request.invalid", f"the request breaks the rules of HTTP: {ascii(str(exc))[1:-1][:200]}")
            self.log.info("Refused a request: %s", fault.message)
        else:
            status = HTTPStatus.INTERNAL_SERVER_ERROR
            fault = Fault("service.failed", CODES["service.failed"])
            self.log.error("Failed to answer a request", exc_info=exc)
        body = problem_document(status, [fault], 1)
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\nContent-Type: {MEDIA_TYPE}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        with suppress(OSError):  # a client that has gone
            client.sendall(head.encode("ascii") + body)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not isinstance(self.wsgi, Flask):  # told to stop while it was starting
            super().handle_exit(sig, frame)
            return
        service = service_of(self.wsgi)
        if not service.draining.is_set():
            service.draining.set()
            Timer(service.config.drain_notice_seconds, super().handle_exit, (sig, frame)).start()
