"""Figures for Prometheus: requests, the solver, jobs."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, g, request

from api.jobs.desk import Desk
from solver.errors import StorageFailed

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import Metric

#: Where several server processes keep their figures, for each of them to tell those of all.
DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
#: From what a health check takes to what the solver is given.
_SECONDS = (0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 20, 60)
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_log = logging.getLogger(__name__)


class Metrics:
    """The figures of one application; of all processes together where they serve on one port."""

    def __init__(self, slots: int, desk: Desk) -> None:
        # The library chooses, while it is loaded, between figures in memory and figures in `DIRECTORY`.
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

        disable_created_metrics()  # type: ignore[no-untyped-call]  # when each was first seen: twice as many lines, and of no use here
        self.registry = CollectorRegistry()
        self._desk = desk
        self.requests = Counter(
            "rightbower_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "rightbower_request_seconds",
            "Seconds until an answer began, waiting for the solver included.",
            ("route",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.solving = Gauge(
            "rightbower_solver_slots_used",
            "Requests at the solver.",
            registry=self.registry,
            multiprocess_mode="livesum",
        )
        self.slots = Gauge(
            "rightbower_solver_slots",
            "Requests that may be at the solver at once.",
            registry=self.registry,
            multiprocess_mode="livesum",
        )
        self.slots.set(slots)
        self.received = Counter(
            "rightbower_batch_upload_bytes", "Bytes of files received for batches.", registry=self.registry
        )

    def text(self, accept: str) -> tuple[bytes, str]:
        """All figures in a form that the client takes, and that form's media type."""
        from prometheus_client import CollectorRegistry
        from prometheus_client.exposition import choose_encoder
        from prometheus_client.multiprocess import MultiProcessCollector

        shown = CollectorRegistry()
        if DIRECTORY in os.environ:
            MultiProcessCollector(shown)  # type: ignore[no-untyped-call]  # its authors left it without types
        else:
            shown.register(_Of(self.registry))
        shown.register(_Jobs(self._desk))
        encode, media_type = choose_encoder(accept)
        return encode(shown), media_type


class _Of:
    """What another registry has."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry

    def collect(self) -> Iterator[Metric]:
        yield from self._registry.collect()


class _Jobs:
    """Counted in the database when asked: whichever process is asked, the figures are those of all."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import GaugeMetricFamily

        up = GaugeMetricFamily("rightbower_database_up", "Whether the database of jobs answers.")
        jobs = GaugeMetricFamily("rightbower_jobs", "Batches, by their state.", labels=["state"])
        chunks = GaugeMetricFamily("rightbower_chunks", "Chunks of the batches that run.", labels=["state"])
        try:
            of_jobs, of_chunks = self._desk.store.counts()
        except StorageFailed as error:
            _log.warning("the database of jobs cannot be counted: %s", error)
            up.add_metric([], 0)
            yield up
            return
        up.add_metric([], 1)
        for state in ("running", "done", "cancelled"):
            jobs.add_metric([state], of_jobs.get(state, 0))
        for state in ("waiting", "leased", "done", "failed"):
            chunks.add_metric([state], of_chunks.get(state, 0))
        yield from (up, jobs, chunks)


def install(app: Flask, metrics: Metrics) -> None:
    @app.after_request
    def count(answer: Response) -> Response:
        # Routes and known methods only: what clients make up must not become figures of its own.
        route = request.url_rule.rule if request.url_rule is not None else "none"
        method = request.method if request.method in _METHODS else "other"
        metrics.requests.labels(method, route, str(answer.status_code)).inc()
        metrics.seconds.labels(route).observe(time.perf_counter() - g.started)
        return answer
