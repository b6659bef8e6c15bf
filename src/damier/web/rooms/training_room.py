"""The training room: a board in the middle, each player at its side with its own table, every step of an
episode (rows A-8 to A-23).

Nothing is kept between two questions but what makes them quick: `log` lists what has happened, `moves`
are those of the person in the game that goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from heapq import nlargest
from math import inf
from typing import Literal, NamedTuple

from damier.agents.own import EpisodeStep
from damier.core.board import Grid
from damier.core.errors import BadInput
from damier.core.game import Game, Position
from damier.core.grade import Block, Curve
from damier.core.json_data import to_json
from damier.core.player import Player
from damier.core.rules import CHANCE, State
from damier.core.words import _, grouped, language, message, ngettext
from damier.draw.board import board_block, board_svg, description_of, title_of, unlabelled
from damier.draw.curve import PlotSize, curve_svg
from damier.draw.svg import CHARACTER, SvgBlock, document, label, tag
from damier.draw.text import columns_of, grid_of, move_marks, position_name
from damier.lab.agents import agent_in_words
from damier.lab.curves import series
from damier.lab.learners import preset_in
from damier.lab.options import with_options
from damier.lab.traced_agent import (
    ChangedValue,
    FollowedOwn,
    OwnDecision,
    OwnEpisode,
    OwnTelling,
    Values,
    draw_alike,
)
from damier.lab.training import MOST_TYPED, typed_starts
from damier.learn.action_values import Memory, Row
from damier.learn.episode_trace import TracedDecision, TracedUpdate, WatchedEpisode
from damier.learn.parameters import FIELDS, PRESETS, USUAL_GAMES
from damier.learn.player import ALGORITHMS, AnyParameters, LearningPlayer
from damier.web import pages
from damier.web.limits import LRU
from damier.web.messages import (
    Download,
    NewRow,
    Params,
    Parts,
    PartsAnswer,
    RoomCell,
    RoomFilm,
    RoomFrame,
    RoomStep,
)
from damier.web.registry import Registry, refuse_files
from damier.web.snapshot import (
    Exact,
    ExactAnswers,
    answers,
    code_of,
    grade_at,
    in_words,
    mirrored,
    most_visited,
    number_text,
    opponent_in_words,
    sign,
    table_text,
)
from damier.web.training_pair import (
    ALONE,
    MOST_POSITIONS,
    OPTIONS,
    GamesAlone,
    Pair,
    PairKnown,
    PersonGame,
    RoomEvent,
    SeatKnown,
    experience,
    is_learning,
    joined_events,
    moves_of,
    plies_of,
    read_log,
    takes_tables,
    write_log,
)

# A game of the training room as a film: a frame for every position, and a step for whatever is learnt, at
# its place between them; with the table of each agent, why it moved, and the formula of every step.


STRONGEST = 4
"""Shades of a value, of one sign."""


def hue_of(value: float, scale: float) -> str:
    """The shade of a value, by the largest that there can be: p1 to p4 above 0, n1 to n4 below.

    >>> hue_of(100, 100), hue_of(-1, 100), hue_of(0, 100)
    ('p4', 'n1', '')
    """
    if value == 0:
        return ""
    strength = round(STRONGEST * min(1.0, abs(value) / (scale or 1.0)) ** 0.5)
    return ("p" if value > 0 else "n") + str(max(1, strength))


def exact_number(value: float) -> str:
    """All digits of a number; beads are counted, but told as values are."""
    return number_text(float(value), "")


def lowered(number: int) -> str:
    """A number below the line.

    >>> lowered(12)
    '₁₂'
    """
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(number))


# How a move was chosen: the numbers that were drawn, and the shares of the moves as a bar (row A-22).


WIDTH, HEIGHT, FONT = 330.0, 26.0, 13.0
COLOURS = 6


def why_part(game: Game, algorithm: str, parameters: AnyParameters, decision: TracedDecision) -> str:
    """Return why a learner took a move, as a part of the page."""
    moves = game.legal(decision.state)
    names = [game.name_move(decision.state, move) for move in moves]
    shares = decision.shares[: len(moves)]
    chosen = names[moves.index(decision.move)] if decision.move else ""
    by_shares = algorithm == "beads" or getattr(parameters, "policy", "greedy") == "softmax"
    explored = algorithm != "beads" and decision.drawn[0] < decision.epsilon
    drawn = decision.drawn[0 if algorithm == "beads" else 1]
    with_bar = by_shares and not explored and decision.entry >= 0
    return pages.part(
        "training_why.html",
        algorithm=algorithm,
        n=decision.player + 1,
        move=chosen,
        no_choice=decision.entry < 0,
        explored=explored,
        by_shares=by_shares,
        drawn=number_text(decision.drawn[0], ".3f"),
        epsilon=number_text(decision.epsilon),
        bar=pages.picture(shares_svg(names, shares, drawn)) if with_bar else "",
    )


def shares_svg(names: list[str], shares: tuple[float, ...], drawn: float | None) -> str:
    """The moves side by side, each as wide as it is likely, with an arrow at the number that was drawn."""
    x, body = 0.0, []
    for number, (name, share) in enumerate(zip(names, shares, strict=True)):
        width = WIDTH * share
        body.append(tag("rect", class_=f"share s{number % COLOURS}", x=x, y=16.0, width=width, height=HEIGHT))
        if width > CHARACTER * FONT * columns_of(name):
            body.append(label(name, x + width / 2, 16 + HEIGHT / 2, FONT))
        x += width
    if drawn is not None:
        at = WIDTH * drawn
        body.append(tag("path", class_="d-ink drawn", d=f"M{at:.2f} 14l-5 -10h10z"))
    words = ", ".join(
        f"{name} {number_text(100 * share, '.1f')} %" for name, share in zip(names, shares, strict=True)
    )
    return document(SvgBlock(WIDTH, HEIGHT + 18, "".join(body)), _("Shares of the moves"), words)


# The table of one agent of a training room (row A-23): a row a position with its board and the moves that it
# has, values as colour and number, what is exactly true on demand.


MOST_ROWS = 60
CELL, MARGIN = 14, 2
"""Of the small boards: the size of a cell, and what is around them."""
_boards = LRU[tuple[str, str, State], str](4_000)


class TableCell(NamedTuple):
    """A move: its place in the table, what is known of it, and what is exactly true."""

    key: str
    move: int
    value: float
    name: str
    text: str
    exactly: str
    hue: str
    true: str
    true_in_words: str


@dataclass(frozen=True)
class TableRow:
    """A position; `is_new` where this game has come to it for the first time."""

    key: str
    board: str
    name: str
    is_new: bool
    cells: list[TableCell]


@dataclass(frozen=True)
class SeatTable:
    """Table of the agent at a seat, from 0, before it learns from a game, in rows of which those of
    the game are always shown.

    Attributes:
        known: how many rows it had before the game
        whole: whether the others are shown, too: most of the work, while nobody looks at the table
    """

    seat: int
    algorithm: str
    parameters: AnyParameters  # the dataclass of its algorithm
    memory: Memory
    known: int
    whole: bool

    @property
    def scale(self) -> float:
        """The largest value that there can be, or about."""
        if self.algorithm == "beads":
            return 1.0
        return max(abs(self.parameters.win), abs(self.parameters.loss)) or 1.0

    def text_of(self, value: float) -> str:
        return str(int(value)) if self.algorithm == "beads" else number_text(value, ".2f")

    def hue(self, value: float, total: float = 0.0) -> str:
        """The colour of a value; of beads, by their share of the box."""
        return (
            hue_of(value / total if total else 0.0, 1.0)
            if self.algorithm == "beads"
            else hue_of(value, self.scale)
        )


def table_part(game: Game, kind: str, known: int, rows: Sequence[TableRow]) -> str:
    """A table as a part of the page: of the `known` positions those that are shown."""
    return pages.part(
        "training_table.html",
        rows=[row_part(game, row) for row in rows],
        known=known,
        kind=kind,
    )


def row_part(game: Game, row: TableRow) -> str:
    """A row of a table as a part of the page."""
    return pages.part("training_row.html", row=row, numbered=game.id is not None)


def rows_of(table: SeatTable, episode: WatchedEpisode, exact: ExactAnswers) -> list[TableRow]:
    """The rows that are shown, as they were before they were learnt from."""
    memory, met = table.memory, {d.row for d in episode.decisions if d.player == table.seat and d.row >= 0}
    # as it was before the first of several
    before = {each.entry: each.before for each in reversed(episode.updates) if each.player == table.seat}
    _codes, first, _moves, _values, _counts = memory.columns()
    visited = most_visited(memory, MOST_ROWS, met) if table.whole else sorted(met)
    return [
        row_of(table, exact, number, row, first[number], before) for number, row in memory.selected(visited)
    ]


def row_of(
    table: SeatTable, exact: ExactAnswers, number: int, row: Row, first: int, before: dict[int, float]
) -> TableRow:
    game, beads = exact.game, table.algorithm == "beads"
    values = [
        before.get(first + place, float(row.counts[place]) if beads else row.values[place])
        for place in range(len(row.values))
    ]
    total = sum(values)
    cells = [
        (
            f"{table.seat + 1}-{number}-{first + place}",
            move,
            value,
            table.text_of(value),
            exact_number(value),
            table.hue(value, total),
        )
        for place, (move, value) in enumerate(zip(row.moves, values, strict=True))
    ]
    return TableRow(
        f"{table.seat + 1}-{number}",
        small_board(game, row.state),
        position_name(game, row.state),
        number >= table.known,
        cells_of(game, row.state, cells, exact.of(table.algorithm, row)),
    )


def cells_of(
    game: Game, s: State, cells: Sequence[tuple[str, int, float, str, str, str]], exact: Sequence[Exact]
) -> list[TableCell]:
    """The cells of a row: key, move, value, text, all digits and colour of each, and what is exactly true."""
    return [
        TableCell(
            key,
            move,
            value,
            game.name_move(s, move) if move else "V",
            text,
            exactly,
            hue,
            sign(true),
            in_words(true),
        )
        for (key, move, value, text, exactly, hue), true in zip(cells, exact, strict=True)
    ]


def small_board(game: Game, s: State) -> str:
    """A position as a small picture without labels, drawn once."""
    return _boards.find((language(), game.text, s), lambda: str(pages.picture(small_svg(Position(game, s)))))


def small_svg(position: Position) -> str:
    grid = grid_of(position)
    if not isinstance(grid, Grid):
        return board_svg(position, size=CELL)
    block = board_block(unlabelled(grid), size=CELL)
    return document(block, title_of(position), description_of(position, grid, ()), MARGIN)


# What can be shown of the agent at one seat in one game, whoever tells it.


class TracedMove(NamedTuple):
    """A move of the agent at a seat; an empty text where there is nothing to show.

    Attributes:
        why: how it chose, as a part of the page
        cell: of its table, that of the move: seat, row and entry
        row: that of the position: seat and row
        decision: its place among those that it learns from; -1 where it does not
        received: what it had been told of by then
    """

    why: str = ""
    cell: str = ""
    row: str = ""
    decision: int = -1
    received: str = ""


@dataclass(frozen=True)
class SeatTrace:
    """The agent at a seat in one game.

    Attributes:
        moves: its own, by ply
        fallen: what a move of either player gained it, by ply
        end: what it is told of the end of the game
        steps: how it learns from it, in order
        rows: of its table, as they were before it learns from the game: all that are shown, or those of the
            game alone
        table: the same as a part of the page
    """

    moves: Mapping[int, TracedMove]
    fallen: Mapping[int, str]
    end: str
    steps: list[RoomStep]
    rows: Callable[[ExactAnswers], list[TableRow]]
    table: Callable[[list[TableRow]], str]


def gains_of(episode: WatchedEpisode) -> Iterator[tuple[int, int, int]]:
    """Every move that gains something: its ply, who made it, and what it gained that player."""
    for ply, position, move in moves_of(episode):
        if position.mover != CHANCE and (gained := episode.game.rules["reward"](position.state, move)) != 0:
            yield ply, position.mover, gained


def signed(value: float) -> str:
    """A reward.

    >>> signed(10.0), signed(-10.0), signed(0.0)
    ('+10', '−10', '0')
    """
    return ("+" if value > 0 else "") + number_text(value)


# What a learner with a table of damier's tells of a game: the numbers with which it chose, and every cell
# that it learnt from, with its formula.


def trace_of_table(table: SeatTable, episode: WatchedEpisode) -> SeatTrace:
    """The learner at a seat; `table` is its table after the game, which tells what it held before."""
    decisions = [decision for decision in episode.decisions if decision.player == table.seat]
    taken: dict[int, TracedDecision] = {}
    if decisions:  # else somebody else sits there
        plies = plies_of(episode, table.seat)
        taken = dict(zip(plies, decisions, strict=False))
        if len(decisions) > len(plies):  # giving up is one, too
            taken[len(episode.moves) - 1] = decisions[-1]
    learnt_from = [decision for decision in decisions if decision.entry >= 0]
    updates = [decision for decision in episode.updates if decision.player == table.seat]
    received, has_events = episode.received[table.seat], bool(getattr(table.parameters, "event", 0.0))

    of_afterstates = table.algorithm == "v"  # whose row is that of the position after the move

    def traced(ply: int, decision: TracedDecision) -> TracedMove:
        number = learnt_from.index(decision) if decision.entry >= 0 else -1
        return TracedMove(
            why_part(episode.game, table.algorithm, table.parameters, decision),
            cell_key(decision) if decision.entry >= 0 else "",
            row_key(decision) if decision.row >= 0 and decision.move and not of_afterstates else "",
            number,
            signed(received[number] if number < len(received) else 0.0)
            if has_events and number >= 0 and ply > table.seat
            else "",
        )

    last = max(updates, key=lambda update: update.decision, default=None)
    gains = zip(gains_of(episode), episode.rewards[table.seat], strict=False)
    return SeatTrace(
        moves={ply: traced(ply, decision) for ply, decision in taken.items()},
        fallen={ply: signed(gain) for (ply, _mover, _gained), gain in gains},
        end=signed(last.reward) if last else "",
        steps=[learnt_step(table, episode, learnt_from, updates, update) for update in updates],
        rows=partial(rows_of, table, episode),
        table=partial(table_part, episode.game, table.algorithm, table.known),
    )


def learnt_step(
    table: SeatTable,
    episode: WatchedEpisode,
    learnt_from: Sequence[TracedDecision],
    updates: Sequence[TracedUpdate],
    update: TracedUpdate,
) -> RoomStep:
    """A cell that was learnt from."""
    game, decision = episode.game, learnt_from[update.decision]
    later = [traced_update for traced_update in updates if traced_update.decision == update.decision + 1]
    following = (
        None
        if update.decision == max(traced_update.decision for traced_update in updates)
        else later[0].target
    )
    what = _(
        "Agent {n}: s = {position}, a = {move}",
        n=table.seat + 1,
        position=name_in_line(episode, table.seat, decision),
        move=game.name_move(decision.state, decision.move),
    )
    ((_number, row),) = table.memory.selected([decision.row])
    beads = max(1.0, float(sum(row.counts)))
    source = source_of(table, learnt_from, updates, update)
    carried = number_text(update.following, ".2f")
    if source == end_key(table.seat):
        carried = signed(update.target if table.algorithm == "mean" else update.reward)
    # in letters, with the numbers that the learner has computed, and where these come from
    in_formula = partial(
        pages.part,
        "training_formula.html",
        algorithm=table.algorithm,
        p=table.parameters,
        update=update,
        later=following,
        what=what,
        number=number_text,
    )
    return {
        "seat": table.seat + 1,
        "decision": update.decision,
        "frame": len(episode.positions()) - 1,
        "row": row_key(decision),
        "cells": [
            {
                "cell": cell_key(decision),
                "text": table.text_of(update.after),
                "exactly": exact_number(update.after),
                "hue": table.hue(update.after, beads),
            }
        ],
        "formula": in_formula(blank=False),
        "source": source,
        "carried": carried,
        "asked": in_formula(blank=True),
        "value": update.after,
        # half of the second digit after the point, where that tells it from the old value
        "within": max(5e-7, min(0.005, abs(update.after - update.before) / 4)),
    }


def name_in_line(episode: WatchedEpisode, seat: int, decision: TracedDecision) -> str:
    """The number of the position of a decision; of a game that has none, its place in the line of time."""
    if episode.game.id is not None:
        return position_name(episode.game, decision.state)
    mine = [traced_decision for traced_decision in episode.decisions if traced_decision.player == seat]
    return f"s{lowered(plies_of(episode, seat)[mine.index(decision)] + 1)}"


def source_of(
    table: SeatTable,
    learnt_from: Sequence[TracedDecision],
    updates: Sequence[TracedUpdate],
    update: TracedUpdate,
) -> str:
    """Return the cell in which the value of what follows was read, or the end of the game of a seat."""
    if table.algorithm in ("beads", "mean") or update.decision + 1 == len(learnt_from):
        return end_key(table.seat)
    following = learnt_from[update.decision + 1]
    ((_number, row),) = table.memory.selected([following.row])
    first = following.entry - (row.moves.index(following.move) if following.move in row.moves else 0)
    held: dict[
        int, set[float]
    ] = {}  # by what this game changes: it is read as it was before, or as it is then
    for traced_update in updates:
        held.setdefault(traced_update.entry, set()).update((traced_update.before, traced_update.after))
    values = {first + place: held.get(first + place, {value}) for place, value in enumerate(row.values)}
    read = [entry for entry, found in values.items() if update.following in found]
    return cell_key(following) if following.entry in read or not read else f"{row_key(following)}-{read[0]}"


def end_key(seat: int) -> str:
    """The name of the reward of the end of a game in the line of time."""
    return f"{seat + 1}-end"


def cell_key(decision: TracedDecision) -> str:
    return f"{row_key(decision)}-{decision.entry}"


def row_key(decision: TracedDecision) -> str:
    return f"{decision.player + 1}-{decision.row}"


# What an agent of one's own shows of a game: what it decided, what its methods were told, and which of the
# values that it gives are others then. How it chooses and learns nobody can tell but its file.


def trace_of_own(
    seat: int, episode: WatchedEpisode, before: FollowedOwn, agent: FollowedOwn, *, whole: bool
) -> SeatTrace:
    """The agent at a seat, as it was `before` the game and as the game has left it."""
    own = agent.episode or OwnEpisode()
    plies = plies_of(episode, seat) if own.decisions else []  # none where a person sits in its place
    table = OwnTable(seat, before, own, whole)
    received = {telling.turn: reward_in(telling) for telling in reversed(own.tellings)}
    ends = [telling for telling in own.tellings if telling.turn is None]
    fallen = {ply: gained if mover == seat else -gained for ply, mover, gained in gains_of(episode)}
    return SeatTrace(
        moves={
            ply: TracedMove(
                why_of_own(seat, episode.game, found),
                table.cell(found.state, found.move),
                table.row(found.state),
                number if agent.learns else -1,
                received.get(number, "") if agent.learns else "",
            )
            for number, (ply, found) in enumerate(zip(plies, own.decisions, strict=False))
        },
        fallen={ply: signed(gained) for ply, gained in fallen.items()} if agent.learns else {},
        end=next(filter(None, map(reward_in, ends)), ""),
        steps=[step_words(table, episode, plies, agent, telling) for telling in own.tellings],
        rows=table.rows,
        table=table.part,
    )


def why_of_own(seat: int, game: Game, found: OwnDecision) -> str:
    """Return how an agent of one's own chose a move, as a part of the page."""
    names = [game.name_move(found.state, each) for each in found.shares or ()]
    return pages.part(
        "training_why.html",
        algorithm="own",
        n=seat + 1,
        move=game.name_move(found.state, found.move),
        bar=pages.picture(shares_svg(names, tuple(found.shares.values()), None)) if found.shares else "",
    )


