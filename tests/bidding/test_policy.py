"""The auction policy: laws that any has to keep, and what the shipped one does."""

import json
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.bidding import policy as policies
from solver.bidding.hands import HANDS, all_hands, number, public, relative, swapped
from solver.bidding.policy import BUILT, Policy, SimplePolicy, TablePolicy, checksum, load_tables, policy_for
from solver.errors import InvalidInput
from solver.game.auction import ORDER, PASS, Auction, Bid, Call, discards
from solver.game.cards import Card, CardSet, Rank, Suit
from solver.game.deal import random_deal
from solver.game.rules import PRESETS, Rules
from solver.game.seats import Seat

SEATS = tuple(Seat)
COLOUR_KEEPING = [
    suits for suits in permutations(Suit) if all(suits[suit.same_colour] == suits[suit].same_colour for suit in Suit)
]


def dealt(count: int, upcard: Card, seed: int = 0) -> NDArray[np.uint64]:
    """Random hands from the 23 cards that are left."""
    random = np.random.default_rng(seed)
    hands = public(all_hands())
    hands = hands[hands & np.uint64(upcard.bit) == 0]
    return random.choice(hands, count, replace=False)


def relabelled(cards: CardSet, suits: tuple[Suit, ...]) -> CardSet:
    return CardSet.of(Card.of(card.rank, suits[card.suit]) for card in cards)  # type: ignore[index]


def auctions(rules: Rules, upcard: Card, dealer: Seat = Seat.S) -> list[Auction]:
    made = [Auction(rules, dealer, upcard)]
    while not made[-1].must_name(len(made[-1].bids)) and len(made) < made[-1].turns:
        made.append(made[-1].after(PASS))
    return made


def test_numbers_count_the_hands() -> None:
    for size, count in ((5, HANDS), (6, 134_596)):
        assert len(all_hands(size)) == count
        assert (number(all_hands(size), size) == np.arange(count)).all()


def test_pairs_of_hand_and_upcard_are_as_many_as_known() -> None:
    clubs = [Card.of(rank, Suit.CLUBS) for rank in Rank if rank >= Rank.NINE]
    hands = all_hands()
    single = hands[hands <= swapped(hands)]
    left = [single[public(single) & np.uint64(card.bit) == 0] for card in clubs]
    assert sum(len(each) for each in left) == 105_798


def test_roles_lose_no_card() -> None:
    hands = public(all_hands()[::97])
    for suit in Suit:
        assert len(np.unique(relative(hands, suit))) == len(hands)
    assert (public(relative(hands, Suit.CLUBS)) == hands).all()


def test_four_presets_have_tables_and_the_rest_says_that_it_has_none() -> None:
    names = {preset: policy_for(rules).name for preset, rules in PRESETS.items()}
    assert names == {
        "american": "american-2",
        "cardporch": "cardporch-2",
        "canadian": "canadian-2",
        "spanish": "spanish-2",
        "euchre_com": "cardporch-2",
        "two_handed": "simple",
        "british": "simple",
    }
    assert policy_for(Rules(euchre=3)).name == "simple"
    assert policy_for(Rules(target=5)) is policy_for(Rules())


@pytest.mark.parametrize("preset", PRESETS)
def test_chances_are_of_legal_bids_and_sum_to_one(preset: str) -> None:
    rules = PRESETS[preset]
    for upcard in (Card.of(Rank.JACK, Suit.HEARTS), Card.of(Rank.NINE, Suit.CLUBS)):
        for auction in auctions(rules, upcard, SEATS[0]):
            hands = dealt(60, upcard)
            policy = policy_for(rules)
            chances = policy.bid_batch(auction, hands)
            assert chances.shape == (60, len(auction.legal_bids()))
            assert np.allclose(chances.sum(axis=1), 1) and (chances >= 0).all()
            for column, bid in enumerate(auction.legal_bids()):
                assert (policy.chance_batch(auction, bid, hands) == chances[:, column]).all()
            for hand, row in zip(hands[:10], chances, strict=False):
                single = policy.probabilities(auction, CardSet(int(hand)))
                assert list(single) == list(auction.legal_bids(CardSet(int(hand))))
                assert list(single.values()) == row.tolist()
                assert single[policy.choose(auction, CardSet(int(hand)))] == max(row)


