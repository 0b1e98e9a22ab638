"""``/v1/batches``: files of many records, worked on by workers, their results read page by page."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from flask import Response, url_for

from api.batch_schemas import BatchStateAnswer, BatchSummaryAnswer, HeadersSchema, OptionsSchema, PageSchema
from api.examples import FILES
from api.jobs.desk import Lines, State
from api.jobs.transfer import lines_answer, received
from api.rest import Blueprint
from api.service import service

blueprint = Blueprint("batches", __name__, description="Many records at once.")

_UNKNOWN = HTTPStatus.NOT_FOUND
_DOWN = HTTPStatus.SERVICE_UNAVAILABLE
_LINE = {"type": "string", "description": "A line of JSON for each."}
_LINES = "application/x-ndjson"
_LINK = {
    "Link": {"description": 'Where to go on (`rel="next"`), if there is more or may be.', "schema": {"type": "string"}}
}


@blueprint.post("/v1/batches")
@blueprint.doc(operationId="createBatch", requestBody=FILES)
@blueprint.arguments(OptionsSchema, location="query")
@blueprint.arguments(HeadersSchema, location="headers")
@blueprint.response(
    202,
    BatchStateAnswer,
    description="The batch, which is worked on from now on.",
    headers={"Location": {"description": "Where its state is.", "schema": {"type": "string"}}},
)
@blueprint.problems(
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.CONFLICT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.TOO_MANY_REQUESTS,
    _DOWN,
)
def post(options: dict[str, Any], headers: dict[str, Any]) -> tuple[State, int, dict[str, str]]:
    """Hand in a file of records.

    The body is the file itself, in any known format, as it is or compressed. The same file with the same options is the
    same batch, for as long as it is kept; an `Idempotency-Key` gives it one of its own.
    """
    desk = service().desk
    job = received(options, **headers)
    return desk.state(job.id), HTTPStatus.ACCEPTED, {"Location": url_for("batches.get", job_id=job.id)}


@blueprint.get("/v1/batches/<job_id>")
@blueprint.doc(operationId="getBatch")
@blueprint.response(200, BatchStateAnswer, description="The batch.")
@blueprint.problems(_UNKNOWN, _DOWN)
def get(job_id: str) -> State:
    """Say how far a batch is."""
    return service().desk.state(job_id)


@blueprint.delete("/v1/batches/<job_id>")
@blueprint.doc(operationId="cancelBatch")
@blueprint.response(200, BatchStateAnswer, description="The batch as it is now.")
@blueprint.problems(_UNKNOWN, _DOWN)
def delete(job_id: str) -> State:
    """Cancel a batch.

    Nothing more of it is begun; what is done stays and can be read. One that is done stays done.
    """
    return service().desk.cancel(job_id)


@blueprint.get("/v1/batches/<job_id>/results")
@blueprint.doc(operationId="getBatchResults")
@blueprint.arguments(PageSchema, location="query")
@blueprint.response(200, _LINE, content_type=_LINES, description="A line for each row.", headers=_LINK)
@blueprint.problems(_UNKNOWN, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY, _DOWN)
def results(options: dict[str, Any], job_id: str) -> Response:
    """Read rows.

    In the order of the records; while the batch runs, up to the first that is not done. Follow `Link` until there is
    none, and you have them all.
    """
    return lines_answer(job_id, Lines.ROWS, **options)


@blueprint.get("/v1/batches/<job_id>/errors")
@blueprint.doc(operationId="getBatchErrors")
@blueprint.arguments(PageSchema, location="query")
@blueprint.response(200, _LINE, content_type=_LINES, description="A line for each bad record.", headers=_LINK)
@blueprint.problems(_UNKNOWN, HTTPStatus.UNPROCESSABLE_ENTITY, _DOWN)
def errors(options: dict[str, Any], job_id: str) -> Response:
    """Read which records were bad, and why.

    A line has `record`, its number in the file, and `errors` as problem documents have them. Pages are as those of
    results.
    """
    return lines_answer(job_id, Lines.FAULTS, **options)


@blueprint.get("/v1/batches/<job_id>/summary")
@blueprint.doc(operationId="getBatchSummary")
@blueprint.response(200, BatchSummaryAnswer, description="The sums.")
@blueprint.problems(_UNKNOWN, _DOWN)
def summary(job_id: str) -> dict[str, Any]:
    """Sum up what there is so far.

    By player, seat, kind of contract and grade: whatever the kind of work has columns for.
    """
    return service().desk.summary(job_id)