def step_words(
    table: OwnTable, episode: WatchedEpisode, plies: Sequence[int], agent: FollowedOwn, telling: OwnTelling
) -> RoomStep:
    """A method that was called."""
    decisions = table.own.decisions
    decision = (len(decisions) if telling.turn is None else telling.turn) - 1
    state = decisions[decision].state if decision >= 0 else None
    return {
        "seat": table.seat + 1,
        "decision": decision,
        "frame": len(episode.positions()) - 1 if telling.turn is None else plies[telling.turn],
        "row": table.row(telling.changed[0].state if telling.changed else state),
        "cells": list(map(table.changed, telling.changed)),
        "formula": pages.part(
            "training_told.html",
            seat=table.seat + 1,
            call=f"{telling.method}({', '.join(telling.arguments)})",
            told=[(word, argument_in_words(value)) for word, value in telling.arguments.items()],
            changed=[table.in_words(changed) for changed in telling.changed],
            gives_values=agent.says_values,
            file=agent.source.name,
        ),
        "source": "",
        "carried": "",
        "asked": "",
        "value": 0.0,
        "within": 0.0,
    }


def reward_in(telling: OwnTelling) -> str:
    """The reward that a method asked for; at the end of a game, else its payoff."""
    for word in ("reward", "payoff"):
        if isinstance(value := telling.arguments.get(word), (int, float)):
            return signed(value)
    return ""


