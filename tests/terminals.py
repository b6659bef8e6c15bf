"""Commands at a terminal."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path


class Terminal:
    """A command of damier whose standard error, and output too unless it goes to `out`, is a terminal of 80 ×
    24.
    """

    def __init__(self, *arguments: str, term: str = "xterm-256color", out: int | None = None) -> None:
        self.master, slave = pty.openpty()
        size = {"COLUMNS": "80", "LINES": "24", "TERM": term, "PYTHONIOENCODING": "utf-8"}
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("NO_COLOR", "FORCE_COLOR", "TTY_"))
        } | size
        self.process = subprocess.Popen(
            [sys.executable, "-m", "damier.cli.main", *arguments],
            stdin=slave,
            stdout=slave if out is None else out,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self.said = ""

    def until(self, text: str, seconds: float = 300) -> None:
        """Reads until it has written `text`."""
        end = time.monotonic() + seconds
        while text not in self.said and time.monotonic() < end and self._read():
            pass
        assert text in self.said, self.said[-2000:]

    def type(self, text: str) -> None:
        """Types as a keyboard does; what was written before is read."""
        self.said = ""
        os.write(self.master, text.encode())

    def interrupt(self) -> None:
        """Presses Ctrl-C once the command waits for its terminal: readline does not hear one that comes
        between its prompt and its wait.
        """
        state = Path(f"/proc/{self.process.pid}/stat")
        while state.exists() and state.read_text().rpartition(")")[2].split()[0] in "RD":  # it is at work
            time.sleep(0.01)
        os.kill(self.process.pid, signal.SIGINT)

    def rest(self) -> int:
        """Reads all that is left; returns the exit code."""
        while self._read():
            pass
        os.close(self.master)
        return self.process.wait(300)

    def _read(self) -> bool:
        with contextlib.suppress(OSError):  # how Linux says that nobody has the other end
            if read := os.read(self.master, 1 << 16):
                self.said += read.decode("utf-8", "replace")
                return True
        return False
