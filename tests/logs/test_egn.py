"""Euchre Game Notation: real games against another program's reading of them, and which cards were whose."""

from __future__ import annotations

import json

import pytest

from solver.errors import Fault
from solver.game.cards import CardSet
from solver.game.order import card_order
from solver.game.position import Decision
from solver.game.record import DealRecord
from solver.game.scoring import score
from solver.game.seats import Seat, Side
from solver.logs import read
from solver.notation.codes import read_card, read_cards
from tests.logs.egn import DATA, PLAIN, document, game_of, one_deal

FILES = sorted(path.name for path in DATA.glob("*.egn"))
EXPECTED = {each["file"]: each["deals"] for each in map(json.loads, (DATA / "expected.jsonl").read_text().splitlines())}
DEALS = [(name, at) for name in FILES for at in range(len(EXPECTED[name]))]


def played(record: DealRecord) -> dict[Seat, list[str]]:
    """The cards by seat in the order played."""
    play = record.position.play()
    cards: dict[Seat, list[str]] = {seat: [] for seat in Seat}
    for trick in play.tricks:
        for seat, card in zip(trick.seats, trick.cards, strict=True):
            cards[seat].append(str(card))
    for seat, card in zip(play.order_of_trick(), play.table, strict=False):
        cards[seat].append(str(card))
    return cards


def cards_shown_late(record: DealRecord) -> int:
    """Cards played after their owner had failed to follow the suit they count as."""
    contract = record.position.contract
    assert contract is not None
    order = card_order(record.position.rules, contract.trump)
    void: set[tuple[Seat, int]] = set()
    late = 0
    for trick in record.position.play().tricks:
        for seat, card in zip(trick.seats, trick.cards, strict=True):
            late += (seat, order.suit(card)) in void
            if order.suit(card) != order.suit(trick.cards[0]):
                void.add((seat, order.suit(trick.cards[0])))
    return late


# -- real games --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_every_deal_of_a_real_game_is_read(name: str) -> None:
    (game,) = read(DATA / name)
    metadata = document(name)["metadata"]
    assert [deal.number for deal in game.deals] == list(range(1, len(EXPECTED[name]) + 1))
    assert not game.faults
    assert game.title == metadata["title"]
    assert list(game.players.values()) == metadata["players"]
    assert [game.initial_score[side] for side in (Side.NS, Side.EW)] == metadata["initialScore"]
    assert game.rules.stick_the_dealer


@pytest.mark.parametrize(("name", "at"), DEALS)
def test_a_real_deal_is_read_as_another_program_reads_it(name: str, at: int) -> None:
    (game,) = read(DATA / name)
    record, expected = game.deals[at], EXPECTED[name][at]
    position, contract = record.position, record.position.contract
    assert contract is not None and position.auction is not None
    assert position.deal.dealer == expected["dealer"]
    assert position.deal.upcard == read_card(expected["up"])
    assert contract.trump.letter == expected["trump"]
    assert contract.maker == expected["maker"]
    assert contract.alone == expected["alone"]
    assert contract.sitting_out == expected["out"]
    assert position.auction.takes_upcard == expected["ordered"]
    assert played(record) == {Seat(int(seat)): cards for seat, cards in expected["hands"].items()}
    tricks = position.play().tricks_won()
    assert [tricks[Side.NS], tricks[Side.EW]] == expected["tricks"]
    assert (position.decision == Decision.OVER) == expected["complete"]
    if expected["complete"]:
        points = score(position.rules, contract, tricks)
        assert [points[Side.NS], points[Side.EW]] == expected["points"]
        assert cards_shown_late(record) == expected["reneges"]
    assert any(fault.code == "play.illegal" for fault in record.faults) == (expected["reneges"] > 0)
    if not expected["reneges"]:
        assert not record.faults


@pytest.mark.parametrize(("name", "at"), DEALS)
def test_a_complete_real_deal_has_every_hand_but_the_one_that_sat_out(name: str, at: int) -> None:
    (game,) = read(DATA / name)
    position = game.deals[at].position
    if not EXPECTED[name][at]["complete"]:
        assert position.deal.hands == (None,) * 4
        return
    in_play = position.hands_in_play
    for seat, cards in EXPECTED[name][at]["hands"].items():
        if cards:
            assert in_play[int(seat)] == CardSet.of(read_cards(" ".join(cards)))
    if not game.deals[at].faults:
        sizes = [f"{seat}" for fault in position.problems() for seat in fault.path]
        assert not sizes


