"""flask-smorest with our reader of bodies and our errors."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeVar

import flask_smorest
from flask import Flask
from werkzeug import Response
from werkzeug.exceptions import HTTPException

from api.body import StrictParser
from api.errors import MEDIA_TYPE, http_error
from api.schemas import Plugin, ProblemAnswer, register

View = TypeVar("View", bound=Callable[..., Any])

#: What a body can be refused for.
BODY = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)
_MEANINGS = {
    HTTPStatus.BAD_REQUEST: "The body cannot be read: it is not what it says it is, or is not safe to read.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is larger than the limit.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body is of another type, or compressed in another way, than is taken.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "The request can be read, but is wrong; every fault is listed.",
    HTTPStatus.NOT_FOUND: "There is no such batch, or no longer.",
    HTTPStatus.REQUEST_TIMEOUT: "The body took too long to arrive.",
    HTTPStatus.CONFLICT: "The key belongs to a batch that does something else, or the rows are not kept here.",
    HTTPStatus.TOO_MANY_REQUESTS: "As many batches are open as may be: try again after `Retry-After`.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The service is about to stop, or full: try again after `Retry-After`. "
    "Without that header: the work takes too long for it.",
}
_ANY_PROBLEM = "PROBLEM"


class Blueprint(flask_smorest.Blueprint):
    """One endpoint."""

    ARGUMENTS_PARSER = StrictParser()

    def problems(self, *statuses: HTTPStatus) -> Callable[[View], View]:
        """Declare the errors that a view has of its own; what any request can meet is declared for all."""

        def declare(view: View) -> View:
            for status in statuses:
                view = self.alt_response(
                    status.value, schema=ProblemAnswer, content_type=MEDIA_TYPE, description=_MEANINGS[status]
                )(view)
            return view

        return declare


class Api(flask_smorest.Api):
    """All endpoints, and the document that describes them."""

    ERROR_SCHEMA = ProblemAnswer
    DEFAULT_ERROR_RESPONSE_NAME = _ANY_PROBLEM

    def init_app(self, app: Flask, **kwargs: Any) -> None:
        super().init_app(app, spec_kwargs={"marshmallow_plugin": Plugin()}, **kwargs)
        del self.spec.components.schemas["PaginationMetadata"]  # flask-smorest's, and used by nothing here
        register(self.spec)
        any_problem = {"description": "Any other error.", "content": {MEDIA_TYPE: {"schema": ProblemAnswer}}}
        self.spec.components.response(_ANY_PROBLEM, any_problem)

    def handle_http_exception(self, error: HTTPException) -> Response:
        return http_error(error)
