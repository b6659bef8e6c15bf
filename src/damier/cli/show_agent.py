"""What an agent knows: its table beside the exact values, its boxes with their beads, or its lists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from damier.cli.output import Report, say, table
from damier.core.errors import BadInput
from damier.core.grade import block_facts
from damier.core.solution import AnyValue, PayoffValue, Value
from damier.core.words import _, decimal, grouped, message

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.lab.truth import Truth
    from damier.learn.action_values import Memory, Row
    from damier.learn.store import Agent

ENTRIES_A_LINE = 9
SIGNS: dict[Value, str] = {"win": "+1", "draw": "0", "loss": "−1"}


def facts(path: Path, agent: Agent, exact: Truth | None) -> Report:
    """What is reported of an agent."""
    from damier.core.solution import as_data
    from damier.lab.truth import exact_of
    from damier.learn.parameters import as_written
    from damier.learn.store import FORMAT, table_facts, written_as_lists

    tables = [table_facts(agent.game, *found) for found in agent.tables]
    for (name, parameters, memory), data in zip(agent.tables, tables, strict=True):
        if exact and not written_as_lists(agent.game, name, parameters):
            for row, written in zip(memory.rows(), data["rows"], strict=True):
                written["exact"] = [
                    as_data(value[0]) if value else None for value in exact_of(agent.game, name, row, exact)
                ]
    return {
        "format": FORMAT,
        "game": agent.game.text,
        "learner": agent.learner,
        "parameters": as_written(agent.parameters),
        **agent.training,
        "games": agent.games,
        "curve": [block_facts(block) for block in agent.curve.blocks],
        "tables": tables,
    }


def show(agent: Agent, exact: Truth | None, most: int) -> None:
    """The same for people: the best known positions first, no more than `most` of each table."""
    from damier.learn.store import lists_of, written_as_lists

    training = agent.training
    say(_("{game}: {learner}", game=agent.game.text, learner=agent.learner))
    trained = _(
        "{games} games against {opponent}, seat {seat}, seed {seed}",
        games=grouped(agent.games),
        **{k: training.get(k) for k in WORDS},
    )
    say(trained if agent.games else _("never trained"))
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
    from damier.learn.store import heap_of

    rows = []
    for matches, listed in lists.items():
        s = heap_of(game, int(matches))
        winning = [
            move.bit_length()
            for move in game.legal(s)
            if exact and (value := exact.of_move(game, s, move)) and value[0] == "win"
        ]
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
    shown = [line for row in rows[:most] for line in lines_of(game, name, row, exact)]
    what = _("after its move") if name == "v" else _("position")
    title = _(
        "{n} positions, {decisions} decisions, ε {epsilon}",
        n=grouped(len(rows)),
        decisions=grouped(memory.decisions),
        epsilon=decimal(memory.epsilon, ".4f"),
    )
    table(
        (counted, what, _("learnt, and in brackets exact") if exact else _("learnt")),
        shown,
        title,
        numbers=[0],
    )
    if len(rows) > most:
        say(_("{n} more; --rows {all} shows them", n=grouped(len(rows) - most), all=len(rows)))


def lines_of(game: Game, name: str, row: Row, exact: Truth | None) -> Iterator[tuple[str, str, str]]:
    """A row as lines of the table, a few entries each."""
    entries = list(cells(game, name, row, exact))
    for first in range(0, len(entries), ENTRIES_A_LINE):
        head = (grouped(sum(row.counts)), one_line(game.show(row.state))) if first == 0 else ("", "")
        yield (*head, "   ".join(entries[first : first + ENTRIES_A_LINE]))


def cells(game: Game, name: str, row: Row, exact: Truth | None) -> Iterator[str]:
    """Every entry of a row: its move, what was learnt, what is true."""
    from damier.lab.truth import exact_of

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
        SIGNS[value]
        if distance is None or value == "draw"
        else _("{sign} in {n}", sign=SIGNS[value], n=distance)
    )


def one_line(board: str) -> str:
    return board.replace("\n", "/")


def export(agent: Agent, path: Path) -> None:
    """Draws the curve, or writes the table as the Hexapawn lab does (row A-24), by the name of the
    file. Raises BadInput, BadFile.
    """
    from damier.lab.curves import series, write_curve
    from damier.learn.hexapion import SUFFIX, save_hexapion

    if path.suffix != SUFFIX:
        write_curve(
            [
                series(
                    agent.learner,
                    agent.curve,
                    agent.training.get("seat", "1"),
                    agent.training.get("against", ""),
                )
            ],
            path,
            agent.game.text,
        )
        return
    if agent.learner != "q" or len(agent.memories) != 1:
        tables = {"learner": agent.learner, "n": len(agent.memories)}
        raise BadInput(
            message(
                "the Hexapawn lab's file holds one table of q; this agent is {learner} with {n}", **tables
            )
        )
    save_hexapion(path, agent.game, agent.memories[0], agent.memories[0].rows())
