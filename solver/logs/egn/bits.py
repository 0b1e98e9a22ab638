"""Deals in the condensed form: a string of bits in Base64URL.

The published description and the program that writes these strings disagree (order of suits in the deck and in round 2,
width of the dealer's seat, the head of listed hands). Strings are what the program makes of a deal, so its layout is
read. It ends in a marker by which a string of another layout is told. The layout without a version, of the
first releases, has no such marker and is refused.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final

from solver.logs.faults import bad
from solver.notation.strict_json import Json

_SUITS: Final = "shcd"
_RANKS: Final = "6789TJQKA"
_LEAST: Final = (9, 8, 7, 6)
_SEATS: Final = 4
_END: Final = 0b1010

#: Characters of one deal. Two hundred or so are usual, and every remark adds its length.
MAX_TEXT: Final = 1 << 16


def unpack_deal(text: str, number: int) -> dict[str, Json]:
    """The deal as an object of a document.

    Raises `InvalidInput` (``log.record``, or ``rules.unsupported`` for a table of other than four).
    """
    if len(text) > MAX_TEXT:
        raise bad(f"the condensed form has {len(text)} characters, more than {MAX_TEXT}")
    bare = text.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        raw = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise bad("the condensed form is not Base64") from None
    return _Reader(raw).deal(number)


class _Reader:
    """Bits from the first to the last, most significant first."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.at = 0
        self.version = 0
        self.deck: list[str] = []
        self.upcard = ""

    def take(self, width: int) -> int:
        begin, self.at = self.at, self.at + width
        if self.at > 8 * len(self.raw):
            raise bad("the condensed form ends too early")
        piece = int.from_bytes(self.raw[begin // 8 : -(-self.at // 8)])
        return piece >> -self.at % 8 & ((1 << width) - 1)

    def below(self, count: int) -> int:
        """A number below ``count``, which takes one bit at least."""
        value = self.take(max(1, (count - 1).bit_length()))
        if value >= count:
            raise bad("the condensed form names a card that is not there")
        return value

    def deal(self, number: int) -> dict[str, Json]:
        self.version = self.take(4)
        if self.version not in (1, 2, 3):
            raise bad("the condensed form is of no version that is read (1 to 3)")
        dealer = self.take(2 if self.version == 1 else 3)
        seats = _SEATS if self.version == 1 else self.take(3) + 1
        if seats != _SEATS:
            raise bad(f"{seats} players, only games of four are read", code="rules.unsupported")
        least = 9 if self.version == 1 else _LEAST[self.take(2)]
        self.deck = [rank + suit for rank in _RANKS[_RANKS.index(str(least)) :] for suit in _SUITS]
        self.upcard = self.deck[self.below(len(self.deck))]
        state: dict[str, Json] = {"dealer": dealer, "upCard": self.upcard}
        if self.version == 3 and self.take(1):
            state["playerCards"] = [[self.of_deck() for _ in range(self.take(4))] for _ in range(_SEATS)]
        calls, alone, plays = 0, False, list[str]()
        phases: list[Json] = []
        rest = [*self.deck]
        for _ in range(self.take(3)):
            if self.take(1):
                phase, cards = self.play(rest, _SEATS - alone, 0)
                plays += cards
            else:
                phase, calls, alone = self.bidding(0)
            phases.append(phase)
        deal: dict[str, Json] = {"dealNumber": number, "initialState": state, "phases": phases}
        if self.take(1):
            deal["alternativeLines"] = [self.line(calls, alone, plays) for _ in range(self.take(8))]
        if self.take(4) != _END:
            raise bad("the condensed form does not end as it should")
        return deal

    def of_deck(self) -> Json:
        return self.deck[self.below(len(self.deck))]

    def line(self, calls: int, alone: bool, plays: list[str]) -> Json:
        branch = self.take(16)
        played = max(0, branch - calls)
        rest = [card for card in self.deck if card not in plays[:played]]
        phases: list[Json] = []
        for at in range(self.take(4)):
            if self.take(1):
                phase, _ = self.play(rest, _SEATS - alone, played if at == 0 else 0)
            else:
                phase, _, alone = self.bidding(branch)
            phases.append(phase)
        return {"branchIndex": branch, "phases": phases}

    def bidding(self, first: int) -> tuple[dict[str, Json], int, bool]:
        """The phase, the number of its calls, and whether the last one is alone; call number ``first`` is the first."""
        calls: list[Json] = []
        for at in range(first, 2 * _SEATS):
            suits = [suit for suit in _SUITS if suit != self.upcard[1]]
            call = ("Pass", "Order")[self.take(1)] if at < _SEATS else ("Pass", *suits)[self.take(2)]
            calls.append(call)
            if call != "Pass":
                break
        alone = bool(self.take(1))
        phase: dict[str, Json] = {"type": "EUCHRE_BIDDING", "phaseNumber": 0, "calls": calls, "isAlone": alone}
        if self.version > 1 and alone and self.take(1):
            phase["aloneDefender"] = self.take(3)
        if self.version == 3 and self.take(1):
            phase["discard"] = self.of_deck()
        return phase | self.remarks("callAnnotations"), len(calls), alone

    def play(self, rest: list[str], size: int, played: int) -> tuple[dict[str, Json], list[str]]:
        """The phase and its cards, taken from ``rest``; ``played`` cards of the deal came before them."""
        tricks: list[Json] = []
        cards: list[str] = []
        for at in range(self.take(3)):
            count = min(size - played % size if at == 0 else size, len(rest))
            trick = [rest.pop(self.below(len(rest))) for _ in range(count)]
            cards += trick
            tricks.append([*trick])
        phase: dict[str, Json] = {"type": "TRICK_PLAY", "phaseNumber": 1, "tricks": tricks}
        return phase | self.remarks("playAnnotations"), cards

    def remarks(self, name: str) -> dict[str, Json]:
        if not self.take(1):
            return {}
        made: dict[str, Json] = {}
        for _ in range(self.take(8)):
            key = str(self.take(8))
            made[key] = [self.text() for _ in range(self.take(8))]
        return {name: made}

    def text(self) -> Json:
        try:
            return bytes(self.take(8) for _ in range(self.take(16))).decode()
        except UnicodeDecodeError:
            raise bad("the condensed form has a remark that is not UTF-8") from None
