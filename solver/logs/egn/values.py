"""Members of a document, of the type that belongs there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

from solver.logs.faults import Path, bad, shown
from solver.notation.strict_json import Json

FILE_TYPE: Final = "Euchre Game Notation"

_T = TypeVar("_T")

_KINDS: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    bool: "true or false",
}


def typed(value: object, kind: type[_T], path: Path, what: str) -> _T:
    # A bool is an int in Python: `"dealer": true` must not pass for seat 1.
    if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
        return value
    raise bad(f"{what} is {_KINDS[kind]}, not {shown(value)}", path)


def member(node: Mapping[str, object], key: str, kind: type[_T], path: Path, what: str) -> _T:
    if key not in node:
        raise bad(f"{what} is missing", (*path, key))
    return typed(node[key], kind, (*path, key), what)


def optional(node: Mapping[str, object], key: str, kind: type[_T], path: Path, what: str) -> _T | None:
    return typed(node[key], kind, (*path, key), what) if node.get(key) is not None else None


def rest(node: Mapping[str, Json], *consumed: str) -> dict[str, Json]:
    return {key: value for key, value in node.items() if key not in consumed}


#: Names of versions 1.0 and 1.1 -> the names since 1.2.
_FORMER_NAMES: Final = {
    "alone_defender": "aloneDefender",
    "alternative_lines": "alternativeLines",
    "branch_index": "branchIndex",
    "call_annotations": "callAnnotations",
    "calls_annotations": "callAnnotations",
    "deal_number": "dealNumber",
    "file_type": "fileType",
    "initial_score": "initialScore",
    "initial_state": "initialState",
    "is_alone": "isAlone",
    "phase_number": "phaseNumber",
    "play_annotations": "playAnnotations",
    "tricks_annotations": "playAnnotations",
    "up_card": "upCard",
}


def renamed(value: Json) -> Json:
    """The same with every former name replaced, unless the present one is there too."""
    if isinstance(value, list):
        return [renamed(each) for each in value]
    if not isinstance(value, dict):
        return value
    fresh = {key: now for key in value if (now := _FORMER_NAMES.get(key, key)) == key or now not in value}
    return {fresh.get(key, key): renamed(each) for key, each in value.items()}
