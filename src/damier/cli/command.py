"""Frame of every command: reports to standard output, as tables or as one JSON object; progress and remarks
to standard error; and the options that several share.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TextIO, TypeAlias, TypeVar

from cyclopts import Parameter, Token

from damier.cli import interrupt
from damier.core import words
from damier.core.errors import BadInput, IllegalMove, at_most_one
from damier.core.job import Job, Notes, cores, default_memory, no_progress, uninterrupted
from damier.core.json_data import to_json
from damier.core.words import _, grouped, labelled, message, printable

if TYPE_CHECKING:
    from rich.progress import Progress

    from damier.core.game import Game
    from damier.core.rules import State
    from damier.lab.large import Disk


STREAMS = {"stdin": "r", "stdout": "w", "stderr": "w"}
"""The standard streams by their numbers, 0 to 2, and how each is opened."""


def prepare_streams() -> None:
    """The standard streams are there, and take any text.

    In the place of one that was closed stands one that goes nowhere, with its number too: the next file
    that is opened would take that, and whatever is printed to the number would go into the file.
    """
    for number, (name, mode) in enumerate(STREAMS.items()):
        try:
            os.fstat(number)
        except OSError:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            os.set_inheritable(number, True)
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever called: nothing to read, nobody to tell
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)
        if mode == "w" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def unread(*streams: TextIO | None) -> None:
    """The readers of these streams have gone: nothing is left to say, also when Python empties them."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        if stream is not None:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


Report: TypeAlias = Mapping[str, object]
"""The one JSON object of a command. Where its parts are read again, they have types of their own."""


class Outcome(NamedTuple):
    """The outcome of a command: its data, what shows it as text, and as a picture, where it has one."""

    data: Report
    show: Callable[[], None]
    svg: Callable[[], str] = str


def report(
    data: Report,
    json: bool,
    show: Callable[[], None],
    *written: Path | None,
    notes: Iterable[str] = (),
) -> None:
    """Prints the notes of the job, and `data` as JSON; or calls `show` for people, and tells them which files
    were written.
    """
    remarks(notes)
    clear_bar()
    if json:
        result(data)
    else:
        show()
        for path in written:
            if path is not None:
                say(_("written to {path}", path=path))


def result(data: Report) -> None:
    """Prints the one JSON object of a command, where `only_results` kept everything else away from;
    whole, whatever Ctrl-C comes.
    """
    text = to_json(data)
    with uninterrupted():
        interrupt.tell()
        write_whole(_results or sys.stdout, text + "\n")


def write_whole(stream: TextIO, text: str) -> None:
    """Writes all of a text.

    Without a buffer (PYTHONUNBUFFERED) a signal would end the writing in the middle, and nobody
    would be told.
    """
    stream.flush()
    raw = getattr(stream, "buffer", None)
    if not isinstance(raw, io.RawIOBase):
        print(text, end="", file=stream, flush=True)
        return
    left = memoryview(text.encode(stream.encoding, stream.errors or "strict"))
    while left:
        left = left[raw.write(left) or 0 :]


@contextlib.contextmanager
def only_results() -> Iterator[None]:
    """Send what is printed inside, by a game of the user's too, to standard error: standard output is
    for results.
    """
    global _results
    _results = sys.stdout
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        _results = None


_results: TextIO | None = None


def say(text: str = "") -> None:
    """Prints text as it is: boards, sentences."""
    print(text, flush=True)


def remark(text: str) -> None:
    """One line on standard error, if anybody reads it: how a command ends does not depend on that."""
    clear_bar()
    try:
        print(printable(text, 2000), file=sys.stderr, flush=True)
    except OSError:
        unread(sys.__stderr__)


def keep_together() -> None:
    """Tell Rich where lines end: not at a no-break space, which it takes for a space and which French sets
    before `;`, `:`, `!`, `?` and `%`; and after an option rather than in its middle.
    """
    with contextlib.suppress(ImportError):
        from rich import _wrap

        _wrap.re_word = WORD


