"""Exercises: a tree with blanks, answers marked with reasons.

The key stays with the server until it is asked for.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias, get_args

from damier.core.errors import BadInput
from damier.core.files import to_json
from damier.core.tree import shown
from damier.core.words import _, grouped
from damier.draw.quiz import pair_svg
from damier.draw.tree import tree_svg
from damier.lab.names import agent_in_words
from damier.trees import quiz
from damier.trees.exercise import MOST_LEAVES, USUAL, Exercise, TreeShape, solution, task
from damier.trees.exercise import exercise as made
from damier.trees.explicit import Algorithm
from damier.trees.marking import Marked, form, marked, marked_quiz
from damier.trees.tree_text import written
from damier.web import pages
from damier.web.asked import Asked
from damier.web.messages.rooms import (
    AddressAnswer,
    AddressState,
    AddressValues,
    MarkAnswer,
    PartsAnswer,
)
from damier.web.registry import Registry

Kind: TypeAlias = Algorithm | Literal["evaluation"]
KINDS: tuple[Kind, ...] = (*get_args(Algorithm), "evaluation")
MOST_ANSWERS, LONGEST_ANSWER = 600, 200


def kind_in_words(kind: Kind) -> str:
    """What an exercise is about."""
    return _("evaluation") if kind == "evaluation" else agent_in_words(kind)


@dataclass(frozen=True)
class Sheet:
    """An exercise as it is asked for: its kind and seed, and its shape where it has a tree."""

    kind: Kind
    seed: int
    shape: TreeShape | None

    @classmethod
    def asked(cls, asked: Asked) -> Sheet:
        """What a page asks. Raises BadInput."""
        kind, seed = asked.choice("kind", KINDS), asked.whole("seed", 1)
        if kind == "evaluation":
            return cls(kind, seed, None)
        usual = USUAL[kind]
        players = 2 if kind == "expectimax" else asked.whole("players", usual.players, 2, 6)
        shape = TreeShape(
            asked.whole("branching", usual.branching, 2, 8), asked.whole("plies", usual.plies, 1, 8), players
        )
        if shape.branching**shape.plies > MOST_LEAVES:
            raise BadInput(
                _(
                    "up to {n} leaves; a sheet has {most} at most",
                    n=grouped(shape.branching**shape.plies),
                    most=MOST_LEAVES,
                )
            )
        return cls(kind, seed, shape)

    @property
    def values(self) -> AddressValues:
        """The same sheet as an address carries it."""
        shape: dict[str, int] = asdict(self.shape) if self.shape else {}
        return {"kind": self.kind, "seed": self.seed, **shape}

    @property
    def title(self) -> str:
        return _("Exercise: {kind}, seed {seed}", kind=kind_in_words(self.kind), seed=self.seed)

    @property
    def tree(self) -> Exercise:
        """Its tree, searched."""
        assert self.shape is not None
        assert self.kind != "evaluation"
        return made(self.kind, self.seed, self.shape)


def page(registry: Registry, asked: Asked) -> str:
    """The page of exercises; the tree room reaches it."""
    answer = show(registry, asked)
    title = _("Exercises")
    return pages.page(
        "exercise.html",
        "/tree",
        title,
        view="exercise",
        state=to_json(answer["state"]),
        parts=answer["parts"],
        kinds=KINDS,
    )


def show(registry: Registry, asked: Asked) -> AddressAnswer:
    """A new sheet: its picture, what is to be filled in, and nothing of the key."""
    sheet = Sheet.asked(asked)
    state: AddressState = {
        "values": sheet.values,
        "address": pages.address("/tree", view="exercise", **sheet.values),
    }
    parts = {
        "sheet": pages.picture(sheet_svg(sheet)),
        "task": task_of(sheet),
        "choices": choices_part(sheet),
        "answers": answers_part(sheet),
        "key": "",
        "score": "",
    }
    return {"state": state, "parts": parts}


def mark(registry: Registry, asked: Asked) -> MarkAnswer:
    """The answers of a sheet marked, each with its reason; `before` counts what was right on the
    sheets before.
    """
    sheet, given = Sheet.asked(asked), answers_of(asked)
    found = marked_quiz(quiz.quiz(sheet.seed), given) if sheet.shape is None else marked(sheet.tree, given)
    right = sum(each.is_right for each in found)
    before = [
        asked.whole(name, 0, 0, 1_000_000) for name in ("right_before", "asked_before", "sheets_before")
    ]
    score = pages.part(
        "exercise_score.html",
        right=right,
        of=len(found),
        all_right=right + before[0],
        all_of=len(found) + before[1],
        sheets=1 + before[2],
    )
    return {
        "right": right,
        "of": len(found),
        "parts": {"answers": answers_part(sheet, given, {each.key: each for each in found}), "score": score},
    }


def key(registry: Registry, asked: Asked) -> PartsAnswer:
    """The key of a sheet."""
    sheet = Sheet.asked(asked)
    title = _("{title}: key", title=sheet.title)
    if sheet.shape is None:
        made_quiz = quiz.quiz(sheet.seed)
        drawn, said = pair_svg(made_quiz.left.grid, made_quiz.right.grid, title, []), quiz.solution(made_quiz)
    else:
        drawn, said = tree_svg(sheet.tree.key(), title), solution(sheet.tree)
    text = written(sheet.tree.tree) if sheet.shape else ""
    return {
        "parts": {
            "key": pages.part(
                "exercise_key.html", picture=pages.picture(drawn), said=said, text=text, algorithm=sheet.kind
            )
        }
    }


def answers_of(asked: Asked) -> dict[str, str]:
    """The answers that a page sent. Raises BadInput."""
    found = asked.values.get("answers", {})
    if isinstance(found, dict) and len(found) <= MOST_ANSWERS:
        answers = {
            name: text
            for name, text in found.items()
            if isinstance(text, str) and len(text) <= LONGEST_ANSWER
        }
        if len(answers) == len(found):
            return answers
    raise BadInput(_("answers must be at most {n} texts, each by the name of its question", n=MOST_ANSWERS))


def sheet_svg(sheet: Sheet) -> str:
    """The picture of a sheet, with blanks."""
    if sheet.shape is None:
        made_quiz = quiz.quiz(sheet.seed)
        return pair_svg(made_quiz.left.grid, made_quiz.right.grid, sheet.title, [])
    return tree_svg(sheet.tree.sheet(), sheet.title)


def task_of(sheet: Sheet) -> str:
    return pages.part("exercise_task.html", task=quiz.task() if sheet.shape is None else task(sheet.tree))


def choices_part(sheet: Sheet) -> str:
    return pages.part("exercise_choices.html", sheet=sheet, kinds=KINDS)


def answers_part(
    sheet: Sheet, given: dict[str, str] | None = None, found: dict[str, Marked] | None = None
) -> str:
    """What is to be filled in; after marking, with what was answered, and how it was."""
    if sheet.shape is None:
        return pages.part(
            "exercise_quiz.html", names=list(quiz.EVALUATIONS), given=given or {}, found=found or {}
        )
    scene = sheet.tree.sheet()
    asked = form(sheet.tree)
    signs = {
        blank.name: sign(sheet, scene.roles[blank.place] or "", scene.movers[blank.place])
        for blank in asked.blanks
    }
    return pages.part(
        "exercise_answers.html",
        form=asked,
        signs=signs,
        players=sheet.shape.players if sheet.kind == "maxn" else 1,
        given=given or {},
        found=found or {},
    )


def sign(sheet: Sheet, role: str, mover: int) -> str:
    """Who moves at a node, as the picture says it."""
    words = {
        "max": "▲ MAX",
        "min": "▼ MIN",
        "mean": _("● chance"),
        "best": _("player {n}", n=shown(mover + 1)),
    }
    return words[role]
