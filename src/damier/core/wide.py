"""Fields and sets of moves wider than a machine word: ints of any width in plain Python, one LLVM
integer when compiled (`numba_sets`).

A game has one such width: a multiple of 64 that holds its widest field, or its widest set of moves.
What enters compiled code does so in words, which the code joins again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from damier.core.keys import KEY_BITS, Bits, widths
from damier.core.rules import Field, State

WORD_BITS = 64
WORD = (1 << WORD_BITS) - 1
SIGN = 1 << WORD_BITS - 1


def is_wide(width: int) -> bool:
    """Return whether so many bits do not fit a word as compiled rules use it."""
    return width > KEY_BITS


def machine_width(bits: Bits, most: int) -> int:
    """The width of wide ints in a game with fields of these bits, and sets of moves of at most `most`;
    0 where everything fits a word.
    """
    widest = max(*widths(bits), most)
    return -(-widest // WORD_BITS) * WORD_BITS if is_wide(widest) else 0


class WideClass(NamedTuple):
    """The class of a game's states, with the bits of its fields and the width of those that are wide."""

    made: type
    bits: Bits
    width: int

    @property
    def facts(self) -> tuple[object, ...]:
        """All that the code depends on."""
        made = self.made
        defaults = repr(getattr(made, "_field_defaults", {}))
        return (
            made.__module__,
            made.__qualname__,
            getattr(made, "_fields", ()),
            defaults,
            self.bits,
            self.width,
        )


class WideInt(int):
    """An int that compiled rules are to hold in `width` bits."""

    width: int

    def __new__(cls, value: int, width: int) -> WideInt:
        made = super().__new__(cls, value & (1 << width) - 1)
        made.width = width
        return made


def words_of(value: int, width: int) -> tuple[int, ...]:
    """The words of a wide int, as signed numbers.

    >>> words_of(1 << 64 | 7, 128), words_of((1 << 64) - 1, 64)
    ((7, 1), (-1,))
    """
    words = (value >> shift & WORD for shift in range(0, width, WORD_BITS))
    return tuple(word - (word & SIGN) * 2 for word in words)


def joined(words: tuple[int, ...]) -> int:
    """The wide int of these words.

    >>> joined((-1, 1)) == (1 << 65) - 1
    True
    """
    return sum((word & WORD) << WORD_BITS * number for number, word in enumerate(words))


def entering(s: State, bits: Bits, width: int) -> tuple[Field, ...]:
    """The fields of a state as they enter compiled code: of a wide int its words stand there."""
    return tuple(_entering(field, parts, width) for field, parts in zip(s, bits, strict=True))


def _entering(field: Any, bits: int | tuple[int, ...], width: int) -> Any:
    if isinstance(bits, tuple):
        return tuple(_entering(value, part, width) for value, part in zip(field, bits, strict=True))
    return words_of(field, width) if is_wide(bits) else field


def as_wide(moves: int) -> int:
    """A set of moves of a game with wide sets: compiled, of their width."""
    return moves


def as_word(number: int) -> int:
    """A number that a rule answers: compiled, of a word, whatever it was worked out from."""
    return number


def of_state(rule: Callable[[State], int]) -> Callable[[State], int]:
    """A rule (s) that answers a number, of a game with wide fields, compiled."""

    def answer(s: State) -> int:
        return as_word(rule(s))

    return answer


def of_state_and_more(rule: Callable[[State, int], int]) -> Callable[[State, int], int]:
    """Return the same of a rule (s, move), or (s, player)."""

    def answer(s: State, number: int) -> int:
        return as_word(rule(s, number))

    return answer


def maker(make: Callable[..., State], bits: Bits) -> Callable[..., State]:
    """Return what makes a state in plain Python of fields as they are, or as they enter compiled code."""

    def of_fields(*fields: Field) -> State:
        return make(*(_read(field, parts) for field, parts in zip(fields, bits, strict=True)))

    return of_fields


def _read(field: Any, bits: int | tuple[int, ...]) -> Any:
    if isinstance(bits, tuple):
        return tuple(_read(value, part) for value, part in zip(field, bits, strict=True))
    return joined(field) if is_wide(bits) and isinstance(field, tuple) else field


def widened(value: object, width: int) -> object:
    """A constant of rules for compiled code: an int beyond a word becomes wide, and with it those that
    stand beside it, or in the same column, in tuples.
    """
    if type(value) is int and _beyond(value):
        return WideInt(value, width)
    if type(value) is not tuple or not value:
        return value
    if all(type(part) is int for part in value):
        return tuple(WideInt(part, width) for part in value) if any(map(_beyond, value)) else value
    if all(type(part) is tuple and len(part) == len(value[0]) for part in value):
        columns = [widened(column, width) for column in zip(*value, strict=True)]
        return tuple(zip(*columns, strict=True)) if columns else value
    return tuple(widened(part, width) for part in value)


def _beyond(value: int) -> bool:
    return not -(1 << KEY_BITS) <= value < 1 << KEY_BITS


# A tuple with one element changed, in plain Python and compiled: a state may hold tuples, and no
# rule can assign to one.
#
# The function is built from small closures, one an element, so that the compiler unrolls it.
#
# >>> changed = setter(3)
# >>> changed((7, 8, 9), 1, 5)
# (7, 5, 9)
