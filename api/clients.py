"""Whether anybody still waits for an answer."""

from __future__ import annotations

import select
import socket

from flask import request

#: That the other side has closed its half of the connection; where it is not known, only a reset is seen.
_CLOSED = getattr(select, "POLLRDHUP", 0) | select.POLLHUP | select.POLLERR


def has_gone() -> bool:
    """Whether the client of this request has closed its connection, as far as the server lets us see it.

    A client that closes its half alone and reads on counts as gone too: the two look the same until something is sent.
    """
    connection = request.environ.get("gunicorn.socket")
    if not isinstance(connection, socket.socket):
        return False
    if connection.fileno() < 0:
        return True
    looking = select.poll()
    looking.register(connection, _CLOSED)
    return bool(looking.poll(0))
