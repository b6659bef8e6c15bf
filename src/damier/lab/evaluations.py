"""Evaluations by text: features with weights, or a file of one's own with a function `evaluate`.

    def evaluate(position) -> float     asked for each position, in plain Python
    def evaluate(s) -> float            a rule over states, compiled if it can be

Both say what a position is worth to player 0, as features do.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from numbers import Real
from pathlib import Path

from damier.agents.own import Prints, required_parameters
from damier.core import runtime
from damier.core.analysis import Evaluation, Feature, evaluation
from damier.core.errors import AgentFault
from damier.core.game import Game, Position
from damier.core.job import Job
from damier.core.rules import State
from damier.core.words import message, printable
from damier.lab import user_file
from damier.lab.games import is_file
from damier.lab.lab import Lab
from damier.lab.user_file import own_function

NAME = "evaluate"


def lab_evaluation(lab: Lab, text: str) -> Evaluation:
    """Return the evaluation for a lab, which may load no files."""
    return evaluation_of(lab.game, text, lab.job) if lab.loads_files else evaluation(lab.game, text)


def evaluation_of(game: Game, text: str, job: Job) -> Evaluation:
    """The evaluation that is written `2*lines+threats`, or `path/to/file.py[:name]`; that a file prints is
    noted.

    Raises BadInput, BadFile, and AgentFault for what is wrong in the file.
    """
    if not is_file(text):
        return evaluation(game, text)
    path_text, wanted, _options = user_file.parts(text)
    path, name = Path(path_text), wanted or NAME
    runtime.guard(path)
    prints = Prints(path.resolve(), job.note)
    with (
        contextlib.redirect_stdout(prints),
        user_file.beside(path),
        user_file.blaming(path, AgentFault),
    ):
        function = own_function(user_file.run(path), name)
    if function is None:
        raise AgentFault(
            message("{path} has no function {name}(position) or {name}(s)", path=path.name, name=name)
        )
    words = required_parameters(function, f"{path.name}: {name}")
    if len(words) != 1:
        raise AgentFault(
            message("{path}: {name} takes one parameter: position, or the state", path=path.name, name=name)
        )
    feature = of_positions(game, function) if words == ("position",) else function
    watched = checked(feature, prints, name)
    watched(game.start)  # tells a rule that is wrong before it is compiled
    return Evaluation((watched if words == ("position",) else function,), (1.0,))


def of_positions(game: Game, function: Callable[[Position], float]) -> Feature:
    """A function of positions as one of states."""

    def judged(s: State) -> float:
        return function(Position(game, s))

    return judged


def checked(feature: Feature, prints: Prints, name: str) -> Feature:
    """A feature that is watched: what it raises, or answers but a number, is one line of its file."""
    path = prints.source

    def watched(s: State) -> float:
        with contextlib.redirect_stdout(prints), user_file.blaming(path, AgentFault):
            value = feature(s)
        if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
            raise AgentFault(
                message(
                    "{path}: {name} returned {value}; it must return a number",
                    path=path.name,
                    name=name,
                    value=printable(repr(value), 200),
                )
            )
        return float(value)

    return watched
