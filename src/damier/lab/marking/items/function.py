"""A function of a position agrees with the exact answer in every position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from damier.core.json_types import JsonValue
from damier.core.position import Position
from damier.core.words import FormattedNumber, Text, message
from damier.lab.marking.finding import ExactTruth, Finding, WrongAnswer
from damier.lab.marking.items.exact_answers import ANSWERS
from damier.lab.marking.submission import Submission

AnswerName = Literal[
    "base-3",
    "complete-tree",
    "legal-moves",
    "optimistic-move",
    "truncated-tree",
    "winner",
    "winning-move",
]


@dataclass(frozen=True)
class FunctionItem:
    """function  its name
    answer    what it must answer: a key of ANSWERS
    """

    function: str
    answer: AnswerName

    def require(self, truth: ExactTruth) -> None:
        """Raises Unsuitable for a game whose positions cannot be given in this way."""
        ANSWERS[self.answer].given(truth.game, truth.game.start)

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        asked = ANSWERS[self.answer]
        states = truth.states if asked.ended else truth.decisions
        said = submission.answers(self.function, [asked.given(truth.game, s) for s in states])
        wrong = [
            index
            for index, (s, answer) in enumerate(zip(states, said, strict=True))
            if not right(asked.read(answer), asked.right(truth, s))
        ]
        if not wrong:
            return Finding(True, message("right in all {n} positions", n=FormattedNumber(len(states), ",")))
        first = wrong[-1 if asked.recursive else 0]
        expected = asked.right(truth, states[first])
        return Finding(
            False,
            message(
                "wrong in {n} of {all} positions",
                n=FormattedNumber(len(wrong), ","),
                all=FormattedNumber(len(states), ","),
            ),
            WrongAnswer(
                Position(truth.game, states[first]), in_words(expected), in_words([asked.read(said[first])])
            ),
        )


def right(answer: JsonValue, answers: object) -> bool:
    """Whether an answer is among those that are right; True is no 1."""
    assert isinstance(answers, list)
    return any(answer == each and isinstance(answer, bool) == isinstance(each, bool) for each in answers)


def in_words(answers: object) -> Text:
    """An answer as people read it, or all that are right."""
    assert isinstance(answers, list)
    shown = [" ".join(map(str, each)) if isinstance(each, list) else str(each) for each in answers]
    return shown[0] if len(shown) == 1 else message("one of: {answers}", answers=", ".join(shown))
