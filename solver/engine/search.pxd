"""What other compiled modules use of the search: a board, and whether a threshold can be reached on it."""
from solver.engine.endings cimport Endings, EndingTable
from solver.engine.table cimport Table
from solver.engine.three_tricks cimport Endings3, ThreeTricks
from solver.engine.types cimport Cards, int64_t, uint8_t, uint64_t


cdef struct Board:
    # Seats are numbered 0 to seats - 1 in order of play here; those that sit out are left away.
    Cards hand[4]
    Cards dead[6]            # [tricks left]: bits out of play when that trick began
    Cards trump              # lane 3, or 0 in no-trump
    int seats
    int sides                # bit s: seat s is on the maximising side
    uint64_t family[4]       # [leader]: what a table key says of the players
    const uint8_t *two_left[4]    # [leader]: values of two-trick endings; NULL if they are not kept
    const uint8_t *three_left[4]  # the same of three-trick endings
    const Endings3 *endings3      # of this number of seats
    int64_t nodes            # cards played
    bint four_seats          # partners opposite, with trump
    bint pext                # squeeze and count by instruction
    bint quick               # and the file of three-trick endings is at hand
    Table table
    const Endings *endings


cdef struct Trick:
    # The trick on the table.
    int seat                 # to act
    int placed               # cards on the table
    Cards lane               # lane led; without meaning while the table is empty
    Cards best               # the card that is winning
    int winner               # and whose it is


cdef class Search:
    cdef Board board
    cdef EndingTable _endings
    cdef ThreeTricks _three_tricks
    cdef int _numbers[4]     # of N E S W on the board

    cdef int _set_up(self, const Cards *hands, int leader, const Cards *played, int placed, int active,
                     int sides, bint no_trump, Trick *trick) noexcept nogil
    cdef int _row(self, const uint64_t *hands, int trump, int leader, int sitting_out,
                  const uint64_t *words, bint turned, Trick *trick) noexcept nogil
    cdef int _best_discard(self, int seat, Cards six, const Trick *trick, int left, Cards *discard) noexcept nogil
    cdef int _position(self, hands, int leader, played, int active, int sides, bint no_trump,
                       Trick *trick) except -1


# Tricks of the maximising side, `left` being to come with this one. A `guess` saves time when it is right.
cdef int position_value(Board *board, const Trick *trick, int left, int guess) noexcept nogil
cdef int card_value(Board *board, const Trick *trick, Cards card, int left, int guess) noexcept nogil
