"""Answers that change only with a release."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from flask import make_response, request
from flask.typing import ResponseReturnValue
from werkzeug import Response

from api.service import service

P = ParamSpec("P")


def cached(view: Callable[P, ResponseReturnValue]) -> Callable[P, Response]:
    """Let clients keep the answer for a while, and then ask by its ``ETag`` whether it still holds (304)."""

    @wraps(view)
    def with_validators(*args: P.args, **kwargs: P.kwargs) -> Response:
        answer = make_response(view(*args, **kwargs))
        answer.cache_control.public = True
        answer.cache_control.no_cache = None  # files are sent with it
        answer.cache_control.max_age = service().config.cache_seconds
        answer.direct_passthrough = False  # a file that is sent as a stream has no tag otherwise
        answer.add_etag()
        return answer.make_conditional(request)

    return with_validators
