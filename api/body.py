"""Request bodies: strict JSON, and every fault of a document at its own place."""

from __future__ import annotations

from typing import Any, NoReturn

from flask import Request
from gunicorn.http.errors import ParseException
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import BadRequest, ClientDisconnected, RequestEntityTooLarge

from solver.errors import Fault, InvalidInput
from solver.notation.fields import SCHEMA_MESSAGES, faults_of
from solver.notation.strict_json import Json, loads

JSON = "application/json"


class StrictParser(FlaskParser):
    """webargs with our reader.

    Its own answers 500 to deep nesting and to very long numbers, lets keys stand twice, and takes a body of another
    media type for an empty one, and leaves out what it does not know in the query, or what stands there again.
    """

    #: None: as the schema says, which refuses what it does not know.
    DEFAULT_UNKNOWN_BY_LOCATION = FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION | {"query": None}

    def load_json(self, req: Request, schema: Schema) -> Json:
        if req.mimetype != JSON:
            given = f"is {req.mimetype[:100]!r}" if req.mimetype else "is missing"
            _refuse_media(f"the Content-Type {given}; it must be {JSON!r}")
        encoding = req.headers.get("Content-Encoding", "identity").strip().lower()
        if encoding not in ("", "identity"):
            _refuse_media(f"the Content-Encoding is {encoding[:100]!r}; send the body as it is")
        document = loads(_read(req))
        if not isinstance(document, dict):
            # Else the checks of the schema would go on to list all that an empty document lacks.
            raise InvalidInput([Fault("field.invalid", SCHEMA_MESSAGES["type"])])
        return document

    def load_querystring(self, req: Request, schema: Schema) -> Any:
        again = [name for name, values in req.args.lists() if len(values) > 1]
        if again:
            raise InvalidInput([Fault("field.invalid", "it is given more than once", (name,)) for name in again])
        return super().load_querystring(req, schema)

    def handle_error(self, error: ValidationError, *args: Any, **kwargs: Any) -> NoReturn:
        # The first step of each path is the part of the request, "json".
        faults = [Fault(fault.code, fault.message, fault.path[1:]) for fault in faults_of(error)]
        raise InvalidInput(faults) from None


def _read(req: Request) -> bytes:
    """The whole body. Behind a server that knows where a body ends, werkzeug leaves these checks to us."""
    try:
        body = req.get_data(cache=False)
    except (OSError, ParseException) as error:  # gunicorn's words for chunks that are none
        raise BadRequest from error
    if req.content_length is None and len(body) == req.max_content_length:
        raise RequestEntityTooLarge  # there may be more: reading stops at the limit without a word
    if req.content_length is not None and len(body) < req.content_length:
        raise ClientDisconnected
    return body


def _refuse_media(message: str) -> NoReturn:
    raise InvalidInput([Fault("request.media_type", message)])