def argument_in_words(value: object) -> str:
    """Return what a method was told, in words."""
    if isinstance(value, Position):
        return position_name(value.game, value.state)
    if isinstance(value, (int, float)):
        return signed(value)
    if isinstance(value, tuple):
        decisions = [each for each in value if isinstance(each, EpisodeStep)]
        return ngettext("{n} decision", "{n} decisions", len(decisions))
    return "–" if value is None else str(value)


# The table of an agent of one's own, as its method `values(position)` gives it: a row for each position in
# which it was to move, those of the game first, as it was before the game.

ASKING = 1.0
"""CPU seconds after which no more positions are asked about, but those of the game."""


@dataclass
class OwnTable:
    """Values of moves for the agent at a seat, from 0, `before` a game; `own` is what it did in it. It is
    asked about positions of that game, and about those of the `whole` table where that is looked at.
    """

    seat: int
    before: FollowedOwn
    own: OwnEpisode
    whole: bool

    @cached_property
    def _met(self) -> list[State]:
        """The positions of the game."""
        return list(dict.fromkeys(decision.state for decision in self.own.decisions))

    @cached_property
    def _numbers(self) -> dict[State, int]:
        """Every position in which it was ever to move, in that order, with its number."""
        return {s: number for number, s in enumerate(dict.fromkeys([*self.before.visits, *self._met]))}

    @cached_property
    def _values(self) -> dict[State, Values]:
        """Of the positions that are shown, before the game: in the order in which they were met."""
        found = dict(self._given_values())
        return dict(sorted(found.items(), key=lambda each: self._numbers[each[0]]))

    def _given_values(self) -> Iterator[tuple[State, Values]]:
        """The positions of the game, and those that it was most often in, as far as there is time."""
        copy, begun = self.before.copied(), time.process_time()
        visits, known = self.before.visits, set(self._met)
        room = max(0, MOST_ROWS - len(known)) if self.whole else 0
        often = nlargest(room, (s for s in visits if s not in known), key=visits.__getitem__)
        for s in (*self._met, *often):
            if s in known or time.process_time() - begun < ASKING:
                yield s, copy.values_aside(copy.position(s))

    @cached_property
    def _scale(self) -> float:
        """The largest number that is shown."""
        changed = [change.after for telling in self.own.tellings for change in telling.changed]
        return max((abs(value) for row in self._values.values() for value in row.values()), default=0.0) or (
            max(map(abs, changed), default=0.0)
        )

    def row(self, s: State | None) -> str:
        return f"{self.seat + 1}-{self._numbers[s]}" if s is not None and self.before.says_values else ""

    def cell(self, s: State, move: int) -> str:
        return f"{self.row(s)}-{move}" if self.before.says_values else ""

    def changed(self, change: ChangedValue) -> RoomCell:
        """A cell that holds another value now."""
        return {
            "cell": self.cell(change.state, change.move),
            "text": number_text(change.after, ".2f"),
            "exactly": exact_number(change.after),
            "hue": hue_of(change.after, self._scale),
        }

    def in_words(self, change: ChangedValue) -> str:
        game = self.before.game
        return _(
            "{position}, {move}: {before} → {after}",
            position=position_name(game, change.state),
            move=game.name_move(change.state, change.move),
            before="–" if change.before is None else number_text(change.before),
            after=number_text(change.after),
        )

    def rows(self, exact: ExactAnswers) -> list[TableRow]:
        """The rows that are shown; none where its file does not say what moves are worth."""
        if not self.before.says_values:
            return []
        return [self._row(s, values, exact) for s, values in self._values.items()]

    def part(self, rows: Sequence[TableRow]) -> str:
        """The table as a part of the page."""
        if not self.before.says_values:
            return pages.part("training_own.html", file=self.before.source.name)
        return table_part(self.before.game, "own", len(self.before.visits), rows)

    def _row(self, s: State, values: Values, exact: ExactAnswers) -> TableRow:
        game = self.before.game
        moves = game.legal(s)
        row = Row(s, tuple(moves), tuple(values.get(move, 0.0) for move in moves), (0,) * len(moves))
        cells = [
            (
                self.cell(s, move),
                move,
                value,
                number_text(value, ".2f"),
                exact_number(value),
                hue_of(value, self._scale),
            )
            if (value := values.get(move)) is not None
            else (self.cell(s, move), move, -inf, "", "–", "")
            for move in moves
        ]
        return TableRow(
            self.row(s),
            small_board(game, s),
            position_name(game, s),
            s not in self.before.visits,
            cells_of(game, s, cells, exact.of("q", row)),
        )


