"""A function names the box of a position: the same for two positions if, and only if, they are alike but
turned or mirrored.
"""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.json_types import JsonValue
from damier.core.position import Position
from damier.core.rules import State
from damier.core.words import FormattedNumber, Message, message
from damier.lab.marking.finding import ExactTruth, Finding, WrongAnswer
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class BoxesItem:
    """function  its name; what it returns may be any number, text or list of these"""

    function: str

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game, states = truth.game, truth.decisions
        said = submission.answers(self.function, [("position", s) for s in states])
        answer_of: dict[State, tuple[State, str]] = {}
        box_of: dict[str, State] = {}
        for s, answer in zip(states, said, strict=True):
            box = min((game.turn(s, symmetry) for symmetry in range(game.symmetries())), key=tuple)
            name = repr(answer)
            other, before = answer_of.setdefault(box, (s, name))
            if name != before:
                return self._wrong(truth, s, same_as(truth, other, before), answer)
            if box_of.setdefault(name, box) != box:
                return self._wrong(truth, s, message("a box of its own"), answer)
        return Finding(True, message("{n} boxes, as it must be", n=FormattedNumber(len(answer_of), ",")))

    def _wrong(self, truth: ExactTruth, s: State, expected: Message, answer: JsonValue) -> Finding:
        return Finding(
            False, message("the wrong box"), WrongAnswer(Position(truth.game, s), expected, repr(answer))
        )


def same_as(truth: ExactTruth, s: State, answer: str) -> Message:
    """The box of a position that came before, in words."""
    board = " / ".join(truth.game.show(s).splitlines())
    return message("{answer}, as for {board}", answer=answer, board=board)
