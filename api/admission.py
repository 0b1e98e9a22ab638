"""As many requests at the solver at once as there are processors; the others wait, and health checks never do."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from api.service import service
from solver.errors import Fault, InvalidInput

P = ParamSpec("P")
R = TypeVar("R")


def admitted(view: Callable[P, R]) -> Callable[P, R]:
    """Let the view wait for a slot; after `Config.admission_seconds` the request is answered 503."""

    @wraps(view)
    def with_slot(*args: P.args, **kwargs: P.kwargs) -> R:
        here = service()
        slots, seconds = here.slots, here.config.admission_seconds
        if not slots.acquire(timeout=seconds):
            raise InvalidInput([Fault("service.full", f"no place at the solver became free within {seconds} s")])
        try:
            with here.metrics.solving.track_inprogress():
                return view(*args, **kwargs)
        finally:
            slots.release()

    return with_slot
