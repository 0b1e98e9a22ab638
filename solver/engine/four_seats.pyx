# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Four seats, partners opposite, with trump: the game that is played most has a search of its own.

It is the search of `questions` with the hands in order of play: `a` leads, `a` and `c` are one side, and every
question is whether that side takes `want` tricks. So there is no seat to reckon with, and each hand of a trick has
code of its own. The recursion is one text, compiled once for each function that the .pxd names.
"""
from solver.engine.bits cimport highest, lowest, squeeze
from solver.engine.board cimport Board, Trick
from solver.engine.bounds cimport UNCLEAR, YES, Seen, four_plain_to_see
from solver.engine.endings cimport ending_index, ending_value
from solver.engine.ordering cimport four_cheapest, four_lead
from solver.engine.table cimport Bounds, probe, store, table_key
from solver.engine.three_tricks cimport NOT_KEPT, ending3_index
from solver.engine.tricks cimport able, distinct, lane_of, legal
from solver.engine.types cimport BARS, MAX_HAND, TRUMP, USABLE, Cards, uint32_t, uint64_t


# ---- a trick, from its start to the next ---------------------------------------------------------

cdef inline bint four_search(Board *board, Cards a, Cards b, Cards c, Cards d, int left, int want,
                             bint quick) noexcept nogil:
    """Does the side of `a` and `c` take at least `want` of the `left` tricks, `a` being on lead? 1 <= want <= left,
    3 <= left. `quick`: squeeze and count by instruction, and look three tricks up."""
    cdef Cards live = a | b | c | d
    cdef Cards dead = USABLE & ~live
    cdef Cards choice, card
    cdef Seen seen
    cdef Bounds known
    cdef uint64_t key = 0
    cdef bint result
    # 1. What is plain to see.
    seen = four_plain_to_see(a, b, c, d, live, left, want, quick)
    if seen != UNCLEAR:
        return seen == YES
    # 2. What has been searched before. (The fifth trick back is the root, met once or twice.)
    if left < MAX_HAND:
        key = table_key(squeeze(b | d, c | d, live, BARS, quick), board.family[0])
        known = probe(board.table, key, left)
        if known.at_least >= want:
            return True
        if known.at_most < want:
            return False
    # 3. Try the leads.
    choice = distinct(a, dead)
    card = choice
    if choice & (choice - 1):
        card = four_lead(choice, b, c, d)
    result = True
    while not four_second(board, a ^ card, b, c, d, dead, card, left, want, quick):
        choice ^= card
        if not choice:
            result = False
            break
        card = lowest(choice)
    # 4. Remember. `known` still holds: a position can not come up again below itself.
    if left < MAX_HAND:
        if result:
            known.at_least = want
        else:
            known.at_most = want - 1
        store(board.table, key, known)
    return result


cdef BY_INSTRUCTION five_left(Board *board, Cards a, Cards b, Cards c, Cards d, int want) noexcept nogil:
    return four_search(board, a, b, c, d, 5, want, True)


cdef BY_INSTRUCTION four_left(Board *board, Cards a, Cards b, Cards c, Cards d, int want) noexcept nogil:
    return four_search(board, a, b, c, d, 4, want, True)


cdef bint any_left(Board *board, Cards a, Cards b, Cards c, Cards d, int left, int want) noexcept nogil:
    """For all processors, shapes and numbers of tricks."""
    return four_search(board, a, b, c, d, left, want, False)


cdef BY_INSTRUCTION quick_card(Board *board, Cards a, Cards b, Cards c, Cards d, const Trick *trick, int winner,
                               Cards card, int left, int want) noexcept nogil:
    return four_card(board, a, b, c, d, trick, winner, card, left, want, True)


cdef bint any_card(Board *board, Cards a, Cards b, Cards c, Cards d, const Trick *trick, int winner, Cards card,
                   int left, int want) noexcept nogil:
    return four_card(board, a, b, c, d, trick, winner, card, left, want, False)


# ---- its hands -----------------------------------------------------------------------------------

cdef inline bint four_card(Board *board, Cards a, Cards b, Cards c, Cards d, const Trick *trick, int winner,
                           Cards card, int left, int want, bint quick) noexcept nogil:
    """As `four_search` in the middle of a trick whose next seat plays `card`. `winner` is counted from the leader."""
    cdef Cards dead = board.dead[left]
    cdef bint wins
    if trick.placed == 0:
        return four_second(board, a ^ card, b, c, d, dead, card, left, want, quick)
    wins = (card & (trick.lane | TRUMP)) > trick.best
    if trick.placed == 1:
        return four_third(board, a, b ^ card, c, d, dead, trick.lane, card if wins else trick.best, wins, left, want,
                          quick)
    if trick.placed == 2:
        return four_fourth(board, a, b, c ^ card, d, dead, trick.lane, card if wins else trick.best,
                           2 if wins else winner, left, want, quick)
    board.nodes += 1
    return four_after(board, a, b, c, d ^ card, 3 if wins else winner, left - 1, want, quick)


cdef inline Cards four_distinct(Cards hand, Cards lane, Cards dead) noexcept nogil:
    return distinct(legal(hand, lane), dead)


cdef inline bint four_second(Board *board, Cards a, Cards b, Cards c, Cards d, Cards dead, Cards led, int left,
                             int want, bint quick) noexcept nogil:
    """As `four_search`, when `led` has just been led."""
    cdef Cards lane = lane_of(led)
    cdef Cards friend = able(d, lane, TRUMP)
    cdef Cards enemy = able(c, lane, TRUMP)
    cdef Cards choice, card, bar
    cdef bint theirs, wins
    board.nodes += 1
    # 1. Who can take the trick?
    bar = enemy if enemy > led else led
    theirs = friend > bar or able(b, lane, TRUMP) > bar
    if want == (left if theirs else 1):
        return not theirs
    # 2. The likeliest card first, then the rest.
    choice = four_distinct(b, lane, dead)
    card = choice
    if choice & (choice - 1):
        card = choice & (lane | TRUMP) & (0 - highest(bar))
        card = four_cheapest(choice) if friend > bar or not card else lowest(card)
    while True:
        wins = (card & (lane | TRUMP)) > led
        if not four_third(board, a, b ^ card, c, d, dead, lane, card if wins else led, wins, left, want,
                          quick):
            return False
        choice ^= card
        if not choice:
            return True
        card = lowest(choice)


cdef inline bint four_third(Board *board, Cards a, Cards b, Cards c, Cards d, Cards dead, Cards lane, Cards best,
                            int winner, int left, int want, bint quick) noexcept nogil:
    cdef Cards enemy = able(d, lane, TRUMP)
    cdef Cards choice, card, bar
    cdef bint holds, wins
    board.nodes += 1
    bar = enemy if enemy > best else best
    holds = winner == 0 and best > enemy
    if want == (1 if holds or able(c, lane, TRUMP) > bar else left):
        return want == 1
    choice = four_distinct(c, lane, dead)
    card = choice
    if choice & (choice - 1):
        card = choice & (lane | TRUMP) & (0 - highest(bar))
        card = four_cheapest(choice) if holds or not card else lowest(card)
    while True:
        wins = (card & (lane | TRUMP)) > best
        if four_fourth(board, a, b, c ^ card, d, dead, lane, card if wins else best, 2 if wins else winner,
                       left, want, quick):
            return True
        choice ^= card
        if not choice:
            return False
        card = lowest(choice)


cdef inline bint four_fourth(Board *board, Cards a, Cards b, Cards c, Cards d, Cards dead, Cards lane, Cards best,
                             int winner, int left, int want, bint quick) noexcept nogil:
    cdef Cards choice, card
    cdef Cards winners
    board.nodes += 1
    choice = four_distinct(d, lane, dead)
    winners = choice & (lane | TRUMP) & (0 - best)
    card = choice
    if choice & (choice - 1):
        card = four_cheapest(choice) if winner == 1 or not winners else lowest(winners)
    while True:
        board.nodes += 1
        if not four_after(board, a, b, c, d ^ card, 3 if card & winners else winner, left - 1, want, quick):
            return False
        choice ^= card
        if not choice:
            return True
        card = lowest(choice)


cdef inline bint four_after(Board *board, Cards a, Cards b, Cards c, Cards d, int winner, int left,
                            int want, bint quick) noexcept nogil:
    """The same between tricks: `winner` is to lead, its trick not yet taken off `want`."""
    cdef bint other = winner & 1
    cdef Cards live, low, high
    cdef Cards hand[8]
    cdef uint32_t index
    # 1. From here on the question is about the side of the winner; the answer is turned round if it is the other.
    want = left + 1 - want if other else want - 1
    if want <= 0:
        return not other
    if want > left:
        return other
    # 2. Who has the highest trump takes a trick. That spares a look-up in memory that is seldom near.
    low = (a | c) & TRUMP
    high = (b | d) & TRUMP
    if low != high and want == (1 if (high > low) == other else left):
        return (want == 1) != other
    # 3. Look it up.
    if left == 3 and (quick or board.endings3 != NULL):
        live = a | b | c | d
        low = a | c if other else b | d
        high = a | d if other else c | d
        if winner >= 2:
            high ^= live
        index = ending3_index(board.endings3, low, high, live, quick)
        if index != NOT_KEPT:
            return (ending_value(board.endings3.values[2], index) >= want) != other
    hand[0] = hand[4] = a
    hand[1] = hand[5] = b
    hand[2] = hand[6] = c
    hand[3] = d
    if left == 2:
        live = a | b | c | d
        index = ending_index(board.endings, squeeze(hand[winner + 1] | hand[winner + 3],
                                                    hand[winner + 2] | hand[winner + 3], live, BARS, quick), 4)
        return (ending_value(board.endings.values[4][2], index) >= want) != other
    # 4. Search.
    if quick and left == 4:
        return four_left(board, hand[winner], hand[winner + 1], hand[winner + 2], hand[winner + 3], want) != other
    return any_left(board, hand[winner], hand[winner + 1], hand[winner + 2], hand[winner + 3], left, want) != other
