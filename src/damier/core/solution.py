"""What is known exactly about every position of a game.

A score says who wins and how soon, from the side of player 0, so that nothing depends on turns
alternating:

    top - d    player 0 wins in d plies        0    nobody can force an end, or a draw       d - top
               player 0 loses in d plies

where `top` is the largest value of the array's type: best play is simply the largest score (player
0) or the smallest (player 1), since the sooner win and the later loss are the better score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from damier.core.arrays import IntArray, SmallIntArray
from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.rules import Moves, State
from damier.core.score_table import KeyTable, ScoreStore
from damier.core.words import message

Value: TypeAlias = Literal["win", "draw", "loss"]


@dataclass(frozen=True)
class Solution:
    """The exact value of every position that can follow `start`."""

    game: Game
    start: State
    table: ScoreStore[int]
    method: str  # how it was found: see damier.solve.door
    cyclic: bool  # whether a position can come back
    seconds: float = 0.0

    def __len__(self) -> int:
        return len(self.table)

    def score(self, s: State) -> int:
        """The score of `s`, from the side of player 0.

        Raises BadInput for a position that cannot follow `start`.
        """
        try:
            return self.table.score(s)
        except KeyError:
            raise BadInput(
                message("{state} cannot come up in {game}", state=repr(s), game=self.game.text)
            ) from None

    def probe(self, keys: IntArray) -> tuple[SmallIntArray, SmallIntArray]:
        """Many positions at once, by their keys (`game.key(state)`), int64 of any length; keys of
        several words in an array [positions, words].

        Returns their values from the side of player 0, int8: 1, 0 or -1; and their distances in
        plies, int32: -1 where nobody can force an end. Raises BadInput if a key is not that of a
        position of this solution.
        """
        import numpy as np

        try:
            scores = self.table.searchable(self.game).scores_of(np.asarray(keys, np.int64)).astype(np.int64)
        except KeyError as error:
            raise BadInput(
                message("{key} is not the key of a position of {game}", key=error, game=self.game.text)
            ) from None
        return np.sign(scores).astype(np.int8), np.where(
            scores == 0, -1, self.table.top - np.abs(scores)
        ).astype(np.int32)

    def key_table(self) -> KeyTable[int]:
        """All keys and scores as arrays."""
        return self.table.key_table(self.game)

    def value(self, s: State) -> Value:
        """What `s` is worth to the player to move."""
        return value_of_score(self.score(s) * side(self.game, s))

    def distance(self, s: State) -> int | None:
        """Plies to the end if the winner hurries and the loser delays; None for a draw that is not
        over.
        """
        return distance_of(self.game, s, self.score(s), self.table.top)

    def best_moves(self, s: State) -> Moves:
        """The moves that keep the value of `s`, as a set, or a list where the game lists its moves."""
        value = self.value(s)
        scores = self.scores_of_moves(s)
        return self.game.gathered(move for move, score in scores.items() if value_of_score(score) == value)

    def fastest_moves(self, s: State) -> Moves:
        """Those of the best moves that win soonest, or lose latest."""
        scores = self.scores_of_moves(s)
        best = max(scores.values(), default=0)
        return self.game.gathered(move for move, score in scores.items() if score == best)

    def scores_of_moves(self, s: State) -> dict[int, int]:
        """What each legal move leads to, from the side of the player to move at `s`."""
        ours = side(self.game, s)
        return {move: ours * self.score(self.game.play(s, move)) for move in self.game.legal(s)}

    def explain(self, s: State) -> dict[int, tuple[Value, int | None]]:
        """The value and the distance, in plies from `s`, that each legal move leads to, for the
        player to move at `s`.
        """
        explained: dict[int, tuple[Value, int | None]] = {}
        for move in self.game.legal(s):
            child = self.game.play(s, move)
            distance = distance_of(self.game, child, self.score(child), self.table.top)
            explained[move] = (
                value_of_score(self.score(child) * side(self.game, s)),
                None if distance is None else distance + 1,
            )
        return explained


def side(game: Game, s: State) -> int:
    """+1 where player 0 moves, -1 where player 1 does."""
    return 1 if game.mover(s) == 0 else -1


def value_of_score(score: int) -> Value:
    """The word for a score, or for a payoff."""
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def distance_of(game: Game, s: State, score: int, top: int) -> int | None:
    """Plies to the end of a game of this score; None for a draw that is not over."""
    if score == 0:
        return 0 if game.over(s) else None
    return top - abs(score)
