"""Pages for people, and the document that describes the service.

No page has a script or a style of its own between its lines: all come from files here, so that the content security
policy can forbid everything else.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import flask_swagger_ui
from apispec import APISpec
from flask import Flask, Response, abort, jsonify, render_template, send_from_directory

from api.caching import cached
from api.examples import POSITIONS

#: Swagger UI's files, as its wheel ships them: nothing is fetched from elsewhere.
_VIEWER = Path(flask_swagger_ui.__file__).parent / "dist"
_VIEWER_FILES = ("favicon-32x32.png", "swagger-ui.css", "swagger-ui-bundle.js")


def install(app: Flask, spec: APISpec) -> None:
    @app.get("/")
    @cached
    def home() -> str:
        return render_template("home.html", version=app.config["API_VERSION"], example=POSITIONS["code"]["value"])

    @app.get("/docs")
    @cached
    def docs() -> str:
        return render_template("docs.html")

    @app.get("/docs/<name>")
    @cached
    def viewer(name: str) -> Response:
        if name not in _VIEWER_FILES:
            abort(404)
        return send_from_directory(_VIEWER, name)

    @app.get("/openapi.json")
    @cached
    def openapi() -> Any:
        return jsonify(spec.to_dict())
