"""A function answers with so many calls: at most, where it looks up what it has found or leaves out
what it need not see; exactly, where it visits every node of a tree.
"""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.errors import BadInput
from damier.core.position import Position
from damier.core.words import FormattedNumber, Text, message
from damier.lab.marking.finding import ExactTruth, Finding, WrongAnswer
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class CallsItem:
    """function  its name
    most      calls of functions of the file, that one among them
    least     the same; as many as `most` for exactly so many
    counted   the name of a function whose calls alone are counted; empty: those of all
    moves     that lead to the position in which it is asked; none: the first one
    """

    function: str
    most: int
    least: int = 0
    counted: str = ""
    moves: tuple[str, ...] = ()

    def require(self, truth: ExactTruth) -> None:
        """Raises BadInput for moves that are not legal."""
        try:
            truth.game.position().play(*self.moves)
        except BadInput as error:
            raise BadInput(message("the moves of an item: {error}", error=error)) from None

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        position = truth.game.position().play(*self.moves)
        submission.end()  # what it has looked up before must not help it
        counted = submission.calls(self.function, position.state, self.most, self.counted)
        if self.least <= counted <= self.most:
            return Finding(True, message("{n} calls for one position", n=FormattedNumber(counted, ",")))
        said = (
            message("fewer than {least} calls for one position", least=FormattedNumber(self.least, ","))
            if counted < self.least
            else message(
                "more than {most} calls for one position: too much is worked out, or again and again",
                most=FormattedNumber(self.most, ","),
            )
        )
        return Finding(False, said, self._wrong(position, counted))

    def _wrong(self, position: Position, counted: int) -> WrongAnswer:
        most = FormattedNumber(self.most, ",")
        expected: Text = (
            most
            if self.least == self.most
            else message("at most {n}", n=most)
            if not self.least
            else message("{least} to {most}", least=FormattedNumber(self.least, ","), most=most)
        )
        got: Text = message("more than {n}", n=most) if counted > self.most else FormattedNumber(counted, ",")
        return WrongAnswer(position, expected, got)
