"""Knowing and sampling: the cases that other programs got wrong."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from solver.errors import InvalidInput
from solver.game.cards import Card, CardSet, Suit
from solver.game.seats import Seat
from solver.knowledge.seen import Knowledge, UpcardAt
from solver.knowledge.worlds import Worlds, count_worlds, sample_worlds
from solver.notation.codes import read_card
from solver.notation.deal_code import read_code

N, E, S, W = Seat

DEALT = "american.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS"


def seen(code: str, seat: Seat) -> Knowledge:
    return Knowledge.of(read_code(code), seat)


def discards(worlds: Worlds) -> Counter[str]:
    return Counter(str(Card(card)) for card in worlds.discard.tolist())


def holders(worlds: Worlds, card: str) -> list[float]:
    """The share of worlds in which each seat holds the card."""
    bit = np.uint64(read_card(card).bit)
    return ((worlds.held & bit) != 0).mean(axis=0).tolist()


def test_case_21_the_kitty_may_hold_any_unseen_card() -> None:
    knowledge = seen(DEALT, E)
    assert count_worlds(knowledge) == 617_512_896
    worlds = sample_worlds(knowledge, 60_000, threads=2)
    unseen = knowledge.rules.cards - knowledge.hand.with_card(read_card("JH"))
    assert len(unseen) == 18
    for card in unseen:
        bit = np.uint64(card.bit)
        shares = [*holders(worlds, str(card)), ((worlds.kitty & bit) != 0).mean()]
        # 5 of 18 for each other hand, 3 of 18 for the kitty; 0.01 is more than five standard errors.
        assert shares == pytest.approx([5 / 18, 0, 5 / 18, 5 / 18, 3 / 18], abs=0.01)


def test_case_22_the_discard_varies_and_the_dealer_has_the_upcard_until_played() -> None:
    kept = sample_worlds(seen(f"{DEALT}.po.9C", E), 60_000, threads=2)
    thrown = discards(kept)
    assert len(thrown) == 19
    # The dealer is dealt 5 of 18 cards and discards one of those and the upcard, each as likely in all worlds.
    assert thrown["JH"] / len(kept) == pytest.approx(1 / 6, abs=0.01)
    assert thrown["KC"] / len(kept) == pytest.approx(5 / 18 / 6, abs=0.005)
    assert holders(kept, "JH") == [pytest.approx(5 / 6, abs=0.01), 0, 0, 0]
    played = sample_worlds(seen(f"{DEALT}.po.9C.9DAD9SJH", E), 1000)
    assert played.knowledge.upcard_at == UpcardAt.PLAYED
    assert holders(played, "JH") == [0, 0, 0, 0]
    assert "JH" not in discards(played) and len(discards(played)) > 10


def test_case_22_a_dealer_may_have_discarded_the_suit_shown_to_be_gone() -> None:
    worlds = sample_worlds(seen(f"{DEALT}.po.9C.9DAD9SJH", E), 2000)  # N ruffs diamonds
    assert worlds.knowledge.voids[N] == {Suit.DIAMONDS}
    assert "KD" in discards(worlds)
    assert holders(worlds, "KD")[N] == 0


def test_case_23_voids_are_by_the_suit_that_cards_count_as() -> None:
    """Hearts are trump and E leads JD, the left bower: who plays a club is out of hearts, diamonds untold."""
    knowledge = seen(f"{DEALT}.po.9C.JDAD9S", E)
    assert knowledge.voids == (frozenset(), frozenset(), {Suit.HEARTS}, {Suit.HEARTS})
    worlds = sample_worlds(knowledge, 2000)
    assert holders(worlds, "KD")[W] > 0.1 and holders(worlds, "AC")[W] > 0.1
    for heart in ("9H", "TH", "QH", "KH"):
        assert holders(worlds, heart)[S:] == [0, 0]
    # In the other direction: who does not follow a diamond may hold the left bower.
    other = seen("american.N.JH.9CTCQCKCAS-9DTDQDKDAH-AD9HTHQHKH-9STSJSQSKS.po.9C.9DAD9S", E)
    assert other.voids[W] == {Suit.DIAMONDS}
    assert holders(sample_worlds(other, 2000), "JD")[W] > 0.1


def test_case_23_all_followers_of_every_trick_are_looked_at() -> None:
    knowledge = seen(f"{DEALT}.po.9C.9DAD9SJHTCTD9HTS", E)
    assert knowledge.voids[W] == {Suit.DIAMONDS, Suit.CLUBS}
    assert knowledge.voids[N] == {Suit.DIAMONDS}
    assert knowledge.voids[S] == {Suit.CLUBS}
    assert knowledge.voids[E] == frozenset()  # its own hand is known


def test_case_24_a_seat_that_revoked_is_in_no_world_and_no_world_is_an_error() -> None:
    """When all others show that they have no clubs, four unseen clubs are one too many for the kitty."""
    worlds = sample_worlds(seen(f"{DEALT}.po.9C.9DAD9SJHTCTD9HTS", N), 2000)
    gone = {E: "C", S: "C", W: "CD"}
    for seat, suits in gone.items():
        for word in np.unique(worlds.held[:, seat]).tolist():
            # JD is a heart here, and was not played: it may be held by a seat without diamonds.
            assert not any("CDHS"[card.index >> 3] in suits and str(card) != "JD" for card in CardSet(word))
    with pytest.raises(InvalidInput) as error:
        sample_worlds(seen("american.E.JH.--9CTHQHKHAH-.pppps..9C9DTDJD", S), 1000)
    assert {fault.code for fault in error.value.faults} == {"world.none"}


def test_case_25_zero_worlds_are_an_error() -> None:
    knowledge = seen(DEALT, E)
    with pytest.raises(InvalidInput) as error:
        sample_worlds(knowledge, 0)
    assert [(fault.code, fault.path) for fault in error.value.faults] == [("field.invalid", ("worlds",))]