@pytest.mark.parametrize("preset", BUILT)
def test_names_of_suits_change_nothing(preset: str) -> None:
    rules = PRESETS[preset]
    policy = policy_for(rules)
    assert len(COLOUR_KEEPING) == 8
    for suits in COLOUR_KEEPING:
        for rank in (Rank.NINE, Rank.JACK, Rank.ACE):
            upcard = Card.of(rank, Suit.DIAMONDS)
            renamed = Card.of(rank, suits[Suit.DIAMONDS])
            for one, other in zip(auctions(rules, upcard), auctions(rules, renamed), strict=True):
                for bits in dealt(8, upcard, seed=rank):
                    hand = CardSet(int(bits))
                    expected = {
                        Bid(bid.call, None if bid.suit is None else suits[bid.suit], bid.alone): chance
                        for bid, chance in policy.probabilities(one, hand).items()
                    }
                    assert policy.probabilities(other, relabelled(hand, suits)) == expected


@pytest.mark.parametrize("preset", BUILT)
def test_names_of_suits_change_no_discard(preset: str) -> None:
    policy, upcard = policy_for(PRESETS[preset]), Card.of(Rank.QUEEN, Suit.SPADES)
    for suits in COLOUR_KEEPING:
        one = Auction(PRESETS[preset], Seat.N, upcard, (ORDER,))
        other = replace(one, upcard=Card.of(Rank.QUEEN, suits[Suit.SPADES]))
        for bits in dealt(30, upcard):
            hand = CardSet(int(bits))
            if hand == relabelled(hand, (Suit.CLUBS, Suit.HEARTS, Suit.DIAMONDS, Suit.SPADES)):
                continue  # its own mirror: one of two equals goes
            thrown = policy.discard(one, hand)
            assert relabelled(CardSet.of([thrown]), suits) == CardSet.of(
                [policy.discard(other, relabelled(hand, suits))]
            )


@pytest.mark.parametrize("preset", PRESETS)
def test_discards_are_legal(preset: str) -> None:
    for rules in {PRESETS[preset], replace(PRESETS[preset], dealer_may_discard_upcard=False)}:
        for upcard in (Card.of(Rank.JACK, Suit.HEARTS), Card.of(Rank.NINE, Suit.HEARTS)):
            for auction in auctions(rules, upcard, SEATS[0]):
                bids = [bid for bid in auction.legal_bids() if bid.call == Call.ORDER]
                for bid in bids:
                    ordered, hands = auction.after(bid), dealt(200, upcard)
                    thrown = policy_for(rules).discard_batch(ordered, hands)
                    for hand, card in zip(hands, thrown, strict=True):
                        assert Card(int(card)) in discards(ordered, CardSet(int(hand)))


def test_a_stuck_dealer_never_passes() -> None:
    rules = PRESETS["cardporch"]
    for upcard in (Card.of(rank, Suit.SPADES) for rank in Rank if rank >= Rank.NINE):
        auction = auctions(rules, upcard)[-1]
        assert auction.to_act == auction.dealer and PASS not in auction.legal_bids()
        assert np.allclose(policy_for(rules).bid_batch(auction, dealt(5_000, upcard)).sum(axis=1), 1)


@pytest.mark.parametrize("policy", [policy_for(Rules()), SimplePolicy("simple")], ids=lambda policy: policy.name)
def test_what_is_no_decision_is_refused(policy: Policy) -> None:
    upcard = Card.of(Rank.NINE, Suit.CLUBS)
    auction = Auction(Rules(), Seat.N, upcard)
    hand = dealt(1, upcard)
    with pytest.raises(InvalidInput, match="nobody is to bid"):
        policy.bid_batch(auction.after(ORDER), hand)
    with pytest.raises(InvalidInput, match="no upcard"):
        policy.discard_batch(auction, hand)
    with pytest.raises(InvalidInput, match="row 0: the upcard 9C is in a hand"):
        policy.bid_batch(auction, np.array([0b11111 << 2], dtype=np.uint64))
    with pytest.raises(InvalidInput, match="row 0: a hand is dealt 5 cards"):
        policy.bid_batch(auction, np.array([1 << 31], dtype=np.uint64))
    with pytest.raises(InvalidInput, match="row 0: a card that the deck does not have"):
        policy.bid_batch(auction, np.array([0b11111], dtype=np.uint64))


