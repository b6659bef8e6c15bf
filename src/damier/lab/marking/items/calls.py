"""A function answers for the first position with few calls: it looks values up that it has found."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.words import _, grouped
from damier.lab.marking.finding import ExactTruth, Finding
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class CallsItem:
    """function  its name
    most      calls of functions of the file, that one among them
    """

    function: str
    most: int

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        submission.end()  # what it has looked up before must not help it
        counted = submission.calls(self.function, truth.game.start, self.most)
        if counted > self.most:
            return Finding(
                False,
                _(
                    "more than {most} calls for the first position: values are worked out again and again",
                    most=grouped(self.most),
                ),
            )
        return Finding(True, _("{n} calls for the first position", n=grouped(counted)))
