"""A function asks a person for a move, with `input`, until what is typed is legal; row A-41 [S1]."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.game import Game
from damier.core.json_types import JsonValue
from damier.core.position import Position
from damier.core.rules import State
from damier.core.words import Message, message
from damier.lab.marking.finding import ExactTruth, Finding, WrongAnswer
from damier.lab.marking.items.exact_answers import as_move
from damier.lab.marking.questions.functions import NOTHING_TYPED
from damier.lab.marking.submission import Submission, listed

NO_MOVES = ("", "?", "0", "99", "-1", "1.5")
"""What a person may type that is no move."""


@dataclass(frozen=True)
class TypedItem:
    """function  its name"""

    function: str

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game, states = truth.game, truth.decisions
        lines = [typed_at(game, s, number) for number, s in enumerate(states)]
        asked = submission.ask("typed", name=self.function, states=states, lines=lines)
        for s, typed, said in zip(states, lines, listed(submission, asked, len(states)), strict=True):
            answer, read = listed(submission, said, 2)
            if as_move(answer) != typed[-1] or read != len(typed):
                return Finding(
                    False,
                    message("typed, line by line: {lines}", lines=" · ".join(repr(line) for line in typed)),
                    WrongAnswer(Position(game, s), typed[-1], got(answer, read)),
                )
        return Finding(True, message("it asks again until what is typed is legal"))


def typed_at(game: Game, s: State, number: int) -> list[str]:
    """What somebody types: nothing wrong, or a few wrong lines, and then a legal move."""
    legal = [game.name_move(s, move) for move in game.legal(s)]
    wrong = [line for line in NO_MOVES if line not in legal]
    return [*wrong[: number % (len(wrong) + 1)], legal[number % len(legal)]]


def got(answer: JsonValue, read: JsonValue) -> Message:
    """What a function returned, in words."""
    if answer == NOTHING_TYPED:
        return message("after {n} lines it reads on", n=read)
    return message("{answer}, after {n} lines", answer=answer, n=read)
