# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Double-dummy search: how many tricks a side takes when all cards are known and everyone plays best.

This is what Python sees of it: positions are checked and put on the board, one by one or a batch at a time, and
`questions` are asked about them.
"""
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from solver.engine.bits cimport count, has_pext, lowest
from solver.engine.board cimport Board, Trick, after, maximising, mates_of
from solver.engine.endings cimport ending_table
from solver.engine.guess cimport guessed_value
from solver.engine.ordering cimport four_cheapest
from solver.engine.questions cimport EVERY_STEP, card_value, position_reaches, position_value
from solver.engine.rows cimport active_seats, kernel_word
from solver.engine.table cimport family_of
from solver.engine.three_tricks cimport three_tricks
from solver.engine.tricks cimport beats, distinct, lane_of, legal
from solver.engine.types cimport (
    GUARDS, MAX_HAND, MAX_SEATS, TRUMP, USABLE, Cards, int8_t, uint8_t, uint32_t, uint64_t)


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
                value = card_value(&self.board, &trick, card, left, value, EVERY_STEP)
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
                while best < left and position_reaches(board, trick, left, best + 1):
                    best += 1
                    discard[0] = card
            else:
                while best > 0 and not position_reaches(board, trick, left, best):
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
