"""The options of commands that say what does the work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from solver.batch.engines import Engine, Processes, Threads


def engine_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds them; `engine_of` takes their values."""
    pem = click.Path(exists=True, dir_okay=False)
    for option in (
        click.option("--tls-key", type=pem, help="Our key (PEM)."),
        click.option("--tls-cert", type=pem, help="Our certificate (PEM)."),
        click.option("--tls-ca", type=pem, help="Certificates that are trusted (PEM)."),
        click.option("--scheduler", metavar="URL", help="A Dask scheduler: tcp://127.0.0.1:8786, tls://host:8786."),
        click.option("--workers", type=click.IntRange(1, 1024), help="Pieces at a time; by default one a core."),
        click.option(
            "--engine",
            "engine_name",
            default="threads",
            show_default=True,
            type=click.Choice(["threads", "processes", "dask"]),
            help="What does the work.",
        ),
    ):
        command = option(command)
    return command


@contextmanager
def engine_of(
    engine_name: str,
    workers: int | None,
    scheduler: str | None,
    tls_ca: str | None,
    tls_cert: str | None,
    tls_key: str | None,
    **_: Any,
) -> Iterator[Engine]:
    """The engine of `engine_options`, closed with the block. Raises `click.UsageError` for options that do not go
    together."""
    engine: Engine
    if engine_name == "dask":
        engine = _dask(scheduler, (tls_ca, tls_cert, tls_key))
    elif scheduler is not None or tls_ca or tls_cert or tls_key:
        raise click.UsageError("--scheduler and --tls-… belong to --engine dask")
    else:
        engine = Processes(workers) if engine_name == "processes" else Threads(workers)
    try:
        yield engine
    finally:
        engine.close()


def _dask(scheduler: str | None, files: tuple[str | None, str | None, str | None]) -> Engine:
    if scheduler is None:
        raise click.UsageError("--engine dask needs --scheduler URL")
    try:
        import distributed  # noqa: F401

        from solver.batch.cluster import Dask, Tls
    except ImportError:
        raise click.UsageError("--engine dask needs the extra: pip install 'rightbower[cluster]'") from None
    ca, cert, key = files
    tls = Tls(ca, cert, key) if ca and cert and key else None
    if tls is None and any(files):
        raise click.UsageError("--tls-ca, --tls-cert and --tls-key are needed together")
    return Dask(scheduler, lambda message: click.echo(message, err=True), tls=tls)