def test_revokes_are_reported_by_deal_trick_seat_and_card_and_the_rest_is_read() -> None:
    (game,) = read(DATA / "game27.egn")
    (fault,) = game.deals[1].faults
    assert fault == Fault(
        "play.illegal",
        "deal 2: TD: clubs were led and KC is held (trick 1, N)",
        ("deals", 1, "phases", 1, "tricks", 0, 3),
    )
    assert len(game.deals[1].position.plays) == 20


def test_what_is_no_play_is_kept_in_the_notes() -> None:
    (game,) = read(DATA / "game04.egn")
    source = document("game04.egn")
    assert game.notes["metadata"] == source["metadata"]
    assert game.notes["version"] == "1.4"
    assert game.deals[1].notes["alternativeLines"] == source["deals"][1]["alternativeLines"]
    bidding = game.deals[10].notes["bidding"]
    assert bidding == {"callAnnotations": source["deals"][10]["phases"][0]["callAnnotations"]}
    assert [deal.notes["dealNumber"] for deal in game.deals] == list(range(11))


def test_keys_that_nobody_knows_are_kept_in_the_notes() -> None:
    made = one_deal(PLAIN)
    deal = made["deals"][0]
    made["club"] = {"name": "x"}
    deal["table"], deal["initialState"]["clock"] = 3, [1, 2]
    deal["phases"][0]["thinking"], deal["phases"][1]["playAnnotations"] = [0.5], {"0": ["!"]}
    game = game_of(made)
    assert game.notes["club"] == {"name": "x"}
    assert game.deals[0].notes == {
        "dealNumber": 1,
        "table": 3,
        "initialState": {"clock": [1, 2]},
        "bidding": {"thinking": [0.5]},
        "play": {"playAnnotations": {"0": ["!"]}},
    }


# -- hands, discard, kitty ---------------------------------------------------------------------------------------------


def test_a_dealer_whose_discard_is_not_known_has_four_cards_as_dealt() -> None:
    (game,) = read(DATA / "game02.egn")
    position = game.deals[0].position
    assert position.discard is None and position.discard_unknown
    assert position.deal.hand(Seat.N) == CardSet.of(read_cards("9C AS KC TS"))
    assert not position.problems()


def test_a_known_discard_completes_the_dealers_hand() -> None:
    (game,) = read(DATA / "game04.egn")
    position = game.deals[0].position
    assert position.discard == read_card("KS")
    assert position.deal.hand(Seat.S) == CardSet.of(read_cards("AC AH TH QH KS"))
    assert not position.problems()


def test_an_upcard_that_the_dealer_never_plays_was_discarded() -> None:
    made = one_deal(("game02.egn", 6))  # JC is turned up, the dealer plays it to the last trick
    made["deals"][0]["phases"][1]["tricks"][4][0] = "Kh"
    game = game_of(made)
    position = game.deals[0].position
    assert position.discard == position.deal.upcard == read_card("JC")
    assert read_card("KH") in (position.deal.hand(Seat.S) or ())
    assert not position.problems()


@pytest.mark.parametrize("kitty_known", [True, False])
def test_the_hand_that_sits_out_is_known_if_listed_or_if_nothing_else_is_left(kitty_known: bool) -> None:
    made = document("game14.egn")
    made["deals"] = made["deals"][1:]
    state = made["deals"][0]["initialState"]
    if kitty_known:
        state["player_cards"] = [[], [], [], []]
    else:
        state["kitty"] = ["", "Xx", ""]
    position = game_of(made).deals[0].position
    assert position.deal.hand(Seat.E) == CardSet.of(read_cards("QD QC KC KH KS"))


def test_the_discard_follows_from_a_known_kitty() -> None:
    made = one_deal(("game02.egn", 0))
    used = {read_card(card) for trick in made["deals"][0]["phases"][1]["tricks"] for card in trick}
    rest = [str(card) for card in game_of(made).rules.cards if card not in used]
    made["deals"][0]["initialState"]["kitty"] = rest[:3]
    record = game_of(made).deals[0]
    assert not record.faults and not record.position.problems()
    assert record.position.discard == read_card(rest[3])
    assert len(record.position.deal.hand(Seat.N) or ()) == 5


@pytest.mark.parametrize("listed", ["9c As Kc Ts Ad", "9c As Kc Ts Ad Th"])
def test_a_listed_hand_of_the_dealer_tells_the_discard(listed: str) -> None:
    made = one_deal(("game02.egn", 0))
    made["deals"][0]["initialState"]["playerCards"] = [listed.split(), [], [], []]
    # AD is in the kitty or was discarded: nobody played it.
    record = game_of(made).deals[0]
    assert not record.faults
    assert record.position.discard == read_card("AD")


