"""Bits, hashes and random numbers, the same in plain Python and compiled.

A set of moves or of stones is an int, one bit an element: compiled, a word up to 62 bits, and beyond
them an integer of the game's width (`numba_sets`). Random numbers are splitmix64
(Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 [Steele14]):
the state is one 64-bit word, held in `rng[0]`.

Each function of `COMPILED` exists twice: as Python below, and as machine code in `register`, since
Numba's signed integers must never overflow (it is undefined behaviour there) and Python's never do.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from typing import TypeAlias

from damier.core.arrays import Ints, Words

Rng: TypeAlias = Words
"""One 64-bit word of state: a list of one int in plain Python, a uint64 array of length 1 compiled."""

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def popcount(bits: int) -> int:
    """Return how many bits are set.

    >>> popcount(0b1011)
    3
    """
    return (bits if bits >= 0 else bits & WORD).bit_count()


def lowest(bits: int) -> int:
    """The lowest bit of a set, as a set of its own.

    >>> lowest(0b1010)
    2
    """
    return bits & -bits


def highest(bits: int) -> int:
    """The highest bit of a set that is not empty, as a set of its own.

    >>> highest(0b1011)
    8
    """
    return 1 << bits.bit_length() - 1


def bit(n: int) -> int:
    """Bit number `n`, as a set of its own: `1 << n` that is right also beyond a word.

    >>> bit(3)
    8
    """
    return 1 << n


def reversed_bits(bits: int, n: int) -> int:
    """The lowest `n` bits in reverse order; there are no others.

    >>> bin(reversed_bits(0b0011, 5))
    '0b11000'
    """
    return int(f"{bits:0{n}b}"[::-1], 2)


def byteswap(bits: int) -> int:
    """A set of 64 bits with its bytes in reverse order: a board of eight rows of eight, upside down.

    >>> hex(byteswap(0x0102))
    '0x201000000000000'
    """
    return int.from_bytes(bits.to_bytes(8, "little"), "big")


def position_of(bit: int) -> int:
    """The number of the lowest bit, counted from 0.

    >>> position_of(0b1000)
    3
    """
    return (bit & -bit).bit_length() - 1


def word_of(bits: int, n: int) -> int:
    """Word number `n` of a set of any width: its bits from 64 n on.

    >>> word_of(1 << 64 | 7, 0), word_of(1 << 64 | 7, 1)
    (7, 1)
    """
    return bits >> 64 * n & WORD


def each(moves: int) -> Iterator[int]:
    """The elements of a set, lowest bit first, as sets of one; in plain Python only.

    >>> list(each(0b1101))
    [1, 4, 8]
    """
    while moves:
        move = moves & -moves  # `lowest`, without the call
        moves ^= move
        yield move


def nth_bit(bits: int, n: int) -> int:
    """Bit number `n` of a set, counted from 0 among those that are set, as a set of its own.

    One instruction on x86-64 (pdep): the loop is a branch that cannot be foreseen, and random games
    spent most of their time on it.

    >>> nth_bit(0b101100, 1)
    8
    """
    while n > 0:
        bits &= bits - 1
        n -= 1
    return bits & -bits


def nth_position(bits: int, n: int) -> int:
    """The number of the bit that `nth_bit` finds.

    >>> nth_position(0b101100, 1)
    3
    """
    return position_of(nth_bit(bits, n))


def mix64(word: int) -> int:
    """A hash of 62 bits: the finalizer of splitmix64, shifted down."""
    word &= WORD
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD
    return (word ^ (word >> 31)) >> 2


def fibonacci_slot(word: int, slots: int) -> int:
    """A place for a word in a table of `slots`, a power of two: the top bits of one multiplication
    (D. E. Knuth, The Art of Computer Programming, volume 3 [Knuth3], section 6.4). A third of the
    time of `mix64`, and good enough where two words may share a place.
    """
    return ((word * GOLDEN) & WORD) >> (64 - position_of(slots))


def prefetch(words: Ints, place: int) -> None:
    """Asks memory for a word of an array before it is needed, so that other work can be done
    meanwhile: a table of a search is larger than any cache, and a search waited for it half of its
    time.
    """


def random_word(rng: Rng) -> int:
    """The next random number, uniform in [0, 2**53)."""
    rng[0] = word = (rng[0] + GOLDEN) & WORD
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD
    return (word ^ (word >> 31)) >> 11


def reseed(rng: Rng, seed: int, stream: int) -> None:
    """Starts stream number `stream` of `seed`: streams are far apart, whoever draws from them and
    in whatever order.
    """
    rng[0] = (mix64(mix64(index(seed)) + stream) << 2) & WORD  # a seed of NumPy has 64 bits


def seeded(seed: int, stream: int = 0) -> list[int]:
    """Return random numbers of that stream, for plain Python."""
    rng = [0]
    reseed(rng, seed, stream)
    return rng


COMPILED: frozenset[object] = frozenset(
    {
        popcount,
        position_of,
        nth_bit,
        nth_position,
        highest,
        word_of,
        reversed_bits,
        byteswap,
        mix64,
        fibonacci_slot,
        prefetch,
        random_word,
        reseed,
    }
)


def random_unit(rng: Rng) -> float:
    """A random number, uniform in [0, 1)."""
    return random_word(rng) * (1.0 / (1 << 53))


def random_below(rng: Rng, n: int) -> int:
    """A random int, uniform in [0, n), for n up to 2**31; the bias is below n / 2**31."""
    return ((random_word(rng) >> 22) * n) >> 31


def random_bit(rng: Rng, bits: int) -> int:
    """One bit of a set, each as likely, as a set of its own."""
    return nth_bit(bits, random_below(rng, popcount(bits)))


def register(has_pdep: bool) -> None:
    """Tells Numba the machine code of `COMPILED`, and of `int.bit_count` and `int.bit_length`,
    which it lacks.

    `has_pdep` says that the processor deposits bits in one instruction (BMI2 of x86-64). Every
    function here has a name of its own: the machine code of different engines is linked together by
    name.
    """
    import numpy as np
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload, overload_method

    u64, i64 = types.uint64, types.int64
    golden, first, second = np.uint64(GOLDEN), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
    s2, s11, s27, s30, s31 = (np.uint64(n) for n in (2, 11, 27, 30, 31))

    @intrinsic
    def count_ones(typing_context, x):  # type: ignore[no-untyped-def]
        return i64(i64), lambda context, builder, signature, args: builder.ctpop(args[0])

    @intrinsic
    def trailing_zeros(typing_context, x):  # type: ignore[no-untyped-def]
        return i64(i64), lambda context, builder, signature, args: builder.cttz(
            args[0], ir.Constant(ir.IntType(1), 0)
        )

    @intrinsic
    def leading_zeros(typing_context, x):  # type: ignore[no-untyped-def]
        return i64(i64), lambda context, builder, signature, args: builder.ctlz(
            args[0], ir.Constant(ir.IntType(1), 0)
        )

    @intrinsic
    def deposit(typing_context, x, mask):  # type: ignore[no-untyped-def]
        def pdep(context, builder, signature, args):  # type: ignore[no-untyped-def]
            word = ir.IntType(64)
            return builder.call(
                builder.module.declare_intrinsic(
                    "llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word])
                ),
                args,
            )

        return i64(i64, i64), pdep

    @intrinsic
    def ask_memory(typing_context, words, place):  # type: ignore[no-untyped-def]
        def ask(context, builder, signature, args):  # type: ignore[no-untyped-def]
            data, byte, number = (
                context.make_array(signature.args[0])(context, builder, args[0]).data,
                ir.IntType(8).as_pointer(),
                ir.IntType(32),
            )
            intrinsic_type = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", (byte,), intrinsic_type)
            to_read, to_keep, of_data = number(0), number(3), number(1)
            builder.call(
                prefetch, [builder.bitcast(builder.gep(data, [args[1]]), byte), to_read, to_keep, of_data]
            )
            return context.get_dummy_value()

        return types.none(words, i64), ask

    def popcount_compiled(bits):  # type: ignore[no-untyped-def]
        return count_ones(bits)

    def position_of_compiled(bit):  # type: ignore[no-untyped-def]
        return trailing_zeros(bit)

    def nth_bit_deposited(bits, n):  # type: ignore[no-untyped-def]
        return deposit(1 << n, bits)

    def nth_bit_compiled(bits, n):  # type: ignore[no-untyped-def]
        while n > 0:
            bits &= bits - 1
            n -= 1
        return bits & -bits

    def bit_count_compiled(x):  # type: ignore[no-untyped-def]
        return count_ones(abs(x))

    def bit_length_compiled(x):  # type: ignore[no-untyped-def]
        return 64 - leading_zeros(abs(x))

    def mix64_compiled(word):  # type: ignore[no-untyped-def]
        w = u64(word)
        w = (w ^ (w >> s30)) * first
        w = (w ^ (w >> s27)) * second
        return i64((w ^ (w >> s31)) >> s2)

    def fibonacci_slot_compiled(word, slots):  # type: ignore[no-untyped-def]
        return i64((u64(word) * golden) >> u64(64 - trailing_zeros(slots)))

    def prefetch_compiled(words, place):  # type: ignore[no-untyped-def]
        ask_memory(words, place)

    def random_word_compiled(rng):  # type: ignore[no-untyped-def]
        w = rng[0] + golden
        rng[0] = w
        w = (w ^ (w >> s30)) * first
        w = (w ^ (w >> s27)) * second
        return i64((w ^ (w >> s31)) >> s11)

    def reseed_compiled(rng, seed, stream):  # type: ignore[no-untyped-def]
        rng[0] = u64(mix64(mix64(seed) + stream)) << s2

    def is_int(kind: object) -> bool:
        return isinstance(kind, (types.Integer, types.Boolean))

    overload(popcount)(lambda bits: popcount_compiled if is_int(bits) else None)
    overload(position_of)(lambda bit: position_of_compiled if is_int(bit) else None)
    chosen_nth_bit = nth_bit_deposited if has_pdep else nth_bit_compiled
    overload(nth_bit)(lambda bits, n: chosen_nth_bit if is_int(bits) else None)
    overload(mix64)(lambda word: mix64_compiled)
    overload(fibonacci_slot)(lambda word, slots: fibonacci_slot_compiled)
    overload(prefetch)(lambda words, place: prefetch_compiled)
    overload(random_word)(lambda rng: random_word_compiled)
    overload(reseed)(lambda rng, seed, stream: reseed_compiled)
    overload_method(types.Integer, "bit_count")(lambda x: bit_count_compiled)
    overload_method(types.Integer, "bit_length")(lambda x: bit_length_compiled)
