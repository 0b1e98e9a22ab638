"""``.egnb``: the same document in Protobuf, after a byte that tells whether its deals are condensed.

Messages are those of the published ``.proto`` files since version 1.2 of the format. Only the wire format is needed
to read them: fields by number, and four kinds of values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Final

from solver.logs.egn.values import FILE_TYPE
from solver.logs.faults import bad
from solver.notation.strict_json import Json

#: Values of a document. A game of a hundred deals has some ten thousand; empty ones are two bytes each in a file.
MAX_VALUES: Final = 1 << 18
#: The first byte where deals are condensed; 0 where they are messages.
_CONDENSED: Final = 1

#: Message -> field number -> name and kind. Kinds are those of `_value`; a list of them is written with a star.
_MESSAGES: Final[Mapping[str, Mapping[int, tuple[str, str]]]] = {
    "File": {1: ("fileType", "text"), 2: ("version", "text"), 3: ("metadata", "Metadata"), 4: ("deals", "Deal*")},
    "Metadata": {
        1: ("gameId", "text"),
        2: ("title", "text"),
        3: ("description", "text"),
        4: ("players", "Player*"),
        5: ("initialScore", "int*"),
        6: ("date", "text"),
        7: ("ruleset", "Ruleset"),
        8: ("finalScore", "int*"),
    },
    "Ruleset": {
        1: ("std", "bool"),
        2: ("min_rank", "int"),
        3: ("winning_score", "int"),
        4: ("canadian", "bool"),
        5: ("loner_lead", "lead"),
        6: ("farmers", "bool"),
        7: ("partners_best", "bool"),
        8: ("go_under", "bool"),
        9: ("joker", "bool"),
        10: ("allow_no_trump", "bool"),
        11: ("fast_break", "bool"),
        12: ("four_trick_tokens", "bool"),
        13: ("loner_march_score", "int"),
        14: ("loner_euchred_score", "int"),
        15: ("defend_alone", "bool"),
        16: ("num_players", "int"),
        17: ("num_deals", "int"),
    },
    "Player": {1: ("name", "text"), 2: ("other", "Named")},
    "Named": {1: ("name", "text"), 2: ("playerIds", "Id*")},
    "Id": {1: ("id", "text"), 2: ("source", "text")},
    "Deal": {
        1: ("dealNumber", "int"),
        2: ("initialState", "State"),
        3: ("phases", "Phase*"),
        4: ("alternativeLines", "Line*"),
    },
    "State": {1: ("dealer", "int"), 2: ("upCard", "text"), 3: ("kitty", "text*"), 4: ("playerCards", "Cards*")},
    "Cards": {1: ("cards", "text*")},
    "Phase": {1: ("bidding", "Bidding"), 2: ("play", "Play")},
    "Bidding": {
        1: ("phaseNumber", "int"),
        2: ("calls", "text*"),
        3: ("isAlone", "bool"),
        4: ("aloneDefender", "int"),
        5: ("discard", "text"),
        6: ("cardExchanges", "Exchange*"),
        7: ("callAnnotations", "Remarks*"),
    },
    "Exchange": {1: ("sender", "int"), 2: ("receiver", "int"), 3: ("cards", "text*")},
    "Play": {1: ("phaseNumber", "int"), 3: ("tricks", "Cards*"), 4: ("playAnnotations", "Remarks*")},
    "Remarks": {1: ("key", "int"), 2: ("value", "Texts")},
    "Texts": {1: ("texts", "text*")},
    "Line": {1: ("branchIndex", "int"), 2: ("phases", "Phase*")},
}
_LEADS: Final = ("LEFT_OF_DEALER", "LEFT_OF_LONER")
#: Lists that a document has even where they are empty, which Protobuf does not write.
_ALWAYS: Final = {"Bidding": "calls", "Play": "tricks", "File": "deals", "Deal": "phases", "Metadata": "players"}


def is_binary(head: bytes) -> bool:
    """Whether a file that begins like this is such a document."""
    return head[:1] in (b"\x00", b"\x01") and FILE_TYPE.encode() in head[:64]


def unpack(source: bytes) -> dict[str, Json]:
    """The document. Condensed deals are strings in it. Raises `InvalidInput` (``log.record``)."""
    deals = "text*" if source[0] == _CONDENSED else "Deal*"
    known = {**_MESSAGES["File"], 4: ("deals", deals)}
    return _message(memoryview(source)[1:], "File", known, count())


def _message(data: memoryview, name: str, known: Mapping[int, tuple[str, str]], values: count[int]) -> dict[str, Json]:
    """The fields of a message; what is not known is left out, as Protobuf has it. ``values`` counts those of a file."""
    made: dict[str, Json] = {_ALWAYS[name]: []} if name in _ALWAYS else {}
    for number, value in _fields(data):
        if next(values) >= MAX_VALUES:
            raise bad(f"the binary form has more than {MAX_VALUES} values")
        key, kind = known.get(number, ("", ""))
        if not key:
            continue
        if not kind.endswith("*"):
            made[key] = _value(value, kind, values)
            continue
        listed = made.setdefault(key, [])
        assert isinstance(listed, list)
        if kind == "int*" and isinstance(value, memoryview):  # packed
            at = 0
            while at < len(value):
                each, at = _varint(value, at)
                listed.append(_value(each, "int", values))
        else:
            listed.append(_value(value, kind.removesuffix("*"), values))
    return made


def _value(value: int | memoryview, kind: str, values: count[int]) -> Json:
    if kind in ("int", "bool", "lead"):
        if isinstance(value, memoryview):
            raise bad("a number is missing in the binary form")
        if kind == "bool":
            return value != 0
        signed = value - (1 << 64) if value >> 63 else value
        return _LEADS[signed] if kind == "lead" and signed in (0, 1) else signed
    if isinstance(value, int):
        raise bad("a text or a message is missing in the binary form")
    if kind == "text":
        try:
            return bytes(value).decode()
        except UnicodeDecodeError:
            raise bad("a text of the binary form is not UTF-8") from None
    return _shaped(_message(value, kind, _MESSAGES[kind], values), kind)


def _shaped(made: dict[str, Json], kind: str) -> Json:
    """The message as a document has it, which is flatter here and there."""
    match kind:
        case "Cards":
            return made.get("cards", [])
        case "Player":
            return made.get("other", made.get("name", ""))
        case "Phase":
            for key, type_name in (("bidding", "EUCHRE_BIDDING"), ("play", "TRICK_PLAY")):
                if isinstance(phase := made.get(key), dict):
                    return {"type": type_name, **phase}
            return {}
        case "Bidding" | "Play":
            for key in ("callAnnotations", "playAnnotations"):
                if isinstance(entries := made.get(key), list):
                    made[key] = {str(each["key"]): each["value"] for each in entries if isinstance(each, dict)}
        case "Remarks":
            texts = made.get("value")
            return {"key": made.get("key", 0), "value": texts.get("texts", []) if isinstance(texts, dict) else []}
    return made


def _fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Field numbers and values: a number, or the bytes of a text or a message."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        width = {1: 8, 5: 4}.get(tag & 7)
        if tag & 7 == 0:
            value, at = _varint(data, at)
            yield tag >> 3, value
            continue
        if tag & 7 == 2:
            width, at = _varint(data, at)
        if width is None or at + width > len(data):
            raise bad("the binary form ends too early, or is of another layout")
        if tag & 7 == 2:
            yield tag >> 3, data[at : at + width]
        at += width


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            break
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & ((1 << 64) - 1), at
    raise bad("the binary form ends within a number")
