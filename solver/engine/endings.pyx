# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Builds the table of two-trick endings, once in a process; it is constant from then on and shared by every
search."""
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from solver.engine.bits cimport lowest
from solver.engine.tricks cimport able, lane_of, legal
from solver.engine.types cimport Cards, MAX_SEATS, Relative, TRUMP, uint8_t, uint16_t, uint32_t

cdef enum:
    LEFT = 2              # tricks to go
    HALF = 4              # cards in the second half of the word
    LANES = 4


cdef int last_trick(const Cards *hand, int seats, int mates, int leader) noexcept nogil:
    """1 if the side of `mates` takes the trick in which every seat plays its only card."""
    cdef Cards lane = lane_of(hand[leader])
    cdef Cards best = able(hand[leader], lane, TRUMP)
    cdef int winner = leader
    cdef int seat
    for seat in range(seats):
        if able(hand[seat], lane, TRUMP) > best:
            best = able(hand[seat], lane, TRUMP)
            winner = seat
    return mates >> winner & 1


cdef int best_play(Cards *hand, int seats, int mates, int placed, Cards lane, Cards best,
                   int winner) noexcept nogil:
    """Tricks the side of `mates` takes of the last two, when seats 0 to placed - 1 have played to the first
    of them."""
    cdef int mine, value, result, new_winner
    cdef Cards choice, card, new_lane, new_best
    if placed == seats:
        return (mates >> winner & 1) + last_trick(hand, seats, mates, winner)
    mine = mates >> placed & 1
    result = 0 if mine else LEFT
    choice = legal(hand[placed], lane) if placed else hand[placed]
    while choice:
        card = lowest(choice)
        choice ^= card
        new_lane = lane if placed else lane_of(card)
        new_winner = winner
        new_best = best
        if able(card, new_lane, TRUMP) > best:
            new_best = card
            new_winner = placed
        hand[placed] ^= card
        value = best_play(hand, seats, mates, placed + 1, new_lane, new_best, new_winner)
        hand[placed] ^= card
        if (value > result) == mine and value != result:
            result = value
    return result


cdef int owner_at(uint32_t high, uint32_t low, int place) noexcept nogil:
    return (high >> place & 1) << 1 | (low >> place & 1)


cdef class EndingTable:
    """All endings of two cards a hand for two, three and four seats, any of them on the leader's side.

    Four seats are kept for partners opposite only; other alliances of four seats are searched to the end.
    """

    def __cinit__(self):
        memset(&self.tables, 0, sizeof(Endings))

    def __init__(self):
        cdef int seats, mates
        for seats in range(2, MAX_SEATS + 1):
            self._rank_words(seats)
            for mates in range(1, 1 << seats, 2):
                if seats < 4 or mates == 0b0101:
                    self._fill(seats, mates)

    def __dealloc__(self):
        cdef int seats, alliance
        for seats in range(5):
            for alliance in range(8):
                free(self.tables.values[seats][alliance])

    cdef void _rank_words(self, int seats):
        """Number the words with two cards of every seat, and the shapes, without gaps."""
        cdef int total = LEFT * seats
        cdef int high, low, place
        cdef uint32_t arrangements, base = 0
        uppers, lowers = {}, {}
        # 1. Sort the halves by how many cards of each seat they hold.
        for high in range(1 << HALF):
            for low in range(1 << HALF):
                counts = [0] * MAX_SEATS
                for place in range(HALF):
                    counts[owner_at(high, low, place)] += 1
                if max(counts) <= LEFT and not any(counts[seats:]):
                    lowers.setdefault(tuple(counts[:seats]), []).append(high << 4 | low)
                counts = [0] * MAX_SEATS
                for place in range(total - HALF):
                    counts[owner_at(high, low, place)] += 1
                if max(counts) <= LEFT and not any(counts[seats:]) and not (high | low) >> (total - HALF):
                    uppers.setdefault(tuple(counts[:seats]), []).append(high << 4 | low)
        # 2. A first half and the second halves that complete it take consecutive numbers.
        for counts, words in sorted(uppers.items()):
            family = lowers[tuple(LEFT - held for held in counts)]
            for low, word in enumerate(family):
                self.tables.lower[seats][<int>word] = low
            for word in words:
                self.tables.upper[seats][<int>word] = base
                base += len(family)
        arrangements = base
        # 3. Each shape is a block of all arrangements.
        base = 0
        for shape in range(1 << (total + LANES - 1)):
            if shape.bit_count() == LANES - 1:
                self.tables.shapes[seats][<int>shape] = base
                base += arrangements
        self.tables.sizes[seats] = base

    cdef void _fill(self, int seats, int mates) except *:
        cdef int total = LEFT * seats
        cdef uint8_t *values = <uint8_t *>calloc((self.tables.sizes[seats] + 3) // 4, 1)
        cdef Relative cards
        cdef Cards spots[8]
        cdef uint16_t words[2520]
        cdef int word, found = 0
        if values == NULL:
            raise MemoryError("no memory for the table of endings")
        self.tables.values[seats][mates >> 1] = values
        for word in range(1 << 2 * total):
            if two_each(word >> total, word & ((1 << total) - 1), seats):
                words[found] = word
                found += 1
        for cards.shape in range(1 << (total + LANES - 1)):
            if not lay_out(cards.shape, total, spots):
                continue
            for word in range(found):
                cards.high = words[word] >> total
                cards.low = words[word] & ((1 << total) - 1)
                set_value(values, ending_index(&self.tables, cards, seats),
                          ending_by_search(spots, cards.high, cards.low, seats, mates))


cdef bint lay_out(uint32_t shape, int total, Cards *spots) noexcept nogil:
    """Where each card of a shape lies, after a bar the next lane begins. False if it is not four lanes."""
    cdef int place = 0, lane = 0, strength = 0
    cdef int at
    for at in range(total + LANES - 1):
        if shape >> at & 1:
            lane += 1
            strength = 0
        elif place == total:
            return False
        else:
            spots[place] = (<Cards>1) << (16 * (lane & 3) + strength)
            place += 1
            strength += 1
    return lane == LANES - 1


cdef bint two_each(uint32_t high, uint32_t low, int seats) noexcept nogil:
    cdef int held[4]
    cdef int place
    memset(held, 0, sizeof(held))
    for place in range(LEFT * seats):
        held[owner_at(high, low, place)] += 1
    for place in range(seats):
        if held[place] != LEFT:
            return False
    return True


cdef int ending_by_search(const Cards *spots, uint32_t high, uint32_t low, int seats,
                          int mates) noexcept nogil:
    cdef Cards hand[4]
    cdef int place
    memset(hand, 0, sizeof(hand))
    for place in range(LEFT * seats):
        hand[owner_at(high, low, place)] |= spots[place]
    return best_play(hand, seats, mates, 0, 0, 0, 0)


cdef void set_value(uint8_t *values, uint32_t index, int value) noexcept nogil:
    values[index >> 2] |= value << ((index & 3) << 1)


cdef EndingTable _shared = None


cpdef EndingTable ending_table():
    """The one table of this process, built at the first call."""
    global _shared
    if _shared is None:
        _shared = EndingTable()
    return _shared
