"""``GET /healthz`` and ``GET /readyz``, for whoever keeps the service running."""

from __future__ import annotations

from http import HTTPStatus

from marshmallow import Schema, fields

from api.rest import Blueprint
from api.service import service
from solver import Fault, InvalidInput

blueprint = Blueprint("health", __name__, description="Whether the service works, and whether it takes requests.")


class StatusAnswer(Schema):
    """That all is well."""

    status = fields.String(required=True)


@blueprint.get("/healthz")
@blueprint.doc(operationId="checkHealth")
@blueprint.response(200, StatusAnswer, description="The process answers.")
def live() -> dict[str, str]:
    """Say that the process is alive."""
    return {"status": "ok"}


@blueprint.get("/readyz")
@blueprint.doc(operationId="checkReadiness")
@blueprint.response(200, StatusAnswer, description="Requests are welcome.")
@blueprint.problems(HTTPStatus.SERVICE_UNAVAILABLE)
def ready() -> dict[str, str]:
    """Say whether to send requests here."""
    if service().draining.is_set():
        raise InvalidInput([Fault("service.draining", "the service is about to stop")])
    return {"status": "ready"}
