"""``POST /v1/analyze``."""

from __future__ import annotations

from http import HTTPStatus

from api.admission import admitted
from api.examples import POSITIONS
from api.rest import BODY, Blueprint
from solver import Analysis, AnalysisAnswer, AnalyzeSchema, Query, analyze

blueprint = Blueprint("analyze", __name__, description="The best action, and what every action is worth.")


@blueprint.post("/v1/analyze")
@blueprint.doc(operationId="analyze")
@blueprint.arguments(AnalyzeSchema, description="A deal, and all that happened to it.", examples=POSITIONS)
@blueprint.response(200, AnalysisAnswer, description="Every legal action and its outcome.")
@blueprint.problems(*BODY, HTTPStatus.SERVICE_UNAVAILABLE)
@admitted
def post(query: Query) -> Analysis:
    """Analyze a position.

    Says who decides what, and for each legal action how the deal ends when all then do what is best for their side.
    Before the contract is made, also every contract that can still be made, and par.
    """
    return analyze(**query)
