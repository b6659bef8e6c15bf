"""`tictactoe --report rapport.txt`: what document S4 wants in a report, the results of its commands
(section 3.5, row A-81); those that need no person.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from pathlib import Path

from damier.core.files import require_place, write_text
from damier.core.words import _

COMMANDS = (
    "-t 1000 random ai",
    "-t 1000 random rl -p 100000",
    "-t 1000 random rl -p 100000 ai",
)


def write_report(path: Path, seed: int, run: Callable[[list[str]], None]) -> None:
    """Runs the commands, all with one seed, and writes what they say. Raises BadInput, LimitReached."""
    require_place(path)
    parts = [_("The commands of the project and their results (seed {seed})", seed=seed)]
    for words in COMMANDS:
        with contextlib.redirect_stdout(io.StringIO()) as said:
            run([*words.split(), "--seed", str(seed)])
        lines = [line.rstrip() for line in said.getvalue().strip().splitlines()]
        parts.append("\n".join([f"$ ./tictactoe {words}", "", *lines]))
    write_text(path, "\n\n".join(parts) + "\n")
