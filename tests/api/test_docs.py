"""The commands of docs/api.md work."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

DOCS = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```sh\n(curl .*?)```", DOCS, re.DOTALL)


def test_there_are_commands() -> None:
    assert len(COMMANDS) == 5


@pytest.mark.parametrize("command", COMMANDS)
def test_command_works(client: FlaskClient, command: str) -> None:
    words = shlex.split(command.replace("\\\n", " "))
    path = urlsplit(next(word for word in words if word.startswith("http"))).path
    if "-d" in words:
        body = words[words.index("-d") + 1]
        answer = client.post(path, data=body, content_type="application/json")
        assert path != "/v1/analyze" or answer.get_json()["decision"] == "play"
    else:
        answer = client.get(path)
    assert answer.status_code == 200


def test_every_endpoint_is_named(client: FlaskClient) -> None:
    for path, operations in client.get("/openapi.json").get_json()["paths"].items():
        for method in operations.keys() - {"parameters"}:
            assert f"`{method.upper()} {path}`" in DOCS
