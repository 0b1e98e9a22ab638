"""Databases for tests: SQLite files, and where its programs are installed a PostgreSQL server of the tests' own."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def postgresql_programs() -> Path | None:
    """The directory with ``initdb`` and ``pg_ctl``, the newest version's; None where there is none or no driver."""
    if importlib.util.find_spec("psycopg") is None:
        return None
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    programs = [*found, *([Path(on_path)] if on_path else [])]
    return programs[-1].parent if programs else None


#: What the tests of jobs run on. A machine without PostgreSQL has no test of that name, rather than one that passes
#: by being skipped; `pytest -v` lists which there are.
DATABASES = ("sqlite", *(("postgresql",) if postgresql_programs() else ()))


@contextmanager
def postgresql_server() -> Iterator[str]:
    """A server on a socket in a directory of its own, ended with the block; gives the URL of its first database."""
    programs = postgresql_programs()
    assert programs is not None
    directory = Path(tempfile.mkdtemp(prefix="rb-pg-", dir="/tmp"))
    user: list[str] = []
    if os.geteuid() == 0:  # the server refuses to run as root
        name = next(each for each in ("postgres", "nobody") if each in {entry.pw_name for entry in pwd.getpwall()})
        entry = pwd.getpwnam(name)
        os.chown(directory, entry.pw_uid, entry.pw_gid)
        user = ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]
    data = directory / "data"

    def run(*command: str | Path) -> None:
        # pg_ctl leaves the server with our standard output: it goes nowhere, so that nobody waits for its end.
        subprocess.run(
            [*user, *command],
            cwd=directory,
            check=True,
            timeout=120,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    options = f"-c listen_addresses= -c unix_socket_directories={directory} -c fsync=off -c max_connections=50"
    try:
        run(programs / "initdb", "-D", data, "-A", "trust", "-U", "tests", "--no-sync")
        run(programs / "pg_ctl", "-D", data, "-o", options, "-l", directory / "log", "-w", "start")
        yield f"postgresql+psycopg://tests@/postgres?host={directory}"
    finally:
        stop = [*user, programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"]
        subprocess.run(stop, cwd=directory, check=False, capture_output=True, timeout=60)
        shutil.rmtree(directory, ignore_errors=True)


def new_database(server: str) -> str:
    """The URL of a fresh database of the server."""
    import sqlalchemy as sa

    name = f"t{uuid.uuid4().hex}"
    engine = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    engine.dispose()
    return server.replace("/postgres?", f"/{name}?")
