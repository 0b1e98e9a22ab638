"""What was wrong with a card that was played, or with a discard: facts that the seat saw, in a player's words.

Each function looks for one fact about the card taken and the best one, and says nothing where it does not hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from solver.analysis.review.words import card_name, listed_of_one_suit
from solver.game.cards import Card, CardSet, Rank, Suit
from solver.game.order import CardOrder
from solver.game.play import Play
from solver.game.position import Decision
from solver.game.seats import Seat
from solver.knowledge.seen import Knowledge


@dataclass(frozen=True)
class CardChoice:
    """The card ``taken`` and the ``best`` one, with what the seat saw. They are not the same card."""

    knowledge: Knowledge
    taken: Card
    best: Card

    @cached_property
    def order(self) -> CardOrder:
        order = self.knowledge.order
        assert order is not None  # there is a contract
        return order

    @cached_property
    def play(self) -> Play:
        return self.knowledge.position.play()

    @property
    def seat(self) -> Seat:
        return self.knowledge.seat

    @property
    def partner(self) -> Seat | None:
        """The partner, if in play."""
        partner = self.knowledge.rules.seating.partner(self.seat)
        return partner if partner in self.play.active else None

    @property
    def trumps(self) -> CardSet:
        return self.order.members(self.order.trump) if self.order.trump is not None else CardSet()

    @property
    def leads(self) -> bool:
        return not self.play.table

    @property
    def is_last(self) -> bool:
        """Whether the seat plays the last card of the trick."""
        return len(self.play.table) == len(self.play.active) - 1

    @property
    def winning(self) -> tuple[Seat, Card]:
        """Who wins the trick so far, with what card; somebody has led."""
        at = self.order.winner(self.play.table)
        return self.play.order_of_trick()[at], self.play.table[at]

    def wins(self, card: Card) -> bool:
        """Whether the card beats all that lie on the table."""
        table = (*self.play.table, card)
        return self.order.winner(table) == len(table) - 1

    def opponents_may_follow_with(self, suit: Suit) -> CardSet:
        """The cards of a suit that opponents who are to play in this trick may hold, by what was seen."""
        knowledge, seating = self.knowledge, self.knowledge.rules.seating
        later = self.play.order_of_trick()[len(self.play.table) + 1 :]
        opponents = [seat for seat in later if seating.side(seat) != seating.side(self.seat)]
        able = [seat for seat in opponents if suit not in knowledge.voids[seat]]
        unseen = self.order.members(suit) - knowledge.hand - CardSet.of(knowledge.plays)
        if knowledge.discard is not None:
            unseen = unseen.without(knowledge.discard)
        # Where the card turned up is, everybody knows: in the dealer's hand, or nowhere.
        if knowledge.upcard is not None and not (knowledge.taken and knowledge.dealer in able):
            unseen = unseen.without(knowledge.upcard)
        return unseen if able else CardSet()

    def suit(self, card: Card) -> Suit:
        return self.order.suit(card)

    def is_trump(self, card: Card) -> bool:
        return card in self.trumps

    def higher(self, one: Card, other: Card) -> bool:
        """Whether the first beats the second in their suit."""
        return self.suit(one) == self.suit(other) and self.order.strength(one) > self.order.strength(other)

    def is_side_ace(self, card: Card) -> bool:
        return card.rank == Rank.ACE and not self.is_trump(card)

    def name(self, card: Card) -> str:
        return card_name(card, self.order)


Reason = Callable[[CardChoice], str | None]


# ---- on lead ------------------------------------------------------------------------------------


def kept_trump_as_maker(choice: CardChoice) -> str | None:
    contract = choice.knowledge.contract
    is_maker = contract is not None and contract.maker == choice.seat
    if is_maker and choice.leads and choice.is_trump(choice.best) and not choice.is_trump(choice.taken):
        held = sorted(choice.knowledge.held & choice.trumps, key=choice.order.strength, reverse=True)
        return f"as maker did not lead trump, holding {listed_of_one_suit(held, choice.order)}"
    return None


def led_trump_for_the_makers(choice: CardChoice) -> str | None:
    contract, seating = choice.knowledge.contract, choice.knowledge.rules.seating
    defends = contract is not None and seating.side(contract.maker) != seating.side(choice.seat)
    if defends and choice.leads and choice.is_trump(choice.taken) and not choice.is_trump(choice.best):
        return "led trump for the makers"
    return None


def kept_an_ace_on_lead(choice: CardChoice) -> str | None:
    if not choice.leads or not choice.is_side_ace(choice.best) or choice.is_side_ace(choice.taken):
        return None
    if choice.is_trump(choice.taken):
        return f"led trump before {choice.name(choice.best)}"
    return f"did not lead {choice.name(choice.best)}"


def led_low_trump(choice: CardChoice) -> str | None:
    if choice.leads and choice.is_trump(choice.taken) and choice.higher(choice.best, choice.taken):
        return f"led {choice.name(choice.taken)} and kept {choice.name(choice.best)}"
    return None


# ---- with the partner's card winning ------------------------------------------------------------


def took_the_partners_trick(choice: CardChoice) -> str | None:
    if choice.leads or not choice.wins(choice.taken) or choice.wins(choice.best):
        return None
    winner, card = choice.winning
    if winner != choice.partner:
        return None
    verb = "trumped" if choice.is_trump(choice.taken) and not choice.is_trump(card) else "overtook"
    what = "ace" if choice.is_side_ace(card) else f"winning {choice.name(card).removeprefix('the ')}"
    return f"{verb} partner's {what}"


# ---- with an opponent's card winning ------------------------------------------------------------


def let_the_trick_go(choice: CardChoice) -> str | None:
    if choice.leads or choice.wins(choice.taken) or not choice.wins(choice.best):
        return None
    winner, card = choice.winning
    if winner == choice.partner:
        return None
    if choice.is_trump(choice.best) and not choice.is_trump(card) and not choice.is_trump(choice.taken):
        return f"did not trump {winner}'s {choice.name(card).removeprefix('the ')}"
    if choice.is_last:
        return f"left the trick to {winner}, though {choice.name(choice.best)} takes it"
    return f"did not beat {winner}'s {choice.name(card).removeprefix('the ')} with {choice.name(choice.best)}"


def trumped_too_low(choice: CardChoice) -> str | None:
    """A trump that loses to one on the table, where another card need not have been wasted."""
    if choice.leads or not choice.is_trump(choice.taken) or choice.wins(choice.taken):
        return None
    led = choice.play.led
    winner, card = choice.winning
    if led is None or choice.is_trump(led) or not choice.is_trump(card) or choice.is_trump(choice.best):
        return None
    whose = "partner" if winner == choice.partner else winner
    return f"trumped below {whose}'s {choice.name(card).removeprefix('the ')}"


def trumped_too_high(choice: CardChoice) -> str | None:
    """A trump where a lower one wins so far, and another card was led. In the last place that is said otherwise."""
    if choice.leads or choice.is_last or not (choice.is_trump(choice.taken) and choice.is_trump(choice.best)):
        return None
    led = choice.play.led
    if (
        led is None
        or choice.is_trump(led)
        or not choice.wins(choice.best)
        or not choice.higher(choice.taken, choice.best)
    ):
        return None
    return f"trumped with {choice.name(choice.taken)} and kept {choice.name(choice.best)}"


def covered_too_low(choice: CardChoice) -> str | None:
    """A card that wins so far and that an opponent, who is to play, may beat; with the highest of the suit in hand."""
    both_win = not choice.leads and choice.wins(choice.taken) and choice.wins(choice.best)
    if choice.is_last or not both_win or not choice.higher(choice.best, choice.taken):
        return None
    to_come = choice.opponents_may_follow_with(choice.suit(choice.taken))
    if not any(choice.higher(card, choice.taken) for card in to_come):
        return None
    if any(choice.higher(card, choice.best) for card in to_come):
        return None
    return f"played {choice.name(choice.taken)}, which can be beaten, and kept {choice.name(choice.best)}"


# ---- any place ----------------------------------------------------------------------------------


def spent_more_than_needed(choice: CardChoice) -> str | None:
    """The last card of a trick that a lower one of its suit takes as well."""
    both_win = not choice.leads and choice.wins(choice.taken) and choice.wins(choice.best)
    if choice.is_last and both_win and choice.higher(choice.taken, choice.best):
        return f"spent {choice.name(choice.taken)} where {choice.name(choice.best)} takes the trick as well"
    if choice.is_last and both_win and choice.is_trump(choice.taken) and not choice.is_trump(choice.best):
        return f"spent a trump where {choice.name(choice.best)} takes the trick as well"
    return None


def threw_high_after_low(choice: CardChoice) -> str | None:
    """A high card under one that beats both it and the lower one of its suit."""
    lost = not choice.leads and not choice.wins(choice.taken) and not choice.wins(choice.best)
    if lost and choice.higher(choice.taken, choice.best):
        return f"threw {choice.name(choice.taken)} on the trick and kept {choice.name(choice.best)}"
    return None


def threw_away_an_ace(choice: CardChoice) -> str | None:
    lost = not choice.leads and not choice.wins(choice.taken)
    if lost and choice.is_side_ace(choice.taken) and not choice.is_side_ace(choice.best):
        return f"threw away {choice.name(choice.taken)}"
    return None


#: In the order in which they are looked for: what says most first.
PLAY_REASONS: tuple[Reason, ...] = (
    took_the_partners_trick,
    trumped_too_low,
    let_the_trick_go,
    trumped_too_high,
    covered_too_low,
    threw_away_an_ace,
    spent_more_than_needed,
    threw_high_after_low,
    kept_trump_as_maker,
    led_trump_for_the_makers,
    kept_an_ace_on_lead,
    led_low_trump,
)


# ---- the discard --------------------------------------------------------------------------------


def discarded_a_trump(choice: CardChoice) -> str | None:
    if choice.is_trump(choice.taken) and not choice.is_trump(choice.best):
        return f"discarded a trump, {choice.name(choice.taken)}"
    return None


def discarded_an_ace(choice: CardChoice) -> str | None:
    if choice.is_side_ace(choice.taken) and not choice.is_side_ace(choice.best):
        return f"discarded {choice.name(choice.taken)}"
    return None


def made_no_void(choice: CardChoice) -> str | None:
    """The best card is the only one of its plain suit, the one taken is not."""
    held = choice.knowledge.held

    def alone(card: Card) -> bool:
        return not choice.is_trump(card) and len(held & choice.order.members(choice.suit(card))) == 1

    if alone(choice.best) and not alone(choice.taken):
        return f"kept {choice.name(choice.best)}, the only card of its suit, instead of making a void"
    return None


DISCARD_REASONS: tuple[Reason, ...] = (discarded_a_trump, discarded_an_ace, made_no_void)


def card_reason(knowledge: Knowledge, taken: Card, best: Card) -> str | None:
    """What was wrong with the card, in words; None where none of the facts looked for holds."""
    if taken == best:
        return None
    choice = CardChoice(knowledge, taken, best)
    reasons = DISCARD_REASONS if knowledge.decision == Decision.DISCARD else PLAY_REASONS
    return next((text for reason in reasons if (text := reason(choice)) is not None), None)
