"""What is asked of a batch, and the state of one, as JSON documents: shared by HTTP and the command line."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields
from marshmallow.validate import Length, OneOf, Range

from solver.notation.documents import Document, load

#: Forms that rows are written in.
OUTPUTS = ("ndjson", "csv", "parquet")


class BatchSchema(Document):
    """The work that is to be done on a file of records. Which kinds there are, and what each can be told, is the
    batch's own to judge."""

    kind = fields.String(load_default="tables", metadata={"description": "What is worked out for each record."})
    format = fields.String(metadata={"description": "The format of the records; by default it is detected."})
    output = fields.String(
        load_default=OUTPUTS[0],
        validate=OneOf(OUTPUTS, error="one of {choices} is needed"),
        metadata={"description": "The form of the rows."},
    )
    worlds = fields.Integer(strict=True, validate=Range(min=1), metadata={"description": "Worlds for each decision."})
    seed = fields.Integer(
        strict=True, validate=Range(0, 2**63 - 1), metadata={"description": "Equal seeds, equal answers."}
    )
    method = fields.String(metadata={"description": "How worlds are played out."})
    depth = fields.String(metadata={"description": "How closely games are reviewed."})
    key = fields.String(
        validate=Length(min=1, max=200),
        metadata={"description": "Idempotency key: who sends it again gets the same job."},
    )


class ProgressAnswer(Schema):
    """How far a job is."""

    planned = fields.Boolean(required=True, metadata={"description": "All of the input has been cut into chunks."})
    waiting = fields.Integer(required=True, metadata={"description": "Chunks that wait."})
    leased = fields.Integer(required=True, metadata={"description": "Chunks that are being done."})
    done = fields.Integer(required=True, metadata={"description": "Chunks that are done."})
    failed = fields.Integer(required=True, metadata={"description": "Chunks that were given up."})
    records = fields.Integer(required=True, metadata={"description": "Records read."})
    rows = fields.Integer(required=True, metadata={"description": "Rows written."})
    bad = fields.Integer(required=True, metadata={"description": "Records that are bad; each is named in the faults."})
    share = fields.Float(required=True, metadata={"description": "Of the input, 0 to 1."})
    rate = fields.Float(required=True, allow_none=True, metadata={"description": "Records a second."})
    seconds_left = fields.Float(required=True, allow_none=True)
    errors = fields.List(fields.String(), required=True, metadata={"description": "Why chunks were given up."})


class BatchAnswer(Schema):
    """A job and its progress."""

    id = fields.String(required=True, attribute="job.id")
    kind = fields.String(required=True, attribute="job.spec.kind")
    settings = fields.Dict(required=True, attribute="job.spec.settings")
    output = fields.String(required=True, attribute="job.spec.output")
    state = fields.String(required=True, attribute="job.state", metadata={"enum": ["running", "done", "cancelled"]})
    created = fields.Float(required=True, attribute="job.created", metadata={"description": "Seconds since 1970."})
    finished = fields.Float(required=True, allow_none=True, attribute="job.finished")
    progress = fields.Nested(ProgressAnswer, required=True)


def read_batch(document: object) -> dict[str, Any]:
    """The fields of a batch that was asked for. Raises `InvalidInput` with every fault."""
    loaded = load(BatchSchema(), document)
    assert isinstance(loaded, dict)
    return loaded
