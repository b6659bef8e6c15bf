"""The kinds of items that no sheet of damier's needs, and the exact answers against published numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from marked import failed, marked, require_shown

from damier import load
from damier.core.errors import BadFile, BadInput, LimitReached, UnknownName, Unsuitable
from damier.core.json_types import JsonValue
from damier.core.rules import State
from damier.plugins.classroom.marking.agent_items import interval
from damier.plugins.classroom.marking.answerer import number
from damier.plugins.classroom.marking.function_items import ANSWERS
from damier.plugins.classroom.marking.reports import html_page, markdown_page
from damier.plugins.classroom.marking.sheet import MarkingSheet, mark_all, require_askable, sheet
from damier.plugins.classroom.marking.submission import ExactTruth, read_answer

ITEM = """
[[item]]
name = "{kind}"
kind = "{kind}"
points = 1
text = {{en = "Asked", fr = "Demandé"}}
"""


def asked(folder: Path, game: str, kind: str, **values: str) -> MarkingSheet:
    """A sheet of one item, its values as TOML has them."""
    lines = "".join(f"{key} = {value}\n" for key, value in values.items())
    text = f'game = "{game}"\ntitle = {{en = "One item"}}\n{ITEM.format(kind=kind)}{lines}'
    path = folder / "sheet.toml"
    path.write_text(text)
    return sheet(str(path))


def require_caught(folder: Path, asked_for: MarkingSheet, right: str, wrong: str) -> None:
    """The right code passes, the wrong one does not, and is shown."""
    truth = ExactTruth(asked_for.game)
    good = marked(folder, right, asked_for, truth)
    assert failed(good) == set(), good.marks[0].finding.sentence
    bad = marked(folder, wrong, asked_for, truth)
    assert bad.points == 0
    require_shown(bad)


def test_whole_numbers_of_numpy_are_answers_as_python_s_are() -> None:
    asked_of = (4, np.int64(4), np.int8(-1), np.float64(0.5), True, 10**30)
    found = [number(answer) for answer in asked_of]
    assert [(type(each), each) for each in found] == [
        *((int, 4), (int, 4), (int, -1)),
        *((float, 0.5), (float, 1.0), (float, 1e30)),
    ]


WINNER = """
def winner(position):
    if not position.over or not any(position.payoffs):
        return None
    return position.payoffs.index(1)
"""


def test_a_function_of_every_position(tmp_path: Path) -> None:
    item = asked(
        tmp_path, "mnk:width=2,height=2,in_a_row=2", "function", function='"winner"', answer='"winner"'
    )
    require_caught(tmp_path, item, WINNER, WINNER.replace("return None", "return False"))
    item = asked(
        tmp_path, "mnk:width=2,height=2,in_a_row=2", "function", function='"m"', answer='"legal-moves"'
    )
    right = "def m(p):\n    return [] if p.over else [n for n in range(4) if p.board[n] == ' ']"
    require_caught(tmp_path, item, right, right.replace("[] if p.over else ", ""))


def test_a_text_that_looks_right_is_shown_as_one(tmp_path: Path) -> None:
    item = asked(
        tmp_path, "mnk:width=2,height=2,in_a_row=2", "function", function='"winner"', answer='"winner"'
    )
    written = WINNER.replace("return position.payoffs.index(1)", "return str(position.payoffs.index(1))")
    found = marked(tmp_path, written, item, ExactTruth(item.game)).marks[0].finding.wrong
    assert found is not None
    assert (str(found.expected), str(found.got)) == ("0", "'0'")


MINIMAX = """
def minimax(position):
    if position.over:
        return -1 if any(position.payoffs) else 0
    return max(-minimax(position.play(move)) for move in position.moves)
