"""`damier show`: what is in a file that damier wrote."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from damier.arena import records
from damier.arena.records import GameRecord, Referee
from damier.cli import solve
from damier.cli.command import Json, Report, bar, refuse_out, remark, report, say, table, within
from damier.cli.grade import FOLDER_FACTS
from damier.cli.tournament import StoreOptions, is_store, show_store
from damier.cli.train import row_of
from damier.core.errors import BadFile, BadInput
from damier.core.game import Game, Position, written, written_game
from damier.core.grade import block_facts
from damier.core.json_data import format_of, read_header, unsealed
from damier.core.solution import SIGNED, AnySolution, AnyValue, PayoffValue, as_data
from damier.core.tree import size_of
from damier.core.words import _, decimal, grouped, message, ngettext
from damier.games.maze import MAZE_FORMAT, maze_as_json, read_maze_file
from damier.games.pacman import pacman
from damier.lab import agent_file
from damier.lab.agent_file import OwnAgent
from damier.lab.curves import series_of, write_curve
from damier.lab.games import Lab, is_file, load
from damier.lab.large import INDEX, SCORES
from damier.lab.learners import agent_of_file
from damier.lab.plugins import PluginRegistry, function_of
from damier.lab.solving import Truth, exact_of, truth
from damier.learn import store as agents
from damier.learn.action_values import Memory, Row
from damier.learn.parameters import as_written
from damier.learn.store import (
    SUFFIX,
    Agent,
    TrainedAgent,
    heap_of,
    lists_of,
    save_hexapion,
    table_facts,
    written_as_lists,
)
from damier.solve import store
from damier.trees import tree_text

SOLUTIONS = ("damier-solution/", "damier-payoffs/")
"""How the formats of solutions begin: `damier.solve` is opened for one alone."""
SHOWN = 1000  # games of a record between two signs of life


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
        int, Parameter(converter=within(), help=_("how many positions of an agent, or games, are shown"))
    ] = 30,
    out: Annotated[
        Path | None,
        Parameter(
            alias="-o",
            help=_(
                "of an agent: its curve as .svg, .png, .pdf, .csv or .parquet, or its table as NAME.txt of"
                " the Hexapawn lab;"
                " of a tournament: its standings; of an agent zero: its curve, or its network as NAME.onnx"
            ),
        ),
    ] = None,
    stored: StoreOptions | None = None,
    json: Json = False,
) -> None:
    if index := index_of(Path(file)):
        show_file(index, game, rows, out, json)
    elif is_store(file):
        show_store(file, stored or StoreOptions(), rows, out, json)
    elif stored is not None:
        raise BadInput(
            message(
                "--tournament, --of and --number go with the store of a tournament; {file} is none", file=file
            )
        )
    else:
        show_file(Path(file), game, rows, out, json)


def index_of(path: Path) -> Path | None:
    """Return the file that says what is in a folder, or beside the scores of endgame tables; None where none
    does.
    """
    beside = path.parent if path.name == SCORES else path
    return next((beside / name for name in (FOLDER_FACTS, INDEX) if (beside / name).is_file()), None)


FORMATS = PluginRegistry[Callable[[Path, Path | None, bool], None]]("damier.formats", {}, function_of)
"""What shows a file as people read it, or as JSON, by the name of its format, `damier-NAME/1`."""


def show_file(file: Path, game: str, rows: int, out: Path | None, json: bool) -> None:
    """A file whose kind is seen by how it begins."""
    if records.is_record(file):
        refuse_out(out, file)
        show_record(file, game, json)
    elif file.suffix == ".txt" or (kind := format_of(file)) == agents.FORMAT:
        show_agent(file, game, rows, out, json)
    elif kind == agent_file.FORMAT:
        show_own(file, game, out, json)
    elif kind.startswith(SOLUTIONS):
        refuse_out(out, file)
        header = read_header(file)
        if note := unsealed(header, file):
            remark(note)
        data, text = solution_facts(file, header, game)
        report(data, json, lambda: say(text))
    elif kind == tree_text.FORMAT:
        refuse_out(out, file)
        tree = tree_facts(file)
        rows_of_tree = [
            (_("players"), tree["players"]),
            (_("nodes"), tree["nodes"]),
            (_("lines"), tree["lines"]),
        ]
        report(tree, json, lambda: table((str(file), ""), rows_of_tree))
    elif kind == MAZE_FORMAT:
        refuse_out(out, file)
        report(
            maze_as_json(read_maze_file(file)),
            json,
            lambda: say(str(pacman(start=str(file)).position())),
        )
    elif (name := kind.removeprefix("damier-").partition("/")[0]) in FORMATS:
        FORMATS[name](file, out, json)
    else:
        raise BadFile(message("{path} is a {found}, which this damier cannot show", path=file, found=kind))


def tree_facts(file: Path) -> Report:
    """The size of a tree; `lines` are the ways from its root to an end, `moves` those of the root."""
    tree = tree_text.load(file)
    root = tree.nodes[tree.root]
    return {
        "format": tree_text.FORMAT,
        "players": tree.players,
        "root": root.name,
        "moves": {move.name: tree.nodes[move.child].name for move in root.moves},
        "nodes": len(tree.nodes),
        "lines": size_of(tree, None).ends,
    }


def show_agent(file: Path, named: str, rows: int, out: Path | None, json: bool) -> None:
    """Show what an agent knows; `out` gets its table as the Hexapawn lab writes it."""
    if file.suffix == ".txt":
        game = load(named or "hexapawn")
    else:
        game = load_named(file, agents.header(file), named)
    agent = agent_of_file(file, game)
    if out is not None:
        export_agent(agent, out)
    exact = truth(Lab(game))
    notes = filter(None, [agent.note])
    report(agent_facts(file, agent, exact), json, lambda: show_table(agent, exact, rows), out, notes=notes)


def show_own(file: Path, named: str, out: Path | None, json: bool) -> None:
    """Show what the file of an agent of one's own says: its code is not run."""
    game = load_named(file, agent_file.header(file), named)
    found = agent_file.load(file, game)
    if out is not None:
        write_curve(found, out, _("{game}: {learner}", game=found.game.text, learner=found.learner))
    data: Report = {
        "format": agent_file.FORMAT,
        "game": found.game.text,
        "agent": found.learner,
        **training_facts(found),
        "data": found.data,
    }
    report(data, json, lambda: show_own_curve(found), out)


