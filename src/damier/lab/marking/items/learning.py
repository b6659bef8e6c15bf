"""What the items about a learner of mean scores share: what it must know after some games.

After [S4], section 2.2: the score of a move is the mean of the games in which the agent played it,
as if it had been played once, for a score of 0, before the first.
"""

from __future__ import annotations

from collections.abc import Iterable

from damier.core.game import Game, each
from damier.core.json_types import JsonValue
from damier.core.position import Position
from damier.core.rules import State
from damier.core.words import _
from damier.lab.marking.finding import Finding, WrongAnswer
from damier.lab.marking.submission import Submission

NEARLY = 1e-9

Means = dict[tuple[State, int], tuple[float, int]]
"""For each decision that was taken, by position and move: the sum of its scores, their number."""


def add_game(means: Means, game: Game, line: Iterable[int], seat: int) -> None:
    """Adds a game that the agent played at `seat`."""
    s, taken = game.start, []
    for move in line:
        if game.mover(s) == seat:
            taken.append((s, move))
        s = game.play(s, move)
    score = int(game.payoff(s, seat))
    for decision in taken:
        total, count = means.get(decision, (0.0, 1))
        means[decision] = total + score, count + 1


def met(game: Game, lines: Iterable[Iterable[int]], first: int = 0) -> dict[State, None]:
    """The first position, and those in which an agent decided; `lines` are the moves of games number
    `first` and following, which it began in turns.
    """
    found: dict[State, None] = {game.start: None}
    for number, line in enumerate(lines, first):
        s = game.start
        for move in line:
            if game.mover(s) == number % 2:
                found[s] = None
            s = game.play(s, move)
    return found


def mean_of(means: Means, s: State, move: int) -> float:
    """The score that a move must have."""
    total, count = means.get((s, move), (0.0, 1))
    return total / count


def scores_checked(
    submission: Submission, agent: int, game: Game, states: list[State], means: Means, what: str
) -> Finding | None:
    """The first score that is not what it must be, told after `what`; None where all are right."""
    said = iter(submission.scores(agent, states, learning=True))
    for s in states:
        for move in each(game.moves(s)):
            answer, right = next(said), mean_of(means, s, move)
            if not near(answer, right):
                name = game.name_move(s, move)
                return Finding(
                    False,
                    _("{what}: the score of move {move} is wrong", what=what, move=name),
                    WrongAnswer(Position(game, s), f"{right:.6g}", shown(answer)),
                )
    return None


def near(answer: JsonValue, right: float) -> bool:
    """Whether a score is right."""
    return isinstance(answer, (int, float)) and abs(answer - right) <= NEARLY


def shown(answer: JsonValue) -> str:
    """A score, or whatever was said instead."""
    return f"{answer:.6g}" if isinstance(answer, (int, float)) else str(answer)
