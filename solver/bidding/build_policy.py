"""Makes the data file of the auction policy again: `rightbower policy build`.

Three steps: the dealer's discards, random deals with every contract played out, and the equilibrium over them. The
first two are the long ones; each chunk of theirs is a file in the working directory, drawn by the seed and its own
number, and what is there already is not made again. Equal seeds and numbers make equal tables.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from solver.bidding.equilibrium import FURTHER_STEPS, SOFTNESS, STEPS, Game, Table, solve
from solver.bidding.hands import Hands
from solver.bidding.policy import BUILT, checksum
from solver.bidding.samples import (
    INNER,
    MORE_WORLDS,
    SORTS,
    WORLDS,
    Deals,
    Sorts,
    best_discards,
    discard_hands,
    play_out,
    random_deals,
    whole_table,
)
from solver.game.rules import PRESETS

#: Of the data; it is part of the names of the policies.
VERSION = 2
#: Hands, and deals, of one file of the working directory.
HANDS_A_CHUNK, DEALS_A_CHUNK = 1024, 2048

Arrays = dict[str, NDArray[Any]]
Progress = Callable[[Iterable[int], str], Iterable[int]]


def quietly(numbers: Iterable[int], _what: str) -> Iterable[int]:
    return numbers


def make_discards(work: Path, seed: int, threads: int, progress: Progress = quietly) -> NDArray[np.uint8]:
    """The table of discards."""
    hands = discard_hands()
    starts = range(0, len(hands), HANDS_A_CHUNK)
    found = []
    for at in progress(range(len(starts)), "discards"):
        some = hands[starts[at] : starts[at] + HANDS_A_CHUNK]
        make = partial(_discards, some, seed, at, threads)
        found.append(_kept(work / f"discards-{seed}-{at:05}.npz", make)["best"])
    return whole_table(np.concatenate(found, axis=2))


def make_deals(
    work: Path,
    discards: NDArray[np.uint8],
    count: int,
    seed: int,
    threads: int,
    progress: Progress = quietly,
    inner: int = INNER,
    sorts: Sorts = SORTS,
) -> Deals:
    """So many deals, played out; up to whole chunks."""
    parts: list[Deals] = []
    for at in progress(range(-(-count // DEALS_A_CHUNK)), "deals"):
        make = partial(_deals, discards, seed, at, threads, inner, sorts)
        made = _kept(work / f"deals-{inner}-{len(sorts)}-{seed}-{at:05}.npz", make)
        parts.append(Deals(made["hands"], made["up"], made["tricks"], sorts))
    return Deals.join(parts)


def _discards(hands: Hands, seed: int, at: int, threads: int) -> Arrays:
    return {"best": best_discards(hands, (seed, at), threads)}


def _deals(discards: NDArray[np.uint8], seed: int, at: int, threads: int, inner: int, sorts: Sorts) -> Arrays:
    hands, up = random_deals(DEALS_A_CHUNK, seed, at)
    # No two rows of a build draw by the same number.
    deals = play_out(hands, up, discards, seed, at * DEALS_A_CHUNK * len(sorts), threads, inner, sorts)
    return {"hands": deals.hands, "up": deals.up, "tricks": deals.tricks}


def _kept(path: Path, make: Callable[[], Arrays]) -> Arrays:
    """The arrays of a file, which is made if it is not there: written aside and moved, so it is whole or absent."""
    if not path.exists():
        arrays = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(".part")
        with aside.open("wb") as file:
            np.savez(file, **cast(Any, arrays))
        aside.replace(path)
    with np.load(path, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files}


def make_tables(
    deals: Deals,
    discards: NDArray[np.uint8],
    presets: Sequence[str] = BUILT,
    steps: Sequence[float] = STEPS,
    further: Sequence[float] = FURTHER_STEPS,
    progress: Progress = quietly,
) -> tuple[Arrays, dict[str, list[float]]]:
    """The arrays of the data file, and of each preset how much every sweep changed. The first starts from passes all
    over and takes ``steps``, the others start from the first and take ``further`` ones."""
    tables: Arrays = {"discards": discards}
    changes: dict[str, list[float]] = {}
    first: Table | None = None
    for preset in presets:
        game = Game(PRESETS[preset], deals, discards)
        table, changed = first.copy() if first else Table.passes(), []
        sizes = further if first else steps
        for at in progress(range(len(sizes)), preset):
            changed += solve(game, table, (sizes[at],))
        first = first or table.copy()
        tables[f"{preset}_calls"], tables[f"{preset}_shares"] = table.stored()
        changes[preset] = changed
    return tables, changes


def write(path: Path, tables: Arrays, settings: dict[str, Any]) -> None:
    """The data file: the arrays, and where they come from."""
    provenance = {"version": VERSION, **settings, "checksum": checksum(tables)}
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        np.savez_compressed(file, **cast(Any, tables), provenance=np.array(json.dumps(provenance)))


def build(
    work: Path,
    out: Path,
    *,
    deals: int,
    seed: int,
    threads: int = 1,
    presets: Sequence[str] = BUILT,
    progress: Progress = quietly,
) -> dict[str, list[float]]:
    """All three steps. Gives what `make_tables` says of the sweeps."""
    discards = make_discards(work, seed, threads, progress)
    played = make_deals(work, discards, deals, seed, threads, progress)
    tables, changes = make_tables(played, discards, presets, progress=progress)
    settings = {
        "seed": seed,
        "deals": len(played.up),
        "inner": INNER,
        "discard_worlds": [WORLDS, MORE_WORLDS],
        "steps": [STEPS, FURTHER_STEPS],
        "softness": SOFTNESS,
        "changed_by_last_sweep": {name: round(each[-1], 5) for name, each in changes.items()},
    }
    write(out, tables, settings)
    return changes
