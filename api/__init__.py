"""The HTTP service."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from flask import Flask

from api import access, errors, headers, metrics, web
from api.config import Config, ConfigError, from_environment
from api.endpoints import ENDPOINTS
from api.rest import Api
from api.service import Service, install

__all__ = ["Config", "ConfigError", "create_app"]


def create_app(config: Config | Mapping[str, Any] | None = None) -> Flask:
    """The application, to be served by any WSGI server: ``gunicorn 'api:create_app()'``.

    A `Config` is used instead of the environment's; a mapping is for Flask itself (``{"TESTING": True}``).

    Raises `ConfigError` for an environment that cannot be used.
    """
    settings = config if isinstance(config, Config) else from_environment()
    app = Flask(__name__, static_folder="web/static", template_folder="web/templates")
    app.config.from_mapping(
        API_TITLE="Rightbower",
        API_VERSION=version("rightbower"),
        OPENAPI_VERSION="3.1.0",
        MAX_CONTENT_LENGTH=settings.max_body_bytes,
    )
    if isinstance(config, Mapping):
        app.config.from_mapping(config)
    app.json.sort_keys = False  # type: ignore[attr-defined]  # fields come in the order of the contract
    app.url_map.merge_slashes = False  # "//v1/rules" is no address, rather than a redirect
    service = Service(settings)
    install(app, service)
    access.install(app)
    metrics.install(app, service.metrics)
    headers.install(app)
    rest = Api(app)
    for blueprint in ENDPOINTS:
        rest.register_blueprint(blueprint)
    errors.install(app)
    web.install(app, rest.spec)
    return app
