"""`solve_batch` and `DoubleDummy`: shapes, checks, threads, and the kernel's answers in the game's words."""

from __future__ import annotations

import signal
import threading
from random import Random

import numpy as np
import pytest

from solver.engine.doubledummy import CHUNK, DoubleDummy, classify_batch, solve_batch, solve_contracts
from solver.errors import InvalidInput, Stopped
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
    for rows in (3 * CHUNK + 5, 1500, 1):
        hands, trump, leader = random_rows(rows)
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


def test_the_kernel_refuses_exactly_the_rows_that_have_a_fault() -> None:
    """Otherwise the last line of `solve_batch` would meet a row that nobody can explain."""
    hands, trump, leader = random_rows(4000)
    rng = np.random.default_rng(5)
    absent = rng.integers(-1, 4, 4000).astype(np.int8)
    for row in range(4000):
        fault = rng.integers(0, 9)
        seat, other = rng.permutation(4)[:2]
        if fault == 0:
            hands[row, seat] |= hands[row, other] & (~hands[row, other] + np.uint64(1))
        elif fault == 1:
            hands[row, seat] &= hands[row, seat] - np.uint64(1)
        elif fault == 2:
            hands[row, seat] = 0
        elif fault == 3:
            hands[row, [seat, other]] = 0
        elif fault == 4:
            hands[row, seat] |= np.uint64(1) << np.uint64(rng.integers(0, 40))
        elif fault == 5:
            trump[row] = rng.integers(0, 6)
        elif fault == 6:
            leader[row] = rng.integers(0, 6)
        elif fault == 7:
            absent[row] = rng.integers(-3, 7)
    refused = 0
    for row in range(4000):
        one = hands[row : row + 1], trump[row : row + 1], leader[row : row + 1], absent[row : row + 1]
        try:
            solve_batch(*one)
        except InvalidInput:
            refused += 1
    assert 1000 < refused < 4000  # and no LookupError


def test_classes_follow_from_tricks() -> None:
    for cards in (24, 33):
        hands, trump, leader = random_rows(3000, cards=cards)
        for absent in (None, ((leader + 1) % 4).astype(np.int8)):
            tricks = solve_batch(hands, trump, leader, absent)
            for maker in range(4):
                won = tricks if maker % 2 == 0 else 5 - tricks
                classes = classify_batch(hands, trump, leader, np.full(3000, maker), absent, threads=2)
                assert (classes == (won >= 3).astype(int) + (won == 5)).all()


def test_a_maker_is_a_seat() -> None:
    with pytest.raises(InvalidInput, match="row 1: the maker"):
        classify_batch(*random_rows(3), maker=[0, 4, 1])


def contracts_of(number: int) -> tuple[np.ndarray, ...]:
    """Deals with an upcard, and contracts with and without it, of the team and alone."""
    rng = np.random.default_rng(11)
    bits = np.array([game_card(card).bit for card in deck(24)], dtype=np.uint64)
    order = rng.permuted(np.tile(bits, (number, 1)), axis=1)
    hands = np.bitwise_or.reduce(order[:, :20].reshape(number, 4, 5), axis=2)
    trump = np.tile(np.array([0, 1, 2, 3, 0, 1, 2], dtype=np.uint8), (number, 1))
    leader = np.tile(np.array([1, 1, 1, 1, 0, 2, 3], dtype=np.uint8), (number, 1))
    sitting_out = np.tile(np.array([-1, -1, -1, -1, 2, 0, 0], dtype=np.int8), (number, 1))
    taker = np.tile(np.array([0, 3, 2, -1, 0, 1, 0], dtype=np.int8), (number, 1))
    return hands, order[:, 20], trump, leader, sitting_out, taker


def test_contracts_are_worth_the_best_of_all_discards() -> None:
    deals = contracts_of(150)
    hands, upcard, trump, leader, sitting_out, taker = deals
    tricks, discards = solve_contracts(*deals)
    for at in range(trump.shape[1]):
        seat = int(taker[0, at])
        args = trump[:, at], leader[:, at], sitting_out[:, at]
        if seat < 0 or seat == sitting_out[0, at]:
            assert (tricks[:, at] == solve_batch(hands, *args)).all()
            assert not discards[:, at].any()
            continue
        for row in range(len(hands)):
            six = CardSet(int(hands[row, seat] | upcard[row]))
            order = order_for(24, "CDHS"[trump[row, at]])
            by_plainness = sorted(six, key=lambda card: (order.suit(card) == order.trump, order.strength(card), card))
            after = np.tile(hands[row], (6, 1))
            after[:, seat] = [(six - CardSet.of([card])).bits for card in by_plainness]
            values = solve_batch(after, *(np.repeat(each[row], 6) for each in args))
            best = values.max() if seat % 2 == 0 else values.min()
            assert tricks[row, at] == best
            assert int(discards[row, at]) == by_plainness[int(np.argmax(values == best))].bit


def test_contracts_are_the_same_by_threads() -> None:
    deals = contracts_of(1500)
    alone, by_threads = solve_contracts(*deals), solve_contracts(*deals, threads=3)
    assert all((one == other).all() for one, other in zip(alone, by_threads, strict=True))


def test_faults_of_contracts_name_row_and_contract() -> None:
    hands, upcard, trump, leader, sitting_out, taker = contracts_of(5)
    wrong = taker.copy()
    wrong[3, 2] = 4
    with pytest.raises(InvalidInput, match="contract 2, row 3: a seat"):
        solve_contracts(hands, upcard, trump, leader, sitting_out, wrong)
    with pytest.raises(InvalidInput, match="contract 0, row 1: the upcard is in a hand"):
        solve_contracts(
            hands, np.where(np.arange(5) == 1, hands[:, 3] & -hands[:, 3], upcard), trump, leader, sitting_out, taker
        )
    with pytest.raises(InvalidInput, match="all \\(n, m\\)"):
        solve_contracts(hands, upcard, trump[:, 1:], leader, sitting_out, taker)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_deadline_stops_the_work(threads: int) -> None:
    hands, trump, leader = random_rows(3 * CHUNK)
    with pytest.raises(Stopped, match="deadline of 0 s"):
        solve_batch(hands, trump, leader, threads=threads, deadline=0)
    assert len(solve_batch(hands, trump, leader, threads=threads, deadline=3600)) == 3 * CHUNK


@pytest.mark.parametrize("threads", [1, 2])
def test_cancelling_stops_the_work(threads: int) -> None:
    class AfterTheFirstChunk:
        asked = 0

        def is_set(self) -> bool:
            self.asked += 1
            return self.asked > threads

    with pytest.raises(Stopped, match="cancelled"):
        solve_batch(*random_rows(8 * CHUNK), threads=threads, cancel=AfterTheFirstChunk())
    cancel = threading.Event()
    assert len(solve_batch(*random_rows(10), cancel=cancel)) == 10


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_is_noticed_between_chunks(threads: int) -> None:
    once = threading.Lock()

    class PressesCtrlC:
        def is_set(self) -> bool:
            # A second one would strike after the test.
            if once.acquire(blocking=False):
                signal.raise_signal(signal.SIGINT)
            return False

    # A process started in the background of a shell ignores Ctrl-C, and Python then leaves it at that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            solve_batch(*random_rows(8 * CHUNK), threads=threads, cancel=PressesCtrlC())
    finally:
        signal.signal(signal.SIGINT, before)
