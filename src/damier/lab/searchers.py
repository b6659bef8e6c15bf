"""Searches by name: `minimax:plies=4`, `alphabeta:plies=8,evaluate=lines,table=true`,
`mcts:simulations=5000`, and those of document S1: `dfs`, `bfs:revisit=true`, `andor:order=first`.

Their options are the parameters of the functions here. A search that only nodes or plies limit
decides always alike, and can be graded.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping
from numbers import Real
from pathlib import Path

from damier.agents.own import Prints, required_parameters
from damier.core import runtime
from damier.core.analysis import (
    PERFECT_INFORMATION,
    Analysis,
    Evaluation,
    Feature,
    Limit,
    Requirement,
    evaluation,
    require,
)
from damier.core.endgames import NOTHING
from damier.core.errors import AgentFault, BadInput
from damier.core.game import Game, Position, written
from damier.core.job import Job
from damier.core.past import Before
from damier.core.player import Ties
from damier.core.rules import CHANCE, State
from damier.core.words import message, printable
from damier.lab import user_file
from damier.lab.games import Lab, is_file
from damier.lab.large import endgame_tables
from damier.lab.user_file import own_function
from damier.search.alphabeta import Options, Prune, Window, alphabeta as search_alphabeta
from damier.search.mcts import mcts as search_mcts
from damier.search.minimax import (
    NEEDS,
    expectimax as search_expectimax,
    maxn as search_maxn,
    minimax as search_minimax,
)
from damier.search.running import Decide, SearchPlayer, SearchPolicy
from damier.search.selective import KeptTable, Recipe, selective as search_selective
from damier.search.state_space import (
    NEEDS as STATE_SPACE_NEEDS,
    NODES,
    Optimist,
    Order,
    and_or,
    bfs as search_bfs,
    dfs as search_dfs,
    optimistic,
)


def alphabeta(
    lab: Lab,
    plies: int | None = None,
    rounds: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    prune: Prune = "weak",
    table: bool = False,
    deepen: bool = False,
    order: bool = False,
    window: Window = "full",
    evaluate: str = "",
    ties: Ties = "random",
) -> SearchPlayer:
    require(lab.game, "alphabeta", *NEEDS)
    limit = Limit(plies, rounds, nodes, seconds)
    limit.plies_of(lab.game)
    options = Options(prune, table, deepen, order, lab_evaluation(lab, evaluate), window)
    job = lab.job

    def decide(s: State, before: Before, seed: int, explain: bool) -> Analysis:
        return search_alphabeta(lab.game, s, limit, options, before=before, job=job, explain=explain)

    given = {"prune": prune, "table": table, "deepen": deepen, "order": order, "window": window}
    plain = {name: value for name, value in given.items() if value != getattr(Options, name)}
    return player(lab, "alphabeta", decide, limit, plain | ({"evaluate": evaluate} if evaluate else {}), ties)


def selective(
    lab: Lab,
    plies: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    null_move: bool = True,
    quiescence: bool = True,
    reductions: bool = True,
    pruning: bool = True,
    extensions: bool = True,
    table: bool = True,
    evaluate: str = "",
    tables: str = "",
) -> SearchPlayer:
    game, job = lab.game, lab.job
    require(game, "selective", *NEEDS)
    if tables and not lab.loads_files:
        raise BadInput(
            message("selective: tables={folder}; this lab opens no files", folder=printable(tables))
        )
    limit = Limit(plies, None, nodes, seconds)
    parts = {
        "null_move": null_move,
        "quiescence": quiescence,
        "reductions": reductions,
        "pruning": pruning,
        "extensions": extensions,
        "table": table,
    }
    judge = lab_evaluation(lab, evaluate or game.evaluation)
    probe = endgame_tables().open_tables(Path(tables), game).probe() if tables else NOTHING
    recipe = Recipe(null_move, quiescence, reductions, pruning, extensions, table, judge, probe)
    kept = KeptTable() if seconds is not None else None  # else each decision stands alone

    def decide(s: State, before: Before, seed: int, explain: bool) -> Analysis:
        return search_selective(
            game, s, limit, recipe, before=before, kept=None if explain else kept, job=job, explain=explain
        )

    texts = {"evaluate": evaluate, "tables": tables}
    given = {name: on for name, on in parts.items() if not on} | {name: t for name, t in texts.items() if t}
    shared = seconds is not None and nodes is None
    return player(lab, "selective", decide, limit, given, "first", MOST_CORES if shared else 1)


SIMULATIONS = 1000
"""How many simulations decide where neither they nor the seconds are given."""

MOST_TREES = MOST_CORES = 256


def mcts(
    lab: Lab,
    simulations: int | None = None,
    c: float = 1.4,
    nodes: int | None = None,
    seconds: float | None = None,
    trees: int = 1,
    evaluate: str = "",
    width: int = 0,
) -> SearchPlayer:
    require(lab.game, "mcts", PERFECT_INFORMATION)
    if simulations is None and seconds is None:
        simulations = SIMULATIONS
    if (simulations is not None and simulations < 1) or c < 0:
        raise BadInput(
            message(
                "mcts: simulations={n}, c={c}; simulations is at least 1 and c at least 0",
                n=simulations if simulations is not None else "",
                c=c,
            )
        )
    if not 1 <= trees <= MOST_TREES:
        raise BadInput(message("mcts: trees={n}; it is from 1 to {most}", n=trees, most=MOST_TREES))
    if width < 0 or bool(width) != bool(evaluate):
        raise BadInput(
            message(
                "mcts: width={n}, evaluate={text}; these are given together: how many moves are"
                " looked at, the best by which evaluation",
                n=width,
                text=printable(evaluate),
            )
        )
    limit = Limit(nodes=nodes, seconds=seconds)
    job, judge = lab.job, lab_evaluation(lab, evaluate)

    def decide(s: State, before: Before, seed: int, explain: bool) -> Analysis:
        root = best_by(judge, lab.game, s, width) if width else ()
        return search_mcts(
            lab.game,
            s,
            limit,
            simulations,
            c,
            seed,
            before=before,
            job=job,
            explain=explain,
            trees=trees,
            root=root,
        )

    given: dict[str, object] = {"c": c} if simulations is None else {"simulations": simulations, "c": c}
    several: dict[str, object] = {"trees": trees} if trees > 1 else {}
    several |= {"evaluate": evaluate, "width": width} if width else {}
    text = written("mcts", given | written_limit(limit) | several)
    return SearchPlayer(lab.game, text, decide, "first", draws=True, cores=trees)


def best_by(judge: Evaluation, game: Game, s: State, width: int) -> tuple[int, ...]:
    """The moves of a position that lead to what an evaluation likes best, so many of them, and those that
    happen nowhere on the board, such as a pass; none of chance.
    """
    mover = game.mover(s)
    if mover == CHANCE:
        return ()
    ours = 1 if mover == 0 else -1

    def evaluated(move: int) -> float:
        after = game.play(s, move)
        return ours * sum(
            weight * feature(after) for feature, weight in zip(judge.features, judge.weights, strict=True)
        )

    found = sorted(game.legal(s), key=evaluated, reverse=True)
    return (*found[:width], *[move for move in found[width:] if game.place and not game.place(s, move)])


def andor(lab: Lab, order: Order = "last", nodes: int = NODES, ties: Ties = "random") -> SearchPlayer:
    require(lab.game, "andor", *STATE_SPACE_NEEDS)

    def decide(s: State, before: Before, seed: int, explain: bool) -> Analysis:
        return and_or(lab.game, s, order=order, nodes=nodes, explain=explain)

    return SearchPolicy(lab.game, written("andor", _chosen(order, {"ties": ties})), decide, ties)


def by_line(search: Optimist) -> Callable[..., SearchPlayer]:
    """The function that makes players of a search for a line to a win."""

    def make(lab: Lab, order: Order = "last", revisit: bool = False, nodes: int = NODES) -> SearchPlayer:
        require(lab.game, search.__name__, *STATE_SPACE_NEEDS)

        def decide(s: State, before: Before, seed: int, explain: bool) -> Analysis:
            return optimistic(search, lab.game, s, order=order, revisit=revisit, nodes=nodes)

        text = written(search.__name__, _chosen(order, {"revisit": True} if revisit else {}))
        return SearchPolicy(lab.game, text, decide, "first")

    return make


dfs, bfs = map(by_line, (search_dfs, search_bfs))


def _chosen(order: Order, others: dict[str, object]) -> dict[str, object]:
    """The options to be written: the order where it is not the usual one."""
    return ({} if order == "last" else {"order": order}) | others


def by_depth(name: str, search: Callable[..., Analysis], *needs: Requirement) -> Callable[..., SearchPlayer]:
    """The function that makes players of a search whose only options are its limits and its evaluation."""

    def make(
        lab: Lab,
        plies: int | None = None,
        rounds: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        evaluate: str = "",
        ties: Ties = "random",
    ) -> SearchPlayer:
        require(lab.game, name, *needs)
        limit, judged, job = Limit(plies, rounds, nodes, seconds), lab_evaluation(lab, evaluate), lab.job
        limit.plies_of(lab.game)

        def decide(s: State, before: Before, seed: int, explain: bool) -> Analysis:
            return search(lab.game, s, limit, judged, before=before, job=job, explain=explain)

        return player(lab, name, decide, limit, {"evaluate": evaluate} if evaluate else {}, ties)

    return make


minimax = by_depth("minimax", search_minimax, *NEEDS)
expectimax = by_depth("expectimax", search_expectimax, PERFECT_INFORMATION)
maxn = by_depth("maxn", search_maxn, PERFECT_INFORMATION)


def player(
    lab: Lab,
    name: str,
    decide: Decide,
    limit: Limit,
    options: Mapping[str, object],
    ties: Ties,
    cores: int | None = None,
) -> SearchPlayer:
    """The player that decides so: a policy, unless the clock has a say in it. Unless something else is
    said, cores share the moves of the root, whose nodes are not limited.
    """
    text = written(name, {**written_limit(limit), **options, "ties": ties})
    kind = SearchPlayer if limit.seconds is not None else SearchPolicy
    if cores is None:
        cores = 1 if limit.nodes is not None else lab.game.most_moves()
    return kind(lab.game, text, decide, ties, cores=cores)


def written_limit(limit: Limit) -> dict[str, float]:
    """The limits that are set, as options."""
    return {
        name: value
        for name in ("plies", "rounds", "nodes", "seconds")
        if (value := getattr(limit, name)) is not None
    }


# Evaluations by text: features with weights, or a file of one's own with a function `evaluate`.
#
#     def evaluate(position) -> float     asked for each position, in plain Python
#     def evaluate(s) -> float            a rule over states, compiled if it can be
#
# Both say what a position is worth to player 0, as features do.

NAME = "evaluate"


def lab_evaluation(lab: Lab, text: str) -> Evaluation:
    """Return the evaluation for a lab, which may load no files."""
    return evaluation_of(lab.game, text, lab.job) if lab.loads_files else evaluation(lab.game, text)


def evaluation_of(game: Game, text: str, job: Job) -> Evaluation:
    """The evaluation that is written `2*lines+threats`, or `path/to/file.py[:name]`; that a file prints is
    noted.

    Raises BadInput, BadFile, and AgentFault for what is wrong in the file.
    """
    if not is_file(text):
        return evaluation(game, text)
    path_text, wanted, _options = user_file.parts(text)
    path, name = Path(path_text), wanted or NAME
    runtime.guard(path)
    prints = Prints(path.resolve(), job.note)
    with (
        contextlib.redirect_stdout(prints),
        user_file.beside(path),
        user_file.blaming(path, AgentFault),
    ):
        function = own_function(user_file.run(path), name)
    if function is None:
        raise AgentFault(
            message("{path} has no function {name}(position) or {name}(s)", path=path.name, name=name)
        )
    words = required_parameters(function, f"{path.name}: {name}")
    if len(words) != 1:
        raise AgentFault(
            message("{path}: {name} takes one parameter: position, or the state", path=path.name, name=name)
        )
    feature = of_positions(game, function) if words == ("position",) else function
    watched = checked(feature, prints, name)
    watched(game.start)  # tells a rule that is wrong before it is compiled
    return Evaluation((watched if words == ("position",) else function,), (1.0,))


def of_positions(game: Game, function: Callable[[Position], float]) -> Feature:
    """A function of positions as one of states."""

    def judged(s: State) -> float:
        return function(Position(game, s))

    return judged


def checked(feature: Feature, prints: Prints, name: str) -> Feature:
    """A feature that is watched: what it raises, or answers but a number, is one line of its file."""
    path = prints.source

    def watched(s: State) -> float:
        with contextlib.redirect_stdout(prints), user_file.blaming(path, AgentFault):
            value = feature(s)
        if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
            raise AgentFault(
                message(
                    "{path}: {name} returned {value}; it must return a number",
                    path=path.name,
                    name=name,
                    value=printable(repr(value), 200),
                )
            )
        return float(value)

    return watched
