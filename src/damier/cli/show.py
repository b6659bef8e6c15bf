"""`damier show`: what is in a file that damier wrote."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

from cyclopts import Parameter

from damier.arena import records
from damier.cli import tables
from damier.cli.options import Json, checked_count, whole
from damier.cli.output import Report, bar, remark, remarks, report, say, table
from damier.cli.tournament import StoreOptions, is_store, show_store
from damier.core.errors import BadFile, BadInput
from damier.core.game import Game
from damier.core.json_data import format_of, read_header, unsealed
from damier.core.option_text import written, written_game
from damier.core.words import _, decimal, grouped, message
from damier.games.maze import MAZE_FORMAT, maze_as_json, read_maze_file
from damier.games.pacman import pacman
from damier.lab import own_file
from damier.learn import store as agents
from damier.trees import tree_text

if TYPE_CHECKING:
    from damier.arena.records import Referee
    from damier.core.json_types import JsonValue
    from damier.core.record import GameRecord
    from damier.core.solution import AnySolution
from collections import Counter

SOLUTIONS = ("damier-solution/", "damier-payoffs/")
"""How the formats of solutions begin: `damier.solve` is opened for one alone."""
SHOWN = 1000  # games of a record between two signs of life


class TreeReport(TypedDict):
    """How large a tree is; `lines` are the ways from its root to an end, `moves` those of the root."""

    format: str
    players: int
    root: str
    moves: dict[str, str]
    nodes: int
    lines: int


class RecordCounts(TypedDict):
    """The games of a record, counted for player 1."""

    format: str
    games: int
    wins: int
    draws: int
    losses: int
    plies: int
    sealed: bool
    checked: bool


class RecordReport(RecordCounts, total=False):
    """The same, with the first game where there is one."""

    game: str
    options: Mapping[str, JsonValue]
    players: list[str]
    first_moves: list[str]


def show(
    file: Annotated[
        str,
        Parameter(
            help=_(
                "an agent, a solution, a record of games, a sweep, a tree, a state of Pacman, NAME.txt of the"
                " Hexapawn lab, the folder of endgame tables, or the store of a tournament (a file, or its"
                " URL)"
            )
        ),
    ],
    /,
    *,
    game: Annotated[
        str, Parameter(help=_("the file of your own game that it is of; the game of a NAME.txt"))
    ] = "",
    rows: Annotated[
        int, Parameter(converter=whole, help=_("how many positions of an agent, or games, are shown"))
    ] = 30,
    out: Annotated[
        Path | None,
        Parameter(
            alias="-o",
            help=_(
                "of an agent: its curve as .svg, .png or .pdf, or its table as NAME.txt of the Hexapawn lab;"
                " of a tournament: its standings"
            ),
        ),
    ] = None,
    stored: StoreOptions | None = None,
    json: Json = False,
) -> None:
    if folder := tables.folder_of(Path(file)):
        endings = tables.facts(folder)
        report(endings, json, lambda: tables.show(endings, folder))
    elif is_store(file):
        show_store(file, stored or StoreOptions(), checked_count("--rows", rows), out, json)
    else:
        show_file(Path(file), game, checked_count("--rows", rows), out, json)


def show_file(file: Path, game: str, rows: int, out: Path | None, json: bool) -> None:
    """A file whose kind is seen by how it begins."""
    if records.is_record(file):
        record = record_facts(file, game)
        remark_on_record(record, file)
        report(record, json, lambda: show_record(record))
    elif file.suffix == ".txt" or (kind := format_of(file)) == agents.FORMAT:
        show_agent(file, game, rows, out, json)
    elif kind == own_file.FORMAT:
        show_own(file, game, out, json)
    elif kind.startswith(SOLUTIONS):
        header = read_header(file)
        if note := unsealed(header, file):
            remark(note)
        data, text = solution_facts(file, header, game)
        report(data, json, lambda: say(text))
    elif kind == tree_text.FORMAT:
        tree = tree_facts(file)
        rows_of_tree = [
            (_("players"), tree["players"]),
            (_("nodes"), tree["nodes"]),
            (_("lines"), tree["lines"]),
        ]
        report(tree, json, lambda: table((str(file), ""), rows_of_tree))
    elif kind == MAZE_FORMAT:
        report(
            maze_as_json(read_maze_file(file)),
            json,
            lambda: say(str(pacman(start=str(file)).position())),
        )
    elif kind == SWEEP:
        show_sweep(file, json)
    else:
        raise BadFile(message("{path} is a {found}, which this damier cannot show", path=file, found=kind))


def tree_facts(file: Path) -> TreeReport:
    from damier.core.tree import size_of

    tree = tree_text.load(file)
    size = size_of(tree, None)
    root = tree.nodes[tree.root]
    moves = {move.name: tree.nodes[move.child].name for move in root.moves}
    return {
        "format": tree_text.FORMAT,
        "players": tree.players,
        "root": root.name,
        "moves": moves,
        "nodes": len(tree.nodes),
        "lines": size.ends,
    }


def show_agent(file: Path, named: str, rows: int, out: Path | None, json: bool) -> None:
    """What an agent knows; `out` gets its table as the Hexapawn lab writes it."""
    from damier.cli import show_agent as shown
    from damier.lab.agents import Lab
    from damier.lab.games import load
    from damier.lab.learners import agent_of_file
    from damier.lab.truth import truth
    from damier.learn import store as agents

    if file.suffix == ".txt":
        game = load(named or "hexapawn")
    else:
        game = load_named(file, written_game(agents.header(file)), named)
    agent = agent_of_file(file, game)
    if out is not None:
        shown.export(agent, out)
    exact = truth(Lab(game))
    remarks(filter(None, [agent.note]))
    report(shown.facts(file, agent, exact), json, lambda: shown.show(agent, exact, rows))


def show_own(file: Path, named: str, out: Path | None, json: bool) -> None:
    """What the file of an agent of one's own says: its code is not run."""
    from damier.cli.show_own import export, facts
    from damier.cli.show_own import show as show_curve

    game = load_named(file, written_game(own_file.header(file)), named)
    found = own_file.load(file, game)
    if out is not None:
        export(found, out)
    report(facts(found), json, lambda: show_curve(found))


