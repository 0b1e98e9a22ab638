# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Questions about a board, for any seats, sides and positions within a trick: the search, and values by questions.

Only yes-or-no questions are searched ("does the side take k more tricks?"); a value is found by asking about
the likeliest threshold first. Trick starts are remembered by relative ranks, the last two or three tricks are
looked up.
"""
from solver.engine.bits cimport low_index, lowest, top_index
from solver.engine.board cimport Board, Trick, after, maximising, relative, three_left
from solver.engine.bounds cimport UNCLEAR, YES, Seen, plain_to_see
from solver.engine.endings cimport ending_index, ending_value
from solver.engine.four_seats cimport four_reach, four_reach_with
from solver.engine.ordering cimport likely_follow, likely_lead
from solver.engine.table cimport Bounds, probe, store, table_key
from solver.engine.tricks cimport able, beats, distinct, lane_of, legal
from solver.engine.types cimport MAX_HAND, USABLE, Cards, uint8_t, uint64_t


# ---- the search ----------------------------------------------------------------------------------

cdef inline bint reaches(Board *board, int leader, int left, int need) noexcept nogil:
    """Does the maximising side take at least `need` of the `left` tricks to come, `leader` being on lead?"""
    cdef const uint8_t *values
    cdef int value
    if need <= 0:
        return True
    if need > left:
        return False
    if left == 2:
        values = board.two_left[leader]
        if values != NULL:
            value = ending_value(values, ending_index(board.endings, relative(board, leader), board.seats))
            return value >= need if maximising(board, leader) else 2 - value >= need
    if left == 3:
        values = board.three_left[leader]
        if values != NULL:
            value = three_left(board, values, leader)
            if value >= 0:
                return value >= need if maximising(board, leader) else 3 - value >= need
    if left == 1:
        return last_trick(board, leader)
    if board.four_seats:
        return four_reach(board, leader, left, need)
    return search_trick(board, leader, left, need)


cdef bint search_trick(Board *board, int leader, int left, int need) noexcept nogil:
    """The same where it takes a search: two tricks left or more, and the answer not given by the numbers."""
    cdef bint ours = maximising(board, leader)
    cdef int want
    cdef Cards live
    cdef Seen seen
    cdef Bounds known
    cdef uint64_t key = 0
    cdef Trick trick
    cdef bint result
    # 1. From here on the question is about the leader's side: at least `want`?
    want = need if ours else left - need + 1
    # 2. What is plain to see.
    live = board.hand[0] | board.hand[1] | board.hand[2] | board.hand[3]
    seen = plain_to_see(board, leader, left, want, live)
    if seen != UNCLEAR:
        return ours if seen == YES else not ours
    # 3. What has been searched before. (The fifth trick back is the root, met once or twice.)
    if left < MAX_HAND:
        key = table_key(relative(board, leader), board.family[leader])
        known = probe(board.table, key, left)
        if known.at_least >= want:
            return ours
        if known.at_most < want:
            return not ours
    # 4. Try the leads.
    board.dead[left] = USABLE & ~live
    trick.seat = leader
    trick.placed = 0
    trick.lane = 0
    trick.best = 0
    trick.winner = leader
    result = choose(board, &trick, left, need)
    # 5. Remember. `known` still holds: a position can not come up again below itself.
    if key:
        if result == ours:
            known.at_least = want
        else:
            known.at_most = want - 1
        store(board.table, key, known)
    return result


cdef bint last_trick(const Board *board, int leader) noexcept nogil:
    """Does the maximising side take the last trick?"""
    cdef Cards lane = lane_of(board.hand[leader])
    cdef Cards cards, best = 0
    cdef int seat, winner = leader
    for seat in range(board.seats):
        cards = able(board.hand[seat], lane, board.trump)
        if cards > best:
            best = cards
            winner = seat
    return maximising(board, winner)


cdef bint choose(Board *board, const Trick *trick, int left, int need) noexcept nogil:
    """The seat to act tries its cards until one serves its side: is `need` reached, this trick included?"""
    cdef bint side = maximising(board, trick.seat)
    cdef Cards hand = board.hand[trick.seat]
    cdef Cards choice, card
    cdef int want = need if side else left - need + 1
    cdef bint ours
    # 1. One card of each run of equals.
    choice = distinct(legal(hand, trick.lane) if trick.placed else hand, board.dead[left])
    card = choice
    # 2. The likeliest first, then the rest. Where the trick decides, it need not be played.
    if choice & (choice - 1):
        if trick.placed:
            card = likely_follow(board, trick, choice, &ours)
            if want == (1 if ours else left):
                return ours == side
        else:
            card = likely_lead(board, trick.seat, choice)
    while True:
        if after_card(board, trick, card, left, need) == side:
            return side
        choice ^= card
        if not choice:
            return not side
        card = lowest(choice)


cdef bint after_card(Board *board, const Trick *trick, Cards card, int left, int need) noexcept nogil:
    """Is `need` reached when `card` is played now?"""
    cdef Trick then
    cdef Cards *hand = &board.hand[trick.seat]
    cdef bint result
    board.nodes += 1
    then.lane = trick.lane if trick.placed else lane_of(card)
    if beats(card, trick.best, then.lane, board.trump):
        then.best = card
        then.winner = trick.seat
    else:
        then.best = trick.best
        then.winner = trick.winner
    then.placed = trick.placed + 1
    then.seat = after(board, trick.seat)
    hand[0] ^= card
    if then.placed == board.seats:
        result = reaches(board, then.winner, left - 1, need - maximising(board, then.winner))
    else:
        result = choose(board, &then, left, need)
    hand[0] ^= card
    return result


# ---- values by questions -------------------------------------------------------------------------

cdef inline bint reaches_within(Board *board, const Trick *trick, int left, int need) noexcept nogil:
    """`reaches`, the table being empty or not."""
    if not trick.placed:
        return reaches(board, trick.seat, left, need)
    if need <= 0:
        return True
    return need <= left and choose(board, trick, left, need)


cdef bint position_reaches(Board *board, const Trick *trick, int left, int need) noexcept nogil:
    """The same for other modules."""
    return reaches_within(board, trick, left, need)


cdef int position_value(Board *board, const Trick *trick, int left, int guess) noexcept nogil:
    """Tricks of the maximising side, this trick included. `guess` saves time when it is right."""
    cdef int at_least = 0, at_most = left
    while at_least < at_most:
        if guess <= at_least:
            guess = at_least + 1
        elif guess > at_most:
            guess = at_most
        if reaches_within(board, trick, left, guess):
            at_least = guess
            guess += 1
        else:
            at_most = guess - 1
            guess -= 1
    return at_least


cdef int card_value(Board *board, const Trick *trick, Cards card, int left, int guess, int steps) noexcept nogil:
    """Tricks of the maximising side after `card`, this trick included: the most of `steps` that are reached."""
    cdef bint reached
    cdef int need, at_least = 0
    cdef bint four = board.four_seats and left > 2
    steps &= (2 << left) - 2
    while steps:
        # The step that was guessed, or the next below it, or the next above.
        need = steps & ((2 << guess) - 1)
        need = top_index(need) if need else low_index(steps)
        if four:
            reached = four_reach_with(board, trick, card, left, need)
        else:
            reached = after_card(board, trick, card, left, need)
        if reached:
            at_least = need
            steps &= -(2 << need)
        else:
            steps &= (1 << need) - 1
    return at_least