WORD = re.compile(r"[^\S\xa0]*[\S\xa0]+?(?:(?<=,)(?=[^\W\d])|[^\S\xa0]+|\Z)")
"""A word and the spaces around it; of the options of a game or an agent each is a word, with its comma."""


def table(
    columns: Iterable[str], rows: Iterable[Iterable[object]], title: str = "", numbers: Iterable[int] = ()
) -> None:
    """Prints a table; the columns listed in `numbers` are set to the right. Where the terminal is so narrow
    that words and numbers would be cut, every row is a list of its values instead.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    keep_together()
    if title:
        say(title)
    heads = [printable(column) for column in columns]
    cells = [[printable(cell) for cell in row] for row in rows]
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    widths = widths_within(console.width, [heads, *cells])
    if widths is None:
        for row in cells:
            for head, cell in zip(heads, row, strict=True):
                if cell:
                    console.print(Text(labelled(head, cell) if head else cell))
            console.print()
        return
    right = set(numbers)
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, (head, width) in enumerate(zip(heads, widths, strict=True)):
        drawn.add_column(
            Text(head), justify="right" if number in right else "left", width=width, overflow="fold"
        )
    for row in cells:
        drawn.add_row(*map(Text, row))
    console.print(drawn)


GAP, EDGES = 3, 2
"""Columns of the terminal between two columns of a table, and at both its ends."""
LONGEST_WHOLE = 30
"""Those of the longest word that is not cut: what is longer is a path."""


def widths_within(room: int, rows: Sequence[Sequence[str]]) -> list[int] | None:
    """Return how wide the columns of a table are made, the widest narrowed first and none below its longest
    word (`LONGEST_WHOLE`); None where the words need more room.
    """
    from rich.cells import cell_len

    columns = list(zip(*rows, strict=True))
    widths = [max(map(cell_len, column)) for column in columns]
    too_wide = sum(widths) + GAP * (len(columns) - 1) + EDGES - room
    if too_wide <= 0:
        return widths
    words = [[word.rstrip() for cell in column for word in WORD.findall(cell)] for column in columns]
    least = [min(max(map(cell_len, of_column), default=0), LONGEST_WHOLE) for of_column in words]
    for _narrower in range(too_wide):
        width, widest = max((width if width > least[n] else 0, n) for n, width in enumerate(widths))
        if not width:
            return None
        widths[widest] -= 1
    return widths


progress_bar: Progress | None = None
heartbeat: Heartbeat | None = None


def watch() -> None:
    """From here on long work gives signs of life: where standard error is no terminal and
    DAMIER_QUIET is not set, a line now and then.
    """
    global heartbeat
    if heartbeat is None and not sys.stderr.isatty() and "DAMIER_QUIET" not in os.environ:
        heartbeat = Heartbeat()


def bar(done: int, total: int | None, what: str) -> None:
    """A line of progress with its rate on standard error, where that is a terminal; gone when the
    next text is printed. A line is for what is counted: what follows a semicolon in `what` may change.
    """
    global progress_bar
    if not sys.stderr.isatty():
        watch()
        if heartbeat is not None:
            heartbeat.tell(done, total, what)
        return
    if progress_bar is None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[shown]}"),
            TimeElapsedColumn(),
        )
        progress_bar = Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=8)
        progress_bar.start()
    counted = stage_of(what)
    for ended in progress_bar.tasks:  # what nothing is counted of is shown as long as it is all that is done
        if ended.fields["counted"] != counted and not ended.completed:
            progress_bar.remove_task(ended.id)
    if not any(task.fields["counted"] == counted for task in progress_bar.tasks):
        progress_bar.add_task(what, total=total, shown="", counted=counted)
    task = next(task for task in progress_bar.tasks if task.fields["counted"] == counted)
    rate = done / max(task.elapsed or 0, 1e-3)  # its own time: the stages of a job follow each other
    if not done and total is None:
        progress_bar.update(task.id, description=what)
        return
    of = grouped(done) if total is None else f"{grouped(done)} / {grouped(total)}"
    shown = f"{of}   {grouped(rate)}/s" if rate >= 1 else of
    progress_bar.update(task.id, description=what, completed=done, total=total, shown=shown)


def clear_bar() -> None:
    """Takes the line of progress away; no sign of life comes after this."""
    global progress_bar, heartbeat
    if heartbeat is not None:
        heartbeat.end()
        heartbeat = None
    if progress_bar is not None:
        progress_bar.stop()
        progress_bar = None


def percent(rate: float) -> str:
    return words.percent(rate, ".2f")


def remarks(notes: Iterable[str]) -> None:
    """Print what a person should know about how a job went."""
    for note in notes:
        remark(note)


# Signs of life of long work whose standard error is no terminal: a line after two seconds, and
# then ever more rarely.

FIRST, GROWTH, RAREST = 2.0, 1.5, 30.0
"""Seconds to the first line; how much longer each pause is than the one before; the longest pause."""


class Heartbeat:
    """A thread that says now and then how far the work is, also while the work itself says nothing."""

    def __init__(self) -> None:
        self._at: tuple[int, int | None, str] = (0, None, _("at work"))
        self._begun = self._stage_begun = time.monotonic()
        self._ended = threading.Event()
        self.thread = threading.Thread(target=self.beat, daemon=True)
        self.thread.start()

    def tell(self, done: int, total: int | None, what: str) -> None:
        """Set what the next line says. A stage is what is counted, or what is being done: what follows a
        semicolon may change.
        """
        if stage_of(what) != stage_of(self._at[2]) and self._at[2]:
            self._stage_begun = time.monotonic()
        self._at = (done, total, what)

    def end(self) -> None:
        """No line comes after this."""
        self._ended.set()
        self.thread.join(1.0)

    def line(self) -> str:
        """Return what is said now."""
        now = time.monotonic()
        return sentence(*self._at, now - self._stage_begun, now - self._begun)

    def beat(self) -> None:
        pause = FIRST
        while not self._ended.wait(pause):
            pause = min(RAREST, GROWTH * pause)
            try:
                print(printable(self.line()), file=sys.stderr, flush=True)
            except (OSError, ValueError):  # nobody reads it any more
                return


def stage_of(what: str) -> str:
    """Return what is being counted, or done, without what may change about it."""
    return what.partition(";")[0].rstrip()


def sentence(done: int, total: int | None, what: str, seconds: float, in_all: float) -> str:
    """Return how far the work is: for how long it has been at this, and for how long in all.

    >>> sentence(12000, 50000, "games", 4.2, 4.2)
    '… 12,000 / 50,000 games, 4 s'
    >>> sentence(0, None, "compiling", 2.0, 9.0)
    '… compiling, 2 s (9 s in all)'
    """
    of = "" if not done else f"{grouped(done)} " if total is None else f"{grouped(done)} / {grouped(total)} "
    if round(seconds) == round(in_all):
        return _("… {of}{what}, {seconds} s", of=of, what=what, seconds=grouped(seconds))
    return _(
        "… {of}{what}, {seconds} s ({in_all} s in all)",
        of=of,
        what=what,
        seconds=grouped(seconds),
        in_all=grouped(in_all),
    )


# The options that several commands share, declared once: their types are the parameters of the commands.


SEEDS = 1 << 62
MANY, MOST_JOBS = 1 << 40, 256


def whole(kind: object, tokens: Sequence[Token]) -> int:
    """Reads a whole number, and nothing that would have to be rounded."""
    text = tokens[0].value
    if not re.fullmatch(r"[+-]?[0-9]{1,30}", text):
        raise BadInput(
            message(
                "--{option} {text}: it must be a whole number",
                option=(tokens[0].keyword or "").lstrip("-"),
                text=text,
            )
        )
    return int(text)


def within(low: int = 1, high: int = MANY) -> Callable[[object, Sequence[Token]], int]:
    """Return what reads a whole number from `low` to `high`, and refuses any other by its option's name."""
    return lambda kind, tokens: checked_count(tokens[0].keyword or "", whole(kind, tokens), low, high)


