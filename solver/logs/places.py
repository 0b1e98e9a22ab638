"""Where in a log a fault is, in words for people."""

from __future__ import annotations

import re

from solver.errors import Fault

_LINE = re.compile(r"line (\d+): ")
_PLACES = re.compile(r"((?:deal \d+|trick \d+)(?:, (?:trick \d+|[NESW]))*): ")
_AT_THE_END = re.compile(r" \((trick \d+, [NESW])\)$")


def on_line(fault: Fault, at: int) -> Fault:
    """The fault at line ``at`` of its file, from 0; its path goes on within the line."""
    return Fault(fault.code, f"line {at + 1}: {fault.message}", ("lines", at, *fault.path))


def printable(text: str) -> str:
    """The text as a terminal may be shown it: what comes from files, names of files included, is not to command it.

    >>> printable("An\\x1b[31mn")
    'An?[31mn'
    """
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def placed(fault: Fault, file: str, deal: int | None = None) -> str:
    """A fault of a record of ``file`` as ``file:line: deal 3, trick 2, E: what is wrong [code]``.

    ``deal`` is the number of the record, None for a fault of the game or the file. The line is known where a format
    has a record a line; trick and seat are where the message names them. What comes of it is `printable`.
    """
    message = fault.message
    where = file
    match fault.path:
        case ("lines", int(at), *_):
            where += f":{at + 1}"
            if found := _LINE.match(message):
                message = message[found.end() :]
    steps = [] if deal is None else [f"deal {deal}"]
    if found := _PLACES.match(message):
        message = message[found.end() :]
        steps += [step for step in found[1].split(", ") if step not in steps]
    if found := _AT_THE_END.search(message):
        message = message[: found.start()]
        steps += [step for step in found[1].split(", ") if step not in steps]
    inside = f"{', '.join(steps)}: " if steps else ""
    return printable(f"{where}: {inside}{message} [{fault.code}]")
