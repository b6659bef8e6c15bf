"""What a learner knows, as an object: the table of `damier.learn.seat`, in lists for plain Python or in arrays for compiled code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from damier.core.bits import position_of
from damier.core.compile import Bindings, instantiate
from damier.core.game import MOVES, Game
from damier.core.job import uninterrupted
from damier.core.numbering import FULL, NUMBERS_IN_DICTIONARY, renumber
from damier.core.rules import State, key
from damier.learn.seat import COUNTERS, DECISIONS, DECISIONS_BEFORE, ENTRIES, EPSILON, EPSILON_BEFORE, GAMES, NO_MOVE, PLAYING

BYTES_OF_ROW, BYTES_OF_ENTRY = 200, 100  # in plain Python: a number, a code and its place in a dictionary; two numbers


@dataclass(frozen=True)
class Row:
    """What is known of one position: its moves, with a value and a count for each. Afterstates have one entry, and no move."""

    state: State
    moves: tuple[int, ...]
    values: tuple[float, ...]
    counts: tuple[int, ...]


class Memory:
    """A table that grows, of one game. `epsilon` is that of the first game."""

    def __init__(self, game: Game, epsilon: float = 0.0) -> None:
        self.game = game
        self._jit = False
        self._index: Any = ([], {})
        self._first: Any = [0]
        self._moves: Any = []
        self._values: Any = []
        self._counts: Any = []
        self.counters: Any = [0] * COUNTERS
        self.rates: Any = [epsilon, epsilon]
        self.labels: list[str] = []  # what a file says of each row that never changes

    def __len__(self) -> int:
        return int(self._index[2][0]) if self._jit else len(self._index[0])

    @property
    def compiled(self) -> bool:
        """Whether it lies in arrays for compiled code."""
        return self._jit

    @property
    def entries(self) -> int:
        """Entries in all rows."""
        return int(self.counters[ENTRIES])

    @property
    def bytes(self) -> int:
        """Memory that it takes; in plain Python, about."""
        if not self._jit:
            return BYTES_OF_ROW * len(self) + BYTES_OF_ENTRY * self.entries
        return sum(int(array.nbytes) for array in (*self._index, self._first, self._moves, self._values, self._counts))

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
            self.counters[DECISIONS], self.rates[EPSILON], self.counters[PLAYING] = self.counters[DECISIONS_BEFORE], self.rates[EPSILON_BEFORE], 0

    def arrays(self, *, jit: bool) -> tuple[Any, ...]:
        """The table's part of a `Seat`."""
        if jit and not self._jit:
            import numpy as np

            index = self._indexed(np.array(self._index[0], np.int64), len(self))  # may compile, and end with a Ctrl-C: before anything is changed
            with uninterrupted():
                self._to_arrays(index)
        elif self._jit and not jit:
            with uninterrupted():
                self._to_lists()
        return (self._index, self._first, self._moves, self._values, self._counts, self.counters, self.rates)

    def grow(self, plies: int) -> None:
        """Makes room for a game of so many plies, and for as much again as there is."""
        rows, entries = 2 * len(self) + plies + 1, 2 * self.entries + plies * MOVES
        self._first = self._resized(self._first, rows + 1)
        self._moves, self._values, self._counts = (self._resized(array, entries) for array in (self._moves, self._values, self._counts))
        if self._jit:
            self._index = self._indexed(self._index[0][: len(self)], rows)

    def _resized(self, array: Any, length: int) -> Any:
        """A copy with more room; what lies beyond is 0."""
        if not self._jit:
            return array + [type(array[0])() if array else 0] * (length - len(array))
        import numpy as np

        longer = np.zeros(max(length, len(array)), array.dtype)
        longer[: len(array)] = array
        return longer

    def _indexed(self, codes: Any, rows: int) -> tuple[Any, Any, Any]:
        """A compiled index of these codes, with room for so many."""
        import numpy as np

        found = np.zeros(rows, np.int64)
        found[: len(codes)] = codes
        index = (found, np.full(1 << max(1, int(rows / FULL).bit_length()), -1, np.int32), np.full(1, len(codes), np.int64))
        instantiate(renumber, self.game, jit=True)(index)
        return index

    def _to_arrays(self, index: Any) -> None:
        import numpy as np

        rows, entries = len(self), self.entries
        self._first = np.array(self._first[: rows + 1], np.int32)
        self._moves, self._counts = np.array(self._moves[:entries], np.int8), np.array(self._counts[:entries], np.int64)
        self._values = np.array(self._values[:entries], np.float64)
        self.counters, self.rates = np.array(self.counters, np.int64), np.array(self.rates, np.float64)
        self._index, self._jit = index, True

    def _to_lists(self) -> None:
        rows, entries = len(self), self.entries
        codes = self._index[0][:rows].tolist()
        self._first = self._first[: rows + 1].tolist()
        self._moves, self._values, self._counts = (array[:entries].tolist() for array in (self._moves, self._values, self._counts))
        self.counters, self.rates = self.counters.tolist(), self.rates.tolist()
        self._index = (codes, {code: number for number, code in enumerate(codes)})
        self._jit = False

    def columns(self) -> tuple[list[Any], list[int], list[int], list[float], list[int]]:
        """The arrays as lists: codes; first entry of each row, and one more; moves as the numbers of their bits; values; counts."""
        n, entries = len(self), self.entries
        columns = (self._index[0][:n], self._first[: n + 1], self._moves[:entries], self._values[:entries], self._counts[:entries])
        codes, first, moves, values, counts = (column.tolist() for column in columns) if self._jit else columns
        return codes, first, moves, values, counts

    def rows(self, start: int = 0) -> Iterator[Row]:
        """The rows from number `start` on, in order of discovery."""
        codes, first, moves, values, counts = self.columns()
        for row in range(start, len(codes)):
            begin, end = first[row], first[row + 1]
            state = self.game.unkey(codes[row]) if self.game.keyed else codes[row]
            yield Row(state, tuple(1 << bit if bit != NO_MOVE else 0 for bit in moves[begin:end]), tuple(values[begin:end]), tuple(counts[begin:end]))

    def visits(self) -> list[int]:
        """How often each row was learnt from: the sum of its counts."""
        if self._jit:
            import numpy as np

            return np.add.reduceat(self._counts[: self.entries], self._first[: len(self)]).tolist()  # type: ignore[no-any-return]
        return [sum(self._counts[self._first[row] : self._first[row + 1]]) for row in range(len(self))]

    def selected(self, numbers: Iterable[int]) -> Iterator[tuple[int, Row]]:
        """Some rows, with their numbers in order of discovery: a few of a large table, without reading all of it."""
        for number in numbers:
            begin, end = int(self._first[number]), int(self._first[number + 1])
            moves, values, counts = (column[begin:end] for column in (self._moves, self._values, self._counts))
            if self._jit:
                moves, values, counts = moves.tolist(), values.tolist(), counts.tolist()
            code = self._index[0][number]
            state: State = self.game.unkey(int(code)) if self.game.keyed else code
            yield number, Row(state, tuple(1 << bit if bit != NO_MOVE else 0 for bit in moves), tuple(values), tuple(counts))

    def fill(self, rows: Iterable[Row]) -> None:
        """Puts rows into an empty table."""
        self.arrays(jit=False)
        self._first, self._moves, self._values, self._counts = [0], [], [], []
        codes, numbers = self._index
        for row in rows:
            code = self.game.key(row.state) if self.game.keyed else row.state
            numbers[code] = len(codes)
            codes.append(code)
            self._moves += [position_of(move) if move else NO_MOVE for move in row.moves]
            self._values += row.values
            self._counts += row.counts
            self._first.append(len(self._moves))
        self.counters[ENTRIES] = len(self._moves)


def bindings(game: Game) -> Bindings:
    """What engines of plain Python need bound: a state that has no key stands for itself."""
    return NUMBERS_IN_DICTIONARY if game.keyed else NUMBERS_IN_DICTIONARY | {key: itself}


def itself(s: State) -> Any:
    return s
