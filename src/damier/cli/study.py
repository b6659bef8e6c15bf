"""`damier study`: what depth and evaluation are worth together (row A-54), and how fast the tree of a game grows (row A-53)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from cyclopts import Parameter

from damier.cli.options import GameName, Json, Seed, Work, checked_count, checked_seed, whole
from damier.cli.output import percent, remarks, report, say, table
from damier.core.errors import BadInput
from damier.core.words import _

Kind = Annotated[Literal["evaluation", "growth"], Parameter(help=_("evaluation: depth × evaluation; growth: moves a position and plies a game"))]


def study(
    kind: Kind,
    game: GameName,
    /,
    *,
    plies: Annotated[str, Parameter(help=_("the depths, with commas"))] = "1,2,3,4",
    evaluate: Annotated[str, Parameter(help=_("the evaluations, with commas; none: every position is worth 0"))] = "",
    against: Annotated[str, Parameter(help=_("the opponent"))] = "random",
    games: Annotated[int | None, Parameter(converter=whole, help=_("play so many games instead of an exact grade; growth: random games (1000)"))] = None,
    seed: Seed = 0,
    work: Work | None = None,
    json: Json = False,
) -> None:
    from damier.lab.agents import Lab
    from damier.lab.games import load

    checked_seed(seed)
    if games is not None:
        checked_count("--games", games)
    lab = Lab(load(game), (work or Work()).job())
    if kind == "growth":
        study_growth(lab, 1000 if games is None else games, seed, json)
    else:
        study_evaluation(lab, depths_in(plies), evaluations_in(lab.game.features, evaluate), against, games, seed, json)


def depths_in(text: str) -> list[int]:
    """The depths written in `text`. Raises BadInput."""
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and 0 < int(part) <= 1000 for part in parts):
        raise BadInput(_("--plies {text}: it must be whole numbers above 0 with commas between them, like 1,2,3", text=text))
    return [int(part) for part in parts]


def evaluations_in(features: Any, text: str) -> list[str]:
    """The evaluations written in `text`; if it is empty, none, and every feature of the game alone."""
    return ["" if part == "none" else part for part in text.split(",")] if text else ["", *features]


def study_evaluation(lab: Any, depths: list[int], evaluations: list[str], against: str, games: int | None, seed: int, json: bool) -> None:
    """Depth × evaluation: exact, or played."""
    from damier.lab.studies import exact_entries, played_entries

    if games is None:
        entries = list(exact_entries(lab, depths, evaluations, against))
    else:
        entries = list(played_entries(lab, depths, evaluations, against, games, seed))
    remarks(lab.job.notes)
    rows = [
        {"evaluate": entry.evaluate or "none", "plies": entry.plies, "payoff": entry.payoff, "win": entry.win}
        | ({"interval": list(entry.interval)} if entry.interval else {})
        for entry in entries
    ]
    data = {"game": lab.game.text, "against": against, "exact": games is None, "games": games, "seed": seed, "rows": rows}
    report(data, json, lambda: show_evaluation(data, depths))


def show_evaluation(data: dict[str, Any], depths: list[int]) -> None:
    """A line an evaluation, a column a depth."""
    lines: dict[str, list[str]] = {}
    for row in data["rows"]:
        rate = f" ({percent(row['interval'][0])}–{percent(row['interval'][1])})" if "interval" in row else ""
        lines.setdefault(row["evaluate"], []).append(f"{row['payoff']:+.4f}" if data["exact"] else f"{percent(row['win'])}{rate}")
    what = _("exact mean payoff of both seats") if data["exact"] else _("games won, with 95 % intervals, of {n} each", n=f"{data['games']:,}")
    title = _("{game}: alphabeta against {against}, {what}", game=data["game"], against=data["against"], what=what)
    columns = [_("evaluation"), *(_("{n} plies", n=depth) for depth in depths)]
    table(columns, [(name, *cells) for name, cells in lines.items()], title, numbers=range(1, len(columns)))


def study_growth(lab: Any, games: int, seed: int, json: bool) -> None:
    """b and m of a game."""
    from damier.lab.studies import growth

    found = growth(lab.game, games, seed)
    data = {
        "game": lab.game.text,
        "games": games,
        "seed": seed,
        "b": found.b,
        "m": found.m,
        "shortest": found.shortest,
        "longest": found.longest,
        "unfinished": found.unfinished,
        "log10": found.magnitude,
    }
    report(data, json, lambda: show_growth(data))


def show_growth(data: dict[str, Any]) -> None:
    """b and m in words."""
    say(_("{game}, {n} random games, seed {seed}:", game=data["game"], n=f"{data['games']:,}", seed=data["seed"]))
    sentence = _("b = {b} legal moves a position, m = {m} plies a game (from {low} to {high})")
    say(sentence.format(b=f"{data['b']:.2f}", m=f"{data['m']:.2f}", low=data["shortest"], high=data["longest"]))
    say(_("b to the power of m is about 10 to the power of {n}", n=f"{data['log10']:.1f}"))
