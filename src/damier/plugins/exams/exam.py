"""An exam: questions, each drawn or about the teacher's own tree or game, in variants that nobody can tell
from a seed; and the marks of answers that came back.

    title = "Search"
    variants = 3

    [[questions]]
    kind = "alphabeta"                      # drawn, as `damier exercise` draws
    branching = 2
    plies = 3
    points = 6

    [[questions]]
    kind = "minimax"
    tree = "((3 12 8) (2 4 6) (14 5 2))"    # one's own tree, or the path of its file
    points = 4

    [[questions]]
    kind = "minimax"
    game = "hexapawn"                       # the tree of a game, two plies deep
    positions = "random:plies=2"            # or position = "…"
    plies = 2
    points = 5

What a variant asks is drawn from a secret, which is kept nowhere: the file of keys holds what was drawn.
"""

from __future__ import annotations

import csv
import hmac
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from pathlib import Path
from string import ascii_uppercase
from typing import NamedTuple, TypeAlias, TypeVar

from damier.core.analysis import Evaluation
from damier.core.bits import random_below, seeded
from damier.core.data_files import Cell, DataTable, csv_text, harmless
from damier.core.errors import BadFile, BadInput, DamierError
from damier.core.files import read_text
from damier.core.game import Game, Position
from damier.core.json_data import parse_json, read_toml, require_format, to_json
from damier.core.json_types import JsonObject
from damier.core.rules import CHANCE, State
from damier.core.solution import AnySolution, ValueSolution
from damier.core.tree import Tree
from damier.core.words import SOURCE, _, decimal, labelled, message, ngettext, spaced, speaking
from damier.draw import svg
from damier.draw.board import board_svg
from damier.lab.exercises import AnswerField, Drill, share
from damier.lab.exercises.kinds import (
    KINDS,
    TREES,
    DrillKind,
    drill,
    has_shape,
    kind_of,
    require_shape,
    usual_shape,
)
from damier.lab.exercises.tree_drills import MOST_LEAVES, TreeDrill, TreeShape, renamed
from damier.lab.games import Lab, is_file, load
from damier.lab.searchers import evaluation_of
from damier.lab.solving import Truth, truth
from damier.lab.training import Starts, read_starts
from damier.trees import explicit
from damier.trees.explicit import Algorithm, game_tree, search
from damier.trees.tree_text import facts, tree_of

FORMAT = "damier-exam/1"
LARGEST = 1 << 20
"""Bytes of a file of keys or of answers."""
MOST_QUESTIONS, MOST_POINTS, MOST_PLIES = 30, 1000, 6
MOST_VARIANTS = len(ascii_uppercase)
EXACT = "exact"
"""What the ends of a game's tree are worth where nothing else is said: the exact values."""
PAGE_TITLE, PAGE_FONT = 14.0, 11.0
BOARD_CELL = 40
STUDENT, VARIANT = "student", "variant"
"""The first columns of returned answers."""
SHAPE = TreeShape._fields
FIELDS: dict[str, type] = {
    "kind": str,
    "points": float,
    **dict.fromkeys(SHAPE, int),
    "tree": str,
    "game": str,
    "position": str,
    "positions": str,
    "evaluate": str,
    "shuffle": bool,
}
"""What may be said of a question."""

AnswerRow: TypeAlias = "Mapping[str, object] | Mapping[str | None, object]"
"""A line of returned answers: what stands in each column; by None, what stands behind the last."""
T = TypeVar("T")


