"""Ctrl-C, from the first instruction of a command to its last: exit 130 and, with `--json`, one
whole object (docs/decisions/0033).

While modules are imported nothing is under way, and the process ends at once. Then Ctrl-C is a
KeyboardInterrupt, which commands may answer with what was reached. Where the main thread is in code
that sees no signals (a long compiled call), a thread that watches ends the process in its place.
"""

from __future__ import annotations

import _thread
import os
import sys

TYPE_CHECKING = False  # as in `typing`, which takes time to import
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

CODE = 130
ANSWER: dict[str, object] = {"error": "interrupted"}
PATIENCE = 0.3
"""Seconds after which the process is ended for a main thread that has not seen the signal."""
IMPATIENCE = 1.0
"""Seconds in which a second Ctrl-C is the same as the first; a later one ends at once what is still
being cleaned up.
"""

hung = ""
"""Which rule of a user's game does not come back, in words; `own_game` says so."""

_telling = _thread.allocate_lock()  # held from when the JSON of the command begins to be written
_told = False  # whether by the command itself
_since: float | None = None  # when the main thread saw a Ctrl-C


def wants_json(arguments: list[str]) -> bool:
    """Return whether a command line asks for JSON."""
    return any(argument == "--json" or argument.startswith("--json=") for argument in arguments)


def sentence() -> str:
    """That the command was interrupted, and where it hung, if it did."""
    from damier.core.words import _

    return _("damier: interrupted; {hung}", hung=hung) if hung else _("damier: interrupted")


def begin() -> None:
    """A command begins: nothing is told yet, and nobody has pressed Ctrl-C."""
    global _told, _since
    if _told:
        _telling.release()
    _told, _since = False, None


def told() -> bool:
    """Return whether the command has written JSON."""
    return _told


def tell() -> None:
    """Asked before a command writes JSON: where the process is being ended with an answer of its
    own, this does not return.
    """
    global _told
    if not _told:
        _told = _telling.acquire()


def leave(number: int = 0, frame: FrameType | None = None) -> NoReturn:
    """Ends the process at once, as a command that was interrupted ends.

    It may be called from any thread.
    """
    try:
        if _telling.acquire(False) and wants_json(sys.argv):
            os.write(1, b'{"error": "interrupted"}\n')
        if hung:
            os.write(2, f"{sentence()}\n".encode())
    except OSError:  # nobody listens
        pass
    finally:
        os._exit(CODE)


def listen_from_the_start() -> None:
    """From here on a Ctrl-C ends the process; the first thing that a command does."""
    try:
        import signal

        signal.signal(signal.SIGINT, leave)
    except KeyboardInterrupt:
        leave()


def listen() -> None:
    """From here on a Ctrl-C is a KeyboardInterrupt in the main thread, once; `run` of `cli.main` is
    ready for it.
    """
    import signal

    if sys.platform != "win32":
        _watch()
    signal.signal(signal.SIGINT, raise_once)


def raise_once(number: int, frame: FrameType | None) -> None:
    """Raises KeyboardInterrupt at the first Ctrl-C: who presses it twice means it once.

    Later ones are the watching thread's.
    """
    global _since
    import time

    from damier.core.job import press

    if _since is None:
        _since = time.monotonic()
        press()
        raise KeyboardInterrupt
    if sys.platform == "win32" and time.monotonic() - _since > IMPATIENCE:
        leave()


def end(code: int) -> NoReturn:
    """Ends the process with this code, whatever Ctrl-C comes meanwhile; it waits for no thread that
    was left behind, nor for one that a file of the user has begun, which may never end.
    """
    import atexit
    import contextlib
    import signal
    import threading

    from damier.core.job import left_behind

    signal.signal(signal.SIGINT, lambda number, frame: os._exit(code))
    # Python's own end gives back the default for any other handler: death by the signal
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    others = any(
        thread is not threading.main_thread() for thread in threading.enumerate() if not thread.daemon
    )
    if others:
        atexit._run_exitfuncs()  # noqa: SLF001  # which Python calls when these threads have ended
    if others or code == CODE or left_behind():
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):  # nobody listens
                stream.flush()
        os._exit(code)
    sys.exit(code)


def _watch() -> None:
    """Starts the thread that ends the process where the main thread does not see a Ctrl-C: it is
    told of every signal as it arrives.
    """
    import signal
    import threading

    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_watched, args=(reading,), daemon=True, name="ctrl-c").start()


def _watched(reading: int) -> None:
    import signal

    while number := os.read(reading, 1):
        if number[0] == signal.SIGINT:
            _answer()


def _answer() -> None:
    """Leaves, unless the main thread sees this Ctrl-C, or somebody else listens (a server, say), or
    it is the same as the one before.
    """
    import signal
    import time

    from damier.core import job

    again = _since is not None and time.monotonic() - _since > IMPATIENCE
    waited = 0.0
    while _since is None or again:
        if job.holding() and not hung:
            waited = 0.0  # what must happen whole is let happen
        elif signal.getsignal(signal.SIGINT) is not raise_once and not job.holding():
            return
        elif again or waited >= PATIENCE:
            leave()
        time.sleep(0.02)
        waited += 0.02
