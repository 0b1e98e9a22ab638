"""The words of the kernel.

A card is one bit of a `Cards` word: bit = 16 * lane + strength. Lane 3 is trump, lanes 0-2 are the plain
suits, strength ascends within a lane, and bit 15 of each lane (its guard) never holds a card. So "must
follow" is one AND with a lane, and the winner of a trick is its highest bit among the lane led and lane 3.
"""
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef uint64_t Cards

cdef extern from *:
    """
    #define RB_TRUMP   0xFFFF000000000000ULL
    #define RB_USABLE  0x7FFF7FFF7FFF7FFFULL
    #define RB_GUARDS  0x8000800080008000ULL
    #define RB_BARS    0x0000800080008000ULL
    """
    const Cards TRUMP "RB_TRUMP"      # lane 3
    const Cards USABLE "RB_USABLE"    # every bit that may be a card
    const Cards GUARDS "RB_GUARDS"    # bit 15 of each lane
    const Cards BARS "RB_BARS"        # the guards between lanes 0|1, 1|2 and 2|3

cdef enum:
    MAX_SEATS = 4
    MAX_HAND = 5


cdef struct Relative:
    # Who owns which relative rank: card i of those in play, counted from the bottom of lane 0 to the top of
    # lane 3, belongs to the seat (leader + 2 * bit i of `high` + bit i of `low`). `shape` holds the same
    # cards as 0s with a 1 after each of lanes 0-2, so it tells how many cards each lane has.
    uint32_t low
    uint32_t high
    uint32_t shape