@dataclass(frozen=True)
class ExamItem:
    """A question as one variant asks it.

    Attributes:
        drill: the exercise
        points: what it is worth
        data: how the exercise is made again: its tree, or its kind, seed and shape
        position: where its tree begins, if it is one of a game
    """

    drill: Drill
    points: float
    data: JsonObject
    position: Position | None = None

    @classmethod
    def of_tree(
        cls, kind: Algorithm, points: float, tree: Tree, position: Position | None = None
    ) -> ExamItem:
        """Raises BadInput for a tree that is too large for a sheet, or that its kind cannot search."""
        leaves = sum(not node.moves for node in tree.nodes)
        if leaves > MOST_LEAVES or leaves < 2:
            raise BadInput(
                message("a tree of {n} leaves; a sheet has 2 to {most}", n=leaves, most=MOST_LEAVES)
            )
        if tree.nodes[tree.root].player == CHANCE:
            raise BadInput(message("the tree begins with chance; it must begin where a player moves"))
        made = TreeDrill(kind, 0, search(tree, kind, trace=True))
        return cls(made, points, {"tree": facts(tree)}, position)

    @classmethod
    def drawn(cls, kind: DrillKind, points: float, seed: int, shape: TreeShape | None) -> ExamItem:
        """Raises BadInput for a shape that the kind does not have."""
        own = kind_of(kind, seed)
        sizes = shape._asdict() if shape else {}
        return cls(drill(own, seed, shape), points, {"seed": seed, **sizes})

    @classmethod
    def read(cls, data: JsonObject) -> ExamItem:
        """Return what a file of keys has. Raises BadFile, BadInput, KeyError, TypeError, ValueError."""
        points = float(str(data["points"]))
        if "tree" in data:
            kind = next(each for each in TREES if each == data["kind"])
            return cls.of_tree(kind, points, tree_of(objects([data["tree"]])[0]))
        own = next(each for each in KINDS if each == data["kind"])
        shape = TreeShape(*(int(str(data[name])) for name in SHAPE)) if SHAPE[0] in data else None
        if shape is not None:
            require_shape(own, shape)
        return cls.drawn(own, points, int(str(data["seed"])), shape)

    def as_data(self) -> JsonObject:
        with speaking(SOURCE):  # the same file for whoever reads it: some languages part numbers otherwise
            answers: JsonObject = dict(self.drill.right_answers())
        return {"kind": self.drill.kind, "points": self.points, **self.data, "answers": answers}


@dataclass(frozen=True)
class ExamQuestion:
    """A question of an exam: its kind and points, and what it is about.

    Attributes:
        shape: the size of a drawn tree, or None where nothing is said of it
        tree: the teacher's own tree; `shuffle`: whether each variant has its moves in another order
        game, starts: the game whose tree is asked for, and where it begins
        plies: how deep that tree is; `evaluate`: what its ends are worth
    """

    kind: DrillKind
    points: float
    shape: TreeShape | None = None
    tree: Tree | None = None
    shuffle: bool = True
    game: Game | None = None
    starts: Starts | None = None
    plies: int = 2
    evaluate: str = EXACT

    def item(self, seed: int) -> ExamItem:
        """Return what a variant asks, whose seed this is. Raises BadInput, LimitReached, Unsuitable."""
        for kind in TREES:
            if kind == self.kind and self.tree is not None:
                tree = shuffled(self.tree, seed) if self.shuffle else renamed(self.tree)
                return ExamItem.of_tree(kind, self.points, tree)
            if kind == self.kind and self.game is not None:
                state = self.starts.of(self.game, seed)(0) if self.starts else self.game.start
                position = Position(self.game, state)
                return ExamItem.of_tree(
                    kind, self.points, named(self._tree_from(self.game, position)), position
                )
        return ExamItem.drawn(self.kind, self.points, seed, self.shape)

    @cached_property
    def _truth(self) -> Truth | None:
        """The exact values of the game, found once for all variants; None where it is too large."""
        return truth(Lab(self.game)) if self.game else None

    def _tree_from(self, game: Game, position: Position) -> Tree:
        """The tree of a game from a position, its ends evaluated."""
        if self.evaluate != EXACT:
            evaluation = evaluation_of(game, self.evaluate, Lab(game).job)
        elif self._truth is None:
            raise BadInput(message("{game} is too large for exact values; give evaluate = …", game=game.text))
        else:
            evaluation = exact_evaluation(self._truth.solution)
        return game_tree(game, position.state, self.plies, evaluation)


