"""``review``: every decision of a recorded game graded, and what the cards did told apart from what the players did."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from solver.analysis.equity import chances_after, equity_for
from solver.analysis.review import hindsight
from solver.analysis.review.bid_reasons import bid_reason
from solver.analysis.review.curve import chances_in_play
from solver.analysis.review.decisions import IllegalPlay, Taken, first_illegal_play, knowledge_of, taken
from solver.analysis.review.depths import DEFAULT, Depth, depth_named
from solver.analysis.review.judge import Judgement, forced, judge, seeds_of
from solver.analysis.review.luck import CardLuck, card_luck
from solver.analysis.review.play_reasons import card_reason
from solver.analysis.review.summary import summarize
from solver.analysis.review.values import (
    Balance,
    Balances,
    DealReview,
    Hindsight,
    Moment,
    Review,
    ReviewedDecision,
    ReviewSettings,
    Unreviewed,
)
from solver.analysis.trace import played
from solver.analysis.values import Outcome, engine_version
from solver.bidding.policy import policy_for
from solver.errors import Fault, InvalidInput
from solver.game.auction import Bid, discards
from solver.game.cards import Card
from solver.game.position import Decision, Position
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import Rules
from solver.game.seats import Side
from solver.knowledge.seen import Knowledge

#: Told how many pieces of work are done, and of how many: after each of them, and again while one takes its time. What
#: it raises ends the work.
Progress = Callable[[int, int], None]

_SECONDS_BETWEEN_REPORTS = 0.25


@dataclass(frozen=True)
class DealStart:
    """A deal of a game, at that place from 0, with the score before it and its result where that is recorded.

    ``faults`` are those that the game gives it: it comes after the end of a game, or nobody can tell who scored.
    """

    at: int
    record: DealRecord
    score: Mapping[Side, int]
    result: Outcome | None
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class _Deal:
    """A deal of the record with what is known of it before anything is looked at. Chances are the first side's."""

    at: int
    record: DealRecord
    score: Mapping[Side, int]
    before: float | None
    chances: Mapping[int, float] | None
    result: Outcome | None
    decisions: tuple[Taken, ...]
    illegal: IllegalPlay | None
    hindsight: Mapping[int, Hindsight]
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class _Cards:
    """What a deal is worth by its cards, and the curve while it is played. Chances are the first side's."""

    luck: CardLuck | None
    in_play: tuple[tuple[str, float], ...]


