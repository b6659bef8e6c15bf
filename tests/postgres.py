"""A server of PostgreSQL for tests: in a folder of its own, on a Unix socket, for nobody else."""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

VERSIONS = Path("/usr/lib/postgresql")  # where Debian puts the programs of each version
WAIT = 120
"""Seconds in which the server starts, also on a machine that does much else."""


@dataclass
class Server:
    """A server that runs; `folder` has its socket."""

    folder: Path
    account: pwd.struct_passwd
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    @property
    def user(self) -> str:
        return self.account.pw_name

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off"
        self._control("-l", str(self.folder / "log"), "-o", options, "-w", "-t", str(WAIT), "start")

    def stop(self) -> None:
        self._control("-m", "immediate", "-w", "stop")

    def _control(self, *words: str) -> None:
        run_as(self.account, [program("pg_ctl"), "-D", str(self.folder / "data"), *words])

    def new_database(self) -> str:
        """The URL of a database that is empty."""
        name = f"class{next(self._numbers)}"
        subprocess.run(
            [program("createdb"), "-h", self.folder, "-U", self.user, name], check=True, timeout=WAIT
        )
        return f"postgresql://{self.user}@/{name}?host={self.folder}"


def program(name: str) -> str:
    """A program of PostgreSQL; the test is skipped where it is not installed."""
    folders = [str(path / "bin") for path in sorted(VERSIONS.glob("*"), reverse=True)]
    found = shutil.which(name, path=os.pathsep.join([*folders, os.environ.get("PATH", "")]))
    if found is None:
        pytest.skip(f"{name} is not installed: scripts/debian installs PostgreSQL")
    return found


@contextlib.contextmanager
def running_server() -> Iterator[Server]:
    """A server, ended when the block ends. It refuses to run as root: then it is nobody's."""
    user = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    initdb, _control = program("initdb"), program("pg_ctl")
    # a socket's path has 107 bytes at most: pytest's folders may be longer
    with tempfile.TemporaryDirectory(prefix="damier-pg-", dir="/tmp") as name:
        folder = Path(name)
        os.chown(folder, user.pw_uid, user.pw_gid)
        data = str(folder / "data")
        run_as(user, [initdb, "-D", data, "-U", user.pw_name, "-A", "trust", "-E", "UTF8", "--no-sync"])
        server = Server(folder, user)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def run_as(user: pwd.struct_passwd, command: Sequence[str]) -> None:
    who = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": ()} if os.geteuid() == 0 else {}
    done = subprocess.run(
        command,
        stdout=subprocess.DEVNULL,  # no pipe: the server keeps what it inherits
        stderr=subprocess.DEVNULL,
        timeout=WAIT,
        cwd="/",
        **who,  # type: ignore[call-overload]
    )
    assert done.returncode == 0, command