def exact_evaluation(solution: AnySolution) -> Evaluation:
    """Return what positions are worth exactly to player 0: 1, 0 or -1, or their payoff to three decimals."""

    def payoff(s: State) -> float:
        score = solution.score(s)
        return round(score, 3) if isinstance(solution, ValueSolution) else (score > 0) - (score < 0)

    return Evaluation((payoff,), (1.0,))


def named(tree: Tree) -> Tree:
    """Return the tree of a game with its nodes A, B, C …, its moves as the game calls them; where it was
    cut off, what it was taken to be worth stands as a value.
    """
    called = renamed(tree)
    order = [tree.root]
    for number in order:  # grows while it is read, as in `renamed`
        order += [move.child for move in tree.nodes[number].moves]
    nodes = list(called.nodes)
    for new, old in enumerate(order):
        node, own = nodes[new], tree.nodes[old]
        moves = [move._replace(name=name.name) for move, name in zip(node.moves, own.moves, strict=True)]
        value = node.evaluation if node.value is None and not moves else node.value
        nodes[new] = node._replace(moves=tuple(moves), value=value, evaluation=None)
        for move in moves:
            if not nodes[move.child].moves:
                nodes[move.child] = nodes[move.child]._replace(name=f"{node.name},{move.name}")
    return replace(called, nodes=tuple(nodes))


def shuffled(tree: Tree, seed: int) -> Tree:
    """Return a tree with the moves of every node in another order, its nodes and moves named anew."""
    rng = seeded(seed)

    def mixed(moves: Sequence[T]) -> tuple[T, ...]:
        left = list(moves)
        return tuple(left.pop(random_below(rng, len(left))) for _move in moves)

    return renamed(replace(tree, nodes=tuple(node._replace(moves=mixed(node.moves)) for node in tree.nodes)))


def points_in_words(points: float) -> str:
    """Return points as a part of a sentence."""
    return ngettext("{n} point", "{n} points", ceil(points), n=decimal(points))


