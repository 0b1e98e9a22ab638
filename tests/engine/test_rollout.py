"""Values over many worlds, and rollouts: against the game and exhaustive enumeration, and by their laws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest

from solver.engine.doubledummy import DoubleDummy
from solver.engine.playout import card_values, choices, inner_worlds, rollouts
from solver.engine.rollout import Playout
from solver.errors import InvalidInput
from solver.game.cards import Card, CardSet, Suit
from solver.game.order import card_order
from solver.game.play import Play
from solver.game.position import Decision, Position
from solver.game.rules import PRESETS, Rules, with_options
from solver.game.seats import SEATINGS, Seat
from tests.engine.endings import SEATS, game_card, order_for, random_ending
from tests.strategies import ALL_RULES, random_position

MAKERS = (-2, -2, -2, 1, 1, 2)


def played_position(rules: Rules, random: Random, least: int = 0, most: int = 99) -> Position:
    """A position in which a card is to be played, after `least` to `most` cards."""
    while True:
        position = random_position(rules, random, random.randrange(1, 30))
        if position.decision == Decision.PLAY and least <= len(position.plays) <= most:
            return position


def hands_now(play: Play) -> list[int]:
    return [
        hand.bits if seat in play.active and hand is not None else 0
        for seat, hand in zip(Seat, play.hands, strict=True)
    ]


def sight(position: Position) -> dict[str, object]:
    """What seats know besides the play, by the rules, as `rollouts` takes it."""
    auction, play = position.auction, position.play()
    assert auction is not None
    out = [0] * 4
    taken = None
    if not auction.takes_upcard or position.discard == auction.upcard:
        # Turned down, or declined for all to see; a dealer who hides it knows, and `hidden` tells the others apart.
        seen_by_all = not auction.takes_upcard or position.rules.dealer_may_decline_upcard
        out = [auction.upcard.bit if seen_by_all or seat == auction.dealer else 0 for seat in Seat]
    if auction.takes_upcard and not (position.rules.dealer_may_decline_upcard and position.discard == auction.upcard):
        taken = (auction.dealer, auction.upcard)
        if auction.dealer in play.active and position.discard is not None:
            out[auction.dealer] |= position.discard.bit
    return {"out": out, "taken": taken, "hidden": position.rules.dealer_may_discard_upcard}


def side_of(play: Play) -> list[Seat]:
    return [seat for seat in play.active if seat in (Seat.N, Seat.S)] if play.seating.partners else [Seat.N]


def shown_void(play: Play) -> dict[Seat, set[Suit]]:
    shown: dict[Seat, set[Suit]] = {seat: set() for seat in Seat}
    tricks = [(trick.seats, trick.cards) for trick in play.tricks]
    for seats, cards in [*tricks, (play.order_of_trick(), play.table)]:
        for seat, card in zip(seats, cards, strict=False):
            if play.order.suit(card) != play.order.suit(cards[0]):
                shown[seat].add(play.order.suit(cards[0]))
    return shown


def most_worlds(play: Play, held: list[int]) -> int:
    """How many worlds fit at most, voids and the upcard left aside."""
    number = len(CardSet.of(card for cards in play.order.suits for card in cards))
    number -= sum(len(trick.cards) for trick in play.tricks) + len(play.table) + held[play.to_act].bit_count()
    worlds = 1
    for seat in play.active:
        if seat != play.to_act:
            worlds *= comb(number, held[seat].bit_count())
            number -= held[seat].bit_count()
    return worlds


def all_worlds(
    play: Play, held: list[int], out: list[int], taken: tuple[Seat, Card] | None, hidden: bool
) -> Counter[tuple[int, ...]]:
    """Every world that fits what the seat to act sees, as hands by seat, and how often it counts: once for every card
    that a dealer who may have hidden the upcard can have put away."""
    me = play.to_act
    played = [card for trick in play.tricks for card in trick.cards] + list(play.table)
    deck = [card for cards in play.order.suits for card in cards]
    unseen = [card for card in deck if card not in played and not (held[me] | out[me]) & card.bit]
    if taken is not None and taken[0] not in play.active:
        unseen = [card for card in unseen if card != taken[1]]
    shown = shown_void(play)
    worlds: Counter[tuple[int, ...]] = Counter()
    unsure = taken is not None and taken[1] in unseen and taken[0] in play.active

    def fill(
        seats: list[Seat], rest: list[Card], hands: dict[Seat, int]
    ) -> Iterator[tuple[dict[Seat, int], list[Card]]]:
        if not seats:
            yield hands, rest
            return
        seat = seats[0]
        for cards in combinations(rest, held[seat].bit_count()):
            if not any(play.order.suit(card) in shown[seat] for card in cards):
                bits = sum(card.bit for card in cards)
                yield from fill(seats[1:], [card for card in rest if card not in cards], {**hands, seat: bits})

    for hands, rest in fill([seat for seat in play.active if seat != me], unseen, {me: held[me]}):
        times = 1
        if unsure:
            assert taken is not None
            dealer_has_it = bool(hands[taken[0]] & taken[1].bit)
            put_away = rest if hidden else [None]
            times = sum(dealer_has_it or card == taken[1] for card in put_away)
        if times:
            worlds[tuple(hands.get(seat, 0) for seat in Seat)] += times
    return worlds


def with_hands(play: Play, hands: tuple[int, ...]) -> Play:
    """The same play, other cards in the hands now."""
    play.hands = [CardSet(bits) if seat in play.active else None for seat, bits in zip(Seat, hands, strict=True)]
    return play


# ---- all cards seen ------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: f"{rules.seats} {rules.deck} {rules.dealers_partner}")
def test_cards_are_worth_what_each_world_alone_says(rules: Rules) -> None:
    random = Random(rules.deck)
    engine = DoubleDummy()
    for _ in range(4):
        position = played_position(rules, random)
        play = position.play()
        worlds = inner_worlds(play, [hands_now(play)], number=20, **sight(position))[0]
        cards = list(play.legal())
        random.shuffle(cards)
        values = card_values(play, worlds, cards, side_of(play))
        assert values.dtype == np.uint8
        for row, world in zip(values.tolist(), worlds.tolist(), strict=True):
            answers = engine.cards(with_hands(play, tuple(world)), side_of(play))
            assert dict(zip(cards, row, strict=True)) == answers


def test_no_trump_is_valued_too() -> None:
    random = Random(3)
    for _ in range(30):
        ending = random_ending(random, 24, 3, trump=None)
        play = Play(order_for(24, None), SEATINGS[4], [None] * 4, Seat[ending.leader])
        play.advance(map(game_card, ending.table))
        held = [CardSet.of(map(game_card, ending.hands[seat])).bits for seat in SEATS]
        truth = ending.truth()
        cards = [game_card(card) for card in truth]
        assert card_values(play, [held], cards, [Seat.N, Seat.S]).tolist() == [list(truth.values())]


# ---- what seats see ------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_every_world_that_fits_is_drawn_alike(preset: str) -> None:
    random = Random(preset)
    for deck in (24, 25, 32):
        rules = with_options(PRESETS[preset], {"deck": deck, "dealer_may_discard_upcard": random.random() < 0.5})
        tested = 0
        while tested < 4:
            position = played_position(rules, random, 4)
            play, seen = position.play(), sight(position)
            held = hands_now(play)
            if most_worlds(play, held) > 50_000:
                continue
            worlds = all_worlds(play, held, **seen)
            if not 2 <= len(worlds) <= 6000:
                continue
            tested += 1
            number = 12 * worlds.total() // min(worlds.values())
            drawn = inner_worlds(play, [held], number=min(number, 200_000), seed=tested, **seen)[0]
            found = Counter(map(tuple, drawn.tolist()))
            assert set(found) <= set(worlds)
            scale = len(drawn) / worlds.total()
            square = sum((found[world] - scale * times) ** 2 / (scale * times) for world, times in worlds.items())
            freedom = len(worlds) - 1
            assert abs(square - freedom) < 5 * (2 * freedom) ** 0.5 + 5, position


def test_worlds_hold_no_revoke_from_the_first_card_on() -> None:
    random = Random(6)
    for _ in range(60):
        position = played_position(random.choice(ALL_RULES), random, 1)
        play, seen = position.play(), sight(position)
        held = hands_now(play)
        shown = shown_void(play)
        drawn = inner_worlds(play, [held], number=200, **seen)[0]
        played = CardSet.of([card for trick in play.tricks for card in trick.cards] + list(play.table)).bits
        for world in drawn.tolist():
            together = played
            for seat in play.active:
                assert world[seat].bit_count() == held[seat].bit_count()
                assert not world[seat] & together
                together |= world[seat]
                assert not any(world[seat] & play.order.members(suit).bits for suit in shown[seat])
            assert world[play.to_act] == held[play.to_act]
            assert not together & ~position.rules.cards.bits


def test_a_seat_does_not_use_what_it_cannot_see() -> None:
    random = Random(7)
    decided = 0
    while decided < 60:
        position = played_position(random.choice(ALL_RULES), random)
        play, seen = position.play(), sight(position)
        if len(play.legal()) == 1:
            continue
        # All of these look the same to the seat: it must do the same in all, by the same luck.
        rows = inner_worlds(play, [hands_now(play)], number=30, seed=9, **seen)[0]
        seen["out"] = [seen["out"][play.to_act] if seat == play.to_act else 0 for seat in Seat]
        chosen = {int(choices(play, row[None], side_of(play), points=MAKERS, **seen)[0]) for row in rows}
        assert len(chosen) == 1
        decided += 1


def test_many_worlds_lead_to_the_choice_over_all_worlds() -> None:
    random = Random(8)
    engine = DoubleDummy()
    decided = 0
    while decided < 8:
        position = played_position(random.choice(ALL_RULES), random, 8)
        play, seen = position.play(), sight(position)
        held, cards = hands_now(play), list(play.legal())
        if len(cards) == 1 or most_worlds(play, held) > 8_000:
            continue
        worlds = all_worlds(play, held, **seen)
        won = sum(trick.winner in side_of(play) for trick in play.tricks)
        total: Counter[Card] = Counter()
        for world, times in worlds.items():
            for card, tricks in engine.cards(with_hands(play, world), side_of(play)).items():
                total[card] += MAKERS[won + tricks] * times
        sign = 1 if play.to_act in side_of(play) else -1
        ranked = sorted(cards, key=lambda card: -sign * total[card])
        # Where two are all but equal, samples may differ.
        if abs(total[ranked[0]] - total[ranked[1]]) < 0.1 * worlds.total():
            continue
        chosen = choices(play, [held], side_of(play), points=MAKERS, inner=2000, **seen)
        assert Card(int(chosen[0])) == ranked[0]
        decided += 1


# ---- rollouts ------------------------------------------------------------------------------------


def lowest_equal(play: Play, card: Card) -> Card:
    """The lowest card of the hand with nothing between it and `card` but cards of the hand and of tricks that are
    over."""
    hand = play.hands[play.to_act]
    assert hand is not None
    over = CardSet.of(card for trick in play.tricks for card in trick.cards)
    suit = play.order.suits[play.order.suit(card)]
    lowest = card
    for lower in reversed(suit[: play.order.strength(card)]):
        if lower in hand:
            lowest = lower
        elif lower not in over:
            break
    return lowest


#: Worlds that a seat of the side that is asked about looks at, and one of the others.
INNER = (6, 2)


def stepped(position: Position, card: Card, number: int) -> int:
    """The rollout of one row, every decision asked for by itself."""
    play, seen = position.play(), sight(position)
    side = side_of(play)
    before = sum(trick.winner in side for trick in play.tricks)
    play.push(lowest_equal(play, card))
    while not play.over:
        inner = INNER[0 if play.to_act in side else 1]
        chosen = choices(play, [hands_now(play)], side, points=MAKERS, inner=inner, seed=5, first=number, **seen)
        card = Card(int(chosen[0]))
        assert card in play.legal()
        play.push(card)
    return sum(trick.winner in side for trick in play.tricks) - before


def test_a_rollout_is_one_decision_after_the_other() -> None:
    random = Random(10)
    for rules in ALL_RULES:
        position = played_position(rules, random)
        play, seen = position.play(), sight(position)
        for card in play.legal():
            number = random.randrange(1 << 40)
            result = rollouts(
                play, [hands_now(play)], [card], side_of(play), points=MAKERS, inner=INNER, seed=5, first=number, **seen
            )
            assert result.tolist() == [[stepped(position, card, number)]], (position, card)


def opening(rows: int, seed: int = 1, hand: Sequence[Card] = ()) -> tuple[Play, np.ndarray]:
    """N leads from one hand, those cards or random ones; the others' cards are random."""
    rules = Rules()
    play = Play(card_order(rules, Suit.HEARTS), rules.seating, [None] * 4, Seat.N)
    cards = [card.bit for card in rules.cards if card not in hand]
    random = Random(seed)
    random.shuffle(cards)
    cards[:0] = [card.bit for card in hand]
    own, rest = sum(cards[:5]), cards[5:]
    held = []
    for _ in range(rows):
        random.shuffle(rest)
        held.append([own, sum(rest[:5]), sum(rest[5:10]), sum(rest[10:15])])
    return play, np.array(held, dtype=np.uint64)