class TracedGame(NamedTuple):
    """A game that is shown: `before` it, and what the agents at both seats tell of it."""

    pair: Pair
    before: PairKnown
    episode: WatchedEpisode
    traces: tuple[SeatTrace | None, SeatTrace | None]

    def by(self, position: Position) -> SeatTrace | None:
        """Return who moves in a position, where that is an agent that tells something."""
        return self.traces[position.mover] if position.mover in (0, 1) else None

    @property
    def moves(self) -> list[TracedMove]:
        """Return what is told of the move in every position."""
        movers = enumerate(map(self.by, self.episode.positions()))
        return [mover.moves.get(ply, TracedMove()) if mover else TracedMove() for ply, mover in movers]


def traces_of(
    before: PairKnown, episode: WatchedEpisode, agents: tuple[Player, Player], *, whole: bool
) -> list[SeatTrace | None]:
    """Return what the agents tell of a game: they are as it has left them. Their tables are `whole`, or hold
    the positions of the game alone.
    """
    found: list[SeatTrace | None] = []
    for number, (agent, seat) in enumerate(zip(agents, before.seats, strict=True)):
        if isinstance(agent, FollowedOwn) and isinstance(seat, FollowedOwn):
            found.append(trace_of_own(number, episode, seat, agent, whole=whole))
        elif isinstance(agent, LearningPlayer) and isinstance(seat, SeatKnown):
            table = SeatTable(number, agent.name, seat.parameters, agent.memory, len(seat.memory), whole)
            found.append(trace_of_table(table, episode))
        else:
            found.append(None)
    return found


