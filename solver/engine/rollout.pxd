"""Rollouts: what has happened in one world, what a seat cannot tell apart there, and who plays it out."""
from solver.engine.chance cimport MOST_UNSEEN
from solver.engine.search cimport Search
from solver.engine.types cimport Cards, uint64_t

cdef enum:
    MOST_TRICKS = 5
    WORLDS_FOR_EQUALS = 4    # in which cards that are worth the same points are told apart by tricks
    MOST_POOLS = 6           # a card of its own, four lanes, the rest


cdef struct Moment:
    # All that has happened in one world. Seats are numbered N E S W; those that sit out have no cards.
    Cards hand[4]
    Cards out[4]             # what each seat knows to be out of play, besides the cards played
    Cards gone[4]            # lanes that each seat has shown to be out of
    Cards unplayed           # the deck without the cards played
    Cards taken              # a card that all know to be in the hand of `taker`; or 0
    int taker
    bint hidden              # they know that it is there or out of play, no more
    Cards table[4]           # from the leader on
    int leader
    int placed
    int seat                 # to act
    int winner               # of the cards on the table
    Cards lane
    Cards best
    int left                 # tricks, the one under way included
    int won                  # by the maximising side


cdef struct Unseen:
    # The cards a seat does not see, in pools whose cards are alike for it, and how many of them the others hold.
    # Who holds what of a pool is open; what nobody holds is out of play.
    int others
    int who[3]
    int need[3]              # cards of the pools
    Cards sure[3]            # and those it knows of
    int pools
    Cards cards[MOST_UNSEEN]
    int first[MOST_POOLS]    # where the cards of each pool begin
    int size[MOST_POOLS]
    int may[MOST_POOLS]      # bit i: others[i] may hold cards of the pool
    # [pool][needs]: one more than the ways to fill the others' needs from that pool on, 0 if they are not counted yet.
    uint64_t known[MOST_POOLS][MOST_TRICKS + 1][MOST_TRICKS + 1][MOST_TRICKS + 1]
    uint64_t weight          # how much more worlds count in which somebody holds the card of pool 0


cdef struct Stream:
    # Random words by number.
    uint64_t key
    uint64_t at


cdef class Playout:
    cdef Search search
    cdef Moment start
    cdef Cards trump
    cdef Cards deck
    cdef bint no_trump
    cdef int active
    cdef int sides
    cdef int following[4]
    cdef double points[MOST_TRICKS + 1]
    cdef int inner[2]        # worlds of a decision: for `sides`, and for the others
    cdef int depth
    cdef uint64_t seed

    cdef void _begin(self, const uint64_t *held, const uint64_t *out, Moment *now) noexcept nogil
    cdef void _push(self, Moment *now, Cards card) noexcept nogil
    cdef void _look(self, const Moment *now, Unseen *unseen) noexcept nogil
    cdef Cards _apart(self, const Moment *now, Cards out) noexcept nogil
    cdef Cards _decide(self, const Moment *now, uint64_t row) noexcept nogil
    cdef void _value(self, const Moment *now, uint64_t row, const Unseen *unseen, uint64_t worlds, int inner,
                     const Cards *cards, int number, int steps, int (*found)[MOST_TRICKS + 1]) noexcept nogil
    cdef int _finish(self, Moment *now, uint64_t row) noexcept nogil
