"""The folder of learners, as pages see it, and its quota: how many bytes are kept of a browser, of its
address, and in all.

Whose a learner is stands in a small file beside the learners, under digests that lead nobody back.
One that a command has put there is nobody's, and counts in all only.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from damier.core.errors import BadFile, BadInput, LimitReached
from damier.core.files import make_folder
from damier.core.json_data import format_of, read_json, write_json
from damier.core.words import _, grouped, message
from damier.web.limits import ClientId

# The folder of learners, as pages see it: a learner has a name, never a path.


NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
OWN_FORMAT = "damier-own/1"
"""`damier.lab.agent_file.FORMAT`, for the hub, which does without all that is imported there."""
MOST = 200
"""Learners that are kept: what pages can save is bounded."""


def names(folder: Path) -> list[str]:
    """The learners that there are, the one saved last first."""
    if not folder.is_dir():
        return []
    found = [
        path
        for path in folder.glob("*.json")
        if NAME.fullmatch(path.stem) and not path.is_symlink() and path.is_file()
    ]
    return [path.stem for path in sorted(found, key=saved_at, reverse=True)]


def saved_at(path: Path) -> tuple[int, str]:
    """Return when a file was written, in nanoseconds; one that has just gone counts as oldest."""
    try:
        return path.stat().st_mtime_ns, path.name
    except OSError:
        return 0, path.name


def place(folder: Path, name: str) -> Path:
    """Return where a learner of this name is kept, or would be. Raises BadInput for what is no name."""
    if not NAME.fullmatch(name):
        raise BadInput(
            message("{name} cannot be the name of a learner: letters, digits, - and _, at most 40", name=name)
        )
    path = folder / f"{name}.json"
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise BadInput(message("{name} is no learner of this lab", name=name))
    return path


def free_place(folder: Path, name: str) -> Path:
    """Return the same for a new learner.

    Raises BadInput where there is one of this name, or no folder can be, LimitReached where there are too
    many.
    """
    refuse_taken(folder, name)
    make_folder(folder)
    return place(folder, name)


def refuse_taken(folder: Path, name: str) -> None:
    """Raises BadInput where there is a learner of this name, LimitReached where there are too many."""
    if place(folder, name).exists():
        raise BadInput(
            message(
                "there is a learner called {name} already; take another name, or let that one go on",
                name=name,
            )
        )
    if len(names(folder)) >= MOST:
        raise LimitReached(
            message("there are {n} learners already; whoever serves this lab can remove some", n=MOST)
        )


def kept(folder: Path, name: str) -> Path:
    """The file of a learner that there is. Raises BadInput."""
    path = place(folder, name)
    if not path.exists():
        raise BadInput(message("there is no learner called {name}", name=name))
    return path


def is_own(path: Path) -> bool:
    """Return whether a file says that it holds what an agent of one's own has learnt."""
    try:
        return format_of(path) == OWN_FORMAT
    except BadFile:
        return False


def is_own_learner(folder: Path, name: str) -> bool:
    """Return whether the learner of this name, if there is one, is an agent of one's own."""
    return NAME.fullmatch(name) is not None and is_own(folder / f"{name}.json")


def free_name(folder: Path, wanted: str, taken: set[str]) -> str:
    """`wanted`, made a name that nothing has yet.

    >>> free_name(Path("nowhere"), "hexapawn:width=4 q", {"hexapawn-width-4-q"})
    'hexapawn-width-4-q-2'
    """
    stem = re.sub(r"[^A-Za-z0-9]+", "-", wanted).strip("-")[:32] or "learner"
    used = taken | set(names(folder))
    return next(
        name
        for number in range(1, MOST + len(taken) + 2)
        if (name := stem if number == 1 else f"{stem}-{number}") not in used
    )


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
        owners, place = self.owners(), owner.partition("/")[0]
        mine = theirs = everybodys = 0
        for other in names(self.folder):
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
            raise Full(message("the room for learners is used up: {said}", said=self.in_words(owner, name)))

    def in_words(self, owner: str, name: str = "") -> str:
        """Return what is left, in words."""
        return _(
            "{left} MiB of {share} MiB left for what you train here",
            left=grouped(self.left(owner, name) >> 20),
            share=grouped(self.share >> 20),
        )

    def note(self, name: str, owner: str, coming: Set[str] = frozenset()) -> None:
        """Remembers whose a learner is, before its file is there; forgets those that are gone, but for those
        `coming`, whose files are not there yet.
        """
        known = {*names(self.folder), *coming, name}
        owners = {other: whose for other, whose in self.owners().items() if other in known} | {name: owner}
        write_json(self.folder / OWNERS, {"format": FORMAT, "owners": owners})

    @contextlib.contextmanager
    def within(self, owner: str, name: str) -> Iterator[None]:
        """Refuse what is written meanwhile from the byte on that goes too far.

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
                "{name} takes more than the {n} MiB that are left for it; what was saved last is kept",
                name=name,
                n=grouped(left >> 20),
            )
            raise Full(sentence) from None

    def owner(self, name: str) -> str:
        """Return whose a learner is; nothing where it is nobody's."""
        return self.owners().get(name, "")

    def owners(self) -> dict[str, str]:
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


def owner_of(asker: ClientId) -> str:
    """Return who owns what a client trains, as it is written: address and browser, each as a digest."""
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
