"""Evaluations by text: features with weights, or a file of one's own with a function `evaluate`.

    def evaluate(position) -> float     asked for each position, in plain Python
    def evaluate(s) -> float            a rule over states, compiled if it can be

Both say what a position is worth to player 0, as features do.
"""

from __future__ import annotations

import contextlib
import math
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from damier.agents.methods import asked
from damier.core import bounds
from damier.core.errors import AgentFault, DamierError
from damier.core.evaluation import Evaluation, Feature, evaluation
from damier.core.game import Game
from damier.core.position import Position
from damier.core.rules import State
from damier.core.words import _, printable
from damier.lab import user_file
from damier.lab.factories import own_function
from damier.lab.games import is_file
from damier.lab.lab import Lab

NAME = "evaluate"


def lab_evaluation(lab: Lab, text: str) -> Evaluation:
    """The same for a lab, which may load no files."""
    return evaluation_of(lab.game, text) if lab.loads_files else evaluation(lab.game, text)


def evaluation_of(game: Game, text: str) -> Evaluation:
    """The evaluation that is written `2*lines+threats`, or `path/to/file.py[:name]`.

    Raises BadInput, BadFile, and AgentFault for what is wrong in the file.
    """
    if not is_file(text):
        return evaluation(game, text)
    path_text, wanted, _options = user_file.parts(text)
    path, name = Path(path_text), wanted or NAME
    bounds.guard(path)
    with (
        contextlib.redirect_stdout(sys.stderr),
        user_file.beside(path),
        user_file.blaming(path, AgentFault),
    ):
        function = own_function(user_file.run(path), name)
    if function is None:
        raise AgentFault(_("{path} has no function {name}(position) or {name}(s)", path=path.name, name=name))
    words = asked(function, f"{path.name}: {name}")
    if len(words) != 1:
        raise AgentFault(
            _("{path}: {name} takes one parameter: position, or the state", path=path.name, name=name)
        )
    feature = of_positions(game, function) if words == ("position",) else function
    judged = checked(game, feature, path, name)
    return Evaluation((judged if words == ("position",) else function,), (1.0,))


def of_positions(game: Game, function: Callable[[Position], float]) -> Feature:
    """A function of positions as one of states."""

    def judged(s: State) -> float:
        return function(Position(game, s))

    return judged


def checked(game: Game, feature: Feature, path: Path, name: str) -> Feature:
    """A feature that is watched: what it raises, or answers but a number, is one line of its file.

    It is tried at the start, whose answer tells a rule that is wrong before it is compiled.
    """

    def watched(s: State) -> float:
        try:
            value = feature(s)
        except DamierError:
            raise
        except Exception as error:
            raise AgentFault(
                f"{place(error, path)}: {type(error).__name__}: {printable(error, 200)}"
            ) from error
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise AgentFault(
                _(
                    "{path}: {name} returned {value}; it must return a number",
                    path=path.name,
                    name=name,
                    value=printable(repr(value), 200),
                )
            )
        return float(value)

    watched(game.start)
    return watched


def place(error: BaseException, path: Path) -> str:
    """File and line in which an exception came up."""
    own = [
        frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == path.resolve()
    ]
    return f"{path.name}:{own[-1].lineno if own else 1}"
