"""``POST /v1/review``."""

from __future__ import annotations

import time
from collections.abc import Callable
from http import HTTPStatus

from api.admission import admitted
from api.clients import has_gone
from api.examples import GAMES
from api.rest import BODY, Blueprint
from api.service import service
from solver import Fault, InvalidInput, Review, ReviewAnswer, ReviewQuery, ReviewSchema, review

blueprint = Blueprint("review", __name__, description="A game that was played, every decision graded.")


@blueprint.post("/v1/review")
@blueprint.doc(operationId="review")
@blueprint.arguments(ReviewSchema, description="A game or a deal that was played.", examples=GAMES)
@blueprint.response(200, ReviewAnswer, description="Every decision, the players, the luck, and the curve.")
@blueprint.problems(*BODY, HTTPStatus.SERVICE_UNAVAILABLE)
@admitted
def post(query: ReviewQuery) -> Review:
    """Review a game.

    Every bid, discard and card is graded by what its seat could know, the luck of the cards is told apart from it, and
    the chance to win is followed from deal to deal. What cannot be reviewed is in the answer with the reason.
    """
    deals, most = len(query["record"].deals), service().config.review_deals
    if deals > most:
        raise InvalidInput([Fault("field.invalid", f"these are {deals} deals, and a review takes at most {most} here")])
    config = service().config
    return review(**query, threads=config.review_threads, progress=_while_awaited(config.review_seconds))


def _while_awaited(seconds: int) -> Callable[[int, int], None]:
    """Called again and again during the work; ends it by raising once the time is over, or the client has gone."""
    end = time.monotonic() + seconds

    def progress(done: int, of: int) -> None:
        if done < of and time.monotonic() > end:
            message = f"{done} of {of} pieces were done after {seconds} s: send fewer deals, or a quicker depth"
            raise InvalidInput([Fault("service.deadline", message)])
        if done < of and has_gone():
            message = f"{done} of {of} pieces were done when the client closed the connection"
            raise InvalidInput([Fault("request.abandoned", message)])

    return progress
