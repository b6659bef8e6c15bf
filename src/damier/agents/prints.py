"""What an agent prints: it goes to standard error, where it disturbs no answer, and is told once."""

from __future__ import annotations

import io
import sys
from pathlib import Path


class Prints(io.TextIOBase):
    """Stands in the place of standard output while an agent's code runs.

    place  file and line of what was printed first; empty where nothing was
    """

    def __init__(self, source: Path) -> None:
        self.source = source
        self.place = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        if not self.place:
            frame = sys._getframe(1)
            while frame.f_back is not None and frame.f_code.co_filename != str(self.source):
                frame = frame.f_back
            self.place = f"{self.source.name}:{frame.f_lineno}"
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()
