"""The transposition table: one word a slot, direct mapped, of fixed size.

A slot holds the whole key (57 bits) above two bounds of three bits each, so two positions never share an
entry: a collision costs a recomputation. Only trick starts with at most four cards a hand are stored; a fifth
would not fit and is the root. (Every seat holds as many cards as the others, so the owners tell how many.)
The key says who owns which relative rank, counted from the leader (16 + 16 bits), the lengths of the lanes
(19 bits), how many seats play (2), which of them are on the leader's side (3), and whether there is a trump
(1).
"""
from solver.engine.types cimport Relative, uint64_t


cdef struct Table:
    uint64_t *slots
    int shift          # 64 - log2(number of slots)


cdef struct Bounds:
    int at_least       # tricks of the leader's side
    int at_most


cdef inline uint64_t family_of(int seats, int mates, bint trump) noexcept nogil:
    """What the key says of the players. `mates`: bit i set if the seat i places after the leader is on the
    leader's side; bit 0 is set."""
    return trump << 5 | (mates >> 1) << 2 | (seats - 1)


cdef inline uint64_t table_key(Relative cards, uint64_t family) noexcept nogil:
    cdef uint64_t owners = (<uint64_t>cards.shape << 16 | cards.high) << 16 | cards.low
    return owners << 6 | family


cdef inline uint64_t *_slot(Table table, uint64_t key) noexcept nogil:
    return table.slots + ((key * <uint64_t>0x9E3779B97F4A7C15) >> table.shift)


cdef inline Bounds probe(Table table, uint64_t key, int left) noexcept nogil:
    """What is known of the position: 0 to `left` if nothing."""
    cdef Bounds bounds
    cdef uint64_t entry = _slot(table, key)[0]
    bounds.at_least = 0
    bounds.at_most = left
    if entry >> 6 == key:
        bounds.at_least = (entry >> 3) & 7
        bounds.at_most = entry & 7
    return bounds


cdef inline void store(Table table, uint64_t key, Bounds bounds) noexcept nogil:
    _slot(table, key)[0] = key << 6 | <uint64_t>bounds.at_least << 3 | <uint64_t>bounds.at_most
