# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Drawing worlds by number: which world is drawn, and the world of that number.

Unseen cards come in groups, and go to places. A *split* says how many cards of each group go to each place, and a
number below the number of worlds stands for a split and, in it, for one choice of the cards of each group for each
place. So every world has one number, and a uniform number is a uniform world. What groups and places are, the
caller knows.
"""
from solver.engine.chance cimport CHOOSE, GOLDEN, MOST_UNSEEN, fill_choose, mix
from solver.engine.types cimport uint8_t, uint64_t

fill_choose()


# ---- numbers -------------------------------------------------------------------------------------

def draw_numbers(uint64_t seed, uint64_t below, uint64_t start, uint64_t[::1] numbers):
    """Fill `numbers` with independent uniform numbers from 0 to below - 1, those of the rows `start`, start + 1, …;
    `below` is at least 1.

    The number of a row follows from the seed, `below` and the row alone: row i takes the i-th word of the SplitMix64
    stream of the seed. A word whose upper bits, as many as are needed, are too large is mixed again, so no number is
    favoured; less than one time a row on the average.
    """
    cdef uint64_t key, word, number
    cdef Py_ssize_t row
    cdef int shift = 63
    with nogil:
        key = mix(seed + GOLDEN)
        while shift and (below - 1) >> (64 - shift):
            shift -= 1
        for row in range(numbers.shape[0]):
            word = mix(key + GOLDEN * (start + <uint64_t>row))
            number = word >> shift
            while number >= below:
                word = mix(word + GOLDEN)
                number = word >> shift
            numbers[row] = number


# ---- worlds --------------------------------------------------------------------------------------

cdef inline Py_ssize_t split_of(const uint64_t *first, Py_ssize_t splits, uint64_t number) noexcept nogil:
    """The last split whose first number is not above `number`."""
    cdef Py_ssize_t low = 0, high = splits, middle
    while high - low > 1:
        middle = (low + high) >> 1
        if first[middle] <= number:
            low = middle
        else:
            high = middle
    return low


cdef inline uint64_t take(uint8_t *cards, int held, int wanted, uint64_t choice) noexcept nogil:
    """Choice number `choice`, in lexicographic order, of `wanted` out of `held` cards: their bits. The others move to
    the front."""
    cdef uint64_t taken = 0, with_this, taking
    cdef int at = 0, kept = 0
    # No branch in the loop depends on whether a card is taken: no processor could foresee it.
    while wanted:
        with_this = CHOOSE[held - at - 1][wanted - 1]
        taking = choice < with_this
        taken |= taking << cards[at]
        choice -= with_this & (taking - 1)
        wanted -= <int>taking
        cards[kept] = cards[at]
        kept += 1 - <int>taking
        at += 1
    for at in range(at, held):
        cards[kept] = cards[at]
        kept += 1
    return taken


def place_cards(const uint64_t[::1] numbers, const uint64_t[::1] first, const uint8_t[:, :, ::1] splits,
                const uint8_t[::1] cards, uint64_t[:, ::1] placed):
    """Add to `placed` (rows, places) the bits of the cards that each place has in the world of each number.

    `splits` (splits, places, groups) has the numbers of cards, `first` the number of the first world of each split,
    from 0, `cards` the index of each card, group by group. Every split places all cards.
    """
    cdef int places = splits.shape[1], groups = splits.shape[2]
    cdef uint8_t left[MOST_UNSEEN]
    cdef const uint8_t *row_of_group
    cdef uint64_t rest, ways
    cdef Py_ssize_t row, split
    cdef int group, place, at, base, held, wanted
    if not len(first) or len(cards) > MOST_UNSEEN:
        raise ValueError(f"{len(first)} splits of {len(cards)} cards")
    with nogil:
        for row in range(numbers.shape[0]):
            split = split_of(&first[0], first.shape[0], numbers[row])
            rest = numbers[row] - first[split]
            base = 0
            for group in range(groups):
                # 1. The cards of the group; those not placed yet stay in front.
                row_of_group = &splits[split, 0, group]
                held = 0
                for place in range(places):
                    held += row_of_group[place * groups]
                for at in range(held):
                    left[at] = cards[base + at]
                base += held
                # 2. Place after place. The digits of `rest` are the choices, the first the least significant.
                for place in range(places):
                    wanted = row_of_group[place * groups]
                    if wanted == 0:
                        continue
                    ways = CHOOSE[held][wanted]
                    placed[row, place] |= take(left, held, wanted, rest % ways)
                    rest //= ways
                    held -= wanted
