"""A user's own game at the command line: it may not take the machine, and a rule that does not end
is named.

Memory is bounded by `--memory` and some room for damier itself. A thread looks now and then which
rule the main thread is in.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import NoReturn

from damier.cli import interrupt
from damier.core import runtime
from damier.core.job import default_memory
from damier.core.words import _, printable

ROOM = 1 << 30
"""Bytes for damier itself, beyond the budget: Numba, LLVM and numpy take some 300 MB."""
LOOK = 0.5
"""Seconds between two looks at the main thread."""
LONG = 3.0
"""Seconds after which a call of a rule is told: rules answer in millionths of one."""
CALLS = 100
"""So many calls within each other are not those of an ordinary rule."""

_memory = default_memory()
_guarded = False
_own = set[str]()  # the files that others have written


def allow(memory: int) -> None:
    """From here on `memory` bytes are the budget of the command."""
    global _memory
    _memory = memory
    if _guarded:
        runtime.limit_memory(memory + memory // 4 + ROOM)  # jobs count what they take to within a quarter


def add_own(path: Path) -> None:
    """Have what goes wrong in this file blamed on it."""
    _own.add(str(path.resolve()))


def guard(path: Path) -> None:
    """Called before a user's file runs: bounds the process, and begins to watch."""
    global _guarded
    add_own(path)
    if not _guarded:
        _guarded = True
        allow(_memory)
        os._exit = _ended
        threading.Thread(target=_watch, daemon=True, name="rules").start()


def _ended(status: int, leave: Callable[[int], NoReturn] = os._exit, process: int = os.getpid()) -> NoReturn:
    """Ends the process as `os._exit` does; where a file of the user's calls it, that is said: a command that
    ends without a word looks like a fault of damier.
    """
    caller = sys._getframe(1)  # noqa: SLF001  not whoever lies below: Ctrl-C may have come in a user's rule
    if in_own_game(caller) and os.getpid() == process:  # not a child that the file has forked
        sys.stdout.flush()
        place = places([(caller, caller.f_lineno)])[0]
        said = _("damier: {place}: os._exit has ended this command", place=place)
        print(said, file=sys.stderr, flush=True)
    leave(status)


def release() -> None:
    """Lifts the bound: what is still to be said needs memory too."""
    if _guarded:
        runtime.limit_memory(None)


def places(frames: Iterable[tuple[FrameType, int]]) -> list[str]:
    """File, line and function of every frame, with the number of the line it is at, that is in a
    user's game; from the outermost one.
    """
    own = [(frame.f_code, line) for frame, line in frames if in_own_game(frame)]
    return [f"{Path(code.co_filename).name}:{line}: {code.co_name}" for code, line in own]


def in_own_game(frame: FrameType) -> bool:
    return is_own(frame.f_code)


def is_own(code: CodeType) -> bool:
    return code.co_filename in _own


def place_of(trace: TracebackType | None) -> str:
    """Return where an exception came from in a user's game, if it did: file, line and function; of an answer
    that the watch over its rules refused, where that rule stands.
    """
    frames = [*traceback.walk_tb(trace)]
    if found := places(frames):
        return found[-1]
    from damier.lab import user_file  # many modules, for what goes wrong alone

    last = [frame for frame, _line in frames[-1:] if frame.f_code.co_filename == user_file.__file__]
    rules = [rule for frame in last for rule in frame.f_locals.values() if isinstance(rule, FunctionType)]
    codes = [rule.__code__ for rule in rules if is_own(rule.__code__)]
    return next((f"{Path(c.co_filename).name}:{c.co_firstlineno}: {c.co_name}" for c in codes), "")


def recurs(error: BaseException) -> bool:
    """Return whether a user's rule calls itself for ever: most of the last calls before a RecursionError
    are its own.
    """
    last = [in_own_game(frame) for frame, _line in traceback.walk_tb(error.__traceback__)][-CALLS:]
    return isinstance(error, RecursionError) and len(last) == CALLS and sum(last) > CALLS // 2


def is_deep(error: RecursionError) -> bool:
    """Return whether calls lay in each other when it came, and nobody has raised it without that."""
    return sum(1 for _frame in traceback.walk_tb(error.__traceback__)) >= CALLS


def limit_in_words(error: BaseException) -> str:
    """Return what stopped a command (memory, depth, time), and where in a user's game, if it was there."""
    place = place_of(error.__traceback__)
    if isinstance(error, MemoryError):
        too_much = _("the machine has not enough memory for this")
        return (
            _("{place}: it takes more memory than there is for it (--memory)", place=place)
            if place
            else too_much
        )
    if isinstance(error, RecursionError):
        too_deep = _("lines of play are too long for this")
        return _("{place}: the rule calls itself too often", place=place) if recurs(error) else too_deep
    return (
        _("{place}: stopped at the limit of time (--seconds)", place=place)
        if place
        else _("stopped at the limit of time (--seconds)")
    )


def _watch() -> None:
    """Looks at the main thread for as long as the process lives."""
    main = threading.main_thread().ident
    assert main is not None
    called: FrameType | None = None  # the outermost frame in a user's game: a rule that was called
    since = 0.0
    while True:
        time.sleep(LOOK)
        frames = list(_stack(sys._current_frames().get(main)))  # noqa: SLF001  of the standard library
        rule = next((frame for frame in frames if in_own_game(frame)), None)
        if rule is None or rule is not called:
            called, since, interrupt.hung = rule, time.monotonic(), ""
        elif time.monotonic() - since >= LONG:
            known = interrupt.hung
            innermost = places((frame, frame.f_lineno or 0) for frame in frames)[-1]
            interrupt.hung = _(
                "{place}: {rule} has not come back for {n} seconds",
                place=innermost,
                rule=_("the file itself")
                if rule.f_code.co_name == "<module>"
                else _("the function {name}", name=rule.f_code.co_name),
                n=round(LONG),
            )
            if not known:
                print(printable(f"damier: {interrupt.hung}", 2000), file=sys.stderr, flush=True)
        del frames, rule


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    """The frames of a thread, from the outermost one."""
    found = []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back
    return reversed(found)
