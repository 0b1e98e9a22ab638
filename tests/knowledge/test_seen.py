"""What a seat has seen is all that counts, and what it cannot have seen is refused at its place."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import InvalidInput
from solver.game.auction import PASS, Bid, Call, Contract
from solver.game.cards import HAND_SIZE, Card, CardSet, Suit
from solver.game.deal import Deal, hands_of
from solver.game.position import Decision, Position
from solver.game.rules import PRESETS, Rules
from solver.game.seats import Seat
from solver.knowledge.seen import Knowledge, UpcardAt
from solver.knowledge.worlds import Worlds, all_worlds, count_worlds, sample_worlds
from solver.notation.codes import read_card, read_cards
from solver.notation.deal_code import read_code
from tests.knowledge.legal import EVERY_RULES, assert_legal
from tests.strategies import positions

N, E, S, W = Seat

#: Hearts were turned; the dealer N holds clubs, E diamonds, S hearts, W spades, nearly.
DEALT = "american.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS"


def cards(text: str) -> tuple[Card, ...]:
    return tuple(read_card(card) for card in text.split())


def hand(text: str) -> CardSet:
    return CardSet.of(read_cards(text))


def discards(worlds: Worlds) -> CardSet:
    return CardSet.of(Card(card) for card in worlds.discard.tolist())


def faults(position: Position, seat: Seat) -> list[tuple[str, tuple[str | int, ...]]]:
    with pytest.raises(InvalidInput) as error:
        count_worlds(Knowledge.of(position, seat))
    return [(fault.code, fault.path) for fault in error.value.faults]


def message(position: Position, seat: Seat) -> str:
    with pytest.raises(InvalidInput) as error:
        count_worlds(Knowledge.of(position, seat))
    return str(error.value)


# -- nothing hidden ---------------------------------------------------------------------------------------------------


def is_declined(position: Position) -> bool:
    auction, contract = position.auction, position.contract
    assert auction is not None and contract is not None
    return contract.maker != auction.dealer and position.rules.dealer_may_decline_upcard


def lies(position: Position, seat: Seat, random: Random) -> Position:
    """The position with everything wrong that the seat has not seen."""
    deck = list(position.rules.cards)
    hands = {
        each: CardSet.of(random.sample(deck, random.choice([0, 4, HAND_SIZE, 6])))
        for each in position.rules.seating.seats
    }
    own, discard = position.deal.hand(seat), position.discard
    assert own is not None
    hands[seat] = own
    if (
        discard is not None
        and seat != position.deal.dealer
        and not (is_declined(position) and discard == position.deal.upcard)
    ):
        discard = random.choice([card for card in deck if card != position.deal.upcard])
    return replace(position, deal=replace(position.deal, hands=hands_of(hands)), discard=discard)


@given(positions(EVERY_RULES), st.integers(0, 2**32))
def test_hidden_things_are_not_looked_at(position: Position, seed: int) -> None:
    random = Random(seed)
    for seat in position.rules.seating.seats:
        knowledge = Knowledge.of(position, seat)
        false = Knowledge.of(lies(position, seat, random), seat)
        assert false == knowledge and hash(false) == hash(knowledge)
        mine, theirs = sample_worlds(knowledge, 5, seed), sample_worlds(false, 5, seed)
        assert np.array_equal(mine.dealt, theirs.dealt) and np.array_equal(mine.discard, theirs.discard)


@given(positions(EVERY_RULES))
def test_hidden_things_may_be_missing(position: Position) -> None:
    for seat in position.rules.seating.seats:
        bare = position.without_hands(str(each) for each in Seat if each != seat)
        discarded = position.discard is not None
        if discarded and seat != position.deal.dealer and position.discard != position.deal.upcard:
            bare = replace(bare, discard=None)
        assert Knowledge.of(bare, seat, discarded=discarded) == Knowledge.of(position, seat)


@given(positions(EVERY_RULES))
def test_a_seat_knows_whose_turn_it_is_and_its_own_cards(position: Position) -> None:
    for seat in position.rules.seating.seats:
        knowledge = Knowledge.of(position, seat)
        assert knowledge.decision == position.decision
        assert knowledge.to_act == position.to_act
        assert knowledge.contract == position.contract
        held = position.hands_in_play[seat]
        assert held is not None
        assert knowledge.held == held - knowledge.played[seat]


@given(positions(EVERY_RULES))
def test_nobody_holds_a_suit_after_showing_that_it_is_out(position: Position) -> None:
    for seat in position.rules.seating.seats:
        knowledge = Knowledge.of(position, seat)
        for each in position.rules.seating.seats:
            hand = position.hands_in_play[each]
            assert hand is not None
            order = knowledge.order
            suits = {order.suit(card) for card in hand - knowledge.played[each]} if order is not None else set()
            assert not knowledge.voids[each] & suits
        assert not knowledge.voids[seat]


@given(positions(EVERY_RULES))
def test_the_upcard_is_where_it_is_said_to_be(position: Position) -> None:
    upcard, dealer = position.deal.upcard, position.deal.dealer
    assert upcard is not None and dealer is not None
    for seat in position.rules.seating.seats:
        knowledge = Knowledge.of(position, seat)
        held = position.hands_in_play[dealer]
        assert held is not None
        where = {
            UpcardAt.TABLE: position.decision == Decision.BID and len(position.bids) < position.rules.seats,
            UpcardAt.TURNED_DOWN: not knowledge.taken and len(position.bids) >= position.rules.seats,
            UpcardAt.DEALER: knowledge.taken and upcard in held - knowledge.played[dealer],
            UpcardAt.DISCARD: position.discard == upcard,
            UpcardAt.PLAYED: upcard in position.plays,
        }
        true = {place for place, holds in where.items() if holds}
        assert len(true) == 1
        if knowledge.upcard_at == UpcardAt.DEALER_OR_DISCARD:
            assert true < {UpcardAt.DEALER, UpcardAt.DISCARD}
        else:
            assert true == {knowledge.upcard_at}


def test_an_upcard_declined_is_seen_by_all_and_one_hidden_is_not() -> None:
    shown = "two_handed.N.JH.9CTCQCKCAS-9DTDJDQDAH.o.JH"
    (declined,) = {Knowledge.of(read_code(shown), seat).discard for seat in (N, S)}
    assert str(declined) == "JH"
    assert Knowledge.of(read_code(shown), S).upcard_at == UpcardAt.DISCARD
    kept = Knowledge.of(read_code(shown.replace("o.JH", "o.9C")), S)
    assert kept.discard is None and kept.upcard_at == UpcardAt.DEALER
    own = read_code(shown.replace("o.JH", "po.JH"))  # the dealer ordered it, so this is an ordinary discard
    assert Knowledge.of(own, S).discard is None
    assert Knowledge.of(own, S).upcard_at == UpcardAt.DEALER_OR_DISCARD
    hidden = read_code(f"{DEALT}.po.JH")
    assert Knowledge.of(hidden, S).upcard_at == UpcardAt.DEALER_OR_DISCARD


# -- forms of a position ----------------------------------------------------------------------------------------------


def test_a_dealer_without_a_recorded_discard_has_all_cards_but_one() -> None:
    """The form with four cards: what was discarded is none of those that were seen."""
    position = read_code(f"{DEALT}.po")
    hands = hands_of({N: hand("9C TC QC KC")})
    short = replace(position, deal=replace(position.deal, hands=hands), plays=cards("9D AD 9S JH"))
    knowledge = Knowledge.of(short, N)
    assert knowledge.upcard_at == UpcardAt.PLAYED
    worlds = sample_worlds(knowledge, 2000)
    assert discards(worlds) == knowledge.rules.cards - hand("9C TC QC KC JH 9D AD 9S")
    assert all(worlds.position(row).problems() == [] for row in range(100))
    assert set(worlds.held[:, N].tolist()) == {hand("9C TC QC KC").bits}


def test_a_lost_discard_may_be_the_card_that_the_order_needed() -> None:
    position = read_code("american~natural_trump_to_order-yes.N.JH.9CTCQCKC---.pppo..9DAD9SJH")
    worlds = sample_worlds(Knowledge.of(position, N), 200)
    assert discards(worlds) == hand("9H TH QH KH AH")
    assert all(worlds.position(row).problems() == [] for row in range(20))


def test_a_dealer_who_sits_out_without_a_recorded_discard_threw_one_of_six() -> None:
    position = read_code(f"{DEALT}.poa")
    alone = replace(position, bids=(PASS, Bid(Call.ORDER, None, alone=True)), plays=cards("9D AD 9S"))
    knowledge = Knowledge.of(alone, N)
    assert knowledge.sitting_out == N and knowledge.decision == Decision.PLAY
    worlds = sample_worlds(knowledge, 500)
    assert discards(worlds) == hand("9C TC QC KC AS JH")
    assert all(worlds.position(row).problems() == [] for row in range(100))
    must_keep = replace(alone, deal=replace(alone.deal, rules=Rules(dealer_may_discard_upcard=False)))
    kept = sample_worlds(Knowledge.of(must_keep, N), 500)
    assert discards(kept) == hand("9C TC QC KC AS")


def test_a_seat_that_sits_out_sees_the_play_and_has_a_hidden_hand() -> None:
    position = read_code(f"{DEALT}.oa.9C")
    assert position.contract is not None and position.contract.sitting_out == W
    assert_legal(sample_worlds(Knowledge.of(position, W), 50))
    worlds = sample_worlds(Knowledge.of(position, E), 50)
    assert_legal(worlds)
    assert len(np.unique(worlds.held[:, W])) > 40


def test_hands_as_play_begins_leave_all_other_cards_out_of_play() -> None:
    deal = Deal(PRESETS["american"], None, None, hands_of({E: hand("9D TD JD QD AH")}))
    knowledge = Knowledge.of(Position(deal, given=Contract(Suit.HEARTS, S, False, E)), E)
    # 19 cards unseen: 5 to each other hand, 4 out of play.
    assert count_worlds(knowledge) == 2_933_186_256
    worlds = sample_worlds(knowledge, 100)
    assert_legal(worlds)
    assert (np.bitwise_count(worlds.kitty) == 4).all() and (worlds.discard == -1).all()
    assert knowledge.upcard_at == UpcardAt.NOWHERE


def test_whoever_leads_may_know_that_the_dealer_has_discarded_without_the_card() -> None:
    position = read_code(f"{DEALT}.po").without_hands("NSW")
    waiting, playing = Knowledge.of(position, E), Knowledge.of(position, E, discarded=True)
    assert (waiting.decision, waiting.to_act) == (Decision.DISCARD, N)
    assert (playing.decision, playing.to_act) == (Decision.PLAY, E)
    # 18 cards unseen: the dealer is dealt five of them, and discards one of those or the upcard.
    assert count_worlds(waiting) == 617_512_896
    assert count_worlds(playing) == 617_512_896 * 6
    assert_legal(sample_worlds(waiting, 20))
    assert_legal(sample_worlds(playing, 20))


def test_a_benny_turned_up_is_in_the_dealers_hand_until_discarded() -> None:
    deal = read_code("british.N.JO.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS").deal
    named = Position(deal, (Bid(Call.NAME, Suit.CLUBS),))
    assert Knowledge.of(named, E).upcard_at == UpcardAt.DEALER
    after = Knowledge.of(replace(named, discard=read_card("AS")), E)
    assert after.upcard_at == UpcardAt.DEALER_OR_DISCARD
    assert_legal(sample_worlds(after, 50))


# -- what cannot have been seen ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "seat", "expected"),
    [
        (DEALT.replace("9CTCQCKCAS", ""), N, [("hand.missing", ("hands", "N"))]),
        (DEALT.replace("9CTCQCKCAS", "9CTCQCKC"), N, [("hand.size", ("hands", "N"))]),
        (DEALT.replace("9CTCQCKCAS", "JHTCQCKCAS"), N, [("card.duplicate", ("hands", "N", 3))]),
        (f"{DEALT}.ph", S, [("bid.illegal", ("auction", 1))]),
        (f"{DEALT}.po.9D", N, [("discard.illegal", ("discard",))]),
        (f"{DEALT}.pppps.9D", N, [("discard.illegal", ("discard",))]),
        (f"{DEALT}.po..9D", N, [("discard.missing", ("discard",))]),
        (f"{DEALT}.po.9C.9D9H", S, [("play.illegal", ("plays", 1))]),  # its own revoke: it holds AD
        (f"{DEALT}.po.9C.9DADKH", S, [("play.illegal", ("plays", 2))]),  # S holds it, W cannot play it
        (f"{DEALT}.po.9C.9D9H", N, []),  # N cannot know of that revoke
        (f"{DEALT}.po.9C.9DAD9SJHTCTD9H9S", N, [("play.illegal", ("plays", 7))]),  # played twice
        (f"{DEALT}.po.9C.9DJH", E, [("play.illegal", ("plays", 1))]),  # the dealer took it, S played it
        (f"{DEALT}.pppps..JH", S, [("play.illegal", ("plays", 0))]),  # turned down
        (f"{DEALT}.po.AS.9DADAS", N, [("play.illegal", ("plays", 2))]),  # N discarded it
        ("two_handed.N.JH.9CTCQCKCAS-9DTDJDQDAH.o.JH.9DJH", S, [("play.illegal", ("plays", 1))]),  # declined
        # W throws a spade on hearts, and plays a heart later.
        (f"{DEALT}.po.9C.AHQH9SJHTC9D9HKH", N, [("play.illegal", ("plays", 2))]),
        (f"{DEALT}.po.9C.AHQH9SJHTC9D9HKH", S, [("play.illegal", ("plays", 2)), ("play.illegal", ("plays", 7))]),
    ],
)
def test_what_cannot_have_been_seen_is_refused(code: str, seat: Seat, expected: list[object]) -> None:
    position = read_code(code)
    if expected:
        assert faults(position, seat) == expected
    else:
        assert count_worlds(Knowledge.of(position, seat)) > 0


def test_faults_say_what_was_seen() -> None:
    assert message(read_code(f"{DEALT}.po.9C.AHQH9SJHTC9D9HKH"), N) == (
        "plays.2: 9S: hearts were led and KH is held, as later plays show (trick 1, W)"
    )
    assert message(read_code(f"{DEALT}.po.9C.9DJH"), E) == "plays.1: JH: S does not hold it, N took it (trick 1, S)"


# -- no world ---------------------------------------------------------------------------------------------------------


def test_no_world_names_every_void_without_which_there_were_one() -> None:
    """Four clubs are unseen, three seats show that they have none, and the kitty takes three cards."""
    position = read_code("american.E.JH.--9CTHQHKHAH-.pppps..9C9DTDJD")
    assert faults(position, S) == [("world.none", ("plays", at)) for at in (1, 2, 3)]
    assert message(position, S).startswith("plays.1: no world fits what was seen: W has no clubs after 9D (trick 1, W)")
    one_less = replace(position, plays=cards("9C TC 9D TD"))
    assert count_worlds(Knowledge.of(one_less, S)) > 0


def test_no_world_where_the_order_needs_a_card_that_another_seat_holds() -> None:
    code = "american~natural_trump_to_order-yes.N.JH.---9HTHQHKHAH.o"
    assert faults(read_code(code), W) == [("world.none", ("auction", 0))]
    assert "E ordered and so was dealt a card printed in hearts" in message(read_code(code), W)
    assert count_worlds(Knowledge.of(read_code(code.replace("AH.o", "AD.o")), W)) > 0
    assert count_worlds(Knowledge.of(read_code(code.replace("~natural_trump_to_order-yes", "")), W)) > 0


def test_no_world_where_the_dealer_shows_no_trump_and_must_have_the_upcard() -> None:
    code = "american~dealer_may_discard_upcard-no.N.JH.-9DTDJDQDAH--.po..AHQH9H9C"
    assert faults(read_code(code), E) == [("world.none", ("plays", 3)), ("world.none", ("upcard",))]
    thrown = Knowledge.of(read_code(code.replace("~dealer_may_discard_upcard-no", "")), E)
    assert discards(sample_worlds(thrown, 100)) == hand("JH")


def test_sampling_and_enumerating_refuse_what_no_world_fits() -> None:
    knowledge = Knowledge.of(read_code("american~natural_trump_to_order-yes.N.JH.---9HTHQHKHAH.o"), W)
    for ask in (
        lambda: sample_worlds(knowledge, 10),
        lambda: all_worlds(knowledge, 10),
        lambda: count_worlds(knowledge),
    ):
        with pytest.raises(InvalidInput) as error:
            ask()
        assert {fault.code for fault in error.value.faults} == {"world.none"}


def test_nobody_at_the_seat() -> None:
    assert faults(read_code("two_handed.N.JH.9CTCQCKCAS-9DTDJDQDAH"), E) == [("seat.foreign", ("viewpoint",))]
    nobody = replace(read_code(DEALT), deal=replace(read_code(DEALT).deal, rules=PRESETS["two_handed"], dealer=E))
    assert faults(nobody, N) == [("seat.foreign", ("dealer",))]
