"""The stepper: a search forwards and back in the terminal, one step at a time."""

from __future__ import annotations

import contextlib
import os
import re
import select
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence

from damier.cli.output import say
from damier.core.tree import AnyTrace, Scene
from damier.core.words import _
from damier.draw.text import columns_of
from damier.draw.tree import HERE, legend, tree_lines

KEYS = {
    "next": ("\x1b[C", "\x1bOC", "\x1b[6~", " ", "n", "l"),  # PageDown and PageUp: a clicker
    "back": ("\x1b[D", "\x1bOD", "\x1b[5~", "p", "h", "\x7f"),
    "first": ("\x1b[H", "\x1b[1~", "\x1bOH", "0"),
    "last": ("\x1b[F", "\x1b[4~", "\x1bOF", "$"),
    "cut": ("c",),
    "quit": ("q", "\x04"),
}
COMMANDS = {key: command for command, keys in KEYS.items() for key in keys}
KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|.", re.DOTALL)
CURRENT, GAP = "▸", 4
"""The mark of the line at which a search stands, and the columns between a tree and its pseudo-code."""
WATCH = 0.25
"""How often the size of the terminal is looked at, in seconds."""


def walk(replay: AnyTrace, title: str) -> None:
    """Shows the steps: by keys in a terminal; by words and Enter in one that cannot read keys; all
    of them elsewhere.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        for line in replay.lines:
            say(line)
    elif os.environ.get("TERM", "dumb") == "dumb" or not has_keys():
        by_lines(replay, title)
    else:
        by_keys(replay, title)


def has_keys() -> bool:
    """Return whether this system can read single keys."""
    try:
        import termios  # noqa: F401
    except ImportError:
        return False
    return True


def moved(replay: AnyTrace, n: int, command: str) -> int:
    """The step that a command leads to."""
    if command == "cut":
        return next((cut for cut in replay.cuts if cut > n), n)
    return {"next": min(n + 1, len(replay)), "back": max(n - 1, 0), "first": 0, "last": len(replay)}.get(
        command, n
    )


def by_lines(replay: AnyTrace, title: str) -> None:
    """One line read, one step shown."""
    n, command = 0, "first"
    while command != "quit":
        n = moved(replay, n, command)
        say("\n".join(page(replay, n, title, *shutil.get_terminal_size())))
        say(_("n + Enter: on   p + Enter: back   c + Enter: to the next cut   q + Enter: leave"))
        text = sys.stdin.readline()
        command = COMMANDS.get(text.strip() or "n", "") if text else "quit"


def by_keys(replay: AnyTrace, title: str) -> None:
    """One key, one step, on a page of its own."""
    n, command = 0, ""
    with keyboard() as read:
        while command != "quit":
            size = shutil.get_terminal_size()
            sys.stdout.write("\x1b[H\x1b[2J" + "\r\n".join(page(replay, n, title, *size)))
            sys.stdout.flush()
            keys: list[str] = []
            while not keys and shutil.get_terminal_size() == size:
                keys = read()
            for key in keys:
                command = COMMANDS.get(key, "")
                if command == "quit":
                    break
                n = moved(replay, n, command)


@contextlib.contextmanager
def keyboard() -> Iterator[Callable[[], list[str]]]:
    """A function that reads the keys that were pressed, none if none comes soon; the terminal is
    what it was when the block ends, however it ends.
    """
    import termios
    import tty

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)

    def read() -> list[str]:
        ready, _writable, _failed = select.select([fd], [], [], WATCH)
        if not ready:
            return []
        data = os.read(fd, 1024)
        return KEY.findall(data.decode(errors="replace")) if data else ["q"]

    try:
        tty.setcbreak(fd)
        sys.stdout.write("\x1b[?1049h\x1b[?25l")
        yield read
    finally:
        sys.stdout.write("\x1b[?25h\x1b[?1049l")
        sys.stdout.flush()
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def page(replay: AnyTrace, n: int, title: str, columns: int, rows: int) -> list[str]:
    """Return what is shown after `n` steps, in a terminal of this size."""
    scene = replay.scene(n)
    head = [
        _("{title}: step {n} of {of}", title=title, n=n, of=len(replay)),
        scene.said or _("nothing has been looked at yet"),
        "",
    ]
    foot = ["", legend(replay.end), _("→ on   ← back   Home End   c: next cut   q: leave")]
    room = max(3, rows - len(head) - len(foot) - 1)
    lines = tree_lines(scene)
    if len(lines) > room:
        lines = around(tree_lines(scene, near(scene)), room)
    lines = beside(lines, replay.code(n), columns, room)
    return [fitted(line, columns) for line in (*head, *lines, *foot)]


def beside(lines: list[str], code: Sequence[tuple[str, bool]], columns: int, room: int) -> list[str]:
    """Lines of a tree, the pseudo-code at the right edge with its current line marked, so that it keeps its
    place; where there is no room for that, as they are.
    """
    marked = [f"{CURRENT if current else ' '} {text}".rstrip() for text, current in code]
    wide, right = max(map(columns_of, lines), default=0), max(map(columns_of, marked), default=0)
    if not marked or wide + GAP + right > columns or len(marked) > room:
        return lines
    height = max(len(lines), len(marked))
    left = [*lines, *[""] * (height - len(lines))]
    return [
        f"{line}{' ' * (columns - right - columns_of(line))}{said}".rstrip()
        for line, said in zip(left, [*marked, *[""] * (height - len(marked))], strict=True)
    ]


def near(scene: Scene) -> Callable[[int], bool]:
    """The places on the path, those beside them, and those below the last of them."""
    path, place = set(), max(scene.here, 0)
    while place >= 0:
        path.add(place)
        place = scene.places[place].above
    return lambda place: scene.places[place].above in path


def around(lines: list[str], room: int) -> list[str]:
    """As many lines as there is room for, that of the place in the middle."""
    here = next((number for number, line in enumerate(lines) if line.startswith(HERE)), 0)
    first = max(0, min(here - room // 2, len(lines) - room))
    return lines[first : first + room]


def fitted(line: str, columns: int) -> str:
    """A line cut to the width of the terminal."""
    if columns_of(line) <= columns:
        return line
    while columns_of(line) > max(columns - 1, 0):
        line = line[:-1]
    return line + "…"
