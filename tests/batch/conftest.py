"""Databases of jobs, fresh for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from solver.batch.store import Store
from tests.batch.databases import DATABASES, new_database, postgresql_server


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    with postgresql_server() as url:
        yield url


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A fresh database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/jobs.sqlite"
    return new_database(request.getfixturevalue("postgresql"))


@pytest.fixture
def open_store(url: str) -> Iterator[Callable[..., Store]]:
    """Opens the database once more, as another process would."""
    opened: list[Store] = []

    def open_one(**options: float) -> Store:
        opened.append(Store(url, **options))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[..., Store]) -> Store:
    return open_store()
