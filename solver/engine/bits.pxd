"""Bit tricks. With BMI2 the squeeze is three instructions; without it a loop over the cards gives the same
words."""
from solver.engine.types cimport Cards, Relative, uint32_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static __inline int rb_top_index(uint64_t x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
    static __inline int rb_low_index(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
    #else
    static inline int rb_top_index(uint64_t x) { return 63 - __builtin_clzll(x); }
    static inline int rb_low_index(uint64_t x) { return __builtin_ctzll(x); }
    #endif

    #if defined(__x86_64__) && defined(__GNUC__)
    #include <cpuid.h>
    /* Written as assembly, so that one portable build may hold it: the caller asks rb_has_pext first. The
       first two Zen generations have the instruction, but slower than the loop. */
    static inline uint64_t rb_pext(uint64_t value, uint64_t mask)
    {
        uint64_t packed;
        __asm__("pextq %2, %1, %0" : "=r"(packed) : "r"(value), "r"(mask));
        return packed;
    }
    static inline int rb_popcnt(uint64_t value)
    {
        uint64_t found;
        __asm__("popcntq %1, %0" : "=r"(found) : "r"(value) : "cc");
        return (int)found;
    }
    /* All that `BY_INSTRUCTION` is compiled to. Without LZCNT (bit 5 of this leaf, which not every compiler has a name
       for) the instruction would run as another one, and give wrong answers. */
    static inline int rb_has_pext(void)
    {
        unsigned int eax, ebx, ecx, edx;
        __builtin_cpu_init();
        return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt")
            && __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) && (ecx >> 5 & 1)
            && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
    }
    #else
    static inline uint64_t rb_pext(uint64_t value, uint64_t mask) { (void)mask; return value; }
    static inline int rb_popcnt(uint64_t value) { return (int)value; }
    static inline int rb_has_pext(void) { return 0; }
    #endif

    /* The bits of `low` and `high` where `cards` has one, packed; and the bars among the cards, packed. */
    static inline void rb_squeeze(uint64_t low, uint64_t high, uint64_t cards, uint64_t bars, int has_pext,
                                  uint32_t *packed_low, uint32_t *packed_high, uint32_t *packed_bars)
    {
        uint32_t l = 0, h = 0, b = 0, at = 1, bar_at = 1;
        uint64_t left = cards | bars;
        if (has_pext) {
            *packed_low = (uint32_t)rb_pext(low, cards);
            *packed_high = (uint32_t)rb_pext(high, cards);
            *packed_bars = (uint32_t)rb_pext(bars, left);
            return;
        }
        while (left) {
            uint64_t bit = left & (0 - left);
            uint32_t is_bar = (bit & bars) != 0;
            left ^= bit;
            l |= (low & bit) ? at : 0;
            h |= (high & bit) ? at : 0;
            b |= is_bar ? bar_at : 0;
            at <<= 1 - is_bar;
            bar_at <<= 1;
        }
        *packed_low = l; *packed_high = h; *packed_bars = b;
    }
    """
    int top_index "rb_top_index"(Cards cards) noexcept nogil    # of the highest bit; cards must not be 0
    int low_index "rb_low_index"(Cards cards) noexcept nogil    # of the lowest bit; cards must not be 0
    int _popcnt "rb_popcnt"(Cards cards) noexcept nogil
    bint has_pext "rb_has_pext"() noexcept nogil
    void _squeeze "rb_squeeze"(Cards low, Cards high, Cards cards, Cards bars, bint has_pext,
                               uint32_t *packed_low, uint32_t *packed_high,
                               uint32_t *packed_bars) noexcept nogil


cdef inline Cards lowest(Cards cards) noexcept nogil:
    return cards & (0 - cards)


cdef inline Cards highest(Cards cards) noexcept nogil:
    """The highest card; `cards` must not be empty."""
    return (<Cards>1) << top_index(cards)


cdef inline int count(Cards cards) noexcept nogil:
    """How many cards. Sums in ever wider fields: a portable build has no instruction for it, and a loop over
    the cards costs a wrong guess of the processor at its end."""
    cards -= (cards >> 1) & <Cards>0x5555555555555555
    cards = (cards & <Cards>0x3333333333333333) + ((cards >> 2) & <Cards>0x3333333333333333)
    cards = (cards + (cards >> 4)) & <Cards>0x0F0F0F0F0F0F0F0F
    return (cards * <Cards>0x0101010101010101) >> 56


cdef inline int count_by(Cards cards, bint has_pext) noexcept nogil:
    """The same, by instruction where there is one."""
    return _popcnt(cards) if has_pext else count(cards)


cdef inline Relative squeeze(Cards low, Cards high, Cards cards, Cards bars, bint has_pext) noexcept nogil:
    cdef Relative packed
    _squeeze(low, high, cards, bars, has_pext, &packed.low, &packed.high, &packed.shape)
    return packed


cdef inline uint32_t squeeze_owners(Cards low, Cards high, Cards cards, bint has_pext) noexcept nogil:
    """The bits of `low` and, from bit 16 on, of `high`, where `cards` has one, packed. At most 16 cards."""
    cdef Relative packed
    _squeeze(low, high, cards, 0, has_pext, &packed.low, &packed.high, &packed.shape)
    return packed.low | packed.high << 16
