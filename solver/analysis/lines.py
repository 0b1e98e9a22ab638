"""Principal lines: what happens when every seat takes a best action."""

from __future__ import annotations

from solver.analysis.contracts import best_discard, plainest
from solver.analysis.tricks import is_first_side, tricks_by_card
from solver.analysis.values import Move, Par
from solver.engine.doubledummy import DoubleDummy
from solver.game.play import Play
from solver.game.position import Position


def principal_line(engine: DoubleDummy, position: Position, par: Par | None = None) -> tuple[Move, ...]:
    """The actions from here to the end of the deal; for a bidding decision ``par`` has the bids.

    Of equally good discards and cards the plainest is taken.
    """
    moves: list[Move] = []
    for bid in par.bids if par is not None else ():
        seat = position.to_act
        assert seat is not None  # par's bids end where the auction does
        moves.append(Move(seat, bid=bid))
        position = position.after(bid=bid)
    if position.contract is None:
        return tuple(moves)
    if position.awaits_discard:
        dealer = position.deal.dealer
        assert dealer is not None  # nobody awaits a discard without a dealer
        discard, _ = best_discard(engine, position)
        moves.append(Move(dealer, discard=discard))
        position = position.after(discard=discard)
    return (*moves, *_play_line(engine, position.play()))


def _play_line(engine: DoubleDummy, play: Play) -> list[Move]:
    """The rest of the play; ``play`` is played out."""
    moves: list[Move] = []
    while not play.over:
        values = tricks_by_card(engine, play)
        best = (max if is_first_side(play.seating, play.to_act) else min)(values.values())
        card = plainest(tuple(each for each, value in values.items() if value == best), play.order)
        moves.append(Move(play.to_act, card=card))
        play.push(card)
    return moves