def test_a_listed_hand_that_the_play_contradicts_is_a_fault_and_the_play_counts() -> None:
    made = one_deal(PLAIN)
    made["deals"][0]["initialState"]["player_cards"] = [["9c", "Tc", "Jc", "Qc", "Kc"], [], [], []]
    record = game_of(made).deals[0]
    (fault,) = record.faults
    assert fault.code == "log.inconsistent"
    assert fault.path == ("deals", 0, "initialState", "player_cards", 0)
    assert record.position.deal.hand(Seat.N) == CardSet.of(read_cards("QH KS 9C KC AH"))


@pytest.mark.parametrize(
    ("place", "value", "path"),
    [
        ("kitty", ["Jd", "", ""], ("initialState", "kitty")),
        ("discard", "Ac", ("phases", 0, "discard")),
    ],
)
def test_a_kitty_or_discard_that_was_played_is_a_fault(place: str, value: object, path: tuple[object, ...]) -> None:
    made = one_deal(("game02.egn", 0))
    deal = made["deals"][0]
    (deal["initialState"] if place == "kitty" else deal["phases"][0])[place] = value
    (fault,) = game_of(made).deals[0].faults
    assert (fault.code, fault.path) == ("log.inconsistent", ("deals", 0, *path))


def test_a_discard_without_an_order_is_a_fault() -> None:
    made = one_deal(PLAIN)
    made["deals"][0]["phases"][0]["discard"] = "9h"
    (fault,) = game_of(made).deals[0].faults
    assert (fault.code, fault.path) == ("discard.illegal", ("deals", 0, "phases", 0, "discard"))


def test_a_played_upcard_that_was_turned_down_is_a_fault() -> None:
    made = one_deal(PLAIN)  # AS was turned down
    made["deals"][0]["phases"][1]["tricks"][4][3] = "As"
    fault = game_of(made).deals[0].faults[0]
    assert fault.code == "log.inconsistent" and "turned down" in fault.message
    assert fault.path == ("deals", 0, "phases", 1, "tricks", 4, 3)


def test_bowers_may_be_written_as_such() -> None:
    made = one_deal(PLAIN)  # diamonds
    text = (
        json.dumps(made).replace('"Jd"', '"R"').replace('"Jh"', '"L"').replace('"9d"', '"Nd"').replace('"Td"', '"10d"')
    )
    assert game_of(json.loads(text)).deals[0].position == game_of(made).deals[0].position


# -- deals that end early ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", range(20))
def test_a_deal_cut_short_keeps_its_plays_and_finds_its_revokes(cards: int) -> None:
    (game,) = read(DATA / "game27.egn")
    whole = game.deals[1].position.plays
    made = one_deal(("game27.egn", 1))
    tricks = made["deals"][0]["phases"][1]["tricks"]
    flat = [card for trick in tricks for card in trick][:cards]
    made["deals"][0]["phases"][1]["tricks"] = [flat[at : at + 4] for at in range(0, cards, 4)]
    record = game_of(made).deals[0]
    assert record.position.plays == whole[:cards]
    assert record.position.decision == Decision.PLAY
    # N failed to follow clubs in the first trick, and leads one to the last.
    assert [fault.path[-2:] for fault in record.faults] == ([(0, 3)] if cards > 16 else [])


def test_a_deal_that_nobody_made_trump_in_is_a_record() -> None:
    made = one_deal(PLAIN, std=False)
    deal = made["deals"][0]
    deal["phases"] = [{"type": "EUCHRE_BIDDING", "calls": ["Pass"] * 8, "isAlone": False}]
    record = game_of(made).deals[0]
    assert not record.faults
    assert record.position.decision == Decision.OVER
    assert record.position.auction is not None and record.position.auction.thrown_in


def test_a_listed_hand_stands_in_a_deal_cut_short() -> None:
    made = one_deal(PLAIN)
    deal = made["deals"][0]
    deal["phases"][1]["tricks"] = deal["phases"][1]["tricks"][:1]
    deal["initialState"]["player_cards"] = [[], [], ["Jd", "Jh", "Js", "Jc", "9h"], []]
    record = game_of(made).deals[0]
    assert not record.faults
    assert record.position.deal.hands[:2] == (None, None)
    assert record.position.deal.hand(Seat.S) == CardSet.of(read_cards("JD JH JS JC 9H"))
    deal["initialState"]["player_cards"][2][0] = "Ad"
    (fault,) = game_of(made).deals[0].faults
    assert fault.code == "play.illegal" and "S does not hold it" in fault.message
