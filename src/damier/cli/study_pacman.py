"""`damier study evaluation pacman`: Pacman's laboratory, hundreds of games over depth × evaluation ×
kind of ghosts (document [S2]).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from damier.cli.output import remarks, report, table
from damier.core.errors import BadInput
from damier.core.words import _, grouped, message

if TYPE_CHECKING:
    from collections.abc import Iterable

    from damier.core.job import Notes
    from damier.lab.agents import Lab
    from damier.lab.pacman_study import PacmanCell, PacmanPlan
    from damier.lab.workers import Hiring


class PacmanRow(TypedDict):
    """What became of one setting; `replay` shows its first game."""

    ghosts: str
    evaluate: str
    depth: int
    wins: int
    games: int
    win: float
    interval: list[float]
    score: float
    lowest: int
    highest: int
    unfinished: int
    scores: list[int]
    replay: str


class PacmanReport(TypedDict):
    """All settings; game number n of each is that of the seed + n."""

    game: str
    unit: str
    games: int
    seed: int
    max_plies: int
    rows: list[PacmanRow]


def depths_in(text: str, option: str = "--plies") -> list[int]:
    """The depths written in `text`. Raises BadInput."""
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and 0 < int(part) <= 1000 for part in parts):
        raise BadInput(
            message(
                "{option} {text}: it must be whole numbers above 0 with commas between them, like 1,2,3",
                option=option,
                text=text,
            )
        )
    return [int(part) for part in parts]


def evaluations_in(features: Iterable[str], text: str) -> list[str]:
    """The evaluations written in `text`; if it is empty, none, and every feature of the game alone."""
    return ["" if part == "none" else part for part in text.split(",")] if text else ["", *features]


def pacman_plan(
    plies: str | None,
    rounds: str | None,
    evaluate: str,
    against: list[str] | None,
    games: int | None,
    seed: int,
) -> PacmanPlan:
    """What Pacman's laboratory is to play. Raises BadInput."""
    from damier.lab.pacman_study import EVALUATIONS, GAMES, GHOSTS, ROUNDS, PacmanPlan

    if plies and rounds:
        raise BadInput(message("--plies and --rounds both say how deep; give one of them"))
    written = plies or rounds
    option = "--plies" if plies else "--rounds"
    return PacmanPlan(
        tuple(dict.fromkeys(against or GHOSTS)),
        tuple(dict.fromkeys(evaluations_in((), evaluate))) if evaluate else EVALUATIONS,
        tuple(dict.fromkeys(depths_in(written, option))) if written else ROUNDS,
        "plies" if plies else "rounds",
        games or GAMES,
        seed,
    )


def study_pacman(
    lab: Lab, notes: Notes, plan: PacmanPlan, out: Path | None, json: bool, hire: Hiring | None = None
) -> None:
    """Plays, tells, and draws if a file is given."""
    from damier.lab.pacman_study import LONGEST, PacmanStudy, cells_of

    cells = cells_of(plan, list(PacmanStudy(lab, plan).games(hire)))
    remarks(notes)
    data: PacmanReport = {
        "game": lab.game.text,
        "unit": plan.unit,
        "games": plan.games,
        "seed": plan.seed,
        "max_plies": LONGEST,
        "rows": [row_of(lab, plan, cell) for cell in cells],
    }
    if out is not None:
        from damier.draw.picture_files import write_picture
        from damier.lab.pacman_study import picture

        write_picture(picture(lab.game.text, plan, cells), out)
    report(data, json, lambda: show_cells(lab, plan, cells))


def row_of(lab: Lab, plan: PacmanPlan, cell: PacmanCell) -> PacmanRow:
    from damier.lab.pacman_study import LONGEST

    scores = [game.score for game in cell.games]
    pacman = plan.pacman(cell.setting)
    return {
        "ghosts": cell.setting.ghosts,
        "evaluate": cell.setting.evaluate or "none",
        "depth": cell.setting.depth,
        "wins": cell.wins,
        "games": len(cell.games),
        "win": cell.win,
        "interval": list(cell.interval),
        "score": cell.score,
        "lowest": min(scores),
        "highest": max(scores),
        "unfinished": cell.unfinished,
        "scores": scores,
        "replay": (
            f"damier play {lab.game.text} {pacman} {cell.setting.ghosts} --seed {plan.seed}"
            f" --max-plies {LONGEST}"
        ),
    }


def show_cells(lab: Lab, plan: PacmanPlan, cells: list[PacmanCell]) -> None:
    """A table for every kind of ghosts: a line an evaluation, a column a depth."""
    from damier.lab.pacman_study import (
        depth_in_words,
        evaluation_in_words,
        ghosts_in_words,
        measured_in_words,
        title_of,
    )

    title = _("{title}, {what}", title=title_of(lab.game.text), what=measured_in_words(plan))
    for ghosts in plan.ghosts:
        rows = []
        for evaluate in plan.evaluations:
            row = [cell for cell in cells if cell.setting[:2] == (ghosts, evaluate)]
            rows.append((evaluation_in_words(evaluate), *map(in_short, row)))
        columns = [ghosts_in_words(ghosts), *(depth_in_words(plan, depth) for depth in plan.depths)]
        table(columns, rows, title, numbers=range(1, len(columns)))
        title = ""


def in_short(cell: PacmanCell) -> str:
    """A cell of the table."""
    low, high = cell.interval
    return f"{100 * cell.win:.0f} % ({100 * low:.0f}–{100 * high:.0f}), {grouped(round(cell.score))}"
