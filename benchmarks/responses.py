"""Other ways to bid for one seat, the other three keeping to the auction policy: best responses of several kinds, and
habits that people have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.regressors import Family, Floats
from solver.bidding.equilibrium import TREMBLE, Game, Table
from solver.bidding.hands import CROSS, HANDS, NEXT, OTHER_CROSS, RANKS, UP, all_hands
from solver.bidding.smooth import CELLS, mirror

#: A change must look worth so many points, by the estimate; which of these is found by cross validation.
LEASTS = (0.0, 0.03, 0.1, 0.2)
#: What thresholds are shifted by, in points.
SHIFTS = (-0.1, 0.1)
#: A bid that is made in fewer of the cases.
RARELY = 0.2

_JACK = 2
_ALL = np.arange(CELLS)


@dataclass(frozen=True)
class Choice:
    """A place where a seat chooses, over the deals of a sample: what passing leads to, how often each deal comes there,
    and what each action (calls first, then a pass where one may) is worth to the seat, less what the policy gets."""

    rest: Floats
    weight: Floats
    actions: tuple[int | None, ...]
    gains: Floats

    @staticmethod
    def at(game: Game, table: Table, place: int) -> Choice:
        rest = np.zeros(len(game.deals.up))
        for later in reversed(range(place + 1, 8)):
            share, value = game.made(table, later)
            rest = share * value + (1 - share) * rest
        weight = np.ones(len(rest))
        for earlier in range(place):
            if earlier % 4 != place % 4:
                weight *= np.maximum(1 - table.shares[earlier][game.cells[earlier % 4]], TREMBLE)
        may_pass, calls = game.legal[place]
        share, value = game.made(table, place)
        now = share * value + (1 - share) * rest
        sign = 1 if place % 2 == 0 else -1
        worths = [game.value(place, call) for call in calls] + [rest] * may_pass
        gains = np.stack([sign * (worth - now) for worth in worths], axis=1)
        return Choice(rest, weight, (*calls, *[None] * may_pass), gains)

    def sums(self, game: Game, place: int, rows: slice) -> tuple[Floats, Floats]:
        """By information set the weight of those deals, and the weighted sums of the gains; each deal counts for the
        mirror of its information set as well."""
        cells, there = game.cells[place % 4][rows], mirror()
        weight = self.weight[rows]
        count: Floats = np.bincount(cells, weight, CELLS).astype(np.float64)
        sums: Floats = np.stack([np.bincount(cells, weight * each, CELLS) for each in self.gains[rows].T], axis=1)
        other = [self.actions.index(_mirrored(action)) for action in self.actions]
        return count + count[there], sums + sums[there][:, other]


def _mirrored(action: int | None) -> int | None:
    exchanged = {CROSS: OTHER_CROSS, OTHER_CROSS: CROSS}
    return action if action is None else 2 * exchanged.get(action >> 1, action >> 1) + (action & 1)


def best_response(game: Game, table: Table, seat: int, family: Family) -> Table:
    """The policy with both places of the seat bidding what is best against it by the family's estimates, the family's
    setting and the least gain that is followed being those that gain most from one half of the deals in the other."""
    response = table.copy()
    for place in (seat + 4, seat):
        choice = Choice.at(game, response, place)
        halves = [choice.sums(game, place, slice(which, None, 2)) for which in (0, 1)]
        scores: list[Floats] = []
        for fitted, valued in (halves, halves[::-1]):
            scores.append(np.array([_followed(means, valued[1]) for means in family.fits(*fitted)]))
        setting, least = np.unravel_index(int((scores[0] + scores[1]).argmax()), scores[0].shape)
        whole = halves[0][0] + halves[1][0], halves[0][1] + halves[1][1]
        means = next(each for at, each in enumerate(family.fits(*whole)) if at == setting)
        _follow(response, place, choice.actions, means, LEASTS[least])
    return response


def _followed(means: Floats, sums: Floats) -> list[float]:
    best = means.argmax(axis=1)
    most, gained = means[_ALL, best], sums[_ALL, best]
    return [float(gained[most > least].sum()) for least in LEASTS]


def _follow(table: Table, place: int, actions: tuple[int | None, ...], means: Floats, least: float) -> None:
    best = means.argmax(axis=1)
    better = means[_ALL, best] > least
    passing = np.array([action is None for action in actions])[best]
    calls = np.array([action or 0 for action in actions])[best]
    table.shares[place] = np.where(better, ~passing, table.shares[place])
    table.calls[place] = np.where(better & ~passing, calls, table.calls[place])


def shifted(game: Game, table: Table, seat: int, shift: Callable[[int], float]) -> Table:
    """The seat takes what is best by the policy's own means with ``shift`` added to each call, in points."""
    response = table.copy()
    for place in (seat + 4, seat):
        choice = Choice.at(game, response, place)
        means, passing = game.values(place, choice.weight, choice.rest)
        means = means + np.array([shift(call) for call in range(len(means))])[:, None]
        best = means.argmax(axis=0)
        response.calls[place] = best
        response.shares[place] = (means[best, _ALL] > passing) if game.legal[place][0] else 1.0
    return response


