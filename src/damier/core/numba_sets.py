"""Sets of bits wider than a word, for Numba: what is an int in plain Python is one LLVM integer of W
bits when compiled.

A set is never negative. What a shift to the left takes beyond W bits is dropped, and `~x` has all W
bits: rules mask both, as the documentation of `Game` says, and `core/tiers.py` finds where one
does not. Numba's typing is meant to be extended like this, but its interfaces for it are only half
promised: `tests/core/test_numba_adapter.py` says what has changed when it fails. The functions of
`core/bits.py` for such sets stand at the end.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin, lower_cast, lower_constant
from numba.core.typeconv import Conversion
from numba.core.typing import signature
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    make_callable_template,
)
from numba.core.utils import pysignature
from numba.extending import intrinsic, models, overload, overload_method, register_model, typeof_impl

from damier.core import bits as plain
from damier.core.bits import nth_bit, nth_position, popcount, position_of
from damier.core.wide import WideClass, WideInt, is_wide

I64 = ir.IntType(64)
Numba: TypeAlias = Any
"""What Numba hands over or takes: it has no types."""
Emit = Callable[..., Numba]


class Bits(types.Type):  # type: ignore[misc]
    """A set of `width` bits."""

    mutable = False

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(name=f"Bits({width})")

    def can_convert_from(self, typing_context: Numba, other: Numba) -> Numba:
        return Conversion.safe if isinstance(other, (types.Integer, types.Boolean)) else None

    def unify(self, typing_context: Numba, other: Numba) -> Numba:
        """`x = 0` on one way, a set on the other: a set."""
        return self if isinstance(other, types.Integer) else None


@register_model(Bits)
class BitsModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Numba, kind: Bits) -> None:
        super().__init__(manager, kind, ir.IntType(kind.width))


class StateClass(types.NamedTupleClass):  # type: ignore[misc]
    """The class of a game's states in compiled rules: what it makes has fields of the widths that the
    game declares, whatever it is given.
    """

    def __init__(self, wide: WideClass) -> None:
        self.wide = wide
        super().__init__(wide.made)
        self.name = f"class({wide.made}) of {wide.bits} in {wide.width}"

    def get_impl_key(self, sig: Numba) -> Numba:
        return types.NamedTupleClass

    @property
    def key(self) -> Numba:
        return self.name


@typeof_impl.register(WideClass)  # type: ignore[untyped-decorator]
def type_of_class(value: WideClass, context: Numba) -> StateClass:
    return StateClass(value)


@typeof_impl.register(WideInt)  # type: ignore[untyped-decorator]
def type_of_int(value: WideInt, context: Numba) -> Bits:
    return Bits(value.width)


@register_model(StateClass)
class StateClassModel(models.OpaqueModel):  # type: ignore[misc]
    """Nothing: all is known by its type."""


@infer_getattr
class StateClassAttribute(AttributeTemplate):  # type: ignore[misc]
    key = StateClass

    def resolve___call__(self, kind: StateClass) -> Numba:
        """A call by place or by name, with the defaults of the NamedTuple."""
        made, wide = kind.wide.made, kind.wide
        described = pysignature(made)

        def typer(*args: Numba, **kws: Numba) -> Numba:
            given = described.bind(*args, **kws).args
            fields = [field_type(bits, wide.width) for bits in wide.bits[: len(given)]]
            return types.BaseTuple.from_types(fields, made)

        typer.pysig = described  # type: ignore[attr-defined]
        return types.Function(make_callable_template(self.key, typer))


def field_type(bits: int | tuple[int, ...], width: int) -> Numba:
    """The type of a field of so many bits."""
    if isinstance(bits, tuple):
        return types.BaseTuple.from_types([field_type(part, width) for part in bits])
    return Bits(width) if is_wide(bits) else types.int64


def fitted(builder: Numba, value: Numba, width: int, *, signed: bool) -> Numba:
    """An integer in `width` bits: cut off, or with more in front."""
    have = value.type.width
    if have == width:
        return value
    if have > width:
        return builder.trunc(value, ir.IntType(width))
    return (builder.sext if signed else builder.zext)(value, ir.IntType(width))


@lower_constant(Bits)
def constant(context, builder, kind, value):  # type: ignore[no-untyped-def]
    return ir.Constant(ir.IntType(kind.width), int(value) & (1 << kind.width) - 1)


@lower_cast(types.Integer, Bits)
@lower_cast(types.Boolean, Bits)
def from_int(context, builder, given, wanted, value):  # type: ignore[no-untyped-def]
    if isinstance(given, types.IntegerLiteral):
        return ir.Constant(ir.IntType(wanted.width), given.literal_value & (1 << wanted.width) - 1)
    return fitted(builder, value, wanted.width, signed=getattr(given, "signed", False))


@lower_cast(Bits, types.Integer)
def to_int(context, builder, given, wanted, value):  # type: ignore[no-untyped-def]
    return fitted(builder, value, wanted.bitwidth, signed=False)


@lower_cast(Bits, types.Boolean)
def to_bool(context, builder, given, wanted, value):  # type: ignore[no-untyped-def]
    return builder.icmp_unsigned("!=", value, value.type(0))


@lower_cast(types.UniTuple, Bits)
def from_words(context, builder, given, wanted, value):  # type: ignore[no-untyped-def]
    """The words with which a field enters compiled code, joined."""
    joined = ir.Constant(ir.IntType(wanted.width), 0)
    for number, word in enumerate(cgutils.unpack_tuple(builder, value)):
        part = fitted(builder, word, wanted.width, signed=False)
        joined = builder.or_(joined, builder.shl(part, part.type(64 * number)))
    return joined


# ---- operators: a set and a set, or a set and an int, which is taken as a set


def is_operand(kind: Numba) -> bool:
    return isinstance(kind, (Bits, types.Integer, types.Boolean))


def binary(operation: Numba, emit: Emit, answer: Numba = None) -> None:
    """An operator on two sets; `answer`: its type, if it is no set."""

    @infer_global(operation)
    class Typer(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Numba, kws: Numba) -> Numba:
            sets = [kind for kind in args if isinstance(kind, Bits)]
            if len(args) == 2 and sets and all(map(is_operand, args)):
                return signature(answer or sets[0], sets[0], sets[0])
            return None

    lower_builtin(operation, Bits, Bits)(lambda context, builder, sig, args: emit(builder, *args))


for operations, emit in (
    ((operator.and_, operator.iand), lambda builder, x, y: builder.and_(x, y)),
    ((operator.or_, operator.ior), lambda builder, x, y: builder.or_(x, y)),
    ((operator.xor, operator.ixor), lambda builder, x, y: builder.xor(x, y)),
    ((operator.add, operator.iadd), lambda builder, x, y: builder.add(x, y)),
    ((operator.sub, operator.isub), lambda builder, x, y: builder.sub(x, y)),
    ((operator.mul, operator.imul), lambda builder, x, y: builder.mul(x, y)),
):
    for operation in operations:
        binary(operation, emit)


def comparison(operation: Numba, sign: str) -> None:
    binary(operation, lambda builder, x, y: builder.icmp_unsigned(sign, x, y), types.boolean)


for operation, sign in (
    (operator.eq, "=="),
    (operator.ne, "!="),
    (operator.lt, "<"),
    (operator.gt, ">"),
    (operator.le, "<="),
    (operator.ge, ">="),
):
    comparison(operation, sign)


def shift(operation: Numba, emit: Emit) -> None:
    """A shift by an int, which is less than the width."""

    @infer_global(operation)
    class Typer(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Numba, kws: Numba) -> Numba:
            if len(args) == 2 and isinstance(args[0], Bits) and isinstance(args[1], types.Integer):
                return signature(args[0], args[0], types.int64)
            return None

    def lower(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return emit(builder, args[0], fitted(builder, args[1], args[0].type.width, signed=False))

    lower_builtin(operation, Bits, types.Integer)(lower)


for operation in (operator.lshift, operator.ilshift):
    shift(operation, lambda builder, x, n: builder.shl(x, n))
for operation in (operator.rshift, operator.irshift):
    shift(operation, lambda builder, x, n: builder.lshr(x, n))


def unary(operation: Numba, emit: Emit, answer: Numba = None) -> None:
    @infer_global(operation)
    class Typer(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Numba, kws: Numba) -> Numba:
            if len(args) == 1 and isinstance(args[0], Bits):
                return signature(answer or args[0], args[0])
            return None

    lower_builtin(operation, Bits)(lambda context, builder, sig, args: emit(builder, args[0]))


unary(operator.invert, lambda builder, x: builder.not_(x))
unary(operator.neg, lambda builder, x: builder.neg(x))
unary(operator.truth, lambda builder, x: builder.icmp_unsigned("!=", x, x.type(0)), types.boolean)
unary(bool, lambda builder, x: builder.icmp_unsigned("!=", x, x.type(0)), types.boolean)
unary(operator.not_, lambda builder, x: builder.icmp_unsigned("==", x, x.type(0)), types.boolean)


# The functions of `core/bits.py` for Numba, where a set has more bits than a word.


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
