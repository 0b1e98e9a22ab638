"""What other compiled modules use of the search for four seats, partners opposite, with trump."""
from solver.engine.board cimport Board, Trick, maximising
from solver.engine.types cimport Cards


cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GNUC__)
    #define RB_BY_INSTRUCTION __attribute__((target("bmi,bmi2,lzcnt,popcnt")))
    #else
    #define RB_BY_INSTRUCTION
    #endif
    """
    # Returned by functions that may be compiled to instructions that not every processor has.
    ctypedef int BY_INSTRUCTION "RB_BY_INSTRUCTION int"


# Does the side of `a` and `c` take at least `want` tricks, `a` being on lead? The first two only where the board is
# `quick`. 1 <= want <= left, 3 <= left.
cdef BY_INSTRUCTION five_left(Board *board, Cards a, Cards b, Cards c, Cards d, int want) noexcept nogil
cdef BY_INSTRUCTION four_left(Board *board, Cards a, Cards b, Cards c, Cards d, int want) noexcept nogil
cdef bint any_left(Board *board, Cards a, Cards b, Cards c, Cards d, int left, int want) noexcept nogil

# The same when `card` is played in a trick that `a` has led or is to lead; the first only where the board is `quick`.
cdef BY_INSTRUCTION quick_card(Board *board, Cards a, Cards b, Cards c, Cards d, const Trick *trick, int winner,
                               Cards card, int left, int want) noexcept nogil
cdef bint any_card(Board *board, Cards a, Cards b, Cards c, Cards d, const Trick *trick, int winner, Cards card,
                   int left, int want) noexcept nogil


cdef inline bint four_reach(Board *board, int leader, int left, int need) noexcept nogil:
    """Does the maximising side take at least `need` of the `left` tricks to come, `leader` being on lead?
    1 <= need <= left, 3 <= left."""
    cdef Cards a = board.hand[leader]
    cdef Cards b = board.hand[leader + 1 & 3]
    cdef Cards c = board.hand[leader + 2 & 3]
    cdef Cards d = board.hand[leader + 3 & 3]
    cdef bint ours = maximising(board, leader)
    cdef int want = need if ours else left - need + 1
    if board.quick and left == 5:
        return five_left(board, a, b, c, d, want) == ours
    if board.quick and left == 4:
        return four_left(board, a, b, c, d, want) == ours
    return any_left(board, a, b, c, d, left, want) == ours


cdef inline bint four_reach_with(Board *board, const Trick *trick, Cards card, int left, int need) noexcept nogil:
    """The same when the seat to act in a trick plays `card`."""
    cdef int leader = trick.seat - trick.placed & 3
    cdef int winner = trick.winner - leader & 3
    cdef Cards a = board.hand[leader]
    cdef Cards b = board.hand[leader + 1 & 3]
    cdef Cards c = board.hand[leader + 2 & 3]
    cdef Cards d = board.hand[leader + 3 & 3]
    cdef bint ours = maximising(board, leader)
    cdef int want = need if ours else left - need + 1
    if board.quick:
        return quick_card(board, a, b, c, d, trick, winner, card, left, want) == ours
    return any_card(board, a, b, c, d, trick, winner, card, left, want) == ours
