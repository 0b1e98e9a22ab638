"""Questions about a board: is a threshold reached, and the values found by asking so."""
from solver.engine.board cimport Board, Trick
from solver.engine.types cimport Cards


# Does the maximising side take at least `need` of the `left` tricks to come, the one under way included?
cdef bint position_reaches(Board *board, const Trick *trick, int left, int need) noexcept nogil

# Tricks of the maximising side, `left` being to come with this one. A `guess` saves time when it is right.
cdef int position_value(Board *board, const Trick *trick, int left, int guess) noexcept nogil

# The same after a card, by `steps`: where bit t is not set, t tricks need not be told from fewer.
cdef enum:
    EVERY_STEP = 0b111110
cdef int card_value(Board *board, const Trick *trick, Cards card, int left, int guess, int steps) noexcept nogil
