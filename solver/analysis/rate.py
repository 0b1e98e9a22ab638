"""``rate_bid``: what every bid is worth to a seat that sees its own five cards, the upcard and the bids before it.

Nothing here looks at a card that the one who decides would not see. The others bid by a stated policy, each by its own
hand; the dealer throws away one card for each hand; and the cards are played by seats that each see their own side.
It stands here and not in `solver.bidding`, as it needs the equity of a score, grades, and the values of an analysis.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solver.analysis.calibrate import Sample, estimates
from solver.analysis.equity import Equity, chances_after
from solver.analysis.grades import CLEAR, grade
from solver.analysis.tricks import first_side
from solver.analysis.values import Analysis, Estimate, Option, Outcome, Settings, Uncertainty, engine_version
from solver.bidding.policy import Policy, SimplePolicy, policy_for
from solver.bidding.rest import Ending, Start, chance_of_passes, endings, starts
from solver.engine.doubledummy import solve_batch
from solver.engine.playout import rollouts
from solver.errors import Fault, InvalidInput, refuse
from solver.game.auction import Auction, Bid, Call, Contract, discards
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.deal import Deal, hands_of
from solver.game.position import Position, position_faults
from solver.game.rules import Rules
from solver.game.scoring import NEEDED, makers_points
from solver.game.seats import Seat, Side
from solver.knowledge.seen import Knowledge
from solver.knowledge.worlds import Worlds, count_worlds, sample_worlds

#: How the cards are played, the default first.
RATE_METHODS = ("rollout", "double-dummy")
DEFAULT_METHOD = RATE_METHODS[0]
#: Enough for a standard error of 0.03 points of every difference, whatever the hand.
DEFAULT_WORLDS = 4000
MOST_WORLDS = 20_000
#: ``worlds`` may say this: batches of `BATCH` until the best bid is clear by `STOP_AT` standard errors, or there are
#: `ADAPTIVE_MOST`.
ADAPTIVE = "adaptive"
BATCH = 1000
STOP_AT = 3.0
ADAPTIVE_MOST = 16 * BATCH

#: Worlds that are solved double dummy for each that is rolled out, and how many are drawn at most to find them.
SOLVED, SOLVED_SIMPLE = 16, 3
_MOST_DRAWN, _MOST_DRAWN_SIMPLE = 1 << 18, 1 << 13
#: Fewer worlds than this are too few to call anything.
FEW = 30
#: The dealer's discard: worlds for it, how many cards are rolled out, and how far behind double dummy they may be.
_DISCARD_SOLVED, _DISCARD_ROLLED, _DISCARDS, _BEHIND = 4096, 500, 3, 0.15
#: Rows that a thread rolls out at a time.
_CHUNK = 64


@dataclass(frozen=True)
class RatedBid:
    """A legal bid and what comes of it, for the bidder's side.

    ``points`` are net. ``game``: the chance to win the game. ``difference`` and ``game_difference``: less the best
    bid (by points), over the same worlds. ``outcomes``: net points -> how often. ``made``, ``march``, ``euchred``: how
    often the bidder's side is maker and takes three tricks or more, five, or fewer than three. ``double_dummy``: net
    points if all cards were seen once the auction is over. ``tricks`` and ``scored``: mean tricks and points by side.
    ``discard``: for a dealer who would take the upcard, the card to throw away.
    """

    bid: Bid
    points: Estimate
    game: Estimate
    difference: Estimate
    game_difference: Estimate
    outcomes: Mapping[int, float]
    made: float
    march: float
    euchred: float
    double_dummy: float
    tricks: Mapping[Side, float]
    scored: Mapping[Side, float]
    discard: Card | None = None


@dataclass(frozen=True)
class Verdict:
    """A bid that was made, against the best: ``error`` is the net points lost, with its standard error.

    ``too_close``: the error is not clear of `CLEAR` standard errors, so there is no grade.
    """

    bid: Bid
    error: float
    stderr: float
    grade: str
    too_close: bool


@dataclass(frozen=True)
class RateSettings:
    """What a rating depends on besides the decision. ``effective_worlds``: how many worlds of equal weight would be
    worth as much as those that fit the passes."""

    engine: str
    method: str
    worlds: int
    effective_worlds: float
    seed: int
    policy: str
    score: Mapping[Side, int]


@dataclass(frozen=True)
class BidRating:
    """What every legal bid is worth. ``best`` is by points, ``best_for_game`` by the chance to win the game."""

    position: Position
    seat: Seat
    options: tuple[RatedBid, ...]
    best: Bid
    best_for_game: Bid
    discard: Card | None
    verdict: Verdict | None
    settings: RateSettings

    def option(self, bid: Bid) -> RatedBid:
        return next(option for option in self.options if option.bid == bid)


def rate_bid(
    rules: Rules,
    dealer: Seat,
    upcard: Card,
    seat: Seat,
    hand: Iterable[Card],
    auction: Sequence[Bid] = (),
    score: Mapping[Side, int] | None = None,
    bid: Bid | None = None,
    worlds: int | str = DEFAULT_WORLDS,
    seed: int = 0,
    method: str = DEFAULT_METHOD,
    threads: int = 1,
) -> BidRating:
    """What every bid of ``seat``, which is to bid after ``auction``, is worth, and a verdict on ``bid``.

    ``hand`` are the seat's five cards as dealt; ``worlds`` a number or ``"adaptive"``; ``score`` that of the game
    before this deal, nothing to nothing by default. ``method``: ``rollout`` plays each world out by seats that see only
    their own side of it; ``double-dummy`` is fast, and partial: see docs/rating.md. Equal seeds give equal answers,
    whatever the number of threads.

    Raises `InvalidInput` with every fault, each at the argument that it is about.
    """
    cards = tuple(hand)
    refuse(_faults(rules, dealer, upcard, seat, cards, tuple(auction), score, bid, worlds, method))
    deal = Deal(rules, dealer, upcard, hands_of({seat: CardSet.of(cards)}))
    knowledge = Knowledge.of(Position(deal, tuple(auction)), seat)
    return rate(knowledge, score=score, bid=bid, worlds=worlds, seed=seed, method=method, threads=threads)


def rate(
    knowledge: Knowledge,
    *,
    score: Mapping[Side, int] | None = None,
    bid: Bid | None = None,
    worlds: int | str = DEFAULT_WORLDS,
    seed: int = 0,
    method: str = DEFAULT_METHOD,
    threads: int = 1,
    policy: Policy | None = None,
    goal: str = "points",
) -> BidRating:
    """As `rate_bid`, for what a seat that is to bid has seen; ``policy`` None is that of the rules.

    ``goal``: differences are from the bid that is best by ``points``, or by the chance to win the ``game``.
    """
    refuse(_settings_faults(worlds, method))
    rater = _Rater(knowledge, policy or policy_for(knowledge.rules), method, seed, threads)
    total = ADAPTIVE_MOST if worlds == ADAPTIVE else int(worlds)
    nothing = dict.fromkeys(knowledge.rules.seating.sides, 0)
    score = nothing if score is None else score
    options: tuple[RatedBid, ...] = ()
    while rater.worlds < total:
        rater.add(min(BATCH, total - rater.worlds))
        if worlds == ADAPTIVE or rater.worlds >= total:
            options = rater.options(score, goal)
            if worlds == ADAPTIVE and _is_clear(options):
                break
    best = max(options, key=lambda option: option.points.mean)
    for_game = max(options, key=lambda option: option.game.mean)
    settings = RateSettings(
        engine_version(), method, rater.worlds, rater.effective_worlds, seed, rater.policy.name, dict(score)
    )
    ordering = [option for option in options if option.discard is not None]
    return BidRating(
        knowledge.position,
        knowledge.seat,
        options,
        best.bid,
        for_game.bid,
        max(ordering, key=lambda option: option.points.mean).discard if ordering else None,
        None if bid is None else _verdict(options, best.bid, bid, rater.effective_worlds),
        settings,
    )


def rated_bids(
    knowledge: Knowledge,
    *,
    worlds: int | str = DEFAULT_WORLDS,
    seed: int = 0,
    score: Mapping[Side, int] | None = None,
    method: str | None = None,
    threads: int = 1,
) -> Analysis:
    """`rate` in the form of an analysis. ``method`` None or ``rollout`` plays worlds out, ``pimc`` solves them.

    With a ``score`` the best bid is that with the best chance to win the game.
    """
    if worlds == "all":
        message = "there are too many worlds before the first bid that ends the auction to look at them all"
        raise InvalidInput([Fault("field.invalid", message, ("worlds",))])
    by_method = {"pimc": "double-dummy", None: DEFAULT_METHOD}.get(method, method)
    method, goal = by_method or DEFAULT_METHOD, "points" if score is None else "game"
    rating = rate(knowledge, score=score, worlds=worlds, seed=seed, method=method, threads=threads, goal=goal)
    best = rating.option(rating.best if score is None else rating.best_for_game)
    sides = knowledge.rules.seating.sides
    side = knowledge.rules.seating.side(knowledge.seat)

    def option(rated: RatedBid) -> Option:
        chance = rated.game.mean
        game = None if score is None else {each: chance if each == side else 1 - chance for each in sides}
        return Option(
            Outcome(rated.tricks, rated.scored, game),
            # With the score given, the best bid may be one that loses points.
            max(0.0, best.points.mean - rated.points.mean),
            best=rated.bid == best.bid,
            bid=rated.bid,
            uncertainty=Uncertainty(
                rated.points, rated.difference, None, None if score is None else rated.game_difference
            ),
            outcomes=rated.outcomes,
            double_dummy=rated.double_dummy,
            discard=rated.discard,
        )

    options = tuple(option(rated) for rated in rating.options)
    settings = Settings(
        engine_version(),
        rating.settings.worlds,
        seed,
        count_worlds(knowledge),
        "pimc" if method == "double-dummy" else method,
        goal,
        policy=rating.settings.policy,
    )
    outcome = next(each.outcome for each in options if each.best)
    return Analysis(knowledge.position, knowledge.decision, knowledge.seat, "sampled", outcome, options, settings)


def _is_clear(options: Sequence[RatedBid]) -> bool:
    best = max(options, key=lambda option: option.points.mean)
    return all(-each.difference.mean > STOP_AT * each.difference.stderr for each in options if each is not best)


def _verdict(options: Sequence[RatedBid], best: Bid, bid: Bid, effective: float) -> Verdict:
    rated = next(option for option in options if option.bid == bid)
    error, stderr = max(0.0, -rated.difference.mean), rated.difference.stderr
    too_close = bid != best and (error <= CLEAR * stderr or effective < FEW)
    return Verdict(bid, error, stderr, grade(error, too_close=too_close), too_close)


# ---- what cannot be rated -----------------------------------------------------------------------


def _faults(
    rules: Rules,
    dealer: Seat,
    upcard: Card,
    seat: Seat,
    cards: tuple[Card, ...],
    bids: tuple[Bid, ...],
    score: Mapping[Side, int] | None,
    bid: Bid | None,
    worlds: int | str,
    method: str,
) -> list[Fault]:
    """Every fault of the arguments of `rate_bid`."""
    faults = _settings_faults(worlds, method)
    if score is not None and set(score) != set(rules.seating.sides):
        named = " and ".join(rules.seating.sides)
        faults.append(Fault("field.invalid", f"the score has the points of {named}", ("score",)))
    elif score is not None:
        faults += [
            Fault("field.invalid", f"{side} has {points} points, and the game is to {rules.target}", ("score", side))
            for side, points in score.items()
            if not 0 <= points < rules.target
        ]
    found = position_faults(rules, dealer, upcard, {seat: cards}, bids, None, None, ())
    of_others = {("hands", str(each)) for each in Seat if each != seat}
    faults += [
        Fault(fault.code, fault.message, ("hand", *fault.path[2:])) if fault.path[:1] == ("hands",) else fault
        for fault in found
        if not (fault.code == "hand.missing" and fault.path in of_others)
    ]
    if not any(fault.path[:1] in (("dealer",), ("auction",), ("upcard",)) for fault in faults):
        faults += Auction(rules, dealer, upcard, bids).turn_faults(seat, bid, CardSet.of(cards))
    return faults


def _settings_faults(worlds: int | str, method: str) -> list[Fault]:
    faults = []
    if worlds != ADAPTIVE and not (type(worlds) is int and 1 <= worlds <= MOST_WORLDS):
        message = f'worlds is {worlds}, neither a number from 1 to {MOST_WORLDS} nor "{ADAPTIVE}"'
        faults.append(Fault("field.invalid", message, ("worlds",)))
    if method not in RATE_METHODS:
        faults.append(Fault("field.invalid", f"method is {method}, not one of {', '.join(RATE_METHODS)}", ("method",)))
    return faults


# ---- the work -----------------------------------------------------------------------------------


@dataclass
class _Column:
    """One bid over all worlds so far, batch by batch: makers and tricks, of the worlds solved and of those played."""

    seen: list[NDArray[np.int16]] = field(default_factory=list)
    played: list[NDArray[np.int16]] = field(default_factory=list)


class _Results:
    """What can come of a deal, numbered: a contract's kind of makers, with the first side's tricks.

    Result number ``6 * kind + tricks``; the kinds are the pairs (makers' side, alone), and one for a deal thrown in.
    """

    def __init__(self, rules: Rules, side: Side) -> None:
        self.kinds: list[tuple[Side, bool] | None] = [None]
        self.kinds += [(makers, alone) for makers in rules.seating.sides for alone in (False, True)]
        first = rules.seating.sides[0]
        self.net = np.zeros(len(self.kinds) * (HAND_SIZE + 1), dtype=np.int64)
        self.tricks = {each: np.zeros(len(self.net)) for each in rules.seating.sides}
        self.ours = np.zeros(len(self.net), dtype=np.bool_)
        self.makers_tricks = np.zeros(len(self.net), dtype=np.int64)
        for at, kind in enumerate(self.kinds):
            for won in range(HAND_SIZE + 1) if kind is not None else ():
                assert kind is not None
                makers, alone = kind
                place = (HAND_SIZE + 1) * at + won
                of_makers = won if makers == first else HAND_SIZE - won
                points = makers_points(rules, alone, of_makers)
                self.net[place] = points if makers == side else -points
                for each, tricks in self.tricks.items():
                    tricks[place] = won if each == first else HAND_SIZE - won
                self.ours[place] = makers == side
                self.makers_tricks[place] = of_makers

    def numbers(self, rules: Rules, contract: Contract, first_sides_tricks: NDArray[np.uint8]) -> NDArray[np.int16]:
        kind = self.kinds.index((rules.seating.side(contract.maker), contract.alone))
        return first_sides_tricks.astype(np.int16) + np.int16((HAND_SIZE + 1) * kind)


class _Rater:
    """The worlds of one decision so far, and every bid in each of them."""

    def __init__(self, knowledge: Knowledge, policy: Policy, method: str, seed: int, threads: int) -> None:
        auction = knowledge.auction
        assert auction is not None  # there is a bid to make
        self.knowledge, self.policy, self.method, self.seed, self.threads = knowledge, policy, method, seed, threads
        self.rules, self.auction = knowledge.rules, auction
        self.side = self.rules.seating.side(knowledge.seat)
        self.bids = auction.legal_bids(knowledge.hand)
        self.results = _Results(self.rules, self.side)
        self.columns = [_Column() for _ in self.bids]
        self.worlds = 0
        self.effective_worlds = 0.0
        self._effective_solved = 0.0
        self._chosen: list[NDArray[np.intp]] = []
        self._solved = 0
        self._batches = 0
        self._discards: dict[Bid, Card] | None = None

    def add(self, number: int) -> None:
        """``number`` more worlds."""
        stream = np.random.SeedSequence([self.seed, self._batches])
        words = stream.generate_state(3, np.uint64)
        dealt, effective = self._deals(number, int(words[0]))
        # 1. The worlds that are rolled out are spread over those that are solved.
        chosen = np.arange(number) * len(dealt) // number
        draws = np.random.default_rng(words[1]).random((self.auction.turns, len(dealt)))
        if self._discards is None:
            rest = np.ones(len(dealt), dtype=np.bool_)
            rest[chosen] = False
            self._discards = self._best_discards(dealt[rest] if rest.any() else dealt, int(words[2]))
        # 2. Every bid in each of them: solved, and those chosen played.
        looked_at = chosen if self.method == "double-dummy" else np.arange(len(dealt))
        ready = [list(self._starts(bid, dealt[looked_at], draws[:, looked_at])) for bid in self.bids]
        for column, begun in zip(self.columns, ready, strict=True):
            column.seen.append(self._solve(begun, len(looked_at)))
        if self.method == "rollout":
            picked = [[_pick(start, chosen) for start in begun] for begun in ready]
            for column, played in zip(self.columns, self._play(picked, number, int(words[2])), strict=True):
                column.played.append(played)
        else:
            chosen = np.arange(number)
            for column in self.columns:
                column.played.append(column.seen[-1])
        # 3. Count them.
        self._chosen.append(chosen + self._solved)
        self._solved += len(looked_at)
        self.worlds += number
        self.effective_worlds += min(float(number), effective)
        self._effective_solved += min(float(len(looked_at)), effective)
        self._batches += 1

    def _deals(self, number: int, seed: int) -> tuple[NDArray[np.uint64], float]:
        """Hands as dealt in worlds that fit, the passes of the others included, each as likely as it should be; and
        how many equally likely ones those that they were picked from are worth.

        Worlds are drawn uniformly, weighted by the chance of those passes, and picked by weight at equal distances. No
        world is picked twice unless too few of those drawn fit.
        """
        simple = isinstance(self.policy, SimplePolicy)
        most = _MOST_DRAWN_SIMPLE if simple else _MOST_DRAWN
        wanted = (
            number * 2 if self.method == "double-dummy" else max(number * (SOLVED_SIMPLE if simple else SOLVED), 512)
        )
        drawn = wanted
        while True:
            worlds = sample_worlds(self.knowledge, drawn, seed, threads=self.threads, weigh=self._weigh)
            weights = worlds.weights
            if weights is None:
                return worlds.dealt, float(drawn)
            without_repeats = int(weights.sum() / weights.max())
            if without_repeats >= wanted or drawn >= most:
                break
            drawn = min(most, max(2 * drawn, int(1.2 * drawn * wanted / max(without_repeats, 1))))
        kept = min(wanted, max(number, without_repeats))
        at = np.searchsorted(weights.cumsum() / weights.sum(), (np.arange(kept) + 0.5) / kept)
        return worlds.dealt[np.minimum(at, drawn - 1)], worlds.effective_size

    @property
    def _weigh(self) -> Callable[[Worlds], NDArray[np.float64]] | None:
        others = any(self.auction.bidder(at) != self.knowledge.seat for at in range(len(self.auction.bids)))
        if not others:
            return None
        return lambda worlds: chance_of_passes(self.policy, self.auction, self.knowledge.seat, worlds.dealt)

    def _starts(self, bid: Bid, dealt: NDArray[np.uint64], draws: NDArray[np.float64]) -> Iterable[Start]:
        """The deals as play begins after the bid and the rest of the auction."""
        own = (self._discards or {}).get(bid)
        for ending in endings(self.policy, self.auction.after(bid), dealt, draws):
            yield from starts(self.policy, ending, dealt, own)

    def _solve(self, begun: Iterable[Start], number: int) -> NDArray[np.int16]:
        """Result numbers, double dummy."""
        found = np.zeros(number, dtype=np.int16)
        parts = list(begun)
        if not parts:
            return found
        contracts = [_contract(start) for start in parts]
        sizes = [len(start.rows) for start in parts]
        tricks = solve_batch(
            np.concatenate([start.held for start in parts]),
            np.repeat(np.array([each.trump for each in contracts], dtype=np.uint8), sizes),
            np.repeat(np.array([each.leader for each in contracts], dtype=np.uint8), sizes),
            np.repeat(np.array([_absent(each) for each in contracts], dtype=np.int8), sizes),
            threads=self.threads,
        )
        for start, contract, of_start in zip(parts, contracts, np.split(tricks, np.cumsum(sizes)[:-1]), strict=True):
            found[start.rows] = self.results.numbers(self.rules, contract, of_start)
        return found

    def _play(self, picked: Sequence[Sequence[Start]], number: int, seed: int) -> list[NDArray[np.int16]]:
        """Result numbers of each list of deals, rolled out."""
        found = [np.zeros(number, dtype=np.int16) for _ in picked]
        work: list[tuple[NDArray[np.int16], Start, int]] = []
        first = 0
        for results, begun in zip(found, picked, strict=True):
            for start in begun:
                begins = range(0, len(start.rows), _CHUNK)
                work += [(results, _part(start, at, at + _CHUNK), first + at) for at in begins]
                first += len(start.rows)

        def play(piece: tuple[NDArray[np.int16], Start, int]) -> None:
            results, start, number_of_first = piece
            results[start.rows] = self._rollouts(start, seed, number_of_first)

        if self.threads == 1:
            for piece in work:
                play(piece)
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(play, work))
        return found

    def _rollouts(self, start: Start, seed: int, first: int) -> NDArray[np.int16]:
        contract = _contract(start)
        seating = self.rules.seating
        makers_are_first = seating.side(contract.maker) == seating.sides[0]
        points = [makers_points(self.rules, contract.alone, won) for won in range(HAND_SIZE + 1)]
        tricks = rollouts(
            start.play(),
            start.held,
            None,
            first_side(seating),
            out=start.out,
            taken=start.taken,
            hidden=start.hidden,
            points=points if makers_are_first else [-each for each in reversed(points)],
            seed=seed,
            first=first,
        )
        return self.results.numbers(self.rules, contract, tricks[:, 0])

    def _best_discards(self, dealt: NDArray[np.uint64], seed: int) -> dict[Bid, Card]:
        """For a dealer who bids, the card to throw away after each bid that takes the upcard.

        The best double dummy, unless rollouts find one of the close ones clearly better; by worlds that the bid itself
        is not rated by, so that a lucky choice does not flatter it.
        """
        chosen: dict[Bid, Card] = {}
        knowledge = self.knowledge
        if knowledge.seat != self.auction.dealer:
            return chosen
        dealt = dealt[:_DISCARD_SOLVED]
        rows = np.arange(len(dealt))
        for bid in self.bids:
            then = self.auction.after(bid)
            if bid.call == Call.PASS or not then.takes_upcard:
                continue
            cards = discards(then, knowledge.hand)
            ending = Ending(then, rows)
            begun = {card: list(starts(self.policy, ending, dealt, card)) for card in cards}
            seen = {card: self.results.net[self._solve(begun[card], len(rows))].mean() for card in cards}
            ranked = sorted(cards, key=lambda card: -seen[card])
            if self.method == "rollout":
                close = [card for card in ranked if seen[card] >= seen[ranked[0]] - _BEHIND][:_DISCARDS]
                if len(close) > 1:
                    few = rows[:_DISCARD_ROLLED]
                    picked = [[_pick(start, few) for start in begun[card]] for card in close]
                    nets = [self.results.net[each] for each in self._play(picked, len(few), seed)]
                    ranked = [close[_clearly_best(nets)]]
            chosen[bid] = ranked[0]
        return chosen

    def options(self, score: Mapping[Side, int], goal: str) -> tuple[RatedBid, ...]:
        """Every bid over the worlds so far."""
        results = self.results
        # 1. The worlds, weighted so that each bid has the double-dummy mean that it has over many more.
        seen = [np.concatenate(column.seen) for column in self.columns]
        played = [np.concatenate(column.played) for column in self.columns]
        sample = Sample(np.concatenate(self._chosen), self.effective_worlds, self._effective_solved)
        if self.method == "rollout":
            sample = sample.calibrated(np.column_stack([self._features(each) for each in seen]))
        weights = sample.weights
        # 2. What each comes to in them.
        chances = chances_after(Equity(self.rules.target), self.rules, self.auction.dealer, score, self.side)
        net = np.column_stack([results.net[each] for each in played]).astype(np.float64)
        by_net = np.array([chances[each] for each in range(min(chances), max(chances) + 1)])
        game = by_net[net.astype(np.intp) - min(chances)]
        best = int((weights @ (net if goal == "points" else game)).argmax())
        points, differences = estimates(sample, net), estimates(sample, net - net[:, [best]])
        games, game_differences = estimates(sample, game), estimates(sample, game - game[:, [best]])
        values = possible_points(self.rules)
        other = self.rules.seating.opponents(self.side)

        def option(at: int, bid: Bid) -> RatedBid:
            numbers = played[at]
            ours, won = results.ours[numbers], results.makers_tricks[numbers]
            scored = {
                self.side: float(weights @ np.maximum(net[:, at], 0)),
                other: float(weights @ np.maximum(-net[:, at], 0)),
            }
            return RatedBid(
                bid,
                points[at],
                games[at],
                differences[at],
                game_differences[at],
                {value: float(weights[net[:, at] == value].sum()) for value in values},
                float(weights[ours & (won >= NEEDED)].sum()),
                float(weights[ours & (won == HAND_SIZE)].sum()),
                float(weights[ours & (won < NEEDED)].sum()),
                float(results.net[seen[at]].mean()),
                {side: float(weights @ tricks[numbers]) for side, tricks in results.tricks.items()},
                {side: scored[side] for side in self.rules.seating.sides},
                (self._discards or {}).get(bid),
            )

        return tuple(option(at, bid) for at, bid in enumerate(self.bids))

    def _features(self, numbers: NDArray[np.int16]) -> NDArray[np.float64]:
        """What double dummy says of a bid in each world: net points, and the tricks."""
        return np.column_stack([self.results.net[numbers], self.results.tricks[self.side][numbers]]).astype(np.float64)


def _clearly_best(nets: Sequence[NDArray[np.int64]]) -> int:
    """Which of several, in the order in which they are preferred, is best: the first, unless a later one is better by
    `CLEAR` standard errors."""
    best = 0
    for at in range(1, len(nets)):
        better = nets[at] - nets[best]
        if better.mean() > CLEAR * better.std() / math.sqrt(len(better)):
            best = at
    return best


def possible_points(rules: Rules) -> tuple[int, ...]:
    """Every net result of a deal for one side that the rules have points for, and 0."""
    points = {
        *(rules.points, rules.march, rules.lone_points, rules.lone_march),
        *(rules.euchre, rules.lone_euchre, 0),
    }
    return tuple(sorted({sign * each for each in points for sign in (1, -1)}))


def _contract(start: Start) -> Contract:
    contract = start.auction.contract
    assert contract is not None  # deals that are played have one
    return contract


def _absent(contract: Contract) -> int:
    return -1 if contract.sitting_out is None else int(contract.sitting_out)


def _pick(start: Start, chosen: NDArray[np.intp]) -> Start:
    """The deals whose numbers are chosen, numbered by their places in that ascending list."""
    at = np.searchsorted(chosen, start.rows)
    there = chosen[np.minimum(at, len(chosen) - 1)] == start.rows
    return Start(start.auction, at[there], start.held[there], start.out[there], start.taken, start.hidden)


def _part(start: Start, begin: int, end: int) -> Start:
    rows = slice(begin, end)
    return Start(start.auction, start.rows[rows], start.held[rows], start.out[rows], start.taken, start.hidden)
