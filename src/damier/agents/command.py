"""The command that starts an agent, and which of its words are files of the agent's own."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from damier.core.errors import BadInput
from damier.core.interpreter import python
from damier.core.words import message

PYTHON = ("python", "python3")
"""As the first word: the Python in which damier runs."""
GAMES = os.pathsep.join(("/usr/local/games", "/usr/games"))
"""Where Debian puts programs that play, and root does not look."""


@dataclass(frozen=True)
class AgentCommand:
    """Words of which the first is the path of a program; `own` the files that a sandbox must be given,
    each by the place of the word that begins with its path; `beside` those of a whole folder, by their
    places below the folder of the agent in the sandbox.
    """

    words: tuple[str, ...]
    own: dict[int, str]
    beside: Mapping[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path | None:
        """Where the first file of its own lies."""
        return next((Path(path).parent for path in self.own.values()), None)


def read_command(run: str) -> AgentCommand:
    """The command that is written as in a shell: `./agent`, `node agent.js`, `python agent.py 3`.

    Raises BadInput.
    """
    try:
        first, *rest = shlex.split(run)
    except ValueError as error:
        raise BadInput(
            message("run={run} is no command: {error}", run=run, error=error or message("empty"))
        ) from None
    words = (_program(first), *(os.path.abspath(word) if os.path.isfile(word) else word for word in rest))
    own = {place: word for place, word in enumerate(words) if os.path.isfile(word) and not _of_system(word)}
    return AgentCommand(words, own)


def _program(word: str) -> str:
    """The path of a program. Raises BadInput where there is none."""
    if word in PYTHON:
        return python()[0]
    if os.sep not in word:
        found = shutil.which(word) or shutil.which(word, path=GAMES)
        if found is None:
            raise BadInput(message("there is no program {word}; a path has a / in it: ./{word}", word=word))
        return os.path.abspath(found)
    if not os.path.isfile(word):
        raise BadInput(message("there is no program {word}", word=word))
    if not os.access(word, os.X_OK):
        raise BadInput(message("{word} cannot be run as a program; chmod +x {word} lets it", word=word))
    return os.path.abspath(word)


def system_folders() -> tuple[str, ...]:
    """What every agent may read: programs and libraries of the system, and the Python of damier."""
    return tuple(dict.fromkeys(("/usr", os.path.realpath(sys.base_prefix), os.path.abspath(sys.prefix))))


def _of_system(path: str) -> bool:
    """Whether every agent may read a file."""
    places = (*system_folders(), "/bin", "/sbin", "/lib", "/lib64")
    return any(os.path.abspath(path).startswith(place + os.sep) for place in places)
