"""`solve_batch` and `DoubleDummy`: shapes, checks, threads, and the kernel's answers in the game's words."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from solver.engine.doubledummy import CHUNK, DoubleDummy, solve_batch
from solver.errors import InvalidInput
from solver.game.cards import CardSet
from solver.game.play import Play
from solver.game.seats import SEATINGS, Seat
from tests.engine.endings import SEATS, game_card, order_for, random_ending
from tests.oracles.minimax import deck


def random_rows(count: int, seed: int = 1, cards: int = 24) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    bits = np.array([game_card(card).bit for card in deck(cards)], dtype=np.uint64)
    dealt = rng.permuted(np.tile(bits, (count, 1)), axis=1)[:, :20].reshape(count, 4, 5)
    hands = np.bitwise_or.reduce(dealt, axis=2)
    return hands, rng.integers(0, 4, count).astype(np.uint8), rng.integers(0, 4, count).astype(np.uint8)


def one_row(*hands: str) -> np.ndarray:
    return np.array([[sum(game_card(card).bit for card in hand.split()) for hand in hands]], dtype=np.uint64)


@pytest.mark.parametrize("cards", [24, 25, 28, 32, 33])
@pytest.mark.parametrize("active", ["NESW", "ESW", "NSW", "NEW", "NES", "NS"])
def test_rows_agree_with_exhaustive_search(cards: int, active: str) -> None:
    random = Random(f"{cards} {active}")
    rows, trumps, leaders, absent, truth = [], [], [], [], []
    for _ in range(40):
        ending = random_ending(random, cards, 3, active, "N" if active == "NS" else "NS")
        if ending.table:
            continue
        hands = [CardSet.of(map(game_card, ending.hands.get(seat, ()))).bits for seat in SEATS]
        missing = set(SEATS) - set(active)
        rows.append(hands)
        trumps.append("CDHS".index(ending.trump))
        leaders.append(SEATS.index(ending.leader))
        absent.append(SEATS.index(missing.pop()) if len(missing) == 1 else -1)
        best = max if ending.to_act in ending.side else min
        truth.append(best(ending.truth().values()))
    assert solve_batch(np.array(rows, dtype=np.uint64), trumps, leaders, absent).tolist() == truth


def test_the_hand_that_sits_out_is_out_of_play() -> None:
    hands, trump, leader = random_rows(500)
    absent = ((leader + 1) % 4).astype(np.int8)
    emptied = hands.copy()
    emptied[np.arange(500), absent] = 0
    assert (solve_batch(hands, trump, leader, absent) == solve_batch(emptied, trump, leader, absent)).all()


def test_threads_answer_as_one() -> None:
    hands, trump, leader = random_rows(3 * CHUNK + 5)
    alone = solve_batch(hands, trump, leader)
    for threads in (2, 3, 8):
        assert (solve_batch(hands, trump, leader, threads=threads) == alone).all()


def test_order_of_rows_changes_nothing() -> None:
    hands, trump, leader = random_rows(3000)
    backwards = solve_batch(hands[::-1], trump[::-1], leader[::-1])
    assert (backwards[::-1] == solve_batch(hands, trump, leader)).all()


def test_fortran_order_and_wider_integers_are_read() -> None:
    hands, trump, leader = random_rows(200)
    expected = solve_batch(hands, trump, leader)
    assert expected.dtype == np.uint8
    assert (solve_batch(np.asfortranarray(hands), trump.astype(np.int64), list(leader)) == expected).all()
    assert (solve_batch(hands.astype(np.int64), trump, leader) == expected).all()


def test_no_rows_no_answers() -> None:
    answer = solve_batch(np.zeros((0, 4), dtype=np.uint64), [], [])
    assert answer.shape == (0,)
    assert answer.dtype == np.uint8


def test_rows_without_cards_hold_no_tricks() -> None:
    assert solve_batch(np.zeros((3, 4), dtype=np.uint64), [0, 1, 2], [0, 1, 2]).tolist() == [0, 0, 0]


def test_two_opponents_when_east_and_west_are_empty() -> None:
    hands = one_row("JC 9D", "", "AC KD", "")
    assert solve_batch(hands, [0], [0]).tolist() == [1]
    assert solve_batch(hands[:, [2, 1, 0, 3]], [0], [0]).tolist() == [1]


def test_a_lone_defender_may_face_a_lone_maker() -> None:
    assert solve_batch(one_row("JC 9D", "AC KD", "", ""), [0], [0], [3]).tolist() == [1]


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (
            {"hands": one_row("9C", "TC", "JC", "QC JH")},
            "hand.size",
            "row 0: the hands of those who play differ",
        ),
        ({"hands": one_row("9C", "TC", "JC", "")}, "hand.size", "row 0: the hands of those who play differ"),
        ({"hands": one_row("9C", "", "JC", "QC"), "sitting_out": [3]}, "hand.size", "differ"),
        ({"hands": one_row("9C", "TC", "9C", "QC")}, "card.duplicate", "row 0: a card is in two hands"),
        ({"hands": one_row("9C", "TC", "JC", "QC") << np.uint64(32)}, "card.foreign", "row 0: bits above 32"),
        ({"hands": one_row("9C TC JC QC KC AC", "", "9D TD JD QD KD AD", "")}, "hand.size", "more than five"),
        ({"leader": [4]}, "field.invalid", "row 0: the leader is a seat"),
        ({"trump": [4]}, "field.invalid", "row 0: trump is a suit"),
        ({"trump": [-1]}, "field.invalid", "-1 is no uint8"),
        ({"trump": [0.5]}, "field.invalid", "dtype is float64"),
        ({"trump": [0, 1]}, "field.invalid", "1 rows"),
        ({"hands": np.zeros((4,), dtype=np.uint64)}, "field.invalid", "not \\(n, 4\\)"),
        ({"sitting_out": [4]}, "field.invalid", "row 0: a seat"),
        ({"sitting_out": [0], "leader": [0]}, "field.conflict", "row 0: the leader does not play"),
        (
            {"hands": one_row("9C", "", "JC", ""), "leader": [1]},
            "field.conflict",
            "row 0: the leader does not",
        ),
        ({"threads": 0}, "field.invalid", "at least one"),
    ],
)
def test_faults_are_named(change: dict[str, object], code: str, message: str) -> None:
    good = {"hands": one_row("9C", "TC", "JC", "QC"), "trump": [1], "leader": [0]}
    solve_batch(**good)
    with pytest.raises(InvalidInput, match=message) as raised:
        solve_batch(**{**good, **change})
    assert code in {fault.code for fault in raised.value.faults}


def test_faults_of_several_kinds_come_together() -> None:
    with pytest.raises(InvalidInput) as raised:
        solve_batch(one_row("9C", "TC", "9C", "QC"), [7], [9])
    assert len(raised.value.faults) == 3


def test_a_fault_names_its_row() -> None:
    hands, trump, leader = random_rows(10)
    hands[7, 2] = hands[7, 1]
    with pytest.raises(InvalidInput, match="row 7"):
        solve_batch(hands, trump, leader)


@pytest.mark.parametrize(("seats", "active", "side"), [(4, "NESW", "NS"), (4, "NSW", "NS"), (2, "NS", "N")])
def test_plays_of_the_game_are_valued_card_by_card(seats: int, active: str, side: str) -> None:
    random = Random(active)
    engine = DoubleDummy()
    for _ in range(60):
        ending = random_ending(random, 24, 3, active, side)
        hands = [CardSet.of(map(game_card, ending.hands.get(seat, ()))) for seat in SEATS]
        turn = ending.active.index(ending.leader)
        for card in ending.table:
            seat = Seat[ending.active[turn % len(active)]]
            hands[seat] = hands[seat].with_card(game_card(card))
            turn += 1
        absent = next((Seat[seat] for seat in SEATS if seat not in active), None) if seats == 4 else None
        play = Play(order_for(24, ending.trump), SEATINGS[seats], hands, Seat[ending.leader], absent)
        play.advance(map(game_card, ending.table))
        answers = engine.cards(play, [Seat[seat] for seat in side])
        assert {str(card): tricks for card, tricks in answers.items()} == ending.truth()
        best = max if ending.to_act in side else min
        value = best(answers.values())
        assert engine.tricks(play, [Seat[seat] for seat in side]) == value
        assert engine.reaches(play, [Seat[seat] for seat in side], value)
        assert not engine.reaches(play, [Seat[seat] for seat in side], value + 1)
