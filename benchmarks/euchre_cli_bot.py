"""The computer player of the package ``euchre-cli`` (0.7.0) as a player.

    rightbower match pimc:200 benchmarks.euchre_cli_bot:EuchreCli

It is asked what its own game asks, with the arguments of its own game: whether the upcard shall be picked up, and
whether the partner deals; which suit is to be trump, the one turned down meaning none; which card to discard; which
card to play on those that lie. Its hand is in an order drawn by the seed, as a deal's would be, an upcard that it takes
in front. Its game is american euchre without going alone: its player never does, but plays against those who do, whose
tricks are three cards to it. Needs euchre-cli, in the extra bench.

What was found in it, and what becomes of it here:

- With five cards of the suit turned down it looks for the longest of no suits (``IndexError``), and its game ends;
  here it passes.
- Of two suits in which it would have equally many trumps it names the first in a set of objects, which goes by their
  addresses: its games with equal random numbers differ. Here the first of C D H S is named.
- In one of eleven cases it orders whatever it holds, by the global generator of ``random``: that is seeded for each
  decision here, and put back.
- Its game asks again for as long as a card is not legal, and would ask its computer for ever. In a match such a card is
  an error.
- Its game takes the printed suit of a left bower that is led for the suit led. That changes no winner, since every
  trump counts for more.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

from euchre import abstract as theirs

from solver import Bid, Call, Card, CardSet, Decision, Fault, InvalidInput, Knowledge, Rank, Rules, Suit, write_code
from solver.game.auction import ORDER, PASS
from solver.player import legal_actions


class _Suit(theirs.Suit):
    """A suit whose place in a set does not follow from its address."""

    def __init__(self, suit: Suit) -> None:
        super().__init__(suit.name.capitalize().removesuffix("s"), "Black" if suit in _BLACK else "Red")
        self.ours = suit

    def __hash__(self) -> int:
        return int(self.ours)


_BLACK = (Suit.CLUBS, Suit.SPADES)
SUITS = {suit: _Suit(suit) for suit in Suit}
#: One object a card: its player tells suits and cards apart by identity.
CARDS = {
    Card.of(rank, suit): theirs.Card(SUITS[suit], theirs.Face(rank.name.capitalize(), 9 + rank - Rank.NINE))
    for suit in Suit
    for rank in Rank
    if rank >= Rank.NINE
}
_OURS = {id(card): ours for ours, card in CARDS.items()}


class EuchreCli:
    """Asks a `Computer` of the package, made anew for each decision: all that it remembers is its hand."""

    def __init__(self, rules: Rules, seed: int) -> None:
        if rules not in (Rules(), Rules(going_alone="never")):
            message = "euchre-cli plays american, with going_alone as you like: its player does not know other rules"
            raise InvalidInput([Fault("rules.unsupported", message, ("rules",))])
        self.rules = rules
        self.seed = seed

    def act(self, knowledge: Knowledge) -> Bid | Card:
        actions = legal_actions(knowledge)
        if len(actions) == 1:
            return actions[0]
        computer = self._computer(knowledge)
        with _seeded(f"{self.seed} {knowledge.seat} {write_code(knowledge.position)}"):
            if knowledge.decision == Decision.BID:
                return self._bid(computer, knowledge)
            assert knowledge.upcard is not None
            if knowledge.decision == Decision.DISCARD:
                return _OURS[id(computer.pick_up_card(CARDS[knowledge.upcard]))]
            assert knowledge.contract is not None
            table = [CARDS[card] for card in knowledge.position.play().table]
            return _OURS[id(computer.play_card(table, SUITS[knowledge.contract.trump]))]

    def _bid(self, computer: theirs.Computer, knowledge: Knowledge) -> Bid:
        auction, upcard = knowledge.auction, knowledge.upcard
        assert auction is not None
        assert upcard is not None
        if auction.round(len(auction.bids)) == 1:
            partner_deals = self.rules.seating.partner(knowledge.seat) == knowledge.dealer
            return ORDER if computer.call_pick_up(CARDS[upcard], partner_deals) else PASS
        assert upcard.suit is not None
        if all(card.suit == upcard.suit for card in knowledge.hand):
            return PASS
        named = computer.call_trump_suit(SUITS[upcard.suit])
        return PASS if named is SUITS[upcard.suit] else Bid(Call.NAME, named.ours)

    def dealt(self, hand: CardSet) -> list[Card]:
        """A hand in the order in which it is taken to have been dealt."""
        cards = list(hand)
        random.Random(f"{self.seed} {hand}").shuffle(cards)
        return cards

    def _computer(self, knowledge: Knowledge) -> theirs.Computer:
        computer = theirs.Computer(str(knowledge.seat), theirs.Team(str(knowledge.seat)))
        computer.is_dealer = knowledge.seat == knowledge.dealer
        dealt = self.dealt(knowledge.hand)
        if knowledge.discarded and computer.is_dealer and knowledge.upcard is not None:
            dealt.insert(0, knowledge.upcard)
        computer.hand = [CARDS[card] for card in dealt if card in knowledge.held]
        return computer


@contextmanager
def _seeded(seed: str) -> Iterator[None]:
    """The global generator with this seed, and afterwards as it was."""
    before = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(before)
