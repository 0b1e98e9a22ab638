"""``analyze``: the best action at any decision of a deal, and what every action is worth."""

from __future__ import annotations

from collections.abc import Mapping

from solver.analysis.advice import DEFAULT_METHOD, DEFAULT_WORLDS, advise
from solver.analysis.contracts import contract_table, discard_tricks, pars
from solver.analysis.lines import principal_line
from solver.analysis.rate import rated_bids
from solver.analysis.tricks import equal_cards, in_play_beside, tricks_by_card
from solver.analysis.values import (
    Analysis,
    ContractValue,
    Move,
    Option,
    Outcome,
    Par,
    Settings,
    engine_version,
    outcome,
)
from solver.engine.doubledummy import DoubleDummy
from solver.errors import refuse
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.position import Decision, Position
from solver.game.seats import Seat, Side
from solver.knowledge.seen import Knowledge


def analyze(
    position: Position,
    *,
    viewpoint: Seat | None = None,
    worlds: int | str = DEFAULT_WORLDS,
    seed: int = 0,
    score: Mapping[Side, int] | None = None,
    method: str | None = None,
    threads: int = 1,
) -> Analysis:
    """What is best at any decision of a deal, and what every legal action is worth.

    With all cards known everybody sees all of them, and does what is best for the side. From a ``viewpoint`` only what
    that seat has seen is used: ``worlds`` that fit it are sampled by ``seed``, or all looked at if they are no more
    than that, and options are compared by mean points, or with a ``score`` by the chance to win the game. ``method`` is
    ``pimc``, the default for cards, or ``rollout``, that for bids. The other arguments have no effect without a
    viewpoint.

    Raises `InvalidInput` with every fault of the position, or of what the seat can have seen.
    """
    if viewpoint is not None:
        # To every other seat a dealer whose discard is not told has discarded: else that seat would not be asked.
        knowledge = Knowledge.of(position, viewpoint, discarded=viewpoint != position.deal.dealer)
        if knowledge.decision == Decision.OVER:
            return _known(knowledge.position, _final_outcome(knowledge.position), ())
        if knowledge.decision == Decision.BID and knowledge.to_act == viewpoint:
            return rated_bids(knowledge, worlds=worlds, seed=seed, score=score, method=method, threads=threads)
        method = method or DEFAULT_METHOD
        return advise(knowledge, worlds=worlds, seed=seed, score=score, method=method, threads=threads)
    refuse(position.problems())
    engine = DoubleDummy()
    match position.decision:
        case Decision.BID:
            return _at_bid(engine, position)
        case Decision.DISCARD:
            return _at_discard(engine, position)
        case Decision.PLAY:
            return _at_play(engine, position)
        case Decision.OVER:
            return _known(position, _final_outcome(position), ())


def _known(
    position: Position,
    result: Outcome,
    options: tuple[Option, ...],
    *,
    line: tuple[Move, ...] = (),
    table: tuple[ContractValue, ...] | None = None,
    par: Par | None = None,
) -> Analysis:
    settings = Settings(engine_version())
    return Analysis(
        position, position.decision, position.to_act, "complete", result, options, settings, line, table, par
    )


def _at_bid(engine: DoubleDummy, position: Position) -> Analysis:
    seat = position.to_act
    assert seat is not None  # said by Decision.BID
    side = position.rules.seating.side(seat)
    table = contract_table(engine, position)
    after = pars(position, table)
    best = max(after.values(), key=lambda par: par.outcome.net(side))
    options = tuple(
        Option(par.outcome, error, best=error == 0, bid=bid)
        for bid, par in after.items()
        for error in [best.outcome.net(side) - par.outcome.net(side)]
    )
    line = principal_line(engine, position, best)
    return _known(position, best.outcome, options, line=line, table=table, par=best)


def _at_discard(engine: DoubleDummy, position: Position) -> Analysis:
    dealer = position.deal.dealer
    assert dealer is not None  # said by Decision.DISCARD
    by_card = discard_tricks(engine, position)
    play = position.start()
    own = CardSet.of(by_card)
    equals = equal_cards(play.order, own, in_play_beside(play, dealer), by_card)
    return _at_card(engine, position, by_card, equals)


def _at_play(engine: DoubleDummy, position: Position) -> Analysis:
    play = position.play()
    by_card = tricks_by_card(engine, play)
    own = play.hands[play.to_act] or CardSet()
    equals = equal_cards(play.order, own, in_play_beside(play, play.to_act), by_card)
    return _at_card(engine, position, by_card, equals)


def _at_card(
    engine: DoubleDummy, position: Position, tricks: Mapping[Card, int], equals: Mapping[Card, tuple[Card, ...]]
) -> Analysis:
    """A decision between cards, ``tricks`` being the first side's after each."""
    seat = position.to_act
    assert seat is not None  # said by Decision.DISCARD and PLAY
    side = position.rules.seating.side(seat)
    outcomes = {card: outcome(position, position.contract, won, HAND_SIZE) for card, won in tricks.items()}
    # Points never fall with tricks, so the most tricks give the best outcome in points as well.
    best = max(outcomes.values(), key=lambda each: each.tricks[side])
    options = tuple(
        Option(each, error, best=error == 0, card=card, equals=equals[card])
        for card, each in outcomes.items()
        for error in [best.net(side) - each.net(side)]
    )
    return _known(position, best, options, line=principal_line(engine, position))


def _final_outcome(position: Position) -> Outcome:
    if position.contract is None:
        return outcome(position, None, 0, 0)
    play = position.play()
    first = position.rules.seating.sides[0]
    return outcome(position, position.contract, play.tricks_won()[first], len(play.tricks))
