from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from api import Config, ConfigError, create_app
from api.config import from_environment, variable
from solver import RightbowerError

DOCS = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
#: What those settings take that do not take 2000.
VALUES = {"log_level": "debug", "rating_threads": "3", "review_threads": "4"}


def test_every_setting_comes_from_its_variable() -> None:
    environ = {variable(spec.name): VALUES.get(spec.name, "2000") for spec in fields(Config)}
    read = from_environment(environ)
    assert all(str(getattr(read, spec.name)) == VALUES.get(spec.name, "2000") for spec in fields(Config))


@pytest.mark.parametrize("environ", [{}, {"RIGHTBOWER_MAX_BODY_BYTES": ""}, {"RIGHTBOWER_LOG_LEVEL": " "}])
def test_what_is_not_set_has_its_default(environ: dict[str, str]) -> None:
    assert from_environment(environ) == Config()


@pytest.mark.parametrize("text", ["1MB", "-1", "0", "1_000_000", "1e6", "9" * 5000, "٣٣٣٣"])
def test_a_number_that_cannot_be_used_is_refused_by_the_name_of_its_variable(text: str) -> None:
    with pytest.raises(ConfigError, match="RIGHTBOWER_MAX_BODY_BYTES takes a whole number from 1024"):
        from_environment({"RIGHTBOWER_MAX_BODY_BYTES": text})


def test_all_variables_that_cannot_be_used_are_named_together() -> None:
    with pytest.raises(RightbowerError, match=r"RIGHTBOWER_CACHE_SECONDS .*; RIGHTBOWER_LOG_LEVEL takes info,"):
        from_environment({"RIGHTBOWER_CACHE_SECONDS": "x", "RIGHTBOWER_LOG_LEVEL": "loud"})


def test_no_application_starts_with_settings_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIGHTBOWER_MAX_BODY_BYTES", "much")
    with pytest.raises(ConfigError):
        create_app()
    create_app(Config())  # which is given its settings and asks nobody else


def test_settings_of_flask_are_passed_on() -> None:
    assert create_app({"TESTING": True}).testing


@pytest.mark.parametrize("spec", fields(Config), ids=lambda spec: spec.name)
def test_every_setting_is_documented(spec: object) -> None:
    name, default, meaning = spec.name, spec.default, spec.metadata["meaning"]  # type: ignore[attr-defined]
    assert f"| `{variable(name)}` | {default} | {meaning} |" in DOCS