def show_record(path: Path, named: str, json: bool) -> None:
    """The games of a record, counted for player 1, each played again by the rules unless they are a file
    that nobody named; and the first game, where there is one.
    """
    found = records.Records(path, part=True)
    ends = {"win": 0, "draw": 0, "loss": 0}
    games, plies, faults = 0, 0, 0
    first: GameRecord | None = None
    referees: dict[str, Referee | None] = {}
    for record in found.checked():
        first = first or record
        games, plies = games + 1, plies + len(record.moves)
        ends[record.outcome] += 1
        faults += bool(record.fault)
        text = written(record.game, record.options)
        if text not in referees:  # rules that are a file run only if a person names it
            referees[text] = None if is_file(text) and not named else Referee(load(named or text))
        if referee := referees[text]:
            try:
                referee.check(record)
            except BadFile as error:
                raise BadFile(message("{path}:{line}: {error}", path=path, line=games, error=error)) from None
        if games % SHOWN == 0:
            bar(games, None, _("games"))
    data: dict[str, object] = {
        "format": records.FORMAT,
        "games": games,
        "wins": ends["win"],
        "draws": ends["draw"],
        "losses": ends["loss"],
        "plies": plies,
        "sealed": found.sealed,
        "checked": None not in referees.values(),
    }
    rows: list[tuple[str, object]] = [
        (_("games"), grouped(games)),
        (_("won by player 1"), grouped(ends["win"])),
        (_("drawn"), grouped(ends["draw"])),
        (_("lost by player 1"), grouped(ends["loss"])),
    ]
    if faults:
        data["faults"] = faults
        rows.append((_("ended by a fault"), grouped(faults)))
    game = ""
    if first is not None:
        game, moves = written(first.game, first.options), list(first.moves)
        data |= {"game": game, "options": first.options, "players": list(first.players), "first_moves": moves}
        rows += [
            (_("plies a game"), decimal(plies / games, ".2f")),
            (_("first game"), " ".join(moves)),
        ]
    notes = [] if found.sealed else [records.cut_off(path, games)]
    if not data["checked"]:
        notes.append(
            _(
                "{path}: its moves are not checked, for the rules are a file that would run; if you trust it,"
                " give --game {game}",
                path=path,
                game=shlex.quote(game),
            )
        )
    report(data, json, lambda: table((game, ""), rows), notes=notes)


