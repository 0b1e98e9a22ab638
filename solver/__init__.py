"""Rightbower: hand analysis for Euchre.

>>> from solver import analyze, read_code
>>> position = read_code("american.N.JH.9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS.po.9C")
>>> analyze(position).outcome.tricks
{<Side.NS: 'NS'>: 5, <Side.EW: 'EW'>: 0}
"""

from solver.analysis.analyze import analyze
from solver.analysis.rate import rate_bid
from solver.analysis.rate_values import BidRating, RatedBid, Verdict
from solver.analysis.review.depths import DEPTHS, Depth
from solver.analysis.review.game import review
from solver.analysis.review.values import Review, ReviewedDecision
from solver.analysis.trace import trace
from solver.analysis.values import (
    Analysis,
    ContractValue,
    Move,
    Option,
    Outcome,
    Par,
    Settings,
    engine_version,
)
from solver.batch.results import read_results
from solver.engine.doubledummy import classify_batch, solve_batch, solve_contracts
from solver.errors import CODES, Fault, InvalidInput, RightbowerError, Stopped, StorageFailed
from solver.game.auction import Auction, Bid, Call, Contract
from solver.game.cards import BENNY, DECKS, Card, CardSet, Rank, Suit
from solver.game.deal import Deal, random_deal
from solver.game.order import CardOrder, card_order
from solver.game.play import Play, Trick
from solver.game.position import Decision, Position
from solver.game.record import DealRecord, GameRecord
from solver.game.rules import PRESETS, Rules, preset
from solver.game.scoring import Game
from solver.game.seats import Seat, Seating, Side
from solver.knowledge.seen import Knowledge, UpcardAt
from solver.knowledge.worlds import Worlds, all_worlds, count_worlds, sample_worlds
from solver.logs import formats_document
from solver.logs.review_query import ReviewQuery, ReviewSchema, read_review_query
from solver.notation.answers import AnalysisAnswer, RatingAnswer
from solver.notation.codes import read_bid, read_card, read_cards, read_seat
from solver.notation.deal_code import read_code, write_code
from solver.notation.documents import PositionSchema, read_position
from solver.notation.query import AnalyzeSchema, Query, read_query
from solver.notation.rate_query import RateQuery, RateSchema, read_rate_query
from solver.notation.review_answer import ReviewAnswer
from solver.notation.rules_document import rules_document
from solver.player import Player, RandomPlayer

__all__ = [
    "BENNY",
    "CODES",
    "DECKS",
    "DEPTHS",
    "PRESETS",
    "Analysis",
    "AnalysisAnswer",
    "AnalyzeSchema",
    "Auction",
    "Bid",
    "BidRating",
    "Call",
    "Card",
    "CardOrder",
    "CardSet",
    "Contract",
    "ContractValue",
    "Deal",
    "DealRecord",
    "Decision",
    "Depth",
    "Fault",
    "Game",
    "GameRecord",
    "InvalidInput",
    "Knowledge",
    "Move",
    "Option",
    "Outcome",
    "Par",
    "Play",
    "Player",
    "Position",
    "PositionSchema",
    "Query",
    "RandomPlayer",
    "Rank",
    "RateQuery",
    "RateSchema",
    "RatedBid",
    "RatingAnswer",
    "Review",
    "ReviewAnswer",
    "ReviewQuery",
    "ReviewSchema",
    "ReviewedDecision",
    "RightbowerError",
    "Rules",
    "Seat",
    "Seating",
    "Settings",
    "Side",
    "Stopped",
    "StorageFailed",
    "Suit",
    "Trick",
    "UpcardAt",
    "Verdict",
    "Worlds",
    "all_worlds",
    "analyze",
    "card_order",
    "classify_batch",
    "count_worlds",
    "engine_version",
    "formats_document",
    "preset",
    "random_deal",
    "rate_bid",
    "read_bid",
    "read_card",
    "read_cards",
    "read_code",
    "read_position",
    "read_query",
    "read_rate_query",
    "read_results",
    "read_review_query",
    "read_seat",
    "review",
    "rules_document",
    "sample_worlds",
    "solve_batch",
    "solve_contracts",
    "trace",
    "write_code",
]