GameName: TypeAlias = Annotated[
    str, Parameter(help=_("hexapawn, mnk:width=4,height=4, path/to/game.py … (damier games)"))
]
AgentName: TypeAlias = Annotated[str, Parameter(help=_("random, perfect, human … (damier agents)"))]
Isolated: TypeAlias = Annotated[
    bool,
    Parameter(negative=(), show_default=False, help=_("agents of others play in a sandbox, or not at all")),
]
Json: TypeAlias = Annotated[
    bool,
    Parameter(name="--json", negative=(), show_default=False, help=_("one JSON object on standard output")),
]
ClusterAddress: TypeAlias = Annotated[
    str | None,
    Parameter(
        name="--cluster",
        show_default=False,
        help=_("machines share the work: HOST:PORT of a Ray cluster, or local, for this one"),
    ),
]
Checkpoints: TypeAlias = Annotated[
    str | None,
    Parameter(
        show_default=False,
        help=_("with --cluster: a folder that all machines reach, or s3://…, keeps every layer that is done"),
    ),
]
MaxPlies: TypeAlias = Annotated[
    int, Parameter(converter=within(), help=_("a longer game is stopped, and counts as a draw"))
]
GradeEvery: TypeAlias = Annotated[
    str,
    Parameter(
        show_default=False,
        help=_("games between two grades, or never (default: as often as takes little of the time)"),
    ),
]
Seed: TypeAlias = Annotated[int, Parameter(converter=whole, help=_("the same seed gives the same games"))]
AnySeed: TypeAlias = Annotated[
    int | None,
    Parameter(
        converter=whole, help=_("the same seed gives the same game (default: a new one, which is told)")
    ),
]
Symmetry: TypeAlias = Annotated[
    bool, Parameter(negative=(), show_default=False, help=_("images of one position count as one"))
]
Moves: TypeAlias = Annotated[
    str,
    Parameter(
        show_default=False, help=_("moves from the start, with commas: a1a2,b3b2"), allow_leading_hyphen=True
    ),
]

