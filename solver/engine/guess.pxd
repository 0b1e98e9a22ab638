"""The first question about a position: a guess at its value, from the cards that are most worth."""
from solver.engine.bits cimport highest
from solver.engine.board cimport Board, Trick, maximising
from solver.engine.types cimport MAX_SEATS, Cards


cdef extern from *:
    """
    /* Hundredths of a trick that a trump is worth to its side, the highest in play first. */
    static const int rb_trump_worth[16] = {107, 65, 51, 44, 42, 40, 39, 36, 36, 36, 36, 36, 36, 36, 36, 36};
    """
    const int TRUMP_WORTH "rb_trump_worth"[16]

cdef enum:
    MASTER_WORTH = 33     # the highest card of a plain suit
    LEAD_WORTH = 26


cdef inline int guessed_value(const Board *board, const Trick *trick, int left) noexcept nogil:
    """A first threshold for the maximising side: the one it most likely just reaches, or just fails to reach.

    The worths are a least-squares fit to 300,000 random deals of four seats (the error of the estimate is 0.7
    tricks; those of other tables hardly differ). Both neighbours of a threshold take two questions, so the one
    above the estimate is asked.
    """
    cdef Cards ours = 0, theirs = 0, trumps, top, lane
    cdef int seat, rank = 0
    cdef int worth = 50 * left + (LEAD_WORTH if maximising(board, trick.winner) else -LEAD_WORTH)
    for seat in range(MAX_SEATS):
        if maximising(board, seat):
            ours |= board.hand[seat]
        else:
            theirs |= board.hand[seat]
    trumps = (ours | theirs) & board.trump
    while trumps:
        top = highest(trumps)
        trumps ^= top
        worth += TRUMP_WORTH[rank] if ours & top else -TRUMP_WORTH[rank]
        rank += 1
    lane = <Cards>0xFFFF
    while lane != board.trump and lane:
        if (ours & lane) != (theirs & lane):
            worth += MASTER_WORTH if (ours & lane) > (theirs & lane) else -MASTER_WORTH
        lane <<= 16
    return worth // 100 + 1 if worth > 0 else 1
