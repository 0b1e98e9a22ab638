"""Two tricks to go, looked up: every ending of two cards a hand, by who owns which relative rank.

The index is exact. The cards are a word over the seats, cut in two halves; `upper` gives the place of the
first half (and so of the family of second halves that completes it), `lower` that of the second within its
family, `shapes` that of the lengths of the lanes. Three look-ups and two additions, no search for a rank.
"""
from solver.engine.types cimport Relative, uint8_t, uint16_t, uint32_t


cdef struct Endings:
    uint16_t upper[5][256]     # [seats][4 bits of high, 4 bits of low]
    uint16_t lower[5][256]
    uint32_t shapes[5][2048]   # [seats][shape]
    uint32_t sizes[5]          # [seats]: endings there are
    uint8_t *values[5][8]      # [seats][mates >> 1]: tricks of the leader's side, four a byte; or NULL


cdef inline uint32_t ending_index(const Endings *endings, Relative cards, int seats) noexcept nogil:
    return (endings.shapes[seats][cards.shape]
            + endings.upper[seats][(cards.high & 0xF0) | (cards.low >> 4)]
            + endings.lower[seats][((cards.high & 15) << 4) | (cards.low & 15)])


cdef inline int ending_value(const uint8_t *values, uint32_t index) noexcept nogil:
    return (values[index >> 2] >> ((index & 3) << 1)) & 3


cdef class EndingTable:
    cdef Endings tables

    cdef void _rank_words(self, int seats)
    cdef void _fill(self, int seats, int mates) except *


cpdef EndingTable ending_table()
