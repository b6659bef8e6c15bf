"""Somebody's own code, called: for some seconds at most, what it prints apart from answers, and whatever
goes wrong in it as one line that begins with its file and line (AgentFault).
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from damier.agents.overtime import Overtime, TooLong
from damier.agents.prints import Prints
from damier.core.errors import AgentFault, DamierError
from damier.core.words import FormattedNumber, Text, bounded, message, printable, said_by

T = TypeVar("T")

LONGEST = 200
"""Characters of what a line says of an answer or an exception."""


class OwnCode:
    """The code of one file.

    prints   where what it prints goes
    seconds  that one call may take
    line     of the file: where a fault is that is in no line of it
    """

    def __init__(self, source: Path, prints: Prints, seconds: float, line: int) -> None:
        self.source, self.prints, self.seconds = source, prints, seconds
        self._line = line
        self._overtime = Overtime(seconds)

    def call(self, method: Callable[..., T], *arguments: object) -> T:
        """What a method returns. Raises AgentFault for whatever goes wrong in it."""
        out, sys.stdout = sys.stdout, self.prints
        try:
            with self._overtime:
                return method(*arguments)
        except DamierError as error:
            raise self.fault(said_by(error), error) from error
        except TooLong as error:
            raise self.fault(
                message("no answer within {n} seconds", n=FormattedNumber(self.seconds)), error
            ) from error
        except (Exception, SystemExit) as error:
            if isinstance(error, MemoryError):
                raise
            said = message("{kind}: {error}", kind=type(error).__name__, error=printable(error, LONGEST))
            raise self.fault(said, error) from error
        finally:
            sys.stdout = out

    def fault(self, why: Text, error: BaseException | None = None) -> AgentFault:
        """What went wrong, in one line that begins with the agent's file and line."""
        frames = traceback.extract_tb(error.__traceback__) if error else []
        own = [frame for frame in frames if Path(frame.filename) == self.source]
        line = own[-1].lineno if own else self._line
        place = f"{self.source.name}:{line}"
        return AgentFault(message("{place}: {why}", place=place, why=bounded(why, LONGEST)))


def line_of(call: Callable[..., object] | None) -> int:
    """Where a function or method begins in its file; 1 where nobody knows."""
    function = getattr(call, "func", call)
    return int(getattr(getattr(function, "__code__", None), "co_firstlineno", 1))


def shortened(answer: object) -> str:
    """An answer of an agent, as it would be written in Python, if it is not too long."""
    try:
        return printable(repr(answer), LONGEST)
    except Exception as error:  # even its __repr__ is somebody's own code
        return f"<{type(answer).__name__}: {type(error).__name__}>"
