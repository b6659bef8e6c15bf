"""What search.md says of options of alpha-beta, and its picture: depth × evaluation (row A-54)."""

from __future__ import annotations

from collections.abc import Callable

from damier import load
from damier.core.analysis import Limit
from damier.core.job import Job
from damier.draw.line_charts import IntervalLine, IntervalPoint, depths_svg
from damier.lab.agents import Lab
from damier.plugins.studies.measurements import entries
from damier.search.alphabeta import Options, alphabeta
from measured.french import said
from measured.writing import Untrue, table

STUDIED, DEPTHS, EVALUATIONS = "tictactoe", (1, 2, 3, 4), ("", "lines", "threats")
BOARD, PLIES = "connect_four", 11


def windows() -> str:
    """Nodes with full windows and with null windows."""
    game, rows, values = load(BOARD), [], set()
    for name, options in (
        ("nothing else", {}),
        ("`table=true`", {"table": True}),
        ("`table=true,order=true`", {"table": True, "order": True}),
        ("`table=true,order=true,deepen=true`", {"table": True, "order": True, "deepen": True}),
    ):
        cells = []
        for window in ("full", "null"):
            found = alphabeta(
                game,
                game.start,
                Limit(plies=PLIES),
                Options(**options, window=window),
                job=Job(jit=True),
                explain=False,
            )  # type: ignore[arg-type]
            cells.append(f"{found.nodes:,}")
            values.add((found.value, found.best))
        rows.append((name, *cells))
    if len(values) != 1:
        raise Untrue("every option finds the same value and the same best moves")
    return table((f"`{BOARD}`, {PLIES} plies, with", "nodes, `window=full`", "nodes, `window=null`"), rows)


def picture() -> str:
    lab = Lab(load(STUDIED), Job())
    lines: dict[str, list[IntervalPoint]] = {}
    for entry in entries(lab, list(DEPTHS), list(EVALUATIONS), "random"):
        name = said("none") if entry["evaluate"] == "none" else entry["evaluate"]
        lines.setdefault(name, []).append(IntervalPoint(entry["plies"], entry["payoff"]))
    evaluated = [IntervalLine(name, tuple(values)) for name, values in lines.items()]
    return depths_svg(
        evaluated,
        said("Tic-tac-toe: alphabeta against random"),
        said("exact mean payoff of both seats"),
        least=-1,
    )


BLOCKS: dict[str, Callable[[], str]] = {"search-windows": windows}
PICTURES: dict[str, Callable[[], str]] = {"search.svg": picture}