@dataclass(frozen=True)
class Exam:
    """An exam: its title, and what each variant asks, by its letter."""

    title: str
    papers: Mapping[str, Sequence[ExamItem]]

    @property
    def points(self) -> list[float]:
        """Return what each question is worth."""
        return [item.points for item in next(iter(self.papers.values()))]

    def boxes(self, variant: str) -> list[list[ExamBox]]:
        """Return the boxes of a variant, question by question."""
        items = enumerate(self.papers[variant], 1)
        return [[ExamBox(number, field) for field in item.drill.fields()] for number, item in items]

    def columns(self) -> list[str]:
        """The columns of returned answers after the first two, question by question."""
        questions = zip(*map(self.boxes, self.papers), strict=True)
        return list(
            dict.fromkeys(box.column for variants in questions for boxes in variants for box in boxes)
        )

    def template(self, papers: Sequence[Mapping[str, str]] = ()) -> str:
        """The table to be filled in with what came back, as CSV; with the papers that have come back."""
        written = io.StringIO()
        table = csv.DictWriter(written, [STUDENT, VARIANT, *self.columns()], lineterminator="\n")
        table.writeheader()
        table.writerows(paper | {STUDENT: harmless(paper[STUDENT])} for paper in map(dict, papers))
        return written.getvalue()

    def sheets(self, variant: str) -> Iterator[str]:
        """Yield the pages of a variant, a question each, as SVG."""
        return (self._page(variant, number, is_key=False) for number in range(1, len(self.points) + 1))

    def keys(self) -> Iterator[str]:
        """Yield the pages of all keys."""
        for variant in self.papers:
            yield from (self._page(variant, number, is_key=True) for number in range(1, len(self.points) + 1))

    def _page(self, variant: str, number: int, *, is_key: bool) -> str:
        """A question of a variant, with the line for a name, or worked out."""
        item = self.papers[variant][number - 1]
        drill, position = item.drill, item.position
        head = _("{title} — variant {variant}", title=spaced(self.title), variant=variant)
        heading = _(
            "Question {n} of {of} ({points})",
            n=number,
            of=len(self.points),
            points=points_in_words(item.points),
        )
        lines = drill.solution() if is_key else []
        picture = drawn_block(drill.picture(heading, solved=is_key, headed=False))
        boards = [drawn_block(board_svg(position, size=BOARD_CELL))] if position else []
        width = max(svg.LEAST, picture.width, *(board.width for board in boards))
        name = _("key") if is_key else _("Name: {line}", line="_" * 28)
        top = svg.SvgBlock(
            width,
            2 * PAGE_TITLE,
            svg.label(head, 0, PAGE_TITLE, PAGE_TITLE, "start")
            + svg.label(name, width, PAGE_TITLE, PAGE_FONT, "end"),
        )
        task = svg.stacked(
            [svg.line_block(heading, PAGE_FONT, width), svg.text_block([drill.task()], width)], gap=4
        )
        body = [svg.left_in(block, width) for block in (*boards, picture)]
        after = [svg.text_block(lines, width)] if lines else []
        return svg.document(svg.stacked([top, task, *body, *after]), labelled(head, heading), drill.task())

    def as_data(self) -> JsonObject:
        """The file of keys: what every variant asks, and every right answer."""
        papers: JsonObject = {
            letter: [item.as_data() for item in items] for letter, items in self.papers.items()
        }
        return {"format": FORMAT, "title": self.title, "papers": papers}

    def marked(self, text: str) -> list[MarkedPaper]:
        """The returned answers marked, a line a paper. Raises BadFile with the line that is wrong."""
        return [self.paper(number, row) for number, row in self.rows(text)]

    def rows(self, text: str) -> list[tuple[int, AnswerRow]]:
        """The lines of a table of returned answers, each with its number. Raises BadFile."""
        lines = io.StringIO(text.removeprefix("\ufeff"))
        first = lines.readline()
        delimiter = max(",;\t", key=first.count)
        lines.seek(0)
        rows = csv.DictReader(lines, delimiter=delimiter, strict=True)
        wanted = [STUDENT, VARIANT, *self.columns()]
        try:
            found = [*(rows.fieldnames or ())]
            papers: list[tuple[int, AnswerRow]] = [
                (number, row) for number, row in enumerate(rows, 2) if any(row.values())
            ]
        except csv.Error as error:
            raise BadFile(
                message("the answers: line {n}: {error}", n=rows.reader.line_num, error=str(error))
            ) from None
        if unknown := [name for name in found if name not in wanted]:
            raise BadFile(message("the answers: {name} is no column of this exam", name=unknown[0]))
        if missing := [name for name in wanted[:2] if name not in found]:
            raise BadFile(message("the answers: the column {name} is missing", name=missing[0]))
        if twice := [name for name in found if found.count(name) > 1]:
            raise BadFile(message("the answers: two columns are called {name}", name=twice[0]))
        return papers

    def paper(self, line: int, row: AnswerRow) -> MarkedPaper:
        """The paper in a line of a table marked. Raises BadFile with the number of the line."""
        if None in row:
            raise BadFile(message("the answers: line {n} has more cells than columns", n=line))
        given = {str(name): str(text or "").strip() for name, text in row.items()}
        variant = given[VARIANT].upper()
        if variant not in self.papers:
            raise BadFile(
                message(
                    "the answers: line {n}: there is no variant {variant}; there are: {variants}",
                    n=line,
                    variant=variant or "—",
                    variants=" ".join(self.papers),
                )
            )
        points: list[float] = []
        wrong: list[WrongBox] = []
        for item, boxes in zip(self.papers[variant], self.boxes(variant), strict=True):
            answers = {box.field.key: given.get(box.column, "") for box in boxes}
            points.append(round(item.points * share(item.drill, [answers]), 2))
            reasons = {each.key: each.reason for each in item.drill.marked(answers) if not each.is_right}
            wrong += [
                WrongBox(box, answers[box.field.key], reasons[box.field.key])
                for box in boxes
                if box.field.key in reasons
            ]
        return MarkedPaper(given[STUDENT], variant, tuple(points), sum(self.points), tuple(wrong))


