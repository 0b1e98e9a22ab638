"""A database that is open, its tables in the present form: SQLite by default, PostgreSQL by URL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from solver.batch.values import LEASE
from solver.errors import Fault, InvalidInput, StorageFailed

#: Seconds that SQLite waits for a lock before it says so.
PATIENCE = 30.0
#: Of SQLite, 4 KiB each.
_PAGES_OF_LOG, _PAGES_IN_MEMORY = 8000, 4000
_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK_OF_MIGRATIONS = 0x7269676874  # any number of our own


class Database:
    """Safe to use from several processes and threads. Its own clock is the one that counts."""

    def __init__(self, url: str, *, lease: float = LEASE, patience: float = PATIENCE) -> None:
        """Open it, and bring its tables to the present form.

        Raises `InvalidInput` for a URL that names no database, `StorageFailed` if it cannot be used.
        """
        self.url = url
        self.lease_seconds = lease
        try:
            self._engine = sa.create_engine(url, **_options(url, patience))
        except (sa.exc.ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
            raise InvalidInput([Fault("field.invalid", f"no database can be opened with {error}", ("db",))]) from None
        self._sqlite = self._engine.dialect.name == "sqlite"
        if self._sqlite:
            _prepare_sqlite(self._engine, patience)
        self._migrate()
        self._file, self._gone = self._file_now(), False
        sa.event.listen(self._engine, "checkout", self._refuse_other_file)

    def close(self) -> None:
        self._engine.dispose()

    @property
    def replaced(self) -> bool:
        """Whether the file that was opened is no longer the one of that name: what is written goes nowhere."""
        # Noted, as the next file of that name may get the same number once nobody has the old one open.
        self._gone = self._gone or self._file not in (None, self._file_now())
        return self._gone

    def _file_now(self) -> tuple[int, int] | None:
        if not self._sqlite:
            return None
        try:
            status = Path(self._engine.url.database or "").stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _refuse_other_file(self, *_: object) -> None:
        if self.replaced:
            raise StorageFailed(f"the file {self._engine.url.database} was removed while it was open")

    @property
    def shown_url(self) -> str:
        """The URL without its password."""
        return self._engine.url.render_as_string(hide_password=True)

    @contextmanager
    def transaction(self, *, reading: bool = False) -> Iterator[sa.Connection]:
        """One transaction, whole or not at all. On SQLite a writing one has the database to itself from the start: a
        transaction that began by reading could not be made to write."""
        try:
            with self._engine.connect().execution_options(reading=reading) as connection, connection.begin():
                yield connection
        except (DBAPIError, PoolTimeout) as error:
            said = str(error.orig) if isinstance(error, DBAPIError) else str(error)
            raise StorageFailed(f"the database did not take it: {' '.join(said.split())}") from error

    def now(self) -> sa.ColumnElement[float]:
        """Seconds since 1970 by the clock of the database."""
        if self._sqlite:
            return sa.literal_column("(julianday('now') - 2440587.5) * 86400.0", sa.Float)
        return sa.cast(sa.literal_column("extract(epoch from clock_timestamp())"), sa.Float)

    def _migrate(self) -> None:
        with self.transaction() as connection:
            if not self._sqlite:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK_OF_MIGRATIONS)))
            if _at_head(connection):
                return
            from alembic import command
            from alembic.config import Config

            config = Config()
            config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def _options(url: str, patience: float) -> dict[str, Any]:
    if url.startswith("sqlite"):
        return {"connect_args": {"timeout": patience, "check_same_thread": False}}
    return {"pool_pre_ping": True}


def _prepare_sqlite(engine: sa.Engine, patience: float) -> None:
    def connected(connection: Any, _record: object) -> None:
        # The driver's own idea of when a transaction begins is not ours.
        connection.isolation_level = None
        for pragma in (
            "journal_mode=WAL",
            "synchronous=NORMAL",
            f"busy_timeout={int(patience * 1000)}",
            # Pages of the index of answers are written by one chunk after the other: together rather than each time.
            f"wal_autocheckpoint={_PAGES_OF_LOG}",
            f"cache_size={_PAGES_IN_MEMORY}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    def begun(connection: sa.Connection) -> None:
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    sa.event.listen(engine, "connect", connected)
    sa.event.listen(engine, "begin", begun)


def _at_head(connection: sa.Connection) -> bool:
    """Whether the tables are those of the last migration: asked first, as alembic takes its time to load.

    Raises `StorageFailed` for tables of a migration that is not known here.
    """
    if not sa.inspect(connection).has_table("alembic_version"):
        return False
    version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    known = sorted(path.name[1:5] for path in (_MIGRATIONS / "versions").glob("v*.py"))
    if version is not None and version not in known:
        raise StorageFailed(
            f"the tables of the database have version {version}, of a newer solver: {known[-1]} is known"
        )
    return version == known[-1]


def dump(value: object) -> str:
    """A value as it is kept in a column."""
    return msgspec.json.encode(value, order="sorted").decode()


def load(text: str, shape: Any) -> Any:
    """What `dump` kept."""
    return msgspec.json.decode(text, type=shape)
