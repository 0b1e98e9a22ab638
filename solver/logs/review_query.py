"""The body of ``review``: a game or a deal as a log has it, and how closely to look at it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict, cast

from marshmallow import INCLUDE, fields, post_load, validates_schema
from marshmallow.validate import Length, OneOf

from solver.errors import Fault, InvalidInput
from solver.game.position import Position
from solver.game.record import DealRecord, GameRecord
from solver.logs.egn.reading import game_of
from solver.logs.rebuild import recorded_faults
from solver.notation.documents import Document, at_places, load
from solver.notation.fields import SCHEMA_MESSAGES
from solver.notation.query import SEEDS
from solver.notation.record_document import RecordLine, read_record, read_recorded

#: The names that `solver.analysis.review.depths` knows; a test holds the two together.
DEPTH_NAMES = ("fast", "default", "deep")

_OPTIONS = ("depth", "seed")
#: What tells each of the forms; the first field is the one that is needed.
_EGN = ("fileType", "version", "metadata", "deals")
_FORMS: tuple[tuple[str, ...], ...] = (("code",), ("records",), _EGN)


class ReviewQuery(TypedDict, total=False):
    """The arguments of `solver.review`; what is left out has the default."""

    record: GameRecord
    settings: str
    seed: int


class ReviewSchema(Document):
    """A game or a deal that was played. Loads to a `ReviewQuery`.

    One of: a document of Euchre Game Notation as it stands, `fileType` and all; `records`, the lines of one game in the
    native format; or the deal `code` of a single deal. Faults in the play are no faults here: the review says what it
    could not look at, and why.
    """

    class Meta:
        unknown = INCLUDE  # EGN documents may have members of their own; `_unknown` names all others

    code = fields.String(metadata={"description": "A deal code: the review of this deal alone."})
    records = fields.List(
        fields.Dict(),
        validate=Length(min=1, error="at least one record belongs here"),
        metadata={"description": "Deals of one game, each an object as on a line of the native format (`jsonl`)."},
    )
    fileType = fields.String(metadata={"description": "`Euchre Game Notation`: the body is such a document."})  # noqa: N815
    version = fields.String(metadata={"description": "Of Euchre Game Notation, 1.x."})
    metadata = fields.Dict(metadata={"description": "The header of Euchre Game Notation: players, rules, score."})
    deals = fields.List(fields.Raw(metadata={"type": ["object", "string"]}))
    depth = fields.String(
        allow_none=True,
        validate=OneOf(DEPTH_NAMES, error="{choices} belongs here"),
        metadata={"description": "How closely to look; `default` by default."},
    )
    seed = fields.Integer(
        allow_none=True, strict=True, validate=SEEDS, metadata={"description": "Equal seeds give equal reviews."}
    )

    @validates_schema(skip_on_field_errors=False, pass_original=True)
    def check(self, data: Mapping[str, Any], original: Mapping[str, Any], **kwargs: Any) -> None:
        """Judge whatever could be read, so that all faults of a document come together."""
        faults = [*_form_faults(original), *_unknown(original)]
        if not any(fault.code == "field.conflict" for fault in faults):
            try:
                _game(data)
            except InvalidInput as error:
                # A field that could not be read has said so itself.
                faults += [each for each in error.faults if not _lost(each, data, original)]
        if faults:
            raise at_places(*(each if each.path else Fault(each.code, each.message, ("_schema",)) for each in faults))

    @post_load
    def make(self, data: Mapping[str, Any], **kwargs: Any) -> ReviewQuery:
        game = _game(data)
        assert game is not None  # said by the check
        query = ReviewQuery(record=game)
        if data.get("depth") is not None:
            query["settings"] = data["depth"]
        if data.get("seed") is not None:
            query["seed"] = data["seed"]
        return query


def read_review_query(document: object) -> ReviewQuery:
    """What a JSON document asks of `solver.review`. Raises `InvalidInput` with every fault."""
    return cast("ReviewQuery", load(ReviewSchema(), document))


def _lost(fault: Fault, data: Mapping[str, Any], original: Mapping[str, Any]) -> bool:
    """Whether the fault is of a field that could not be read."""
    return bool(fault.path) and fault.path[0] in original and fault.path[0] not in data


def _form_faults(original: Mapping[str, Any]) -> list[Fault]:
    """That there is no game, or more than one."""
    forms = [form for form in _FORMS if any(name in original for name in form)]
    if not forms:
        return [Fault("field.missing", "a code, records or an EGN document (fileType) is needed")]
    first, *others = forms
    return [
        Fault("field.conflict", f"{first[0]} says already what is to be reviewed", (name,))
        for form in others
        for name in form
        if name in original
    ]


def _unknown(original: Mapping[str, Any]) -> list[Fault]:
    if "fileType" in original:
        return []
    known = {*_OPTIONS, *(name for form in _FORMS for name in form)}
    message = SCHEMA_MESSAGES["unknown"]
    return [Fault("field.unknown", message, (name,)) for name in original if name not in known]


def _game(data: Mapping[str, Any]) -> GameRecord | None:
    """The game that the fields tell which could be read. Raises `InvalidInput` where that is wrong."""
    if any(name in data for name in _EGN):
        game = game_of({name: value for name, value in data.items() if name not in _OPTIONS})
        if not game.deals:
            none = Fault("log.record", "the document has no deal that could be read", ("deals",))
            raise InvalidInput(game.faults or [none])
        return game
    if "records" in data:
        return _from_records(data["records"])
    if "code" in data:
        try:
            position = read_recorded(data["code"])
        except InvalidInput as error:
            raise InvalidInput(Fault(each.code, each.message, ("code",)) for each in error.faults) from None
        return GameRecord(position.rules, (DealRecord(1, position, _judged(position, "code")),))
    return None


def _from_records(documents: list[object]) -> GameRecord | None:
    lines: list[RecordLine] = []
    faults: list[Fault] = []
    for at, document in enumerate(documents):
        try:
            lines.append(read_record(document))
        except InvalidInput as error:
            faults += [fault.under("records", at) for fault in error.faults]
            continue
        faults += [fault.under("records", at) for fault in _line_faults(lines[0], lines[-1])]
    if faults:
        raise InvalidInput(faults)
    if not lines:
        return None
    deals = []
    for at, line in enumerate(lines):
        assert line.position is not None  # said by `_line_faults`
        found = line.faults or _judged(line.position, "records", at, "code")
        deals.append(DealRecord(line.deal if line.deal is not None else at + 1, line.position, found, line.notes))
    head = lines[0]
    return GameRecord(
        head.rules, tuple(deals), head.title, head.players, head.initial_score, head.game_faults, head.game_notes
    )


def _line_faults(first: RecordLine, line: RecordLine) -> list[Fault]:
    """What keeps a line from being a deal of the game that the first one opens."""
    if line.position is None:
        return [Fault("field.missing", "a deal is needed here", ("code",))]
    of_game = ("game", "title", "players", "initial_score")
    faults = [
        Fault("field.conflict", f"the first record has another {name}: one game at a time", (name,))
        for name in of_game
        if getattr(line, name) != getattr(first, name)
    ]
    if line.rules != first.rules:
        faults.append(Fault("field.conflict", "the first record has other rules: one game at a time", ("code",)))
    return faults


def _judged(position: Position, *path: str | int) -> tuple[Fault, ...]:
    return tuple(fault.under(*path) for fault in recorded_faults(position))
