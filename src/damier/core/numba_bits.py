"""The functions of `core/bits.py` for Numba, where a set has more bits than a word (`numba_sets`)."""

from __future__ import annotations

from functools import cache

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload, overload_method

from damier.core import bits as plain
from damier.core.bits import nth_bit, nth_position, popcount, position_of
from damier.core.numba_sets import I64, Bits, Emit, Numba, fitted


def counter(emit: Emit) -> Numba:
    """An intrinsic that answers a number about a set."""

    @intrinsic
    def number(typing_context, bits):  # type: ignore[no-untyped-def]
        def lower(context, builder, sig, args):  # type: ignore[no-untyped-def]
            return fitted(builder, emit(builder, args[0]), 64, signed=False)

        return types.int64(bits), lower

    return number


FALSE = ir.Constant(ir.IntType(1), 0)
ones = counter(lambda builder, x: builder.ctpop(x))
trailing_zeros = counter(lambda builder, x: builder.cttz(x, FALSE))
leading_zeros = counter(lambda builder, x: builder.ctlz(x, FALSE))


@intrinsic
def word(typing_context, bits, n):  # type: ignore[no-untyped-def]
    """Word number `n` of a set."""

    def lower(context, builder, sig, args):  # type: ignore[no-untyped-def]
        value, number = args
        if value.type.width == 64:
            return value
        place = fitted(builder, builder.mul(number, I64(64)), value.type.width, signed=False)
        return fitted(builder, builder.lshr(value, place), 64, signed=False)

    return types.int64(bits, types.int64), lower


@intrinsic
def with_bits_reversed(typing_context, bits, n):  # type: ignore[no-untyped-def]
    def lower(context, builder, sig, args):  # type: ignore[no-untyped-def]
        value, number = args
        width = value.type.width
        turned = builder.bitreverse(value)
        place = builder.sub(
            ir.Constant(ir.IntType(width), width), fitted(builder, number, width, signed=False)
        )
        return builder.lshr(turned, place)

    return bits(bits, types.int64), lower


@intrinsic
def with_bytes_reversed(typing_context, bits):  # type: ignore[no-untyped-def]
    def lower(context, builder, sig, args):  # type: ignore[no-untyped-def]
        width = args[0].type.width
        return fitted(builder, builder.bswap(fitted(builder, args[0], 64, signed=False)), width, signed=False)

    return bits(bits), lower


@cache
def bit_maker(width: int) -> Numba:
    """`bit` of a game with sets of this width."""
    kind = Bits(width)

    @intrinsic
    def bit(typing_context, n):  # type: ignore[no-untyped-def]
        def lower(context, builder, sig, args):  # type: ignore[no-untyped-def]
            # a shift of more than a word by what is not known costs more than a choice for each word
            one = builder.shl(I64(1), builder.and_(args[0], I64(63)))
            number = builder.lshr(args[0], I64(6))
            made = ir.Constant(ir.IntType(width), 0)
            for k in range(width // 64):
                part = builder.select(builder.icmp_unsigned("==", number, I64(k)), one, I64(0))
                part = fitted(builder, part, width, signed=False)
                made = builder.or_(made, builder.shl(part, part.type(64 * k)))
            return made

        return kind(types.int64), lower

    return bit


@cache
def word_maker(width: int) -> Numba:
    """`as_word` of a game with sets of this width: a set as an int64, an int as it is."""

    @intrinsic
    def as_word(typing_context, number):  # type: ignore[no-untyped-def]
        if not isinstance(number, Bits):
            return number(number), lambda context, builder, sig, args: args[0]

        def lower(context, builder, sig, args):  # type: ignore[no-untyped-def]
            return fitted(builder, args[0], 64, signed=False)

        return types.int64(number), lower

    return as_word


def is_set(kind: Numba) -> bool:
    return isinstance(kind, Bits)


@cache
def position_finder(width: int) -> Numba:
    """`nth_position` in sets of this width: skips words that hold fewer. One function a word, so that
    each is taken out by a number that is known.
    """
    from numba import njit

    find = njit(position_in_word(width // 64 - 1))
    for number in range(width // 64 - 2, -1, -1):
        find = njit(position_from_word(number, find))
    return find


def position_in_word(number: int) -> Numba:
    def find(bits, n):  # type: ignore[no-untyped-def]
        return number * 64 + position_of(nth_bit(word(bits, number), n))

    return find


def position_from_word(number: int, further: Numba) -> Numba:
    def find(bits, n):  # type: ignore[no-untyped-def]
        part = word(bits, number)
        held = popcount(part)
        if n < held:
            return number * 64 + position_of(nth_bit(part, n))
        return further(bits, n - held)

    return find


@cache
def wide_maker(width: int) -> Numba:
    """`as_wide` of a game with sets of this width."""
    kind = Bits(width)

    @intrinsic
    def as_wide(typing_context, bits):  # type: ignore[no-untyped-def]
        def lower(context, builder, sig, args):  # type: ignore[no-untyped-def]
            return context.cast(builder, args[0], sig.args[0], kind)

        return kind(bits), lower

    return as_wide


@overload(plain.popcount)
def popcount_of_set(bits):  # type: ignore[no-untyped-def]
    return (lambda bits: ones(bits)) if is_set(bits) else None


@overload(plain.position_of)
def position_in_set(bit):  # type: ignore[no-untyped-def]
    return (lambda bit: trailing_zeros(bit)) if is_set(bit) else None


@overload(plain.nth_position)
def nth_position_of_set(bits, n):  # type: ignore[no-untyped-def]
    if not is_set(bits):
        return lambda bits, n: position_of(nth_bit(bits, n))
    find = position_finder(bits.width)
    return lambda bits, n: find(bits, n)


@overload(plain.nth_bit)
def nth_of_set(bits, n):  # type: ignore[no-untyped-def]
    if not is_set(bits):
        return None
    make = bit_maker(bits.width)
    return lambda bits, n: make(nth_position(bits, n))


@overload(plain.highest)
def highest_of_set(bits):  # type: ignore[no-untyped-def]
    if is_set(bits):
        make, width = bit_maker(bits.width), bits.width
        return lambda bits: make(width - 1 - leading_zeros(bits))
    return lambda bits: 1 << (bits.bit_length() - 1)


@overload(plain.word_of)
def word_of_set(bits, n):  # type: ignore[no-untyped-def]
    return (lambda bits, n: word(bits, n)) if is_set(bits) else (lambda bits, n: bits if n == 0 else 0)


@overload(plain.reversed_bits)
def reversed_set(bits, n):  # type: ignore[no-untyped-def]
    return lambda bits, n: with_bits_reversed(bits, n)


@overload(plain.byteswap)
def swapped_set(bits):  # type: ignore[no-untyped-def]
    return lambda bits: with_bytes_reversed(bits)


@overload_method(Bits, "bit_count")
def bit_count(bits):  # type: ignore[no-untyped-def]
    return lambda bits: ones(bits)


@overload_method(Bits, "bit_length")
def bit_length(bits):  # type: ignore[no-untyped-def]
    width = bits.width
    return lambda bits: width - leading_zeros(bits)
