"""Which card first: the one most likely to settle the question, so that few others need be tried."""
from solver.engine.bits cimport highest, low_index, lowest
from solver.engine.board cimport Board, Trick, after, maximising
from solver.engine.tricks cimport able, lane_of
from solver.engine.types cimport TRUMP, Cards


# ---- any seats -----------------------------------------------------------------------------------

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


# ---- four seats, partners opposite, with trump: the hands in order of play -----------------------

cdef inline Cards four_cheapest(Cards cards) noexcept nogil:
    """The weakest plain card, of equally weak ones that of the lowest lane; or the weakest trump."""
    cdef Cards plain = cards & ~TRUMP
    cdef Cards weakest = (plain | plain >> 16 | plain >> 32) & 0xFFFF
    weakest = lowest(weakest) * <Cards>0x000100010001
    return lowest(plain & weakest) if plain else lowest(cards)


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
