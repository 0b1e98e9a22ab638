"""Rows of a batch: hands in public bits, checked and turned into kernel words."""
from solver.engine.bits cimport count
from solver.engine.types cimport MAX_HAND, MAX_SEATS, Cards, uint64_t


cdef inline Cards kernel_word(uint64_t cards, int trump, const uint64_t *words) noexcept nogil:
    """The cards of a hand in public bits; `words` as `Search.solve_many` has them."""
    words += trump * 5 * 256
    return (words[cards & 0xFF] | words[256 + (cards >> 8 & 0xFF)] | words[512 + (cards >> 16 & 0xFF)]
            | words[768 + (cards >> 24 & 0xFF)] | words[1024 + (cards >> 32 & 0xFF)])


cdef inline int active_seats(const uint64_t *hands, int trump, int leader, int sitting_out) noexcept nogil:
    """The seats that play a row of a batch; -1 if anything is wrong with it. `doubledummy` says what."""
    cdef uint64_t seen = 0
    cdef int seat, size, active = 0, cards = 0
    cdef bint wrong = trump > 3 or leader > 3 or sitting_out < -1 or sitting_out > 3
    # 1. Each card in one place, and hands of one size.
    for seat in range(MAX_SEATS):
        wrong |= (seen & hands[seat]) != 0
        seen |= hands[seat]
        size = count(hands[seat])
        wrong |= size > MAX_HAND
        if size and seat != sitting_out:
            wrong |= cards != 0 and size != cards
            cards = size
            active |= 1 << seat
    if wrong or seen >> 33:
        return -1
    # 2. All play, or all but the one who sits out, perhaps an opponent of that one too; or N and S alone; or nobody.
    if active and not active >> leader & 1:
        return -1
    if active == (0b1111 if sitting_out < 0 else 0b1111 ^ 1 << sitting_out) or not active:
        return active
    if sitting_out < 0:
        return active if active == 0b0101 else -1
    if (active | 1 << sitting_out | 1 << (sitting_out + 1 & 3)) == 0b1111 or (
            active | 1 << sitting_out | 1 << (sitting_out + 3 & 3)) == 0b1111:
        return active
    return -1
