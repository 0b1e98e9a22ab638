"""From what a seat knows to the worlds that fit it, counted exactly.

Unseen cards that may go to the same places form a group. A split says how many cards of each group go to each place;
its worlds are the ways to choose them, a product of binomials. All splits together are all worlds, each once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from math import comb, factorial, prod
from typing import TYPE_CHECKING

import numpy as np

from solver.errors import Fault, InvalidInput
from solver.game.auction import Call
from solver.game.cards import HAND_SIZE, Card, CardSet, Suit
from solver.game.seats import Seat
from solver.knowledge.seen import Knowledge, UpcardAt

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Places after the hands, which have the numbers of their seats. The kitty is what was not dealt, the upcard apart;
#: without an upcard every card that is out of play.
DISCARD, KITTY = 4, 5

#: Ways to choose k of n.
_CHOOSE = np.array([[comb(n, k) for k in range(34)] for n in range(34)], dtype=np.int64)


@dataclass(frozen=True)
class Group:
    """Unseen cards that may go to the same places. ``counts``: one of them would have allowed the maker to order."""

    cards: CardSet
    places: frozenset[int]
    counts: bool


@dataclass(frozen=True)
class Puzzle:
    """Where unseen cards may be: groups, and how many cards each place takes.

    ``need``: if not empty, one card at least of a group that ``counts`` lies at one of these places.
    """

    groups: tuple[Group, ...]
    room: tuple[tuple[int, int], ...]
    need: frozenset[int] = frozenset()

    @cached_property
    def splits(self) -> NDArray[np.uint8]:
        """All splits, ``uint8[splits, places, groups]``, in lexicographic order.

        Raises `InvalidInput` if 63 bits could not count the worlds; no deck that can be chosen comes near.
        """
        size = sum(room for _, room in self.room)
        if factorial(size) // prod(factorial(room) for _, room in self.room) >= 1 << 63:
            raise InvalidInput([Fault("rules.unsupported", f"{size} unseen cards have too many worlds", ("rules",))])
        sizes = [len(group.cards) for group in self.groups]
        left = np.array([sizes], dtype=np.int8)
        splits = np.zeros((1, 0, len(sizes)), dtype=np.int8)
        for place, room in self.room[:-1]:
            most = [min(size, room) * (place in group.places) for size, group in zip(sizes, self.groups, strict=True)]
            here = np.array(list(_compositions(room, most)), dtype=np.int8).reshape(-1, len(sizes))
            after = left[:, None] - here
            row, way = np.nonzero((after >= 0).all(axis=2))
            splits = np.concatenate([splits[row], here[way][:, None]], axis=1)
            left = after[row, way]
        # The last place takes what is left, if it may: room and cards are equally many.
        last, _ = self.room[-1]
        may = np.array([last in group.places for group in self.groups])
        fits = (left[:, ~may] == 0).all(axis=1)
        splits = np.concatenate([splits, left[:, None]], axis=1)[fits]
        if self.need:
            at = [number for number, (place, _) in enumerate(self.room) if place in self.need]
            of = [number for number, group in enumerate(self.groups) if group.counts]
            splits = splits[splits[:, at][:, :, of].sum(axis=(1, 2)) > 0]
        return np.ascontiguousarray(splits, dtype=np.uint8)

    @cached_property
    def first(self) -> NDArray[np.uint64]:
        """The number of the first world of each split, and then the number of all: ``uint64[splits + 1]``."""
        splits = self.splits.astype(np.intp)
        # Cards that a place and all later ones take, by group: what the place chooses from.
        held = splits[:, ::-1].cumsum(axis=1)[:, ::-1]
        worlds = _CHOOSE[held, splits].prod(axis=(1, 2))
        return np.concatenate([[0], worlds.cumsum()]).astype(np.uint64)

    @property
    def count(self) -> int:
        """The number of worlds."""
        return int(self.first[-1])


def _compositions(total: int, most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to write ``total`` as a sum with those upper bounds, in lexicographic order."""
    if not most:
        if total == 0:
            yield ()
        return
    for head in range(max(0, total - sum(most[1:])), min(total, most[0]) + 1):
        for tail in _compositions(total - head, most[1:]):
            yield (head, *tail)


# ---- from knowledge ------------------------------------------------------------------------------


class Kind(Enum):
    """Ways in which something seen limits where a card may be."""

    VOID = "a seat has no card of a suit"
    UPCARD = "the dealer has not discarded the upcard"
    NATURAL = "the maker was dealt a card that allowed to order"


@dataclass(frozen=True)
class Constraint:
    """Something seen that limits where a card may be: in words, and its place in the position."""

    kind: Kind
    words: str
    path: tuple[str | int, ...]
    void: tuple[Seat, Suit] | None = None