def frames_of(traced: TracedGame, rows: Sequence[Sequence[TableRow]], *, tables: bool) -> list[RoomFrame]:
    """A frame for every position; `rows` are those of the tables of both agents, which a frame brings only
    where their `tables` are shown.
    """
    positions, moves = traced.episode.positions(), traced.moves
    last, table = len(positions) - 1, {row.key: row for found in rows for row in found}
    unmet = {row.key for row in table.values() if row.is_new}
    met, found = [0, 0], list[RoomFrame]()
    for ply, position in enumerate(positions):
        earlier = moves[ply - 1] if ply else TracedMove()
        new = [key for key in dict.fromkeys((row_of_cell(earlier.cell), moves[ply].row)) if key in unmet]
        unmet.difference_update(new)
        for key in new:
            met[seat_of(key)] += 1
        resigns = ply == last and traced.episode.resigned and traced.by(position)
        found.append(
            {
                "board": picture_of(position, waits=ply == last and traced.episode.waits),
                "said": turn_in_words(traced, position, last=ply == last),
                "why": moves[ply].why if resigns else earlier.why,
                "cell": earlier.cell,
                "row": moves[ply].row,
                "state": time_part(traced, table, ply, moved=False),
                "moved": time_part(traced, table, ply, moved=True),
                "rows": [
                    NewRow(seat=seat_of(key) + 1, html=row_part(traced.pair.lab.game, table[key]))
                    for key in (new if tables else ())
                ],
                "known": [known_by_then(traced, seat, met[seat], ply) for seat in (0, 1)],
            }
        )
    return found


