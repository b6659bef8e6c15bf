"""The legal moves of a position, for Numba (`core/moves.py` says what they are in plain Python).

A set is an int64, a wide set `Bits`; a list is a `MoveList`: where its moves lie, and how many there are.
They lie in the frame of the function that asks for the moves, so that nothing is allocated or freed.
"""

from __future__ import annotations

import operator

from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils
from numba.core.imputils import RefType, iternext_impl, lower_builtin
from numba.extending import intrinsic, models, overload, overload_method, register_model

from damier.core import moves as plain
from damier.core.bits import nth_bit, nth_position, popcount, position_of
from damier.core.numba_sets import Bits, Numba, bit_maker, fitted
from damier.core.words import N_

I64 = ir.IntType(64)
FULL = N_("a position has more moves than the game's most_moves")


class MoveList(types.SimpleIterableType):  # type: ignore[misc]
    """A list of at most `room` moves."""

    def __init__(self, room: int) -> None:
        self.room = room
        super().__init__(f"MoveList({room})", MoveListIterator())


class MoveListIterator(types.SimpleIteratorType):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__("MoveListIterator", types.int64)


class EachMove(types.SimpleIterableType):  # type: ignore[misc]
    """Iterator through a set, of an int64 or of `Bits`."""

    def __init__(self, kind: Numba) -> None:
        self.kind = kind
        super().__init__(f"EachMove({kind})", EachMoveIterator(kind))


class EachMoveIterator(types.SimpleIteratorType):  # type: ignore[misc]
    def __init__(self, kind: Numba) -> None:
        self.kind = kind
        super().__init__(f"EachMoveIterator({kind})", types.int64)


@register_model(MoveList)
class MoveListModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Numba, kind: MoveList) -> None:
        pointer = types.CPointer(types.int64)
        super().__init__(manager, kind, [("items", pointer), ("filled", pointer)])


@register_model(MoveListIterator)
class MoveListIteratorModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Numba, kind: MoveListIterator) -> None:
        pointer = types.EphemeralPointer(types.int64)
        members = [("items", types.CPointer(types.int64)), ("index", pointer), ("stop", types.int64)]
        super().__init__(manager, kind, members)


@register_model(EachMove)
class EachMoveModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Numba, kind: EachMove) -> None:
        super().__init__(manager, kind, [("moves", kind.kind)])


@register_model(EachMoveIterator)
class EachMoveIteratorModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Numba, kind: EachMoveIterator) -> None:
        super().__init__(manager, kind, [("left", types.EphemeralPointer(kind.kind))])


def struct(context: Numba, builder: Numba, kind: Numba, value: Numba = None) -> Numba:
    """The members of a value of one of the types above, or of a new one."""
    return cgutils.create_struct_proxy(kind)(context, builder, value=value)


def new_list(context: Numba, builder: Numba, kind: MoveList) -> Numba:
    """An empty list in the frame of the function that is being translated."""
    with builder.goto_entry_block():
        items = builder.alloca(ir.ArrayType(I64, kind.room))
        filled = builder.alloca(I64)
    builder.store(I64(0), filled)
    found = struct(context, builder, kind)
    found.items = builder.bitcast(items, I64.as_pointer())
    found.filled = filled
    return found._getvalue()


def listed_by(rule: Numba, room: int) -> Numba:
    """The rule `moves(s)` of a game that gives `rule(s, found)`, compiled: its answer lies in the frame
    of whoever asks.
    """
    kind = MoveList(room)

    @intrinsic
    def moves(typing_context, s):  # type: ignore[no-untyped-def]
        compiled = typeof(rule)  # here: the type alone does not keep the rule
        inner = compiled.get_call_type(typing_context, (s, kind), {})

        def ask(context, builder, signature, args):  # type: ignore[no-untyped-def]
            found = new_list(context, builder, kind)
            context.get_function(compiled, inner)(builder, (args[0], found))
            return found

        return kind(s), ask

    return moves