@lru_cache(maxsize=256)
def puzzle(knowledge: Knowledge) -> Puzzle:
    """The worlds that fit. Raises `InvalidInput` (``world.none``) naming what excludes each other if there are none."""
    limits = tuple(_constraints(knowledge))
    made = _puzzle(knowledge, limits)
    if made.count:
        return made
    alone = [limit for limit in limits if _puzzle(knowledge, [each for each in limits if each != limit]).count]
    raise InvalidInput(
        Fault("world.none", f"no world fits what was seen: {limit.words}", limit.path) for limit in alone or limits
    )


def _constraints(knowledge: Knowledge) -> Iterator[Constraint]:
    """Everything that limits where an unseen card may be, besides the sizes of the hands."""
    for (seat, suit), at in knowledge.shown_void.items():
        place = f"trick {knowledge.trick(at)}, {seat}"
        words = f"{seat} has no {suit} after {knowledge.plays[at]} ({place})"
        yield Constraint(Kind.VOID, words, ("plays", at), (seat, suit))
    if knowledge.upcard_at == UpcardAt.DEALER and knowledge.discarded and knowledge.discard is None:
        words = f"{knowledge.dealer} took {knowledge.upcard} and has not discarded it"
        yield Constraint(Kind.UPCARD, words, ("upcard",))
    if _needs_natural(knowledge):
        assert knowledge.auction is not None
        at = len(knowledge.bids) - 1
        words = f"{knowledge.auction.bidder(at)} ordered and so was dealt a card printed in {knowledge.auction.up_suit}"
        yield Constraint(Kind.NATURAL, words, ("auction", at))


def _needs_natural(knowledge: Knowledge) -> bool:
    """Whether the maker's order shows a card printed in the upcard's suit that nobody has seen yet."""
    auction, bid = knowledge.auction, knowledge.auction.winning_bid if knowledge.auction is not None else None
    if auction is None or bid is None or bid.call != Call.ORDER or not knowledge.rules.natural_trump_to_order:
        return False
    maker = auction.bidder(len(auction.bids) - 1)
    seen = knowledge.hand if maker == knowledge.seat else knowledge.played[maker].without(auction.upcard)
    return not any(card.suit == auction.up_suit for card in seen)


def _puzzle(knowledge: Knowledge, limits: Iterable[Constraint]) -> Puzzle:
    """The puzzle under these constraints."""
    rules, dealer, upcard = knowledge.rules, knowledge.dealer, knowledge.upcard
    order = knowledge.order
    voids = {limit.void for limit in limits}
    kinds = {limit.kind for limit in limits}
    others = [seat for seat in rules.seating.seats if seat != knowledge.seat]

    # 1. How many cards each place takes.
    room = {int(seat): HAND_SIZE - len(knowledge.played[seat]) for seat in others}
    if knowledge.taken and not knowledge.discarded and dealer in room:
        room[dealer] += 1
    if knowledge.discarded and knowledge.discard is None:
        room[DISCARD] = 1
    room[KITTY] = rules.deck - HAND_SIZE * rules.seats - (upcard is not None)
    # A dealer's own hand is a place only where its discard is lost, and was one of the cards given.
    own = CardSet()
    if DISCARD in room and knowledge.seat == dealer and len(knowledge.hand) == HAND_SIZE:
        own = knowledge.held
        room[knowledge.seat] = len(own) - 1
    room = {place: cards for place, cards in sorted(room.items()) if cards}

    # 2. Where each card may be.
    unseen = rules.cards - knowledge.hand - CardSet.of(knowledge.plays)
    unseen = unseen.without(upcard) if upcard is not None else unseen

    def places(card: Card) -> Iterator[int]:
        for place in room:
            if place == DISCARD:
                can = not own or card in own
            elif place == KITTY:
                can = card not in own
            elif place == knowledge.seat:
                can = card in own
            else:
                can = card not in own and (order is None or (Seat(place), order.suit(card)) not in voids)
            if card == upcard:
                can = can and (place == dealer or (place == DISCARD and Kind.UPCARD not in kinds))
            if can:
                yield place

    cards = unseen | own
    with_dealer = knowledge.upcard_at in (UpcardAt.DEALER, UpcardAt.DEALER_OR_DISCARD)
    if upcard is not None and with_dealer and knowledge.seat != dealer:
        cards = cards.with_card(upcard)

    # 3. Cards alike in that are one group; the maker's naturals are told apart if one of them is needed.
    natural, need = None, frozenset[int]()
    if Kind.NATURAL in kinds and knowledge.auction is not None:
        natural, maker = knowledge.auction.up_suit, knowledge.auction.bidder(len(knowledge.bids) - 1)
        need = frozenset([int(maker), DISCARD] if maker == dealer else [int(maker)])
    groups: dict[tuple[frozenset[int], bool], CardSet] = {}
    for card in cards:
        counts = natural is not None and card.suit == natural and card != upcard
        key = frozenset(places(card)), counts
        groups[key] = groups.get(key, CardSet()).with_card(card)
    found = tuple(Group(alike, where, counts) for (where, counts), alike in groups.items())
    return Puzzle(found, tuple(room.items()), need)
