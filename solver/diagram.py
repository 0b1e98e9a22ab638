"""Positions and analyses drawn as text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from solver.analysis.rate_values import BidRating, RatedBid, Verdict
from solver.analysis.trace import Trace
from solver.analysis.values import Analysis, ContractValue, Move, Option, Outcome, Settings
from solver.game.auction import Contract
from solver.game.cards import Card, CardSet, Suit
from solver.game.order import card_order
from solver.game.position import Decision, Position
from solver.game.seats import Seat, Side
from solver.notation.deal_code import write_code

SIGNS = "♣♦♥♠"
LETTERS = "CDHS"

_COLUMN = 38


def draw_analysis(analysis: Analysis, suits: str = SIGNS) -> str:
    """The table with its hands, a value beside each card that may be played, and what every action is worth.

    ``suits`` are the four signs to write, clubs, diamonds, hearts, spades. A value is the number of tricks, of the
    whole deal, that the side to act takes after that card.
    """
    position = analysis.position
    parts = [_heading(position), _table(analysis, suits)]
    if analysis.decision == Decision.OVER:
        parts.append(_over(analysis))
    else:
        parts.append(_options(analysis))
    if analysis.table is not None:
        parts.append(_contracts(position, analysis.table, suits))
    if analysis.line:
        parts.append(_wrapped("Line: ", _line(analysis.line)))
    return "\n\n".join([*parts, "Code: " + write_code(position)])


def contract_text(contract: Contract | None) -> str:
    """The contract in words."""
    if contract is None:
        return "no contract"
    alone = f" alone, {contract.sitting_out} sits out" if contract.alone else ""
    return f"{contract.trump}, made by {contract.maker}{alone}; {contract.leader} leads"


def outcome_text(outcome: Outcome) -> str:
    """Tricks and points in words, both with their sides named; means to two places."""
    tricks = " ".join(f"{side} {_number(number)}" for side, number in outcome.tricks.items())
    scored = [f"{side} +{_number(points)}" for side, points in outcome.points.items() if points]
    game = ""
    if outcome.game is not None:
        game = "; game " + " ".join(f"{side} {100 * chance:.1f}%" for side, chance in outcome.game.items())
    return f"tricks {tricks}; points {' '.join(scored) or 'none'}{game}"


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def _heading(position: Position) -> str:
    deal = position.deal
    pieces = []
    if deal.dealer is not None:
        pieces.append(f"dealer {deal.dealer}")
    if deal.upcard is not None:
        pieces.append(f"upcard {deal.upcard}")
    bids = ", ".join(str(bid) for bid in position.bids)
    if bids:
        pieces.append(f"bids {bids}")
    if position.discard is not None:
        pieces.append(f"discard {position.discard}")
    if position.contract is not None:
        pieces.append(contract_text(position.contract))
    return "; ".join(pieces)


def _table(analysis: Analysis, suits: str) -> str:
    """The hands around the table, and the trick under way."""
    position = analysis.position
    values = _card_values(analysis)
    hands, on_table = _hands_now(position)
    trump = position.contract.trump if position.contract is not None else None

    def block(seat: Seat) -> list[str]:
        if seat not in position.rules.seating.seats:
            return ["", ""]
        marks = [
            "dealer" if seat == position.deal.dealer else "",
            "maker" if position.contract is not None and seat == position.contract.maker else "",
            "to act" if seat == analysis.to_act else "",
        ]
        title = f"{seat}  {', '.join(filter(None, marks))}".rstrip()
        return [title, _hand(position, seat, hands, trump, values if seat == analysis.to_act else {}, suits)]

    west, east = block(Seat.W), block(Seat.E)
    rows = [
        *(" " * (_COLUMN // 2) + line for line in block(Seat.N)),
        "",
        *(f"{left:<{_COLUMN}}  {right}" for left, right in zip(west, east, strict=True) if left or right),
        "",
        *(" " * (_COLUMN // 2) + line for line in block(Seat.S)),
    ]
    if on_table:
        rows += ["", "On the table: " + ", ".join(f"{seat} {card}" for seat, card in on_table)]
    return "\n".join(row.rstrip() for row in rows)


def _hands_now(position: Position) -> tuple[Mapping[Seat, CardSet | None], list[tuple[Seat, Card]]]:
    """What each seat holds at this moment, and the trick under way."""
    if position.decision == Decision.BID or position.contract is None:
        return {seat: position.deal.hands[seat] for seat in Seat}, []
    if position.decision == Decision.DISCARD:
        return {seat: position.hands_in_play[seat] for seat in Seat}, []
    play = position.play()
    return {seat: play.hands[seat] for seat in Seat}, list(zip(play.order_of_trick(), play.table, strict=False))


def _hand(
    position: Position,
    seat: Seat,
    hands: Mapping[Seat, CardSet | None],
    trump: Suit | None,
    values: Mapping[Card, float],
    suits: str,
) -> str:
    contract = position.contract
    if contract is not None and contract.sitting_out == seat and position.decision != Decision.DISCARD:
        return "(sits out)"
    hand = hands[seat]
    if hand is None:
        return "(not known)"
    order = card_order(position.rules, trump)
    groups = []
    for suit in sorted(Suit, key=lambda each: (each != trump, -each)):
        cards = [card for card in reversed(order.suits[suit]) if card in hand]
        if cards:
            groups.append(f"{suits[suit]} " + " ".join(_card(card, suit, values, suits) for card in cards))
    benny = [card for card in hand if card.is_benny and trump is None]
    groups += ["JO"] * len(benny)
    return "  ".join(groups) or "-"


def _card(card: Card, suit: Suit, values: Mapping[Card, float], suits: str) -> str:
    if card.is_benny:
        name = "JO"
    else:
        name = str(card)[0]
        if card.suit is not None and card.suit != suit:
            name += suits[card.suit]  # the left bower, in the suit it counts as
    return f"{name}:{_number(values[card])}" if card in values else name


def _card_values(analysis: Analysis) -> dict[Card, float]:
    if analysis.to_act is None:
        return {}
    side = analysis.position.rules.seating.side(analysis.to_act)
    return {option.card: option.outcome.tricks[side] for option in analysis.options if option.card is not None}


def _over(analysis: Analysis) -> str:
    if analysis.contract is None:
        return "Thrown in: all passed."
    return f"Over: {outcome_text(analysis.outcome)}"


def _options(analysis: Analysis) -> str:
    seat = analysis.to_act
    assert seat is not None  # a decision is somebody's
    what = {Decision.BID: "to bid", Decision.DISCARD: "to discard", Decision.PLAY: "to play"}[analysis.decision]
    rows = [f"{seat} {what}; {_method(analysis.settings)} {outcome_text(analysis.outcome)}"]
    ranked = sorted(
        analysis.options,
        key=lambda option: (not option.best, option.error, -option.outcome.tricks[_side(analysis)]),
    )
    rows += [_option(option) for option in ranked]
    return "\n".join(rows)


def _method(settings: Settings) -> str:
    if settings.worlds is None:
        return "double dummy"
    which = "all" if settings.seed is None else f"{settings.worlds} of {settings.worlds_that_fit}"
    return f"{settings.method} over {which} worlds"


def _side(analysis: Analysis) -> Side:
    assert analysis.to_act is not None  # a decision is somebody's
    return analysis.position.rules.seating.side(analysis.to_act)


def _option(option: Option) -> str:
    mark = "*" if option.best else " "
    name = str(option.card if option.card is not None else option.bid)
    equals = f"= {' '.join(str(card) for card in option.equals)}" if option.equals else ""
    loss = ""
    if option.error:
        unsure = f" (±{option.uncertainty.difference.stderr:.2f})" if option.uncertainty is not None else ""
        loss = f"loses {_number(option.error)} point{'s' * (option.error != 1)}{unsure}"
    return f"  {mark} {name:<12} {outcome_text(option.outcome):<36} {loss or equals}".rstrip()


def _contracts(position: Position, table: Iterable[ContractValue], suits: str) -> str:
    """Every contract: the makers' tricks and net points, by maker and trump, with the partner and alone."""
    cells: dict[tuple[str, bool, Suit], str] = {}
    for value in table:
        maker, alone, trump = str(value.contract.maker), value.contract.alone, value.contract.trump
        if (
            maker,
            alone,
            trump,
        ) in cells:  # made again without the upcard: a stuck dealer may name what was turned down
            maker += " rd 2"
        cells[maker, alone, trump] = _makers(position, value)
    makers = sorted({maker for maker, _, _ in cells}, key=lambda maker: (Seat[maker[0]], maker))
    width = 7
    both = any(alone for _, alone, _ in cells)
    head = "".join(f"{suits[suit]:>{width}}" for suit in Suit)
    rows = [
        "Contracts: the makers' tricks and points with best play of all",
        *([f"{'':8}{'with the partner':>{4 * width}}{'alone':>{4 * width + 3}}"] if both else []),
        f"{'maker':8}{head}" + (f"   {head}" if both else ""),
    ]
    for maker in makers:
        halves = [
            "".join(f"{cells.get((maker, alone, suit), '-'):>{width}}" for suit in Suit)
            for alone in ((False, True) if both else (False,))
        ]
        rows.append(f"{maker:8}" + "   ".join(halves))
    return "\n".join(rows)