def row_of_cell(cell: str) -> str:
    """Return the row that a cell of a table lies in."""
    return cell.rpartition("-")[0]


def seat_of(key: str) -> int:
    return int(key.partition("-")[0]) - 1


def known_by_then(traced: TracedGame, seat: int, met: int, plies: int) -> str:
    """Return what an agent knows in the middle of a game, in words; nothing where that is not told."""
    trace, agent = traced.traces[seat], traced.before.seats[seat]
    if trace is None or agent is None or (isinstance(agent, FollowedOwn) and not agent.says_values):
        return ""
    positions, decisions = experience(agent)
    taken = sum(bool(move.cell) for ply, move in trace.moves.items() if ply < plies)
    return experience_in_words(positions + met, decisions + taken)


def experience_in_words(positions: int, decisions: int) -> str:
    """Return how much an agent has seen."""
    return ", ".join(
        (
            ngettext("{n} position", "{n} positions", positions, n=grouped(positions)),
            ngettext("{n} decision", "{n} decisions", decisions, n=grouped(decisions)),
        )
    )


def steps_of(traced: TracedGame) -> list[RoomStep]:
    """A step for whatever is learnt, as it happened in the game."""
    steps = (step for trace in traced.traces if trace for step in trace.steps)
    return sorted(steps, key=lambda step: step["frame"])


def picture_of(position: Position, *, waits: bool) -> str:
    """The board; with the moves of a person who is to move, as a part of the page."""
    marks = move_marks(position.game, position.state) if waits else []
    return pages.part(
        "training_board.html",
        picture=pages.picture(board_svg(position, marks)),
        moves=position.moves if waits else (),
    )


def turn_in_words(traced: TracedGame, position: Position, *, last: bool) -> str:
    """Return whose turn it is, or how the game has ended."""
    if last and traced.episode.waits:
        return _("Your move.")
    if last:
        return end_in_words(traced.episode, position)
    if position.mover == CHANCE:
        return _("Chance is to move.")
    return _("Player {n} to move", n=position.mover + 1)


def end_in_words(episode: WatchedEpisode, position: Position) -> str:
    """Return how a game has ended."""
    if episode.resigned:
        return _(
            "Player {n} gives up: player {other} has won.", n=position.mover + 1, other=2 - position.mover
        )
    payoffs = position.payoffs or (0, 0)
    if payoffs[0] == payoffs[1]:
        return _("A draw.")
    return _("Player {n} has won.", n=1 + (payoffs[1] > payoffs[0]))


# The line of time: every position with what its mover takes its moves to be worth, the move, and rewards
# where they fall and where they are told.

MOST_VALUES = 5
"""Moves of a position whose values the line of time shows, the highest ones."""


def time_part(game_traced: TracedGame, table: Mapping[str, TableRow], ply: int, *, moved: bool) -> str:
    """A position of the line of time, before or after its move is known; the last is the end of the game."""
    game, episode, traced = game_traced.pair.lab.game, game_traced.episode, game_traced.moves[ply]
    moves, positions = episode.moves, episode.positions()
    position = positions[ply]
    over = ply == len(positions) - 1 and not game_traced.episode.waits
    move = moves[ply] if (moved or over) and ply < len(moves) else None
    ends = [
        (seat + 1, end_key(seat), trace.end)
        for seat, trace in enumerate(game_traced.traces)
        if trace and trace.end
    ]
    return pages.part(
        "training_time.html",
        ply=ply,
        seat=position.mover + 1,
        board=small_board(game, position.state),
        name=f"s = {position_name(game, position.state)}" if game.id is not None else f"s{lowered(ply + 1)}",
        values=values_at(position, table, traced, moved=moved),
        taken=traced.cell if moved else "",
        move="" if move is None else game.name_move(position.state, move) if move else _("gives up"),
        fallen=[
            (seat + 1, trace.fallen[ply])
            for seat, trace in enumerate(game_traced.traces)
            if trace and move is not None and trace.fallen.get(ply, "0") != "0"
        ],
        told=traced.received,
        decision=traced.decision,
        over=over,
        ends=ends if over else [],
    )


def values_at(
    position: Position, table: Mapping[str, TableRow], traced: TracedMove, *, moved: bool
) -> list[TableCell]:
    """The values that the mover gives the moves of a position, named as they are there; of a learner that
    values positions after its moves, that of the one that it took.
    """
    game = position.game
    taken = table.get(row_of_cell(traced.cell)) if moved else None
    row = table.get(traced.row) or taken
    if row is None:
        return []
    cells = row.cells
    if {cell.move for cell in cells} == set(game.legal(position.state)):
        cells = [cell._replace(name=game.name_move(position.state, cell.move)) for cell in cells]
    best = {cell.key for cell in nlargest(MOST_VALUES, cells, key=lambda cell: cell.value)}
    return [cell for cell in cells if cell.key in best or (moved and cell.key == traced.cell)]


# What the page of a training room shows beside a game: who plays, the line of time, the curve.


SYMBOLS = {"epsilon": "ε", "alpha": "α", "gamma": "γ", "temperature": "T"}


def table_parts(traced: TracedGame, rows: Sequence[list[TableRow]]) -> Parts:
    """The tables of both agents, as they are before the game."""
    return {
        f"table-{seat}": trace.table([row for row in known if not row.is_new]) if trace else ""
        for seat, (trace, known) in enumerate(zip(traced.traces, rows, strict=True), 1)
    }