def solution_facts(path: Path, header: Report, named: str) -> tuple[Report, str]:
    """The value of the start of a solution, and the same in words."""
    game = load_named(path, header, named)
    load = store.load_payoffs if header["format"] == store.PAYOFF_FORMAT else store.load
    solution: AnySolution = load(path, game)
    start = Position(game, solution.start)
    text = f"{game.text}\n{start}\n\n{solve.sentence(solution, start)}\n" + _(
        "{positions} positions", positions=grouped(len(solution))
    )
    return {"format": header["format"], **solve.facts(solution, start)}, text


def load_named(path: Path, header: Mapping[str, object], named: str) -> Game:
    """The game that the header of a file names, or the one that a person names.

    A game that is a file of Python runs only if a person names it: data from elsewhere must not
    choose what runs here.
    """
    if not isinstance(header.get("game"), str):
        raise BadFile(message("{path} is not a file of damier", path=path))
    found = written_game(header)
    if is_file(found) and not named:
        raise BadInput(
            message(
                "{path} is of {game}, a file that would run; if you trust it, give --game {game}",
                path=path,
                game=shlex.quote(found),
            )
        )
    return load(named or found)


# What `damier show` says of the file of an agent of one's own.


def training_facts(found: TrainedAgent) -> Report:
    """Return what is reported of how an agent learnt."""
    curve = [block_facts(block) for block in found.curve.blocks]
    return {**found.training, "games": found.games, "curve": curve}


def trained(games: int, training: Mapping[str, object]) -> str:
    """Return how an agent was trained, in words."""
    if not games:
        return _("never trained")
    return ngettext(
        "{n} game against {opponent}, seat {seat}, seed {seed}",
        "{n} games against {opponent}, seat {seat}, seed {seed}",
        games,
        n=grouped(games),
        **{k: training.get(k) for k in WORDS},
    )


def show_own_curve(found: OwnAgent) -> None:
    """Show the curve of an agent of one's own; what it has learnt is its own affair."""
    say(trained(found.games, found.training))
    columns = (_("games"), _("win"), _("draw"), _("loss"), "ε", _("grade"), _("ceiling"))
    title = _("{game}: {learner}", game=found.game.text, learner=found.learner)
    table(columns, map(row_of, series_of(found).points), title, numbers=range(7))


# What an agent knows: its table beside the exact values, its boxes with their beads, or its lists.

ENTRIES_A_LINE = 9


def agent_facts(path: Path, agent: Agent, exact: Truth | None) -> Report:
    """Return what is reported of an agent."""
    tables = [table_facts(agent.game, *found) for found in agent.tables]
    for (name, parameters, memory), data in zip(agent.tables, tables, strict=True):
        if exact and not written_as_lists(agent.game, name, parameters):
            for row, written in zip(memory.rows(), data["rows"], strict=True):
                written["exact"] = [
                    as_data(value[0]) if value else None for value in exact_of(agent.game, name, row, exact)
                ]
    return {
        "format": agents.FORMAT,
        "game": agent.game.text,
        "learner": agent.learner,
        "parameters": as_written(agent.parameters),
        **training_facts(agent),
        "tables": tables,
    }


def show_table(agent: Agent, exact: Truth | None, most: int) -> None:
    """Show a table to people: the best known positions first, no more than `most` of each table."""
    training = agent.training
    say(_("{game}: {learner}", game=agent.game.text, learner=agent.learner))
    say(trained(agent.games, training))
    for name, parameters, memory in agent.tables:
        lists = (
            lists_of(agent.game, parameters, memory)
            if written_as_lists(agent.game, name, parameters)
            else None
        )
        if lists is not None:
            show_lists(agent.game, lists, exact)
        else:
            show_rows(agent.game, name, memory, exact, most)


