"""Games reviewed by an engine, deal by deal, in the order in which they came."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import chain
from typing import Generic, TypeVar

from solver.analysis.review.game import DealStart, deal_starts, review_deal, review_of_deals
from solver.analysis.review.values import DealReview, Review
from solver.analysis.values import engine_version
from solver.batch.engines import Engine, EngineLost, refuse_other_version
from solver.game.record import GameRecord
from solver.game.rules import Rules

#: Deals that are on their way at a time, for each slot of the engine: so many games are held, and no more.
WINDOW = 4
#: How often in a row the engine may go away before any deal comes back.
_MOST_LOSSES = 5

K = TypeVar("K")


@dataclass(frozen=True)
class DealWork:
    """One deal of a game to be reviewed, its pieces shared by so many threads."""

    rules: Rules
    start: DealStart
    depth: str
    seed: int
    threads: int
    engine: str

    def run(self) -> DealReview:
        refuse_other_version(self.engine)
        return review_deal(self.rules, self.start, settings=self.depth, seed=self.seed, threads=self.threads)

    def complete(self) -> DealWork:
        return self


@dataclass
class _Open(Generic[K]):
    """A game whose deals are on their way."""

    name: K
    record: GameRecord
    works: list[DealWork]
    futures: list[Future[DealReview]] = field(default_factory=list)


class Reviewing:
    """Reviews games as `solver.review` does, whatever the engine is; ``told`` is called as each deal comes back."""

    def __init__(self, engine: Engine, *, depth: str, seed: int = 0, told: Callable[[], object] = lambda: None) -> None:
        self._engine, self._depth, self._seed, self._told = engine, depth, seed, told
        self._losses = 0

    def games(self, games: Iterable[tuple[K, GameRecord]]) -> Iterator[tuple[K, GameRecord, Review]]:
        """Each game with its name and its review. Games are read as there is room for them.

        Raises what the work raises, and `RightbowerError` when the engine cannot be brought back.
        """
        source, ahead, flying = iter(games), deque[tuple[K, GameRecord]](), deque[_Open[K]]()
        slots, deals = self._engine.slots, 0
        while deals < slots and (found := next(source, None)) is not None:
            ahead.append(found)
            deals += len(found[1].deals)
        # Where there are fewer deals than slots, the pieces of a deal are shared out, too.
        threads = max(1, slots // max(1, deals))
        on_the_way = 0
        for name, record in chain(ahead, source):
            flying.append(self._begun(name, record, threads))
            on_the_way += len(record.deals)
            while on_the_way >= WINDOW * slots:
                on_the_way -= len(flying[0].works)
                yield self._first(flying)
        while flying:
            yield self._first(flying)

    def _first(self, flying: deque[_Open[K]]) -> tuple[K, GameRecord, Review]:
        """Wait for the first of the games."""
        first = flying[0]
        deals = [self._landed(flying, at) for at in range(len(first.works))]
        flying.popleft()
        reviewed = review_of_deals(first.record, deals, settings=self._depth, seed=self._seed)
        return first.name, first.record, reviewed

    def _begun(self, name: K, record: GameRecord, threads: int) -> _Open[K]:
        works = [
            DealWork(record.rules, start, self._depth, self._seed, threads, engine_version())
            for start in deal_starts(record)
        ]
        return _Open(name, record, works, [self._engine.submit(work) for work in works])

    def _landed(self, flying: deque[_Open[K]], at: int) -> DealReview:
        """What came of a deal of the first game."""
        while True:
            try:
                made = flying[0].futures[at].result()
            except EngineLost:
                self._losses += 1
                if self._losses >= _MOST_LOSSES:
                    raise
                self._engine.recover()
                for each in flying:
                    each.futures = [
                        future if _is_there(future) else self._engine.submit(work)
                        for work, future in zip(each.works, each.futures, strict=True)
                    ]
            else:
                self._losses = 0
                self._told()
                return made


def _is_there(future: Future[DealReview]) -> bool:
    """Whether something has come of it, be it an error of the work itself."""
    if not future.done() or future.cancelled():
        future.cancel()
        return False
    return not isinstance(future.exception(), EngineLost)
