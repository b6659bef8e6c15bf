"""Isolation of the program of an agent: by bubblewrap (bwrap), in name spaces of its own.

What it sees: /usr, the Python of damier with damier itself, and its own files, as copies in /agent;
nothing else of the disk. All of it is read-only but /tmp, in memory, small and of few files. It has no
network, sees no other process, and when the first process of its name space ends, the kernel ends all
others. Its limits are set before that first process.

Started by root, it runs under a number of its own that no user has, so that limits hold for it
which root would be free of; started by a user, in a user name space, as nobody.

It stays in the session of who starts it, and cannot begin another: Linux may weigh sessions before
processes (`core/job.py`), so a session of its own would weigh as much as all of damier.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import platform
import secrets
import shlex
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from damier.core.errors import BadInput, Unsuitable
from damier.core.runtime import python
from damier.core.words import _, message

PACKAGE = Path(__file__).parents[1]
"""damier itself."""
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
    "PYTHONPATH": str(PACKAGE.parent),
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""Of every agent: threads are counted as processes."""
INSIDE = "DAMIER_SANDBOX"
"""The name of what a sandbox sets in the environment."""


class VisibleFiles(NamedTuple):
    """The files of an agent's own as its sandbox shows them.

    Attributes:
        places: where each is, by the place of its word in the command
        contents: what is copied to which place
        folder: what is shown instead, as a whole, in HOME
    """

    places: dict[int, str]
    contents: dict[str, bytes]
    folder: Path | None


@dataclass(frozen=True)
class Launch:
    """A way to start an agent, again and again, within `limits`: in a sandbox that shows it some
    files, or without one where this is None.
    """

    command: AgentCommand
    limits: AgentLimits
    visible: VisibleFiles | None

    @property
    def isolated(self) -> bool:
        return self.visible is not None

    def start(self, questions: int, answers: int, errors: int) -> subprocess.Popen[bytes]:
        """Starts it with these files as its standard streams: it ends with the thread that calls.

        Raises OSError.
        """
        with ExitStack() as stack:
            words, handed = self._sandboxed(self.visible, stack) if self.visible else (self._bounded(), ())
            return subprocess.Popen(
                words,
                stdin=questions,
                stdout=answers,
                stderr=errors,
                env={} if self.isolated else _own_environment(),
                pass_fds=handed,
                # a Ctrl-C at the terminal is for damier
                start_new_session=not self.isolated and not inside(),
                process_group=0 if self.isolated else None,
            )

    def _sandboxed(self, files: VisibleFiles, stack: ExitStack) -> tuple[list[str], tuple[int, ...]]:
        """The whole command, and the files that it is handed open."""
        handed = []

        def hand(content: bytes) -> str:
            handed.append(stack.enter_context(_in_memory(content)))
            return str(handed[-1])

        binds = ["--ro-bind", str(files.folder), HOME] if files.folder else []
        for inside, content in files.contents.items():
            binds += [*_parents(inside), "--perms", "0555", "--ro-bind-data", hand(content), inside]
        words = list(self.command.words)
        for place, path in self.command.own.items():
            words[place] = files.places[place] + words[place].removeprefix(path)
        sandbox = _sandbox(self.limits, binds, hand(seccomp_filter()), list(files.contents.values()))
        return [*sandbox, *words], tuple(handed)

    def _bounded(self) -> list[str]:
        """The command without a sandbox: with what limits there are."""
        if sys.platform != "linux" or not (shutil.which("prlimit") and shutil.which("setpriv")):
            return list(self.command.words)
        setpriv = ["setpriv", "--pdeathsig", "KILL", "--"]
        return [*_limited(self.limits, _files(self.limits)), *setpriv, *self.command.words]


def launch(
    command: AgentCommand, limits: AgentLimits, isolated: bool | None, *, folder: bool = False
) -> tuple[Launch, str]:
    """Return how an agent is started, and what a person should know about it (nothing, mostly).

    Args:
        isolated: None: where it is possible. True: Raises Unsuitable where it is not.
        folder: whether it sees all that lies beside its first file, and not its files alone

    In a sandbox it is started as it is: the sandbox is around both.

    Raises BadInput for files that cannot be read.
    """
    if inside() or isolated is False:
        return Launch(command, limits, None), ""
    refusal = no_isolation()
    if isolated and refusal:
        raise Unsuitable(message("agents cannot be isolated here: {why}", why=refusal))
    if not refusal:
        return Launch(command, limits, _shown(command, folder=folder)), ""
    sentence = _(
        "{run} runs with all your rights, its time, memory and output limited only: {why}",
        run=command.words[0],
        why=refusal,
    )
    return Launch(command, limits, None), sentence


