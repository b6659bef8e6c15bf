"""What the items about learners share: which positions an agent has met, and whether the scores that
it gives its moves are right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from damier.core.game import Game
from damier.core.json_types import JsonValue
from damier.core.moves import each
from damier.core.position import Position
from damier.core.rules import State
from damier.core.words import FormattedNumber, Text, message
from damier.lab.marking.finding import Finding, WrongAnswer
from damier.lab.marking.submission import Submission

NEARLY = 1e-9


def player_at(seat: int, number: int) -> int:
    """Which player an agent is in a game, from 0, at seat 1 or 2; at seat 0 it begins every other game."""
    return seat - 1 if seat else number % 2


def met(game: Game, lines: Iterable[Iterable[int]], first: int = 0, seat: int = 0) -> dict[State, None]:
    """The first position, and those in which an agent decided at this seat; `lines` are the moves of
    games number `first` and following.
    """
    found: dict[State, None] = {game.start: None} if seat < 2 else {}
    for number, line in enumerate(lines, first):
        s = game.start
        for move in line:
            if game.mover(s) == player_at(seat, number):
                found[s] = None
            s = game.play(s, move)
    return found


def learnt(
    submission: Submission, game: Game, name: str, games: int, seed: int, seat: int
) -> tuple[int, list[State]]:
    """A new agent of a class that has learnt from so many games at this seat, and what it has met."""
    agent = submission.agent(name, seed)
    lines = submission.train(agent, range(games), learning=True, seed=seed, seat=seat)
    return agent, list(met(game, lines, seat=seat))


def scores_checked(
    submission: Submission,
    agent: int,
    game: Game,
    states: list[State],
    score: Callable[[State, int], float],
    what: Text,
) -> Finding | None:
    """The first score that is not what it must be, told after `what`; None where all are right."""
    said = iter(submission.scores(agent, states, learning=True))
    for s in states:
        for move in each(game.moves(s)):
            answer, right = next(said), score(s, move)
            if not near(answer, right):
                name = game.name_move(s, move)
                return Finding(
                    False,
                    message("{what}: the score of move {move} is wrong", what=what, move=name),
                    WrongAnswer(Position(game, s), FormattedNumber(right, ".6g"), shown(answer)),
                )
    return None


def near(answer: JsonValue, right: float) -> bool:
    """Whether a score is right."""
    return isinstance(answer, (int, float)) and abs(answer - right) <= NEARLY


def shown(answer: JsonValue) -> Text:
    """A score, or whatever was said instead."""
    return FormattedNumber(answer, ".6g") if isinstance(answer, (int, float)) else str(answer)
