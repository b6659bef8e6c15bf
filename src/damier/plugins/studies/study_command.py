"""`damier study`: what depth and evaluation are worth together (row A-54), and how fast the tree of
a game grows (row A-53).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal, TypedDict

from cyclopts import Parameter

from damier.cli.command import (
    ClusterAddress,
    GameName,
    Json,
    Outcome,
    Report,
    Seed,
    SharedWork,
    checked_seed,
    percent,
    report,
    say,
    table,
    within,
)
from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.words import _, decimal, grouped, message, ngettext
from damier.draw.line_charts import IntervalLine, IntervalPoint, depths_svg
from damier.draw.picture_files import require_picture, write_picture
from damier.lab import pacman_study
from damier.lab.agents import Lab
from damier.lab.games import load
from damier.lab.pacman_study import PacmanCell, PacmanPlan
from damier.lab.workers import Hiring, hired
from damier.plugins.studies.measurements import (
    SolvedRow,
    StudyRow,
    entries,
    growth,
    solved_by,
    ways,
)

PLIES = "1,2,3,4"

Kind = Annotated[
    Literal["evaluation", "growth", "positions"],
    Parameter(
        help=_(
            "evaluation: depth × evaluation, of pacman × ghosts too; growth: moves a position and plies a"
            " game; positions: what each part of the recipe of `selective` is worth on known positions"
        )
    ),
]


class EvaluationReport(TypedDict):
    """Report of depth × evaluation; `games` is None where it is exact."""

    game: str
    against: str
    exact: bool
    games: int | None
    seed: int
    rows: list[StudyRow]


TAKEN: Mapping[str, frozenset[str]] = {
    "evaluation": frozenset({"--plies", "--evaluate", "--against", "--games"}),
    "growth": frozenset({"--games"}),
    "positions": frozenset({"--plies"}),
}
"""The options that a study looks at, of those that not all take; that of Pacman takes all."""


def study(
    kind: Kind,
    game: GameName,
    /,
    *,
    plies: Annotated[str | None, Parameter(help=_("the depths, with commas [default: 1,2,3,4]"))] = None,
    rounds: Annotated[
        str | None,
        Parameter(
            help=_("pacman: the depths in rounds, a move of Pacman and of every ghost [default: 1,2,3]")
        ),
    ] = None,
    evaluate: Annotated[
        str, Parameter(help=_("the evaluations, with commas; none: every position is worth 0"))
    ] = "",
    against: Annotated[
        list[str] | None,
        Parameter(
            negative=(),
            help=_(
                "the opponent [default: random]; pacman: who plays the ghosts, given once for each kind"
                " [default: random, chase, and ghosts that look one round ahead]"
            ),
        ),
    ] = None,
    games: Annotated[
        int | None,
        Parameter(
            converter=within(),
            help=_(
                "play so many games instead of an exact grade; growth: random games (1000); pacman: games of"
                " each cell (20)"
            ),
        ),
    ] = None,
    nodes: Annotated[
        int, Parameter(converter=within(), help=_("positions: nodes that each may take"))
    ] = 100_000,
    seed: Seed = 0,
    out: Annotated[
        Path | None, Parameter(name=("--out", "-o"), help=_("evaluation: draw it too: .svg, .png or .pdf"))
    ] = None,
    cluster: ClusterAddress = None,
    work: SharedWork | None = None,
    json: Json = False,
) -> None:
    if out is not None:
        if kind != "evaluation":
            raise BadInput(
                message(
                    "-o {path}: a picture goes with study evaluation; study {kind} has none",
                    path=out,
                    kind=kind,
                )
            )
        require_picture(out)
    job, notes = (work or SharedWork()).job()
    lab = Lab(load(game), job, seed=checked_seed(seed))
    given = {
        "--plies": plies,
        "--rounds": rounds,
        "--evaluate": evaluate,
        "--against": against,
        "--games": games,
    }
    refuse_unused(kind, lab.game, [option for option, value in given.items() if value])
    with hired(cluster, job) as hire:
        if kind == "positions":
            found = studied_positions(lab, depths_in(plies or PLIES), nodes, hire)
        elif kind == "evaluation" and lab.game.name == "pacman":
            plan = pacman_plan(plies, rounds, evaluate, against, games, seed)
            found = studied_pacman(lab, plan, hire)
        elif kind == "growth":
            found = studied_growth(lab, 1000 if games is None else games, seed, hire)
        else:
            depths, evaluations = depths_in(plies or PLIES), evaluations_in(lab.game.features, evaluate)
            found = studied_evaluation(lab, depths, evaluations, only_one(against), games, seed, hire)
    if out is not None:
        write_picture(found.svg(), out)
    report(found.data, json, found.show, out, notes=notes)


def refuse_unused(kind: str, game: Game, given: Iterable[str]) -> None:
    """Raises BadInput for an option that would change nothing: who gave it believes that it did."""
    for option in given:
        if option not in TAKEN[kind] and (kind, game.name) != ("evaluation", "pacman"):
            raise BadInput(
                message("study {kind} of {game} takes no {option}", kind=kind, game=game.text, option=option)
            )


def only_one(against: list[str] | None) -> str:
    """The opponent of a study of two players. Raises BadInput where there are several."""
    if against and len(against) > 1:
        raise BadInput(message("--against is given {n} times; only pacman has several kinds", n=len(against)))
    return against[0] if against else "random"


def studied_evaluation(
    lab: Lab,
    depths: list[int],
    evaluations: list[str],
    against: str,
    games: int | None,
    seed: int,
    hire: Hiring | None,
) -> Outcome:
    """Depth × evaluation: exact, or played."""
    data: EvaluationReport = {
        "game": lab.game.text,
        "against": against,
        "exact": games is None,
        "games": games,
        "seed": seed,
        "rows": list(entries(lab, depths, evaluations, against, games, seed, hire)),
    }
    return Outcome(data, lambda: show_evaluation(data, depths), lambda: picture(data))


def measured_in_words(data: EvaluationReport) -> str:
    """Return what the numbers of a study are."""
    if data["games"] is None:
        return _("exact mean payoff of both seats")
    return _("games won, with 95 % intervals, of {n} each", n=grouped(data["games"]))


def title_of(data: EvaluationReport) -> str:
    return _("{game}: alphabeta against {against}", game=data["game"], against=data["against"])


def picture(data: EvaluationReport) -> str:
    """The plot of a study, as SVG text: a line an evaluation."""
    lines: dict[str, list[IntervalPoint]] = {}
    for row in sorted(data["rows"], key=lambda row: int(row["plies"])):
        value = IntervalPoint(
            row["plies"], row["payoff"] if data["exact"] else row["win"], *row.get("interval", ())
        )
        lines.setdefault(row["evaluate"], []).append(value)
    evaluated = [IntervalLine(name, tuple(values)) for name, values in lines.items()]
    return depths_svg(evaluated, title_of(data), measured_in_words(data), least=-1 if data["exact"] else 0)


def show_evaluation(data: EvaluationReport, depths: list[int]) -> None:
    """A line an evaluation, a column a depth."""
    lines: dict[str, list[str]] = {}
    for row in data["rows"]:
        rate = f" ({percent(row['interval'][0])}–{percent(row['interval'][1])})" if "interval" in row else ""
        lines.setdefault(row["evaluate"], []).append(
            decimal(row["payoff"], "+.4f") if data["exact"] else f"{percent(row['win'])}{rate}"
        )
    title = _("{title}, {what}", title=title_of(data), what=measured_in_words(data))
    columns = [_("evaluation"), *(ngettext("{n} ply", "{n} plies", depth) for depth in depths)]
    table(columns, [(name, *cells) for name, cells in lines.items()], title, numbers=range(1, len(columns)))


def studied_growth(lab: Lab, games: int, seed: int, hire: Hiring | None) -> Outcome:
    """b and m of a game."""
    found = growth(lab.game, games, seed, lab.job, hire)
    data: Report = {
        "game": lab.game.text,
        "games": games,
        "seed": seed,
        **asdict(found),
        "log10": found.magnitude,
    }

    def tell() -> None:
        say(_("{game}, {n} random games, seed {seed}:", game=lab.game.text, n=grouped(games), seed=seed))
        say(
            _(
                "b = {b} legal moves a position, m = {m} plies a game (from {low} to {high})",
                b=decimal(found.b, ".2f"),
                m=decimal(found.m, ".2f"),
                low=found.shortest,
                high=found.longest,
            )
        )
        say(_("b to the power of m is about 10 to the power of {n}", n=decimal(found.magnitude, ".1f")))

    return Outcome(data, tell)


# `damier study positions`: what each part of the recipe of `selective` is worth on positions whose
# best moves are known.


def studied_positions(lab: Lab, depths: list[int], nodes: int, hire: Hiring | None) -> Outcome:
    """Return what each part of the selective search is worth on positions whose best moves are known."""
    rows = list(solved_by(lab, ways(depths, nodes), hire))
    for row in rows:
        row["seconds"] = round(row["seconds"], 3)
    return Outcome({"game": lab.game.text, "rows": rows}, lambda: show_positions(rows))


def show_positions(rows: Iterable[SolvedRow]) -> None:
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
            for row in rows
        ],
        numbers=[1, 2, 3, 4],
    )


# `damier study evaluation pacman`: Pacman's laboratory, hundreds of games over depth × evaluation ×
# kind of ghosts (document [S2]).


def depths_in(text: str, option: str = "--plies") -> list[int]:
    """The depths written in `text`. Raises BadInput."""
    parts = text.split(",")
    if not all(
        part.isascii() and part.isdigit() and len(part) <= 4 and 0 < int(part) <= 1000 for part in parts
    ):
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
    """Return what Pacman's laboratory is to play. Raises BadInput."""
    if plies and rounds:
        raise BadInput(message("--plies and --rounds both say how deep; give one of them"))
    written = plies or rounds
    option = "--plies" if plies else "--rounds"
    return PacmanPlan(
        tuple(dict.fromkeys(against or pacman_study.GHOSTS)),
        tuple(dict.fromkeys(evaluations_in((), evaluate))) if evaluate else pacman_study.EVALUATIONS,
        tuple(dict.fromkeys(depths_in(written, option))) if written else pacman_study.ROUNDS,
        "plies" if plies else "rounds",
        games or pacman_study.GAMES,
        seed,
    )


