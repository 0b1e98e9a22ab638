"""Games reviewed by engines: the reviews are those of `review`, in the order of the games, whatever is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver.analysis.review.game import review
from solver.analysis.review.values import DealReview
from solver.batch.engines import Engine, EngineLost, Processes, Threads, Work, WrongVersion
from solver.batch.reviews import WINDOW, DealWork, Reviewing
from solver.game.record import DealRecord, GameRecord
from solver.game.seats import Side
from solver.logs import read
from solver.notation.deal_code import read_code

EGN = Path(__file__).parent.parent / "data" / "egn"
SHORT = "american.N.9H.TCJCQCJDQD-9CKC9DTD9S-ACADTHAHJS-KDKHQSKSAS.o.JC.9SJSAS9H"


def game_of(deals: int, **more: Any) -> GameRecord:
    position = read_code(SHORT)
    return GameRecord(position.rules, tuple(DealRecord(at + 1, position) for at in range(deals)), **more)


class Inline:
    """Does a piece at once, or whatever the test wants instead; counts those whose game has not been given yet."""

    def __init__(self, slots: int, instead: Callable[[Work[Any]], Any] = lambda work: work.run()) -> None:
        self.slots, self._do, self.sent, self.recovered = slots, instead, 0, 0
        self.works: list[Any] = []

    def submit(self, work: Work[Any]) -> Future[Any]:
        self.sent += 1
        self.works.append(work)
        future: Future[Any] = Future()
        try:
            future.set_result(self._do(work))
        except Exception as error:  # noqa: BLE001
            future.set_exception(error)
        return future

    def recover(self) -> None:
        self.recovered += 1

    def close(self) -> None:
        pass


def reviews(engine: Engine, games: list[GameRecord]) -> list[tuple[int, Any]]:
    return [(name, made) for name, _, made in Reviewing(engine, depth="fast", seed=2).games(enumerate(games))]


@pytest.mark.parametrize("engine", [Threads, Processes])
def test_engines_review_as_one_process_does(engine: Callable[[int], Engine]) -> None:
    won = game_of(2, initial_score={Side.NS: 9, Side.EW: 12}, title="Won already")
    games = [*read(EGN / "game27.egn"), game_of(3, title="Three"), won]
    made = engine(2)
    assert reviews(made, games) == [(at, review(game, settings="fast", seed=2)) for at, game in enumerate(games)]
    made.close()


def test_what_an_engine_loses_is_sent_again() -> None:
    lost: set[int] = set()

    def forgetful(work: DealWork) -> DealReview:
        if work.start.at not in lost:
            lost.add(work.start.at)
            raise EngineLost("gone")
        return work.run()

    engine = Inline(2, forgetful)
    assert reviews(engine, [game_of(3)]) == [(0, review(game_of(3), settings="fast", seed=2))]
    assert lost == {0, 1, 2}
    assert engine.recovered > 0


def test_an_engine_that_never_comes_back_is_given_up() -> None:
    def gone(_: Work[Any]) -> None:
        raise EngineLost("gone")

    with pytest.raises(EngineLost):
        reviews(Inline(1, gone), [game_of(1)])


def test_games_are_read_as_there_is_room_for_them() -> None:
    engine, given, most = Inline(2), 0, 0

    def endless() -> Iterator[tuple[int, GameRecord]]:
        for at in range(30):
            yield at, game_of(1)

    for _ in Reviewing(engine, depth="fast").games(endless()):
        given += 1
        most = max(most, engine.sent - given)
    assert given == 30
    assert most <= WINDOW * engine.slots


def test_threads_that_would_be_idle_share_the_pieces_of_a_deal() -> None:
    for slots, games, threads in ((8, [game_of(2)], 4), (8, [game_of(1)] * 8, 1), (2, [game_of(3)], 1)):
        engine = Inline(slots)
        reviews(engine, games)
        assert {work.threads for work in engine.works} == {threads}


def test_work_for_another_solver_is_not_done() -> None:
    engine = Inline(1)
    reviews(engine, [game_of(1)])
    with pytest.raises(WrongVersion):
        replace(engine.works[0], engine="rightbower 9.9").run()