def own_cards(play: Play, held: np.ndarray) -> list[Card]:
    return list(CardSet(int(held[0, play.to_act])))


NOTHING = {"out": [0, 0, 0, 0], "taken": None}
NS = [Seat.N, Seat.S]


def test_threads_and_pieces_change_nothing() -> None:
    play, held = opening(300)
    cards = own_cards(play, held)
    alone = rollouts(play, held, cards, NS, inner=3, seed=4, **NOTHING)
    assert alone.shape == (300, 5)
    for threads in (2, 3):
        assert (rollouts(play, held, cards, NS, inner=3, seed=4, threads=threads, **NOTHING) == alone).all()
    pieces = [
        rollouts(play, held[at : at + 70], cards, NS, inner=3, seed=4, first=at, **NOTHING) for at in range(0, 300, 70)
    ]
    assert (np.concatenate(pieces) == alone).all()
    for at, card in enumerate(cards):
        assert (rollouts(play, held, [card], NS, inner=3, seed=4, **NOTHING)[:, 0] == alone[:, at]).all()
    assert (rollouts(play, held, cards[::-1], NS, inner=3, seed=4, **NOTHING)[:, ::-1] == alone).all()
    assert (card_values(play, held, cards, NS, threads=2) == card_values(play, held, cards, NS)).all()


