"""The double-dummy value of every contract of a deal, and the par of its auction."""

from __future__ import annotations

from solver.analysis.tricks import is_first_side, tricks
from solver.analysis.values import ContractValue, Outcome, Par, outcome
from solver.engine.doubledummy import DoubleDummy
from solver.game.auction import PASS, Auction, Bid, Call, discards
from solver.game.cards import HAND_SIZE, Card
from solver.game.order import CardOrder, card_order
from solver.game.position import Position
from solver.game.seats import Seat


def plainest(cards: tuple[Card, ...], order: CardOrder) -> Card:
    """The card one gives up most easily: no trump if possible, then the lowest, then the first of the deck."""
    return min(cards, key=lambda card: (order.suit(card) == order.trump, order.strength(card), card))


def discard_tricks(engine: DoubleDummy, position: Position) -> dict[Card, int]:
    """The first side's tricks after each discard that the dealer may make. The position awaits the discard."""
    auction = position.auction
    if auction is None or position.contract is None:
        raise LookupError("nobody is to discard")
    hand = position.deal.hands[auction.dealer]
    if hand is None:
        raise LookupError(f"the hand of {auction.dealer} is not known")
    cards = discards(auction, hand)
    if position.contract.sitting_out == auction.dealer:
        return dict.fromkeys(cards, tricks(engine, position.start()))
    return {card: tricks(engine, position.after(discard=card).start()) for card in cards}


def best_discard(engine: DoubleDummy, position: Position) -> tuple[Card, int]:
    """The discard that is best for the dealer's side, and the first side's tricks after it."""
    auction, contract = position.auction, position.contract
    if auction is None or contract is None:
        raise LookupError("nobody is to discard")
    by_card = discard_tricks(engine, position)
    best = (max if is_first_side(position.rules.seating, auction.dealer) else min)(by_card.values())
    equally_good = tuple(card for card, value in by_card.items() if value == best)
    return plainest(equally_good, card_order(position.rules, contract.trump)), best


def contract_table(engine: DoubleDummy, position: Position) -> tuple[ContractValue, ...]:
    """Every contract that the rest of the auction can end in, in the order of the bids that make them.

    What is played depends on the maker only through who leads, who sits out and who takes the upcard, so contracts
    that share those share one solve.
    """
    solved: dict[tuple[object, ...], tuple[Card | None, int]] = {}
    table: list[ContractValue] = []
    for auction, bid in _contract_bids(position):
        then = Position(position.deal, (*auction.bids, bid))
        contract = then.contract
        if contract is None:
            raise LookupError(f"{bid} makes no contract")
        same_play = (contract.trump, contract.leader, contract.sitting_out, then.awaits_discard)
        if same_play not in solved:
            solved[same_play] = (
                best_discard(engine, then) if then.awaits_discard else (None, tricks(engine, then.start()))
            )
        discard, won = solved[same_play]
        played = outcome(then, contract, won, HAND_SIZE)
        table.append(ContractValue(bid, auction.round(len(auction.bids)), contract, discard, played))
    return tuple(table)


def _contract_bids(position: Position) -> list[tuple[Auction, Bid]]:
    """Each bid that can end the auction from here, all before it passing, with the auction it is made in."""
    found: list[tuple[Auction, Bid]] = []
    auction = position.auction
    while auction is not None and auction.to_act is not None:
        bids = auction.legal_bids(position.deal.hands[auction.to_act])
        found += [(auction, bid) for bid in bids if bid.call != Call.PASS]
        auction = auction.after(PASS) if PASS in bids else None
    return found


def thrown_in(position: Position) -> Outcome:
    """The outcome when all pass: no tricks, no points."""
    return outcome(position, None, 0, 0)


def pars(position: Position, table: tuple[ContractValue, ...]) -> dict[Bid, Par]:
    """The par after each legal bid of the seat to act, by backward induction over the auction.

    A seat chooses the bid with most net points for its side; of equally good ones the first as the rules list them,
    pass before all others.
    """
    by_bid = {(value.contract.maker, value.round, value.bid): value for value in table}
    seating = position.rules.seating

    def after_each(auction: Auction, seat: Seat) -> dict[Bid, Par]:
        at = len(auction.bids)
        found: dict[Bid, Par] = {}
        for bid in auction.legal_bids(position.deal.hands[seat]):
            if bid.call == Call.PASS:
                rest = of(auction.after(PASS))
                found[bid] = Par((PASS, *rest.bids), rest.value, rest.outcome)
            else:
                value = by_bid[seat, auction.round(at), bid]
                found[bid] = Par((bid,), value, value.outcome)
        return found

    def of(auction: Auction) -> Par:
        seat = auction.to_act
        if seat is None:
            return Par((), None, thrown_in(position))
        side = seating.side(seat)
        return max(after_each(auction, seat).values(), key=lambda par: par.outcome.net(side))

    auction = position.auction
    if auction is None or auction.to_act is None:
        raise LookupError("nobody is to bid")
    return after_each(auction, auction.to_act)