def shifts() -> Iterator[tuple[str, Callable[[int], float]]]:
    """What a seat may like more or less than it should."""
    liked: tuple[tuple[str, Callable[[int], bool]], ...] = (
        ("every bid", lambda _: True),
        ("going alone", lambda call: call & 1 == 1),
        ("next", lambda call: call >> 1 == NEXT),
        ("cross", lambda call: call >> 1 in (CROSS, OTHER_CROSS)),
    )
    yield "what is best by the policy's means", lambda _: 0.0
    for name, which in liked:
        for size in SHIFTS:
            yield f"{name} {size:+.1f}", lambda call, which=which, size=size: size * which(call)


def habits() -> Iterator[tuple[str, Callable[[Game, Table, int], None]]]:
    """Ways to bid that people have; each changes a place of a table."""
    yield "never alone", lambda game, table, place: _exchange(game, table, place, alone=False)
    yield "alone with every bid", lambda game, table, place: _exchange(game, table, place, alone=True)
    yield "never passes the right bower", _with_right_bower
    yield "passes without a bower", _without_bower
    yield "no bid that the policy seldom makes", _without_rare


def with_habit(game: Game, table: Table, seat: int, habit: Callable[[Game, Table, int], None]) -> Table:
    response = table.copy()
    for place in (seat, seat + 4):
        habit(game, response, place)
    return response


def _exchange(game: Game, table: Table, place: int, *, alone: bool) -> None:
    calls = table.calls[place]
    other = (calls & ~np.uint8(1)) | np.uint8(alone)
    table.calls[place] = np.where(np.isin(other, game.legal[place][1]), other, calls)


def _jacks() -> NDArray[np.bool_]:
    """Whether the hand of each information set holds the jack of each role: ``[4, cells]``."""
    return np.stack([np.tile(all_hands() >> np.uint32(RANKS * role + _JACK) & 1 == 1, RANKS) for role in range(4)])


def _with_right_bower(game: Game, table: Table, place: int) -> None:
    """Next before cross, with the partner where that may be."""
    for role in (OTHER_CROSS, CROSS, NEXT, UP):
        legal = [call for call in game.legal[place][1] if call >> 1 == role]
        if not legal:
            continue
        held = _jacks()[role]
        if role == UP and place % 4 == 3:  # a jack turned up is the dealer's
            held = held | (_ALL // HANDS == _JACK)
        passes = held & (table.shares[place] < 0.5)
        table.calls[place] = np.where(passes, min(legal), table.calls[place])
        table.shares[place] = np.where(passes, 1.0, table.shares[place])


def _without_rare(game: Game, table: Table, place: int) -> None:
    if game.legal[place][0]:
        table.shares[place] = np.where(table.shares[place] < RARELY, 0.0, table.shares[place])


def _without_bower(game: Game, table: Table, place: int) -> None:
    if not game.legal[place][0]:
        return
    jacks = _jacks()
    role = table.calls[place] >> 1
    held = jacks[role, _ALL] | jacks[3 - role, _ALL]
    if place == 3:
        held = held | (_ALL // HANDS == _JACK)
    table.shares[place] = np.where(held, table.shares[place], 0.0)
