"""``GET /metrics``."""

from __future__ import annotations

from flask import Response, request

from api.rest import Blueprint
from api.service import service

blueprint = Blueprint("metrics", __name__, description="Figures for Prometheus.")


@blueprint.get("/metrics")
@blueprint.doc(operationId="getMetrics")
@blueprint.response(200, {"type": "string"}, content_type="text/plain", description="All figures.")
def get() -> Response:
    """Tell how busy the service is.

    Requests and how long they took, places at the solver, and the batches there are.
    """
    text, media_type = service().metrics.text(request.headers.get("Accept", ""))
    return Response(text, content_type=media_type)
