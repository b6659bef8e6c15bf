"""Settings of `damier serve`, as every process of the web lab knows them."""

from __future__ import annotations

import hmac
import ipaddress
import json
import os
import socket
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit, urlunsplit

TOKEN_VARIABLE = "DAMIER_TOKEN"
"""The environment variable with the token of visitors, for who serves and for the processes of the
lab.
"""
STORE_VARIABLE = "DAMIER_STORE"
"""The same for the place of the store of tournaments, which may be an address with a password."""


class OpenedClass(NamedTuple):
    """Class that is open.

    Attributes:
        place: of its store
        code: what its students show
        teacher_key: new at each start
        game: what is played, as a page names it
    """

    place: str
    code: str
    teacher_key: str
    game: str


@dataclass(frozen=True)
class Settings:
    """Settings of a lab.

    Attributes:
        host, port: where it listens
        games: the user's own games: name on the page -> path of the file, as the command line gave it
        agents: the user's own agents: name on the page, `file` or `file:Class` -> path of the file
        folder: where learners are kept; made when the first one is
        language: of readers who ask for none: their browser's, where this is empty
        memory: bytes that the work of one worker may take
        token: what visitors must show; nothing: nobody must. key: the owner's, see `gate.Admission`
        disk: bytes that all learners together may take, in `folder`
        store: where the tournaments lie that the class room shows; nothing: there is no such room
        class_folder: the folder of the class that may hand in; nothing: nobody may
        class_code: what its students show
    """

    host: str = "127.0.0.1"
    port: int = 8000
    games: dict[str, str] = field(default_factory=dict)
    folder: Path = Path("learners")
    language: str = ""
    memory: int = 1 << 30
    token: str = field(default="", repr=False)
    key: str = field(default="", repr=False)
    disk: int = 2 << 30
    agents: dict[str, str] = field(default_factory=dict)
    store: str = field(default="", repr=False)
    class_folder: str = ""
    class_code: str = field(default="", repr=False)

    @property
    def is_local(self) -> bool:
        """Return whether only this machine can reach it."""
        return is_loopback(self.host)

    @property
    def code_lets_in(self) -> bool:
        """Return whether the code of the class is what visitors of the lab show."""
        return bool(self.class_code) and self.token == self.class_code

    @property
    def reachable(self) -> str:
        """The host by whose name, or address, this lab is found."""
        return self.host if self.is_local else public_address(self.host)

    def for_others(self, link: str) -> str:
        """A link into this lab as others can follow it: with the token that they need, and under a
        name that they know where who looks on calls it by one that only this machine knows. Raises
        ValueError for what is no address.
        """
        parts = urlsplit(link)
        if self.token:
            parts = parts._replace(query=f"{parts.query}&token={quote(self.token)}".lstrip("&"))
        if self.is_local or not is_loopback(parts.hostname or ""):
            return urlunsplit(parts)
        return urlunsplit(parts._replace(netloc=f"{bracketed(self.reachable)}:{self.port}"))

    @property
    def resident(self) -> int:
        """Bytes that a worker may hold between two questions: the solutions it keeps, on top of
        itself. Beyond, another takes its place.
        """
        return self.memory + (1 << 29)

    @property
    def largest(self) -> int:
        """Bytes that a worker may hold while it works. Beyond, memory is refused to it."""
        return 3 * self.memory + (1 << 30)

    @property
    def most_of_hub(self) -> int:
        """Bytes that the hub may hold. Beyond, it begins nothing new."""
        return self.memory + (1 << 28)

    def own_and_options(self, text: str) -> tuple[str, str]:
        """The user's own agent and its options, of a text as commands write it, `mine.py:A:depth=3`, or as
        addresses of pages do, `mine:A:depth=3`; nothing of either where it is none.

        >>> served = Settings(agents={"mine:A": "mine.py", "mine:B": "mine.py"})
        >>> served.own_and_options("mine:A:depth=3"), served.own_and_options("mine.py:A:depth=3")
        (('mine:A', 'depth=3'), ('mine:A', 'depth=3'))
        """
        head, colon, rest = text.partition(":")
        from damier.agents.languages import is_source

        written = (os.path.splitext(head)[0] if is_source(head) else head) + colon + rest
        found = (name for name in self.agents if f"{written}:".startswith(f"{name}:"))
        own = max(found, key=len, default="")
        return own, written[len(own) :].lstrip(":") if own else ""

    def edition(self, named: str = "") -> tuple[tuple[str, int, int], ...]:
        """Return what changes when the file of the user's own game or agent is edited, or one beside
        it that it may import; of all of them, where none is named.

        A file that is gone, or a folder that cannot be read, is an edition of its own.
        """
        own = (*self.games.items(), *self.agents.items())
        paths = [Path(path) for name, path in own if named in ("", name)]
        folders = {path.parent for path in paths}
        return tuple(sorted(stamp for folder in folders for stamp in stamps(folder)))

    def as_text(self) -> str:
        """Return the same for another process, but for the secrets: every user of a machine can read
        with what words a process was started.
        """
        return json.dumps(
            asdict(replace(self, token="", key="", store="", class_code="")) | {"folder": str(self.folder)}
        )

    @classmethod
    def from_text(cls, text: str) -> Settings:
        """The settings of another process; it has its token, which the links that it makes carry,
        from its environment.
        """
        found = json.loads(text)
        secrets = {
            "token": os.environ.get(TOKEN_VARIABLE, ""),
            "store": os.environ.get(STORE_VARIABLE, ""),
        }
        return cls(**(found | secrets | {"folder": Path(found["folder"])}))


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine, for this machine only."""
    return host.lower() in ("localhost", "::1") or host.startswith("127.")


def bracketed(host: str) -> str:
    """A host as addresses of pages write it."""
    return f"[{host}]" if ":" in host else host


def public_address(host: str) -> str:
    """The address at which others find this machine, where it listens at `host`."""
    try:
        if not ipaddress.ip_address(host).is_unspecified:
            return host
    except ValueError:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # nothing is sent: it only tells which of our addresses would be used
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def stamps(folder: Path) -> Iterator[tuple[str, int, int]]:
    """Name, time and size of every source in a folder."""
    from damier.agents.languages import is_source

    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if is_source(entry.name) or entry.name.endswith(".h"):
                    found = entry.stat()
                    yield entry.path, found.st_mtime_ns, found.st_size
    except OSError:
        return


# Keys and codes as people type them.

LONGEST_KEY = 100


def plain_key(key: str) -> str:
    """A key as it is compared: however it was typed.

    >>> plain_key(" ABCD efgh-2345 ")
    'abcdefgh2345'
    """
    return "".join(c for c in key[:LONGEST_KEY].lower() if c.isalnum())


def same_key(one: str, other: str) -> bool:
    """Return whether two keys are the same; how alike they are does not show in the time."""
    return hmac.compare_digest(plain_key(one).encode(), plain_key(other).encode())
