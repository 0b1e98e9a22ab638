"""What batches are asked for over HTTP, beside their files, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, pre_load
from marshmallow.validate import Range, Regexp

from api.jobs.decoding import DECODERS
from solver.batch.pages import Key, read_key
from solver.errors import InvalidInput
from solver.notation.batch_query import BatchAnswer, BatchSchema
from solver.notation.documents import Document

#: Lines of a page at most; without a limit it has all that there are.
MOST_LINES = 1_000_000
_NUMBERS = ("worlds", "seed")


class OptionsSchema(BatchSchema):
    """The work to be done, in the address. The file is the body, and rows are kept for it to be read."""

    class Meta(BatchSchema.Meta):
        exclude = ("output", "key")

    @pre_load
    def read_numbers(self, data: Mapping[str, Any], **kwargs: Any) -> dict[str, Any]:
        """In an address all is text, while the fields are those of JSON, where a number is no text."""
        given = {name: data[name] for name in data}
        for name in _NUMBERS:
            text = given.get(name)
            # int() alone would also take "1_000" and numbers too long to print.
            if isinstance(text, str) and text.isascii() and text.isdecimal() and len(text) < 20:
                given[name] = int(text)
        return given


class HeadersSchema(Schema):
    """What is said of the file."""

    key = fields.String(
        data_key="Idempotency-Key",
        validate=Regexp(r"[!-~]{1,200}\Z", error="a key is 1 to 200 visible ASCII characters"),
        metadata={"description": "Who sends it again, with the same file and options, gets the same batch."},
    )
    encoding = fields.String(
        data_key="Content-Encoding",
        metadata={"description": f"How the body is compressed: {', '.join(DECODERS)}."},
    )


class KeyField(fields.Field[Key]):
    """Where a page begins."""

    def _deserialize(self, value: object, *args: Any, **kwargs: Any) -> Key:
        try:
            return read_key(str(value))
        except InvalidInput as error:
            raise ValidationError(error.faults[0].message) from None


class PageSchema(Document):
    """Which lines are wanted."""

    after = KeyField(
        metadata={"type": "string", "description": "Go on from here: as the `Link` of the page before has it."},
    )
    limit = fields.Integer(
        validate=Range(1, MOST_LINES),
        metadata={"description": "Lines at most; all that there are without it."},
    )


class BatchLinksAnswer(Schema):
    """Where the rest of a batch is."""

    self = fields.String(required=True)
    results = fields.String(required=True)
    errors = fields.String(required=True)
    summary = fields.String(required=True)


class BatchStateAnswer(BatchAnswer):
    """A batch and how far it is."""

    links = fields.Nested(BatchLinksAnswer, required=True)


class BatchSummaryAnswer(Schema):
    """Sums over the rows of a batch."""

    job = fields.String(required=True)
    kind = fields.String(required=True)
    settings = fields.Dict(required=True)
    engine = fields.String(required=True, metadata={"description": "The solver that the batch was begun with."})
    records = fields.Integer(required=True)
    rows = fields.Integer(required=True)
    bad = fields.Integer(required=True)
    chunks_failed = fields.Integer(required=True)
    by = fields.Dict(
        required=True,
        metadata={"description": "Column, its value, then `rows` and the sum of each column that has sums."},
    )
