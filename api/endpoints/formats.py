"""``GET /v1/formats``."""

from __future__ import annotations

from flask import Response, jsonify

from api.caching import cached
from api.rest import Blueprint
from api.schemas import FormatsAnswer
from solver import formats_document

blueprint = Blueprint("formats", __name__, description="The log formats that are read.")


@blueprint.get("/v1/formats")
@blueprint.doc(operationId="listFormats")
@cached
@blueprint.response(200, FormatsAnswer, description="All formats.")
@blueprint.alt_response(304, description="What the client has still holds.")
def get() -> Response:
    """List the log formats.

    A file's format is detected from its content, in this order.
    """
    return jsonify(formats_document())
