"""The endpoints, one file each."""

from __future__ import annotations

from api.endpoints import analyze, batches, formats, health, metrics, rate_bid, review, rules

#: In the order in which the documentation lists them.
ENDPOINTS = (
    analyze.blueprint,
    rate_bid.blueprint,
    review.blueprint,
    batches.blueprint,
    rules.blueprint,
    formats.blueprint,
    health.blueprint,
    metrics.blueprint,
)
