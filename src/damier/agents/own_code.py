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
from damier.core.job import presses
from damier.core.patience import from_outside, words_of
from damier.core.words import FormattedNumber, Text, bounded, message, printable

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
        before = presses()
        try:
            with self._overtime:
                answer = method(*arguments)
        except BaseException as error:
            if presses() == before:
                raise self._blamed(error, before) from error
        finally:
            sys.stdout = out
        if presses() != before:  # whatever became of it in there
            raise KeyboardInterrupt
        return answer

    def _blamed(self, error: BaseException, before: int) -> BaseException:
        """What is to be raised in the place of an exception that came out of a method."""
        if isinstance(error, TooLong):
            return self.fault(message("no answer within {n} seconds", n=FormattedNumber(self.seconds)), error)
        if from_outside(error, before):
            return error
        if isinstance(error, AgentFault) and str(error).startswith(f"{self.source.name}:"):
            return error  # its place is told already
        said: Text = ""
        try:
            with self._overtime:
                said = words_of(error)
        except TooLong:
            pass
        if not isinstance(error, DamierError):
            said = message("{kind}: {error}", kind=type(error).__name__, error=bounded(said, LONGEST))
        return self.fault(said, error)

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
    before = presses()
    try:
        return printable(repr(answer), LONGEST)
    except BaseException as error:  # even its __repr__ is somebody's own code
        if from_outside(error, before):
            raise
        return f"<{type(answer).__name__}: {type(error).__name__}>"
