"""How the program of an agent is shut in: by bubblewrap (bwrap), in name spaces of its own.

What it sees: /usr, the Python of damier with damier itself, and its own files, as copies in /agent;
nothing else of the disk. All of it is read-only but /tmp, in memory, small and of few files. It has no
network, sees no other process, and when the first process of its name space ends, the kernel ends all
others. Its limits are set before that first process.

Started by root, it runs under a number of its own that no user has, so that limits hold for it
which root would be free of; started by a user, in a user name space, as nobody.

It stays in the session of who starts it, and cannot begin another: Linux may weigh sessions before
processes (`core/priority.py`), so a session of its own would weigh as much as all of damier.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import damier
from damier.agents.command import AgentCommand, system_folders
from damier.agents.limits import AgentLimits
from damier.agents.seccomp import known_machine, seccomp_filter
from damier.core.errors import BadInput, Unsuitable
from damier.core.interpreter import python
from damier.core.words import _, message

HOME = "/agent"
"""Where the files of an agent are, in its sandbox."""
SCRATCH = "/tmp"
OUTSIDE = "/sys"
"""Where its scratch folder lies before bwrap moves it: bwrap makes none with a number of files. Nothing
else is shown of this folder, and only bwrap sees what lies there.
"""
BYTES_A_FILE = 1 << 12
"""A scratch folder has room for so many files, links and folders: about 1 KB of the kernel each."""
BEFORE = '"$1" -n -t tmpfs -o "$2" scratch "$3" && shift 3 && exec "$@"'
"""What a shell does before the rest: it would tell where it ran (PWD), which `env -i` forgets."""
NOBODY = 65_534
UNUSED = 0x70000000
"""From here on, 2 ** 24 numbers are taken of which no machine makes users."""
LARGEST_FILE = 1 << 28
FILES_OPEN = 64
SIGNALS = 128
"""Signals that wait, and timers, which are counted as such."""
STACK = 8 << 20
BWRAP_PROCESSES = 2
"""bwrap, and the first process of its name space."""
NEEDED = {"bwrap": "bubblewrap", "mount": "mount"} | dict.fromkeys(
    ("prlimit", "setpriv", "unshare"), "util-linux"
)
"""The programs that it takes, with the packages that bring them."""
ROOT_KEEPS = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
"""What it takes to become somebody else; setpriv gives them up in doing so."""
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
    "PYTHONPATH": str(Path(damier.__file__).parent.parent),
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""Of every agent: threads are counted as processes."""


class ShownFiles(NamedTuple):
    """The files of an agent's own as its sandbox shows them.

    places    where each is, by the place of its word in the command
    contents  what is copied to which place
    folder    what is shown instead, as a whole, in HOME
    """

    places: dict[int, str]
    contents: dict[str, bytes]
    folder: Path | None


@dataclass(frozen=True)
class Launch:
    """How an agent is started, again and again, within `limits`: in a sandbox that shows it some
    files, or without one where this is None.
    """

    command: AgentCommand
    limits: AgentLimits
    shown: ShownFiles | None

    @property
    def isolated(self) -> bool:
        return self.shown is not None

    def start(self, asked: int, answers: int, errors: int) -> subprocess.Popen[bytes]:
        """Starts it with these files as its standard streams: it ends with the thread that calls.

        Raises OSError.
        """
        with ExitStack() as stack:
            words, handed = self._sandboxed(self.shown, stack) if self.shown else (self._bounded(), ())
            return subprocess.Popen(
                words,
                stdin=asked,
                stdout=answers,
                stderr=errors,
                env={} if self.isolated else _own_environment(),
                pass_fds=handed,
                # a Ctrl-C at the terminal is for damier
                start_new_session=not self.isolated,
                process_group=0 if self.isolated else None,
            )

    def _sandboxed(self, shown: ShownFiles, stack: ExitStack) -> tuple[list[str], tuple[int, ...]]:
        """The whole command, and the files that it is handed open."""
        handed = []

        def hand(content: bytes) -> str:
            handed.append(stack.enter_context(_in_memory(content)))
            return str(handed[-1])

        binds = ["--ro-bind", str(shown.folder), HOME] if shown.folder else []
        for inside, content in shown.contents.items():
            binds += [*_parents(inside), "--perms", "0555", "--ro-bind-data", hand(content), inside]
        words = list(self.command.words)
        for place, path in self.command.own.items():
            words[place] = shown.places[place] + words[place].removeprefix(path)
        sandbox = _sandbox(self.limits, binds, hand(seccomp_filter()), list(shown.contents.values()))
        return [*sandbox, *words], tuple(handed)

    def _bounded(self) -> list[str]:
        """The command without a sandbox: with what limits there are."""
        if _unbounded():
            return list(self.command.words)
        setpriv = ["setpriv", "--pdeathsig", "KILL", "--"]
        return [*_limited(self.limits, _files(self.limits)), *setpriv, *self.command.words]


