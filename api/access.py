"""One line in the log for each request."""

from __future__ import annotations

import logging
import time

from flask import Flask, Response, g, request

_log = logging.getLogger("api.access")


def install(app: Flask) -> None:
    @app.before_request
    def start() -> None:
        g.started = time.perf_counter()

    @app.after_request
    def report(answer: Response) -> Response:
        milliseconds = 1000 * (time.perf_counter() - g.started)
        # %r: a path may hold line breaks, and a line of the log is one request.
        _log.info(
            "%s %s %r %d %.1f ms", request.remote_addr, request.method, request.path, answer.status_code, milliseconds
        )
        return answer