"""
ALPHABETA = """
def alphabeta(position, alpha=-9, beta=9):
    if position.over:
        return -1 if any(position.payoffs) else 0
    best = -2
    for move in position.moves:
        best = max(best, -alphabeta(position.play(move), -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best

def solve(position):
    return alphabeta(position)
"""
LINE = '["4", "0", "8", "2", "1"]'


def test_exactly_so_many_nodes_and_at_most(tmp_path: Path) -> None:
    """18,297 nodes of alpha-beta that cuts at equal values, from the empty board (spec C)."""
    values = {"function": '"solve"', "counted": '"alphabeta"', "most": "18297"}
    item = asked(tmp_path, "tictactoe", "calls", least="18297", **values)
    cuts_too_late = ALPHABETA.replace("if best >= beta:", "if best > beta:")
    require_caught(tmp_path, item, ALPHABETA, cuts_too_late)
    item = asked(
        tmp_path,
        "tictactoe",
        "calls",
        function='"minimax"',
        counted='"minimax"',
        least="51",
        most="51",
        moves=LINE,
    )
    require_caught(tmp_path, item, MINIMAX, MINIMAX.replace("position.moves)", "position.moves[:2])"))
    item = asked(tmp_path, "tictactoe", "calls", function='"minimax"', most="9", moves='["9"]')
    with pytest.raises(BadInput, match="the moves of an item: 9 is not a legal move"):
        require_askable(item, ExactTruth(item.game))


WITHOUT_BOARD = """
from collections import namedtuple
from damier import ONGOING, Game

State = namedtuple("State", "left mover")

def square() -> Game:
    def play(s, move):
        return State(s.left - 1, 1 - s.mover)
    def outcome(s):
        return ONGOING if s.left else -1
    return Game("square", State(3, 0), lambda s: 1, play, outcome, bits=(2, 1))
"""


def test_a_sheet_that_asks_for_what_cannot_be_asked_is_refused_before_anything_is_marked(
    tmp_path: Path,
) -> None:
    game = tmp_path / "square.py"
    game.write_text(WITHOUT_BOARD)
    item = asked(tmp_path, "square.py:square", "function", function='"f"', answer='"base-3"')
    with pytest.raises(Unsuitable, match="not played on a board"):
        mark_all(item, [], 1, lambda done: None)
    item = asked(tmp_path, "hexapawn", "grade", agent='"A"', against='"nobody"', at_least="0.5")
    with pytest.raises(UnknownName, match="nobody"):
        mark_all(item, [], 1, lambda done: None)


ON_TREES = """
from math import inf

def search(node, alpha=-inf, beta=inf):
    if not node.children:
        return node.value
    sign = 1 if node.player == 0 else -1
    best = -inf
    for child in node.children:
        best = max(best, sign * search(child, alpha, beta))
        if node.player == 0:
            alpha = max(alpha, best)
        else:
            beta = min(beta, -best)
        if alpha >= beta:
            break
    return sign * best
"""


@pytest.mark.parametrize(
    ("algorithm", "exactly", "right", "wrong"),
    [
        ("alphabeta-weak", "true", (), ("alpha >= beta", "alpha > beta")),
        ("alphabeta-strict", "true", ("alpha >= beta", "alpha > beta"), ()),
        ("alphabeta-strict", "false", (), ("alpha >= beta", "False")),
        ("minimax", "true", ("alpha >= beta", "False"), ()),
        ("minimax", "true", ("alpha >= beta", "False"), ("node.player == 0 else -1", "True else 1")),
    ],
)
def test_minimax_and_alpha_beta_on_trees(
    algorithm: str, exactly: str, right: tuple[str, ...], wrong: tuple[str, ...], tmp_path: Path
) -> None:
    values = {"function": '"search"', "trees": "6", "branching": "3", "plies": "3", "seed": "1"}
    item = asked(tmp_path, "nim", "tree-search", algorithm=f'"{algorithm}"', exactly=exactly, **values)
    require_caught(
        tmp_path,
        item,
        ON_TREES.replace(*right) if right else ON_TREES,
        ON_TREES.replace(*wrong) if wrong else ON_TREES,
    )


def test_a_tree_is_drawn_worked_out(tmp_path: Path) -> None:
    values = {"function": '"search"', "trees": "1", "branching": "3", "plies": "3", "seed": "1"}
    item = asked(tmp_path, "nim", "tree-search", algorithm='"alphabeta-weak"', exactly="true", **values)
    found = marked(tmp_path, ON_TREES.replace("alpha >= beta", "False"), item)
    page = html_page(item, found)
    assert page.count("<svg") == 1
    assert "expected: D,a" in page
    assert "✕" in markdown_page(item, found)  # a branch that is cut off


AGENT = """
class Mine:
    def play(self, position):
        left = position.board.count("|")
        return str((left - 1) % 4 or 1)
"""


def test_what_an_agent_is_worth(tmp_path: Path) -> None:
    values = {"agent": '"Mine"', "against": '"random"', "at_least": "0.9", "seat": "1"}
    item = asked(tmp_path, "nim:matches=8", "grade", **values)
    assert marked(tmp_path, AGENT, item).points == 1
    found = marked(tmp_path, AGENT.replace("(left - 1) % 4 or 1", "1"), item)
    assert found.points == 0
    assert "against random it does not lose in" in str(found.marks[0].finding.sentence)
    wrong = found.marks[0].finding.wrong
    assert wrong is not None
    assert wrong.position is not None
    assert (wrong.position.board.count("|"), str(wrong.expected), str(wrong.got)) == (8, "3", "1")
    unknown = asked(tmp_path, "nim", "grade", **{**values, "against": '"./program"'})
    with pytest.raises(UnknownName):
        require_askable(unknown, ExactTruth(unknown.game))


def test_the_interval_of_many_runs() -> None:
    low, high = interval([0.5, 0.7] * 10)
    assert 0.5 < low < 0.6 < high < 0.7


def test_a_game_that_is_too_large_is_refused() -> None:
    with pytest.raises(LimitReached, match="too large for a sheet"):
        ExactTruth(load("connect_four")).prepare()


def test_words_and_values_left_out(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"function: answer must be: base-3\|"):
        asked(tmp_path, "nim", "function", function='"f"', answer='"value"')
    item = asked(tmp_path, "nim", "calls", function='"f"', most="3")
    assert item.items[0].values["least"] == 0


def answers(truth: ExactTruth, name: str, s: State) -> list[object]:
    return list(ANSWERS[name].right(truth, s))


def test_exact_answers_are_those_of_the_documents() -> None:
    pawns = ExactTruth(load("hexapawn"))
    assert [[pawns.game.id(s)[0]] for s in pawns.states] == [  # type: ignore[index, misc]  # one a view
        answers(pawns, "base-3", s) for s in pawns.states
    ]
    nodes = {4: (15, 13), 6: (52, 25), 8: (177, 37)}
    for matches, (complete, truncated) in nodes.items():
        truth = ExactTruth(load(f"nim:matches={matches}"))
        start = truth.game.start
        assert answers(truth, "complete-tree", start) == [complete]
        assert answers(truth, "truncated-tree", start) == [truncated]
    truth = ExactTruth(load("nim"))
    assert answers(truth, "winning-move", truth.game.start) == ["3"]
    assert set(answers(truth, "optimistic-move", truth.game.start)) == {"1", "2", "3"}
    four = next(s for s in truth.states if truth.game.id is None and s[1] == 4 and s[0] == 1)
    assert "2" in answers(truth, "optimistic-move", four)
    assert "3" not in answers(truth, "optimistic-move", four)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import os.path", "student.py:1: os.path is not allowed here; allowed: math random"),
        ("import math\nfrom subprocess import run", "student.py:2: subprocess is not allowed"),
        ("from . import other", "student.py:1: . is not allowed"),
        ("f = eval", "student.py:1: eval is not allowed"),
        ("(lambda: 0).__globals__", "student.py:1: __globals__ is not allowed"),
        ("import re\nre.compile('x')", "student.py:1: re is not allowed"),
        ("import math, random\nrandom.seed.compile", "only what is allowed is imported"),
        ("def f(:", "student.py:1: Python cannot read this: "),
    ],
)
def test_what_may_be_imported(code: str, said: str, tmp_path: Path) -> None:
    item = asked(tmp_path, "nim", "imports", allowed='["math", "random"]')
    found = marked(tmp_path, code, item)
    assert said in str(found.marks[0].finding.sentence)
    assert found.points == (said == "only what is allowed is imported")


@pytest.mark.parametrize("name", ["student.tar.gz", "student.zip", "student.txt"])
def test_what_is_no_program_imports_nothing_and_has_no_point_for_it(name: str, tmp_path: Path) -> None:
    item = asked(tmp_path, "nim", "imports", allowed='["math"]')
    (tmp_path / name).write_bytes(b"PK\x03\x04" if name.endswith("zip") else b"\x1f\x8b")
    (found,) = mark_all(item, [tmp_path / name], 1, lambda done: None)
    assert found.points == 0
    assert "is an archive" in str(found.marks[0].finding.sentence)


@pytest.mark.parametrize(
    ("line", "read"),
    [
        (b'{"answer": [1, 2.5, "NaN"]}', {"answer": [1, 2.5, "NaN"]}),
        (b"[1234567890123456789012, -1]", [1.2345678901234568e21, -1]),
        (b"[NaN]", None),
        (b"[1, -Infinity]", None),
        (b"[1e999]", None),
        (b"[" + b"9" * 400 + b"]", None),
    ],
)
def test_numbers_of_others_are_finite(line: bytes, read: JsonValue) -> None:
    if read is None:
        with pytest.raises(ValueError):
            read_answer(line)
    else:
        assert read_answer(line) == read


LIAR = """
from damier.agents.own import OwnPlayer
OwnPlayer.weights = lambda self, position: dict.fromkeys(position.named_moves.values(), 1.0)

class Mine:
    def play(self, position):
        return position.moves[0]

    def policy(self, position):
        return {}
"""


def test_a_policy_of_more_than_all_is_no_policy(tmp_path: Path) -> None:
    item = asked(tmp_path, "nim:matches=8", "grade", agent='"Mine"', against='"random"', at_least="0.9")
    found = marked(tmp_path, LIAR, item)
    assert found.points == 0
    assert "cannot be used" in str(found.marks[0].finding.sentence)


@pytest.mark.parametrize(
    ("kind", "values", "said"),
    [
        (
            "grade",
            {"agent": '"A"', "against": '"random"', "at_least": "0.5", "seat": "3"},
            "seat must be: 0|1|2",
        ),
        ("grade", {"agent": '"A"', "against": '"random"', "at_least": "inf"}, "at_least must be: a number"),
        ("apart", {"agent": '"A"', "games": "-1", "seed": "0"}, "games must be: from 0 to 1,000,000"),
        ("ties", {"agent": '"A"', "asked": "0", "seed": "0"}, "asked must be: from 1 to 1,000,000"),
        ("ties", {"agent": '"A"', "asked": "true", "seed": "0"}, "asked must be: a whole number"),
    ],
)
def test_numbers_of_a_sheet(kind: str, values: dict[str, str], said: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile) as refused:
        asked(tmp_path, "nim", kind, **values)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("x = 1", "student.py: there is no Mine, a class or a function that makes an agent"),
        ("", "student.py: the file is empty"),
        (
            "class Mine:\n    def update(self): pass",
            "student.py: Mine has no play(position), choose(position)",
        ),
        ("class Mine:\n    def play(self): pass", "student.py: what chooses takes one parameter"),
        ("class Mine:\n    def play(self, position): return 9", "student.py:2: 9 is not a legal move here"),
        (
            "class Mine:\n    def __init__(self, x): pass\n    play = print",
            "student.py: Mine asks for x; it can",
        ),
        ("Mine = 3", "student.py has no agent"),
    ],
)
def test_agents_that_are_none(code: str, said: str, tmp_path: Path) -> None:
    item = asked(tmp_path, "nim:matches=5", "never-loses", agent='"Mine"')
    found = marked(tmp_path, code, item)
    assert str(found.marks[0].finding.sentence).startswith(said)


RACE = """
from typing import NamedTuple

from damier import ONGOING, Game, position_of


class State(NamedTuple):
    total: int
    mover: int


def race(goal: int = 20) -> Game:
    def moves(s: State) -> int:
        return (1 << min(3, goal - s.total)) - 1

    def play(s: State, move: int) -> State:
        return State(s.total + position_of(move) + 1, 1 - s.mover)

    def outcome(s: State) -> int:
        return -1 if s.total == goal else ONGOING

    return Game(
        "race", State(0, 0), moves, play, outcome, name_move=lambda s, move: str(position_of(move) + 1)
    )
"""


def test_a_game_of_ones_own_beside_the_sheet(tmp_path: Path) -> None:
    (tmp_path / "race.py").write_text(RACE)
    item = asked(tmp_path, "race.py:goal=9", "function", function='"best"', answer='"winning-move"')
    right = "def best(position):\n    return (9 - position.state.total) % 4 or None\n"
    require_caught(tmp_path, item, right, right.replace("None", "1"))
