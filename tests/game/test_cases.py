"""Hard cases of the rules: what real programs got wrong. The number of the case stands before each group."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solver.game.auction import ORDER, PASS, Auction, Bid, Call, Contract, discards, first_leader
from solver.game.cards import CardSet, Suit
from solver.game.deal import Deal, hands_of
from solver.game.order import CardOrder, card_order
from solver.game.play import Play
from solver.game.position import Decision, Position
from solver.game.rules import PRESETS, Rules
from solver.game.scoring import Game, makers_points, net, score
from solver.game.seats import SEATINGS, Seat, Side
from solver.notation.codes import read_bid, read_card, read_cards

N, E, S, W = Seat
CLUBS, DIAMONDS, HEARTS, SPADES = Suit
AMERICAN, STICK = PRESETS["american"], PRESETS["cardporch"]
FOUR = SEATINGS[4]


def order_of(trump: Suit | None, rules: Rules = AMERICAN) -> CardOrder:
    return card_order(rules, trump)


def legal(trump: Suit | None, hand: str, led: str | None, rules: Rules = AMERICAN) -> CardSet:
    return order_of(trump, rules).legal(cards(hand), read_card(led) if led else None)


def winner(trump: Suit | None, trick: str, rules: Rules = AMERICAN) -> str:
    played = read_cards(trick)
    return str(played[order_of(trump, rules).winner(played)])


def cards(text: str) -> CardSet:
    return CardSet.of(read_cards(text))


def bids(text: str) -> tuple[Bid, ...]:
    return tuple(read_bid(word) for word in text.split(",") if word.strip())


def auction(dealer: Seat, upcard: str, text: str = "", rules: Rules = AMERICAN) -> Auction:
    return Auction(rules, dealer, read_card(upcard), bids(text))


def deal(dealer: Seat, upcard: str, north: str, east: str, south: str, west: str, rules: Rules = AMERICAN) -> Deal:
    hands = {seat: cards(text) for seat, text in zip(Seat, (north, east, south, west), strict=True) if text}
    return Deal(rules, dealer, read_card(upcard), hands_of(hands))


#: S deals and turns the JH.
DEAL = deal(S, "JH", "9C TC JC QC KC", "9D TD QD KD AD", "9H TH QH KH AH", "9S TS JS QS KS")


def codes(position: Position) -> list[str]:
    return [fault.code for fault in position.problems()]


# -- 1 to 8: following, winning ----------------------------------------------------------------------------------------


def test_left_bower_follows_trump() -> None:  # 1
    assert legal(HEARTS, "JD AC", "9H") == cards("JD")


def test_left_bower_led_asks_for_trump() -> None:  # 2
    assert legal(HEARTS, "9H AD", "JD") == cards("9H")


@pytest.mark.parametrize(
    ("trick", "wins"), [("JD AD KH QD", "JD"), ("JD JH", "JH"), ("JD AH 9H JH", "JH"), ("AH JD", "JD")]
)
def test_left_bower_beats_all_but_the_right_bower(trick: str, wins: str) -> None:  # 3
    assert winner(HEARTS, trick) == wins


def test_left_bower_does_not_follow_its_printed_suit() -> None:  # 4
    assert legal(HEARTS, "JD 9C", "9D") == cards("JD 9C")
    assert legal(HEARTS, "JD 9C TD", "9D") == cards("TD")


def test_any_trump_beats_the_suit_led() -> None:  # 5
    assert winner(SPADES, "AD 9S") == "9S"


def test_a_discarded_suit_never_wins() -> None:
    assert winner(SPADES, "9D AH AC TD") == "TD"


@pytest.mark.parametrize("leader", Seat)
def test_the_suit_led_is_that_of_the_first_card_played_whoever_leads(leader: Seat) -> None:  # 6
    hands = [cards("AC"), cards("AH"), cards("9D"), cards("TD")]
    play = Play(order_of(SPADES), FOUR, hands, leader)
    for _ in range(4):
        (card,) = play.legal()
        play.push(card)
    highest = {N: N, E: E, S: W, W: W}[leader]
    assert play.tricks[0].seats[0] == leader and play.tricks[0].winner == highest


def test_trump_may_be_led_at_any_time() -> None:  # 7
    assert legal(HEARTS, "JH 9C", None) == cards("JH 9C")


def test_no_trump_has_no_bowers() -> None:  # 8
    assert winner(None, "JH QH") == "QH"
    assert winner(None, "QH JD AC") == "QH"
    assert legal(None, "JD AC", "9H") == cards("JD AC")


# -- 9 to 16: loners, dealer, auction ----------------------------------------------------------------------------------


def test_a_loner_of_the_dealers_right_in_round_2_moves_the_lead_by_rule() -> None:  # 9
    passes = ", ".join(["pass"] * 6)
    for rule, leader in (("dealer_left", S), ("maker_left", N), ("maker", W), ("maker_left_unless_dealers_side", N)):
        contract = auction(N, "AS", f"{passes}, H alone", replace(AMERICAN, lone_lead=rule)).contract
        assert contract == Contract(HEARTS, W, True, leader)
        assert contract.sitting_out == E


@pytest.mark.parametrize("rule", ["dealer_left", "maker_left", "maker_left_unless_dealers_side", "maker"])
def test_a_loner_of_the_dealers_side_by_rule(rule: str) -> None:
    leaders = {"dealer_left": E, "maker_left_unless_dealers_side": E, "maker": S, "maker_left": W}
    assert first_leader(replace(AMERICAN, lone_lead=rule), dealer=N, maker=S, alone=True) == leaders[rule]


@pytest.mark.parametrize("rule", ["dealer_left", "maker_left", "maker_left_unless_dealers_side", "maker"])
@pytest.mark.parametrize("maker", Seat)
def test_without_a_loner_the_dealers_left_leads(rule: str, maker: Seat) -> None:
    assert first_leader(replace(AMERICAN, lone_lead=rule), N, maker, alone=False) == E


def test_a_lone_deal_has_three_cards_a_trick_and_five_tricks() -> None:  # 10
    hands = [cards("9H TH QH KH AH"), cards("9C TC QC KC AC"), None, cards("9D TD QD KD AD")]
    play = Play(order_of(HEARTS), FOUR, hands, N, sitting_out=S)
    while not play.over:
        play.push(next(iter(play.legal())))
    assert [len(trick.cards) for trick in play.tricks] == [3] * 5
    assert all(not hand for hand in play.hands)
    assert score(AMERICAN, Contract(HEARTS, N, True, N), play.tricks_won()) == {Side.NS: 4, Side.EW: 0}


@pytest.mark.parametrize("dealer", Seat)
def test_stick_the_dealer_binds_the_dealers_seat_in_round_2_only(dealer: Seat) -> None:  # 11
    state = Auction(STICK, dealer, read_card("9S"))
    for at in range(7):
        assert PASS in state.legal_bids(), at
        state = state.after(PASS)
    assert state.to_act == dealer
    assert PASS not in state.legal_bids()
    fault = state.check(PASS)
    assert fault is not None and fault.code == "bid.illegal" and "stuck" in fault.message


def test_the_turned_down_suit_stays_closed_to_a_stuck_dealer_unless_the_option_opens_it() -> None:  # 11
    passes = ", ".join(["pass"] * 7)
    named = {bid.suit for bid in auction(N, "9S", passes, STICK).legal_bids()}
    assert named == {CLUBS, DIAMONDS, HEARTS}
    free = replace(STICK, stuck_dealer_may_name_turned_down=True)
    assert {bid.suit for bid in auction(N, "9S", passes, free).legal_bids()} == set(Suit)
    assert {bid.suit for bid in auction(N, "9S", "pass, " * 6, free).legal_bids()} == {None, CLUBS, DIAMONDS, HEARTS}


def test_a_dealer_whose_partner_orders_alone_discards_and_sits_out() -> None:  # 12
    position = Position(DEAL, bids("pass, order alone"))
    assert position.decision == Decision.DISCARD and position.to_act == S
    position = position.after(discard=read_card("9H"))
    contract = position.contract
    assert contract is not None and contract.sitting_out == S
    assert position.decision == Decision.PLAY and position.to_act == W
    play = position.play()
    assert S not in play.order_of_trick()
    for card in ("JH", "9H"):
        fault = play.check(read_card(card))
        assert fault is not None and "nobody holds it" in fault.message


def test_the_dealer_discards_whoever_ordered() -> None:  # 12
    for text in ("order", "pass, order", "pass, pass, order", "pass, pass, pass, order"):
        assert Position(DEAL, bids(text)).decision == Decision.DISCARD
    assert Position(DEAL, bids("pass, " * 4 + "C")).decision == Decision.PLAY


def test_discarding_the_upcard_is_legal_unless_the_option_forbids_it() -> None:  # 13
    hand, upcard = cards("9H TH QH KH AH"), read_card("JH")
    ordered = auction(S, "JH", "order")
    assert set(discards(ordered, hand)) == set(hand.with_card(upcard))
    forbidden = replace(AMERICAN, dealer_may_discard_upcard=False)
    assert set(discards(auction(S, "JH", "order", forbidden), hand)) == set(hand)
    position = Position(DEAL, bids("order"), discard=upcard)
    assert not position.problems()
    strict = replace(position, deal=replace(DEAL, rules=forbidden))
    assert codes(strict) == ["discard.illegal"]


def test_declining_the_upcard_is_for_a_dealer_ordered_by_another() -> None:  # 13
    rules = replace(PRESETS["two_handed"], dealer_may_discard_upcard=False)
    hand = cards("9H TH QH KH AH")
    assert read_card("JH") in discards(auction(S, "JH", "order", rules), hand)
    assert read_card("JH") not in discards(auction(S, "JH", "pass, order", rules), hand)


def test_the_upcard_in_a_hand_is_a_duplicate() -> None:  # 14
    for seat in Seat:
        hands = {each: DEAL.hand(each) or CardSet() for each in Seat}
        first = next(iter(hands[seat]))
        hands[seat] = hands[seat].without(first).with_card(read_card("JH"))
        for text in ("", "order"):
            position = Position(replace(DEAL, hands=hands_of(hands)), bids(text))
            assert codes(position) == ["card.duplicate"]


def test_the_dealer_holds_six_cards_between_order_and_discard() -> None:  # 14
    before, after = Position(DEAL), Position(DEAL, bids("order"))
    discarded = after.after(discard=read_card("9H"))
    sizes = [len(position.hands_in_play[S] or ()) for position in (before, after, discarded)]
    assert sizes == [5, 6, 5]
    six = replace(
        DEAL, hands=hands_of({each: DEAL.hand(each) or CardSet() for each in Seat} | {S: cards("9H TH JH QH KH AH")})
    )
    assert "hand.size" in codes(Position(six)) and "card.duplicate" in codes(Position(six))


def test_naming_the_turned_down_suit_in_round_2_is_refused() -> None:  # 15
    fault = auction(N, "AS", "pass, pass, pass, pass").check(Bid(Call.NAME, SPADES))
    assert fault is not None and fault.code == "bid.illegal" and "turned down" in fault.message


def test_naming_another_suit_in_round_1_is_refused() -> None:  # 15
    for suit in Suit:
        fault = auction(N, "AS").check(Bid(Call.NAME, suit))
        assert fault is not None and "round 1" in fault.message


def test_ordering_in_round_2_is_refused() -> None:
    fault = auction(N, "AS", "pass, pass, pass, pass").check(ORDER)
    assert fault is not None and "AS was turned down" in fault.message


@pytest.mark.parametrize(
    ("call", "suit", "alone"),
    [(Call.PASS, None, True), (Call.PASS, HEARTS, False), (Call.ORDER, HEARTS, False), (Call.NAME, None, False)],
)
def test_a_pass_alone_a_suit_ordered_by_name_and_a_naming_of_no_suit_are_no_bids(
    call: Call, suit: Suit | None, alone: bool
) -> None:
    with pytest.raises(ValueError, match=r"alone|suit"):
        Bid(call, suit, alone)


def test_bids_after_the_end_are_refused() -> None:
    for text, words in (("order", "ended the auction"), ("pass, " * 8, "thrown in")):
        fault = auction(N, "AS", text).check(PASS)
        assert fault is not None and words in fault.message


def test_jacks_of_one_colour_make_different_hands_until_trump_is_named() -> None:  # 16
    with_diamond, with_club = cards("AH KH QH JH JD"), cards("AH KH QH JH JC")
    assert with_diamond != with_club
    assert len(with_diamond & order_of(HEARTS).members(HEARTS)) == 5
    assert len(with_club & order_of(HEARTS).members(HEARTS)) == 4


# -- 17 to 20: scoring -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("maker", Seat)
@pytest.mark.parametrize("taken", [0, 1, 2])
def test_a_euchre_gives_the_defenders_two_whoever_they_are(maker: Seat, alone: bool, taken: int) -> None:  # 17
    makers = FOUR.side(maker)
    defenders = FOUR.opponents(makers)
    points = score(AMERICAN, Contract(HEARTS, maker, alone, N), {makers: taken, defenders: 5 - taken})
    assert points == {makers: 0, defenders: 2}


@pytest.mark.parametrize(
    ("taken", "alone", "points"),
    [(5, False, 2), (3, False, 2), (2, False, -1), (1, True, -1), (0, False, -2), (0, True, -4)],
)
def test_points_seen_from_the_defenders(taken: int, alone: bool, points: int) -> None:  # 18
    scored = score(AMERICAN, Contract(HEARTS, N, alone, E), {Side.EW: taken, Side.NS: 5 - taken})
    assert net(scored, Side.EW) == points
    assert net(scored, Side.NS) == -points


@pytest.mark.parametrize(
    ("makers_tricks", "alone", "points"),
    [(3, False, 1), (4, False, 1), (5, False, 2), (3, True, 1), (4, True, 1), (5, True, 4), (2, True, -2)],
)
def test_points_of_the_makers(makers_tricks: int, alone: bool, points: int) -> None:
    assert makers_points(AMERICAN, alone, makers_tricks) == points


def test_at_nine_any_made_contract_wins_the_game() -> None:  # 19
    games = [Game(AMERICAN, N, (9, 4)).after({Side.NS: points, Side.EW: 0}) for points in (1, 2, 4)]
    assert [game.winner for game in games] == [Side.NS] * 3


def test_a_british_lone_euchre_gives_four() -> None:  # 20
    british = PRESETS["british"]
    assert makers_points(british, True, 2) == -4
    assert makers_points(british, False, 2) == -2
