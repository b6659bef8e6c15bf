"""What a file of the user's own holds: games, agents, or both; found as those are who load them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from damier.core import bounds
from damier.core.errors import BadInput
from damier.core.words import message
from damier.lab import user_file
from damier.lab.agent_file import agents_in
from damier.lab.factories import factories_in, games_in, own_function


class Contents(NamedTuple):
    """The names of its games and of its agents."""

    games: tuple[str, ...]
    agents: tuple[str, ...]


def contents(path: Path) -> Contents:
    """What the file at `path` holds; it runs once, and what it prints goes to standard error.

    Raises BadFile, BadInput for a file that holds neither, BadGame for what is wrong in it.
    """
    bounds.guard(path)
    with contextlib.redirect_stdout(sys.stderr), user_file.beside(path), user_file.blaming(path):
        module = user_file.run(path)
        found = Contents(tuple(sure_games_in(module, path.stem)), tuple(agents_in(module)))
    if not any(found):
        raise BadInput(
            message(
                "{path} holds neither a game nor an agent: write a function `def {stem}() -> Game`, or a"
                " function play(position)",
                path=path.name,
                stem=path.stem,
            )
        )
    return found


def sure_games_in(module: ModuleType, stem: str) -> Iterable[str]:
    """The names of the games in the module of the file `stem`.py. Beside an agent, a function must say
    that it returns a Game: else it may be of any use to the agent, as is a Game that stands there
    under a name of its own.
    """
    found = games_in(module, stem)
    if not agents_in(module):
        return found
    declared = factories_in(module)
    return [name for name in found if name in declared or (name == stem and not own_function(module, name))]
