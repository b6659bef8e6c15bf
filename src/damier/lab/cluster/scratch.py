"""The folder of a cluster of this machine, for its sockets and logs.

It goes with the cluster. Where the process was killed (`kill -9`) it stays, and the next cluster removes it:
a folder has a file that its process alone holds locked, and the system lets go for who is gone.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from damier.core.errors import BadInput
from damier.core.locks import require_alone

PREFIX: Final = "damier-ray-"
BEGUN: Final = "damier-new-"
"""Of a folder that nobody has locked yet, which nobody else must take for one that was left."""
LOCK: Final = "lock"


@contextlib.contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """A new folder in `parent`, there as long as the block lasts; those that were left there are removed."""
    remove_left(parent)
    begun = Path(tempfile.mkdtemp(prefix=BEGUN, dir=parent))
    descriptor = os.open(begun / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        require_alone(descriptor, begun / LOCK, "")
        folder = begun.rename(parent / f"{PREFIX}{begun.name.removeprefix(BEGUN)}")
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(descriptor)


def remove_left(parent: Path) -> None:
    """Removes the folders that processes of this user left when they were killed."""
    if sys.platform == "win32":  # nobody tells there who is gone
        return
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError, BadInput):
            if folder.lstat().st_uid == os.geteuid() and not folder.is_symlink():
                _remove(folder)


def _remove(folder: Path) -> None:
    """Removes a folder unless its process is still there. Raises OSError, BadInput."""
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        require_alone(descriptor, folder / LOCK, "")
        shutil.rmtree(folder)
    finally:
        os.close(descriptor)
