"""Laws of the game: what holds in every deal, under every preset and deck."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import InvalidInput
from solver.game.auction import ORDER, PASS, Auction, Bid, Call
from solver.game.cards import DECKS, HAND_SIZE, CardSet, Suit
from solver.game.deal import random_deal
from solver.game.order import card_order
from solver.game.position import Decision, Position
from solver.game.rules import PRESETS, Rules, with_options
from solver.game.scoring import Game, makers_points, score
from solver.game.seats import Seat, Side
from solver.notation.codes import read_card, read_cards
from tests.strategies import ALL_RULES, positions, random_action, random_position

N, E, S, W = Seat

#: The presets with every deck, and every other option away from its default.
MORE_RULES = ALL_RULES + [
    with_options(Rules(), {name: value})
    for name, value in (
        ("lone_lead", "maker_left"),
        ("lone_lead", "maker"),
        ("dealers_partner", "may_not_order"),
        ("dealer_may_discard_upcard", False),
        ("natural_trump_to_order", True),
        ("going_alone", "never"),
    )
]
MORE_RULES.append(Rules(stick_the_dealer=True, stuck_dealer_may_name_turned_down=True))
MORE_RULES += [Rules(deck=25, benny_upcard=suit) for suit in "CDHS"]


def finished(rules: Rules, seed: int) -> Position:
    return random_position(rules, Random(seed))


seeds = st.integers(0, 2**32)
rules_of_all_kinds = st.sampled_from(MORE_RULES)


# -- the deal ----------------------------------------------------------------------------------------------------------


@given(rules_of_all_kinds, seeds)
def test_a_random_deal_uses_every_card_once(rules: Rules, seed: int) -> None:
    deal = random_deal(rules, N, Random(seed))
    assert not deal.problems()
    assert deal.upcard is not None and deal.kitty is not None
    parts = [CardSet.of([deal.upcard]), deal.kitty, *(hand for hand in deal.hands if hand is not None)]
    assert sum(map(len, parts)) == rules.deck == len(rules.cards)
    assert len(deal.kitty) == rules.deck - HAND_SIZE * rules.seats - 1


# -- every legal history -----------------------------------------------------------------------------------------------


@given(rules_of_all_kinds, seeds)
def test_no_prefix_of_a_legal_history_has_a_problem(rules: Rules, seed: int) -> None:
    random = Random(seed)
    position = Position(random_deal(rules, random.choice(rules.seating.seats), random))
    while position.decision != Decision.OVER:
        assert not position.problems()
        assert position.to_act in rules.seating.seats
        position = random_action(position, random)
    assert not position.problems()
    assert position.to_act is None


@given(rules_of_all_kinds, seeds)
def test_all_tricks_of_a_played_deal_are_won_by_someone(rules: Rules, seed: int) -> None:
    position = finished(rules, seed)
    if position.contract is None:
        assert position.auction is not None and position.auction.thrown_in
        return
    play = position.play()
    assert sum(play.tricks_won().values()) == HAND_SIZE
    assert all(not play.hands[seat] for seat in play.active)
    points = score(rules, position.contract, play.tricks_won())
    assert sorted(value > 0 for value in points.values()) == [False, True]


@given(rules_of_all_kinds, seeds)
def test_play_follows_suit_and_goes_round_from_the_winner(rules: Rules, seed: int) -> None:
    position = finished(rules, seed)
    if position.contract is None:
        return
    play, order = position.start(), card_order(rules, position.contract.trump)
    for card in position.plays:
        hand, legal = play.hands[play.to_act], play.legal()
        assert hand is not None and legal and legal <= hand and card in legal
        if play.led is not None:
            same = CardSet.of(each for each in hand if order.suit(each) == order.suit(play.led))
            assert legal == (same or hand)
        play.push(card)
    leader = position.contract.leader
    for trick in play.tricks:
        assert trick.seats[0] == leader
        assert trick.seats == tuple(s for s in rules.seating.from_seat(leader) if s != position.contract.sitting_out)
        leader = trick.winner
        best = trick.cards[trick.seats.index(trick.winner)]
        assert all(order.winner((best, card)) == 0 for card in trick.cards)


@given(rules_of_all_kinds, seeds)
def test_pop_undoes_push(rules: Rules, seed: int) -> None:
    position = finished(rules, seed)
    if position.contract is None:
        return
    play = position.start()

    def state() -> tuple[object, ...]:
        return tuple(play.hands), tuple(play.tricks), play.table, play.to_act, play.leader, play.over

    states = []
    for card in position.plays:
        states.append(state())
        play.push(card)
    for card in reversed(position.plays):
        assert play.pop() == card
        assert state() == states.pop()


@given(positions(MORE_RULES), seeds)
def test_a_card_that_is_not_legal_is_found_wherever_it_is_played(position: Position, seed: int) -> None:
    if position.decision != Decision.PLAY:
        return
    illegal = [card for card in position.rules.cards if card not in position.play().legal()]
    card = Random(seed).choice(illegal)
    faults = position.after(card=card).problems()
    assert [(fault.code, fault.path) for fault in faults] == [("play.illegal", ("plays", len(position.plays)))]


@given(positions([Rules(), Rules(lone_lead="maker_left"), Rules(deck=33)]), st.integers(1, 3))
def test_turning_the_table_turns_everything(position: Position, by: int) -> None:
    def turned(seat: Seat) -> Seat:
        return Seat((seat + by) % 4)

    deal = position.deal
    hands = [deal.hands[(seat - by) % 4] for seat in Seat]
    dealer = turned(deal.dealer) if deal.dealer is not None else None
    other = Position(
        type(deal)(deal.rules, dealer, deal.upcard, (hands[0], hands[1], hands[2], hands[3])),
        position.bids, None, position.discard, position.plays,
    )  # fmt: skip
    assert other.decision == position.decision
    assert other.to_act == (turned(position.to_act) if position.to_act is not None else None)
    if position.contract is not None and other.contract is not None:
        winners = [turned(trick.winner) for trick in position.play().tricks]
        assert [trick.winner for trick in other.play().tricks] == winners


# -- the auction -------------------------------------------------------------------------------------------------------

EVERY_BID = [PASS] + [
    Bid(call, suit, alone)
    for call, suit in [(Call.ORDER, None), *((Call.NAME, suit) for suit in Suit)]
    for alone in (False, True)
]


@given(positions(MORE_RULES))
def test_legal_bids_are_exactly_those_without_a_fault(position: Position) -> None:
    auction = position.auction
    assert auction is not None
    hand = position.deal.hands[auction.to_act] if auction.to_act is not None else None
    assert set(auction.legal_bids(hand)) == {bid for bid in EVERY_BID if auction.check(bid, hand) is None}
    assert bool(auction.legal_bids(hand)) != auction.over


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("upcard", ["9S", "JH", "AD", "TC"])
def test_bidding_goes_round_from_the_dealers_left_and_ends_with_the_dealer(name: str, upcard: str) -> None:
    rules = PRESETS[name]
    for dealer in rules.seating.seats:
        auction = Auction(rules, dealer, read_card(upcard))
        seats = []
        while not auction.over:
            assert auction.to_act is not None
            seats.append(auction.to_act)
            auction = auction.after(PASS)
        once = rules.seating.from_seat(rules.seating.left_of(dealer))
        assert seats == [*once, *once] and seats[-1] == dealer
        assert auction.thrown_in and auction.contract is None


def namings(rules: Rules, passes: int, hand: str | None = None, upcard: str = "9S") -> set[str]:
    """What may be bid after that many passes, N dealing."""
    auction = Auction(rules, N, read_card(upcard), (PASS,) * passes)
    return {str(bid) for bid in auction.legal_bids(CardSet.of(read_cards(hand)) if hand else None)}


ROUND_1 = {"pass", "order", "order alone"}
ROUND_2 = {"pass", "C", "C alone", "D", "D alone", "H", "H alone"}


@pytest.mark.parametrize("passes", range(8))
def test_free_bidding_of_the_american_game(passes: int) -> None:
    assert namings(PRESETS["american"], passes) == (ROUND_1 if passes < 4 else ROUND_2)


def test_the_stuck_dealer_must_name_in_round_2() -> None:
    for name in ("cardporch", "euchre_com"):
        assert namings(PRESETS[name], 7) == ROUND_2 - {"pass"}
        assert namings(PRESETS[name], 3) == ROUND_1


@pytest.mark.parametrize(
    ("option", "round_1", "round_2"),
    [
        ("free", ROUND_1, ROUND_2),
        ("alone_if_ordering", {"pass", "order alone"}, ROUND_2),
        ("alone_always", {"pass", "order alone"}, {"pass", "C alone", "D alone", "H alone"}),
        ("may_not_order", {"pass"}, ROUND_2),
    ],
)
def test_the_dealers_partner_is_bound_and_nobody_else(option: str, round_1: set[str], round_2: set[str]) -> None:
    rules = Rules(dealers_partner=option)
    assert (namings(rules, 1), namings(rules, 5)) == (round_1, round_2)
    for passes in (0, 2, 3):
        assert (namings(rules, passes), namings(rules, passes + 4)) == (ROUND_1, ROUND_2)


def test_presets_bind_the_dealers_partner_as_their_rules_say() -> None:
    bound = {name: rules.dealers_partner for name, rules in PRESETS.items() if rules.dealers_partner != "free"}
    assert bound == {"spanish": "alone_always", "canadian": "alone_if_ordering"}


def test_nobody_goes_alone_where_that_does_not_exist() -> None:
    assert namings(Rules(going_alone="never"), 1) == {"pass", "order"}
    assert namings(PRESETS["two_handed"], 2) == {"pass", "C", "D", "H"}


def test_natural_trump_asks_for_the_printed_suit_to_order_and_for_nothing_in_round_2() -> None:
    rules = Rules(natural_trump_to_order=True)
    assert namings(rules, 0, "JC 9C TC 9D 9H") == {"pass"}  # JC would be the left bower
    assert namings(rules, 0, "9S 9C TC 9D 9H", "TS") == ROUND_1
    assert namings(rules, 0) == ROUND_1  # the hand is not known
    assert namings(rules, 4, "9C TC JC QC KC") == ROUND_2


# -- the Benny ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trump", Suit)
def test_the_benny_is_the_highest_trump_and_follows_trump(trump: Suit) -> None:
    order = card_order(PRESETS["british"], trump)
    benny = read_card("JO")
    assert order.suit(benny) == trump
    assert all(order.winner((card, benny)) == 1 for card in PRESETS["british"].cards if card != benny)
    assert len(order.members(trump)) == 8


@pytest.mark.parametrize("dealer", Seat)
def test_for_a_benny_turned_up_the_dealer_alone_names_trump_and_takes_it(dealer: Seat) -> None:
    auction = Auction(PRESETS["british"], dealer, read_card("JO"))
    assert auction.to_act == dealer
    assert {str(bid) for bid in auction.legal_bids()} == {f"{suit}{more}" for suit in "CDHS" for more in ("", " alone")}
    named = auction.after(Bid(Call.NAME, Suit.CLUBS))
    assert named.over and named.takes_upcard and named.contract is not None
    assert (named.contract.maker, named.contract.trump) == (dealer, Suit.CLUBS)


def test_ordering_a_benny_that_has_no_suit_is_a_fault_and_makes_no_contract() -> None:
    deals = (random_deal(PRESETS["british"], N, Random(seed)) for seed in count())
    deal = next(each for each in deals if each.upcard == read_card("JO"))
    position = Position(deal, (ORDER,))
    assert [fault.code for fault in position.problems()] == ["bid.illegal"]
    assert position.contract is None and position.decision == Decision.OVER


@pytest.mark.parametrize("suit", Suit)
def test_a_benny_turned_up_can_stand_for_a_suit_fixed_before(suit: Suit) -> None:
    auction = Auction(Rules(deck=25, benny_upcard=suit.letter), N, read_card("JO"))
    assert auction.to_act == E and auction.up_suit == suit
    ordered = auction.after(ORDER)
    assert ordered.takes_upcard and ordered.contract is not None and ordered.contract.trump == suit
    passed = Auction(auction.rules, N, auction.upcard, (PASS,) * 4)
    assert suit not in {bid.suit for bid in passed.legal_bids()}


# -- decks and card order ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("trump", [*Suit, None])
def test_every_card_of_a_deck_counts_as_one_suit(deck: int, trump: Suit | None) -> None:
    rules = Rules(deck=deck)
    order = card_order(rules, trump)
    if trump is None and rules.has_benny:
        return  # refused as undefined
    members = [order.members(suit) for suit in Suit]
    assert sum(map(len, members)) == deck
    assert {card for each in members for card in each} == set(rules.cards)
    plain = (deck - rules.has_benny) // 4
    if trump is not None:
        sizes = [len(order.members(suit)) for suit in (trump, trump.same_colour)]
        assert sizes == [plain + 1 + rules.has_benny, plain - 1]


def test_trumps_and_plain_suits_rank_as_they_should() -> None:
    order = card_order(Rules(deck=33), Suit.HEARTS)
    by_strength = {suit: " ".join(map(str, order.suits[suit])) for suit in Suit}
    assert by_strength == {
        Suit.CLUBS: "7C 8C 9C TC JC QC KC AC",
        Suit.DIAMONDS: "7D 8D 9D TD QD KD AD",
        Suit.HEARTS: "7H 8H 9H TH QH KH AH JD JH JO",
        Suit.SPADES: "7S 8S 9S TS JS QS KS AS",
    }


# -- the game ----------------------------------------------------------------------------------------------------------


@given(rules_of_all_kinds, st.lists(st.tuples(st.booleans(), st.sampled_from([0, 1, 2, 4])), max_size=40))
def test_a_game_goes_to_the_target_and_the_deal_goes_round(rules: Rules, results: list[tuple[bool, int]]) -> None:
    first, second = rules.seating.sides
    game = Game(rules, rules.seating.seats[0])
    totals, dealt = [0, 0], 0
    for to_first, points in results:
        assert game.dealer == rules.seating.seats[dealt % rules.seats]
        won = {first: points * to_first, second: points * (not to_first)}
        if game.winner is not None:
            with pytest.raises(InvalidInput, match="already won"):
                game.after(won)
            return
        game, dealt = game.after(won), dealt + 1
        totals = [totals[0] + won[first], totals[1] + won[second]]
        assert game.scores == tuple(totals)
        assert (game.winner is not None) == (max(totals) >= rules.target)
    assert game.winner is None or game.score[game.winner] >= rules.target


def test_a_deal_thrown_in_passes_the_deal_and_scores_nothing() -> None:
    rules = Rules()
    game = Game(rules, W, (3, 4)).after(score(rules, None, {}))
    assert (game.dealer, game.scores) == (N, (3, 4))


def test_a_negative_score_is_refused() -> None:
    with pytest.raises(InvalidInput, match="-1"):
        Game(Rules(), N, (0, -1))


@pytest.mark.parametrize(
    ("option", "alone", "tricks", "sign"),
    [
        ("points", False, 3, 1),
        ("march", False, 5, 1),
        ("lone_points", True, 4, 1),
        ("lone_march", True, 5, 1),
        ("euchre", False, 2, -1),
        ("lone_euchre", True, 2, -1),
    ],
)
def test_every_score_is_an_option(option: str, alone: bool, tricks: int, sign: int) -> None:
    rules = with_options(Rules(march=50, lone_march=50), {option: 37})
    assert makers_points(rules, alone, tricks) == 37 * sign


def test_two_seats_are_two_sides() -> None:
    seating = PRESETS["two_handed"].seating
    assert seating.seats == (N, S) and seating.sides == (Side.N, Side.S)
    assert seating.left_of(N) == S and seating.left_of(S) == N
    assert seating.partner(N) is None and seating.opponents(Side.N) == Side.S
