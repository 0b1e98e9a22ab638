"""Reasons in words: each is said where its fact holds, and not where it does not."""

from __future__ import annotations

import pytest

from solver.analysis.review import bid_reasons, play_reasons
from solver.analysis.review.bid_reasons import BID_REASONS, BidChoice, bid_reason
from solver.analysis.review.play_reasons import DISCARD_REASONS, PLAY_REASONS, CardChoice, card_reason
from solver.analysis.review.words import counted, listed
from solver.game.position import Decision
from solver.knowledge.seen import Knowledge
from solver.notation.codes import read_bid, read_card
from solver.notation.deal_code import read_code


def seen(code: str) -> Knowledge:
    """What the seat to act sees: the one whose hand the code has."""
    position = read_code(code)
    (seat,) = (seat for seat in position.rules.seating.seats if position.deal.hands[seat] is not None)
    return Knowledge.of(position, seat, discarded=seat != position.deal.dealer)


# Hearts are trump in all of these. N deals, 9H is turned, and E orders unless the code says otherwise.
W_BEHIND_THE_ACE = "american.N.9H.---9CTC9DTHKH.o..AS9S"
PLAYS = [
    # 1. With the partner's card winning.
    (play_reasons.took_the_partners_trick, W_BEHIND_THE_ACE, "TH", "9C", "trumped partner's ace"),
    (play_reasons.took_the_partners_trick, W_BEHIND_THE_ACE, "9C", "9D", None),
    (
        play_reasons.took_the_partners_trick,
        "american.N.9H.---9CTC9DTHKH.o..KS9S",
        "TH",
        "9C",
        "trumped partner's winning king of spades",
    ),
    (play_reasons.took_the_partners_trick, "american.N.9H.---QSASQDTHKH.o..KS9S", "QS", "AS", None),
    (
        play_reasons.took_the_partners_trick,
        "american.N.9H.---TSASQDTHKH.o..KS9S",
        "AS",
        "TS",
        "overtook partner's winning king of spades",
    ),
    (play_reasons.took_the_partners_trick, "american.N.9H.---9CTC9DTHKH.o..9SAS", "TH", "9C", None),  # S's ace
    # 2. With an opponent's card winning.
    (
        play_reasons.let_the_trick_go,
        "american.N.9H.---9CTC9DTHKH.o..9SAS",
        "9C",
        "TH",
        "did not trump S's ace of spades",
    ),
    (play_reasons.let_the_trick_go, W_BEHIND_THE_ACE, "9C", "TH", None),  # the partner's ace
    (
        play_reasons.let_the_trick_go,
        "american.N.9H.---9SAS9DTHKH.o..TSKS",
        "9S",
        "AS",
        "did not beat S's king of spades with the ace of spades",
    ),
    (
        play_reasons.let_the_trick_go,
        "american.W.9H.---9SAS9DTHKH.po.9D.TSQSKS",
        "9S",
        "AS",
        "left the trick to S, though the ace of spades takes it",
    ),
    (play_reasons.let_the_trick_go, "american.N.9H.---9SAS9DTHKH.o..TSKS", "AS", "9S", None),
    (play_reasons.trumped_too_low, "american.N.9H.---9CTC9DTHKH.o..QH9S", "TH", "KH", None),  # trumps were led
    (
        play_reasons.trumped_too_low,
        "american.N.9H.---9CTC9DTHKH.o..9SQH",
        "TH",
        "9C",
        "trumped below S's queen of hearts",
    ),
    (
        play_reasons.trumped_too_low,
        "american.W.9H.---9CTC9DTHKH.po.9D.9SQHKS",
        "TH",
        "9C",
        "trumped below partner's queen of hearts",
    ),
    (play_reasons.trumped_too_low, "american.N.9H.---9CTC9DTHKH.o..9SQH", "KH", "9C", None),
    (
        play_reasons.trumped_too_high,
        "american.N.9H.---9CTC9DTHKH.o..9SAS",
        "KH",
        "TH",
        "trumped with the king of hearts and kept the ten of hearts",
    ),
    (play_reasons.trumped_too_high, "american.N.9H.---9CTC9DTHKH.o..9SAS", "TH", "KH", None),
    (play_reasons.trumped_too_high, "american.N.9H.---9CTC9DTHKH.o..9SQH", "KH", "TH", None),  # the ten does not win
    (play_reasons.trumped_too_high, "american.N.9H.---9CTCJHTHKH.o..QHAH", "JH", "KH", None),  # trumps were led
    (
        play_reasons.covered_too_low,
        "american.N.9H.---9CTCJHTHAH.o..QHKH",
        "AH",
        "JH",
        "played the ace of hearts, which can be beaten, and kept the right bower",
    ),
    (
        play_reasons.covered_too_low,
        "american.N.9H.---9CTCJDTHAH.o..QHKH",
        "AH",
        "JD",
        None,
    ),  # which the right one beats
    (play_reasons.covered_too_low, "american.N.9H.---9CTCJHTHAH.o..QHKH", "JH", "AH", None),
    (play_reasons.covered_too_low, "american.N.9H.---9CTCJHJDAH.o..QHKH", "JD", "JH", None),  # nothing beats that
    (play_reasons.covered_too_low, "american.W.9H.---9CTCJHTHAH.po.9C.TDQHKH", "AH", "JH", None),  # nobody is to play
    # What beats it was turned down; or the dealer took it, and has played already, or is to play.
    (play_reasons.covered_too_low, "american.N.JD.---9CTCJHTSAH.ppppph..QHKH", "AH", "JH", None),
    (play_reasons.covered_too_low, "american.N.AH.-9CTCJDJHKH--.o..9CQCKCAC9H", "KH", "JH", None),
    (
        play_reasons.covered_too_low,
        "american.N.AH.---9CTCJHJDKH.o..QH9H",
        "KH",
        "JH",
        "played the king of hearts, which can be beaten, and kept the right bower",
    ),
    # Only N may hold the left bower, who has shown to be out of trumps; or who is the partner.
    (play_reasons.covered_too_low, "american.N.9C.---TCKCTHAHJH.ppppph..KH9HTH9SQH9D", "AH", "JH", None),
    (play_reasons.covered_too_low, "american.N.9C.--TCKCTHAHJH-.ppppph..KHTH9S9HQH", "AH", "JH", None),
    # 3. Cards thrown away or spent.
    (play_reasons.threw_away_an_ace, "american.N.9H.---9CACKDTHKH.o..9SAS", "AC", "9C", "threw away the ace of clubs"),
    (play_reasons.threw_away_an_ace, "american.N.9H.---9CACKDTHKH.o..9SAS", "9C", "AC", None),
    (
        play_reasons.spent_more_than_needed,
        "american.W.9H.---9CACKDTHJH.po.KD.TSKSQS",
        "JH",
        "TH",
        "spent the right bower where the ten of hearts takes the trick as well",
    ),
    (play_reasons.spent_more_than_needed, "american.W.9H.---9CACKDTHJH.po.KD.TSKSQS", "TH", "JH", None),
    (play_reasons.spent_more_than_needed, "american.N.9H.---9CACKDTHJH.o..TSKS", "JH", "TH", None),  # not the last card
    (
        play_reasons.threw_high_after_low,
        "american.N.9H.---9SQS9DTHKH.o..TSKS",
        "QS",
        "9S",
        "threw the queen of spades on the trick and kept the nine of spades",
    ),
    (play_reasons.threw_high_after_low, "american.N.9H.---9SAS9DTHKH.o..TSKS", "AS", "9S", None),
    # 4. On lead.
    (
        play_reasons.kept_trump_as_maker,
        "american.N.9H.-9CACJHTHKH--.o",
        "AC",
        "JH",
        "as maker did not lead trump, holding the right bower, the king and the ten",
    ),
    (play_reasons.kept_trump_as_maker, "american.N.9H.-9CACJHTHKH--.po", "AC", "JH", None),  # S is the maker
    (play_reasons.kept_trump_as_maker, "american.N.9H.-9CACJHTHKH--.o", "TH", "JH", None),
    (play_reasons.led_trump_for_the_makers, "american.N.9H.-9CACJHTHKH--.po", "JH", "AC", "led trump for the makers"),
    (play_reasons.led_trump_for_the_makers, "american.N.9H.-9CACJHTHKH--.o", "JH", "AC", None),
    (play_reasons.kept_an_ace_on_lead, "american.N.9H.-9CACJHTHKH--.po", "9C", "AC", "did not lead the ace of clubs"),
    (play_reasons.kept_an_ace_on_lead, "american.N.9H.-9CACJHTHKH--.po", "AC", "9C", None),
    (play_reasons.kept_an_ace_on_lead, "american.N.9H.-9CACJHTHAS--.po", "AS", "AC", None),  # an ace it was
    (
        play_reasons.kept_an_ace_on_lead,
        "american.N.9H.-9CACJHTHKH--.o",
        "KH",
        "AC",
        "led trump before the ace of clubs",
    ),
    (
        play_reasons.led_low_trump,
        "american.N.9H.-9CACJHTHKH--.o",
        "TH",
        "JH",
        "led the ten of hearts and kept the right bower",
    ),
    (play_reasons.led_low_trump, "american.N.9H.-9CACJHTHKH--.o", "JH", "TH", None),
]


