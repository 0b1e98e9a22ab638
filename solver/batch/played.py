"""Answers about deals as they were bid and played: a row for each card, or for each bid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from solver.analysis.analyze import analyze
from solver.analysis.grades import CLEAR, grade
from solver.analysis.rate import rate
from solver.analysis.trace import trace, traceable
from solver.batch.rows import Column
from solver.game.auction import Bid, Call
from solver.game.cards import Card
from solver.game.position import Position
from solver.game.seats import Seat
from solver.knowledge.seen import Knowledge

#: What the rows of every kind here begin with: whose decision it was, and of what kind the contract, or the bid, was.
WHO = (
    Column("seat", "text", groups=True),
    Column("player", "text", groups=True),
    Column("contract", "text", groups=True),
)

#: A row without the player, whose name is no part of the answer.
Row = tuple[Any, ...]

TRACE = (
    *WHO,
    Column("trick", "number"),
    Column("card", "text"),
    Column("best", "texts"),
    Column("lost_tricks", "number", summed=True),
    Column("lost_points", "number", summed=True),
)
ADVICE = (
    *WHO,
    Column("decision", "text", groups=True),
    Column("trick", "number"),
    Column("card", "text"),
    Column("best", "text"),
    Column("error", "real", summed=True),
    Column("stderr", "real"),
    Column("too_close", "flag"),
    Column("grade", "text", groups=True),
)
BIDS = (
    *WHO,
    Column("turn", "number"),
    Column("bid", "text"),
    Column("best", "text"),
    Column("points", "real", summed=True),
    Column("error", "real", summed=True),
    Column("stderr", "real"),
    Column("too_close", "flag"),
    Column("grade", "text", groups=True),
)


def trace_rows(position: Position, _settings: Mapping[str, Any]) -> Iterator[Row]:
    """A row for each card, with what it lost double dummy; none for a deal that was not played."""
    if not traceable(position):
        return
    contract = kind_of_contract(position)
    for each in trace(position).cards:
        best = [str(card) for card in each.best]
        yield (
            *(each.seat.name, contract, each.trick, str(each.card)),
            *(best, int(each.lost_tricks), int(each.lost_points)),
        )


def advice_rows(position: Position, settings: Mapping[str, Any]) -> Iterator[Row]:
    """A row for each card, or discard, that was a choice: what it lost by what its seat could see."""
    contract = kind_of_contract(position)
    for before, seat, card, trick in _cards(position):
        analysis = analyze(before, viewpoint=seat, **settings)
        if len(analysis.options) < 2:
            continue
        chosen = next(option for option in analysis.options if option.card == card)
        best = next(option for option in analysis.options if option.best)
        assert chosen.uncertainty is not None  # there is a viewpoint
        stderr = chosen.uncertainty.difference.stderr
        too_close = not chosen.best and chosen.error <= CLEAR * stderr
        yield (
            *(seat.name, contract, analysis.decision.value, trick, str(card), str(best.card)),
            *(chosen.error, stderr, too_close, grade(chosen.error, too_close=too_close)),
        )


def bid_rows(position: Position, settings: Mapping[str, Any]) -> Iterator[Row]:
    """A row for each bid that was a choice: what it is worth, and what it lost by what its seat could see."""
    for at, bid in enumerate(position.bids):
        before = replace(position, bids=position.bids[:at], discard=None, plays=())
        seat, auction = before.to_act, before.auction
        assert seat is not None and auction is not None  # somebody made this bid
        if len(auction.legal_bids(before.deal.hands[seat])) < 2:
            continue
        rating = rate(Knowledge.of(before, seat), bid=bid, **settings)
        verdict = rating.verdict
        assert verdict is not None  # the bid was given
        yield (
            *(seat.name, kind_of_bid(bid), at + 1, str(bid), str(rating.best), rating.option(bid).points.mean),
            *(verdict.error, verdict.stderr, verdict.too_close, verdict.grade),
        )


def _cards(position: Position) -> Iterator[tuple[Position, Seat, Card, int]]:
    """Each discard and card of a deal: the position before it, who chose it, and in which trick."""
    if not traceable(position):
        return
    dealer = position.deal.dealer
    if position.discard is not None and dealer is not None:
        yield replace(position, discard=None, plays=()), dealer, position.discard, 0
    play = position.start()
    for at, card in enumerate(position.plays):
        yield replace(position, plays=position.plays[:at]), play.to_act, card, len(play.tricks) + 1
        play.push(card)


def kind_of_contract(position: Position) -> str | None:
    """How the contract came about; None if there is none."""
    auction = position.auction
    if auction is not None and auction.winning_bid is not None:
        return kind_of_bid(auction.winning_bid)
    if position.given is not None:
        return "given alone" if position.given.alone else "given"
    return None


def kind_of_bid(bid: Bid) -> str:
    """A bid without its suit."""
    word = "name" if bid.call == Call.NAME else bid.call.value
    return f"{word} alone" if bid.alone else word
