"""Drawings for a terminal: each card is where it belongs, and each number is the one of the analysis."""

from __future__ import annotations

import re

from hypothesis import given, settings

from solver.analysis.analyze import analyze
from solver.diagram import SIGNS, draw_analysis
from solver.game.position import Decision, Position
from solver.game.rules import Rules
from solver.game.seats import Side
from solver.notation.deal_code import read_code
from tests.strategies import positions

DEAL = "N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS"
LONER = f"american.{DEAL}.poa.9C.9DAD"


def drawn(code: str) -> str:
    return draw_analysis(analyze(read_code(code)))


def test_hands_are_by_printed_suit_until_trump_is_named() -> None:
    assert "♥ A  ♦ Q J T 9\n" in drawn(f"american.{DEAL}")


def test_the_left_bower_stands_among_the_trumps_and_names_its_printed_suit() -> None:
    assert "♥ J♦ A  ♦ Q T\n" in drawn(LONER)


def test_who_sits_out_has_no_hand_and_the_dealer_who_discards_first_has_six_cards() -> None:
    assert re.search(r"N  dealer\n *\(sits out\)\n", drawn(LONER))
    assert re.search(r"N  dealer, to act\n *♥ J:\d  ♠ A:\d  ♣ K:\d Q:\d T:\d 9:\d\n", drawn(f"american.{DEAL}.poa"))


def test_the_trick_under_way_is_told_with_its_seats() -> None:
    assert "On the table: E 9D, S AD\n" in drawn(LONER)


def table_rows(code: str) -> dict[str, list[str]]:
    """The rows of the contract table by their heading, each cell as one text."""
    _, _, rest = drawn(code).partition("Contracts: ")
    lines = rest.split("\n\n")[0].splitlines()[1:]
    return {line[:8].strip(): re.findall(r"\d [+-]\d|-", line[8:]) for line in lines}


def test_a_contract_that_can_be_made_with_and_without_the_upcard_is_shown_both_ways() -> None:
    code = f"cardporch~stuck_dealer_may_name_turned_down-yes.{DEAL}"
    analysis, rows = analyze(read_code(code)), table_rows(code)
    tricks = [
        value.outcome.tricks[Side.NS]
        for value in analysis.table or ()
        if str(value.contract.maker) == "N" and value.contract.trump.letter == "H" and not value.contract.alone
    ]
    assert [rows["N"][2][0], rows["N rd 2"][2][0]] == [str(won) for won in tricks] == ["4", "3"]
    assert list(table_rows(f"american.{DEAL}")) == ["", "maker", "N", "E", "S", "W"]


def test_where_nobody_goes_alone_no_column_is_headed_by_it() -> None:
    drawing = drawn("two_handed.N.JH.9CTCQCKCAS-AD9HTHQHKH")
    assert "alone" not in drawing and "partner" not in drawing


def cards_drawn(drawing: str) -> list[str]:
    """The cards in the hands of a drawing, each as it is printed."""
    hands = "\n".join(drawing.split("\n\n")[1:4])
    names = []
    for sign, cards in re.findall(r"([♣♦♥♠])((?: (?:JO|[789TJQKA][♣♦♥♠]?)(?::\d)?)+)", hands):
        names += [name if name == "JO" else name[0] + (name[1:2].strip(":") or sign) for name in cards.split()]
    return names + re.findall(r"(?<! )(?<!\S)JO|(?<=  )JO", hands)


@settings(max_examples=100)
@given(positions([Rules(), Rules(deck=33), Rules(deck=25, benny_upcard="H")]))
def test_every_hand_is_drawn_with_its_cards_and_no_others(position: Position) -> None:
    hands = list(position.hands_in_play)
    if position.contract is not None and position.decision != Decision.DISCARD:
        play = position.play()
        hands = [play.hands[seat] for seat in play.active]
    held = [str(card).translate(str.maketrans("CDHS", SIGNS)) for hand in hands for card in hand or ()]
    assert sorted(cards_drawn(draw_analysis(analyze(position)))) == sorted(held)
