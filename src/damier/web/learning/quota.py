"""How many bytes of learners are kept: of a browser, of its address, and in all.

Whose a learner is stands in a small file beside the learners, under digests that lead nobody back.
One that a command has put there is nobody's, and counts in all only.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from damier.core.errors import BadFile, LimitReached
from damier.core.json_data import read_json, write_json
from damier.core.words import _, grouped, message
from damier.web.gate import Asker
from damier.web.learning import learners

OWNERS, FORMAT = ".owners.json", "damier-owners/1"
LEAST = 1 << 16
"""Bytes without which no training begins."""
BROWSERS, PLACES = 4, 2
"""Into how many shares all is divided for browsers, and for addresses."""


class Full(LimitReached):
    """There is no room left for a learner."""


@dataclass(frozen=True)
class Quota:
    """The folder of learners, which may come to hold `disk` bytes."""

    folder: Path
    disk: int

    @property
    def share(self) -> int:
        """Bytes of one browser."""
        return self.disk // BROWSERS

    def left(self, owner: str, name: str = "") -> int:
        """Bytes that an owner may still fill; a learner called `name` would be replaced, and does
        not count. At least 0.
        """
        owners, place = self._owners(), owner.partition("/")[0]
        mine = theirs = everybodys = 0
        for other in learners.names(self.folder):
            if other != name:
                size = size_of(self.folder / f"{other}.json")
                whose = owners.get(other, "")
                everybodys += size
                mine += size * (whose == owner)
                theirs += size * (whose.partition("/")[0] == place)
        return max(0, min(self.share - mine, self.disk // PLACES - theirs, self.disk - everybodys))

    def require(self, owner: str, name: str) -> None:
        """Raises Full where nothing can be begun any more."""
        if self.left(owner, name) < LEAST:
            raise Full(message("the room for learners is used up: {said}", said=self.told(owner, name)))

    def told(self, owner: str, name: str = "") -> str:
        """What is left, in words."""
        return _(
            "{left} MB of {share} MB left for what you train here",
            left=grouped(self.left(owner, name) >> 20),
            share=grouped(self.share >> 20),
        )

    def note(self, name: str, owner: str) -> None:
        """Remembers whose a learner is, before its file is there; forgets those that are gone."""
        known = {*learners.names(self.folder), name}
        owners = {other: whose for other, whose in self._owners().items() if other in known} | {name: owner}
        self.folder.mkdir(parents=True, exist_ok=True)
        write_json(self.folder / OWNERS, {"format": FORMAT, "owners": owners})

    @contextlib.contextmanager
    def within(self, owner: str, name: str) -> Iterator[None]:
        """What is written meanwhile is refused from the byte on that goes too far.

        Raises Full; the file that was there before stays.
        """
        left = self.left(owner, name)
        try:
            with files_up_to(left):
                yield
        except LimitReached as error:
            if not isinstance(error.__cause__, OSError) or error.__cause__.errno != errno.EFBIG:
                raise
            sentence = _(
                "{name} takes more than the {n} MB that are left for it; what was saved last is kept",
                name=name,
                n=grouped(left >> 20),
            )
            raise Full(sentence) from None

    def owner(self, name: str) -> str:
        """Whose a learner is; nothing where it is nobody's."""
        return self._owners().get(name, "")

    def _owners(self) -> dict[str, str]:
        """The owner of every learner that has one; of none, where the file is damaged."""
        path = self.folder / OWNERS
        if not path.is_file():
            return {}
        try:
            found = read_json(path, FORMAT).get("owners")
        except BadFile:
            return {}
        return (
            {name: whose for name, whose in found.items() if isinstance(whose, str)}
            if isinstance(found, dict)
            else {}
        )


def owner_of(asker: Asker) -> str:
    """Who owns what an asker trains, as it is written: the address and the browser, each as a
    digest.
    """
    return "/".join(
        hashlib.sha256(json.dumps(asker[: number + 1]).encode()).hexdigest()[:12] for number in range(2)
    )


def size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


@contextlib.contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """No file of this process grows beyond `size` bytes meanwhile, where the system can see to
    that.
    """
    try:
        import resource
    except ImportError:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    hard = before[1]
    resource.setrlimit(
        resource.RLIMIT_FSIZE, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard)
    )
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