WORDS = ("opponent", "seat", "seed")


def show_lists(game: Game, lists: dict[str, list[int]], exact: Truth | None) -> None:
    """The lists of Nim: how often each move stands in each, and the share of those that win."""
    rows = []
    for matches, listed in lists.items():
        known = exact.of_moves(heap_of(game, int(matches))) if exact else {}
        winning = [move.bit_length() for move, (value, _plies) in known.items() if value == "win"]
        if not listed:
            share = _("empty")
        elif winning:
            share = _("{n} %", n=decimal(100 * sum(map(listed.count, winning)) / len(listed), ".0f"))
        else:
            share = _("no move") if exact else ""
        counts = "  ".join(f"{taken} × {listed.count(taken)}" for taken in sorted(set(listed), reverse=True))
        rows.append((matches, counts, share))
    table((_("matches"), _("taken × how often"), _("winning moves")), rows, numbers=[0, 2])


def show_rows(game: Game, name: str, memory: Memory, exact: Truth | None, most: int) -> None:
    """A table: the positions learnt from most often, with what each move is taken to be worth and
    what it is worth.
    """
    rows = sorted(memory.rows(), key=lambda row: -sum(row.counts))
    counted = _("beads") if name == "beads" else _("visits")
    lines = [line for row in rows[:most] for line in lines_of(game, name, row, exact)]
    what = _("after its move") if name == "v" else _("position")
    title = _(
        "{n} positions, {decisions} decisions, ε {epsilon}",
        n=grouped(len(rows)),
        decisions=grouped(memory.decisions),
        epsilon=decimal(memory.epsilon, ".4f"),
    )
    table(
        (counted, what, _("learnt, and in brackets exact") if exact else _("learnt")),
        lines,
        title,
        numbers=[0],
    )
    if len(rows) > most:
        say(_("{n} more; --rows {all} shows them", n=grouped(len(rows) - most), all=len(rows)))


def lines_of(game: Game, name: str, row: Row, exact: Truth | None) -> Iterator[tuple[str, str, str]]:
    """A row as lines of the table, a few entries each."""
    entries = list(cells(game, name, row, exact))
    for first in range(0, len(entries), ENTRIES_A_LINE):
        head = (grouped(sum(row.counts)), game.show(row.state).replace("\n", "/")) if first == 0 else ("", "")
        yield (*head, "   ".join(entries[first : first + ENTRIES_A_LINE]))


def cells(game: Game, name: str, row: Row, exact: Truth | None) -> Iterator[str]:
    """Every entry of a row: its move, what was learnt, what is true."""
    values = exact_of(game, name, row, exact) if exact else [None] * len(row.moves)
    for move, value, count, true in zip(row.moves, row.values, row.counts, values, strict=True):
        learnt = grouped(count) if name == "beads" else decimal(value, ".2f")
        label = "" if name == "v" else game.name_move(row.state, move) + " "
        yield label + learnt + (f" [{in_words(*true)}]" if true else "")


def in_words(value: AnyValue, distance: int | None) -> str:
    """A value and its distance in a few characters: +1 in 3; a payoff as such."""
    if isinstance(value, PayoffValue):
        return str(value)
    return (
        SIGNED[value]
        if distance is None or value == "draw"
        else _("{sign} in {n}", sign=SIGNED[value], n=distance)
    )


def export_agent(agent: Agent, path: Path) -> None:
    """Writes the curve, or the table as the Hexapawn lab does (row A-24), by the name of the
    file. Raises BadInput, BadFile.
    """
    if path.suffix != SUFFIX:
        write_curve(agent, path, agent.game.text)
        return
    if agent.learner != "q" or len(agent.memories) != 1:
        tables = {"learner": agent.learner, "n": len(agent.memories)}
        raise BadInput(
            message(
                "the Hexapawn lab's file holds one table of q; this agent is {learner} with {n}", **tables
            )
        )
    save_hexapion(path, agent.game, agent.memories[0], agent.memories[0].rows())