def no_moves_of(room: int) -> Numba:
    """`no_moves` of a game with lists, compiled."""
    kind = MoveList(room)

    @intrinsic
    def no_moves(typing_context):  # type: ignore[no-untyped-def]
        return kind(), lambda context, builder, signature, args: new_list(context, builder, kind)

    return no_moves


# ---- a list, as rules and engines use it


@intrinsic
def item(typing_context, found, n):  # type: ignore[no-untyped-def]
    def read(context, builder, signature, args):  # type: ignore[no-untyped-def]
        items = struct(context, builder, signature.args[0], args[0]).items
        return builder.load(builder.gep(items, [args[1]]))

    return types.int64(found, types.int64), read


@intrinsic
def put(typing_context, found, n, move):  # type: ignore[no-untyped-def]
    def write(context, builder, signature, args):  # type: ignore[no-untyped-def]
        members = struct(context, builder, signature.args[0], args[0])
        builder.store(args[2], builder.gep(members.items, [args[1]]))
        builder.store(builder.add(args[1], I64(1)), members.filled)
        return context.get_dummy_value()

    return types.none(found, types.int64, types.int64), write


@intrinsic
def size(typing_context, found):  # type: ignore[no-untyped-def]
    def read(context, builder, signature, args):  # type: ignore[no-untyped-def]
        return builder.load(struct(context, builder, signature.args[0], args[0]).filled)

    return types.int64(found), read


@intrinsic
def emptied(typing_context, found):  # type: ignore[no-untyped-def]
    def write(context, builder, signature, args):  # type: ignore[no-untyped-def]
        builder.store(I64(0), struct(context, builder, signature.args[0], args[0]).filled)
        return args[0]

    return found(found), write


@overload_method(MoveList, "append")
def append(found, move):  # type: ignore[no-untyped-def]
    room = found.room

    def append(found, move):  # type: ignore[no-untyped-def]
        n = size(found)
        if n >= room:
            raise OverflowError(FULL)
        put(found, n, move)

    return append


@overload(len)
def length(found):  # type: ignore[no-untyped-def]
    return (lambda found: size(found)) if isinstance(found, MoveList) else None


@overload(operator.getitem)
def getitem(found, n):  # type: ignore[no-untyped-def]
    return (lambda found, n: item(found, n)) if isinstance(found, MoveList) else None


@overload(operator.truth)
def truth(found):  # type: ignore[no-untyped-def]
    return (lambda found: size(found) != 0) if isinstance(found, MoveList) else None


# ---- `each`


@lower_builtin("getiter", MoveList)
def iterate_list(context, builder, signature, args):  # type: ignore[no-untyped-def]
    found = struct(context, builder, signature.args[0], args[0])
    iterator = struct(context, builder, signature.return_type)
    iterator.items = found.items
    iterator.index = cgutils.alloca_once_value(builder, I64(0))
    iterator.stop = builder.load(found.filled)
    return iterator._getvalue()


@lower_builtin("iternext", MoveListIterator)
@iternext_impl(RefType.UNTRACKED)
def next_listed(context, builder, signature, args, result):  # type: ignore[no-untyped-def]
    iterator = struct(context, builder, signature.args[0], args[0])
    index = builder.load(iterator.index)
    more = builder.icmp_signed("<", index, iterator.stop)
    result.set_valid(more)
    with builder.if_then(more):
        result.yield_(builder.load(builder.gep(iterator.items, [index])))
        builder.store(builder.add(index, I64(1)), iterator.index)


@lower_builtin("getiter", EachMove)
def iterate_set(context, builder, signature, args):  # type: ignore[no-untyped-def]
    iterator = struct(context, builder, signature.return_type)
    moves = struct(context, builder, signature.args[0], args[0]).moves
    iterator.left = cgutils.alloca_once_value(builder, moves)
    return iterator._getvalue()


