"""JSON that is safe to read: what other readers would guess at or choke on is refused."""

from __future__ import annotations

import json
import math
import re
from typing import NoReturn, TypeAlias

from solver.errors import Fault, InvalidInput

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

#: Arrays and objects within each other. The documents of this package need fewer than 15.
MAX_DEPTH = 64
#: Digits of a whole number. Python itself refuses to read, or later to print, numbers far above this.
MAX_DIGITS = 100

#: Arrays and objects of one text: empty ones are two bytes there, and seventy in memory. Real games have one for every
#: hundred bytes, and a file of ten thousand deals has half of these.
MAX_CONTAINERS = 1 << 18

#: With or without its end, so that no sign is looked at twice.
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+["\\]?', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def loads(source: str | bytes) -> Json:
    """The value of a JSON text, which as bytes must be UTF-8; a byte order mark is skipped.

    Refused beyond what is not JSON: a key twice in one object (readers differ in which one counts), NaN and Infinity
    and numbers that overflow to them, whole numbers of more than `MAX_DIGITS` digits, nesting deeper than `MAX_DEPTH`,
    more than `MAX_CONTAINERS` arrays and objects, and half a surrogate pair in a string, which no text can hold when it
    is written again.

    >>> loads('{"dealer": 0, "calls": ["Pass"]}')
    {'dealer': 0, 'calls': ['Pass']}

    Raises `InvalidInput` with the code ``json.invalid``.
    """
    text = _text(source)
    if _SURROGATE.search(text):
        _refuse("half a surrogate pair in the text")
    opened = _opened(text)
    if opened > MAX_CONTAINERS and _opened(_STRING.sub("", text)) > MAX_CONTAINERS:
        _refuse(f"more than {MAX_CONTAINERS} arrays and objects")
    try:
        value: Json = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        _refuse(f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})")
    except RecursionError:
        _refuse(f"nested deeper than {MAX_DEPTH}")
    # Both walks cost more than the reading; most texts show at a glance that they need neither.
    if opened > MAX_DEPTH:
        _check_depth(value)
    if _ESCAPED_SURROGATE.search(text):
        _check_strings(value)
    return value


def _text(source: str | bytes) -> str:
    if isinstance(source, str):
        return source.removeprefix("\ufeff")
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse(f"not UTF-8: byte {error.start} cannot be read")


def _opened(text: str) -> int:
    return text.count("[") + text.count("{")


def _refuse(message: str) -> NoReturn:
    raise InvalidInput([Fault("json.invalid", message)])


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                _refuse(f"the key {_quoted(key)} is twice in one object")
            seen.add(key)
    return found


def _constant(name: str) -> NoReturn:
    _refuse(f"{name} is not a number in JSON")


def _float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        _refuse(f"the number {_quoted(digits)} is too large")
    return value


def _int(digits: str) -> int:
    if len(digits.removeprefix("-")) > MAX_DIGITS:
        _refuse(f"a whole number of more than {MAX_DIGITS} digits")
    return int(digits)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_int)


def _children(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _check_depth(value: Json) -> None:
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(MAX_DEPTH):
        level = [child for each in level for child in _children(each) if isinstance(child, (dict, list))]
        if not level:
            return
    _refuse(f"nested deeper than {MAX_DEPTH}")


def _check_strings(value: Json) -> None:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        texts = list(each) if isinstance(each, dict) else [each] if isinstance(each, str) else []
        for text in texts:
            if _SURROGATE.search(text):
                _refuse(f"half a surrogate pair in {_quoted(text)}")
        waiting += _children(each)


def _quoted(text: str) -> str:
    shown = ascii(text)
    return shown if len(shown) <= 40 else shown[:36] + "...'"
