"""Trees to be worked out: minimax, alpha-beta, expectimax, max^n."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.json_types import JsonObject
from damier.core.tree import shown
from damier.core.words import _
from damier.draw.tree import legend, tree_lines, tree_svg
from damier.lab.exercises.drill import AnswerField, Answers, FieldChoice
from damier.trees.explicit import Algorithm
from damier.trees.marking import (
    Blank,
    Exercise,
    Form,
    Marked,
    TreeShape,
    answers,
    exercise,
    form,
    marked,
    solution,
    task,
)
from damier.trees.tree_file import facts
from damier.trees.tree_text import written


@dataclass(frozen=True)
class TreeDrill:
    """An exercise with a tree; the boxes are in its nodes, the branches are cut or chosen."""

    kind: Algorithm
    seed: int
    made: Exercise

    @classmethod
    def of(cls, kind: Algorithm, seed: int, shape: TreeShape) -> TreeDrill:
        return cls(kind, seed, exercise(kind, seed, shape))

    def task(self) -> str:
        return task(self.made)

    def fields(self) -> tuple[AnswerField, ...]:
        asked = form(self.made)
        blanks = in_order(asked, self.made)
        values = [value_field(blank, self.made) for blank in blanks]
        root = asked.blanks[0]
        cuts = [cut_field(blank) for blank in blanks if blank is not root] if asked.cuts else []
        choices = tuple(
            FieldChoice(move, _("{name}: {move} is the best move", name=root.name, move=move))
            for move in asked.actions
        )
        action = AnswerField("action", _("Best move at {name}", name=root.name), "branch", choices, root.name)
        return (*values, *cuts, action)

    def sheet_svg(self, title: str, note: str = "", *, headed: bool = True) -> str:
        return tree_svg(self.made.sheet(), title, note, headed=headed)

    def key_svg(self, title: str, note: str = "", *, headed: bool = True) -> str:
        return tree_svg(self.made.key(), title, note, headed=headed)

    def marked(self, answers: Answers) -> list[Marked]:
        """The root is never cut at, so nothing is asked about that."""
        root = form(self.made).blanks[0].name
        return [each for each in marked(self.made, answers) if each.key != f"cut:{root}"]

    def right_answers(self) -> dict[str, str]:
        key, found = self.made.key(), self.made.found
        right = {
            f"value:{blank.name}": shown(key.marks[blank.place].value).strip("()")
            for blank in form(self.made).blanks
            if key.marks[blank.place].known == "done"
        }
        for cut in found.cuts:
            node = self.made.tree.nodes[cut.node]
            right[f"cut:{node.name}"] = " ".join(move.name for move in node.moves[cut.child + 1 :])
        return right | {"action": self.made.tree.nodes[self.made.tree.root].moves[found.best[0]].name}

    def solution(self) -> list[str]:
        return solution(self.made)

    def facts(self) -> JsonObject:
        return {"tree": facts(self.made.tree), "answers": answers(self.made)}

    def lines(self) -> list[str]:
        sheet = self.made.sheet()
        return [*tree_lines(sheet), legend(sheet)]

    def tree_text(self) -> str:
        return written(self.made.tree)


def in_order(asked: Form, made: Exercise) -> list[Blank]:
    """The nodes as somebody works them out: what is below a node before the node itself."""
    by_place = {blank.place: blank for blank in asked.blanks}
    below = made.sheet().children()
    found: list[Blank] = []
    todo = [(0, False)]
    while todo:
        place, is_done = todo.pop()
        if is_done:
            found.append(by_place[place])
        elif place in by_place:
            todo.append((place, True))
            todo += [(child, False) for child in reversed(below[place])]
    return found


def value_field(blank: Blank, made: Exercise) -> AnswerField:
    several = made.kind == "maxn"
    return AnswerField(
        f"value:{blank.name}", _("Value of {name}", name=blank.name), "numbers" if several else "number"
    )


def cut_field(blank: Blank) -> AnswerField:
    """The branches that may be cut at a node: all but the first, which is always looked at."""
    choices = tuple(
        FieldChoice(move, _("{name}: move {move} is cut", name=blank.name, move=move))
        for move in blank.moves[1:]
    )
    return AnswerField(
        f"cut:{blank.name}", _("Branches cut at {name}", name=blank.name), "branches", choices, blank.name
    )
