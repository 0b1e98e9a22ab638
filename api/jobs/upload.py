"""The body of a request, block by block, and everything that can go wrong with it on the way."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from flask import Request
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import BadRequest, ClientDisconnected

from solver.errors import Fault, InvalidInput

#: Types that a file of records may be declared as. What is in it shows by itself.
MEDIA_TYPES = ("application/octet-stream", "text/plain", "application/json", "application/x-ndjson")
_BLOCK = 1 << 16


def body_blocks(request: Request, most: int, seconds: int) -> Iterator[bytes]:
    """What a client sends, as it arrives: at most so many bytes, in at most so many seconds.

    Raises `InvalidInput` (``request.media_type``, ``request.too_large``, ``request.too_slow``), `BadRequest` if the
    client breaks off.
    """
    # A client that says nothing means bytes of any kind (RFC 9110, 8.3).
    if request.mimetype and request.mimetype not in MEDIA_TYPES:
        message = f"the Content-Type is {request.mimetype[:100]!r}; it must be one of {', '.join(MEDIA_TYPES)}"
        raise InvalidInput([Fault("request.media_type", message)])
    length = request.content_length
    if length is not None and length > most:
        raise _too_large(most)
    request.max_content_length = most + 1  # instead of that for documents; one more than `most` is refused here
    taken = 0
    with _deadline(request, seconds) as late:
        while block := _read(request):
            taken += len(block)
            if taken > most:
                raise _too_large(most)
            if late():
                break
            yield block
        if late():
            message = f"the body took longer than {seconds} s to arrive"
            raise InvalidInput([Fault("request.too_slow", message)])
    if length is not None and taken < length:
        raise ClientDisconnected


def _read(request: Request) -> bytes:
    try:
        return request.stream.read(_BLOCK)
    except (OSError, ParseException) as error:  # gunicorn's words for chunks that are none
        raise BadRequest from error


def _too_large(most: int) -> InvalidInput:
    return InvalidInput([Fault("request.too_large", f"a file for a batch has at most {most} bytes here as it is sent")])


@contextmanager
def _deadline(request: Request, seconds: int) -> Iterator[_Late]:
    """Tells whether the time is up. Behind our own server the client is not heard any further then: else one that sends
    a byte now and then would hold a thread for days before a block is full."""
    late = _Late(time.monotonic() + seconds)
    connection = request.environ.get("gunicorn.socket")
    if connection is None:
        yield late
        return

    def stop_listening() -> None:
        with suppress(OSError):  # it is gone already
            connection.shutdown(socket.SHUT_RD)

    timer = threading.Timer(seconds, stop_listening)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()


class _Late:
    def __init__(self, ends: float) -> None:
        self._ends = ends

    def __call__(self) -> bool:
        return time.monotonic() >= self._ends
