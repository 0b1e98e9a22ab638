"""Everything that is not a success, as a problem document (RFC 9457)."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from http import HTTPStatus

from flask import Flask, request
from werkzeug import Response
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from api.service import service
from solver.errors import CODES, Fault, InvalidInput, StorageFailed

MEDIA_TYPE = "application/problem+json"

#: Faults that make a request unreadable, and their statuses; a request with any other can be read but not done.
_STATUS_OF_CODE = {
    "json.invalid": HTTPStatus.BAD_REQUEST,
    "job.conflict": HTTPStatus.CONFLICT,
    "job.elsewhere": HTTPStatus.CONFLICT,
    "job.too_many": HTTPStatus.TOO_MANY_REQUESTS,
    "job.unknown": HTTPStatus.NOT_FOUND,
    "request.abandoned": HTTPStatus.BAD_REQUEST,
    "request.encoding": HTTPStatus.BAD_REQUEST,
    "request.media_type": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    "request.too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "request.too_slow": HTTPStatus.REQUEST_TIMEOUT,
    "service.draining": HTTPStatus.SERVICE_UNAVAILABLE,
    "service.deadline": HTTPStatus.SERVICE_UNAVAILABLE,
    "service.full": HTTPStatus.SERVICE_UNAVAILABLE,
    "service.no_room": HTTPStatus.SERVICE_UNAVAILABLE,
    "service.storage": HTTPStatus.SERVICE_UNAVAILABLE,
}
#: Seconds after which another try may do.
_RETRY_AFTER = {
    "job.too_many": 30,
    "service.draining": 1,
    "service.full": 1,
    "service.no_room": 60,
    "service.storage": 5,
}
#: What the faults that Flask and Werkzeug find are called.
_CODE_OF_STATUS = {
    HTTPStatus.NOT_FOUND: "request.not_found",
    HTTPStatus.METHOD_NOT_ALLOWED: "request.method",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "request.too_large",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "request.media_type",
}
#: Faults that `detail` spells out; `errors` has them all.
_DETAILED = 3
_log = logging.getLogger(__name__)


def problem(status: HTTPStatus, faults: Sequence[Fault]) -> Response:
    """The document for one answer. ``type`` is ``about:blank``: the codes of the faults say which problem it is."""
    body = problem_document(status, faults, service().config.max_faults)
    return Response(body, status, content_type=MEDIA_TYPE)


def problem_document(status: HTTPStatus, faults: Sequence[Fault], most: int) -> bytes:
    """The body of such an answer, with at most so many faults."""
    shown = faults[:most]
    document = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "detail": _detail(faults, len(shown)),
        "errors": [{"code": fault.code, "path": fault.path, "message": fault.message} for fault in shown],
    }
    return json.dumps(document).encode("ascii")


def _detail(faults: Sequence[Fault], shown: int) -> str:
    if len(faults) > shown:
        return f"{len(faults)} faults, of which the first {shown} are listed"
    texts = [_shortened(str(fault)) for fault in faults[:_DETAILED]]
    more = len(faults) - len(texts)
    return "; ".join(texts) + (f"; and {more} more" if more else "")


def invalid_input(error: InvalidInput) -> Response:
    statuses = (_STATUS_OF_CODE.get(fault.code) for fault in error.faults)
    status = next(filter(None, statuses), HTTPStatus.UNPROCESSABLE_ENTITY)
    answer = problem(status, error.faults)
    # None after the deadline: the same request would take as long again.
    waits = [_RETRY_AFTER[fault.code] for fault in error.faults if fault.code in _RETRY_AFTER]
    if waits:
        answer.headers["Retry-After"] = str(max(waits))
    return answer


def storage_failed(error: StorageFailed) -> Response:
    """What the database said is for those who run it."""
    _log.error("the database of jobs: %s", error)
    return invalid_input(InvalidInput([Fault("service.storage", CODES["service.storage"])]))


def http_error(error: HTTPException) -> Response:
    """An error that Flask or Werkzeug found, its headers (``Allow``, ``Retry-After``) kept.

    An exception that nobody expected arrives here as a 500: Flask has logged it, and the answer says nothing of it.
    """
    if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
        return error.get_response(request.environ)
    status = HTTPStatus(error.code)
    other = "service.failed" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "request.invalid"
    code = _CODE_OF_STATUS.get(status, other)
    answer = problem(status, [Fault(code, _message(code, error))])
    for name, value in error.get_headers(request.environ):
        if name != "Content-Type":
            answer.headers.add(name, value)
    return answer


def _message(code: str, error: HTTPException) -> str:
    match code:
        case "request.not_found":
            return f"there is nothing at {_shortened(request.path)}"
        case "request.method" if isinstance(error, MethodNotAllowed):
            taken = ", ".join(sorted(error.valid_methods or ()))
            return f"{_shortened(request.method)} is not taken here; taken are {taken}"
        case "request.too_large":
            return f"a body has at most {request.max_content_length} bytes here"
    return CODES[code]


def _shortened(text: str, most: int = 200) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


def install(app: Flask) -> None:
    """For our own errors; flask-smorest sends every `HTTPException` to `api.rest.Api`."""
    app.register_error_handler(InvalidInput, invalid_input)
    app.register_error_handler(StorageFailed, storage_failed)