def test_equals_have_the_same_luck() -> None:
    """Each asked for by itself. The lowest is played for all: else what is kept would be dearer or cheaper than the
    tens beside it."""
    nine, ten = game_card("9S"), game_card("TS")
    play, held = opening(150, hand=[nine, ten, *map(game_card, ["TD", "TC", "9H"])])
    lower, higher = (
        rollouts(play, held, [card], NS, points=MAKERS, inner=2, seed=6, **NOTHING).tolist() for card in (nine, ten)
    )
    assert lower == higher


def test_other_seeds_are_other_luck() -> None:
    play, held = opening(200)
    cards = own_cards(play, held)
    first = rollouts(play, held, cards, NS, inner=1, seed=1, **NOTHING)
    assert (rollouts(play, held, cards, NS, inner=1, seed=2, **NOTHING) != first).any()


def test_no_depth_is_all_cards_seen() -> None:
    play, held = opening(200)
    cards = own_cards(play, held)
    values = card_values(play, held, cards, NS)
    assert (rollouts(play, held, cards, NS, depth=0, **NOTHING) == values).all()
    by_depth = [rollouts(play, held, cards, NS, depth=depth, **NOTHING) for depth in range(1, 6)]
    assert all((tricks != values).any() for tricks in by_depth)
    # Four tricks decide all: in the fifth everybody has one card.
    assert (by_depth[3] == by_depth[4]).all()


