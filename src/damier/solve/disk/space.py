"""How much disk a job may take, counted as it writes, and how much it may come to take."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Sequence
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
        """Raises LimitReached where `size` bytes more, which so many positions that are there will take,
        are not left.
        """
        if size > self.left:
            raise LimitReached(
                message(
                    "the {positions} positions so far will take {size} more of disk, and {left} is left for"
                    " {folder} (--disk, and what is free); the working files are kept: make room, and the"
                    " same command goes on from there",
                    positions=FormattedNumber(positions, ","),
                    size=gib(size),
                    left=gib(max(0, self.left)),
                    folder=self.folder,
                ),
                {"positions": positions, "disk": self.used, "needed": size, "folder": str(self.folder)},
            )


FEWEST = 6
"""Layers from which on an estimate is made."""
MOST_KEYS = 1 << 63
"""A key is one word: no game on disk has more positions."""


def estimate(by_ply: Sequence[int], most: int | None) -> int | None:
    """The positions of all layers, if the growth over two plies goes on to fall as fast as it falls
    now; at most `most`. None where nothing can be said: growth that does not fall, or so slowly that more
    layers would follow than there are.

    Over two plies, since the players may grow differently. Of most games the growth falls ever more
    slowly until few positions are left, so that this is rather too little than too much; but it is an
    estimate, and nothing is refused by it.
    """
    known = sum(by_ply)
    if len(by_ply) < FEWEST or min(by_ply[-FEWEST:]) < 1 or known > MOST_KEYS:
        return None
    growths = [by_ply[place] / by_ply[place - 2] for place in range(-4, 0)]
    step = (growths[3] + growths[2] - growths[1] - growths[0]) / 4
    growth, before, last, total = growths[3], float(by_ply[-2]), float(by_ply[-1]), float(known)
    if growth + len(by_ply) * step > 0:
        return None
    for _ply in by_ply:
        growth = max(0.0, growth + step)
        before, last = last, before * growth
        total += last
    if total > MOST_KEYS:
        return None
    return int(total) if most is None else min(int(total), most)
