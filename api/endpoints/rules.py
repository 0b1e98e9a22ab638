"""``GET /v1/rules``."""

from __future__ import annotations

from flask import Response, jsonify

from api.caching import cached
from api.rest import Blueprint
from api.schemas import RulesAnswer
from solver import rules_document

blueprint = Blueprint("rules", __name__, description="The ways to play.")


@blueprint.get("/v1/rules")
@blueprint.doc(operationId="listRules")
@cached
@blueprint.response(200, RulesAnswer, description="All presets and options.")
@blueprint.alt_response(304, description="What the client has still holds.")
def get() -> Response:
    """List the presets, and the options that a preset can be changed by.

    An option with `values` takes one of them, any other a whole number from `minimum` to `maximum`.
    """
    return jsonify(rules_document())
