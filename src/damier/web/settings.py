"""What `damier serve` was asked for, as every process of the web lab knows it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """host, port  where it listens
    games       the user's own games: name on the page -> path of the file, as the command line gave it
    folder      where learners are kept; made when the first one is
    language    of readers who ask for none: their browser's, where this is empty
    memory      bytes that the work of one worker may take
    """

    host: str = "127.0.0.1"
    port: int = 8000
    games: dict[str, str] = field(default_factory=dict)
    folder: Path = Path("learners")
    language: str = ""
    memory: int = 1 << 30

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host.lower() in ("localhost", "::1") or self.host.startswith("127.")

    @property
    def resident(self) -> int:
        """Bytes that a worker may hold between two questions: the solutions it keeps, on top of itself. Beyond, another takes its place."""
        return self.memory + (1 << 29)

    @property
    def largest(self) -> int:
        """Bytes that a worker may hold while it works. Beyond, memory is refused to it."""
        return 3 * self.memory + (1 << 30)

    def edition(self, game: str = "") -> tuple[tuple[str, int, int], ...]:
        """What changes when the file of the user's own `game` is edited, or one beside it that it may import; of all own games, where none is named.

        A file that is gone, or a folder that cannot be read, is an edition of its own.
        """
        paths = [Path(path) for name, path in self.games.items() if game in ("", name)]
        folders = {path.parent for path in paths}
        return tuple(sorted(stamp for folder in folders for stamp in stamps(folder)))

    def as_text(self) -> str:
        """The same for another process."""
        return json.dumps(asdict(self) | {"folder": str(self.folder)})

    @classmethod
    def from_text(cls, text: str) -> Settings:
        found = json.loads(text)
        return cls(**(found | {"folder": Path(found["folder"])}))


def stamps(folder: Path) -> Iterator[tuple[str, int, int]]:
    """Name, time and size of every file of Python in a folder."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    found = entry.stat()
                    yield entry.path, found.st_mtime_ns, found.st_size
    except OSError:
        return
