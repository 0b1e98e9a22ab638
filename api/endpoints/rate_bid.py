"""``POST /v1/rate-bid``."""

from __future__ import annotations

from http import HTTPStatus

from api.admission import admitted
from api.examples import BIDS
from api.rest import BODY, Blueprint
from api.service import service
from solver import BidRating, RateQuery, RateSchema, RatingAnswer, rate_bid

blueprint = Blueprint("rate-bid", __name__, description="What every bid is worth, the other hands not being seen.")


@blueprint.post("/v1/rate-bid")
@blueprint.doc(operationId="rateBid")
@blueprint.arguments(RateSchema, description="What the seat to bid sees.", examples=BIDS)
@blueprint.response(200, RatingAnswer, description="Every legal bid and what comes of it.")
@blueprint.problems(*BODY, HTTPStatus.SERVICE_UNAVAILABLE)
@admitted
def post(query: RateQuery) -> BidRating:
    """Rate bids.

    Every legal bid is made in the same worlds that fit the bidder's hand and the passes before. The others bid by a
    stated policy, and the cards are played by seats that each see only their own side.
    """
    return rate_bid(**query, threads=service().config.rating_threads)