def test_passing_is_valued_by_what_later_bidders_see() -> None:
    """Whoever lets later bidders see all cards has the dealer pick up a jack with nearly every hand."""
    for preset in ("american", "cardporch"):
        rules = PRESETS[preset]
        picked = {}
        for rank in (Rank.NINE, Rank.JACK):
            upcard = Card.of(rank, Suit.HEARTS)
            auction = Auction(rules, Seat.N, upcard, (PASS,) * 3)
            picked[rank] = 1 - policy_for(rules).bid_batch(auction, dealt(20_000, upcard))[:, 0].mean()
        assert 0.4 < picked[Rank.JACK] < 0.97
        assert picked[Rank.NINE] < picked[Rank.JACK] - 0.1


def bid_out(rules: Rules, number: int) -> Auction:
    from random import Random

    deal = random_deal(rules, Seat.W, Random(number))
    auction = Auction(rules, Seat.W, deal.upcard)
    while auction.to_act is not None:
        auction = auction.after(policy_for(rules).choose(auction, deal.hands[auction.to_act]))
    return auction


def test_most_deals_are_ordered_and_few_are_thrown_in() -> None:
    ended = [bid_out(Rules(), number) for number in range(400)]
    first_round = np.mean([auction.takes_upcard for auction in ended])
    alone = np.mean([auction.winning_bid is not None and auction.winning_bid.alone for auction in ended])
    assert 0.5 < first_round < 0.95
    assert np.mean([auction.thrown_in for auction in ended]) < 0.03
    assert 0.03 < alone < 0.35


def test_extreme_hands() -> None:
    rules, upcard = Rules(), Card.of(Rank.QUEEN, Suit.HEARTS)

    def hand(text: str) -> CardSet:
        return CardSet.of(
            Card.of(Rank("789TJQKA".index(each[0])), Suit("CDHS".index(each[1]))) for each in text.split()
        )

    eldest = Auction(rules, Seat.W, upcard)
    policy = policy_for(rules)
    assert policy.choose(eldest, hand("JH JD AH KH AS")).alone
    assert policy.choose(eldest, hand("9C TC 9D TS 9S")) == PASS
    turned_down = Auction(rules, Seat.W, upcard, (PASS,) * 4)
    assert policy.choose(turned_down, hand("JD AD KD AS 9C")).suit == Suit.DIAMONDS
    dealer = Auction(rules, Seat.W, upcard, (PASS,) * 3)
    assert policy.choose(dealer, hand("JH AH 9H AS 9S")).call == Call.ORDER
    assert policy.discard(dealer.after(ORDER), hand("JH AH KH AS 9C")) == Card.of(Rank.NINE, Suit.CLUBS)


def test_data_file_is_what_it_says() -> None:
    tables = load_tables()
    assert tables is not None
    provenance = json.loads(str(tables["provenance"]))
    assert provenance["checksum"] == checksum(tables)
    assert provenance["deals"] >= 100_000 and provenance["version"] == 2
    assert max(provenance["changed_by_last_sweep"].values()) < 0.01
    source = policies.files("solver.bidding") / "data" / policies.DATA
    assert len(source.read_bytes()) < 10_000_000


def test_tables_cannot_be_changed() -> None:
    policy = policy_for(Rules())
    assert isinstance(policy, TablePolicy)
    with pytest.raises(ValueError, match="read-only"):
        policy.calls[0, 0, 0] = 1


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "policy.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(block, "policy.md", "exec"), {})
    name, bid, *_, discard = capsys.readouterr().out.splitlines()
    assert (name, bid, discard) == ("american-2", "pass", "9D")


def test_what_the_dealer_throws_away_goes_by_who_plays_and_whether_alone() -> None:
    upcard = Card.of(Rank.QUEEN, Suit.HEARTS)
    hands, policy = dealt(3000, upcard), policy_for(PRESETS["american"])
    alone = Bid(Call.ORDER, None, alone=True)
    by_dealer, by_itself, by_partner, by_partner_alone, by_other = (
        policy.discard_batch(Auction(PRESETS["american"], Seat.S, upcard, (*[PASS] * passes, bid)), hands)
        for passes, bid in ((3, ORDER), (3, alone), (1, ORDER), (1, alone), (0, ORDER))
    )
    assert (by_dealer == by_partner).all() and (by_dealer == by_partner_alone).all()
    assert 0 < (by_dealer != by_itself).mean() < 0.5
    assert 0 < (by_dealer != by_other).mean() < 0.5
