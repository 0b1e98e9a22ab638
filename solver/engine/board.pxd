"""The board that a search plays on, the trick on its table, and who sits where."""
from solver.engine.bits cimport squeeze
from solver.engine.endings cimport Endings, ending_value
from solver.engine.table cimport Table
from solver.engine.three_tricks cimport NOT_KEPT, Endings3, ending3_index
from solver.engine.types cimport BARS, Cards, Relative, int64_t, uint8_t, uint32_t, uint64_t


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
    bint quick               # so, and the file of three-trick endings is at hand
    Table table
    const Endings *endings


cdef struct Trick:
    # The trick on the table.
    int seat                 # to act
    int placed               # cards on the table
    Cards lane               # lane led; without meaning while the table is empty
    Cards best               # the card that is winning
    int winner               # and whose it is


cdef inline int after(const Board *board, int seat) noexcept nogil:
    """The next seat in order of play."""
    seat += 1
    return 0 if seat == board.seats else seat


cdef inline bint maximising(const Board *board, int seat) noexcept nogil:
    return board.sides >> seat & 1


cdef inline int mates_of(const Board *board, int leader) noexcept nogil:
    """Bit i set if the seat i places after `leader` is on its side."""
    cdef int full = (1 << board.seats) - 1
    cdef int turned = ((board.sides | board.sides << board.seats) >> leader) & full
    return turned if turned & 1 else ~turned & full


cdef inline Relative relative(const Board *board, int leader) noexcept nogil:
    """Owners of the relative ranks, the leader being seat 0."""
    cdef int second = after(board, leader)
    cdef int third, fourth
    cdef Cards low = board.hand[second]
    cdef Cards high = 0
    cdef Cards live = board.hand[leader] | low
    if board.seats > 2:
        third = after(board, second)
        high = board.hand[third]
        if board.seats > 3:
            fourth = after(board, third)
            high |= board.hand[fourth]
            low |= board.hand[fourth]
        live |= high
    return squeeze(low, high, live, BARS, board.pext)


cdef inline int three_left(const Board *board, const uint8_t *values, int leader) noexcept nogil:
    """Tricks of the leader's side with three to go; -1 if the ending is not kept."""
    cdef int second = after(board, leader)
    cdef int third = after(board, second)
    cdef Cards low = board.hand[second]
    cdef Cards high = board.hand[third]
    cdef Cards live = board.hand[leader] | low | high
    cdef Cards fourth
    cdef uint32_t index
    if board.seats == 4:
        fourth = board.hand[after(board, third)]
        low |= fourth
        high |= fourth
        live |= fourth
    index = ending3_index(board.endings3, low, high, live, board.pext)
    return -1 if index == NOT_KEPT else ending_value(values, index)
