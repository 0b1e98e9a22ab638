"""The binary form of Euchre Game Notation, and deals in the condensed form."""

from __future__ import annotations

import base64
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import InvalidInput
from solver.game.record import GameRecord
from solver.logs import detect, read
from solver.logs.egn import document as written
from solver.logs.egn.binary import MAX_VALUES
from solver.logs.egn.bits import MAX_TEXT, unpack_deal
from solver.logs.streams import DOCUMENT_LIMIT
from tests.logs.egn import DATA, document, game_of, one_deal

BINARY = Path(__file__).parents[1] / "data" / "egnb"
NAMES = sorted(path.name for path in BINARY.glob("*.egnb"))
HEAD = b"\x0a\x14Euchre Game Notation\x12\x031.4"


def width(count: int) -> int:
    return len(f"{count - 1:b}")


class Packer:
    """Packs a deal bit by bit, in the steps of the program that defines the condensed form."""

    def __init__(self, deal: dict[str, Any], version: int, least: int = 9) -> None:
        self.bits, self.deal, self.version = "", deal, version
        ranks = "6789TJQKA"
        self.deck = [rank + suit for rank in ranks[ranks.index(str(least)) :] for suit in "shcd"]
        self.put(version, 4)
        state = deal["initialState"]
        self.put(state["dealer"], 2 if version == 1 else 3)
        if version > 1:
            self.put(3, 3)
            self.put(9 - least, 2)
        self.card(state["upCard"], self.deck)
        if version == 3:
            self.put("playerCards" in state, 1)
            for hand in state.get("playerCards", []):
                self.put(len(hand), 4)
                for card in hand:
                    self.card(card, self.deck)
        self.put(len(deal["phases"]), 3)
        rest = [*self.deck]
        for phase in deal["phases"]:
            self.phase(phase, 0, rest)
        lines = deal.get("alternativeLines", [])
        self.put(bool(lines), 1)
        if lines:
            self.put(len(lines), 8)
        for line in lines:
            self.line(line)
        self.put(10, 4)

    def line(self, line: dict[str, Any]) -> None:
        calls = len(self.deal["phases"][0]["calls"])
        played = [card for trick in self.deal["phases"][1]["tricks"] for card in trick]
        gone = played[: max(0, line["branchIndex"] - calls)]
        rest = [card for card in self.deck if card not in gone]
        self.put(line["branchIndex"], 16)
        self.put(len(line["phases"]), 4)
        for phase in line["phases"]:
            self.phase(phase, line["branchIndex"], rest)

    def phase(self, phase: dict[str, Any], first: int, rest: list[str]) -> None:
        if phase["type"] == "EUCHRE_BIDDING":
            self.put(0, 1)
            suits = [suit for suit in "shcd" if suit != self.deal["initialState"]["upCard"][1]]
            for at, call in enumerate(phase["calls"], first):
                self.put(call != "Pass" if at < 4 else ["Pass", *suits].index(call), 1 if at < 4 else 2)
            self.put(phase["isAlone"], 1)
            if self.version > 1 and phase["isAlone"]:
                self.put(0, 1)
            if self.version == 3:
                self.put("discard" in phase, 1)
                if "discard" in phase:
                    self.card(phase["discard"], self.deck)
            self.remarks(phase.get("callAnnotations", {}))
            return
        self.put(1, 1)
        self.put(len(phase["tricks"]), 3)
        for trick in phase["tricks"]:
            for card in trick:
                self.card(card, rest)
                rest.remove(card)
        self.remarks(phase.get("playAnnotations", {}))

    def remarks(self, remarks: dict[str, list[str]]) -> None:
        self.put(bool(remarks), 1)
        if remarks:
            self.put(len(remarks), 8)
        for key, texts in remarks.items():
            self.put(int(key), 8)
            self.put(len(texts), 8)
            for text in texts:
                self.put(len(text.encode()), 16)
                for byte in text.encode():
                    self.put(byte, 8)

    def card(self, card: str, deck: list[str]) -> None:
        self.put(deck.index(card), width(len(deck)))

    def put(self, value: int, bits: int) -> None:
        self.bits += f"{value:0{bits}b}"

    @property
    def text(self) -> str:
        whole = self.bits.ljust(-(-len(self.bits) // 8) * 8, "0")
        return base64.urlsafe_b64encode(int(whole, 2).to_bytes(len(whole) // 8)).decode().rstrip("=")


def games_or_none(source: bytes) -> list[GameRecord]:
    """The games of a binary file, none if it is refused; nothing else may happen."""
    with suppress(InvalidInput):
        return list(read(source, "egn"))
    return []


def present(name: str) -> dict[str, Any]:
    """A real game in the present version."""
    (game,) = read(DATA / name)
    return json.loads(json.dumps(written(game)))


# -- expanded ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_binary_game_is_the_same_game(name: str) -> None:
    assert detect((BINARY / name).read_bytes()).name == "egn"
    (game,) = read(BINARY / name)
    assert not game.faults
    assert written(game) == present(name.replace("egnb", "egn"))


@pytest.mark.parametrize("name", NAMES)
def test_a_binary_game_cut_short_is_refused_or_is_a_shorter_game(name: str) -> None:
    source = (BINARY / name).read_bytes()
    (whole,) = read(source)
    for end in range(len(HEAD) + 1, len(source), 7):
        for game in games_or_none(source[:end]):
            assert [deal.position for deal in game.deals] == [deal.position for deal in whole.deals[: len(game.deals)]]


def test_players_of_a_binary_game_may_be_more_than_names() -> None:
    player = b"\x12\x15\x0a\x03Ann\x12\x0e\x0a\x017\x12\x09club book"
    named = b"\x0a\x02Bo"
    metadata = b"".join(b"\x22" + bytes([len(each)]) + each for each in (player, named))
    source = b"\x00" + HEAD + b"\x1a" + bytes([len(metadata)]) + metadata
    (game,) = read(source, "egn")
    assert list(game.players.values()) == ["Ann", "Bo"]
    assert game.notes["metadata"] == {
        "players": [{"name": "Ann", "playerIds": [{"id": "7", "source": "club book"}]}, "Bo"]
    }


def test_a_binary_file_that_is_too_large_is_refused() -> None:
    with pytest.raises(InvalidInput, match=str(DOCUMENT_LIMIT)):
        list(read(b"\x00" + HEAD + bytes(DOCUMENT_LIMIT), "egn"))


def test_a_binary_file_of_very_many_empty_values_is_refused() -> None:
    header_with_a_player = b"\x1a\x02\x22\x00"
    with pytest.raises(InvalidInput, match=f"more than {MAX_VALUES} values"):
        list(read(b"\x00" + HEAD + header_with_a_player * (MAX_VALUES // 2), "egn"))


# -- condensed ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("name", sorted(path.name for path in DATA.glob("*.egn")))
def test_real_deals_come_back_from_the_condensed_form(name: str, version: int) -> None:
    made = present(name)
    for deal in made["deals"]:
        if any(0 < len(trick) < 3 for phase in deal["phases"] for trick in phase.get("tricks", [])):
            continue
        found = unpack_deal(Packer(deal, version).text, deal["dealNumber"])
        if version < 3:  # these have no place for discards and hands
            deal = json.loads(json.dumps(deal))
            deal["initialState"].pop("playerCards", None)
            lines = [phase for line in deal.get("alternativeLines", []) for phase in line["phases"]]
            for phase in (*deal["phases"], *lines):
                phase.pop("discard", None)
        assert found == deal


def test_a_file_of_condensed_deals_is_read() -> None:
    made = document("game04.egn")
    texts = [Packer(deal, 3).text.encode() for deal in made["deals"]]
    deals = b"".join(b"\x22" + varint(len(text)) + text for text in texts)
    (game,) = read(b"\x01" + HEAD + deals)
    (usual,) = read(DATA / "game04.egn")
    assert [deal.position for deal in game.deals] == [deal.position for deal in usual.deals]
    assert [deal.notes for deal in game.deals] == [deal.notes for deal in usual.deals]


def varint(value: int) -> bytes:
    return bytes([value & 127 | 128]) + varint(value >> 7) if value > 127 else bytes([value])


def test_a_condensed_deal_may_stand_in_a_document() -> None:
    made = one_deal(("game02.egn", 1))
    usual = game_of(made).deals[0].position
    made["deals"] = [Packer(made["deals"][0], 1).text, "???", Packer(made["deals"][0], 2).text + "=="]
    game = game_of(made)
    assert [deal.position for deal in game.deals] == [usual, usual]
    assert [(fault.code, fault.path) for fault in game.faults] == [("log.record", ("deals", 1))]


def test_larger_decks_have_larger_numbers() -> None:
    deal = {"dealNumber": 0, "initialState": {"dealer": 2, "upCard": "7c"}, "phases": []}
    assert unpack_deal(Packer(deal, 2, least=7).text, 0) == deal


def test_a_line_within_a_trick_begins_with_the_rest_of_it() -> None:
    made = present("game02.egn")["deals"][1]
    made["alternativeLines"] = [
        {
            "branchIndex": len(made["phases"][0]["calls"]) + 6,
            "phases": [{"type": "TRICK_PLAY", "phaseNumber": 1, "tricks": [made["phases"][1]["tricks"][1][:1:-1]]}],
        }
    ]
    assert unpack_deal(Packer(made, 1).text, made["dealNumber"]) == made


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "early"),
        ("EA", "early"),
        ("A" * 40, "version"),
        ("!!!!", "Base64"),
        ("A" * (MAX_TEXT + 1), "characters"),
        (base64.b64encode(bytes([0b0001_0011, 0b1110_0000])).decode(), "not there"),
        (base64.b64encode(bytes([0b0010_0001, 0b0000_0000] * 9)).decode(), "players"),
    ],
)
def test_what_is_no_condensed_deal_is_refused(text: str, word: str) -> None:
    with pytest.raises(InvalidInput, match=word):
        unpack_deal(text, 0)


def test_a_condensed_deal_without_its_end_is_refused() -> None:
    packer = Packer(present("game02.egn")["deals"][0], 1)
    packer.bits = packer.bits[:-4] + "0101"
    with pytest.raises(InvalidInput, match="end as it should"):
        unpack_deal(packer.text, 0)


# -- anything at all ---------------------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(st.sampled_from([b"\x00", b"\x01"]), st.binary(max_size=200))
def test_any_bytes_give_a_game_or_are_refused(form: bytes, rest: bytes) -> None:
    assert len(games_or_none(form + HEAD + rest)) <= 1


@settings(max_examples=100)
@given(st.binary(max_size=60), st.sampled_from([0x10, 0x20, 0x30, 0x21, 0x31]))
def test_any_bits_give_a_deal_or_are_refused(rest: bytes, head: int) -> None:
    with suppress(InvalidInput):
        assert unpack_deal(base64.b64encode(bytes([head]) + rest).decode(), 3)["dealNumber"] == 3
