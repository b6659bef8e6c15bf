"""How much disk a job may take, counted as it writes."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

from damier.core.errors import LimitReached
from damier.core.job import gib
from damier.core.words import FormattedNumber, message


class DiskSpace:
    """What working files take, in bytes, and what they may take; for several threads."""

    def __init__(self, folder: Path, limit: int | None) -> None:
        self.folder, self.limit = folder, limit
        self.used = self.most = 0
        self._changing = threading.Lock()

    def take(self, size: int) -> None:
        """Counts bytes that are about to be written. Raises LimitReached beyond the limit."""
        with self._changing:
            if self.limit is not None and self.used + size > self.limit:
                raise LimitReached(
                    message(
                        "stopped at the disk budget of {budget} (--disk); the working files in {folder} are"
                        " kept, and the same command with a larger one goes on from there",
                        budget=gib(self.limit),
                        folder=self.folder,
                    ),
                    {"disk": self.used, "folder": str(self.folder)},
                )
            self.used += size
            self.most = max(self.most, self.used)

    def give(self, size: int) -> None:
        """Counts bytes that are gone."""
        with self._changing:
            self.used -= size

    @property
    def left(self) -> int:
        """Bytes that may still be written: the least of what the limit and the disk leave."""
        free = shutil.disk_usage(self.folder).free
        return free if self.limit is None else min(free, self.limit - self.used)

    def require(self, size: int, positions: int) -> None:
        """Raises LimitReached where `size` bytes more, which so many positions will take, are not left."""
        if size > self.left:
            raise LimitReached(
                message(
                    "there will be {positions} positions or more, which take {size} more of disk, and {left}"
                    " is left for {folder} (--disk, and what is free); the working files are kept: make"
                    " room, and the same command goes on from there",
                    positions=FormattedNumber(positions, ","),
                    size=gib(size),
                    left=gib(max(0, self.left)),
                    folder=self.folder,
                ),
                {"positions": positions, "disk": self.used, "needed": size, "folder": str(self.folder)},
            )
