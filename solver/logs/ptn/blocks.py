"""The text of a file as tags, and the tags of one record after another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from solver.errors import Fault
from solver.logs.places import on_line
from solver.logs.streams import lines, too_long

#: Bytes of a line, and lines of a record; a deal needs a few hundred bytes and about thirty lines.
MAX_LINE: Final = 1 << 13
MAX_LINES: Final = 256

_TAG = re.compile(r"\[\s*([A-Za-z]\w*)\s*(.*)", re.DOTALL)
_NEXT_TAG = re.compile(r'(?<=\])\s*(?=\[\s*[A-Za-z]\w*\s+")')
_DETECT = re.compile(rb'^[ \t>]*\[\s*(Deal|Undealt|Event|GameCode|GameOptionsJson)\s+"', re.MULTILINE)
_COMMENT = re.compile(r"\{[^{}]*\}|;.*")

_REPEATED: Final = frozenset(("CardsAdded", "CardsRemoved", "CardsPassed"))
#: Tags that belong to one deal; all others may be said once for several.
OF_THE_DEAL: Final = _REPEATED | {"Dealer", "Deal", "Undealt", "Declarer", "Contract", "Auction", "Play"}

#: Suit signs of UTF-8 that somebody read as Windows-1252.
_GARBLED: Final = {"â™\xa0": "♠", "â™£": "♣", "â™¥": "♥", "â™¦": "♦"}


@dataclass(slots=True)
class Tag:
    """A tag, the line where it stands, from 0, and the rows below it with theirs."""

    name: str
    value: str
    line: int
    rows: list[tuple[int, str]] = field(default_factory=list)
    open: bool = False


@dataclass(slots=True)
class Block:
    """The tags of one record, those said before for several deals included."""

    line: int
    tags: list[Tag] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    lines: int = 0

    def tag(self, name: str) -> Tag | None:
        """The last tag of that name."""
        return next((tag for tag in reversed(self.tags) if tag.name == name), None)


def detect(head: bytes) -> bool:
    """Whether a tag of the format stands at the beginning of some line."""
    return not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[{")) and _DETECT.search(head) is not None


def line_fault(code: str, message: str, line: int) -> Fault:
    return on_line(Fault(code, message), line)


def blocks(stream: BinaryIO) -> Iterator[Block]:
    """The records of a file, one at a time; never more than one of them is held."""
    block = Block(0)
    for line, text in _lines(stream):
        block.lines += 1
        if block.lines == MAX_LINES + 1:
            block.faults.append(line_fault("log.record", f"a record of more than {MAX_LINES} lines, cut here", line))
        if isinstance(text, Fault):
            if block.lines <= MAX_LINES:
                block.faults.append(on_line(text, line))
            continue
        for piece in _NEXT_TAG.split(text):
            tag = _tag(piece, line)
            if tag is not None and _begins_another(block, tag):
                yield block
                block = _after(block, tag)
            if block.lines > MAX_LINES:
                continue
            if tag is not None:
                block.tags.append(tag)
            elif block.tags:
                _add_row(block.tags[-1], line, piece)
    if block.tags or block.faults:
        yield block


def _lines(stream: BinaryIO) -> Iterator[tuple[int, str | Fault]]:
    """The lines that say something, or a fault instead of one that is too long, with their numbers from 0."""
    more = 0
    for at, line in lines(stream):
        if isinstance(line, Fault):
            yield at + more, line
            continue
        parts = line.split(b"\r")  # files of old have no other line ends
        for number, part in enumerate(parts, at + more):
            if len(part) > MAX_LINE:
                yield number, too_long(MAX_LINE)
                continue
            text = re.sub(r"^[>\s]+", "", _decoded(part)).rstrip()
            if text and not text.startswith(("%", "`", ";")):
                yield number, text
        more += len(parts) - 1


def _decoded(raw: bytes) -> str:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("cp1252", errors="replace")
    if "â™" in text:
        for wrong, right in _GARBLED.items():
            text = text.replace(wrong, right)
    return text


def _tag(text: str, line: int) -> Tag | None:
    match = _TAG.match(text)
    if match is None:
        return None
    rest = match[2].strip()
    first, last = rest.find('"'), rest.rfind('"')
    if first < 0:
        return Tag(match[1], rest.removesuffix("]").strip(), line)
    if first == last:
        whole = rest[first + 1 :].rstrip()
        return Tag(match[1], whole.removesuffix("]").strip(), line, open=not whole.endswith("]"))
    return Tag(match[1], rest[first + 1 : last], line)


def _add_row(tag: Tag, line: int, text: str) -> None:
    """A row below a tag, or the rest of a value that a mail program wrapped."""
    if tag.open:
        end = text.find('"')
        tag.value = f"{tag.value} {text if end < 0 else text[:end]}".strip()
        tag.open = end < 0 and len(tag.value) < MAX_LINE
    elif row := _COMMENT.sub(" ", text).strip():
        tag.rows.append((line, row))


def _begins_another(block: Block, tag: Tag) -> bool:
    """Whether a tag that is there already, beside a deal, says that another deal begins."""
    if block.lines > MAX_LINES:
        return tag.name in ("Event", "Deal")
    return tag.name not in _REPEATED and block.tag("Deal") is not None and block.tag(tag.name) is not None


def _after(block: Block, tag: Tag) -> Block:
    """The next record: under the same header if what begins it is of a deal alone."""
    kept = [each for each in block.tags if each.name not in OF_THE_DEAL] if tag.name in OF_THE_DEAL else []
    return Block(tag.line, kept, lines=1)