def knowledge_parts(traced: TracedGame, known: PairKnown, size: PlotSize) -> Parts:
    """Return what the games so far have come to."""
    grades = {f"worth-{seat + 1}": seat_grade_part(traced.pair, known, seat) for seat in (0, 1)}
    won, drawn, lost = known.totals
    totals = pages.part("training_totals.html", games=known.games, won=won, drawn=drawn, lost=lost)
    return {"curve": curve_part(traced, known, size), "totals": totals, **grades}


WIDE, NARROW = PlotSize(380.0, 92.0), PlotSize(150.0, 150.0)
"""The curve below a board, and on a phone."""


def curve_part(traced: TracedGame, known: PairKnown, size: PlotSize) -> str:
    """The curves of both agents, each below its ceiling."""
    curve, against = known.curve, opponent_in_words(traced.pair.against.text)
    drawn = []
    for seat in (0, 1):
        if learns(known, seat):
            own = curve if seat == 0 else mirrored(curve)
            drawn.append(series(_("agent {n}", n=seat + 1), own, str(seat + 1), against))
    picture = pages.picture(curve_svg(drawn, size=size, rates=False)) if known.games else ""
    return pages.part("training_curve.html", curve=picture, shape="narrow" if size == NARROW else "wide")


def learns(known: PairKnown, seat: int) -> bool:
    """Return whether the agent at a seat learns."""
    agent = known.seats[seat]
    return agent.learns if isinstance(agent, FollowedOwn) else agent is not None


def seat_grade_part(pair: Pair, known: PairKnown, seat: int) -> str:
    """Return what the agent at a seat is worth now, exactly, and how it goes on learning."""
    agent = known.seats[seat]
    if agent is None:
        return ""
    varies = pair.grades.varies.get(seat, "")
    grade = grade_at(known.grade, (seat,)) if known.grade and learns(known, seat) and not varies else None
    epsilon = {option: value for option, _sign, value in dials_of(known, seat)}.get("epsilon", "")
    positions, decisions = experience(agent)
    return pages.part(
        "training_worth.html",
        grade=grade,
        payoff=number_text(grade.payoff, "+.4f") if grade else "",
        ceiling=number_text(grade.best_response_value, "+.4f") if grade else "",
        against=opponent_in_words(pair.against.text),
        epsilon=epsilon.replace(".", _(".")),
        known=experience_in_words(positions, decisions),
        learns=learns(known, seat),
        varies=varies,
    )


