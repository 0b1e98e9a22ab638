"""Files in, lines out: what takes long without the solver, and so has places of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from flask import Response, request, url_for

from api.jobs.decoding import DECODERS
from api.jobs.upload import body_blocks
from api.service import Service, service
from solver.batch.pages import Key, Lines, page_lines
from solver.batch.values import Job
from solver.errors import Fault, InvalidInput

#: The route that reads each.
_ROUTES = {Lines.ROWS: "batches.results", Lines.FAULTS: "batches.errors"}


def received(options: Mapping[str, Any], key: str | None = None, encoding: str = "identity") -> Job:
    """The job made of the body of this request.

    Raises `InvalidInput` with every reason why there is none.
    """
    here = service()
    if here.draining.is_set():
        raise InvalidInput([Fault("service.draining", "the service is about to stop")])
    decode = DECODERS.get(encoding.strip().lower())
    if decode is None:
        message = f"the Content-Encoding is {encoding[:100]!r}; it must be one of {', '.join(DECODERS)}"
        raise InvalidInput([Fault("request.media_type", message)])
    place = _Place(here)
    try:
        blocks = body_blocks(request, here.config.max_upload_bytes, here.config.upload_seconds)
        return here.desk.submit(options, key, decode(_counted(here, blocks)))
    finally:
        place.leave()


def _counted(here: Service, blocks: Iterator[bytes]) -> Iterator[bytes]:
    for block in blocks:
        here.metrics.received.inc(len(block))
        yield block


def lines_answer(job_id: str, what: Lines, after: Key = Key(), limit: int | None = None) -> Response:  # noqa: B008
    """A page as a stream: nothing of it is held but what is being sent."""
    here = service()
    job, page = here.desk.page(job_id, what, after, limit)
    place = _Place(here)
    answer = Response(
        place.left_after(page_lines(here.desk.store, job, page)), HTTPStatus.OK, content_type="application/x-ndjson"
    )
    answer.call_on_close(place.leave)  # of an answer that nobody reads to its end
    if page.next is not None:
        there = url_for(_ROUTES[what], job_id=job.id, after=str(page.next), limit=limit)
        answer.headers["Link"] = f'<{there}>; rel="next"'
        if not page.ranges:  # it runs, and nothing more is done yet
            answer.headers["Retry-After"] = "1"
    return answer


class _Place:
    """One of those for what is under way. Raises `InvalidInput` (``service.full``) if there is none."""

    def __init__(self, here: Service) -> None:
        self._transfers, self._taken = here.transfers, True
        if not self._transfers.acquire(blocking=False):
            message = f"{here.config.transfer_slots} files and results are under way already"
            raise InvalidInput([Fault("service.full", message)])

    def leave(self) -> None:
        if self._taken:
            self._taken = False
            self._transfers.release()

    def left_after(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        try:
            yield from blocks
        finally:
            self.leave()
