"""The kernel's answers against exhaustive search, against other engines, and against the laws of the game."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from solver.engine.search import Search
from tests.engine.endings import SEATS, Ending, random_ending
from tests.oracles.minimax import deck, legal_cards, suit_of, winning_place

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
DECKS = (24, 25, 28, 32, 33)


def golden(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text().splitlines()]


def replayed(row: dict[str, object]) -> tuple[Ending, int]:
    """The position of a golden row, and the tricks that N and S have won before it."""
    hands = {seat: frozenset(cards) for seat, cards in row["hands"].items() if seat != row.get("sits_out")}
    ending = Ending(24, row["trump"], "".join(seat for seat in SEATS if seat in hands), "NS", hands, row["leader"])
    won = 0
    for card in row["played"]:
        seat = ending.to_act
        table = (*ending.table, card)
        hands = {**ending.hands, seat: ending.hands[seat] - {card}}
        ending = replace(ending, hands=hands, table=table)
        if len(table) == len(ending.active):
            at = (ending.active.index(ending.leader) + winning_place(table, ending.trump)) % len(table)
            ending = replace(ending, leader=ending.active[at], table=())
            won += ending.leader in "NS"
    return ending, won


@pytest.mark.parametrize("name", ["dd_cards.jsonl", "lone_cards.jsonl"])
def test_every_card_is_worth_what_other_engines_say(name: str) -> None:
    search = Search()
    rows = golden(name)
    assert len(rows) >= 200
    for row in rows:
        ending, won = replayed(row)
        assert ending.to_act == row["to_play"]
        answers = {card: won + tricks for card, tricks in ending.answers(search).items()}
        assert answers == row["ns_tricks_by_card"], row


# Seats that play, and those whose tricks are counted.
TABLES = [
    ("NESW", "NS"),
    ("NESW", "N"),
    ("ESW", "S"),
    ("NSW", "NS"),
    ("NEW", "N"),
    ("NES", "NS"),
    ("NSW", "W"),
    ("NS", "N"),
    ("NE", "N"),
]


@pytest.mark.parametrize(("active", "side"), TABLES)
@pytest.mark.parametrize("cards", DECKS)
def test_every_card_is_worth_what_exhaustive_search_says(cards: int, active: str, side: str) -> None:
    random = Random(f"{cards} {active} {side}")
    search = Search()
    sizes = {4: [1, 2, 2, 3, 3, 4], 3: [1, 2, 3, 3, 4, 5], 2: [1, 2, 3, 4, 5, 5]}[len(active)]
    for size in sizes * (6 if len(active) > 2 else 16):
        for _ in range(1 if size >= 4 else 12):
            ending = random_ending(random, cards, size, active, side)
            assert ending.answers(search) == ending.truth(), ending


@pytest.mark.parametrize("active", ["NESW", "NES"])
def test_a_partner_with_trumps_only_may_have_to_ruff(active: str) -> None:
    """Such a hand takes the lead away from a partner who is cashing winners. Random deals hardly ever have one."""
    random = Random(active)
    search = Search()
    for size in [2, 3, 3, 3] * 150:
        pack = deck(24)
        random.shuffle(pack)
        trumps = [card for card in pack if suit_of(card, "H") == "H"][:size]
        rest = [card for card in pack if card not in trumps]
        hands = {seat: frozenset(rest[size * at : size * (at + 1)]) for at, seat in enumerate(active)}
        ending = Ending(24, "H", active, "NS", {**hands, "S": frozenset(trumps)}, random.choice(active))
        assert ending.answers(search) == ending.truth(), ending


def test_no_trump_is_worth_what_exhaustive_search_says() -> None:
    random = Random(4)
    search = Search()
    for size in [1, 2, 3, 3] * 40:
        ending = random_ending(random, random.choice([24, 28, 32]), size, trump=None)
        assert ending.answers(search) == ending.truth(), ending


def test_a_position_is_worth_its_best_card() -> None:
    random = Random(5)
    search = Search()
    for size in [1, 2, 3, 4, 5] * 60:
        ending = random_ending(random, 24, size)
        best = max if ending.to_act in ending.side else min
        assert search.solve(*ending.kernel) == best(ending.answers(search).values())


def test_at_least_agrees_with_solve_at_every_threshold() -> None:
    random = Random(6)
    search = Search()
    for size in [1, 2, 3, 4, 5] * 40:
        hands, leader, played, active, sides, no_trump = random_ending(random, 24, size).kernel
        tricks = search.solve(hands, leader, played, active, sides, no_trump)
        for need in range(-1, size + 2):
            assert search.at_least(hands, leader, played, active, sides, need) == (tricks >= need)


def test_a_warm_table_answers_as_a_cold_one() -> None:
    random = Random(7)
    positions = []
    for _ in range(300):
        hands, leader, played, active, sides, no_trump = random_ending(
            random, 24, random.choice([3, 4, 5]), *random.choice(TABLES)
        ).kernel
        # The same words with other sides and without trump: nothing else tells their keys apart.
        positions += [
            (hands, leader, played, active, sides, no_trump),
            (hands, leader, played, active, 1 << leader, no_trump),
            (hands, leader, played, active, sides, not no_trump),
        ]
    # The smallest table, so that positions of unlike deals, tables of seats and sides meet in one slot.
    warm = Search(table_bits=8)
    for position in [*positions, *reversed(positions)]:
        assert warm.solve_cards(*position) == Search(table_bits=8).solve_cards(*position)


def test_every_path_gives_the_same_answers() -> None:
    random = Random(13)
    usual, portable = Search(), Search(portable=True)
    without_file, neither = Search(without_file=True), Search(portable=True, without_file=True)
    for _ in range(400):
        ending = random_ending(random, random.choice(DECKS), random.choice([2, 3, 4, 5]), *random.choice(TABLES)).kernel
        answers = usual.solve_cards(*ending)
        assert portable.solve_cards(*ending) == answers
        assert without_file.solve_cards(*ending) == answers
        assert neither.solve_cards(*ending) == answers
    assert usual.nodes == portable.nodes
    assert without_file.nodes == neither.nodes


def test_forgetting_changes_no_answer() -> None:
    search = Search()
    ending = random_ending(Random(8), 24, 5).kernel
    before = search.solve_cards(*ending)
    search.forget()
    assert search.solve_cards(*ending) == before


def test_both_sides_share_the_tricks() -> None:
    random = Random(9)
    search = Search()
    for _ in range(200):
        ending = random_ending(random, 24, random.choice([2, 3, 4, 5]))
        others = replace(ending, side="EW")
        assert search.solve(*ending.kernel) + search.solve(*others.kernel) == ending.size


def test_turning_the_table_changes_nothing() -> None:
    random = Random(10)
    search = Search()
    turn = dict(zip(SEATS, "ESWN", strict=True))
    for _ in range(200):
        ending = random_ending(random, 24, random.choice([2, 3, 4, 5]))
        turned = replace(
            ending,
            hands={turn[seat]: hand for seat, hand in ending.hands.items()},
            leader=turn[ending.leader],
            side="EW",
        )
        assert ending.answers(search) == turned.answers(search)


@pytest.mark.parametrize("suits", ["DCSH", "SHDC", "HSCD", "CHDS", "SDHC"])
def test_relabelled_suits_change_nothing(suits: str) -> None:
    """Any exchange that keeps the pairs of a colour together."""
    random = Random(suits)
    search = Search()
    other = dict(zip("CDHS", suits, strict=True))

    def relabelled(card: str) -> str:
        return card[0] + other[card[1]]

    for _ in range(80):
        ending = random_ending(random, 24, random.choice([2, 3, 4, 5]))
        twin = replace(
            ending,
            trump=other[ending.trump],
            hands={seat: frozenset(map(relabelled, hand)) for seat, hand in ending.hands.items()},
            table=tuple(map(relabelled, ending.table)),
        )
        assert {relabelled(card): tricks for card, tricks in ending.answers(search).items()} == twin.answers(search)


def test_cards_with_one_on_the_table_between_them_are_not_equals() -> None:
    """9D and JD with TD on the table: JD takes the trick and 9D the next, else N and S take both."""
    hands = {"N": {"AC"}, "E": {"9D", "JD"}, "S": {"9C", "TC"}, "W": {"QC", "KC"}}
    ending = Ending(24, "S", "NESW", "NS", {seat: frozenset(hand) for seat, hand in hands.items()}, "N", ("TD",))
    assert ending.answers(Search()) == {"9D": 2, "JD": 0}


def test_memory_is_fixed() -> None:
    random = Random(11)
    search = Search(table_bits=10)
    before = search.table_bytes
    for _ in range(300):
        search.solve(*random_ending(random, 24, 5).kernel)
    assert search.table_bytes == before == 8 << 10


def test_nodes_count_up() -> None:
    search = Search()
    assert search.nodes == 0
    search.solve(*random_ending(Random(12), 24, 5).kernel)
    assert search.nodes > 0


def test_nodes_are_cards_played() -> None:
    """Two cards make the trick full, one of them to be played by each hand, and two tricks to go are looked up: so each
    question plays two."""
    random = Random(14)
    found = 0
    while found < 40:
        ending = random_ending(random, 24, 3)
        if len(ending.table) != 2:
            continue
        third, fourth = ending.to_act, SEATS[(SEATS.index(ending.to_act) + 1) % 4]
        if any(len(legal_cards(ending.hands[seat], ending.table, ending.trump)) > 1 for seat in (third, fourth)):
            continue
        search = Search()
        search.solve_cards(*ending.kernel)
        assert search.nodes in (2, 4, 6)
        found += 1


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (([1, 1, 2, 4], 0), "twice"),
        (([1 << 15, 1, 2, 4], 0), "not a card"),
        (([1, 6, 8, 16], 0), "unequal"),
        (([63 << 16 * lane for lane in range(4)], 0), "five is the most"),
        (([1, 2, 4, 8], 4), "seat 4"),
        (([1, 2, 4, 8], 1, (), 0b1101), "seat 1"),
        (([1, 2, 4], 0), "3 hands"),
        (([0, 0, 0, 0], 0, (1, 2, 4, 8)), "trick is over"),
        (([0, 2, 4, 8], 0, (3,)), "not one card"),
        (([1, 2, 4, 8], 0, (), 0b0001), "at least two"),
    ],
)
def test_what_cannot_come_up_is_refused(position: tuple[object, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Search().solve(*position)
