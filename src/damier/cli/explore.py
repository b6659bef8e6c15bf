"""`damier explore`: the searches of document [S1] told step by step, with their indented trace (rows
A-36 to A-38).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from damier.cli.options import Begin, GameName, Json, Moves, split_moves
from damier.cli.output import Report, report, say
from damier.core.words import _

if TYPE_CHECKING:
    from damier.search.state_space import Order
    from damier.search.state_space_trace import SpaceAlgorithm, SpaceReplay


def explore(
    game: GameName,
    /,
    *,
    algorithm: Annotated[
        Literal["dfs", "bfs", "andor"],
        Parameter(help=_("dfs: explore, depth-first; bfs: breadth-first; andor: the mixed search")),
    ] = "dfs",
    winner: Annotated[
        Literal["mover", "1", "2"],
        Parameter(help=_("for whom a win is looked for: who is to move, or a player")),
    ] = "mover",
    revisit: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("keep no list of visited states"))
    ] = False,
    order: Annotated[
        Literal["first", "last"], Parameter(help=_("which of the moves is tried first (in Nim, last: most)"))
    ] = "last",
    moves: Moves = "",
    begin: Begin = None,
    step: Annotated[
        bool,
        Parameter(
            negative=(), show_default=False, help=_("step by step: keys in a terminal, the trace elsewhere")
        ),
    ] = False,
    out: Annotated[
        Path | None, Parameter(name=("--out", "-o"), help=_("draw what was found: .svg, .png, .pdf"))
    ] = None,
    json: Json = False,
) -> None:
    replay = searched(game, algorithm, winner, revisit, order, moves, begin)
    title = f"{replay.found.game.text} · {algorithm}"
    if out is not None:
        from damier.draw.picture_files import require_picture, write_picture
        from damier.draw.tree import tree_svg

        require_picture(out)
        write_picture(tree_svg(replay.end, title), out)
    report(explore_facts(replay), json, lambda: show(replay, title, step, out))


def searched(
    text: str,
    algorithm: SpaceAlgorithm,
    winner: str,
    revisit: bool,
    order: Order,
    moves: str,
    begin: str | None,
) -> SpaceReplay:
    """The search that is asked for. Raises BadInput, Unsuitable, LimitReached."""
    from damier.core.analysis import require
    from damier.core.position import line
    from damier.lab.games import load
    from damier.search.state_space import NEEDS
    from damier.search.state_space_trace import SpaceReplay, trace_search

    game = load(text)
    require(game, algorithm, *NEEDS)
    state = line(game, split_moves(moves), begin)[-1].state
    player = int(game.mover(state)) if winner == "mover" else int(winner) - 1
    return SpaceReplay(trace_search(game, state, algorithm, player, order=order, revisit=revisit))


def explore_facts(replay: SpaceReplay) -> Report:
    """What is reported of a search."""
    from damier.search.state_space_trace import line_names

    found = replay.found
    names = line_names(found)
    return {
        "game": found.game.text,
        "algorithm": found.algorithm,
        "player": found.player,
        "found": found.found,
        "move": names[0] if names and found.found else None,
        "line": names,
        "expanded": found.expanded,
        "visited": found.visited,
        "steps": replay.facts(),
    }


def show(replay: SpaceReplay, title: str, step: bool, out: Path | None) -> None:
    """The trace, or the steps; and what it came to."""
    from damier.cli.stepper import walk
    from damier.search.state_space_trace import conclusion, cost_words

    if step:
        walk(replay, title)
    else:
        say(title)
        say("\n".join(replay.trace))
    say(conclusion(replay.found))
    say(cost_words(replay.found))
    if out is not None:
        say(_("drawn: {path}", path=out))
