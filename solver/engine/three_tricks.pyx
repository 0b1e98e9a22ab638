# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Numbers the endings of three tricks, and maps the file of their values. `build_three_tricks` makes the file."""
import mmap
import zlib
from pathlib import Path

from libc.string cimport memset

from solver.engine.types cimport uint8_t, uint16_t, uint32_t

#: The file; its processes share one copy in memory.
FILE = Path(__file__).parent / "data" / "three_tricks.bin"

#: Starts the file; then its checksum (CRC-32, little endian) and zeros up to `HEADER` bytes.
MAGIC = b"RBthree1"
HEADER = 64

#: Blocks of the file, in order: seats, and which of them are on the leader's side (bit i: i places after it).
BLOCKS = ((4, 0b0101), (3, 0b001), (3, 0b011), (3, 0b101))

cdef enum:
    LEFT = 3              # tricks to go
    HALF = 6              # cards in the second half of the word


cdef class ThreeTricks:
    """The numbers of all endings, and their values if a file is given. Constant from then on."""

    def __init__(self, file=None):
        cdef const uint8_t[::1] values
        cdef int seats, mates
        cdef Py_ssize_t at = HEADER
        self._number(&self.four, 4)
        self._number(&self.three, 3)
        if file is None:
            return
        self._file = mapped(file, HEADER + sum(self.block_bytes(seats) for seats, _ in BLOCKS))
        values = self._file
        for seats, mates in BLOCKS:
            if seats == 4:
                self.four.values[mates >> 1] = &values[at]
            else:
                self.three.values[mates >> 1] = &values[at]
            at += self.block_bytes(seats)

    def block_bytes(self, int seats):
        """The length of a block of values."""
        return (<Py_ssize_t>(self.four if seats == 4 else self.three).size + 3) // 4

    def shapes(self, int seats):
        """`[(first number, lengths of lanes 0 to 3)]`, in the order of the file; every shape has
        `arrangements` endings. Of the orders of plain lanes the one kept is longest first."""
        cdef Endings3 *endings = &self.four if seats == 4 else &self.three
        return [
            (endings.shapes[number].base, lengths)
            for lengths in kept_shapes(LEFT * seats)
            for number in [lengths[0] + TWO_LANES[<int>(lengths[0] + lengths[1])]
                           + THREE_LANES[<int>(lengths[0] + lengths[1] + lengths[2])]]
        ]

    def words(self, int seats, uint32_t[::1] words):
        """Fill in who owns the cards of each arrangement of a shape, 12 bits of `low` under 12 bits of `high`
        from bit 16 on. Returns how many there are; there must be room."""
        cdef Endings3 *endings = &self.four if seats == 4 else &self.three
        cdef int upper, lower
        for upper in range(4096):
            for lower in range(4096):
                if fits(upper, lower, seats):
                    words[endings.upper[upper] + endings.lower[lower]] = (
                        (upper & 0xFC0) << 16 | (upper & 63) << 6 | (lower & 0xFC0) << 10 | (lower & 63))
        return endings.arrangements

    cdef int _number(self, Endings3 *endings, int seats) except -1:
        cdef uint16_t full = 0x3333 if seats == 4 else 0x0333
        cdef uint32_t family[0x3334]    # up to the largest `full`
        cdef int word, number
        cdef uint16_t held
        memset(endings, 0, sizeof(Endings3))
        # 1. A first half and the second halves that complete it take consecutive numbers.
        memset(family, 0, sizeof(family))
        for word in range(4096):
            held = holding(word, HALF)
            if within(held, full):
                endings.lower[word] = family[held]
                family[held] += 1
        for word in range(4096):
            held = holding(word, LEFT * seats - HALF)
            if within(held, full) and not beyond(word, LEFT * seats - HALF):
                endings.upper[word] = endings.arrangements
                endings.arrangements += family[full - held]
        # 2. Each shape is a block of all arrangements.
        bases = {}
        for lengths in kept_shapes(LEFT * seats):
            bases[lengths] = endings.size
            endings.size += endings.arrangements
        # 3. How the lanes of a shape are put in order.
        for number in range(SHAPES):
            endings.shapes[number].base = NOT_KEPT
        for first in range(LEFT * seats + 1):
            for second in range(LEFT * seats + 1 - first):
                for third in range(LEFT * seats + 1 - first - second):
                    number = first + TWO_LANES[<int>(first + second)] + THREE_LANES[<int>(first + second + third)]
                    plain = (first, second, third)
                    trumps = LEFT * seats - sum(plain)
                    order = sorted(range(3), key=lambda lane: -plain[lane])
                    base = bases.get((*(plain[lane] for lane in order), trumps))
                    if base is None:
                        continue
                    endings.shapes[number].base = base
                    set_moves(&endings.shapes[number], plain, order, LEFT * seats)
        return 0


