"""What an application keeps besides its routes."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from threading import BoundedSemaphore, Event
from typing import cast

from flask import Flask, current_app

from api.config import Config

_NAME = "rightbower"


@dataclass(frozen=True)
class Service:
    """The settings, whether the process is about to stop, and the places at the solver."""

    config: Config
    draining: Event = field(default_factory=Event)
    slots: BoundedSemaphore = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "slots", BoundedSemaphore(self.config.solver_slots or os.cpu_count() or 1))


def install(app: Flask, service: Service) -> None:
    app.extensions[_NAME] = service


def service_of(app: Flask) -> Service:
    return cast("Service", app.extensions[_NAME])


def service() -> Service:
    """That of the application that handles the request."""
    return service_of(current_app)
