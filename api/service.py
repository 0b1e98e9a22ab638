"""What an application keeps besides its routes."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from threading import BoundedSemaphore, Event
from typing import cast

from flask import Flask, current_app

from api.config import Config
from api.jobs.desk import Desk
from api.metrics import Metrics

_NAME = "rightbower"


@dataclass(frozen=True)
class Service:
    """The settings, whether the process is about to stop, the places at the solver and those for files under way, the
    batches and the figures."""

    config: Config
    draining: Event = field(default_factory=Event)
    slots: BoundedSemaphore = field(init=False)
    transfers: BoundedSemaphore = field(init=False)
    desk: Desk = field(init=False)
    metrics: Metrics = field(init=False)

    def __post_init__(self) -> None:
        slots, desk = self.config.solver_slots or os.cpu_count() or 1, Desk(self.config)
        object.__setattr__(self, "slots", BoundedSemaphore(slots))
        object.__setattr__(self, "transfers", BoundedSemaphore(self.config.transfer_slots))
        object.__setattr__(self, "desk", desk)
        object.__setattr__(self, "metrics", Metrics(slots, desk))


def install(app: Flask, service: Service) -> None:
    app.extensions[_NAME] = service


def service_of(app: Flask) -> Service:
    return cast("Service", app.extensions[_NAME])


def service() -> Service:
    """That of the application that handles the request."""
    return service_of(current_app)
