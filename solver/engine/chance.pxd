"""Chance: what makes random words of numbers (SplitMix64), and the ways to choose cards.

Equal seeds give equal worlds, so the constants are not to change.
"""
from solver.engine.types cimport uint64_t

cdef enum:
    MOST_UNSEEN = 33         # the largest deck: 32 cards and the Benny

cdef extern from *:
    """
    #define RB_GOLDEN 0x9E3779B97F4A7C15ULL
    #define RB_MIX_1  0xBF58476D1CE4E5B9ULL
    #define RB_MIX_2  0x94D049BB133111EBULL

    /* Each module that draws has a table of its own; constant once it is filled. */
    static uint64_t rb_choose[33 + 1][33 + 1];
    """
    const uint64_t GOLDEN "RB_GOLDEN"
    const uint64_t MIX_1 "RB_MIX_1"
    const uint64_t MIX_2 "RB_MIX_2"
    uint64_t CHOOSE "rb_choose"[MOST_UNSEEN + 1][MOST_UNSEEN + 1]    # [n][k]: ways to choose k of n


cdef inline void fill_choose() noexcept nogil:
    """To be called once by each module that reads `CHOOSE`, when it is imported."""
    cdef int n, k
    for n in range(MOST_UNSEEN + 1):
        for k in range(MOST_UNSEEN + 1):
            CHOOSE[n][k] = 1 if k == 0 else 0 if n == 0 else CHOOSE[n - 1][k - 1] + CHOOSE[n - 1][k]


cdef inline uint64_t mix(uint64_t word) noexcept nogil:
    """The finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014):
    a bijection."""
    word = (word ^ (word >> 30)) * MIX_1
    word = (word ^ (word >> 27)) * MIX_2
    return word ^ (word >> 31)
