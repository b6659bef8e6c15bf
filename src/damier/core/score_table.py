"""What is known of many positions: a score for each, from the side of player 0. What a score says is
told where it is used: a win and its distance (`damier.core.solution`), or a payoff
(`damier.core.value_solution`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from damier.core.arrays import FloatArray, IntArray, SmallIntArray
from damier.core.code_arrays import array_of, code_of, comparable, sought
from damier.core.game import Game
from damier.core.rules import Key, State
from damier.core.score import TOP

N = TypeVar("N", bound=float, covariant=True)
"""A score: a whole number, or an expected payoff."""

Scores: TypeAlias = "SmallIntArray | FloatArray"
STATE_TOP: Final = TOP
SCORE_TYPE, DISTANT_SCORE_TYPE, PAYOFF_TYPE, EXPECTED_TYPE = "int16", "int32", "int64", "float64"
"""The types of scores by wins and losses; where a win may be far; of whole payoffs; of expected ones."""
TOPS = {1: 127, 2: STATE_TOP, 4: 2**31 - 1}
"""The score of a win in 0 plies, by the bytes of a score."""
SCORES = {"|i1": TOPS[1], "<i2": TOPS[2], "<i4": TOPS[4]}
"""The same by the type of a score, as a file names it."""


def dtype_for(layers: int) -> str:
    """The smallest type of the scores of so many layers: a win in 0 plies is its top, the farthest 1."""
    return next(f"int{8 * size}" for size, top in TOPS.items() if layers <= top)


class KeySearch(Protocol):
    """Scores by key."""

    def scores_of(self, keys: IntArray) -> Scores:
        """The scores of an array of keys.

        Raises KeyError, with the first key that it does not hold.
        """
        ...


class ScoreStore(Protocol[N]):
    """Scores by state."""

    @property
    def top(self) -> int:
        """The score of a win in 0 plies, of scores by wins and losses."""
        ...

    def key_table(self, game: Game) -> KeyTable[N]:
        """The same as arrays."""
        ...

    def searchable(self, game: Game) -> KeySearch:
        """The same, to look many keys up in."""
        ...

    def __len__(self) -> int: ...

    def score(self, s: State) -> N:
        """Raises KeyError for a state that it does not hold."""
        ...


@dataclass
class StateTable(Generic[N]):
    """Scores in a dictionary of states, as plain Python finds them; `dtype` is theirs in arrays."""

    scores: Mapping[State, N]
    dtype: str = SCORE_TYPE

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def top(self) -> int:
        return STATE_TOP if self.dtype == SCORE_TYPE else TOPS[4]

    def score(self, s: State) -> N:
        return self.scores[s]

    def searchable(self, game: Game) -> KeySearch:
        return self.key_table(game)

    def key_table(self, game: Game) -> KeyTable[N]:
        import numpy as np

        by_key = sorted((game.key(s), score) for s, score in self.scores.items())
        keys = array_of((k for k, _score in by_key), game.key_words)
        return KeyTable(game, keys, np.array([score for _key, score in by_key], self.dtype), (0, len(keys)))


@dataclass
class KeyTable(Generic[N]):
    """Scores beside sorted keys, as compiled code finds them; the arrays may lie in a file.

    keys [positions] int64, or [positions, words] of keys of several, ascending within each layer;
    scores [positions] int8, int16 or int32, payoffs also int64 or float64; layer i is
    offsets[i]:offsets[i + 1]. A game with one layer has them all in it; else layer i holds the
    positions of ply first_ply + i.
    """

    game: Game
    keys: IntArray
    scores: Scores
    offsets: tuple[int, ...]
    first_ply: int = 0

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def top(self) -> int:
        return TOPS[self.scores.dtype.itemsize]

    def key_table(self, game: Game) -> KeyTable[N]:
        return self

    def searchable(self, game: Game) -> KeySearch:
        return self

    def score(self, s: State) -> N:
        score: N = self.scores[self._place(s)].item()
        return score

    def scores_of(self, keys: IntArray) -> Scores:
        """The scores of an array of keys.

        Raises KeyError, with the first key that it does not hold.
        """
        import numpy as np

        scores: Scores = np.zeros_like(self.scores, shape=len(keys))  # type: ignore[assignment]
        missing = np.ones(len(keys), bool)
        held, wanted = comparable(self.keys), comparable(keys)
        for low, high in zip(self.offsets, self.offsets[1:], strict=False):
            layer = held[low:high]
            places = np.minimum(np.searchsorted(layer, wanted), max(high - low - 1, 0))
            found = missing & (layer[places] == wanted) if high > low else np.zeros_like(missing)
            scores[found] = self.scores[low:high][places[found]]
            missing &= ~found
        if missing.any():
            raise KeyError(code_of(keys, int(missing.argmax())))
        return scores

    def spread(self, many: int) -> Iterator[tuple[Key, int]]:
        """About so many keys, spread over all, each with its score."""
        for index in range(0, len(self), max(1, len(self) // many)):
            yield code_of(self.keys, index), int(self.scores[index])

    def _place(self, s: State) -> int:
        """Where the key of a state stands. Raises KeyError for a state that it does not hold."""
        layer = self.game.ply(s) - self.first_ply if len(self.offsets) > 2 else 0
        if 0 <= layer < len(self.offsets) - 1:
            low, high, wanted = self.offsets[layer], self.offsets[layer + 1], self.game.key(s)
            place = sought(self.keys, wanted, low, high)
            if place < high and code_of(self.keys, place) == wanted:
                return place
        raise KeyError(s)