def launch(
    command: AgentCommand, limits: AgentLimits, isolated: bool | None, *, folder: bool = False
) -> tuple[Launch, str]:
    """How an agent is started, and what a person should know about it (nothing, mostly).

    isolated  None: where it is possible. True: Raises Unsuitable where it is not.
    folder    whether it sees all that lies beside its first file, and not its files alone

    Raises BadInput for files that cannot be read.
    """
    refusal = "" if isolated is False else no_isolation()
    if isolated and refusal:
        raise Unsuitable(message("agents cannot be isolated here: {why}", why=refusal))
    if isolated is False:
        return Launch(command, limits, None), ""
    if not refusal:
        return Launch(command, limits, _shown(command, folder=folder)), ""
    said = _(
        "{run} runs with all your rights, its time, memory and output limited only: {why}",
        run=command.words[0],
        why=refusal,
    )
    return Launch(command, limits, None), said


def _shown(command: AgentCommand, *, folder: bool) -> ShownFiles:
    """The agent's own files as they are now. Raises BadInput."""
    own = {place: Path(path) for place, path in command.own.items()}
    if folder:
        if any(path.parent != command.folder for path in own.values()):
            raise BadInput(message("folder=true: all files of the agent must lie in one folder"))
        return ShownFiles({n: f"{HOME}/{path.name}" for n, path in own.items()}, {}, command.folder)
    beside = {path: f"{HOME}/{place}" for place, path in command.beside.items()}
    names = [path.name for path in own.values()]
    places = {
        n: beside.get(
            str(path), f"{HOME}/{path.name}" if names.count(path.name) == 1 else f"{HOME}/{n}/{path.name}"
        )
        for n, path in own.items()
    }
    inside = {places[n]: path for n, path in own.items()} | {beside[path]: Path(path) for path in beside}
    contents = {place: _content(path) for place, path in inside.items()}
    if sum(map(len, contents.values())) > LARGEST_FILE:
        raise BadInput(message("{path} is larger than the program of an agent may be", path=command.folder))
    return ShownFiles(places, contents, None)


@cache
def no_isolation() -> str:
    """Why agents cannot be isolated on this machine: nothing where they can, which was tried."""
    if sys.platform != "linux" or not known_machine():
        return _("this takes Linux on x86-64 or aarch64")
    for tool, package in NEEDED.items():
        if shutil.which(tool) is None:
            return _("there is no {tool} (package {package})", tool=tool, package=package)
    with _in_memory(seccomp_filter()) as handed:
        tried = subprocess.run(
            [*_sandbox(AgentLimits(), [], str(handed), []), "true"],
            env={},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            pass_fds=(handed,),
        )
    lines = tried.stderr.decode(errors="replace").strip().splitlines()
    return "" if tried.returncode == 0 else (lines or [_("bwrap does not say why")])[-1]


def _sandbox(limits: AgentLimits, shown: Iterable[str], calls: str, contents: Sequence[bytes]) -> list[str]:
    """The command up to the first word of the agent's own; `shown` brings its files, `contents` are
    those that bwrap writes, `calls` is a filter of calls.

    A user's sandbox is in a second user name space, in which only its own processes are counted:
    where they were limited among all those of the user, there might be none left.
    """
    own = 0 if os.getuid() == 0 else BWRAP_PROCESSES
    further = [f"--nproc={limits.processes + own}", f"--sigpending={SIGNALS}", "--nice=0", "--rtprio=0"]
    # the files that bwrap opens and writes are limited too
    further.append(f"--nofile={FILES_OPEN + len(contents) + 1}")
    further.append(f"--fsize={max([limits.scratch, *map(len, contents)])}")
    inside = [_tool("prlimit"), *_files(limits), "--"]
    return [*_with_scratch(limits), *_limited(limits, further), *_bwrap(shown, calls), *inside]


def _with_scratch(limits: AgentLimits) -> list[str]:
    """Begins a command that sees a new scratch folder in OUTSIDE, alone."""
    words = [_tool("unshare"), "--mount"]
    if os.getuid() != 0:
        words += ["--user", "--map-root-user"]
    room = f"size={limits.scratch},nr_inodes={limits.scratch // BYTES_A_FILE},mode=1777"
    return [*words, "--", "/bin/sh", "-c", BEFORE, "sh", _tool("mount"), room, OUTSIDE, _tool("env"), "-i"]


