"""What a seat may play, which of it is worth trying, and who wins: the rules of a trick on kernel words.

`trump` is lane 3, or nothing in no-trump, when lane 3 holds a fourth plain suit.
"""
from solver.engine.types cimport Cards


cdef inline Cards lane_of(Cards card) noexcept nogil:
    """All bits of the lane the card is in."""
    if card >> 32:
        return <Cards>0xFFFF000000000000 if card >> 48 else <Cards>0x0000FFFF00000000
    return <Cards>0x00000000FFFF0000 if card >> 16 else <Cards>0x000000000000FFFF


cdef inline Cards legal(Cards hand, Cards lane) noexcept nogil:
    """Cards of `hand` that may follow a lead in `lane`."""
    cdef Cards same = hand & lane
    return same if same else hand


cdef inline Cards distinct(Cards cards, Cards dead) noexcept nogil:
    """The lowest card of each run of equals: cards with nothing between them but cards of `dead`, which are
    out of play.

    Adding `dead` carries each card shifted up over the dead ones to the next position that matters; what of
    `cards` is hit has an equal below it. The guards are not in `dead`, so no carry leaves its lane.
    """
    return cards & ~(((cards << 1) + dead) & ~dead)


cdef inline bint beats(Cards card, Cards best, Cards lane, Cards trump) noexcept nogil:
    """Does `card` take the trick from `best`, `lane` having been led?"""
    return (card & (lane | trump)) > best


cdef inline Cards able(Cards hand, Cards lane, Cards trump) noexcept nogil:
    """The cards a hand may play on `lane` that can win at all. As a number it exceeds every single card they
    beat."""
    cdef Cards same = hand & lane
    return same if same else hand & trump
