"""The quiz on evaluations: two positions of Pacman, four formulas."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.json_types import JsonObject
from damier.core.words import _
from damier.draw.quiz import pair_svg
from damier.lab.exercises.drill import AnswerField, Answers, FieldChoice
from damier.trees.marking import Marked, marked_quiz
from damier.trees.quiz import EVALUATIONS, Quiz, facts, preferred, quiz, solution, task


@dataclass(frozen=True)
class EvaluationDrill:
    """Two numbers a formula, and which position it prefers."""

    seed: int
    made: Quiz
    kind: str = "evaluation"

    @classmethod
    def of(cls, seed: int) -> EvaluationDrill:
        return cls(seed, quiz(seed))

    def task(self) -> str:
        return task()

    def fields(self) -> tuple[AnswerField, ...]:
        sides = (
            FieldChoice("left", _("left")),
            FieldChoice("right", _("right")),
            FieldChoice("neither", _("neither")),
        )
        found: list[AnswerField] = []
        for row, name in enumerate(EVALUATIONS):
            found += [
                AnswerField(f"left:{row}", _("Left: {name}", name=name), "number"),
                AnswerField(f"right:{row}", _("Right: {name}", name=name), "number"),
                AnswerField(f"prefers:{row}", _("{name} prefers", name=name), "choice", sides),
            ]
        return tuple(found)

    def sheet_svg(self, title: str, note: str = "", *, headed: bool = True) -> str:
        said = note.split("\n") if note else []
        names = [f"{name}   =" for name in EVALUATIONS]
        return pair_svg(self.made.left.grid, self.made.right.grid, title, said, names, headed=headed)

    def key_svg(self, title: str, note: str = "", *, headed: bool = True) -> str:
        said = note.split("\n") if note else []
        return pair_svg(self.made.left.grid, self.made.right.grid, title, said, headed=headed)

    def marked(self, answers: Answers) -> list[Marked]:
        return marked_quiz(self.made, answers)

    def right_answers(self) -> dict[str, str]:
        right: dict[str, str] = {}
        for row, (name, evaluation) in enumerate(EVALUATIONS.items()):
            right |= {
                f"left:{row}": f"{evaluation(self.made.left):.3f}",
                f"right:{row}": f"{evaluation(self.made.right):.3f}",
                f"prefers:{row}": preferred(self.made, name),
            }
        return right

    def solution(self) -> list[str]:
        return solution(self.made)

    def facts(self) -> JsonObject:
        return facts(self.made)

    def lines(self) -> list[str]:
        grids = zip(self.made.left.grid.rows, self.made.right.grid.rows, strict=True)
        return ["    ".join(row.replace(" ", ".") for row in rows) for rows in grids] + list(EVALUATIONS)

    def tree_text(self) -> str:
        return ""
