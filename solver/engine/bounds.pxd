"""What is plain to see: bounds on the tricks of the leader's side, before a trick is searched."""
from solver.engine.bits cimport count_by, highest
from solver.engine.board cimport Board, maximising
from solver.engine.types cimport MAX_SEATS, TRUMP, Cards


cdef enum Seen:
    NO
    YES
    UNCLEAR


# ---- any seats -----------------------------------------------------------------------------------

cdef inline Cards above(Cards cards) noexcept nogil:
    """All bits above the highest card; every bit if there is none."""
    return ~((highest(cards) << 1) - 1) if cards else ~<Cards>0


cdef inline Seen plain_to_see(const Board *board, int leader, int left, int want,
                              Cards live) noexcept nogil:
    """Does the leader's side take at least `want` tricks, where that needs no search?

    1. A hand's trumps above all trumps of the other side take a trick each, or a partner's higher one does.
    2. A leader whose highest trumps draw the opponents' last ones takes the rest of the trumps too. The
       partner's of (1) still count: each trick of the draw takes one of them at most.
    3. The leader cashes plain cards above all others: all of them when trumps are drawn, else as long as
       every opponent who has a trump must follow. A partner without a plain card has to ruff. That trick is
       won, but the lead is gone; with trumps drawn no matter, as that partner's hand is all trumps.
    """
    cdef bint ours = maximising(board, leader)
    cdef bint drawn
    cdef Cards own = board.hand[leader]
    cdef Cards lane, cards, mates = 0, against, their_trumps
    cdef int seat, found, rounds, spare = left, top = 0, mate_top = 0, longest = 0, cashed = 0
    # 1. Trumps above those of the other side.
    for seat in range(MAX_SEATS):
        if maximising(board, seat) == ours:
            mates |= board.hand[seat]
    against = live & ~mates
    their_trumps = against & board.trump
    if (mates & board.trump) < their_trumps:
        cards = above(mates & board.trump) & their_trumps
        for seat in range(MAX_SEATS):
            found = count_by(board.hand[seat] & cards, board.pext)
            if found > top:
                top = found
        if left - top < want:
            return NO
        top = 0
        cards = 0
    else:
        cards = above(their_trumps) & board.trump
        top = count_by(own & cards, board.pext)
        if top >= want:
            return YES
    mates ^= own
    for seat in range(MAX_SEATS):
        if board.hand[seat] & mates:
            found = count_by(board.hand[seat] & cards, board.pext)
            if found > mate_top:
                mate_top = found
            found = count_by(board.hand[seat] & ~board.trump, board.pext)
            if found < spare:
                spare = found
    if mate_top >= want:
        return YES
    # 2. Trumps drawn.
    for seat in range(MAX_SEATS):
        found = count_by(board.hand[seat] & their_trumps, board.pext)
        if found > longest:
            longest = found
    drawn = count_by(own & above((live ^ own) & board.trump) & board.trump, board.pext) >= longest
    if drawn:
        top = count_by(own & board.trump, board.pext)
        spare = left
    # 3. Plain cards.
    lane = <Cards>0xFFFF
    while lane != board.trump and lane:
        cards = own & lane
        if cards:
            cards &= above((live ^ own) & lane)
            if cards:
                found = count_by(cards, board.pext)
                if not drawn:
                    for seat in range(MAX_SEATS):
                        if board.hand[seat] & their_trumps:
                            rounds = count_by(board.hand[seat] & lane, board.pext)
                            if rounds < found:
                                found = rounds
                cashed += found
        lane <<= 16
    if top + (cashed if cashed <= spare else spare + 1) >= want:
        return YES
    if mate_top + (cashed if cashed <= spare else spare) >= want:
        return YES
    return UNCLEAR


# ---- four seats, partners opposite, with trump: the hands in order of play -----------------------

cdef inline Cards beaten(Cards others) noexcept nogil:
    """All places in each lane at or below one of `others`."""
    others |= others >> 1 & <Cards>0x7FFF7FFF7FFF7FFF
    others |= others >> 2 & <Cards>0x3FFF3FFF3FFF3FFF
    others |= others >> 4 & <Cards>0x0FFF0FFF0FFF0FFF
    return others | others >> 8 & <Cards>0x00FF00FF00FF00FF


cdef inline int larger(int one, int other) noexcept nogil:
    return one if one > other else other


cdef inline int smaller(int one, int other) noexcept nogil:
    return one if one < other else other


cdef inline int four_cash(Cards winners, Cards b, Cards d, Cards lane, bint pext) noexcept nogil:
    """Rounds of a lane that can be cashed while everyone with a trump must follow."""
    cdef int rounds = count_by(winners & lane, pext)
    if b & TRUMP:
        rounds = smaller(rounds, count_by(b & lane, pext))
    if d & TRUMP:
        rounds = smaller(rounds, count_by(d & lane, pext))
    return rounds


cdef inline Seen four_plain_to_see(Cards a, Cards b, Cards c, Cards d, Cards live, int left, int want,
                                   bint pext) noexcept nogil:
    """As `plain_to_see`."""
    cdef Cards theirs = (b | d) & TRUMP
    cdef Cards ours = (a | c) & TRUMP
    cdef Cards top, winners
    cdef int own_top = 0, mate_top = 0, spare, cashed
    # 1. Trumps above those of the other side.
    if ours < theirs:
        top = ~(2 * highest(ours | 1) - 1) & TRUMP
        if left - larger(count_by(b & top, pext), count_by(d & top, pext)) < want:
            return NO
    else:
        top = ~(2 * highest(theirs | 1) - 1) & TRUMP
        own_top = count_by(a & top, pext)
        mate_top = count_by(c & top, pext)
        if larger(own_top, mate_top) >= want:
            return YES
    # 2. Trumps drawn.
    winners = a & ~beaten(live ^ a)
    if count_by(winners & TRUMP, pext) >= larger(count_by(b & TRUMP, pext), count_by(d & TRUMP, pext)):
        own_top = count_by(a & TRUMP, pext)
        spare = left
        cashed = count_by(winners & ~TRUMP, pext)
    # 3. Plain cards.
    else:
        if not winners & ~TRUMP:
            return UNCLEAR
        spare = smaller(left, count_by(c & ~TRUMP, pext))
        cashed = (four_cash(winners, b, d, <Cards>0xFFFF, pext)
                  + four_cash(winners, b, d, <Cards>0xFFFF0000, pext)
                  + four_cash(winners, b, d, <Cards>0xFFFF00000000, pext))
    if own_top + smaller(cashed, spare + 1) >= want:
        return YES
    if mate_top + smaller(cashed, spare) >= want:
        return YES
    return UNCLEAR