@pytest.mark.parametrize(("reason", "code", "taken", "best", "expected"), PLAYS)
def test_a_fact_about_a_card_is_named_where_it_holds_and_nowhere_else(
    reason: play_reasons.Reason, code: str, taken: str, best: str, expected: str | None
) -> None:
    knowledge = seen(code)
    assert knowledge.decision == Decision.PLAY and knowledge.to_act == knowledge.seat
    legal = knowledge.position.play().legal()
    assert read_card(taken) in legal and read_card(best) in legal
    assert reason(CardChoice(knowledge, read_card(taken), read_card(best))) == expected


# N deals and takes 9H after E's order.
DISCARDS = [
    (
        play_reasons.discarded_a_trump,
        "american.N.9H.9SASTCTHKH---.o",
        "TH",
        "TC",
        "discarded a trump, the ten of hearts",
    ),
    (play_reasons.discarded_a_trump, "american.N.9H.9SASTCJDKH---.o", "JD", "TC", "discarded a trump, the left bower"),
    (play_reasons.discarded_a_trump, "american.N.9H.9SASTCTHKH---.o", "TC", "9S", None),
    (play_reasons.discarded_an_ace, "american.N.9H.9SASTCTHKH---.o", "AS", "TC", "discarded the ace of spades"),
    (play_reasons.discarded_an_ace, "american.N.9H.9SASTCTHKH---.o", "9S", "AS", None),
    (
        play_reasons.made_no_void,
        "american.N.9H.9SASTCTHKH---.o",
        "9S",
        "TC",
        "kept the ten of clubs, the only card of its suit, instead of making a void",
    ),
    (play_reasons.made_no_void, "american.N.9H.9SASTCQCKH---.o", "9S", "TC", None),
]


