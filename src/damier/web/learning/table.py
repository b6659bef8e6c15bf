"""What a learner knows, as a table for a page (row A-23): a row a position, a column a move, what
is true beside what was learnt.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from damier.core.game import Game
from damier.core.json_types import JsonValue
from damier.core.rules import State
from damier.core.solution import AnyValue, Value, Worth
from damier.core.words import _, decimal
from damier.draw.text import position_name
from damier.lab.truth import Truth, exact_of, truth
from damier.learn.action_values import Row, read_move
from damier.web import pages
from damier.web.messages.training import TrainingView
from damier.web.registry import Registry

MOST_SHOWN = 60
KEPT = 8
MOST_ROWS = 50_000
"""Rows of one game whose exact values are kept."""
PAYOFFS: dict[Value, int] = {"win": 1, "draw": 0, "loss": -1}
SIGNS: dict[Value, str] = {"win": "+1", "draw": "0", "loss": "−1"}

Exact: TypeAlias = "tuple[AnyValue, int | None] | None"


@dataclass(frozen=True)
class Cell:
    """One move of a position: what was learnt, what is true, and whether the learner would play it
    rather than another.
    """

    learnt: str
    exact: str
    words: str
    chosen: bool
    name: str


@dataclass(frozen=True)
class LineOfTable:
    """One position; `cells` by column, `lost` what its choice gives away of the exact value, None
    where that is not known.
    """

    number: int
    name: str
    board: str
    visits: int
    lost: float | None
    cells: dict[int, Cell]
    met: bool


@dataclass
class ExactAnswers:
    """The exact values of one game, looked up once for every position and its moves: where boxes are up
    to symmetry, the same position has fewer.
    """

    game: Game
    truth: Truth | None
    rows: dict[tuple[str, State, tuple[int, ...]], list[Exact]] = field(default_factory=dict)

    def of(self, algorithm: str, row: Row) -> list[Exact]:
        if self.truth is None:
            return [None] * len(row.values)
        if len(self.rows) > MOST_ROWS:
            self.rows.clear()
        asked = (algorithm, row.state, row.moves)
        if asked not in self.rows:
            self.rows[asked] = list(exact_of(self.game, algorithm, row, self.truth))
        return self.rows[asked]


_answers: OrderedDict[str, ExactAnswers] = OrderedDict()


def answers(registry: Registry, name: str) -> ExactAnswers:
    """What is exactly known of a game."""
    lab = registry.lab(name)
    if name not in _answers or _answers[name].game is not lab.game:
        _answers[name] = ExactAnswers(lab.game, truth(lab))
        if len(_answers) > KEPT:
            _answers.popitem(last=False)
    return _answers[name]


def table_of(registry: Registry, facts: TrainingView) -> str:
    """The table as a part of the page: the rows that come first in the order that is asked for."""
    exact = answers(registry, facts["game"])
    lines = in_order([line_of(exact, facts, *row) for row in facts["rows"]], facts["order"])[:MOST_SHOWN]
    return pages.part(
        "learning_table.html",
        lines=lines,
        columns=headings(lines),
        known=facts["known"],
        told=len(facts["rows"]),
        numbered=exact.game.id is not None,
        is_exact=exact.truth is not None,
        afterstates=facts["algorithm"] == "v",
        beads=facts["algorithm"] == "beads",
    )


def in_order(lines: list[LineOfTable], order: str) -> list[LineOfTable]:
    """By visits, by what is given away, or as they were discovered."""
    if order == "visits":
        return sorted(lines, key=lambda line: -line.visits)
    if order == "error":
        return sorted(lines, key=lambda line: (-(line.lost or 0.0), -line.visits))
    return sorted(lines, key=lambda line: line.number)


def line_of(
    exact: ExactAnswers,
    facts: TrainingView,
    number: int,
    state: list[int | list[int]],
    moves: list[int | None],
    values: Sequence[float],
    counts: Sequence[int],
) -> LineOfTable:
    """A row as it is shown."""
    game, algorithm = exact.game, facts["algorithm"]
    s = game.read_state(state)
    row = Row(
        s,
        tuple(0 if number is None else read_move(game, number) for number in moves),
        tuple(values),
        tuple(counts),
    )
    true = exact.of(algorithm, row)
    probabilities = action_probabilities(algorithm, row)
    cells = {}
    for column, move, value, count, found, probability in zip(
        moves, row.moves, values, counts, true, probabilities, strict=True
    ):
        learnt = str(count) if algorithm == "beads" else decimal(value, ".2f").replace("-", "−")
        cells[-1 if column is None else column] = Cell(
            learnt,
            sign(found),
            in_words(found),
            0 < probability == max(probabilities),
            game.name_move(s, move) if move else "",
        )
    lost = lost_by(algorithm, facts["parameters"], row, true, probabilities)
    board = "/".join(text.strip() for text in game.show(s).splitlines())
    return LineOfTable(
        number, position_name(game, s), board, sum(counts), lost, cells, number == facts["last"]
    )


def action_probabilities(algorithm: str, row: Row) -> list[float]:
    """How likely each move is when the learner plays what it knows: by its beads, or the best
    alike.
    """
    if algorithm == "v":
        return [0.0]
    if algorithm == "beads":
        return [count / max(1, sum(row.counts)) for count in row.counts]
    best = [value == max(row.values) for value in row.values]
    return [is_best / sum(best) for is_best in best]


def lost_by(
    algorithm: str,
    parameters: Mapping[str, JsonValue],
    row: Row,
    true: Sequence[Exact],
    probabilities: Sequence[float],
) -> float | None:
    """What the choice of the learner gives away on average: 1 is a win for a draw, 2 a win for a
    loss. Of an afterstate, how far off its value is.
    """
    payoffs = [payoff_of(found[0]) for found in true if found is not None]
    if len(payoffs) < len(row.values):
        return None
    if algorithm == "v":
        rewards = (parameters["win"], parameters["loss"])
        largest = max(abs(reward) for reward in rewards if isinstance(reward, (int, float)))
        return abs(row.values[0] / (largest or 1.0) - payoffs[0])
    best = max(payoffs)
    return sum(
        probability * (best - payoff) for probability, payoff in zip(probabilities, payoffs, strict=True)
    )


def payoff_of(value: AnyValue) -> float:
    return value.payoff if isinstance(value, Worth) else PAYOFFS[value]


def sign(found: Exact) -> str:
    return "" if found is None else str(found[0]) if isinstance(found[0], Worth) else SIGNS[found[0]]


def in_words(found: Exact) -> str:
    """An exact value in words, for who points at it."""
    if found is None:
        return ""
    value, distance = found
    if isinstance(value, Worth):
        return _("exact: {value}", value=value.words)
    if value == "draw" or distance is None:
        return _("exact: a draw") if value == "draw" else _("exact: {value}", value=_(value))
    return (
        _("exact: a win in {n} plies", n=distance)
        if value == "win"
        else _("exact: a loss in {n} plies", n=distance)
    )


def headings(lines: Sequence[LineOfTable]) -> dict[int, str]:
    """The head of every column: the names of the moves, if each has one name in all rows; else
    their numbers (row A-23).
    """
    columns = sorted({column for line in lines for column in line.cells})
    names = {
        column: {line.cells[column].name for line in lines if column in line.cells} for column in columns
    }
    alike = all(len(found) == 1 for found in names.values())
    return {
        column: "V" if column < 0 else names[column].pop() if alike else str(column) for column in columns
    }
