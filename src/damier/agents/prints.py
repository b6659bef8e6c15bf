"""What an agent prints: it goes to standard error, where it disturbs no answer, and is told once."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from pathlib import Path

from damier.core.words import _


class Prints(io.TextIOBase):
    """Stands in the place of standard output while somebody's own code runs.

    note   told, once, that the file prints
    place  file and line of what was printed first; empty where nothing was
    """

    def __init__(self, source: Path, note: Callable[[str], object] = lambda sentence: None) -> None:
        self.source, self.note = source, note
        self.place = ""

    def begin(self, place: str) -> None:
        """Says, the first time, that it prints, and where."""
        if not self.place:
            self.place = place
            self.note(_("{place} prints; what it prints goes to standard error", place=place))

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        if not self.place:
            frame = sys._getframe(1)
            while frame.f_back is not None and frame.f_code.co_filename != str(self.source):
                frame = frame.f_back
            self.begin(f"{self.source.name}:{frame.f_lineno}")
        with contextlib.suppress(BrokenPipeError):  # nobody reads it, which is no fault of the agent
            sys.stderr.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            sys.stderr.flush()
