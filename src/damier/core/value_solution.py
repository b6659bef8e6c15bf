"""What is known exactly about every position of a game whose ends are worth more than a win, a draw
or a loss, or in which dice are thrown: a payoff in the game's own units, exact or expected
(docs/decisions/0052).

`ValueSolution` answers what `damier.core.solution.Solution` does, in payoffs: there is no distance
to an end, since who is ahead by three need not hurry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from damier.core.analysis import plain
from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.rules import CHANCE, Moves, State
from damier.core.score_table import KeyTable, ScoreStore
from damier.core.solution import Solution, Value, side
from damier.core.words import message
from damier.core.worth import DIGITS, Kind, Worth

EXACT: tuple[Kind, ...] = ("margin", "payoff")
"""Payoffs that are whole numbers, without dice."""


@dataclass(frozen=True)
class ValueSolution:
    """The payoff, exact or expected, that best play gets from every position that can follow
    `start`.

    table    payoffs to player 0: whole where no dice are thrown
    method   how it was found: see damier.solve.door
    cyclic   whether a position can come back
    kind     how a payoff is said
    bound    how far a payoff may be from the right one; 0 where it is exact
    endless  whether players can go round for ever
    """

    game: Game
    start: State
    table: ScoreStore[float]
    method: str
    cyclic: bool
    kind: Kind
    bound: float = 0.0
    endless: bool = False
    seconds: float = 0.0

    def __len__(self) -> int:
        return len(self.table)

    def score(self, s: State) -> float:
        """The payoff of `s` to player 0.

        Raises BadInput for a position that cannot follow `start`.
        """
        try:
            return self.table.score(s)
        except KeyError:
            raise BadInput(
                message("{state} cannot come up in {game}", state=repr(s), game=self.game.text)
            ) from None

    def key_table(self) -> KeyTable[float]:
        """All keys and payoffs as arrays."""
        return self.table.key_table(self.game)

    def for_first(self, s: State) -> Worth:
        """What `s` is worth to player 0."""
        return Worth(self.score(s), self.kind)

    def value(self, s: State) -> Worth:
        """What `s` is worth to the player to move; to player 0 where a die is thrown."""
        return Worth(_side(self.game, s) * self.score(s), self.kind)

    def distance(self, s: State) -> None:
        """Not known: best play need not hurry."""
        return

    def best_moves(self, s: State) -> Moves:
        """The moves that keep the value of `s`, as a set; no throw of a die."""
        if self.game.mover(s) == CHANCE:
            return 0
        worths = self.scores_of_moves(s)
        enough = max(worths.values(), default=0) - self.tolerance
        return self.game.gathered(move for move, worth in worths.items() if worth >= enough)

    def fastest_moves(self, s: State) -> Moves:
        """The best moves: none is known to be faster."""
        return self.best_moves(s)

    @property
    def tolerance(self) -> float:
        """How far two payoffs may differ that are one."""
        return max(DIGITS, 2 * self.bound) if self.kind not in EXACT else 0

    def scores_of_moves(self, s: State) -> dict[int, float]:
        """The payoff that each legal move leads to, from the side of the player to move at `s`."""
        ours = _side(self.game, s)
        return {move: ours * self.score(self.game.play(s, move)) for move in self.game.legal(s)}

    def explain(self, s: State) -> dict[int, tuple[Worth, None]]:
        """What each legal move is worth to the player to move at `s`; the second of each pair stands
        for the distance that `Solution.explain` tells.
        """
        return {move: (Worth(worth, self.kind), None) for move, worth in self.scores_of_moves(s).items()}


AnySolution: TypeAlias = "Solution | ValueSolution"
AnyValue: TypeAlias = "Value | Worth"


def _side(game: Game, s: State) -> int:
    """+1 where player 0 moves or a die is thrown, -1 where player 1 does."""
    return 1 if game.mover(s) == CHANCE else side(game, s)


def word_of(value: AnyValue) -> Value:
    """Whether a value is more than nothing, less, or neither, in the words of wins and losses."""
    return value.word if isinstance(value, Worth) else value


def as_data(value: AnyValue) -> str | float:
    """A value as plain data: its word, or its payoff."""
    return plain(value.payoff) if isinstance(value, Worth) else value