class ExamBox(NamedTuple):
    """A box to be filled in, and the number of its question."""

    question: int
    field: AnswerField

    @property
    def column(self) -> str:
        """Return what the table of returned answers calls it."""
        return f"{self.question} {self.field.key}"


class WrongBox(NamedTuple):
    """A wrong answer: its box, what was written, and why the right one is so."""

    box: ExamBox
    given: str
    reason: str


class MarkedPaper(NamedTuple):
    """The marks of a paper: the points of each question."""

    student: str
    variant: str
    points: tuple[float, ...]
    of: float
    wrong: tuple[WrongBox, ...]

    @property
    def total(self) -> float:
        return round(sum(self.points), 2)


def marks_csv(papers: Sequence[MarkedPaper]) -> str:
    """The marks as CSV: a line a paper, its points question by question."""
    questions = range(1, 1 + max((len(paper.points) for paper in papers), default=0))
    points = [*(f"question {number}" for number in questions), "total", "of"]
    columns = {STUDENT: str, VARIANT: str, **dict.fromkeys(points, float)}
    rows: list[tuple[Cell, ...]] = [
        (paper.student, paper.variant, *paper.points, paper.total, f"{paper.of:g}") for paper in papers
    ]
    return csv_text(DataTable(columns, rows))


def drawn_block(picture: str) -> svg.SvgBlock:
    """Return a whole picture as a part of another."""
    size = re.search(r' width="([\d.]+)" height="([\d.]+)"', picture)
    assert size is not None
    return svg.SvgBlock(float(size[1]), float(size[2]), svg.tag("g", svg.embedded(picture)))


# Reading: what a teacher wrote, and the file of keys.


def read_exam(path: Path, secret: bytes, variants: int | None = None) -> Exam:
    """Return the exam that a file of questions describes, its variants drawn from a secret.

    Raises BadFile, BadInput with the number of the question that is wrong.
    """
    data = read_toml(path)
    if unknown := data.keys() - {"title", "variants", "questions"}:
        raise BadFile(message("{path}: {name} is no key of an exam", path=path, name=min(unknown)))
    count = variants if variants is not None else data.get("variants", 1)
    if type(count) is not int or not 1 <= count <= MOST_VARIANTS:
        raise BadInput(message("variants = {n}: it is from 1 to {most}", n=str(count), most=MOST_VARIANTS))
    title, questions = str(data.get("title", path.stem)), objects(data.get("questions", []))
    if not questions:
        raise BadFile(message("{path} has no questions: write [[questions]] for each", path=path))
    if len(questions) > MOST_QUESTIONS:
        raise BadFile(message("{path} has more than {n} questions", path=path, n=MOST_QUESTIONS))
    papers: dict[str, list[ExamItem]] = {letter: [] for letter in ascii_uppercase[:count]}
    for number, described in enumerate(questions, 1):
        try:
            question = question_of(described, path.parent)
            for letter, items in papers.items():
                drawn = hmac.digest(secret, f"{letter} {number}".encode(), "sha256")
                items.append(question.item(int.from_bytes(drawn[:6], "big")))
        except DamierError as error:
            raise BadInput(message("question {n}: {error}", n=number, error=error)) from None
    return Exam(title, papers)


def read_keys(path: Path) -> Exam:
    """Return the exam of a file of keys. Raises BadFile, also where a key is wrong."""
    return exam_of_keys(read_text(path, LARGEST), path)


