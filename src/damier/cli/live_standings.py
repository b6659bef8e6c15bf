"""The standings of a tournament while it is played, on a terminal."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from damier.cli.live import terminal
from damier.cli.output import clear_bar
from damier.core.job import Job, no_progress
from damier.core.words import _, printable
from damier.lab.tournament_report import cells, heads, progress_of, title

if TYPE_CHECKING:
    from rich.console import Group

    from damier.arena.standings import Results
    from damier.arena.tournament import Tournament

REST = 0.5
"""The fewest seconds between two pictures."""
SHARE = 16
"""And so many times as long as a picture takes to work out."""


@contextlib.contextmanager
def watching(tournament: Tournament, job: Job) -> Iterator[Callable[[Results], None]]:
    """Something to call when games have been kept: on a terminal it shows the table while the block
    runs, then takes it away; elsewhere it tells the job how far it is.
    """
    console = None if job.progress is no_progress else terminal()
    if console is None:
        yield lambda results: job.progress(results.games, tournament.games, _("games"))
        return
    from rich.live import Live

    clear_bar()
    due = time.monotonic() + REST
    with Live(console=console, auto_refresh=False, transient=True) as live:

        def paint(results: Results) -> None:
            nonlocal due
            begun = time.monotonic()
            if begun >= due:
                live.update(picture(tournament, results, console.height - 6), refresh=True)
                due = time.monotonic() + max(REST, SHARE * (time.monotonic() - begun))

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
