"""How the readers and writers of logs name what is wrong."""

from __future__ import annotations

from solver.errors import Fault, InvalidInput

Path = tuple[str | int, ...]


def bad(message: str, path: Path = (), code: str = "log.record") -> InvalidInput:
    """The error of one fault, to be raised."""
    return InvalidInput([Fault(code, message, path)])


def unwritable(format_name: str, what: str, path: Path = ()) -> Fault:
    """That a format has no place for something without which a deal would be another one."""
    return Fault("log.unwritable", f"{format_name} cannot hold {what}", path)


def shown(value: object) -> str:
    """A value as a message quotes it: in ASCII and never long."""
    text = ascii(value)
    return text if len(text) <= 40 else text[:36] + "..."