Begin: TypeAlias = Annotated[
    str | None,
    Parameter(
        name="--position",
        show_default=False,
        help=_("begin in this position, in the game's own notation, as `replay --json` prints it"),
        allow_leading_hyphen=True,
    ),
]


@Parameter(name="*")
@dataclass
class Work:
    """Options of a long job."""

    memory: Annotated[float | None, Parameter(help=_("budget in GiB (default: half of the machine's)"))] = (
        None
    )
    pure: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("plain Python, nothing compiled"))
    ] = False
    compiled: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("compiled from the start"))
    ] = False
    quiet: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("no progress on standard error"))
    ] = False

    def job(self) -> tuple[Job, Notes]:
        """The job that these options describe, watched by a bar of progress, and what it will have
        noted. Raises BadInput.
        """
        from damier.cli import own_game

        at_most_one(pure=self.pure, compiled=self.compiled)
        if self.memory is not None and not 0 < self.memory < 1 << 20:
            raise BadInput(message("--memory {n}: it must be a number of GiB above 0", n=self.memory))
        memory = default_memory() if self.memory is None else int(self.memory * (1 << 30))
        own_game.allow(memory)
        if not self.quiet:
            watch()
        notes = Notes()
        job = Job(
            memory,
            no_progress if self.quiet else bar,
            True if self.compiled else False if self.pure else None,
            notes,
        )
        return job, notes


