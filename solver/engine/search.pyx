# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Double-dummy search: how many tricks a side takes when all cards are known and everyone plays best.

Only yes-or-no questions are searched ("does the side take k more tricks?"); a value is found by asking about
the likeliest threshold first. Trick starts are remembered by relative ranks, the last two tricks are looked
up.
"""
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from solver.engine.bits cimport count, count_by, has_pext, highest, low_index, lowest, squeeze
from solver.engine.endings cimport ending_index, ending_table, ending_value
from solver.engine.table cimport Bounds, family_of, probe, store, table_key
from solver.engine.three_tricks cimport NOT_KEPT, ending3_index, three_tricks
from solver.engine.tricks cimport able, beats, distinct, lane_of, legal
from solver.engine.types cimport (
    BARS, GUARDS, MAX_HAND, MAX_SEATS, TRUMP, USABLE, Cards, Relative, int8_t, uint8_t, uint32_t, uint64_t)


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


# ---- seats ---------------------------------------------------------------------------------------

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


# ---- bounds --------------------------------------------------------------------------------------

cdef inline Cards above(Cards cards) noexcept nogil:
    """All bits above the highest card; every bit if there is none."""
    return ~((highest(cards) << 1) - 1) if cards else ~<Cards>0


cdef enum Seen:
    NO
    YES
    UNCLEAR


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


# ---- which card first ----------------------------------------------------------------------------

cdef inline void strengths(const Board *board, int seat, int players, bint side, Cards lane,
                           Cards *friend, Cards *enemy) noexcept nogil:
    """The best cards the next `players` seats from `seat` on can put on `lane`, by side."""
    cdef Cards cards
    friend[0] = 0
    enemy[0] = 0
    while players:
        cards = able(board.hand[seat], lane, board.trump)
        if maximising(board, seat) == side:
            if cards > friend[0]:
                friend[0] = cards
        elif cards > enemy[0]:
            enemy[0] = cards
        seat = after(board, seat)
        players -= 1


cdef inline Cards cheapest(const Board *board, Cards cards) noexcept nogil:
    """The weakest plain card, or the weakest trump if there is none."""
    cdef Cards plain = cards & ~board.trump
    cdef Cards card, found
    cdef int strength, least = 16
    if not plain:
        return lowest(cards)
    found = 0
    while plain:
        card = lowest(plain)
        strength = low_index(card) & 15
        if strength < least:
            least = strength
            found = card
        plain &= ~lane_of(card)
    return found


cdef inline Cards likely_lead(const Board *board, int leader, Cards choice) noexcept nogil:
    """The lead to try first: one that our side wins, the leader's own winners before the partner's."""
    cdef Cards lane, cards, friend, enemy, top, rest = choice
    cdef Cards by_partner = 0
    cdef bint side = maximising(board, leader)
    while rest:
        top = highest(rest)
        lane = lane_of(top)
        cards = rest & lane
        rest ^= cards
        strengths(board, after(board, leader), board.seats - 1, side, lane, &friend, &enemy)
        if top > enemy:
            return top
        if friend > enemy:
            by_partner = lowest(cards)
    return by_partner if by_partner else cheapest(board, choice)


cdef inline Cards likely_follow(const Board *board, const Trick *trick, Cards choice,
                                bint *ours) noexcept nogil:
    """The card to try first: nothing spent on a trick already ours, the cheapest card that surely takes one
    that is not. `ours` is set to whether our side can take the trick, whatever the others do."""
    cdef Cards friend, enemy, winners, bar
    cdef bint side = maximising(board, trick.seat)
    cdef bint winning = maximising(board, trick.winner) == side
    strengths(board, after(board, trick.seat), board.seats - 1 - trick.placed, side, trick.lane,
              &friend, &enemy)
    ours[0] = True
    if winning and trick.best > enemy:
        return cheapest(board, choice)
    if friend > enemy and friend > trick.best:
        return cheapest(board, choice)
    bar = highest(enemy) if enemy > trick.best else trick.best
    winners = choice & (trick.lane | board.trump) & (0 - bar)
    if winners:
        return lowest(winners)
    ours[0] = False
    return cheapest(board, choice)


# ---- four seats, partners opposite, with trump ---------------------------------------------------
#
# The same search for the game that is played most, the hands in order of play: `a` leads, `a` and `c` are one
# side, and every question is whether that side takes `want` tricks. So there is no seat to reckon with, and each
# hand of a trick has code of its own.

cdef inline Cards four_distinct(Cards hand, Cards lane, Cards dead) noexcept nogil:
    return distinct(legal(hand, lane), dead)


cdef inline Cards four_cheapest(Cards cards) noexcept nogil:
    """The weakest plain card, of equally weak ones that of the lowest lane; or the weakest trump."""
    cdef Cards plain = cards & ~TRUMP
    cdef Cards weakest = (plain | plain >> 16 | plain >> 32) & 0xFFFF
    weakest = lowest(weakest) * <Cards>0x000100010001
    return lowest(plain & weakest) if plain else lowest(cards)


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


cdef inline Cards four_lead(Cards choice, Cards b, Cards c, Cards d) noexcept nogil:
    """The lead to try first: as `likely_lead`."""
    cdef Cards lane = <Cards>0xFFFF, own = 0, partners = 0, cards, enemy
    while lane:
        cards = choice & lane
        enemy = able(b, lane, TRUMP)
        if able(d, lane, TRUMP) > enemy:
            enemy = able(d, lane, TRUMP)
        own |= cards if cards > enemy else 0
        partners |= cards if able(c, lane, TRUMP) > enemy else 0
        lane <<= 16
    if own:
        return highest(own)
    return lowest(partners) if partners else four_cheapest(choice)


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


cdef inline bint four_second(Board *board, Cards a, Cards b, Cards c, Cards d, Cards dead, Cards led, int left,
                             int want, bint quick) noexcept nogil:
    """The same when `led` has just been led."""
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


cdef inline bint four_reach(Board *board, int leader, int left, int need) noexcept nogil:
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
    board.hand[trick.seat] ^= card
    if then.placed == board.seats:
        result = reaches(board, then.winner, left - 1, need - maximising(board, then.winner))
    else:
        result = choose(board, &then, left, need)
    board.hand[trick.seat] ^= card
    return result


# ---- values by questions -------------------------------------------------------------------------

cdef inline bint position_reaches(Board *board, const Trick *trick, int left, int need) noexcept nogil:
    if not trick.placed:
        return reaches(board, trick.seat, left, need)
    if need <= 0:
        return True
    return need <= left and choose(board, trick, left, need)


cdef int position_value(Board *board, const Trick *trick, int left, int guess) noexcept nogil:
    """Tricks of the maximising side, this trick included. `guess` saves time when it is right."""
    cdef int at_least = 0, at_most = left
    while at_least < at_most:
        if guess <= at_least:
            guess = at_least + 1
        elif guess > at_most:
            guess = at_most
        if position_reaches(board, trick, left, guess):
            at_least = guess
            guess += 1
        else:
            at_most = guess - 1
            guess -= 1
    return at_least


cdef int card_value(Board *board, const Trick *trick, Cards card, int left, int guess) noexcept nogil:
    """Tricks of the maximising side after `card`, this trick included."""
    cdef int at_least = 0, at_most = left
    while at_least < at_most:
        if guess <= at_least:
            guess = at_least + 1
        elif guess > at_most:
            guess = at_most
        if after_card(board, trick, card, left, guess):
            at_least = guess
            guess += 1
        else:
            at_most = guess - 1
            guess -= 1
    return at_least


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


cdef class Search:
    """A search with a table of its own. Not for two threads at once: give each its own.

    The table has 2 ** `table_bits` slots of eight bytes. `portable` keeps to what every processor can, and
    `without_file` to what needs no file of three-trick endings; the answers are the same.
    """

    def __cinit__(self, int table_bits=12, bint portable=False, bint without_file=False):
        if not 8 <= table_bits <= 28:
            raise ValueError(f"table_bits is {table_bits}: 8 to 28 are possible")
        memset(&self.board, 0, sizeof(Board))
        self.board.pext = has_pext() and not portable
        self.board.table.shift = 64 - table_bits
        self.board.table.slots = <uint64_t *>calloc(<size_t>1 << table_bits, sizeof(uint64_t))
        if self.board.table.slots == NULL:
            raise MemoryError(f"no memory for a table of 2**{table_bits} slots")
        self._endings = ending_table()
        self.board.endings = &self._endings.tables
        if not without_file:
            self._three_tricks = three_tricks()

    def __dealloc__(self):
        free(self.board.table.slots)

    @property
    def nodes(self):
        """Cards played by all searches so far."""
        return self.board.nodes

    @property
    def table_bytes(self):
        return (<size_t>1 << (64 - self.board.table.shift)) * sizeof(uint64_t)

    def forget(self):
        """Empty the table."""
        memset(self.board.table.slots, 0, self.table_bytes)

    cdef int _set_up(self, const Cards *hands, int leader, const Cards *played, int placed, int active,
                     int sides, bint no_trump, Trick *trick) noexcept nogil:
        """Put a position on the board, seats that sit out left away. Returns the tricks left, this one
        included."""
        cdef Board *board = &self.board
        cdef int seat, turn, left, mates
        cdef Cards live = 0
        # 1. The seats.
        memset(board.hand, 0, sizeof(board.hand))
        board.trump = 0 if no_trump else TRUMP
        board.seats = 0
        board.sides = 0
        for seat in range(MAX_SEATS):
            self._numbers[seat] = board.seats
            if active >> seat & 1:
                board.hand[board.seats] = hands[seat]
                board.sides |= (sides >> seat & 1) << board.seats
                board.seats += 1
                live |= hands[seat]
        # 2. What depends on the leader's place among the sides.
        board.four_seats = board.seats == 4 and mates_of(board, 0) == 0b0101 and not no_trump
        board.endings3 = NULL
        board.quick = False
        if self._three_tricks is not None and board.seats > 2:
            board.quick = board.pext
            board.endings3 = &self._three_tricks.four if board.seats == 4 else &self._three_tricks.three
        for seat in range(board.seats):
            mates = mates_of(board, seat)
            board.family[seat] = family_of(board.seats, mates, not no_trump)
            board.two_left[seat] = NULL if no_trump else board.endings.values[board.seats][mates >> 1]
            board.three_left[seat] = NULL if no_trump or board.endings3 == NULL else board.endings3.values[mates >> 1]
        # 3. The trick.
        trick.seat = trick.winner = self._numbers[leader]
        trick.placed = placed
        trick.lane = lane_of(played[0]) if placed else 0
        trick.best = 0
        left = count(board.hand[trick.seat]) + (placed > 0)
        for turn in range(placed):
            if beats(played[turn], trick.best, trick.lane, board.trump):
                trick.best = played[turn]
                trick.winner = trick.seat
            live |= played[turn]
            trick.seat = after(board, trick.seat)
        board.dead[left] = USABLE & ~live
        return left

    def solve(self, hands, int leader, played=(), int active=0b1111, int sides=0b0101, bint no_trump=False):
        """Tricks the seats in `sides` still take, the current trick included, with best play by all.

        `hands` are the cards still held by N E S W, as kernel words; `played` the cards on the table from the
        leader on, one word each. `active` and `sides` are masks of seats, N lowest. With `no_trump` lane 3 is
        a plain suit. Raises ValueError for a position that can not come up.
        """
        cdef Trick trick
        cdef int left = self._position(hands, leader, played, active, sides, no_trump, &trick)
        cdef int value
        with nogil:
            value = position_value(&self.board, &trick, left, guessed_value(&self.board, &trick, left))
        return value

    def at_least(self, hands, int leader, played, int active, int sides, int need,
                 bint no_trump=False):
        """Do the seats in `sides` still take `need` tricks? One question; cheaper than `solve`."""
        cdef Trick trick
        cdef int left = self._position(hands, leader, played, active, sides, no_trump, &trick)
        cdef bint value
        with nogil:
            value = position_reaches(&self.board, &trick, left, need)
        return value

    def solve_cards(self, hands, int leader, played=(), int active=0b1111, int sides=0b0101,
                    bint no_trump=False):
        """`[(card, tricks)]` for every legal card of the seat to act, weakest bit first: `solve` after that
        card.

        Tricks count from now, the current trick included. Empty if no cards are left.
        """
        cdef Trick trick
        cdef int left = self._position(hands, leader, played, active, sides, no_trump, &trick)
        cdef Cards choice, apart, card
        cdef int value
        answers = []
        if not left:
            return answers
        choice = self.board.hand[trick.seat]
        if trick.placed:
            choice = legal(choice, trick.lane)
        apart = distinct(choice, self.board.dead[left])
        value = guessed_value(&self.board, &trick, left)
        while choice:
            card = lowest(choice)
            choice ^= card
            # An equal follows the lowest of its run, so its value is the one just found.
            if card & apart:
                value = card_value(&self.board, &trick, card, left, value)
            answers.append((card, value))
        return answers

    def value_endings(self, lengths, int seats, int mates, const uint32_t[::1] words, uint8_t[::1] values):
        """Tricks of the leader's side with three tricks to go, for all `words` of who owns the cards of one
        shape.

        `lengths` says how many cards lanes 0 to 3 hold; a word has 12 bits of `low` under 12 of `high` from
        bit 16 on (see `Relative`); bit i of `mates` is set if the seat i places after the leader is on its
        side. Releases the GIL.
        """
        cdef Cards spots[12]
        cdef Cards hand[4]
        cdef Trick trick
        cdef Py_ssize_t row
        cdef uint32_t word
        cdef int place = 0, lane, strength, left, guess = 1
        for lane in range(4):
            for strength in range(lengths[lane]):
                spots[place] = (<Cards>1) << (16 * lane + strength)
                place += 1
        with nogil:
            for row in range(words.shape[0]):
                word = words[row]
                memset(hand, 0, sizeof(hand))
                for place in range(3 * seats):
                    hand[(word >> (place + 16) & 1) << 1 | (word >> place & 1)] |= spots[place]
                left = self._set_up(hand, 0, NULL, 0, (1 << seats) - 1, mates, False, &trick)
                guess = position_value(&self.board, &trick, left, guess)
                values[row] = guess

    cdef int _position(self, hands, int leader, played, int active, int sides, bint no_trump,
                       Trick *trick) except -1:
        """Check a position and put it on the board. Returns the tricks left."""
        cdef Cards words[4]
        cdef Cards table[3]
        cdef Cards word, seen = 0
        cdef int seat, turn, placed, found, size = -1
        # 1. Shape.
        placed = len(played)
        if len(hands) != MAX_SEATS:
            raise ValueError(f"{len(hands)} hands: four are needed, those of seats that sit out are not read")
        if not 0 < active < 16 or not active & (active - 1):
            raise ValueError(f"active is {active:#b}: at least two of the four seats must play")
        if not 0 <= leader < MAX_SEATS or not active >> leader & 1:
            raise ValueError(f"seat {leader} leads but does not play")
        if placed >= bin(active).count("1"):
            raise ValueError(f"{placed} cards on the table: the trick is over")
        for seat in range(MAX_SEATS):
            words[seat] = hands[seat] if active >> seat & 1 else 0
        for turn in range(placed):
            table[turn] = played[turn]
            if not table[turn] or table[turn] & (table[turn] - 1):
                raise ValueError(f"{table[turn]:#x} on the table is not one card")
        # 2. No card twice, none off the lanes.
        for turn in range(MAX_SEATS + placed):
            word = words[turn] if turn < MAX_SEATS else table[turn - MAX_SEATS]
            if word & seen:
                raise ValueError(f"{word & seen:#x} is there twice")
            if word & GUARDS:
                raise ValueError(f"{word & GUARDS:#x} is not a card")
            seen |= word
        # 3. Equal hands, but for those who have played.
        seat = leader
        turn = 0
        while True:
            if active >> seat & 1:
                found = count(words[seat]) + (turn < placed)
                if size >= 0 and found != size:
                    raise ValueError("hands of unequal size")
                size = found
                turn += 1
            seat = (seat + 1) & 3
            if seat == leader:
                break
        if size > MAX_HAND:
            raise ValueError(f"hands of {size} cards: five is the most")
        return self._set_up(words, leader, table, placed, active, sides, no_trump, trick)

    def solve_many(self, const uint64_t[:, ::1] hands, const uint8_t[::1] trump, const uint8_t[::1] leader,
                   const int8_t[::1] sitting_out, const uint64_t[:, :, ::1] words, uint8_t[::1] tricks,
                   Py_ssize_t start, Py_ssize_t stop):
        """NS tricks of the rows from `start` up to `stop`, written to `tricks`. Returns the first row that is
        wrong, where it ends, or `stop`.

        `hands` in public bits; `words[trump, suit, byte]` is the kernel word of the cards in one suit's byte,
        suit 4 being the Benny's. A seat without cards does not play; where only N and S play they are
        opponents. Releases the GIL.
        """
        cdef Py_ssize_t row
        cdef Trick trick
        cdef int left
        with nogil:
            for row in range(start, stop):
                left = self._row(&hands[row, 0], trump[row], leader[row], sitting_out[row], &words[0, 0, 0], False,
                                 &trick)
                if left < 0:
                    break
                tricks[row] = position_value(&self.board, &trick, left, guessed_value(&self.board, &trick, left))
            else:
                row = stop
        return row

    def classify_many(self, const uint64_t[:, ::1] hands, const uint8_t[::1] trump, const uint8_t[::1] leader,
                      const int8_t[::1] sitting_out, const uint8_t[::1] maker, const uint64_t[:, :, ::1] words,
                      uint8_t[::1] classes, Py_ssize_t start, Py_ssize_t stop):
        """The same, but only how far the side of `maker` (a seat) comes: 0 below three tricks, 1 from three on,
        2 with five."""
        cdef Py_ssize_t row
        cdef Trick trick
        cdef int left
        with nogil:
            for row in range(start, stop):
                left = self._row(&hands[row, 0], trump[row], leader[row], sitting_out[row], &words[0, 0, 0],
                                 maker[row] & 1, &trick) if maker[row] < MAX_SEATS else -1
                if left < 0:
                    break
                classes[row] = 0
                if position_reaches(&self.board, &trick, left, 3):
                    classes[row] = 1 + position_reaches(&self.board, &trick, left, 5)
            else:
                row = stop
        return row

    def solve_contracts(self, const uint64_t[:, ::1] hands, const uint64_t[::1] upcard, const uint8_t[:, ::1] trump,
                        const uint8_t[:, ::1] leader, const int8_t[:, ::1] sitting_out, const int8_t[:, ::1] taker,
                        const uint64_t[:, :, ::1] words, uint8_t[:, ::1] tricks, uint64_t[:, ::1] discards,
                        Py_ssize_t start, Py_ssize_t stop):
        """NS tricks of several contracts of each row, `tricks[row, contract]`, after the best discard of the seat
        `taker[row, contract]`, which has taken the upcard; -1 if nobody does.

        `discards` gets the kernel bit of that card: of equally good ones a plain card rather than a trump, then
        the weakest, then the one in the lowest lane; 0 if there is none. Otherwise as `solve_many`.
        """
        cdef Py_ssize_t row = start
        cdef int job, seat, taken_by
        cdef uint64_t held[4]
        cdef Cards six
        cdef Trick trick
        cdef int left = 0
        with nogil:
            for row in range(start, stop):
                for job in range(trump.shape[1]):
                    taken_by = taker[row, job]
                    for seat in range(MAX_SEATS):
                        held[seat] = hands[row, seat]
                    discards[row, job] = 0
                    left = self._row(held, trump[row, job], leader[row, job], sitting_out[row, job],
                                     &words[0, 0, 0], False, &trick)
                    if left < 0 or taken_by < -1 or taken_by >= MAX_SEATS:
                        left = -1
                        break
                    if taken_by < 0 or taken_by == sitting_out[row, job]:
                        tricks[row, job] = position_value(&self.board, &trick, left,
                                                          guessed_value(&self.board, &trick, left))
                        continue
                    if (held[0] | held[1] | held[2] | held[3]) & upcard[row]:
                        left = -1
                        break
                    six = kernel_word(held[taken_by] | upcard[row], trump[row, job], &words[0, 0, 0])
                    if count(six) != count(held[taken_by]) + 1 or not held[taken_by]:
                        left = -1
                        break
                    tricks[row, job] = self._best_discard(taken_by, six, &trick, left, &discards[row, job])
                if left < 0:
                    break
            else:
                row = stop
        return row

    cdef int _best_discard(self, int seat, Cards six, const Trick *trick, int left, Cards *discard) noexcept nogil:
        """NS tricks after the best discard of a seat, whose hand on the board is replaced."""
        cdef Board *board = &self.board
        cdef int number = self._numbers[seat]
        cdef bint side = maximising(board, number)
        cdef Cards live = six
        cdef Cards choice, card
        cdef int at, best = -1
        for at in range(board.seats):
            live |= board.hand[at]
        # Of equals only the lowest is tried, and of the rest only whether they are better than those before.
        choice = distinct(six, USABLE & ~live)
        while choice:
            card = four_cheapest(choice)
            choice ^= card
            board.hand[number] = six ^ card
            if best < 0:
                best = position_value(board, trick, left, guessed_value(board, trick, left))
                discard[0] = card
            elif side:
                while best < left and reaches(board, trick.seat, left, best + 1):
                    best += 1
                    discard[0] = card
            else:
                while best > 0 and not reaches(board, trick.seat, left, best):
                    best -= 1
                    discard[0] = card
        return best

    cdef int _row(self, const uint64_t *hands, int trump, int leader, int sitting_out,
                  const uint64_t *words, bint turned, Trick *trick) noexcept nogil:
        """Put a row on the board, N and S being the maximising side, or E and W if `turned`. Returns the tricks
        left; -1 for a row that can not be played."""
        cdef Cards held[4]
        cdef int seat, sides, active
        active = active_seats(hands, trump, leader, sitting_out)
        if active < 0:
            return -1
        if not active:
            trick.seat = trick.winner = trick.placed = 0
            self.board.seats = 0
            return 0
        for seat in range(MAX_SEATS):
            held[seat] = kernel_word(hands[seat], trump, words) if active >> seat & 1 else 0
        sides = 0b0001 if active == 0b0101 else 0b0101
        return self._set_up(held, leader, NULL, 0, active, sides ^ 0b1111 if turned else sides, False, trick)