def inside() -> bool:
    """Return whether this process runs in a sandbox of damier."""
    return INSIDE in os.environ


def _shown(command: AgentCommand, *, folder: bool) -> VisibleFiles:
    """The agent's own files as they are now. Raises BadInput."""
    own = {place: Path(path) for place, path in command.own.items()}
    if folder:
        if any(path.parent != command.folder for path in own.values()):
            raise BadInput(message("folder=true: all files of the agent must lie in one folder"))
        return VisibleFiles({n: f"{HOME}/{path.name}" for n, path in own.items()}, {}, command.folder)
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
    return VisibleFiles(places, contents, None)


@cache
def no_isolation() -> str:
    """Return why agents cannot be isolated on this machine: nothing where they can, which was tried."""
    if sys.platform != "linux" or platform.machine() not in MACHINES:
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


def _sandbox(limits: AgentLimits, visible: Iterable[str], calls: str, contents: Sequence[bytes]) -> list[str]:
    """The command up to the first word of the agent's own; `visible` brings its files, `contents` are
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
    return [*_with_scratch(limits), *_limited(limits, further), *_bwrap(visible, calls), *inside]


def _with_scratch(limits: AgentLimits) -> list[str]:
    """Begins a command that sees a new scratch folder in OUTSIDE, alone."""
    words = [_tool("unshare"), "--mount"]
    if os.getuid() != 0:
        words += ["--user", "--map-root-user"]
    room = f"size={limits.scratch},nr_inodes={limits.scratch // BYTES_A_FILE},mode=1777"
    return [*words, "--", "/bin/sh", "-c", BEFORE, "sh", _tool("mount"), room, OUTSIDE, _tool("env"), "-i"]


def _bwrap(visible: Iterable[str], calls: str) -> list[str]:
    """bwrap and its options; `visible` brings the agent's own files, `calls` is a filter of calls."""
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
    for folder in (*system_folders(), str(PACKAGE)):
        words += [*_parents(folder), "--ro-bind", folder, folder]
    for file in ("/etc/ld.so.cache", "/etc/alternatives", *glob.glob("/etc/java-*-openjdk")):
        words += [*_parents(file), "--ro-bind-try", file, file]
    # read-only: there a process may write the memory of another, and what its session weighs
    words += ["--proc", "/proc", "--remount-ro", "/proc", *_devices()]
    words += [*_parents(f"{HOME}/0"), *visible, "--remount-ro", "/"]
    path = os.pathsep.join([os.path.dirname(python()[0]), "/usr/local/bin", "/usr/bin", "/bin"])
    for name, value in {**ENVIRONMENT, "PATH": path, "HOME": SCRATCH, INSIDE: "1"}.items():
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


def _tool(name: str) -> str:
    """The path of a program that is there: what starts it has no PATH."""
    found = shutil.which(name)
    assert found is not None
    return os.path.abspath(found)


def _own_environment() -> dict[str, str]:
    """Return what an agent without a sandbox is told of ours: no secrets."""
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


# Which calls of the system an isolated agent is refused: a filter of seccomp(2), as bytes.
#
# Everything is allowed but what makes memory that no limit counts, be it of programs (memfd, System V,
# shared memory without a file, which stays when it is out of sight) or of the kernel (locks, watches,
# rules, attributes, files on their way through a socket, what a pipe holds beyond its 64 KiB), what leaves
# the session whose weight the lab has set, name spaces of its own, in which there would be more of all
# that, and doors to the kernel that a player of games has no use for. It is classic BPF
# (Documentation/userspace-api/seccomp_filter.rst of Linux), each instruction a `struct sock_filter`:
# u16 code, u8 and u8 to jump, u32.

LOAD, AND, IF_EQUAL, IF_ANY, IF_AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x45, 0x35, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Places in struct seccomp_data, its words little-endian; an argument has 8 bytes."""
ALLOW, KILL, FAIL_WITH = 0x7FFF0000, 0x80000000, 0x00050000
NEW_NAMESPACES = 0x7E020000
"""The flags of clone(2) that begin with CLONE_NEW."""
KIND_OF_MAPPING, SHARED_WITHOUT_FILE = 0x2F, 0x21
"""Of the flags of mmap(2): MAP_TYPE and MAP_ANONYMOUS; MAP_SHARED and MAP_ANONYMOUS."""
UNCOUNTED_MAPPING = 0x40100
"""MAP_GROWSDOWN, which RLIMIT_DATA takes for a stack; MAP_HUGETLB, which is the machine's."""
X32 = 0x40000000
"""From here on, numbers on x86-64 are those of its other binary interface."""


