"""The auction policy: how each seat bids, by its position, hand and the upcard; and what the dealer throws away.

`policy_for` gives the shipped approximate equilibrium (`solver.bidding.build_policy` makes it, docs/policy.md describes
it) for rules whose auction it was made for, and `solver.bidding.simple` for all others. Neither looks at the score.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.bidding import simple
from solver.bidding.hands import (
    CROSS,
    OTHER_CROSS,
    UP,
    card_indexes,
    number,
    relative,
    suit_of_role,
    up_rank,
)
from solver.errors import Fault, InvalidInput
from solver.game.auction import PASS, Auction, Bid, Call
from solver.game.cards import HAND_SIZE, Card, CardSet
from solver.game.rules import PRESETS, Rules
from solver.game.seats import partner_of

#: The presets that have a table of their own, and the file that holds them.
BUILT = ("american", "cardporch", "canadian", "spanish")
DATA = "policy.npz"

#: The calls of a table: twice the role of the suit, plus one if alone; then either cross suit, where a hand holds the
#: same in both, with the partner and alone.
CALLS = 8
EITHER_CROSS = 8
#: What a share of 1 is stored as.
WHOLE = 255
#: Rows of the table of discards: the dealer's side plays, the others do, the dealer plays alone.
OURS, THEIRS, ALONE = range(3)


@dataclass(frozen=True)
class Policy(ABC):
    """One way to bid. ``name`` goes into the settings of results that rest on it."""

    name: str

    @abstractmethod
    def bid_batch(self, auction: Auction, hands: NDArray[np.uint64]) -> NDArray[np.float64]:
        """The chance of each bid for each hand of the seat to act: ``[n, k]``, as ``auction.legal_bids()`` lists them.

        Hands are as dealt, the bit of a card being ``8 * suit + rank``. A bid that is not legal with a hand has no
        chance. Raises `InvalidInput` if the auction is over, or a hand has not five cards of the deck or holds the
        upcard.
        """

    def chance_batch(self, auction: Auction, bid: Bid, hands: NDArray[np.uint64]) -> NDArray[np.float64]:
        """The chance of one legal bid for each hand: ``[n]``, that column of `bid_batch`."""
        return self.bid_batch(auction, hands)[:, auction.legal_bids().index(bid)]

    @abstractmethod
    def discard_batch(self, auction: Auction, hands: NDArray[np.uint64]) -> NDArray[np.uint8]:
        """The index of the card that the dealer throws away, for each hand as dealt, without the upcard: ``[n]``.

        The auction has put the upcard into the dealer's hand. Raises `InvalidInput` if it has not, and as `bid_batch`.
        """

    def probabilities(self, auction: Auction, hand: CardSet) -> dict[Bid, float]:
        """The chance of each legal bid of the seat to act, pass first."""
        row = self.bid_batch(auction, np.array([hand.bits], dtype=np.uint64))[0]
        by_bid = dict(zip(auction.legal_bids(), row.tolist(), strict=True))
        return {bid: by_bid[bid] for bid in auction.legal_bids(hand)}

    def choose(self, auction: Auction, hand: CardSet) -> Bid:
        """The most likely bid; of equally likely ones the first as the rules list them."""
        chances = self.probabilities(auction, hand)
        return max(chances, key=lambda bid: chances[bid])

    def discard(self, auction: Auction, hand: CardSet) -> Card:
        """The card that the dealer throws away, having been dealt ``hand``."""
        return Card(int(self.discard_batch(auction, np.array([hand.bits], dtype=np.uint64))[0]))


@dataclass(frozen=True)
class SimplePolicy(Policy):
    """The bidder that adds up a hand."""

    def bid_batch(self, auction: Auction, hands: NDArray[np.uint64]) -> NDArray[np.float64]:
        _check_bidding(auction, hands)
        return np.eye(len(auction.legal_bids()))[simple.choose_bids(auction, hands)]

    def discard_batch(self, auction: Auction, hands: NDArray[np.uint64]) -> NDArray[np.uint8]:
        _check_discarding(auction, hands)
        return simple.throw_away_each(auction, hands)


@dataclass(frozen=True)
class TablePolicy(Policy):
    """A policy over every information set: ``calls`` and ``shares`` are ``uint8[8, 6, hands]``, by the number of the
    bid, the rank of the upcard and the number of the hand: what it bids if it bids, and how often, of `WHOLE`.
    ``discards`` are ``uint8[3, 2, hands of six]``: the best card and the second, as a card in roles."""

    calls: NDArray[np.uint8]
    shares: NDArray[np.uint8]
    discards: NDArray[np.uint8]

    def bid_batch(self, auction: Auction, hands: NDArray[np.uint64]) -> NDArray[np.float64]:
        tables = self._looked_up(auction, hands)
        return np.column_stack([self._chances(auction, bid, *tables) for bid in auction.legal_bids()])

    def chance_batch(self, auction: Auction, bid: Bid, hands: NDArray[np.uint64]) -> NDArray[np.float64]:
        return self._chances(auction, bid, *self._looked_up(auction, hands))

    def _looked_up(self, auction: Auction, hands: NDArray[np.uint64]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """What each hand bids if it does not pass, and how often it does not."""
        _check_bidding(auction, hands)
        suit = auction.upcard.suit
        assert suit is not None
        at = len(auction.bids), up_rank(auction.upcard)
        places = number(relative(hands, suit))
        return self.calls[at][places], self.shares[at][places] / WHOLE

    def _chances(
        self, auction: Auction, bid: Bid, calls: NDArray[np.uint8], shares: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        if bid == PASS:
            return 1 - shares
        suit = auction.upcard.suit
        assert suit is not None
        role = UP if bid.call == Call.ORDER else suit_of_role(suit).index(bid.suit)
        chances: NDArray[np.float64] = shares * (calls == 2 * role + bid.alone)
        if role in (CROSS, OTHER_CROSS):
            chances += shares * 0.5 * (calls == EITHER_CROSS + bid.alone)
        return chances

    def discard_batch(self, auction: Auction, hands: NDArray[np.uint64]) -> NDArray[np.uint8]:
        _check_discarding(auction, hands)
        suit, contract = auction.upcard.suit, auction.contract
        assert suit is not None and contract is not None
        ours = contract.maker in (auction.dealer, partner_of(auction.dealer))
        kind = ALONE if contract.alone and contract.maker == auction.dealer else OURS if ours else THEIRS
        places = number(relative(hands | np.uint64(auction.upcard.bit), suit), HAND_SIZE + 1)
        best, second = card_indexes(suit)[self.discards[kind][:, places]]
        rules = auction.rules
        may_return = rules.dealer_may_discard_upcard or (
            rules.dealer_may_decline_upcard and contract.maker != auction.dealer
        )
        legal: NDArray[np.uint8] = best if may_return else np.where(best == auction.upcard.index, second, best)
        return legal


@cache
def policy_for(rules: Rules) -> Policy:
    """The policy of these rules; loaded once.

    A table is used where every option that the auction or the points depend on is that of a preset it was built for.
    Who leads against a loner, the target, and whether the dealer may throw the upcard away are not compared: they
    change what contracts are worth a little, and the bids hardly.
    """
    return _policy_for(replace(rules, lone_lead="dealer_left", target=10, dealer_may_discard_upcard=True))


@cache
def _policy_for(rules: Rules) -> Policy:
    for preset in BUILT:
        if rules == replace(PRESETS[preset], lone_lead="dealer_left"):
            tables = load_tables()
            if tables is not None and f"{preset}_calls" in tables:
                version = json.loads(str(tables["provenance"]))["version"]
                calls, shares = tables[f"{preset}_calls"], tables[f"{preset}_shares"]
                return TablePolicy(f"{preset}-{version}", calls, shares, tables["discards"])
    return SimplePolicy("simple")


@cache
def load_tables() -> dict[str, NDArray[Any]] | None:
    """The arrays of the data file by name, with ``provenance``, a JSON text; None if there is no such file."""
    source = files("solver.bidding") / "data" / DATA
    if not source.is_file():
        return None
    with np.load(BytesIO(source.read_bytes()), allow_pickle=False) as stored:
        tables = {name: stored[name] for name in stored.files}
    for table in tables.values():
        table.flags.writeable = False
    return tables


def checksum(tables: dict[str, NDArray[Any]]) -> str:
    """Of all arrays but the provenance, which states it."""
    digest = blake2b(digest_size=16)
    for name in sorted(tables):
        if name != "provenance":
            digest.update(f"{name} {tables[name].shape}".encode())
            digest.update(np.ascontiguousarray(tables[name]).tobytes())
    return digest.hexdigest()


def _check_bidding(auction: Auction, hands: NDArray[np.uint64]) -> None:
    if auction.over:
        raise InvalidInput([Fault("field.conflict", "the auction is over: nobody is to bid", ("auction",))])
    _check_hands(auction, hands)


def _check_discarding(auction: Auction, hands: NDArray[np.uint64]) -> None:
    if not auction.takes_upcard or auction.contract is None:
        raise InvalidInput([Fault("field.conflict", "the dealer has taken no upcard", ("auction",))])
    _check_hands(auction, hands)


def _check_hands(auction: Auction, hands: NDArray[np.uint64]) -> None:
    foreign = (hands & ~np.uint64(auction.rules.cards.bits)) != 0
    unlike = np.bitwise_count(hands) != HAND_SIZE
    held = hands & np.uint64(auction.upcard.bit) != 0
    for bad, code, message in (
        (foreign, "card.foreign", "a card that the deck does not have"),
        (unlike, "hand.size", f"a hand is dealt {HAND_SIZE} cards"),
        (held, "card.duplicate", f"the upcard {auction.upcard} is in a hand"),
    ):
        if bad.any():
            raise InvalidInput([Fault(code, f"row {int(bad.argmax())}: {message}", ("hands", int(bad.argmax())))])
