"""A study of Pacman as a picture and in words: what the command and the page show alike."""

from __future__ import annotations

from collections.abc import Sequence

from damier.core.words import _, grouped, ngettext
from damier.draw.heat import HeatCell, HeatPanel, heat_svg
from damier.lab.pacman_study import PacmanCell, PacmanPlan, ghosts_in_words


def panels(plan: PacmanPlan, cells: Sequence[PacmanCell]) -> list[HeatPanel]:
    """A panel for every kind of ghosts: a row an evaluation, a column a depth."""
    found = {cell.setting: (number, cell) for number, cell in enumerate(cells)}
    columns = tuple(depth_in_words(plan, depth) for depth in plan.depths)
    made = []
    for ghosts in plan.ghosts:
        rows = []
        for evaluate in plan.evaluations:
            row = [found[setting] for setting in plan.settings if setting[:2] == (ghosts, evaluate)]
            rows.append(
                (evaluation_in_words(evaluate), tuple(heat_cell(plan, number, cell) for number, cell in row))
            )
        made.append(HeatPanel(ghosts_in_words(ghosts), columns, tuple(rows)))
    return made


def picture(game: str, plan: PacmanPlan, cells: Sequence[PacmanCell]) -> str:
    """All panels, as SVG text."""
    return heat_svg(panels(plan, cells), title_of(game), measured_in_words(plan))


def heat_cell(plan: PacmanPlan, number: int, cell: PacmanCell) -> HeatCell:
    """One cell, by its number."""
    low, high = cell.interval
    return HeatCell(
        cell.win if cell.games else None,
        low,
        high,
        _("score {score}", score=grouped(round(cell.score))),
        cell_in_words(plan, cell),
        str(number),
    )


def title_of(game: str) -> str:
    return _("{game}: depth × evaluation × ghosts", game=game)


def measured_in_words(plan: PacmanPlan) -> str:
    """What the numbers are."""
    return _(
        "how often Pacman eats all the food, with 95 % intervals, of {n} games each; below it the mean score",
        n=grouped(plan.games),
    )


def depth_in_words(plan: PacmanPlan, depth: int) -> str:
    """How far Pacman looks ahead."""
    if plan.unit == "rounds":
        return ngettext("{n} round", "{n} rounds", depth)
    return ngettext("{n} ply", "{n} plies", depth)


def evaluation_in_words(evaluate: str) -> str:
    return evaluate or _("none")


def cell_in_words(plan: PacmanPlan, cell: PacmanCell) -> str:
    """A cell as a sentence."""
    ghosts, evaluate, depth = cell.setting
    where = f"{ghosts_in_words(ghosts)}, {evaluation_in_words(evaluate)}, {depth_in_words(plan, depth)}"
    if not cell.games:
        return _("{where}: not played yet", where=where)
    low, high = cell.interval
    return _(
        "{where}: {wins} of {n} won ({low}–{high} %), mean score {score}",
        where=where,
        wins=cell.wins,
        n=len(cell.games),
        low=f"{100 * low:.0f}",
        high=f"{100 * high:.0f}",
        score=grouped(round(cell.score)),
    )
