"""What an application keeps besides its routes."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event
from typing import cast

from flask import Flask, current_app

from api.config import Config

_NAME = "rightbower"


@dataclass(frozen=True)
class Service:
    """The settings, and whether the process is about to stop."""

    config: Config
    draining: Event = field(default_factory=Event)


def install(app: Flask, service: Service) -> None:
    app.extensions[_NAME] = service


def service_of(app: Flask) -> Service:
    return cast("Service", app.extensions[_NAME])


def service() -> Service:
    """That of the application that handles the request."""
    return service_of(current_app)