def agent_choices(own: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return who may sit at a seat, by groups, as an address writes them and in words; the reader's
    `own` first.
    """
    return {
        **({_("your agents"): own} if own else {}),
        **{
            agent_in_words(name): {
                name: agent_in_words(name),
                **{
                    f"{name}:preset={preset}": _(made.title) for preset, made in PRESETS.get(name, {}).items()
                },
            }
            for name in ALGORITHMS
        },
        _("does not learn"): {"random": _("random"), "perfect": _("perfect play")},
    }


def agent_title(text: str) -> str:
    """An agent in words, a preset by its title.

    >>> agent_title("q:preset=hexapion"), agent_title("q:preset=sarsa,alpha=0.5"), agent_title("random")
    ('Q-learning, as in the course', 'Sarsa (alpha=0.5)', 'the random player')
    """
    made, options = preset_in(text)
    return with_options(_(made.title), options) if made else agent_in_words(text)


def dials_of(known: PairKnown, seat: int) -> list[tuple[str, str, str]]:
    """The parameters of the agent at a seat that can be changed as it learns: option, sign, value."""
    learner = known.seats[seat]
    if learner is None:
        return []
    if isinstance(learner, FollowedOwn):
        rates = learner.rates() if learner.learns else {}
        return [(option, SYMBOLS[option], f"{value:.6g}") for option, value in rates.items()]
    found = []
    for option in OPTIONS:
        field = FIELDS.get(option, option)
        if hasattr(learner.parameters, field):
            value = learner.memory.epsilon if option == "epsilon" else getattr(learner.parameters, field)
            text = str(value) if option == "policy" else f"{value:.6g}"
            found.append((option, SYMBOLS.get(option, option), text))
    return found


USUAL = "q:preset=hexapion"
GAME = "hexapawn"
"""Document S0: its game, and its agent on both sides."""
STANDARD_GAMES = 1_000
"""That the agents are first asked to play, where no document says how many."""
PERSONS: tuple[Literal["", "1", "2"], ...] = ("", "1", "2")
LONGEST_LOG = 200_000
"""Characters of a log."""

_shelves = LRU[tuple[object, ...], Pair](8)


@dataclass
class RoomVisit:
    """A room as a browser says it: who plays what, what has happened, who sits where; and what of it is
    looked at: the `tables`, which are most of the work and of the bytes, and the curve in the size that its
    window has room for.
    """

    game: str
    agents: tuple[str, str]
    positions: str
    pair: Pair
    log: list[RoomEvent]
    person: int
    moves: list[str]
    tables: bool
    curve: PlotSize


def room_visit(registry: Registry, params: Params) -> RoomVisit:
    """Return what a question is about. Raises UnknownName, BadInput, Unsuitable, LimitReached."""
    game = params.text("game") or GAME
    agents = (params.text("1") or USUAL, params.text("2") or USUAL)
    person = params.choice("person", PERSONS)
    positions = params.text("positions", longest=MOST_TYPED)
    return RoomVisit(
        game,
        agents,
        positions,
        pair_of(registry, game, agents, params.whole("seed", 0), positions),
        read_log(params.text("log", longest=LONGEST_LOG)),
        int(person) - 1 if person else ALONE,
        params.moves(),
        params.flag("tables"),
        NARROW if params.flag("narrow") else WIDE,
    )


def pair_of(registry: Registry, game: str, agents: tuple[str, str], seed: int, positions: str) -> Pair:
    """The players of a room, made when they are first asked for; anew where the game was loaded again, or
    the file of one of them was edited.
    """
    lab = registry.lab(game)
    known_as = (game, *agents, seed, positions, *(registry.own.edition(text) for text in agents))

    def made() -> Pair:
        first, second = (seated(registry, game, text, seed) for text in agents)
        return Pair(lab, (first, second), seed, typed_starts(lab.game, positions))

    return _shelves.find(known_as, made, lambda kept: kept.lab is lab)


def seated(registry: Registry, game: str, text: str, seed: int) -> Player:
    """A player as a page names it; an agent of one's own as it is before any game of this seed.

    Raises UnknownName, BadInput, AgentFault.
    """
    own = registry.own.named_on_page(text)
    if own is None:
        return registry.agent(game, text)
    refuse_files(own.options)
    draw_alike(seed)
    return registry.own.player(replace(registry.lab(game), seed=seed), own, text)


def page(registry: Registry, params: Params) -> str:
    """The room, as the address says it."""
    found = room_visit(registry, params)
    film = film_of(registry, found)
    known, game = found.pair.after(found.log), found.pair.lab.game
    # a number for each player, as positions of pawns have
    numbered = game.id is not None and isinstance(game.id(game.start), list)
    return pages.page(
        "training.html",
        "/training",
        _("Training room"),
        titles=list(dict.fromkeys(map(agent_title, found.agents))),
        notes={_(made.title): _(made.summary) for text in found.agents if (made := preset_in(text)[0])},
        title_of=agent_title,
        state_text=to_json(film["state"]),  # what comes of it is asked for, and stands nowhere in the page
        state=film["state"],
        frame=film["frames"][0],
        parts=film["parts"],
        games=dict.fromkeys([*registry.games_for_two(), found.game]),
        choices=agent_choices(registry.own.in_files()),
        agents=found.agents,
        codes={player.name: code_of(player.name) for player in found.pair.players if is_learning(player)},
        usual=usual_games(found.agents),
        most_typed=MOST_TYPED,
        comes_later=found.pair.grades.comes_later,
        most_graded=MOST_POSITIONS,
        tables=found.tables,
        has_table=[seat is not None for seat in known.seats],
        with_tables=pages.address(
            f"/training/{found.game}",
            **{name: film["state"][name] for name in ("1", "2", "seed", "positions", "log", "person")},
            moves=",".join(found.moves),
            tables="1",
        ),
        own=[isinstance(seat, FollowedOwn) for seat in known.seats],
        takes=[numbered and takes_tables(player) for player in found.pair.players],
        learners=[learns(known, seat) for seat in (0, 1)],
        dials=[dials_of(known, seat) for seat in (0, 1)],
    )


def usual_games(agents: tuple[str, str]) -> int:
    """Return how many games the agents are first asked to play: as many as a document has its agent play."""
    for text in agents:
        made = preset_in(text)[0]
        if made and made.games != USUAL_GAMES:
            return made.games
    return STANDARD_GAMES


def show(registry: Registry, params: Params) -> RoomFilm:
    """The next game as a film, as far as it goes: what comes of it stands in its log.

    Raises IllegalMove, BadInput, LimitReached.
    """
    return film_of(registry, room_visit(registry, params))


def film_of(registry: Registry, found: RoomVisit) -> RoomFilm:
    pair = found.pair
    before = pair.after(found.log)
    episode, agents = pair.watched(before, found.person, found.moves)
    first, second = traces_of(before, episode, agents, whole=found.tables)
    traced, exact = TracedGame(pair, before, episode, (first, second)), answers(registry, found.game)
    rows = [trace.rows(exact) if trace else [] for trace in traced.traces]
    over = not episode.waits
    played = GamesAlone(1) if found.person == ALONE else PersonGame(found.person, tuple(found.moves))
    return {
        "parts": knowledge_parts(traced, before, found.curve)
        | (table_parts(traced, rows) if found.tables else {}),
        "frames": frames_of(traced, rows, tables=found.tables),
        "steps": steps_of(traced),
        "state": {
            "game": found.game,
            "1": found.agents[0],
            "2": found.agents[1],
            "seed": pair.seed,
            "positions": found.positions,
            "log": write_log(found.log),
            "person": "" if found.person == ALONE else str(found.person + 1),
            "moves": found.moves,
            "over": over,
            "next": write_log(joined_events([*found.log, played]) if over else found.log),
            "games": before.games,
        },
    }


def grade(registry: Registry, params: Params) -> PartsAnswer:
    """Return what both agents of a larger game are worth after what has happened, exactly.

    Raises Unsuitable and LimitReached where that cannot be worked out.
    """
    found = room_visit(registry, params)
    known = found.pair.after(found.log)
    grade = found.pair.grades.grade_compiled(found.pair.agents(known, telling=False))
    block = Block(max(1, known.games), 0, 0, 0, grade=grade)
    graded = replace(known, curve=Curve(known.curve.size, [block]))
    rows = [(seat + 1, seat_grade_part(found.pair, graded, seat)) for seat in (0, 1) if learns(known, seat)]
    return {"parts": {"graded": pages.part("training_graded.html", rows=rows, games=known.games)}}


def download(registry: Registry, params: Params) -> Download:
    """The table of one agent as text, as document S0 keeps it. Raises BadInput."""
    found = room_visit(registry, params)
    number = params.whole("seat", 1, 1, 2)
    player, seat = found.pair.players[number - 1], found.pair.after(found.log).seats[number - 1]
    if not isinstance(seat, SeatKnown) or not is_learning(player):
        raise BadInput(message("agent {n} does not learn", n=number))
    text = table_text(found.pair.lab.game, seat.memory, beads=player.name == "beads")
    return Download("text/plain", text.encode())
