"""Records that come again in a job: told by a digest, answered by what was kept of the first.

A unit is what is answered as a whole: a record on a line, a file that is no list of lines, or for kinds of work on
games a game. Units are equal if their digests are: those of lines and files are of their text, without what does not
matter to the answer, so that whoever hands out chunks need not understand them; those of games are of the deals.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import zstandard

from solver.batch.games import faults_of, games
from solver.batch.source import CODES, LINES, Block
from solver.game.record import GameRecord
from solver.notation.deal_code import write_code

#: Digest of a unit -> its answer, packed.
Known = Mapping[bytes, bytes]

_CODE = re.compile(rb'"code"\s*:\s*"([^"]*)"')
_LEVEL = 1


def digest_of_line(format_name: str, line: bytes) -> bytes:
    """Of a line of the native format only the deal matters, where it is plain what of it is the deal: without escapes
    there is no other way to write the word, and twice it may stand in the notes."""
    text = line.strip()
    if format_name == "jsonl" and b"\\" not in text and text.count(b'"code"') == 1:
        found = _CODE.search(text)
        if found is not None:
            return _digest(CODES, found[1])
    return _digest(format_name, text)


def digest_of_file(block: Block) -> bytes:
    return _digest(block.format, block.data)


def digest_of_game(record: GameRecord) -> bytes | None:
    """Title and players are no part of it. None for a game with faults: they have their own places."""
    if faults_of(record) or not record.deals:
        return None
    said = {
        "deals": [(deal.number, write_code(deal.position)) for deal in record.deals],
        "score": sorted((str(side), points) for side, points in record.initial_score.items() if points),
        "rules": repr(record.rules),
    }
    return _digest("game", msgspec.json.encode(said, order="sorted"))


def digests_of_records(block: Block) -> Iterator[bytes]:
    """Those of the units of a block, where each record is answered by itself."""
    if block.format not in LINES:
        yield digest_of_file(block)
        return
    for line in block.data.split(b"\n"):
        if line and not line.isspace():
            yield digest_of_line(block.format, line)


def digests_of_games(block: Block) -> Iterator[bytes]:
    """Those of the games of a block."""
    for game in games(block):
        digest = digest_of_game(game.record)
        if digest is not None:
            yield digest


def _digest(what: str, text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=16, person=what.encode()).digest()


def pack_answer(answer: Any) -> bytes:
    return zstandard.ZstdCompressor(_LEVEL).compress(msgspec.msgpack.encode(answer))


def unpack_answer(packed: bytes) -> Any:
    return msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(packed))