def record_facts(path: Path, named: str) -> RecordReport:
    """The games of a record, counted, each played again by the rules unless they are a file that
    nobody named.
    """
    found = records.read_records(path, part=True)
    ends = {"win": 0, "draw": 0, "loss": 0}
    games, plies = 0, 0
    first: GameRecord | None = None
    referees: dict[str, Referee | None] = {}
    for record in found.checked():
        first = first or record
        games, plies = games + 1, plies + len(record.moves)
        ends[record.outcome] += 1
        text = written(record.game, record.options)
        if text not in referees:
            referees[text] = referee_of(text, named)
        if referee := referees[text]:
            try:
                referee.check(record)
            except BadFile as error:
                raise BadFile(message("{path}:{line}: {error}", path=path, line=games, error=error)) from None
        if games % SHOWN == 0:
            bar(games, None, _("games"))
    facts: RecordReport = {
        "format": records.FORMAT,
        "games": games,
        "wins": ends["win"],
        "draws": ends["draw"],
        "losses": ends["loss"],
        "plies": plies,
        "sealed": found.sealed,
        "checked": None not in referees.values(),
    }
    if first is not None:
        facts["game"] = written(first.game, first.options)
        facts["options"] = first.options
        facts["players"] = list(first.players)
        facts["first_moves"] = list(first.moves)
    return facts


def referee_of(text: str, named: str) -> Referee | None:
    """Who checks the games of a record; nobody where their rules are a file, which runs only if a
    person names it.
    """
    from damier.arena.records import Referee
    from damier.lab.games import is_file, load

    return None if is_file(text) and not named else Referee(load(named or text))


def remark_on_record(data: RecordReport, path: Path) -> None:
    """What a person should know of a record that is not sealed, or whose moves nobody could check."""
    if not data["sealed"]:
        remark(records.cut_off(path, data["games"]))
    if not data["checked"]:
        remark(
            _(
                "{path}: its moves are not checked, for the rules are a file that would run; if you trust it,"
                " give --game {game}",
                path=path,
                game=data["game"],
            )
        )


def show_record(data: RecordReport) -> None:
    """The same as a table."""
    rows: list[tuple[str, object]] = [
        (_("games"), data["games"]),
        (_("won by player 1"), data["wins"]),
        (_("drawn"), data["draws"]),
        (_("lost by player 1"), data["losses"]),
    ]
    if data["games"]:
        rows += [
            (_("plies a game"), decimal(data["plies"] / data["games"], ".2f")),
            (_("first game"), " ".join(data["first_moves"])),
        ]
    table((str(data.get("game", "")), ""), rows)


def solution_facts(path: Path, header: Report, named: str) -> tuple[Report, str]:
    """The value of the start of a solution, and the same in words."""
    from damier.cli import solve
    from damier.core.game import Position
    from damier.solve import store

    game = load_named(path, written_game(header), named)
    load = store.load_payoffs if header["format"] == store.PAYOFF_FORMAT else store.load
    solution: AnySolution = load(path, game)
    start = Position(game, solution.start)
    text = f"{game.text}\n{start}\n\n{solve.sentence(solution, start)}\n" + _(
        "{positions} positions", positions=grouped(len(solution))
    )
    return {"format": header["format"], **solve.facts(solution, start)}, text


def load_named(path: Path, found: str, named: str) -> Game:
    """The game of a file, or the one that a person names.

    A game that is a file of Python runs only if a person names it: data from elsewhere must not
    choose what runs here.
    """
    from damier.lab.games import is_file, load

    if is_file(found) and not named:
        raise BadInput(
            message(
                "{path} is of {game}, a file that would run; if you trust it, give --game {game}",
                path=path,
                game=found,
            )
        )
    return load(named or found)


# `damier show` of the file of a sweep.

SWEEP = "damier-sweep/1"


def show_sweep(file: Path, json: bool) -> None:
    """The table of the trainings that are in the file of a sweep."""
    from damier.cli.sweep import show
    from damier.lab.sweep_report import sweep_report
    from damier.lab.sweep_runs import SweepPlan, SweepSetting, trainings_in

    game, opponent, results = trainings_in(file)
    counted = Counter(result["learner"] for result in results)
    settings = tuple(SweepSetting(learner, (), learner) for learner in counted)
    first = min((result["seed"] for result in results), default=0)
    plan = SweepPlan(settings, range(first, first + max(counted.values(), default=0)), opponent=opponent)
    data = sweep_report(game, plan, results)
    data["of"] = data["trained"]
    report(data, json, lambda: show(data, []))
