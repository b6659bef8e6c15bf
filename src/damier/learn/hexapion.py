"""The file of the Hexapawn lab (document [S0], row A-24): a Q-table as text, named after its agent.

    nbStep epsilon
    377                     a state's number, as its mover sees the board (rows A-4 and A-5)
    0 3 6                   its actions
    0.25 0.0 -0.5           their values

Three lines a state, in order of discovery.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from damier.core.errors import BadFile
from damier.core.files import read_text, write_text
from damier.core.game import Game
from damier.core.moves import each
from damier.core.rules import State
from damier.core.words import message
from damier.learn.action_values import Memory, Row
from damier.learn.qtable import DECISIONS

SUFFIX = ".txt"
LARGEST = 1 << 26
NUMBER = r"[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,3})?"


def is_hexapion(path: Path) -> bool:
    """Return whether a file is named as the lab names its files."""
    return path.suffix == SUFFIX


def number_of_view(game: Game, s: State) -> int:
    """The number of a state as its mover sees it. Raises BadFile for a game whose states have none."""
    if game.id is None or not isinstance(views := game.id(s), list):
        raise BadFile(
            message(
                "{game} has no numbers for what its players see; the file of the Hexapawn lab is for pawns",
                game=game.text,
            )
        )
    return views[game.mover(s)]


def load_hexapion(path: Path, game: Game) -> Memory:
    """The table in a file of the lab, both players seeing positions alike. Raises BadFile."""
    return table_in(read_text(path, LARGEST, "ascii"), game, str(path))


def table_in(text: str, game: Game, path: str) -> Memory:
    """The table in the text of such a file, which is called `path`. Raises BadFile."""
    lines = text.splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    if (
        len(lines) % 3 != 1
        or not (head := re.fullmatch(rf"\s*([0-9]{{1,15}})\s+({NUMBER})\s*", lines[0]))
        or not 0 <= float(head[2]) <= 1
    ):
        raise BadFile(
            message(
                "{path} is not a file of the Hexapawn lab: a line `nbStep epsilon`, then three lines a state",
                path=path,
            )
        )
    memory = Memory(game, float(head[2]))
    memory.counters[DECISIONS] = int(head[1])
    states = views_of(game)
    rows: dict[State, Row] = {}
    for first in range(1, len(lines), 3):
        row = read_row(states, game, lines[first : first + 3], f"{path}:{first + 1}")
        if row.state in rows:
            raise BadFile(message("{where}: the state comes twice", where=f"{path}:{first + 1}"))
        rows[row.state] = row
    memory.fill(rows.values())
    return memory


def read_row(states: dict[int, State], game: Game, lines: list[str], where: str) -> Row:
    """A state, its actions and their values. Raises BadFile."""
    number, actions, values = (line.split() for line in lines)
    if len(number) != 1 or not re.fullmatch(r"[0-9]{1,30}", number[0]) or int(number[0]) not in states:
        raise BadFile(
            message(
                "{where}: {number} is not the number of a state of {game}",
                where=where,
                number=" ".join(number),
                game=game.text,
            )
        )
    s = states[int(number[0])]
    legal = [move.bit_length() - 1 for move in each(game.moves(s))]
    if (
        not all(re.fullmatch(r"[0-9]{1,3}", action) for action in actions)
        or sorted(map(int, actions)) != legal
    ):
        raise BadFile(
            message(
                "{where}: the actions of {number} are {legal}",
                where=where,
                number=number[0],
                legal=" ".join(map(str, legal)),
            )
        )
    if len(values) != len(actions) or not all(
        re.fullmatch(NUMBER, value) and abs(float(value)) < 1e15 for value in values
    ):
        raise BadFile(
            message(
                "{where}: {number} has {n} actions, and needs a value for each",
                where=where,
                number=number[0],
                n=len(actions),
            )
        )
    known = dict(zip(map(int, actions), map(float, values), strict=True))
    return Row(
        s, tuple(1 << action for action in legal), tuple(known[action] for action in legal), (0,) * len(legal)
    )


def views_of(game: Game) -> dict[int, State]:
    """Every state that somebody is to move in, as its mover sees it, by its number."""
    found: dict[int, State] = {}
    seen, todo = {game.start}, [game.start]
    while todo:
        s = todo.pop()
        if not game.over(s):
            found[number_of_view(game, s)] = game.canonical(s)
            children = {game.play(s, move) for move in each(game.moves(s))} - seen
            seen |= children
            todo += children
    return found


def save_hexapion(path: Path, game: Game, memory: Memory, rows: Iterable[Row]) -> None:
    """Writes a table as the lab does; values as it prints 32-bit floats, to 9 digits."""
    lines = [f"{memory.decisions} {memory.epsilon:.9g}"]
    views = set()
    for row in rows:
        view = number_of_view(game, row.state)
        if view in views:
            raise BadFile(
                message(
                    "both players met a position that they see as {view}, and the lab's file holds it once:"
                    " train with alike=true",
                    view=view,
                )
            )
        views.add(view)
        actions = [str(move.bit_length() - 1) for move in row.moves]
        lines += [str(view), " ".join(actions), " ".join(f"{value:.9g}" for value in row.values)]
    write_text(path, "\n".join(lines) + "\n")