def _makers(position: Position, value: ContractValue) -> str:
    side = position.rules.seating.side(value.contract.maker)
    return f"{value.outcome.tricks[side]} {value.outcome.net(side):+.0f}"


def _line(moves: Iterable[Move]) -> list[str]:
    words = []
    for move in moves:
        if move.bid is not None:
            words.append(f"{move.seat} {move.bid},")
        elif move.discard is not None:
            words.append(f"{move.seat} discards {move.discard};")
        else:
            words.append(f"{move.seat} {move.card}")
    return words


def _wrapped(title: str, words: Iterable[str], width: int = 100) -> str:
    lines, line = [], title
    for word in words:
        if len(line) + len(word) > width:
            lines.append(line.rstrip())
            line = " " * len(title)
        line += word + " "
    return "\n".join([*lines, line.rstrip().rstrip(",;")])


def draw_trace(trace: Trace) -> str:
    """What was played, what it was worth before the lead, and each card that lost tricks, with what would not have."""
    rows = [draw_played(trace.position, trace.result), f"  double dummy  {outcome_text(trace.before)}"]
    for card in trace.mistakes:
        points = f", {card.lost_points} point{'s' * (card.lost_points > 1)}" if card.lost_points else ""
        lost = f"lost {card.lost_tricks} trick{'s' * (card.lost_tricks > 1)}{points}"
        best = " ".join(str(each) for each in card.best)
        rows.append(f"  trick {card.trick}  {card.seat} {card.card}  {lost}; best {best}")
    if trace.cards and not trace.mistakes:
        rows.append("  no card lost a trick")
    return "\n".join(rows)