@Parameter(name="*")
@dataclass
class SharedWork(Work):
    """Options of a long job that several cores can share."""

    jobs: Annotated[
        int | None,
        Parameter(
            converter=within(1, MOST_JOBS), help=_("long work is shared among so many cores (default: all)")
        ),
    ] = None

    def job(self) -> tuple[Job, Notes]:
        job, notes = super().job()
        return replace(job, jobs=self.jobs or cores()), notes


def checked_seed(seed: int | None) -> int:
    """The seed, or a new one. Raises BadInput for a seed that is out of range."""
    if seed is None:
        return secrets.randbelow(1_000_000)
    if not 0 <= seed < SEEDS:
        raise BadInput(message("--seed {seed}: it must be from 0 to 2**62 - 1", seed=seed))
    return seed


Count = TypeVar("Count", bound="int | None")


def checked_count(option: str, n: Count, low: int = 1, high: int = MANY) -> Count:
    """The number, if one is given. Raises BadInput for one that is out of range."""
    if n is not None and not low <= n <= high:
        raise BadInput(
            message("{option} {n}: it must be from {low} to {high}", option=option, n=n, low=low, high=high)
        )
    return n


def checked_checkpoints(cluster: str | None, checkpoints: str | None, disk: DiskOptions | None) -> str:
    """The folder of what a cluster has done, or nothing. Raises BadInput where there is no cluster, or the
    disk of this machine is to be used beside it.
    """
    if checkpoints is not None and cluster is None:
        raise BadInput(message("--checkpoints {url}: it goes with --cluster", url=checkpoints))
    if cluster is not None and disk is not None:
        raise BadInput(message("--disk is for one machine, --cluster for several; give one of them"))
    return checkpoints or ""


def split_moves(text: str) -> list[str]:
    """The moves written in `text`, with commas or spaces between them.

    Raises IllegalMove where a comma has no move beside it.
    """
    parts = text.split(",") if text.strip() else []
    if empty := [number for number, part in enumerate(parts, 1) if not part.strip()]:
        raise IllegalMove(
            message(
                "move {n} of {text} is empty; write one comma between two moves",
                n=empty[0],
                text=text.strip(),
            )
        )
    return [move for part in parts for move in part.split()]


# Options of commands whose layers may go to disk.


@Parameter(name="*")
@dataclass
class DiskOptions:
    """Options for layers that do not fit into memory."""

    disk: Annotated[
        float | None,
        Parameter(help=_("where memory does not suffice, layers go to disk: at most so many GiB")),
    ] = None
    folder: Annotated[
        Path | None,
        Parameter(
            help=_(
                "where they lie while it works (default: beside the file of -o, where there is one, else in"
                " the user's cache)"
            )
        ),
    ] = None

    def place(
        self, game: Game, start: State, out: Path | None = None, *, symmetric: bool = False
    ) -> Disk | None:
        """Return what these options describe; None where nothing is to go to disk. Raises BadInput."""
        if self.disk is None:
            if self.folder is not None:
                raise BadInput(message("--folder is where layers on disk lie; give --disk with it"))
            return None
        if not 0 < self.disk < 1 << 20:
            raise BadInput(message("--disk {n}: it must be a number of GiB above 0", n=self.disk))
        from damier.core.code_cache import place
        from damier.lab.large import Disk

        folder = self.folder
        if folder is None and out is not None:
            folder = out.with_name(f"{out.name}.layers")
        if folder is None:
            what = repr((game.fingerprint(), game.options, tuple(start), symmetric))
            folder = place() / f"layers-{hashlib.sha256(what.encode()).hexdigest()[:16]}"
        return Disk(folder, int(self.disk * (1 << 30)))


def refuse_out(out: Path | None, file: object) -> None:
    """Raises BadInput where something is to be written of what has no picture and no table: else nobody
    would see that it was not.
    """
    if out is not None:
        raise BadInput(
            message("-o {path}: nothing is written of {file}; --json prints it", path=out, file=file)
        )