class Architecture(NamedTuple):
    """An architecture: its number (linux/audit.h), and its place in the tables of calls."""

    audit: int
    place: int


class RefusedValues(NamedTuple):
    """A call that is refused by the value of one of its arguments."""

    numbers: tuple[int, int]
    argument: int
    values: tuple[int, ...]


MACHINES = {"x86_64": Architecture(0xC000003E, 0), "aarch64": Architecture(0xC00000B7, 1)}
CLONE, CLONE3, MMAP, SOCKETPAIR = (56, 220), (435, 435), (9, 222), (53, 199)
LOCAL = 1
"""AF_UNIX. Pairs of such sockets are pipes that go both ways: Java opens no file without one, asyncio
does not begin. `watch.py` counts them.
"""

REFUSED = {
    # memory of programs
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    # memory of the kernel
    "socket": (41, 198),
    "sendmsg": (46, 211),  # it may send files, which stay open on their way
    "sendmmsg": (307, 269),
    "setsockopt": (54, 208),  # it may ask for a larger buffer
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "flock": (73, 32),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "io_setup": (206, 0),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "seccomp": (317, 277),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # a session of its own, which Linux may weigh by itself (sched(7), autogroup)
    "setsid": (112, 157),
    # name spaces, and what is seen of the disk
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    # other processes, and the kernel
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
}
"""Calls that fail with EPERM, by name: their numbers on x86-64 and on aarch64."""
PAGES_INTO_PIPES = {"sendfile": (40, 71), "splice": (275, 76), "tee": (276, 77), "vmsplice": (278, 75)}
"""Calls that fail with EINVAL, upon which programs read and write instead: a pipe would hold pages of
2 MiB by a byte of each.
"""
BY_VALUE = (
    # fcntl: F_SETLK F_SETLKW F_OFD_SETLK F_OFD_SETLKW F_SETLEASE F_NOTIFY F_SETPIPE_SZ
    RefusedValues((72, 25), 1, (6, 7, 37, 38, 1024, 1026, 1031)),
    RefusedValues((157, 167), 0, (22, 78)),  # prctl: PR_SET_SECCOMP PR_FUTEX_HASH
    RefusedValues((16, 29), 1, (0x5412, 0x541C)),  # ioctl: TIOCSTI TIOCLINUX
)
"""Calls that fail with EPERM for some values only."""


def seccomp_filter() -> bytes:
    """The filter for this machine, as `bwrap --seccomp` reads it."""
    machine = MACHINES[platform.machine()]
    here = machine.place
    program = [
        _do(LOAD, ARCHITECTURE),
        _do(IF_EQUAL, machine.audit, 1, 0),
        _do(RETURN, KILL),
        _do(LOAD, NUMBER),
        *_refuse(IF_AT_LEAST, X32, errno.ENOSYS),
        *_refuse(IF_EQUAL, CLONE3[here], errno.ENOSYS),  # its flags are out of sight: clone is used then
    ]
    for calls, error in ((REFUSED, errno.EPERM), (PAGES_INTO_PIPES, errno.EINVAL)):
        for numbers in calls.values():
            if (number := numbers[here]) is not None:
                program += _refuse(IF_EQUAL, number, error)
    for call in BY_VALUE:
        values = [one for value in call.values for one in _refuse(IF_EQUAL, value)]
        program += _of_call(call.numbers[here], call.argument, values)
    shared = [_do(AND, KIND_OF_MAPPING), *_refuse(IF_EQUAL, SHARED_WITHOUT_FILE)]
    program += _of_call(MMAP[here], 3, [*_refuse(IF_ANY, UNCOUNTED_MAPPING), *shared])
    program += _of_call(CLONE[here], 0, [*_refuse(IF_ANY, NEW_NAMESPACES)])
    local_only = [_do(IF_EQUAL, LOCAL, 1), _do(RETURN, FAIL_WITH | errno.EPERM)]
    program += _of_call(SOCKETPAIR[here], 0, local_only)
    return b"".join([*program, _do(RETURN, ALLOW)])


