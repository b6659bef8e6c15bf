"""The errors of damier.

Each message is one line for a person: what was wrong, what would be right, where.

DamierError
├── BadInput          what was asked cannot be meant                     exit 2
│   ├── UnknownName     no such game, agent, option
│   ├── IllegalMove     a move that the rules do not allow, or cannot read
│   ├── BadGame         rules that break the contract of a game, with file and line
│   ├── AgentFault      an agent of somebody's own broke off: what it did, with file and line
│   ├── WrongKey        a key that is nobody's
│   ├── BadFile         a file that is damaged, foreign or of another game
│   └── Unsuitable      an algorithm asked to handle a kind of game that it cannot
├── Changed           what was written before is not so now              exit 1
├── LimitReached      memory, time or size stopped it                    exit 3
└── Uncompilable      caught inside: the game then runs as plain Python

KeyboardInterrupt
└── Interrupted       with what was reached                              exit 130
"""

from __future__ import annotations

from damier.core.json_types import JsonObject
from damier.core.words import Text, _, message

CELL = "ipykernel_"
"""In the name that Jupyter gives to the code of a cell."""


class DamierError(Exception):
    """Anything that damier refuses or cannot finish; `exit_code` is what the command line returns.

    `str` puts what is wrong into words, in the language in force.
    """

    exit_code = 1

    def __init__(self, text: Text) -> None:
        super().__init__(text)

    def _render_traceback_(self) -> list[str]:
        """Return the lines that a notebook shows: those of its cells that led here, and the message."""
        import traceback

        lines = [
            _("line {n}: {code}", n=frame.lineno, code=frame.line)
            for frame in traceback.extract_tb(self.__traceback__)
            if CELL in frame.filename
        ]
        return [*dict.fromkeys(lines), f"{type(self).__name__}: {self}"]


class BadInput(DamierError):
    exit_code = 2


def at_most_one(**options: object) -> None:
    """Raises BadInput where more than one of these options of a command is given: is not None, nor off."""
    given = [f"--{name}" for name, value in options.items() if value is not None and value is not False]
    if len(given) > 1:
        raise BadInput(message("{options} exclude each other; give one of them", options=" ".join(given)))


class UnknownName(BadInput):
    pass


class IllegalMove(BadInput):
    pass


class BadGame(BadInput):
    pass


class AgentFault(BadInput):
    """An act of an agent other than to play a move: in a match it loses that game (`MatchSetup.strict`)."""


class BadFile(BadInput):
    pass


class WrongKey(BadInput):
    """A key that is nobody's."""


class Unsuitable(BadInput):
    pass


class Changed(DamierError):
    """Something that was written before is not so now."""


class LimitReached(DamierError):
    """A limit stopped the work; `reached` holds what was found so far, for `--json`."""

    exit_code = 3

    def __init__(self, text: Text, reached: JsonObject | None = None) -> None:
        super().__init__(text)
        self.reached = reached or {}


class Interrupted(KeyboardInterrupt):
    """A Ctrl-C that work was ended by which knows how far it came: `reached`, for `--json`."""

    def __init__(self, reached: JsonObject) -> None:
        super().__init__()
        self.reached = reached


class Uncompilable(DamierError):
    """Numba cannot compile a game's rules; the message names the construct and its place."""
