"""A training as it goes, on a terminal: how far it is, what the games of the last block came to,
what the learner is worth under its ceiling, and, where there is room, all that it knows (row A-23).
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from damier.cli.command import clear_bar
from damier.core.game import Game
from damier.core.job import Job, no_progress
from damier.core.words import _, decimal, grouped, ngettext, printable
from damier.draw.curve import ASCII, BLOCKS, LEAST, Series, Signs, curve_line, curve_text, signs_for
from damier.draw.text import TableLine, columns_of, position_name, table_lines
from damier.lab.curves import of_training, point, rates_in_words, title_of
from damier.lab.tournament import cells, heads, progress_of, title
from damier.lab.training import Trainer
from damier.learn.action_values import Memory, Row, written_move
from damier.learn.player import LearningPlayer
from damier.learn.training import Training

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    from damier.arena.standings import Results
    from damier.arena.tournament import Tournament

REST = 0.1
"""The fewest seconds between two pictures."""
SHARE = 16
"""And so many times as long as a picture takes to draw."""
STEADY = 1.0
"""Seconds of playing after which their rate says how long the rest takes: the first games are plain
Python.
"""
SMALLEST = (40, 9)
"""Columns and lines below which nothing is shown."""
CURVE = (40, 12)
"""The fewest columns of a curve beside the table, and the most lines."""
MOST_LINES = 100
"""The most positions that are shown."""
AFTER = -1
"""The column of what a position is worth that has been moved to: it has no move of its own."""


@dataclass(frozen=True)
class View:
    """A moment of a training, as data.

    Attributes:
        games: how many there will be
        per_second: games in a second
        left: seconds to go, None while nobody can say
        lines: what the learner knows, None where that is more than a terminal shows
        known: how many positions it knows
        marked: which of them it met last
        stage: what is going on between the games
    """

    title: str
    curve: Series
    games: int
    per_second: float
    left: int | None = None
    known: int = 0
    lines: list[TableLine] | None = None
    marked: int | None = None
    stage: str = ""


@contextlib.contextmanager
def watching(made: Trainer, games: int) -> Iterator[None]:
    """Shows the training on standard error while the block runs, where that is a terminal that can;
    then takes it away.
    """
    console = terminal()
    if console is None:
        yield
        return
    clear_bar()
    watch, job = Watch(made, games, console), made.lab.job
    made.training.report, made.lab.job = watch.shown, replace(job, progress=watch.progress)
    try:
        yield
    finally:
        made.lab.job = job
        watch.close()


def terminal() -> Console | None:
    """Standard error, if it is a terminal that can be painted on."""
    if not sys.stderr.isatty():
        return None
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    return console if console.is_terminal and not console.is_dumb_terminal else None


class Watch:
    """Live display of a training, painted a few times a second."""

    def __init__(self, made: Trainer, games: int, console: Console) -> None:
        self.made, self.games, self.console = made, games, console
        self.signs = signs_for(console.encoding)
        self.stage = ""
        self._live: Live | None = None
        self._next = 0.0  # when the next picture is due

    def shown(self, training: Training) -> None:
        """Called after every chunk of games."""
        self.stage = ""
        self._paint_if_due(self._graded)

    def progress(self, done: int, total: int | None, what: str) -> None:
        """Called by the job: also while what grades the learner is being made, so that nothing is
        graded here.
        """
        if what != _("games"):
            of = grouped(done) if total is None else f"{grouped(done)} / {grouped(total)}"
            self.stage = _("{what}: {n}", what=what, n=of) if done or total is not None else what
            self._paint_if_due(partial(of_training, self.made))

    def view(self, curve: Series) -> View:
        """This moment."""
        training, learner = self.made.training, self.made.learner
        known, lines, marked = len(learner.memory), None, None
        if isinstance(learner, LearningPlayer):
            lines = known_lines(learner.memory, learner.name) if known <= MOST_LINES else None
            marked = learner.last_row
        rate = training.games_per_second
        left = int((self.games - training.episodes) / rate) if training.seconds > STEADY else None
        return View(title_of(self.made), curve, self.games, rate, left, known, lines, marked, self.stage)

    def _graded(self) -> Series:
        """The curve so far, the block that is not yet full graded as well."""
        curve, training = of_training(self.made), self.made.training
        block = training.curve.blocks[-1]
        if block.grade is not None:
            return curve
        graded = replace(block, grade=training.grade(self.made.learner))
        self.stage = ""
        return replace(
            curve,
            points=(*curve.points[:-1], point(graded, curve.points[-1].games, self.made.plan.seat or "1")),
        )

    def close(self) -> None:
        """Takes the picture away."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _paint_if_due(self, curve: Callable[[], Series]) -> None:
        begun = time.monotonic()
        if begun < self._next or self.made.training.episodes >= self.games:
            return
        width, height = self.console.size
        if width >= SMALLEST[0] and height >= SMALLEST[1]:
            self._paint(painted(self.view(curve()), width, height, self.signs))
        self._next = time.monotonic() + max(REST, SHARE * (time.monotonic() - begun))

    def _paint(self, picture: Text) -> None:
        """Fills the screen: a screen of its own, so that nothing is left behind, however the window
        changes its size.
        """
        from rich.live import Live

        if self._live is None:
            self._live = Live(
                console=self.console,
                screen=True,
                auto_refresh=False,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
        self._live.update(picture, refresh=True)


def painted(view: View, width: int, height: int, signs: Signs = BLOCKS) -> Text:
    """The moment as it stands on a terminal of this size; the position met last is on red."""
    from rich.text import Text

    lines, marked = laid_out(view, width, height, signs)
    if signs is ASCII:
        lines = [line.encode("ascii", "replace").decode() for line in lines]
    picture = Text("", no_wrap=True, overflow="crop", end="")
    for number, line in enumerate(lines):
        picture.append(line + ("\n" if number < len(lines) - 1 else ""), "bold" if number == 0 else None)
        if number == marked[0]:
            begin = len(picture) - len(line) - (number < len(lines) - 1)
            picture.stylize("bold white on red", begin, min(begin + marked[1], begin + len(line)))
    return picture


def laid_out(view: View, width: int, height: int, signs: Signs) -> tuple[list[str], tuple[int, int]]:
    """Every line of the picture; which of them is marked (-1: none), and up to which column.

    The table stands beside the curve, else above it, else alone with the curve in a line; where it
    does not fit, the curve stands alone.
    """
    head = [
        printable(view.title, width),
        progress_line(view, width, signs),
        rates_in_words(view.curve.points[-1]) if view.curve.points else "",
        "  ".join(state_words(view)),
    ]
    room = height - len(head) - 1
    table = table_lines(view.lines, view.marked, signs.marker, {AFTER: "V"}) if view.lines else []
    across = max(map(columns_of, table), default=0)
    if not table or len(table) > room or across > width:
        hint = _("{n} positions known", n=grouped(view.known))
        if table:
            hint += _(
                "; a terminal of {columns} × {lines} shows their values",
                columns=across,
                lines=len(table) + len(head) + 1,
            )
        curve = (
            curve_text(view.curve, width, min(room - 1, CURVE[1]), view.games, signs).split("\n")
            if room > LEAST
            else []
        )
        return [*head, "", *curve, hint][:height], (-1, 0)
    marked = (-1 if view.marked is None else len(head) + 2 + view.marked, across)
    left = width - across - 3
    if left >= CURVE[0] and room >= LEAST:
        curve = curve_text(view.curve, left, min(room, CURVE[1]), view.games, signs).split("\n")
        beside = [
            (table[i] if i < len(table) else "", curve[i] if i < len(curve) else "")
            for i in range(max(len(table), len(curve)))
        ]
        return [
            *head,
            "",
            *(f"{one}{' ' * (across + 3 - columns_of(one))}{other}".rstrip() for one, other in beside),
        ], marked
    below = room - len(table) - 1
    if below >= LEAST:
        return [
            *head,
            "",
            *table,
            "",
            *curve_text(view.curve, width, min(below, CURVE[1]), view.games, signs).split("\n"),
        ], marked
    head[-1] = (
        head[-1] + "  " + curve_line(view.curve, max(8, width - columns_of(head[-1]) - 2), view.games, signs)
    )
    return [*head, "", *table], marked


def progress_line(view: View, width: int, signs: Signs) -> str:
    """Return how far it is: a bar, games, games a second, and the time to go."""
    done = view.curve.points[-1].games if view.curve.points else 0
    words = (
        f"{grouped(done)} / "
        + ngettext("{n} game", "{n} games", view.games, n=grouped(view.games))
        + "  "
        + _("{n}/s", n=grouped(view.per_second))
    )
    if view.left is not None:
        words += "  " + _(
            "{time} to go", time=f"{view.left // 3600}:{view.left // 60 % 60:02}:{view.left % 60:02}"
        )
    length = min(40, width - len(words) - 4)
    filled = length * done // max(1, view.games)
    return (f"[{signs.levels[-1] * filled}{' ' * (length - filled)}]  " if length >= 8 else "") + words


def state_words(view: View) -> list[str]:
    """Return how the learner explores, what it is worth, and what is going on besides."""
    words = ["ε " + decimal(view.curve.points[-1].epsilon, ".3f")] if view.curve.points else []
    graded = view.curve.graded
    if graded:
        words += [
            _("grade {payoff}", payoff=decimal(graded[-1][1], "+.4f")),
            _("ceiling {payoff}", payoff=decimal(view.curve.ceilings[-1], "+.4f")),
        ]
        words.append(_("against {against}", against=view.curve.against))
    return [*words, view.stage] if view.stage else words


def known_lines(memory: Memory, name: str) -> list[TableLine]:
    """Every position that a learner knows, with its values to two decimals, or its beads."""
    return [
        TableLine(position_name(memory.game, row.state), cells_of(memory.game, row, name))
        for row in memory.rows()
    ]


def cells_of(game: Game, row: Row, name: str) -> dict[int, str]:
    """Return what a row says under each column, by the number of the move."""
    texts = (
        [str(count) for count in row.counts]
        if name == "beads"
        else [decimal(value, ".2f") for value in row.values]
    )
    return {
        written_move(game, move) if move else AFTER: text for move, text in zip(row.moves, texts, strict=True)
    }


# The standings of a tournament while it is played, on a terminal.

STANDINGS_REST = 0.5
"""The fewest seconds between two pictures."""
STANDINGS_SHARE = 16
"""And so many times as long as a picture takes to work out."""


@contextlib.contextmanager
def watching_standings(tournament: Tournament, job: Job) -> Iterator[Callable[[Results], None]]:
    """Something to call when games have been kept: on a terminal it shows the table while the block
    runs, then takes it away; elsewhere it tells the job how far it is.
    """
    console = None if job.progress is no_progress else terminal()
    if console is None:
        yield lambda results: job.progress(results.games, tournament.games, _("games"))
        return
    from rich.live import Live

    clear_bar()
    due = time.monotonic() + STANDINGS_REST
    with Live(console=console, auto_refresh=False, transient=True) as live:

        def paint(results: Results) -> None:
            nonlocal due
            begun = time.monotonic()
            if begun >= due:
                live.update(picture(tournament, results, console.height - 6), refresh=True)
                due = time.monotonic() + max(STANDINGS_REST, STANDINGS_SHARE * (time.monotonic() - begun))

        yield paint


def picture(tournament: Tournament, results: Results, room: int) -> Group:
    """As many lines of the table as there is room for, and how far the tournament is."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from damier.arena.standings import standings

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, head in enumerate(heads()):
        drawn.add_column(Text(head), justify="left" if number == 1 else "right", no_wrap=True)
    lines = standings([entrant.name for entrant in tournament.plan.entrants], results)
    for line in lines[: max(1, room)]:
        drawn.add_row(*(Text(printable(cell)) for cell in cells(line)))
    plan = tournament.plan
    head = title(plan.game_text, tournament.id, len(plan.entrants))
    return Group(Text(head), drawn, Text(progress_of(results.games, tournament.games, plan.seed)))