def test_the_last_trick_is_what_it_is() -> None:
    random = Random(12)
    for rules in ALL_RULES:
        while True:
            position = played_position(rules, random)
            play = position.play()
            if max(map(int.bit_count, hands_now(play))) == 1:
                break
        cards = list(play.legal())
        values = card_values(play, [hands_now(play)], cards, side_of(play))
        assert (rollouts(play, [hands_now(play)], cards, side_of(play), **sight(position)) == values).all()


def test_two_players_who_see_all_cards_play_double_dummy() -> None:
    random = Random(13)
    for _ in range(30):
        position = played_position(PRESETS["two_handed"], random)
        play = position.play()
        held = hands_now(play)
        played = CardSet.of([card for trick in play.tricks for card in trick.cards] + list(play.table)).bits
        out = [position.rules.cards.bits & ~played & ~held[Seat.N] & ~held[Seat.S]] * 4
        cards = list(play.legal())
        values = card_values(play, [held], cards, [Seat.N])
        assert (rollouts(play, [held], cards, [Seat.N], out=out, taken=None, inner=1) == values).all()


def test_both_sides_share_the_tricks_of_one_rollout() -> None:
    random = Random(14)
    for _ in range(40):
        position = played_position(random.choice(ALL_RULES), random)
        play, seen = position.play(), sight(position)
        side, cards = side_of(play), list(play.legal())
        others = [seat for seat in play.active if seat not in side]
        theirs = [-points for points in reversed(MAKERS)]
        held = [hands_now(play)]
        one = rollouts(play, held, cards, side, points=MAKERS, **seen)
        other = rollouts(play, held, cards, others, points=theirs, **seen)
        assert (one + other == 5 - len(play.tricks)).all()


