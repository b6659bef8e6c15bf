"""Agents in processes of their own: `process:run=COMMAND`, a program in any language; and agents in
Python, played in a sandbox.
"""

from __future__ import annotations

import os
from pathlib import Path

from damier.agents.command import AgentCommand, read_command
from damier.agents.isolation import launch
from damier.agents.limits import MEBIBYTE, AgentLimits
from damier.agents.process import ProcessPlayer
from damier.core.errors import BadInput
from damier.core.game import Game, Option, written
from damier.core.interpreter import python
from damier.core.player import Player
from damier.core.words import _, language
from damier.lab.lab import Lab
from damier.lab.options import parameters

NAME = "process"
PYTHON_FILE = ".py"
USUAL = AgentLimits()


def process(
    lab: Lab,
    run: str,
    seconds: float = USUAL.seconds,
    game_seconds: float = USUAL.game_seconds,
    memory: int = USUAL.memory // MEBIBYTE,
    folder: bool = False,
    isolated: bool | None = None,
) -> Player:
    """The program that `run` starts, as in a shell.

    seconds       for a move
    game_seconds  for all its moves of a game
    memory        MiB
    folder        whether it sees the whole folder of its first file
    isolated      true: or not at all; false: with all your rights; left out: where it is possible

    Raises BadInput, Unsuitable.
    """
    if not lab.loads_files:
        raise BadInput(_("{agent} is a program: from a page none can be started", agent=NAME))
    limits = AgentLimits(seconds, game_seconds, memory=memory * MEBIBYTE)
    started, said = launch(read_command(run), limits, True if lab.isolated else isolated, folder=folder)
    if said:
        lab.job.note(said)
    given: dict[str, Option] = {
        "seconds": seconds,
        "game_seconds": game_seconds,
        "memory": memory,
        "folder": folder,
        "isolated": isolated,
    }
    usual = {name: option.default for name, option in parameters(process, ["lab"]).items()}
    named = {name: value for name, value in given.items() if usual[name] != value}
    text = written(NAME, {"run": run, **named})
    return ProcessPlayer(lab.game, started, text)


def names_program(text: str) -> bool:
    """Whether the text of an agent is the path of a program, as in `./agent`: then it is written
    short for `process:run=./agent`. A file of Python is none.
    """
    path = text.partition(":")[0]
    return os.sep in path and not path.endswith(PYTHON_FILE)


def isolated_player(
    text: str, game: Game, limits: AgentLimits = USUAL, *, seed: int = 0, folder: bool = False
) -> ProcessPlayer:
    """An agent in a Python file, `path/to/file.py[:name][:options]`, or one that damier brings, in a
    sandbox: one process for all its games.

    It sees its file alone (and that of the game, if it is one's own); with `folder`, what lies beside.
    `seed` is what it may draw from.

    Raises BadInput for a file that is not there, Unsuitable where nothing isolates.
    """
    own: dict[int, str] = {}
    words = python("-m", "damier.lab.host")
    for part, source in ((game.text, game.source), (text, _file_of(text))):
        if source is not None:
            own[len(words)] = str(source)
            part = str(source) + part.partition(PYTHON_FILE)[2]
        words.append(part)
    words += [str(seed), language()]
    started, _said = launch(AgentCommand(tuple(words), own), limits, True, folder=folder)
    return ProcessPlayer(game, started, text)


def _file_of(text: str) -> Path | None:
    """The file that the text of an agent names; None where it names none. Raises BadInput."""
    name, found, _rest = text.partition(PYTHON_FILE)
    if not found or ":" in name:
        return None
    path = Path(name + PYTHON_FILE)
    if not path.is_file():
        raise BadInput(_("there is no file {path}", path=path))
    return path.resolve()
