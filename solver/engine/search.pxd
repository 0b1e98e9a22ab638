"""What other compiled modules use of a search: a board of its own, and positions put on it."""
from solver.engine.board cimport Board, Trick
from solver.engine.endings cimport EndingTable
from solver.engine.three_tricks cimport ThreeTricks
from solver.engine.types cimport Cards, uint64_t


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