def _bwrap(shown: Iterable[str], calls: str) -> list[str]:
    """bwrap and its options; `shown` brings the agent's own files, `calls` is a filter of calls."""
    words = [_tool("bwrap"), "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--die-with-parent", "--hostname", "agent"]
    words += ["--cap-drop", "ALL", "--seccomp", calls]
    if os.getuid() == 0:
        words += [word for capability in ROOT_KEEPS for word in ("--cap-add", capability)]
    else:
        words += ["--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY)]
    for top in ("bin", "sbin", "lib", "lib32", "lib64"):
        if os.path.islink(f"/{top}"):
            words += ["--symlink", os.readlink(f"/{top}"), f"/{top}"]
        else:
            words += ["--ro-bind-try", f"/{top}", f"/{top}"]
    # before what is shown, which may lie there
    words += ["--bind", OUTSIDE, SCRATCH]
    for folder in (*system_folders(), str(Path(damier.__file__).parent)):
        words += [*_parents(folder), "--ro-bind", folder, folder]
    for file in ("/etc/ld.so.cache", "/etc/alternatives"):
        words += [*_parents(file), "--ro-bind-try", file, file]
    # read-only: there a process may write the memory of another, and what its session weighs
    words += ["--proc", "/proc", "--remount-ro", "/proc", *_devices()]
    words += [*_parents(f"{HOME}/0"), *shown, "--remount-ro", "/"]
    path = os.pathsep.join([os.path.dirname(python()[0]), "/usr/local/bin", "/usr/bin", "/bin"])
    for name, value in {**ENVIRONMENT, "PATH": path, "HOME": SCRATCH}.items():
        words += ["--setenv", name, value]
    words += ["--chdir", SCRATCH, "--"]
    if os.getuid() == 0:
        number = str(UNUSED + secrets.randbelow(1 << 24))
        words += [_tool("setpriv"), "--reuid", number, "--regid", number, "--clear-groups"]
        words += ["--inh-caps=-all", "--bounding-set=-all"]
    return words


def _parents(path: str) -> list[str]:
    """Makes the folders above a path, open to all: those that bwrap makes itself are root's alone."""
    above = [str(folder) for folder in reversed(Path(path).parents)][1:]
    return [word for folder in above for word in ("--perms", "0755", "--dir", folder)]


def _devices() -> list[str]:
    """A folder /dev without terminals, and without /dev/zero, which is memory when it is shared."""
    words = ["--tmpfs", "/dev"]
    for name in ("null", "random", "urandom"):
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name, file in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        words += ["--symlink", f"/proc/self/{file}", f"/dev/{name}"]
    return [*words, "--remount-ro", "/dev"]


def _limited(limits: AgentLimits, further: Sequence[str]) -> list[str]:
    """prlimit and its options, some of them `further` ones."""
    words = [_tool("prlimit"), f"--data={limits.memory}", f"--stack={STACK}", "--core=0", "--msgqueue=0"]
    return [*words, *further, "--"]


def _files(limits: AgentLimits) -> list[str]:
    """Options of prlimit: how many files, and how large."""
    return [f"--nofile={FILES_OPEN}", f"--fsize={limits.scratch}"]


def _unbounded() -> bool:
    """Whether this machine lacks the programs that set limits."""
    return sys.platform != "linux" or not (shutil.which("prlimit") and shutil.which("setpriv"))


def _tool(name: str) -> str:
    """The path of a program that is there: what starts it has no PATH."""
    found = shutil.which(name)
    assert found is not None
    return os.path.abspath(found)


def _own_environment() -> dict[str, str]:
    """What an agent without a sandbox is told of ours: no secrets."""
    kept = ("PATH", "HOME", "TMPDIR", "USER", "SYSTEMROOT")
    return {name: os.environ[name] for name in kept if name in os.environ} | ENVIRONMENT


def _content(path: Path) -> bytes:
    """A file of the agent's own. Raises BadInput."""
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise BadInput(message("{path} cannot be read: {error}", path=path, error=error.strerror)) from None
    if len(content) > LARGEST_FILE:
        raise BadInput(message("{path} is larger than the program of an agent may be", path=path))
    return content


@contextlib.contextmanager
def _in_memory(content: bytes) -> Iterator[int]:
    """A file without a name that holds this, open inside the block."""
    number = os.memfd_create("agent")
    try:
        with open(number, "wb", closefd=False) as file:
            file.write(content)
        os.lseek(number, 0, os.SEEK_SET)
        yield number
    finally:
        os.close(number)