def _of_call(number: int, argument: int, refused: list[bytes]) -> list[bytes]:
    """Return what is refused of a call by the lower half of one of its arguments; the rest of it is
    allowed.
    """
    body = [_do(LOAD, ARGUMENTS + 8 * argument), *refused, _do(RETURN, ALLOW)]
    return [_do(IF_EQUAL, number, 0, len(body)), *body]


def _refuse(condition: int, value: int, number: int = errno.EPERM) -> tuple[bytes, bytes]:
    """Return a rule by which the call fails with that error where the condition holds."""
    return _do(condition, value, 0, 1), _do(RETURN, FAIL_WITH | number)


def _do(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_so, if_not, value)


# What an agent of somebody's own may use.

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class AgentLimits:
    """The most of everything.

    Attributes:
        seconds: on the clock, for a move
        game_seconds: for all its moves of a game
        start_seconds: for its first answer, beside the time of that move, which are not counted
        memory: bytes of data of one process, and of all its processes together in RAM
        processes: with their threads, where it is isolated; without their threads elsewhere
        scratch: bytes in its scratch folder, and of any file
        answer: bytes of a line that it answers
        errors: bytes on its standard error, from one game to the next
        share: seconds of processor for each second that it is asked
    """

    seconds: float = 5.0
    game_seconds: float = 60.0
    start_seconds: float = 10.0
    memory: int = 512 * MEBIBYTE
    processes: int = 32
    scratch: int = 16 * MEBIBYTE
    answer: int = 1 << 16
    errors: int = MEBIBYTE
    share: float = 2.0

    def __post_init__(self) -> None:
        for seconds in (self.seconds, self.game_seconds):
            if not 0 < seconds <= 86_400:
                raise BadInput(
                    message("an agent has more than 0 and at most 86400 seconds, not {n}", n=seconds)
                )
        if not 16 * MEBIBYTE <= self.memory <= 1 << 44:
            raise BadInput(
                message("an agent has from 16 to 16777216 MiB of memory, not {n}", n=self.memory // MEBIBYTE)
            )


# The command that starts an agent, and which of its words are files of the agent's own.

PYTHON = ("python", "python3")
"""As the first word: the Python in which damier runs."""
GAMES = os.pathsep.join(("/usr/local/games", "/usr/games"))
"""Where Debian puts programs that play, and root does not look."""


@dataclass(frozen=True)
class AgentCommand:
    """Words of which the first is the path of a program; `own` the files that a sandbox must be given,
    each by the place of the word that begins with its path; `beside` those of a whole folder, by their
    places below the folder of the agent in the sandbox.
    """

    words: tuple[str, ...]
    own: dict[int, str]
    beside: Mapping[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path | None:
        """The folder in which the first file of its own lies."""
        return next((Path(path).parent for path in self.own.values()), None)


def read_command(run: str) -> AgentCommand:
    """The command that is written as in a shell: `./agent`, `node agent.js`, `python agent.py 3`.

    Raises BadInput.
    """
    try:
        words = shlex.split(run)
    except ValueError as error:
        raise BadInput(message("run={run} is no command: {error}", run=run, error=error)) from None
    if not words:
        raise BadInput(message("run={run} is no command: {error}", run=run, error=message("empty")))
    first, *rest = words
    found = (_program(first), *(os.path.abspath(word) if os.path.isfile(word) else word for word in rest))
    own = {place: word for place, word in enumerate(found) if os.path.isfile(word) and not _of_system(word)}
    return AgentCommand(found, own)


def _program(word: str) -> str:
    """The path of a program. Raises BadInput where there is none."""
    if word in PYTHON:
        return python()[0]
    if os.sep not in word:
        found = shutil.which(word) or shutil.which(word, path=GAMES)
        if found is None:
            raise BadInput(message("there is no program {word}; a path has a / in it: ./{word}", word=word))
        return os.path.abspath(found)
    if not os.path.isfile(word):
        raise BadInput(message("there is no program {word}", word=word))
    if not os.access(word, os.X_OK):
        raise BadInput(message("{word} cannot be run as a program; chmod +x {word} lets it", word=word))
    return os.path.abspath(word)


def system_folders() -> tuple[str, ...]:
    """Return what every agent may read: programs and libraries of the system, and the Python of damier."""
    return tuple(dict.fromkeys(("/usr", os.path.realpath(sys.base_prefix), os.path.abspath(sys.prefix))))


def _of_system(path: str) -> bool:
    """Return whether every agent may read a file."""
    places = (*system_folders(), "/bin", "/sbin", "/lib", "/lib64")
    return any(os.path.abspath(path).startswith(place + os.sep) for place in places)
