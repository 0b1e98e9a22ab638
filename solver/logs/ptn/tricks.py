"""The rows of a deal's play: columns are fixed seats, so who leads follows from the cards."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from solver.errors import Fault, InvalidInput
from solver.game.auction import Auction, Contract
from solver.game.cards import HAND_SIZE, Card
from solver.game.order import card_order
from solver.game.play import Play
from solver.game.rules import Rules, option_values
from solver.game.seats import Seat
from solver.logs.ptn.blocks import Tag, line_fault
from solver.logs.ptn.cards import read_one

_NONE = frozenset("-–—")


def with_leader(rules: Rules, auction: Auction, contract: Contract, named: Seat, tag: Tag) -> tuple[Rules, Contract]:
    """The rules and the contract by which the seat that is named leads first.

    Of a lone hand the record tells so who leads against it; a seat that sits out leaves it to the next one. Raises
    `InvalidInput` if no rule makes that seat lead.
    """
    leader = rules.seating.left_of(named) if named == contract.sitting_out else named
    if contract.leader == leader:
        return rules, contract
    for lone_lead in option_values("lone_lead") or ():
        other = replace(rules, lone_lead=str(lone_lead))
        made = replace(auction, rules=other).contract
        if made is not None and made.leader == leader:
            return other, made
    message = f"{leader} leads first, but by every rule that is supported {contract.leader} does"
    raise InvalidInput([line_fault("rules.unsupported", message, tag.line)])


@dataclass
class Played:
    """The cards in the order played, with the line of each, up to the first that makes no sense."""

    cards: tuple[Card, ...] = ()
    lines: list[int] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @staticmethod
    def read(tag: Tag, first: Seat, rules: Rules, contract: Contract) -> Played:
        """The play of a deal; column 1 belongs to ``first``.

        Raises `InvalidInput` (``rules.unsupported``) if one card is twice in a trick.
        """
        played = Played()
        order = card_order(rules, contract.trump)
        play = Play(order, rules.seating, (None, None, None, None), contract.leader, contract.sitting_out)
        for trick, (line, text) in enumerate(tag.rows):
            if trick == HAND_SIZE:
                message = f"{len(tag.rows)} tricks, a deal has {HAND_SIZE}"
                played.faults.append(line_fault("log.record", message, line))
                break
            try:
                cells = _cells(text, first, rules, line)
            except InvalidInput as error:
                played.faults += error.faults
                break
            for _ in play.active:
                card = cells.pop(play.to_act, None)
                if card is None:
                    break
                if card in played.cards:
                    message = f"trick {trick + 1}: {card} was played in trick {_trick(played, card, play)} already"
                    played.faults.append(line_fault("card.duplicate", message, line))
                    return played
                play.push(card)
                played.cards += (card,)
                played.lines.append(line)
            left = ", ".join(f"{card} of {seat}" for seat, card in cells.items())
            if left:
                seat = contract.sitting_out
                sits_out = seat in cells and not play.table
                why = f"{seat} sits out" if sits_out else f"{play.to_act} is to play first and has no card"
                played.faults.append(line_fault("log.record", f"trick {trick + 1}: {left}: {why}", line))
                if sits_out:
                    continue
                break
            if play.table and trick + 1 < len(tag.rows):
                message = f"trick {trick + 1}: {play.to_act} has no card, and another trick follows"
                played.faults.append(line_fault("log.record", message, line))
                break
        return played


def _trick(played: Played, card: Card, play: Play) -> int:
    return played.cards.index(card) // len(play.active) + 1


def _cells(text: str, first: Seat, rules: Rules, line: int) -> dict[Seat, Card]:
    """The cards of a row by seat. Raises `InvalidInput`."""
    words = text.split()
    if len(words) > rules.seats:
        message = f"a trick has {rules.seats} columns, not {len(words)}"
        raise InvalidInput([line_fault("log.record", message, line)])
    cells: dict[Seat, Card] = {}
    for seat, word in zip(rules.seating.from_seat(first), words, strict=False):
        if set(word) <= _NONE:
            continue
        try:
            card = read_one(word, rules)
        except InvalidInput as error:
            raise InvalidInput(
                line_fault(fault.code, f"{seat}: {fault.message}", line) for fault in error.faults
            ) from None
        if card in cells.values():
            message = f"{card} is twice in one trick; two decks (double-deck euchre) are not supported"
            raise InvalidInput([line_fault("rules.unsupported", message, line)])
        cells[seat] = card
    return cells
