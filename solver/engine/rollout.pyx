# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Values of cards over many worlds: with all cards seen, and played out by seats that each see their own.

Every seat decides in the same way: it draws worlds that fit what it sees, uniformly, has every card of its hand
solved in each, and plays the card that is best on the average.
"""
from libc.math cimport fabs
from libc.string cimport memcpy, memset

from solver.engine.bits cimport count, highest, low_index, lowest, top_index
from solver.engine.board cimport Board, Trick
from solver.engine.chance cimport CHOOSE, GOLDEN, fill_choose, mix
from solver.engine.questions cimport EVERY_STEP, card_value, position_value
from solver.engine.search cimport Search
from solver.engine.tricks cimport beats, distinct, lane_of, legal
from solver.engine.types cimport (
    MAX_HAND, MAX_SEATS, TRUMP, USABLE, Cards, uint8_t, uint32_t, uint64_t)

fill_choose()


# ---- numbers -------------------------------------------------------------------------------------

cdef inline Stream stream(uint64_t seed, uint64_t row, int trick, int seat) noexcept nogil:
    """The random words of one decision. The card played before has no part in the key: candidates are compared over
    the same luck."""
    cdef Stream words
    words.key = mix(mix(mix(seed + GOLDEN) + GOLDEN * row) + GOLDEN * (MAX_SEATS * trick + seat + 1))
    words.at = 0
    return words


cdef inline uint64_t draw(Stream *words) noexcept nogil:
    words.at += 1
    return mix(words.key + GOLDEN * words.at)


cdef inline int draw_place(Stream *words, uint32_t below) noexcept nogil:
    """A uniform number from 0 to below - 1 (Lemire, "Fast random integer generation in an interval", 2019)."""
    cdef uint64_t product = (draw(words) >> 32) * below
    cdef uint32_t least
    if <uint32_t>product < below:
        least = (0 - below) % below
        while <uint32_t>product < least:
            product = (draw(words) >> 32) * below
    return product >> 32


cdef inline uint64_t draw_number(Stream *words, uint64_t below) noexcept nogil:
    """The same for any `below` of at least 2: words that are too large are drawn again."""
    cdef int shift = 63 - top_index(below - 1)
    cdef uint64_t number = draw(words) >> shift
    while number >= below:
        number = draw(words) >> shift
    return number


# ---- worlds that fit what a seat sees ------------------------------------------------------------

cdef inline uint64_t hands_of(int cards, int a, int b, int c) noexcept nogil:
    """Ways to take hands of that many out of so many cards."""
    if a + b + c > cards:
        return 0
    return CHOOSE[cards][a] * CHOOSE[cards - a][b] * CHOOSE[cards - a - b][c]


cdef inline int most(const Unseen *unseen, int pool, int other, int need) noexcept nogil:
    """How many cards of a pool a seat may hold."""
    if not unseen.may[pool] >> other & 1:
        return 0
    return need if need < unseen.size[pool] else unseen.size[pool]


cdef inline uint64_t weight_of(const Unseen *unseen, int pool, int held) noexcept nogil:
    return unseen.weight if held and not pool else 1


cdef uint64_t worlds_from(Unseen *unseen, int pool, int a, int b, int c) noexcept nogil:
    """Ways to fill hands that still need `a`, `b` and `c` cards from `pool` and the pools after it."""
    cdef uint64_t total = 0, ways
    cdef uint64_t *known
    cdef int x, y, z, size = unseen.size[pool]
    if pool == unseen.pools - 1:
        return hands_of(size, a, b, c)
    known = &unseen.known[pool][a][b][c]
    if not known[0]:
        for x in range(most(unseen, pool, 0, a) + 1):
            for y in range(most(unseen, pool, 1, b) + 1):
                for z in range(most(unseen, pool, 2, c) + 1):
                    ways = hands_of(size, x, y, z)
                    if ways:
                        total += (ways * weight_of(unseen, pool, x + y + z)
                                  * worlds_from(unseen, pool + 1, a - x, b - y, c - z))
        known[0] = total + 1
    return known[0] - 1


cdef void split_of(Unseen *unseen, uint64_t number, int (*split)[3]) noexcept nogil:
    """How many cards of each pool each of the others holds in the world of that number."""
    cdef uint64_t ways, after
    cdef int pool, x, y, z
    cdef int a = unseen.need[0], b = unseen.need[1], c = unseen.need[2]
    for pool in range(unseen.pools - 1):
        # The numbers of a split are consecutive: go through the splits up to the one that has it.
        x = y = z = 0
        while True:
            ways = hands_of(unseen.size[pool], x, y, z)
            if ways:
                ways *= weight_of(unseen, pool, x + y + z)
                after = worlds_from(unseen, pool + 1, a - x, b - y, c - z)
                if number < ways * after:
                    number //= ways
                    break
                number -= ways * after
            z += 1
            if z > most(unseen, pool, 2, c):
                z = 0
                y += 1
                if y > most(unseen, pool, 1, b):
                    y = 0
                    x += 1
        split[pool][0] = x
        split[pool][1] = y
        split[pool][2] = z
        a -= x
        b -= y
        c -= z
    split[unseen.pools - 1][0] = a
    split[unseen.pools - 1][1] = b
    split[unseen.pools - 1][2] = c


cdef void deal(Unseen *unseen, uint64_t worlds, Stream *words, Cards *hands) noexcept nogil:
    """Deal the others one of the `worlds` that fit, each as likely as any other.

    Which split is decided by its exact share of the worlds, so nothing is dealt in vain, and voids cost no tries.
    """
    cdef int split[MOST_POOLS][3]
    cdef int pool, other, _turn, place, size
    cdef Cards *cards
    cdef Cards card
    split_of(unseen, draw_number(words, worlds) if unseen.pools > 1 and worlds > 1 else 0, split)
    for other in range(unseen.others):
        hands[unseen.who[other]] = unseen.sure[other]
    for pool in range(unseen.pools):
        # The cards stay in the order that the last deal left them in, as good as any other.
        cards = &unseen.cards[unseen.first[pool]]
        size = unseen.size[pool]
        for other in range(unseen.others):
            for _turn in range(split[pool][other]):
                place = draw_place(words, size)
                size -= 1
                card = cards[place]
                cards[place] = cards[size]
                cards[size] = card
                hands[unseen.who[other]] |= card


cdef void add_pool(Unseen *unseen, Cards cards, int may) noexcept nogil:
    cdef int pool = unseen.pools
    cdef int at = unseen.first[pool - 1] + unseen.size[pool - 1] if pool else 0
    memset(unseen.known[pool], 0, sizeof(unseen.known[pool]))
    unseen.first[pool] = at
    unseen.size[pool] = count(cards)
    unseen.may[pool] = may
    unseen.pools += 1
    while cards:
        unseen.cards[at] = lowest(cards)
        cards &= cards - 1
        at += 1


# ---- the choice ----------------------------------------------------------------------------------

cdef inline int price(Cards card, Cards trump) noexcept nogil:
    """What is given away with a card: trumps come after all others, else its strength counts."""
    return (low_index(card) & 15) + (16 if card & trump else 0)


cdef int keep_best(Cards *cards, int (*found)[MOST_TRICKS + 1], int number, const double *worth) noexcept nogil:
    """Leaves those cards whose mean worth is highest, with what was found of them. Returns how many.

    `found[i][t]` says in how many worlds card i is worth t tricks. Equal means may differ in their last bits when
    worths are no whole numbers, so what is less than a billionth apart is equal.
    """
    cdef double values[MAX_HAND]
    cdef double best = 0, size, largest = 0
    cdef int i, tricks, kept = 0
    for i in range(number):
        values[i] = 0
        size = 0
        for tricks in range(MOST_TRICKS + 1):
            values[i] += found[i][tricks] * worth[tricks]
            size += found[i][tricks] * fabs(worth[tricks])
        if not i or values[i] > best:
            best = values[i]
        if size > largest:
            largest = size
    for i in range(number):
        if values[i] < best - 1e-9 * largest:
            continue
        cards[kept] = cards[i]
        memcpy(found[kept], found[i], sizeof(found[i]))
        kept += 1
    return kept


cdef Cards best_of(const Cards *cards, const int (*found)[MOST_TRICKS + 1], int number, int sign,
                   Cards trump) noexcept nogil:
    """Of cards that are worth the same the one with the most tricks (`sign` -1: the fewest); among equals the cheapest,
    then the first."""
    cdef Cards best = 0
    cdef int i, tricks, amount, best_amount = 0
    for i in range(number):
        amount = 0
        for tricks in range(MOST_TRICKS + 1):
            amount += found[i][tricks] * tricks * sign
        if best and amount <= best_amount:
            if amount < best_amount or price(cards[i], trump) >= price(best, trump):
                continue
        best = cards[i]
        best_amount = amount
    return best


cdef inline Cards legal_now(const Moment *now) noexcept nogil:
    return legal(now.hand[now.seat], now.lane) if now.placed else now.hand[now.seat]


cdef class Playout:
    """One public state, and worlds in it played out. Not for two threads at once: give each its own.

    All cards are kernel words. `deck`: all cards; `played`: those of tricks that are over; `table`: those of the trick
    under way, from the leader on. `active` and `sides`: masks of seats, N lowest. `gone`: by seat, the lanes it has
    shown to be out of. `won`: tricks `sides` has won before. `points`: their worth for `sides`, by all tricks of the
    deal. `taken`: a card known to be in the hand of `taker`, or 0; with `hidden`, there or out of play. A seat draws
    `inner` worlds for a decision, the first number for a seat of `sides`, for `depth` tricks; the rest is valued with
    all cards seen. Nothing is checked here.
    """

    def __init__(self, uint64_t deck, uint64_t played, table, bint no_trump, int active, int sides, int leader, gone,
                 int won, int left, points, uint64_t taken, int taker, bint hidden, inner, int depth, uint64_t seed):
        cdef int seat, next_seat
        cdef Cards card
        self.search = Search()
        # 1. What does not change.
        self.deck = deck
        self.trump = 0 if no_trump else TRUMP
        self.no_trump = no_trump
        self.active = active
        self.sides = sides
        for seat in range(MAX_SEATS):
            next_seat = (seat + 1) & 3
            while not active >> next_seat & 1:
                next_seat = (next_seat + 1) & 3
            self.following[seat] = next_seat
        for seat in range(MOST_TRICKS + 1):
            self.points[seat] = points[seat]
        self.inner[0], self.inner[1] = inner
        self.depth = depth
        self.seed = seed
        # 2. What all see as the playing out begins.
        memset(&self.start, 0, sizeof(Moment))
        self.start.unplayed = deck & ~played
        self.start.leader = self.start.seat = self.start.winner = leader
        self.start.left = left
        self.start.won = won
        for card in table:
            self._push(&self.start, card)
        memset(self.start.hand, 0, sizeof(self.start.hand))
        for seat in range(MAX_SEATS):
            self.start.gone[seat] = gone[seat]
        self.start.taken = taken & self.start.unplayed
        self.start.taker = taker
        self.start.hidden = hidden

    cdef void _begin(self, const uint64_t *held, const uint64_t *out, Moment *now) noexcept nogil:
        """The world of one row."""
        cdef int seat
        now[0] = self.start
        for seat in range(MAX_SEATS):
            now.hand[seat] = held[seat]
            now.out[seat] = out[seat]

    cdef void _push(self, Moment *now, Cards card) noexcept nogil:
        """Play a card."""
        if not now.placed:
            now.lane = lane_of(card)
            now.best = 0
        elif not card & now.lane:
            now.gone[now.seat] |= now.lane
        if beats(card, now.best, now.lane, self.trump):
            now.best = card
            now.winner = now.seat
        now.table[now.placed] = card
        now.placed += 1
        now.hand[now.seat] &= ~card
        now.unplayed &= ~card
        now.taken &= ~card
        now.seat = self.following[now.seat]
        if now.seat == now.leader:
            now.won += self.sides >> now.winner & 1
            now.left -= 1
            now.leader = now.seat = now.winner
            now.placed = 0

    cdef void _look(self, const Moment *now, Unseen *unseen) noexcept nogil:
        """What the seat to act cannot tell apart. Of hidden cards nothing is read here but how many a hand has."""
        cdef Cards cards = now.unplayed & ~now.hand[now.seat] & ~now.out[now.seat]
        cdef Cards lane, apart = 0, alone
        cdef int other, seat, may, all_others, spare, needed = 0, dealer = -1
        unseen.others = 0
        unseen.pools = 0
        unseen.weight = 1
        unseen.need[0] = unseen.need[1] = unseen.need[2] = 0
        # 1. The others.
        seat = self.following[now.seat]
        while seat != now.seat:
            other = unseen.others
            unseen.who[other] = seat
            unseen.need[other] = count(now.hand[seat])
            unseen.sure[other] = 0
            apart |= now.gone[seat]
            if seat == now.taker and now.taken & cards:
                dealer = other
                if not now.hidden:
                    unseen.sure[other] = now.taken
                    unseen.need[other] -= 1
                    cards ^= now.taken
            needed += unseen.need[other]
            unseen.others += 1
            seat = self.following[seat]
        all_others = (1 << unseen.others) - 1
        # 2. A card that one seat holds or has put away. Where it is held, any other card out of play may be what was
        #    put away; each of these is a world of its own.
        if dealer >= 0 and now.hidden:
            cards ^= now.taken
            may = 0 if now.gone[now.taker] & now.taken else 1 << dealer
            spare = count(cards) + 1 - needed
            # Nothing is left to have been put away where the seat knows all that is out of play: it is held then.
            unseen.weight = spare if spare > 0 else 1
            add_pool(unseen, now.taken, may)
        # 3. Lanes that some seat is out of, and the rest.
        lane = <Cards>0xFFFF
        while lane:
            alone = cards & lane
            if apart & lane and alone:
                may = all_others
                for other in range(unseen.others):
                    if now.gone[unseen.who[other]] & lane:
                        may ^= 1 << other
                add_pool(unseen, alone, may)
                cards ^= alone
            lane <<= 16
        add_pool(unseen, cards, all_others)

    cdef Cards _apart(self, const Moment *now, Cards out) noexcept nogil:
        """The lowest of each run of equals among the cards that the seat to act may play, when `out` are known to be
        out of play besides those played."""
        cdef Cards dead = USABLE & ~now.unplayed | out
        cdef int turn
        for turn in range(now.placed):
            dead &= ~now.table[turn]
        return distinct(legal_now(now), dead)

    cdef Cards _decide(self, const Moment *now, uint64_t row) noexcept nogil:
        """The card that the seat to act plays; 0 if no world fits what it sees."""
        cdef Unseen unseen
        cdef Cards cards[MAX_HAND]
        cdef int found[MAX_HAND][MOST_TRICKS + 1]
        cdef double worth[MOST_TRICKS + 1]
        cdef Cards apart = self._apart(now, now.out[now.seat])
        cdef uint64_t worlds
        cdef int tricks, number = 0, steps = 0, inner = self.inner[~self.sides >> now.seat & 1]
        cdef int sign = 1 if self.sides >> now.seat & 1 else -1
        # 1. The cards to choose from: the lowest of each run of equals.
        if not apart & (apart - 1):
            return apart
        while apart:
            cards[number] = lowest(apart)
            apart &= apart - 1
            number += 1
        # 2. Worlds to look at them in.
        self._look(now, &unseen)
        worlds = worlds_from(&unseen, 0, unseen.need[0], unseen.need[1], unseen.need[2])
        if not worlds:
            return 0
        # 3. The best on the average. Three tricks are looked up, so that one pass does for points and tricks.
        for tricks in range(MOST_TRICKS + 1):
            worth[tricks] = sign * self.points[now.won + tricks] if now.won + tricks <= MOST_TRICKS else 0
            if 0 < tricks <= now.left and worth[tricks] != worth[tricks - 1]:
                steps |= 1 << tricks
        if now.left <= 3 or not steps:
            self._value(now, row, &unseen, worlds, inner, cards, number, EVERY_STEP, found)
            number = keep_best(cards, found, number, worth)
        else:
            # Tricks are told from one fewer only where the points differ; cards that this leaves equal are solved to
            # the trick, in fewer worlds: it seldom matters which of them is played.
            self._value(now, row, &unseen, worlds, inner, cards, number, steps, found)
            number = keep_best(cards, found, number, worth)
            if number > 1:
                inner = min(inner, WORLDS_FOR_EQUALS)
                self._value(now, row, &unseen, worlds, inner, cards, number, EVERY_STEP, found)
        return best_of(cards, found, number, sign, self.trump)

    cdef void _value(self, const Moment *now, uint64_t row, const Unseen *unseen, uint64_t worlds, int inner,
                     const Cards *cards, int number, int steps, int (*found)[MOST_TRICKS + 1]) noexcept nogil:
        """In how many of `inner` worlds each card, the lowest of its equals, is worth each number of tricks."""
        cdef Board *board = &self.search.board
        cdef Unseen dealt = unseen[0]
        cdef Stream words = stream(self.seed, row, MOST_TRICKS - now.left, now.seat)
        cdef Trick trick
        cdef Cards hands[4]
        cdef Cards choice = legal_now(now), apart
        cdef int _turn, i, value = (now.left + 1) >> 1
        memset(hands, 0, sizeof(hands))
        memset(found, 0, MAX_HAND * sizeof(found[0]))
        hands[now.seat] = now.hand[now.seat]
        for _turn in range(inner if worlds > 1 else 1):
            deal(&dealt, worlds, &words, hands)
            self.search._set_up(hands, now.leader, now.table, now.placed, self.active, self.sides, self.no_trump,
                                &trick)
            apart = distinct(choice, board.dead[now.left])
            for i in range(number):
                # A card that is not apart in this world is worth what the one before it is, if that is of its run.
                if cards[i] & apart or not i or cards[i - 1] < highest(apart & (cards[i] - 1)):
                    value = card_value(board, &trick, cards[i], now.left, value, steps)
                found[i][value] += 1

    cdef int _finish(self, Moment *now, uint64_t row) noexcept nogil:
        """Play on to the end. Returns the tricks that the maximising side has then; -1 if no world fitted what a seat
        saw."""
        cdef Trick trick
        cdef Cards card
        cdef int last = self.start.left - self.depth
        while now.left:
            if now.left <= last and (not now.placed or not self.depth):
                self.search._set_up(now.hand, now.leader, now.table, now.placed, self.active, self.sides,
                                    self.no_trump, &trick)
                return now.won + position_value(&self.search.board, &trick, now.left, (now.left + 1) >> 1)
            card = self._decide(now, row)
            if not card:
                return -1
            self._push(now, card)
        return now.won

    def card_values(self, const uint64_t[:, ::1] held, const uint64_t[::1] cards, uint8_t[:, ::1] tricks,
                    Py_ssize_t start, Py_ssize_t stop):
        """Tricks that `sides` still takes after each card, all cards being seen: rows from `start` up to `stop`.
        `cards` ascend. Releases the GIL."""
        cdef Board *board = &self.search.board
        cdef Trick trick
        cdef Cards choice = 0, apart
        cdef Py_ssize_t row, i
        cdef int left, value
        with nogil:
            for i in range(cards.shape[0]):
                choice |= cards[i]
            # The first guess of a row is the last value of the row before.
            value = (self.start.left + 1) >> 1
            for row in range(start, stop):
                left = self.search._set_up(&held[row, 0], self.start.leader, self.start.table, self.start.placed,
                                           self.active, self.sides, self.no_trump, &trick)
                apart = distinct(choice, board.dead[left])
                for i in range(cards.shape[0]):
                    if cards[i] & apart:
                        value = card_value(board, &trick, cards[i], left, value, EVERY_STEP)
                    tricks[row, i] = value

    def rollouts(self, const uint64_t[:, ::1] held, const uint64_t[:, ::1] out, const uint64_t[::1] cards,
                 uint64_t first, uint8_t[:, ::1] tricks, Py_ssize_t start, Py_ssize_t stop):
        """The same where the rest is played by seats that each see their own cards. A card of 0 leaves this play, too,
        to the seat. Row i draws by number `first` + i. Returns the first row in which no world fitted what a seat
        saw, or -1. Releases the GIL."""
        cdef Moment begun, now
        cdef Cards apart, card, last
        cdef Py_ssize_t row, i
        cdef int value = 0
        with nogil:
            for row in range(start, stop):
                self._begin(&held[row, 0], &out[row, 0], &begun)
                apart = self._apart(&begun, 0)
                last = 0
                for i in range(cards.shape[0]):
                    # Of cards that are equals in the eyes of all the lowest is played: they are worth the same.
                    card = highest(apart & (2 * cards[i] - 1)) if cards[i] else 0
                    if not card or card != last:
                        now = begun
                        if card:
                            self._push(&now, card)
                        value = self._finish(&now, first + row)
                        if value < 0:
                            with gil:
                                return row
                    last = card
                    tricks[row, i] = value - begun.won
        return -1

    def choices(self, const uint64_t[:, ::1] held, const uint64_t[:, ::1] out, uint64_t first,
                uint64_t[::1] chosen, Py_ssize_t start, Py_ssize_t stop):
        """The card that the seat to act would play in each row, 0 if no world fits what it sees. Releases the GIL."""
        cdef Moment now
        cdef Py_ssize_t row
        with nogil:
            for row in range(start, stop):
                self._begin(&held[row, 0], &out[row, 0], &now)
                chosen[row] = self._decide(&now, first + row)

    def worlds(self, const uint64_t[:, ::1] held, const uint64_t[:, ::1] out, uint64_t first,
               uint64_t[:, :, ::1] drawn, Py_ssize_t start, Py_ssize_t stop):
        """What `choices` draws: `drawn[row, i]` are the hands in world i, left as they are if none fits. Releases the
        GIL."""
        cdef Moment now
        cdef Unseen unseen
        cdef Stream words
        cdef uint64_t found
        cdef Py_ssize_t row, i
        with nogil:
            for row in range(start, stop):
                self._begin(&held[row, 0], &out[row, 0], &now)
                self._look(&now, &unseen)
                found = worlds_from(&unseen, 0, unseen.need[0], unseen.need[1], unseen.need[2])
                words = stream(self.seed, first + row, MOST_TRICKS - now.left, now.seat)
                for i in range(drawn.shape[1] if found else 0):
                    deal(&unseen, found, &words, &drawn[row, i, 0])
                    drawn[row, i, now.seat] = now.hand[now.seat]
