"""What state-space.md says: the graph of Nim, and the searches of document S1 (rows A-33 to A-38)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from damier import Game, load
from damier.core.job import Job
from damier.core.solution import Solution
from damier.draw.graph import DiagramKind, graph_svg
from damier.lab.graphs import DiagramPlan, diagram, shape
from damier.search.state_space import andor, bfs, dfs, value_of
from damier.solve import solve
from measured.french import said
from measured.training import graded
from measured.writing import holds, table

FIRST, SECOND = 0, 1
GAMES = ("nim", "hexapawn", "hexapawn:blocked=loss", "tictactoe")


@cache
def game(text: str) -> Game:
    return load(text)


@cache
def solved(text: str) -> Solution:
    return solve(game(text))


def plan(text: str, kind: DiagramKind) -> DiagramPlan:
    return DiagramPlan(game(text), game(text).start, kind)


def positions(text: str) -> list[Any]:
    """The positions of a game that are not its ends."""
    found = [game(text).start]
    known = set(found)
    for s in found:
        for child in (game(text).play(s, move) for move in game(text).legal(s)):
            if child not in known:
                known.add(child)
                found.append(child)
    return [s for s in found if not game(text).over(s)]


def nim(matches: int, mover: int = FIRST) -> Any:
    """A state of Nim, and the game that it is of."""
    return type(game("nim").start)(mover, matches)


def sizes() -> str:
    rows = []
    for matches in (4, 6, 8, 10, 16):
        text = f"nim:matches={matches}"
        complete, truncated, merged = (
            shape(plan(text, kind), Job()) for kind in ("complete", "truncated", "merged")
        )
        drawn = f"{truncated.states} + {truncated.repeated} …"
        rows.append(
            (
                str(matches),
                f"{complete.nodes:,}",
                f"{complete.leaves:,}",
                drawn,
                str(merged.nodes),
                str(merged.edges),
            )
        )
    return table(
        ("matches", "complete tree: nodes", "its leaves", "truncated tree", "graph: positions", "its edges"),
        rows,
    )


def growth() -> str:
    """How the sizes grow."""
    trees = [shape(plan(f"nim:matches={matches}", "complete"), Job()).nodes for matches in range(15, 17)]
    graphs = [shape(plan(f"nim:matches={matches}", "merged"), Job()).nodes for matches in range(15, 17)]
    times = trees[1] / trees[0]
    return holds(
        1.8 < times < 1.9 and graphs[1] - graphs[0] == 2,
        f"One match more makes the tree {times:.2f} times as large; the graph gets two more positions, one"
        " for each player.",
    )


def taken(matches: int) -> str:
    """The matches that explore takes when the AI is to move, `-` where it sees no way to win."""
    found = dfs(game("nim"), nim(matches), FIRST)
    return game("nim").name_move(nim(matches), found.move) if found.found else "–"


def right(matches: int) -> str:
    """The matches that keep the win, by the solver; from 20 every position of either player comes
    up.
    """
    exact = solved("nim:matches=20")
    s = nim(matches)
    return game("nim").name_move(s, exact.best_moves(s)) if exact.value(s) == "win" else "lost"


def optimism() -> str:
    counts = range(2, 17)
    header = ("matches", *map(str, counts))
    return table(header, [("`dfs` takes", *map(taken, counts)), ("right", *map(right, counts))])


def wrong() -> str:
    """Where explore goes wrong."""
    won = [matches for matches in range(2, 17) if right(matches) != "lost"]
    missed = [matches for matches in won if taken(matches) != right(matches)]
    line = dfs(game("nim"), nim(7), FIRST).line
    return holds(
        7 in missed
        and 16 not in missed
        and [game("nim").name_move(nim(7), move) for move in line] == ["3", "2", "1", "1"],
        f"In {len(missed)} of the {len(won)} positions that are won, its move gives the win away: with"
        f" {', '.join(map(str, missed))} matches. Seven are an example: it takes 3 and hopes for 2, 1, 1. A"
        " human who can count takes 3 of the 4 that are left, and the AI has the last one.",
    )


def strength() -> str:
    rows = []
    for agent in ("random", "dfs", "bfs", "andor", "perfect"):
        against = [graded("nim", agent, opponent) for opponent in ("random", "perfect")]
        rows.append(
            (
                f"`{agent}`",
                *(f"{grade.seats[seat].win:.3f}" for grade in against for seat in (0, 1)),
                f"{against[0].optimal_share_all:.3f}",
            )
        )
    header = (
        "Nim, 16 matches",
        "beats random, seat 1",
        "seat 2",
        "beats perfect, seat 1",
        "seat 2",
        "moves that keep the value",
    )
    return table(header, rows)


def verdict() -> str:
    deep, wide, sure, perfect = (
        graded("nim", agent, "perfect") for agent in ("dfs", "bfs", "andor", "perfect")
    )
    return holds(
        deep.seats == wide.seats
        and 0 < deep.seats[0].win < 0.2
        and sure.seats[0].win == perfect.seats[0].win == 1,
        "Depth or breadth makes no difference to the strength: against perfect play both win"
        f" {deep.seats[0].win:.3f} of the games that whoever begins can win, because they happen on the right"
        " move now and then. What makes the difference is *whose* turn it is: `andor` wins all.",
    )


def costs() -> str:
    rows = []
    for text in GAMES:
        s, played = game(text).start, game(text)
        searches = (
            dfs(played, s, FIRST),
            bfs(played, s, FIRST),
            bfs(played, s, FIRST, revisit=True),
            andor(played, s, FIRST),
        )
        rows.append(
            (f"`{text}`", f"{len(positions(text)):,}", *(f"{search.expanded:,}" for search in searches))
        )
    header = (
        "positions expanded from the start, for player 1",
        "positions with moves",
        "`dfs`",
        "`bfs`",
        "`bfs:revisit=true`",
        "`andor`",
    )
    return table(header, rows)


def exact() -> str:
    """The forced wins are those of the solver."""
    asked = [(text, s) for text in GAMES for s in positions(text)]
    alike = sum(value_of(game(text), s) == solved(text).value(s) for text, s in asked)
    return holds(
        alike == len(asked),
        f"Asked in all {len(asked):,} positions of these games, `andor` and `damier solve` agree every time.",
    )


def picture() -> str:
    return graph_svg(
        diagram(plan("nim:matches=6", "truncated"), Job()),
        said("Six matches, truncated: the report's 6-tronque"),
    )


BLOCKS: dict[str, Callable[[], str]] = {
    "graph-sizes": sizes,
    "graph-growth": growth,
    "dfs-moves": optimism,
    "dfs-wrong": wrong,
    "search-strength": strength,
    "search-verdict": verdict,
    "search-costs": costs,
    "andor-exact": exact,
}
PICTURES: dict[str, Callable[[], str]] = {"state-space.svg": picture}
