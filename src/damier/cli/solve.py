"""`damier solve`: the exact value of a position, how far the end is, and every best move."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from damier.cli.command import (
    Begin,
    Checkpoints,
    ClusterAddress,
    DiskOptions,
    GameName,
    Json,
    Moves,
    SharedWork,
    checked_checkpoints,
    remarks,
    report,
    say,
    split_moves,
    table,
)
from damier.core.analysis import plain_number
from damier.core.data_files import is_data, require_data, write_data
from damier.core.errors import BadInput, LimitReached
from damier.core.files import make_place
from damier.core.game import Position, line
from damier.core.job import Job, time_limit
from damier.core.json_types import JsonObject
from damier.core.moves import holds
from damier.core.rules import CHANCE
from damier.core.solution import AnySolution, ValueSolution, as_data
from damier.core.words import N_, _, bound_in_words, decimal, grouped, message, ngettext
from damier.draw import board_svg, board_text, move_marks
from damier.draw.picture_files import SUFFIXES, require_picture, write_picture
from damier.lab.games import load
from damier.lab.plugins import resolved
from damier.lab.solving import SolvedPosition, from_tables, solution_data, solved
from damier.solve import store

LEAST_BOUND = 1e-9


def solve(
    game: GameName,
    /,
    *,
    moves: Moves = "",
    begin: Begin = None,
    out: Annotated[
        Path | None,
        Parameter(
            name=("--out", "-o"),
            help=_(
                "write the whole solution to a file; .csv, .parquet: as a table, a row a position; .svg,"
                " .png, .pdf: draw the board and its moves"
            ),
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        Parameter(
            help=_(
                "limit of time (default: none, but for a search of a game too large to enumerate 30 s, and"
                " 60 s from its first position by all cores)"
            )
        ),
    ] = None,
    method: Annotated[
        Literal["auto", "enumerate", "search"],
        Parameter(
            help=_("enumerate all that can follow, or search this position alone; auto: what is cheaper")
        ),
    ] = "auto",
    bound: Annotated[
        float,
        Parameter(help=_("how far an expected payoff may be from the right one, where chance moves")),
    ] = 1e-6,
    fresh: Annotated[
        bool,
        Parameter(
            negative=(),
            show_default=False,
            help=_("read nothing that a search has proven before, nor a book"),
        ),
    ] = False,
    tables: Annotated[
        Path | None,
        Parameter(help=_("a folder of endgame tables (damier tables), which answers instead")),
    ] = None,
    disk: DiskOptions | None = None,
    cluster: ClusterAddress = None,
    checkpoints: Checkpoints = None,
    work: SharedWork | None = None,
    json: Json = False,
) -> None:
    if seconds is not None and not 0 < seconds < 1e9:
        raise BadInput(message("--seconds {n}: it must be above 0", n=seconds))
    if not LEAST_BOUND <= bound < 1:
        raise BadInput(message("--bound {n}: it is from {least} to 1", n=bound, least=LEAST_BOUND))
    picture = None
    if out is not None and out.suffix.lower() in SUFFIXES:
        out, picture = None, out
    if out is not None:
        if tables is not None:
            raise BadInput(
                message(
                    "--tables answers for one position, and --out writes the values of all; give one of them"
                )
            )
        (require_data if is_data(out) else make_place)(out)
    if out is not None and is_data(out) and disk is not None:
        raise BadInput(
            message("-o {path}: layers on disk are for solutions beyond memory; leave out --disk", path=out)
        )
    if picture is not None:
        require_picture(picture)
    kept = checked_checkpoints(cluster, checkpoints, disk)
    if cluster is not None and (tables is not None or method == "search"):
        raise BadInput(message("--cluster enumerates; leave out --tables and --method search"))
    job, notes = (work or SharedWork()).job()
    # also of rules that never end; shards are on other processes, and looked at all the time
    with time_limit(seconds if cluster is None else None):
        loaded = load(game)
        position = line(loaded, split_moves(moves), begin)[-1]
        try:
            if tables is not None:
                answer = from_tables(tables, loaded, position.state)
            elif cluster is not None:
                from damier.lab.workers import CLUSTERS, RAY

                answer = resolved(CLUSTERS[RAY].solved)(
                    loaded, game, position.state, job, cluster, kept, whole=out is not None, seconds=seconds
                )
            else:
                answer = solved(
                    loaded,
                    position.state,
                    job,
                    seconds,
                    whole=out is not None,
                    method=method,
                    bound=bound,
                    disk=(disk or DiskOptions()).place(loaded, position.state, out),
                    out=out,
                    fresh=fresh,
                )
        except KeyboardInterrupt:
            remarks(notes)
            raise
    data: JsonObject = {**facts(answer.solution, position), "positions": answer.positions}
    try:
        if out is not None and not answer.written:
            write(answer.solution, out, job)
        if picture is not None:
            marks = move_marks(loaded, position.state, answer.solution.explain(position.state))
            write_picture(board_svg(position, marks), picture)
    except LimitReached as error:  # a full disk: what was found is told all the same
        remarks(notes)
        if not json:
            show(answer, position)
        raise LimitReached(str(error), data) from error
    report(data, json, lambda: show(answer, position), out, picture, notes=notes)


def write(solution: AnySolution, path: Path, job: Job) -> None:
    """Writes the whole solution to a file, as its name says."""
    if is_data(path):
        write_data(solution_data(solution, job.progress), path)
    elif isinstance(solution, ValueSolution):
        store.save_payoffs(solution, path)
    else:
        store.save(solution, path)


def facts(solution: AnySolution, position: Position) -> JsonObject:
    """Return what is reported of a position."""
    s, game = position.state, position.game
    payoffs: JsonObject = {}
    if isinstance(solution, ValueSolution):
        value = solution.value(s)
        if value.kind == "chance":
            payoffs["win_probability"] = value.win_probability
        payoffs["bound"] = solution.bound  # by how much a payoff may be wrong, 0 where it is exact
        payoffs["moves"] = {
            game.name_move(s, move): plain_number(payoff.payoff)
            for move, (payoff, _none) in solution.explain(s).items()
        }
    return {
        "game": game.text,
        "value": as_data(solution.value(s)),
        **payoffs,
        "distance": solution.distance(s),
        "best_moves": game.name_moves(s, solution.best_moves(s)),
        "fastest_moves": game.name_moves(s, solution.fastest_moves(s)),
        "positions": len(solution),
        "seconds": round(solution.seconds, 6),
        "method": solution.method,
    }


def show(answer: SolvedPosition, position: Position) -> None:
    """Show the answer to people, with the board, and every move with what it leads to."""
    solution, game, s = answer.solution, position.game, position.state
    say(board_text(position))
    say()
    say(sentence(solution, position))
    best = solution.best_moves(s)
    rows: list[tuple[object, ...]] = []
    for move, (value, plies) in solution.explain(s).items():
        leads = (_(value), "" if plies is None else plies) if isinstance(value, str) else (str(value),)
        rows.append((game.name_move(s, move), *leads, "*" if holds(best, move) else ""))
    head = [_("leads to"), _("plies")]
    if isinstance(solution, ValueSolution):
        head = [_("chance to win") if solution.kind == "chance" else _("payoff")]
    if rows:
        table((_("move"), *head, _("best")), rows, numbers=[len(head)])
    if isinstance(solution, ValueSolution) and solution.bound:
        say(_("payoffs are right to {bound}", bound=bound_in_words(solution.bound)))
    say(cost(answer))


METHODS = (N_("depth-first"), N_("layers"), N_("retrograde"), N_("interval-iteration"), N_("alpha-beta"))
"""What a solution may say of how it was found."""


def cost(answer: SolvedPosition) -> str:
    """Return what the answer cost, in a sentence."""
    n, solution = answer.positions, answer.solution
    values = {"n": grouped(n), "seconds": decimal(solution.seconds, ".3f"), "method": _(solution.method)}
    if answer.searched:
        return ngettext(
            "{n} position looked at in {seconds} s ({method})",
            "{n} positions looked at in {seconds} s ({method})",
            n,
            **values,
        )
    return ngettext(
        "{n} position in {seconds} s ({method})", "{n} positions in {seconds} s ({method})", n, **values
    )


def sentence(solution: AnySolution, position: Position) -> str:
    """The value of a position in words."""
    if isinstance(solution, ValueSolution):
        return payoff_sentence(solution, position)
    value, plies = solution.value(position.state), solution.distance(position.state)
    mover = position.mover + 1
    if position.over:
        payoffs = position.payoffs or ()
        winner = [player + 1 for player, payoff in enumerate(payoffs) if payoff > 0]
        return (
            _("The game is over: player {n} has won.", n=winner[0])
            if winner
            else _("The game is over: a draw.")
        )
    if plies is None:
        return _("Player {mover} to move: a draw with best play.", mover=mover)
    if value == "win":
        return ngettext(
            "Player {mover} to move wins in {n} ply.",
            "Player {mover} to move wins in {n} plies.",
            plies,
            mover=mover,
        )
    return ngettext(
        "Player {mover} to move loses in {n} ply.",
        "Player {mover} to move loses in {n} plies.",
        plies,
        mover=mover,
    )


def payoff_sentence(solution: ValueSolution, position: Position) -> str:
    """A payoff in words: for the player to move, or for player 1 where chance moves."""
    if position.over:
        payoffs = " ".join(f"{payoff:+d}" for payoff in position.payoffs or ())
        return _("The game is over. Payoffs: {payoffs}.", payoffs=payoffs)
    worth = solution.value(position.state).words
    if position.mover == CHANCE:
        return _("Chance is to move: player 1 {worth} with best play.", worth=worth)
    return _("Player {mover} to move {worth} with best play.", mover=position.mover + 1, worth=worth)
