"""Knowledge of a learner, as an object: the table of `damier.learn.qtable`, in lists for plain Python
or in arrays for compiled code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar, cast, overload

from damier.core.arrays import Floats, IntArray, Ints, np
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.job import uninterrupted
from damier.core.moves import move_number, numbered_move
from damier.core.open_addressing import (
    FULL,
    Index,
    array_of,
    as_codes,
    code_of,
    flat,
    listed,
    plain_index,
    renumber,
)
from damier.core.rules import Key, State
from damier.learn.qtable import (
    COUNTERS,
    DECISIONS,
    DECISIONS_BEFORE,
    ENTRIES,
    EPSILON,
    EPSILON_BEFORE,
    GAMES,
    NO_MOVE,
    PLAYING,
)

TableArrays: TypeAlias = tuple[Index, Ints, Ints, Floats, Ints, Ints, Floats]

N = TypeVar("N", Ints, Floats)

# in plain Python: a number, a code and its place in a dictionary; two numbers
BYTES_OF_ROW, BYTES_OF_ENTRY = 200, 100


@dataclass(frozen=True)
class Row:
    """Knowledge of one position: its moves, with a value and a count for each.

    Afterstates have one entry, and no move.
    """

    state: State
    moves: tuple[int, ...]
    values: tuple[float, ...]
    counts: tuple[int, ...]


class Memory:
    """A table that grows, of one game. `epsilon` is that of the first game."""

    def __init__(self, game: Game, epsilon: float = 0.0) -> None:
        self.game = game
        self._jit = False
        self._index: Index = plain_index([])
        self._first: Ints = [0]
        self._moves: Ints = []
        self._values: Floats = []
        self._counts: Ints = []
        self.counters: Ints = [0] * COUNTERS
        self.rates: Floats = [epsilon, epsilon]
        self.labels: list[str] = []  # what a file says of each row that never changes

    def __len__(self) -> int:
        return int(self._index[2][0]) if self._jit else len(self._index[0])

    @property
    def compiled(self) -> bool:
        """Return whether it lies in arrays for compiled code."""
        return self._jit

    @property
    def entries(self) -> int:
        """Entries in all rows."""
        return int(self.counters[ENTRIES])

    @property
    def bytes(self) -> int:
        """Memory that it takes; in plain Python, about."""
        columns = (*self._index, self._first, self._moves, self._values, self._counts)
        if not self._jit:
            return BYTES_OF_ROW * len(self) + BYTES_OF_ENTRY * self.entries
        return sum(array.nbytes for array in columns if not isinstance(array, (list, dict)))

    @property
    def epsilon(self) -> float:
        return float(self.rates[EPSILON])

    @property
    def decisions(self) -> int:
        """Decisions taken while learning."""
        return int(self.counters[DECISIONS])

    @property
    def games(self) -> int:
        """Games learnt from."""
        return int(self.counters[GAMES])

    def break_off(self) -> None:
        """Forgets the decisions of a game that was broken off."""
        if self.counters[PLAYING] == 1:
            self.counters[DECISIONS], self.rates[EPSILON], self.counters[PLAYING] = (
                self.counters[DECISIONS_BEFORE],
                self.rates[EPSILON_BEFORE],
                0,
            )

    def arrays(self, *, jit: bool) -> TableArrays:
        """The table's part of `SeatArrays`."""
        if jit and not self._jit:
            # may compile, and end with a Ctrl-C: before anything is changed
            codes = cast("list[Key]", self._index[0])
            index = self.indexed(flat(array_of(codes, self.game.key_words)), len(self))
            with uninterrupted():
                self._to_arrays(index)
        elif self._jit and not jit:
            with uninterrupted():
                self._to_lists()
        return (self._index, self._first, self._moves, self._values, self._counts, self.counters, self.rates)

    def grow(self, plies: int) -> None:
        """Makes room for a game of so many plies, and for as much again as there is."""
        rows, entries = 2 * len(self) + plies + 1, 2 * self.entries + plies * self.game.most_moves()
        self._first, self._moves = longer(self._first, rows + 1), longer(self._moves, entries)
        self._values, self._counts = longer(self._values, entries), longer(self._counts, entries)
        if self._jit:
            self._index = self.indexed(self.codes(), rows)

    def codes(self) -> IntArray:
        """The codes of the rows one after the other, where they lie in arrays."""
        return self._index[0][: len(self) * self.game.key_words]

    def _listed_codes(self) -> Sequence[Key]:
        """The codes of the rows."""
        if self._jit:
            return listed(as_codes(self.codes(), self.game.key_words))
        return cast("list[Key]", self._index[0])

    def indexed(self, codes: IntArray, rows: int) -> Index:
        """A compiled index of these codes, with room for so many."""
        words = self.game.key_words
        found = np.zeros(rows * words, np.int64)
        found[: len(codes)] = codes
        index = (
            found,
            np.full(1 << max(1, int(rows / FULL).bit_length()), -1, np.int32),
            np.full(1, len(codes) // words, np.int64),
        )
        instantiate(renumber, self.game, jit=True)(index)
        return index

    def _to_arrays(self, index: Index) -> None:
        rows, entries = len(self), self.entries
        self._first = np.array(self._first[: rows + 1], np.int32)
        self._moves, self._counts = (
            np.array(self._moves[:entries], np.int8 if self.game.moves_are_bits else np.int64),
            np.array(self._counts[:entries], np.int64),
        )
        self._values = np.array(self._values[:entries], np.float64)
        self.counters, self.rates = np.array(self.counters, np.int64), np.array(self.rates, np.float64)
        self._index, self._jit = index, True

    def _to_lists(self) -> None:
        rows, entries = len(self), self.entries
        codes = list(self._listed_codes())
        self._first, self._moves = as_list(self._first[: rows + 1]), as_list(self._moves[:entries])
        self._values, self._counts = (
            as_list(self._values[:entries]),
            as_list(self._counts[:entries]),
        )
        self.counters, self.rates = as_list(self.counters), as_list(self.rates)
        self._index = plain_index(codes)
        self._jit = False

    def columns(self) -> tuple[Sequence[Key], list[int], list[int], list[float], list[int]]:
        """The arrays as lists: codes; first entry of each row, and one more; moves as the numbers
        of their bits; values; counts.
        """
        n, entries = len(self), self.entries
        codes, first, moves = (
            self._listed_codes(),
            as_list(self._first[: n + 1]),
            as_list(self._moves[:entries]),
        )
        return codes, first, moves, as_list(self._values[:entries]), as_list(self._counts[:entries])

    def rows(self, start: int = 0) -> Iterator[Row]:
        """The rows from number `start` on, in order of discovery."""
        codes, first, moves, values, counts = self.columns()
        for row in range(start, len(codes)):
            begin, end = first[row], first[row + 1]
            yield Row(
                self.game.unkey(codes[row]),
                self._moves_of(moves[begin:end]),
                tuple(values[begin:end]),
                tuple(counts[begin:end]),
            )

    def _moves_of(self, numbers: list[int]) -> tuple[int, ...]:
        return tuple(read_move(self.game, number) for number in numbers)

    def visits(self) -> list[int]:
        """Return how often each row was learnt from: the sum of its counts."""
        if isinstance(self._counts, list):
            return [sum(self._counts[self._first[row] : self._first[row + 1]]) for row in range(len(self))]
        return as_list(np.add.reduceat(self._counts[: self.entries], self._first[: len(self)]))

    def selected(self, numbers: Iterable[int]) -> Iterator[tuple[int, Row]]:
        """Some rows, with their numbers in order of discovery: a few of a large table, without
        reading all of it.
        """
        for number in numbers:
            begin, end = int(self._first[number]), int(self._first[number + 1])
            moves, counts = as_list(self._moves[begin:end]), as_list(self._counts[begin:end])
            values = as_list(self._values[begin:end])
            words = self.game.key_words
            code = code_of(as_codes(self.codes(), words), number) if self._jit else self._index[0][number]
            yield number, Row(self.game.unkey(code), self._moves_of(moves), tuple(values), tuple(counts))

    def copied(self) -> Memory:
        """Return the same knowledge in a table of its own, in plain Python and with no room to spare."""
        copy = Memory(self.game)
        codes, copy._first, copy._moves, copy._values, copy._counts = self.columns()
        copy._first, copy._moves = copy._first[:], copy._moves[:]
        copy._values, copy._counts = copy._values[:], copy._counts[:]
        copy._index = plain_index(list(codes))
        copy.counters, copy.rates = as_list(self.counters)[:], as_list(self.rates)[:]
        copy.labels = self.labels[:]
        return copy

    def fill(self, rows: Iterable[Row]) -> None:
        """Puts rows into an empty table."""
        self.arrays(jit=False)
        codes: list[Key] = []
        first, moves, counts = [0], list[int](), list[int]()
        values: list[float] = []
        for row in rows:
            codes.append(self.game.key(row.state))
            moves += [written_move(self.game, move) for move in row.moves]
            values += row.values
            counts += row.counts
            first.append(len(moves))
        self._index = plain_index(codes)
        self._first, self._moves, self._values, self._counts = first, moves, values, counts
        self.counters[ENTRIES] = len(moves)


def written_move(game: Game, move: int) -> int:
    """A move as the table holds it; NO_MOVE for 0."""
    if not move:
        return NO_MOVE
    return move_number(move) if game.moves_are_bits else move


def read_move(game: Game, number: int) -> int:
    """The move that the table holds so; 0 for NO_MOVE."""
    if number == NO_MOVE:
        return 0
    return numbered_move(number) if game.moves_are_bits else number


def longer(row: N, length: int) -> N:
    """A copy with more room; what lies beyond is 0."""
    if isinstance(row, list):
        return row + [0] * (length - len(row))
    found = np.zeros(max(length, len(row)), row.dtype)
    found[: len(row)] = row
    return found


@overload
def as_list(row: Ints) -> list[int]: ...
@overload
def as_list(row: Floats) -> list[float]: ...
def as_list(row: Ints | Floats) -> list[int] | list[float]:
    """As a list of Python's own numbers."""
    return row if isinstance(row, list) else row.tolist()
