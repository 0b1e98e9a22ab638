"""What docker-compose.yml starts exists: its commands, its variables, its volumes, its parts."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

import api
from api.config import Config, variable
from solver.cli import main

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load(TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
PAGE = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SERVICES)
def test_a_command_is_one_that_we_have_and_is_given_options_that_it_takes(name: str) -> None:
    program, *words = SERVICES[name].get("command", ["other"])
    if program != "rightbower":
        return
    command = main.commands[words[0]]  # type: ignore[attr-defined]
    # The files of certificates are in the container.
    for option in command.params:
        if isinstance(option.type, click.Path):
            option.type = click.Path()
    environ = {"RIGHTBOWER_DB": SERVICES[name]["environment"]["RIGHTBOWER_DB"]}
    with pytest.MonkeyPatch.context() as patched:
        for key, value in environ.items():
            patched.setenv(key, value)
        context = command.make_context(words[0], list(words[1:]))
    assert context.params


@pytest.mark.parametrize("name", SERVICES)
def test_variables_volumes_and_parts_are_there(name: str) -> None:
    service = SERVICES[name]
    known = {variable(spec.name) for spec in fields(Config)}
    assert {each for each in service.get("environment", {}) if not each.startswith("POSTGRES_")} <= known
    for volume in service.get("volumes", []):
        source = volume.partition(":")[0]
        assert source in COMPOSE["volumes"] or source.startswith("./")
    assert set(service.get("depends_on", ())) <= set(SERVICES)


def test_whoever_reads_files_sees_those_that_the_service_takes() -> None:
    home = SERVICES["api"]["environment"]["RIGHTBOWER_HOME"]
    for name in ("api", "worker", "dask-coordinator"):
        assert f"files:{home}" in SERVICES[name]["volumes"], name
        assert SERVICES[name]["environment"]["RIGHTBOWER_DB"] == SERVICES["api"]["environment"]["RIGHTBOWER_DB"]


def test_the_service_is_published_to_this_machine_alone_and_dask_to_nobody() -> None:
    assert {name: each["ports"] for name, each in SERVICES.items() if "ports" in each} == {
        "api": ["127.0.0.1:8000:8000"]
    }
    for name in ("dask-scheduler", "dask-worker"):
        assert "--tls-key=/certs/key.pem" in SERVICES[name]["command"]


def test_no_password_is_written_down() -> None:
    assert re.findall(r"PASSWORD: (.*)", TEXT) == ["${POSTGRES_PASSWORD:?set a password of letters and digits}"]


def test_every_part_and_figure_is_described() -> None:
    assert {name for name in SERVICES if f"`{name}`" not in PAGE and name not in PAGE} == set()
    metrics = Path(api.__file__).with_name("metrics.py").read_text(encoding="utf-8")
    names = set(re.findall(r'"(rightbower_\w+)"', metrics))
    assert {name for name in names if f"`{name}" not in PAGE} == set()