cdef int set_moves(Shape *shape, plain, order, int total) except -1:
    cdef uint32_t everything = (1 << total) - 1
    cdef uint32_t cards
    cdef int place = 0
    shape.stay = everything | everything << 16
    for lane in order:
        before = sum(plain[:lane])
        if place != before:
            cards = ((1 << plain[lane]) - 1) << before
            shape.move[<int>lane] = cards | cards << 16
            shape.by[<int>lane] = (place - before) & 31
            shape.stay ^= shape.move[<int>lane]
        place += plain[lane]
    return 0


def kept_shapes(int total):
    """The lengths of lanes 0 to 3, longest plain lane first, of every shape that is kept."""
    return [
        (first, second, third, trumps)
        for trumps in range(MOST_TRUMPS + 1)
        for first in range(MOST_PLAIN + 1)
        for second in range(first + 1)
        for third in [total - trumps - first - second]
        if 0 <= third <= second
    ]


cdef uint16_t holding(int word, int cards) noexcept nogil:
    """How many of the cards each seat holds, a hex digit a seat."""
    cdef uint16_t held = 0
    cdef int place
    for place in range(cards):
        held += 1 << 4 * ((word >> (place + 6) & 1) << 1 | (word >> place & 1))
    return held


cdef bint within(uint16_t held, uint16_t full) noexcept nogil:
    cdef int seat
    for seat in range(4):
        if (held >> 4 * seat & 15) > (full >> 4 * seat & 15):
            return False
    return True


cdef bint beyond(int word, int cards) noexcept nogil:
    """Does the word name an owner of more than the first `cards` places?"""
    return ((word | word >> 6) & 63) >> cards != 0


cdef bint fits(int upper, int lower, int seats) noexcept nogil:
    cdef int first = LEFT * seats - HALF
    return (not beyond(upper, first)
            and holding(upper, first) + holding(lower, HALF) == (0x3333 if seats == 4 else 0x0333))


def mapped(file, Py_ssize_t size):
    """The file as bytes that all processes share. Raises RuntimeError if it is not the one that belongs here."""
    try:
        with Path(file).open("rb") as opened:
            content = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise RuntimeError(f"{file} cannot be read ({error}): the installation is not complete") from error
    # A file cut short or changed must not give wrong answers.
    if len(content) != size or content[:len(MAGIC)] != MAGIC:
        raise RuntimeError(f"{file} is not the table of three tricks of this version: {len(content)} bytes")
    with memoryview(content) as view:
        if zlib.crc32(view[HEADER:]) != int.from_bytes(content[len(MAGIC):len(MAGIC) + 4], "little"):
            raise RuntimeError(f"{file} is damaged: its checksum is wrong")
    return content


cdef ThreeTricks _shared = None


cpdef ThreeTricks three_tricks():
    """The one table of this process, mapped at the first call."""
    global _shared
    if _shared is None:
        _shared = ThreeTricks(FILE)
    return _shared