def studied_pacman(lab: Lab, plan: PacmanPlan, hire: Hiring | None) -> Outcome:
    """Depth × evaluation × kind of ghosts."""
    cells = pacman_study.cells_of(plan, list(pacman_study.PacmanStudy(lab, plan).games(hire)))
    data: Report = {
        "game": lab.game.text,
        "unit": plan.unit,
        "games": plan.games,
        "seed": plan.seed,
        "max_plies": pacman_study.LONGEST,
        "rows": [pacman_row(lab, plan, cell) for cell in cells],
    }
    return Outcome(
        data,
        lambda: show_cells(lab, plan, cells),
        lambda: pacman_study.picture(lab.game.text, plan, cells),
    )


def pacman_row(lab: Lab, plan: PacmanPlan, cell: PacmanCell) -> Report:
    """Result of one setting; `replay` shows its first game."""
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
            f" --max-plies {pacman_study.LONGEST}"
        ),
    }


def show_cells(lab: Lab, plan: PacmanPlan, cells: list[PacmanCell]) -> None:
    """A table for every kind of ghosts: a line an evaluation, a column a depth."""
    title = _(
        "{title}, {what}",
        title=pacman_study.title_of(lab.game.text),
        what=pacman_study.measured_in_words(plan),
    )
    for ghosts in plan.ghosts:
        rows = []
        for evaluate in plan.evaluations:
            row = [cell for cell in cells if cell.setting[:2] == (ghosts, evaluate)]
            rows.append((pacman_study.evaluation_in_words(evaluate), *map(in_short, row)))
        depths = (pacman_study.depth_in_words(plan, depth) for depth in plan.depths)
        columns = [pacman_study.ghosts_in_words(ghosts), *depths]
        table(columns, rows, title, numbers=range(1, len(columns)))
        title = ""


def in_short(cell: PacmanCell) -> str:
    """A cell of the table."""
    low, high = cell.interval
    return f"{100 * cell.win:.0f} % ({100 * low:.0f}–{100 * high:.0f}), {grouped(round(cell.score))}"
