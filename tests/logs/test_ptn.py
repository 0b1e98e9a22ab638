"""PTN: what its tags mean, what is refused, the slips of real files, and that it reads what it writes."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.errors import Fault, InvalidInput
from solver.game.cards import CardSet
from solver.game.position import Decision, Position
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import PRESETS, Rules
from solver.game.seats import Seat, Side
from solver.logs import egn, read
from solver.logs.ptn import write
from solver.logs.ptn.blocks import MAX_LINE, MAX_LINES, blocks
from solver.logs.streams import LINE_LIMIT
from solver.notation.codes import read_card, read_cards
from tests.strategies import ALL_RULES, positions, random_position

DATA = Path(__file__).parents[1] / "data" / "ptn" / "friday.ptn"
EGN = Path(__file__).parents[1] / "data" / "egn"
TEXT = DATA.read_text(encoding="utf-8")
#: One deal: its dealer S ordered, took S9 and threw DQ away.
DEAL = """[Event "a deal"]
[GameCode "Euchre"]
[GameOptionsJson "{\\"stickTheDealer\\":true}"]
[South "Sam"]
[Dealer "S"]
[Deal "S:Q.AQ.Q.J J.J.A9.A KT.K..KT A.T.KJ.Q"]
[Undealt "S9C9DTH9"]
[Declarer "S"]
[Contract "♠"]
[Auction "W"]
Pass Pass Pass ♠
[CardsAdded "S:S9"]
[CardsRemoved "S:DQ"]
[Play "W"]
CA CT CQ S9
SJ ST SA SQ
DA SK DJ HQ
HJ HK HT HA
D9 CK DK CJ
"""
#: Rules of a deal that a record can tell: the others are options without a place in the format.
TOLD_RULES = [
    replace(PRESETS[name], deck=deck)
    for name in ("american", "cardporch", "euchre_com")
    for deck in (24, 25, 28, 32, 33)
]


def games(text: str | bytes) -> list[GameRecord]:
    return list(read(text.encode() if isinstance(text, str) else text, "ptn"))


def one(text: str | bytes) -> GameRecord:
    (game,) = games(text)
    return game


def changed(old: str, new: str, text: str = DEAL) -> GameRecord:
    assert old in text
    return one(text.replace(old, new))


def refused(game: GameRecord, code: str) -> str:
    assert not game.deals
    assert {fault.code for fault in game.faults} == {code}
    assert all(fault.path[0] == "lines" and fault.message.startswith("line ") for fault in game.faults)
    return str(game.faults[0])


def written(*found: GameRecord) -> bytes:
    stream = BytesIO()
    write(found, stream)
    return stream.getvalue()


def by_trick(position: Position) -> list[dict[str, str]]:
    return [
        {str(seat): str(card) for seat, card in zip(trick.seats, trick.cards, strict=True)}
        for trick in position.play().tricks
    ]


# -- what a record says ------------------------------------------------------------------------------------------------


def test_a_deal_is_read_seat_by_seat() -> None:
    game = one(DEAL)
    (record,) = game.deals
    position = record.position
    assert not game.faults and not record.faults and not position.problems()
    assert (game.title, game.players, game.rules) == ("a deal", {Seat.S: "Sam"}, Rules(stick_the_dealer=True))
    assert position.deal.dealer == Seat.S
    assert position.deal.upcard == read_card("9S")
    assert position.deal.hand(Seat.S) == CardSet.of(read_cards("QS AH QH QD JC"))
    assert position.deal.hand(Seat.W) == CardSet.of(read_cards("JS JH AD 9D AC"))
    assert position.deal.kitty == CardSet.of(read_cards("9C TD 9H"))
    assert [str(bid) for bid in position.bids] == ["pass", "pass", "pass", "order"]
    assert position.discard == read_card("QD")
    assert position.decision == Decision.OVER
    assert position.play().tricks_won() == {Side.NS: 4, Side.EW: 1}


def test_columns_are_seats_and_not_the_order_of_play() -> None:
    tricks = by_trick(one(DEAL).deals[0].position)
    assert tricks[1] == {"W": "JS", "N": "TS", "E": "AS", "S": "QS"}
    assert [next(iter(trick)) for trick in tricks] == ["W", "S", "W", "N", "S"]  # who led


def test_the_example_file_holds_what_its_readme_says() -> None:
    found = games(TEXT)
    assert [game.title.partition(" - ")[0].partition(": ")[2] for game in found] == [
        "",
        "a lone hand",
        "left of the loner leads",
        "with a joker",
        "thrown in",
    ]
    assert [deal.number for game in found for deal in game.deals] == [1, 2, 3, 4, 5]
    assert not [fault for game in found for fault in (*game.faults, *game.deals[0].faults)]
    assert not [fault for game in found for fault in game.deals[0].position.problems()]
    assert [game.rules.lone_lead for game in found[1:3]] == ["dealer_left", "maker_left"]
    assert (found[3].rules.deck, found[3].rules.target) == (25, 11)
    auction = found[4].deals[0].position.auction
    assert auction is not None and auction.thrown_in
    assert found[0].players[Seat.S] == 'Sam "Ace" (12)'


def test_a_hand_that_went_under_counts_as_dealt_with_what_it_took() -> None:
    game = games(TEXT)[0]
    (record,) = game.deals
    assert record.notes["exchanges"] == [
        {"seat": "E", "added": ["TC", "JD", "TH"], "removed": ["TD", "9H", "TS"]},
    ]
    assert record.position.deal.hand(Seat.E) == CardSet.of(read_cards("AS QS TC JD TH"))
    assert record.position.deal.kitty == CardSet.of(read_cards("TD 9H TS"))
    assert game.notes["optionsNotApplied"] == ["allowNotrump", "goUnder"]


def test_a_lone_hand_has_three_columns_in_play() -> None:
    position = games(TEXT)[1].deals[0].position
    contract = position.contract
    assert contract is not None and contract.alone
    assert (contract.maker, contract.sitting_out, contract.leader) == (Seat.N, Seat.S, Seat.N)
    assert by_trick(position)[1] == {"N": "TD", "E": "AS", "W": "KD"}
    assert position.deal.hand(Seat.S) == CardSet.of(read_cards("JS TH QD JD AC"))


def test_the_time_of_a_deal_and_tags_of_no_play_are_kept() -> None:
    game = games(TEXT)[0]
    assert game.notes["metadata"] == {"date": "2026-03-06T20:15:30Z"}
    tags = game.notes["tags"]
    assert isinstance(tags, dict)
    assert (tags["GameScores"], "Deal" in tags, "South" in tags) == ("S:6 3 6 3", False, False)
    assert egn.document(game)["metadata"]["date"] == "2026-03-06T20:15:30Z"  # type: ignore[index, call-overload]
    assert game.initial_score == {}


@pytest.mark.parametrize(
    ("play", "tricks", "cards"),
    [
        ("", 0, 0),
        ('[Play "W"]\nCA - - -', 0, 1),
        ('[Play "W"]\nCA CT', 0, 2),
        ('[Play "W"]\nCA CT CQ S9\nSJ - - SQ', 1, 6),
    ],
)
def test_a_deal_cut_short_keeps_what_was_played(play: str, tricks: int, cards: int) -> None:
    (record,) = one(DEAL.partition("[Play")[0] + play).deals
    assert not record.faults
    assert (len(by_trick(record.position)), len(record.position.plays)) == (tricks, cards)
    assert record.position.deal.hand(Seat.W) == CardSet.of(read_cards("JS JH AD 9D AC"))


def test_hands_that_are_not_told_follow_from_the_play() -> None:
    position = changed("S:Q.AQ.Q.J J.J.A9.A KT.K..KT A.T.KJ.Q", "S:- - - -").deals[0].position
    assert position == one(DEAL).deals[0].position


@pytest.mark.parametrize(
    ("contract", "maker", "bids"),
    [
        ("♠", "N", "PO"),
        ("S", "W", "O"),
        ("♥ alone", "W", "PPPPH"),
        ("Calone", "S", "PPPPPPPC"),
        ("♠ alone", "S", "PPPO"),
    ],
)
def test_the_bids_follow_from_the_contract_where_there_are_none(contract: str, maker: str, bids: str) -> None:
    text = DEAL.partition("[Auction")[0]
    text = text.replace('[Declarer "S"]', f'[Declarer "{maker}"]').replace('"♠"]', f'"{contract}"]')
    position = one(text).deals[0].position
    assert "".join(str(bid)[0].upper() for bid in position.bids) == bids
    assert position.contract is not None
    assert (position.contract.maker.name, position.contract.alone) == (maker, "alone" in contract)


# -- what is refused, and where ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "word"),
    [
        ('"variation":1', "bid euchre"),
        ('"numDecks":2', "double-deck"),
        ('"players":3', "four"),
        ('"makerLeadsFirst":true', "maker"),
        ('"deckSize":16', "no such deck"),
        ('"deckSize":28,"withJoker":true', "joker"),
    ],
)
def test_ways_to_play_that_change_a_record_are_refused_by_option(option: str, word: str) -> None:
    game = changed('\\"stickTheDealer\\":true', option.replace('"', '\\"'))
    assert word in refused(game, "rules.unsupported")


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("Pass Pass Pass ♠", "2 3 Pass Pass\n- 3♠ - -", "bid euchre"),
        ("Pass Pass Pass ♠", "Alone Pass Pass Pass", "bid euchre"),
        ("Pass Pass Pass ♠", "Pass Pass Pass Pass\nPass NTalone - -", "no-trump"),
        ('[CardsAdded "S:S9"]', '[CardsPassed "S:N:DQ"]\n[CardsAdded "S:S9"]', "call for best"),
        ("S:Q.AQ.Q.J J.J", "S:QQ.AQ.Q. J.J", "two decks"),
        (
            '[CardsAdded "S:S9"]\n[CardsRemoved "S:DQ"]',
            '[CardsAdded "E:CA"]\n[CardsRemoved "E:DJ"]',
            "not in the kitty",
        ),
        ('[Play "W"]', '[Play "N"]', "N leads first"),
    ],
)
def test_other_games_show_in_the_bids_and_the_cards(old: str, new: str, word: str) -> None:
    assert word in refused(changed(old, new), "rules.unsupported")


def test_a_card_twice_in_a_trick_names_two_decks() -> None:
    (fault,) = changed("SJ ST SA SQ", "SJ SA SA SQ").deals[0].faults
    assert fault.code == "rules.unsupported" and "double-deck" in fault.message
    assert fault.path == ("lines", 15)


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ('"Euchre"', '"Bridge"', "log.format", 2),
        ('[Dealer "S"]', '[Dealer "Q"]', "seat.unreadable", 5),
        ("J.J.A9.A", "J.J.A9.7", "card.foreign", 6),
        ("J.J.A9.A", "J.J.A9.2", "card.foreign", 6),
        ("J.J.A9.A", "J.J.A9.x", "card.unreadable", 6),
        ("J.J.A9.A", "J.J.A9", "card.unreadable", 6),
        ("J.J.A9.A", "J.J.A9.", "hand.size", 6),
        (" J.J.A9.A", "", "log.record", 6),
        ('"S9C9DTH9"', '""', "log.record", 7),
        ('"S9C9DTH9"', '"S9C9D?H9"', "card.unreadable", 6),
        ("Pass Pass Pass ♠", "Pass shrug", "bid.unreadable", 11),
        ("Pass Pass Pass ♠", "Pass Passalone", "bid.unreadable", 11),
        ('[Auction "W"]', '[Auction "N"]', "log.inconsistent", 10),
        ('"S:DQ"', '"S:DQHA"', "log.record", 13),
        ('"S:DQ"', '"S:??"', "card.unreadable", 13),
        ('[CardsAdded "S:S9"]', '[CardsAdded "S:S9"]\n[CardsAdded "S:S9"]', "log.record", 13),
        ('[CardsAdded "S:S9"]\n', "", "log.record", 12),
    ],
)
def test_a_record_that_cannot_be_read_is_refused_at_its_line(old: str, new: str, code: str, line: int) -> None:
    game = changed(old, new)
    assert refused(game, code).startswith(f"lines.{line - 1}: line {line}: ")


def test_a_record_without_a_deal_or_a_seat_is_refused() -> None:
    assert "Deal" in refused(one('[Event "x"]\n[Dealer "S"]\n'), "log.record")
    text = DEAL.replace('[Dealer "S"]\n', "").replace('"S:Q', '"Q')
    assert "names a seat" in refused(one(text), "log.record")


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "plays"),
    [
        ('[Declarer "S"]', '[Declarer "N"]', "log.inconsistent", 8, 20),
        ('[Contract "♠"]', '[Contract "♠ alone"]', "log.inconsistent", 9, 20),
        ("HJ HK HT HA", "HJ HK HT H?", "card.unreadable", 18, 12),
        ("HJ HK HT HA", "HJ HK HT H8", "card.foreign", 18, 12),
        ("HJ HK HT HA", "HJ HK HT SQ", "card.duplicate", 18, 14),
        ("HJ HK HT HA", "HJ HK HT -", "log.record", 18, 14),
        ("HJ HK HT HA", "HJ - HT HA", "log.record", 18, 12),
        ("HJ HK HT HA", "HJ HK HT HA H9", "log.record", 18, 12),
        ("D9 CK DK CJ", "D9 CK DK CJ\nC9 C9 C9 C9", "log.record", 20, 20),
        ('"S:DQ"', '"S:HA"', "log.inconsistent", 13, 20),
        ('"S9C9DTH9"', '"S9C9DTHK"', "card.duplicate", 7, 20),
        ("J.J.A9.A", "J.J.A9.Q", "card.duplicate", 6, 20),
    ],
)
def test_a_slip_is_a_fault_at_its_line_and_the_rest_is_read(
    old: str, new: str, code: str, line: int, plays: int
) -> None:
    (record,) = changed(old, new).deals
    fault = record.faults[0]
    assert (fault.code, fault.path) == (code, ("lines", line - 1))
    assert fault.message.startswith(f"line {line}: ")
    assert len(record.position.plays) == plays


def test_a_revoke_is_reported_by_line_trick_seat_and_card() -> None:
    text = DEAL[: DEAL.index("SJ ST")].replace("CA CT CQ S9", "CA HK CQ S9")
    (fault,) = one(text).deals[0].faults
    assert fault == Fault("play.illegal", "line 15: KH: clubs were led and TC KC are held (trick 1, N)", ("lines", 14))


def test_a_card_of_the_seat_that_sits_out_is_a_fault() -> None:
    text = TEXT[TEXT.index('[Event "Friday table: a lone hand"]') : TEXT.index('[Event "Friday table: left')]
    (fault,) = changed("DT SA - DK", "DT SA HK DK", text).deals[0].faults
    assert "S sits out" in fault.message


def test_play_before_a_contract_is_a_fault() -> None:
    game = changed("Pass Pass Pass ♠", "Pass Pass", DEAL.replace('[Declarer "S"]\n[Contract "♠"]\n', ""))
    assert {fault.code for fault in game.deals[0].faults} == {"play.illegal", "discard.illegal"}
    assert not game.deals[0].position.plays


def test_options_that_cannot_be_read_leave_the_usual_ones() -> None:
    for value, code in (
        ("{", "json.invalid"),
        ("[3]", "log.record"),
        ('{"stickTheDealer":1}', "rules.unknown"),
        ('{"gameOverScore":0}', "rules.value"),
    ):
        game = changed('"{\\"stickTheDealer\\":true}"', f'"{value}"')
        assert [fault.code for fault in game.faults] == [code]
        assert game.faults[0].path == ("lines", 2)
        assert game.rules == Rules() and len(game.deals) == 1


def test_a_bad_record_does_not_stop_the_file() -> None:
    found = games(DEAL + DEAL.replace("J.J.A9.A", "J.J.A9.x") + DEAL)
    assert [len(game.deals) for game in found] == [1, 0, 1]
    assert found[0].deals[0].position == found[2].deals[0].position
    assert [found[0].deals[0].number, found[2].deals[0].number] == [1, 3]


# -- slips of real files -----------------------------------------------------------------------------------------------

SLIPS = {
    "other line ends": lambda text: text.replace("\n", "\r\n"),
    "line ends of old": lambda text: text.replace("\n", "\r"),
    "empty lines": lambda text: text.replace("\n", "\n\n  \n"),
    "no line end": lambda text: text.rstrip("\n"),
    "a mark": lambda text: "\ufeff" + text,
    "comments": lambda text: (
        "% PTN ---\n; none\n" + text.replace("CA CT", "{lead} CA CT").replace("HT HA", "HT HA ; last")
    ),
    "quotes not escaped": lambda text: text.replace('\\"', '"'),
    "a bracket left open": lambda text: text.replace('[South "Sam"]', '[South "Sam"').replace('"S:DQ"]', '"S:DQ"'),
    "a quote left open": lambda text: text.replace('[Dealer "S"]', '[Dealer "S]').replace('[Play "W"]', "[Play W]"),
    "a wrapped line": lambda text: text.replace(".A KT.", ".A\nKT."),
    "one line": lambda text: text.replace('"]\n[', '"] ['),
    "an answer to a mail": lambda text: "".join(f"> {line}\n" for line in text.splitlines()),
    "a fence": lambda text: f"Look:\n```\n{text}```\n",
    "tags that nobody knows": lambda text: text.replace("[Play", '[Mood "good"]\nfine\n[Play'),
    "letters for signs": lambda text: text.replace("♠", "S"),
    "signs read wrongly": lambda text: text.replace("♠", "♠".encode().decode("cp1252")),
    "small letters": lambda text: text.replace("SJ ST SA SQ", "sj st sa sq").replace("Pass", "pass"),
    "long tens": lambda text: text.replace("CT", "C10").replace("KT.K", "K10.K"),
    "no contract": lambda text: text.replace('[Declarer "S"]\n[Contract "♠"]\n', ""),
    "no dealer": lambda text: text.replace('[Dealer "S"]\n', ""),
    "an upcard alone": lambda text: text.replace("S9C9DTH9", "S9"),
    "no discard": lambda text: text.replace('[CardsAdded "S:S9"]\n[CardsRemoved "S:DQ"]\n', ""),
    "another first hand": lambda text: text.replace(
        "S:Q.AQ.Q.J J.J.A9.A KT.K..KT A.T.KJ.Q", "N:KT.K..KT A.T.KJ.Q Q.AQ.Q.J J.J.A9.A"
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_of_the_text_changes_nothing(slip: str) -> None:
    text = SLIPS[slip](DEAL)
    assert text != DEAL
    usual, game = one(DEAL), one(text)
    assert not game.faults and not game.deals[0].faults
    assert game.deals[0].position == usual.deals[0].position
    assert (game.rules, game.players, game.title) == (usual.rules, usual.players, usual.title)


def test_other_encodings_are_read() -> None:
    text = DEAL.replace("Sam", "Zoë").replace("♠", "S")
    for encoding in ("utf-8", "latin-1", "cp1252"):
        assert one(text.encode(encoding)).players == {Seat.S: "Zoë"}


def test_deals_under_one_header_share_it() -> None:
    again = DEAL[DEAL.index("[Dealer") :]
    for text in (DEAL + again, DEAL + "\n" + again.replace('[Dealer "S"]\n', "")):
        first, second = games(text)
        assert second.deals[0].position == first.deals[0].position
        assert (second.rules, second.players, second.title) == (first.rules, first.players, first.title)


def test_the_next_header_begins_a_record_of_its_own() -> None:
    first, second = games(DEAL + DEAL.replace('[South "Sam"]\n', ""))
    assert (first.players, second.players) == ({Seat.S: "Sam"}, {})
    (headless,) = games('[Event "x"]\n' + DEAL)
    assert headless.title == "a deal"


# -- writing -----------------------------------------------------------------------------------------------------------


def test_the_example_file_is_written_as_it_is() -> None:
    assert written(*games(TEXT)).decode() == TEXT


@settings(max_examples=50)
@given(positions(TOLD_RULES))
@example(random_position(Rules(), Random(0), 0))
def test_any_deal_at_any_point_reads_back_the_same(position: Position) -> None:
    game = GameRecord(position.rules, (DealRecord(1, position),), "t", {Seat.E: "Eve"})
    if position.deal.upcard is not None and position.deal.upcard.is_benny:
        with pytest.raises(InvalidInput, match="Benny"):
            written(game)
        return
    found = one(written(game))
    assert not found.faults and not found.deals[0].faults
    same = replace(found.deals[0].position, deal=replace(found.deals[0].position.deal, rules=position.rules))
    assert same == position
    assert (found.title, found.players) == (game.title, game.players)
    assert (found.rules.deck, found.rules.stick_the_dealer) == (position.rules.deck, position.rules.stick_the_dealer)


@pytest.mark.parametrize("name", sorted(path.name for path in EGN.glob("*.egn")))
def test_real_games_pass_through_this_format_and_back(name: str) -> None:
    (game,) = read(EGN / name)
    found = games(written(game))
    assert [each.players for each in found] == [game.players] * len(game.deals)
    for before, after in zip(game.deals, found, strict=True):
        position = after.deals[0].position
        assert replace(position, deal=replace(position.deal, rules=game.rules)) == before.position
        assert [fault.code for fault in after.deals[0].faults] == [fault.code for fault in before.faults]


def test_a_deal_passes_through_other_formats() -> None:
    for game in games(TEXT):
        stream = BytesIO()
        egn.write([game], stream)
        (found,) = read(stream.getvalue(), "egn")
        assert (found.title, found.players) == (game.title, game.players)
        assert found.deals[0].position == game.deals[0].position


def test_rules_of_a_lone_lead_show_in_who_leads() -> None:
    random = Random(4)
    seen = set()
    while len(seen) < 3:
        rules = random.choice([replace(Rules(), lone_lead=each) for each in ("dealer_left", "maker_left", "maker")])
        position = random_position(rules, random)
        if position.plays and position.contract is not None and position.contract.alone:
            found = one(written(GameRecord(rules, (DealRecord(1, position),)))).deals[0].position
            assert (found.contract, found.plays) == (position.contract, position.plays)
            seen.add(rules.lone_lead)


def test_what_the_format_has_no_place_for_is_refused() -> None:
    two = random_position(PRESETS["two_handed"], Random(1))
    bare = one(DEAL).deals[0].position
    bare = Position(replace(bare.deal, upcard=None), given=bare.contract)
    for position, word in ((two, "2 seats"), (bare, "without its upcard")):
        with pytest.raises(InvalidInput, match=word) as caught:
            written(GameRecord(position.rules, (DealRecord(7, position),)))
        assert [(fault.code, fault.path) for fault in caught.value.faults] == [("log.unwritable", ("deals", 0))]


def test_notes_of_other_formats_change_nothing() -> None:
    game = replace(one(DEAL), notes={"tags": ["x"], "metadata": {"date": "today"}})
    game = replace(game, deals=(replace(game.deals[0], notes={"exchanges": [3, {"seat": "Q"}, {"seat": "N"}]}),))
    assert one(written(game)).deals[0].position == one(DEAL).deals[0].position


def test_a_title_of_spaces_is_none() -> None:
    source = written(replace(one(DEAL), title=" \t "))
    assert b"[Event " not in source and written(one(source)) == source


# -- anything at all ---------------------------------------------------------------------------------------------------


@settings(max_examples=150)
@given(st.integers(0, 2**32), st.integers(1, 12))
def test_a_file_with_any_slips_gives_records_and_faults(seed: int, slips: int) -> None:
    random = Random(seed)
    source = bytearray(random.choice([DEAL, TEXT]).encode())
    for _ in range(slips):
        at = random.randrange(len(source))
        match random.randrange(4):
            case 0:
                source[at] = random.randrange(256)
            case 1:
                del source[at : at + random.randrange(1, 40)]
            case 2:
                source[at:at] = source[: random.randrange(200)]
            case _:
                source[at:at] = bytes(
                    random.choice(b'[]"-.:SHDCAKQJT9\n\r%{};\\') for _ in range(random.randrange(1, 4))
                )
    for game in games(bytes(source)):
        assert all(fault.message for fault in game.faults)
        for deal in game.deals:
            if not deal.faults and not any(hand is None for hand in deal.position.deal.hands):
                assert not deal.position.deal.problems() or deal.position.discard_unknown


@settings(max_examples=100)
@given(st.binary(max_size=300))
def test_any_bytes_give_records_and_faults(source: bytes) -> None:
    for game in games(b'[Deal "N:-----------------------------------------------------"' + source):
        assert game.deals or game.faults


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_faults_stand_at_their_lines_whatever_ends_them(end: str) -> None:
    text = DEAL + '[Event "' + "x" * MAX_LINE + '"]\n' + DEAL.replace("Pass", "Pas")
    found = games(text.replace("\n", end))
    assert [fault.path for game in found for fault in game.faults] == [
        ("lines", DEAL.count("\n")),
        ("lines", text[: text.index("Pas ")].count("\n")),
    ]


def test_a_record_never_takes_more_memory_than_its_limits() -> None:
    rows = b"CA CT CQ S9\n" * 20_000 + b"[Undealt " + b'"' * 3_000_000 + b"\n" + b'[Event "x"]\n' + DEAL.encode()
    stream = BytesIO(DEAL.encode() + rows)
    tracemalloc.start()
    try:
        found = list(blocks(stream))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4 * LINE_LIMIT
    assert [len(block.faults) for block in found] == [1, 0, 0][: len(found)]
    assert found[-1].tags[-1].rows[-1][1] == "D9 CK DK CJ"
    assert max(len(tag.rows) for block in found for tag in block.tags) <= MAX_LINES


def test_every_deck_is_covered() -> None:
    assert {rules.deck for rules in TOLD_RULES} == {rules.deck for rules in ALL_RULES}