@pytest.mark.parametrize(("reason", "code", "taken", "best", "expected"), DISCARDS)
def test_a_fact_about_a_discard_is_named_where_it_holds_and_nowhere_else(
    reason: play_reasons.Reason, code: str, taken: str, best: str, expected: str | None
) -> None:
    knowledge = seen(code)
    assert knowledge.decision == Decision.DISCARD
    assert reason(CardChoice(knowledge, read_card(taken), read_card(best))) == expected


NO_TRICK, SURE = "american.N.9H.-9CTC9DQHKH--", "american.N.9H.-9CTC9DQHJH--"
BIDS = [
    (
        bid_reasons.ordered_an_opponent_with_no_sure_trick,
        NO_TRICK,
        "order",
        "pass",
        "ordered up N, an opponent, with two trumps and no sure trick",
    ),
    (bid_reasons.ordered_an_opponent_with_no_sure_trick, SURE, "order", "pass", None),
    # The left bower falls to the right bower by itself, with another trump it does not.
    (
        bid_reasons.ordered_an_opponent_with_no_sure_trick,
        "american.N.9H.-9CTC9DJDTS--",
        "order",
        "pass",
        "ordered up N, an opponent, with one trump and no sure trick",
    ),
    (bid_reasons.ordered_an_opponent_with_no_sure_trick, "american.N.9H.-9CTC9DJDTH--", "order", "pass", None),
    (
        bid_reasons.ordered_an_opponent_with_no_sure_trick,
        "american.N.9H.--9CTC9DQHKH-.p",
        "order",
        "pass",
        None,
    ),  # the partner deals
    (
        bid_reasons.gave_an_opponent_a_bower,
        "american.N.JH.-9CTC9DQHKH--",
        "order",
        "pass",
        "gave N, an opponent, the right bower",
    ),
    (bid_reasons.gave_an_opponent_a_bower, "american.N.JH.--9CTC9DQHKH-.p", "order", "pass", None),
    (
        bid_reasons.bid_with_few_trumps,
        "american.N.9H.9CTC9DTSKH---.ppp",
        "order",
        "pass",
        "picked up the upcard with only two trumps",
    ),
    (bid_reasons.bid_with_few_trumps, "american.N.9H.9CTC9DQHKH---.ppp", "order", "pass", None),
    (
        bid_reasons.bid_with_few_trumps,
        "american.N.9H.-9CTC9DTSKH--.pppp",
        "S",
        "pass",
        "named spades with only one trump",
    ),
    (
        bid_reasons.bid_with_few_trumps,
        "american.N.9H.-9CTC9DTSKH--",
        "order",
        "pass",
        "ordered the upcard with only one trump",
    ),
    (
        bid_reasons.bid_with_few_trumps,
        "american.N.9H.-9CTC9DTS9S--",
        "order",
        "pass",
        "ordered the upcard with no trump",
    ),
    (
        bid_reasons.bid_with_few_trumps,
        "american.N.9C.9HTH9DTDAS---.ppppppp",
        "H",
        "pass",
        "named hearts with only two trumps",
    ),  # the dealer, who picks nothing up
    (bid_reasons.bid_without_a_bower, NO_TRICK, "order", "pass", "made hearts trump without a bower"),
    (bid_reasons.bid_without_a_bower, "american.N.JH.--9HTHAH9DAS-.p", "order", "pass", None),  # the partner gets one
    (
        bid_reasons.bid_without_a_bower,
        "american.N.JH.--9HTHAH9DAS-.p",
        "order alone",
        "pass",
        "made hearts trump without a bower",
    ),  # and sits out
    (
        bid_reasons.bid_without_a_bower,
        "american.N.JH.-9HTHAH9DAS--.pppp",
        "S",
        "pass",
        "made spades trump without a bower",
    ),
    (bid_reasons.bid_without_a_bower, "american.N.9H.-9CTC9DJDKH--", "order", "pass", None),
    (
        bid_reasons.went_alone_without_the_right_bower,
        NO_TRICK,
        "order alone",
        "order",
        "went alone without the right bower",
    ),
    (bid_reasons.went_alone_without_the_right_bower, SURE, "order alone", "order", None),
    (
        bid_reasons.went_alone_without_the_right_bower,
        "american.N.JH.9CTC9DQHKH---.ppp",
        "order alone",
        "order",
        None,
    ),  # it is picked up
    (
        bid_reasons.passed_with_trumps,
        "american.N.9H.-9CTCJDQHJH--",
        "pass",
        "order",
        "passed with the right bower, the left bower and the queen for hearts",
    ),
    (
        bid_reasons.passed_with_trumps,
        "american.N.JH.9CTC9DQHKH---.ppp",
        "pass",
        "order",
        "passed with the right bower, the king and the queen for hearts, the upcard included",
    ),
    (bid_reasons.passed_with_trumps, NO_TRICK, "pass", "order", None),
    (bid_reasons.passed_with_trumps, "american.N.9H.-9CTCJDQHJH--", "order", "pass", None),
    (
        bid_reasons.did_not_help_the_partner,
        "american.N.9H.--9CTC9DQHKH-.p",
        "pass",
        "order",
        "did not order the upcard to partner, holding the king and the queen",
    ),
    (bid_reasons.did_not_help_the_partner, NO_TRICK, "pass", "order", None),
    (
        bid_reasons.turned_down_a_bower,
        "american.N.JH.9CTC9DTS9H---.ppp",
        "pass",
        "order",
        "turned down the right bower",
    ),
    (bid_reasons.turned_down_a_bower, "american.N.AH.9CTC9DTS9H---.ppp", "pass", "order", None),
    (bid_reasons.turned_down_a_bower, "american.N.JH.--9CTC9DTS9H-.p", "pass", "order", None),  # the partner deals
    (
        bid_reasons.passed_next,
        "american.N.9H.-9CTC9DTDKS--.pppp",
        "pass",
        "D",
        "did not name next, diamonds, after the dealer's side had turned down hearts",
    ),
    (bid_reasons.passed_next, "american.N.9H.-9CTC9DTDKS--.pppp", "pass", "C", None),
    (bid_reasons.passed_next, "american.N.9H.--9CTC9DTDKS-.ppppp", "pass", "D", None),  # the dealer's partner
    (
        bid_reasons.passed_across,
        "american.N.9H.--9CTC9DTDKS-.ppppp",
        "pass",
        "C",
        "did not cross the colour to clubs, as the dealer's partner",
    ),
    (bid_reasons.passed_across, "american.N.9H.--9CTC9DTDKS-.ppppp", "pass", "D", None),
    (bid_reasons.passed_across, "american.N.9H.-9CTC9DTDKS--.pppp", "pass", "C", None),
    (
        bid_reasons.kept_the_partner_in,
        "american.N.9H.-ASACJDQHJH--",
        "order",
        "order alone",
        "did not go alone with the right bower, the left bower and the queen",
    ),
    (bid_reasons.kept_the_partner_in, SURE, "order", "order alone", None),
    (
        bid_reasons.named_the_shorter_suit,
        "american.N.9H.-9CTCQCTSKS--.pppp",
        "S",
        "C",
        "named spades with two trumps rather than clubs with three trumps",
    ),
    (bid_reasons.named_the_shorter_suit, "american.N.9H.-9CTCQCTSKS--.pppp", "C", "S", None),
    (bid_reasons.named_the_shorter_suit, "american.N.9H.-9CTCQCTSKS--.pppp", "S", "pass", None),
]


