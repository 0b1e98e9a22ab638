"""Remarks on decisions and better lines: how to put them into a record of a deal, and how to get at them.

The record keeps them in its ``notes`` under the format's own names, so that every format that keeps notes keeps them
too: ``callAnnotations`` and ``playAnnotations`` of the two phases, and the deal's ``alternativeLines``.

The format counts calls and cards. A remark on the dealer's discard stands with the call that made trump, begins with
``Discard:``, and is told by that. An alternative line holds what differs: the calls from one on and all cards after
them, or the cards from one on, of which the first few may end a trick.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from solver.errors import InvalidInput
from solver.game.auction import Bid
from solver.game.position import Decision, Position
from solver.game.record import DealRecord
from solver.logs.egn.cards import Cards, text_of
from solver.logs.egn.extras import noted
from solver.logs.egn.phases import bids_of, call_of, phases_of, trick_size
from solver.notation.strict_json import Json

_DISCARD = "Discard:"


class Mark(StrEnum):
    """What the format calls a label: a judgement that an annotation begins with."""

    BLUNDER = "[??]"
    MISTAKE = "[?]"
    DUBIOUS = "[?!]"
    INTERESTING = "[!?]"
    GREAT = "[!]"
    BRILLIANT = "[!!]"


@dataclass(frozen=True, slots=True)
class Annotation:
    """A remark on one decision of a deal: on bid or card number ``at``, from 0, or on the discard (``at`` 0)."""

    decision: Decision
    at: int = 0
    text: str = ""
    mark: Mark | None = None


@dataclass(frozen=True)
class Line:
    """How a deal might have gone from one decision on; ``position`` is that deal as far as the line goes.

    ``remarks`` are on decisions of the line and count from the beginning of the deal, as those of the deal itself.
    """

    decision: Decision
    at: int
    position: Position
    remarks: tuple[Annotation, ...] = ()


def annotated(record: DealRecord, remarks: Iterable[Annotation], lines: Iterable[Line] = ()) -> DealRecord:
    """The record with these remarks and lines besides those that it has.

    Raises `LookupError` for a remark or a line on a decision that the deal does not have.
    """
    position = record.position
    found = [*remarks]
    for each in found:
        _place(each.decision, each.at, position)
    notes = dict(record.notes)
    for phase, name, decisions in (
        ("bidding", "callAnnotations", (Decision.BID, Decision.DISCARD)),
        ("play", "playAnnotations", (Decision.PLAY,)),
    ):
        here = [each for each in found if each.decision in decisions]
        if here:
            former = noted(notes.get(phase))
            notes[phase] = {**former, name: _merged(noted(former.get(name)), position, here)}
    more = [_written(line, position) for line in lines]
    if more:
        former_lines = notes.get("alternativeLines")
        notes["alternativeLines"] = [*(former_lines if isinstance(former_lines, list) else []), *more]
    return replace(record, notes=notes)


def annotations_of(record: DealRecord) -> tuple[Annotation, ...]:
    """The remarks on a deal, in the order of its decisions."""
    calls = noted(noted(record.notes.get("bidding")).get("callAnnotations"))
    plays = noted(noted(record.notes.get("play")).get("playAnnotations"))
    return (*_remarks(Decision.BID, calls), *_remarks(Decision.PLAY, plays))


def lines_of(record: DealRecord) -> tuple[Line, ...]:
    """The alternative lines of a deal, but for those that cannot be read."""
    listed = record.notes.get("alternativeLines")
    lines = []
    for each in listed if isinstance(listed, list) else []:
        try:
            line = _line(noted(each), record.position)
        except InvalidInput:
            continue
        if line is not None:
            lines.append(line)
    return tuple(lines)


# -- writing -----------------------------------------------------------------------------------------------------------


def _merged(former: Mapping[str, Json], position: Position, remarks: Sequence[Annotation]) -> dict[str, Json]:
    texts: dict[str, list[Json]] = {key: [*value] for key, value in former.items() if isinstance(value, list)}
    for each in remarks:
        at = _place(each.decision, each.at, position)
        words = f"{_DISCARD} {each.text}".rstrip() if each.decision == Decision.DISCARD else each.text
        texts.setdefault(str(at), []).append((each.mark or "") + words)
    return {key: texts[key] for key in sorted(texts, key=lambda key: (len(key), key))}


def _place(decision: Decision, at: int, position: Position) -> int:
    """Which call or which card of the deal that is. Raises `LookupError` if there is none."""
    match decision:
        case Decision.BID if at in range(len(position.bids)):
            return at
        case Decision.PLAY if at in range(len(position.plays)):
            return at
        case Decision.DISCARD if at == 0 and position.auction is not None and position.auction.takes_upcard:
            return len(position.bids) - 1
    raise LookupError(f"the deal has no {decision} number {at}")


def _written(line: Line, main: Position) -> dict[str, Json]:
    """A line as the format has it: where it branches off, and what differs."""
    other, at = line.position, line.at
    phases: list[Json] = []
    if line.decision == Decision.PLAY:
        # The card that comes after all that were played is a place to branch off as well.
        if at > min(len(main.plays), len(other.plays)) or other.plays[:at] != main.plays[:at]:
            raise LookupError(f"the line does not branch off at card {at}")
        phases.append(_play_phase(other, at, line.remarks))
        return {"branchIndex": len(main.bids) + at, "phases": phases}
    branch = len(main.bids) - 1 if line.decision == Decision.DISCARD else at
    if branch not in range(len(other.bids)) or other.bids[:branch] != main.bids[:branch]:
        raise LookupError(f"the line does not branch off at {line.decision} {at}")
    bidding: dict[str, Json] = {
        "phaseNumber": 0,
        "type": "EUCHRE_BIDDING",
        "calls": [call_of(bid) for bid in other.bids[branch:]],
        "isAlone": other.bids[-1].alone,
    }
    if other.discard is not None:
        bidding["discard"] = text_of(other.discard)
    remarks = [each for each in line.remarks if each.decision != Decision.PLAY]
    if remarks:
        bidding["callAnnotations"] = _from(branch, _merged({}, other, remarks))
    phases.append(bidding)
    if other.plays:
        phases.append(_play_phase(other, 0, line.remarks))
    return {"branchIndex": branch, "phases": phases}


def _play_phase(position: Position, at: int, remarks: Iterable[Annotation]) -> dict[str, Json]:
    """The cards from number ``at`` on, the first of them up to the end of its trick."""
    size = trick_size(position)
    edges = [at, *range(at - at % size + size, len(position.plays), size), len(position.plays)]
    phase: dict[str, Json] = {
        "phaseNumber": 1,
        "type": "TRICK_PLAY",
        "tricks": [
            [text_of(card) for card in position.plays[first:end]] for first, end in pairwise(edges) if first < end
        ],
    }
    here = [each for each in remarks if each.decision == Decision.PLAY]
    return phase | ({"playAnnotations": _from(at, _merged({}, position, here))} if here else {})


def _from(first: int, remarks: Mapping[str, Json]) -> dict[str, Json]:
    """Remarks of a line: the format counts its calls and cards from where it branches off."""
    return {str(int(key) - first): value for key, value in remarks.items() if int(key) >= first}


# -- reading -----------------------------------------------------------------------------------------------------------


def _remarks(decision: Decision, noted_texts: Mapping[str, Json], first: int = 0) -> list[Annotation]:
    found: list[Annotation] = []
    for key in sorted((key for key in noted_texts if key.isdecimal() and len(key) < 4), key=int):
        texts = noted_texts[key]
        words = [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []
        found += [_annotation(decision, first + int(key), text) for text in words]
    return found


def _annotation(decision: Decision, at: int, text: str) -> Annotation:
    # No mark begins another one: each ends in its own bracket.
    mark = next((mark for mark in Mark if text.startswith(mark)), None)
    words = text.removeprefix(mark or "").lstrip()
    if decision == Decision.BID and words.startswith(_DISCARD):
        return Annotation(Decision.DISCARD, 0, words.removeprefix(_DISCARD).lstrip(), mark)
    return Annotation(decision, at, words, mark)


def _line(line: Mapping[str, Json], main: Position) -> Line | None:
    """The line as a position. Raises `InvalidInput` for calls and cards that cannot be read."""
    branch, listed = line.get("branchIndex"), line.get("phases")
    dealer, upcard = main.deal.dealer, main.deal.upcard
    if not isinstance(branch, int) or not isinstance(listed, list) or dealer is None or upcard is None:
        return None
    in_bidding = 0 <= branch < len(main.bids)
    if not in_bidding and branch - len(main.bids) not in range(len(main.plays) + 1):
        return None
    if in_bidding != any(noted(each).get("type") == "EUCHRE_BIDDING" for each in listed):
        return None
    kept: tuple[Bid, ...] = main.bids[:branch] if in_bidding else main.bids
    phases = phases_of({"phases": listed if in_bidding else [{"type": "EUCHRE_BIDDING", "calls": []}, *listed]}, "line")
    calls = [call_of(bid) for bid in kept]
    told = phases.bidding.get("calls")
    whole: dict[str, Json] = {**phases.bidding, "calls": [*calls, *(told if isinstance(told, list) else [])]}
    if not in_bidding:
        whole["isAlone"] = kept[-1].alone if kept else False
    bids, _ = bids_of(main.rules, dealer, upcard, replace(phases, bidding=whole), "line")
    position = replace(main, bids=bids, plays=(), discard=main.discard if not in_bidding else None)
    cards = Cards(main.rules, "line")
    cards.trump = position.contract.trump if position.contract is not None else None
    rows = phases.play.get("tricks")
    texts = [text for row in rows if isinstance(row, list) for text in row] if isinstance(rows, list) else []
    plays = tuple(cards.known(texts, ("tricks",)))
    discard = phases.bidding.get("discard")
    thrown = cards.one(discard, ("discard",)) if isinstance(discard, str) and discard else position.discard
    cards.refuse()
    first = 0 if in_bidding else branch - len(main.bids)
    position = replace(position, discard=thrown, plays=(*main.plays[:first], *plays))
    remarks = (
        *_remarks(Decision.BID, noted(phases.bidding.get("callAnnotations")), branch),
        *_remarks(Decision.PLAY, noted(phases.play.get("playAnnotations")), first),
    )
    if not in_bidding:
        return Line(Decision.PLAY, first, position, remarks)
    if bids == main.bids and branch == len(bids) - 1 and thrown not in (None, main.discard):
        return Line(Decision.DISCARD, 0, position, remarks)
    return Line(Decision.BID, branch, position, remarks)
