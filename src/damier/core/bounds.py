"""What a process may take: memory beyond a bound is refused to it (a MemoryError), where the system
can (Linux).

Mapped files do not count, such as solutions are read from.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path


def limit_memory(size: int | None) -> None:
    """From here on memory beyond `size` bytes is refused to this process; None: no more than the
    system allows.
    """
    if sys.platform != "linux":
        return
    import resource

    most = resource.getrlimit(resource.RLIMIT_DATA)[1]
    with contextlib.suppress(ValueError, OSError):  # a lower limit than ours stands already
        resource.setrlimit(resource.RLIMIT_DATA, (most if size is None else size, most))


def unguarded(path: Path) -> None:
    return None


guard: Callable[[Path], None] = unguarded
"""Called before a user's file runs for the first time.

A command puts its own here; who imports damier keeps their process as it is.
"""
