"""`damier study positions`: what each part of the recipe of `selective` is worth on positions whose
best moves are known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from damier.cli.output import remarks, report, table
from damier.core.words import _, grouped

if TYPE_CHECKING:
    from damier.core.job import Notes
    from damier.lab.agents import Lab
    from damier.lab.known_positions import SolvedRow
    from damier.lab.workers.hiring import Hiring


class PositionsReport(TypedDict):
    """The searches that were compared."""

    game: str
    rows: list[SolvedRow]


def study_positions(
    lab: Lab, notes: Notes, depths: list[int], nodes: int, json: bool, hire: Hiring | None = None
) -> None:
    """What each part of the selective search is worth on positions whose best moves are known."""
    from damier.lab.known_positions import solved_by, ways

    rows = list(solved_by(lab, ways(depths, nodes), hire))
    remarks(notes)
    data: PositionsReport = {
        "game": lab.game.text,
        "rows": [{**row, "seconds": round(row["seconds"], 3)} for row in rows],
    }
    report(data, json, lambda: show_positions(data))


def show_positions(data: PositionsReport) -> None:
    """A line a way to search."""
    table(
        [_("searched with"), _("solved"), _("depth"), _("nodes"), _("CPU seconds")],
        [
            [
                row["agent"],
                f"{row['solved']}/{row['positions']}",
                f"{row['plies']:.1f}",
                grouped(row["nodes"]),
                f"{row['seconds']:.2f}",
            ]
            for row in data["rows"]
        ],
        numbers=[1, 2, 3, 4],
    )