@pytest.mark.parametrize(("reason", "code", "taken", "best", "expected"), BIDS)
def test_a_fact_about_a_bid_is_named_where_it_holds_and_nowhere_else(
    reason: bid_reasons.Reason, code: str, taken: str, best: str, expected: str | None
) -> None:
    knowledge = seen(code)
    assert knowledge.auction is not None and knowledge.to_act == knowledge.seat
    bids = knowledge.auction.legal_bids(knowledge.hand)
    assert read_bid(taken) in bids and read_bid(best) in bids
    assert reason(BidChoice(knowledge, read_bid(taken), read_bid(best))) == expected


def test_every_reason_is_shown_to_fire_and_not_to_fire() -> None:
    shown = {(row[0], row[4] is not None) for row in (*PLAYS, *DISCARDS, *BIDS)}
    every = (*PLAY_REASONS, *DISCARD_REASONS, *BID_REASONS)
    assert shown == {(reason, fires) for reason in every for fires in (True, False)}


def test_the_best_card_and_the_best_bid_have_no_reason() -> None:
    assert card_reason(seen(W_BEHIND_THE_ACE), read_card("9C"), read_card("9C")) is None
    assert bid_reason(seen(SURE), read_bid("order"), read_bid("order")) is None


def test_what_says_most_is_said_first() -> None:
    assert card_reason(seen(W_BEHIND_THE_ACE), read_card("TH"), read_card("9C")) == "trumped partner's ace"
    reason = bid_reason(seen(NO_TRICK), read_bid("order"), read_bid("pass"))
    assert reason == "ordered up N, an opponent, with two trumps and no sure trick"


def test_counts_and_lists_are_written_out() -> None:
    assert [counted(number, "trump") for number in (0, 1, 2)] == ["no trump", "one trump", "two trumps"]
    assert [listed("abc"[:size]) for size in (1, 2, 3)] == ["a", "a and b", "a, b and c"]
