"""Three tricks to go, looked up: endings of three cards a hand with trump, by who owns which relative rank.

As in `endings`, the index is exact. The plain lanes are interchangeable, so they are put in the order of their
lengths first: the shapes are few enough then for a file of some megabytes. Kept are four seats, partners opposite,
and three seats, however they are allied.
"""
from solver.engine.bits cimport count_by, squeeze_owners
from solver.engine.types cimport Cards, uint8_t, uint32_t

cdef enum:
    MOST_CARDS = 12            # in play with three tricks to go
    MOST_TRUMPS = 7            # of a shape that is kept: a deck of 24 has no more, nor more than six of a plain suit
    MOST_PLAIN = 6
    SHAPES = 455               # ways to spread 12 cards or fewer over three lanes: (12 + 3) over 3


cdef extern from *:
    """
    #define RB_NOT_KEPT 0xFFFFFFFFU
    /* Numbers (first, first + second, first + second + third lane) without gaps, as n0 + rb_two[n1] + rb_three[n2]. */
    static const unsigned short rb_two[13] = {0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78};
    static const unsigned short rb_three[13] = {0, 1, 4, 10, 20, 35, 56, 84, 120, 165, 220, 286, 364};
    """
    const uint32_t NOT_KEPT "RB_NOT_KEPT"
    const unsigned short TWO_LANES "rb_two"[13]
    const unsigned short THREE_LANES "rb_three"[13]


cdef struct Shape:
    # How many cards each lane has. The owners are a word, 12 bits of `low` under 12 of `high` from bit 16 on.
    uint32_t base              # number of the first ending; or NOT_KEPT
    uint32_t stay              # the part of the word that stays where it is, trumps always
    uint32_t move[3]           # those of each lane that move,
    uint32_t by[3]             # and how far to the left, in a circle of 32


cdef struct Endings3:
    Shape shapes[SHAPES]
    uint32_t upper[4096]       # [6 bits of high, 6 bits of low]
    uint8_t lower[4096]
    uint32_t arrangements      # of one shape
    uint32_t size              # endings there are
    const uint8_t *values[8]   # [mates >> 1]: tricks of the leader's side, four a byte; or NULL


cdef inline uint32_t rotated(uint32_t word, uint32_t by) noexcept nogil:
    return word << by | word >> (-by & 31)


cdef inline int shape_number(Cards live, bint pext) noexcept nogil:
    return (count_by(live & <Cards>0xFFFF, pext)
            + TWO_LANES[count_by(live & <Cards>0xFFFFFFFF, pext)]
            + THREE_LANES[count_by(live & <Cards>0xFFFFFFFFFFFF, pext)])


cdef inline uint32_t ending3_index(const Endings3 *endings, Cards low, Cards high, Cards live,
                                   bint pext) noexcept nogil:
    """The number of an ending, or NOT_KEPT. `low` and `high` say whose the cards of `live` are."""
    cdef const Shape *shape = &endings.shapes[shape_number(live, pext)]
    cdef uint32_t owners = squeeze_owners(low, high, live, pext)
    cdef uint32_t word = owners & shape.stay
    if shape.base == NOT_KEPT:
        return NOT_KEPT
    word |= rotated(owners & shape.move[0], shape.by[0])
    word |= rotated(owners & shape.move[1], shape.by[1])
    word |= rotated(owners & shape.move[2], shape.by[2])
    return (shape.base + endings.upper[word >> 16 & 0xFC0 | word >> 6 & 63]
            + endings.lower[word >> 10 & 0xFC0 | word & 63])


cdef class ThreeTricks:
    cdef Endings3 four, three
    cdef object _file

    cdef int _number(self, Endings3 *endings, int seats) except -1


cpdef ThreeTricks three_tricks()