def exam_of_keys(text: str, path: Path) -> Exam:
    """Return the exam of the keys in a text, which `path` stands for in refusals. Raises BadFile."""
    found = require_format(parse_json(text, path), FORMAT, path)
    try:
        papers = objects([found["papers"]])[0]
        longest = max((len(objects(items)) for items in papers.values()), default=0)
        if len(papers) > MOST_VARIANTS or longest > MOST_QUESTIONS:
            raise ValueError
        exam = Exam(
            str(found["title"]),
            {letter: [ExamItem.read(data) for data in objects(items)] for letter, items in papers.items()},
        )
        same = (
            to_json(exam.as_data()) == to_json(found)
            and len({len(items) for items in exam.papers.values()}) == 1
        )
    except (BadInput, KeyError, ValueError, TypeError, StopIteration):
        same = False
    if not same:
        raise BadFile(
            message(
                "{path}: its keys are not those of its questions: it was edited, or made by another damier",
                path=path,
            )
        )
    return exam


def objects(found: object) -> list[JsonObject]:
    """The objects of a list. Raises BadFile for anything else."""
    if isinstance(found, list):
        listed = [each for each in found if isinstance(each, dict)]
        if len(listed) == len(found):
            return listed
    raise BadFile(message("questions must be [[questions]]"))


def question_of(data: JsonObject, folder: Path) -> ExamQuestion:
    """Return the question that is described so; paths begin in a folder. Raises BadInput, BadFile."""
    for name, value in data.items():
        if name not in FIELDS:
            raise BadInput(
                message(
                    "{name} is no key of a question; there are: {names}", name=name, names=" ".join(FIELDS)
                )
            )
        if type(value) is not FIELDS[name] and not (FIELDS[name] is float and type(value) is int):
            raise BadInput(message("{name} = {value}: it is of another type", name=name, value=str(value)))
    kind = next((each for each in KINDS if each == data.get("kind")), None)
    if kind is None:
        raise BadInput(
            message("kind = {kind}; there are: {kinds}", kind=str(data.get("kind")), kinds=" ".join(KINDS))
        )
    points = float(str(data.get("points", 10)))
    if not 0 < points <= MOST_POINTS:
        raise BadInput(
            message("points = {n}: they are above 0, and at most {most}", n=points, most=MOST_POINTS)
        )
    own, game = data.get("tree"), data.get("game")
    if (own or game) and kind not in TREES:
        raise BadInput(
            message(
                "{kind} has no tree of one's own; those that have: {kinds}", kind=kind, kinds=" ".join(TREES)
            )
        )
    if own and game:
        raise BadInput(message("tree and game exclude each other"))
    if own:
        text = str(own)
        if text.lstrip()[:1] not in ("(", "{") and (folder / text).is_file():
            text = read_text(folder / text, LARGEST)
        return ExamQuestion(kind, points, tree=explicit.read(text), shuffle=data.get("shuffle", True) is True)
    if game:
        text = str(game)
        loaded = load(str(folder / text) if is_file(text) else text)
        at, several = data.get("position"), data.get("positions")
        starts = read_starts(
            loaded, None if at is None else str(at), None if several is None else str(several)
        )
        plies = int(str(data.get("plies", 2)))
        if not 1 <= plies <= MOST_PLIES:
            raise BadInput(message("plies = {n}: from 1 to {most}", n=plies, most=MOST_PLIES))
        return ExamQuestion(
            kind, points, game=loaded, starts=starts, plies=plies, evaluate=str(data.get("evaluate", EXACT))
        )
    shape = None
    if any(name in data for name in SHAPE):
        given = {name: int(str(data[name])) for name in SHAPE if name in data}
        shape = usual_shape(kind)._replace(**given)
        small = min(shape.branching, shape.players) < 2 or shape.plies < 1
        if has_shape(kind) and (small or max(shape) > 8):
            raise BadInput(message("a tree has 2 to 8 moves a node, 1 to 8 plies, 2 to 6 players"))
        require_shape(kind, shape)
    return ExamQuestion(kind, points, shape)
