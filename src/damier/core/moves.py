"""The legal moves of a position, the same in plain Python and compiled, however a game gives them.

    a set    at most 62 different moves, one bit each: an int; a move is its bit
    a wide set   more bits than a word has: a move is the number of its bit, counted from 1
    a list   what a rule `moves(s, found)` appended: a move is whatever int the game made of it

Engines go through the moves with `each` and choose with the functions below; they are told by the
type of what `moves(s)` answers, so that a set costs what it always did. What an engine gathers of
its own, as the best moves of a position, begins with `no_moves()` in the function that goes through
it: compiled, a list lies in the memory of the call that made it and ends with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from damier.core import bits
from damier.core.bits import Rng, bit, position_of, random_below
from damier.core.rules import Moves
from damier.core.wide import as_wide
from damier.core.words import N_, NO_BREAK, _

A = TypeVar("A")
B = TypeVar("B")

MOVES = 62
"""The most different moves of a game whose sets of moves fit a word: each is one bit."""


def each(moves: Moves) -> Iterator[int]:
    """The moves, one after the other: of a set lowest bit first.

    >>> list(each(0b1101)), list(each([7, 3]))
    ([1, 4, 8], [7, 3])
    """
    return iter(moves) if isinstance(moves, list) else bits.each(moves)


def count_moves(moves: Moves) -> int:
    """Return how many there are.

    >>> count_moves(0b1011), count_moves([7, 3])
    (3, 2)
    """
    return len(moves) if isinstance(moves, list) else bits.popcount(moves)


def first_move(moves: Moves) -> int:
    """The first of some moves: of a set the lowest bit."""
    return moves[0] if isinstance(moves, list) else bits.lowest(moves)


def last_move(moves: Moves) -> int:
    """The last of some moves: of a set the highest bit."""
    return moves[-1] if isinstance(moves, list) else bits.highest(moves)


def nth_move(moves: Moves, n: int) -> int:
    """Move number `n`, counted from 0 in the order of `each`."""
    return moves[n] if isinstance(moves, list) else bits.nth_bit(moves, n)


def holds(moves: Moves, move: int) -> bool:
    """Return whether `move` is one of them."""
    return move in moves if isinstance(moves, list) else moves & move != 0


def index_of(moves: Moves, move: int) -> int:
    """The number of a move that is one of them, counted from 0 in the order of `each`.

    >>> index_of(0b1101, 8), index_of([7, 3], 3)
    (2, 1)
    """
    return moves.index(move) if isinstance(moves, list) else bits.popcount(moves & (move - 1))


def no_moves() -> Moves:
    """No moves yet: 0, and in games with lists, where this is bound to `new_list`, an empty list."""
    return 0


def new_list() -> Moves:
    """`no_moves` of a game whose moves are a list."""
    return []


def with_move(moves: Moves, move: int) -> Moves:
    """Some moves and one more, which is none of them; a list is the same list afterwards."""
    if isinstance(moves, list):
        moves.append(move)
        return moves
    return moves | move


def without_moves(moves: Moves) -> Moves:
    """None of the moves that were gathered; a list is emptied."""
    if isinstance(moves, list):
        moves.clear()
        return moves
    return 0


def move_number(move: int) -> int:
    """A move as tables hold it: the number of its bit; in games whose moves are none, itself."""
    return position_of(move)


def numbered_move(number: int) -> int:
    """The move that a table holds so."""
    return 1 << number


def itself(move: int) -> int:
    """`move_number` and `numbered_move` of a game whose moves are no bits."""
    return move


COMPILED: frozenset[object] = frozenset(
    {each, count_moves, first_move, last_move, nth_move, holds, index_of, with_move, without_moves}
)
"""Told to Numba by the type of the moves, in `numba_moves`."""


OF_SETS: dict[Callable[..., object], Callable[..., object]] = {
    each: bits.each,
    count_moves: bits.popcount,
    first_move: bits.lowest,
    last_move: bits.highest,
    nth_move: bits.nth_bit,
}
"""What stands for these functions in plain engines of games with sets: no question of type at every move."""


BY_THEMSELVES: dict[Callable[..., object], Callable[..., object]] = {
    move_number: itself,
    numbered_move: itself,
}
"""What stands for two of these functions in games whose moves are no bits."""


def in_plain(bits_are_moves: bool) -> dict[Callable[..., object], Callable[..., object]]:
    """Return what stands for the functions of this file in plain engines of a game."""
    return OF_SETS if bits_are_moves else {no_moves: new_list} | BY_THEMSELVES


def random_move(rng: Rng, moves: Moves) -> int:
    """One of some moves, each as likely."""
    return nth_move(moves, random_below(rng, count_moves(moves)))


def listing(given: Callable[..., None]) -> Callable[..., list[int]]:
    """The rule `moves` of a game that gives `moves(s, found)`."""

    def moves(*arguments: object) -> list[int]:
        found: list[int] = []
        given(*arguments, found)
        return found

    return moves


def numbered(given: Callable[..., int]) -> Callable[..., list[int]]:
    """The rule `moves` of a game whose set of moves is wide, in plain Python."""

    def moves(*arguments: object) -> list[int]:
        return [position_of(move) + 1 for move in bits.each(given(*arguments))]

    return moves


def in_wide_set(given: Callable[..., int]) -> Callable[..., int]:
    """Return what stands for them where a set of moves is wide, in compiled code."""

    def moves(s: object) -> int:
        return as_wide(given(s))

    return moves


def by_number(given: Callable[[A, int], B]) -> Callable[[A, int], B]:
    """A rule (s, move) of such a game, for a move by its number."""

    def rule(s: A, number: int) -> B:
        return given(s, bit(number - 1))

    return rule


def turned_by_number(given: Callable[[int, int], int]) -> Callable[[int, int], int]:
    """The rule `turn_move` of such a game."""

    def turn_move(number: int, symmetry: int) -> int:
        return position_of(given(bit(number - 1), symmetry)) + 1

    return turn_move


# The moves that games name by a word: read as they are written, and shown in the reader's language.

WORDS = frozenset(
    {
        N_("pass"),
        N_("swap"),
        N_("roll"),
        N_("hold"),
        N_("North"),
        N_("South"),
        N_("East"),
        N_("West"),
        N_("Stop"),
    }
)

PROMOTED = {"q": N_("queen"), "r": N_("rook"), "b": N_("bishop"), "n": N_("knight")}
PROMOTION = re.compile("([a-h][27][a-h][18])([qrbn])")


def move_in_words(name: str) -> str:
    r"""A move for a person: a word in the language in force, a notation as it is, but the piece that a
    pawn becomes by its name.

    >>> move_in_words("pass"), move_in_words("b2"), move_in_words("a7a8q")
    ('pass', 'b2', 'a7a8\xa0=\xa0queen')
    """
    if found := PROMOTION.fullmatch(name):
        return f"{found[1]} = {_(PROMOTED[found[2]])}".replace(" ", NO_BREAK)
    return _(name) if name in WORDS else name
