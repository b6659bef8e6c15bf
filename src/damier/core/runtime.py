"""The Python that damier runs in: what it can do, the command line of another process of it, the sorts of
NumPy, a bound of memory, and the extras that may be installed.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Final, NamedTuple

from damier.core.errors import BadInput
from damier.core.words import message

# What this Python can do: in a browser (docs/site.md) it has no threads, no signals and no compiler.


def has_threads() -> bool:
    """Return whether this Python starts threads, and hears signals."""
    return sys.platform != "emscripten"


@cache
def has_numpy() -> bool:
    """Return whether NumPy can be imported."""
    return find_spec("numpy") is not None


@cache
def missing_to_compile() -> str:
    """Return the package without which nothing is compiled here; empty where all are installed."""
    return next((name for name in ("numpy", "llvmlite", "numba") if find_spec(name) is None), "")


def python(*words: str) -> list[str]:
    """The command line of this Python with some `words`.

    With `-m` and `-c` alone Python looks for modules in the current folder first: a file
    `jinja2.py` among the downloads from where a lab is started would run in every worker. `-P`
    leaves that folder out.
    """
    return [sys.executable, "-P", *words]


ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""Variables by which a process multiplies matrices with one thread: what comes of it is the same however many
cores there are, and processes side by side do not take each other's.
"""
VARIABLE = "NPY_DISABLE_CPU_FEATURES"
AVX_512_SORTS = "X86_V4 AVX512_SKX AVX512_ICL AVX512_SPR"
"""The parts of NumPy, as its versions name them, whose sorts need AVX-512; what a version does not know it
ignores.
"""
ENOUGH = 4096
"""Characters of the system's account that describe one core."""


def prefer_quick_sorts() -> None:
    """Has NumPy sort with AVX2 on processors that are slow to do so with AVX-512 (docs/decisions/0036), in
    this process and in those it starts, unless the user has said what it is to do.
    """
    if sys.platform != "linux" or "numpy" in sys.modules or VARIABLE in os.environ:
        return
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            account = file.read(ENOUGH)
    except OSError:
        return
    if is_zen_4(account):
        os.environ[VARIABLE] = AVX_512_SORTS


def is_zen_4(account: str) -> bool:
    """Return whether /proc/cpuinfo tells of a core by AMD of family 25 with AVX-512: it writes the parts of
    a vector to memory by microcode.
    """
    facts = dict[str, str]()
    for line in account.splitlines():
        name, _colon, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    return (
        facts.get("vendor_id") == "AuthenticAMD"
        and facts.get("cpu family") == "25"
        and "avx512f" in facts.get("flags", "").split()
    )


# Memory beyond a bound is refused to a process (a MemoryError), where the system can (Linux). Mapped files do
# not count, such as solutions are read from.


def limit_memory(size: int | None) -> None:
    """From here on memory beyond `size` bytes is refused to this process; None: no more than the
    system allows.
    """
    if sys.platform != "linux":
        return
    import resource

    most = resource.getrlimit(resource.RLIMIT_DATA)[1]
    with contextlib.suppress(ValueError, OSError):  # a lower limit than ours stands already
        resource.setrlimit(resource.RLIMIT_DATA, (most if size is None else size, most))


def limit_time(seconds: int) -> None:
    """From here on this process is ended when it has taken so many seconds of the processor (Linux)."""
    if sys.platform != "linux":
        return
    import resource

    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    with contextlib.suppress(ValueError, OSError):  # a lower limit than ours stands already
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, hard))


def unguarded(path: Path) -> None:
    return None


guard: Callable[[Path], None] = unguarded
"""Called before a user's file runs for the first time.

A command puts its own here; who imports damier keeps their process as it is.
"""


# Extras of pyproject.toml: packages that damier does without.

COPY: Final = Path(__file__).resolve().parents[3]
"""The copy of the project that runs here, where it runs from one."""
ENVIRONMENT, EXTRAS = ".venv", ("web", "plot")
"""The environment of `scripts/damier`, and what that has from the beginning."""


def installing(extra: str, copy: Path = COPY) -> str:
    """The command that adds an extra: `pip install 'damier[class]'`; where damier runs from a copy of the
    project, of that copy; where `scripts/damier` made the environment, by the script that made it.
    """
    if not (copy / "pyproject.toml").is_file():
        return shlex.join(["pip", "install", f"damier[{extra}]"])
    if Path(sys.prefix).resolve() == copy / ENVIRONMENT:
        extras = EXTRAS if extra in EXTRAS else (*EXTRAS, extra)
        return shlex.join([str(copy / "scripts" / "environment"), ENVIRONMENT, *extras])
    return shlex.join(["pip", "install", "-e", f"{copy}[{extra}]"])


@contextlib.contextmanager
def needing(extra: str, sentence: str, **values: object) -> Iterator[None]:
    """Imports of what an extra brings. Raises BadInput, a sentence marked by `N_` whose {command} installs
    it, where one fails inside.
    """
    try:
        yield
    except ImportError as error:
        raise BadInput(message(sentence, command=installing(extra), error=error, **values)) from error


# The side of a child process: orders on its standard input, answers on its standard output.


class ChildStreams(NamedTuple):
    """The lines that a parent sends, and where answers to them go."""

    orders: IO[bytes]
    answers: IO[bytes]


def serve_parent() -> ChildStreams:
    """Return the streams to the parent (`take_streams`). Ctrl-C is ignored from here on: the parent answers
    it, and ends this process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return take_streams()


def take_streams() -> ChildStreams:
    """Return standard input and output as files that nobody else has: from here on, code that reads finds
    nothing, and what it prints goes to standard error.
    """
    streams = ChildStreams(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
    release_streams()
    return streams


def release_streams() -> None:
    """Replace standard input by an empty file, and standard output by standard error."""
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)


def listen(orders: IO[bytes], take: Callable[[bytes], object]) -> threading.Thread:
    """Start a thread that passes on every line; it ends this process at the end of the lines, whatever
    that is at, since the parent has gone.
    """

    def until_the_parent_ends() -> None:
        for line in orders:
            take(line)
        os._exit(0)

    thread = threading.Thread(target=until_the_parent_ends, daemon=True)
    thread.start()
    return thread


def next_line_of(orders: IO[bytes]) -> Callable[[], bytes]:
    """Return what waits for the next line of a parent, and gives it; without a parent this process ends."""
    lines = queue.SimpleQueue[bytes]()
    listen(orders, lines.put)
    return lines.get


def end_with_parent() -> None:
    """Have this process killed when the one that started it ends (Linux)."""
    import ctypes

    end_with_it = 1  # PR_SET_PDEATHSIG of prctl(2)
    ctypes.CDLL(None).prctl(end_with_it, signal.SIGKILL)