def test_without_a_card_the_seat_to_act_chooses() -> None:
    play, held = opening(120)
    cards = own_cards(play, held)
    free = rollouts(play, held, None, NS, seed=3, **NOTHING)
    assert free.shape == (120, 1)
    chosen = choices(play, held, NS, seed=3, **NOTHING)
    tricks = rollouts(play, held, cards, NS, seed=3, **NOTHING)
    at = [[card.index for card in cards].index(index) for index in chosen.tolist()]
    assert free[:, 0].tolist() == tricks[np.arange(120), at].tolist()


def test_points_decide_before_tricks() -> None:
    """Who needs three tricks for everything plays for the third, who needs five for the fifth."""
    play, held = opening(400, seed=2)
    for_three = rollouts(play, held, None, NS, points=(0, 0, 0, 1, 1, 1), **NOTHING)
    for_five = rollouts(play, held, None, NS, points=(0, 0, 0, 0, 0, 1), **NOTHING)
    assert (for_three != for_five).any()


def test_an_upcard_put_away_is_known_to_the_dealer_alone() -> None:
    play, held = opening(1)
    upcard = Card(int(held[0, Seat.E]).bit_length() - 1)
    away = held.copy()
    away[0, Seat.E] &= ~np.uint64(upcard.bit)
    spare = next(card for card in Rules().cards if not int(np.bitwise_or.reduce(held[0])) & card.bit)
    away[0, Seat.E] |= np.uint64(spare.bit)
    seen = {"out": [0] * 4, "taken": (Seat.E, upcard)}
    with pytest.raises(InvalidInput, match=f"E took {upcard} and does not have it"):
        inner_worlds(play, away, **seen)
    # N draws alike in both rows, and finds the card away one time in six.
    drawn = inner_worlds(play, held, number=6000, hidden=True, **seen)[0]
    assert (inner_worlds(play, away, number=6000, hidden=True, **seen)[0] == drawn).all()
    share = ((drawn[:, Seat.E] & np.uint64(upcard.bit)) == 0).mean()
    assert abs(share - 1 / 6) < 0.02
    assert not (drawn[:, [Seat.S, Seat.W]] & np.uint64(upcard.bit)).any()
    # The dealer knows.
    play.push(own_cards(play, held)[0])
    away[0, Seat.N] &= ~np.uint64(play.table[0].bit)
    assert not (inner_worlds(play, away, number=50, hidden=True, **seen) & np.uint64(upcard.bit)).any()


def test_no_rows_no_answers() -> None:
    play, held = opening(1)
    card = own_cards(play, held)[:1]
    nothing = np.zeros((0, 4), dtype=np.uint64)
    assert card_values(play, nothing, card, NS).shape == (0, 1)
    assert rollouts(play, nothing, card, NS, **NOTHING).shape == (0, 1)
    assert choices(play, nothing, NS, **NOTHING).shape == (0,)
    assert inner_worlds(play, nothing, **NOTHING).shape == (0, 8, 4)


