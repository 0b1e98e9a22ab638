"""The law that the fuzzer of logs holds inputs to, and the inputs that it begins with."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO

import pytest

import solver.logs
from benchmarks.fuzz_logs import changed, chosen, law, seeds
from solver.game.record import GameRecord
from solver.logs import FORMATS, jsonl

SEEDS = seeds()
LINE = b'{"rightbower":1,"game":1,"deal":1,"code":"american.N.JH.9CTCQCKCAS-9DTDJDQDAH-AD9HTHQHKH-9STSJSQSKS"}\n'


def test_every_format_is_among_the_seeds_and_is_detected_in_some() -> None:
    assert {data[0] for data in SEEDS} == {*range(len(FORMATS) + 1)}


@pytest.mark.parametrize("part", range(4))
def test_seeds_and_what_becomes_of_them_keep_the_law(part: int) -> None:
    draw = random.Random(part)
    for seed in draw.sample(SEEDS, 10):
        law(*chosen(seed))
        law(*chosen(changed(seed, draw.choice(SEEDS), 1 << 12, draw)))


@pytest.mark.parametrize("wrong", ["fails", "forgets", "writes otherwise"])
def test_the_law_is_broken_by_a_format_that(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []

    def read(stream: BinaryIO) -> Iterator[GameRecord]:
        reads.append(1)
        if wrong == "fails":
            raise IndexError
        for game in jsonl.read(stream):
            if wrong == "forgets" and len(reads) > 1:
                return
            yield game

    def write(games: Iterable[GameRecord], stream: BinaryIO) -> None:
        title = str(len(reads)) if wrong == "writes otherwise" else ""
        jsonl.write((replace(game, title=title) for game in games), stream)

    (native,) = (each for each in FORMATS if each.name == "jsonl")
    monkeypatch.setattr(solver.logs, "FORMATS", (replace(native, read=read, write=write),))
    with pytest.raises((AssertionError, IndexError)):
        law(LINE, "jsonl")


def test_a_good_format_alone_keeps_the_law(monkeypatch: pytest.MonkeyPatch) -> None:
    (native,) = (each for each in FORMATS if each.name == "jsonl")
    monkeypatch.setattr(solver.logs, "FORMATS", (native,))
    law(LINE, "jsonl")
