"""Files and folders that one process works on at a time."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from damier.core.errors import BadInput


def require_alone(descriptor: int, path: Path, taken: str) -> None:
    """Takes the file at `path`, open as `descriptor`, for this process until it is closed; the system lets
    go for who is killed.

    Raises BadInput with the sentence `taken` where another process has it, or has just removed it.
    """
    if sys.platform == "win32":
        return
    import fcntl

    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.stat(path)):
            return
    raise BadInput(taken)