def review(
    record: GameRecord,
    *,
    settings: Depth | str = DEFAULT,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> Review:
    """Grade every bid, discard and card of a game by what its seat could know, and take the luck out of the result.

    ``settings``: a depth or its name, see `solver.analysis.review.depths`. ``threads`` share the decisions; equal seeds
    give equal reviews whatever their number. What cannot be reviewed is named with the reason, in ``unreviewed`` of its
    deal; so are the faults of the record. The game is taken to start from nothing to nothing where the record does not
    say otherwise.

    Raises `InvalidInput` if there is no such depth, or the number of threads is none.
    """
    if threads < 1:
        raise InvalidInput([Fault("field.invalid", f"threads is {threads}, at least one is needed", ("threads",))])
    reviewer = _Reviewer(record.rules, _depth(settings), seed)
    deals = [reviewer.known(each) for each in reviewer.started(record)]
    return reviewer.whole(record, reviewer.reviewed(deals, threads, progress))


def deal_starts(record: GameRecord) -> Iterator[DealStart]:
    """Each deal of a game with what it takes over from those before it."""
    yield from _Reviewer(record.rules, DEFAULT, 0).started(record)


def review_deal(
    rules: Rules, start: DealStart, *, settings: Depth | str = DEFAULT, seed: int = 0, threads: int = 1
) -> DealReview:
    """One deal of a game under these rules as `review` has it: a piece that can be done anywhere."""
    reviewer = _Reviewer(rules, _depth(settings), seed)
    (made,) = reviewer.reviewed([reviewer.known(start)], threads, None)
    return made


def review_of_deals(
    record: GameRecord, deals: Sequence[DealReview], *, settings: Depth | str = DEFAULT, seed: int = 0
) -> Review:
    """What `review` gives, out of what `review_deal` gave for every deal of the game."""
    return _Reviewer(record.rules, _depth(settings), seed).whole(record, tuple(deals))


def _depth(settings: Depth | str) -> Depth:
    return depth_named(settings) if isinstance(settings, str) else settings


def _wait(pending: Sequence[Future[Any]], progress: Progress | None) -> None:
    """Wait for all, in order; the first that fails ends it, and those not yet begun are given up."""
    try:
        for done, future in enumerate(pending):
            while progress is not None and not wait([future], timeout=_SECONDS_BETWEEN_REPORTS).done:
                progress(done, len(pending))
            future.result()
            if progress is not None:
                progress(done + 1, len(pending))
    except BaseException:
        for future in pending:
            future.cancel()
        raise


class _Reviewer:
    """What all deals of a review share."""

    def __init__(self, rules: Rules, depth: Depth, seed: int) -> None:
        self.rules, self.depth, self.seed = rules, depth, seed
        self.equity = equity_for(rules)
        self.policy = policy_for(rules).name
        self.first, self.second = rules.seating.sides
        # What a point is worth when a game begins: half the swing from the other side's scoring it to ours.
        ahead, behind = (self.equity.chance(*score, we_deal=True) for score in ((1, 0), (0, 1)))
        self.point = (ahead - behind) / 2

    # ---- before ---------------------------------------------------------------------------------

    def started(self, record: GameRecord) -> Iterator[DealStart]:
        """Each deal with the score before it."""
        score = {side: record.initial_score.get(side, 0) for side in self.rules.seating.sides}
        for at, deal in enumerate(record.deals):
            faults: list[Fault] = []
            if max(score.values()) >= self.rules.target:
                message = f"deal {deal.number}: the game was already won; this deal is taken for the first of a new one"
                faults.append(Fault("review.won", message, ("deals", at)))
                score = dict.fromkeys(score, 0)
            result = _result(deal.position)
            if result is None:
                message = f"deal {deal.number}: the result is not recorded; the score goes on as if nobody had scored"
                faults.append(Fault("review.result", message, ("deals", at)))
            yield DealStart(at, deal, dict(score), result, tuple(faults))
            if result is not None:
                score = {side: points + int(result.points[side]) for side, points in score.items()}

    def known(self, start: DealStart) -> _Deal:
        """The deal with what all cards say of it."""
        record, score = start.record, start.score
        position = record.position
        before, chances, dealer = None, None, position.deal.dealer
        if dealer is not None:
            deals = self.rules.seating.side(dealer) == self.first
            before = self.equity.chance(score[self.first], score[self.second], we_deal=deals)
            chances = chances_after(self.rules, dealer, score, self.first)
        illegal = first_illegal_play(position)
        legal = len(position.plays) if illegal is None else illegal.at
        found = tuple(taken(record))
        in_hindsight = hindsight.of_plays(position, legal)
        return _Deal(start.at, record, score, before, chances, start.result, found, illegal, in_hindsight, start.faults)

    # ---- the work: pieces that do not depend on each other ---------------------------------------

    def reviewed(self, deals: Sequence[_Deal], threads: int, progress: Progress | None) -> tuple[DealReview, ...]:
        """The deals, their pieces shared by so many threads."""
        with ThreadPoolExecutor(threads) as pool:
            cards = [pool.submit(self.cards, deal) for deal in deals]
            judged = [[pool.submit(self.decision, deal, each) for each in deal.decisions] for deal in deals]
            _wait([*cards, *(each for of_deal in judged for each in of_deal)], progress)
        return tuple(
            self.deal(deal, of_cards.result(), [each.result() for each in of_deal])
            for deal, of_cards, of_deal in zip(deals, cards, judged, strict=True)
        )

    def cards(self, deal: _Deal) -> _Cards:
        if deal.before is None or deal.chances is None:
            return _Cards(None, ())
        luck_seed, play_seed = seeds_of(self.seed, deal.at)
        position, plays = deal.record.position, self.depth.plays
        luck = card_luck(position, self.equity, deal.before, deal.chances, plays, luck_seed)
        return _Cards(luck, tuple(chances_in_play(position, deal.chances, plays, play_seed)))

    def decision(self, deal: _Deal, decision: Taken) -> ReviewedDecision | Unreviewed:
        bid = decision.action if isinstance(decision.action, Bid) else None
        card = decision.action if isinstance(decision.action, Card) else None
        number = deal.record.number
        try:
            knowledge = knowledge_of(decision, deal.illegal)
            judgement = self._judge(deal, decision, knowledge)
        except InvalidInput as error:
            return Unreviewed(
                number, decision.number, decision.decision, decision.seat, error.faults, decision.trick, bid, card
            )
        best = judgement.best
        in_hindsight = (
            deal.hindsight.get(decision.at) if decision.decision == Decision.PLAY else hindsight.of_choice(decision)
        )
        return ReviewedDecision(
            number,
            decision.number,
            decision.decision,
            decision.seat,
            judgement.forced,
            judgement.error,
            judgement.game_error,
            judgement.held_out,
            judgement.game_held_out,
            judgement.too_close,
            judgement.grade,
            judgement.worlds,
            judgement.options,
            decision.trick,
            bid,
            card,
            best if isinstance(best, Bid) else None,
            best if isinstance(best, Card) else None,
            _reason(knowledge, decision.action, judgement),
            in_hindsight,
        )

    def _judge(self, deal: _Deal, decision: Taken, knowledge: Knowledge) -> Judgement:
        if _is_forced(decision, knowledge):
            return forced(decision.action)
        seeds = seeds_of(self.seed, deal.at, decision.number)
        return judge(knowledge, decision.action, deal.score, self.point, self.depth, seeds)

    # ---- after ----------------------------------------------------------------------------------

    def whole(self, record: GameRecord, deals: tuple[DealReview, ...]) -> Review:
        players, sides = summarize(record.rules, record.players, deals)
        names = ReviewSettings(
            engine_version(), self.depth.name, self.seed, self.policy, self.equity.source, self.point
        )
        return Review(record.rules, record.title, deals, players, sides, record.faults, names)

    def deal(self, deal: _Deal, cards: _Cards, judged: list[ReviewedDecision | Unreviewed]) -> DealReview:
        decisions = tuple(each for each in judged if isinstance(each, ReviewedDecision))
        after = None
        if deal.result is not None and deal.chances is not None:
            after = deal.chances[int(deal.result.net(self.first))]
        return DealReview(
            deal.record.number,
            deal.record.position,
            deal.score,
            self._by_side(deal.before),
            self._by_side(after),
            None if deal.result is None else deal.result.points,
            self._balances(deal, cards.luck, after, decisions, complete=len(decisions) == len(judged)),
            tuple(self._moments(deal, cards, after)),
            decisions,
            tuple(each for each in judged if isinstance(each, Unreviewed)),
            (*deal.record.faults, *deal.faults),
        )

    def _by_side(self, chance: float | None) -> Mapping[Side, float] | None:
        return None if chance is None else {self.first: chance, self.second: 1 - chance}

    def _moments(self, deal: _Deal, cards: _Cards, after: float | None) -> Iterator[Moment]:
        dealt = cards.luck.dealt if cards.luck is not None else None
        for name, chance in (("start", deal.before), ("deal", dealt), *cards.in_play, ("result", after)):
            by_side = self._by_side(chance)
            if by_side is not None:
                yield Moment(deal.record.number, name, by_side)

    def _balances(
        self,
        deal: _Deal,
        luck: CardLuck | None,
        after: float | None,
        decisions: tuple[ReviewedDecision, ...],
        *,
        complete: bool,
    ) -> Mapping[Side, Balances] | None:
        if luck is None or deal.result is None or after is None or deal.before is None:
            return None
        signs = {self.first: 1, self.second: -1}
        sign_of = {seat: signs[self.rules.seating.side(seat)] for seat in self.rules.seating.seats}
        lost = sum(sign_of[each.seat] * each.held_out for each in decisions)
        game_lost = sum(sign_of[each.seat] * each.game_held_out for each in decisions)
        net, gained = deal.result.net(self.first), after - deal.before

        def balance(sign: int, result: float, cards: float, upcard: float, expected: float, lost: float) -> Balance:
            hidden = sign * (result - expected - cards - upcard + lost) if complete else None
            return Balance(sign * result, sign * cards, sign * upcard, hidden)

        return {
            side: Balances(
                balance(sign, net, luck.deal, luck.upcard, luck.expected, lost),
                balance(sign, gained, luck.game_deal, luck.game_upcard, 0.0, game_lost),
            )
            for side, sign in signs.items()
        }


def _result(position: Position) -> Outcome | None:
    """The outcome as the deal was played, or thrown in; None where it is not told."""
    auction = position.auction
    if auction is not None and auction.thrown_in:
        nothing = dict.fromkeys(position.rules.seating.sides, 0)
        return Outcome(nothing, nothing)
    return played(position)


def _is_forced(decision: Taken, knowledge: Knowledge) -> bool:
    """Whether there was one thing to do, or nothing that could matter, as when a dealer who sits out discards; or
    nothing to go by: for a Benny turned up the dealer names trump before looking at the hand."""
    auction = knowledge.auction
    if decision.decision == Decision.PLAY:
        return len(knowledge.position.play().legal()) == 1
    assert auction is not None  # somebody bids or discards
    if decision.decision == Decision.BID:
        return auction.dealer_names or len(auction.legal_bids(knowledge.hand)) == 1
    return knowledge.sitting_out == knowledge.seat or len(discards(auction, knowledge.hand)) == 1


def _reason(knowledge: Knowledge, action: Bid | Card, judgement: Judgement) -> str | None:
    """In words, for what has a grade."""
    best = judgement.best
    if judgement.grade == "none":
        return None
    if isinstance(action, Bid) and isinstance(best, Bid):
        return bid_reason(knowledge, action, best)
    if isinstance(action, Card) and isinstance(best, Card):
        return card_reason(knowledge, action, best)
    return None
