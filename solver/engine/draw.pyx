# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Drawing worlds by number: which world is drawn, and the world of that number.

Unseen cards come in groups, and go to places. A *split* says how many cards of each group go to each place, and a
number below the number of worlds stands for a split and, in it, for one choice of the cards of each group for each
place. So every world has one number, and a uniform number is a uniform world. What groups and places are, the
caller knows.
"""
from libc.stdint cimport uint8_t, uint64_t

cdef enum:
    MAX_CARDS = 33

cdef extern from *:
    """
    #define RB_GOLDEN 0x9E3779B97F4A7C15ULL
    #define RB_MIX_1  0xBF58476D1CE4E5B9ULL
    #define RB_MIX_2  0x94D049BB133111EBULL
    """
    const uint64_t GOLDEN "RB_GOLDEN"
    const uint64_t MIX_1 "RB_MIX_1"
    const uint64_t MIX_2 "RB_MIX_2"

# Ways to choose k of n: filled once below, constant from then on.
cdef uint64_t CHOOSE[MAX_CARDS + 1][MAX_CARDS + 1]


cdef void fill_choose() noexcept nogil:
    cdef int n, k
    for n in range(MAX_CARDS + 1):
        for k in range(MAX_CARDS + 1):
            CHOOSE[n][k] = 1 if k == 0 else 0 if n == 0 else CHOOSE[n - 1][k - 1] + CHOOSE[n - 1][k]


fill_choose()


# ---- numbers -------------------------------------------------------------------------------------

cdef inline uint64_t mix(uint64_t word) noexcept nogil:
    """The finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014):
    a bijection."""
    word = (word ^ (word >> 30)) * MIX_1
    word = (word ^ (word >> 27)) * MIX_2
    return word ^ (word >> 31)


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
    """Choice number `choice`, in lexicographic order, of `wanted` out of `held` cards: their bits. The others move
    to the front."""
    cdef uint64_t taken = 0, with_this
    cdef int at, kept = 0
    for at in range(held):
        with_this = CHOOSE[held - at - 1][wanted - 1] if wanted else 0
        if choice < with_this:
            taken |= (<uint64_t>1) << cards[at]
            wanted -= 1
        else:
            choice -= with_this
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
    cdef uint8_t left[MAX_CARDS]
    cdef const uint8_t *row_of_group
    cdef uint64_t rest, ways
    cdef Py_ssize_t row, split
    cdef int group, place, at, base, held, wanted
    if not len(first) or len(cards) > MAX_CARDS:
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