def draw_played(position: Position, result: Outcome | None) -> str:
    """The deal and its outcome as played; ``result`` is None where the play is not complete."""
    if position.contract is None:
        ending = "thrown in" if position.auction is not None and position.auction.thrown_in else "no contract"
    else:
        ending = outcome_text(result) if result is not None else f"not complete, {len(position.plays)} cards"
    return f"{_heading(position)}\n  played        {ending}"


def draw_rating(rating: BidRating) -> str:
    """What every bid of one seat is worth: a row for each, the best first; then the verdict, if one was asked for."""
    position, seat, settings = rating.position, rating.seat, rating.settings
    score = ":".join(str(points) for points in settings.score.values())
    hand = " ".join(str(card) for card in position.deal.hands[seat] or ())
    values = [value for value in rating.options[0].outcomes if any(o.outcomes[value] >= 0.0005 for o in rating.options)]
    ranked = sorted(rating.options, key=lambda option: -option.points.mean)
    verdict = rating.verdict
    rows = [
        f"{_heading(position)}; score {score}",
        f"{seat} to bid, holding {hand}",
        "",
        f"    {'bid':<12}{'points':>8}{'±':>6}{'less':>9}{'±':>6}{'game':>8}{'double dummy':>14}   outcomes, %: "
        + "".join(f"{value:>+5}" if value else f"{0:>5}" for value in values),
        *(_rated(option, rating, values) for option in ranked),
        "",
        f"Best: {rating.best}"
        + ("" if rating.best_for_game == rating.best else f"; for the game {rating.best_for_game}"),
    ]
    if rating.discard is not None:
        rows.append(f"Discard: {rating.discard}")
    if verdict is not None:
        rows.append(f"Verdict: {verdict.bid} {_judged(verdict, verdict.bid == rating.best)}")
    rows += [
        "",
        f"{settings.method} over {settings.worlds} worlds, seed {settings.seed}; bids by the policy {settings.policy}",
        "Code: " + write_code(position),
    ]
    return "\n".join(rows)


def _judged(verdict: Verdict, is_best: bool) -> str:
    if is_best:
        return "is the best bid"
    what = "too close to call" if verdict.too_close else "no error" if verdict.grade == "none" else verdict.grade
    return f"loses {verdict.error:.2f} (±{verdict.stderr:.2f}): {what}"


def _rated(option: RatedBid, rating: BidRating, values: Iterable[int]) -> str:
    mark = "*" if option.bid == rating.best else " "
    lost = f"{option.difference.mean:>+9.2f}{option.difference.stderr:>6.2f}" if mark == " " else f"{'':15}"
    shares = "".join(f"{100 * option.outcomes[value]:>5.0f}" for value in values)
    return (
        f"  {mark} {option.bid!s:<12}{option.points.mean:>+8.2f}{option.points.stderr:>6.2f}{lost}"
        f"{100 * option.game.mean:>7.1f}%{option.double_dummy:>+14.2f}{'':17}{shares}"
    )
