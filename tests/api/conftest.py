from __future__ import annotations

import atexit
import os
import tempfile

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api import create_app

# Before any application is made, some of them while test modules are imported: none of them may write beside the tests.
_HOME = tempfile.TemporaryDirectory()
atexit.register(_HOME.cleanup)
os.environ["RIGHTBOWER_HOME"] = _HOME.name


@pytest.fixture(scope="session")
def app() -> Flask:
    return create_app()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