@lower_builtin("iternext", EachMoveIterator)
@iternext_impl(RefType.UNTRACKED)
def next_in_set(context, builder, signature, args, result):  # type: ignore[no-untyped-def]
    iterator = struct(context, builder, signature.args[0], args[0])
    left = builder.load(iterator.left)
    more = builder.icmp_unsigned("!=", left, left.type(0))
    result.set_valid(more)
    with builder.if_then(more):
        if isinstance(signature.args[0].kind, Bits):
            number = fitted(builder, builder.cttz(left, ir.Constant(ir.IntType(1), 0)), 64, signed=False)
            result.yield_(builder.add(number, I64(1)))
        else:
            result.yield_(builder.and_(left, builder.neg(left)))
        builder.store(builder.and_(left, builder.sub(left, left.type(1))), iterator.left)


@intrinsic
def each_of_set(typing_context, moves):  # type: ignore[no-untyped-def]
    kind = EachMove(moves if isinstance(moves, Bits) else types.int64)

    def wrap(context, builder, signature, args):  # type: ignore[no-untyped-def]
        found = struct(context, builder, kind)
        found.moves = args[0]
        return found._getvalue()

    return kind(kind.kind), wrap


def nth_of_wide(moves, n):  # type: ignore[no-untyped-def]
    return nth_position(moves, n) + 1


def index_in_list(moves, move):  # type: ignore[no-untyped-def]
    index = 0
    while item(moves, index) != move:
        index += 1
    return index


def is_in_list(moves, move):  # type: ignore[no-untyped-def]
    index = 0
    while index < size(moves) and item(moves, index) != move:
        index += 1
    return index < size(moves)


def added_to_list(moves, move):  # type: ignore[no-untyped-def]
    moves.append(move)
    return moves


@overload(plain.each)
def each(moves):  # type: ignore[no-untyped-def]
    return (lambda moves: moves) if isinstance(moves, MoveList) else (lambda moves: each_of_set(moves))


@overload(plain.count_moves)
def count_moves(moves):  # type: ignore[no-untyped-def]
    return (lambda moves: size(moves)) if isinstance(moves, MoveList) else (lambda moves: popcount(moves))


@overload(plain.first_move)
def first_move(moves):  # type: ignore[no-untyped-def]
    if isinstance(moves, MoveList):
        return lambda moves: item(moves, 0)
    return (
        (lambda moves: position_of(moves) + 1) if isinstance(moves, Bits) else (lambda moves: moves & -moves)
    )


@overload(plain.last_move)
def last_move(moves):  # type: ignore[no-untyped-def]
    if isinstance(moves, MoveList):
        return lambda moves: item(moves, size(moves) - 1)
    if isinstance(moves, Bits):
        return lambda moves: moves.bit_length()
    return lambda moves: 1 << (moves.bit_length() - 1)


@overload(plain.nth_move)
def nth_move(moves, n):  # type: ignore[no-untyped-def]
    if isinstance(moves, MoveList):
        return lambda moves, n: item(moves, n)
    return nth_of_wide if isinstance(moves, Bits) else (lambda moves, n: nth_bit(moves, n))


@overload(plain.holds)
def holds(moves, move):  # type: ignore[no-untyped-def]
    if isinstance(moves, MoveList):
        return is_in_list
    if isinstance(moves, Bits):
        return lambda moves, move: moves >> (move - 1) & 1 != 0
    return lambda moves, move: moves & move != 0


@overload(plain.index_of)
def index_of(moves, move):  # type: ignore[no-untyped-def]
    if isinstance(moves, MoveList):
        return index_in_list
    if isinstance(moves, Bits):
        bit = bit_maker(moves.width)
        return lambda moves, move: popcount(moves & (bit(move - 1) - 1))
    return lambda moves, move: popcount(moves & (move - 1))


@overload(plain.with_move)
def with_move(moves, move):  # type: ignore[no-untyped-def]
    return added_to_list if isinstance(moves, MoveList) else (lambda moves, move: moves | move)


@overload(plain.without_moves)
def without_moves(moves):  # type: ignore[no-untyped-def]
    return (lambda moves: emptied(moves)) if isinstance(moves, MoveList) else (lambda moves: 0)
