"""A function says the exact value of every position: 1, 0 or -1 for the player to move."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.position import Position
from damier.core.words import FormattedNumber, message
from damier.lab.marking.finding import ExactTruth, Finding, WrongAnswer
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class ValuesItem:
    """function  its name
    ended     whether it is asked in positions in which the game has ended, or in those alone
    """

    function: str
    ended: bool

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        states = [s for s in truth.states if self.ended == bool(truth.game.over(s))]
        right = [truth.worth[s] for s in states]
        said = submission.values(self.function, states)
        wrong = [index for index, answer in enumerate(said) if answer != right[index]]
        if not wrong:
            return Finding(True, message("right in all {n} positions", n=FormattedNumber(len(states), ",")))
        first = wrong[-1]  # nearest to the end: a mistake goes on to the positions before
        return Finding(
            False,
            message(
                "wrong in {n} of {all} positions",
                n=FormattedNumber(len(wrong), ","),
                all=FormattedNumber(len(states), ","),
            ),
            WrongAnswer(Position(truth.game, states[first]), str(right[first]), str(said[first])),
        )