def test_a_history_that_cannot_be_is_an_error() -> None:
    """Rows are checked, so only the kernel itself can be brought to this."""
    hands = np.array([[3 << 48, 3 << 50, 3 << 52, 3 << 54]], dtype=np.uint64)
    out = np.zeros_like(hands)
    gone = [0, 0xFFFF << 48, 0, 0]
    deck = 0xFF << 48
    playout = Playout(deck, 0, [], False, 15, 5, 0, gone, 0, 2, range(6), 0, 0, False, (8, 8), 5, 1)
    tricks = np.zeros((1, 1), dtype=np.uint8)
    chosen = np.ones(1, dtype=np.uint64)
    # N's cards are equals. With a gap in them N has to think.
    assert playout.rollouts(hands, out, np.zeros(1, dtype=np.uint64), 0, tricks, 0, 1) == -1
    hands = np.array([[1 << 48 | 1 << 51, 1 << 49 | 1 << 50, 3 << 52, 3 << 54]], dtype=np.uint64)
    assert playout.rollouts(hands, out, np.zeros(1, dtype=np.uint64), 0, tricks, 0, 1) == 0
    playout.choices(hands, out, 0, chosen, 0, 1)
    assert chosen.tolist() == [0]


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        ({"held": [[1, 2, 4]]}, "field.invalid", "not \\(n, 4\\)"),
        ({"held": [[1 << 2, 1 << 3, 1 << 4, 1]]}, "card.foreign", "row 0: a card that the deck"),
        ({"held": [[1 << 2, 1 << 2, 1 << 4, 1 << 5]]}, "card.duplicate", "row 0: a card is in two hands"),
        ({"held": [[1 << 2, 1 << 3, 1 << 4, 3 << 5]]}, "hand.size", "row 0: W has not as many cards"),
        ({"held": [[0, 0, 0, 0]]}, "hand.size", "N has 0 cards"),
        ({"out": [1]}, "field.invalid", "neither \\(4,\\) nor \\(1, 4\\)"),
        ({"out": [0, 0, 1 << 3, 0]}, "field.conflict", "row 0: a card known to be out of play is in a hand"),
        ({"out": [1, 0, 0, 0]}, "card.foreign", "row 0: a card that the deck"),
        ({"taken": (Seat.E, Card(2))}, "field.conflict", "row 0: E took 9C and does not have it"),
        ({"taken": (Seat.E, Card(2)), "hidden": True}, "field.conflict", "E took 9C"),
        ({"taken": (Seat.E, Card(32))}, "card.foreign", "JO is not in the deck"),
        ({"cards": [Card(3)]}, "play.illegal", "row 0: N may not play TC"),
        ({"cards": [Card(0)]}, "card.foreign", "7C is not in the deck"),
        ({"points": (1, 2)}, "field.invalid", "six numbers"),
        ({"points": (1, 2, 3, 4, 5, float("nan"))}, "field.invalid", "six numbers"),
        ({"inner": 0}, "field.invalid", "inner is 0"),
        ({"inner": (8, 0)}, "field.invalid", "inner is 0"),
        ({"depth": 6}, "field.invalid", "depth is 6"),
        ({"seed": -1}, "field.invalid", "seed is -1"),
        ({"first": -1}, "field.invalid", "first is -1"),
        ({"threads": 0}, "field.invalid", "at least one"),
    ],
)
def test_faults_are_named(change: dict[str, object], code: str, message: str) -> None:
    rules = Rules()
    play = Play(card_order(rules, Suit.HEARTS), rules.seating, [None] * 4, Seat.N)
    good = {"held": [[1 << 2, 1 << 3, 1 << 4, 1 << 5]], "cards": [Card(2)], "side": NS, **NOTHING}
    assert rollouts(play, **good).tolist() == [[0]]
    with pytest.raises(InvalidInput, match=message) as raised:
        rollouts(play, **{**good, **change})
    assert code in {fault.code for fault in raised.value.faults}
    assert len(set(raised.value.faults)) == len(raised.value.faults), "none is named twice"


def test_a_hand_that_did_not_follow_cannot_hold_the_suit() -> None:
    rules = Rules()
    play = Play(card_order(rules, Suit.HEARTS), rules.seating, [None] * 4, Seat.N)
    play.advance(map(game_card, ["9C", "9D", "TC", "QC"]))
    held = [[sum(game_card(card).bit for card in hand.split())] for hand in ("KS", "KC", "AS", "QS")]
    with pytest.raises(InvalidInput, match="row 0: E has clubs, but did not follow"):
        card_values(play, np.array(held, dtype=np.uint64).T, [game_card("KS")], NS)


def test_a_card_must_follow() -> None:
    rules = Rules()
    play = Play(card_order(rules, Suit.HEARTS), rules.seating, [None] * 4, Seat.N)
    play.push(game_card("9C"))
    hands = ("KS", "KC QS", "AS QD", "TS KD")
    held = [sum(game_card(card).bit for card in hand.split()) for hand in hands]
    assert card_values(play, [held], [game_card("KC")], NS).shape == (1, 1)
    with pytest.raises(InvalidInput, match="row 0: E may not play QS"):
        card_values(play, [held], [game_card("QS")], NS)
