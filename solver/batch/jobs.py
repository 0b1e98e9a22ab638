"""What is asked of a batch, made into a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from solver.analysis.values import engine_version
from solver.batch.kinds import kind_named, settings_of
from solver.batch.source import place_of, source
from solver.batch.values import Source, Spec
from solver.batch.work import PARQUET
from solver.errors import Fault, InvalidInput

_SETTINGS = ("worlds", "seed", "method", "depth")


def spec_of(asked: Mapping[str, Any], files: Sequence[Path], directory: Path | None) -> Spec:
    """The job that does what is ``asked``, the fields of `solver.notation.batch_query.BatchSchema`, on files.

    Raises `InvalidInput` with every fault: kind, settings, files that cannot be read, an extra that is not installed.
    """
    faults: list[Fault] = []
    sources: list[Source] = []
    settings: dict[str, Any] = {}
    try:
        kind = kind_named(asked["kind"])
        settings = settings_of(kind, {name: asked.get(name) for name in _SETTINGS})
    except InvalidInput as error:
        faults += error.faults
    for path in files:
        try:
            sources.append(source(path, asked.get("format")))
        except InvalidInput as error:
            faults += error.faults
    output = asked["output"]
    if output == PARQUET and not _has_pyarrow():
        message = "Parquet needs the extra: pip install 'rightbower[analytics]'"
        faults.append(Fault("field.invalid", message, ("output",)))
    if faults:
        raise InvalidInput(faults)
    where = None if directory is None else place_of(directory)
    return Spec(asked["kind"], tuple(sources), settings, output, where, engine_version(), asked.get("key"))


def _has_pyarrow() -> bool:
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        return False
    return True
