"""Searches of document [S1] in the space of states: `bfs` and `dfs` for a line to a won game, on which the
opponent helps (rows A-37 and A-36); `andor` for a forced win (row A-38).

`bfs` finds a shortest line to a game won by `player`, ply by ply: seeing every reply of a ply is not yet to
reckon with the worst one. The list of the positions seen is what makes it possible at all: without, a
position is expanded once for every line to it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from damier.core.analysis import NO_CHANCE, PERFECT_INFORMATION, TWO_PLAYERS, Analysis, require
from damier.core.errors import LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.rules import State
from damier.core.solution import Value, value_of_score
from damier.core.words import _, grouped, message

# What the searches of document [S1] share: a line of play that was looked for, in what order moves
# are tried, and what they need of a game.

Order: TypeAlias = Literal["first", "last"]
"""Which of the legal moves is tried first: that with the lowest bit, or with the highest (in Nim:
the largest).
"""

NODES = 1_000_000
"""How many positions a search expands unless it is told otherwise: some seconds of plain Python."""

Tell: TypeAlias = Callable[..., None]
"""tell(step, …): hears of every step of a search as it happens.

take             the position that waits longest is expanded (bfs)
go, wait, won, lost, seen  with a move and the position after it: what becomes of that; of a position that
                 `andor` has seen also whether a win is forced there
yes, no          what a position comes to (dfs, andor), and the move that settles it, if one does
"""


def untold(*_step: object) -> None:
    """For searches of which nobody hears."""


NEEDS = (TWO_PLAYERS, PERFECT_INFORMATION, NO_CHANCE)


@dataclass(frozen=True)
class Path:
    """The first line that a search came upon at whose end `player` has won; of `andor`, what is played from
    the first position by its plan, or by the move tried first where that has none, as far as was searched.

    Attributes:
        found: whether there is one; then `line` leads to it, and is empty where the game is over already. Of
            `andor`, whether `player` can force a win
        expanded: positions whose moves were tried, each as often as that happened
        visited: different positions that the search came to, the first included; of `andor`, those that were
            decided, ends included
        plan: of `andor`, by position, the move that settled it: ours that wins, or the opponent's that spares
            it defeat; none where all moves came to the same
    """

    player: int
    found: bool
    line: tuple[int, ...]
    expanded: int
    visited: int
    plan: Mapping[State, int] = field(default_factory=dict)

    @property
    def move(self) -> int:
        """The first move of the line, whoever makes it; 0 where there is none."""
        return self.line[0] if self.line else 0


def ordered(game: Game, s: State, order: Order) -> list[int]:
    """The legal moves, that to be tried first at the front."""
    legal = game.legal(s)
    return legal if order == "first" else legal[::-1]


def won(game: Game, s: State, player: int) -> bool:
    """Return whether the game has ended well for a player."""
    return bool(game.over(s)) and game.payoff(s, player) > 0


def require_nodes(work: str, expanded: int, visited: int, nodes: int) -> None:
    """Raises LimitReached before more than `nodes` positions are expanded."""
    if expanded >= nodes:
        sentence = _(
            "{work} stopped after {n} positions; it had come to {visited} different ones",
            work=work,
            n=grouped(expanded),
            visited=grouped(visited),
        )
        raise LimitReached(sentence, {"expanded": expanded, "visited": visited})


def bfs(
    game: Game,
    s: State,
    player: int,
    *,
    order: Order = "last",
    revisit: bool = False,
    nodes: int = NODES,
    tell: Tell = untold,
) -> Path:
    """A shortest line to a game won by `player`; of several, the one whose moves are tried first.

    `revisit` does without the list of positions seen: the line is the same. Raises Unsuitable,
    LimitReached.
    """
    require(game, "bfs", *NEEDS)
    if game.over(s):
        return Path(player, won(game, s, player), (), 0, 1)
    visited, came = {s}, [(s, -1, 0)]  # every position met, which one it was met from, by which move
    waiting, expanded = deque([0]), 0
    while waiting:
        number = waiting.popleft()
        here = came[number][0]
        require_nodes("bfs", expanded, len(visited), nodes)
        expanded += 1
        tell("take")
        for move in ordered(game, here, order):
            child = game.play(here, move)
            if child in visited and not revisit:
                tell("seen", move, child)
                continue
            visited.add(child)
            came.append((child, number, move))
            if won(game, child, player):
                tell("won", move, child)
                return Path(player, True, _line(came), expanded, len(visited))
            if game.over(child):
                tell("lost", move, child)
            else:
                waiting.append(len(came) - 1)
                tell("wait", move, child)
    return Path(player, False, (), expanded, len(visited))


def _line(came: list[tuple[State, int, int]]) -> tuple[int, ...]:
    """The moves to the position that was met last."""
    line, number = [], len(came) - 1
    while number:
        _s, number, move = came[number]
        line.append(move)
    return tuple(reversed(line))


# Search for a forced win: one good move at our turns, every move at the opponent's (document [S1],
# "parcours mixte", row A-38; N. J. Nilsson, "Problem-solving methods in artificial intelligence"
# (1971) [Nilsson71], calls it an AND/OR graph).
#
#     forced(s) = an end that is won for us
#               | forced(s') for one move of ours          OR
#               | forced(s') for every move of theirs      AND
#
# Each position is decided once and remembered. The answers are exact: a win is forced for us where
# `solve` says so, and nowhere else.


@dataclass
class Turn:
    """A position on the path; `settles` is the answer of a move that settles it: a win at our turn,
    none at theirs.
    """

    s: State
    settles: bool
    untried: Iterator[int]
    move: int = 0
    child: State | None = None


def andor(
    game: Game, s: State, player: int, *, order: Order = "last", nodes: int = NODES, tell: Tell = untold
) -> Path:
    """Return whether `player` can force a win from `s`.

    Raises Unsuitable, also where a position can come back, and LimitReached.
    """
    require(game, "andor", *NEEDS)
    known: dict[State, bool] = {}
    plan: dict[State, int] = {}
    path: dict[State, Turn] = {}  # in order: what was searched last stands last
    expanded = 0

    def enter(state: State) -> None:
        nonlocal expanded
        if state in path:
            raise Unsuitable(
                message(
                    "in {game} a position can come back: andor has no answer for endless play", game=game.text
                )
            )
        if game.over(state):
            known[state] = won(game, state, player)
        else:
            require_nodes("andor", expanded, len(known), nodes)
            expanded += 1
            path[state] = Turn(state, game.mover(state) == player, iter(ordered(game, state, order)))

    enter(s)
    while path:
        turn = path[next(reversed(path))]
        if turn.child is not None and known[turn.child] == turn.settles:
            known[turn.s], plan[turn.s] = turn.settles, turn.move
            del path[turn.s]
            tell("yes" if turn.settles else "no", turn.move)
        elif not (move := next(turn.untried, 0)):
            known[turn.s] = not turn.settles
            del path[turn.s]
            tell("no" if turn.settles else "yes")
        else:
            turn.move, turn.child = move, game.play(turn.s, move)
            if turn.child in known:
                tell("seen", move, turn.child, known[turn.child])
            else:
                enter(turn.child)
                tell("go" if turn.child in path else "won" if known[turn.child] else "lost", move, turn.child)
    return Path(player, known[s], _line_of_plan(game, s, order, known, plan), expanded, len(known), plan)


def value_of(game: Game, s: State, *, order: Order = "last", nodes: int = NODES) -> Value:
    """The exact value of `s` for who is to move, by two searches: can the mover force a win, can
    the other?
    """
    return value_of_score(_exact_value(game, s, game.mover(s), order, nodes))


def _line_of_plan(
    game: Game, s: State, order: Order, known: dict[State, bool], plan: dict[State, int]
) -> tuple[int, ...]:
    line: list[int] = []
    while not game.over(s):
        move = plan.get(s) or ordered(game, s, order)[0]
        following = game.play(s, move)
        if following not in known:
            break
        line.append(move)
        s = following
    return tuple(line)


# Depth-first search for a won game, the opponent helping (document [S1], `explore`, row A-36).
#
#     explore(s) = the first move after which the game is won, or explore finds a way to win it
#
# It is right about where a game *can* go, and says nothing about where it will: at the opponent's
# turn, too, it takes the move that suits `player`. For the move that wins whatever the opponent does,
# see `andor`.


def dfs(
    game: Game,
    s: State,
    player: int,
    *,
    order: Order = "last",
    revisit: bool = False,
    nodes: int = NODES,
    tell: Tell = untold,
) -> Path:
    """The first line, depth-first, to a game won by `player`.

    The report tries the largest move first, and keeps no list of what it has seen.

    `revisit` expands a position as often as it is come to: the line is the same. Where positions
    come back it then need not end before `nodes` are expanded. Raises Unsuitable, LimitReached.
    """
    require(game, "dfs", *NEEDS)
    if game.over(s):
        return Path(player, won(game, s, player), (), 0, 1)
    visited, expanded = {s}, 1
    line: list[int] = []
    # of the positions along the line
    untried: list[tuple[State, Iterator[int]]] = [(s, iter(ordered(game, s, order)))]
    while untried:
        here, moves = untried[-1]
        move = next(moves, 0)
        if not move:
            untried.pop()
            del line[-1:]
            tell("no")
            continue
        child = game.play(here, move)
        is_new = child not in visited
        visited.add(child)
        if won(game, child, player):
            tell("won", move, child)
            return Path(player, True, (*line, move), expanded, len(visited))
        if game.over(child):
            tell("lost", move, child)
        elif is_new or revisit:
            require_nodes("dfs", expanded, len(visited), nodes)
            expanded += 1
            line.append(move)
            untried.append((child, iter(ordered(game, child, order))))
            tell("go", move, child)
        else:
            tell("seen", move, child)
    return Path(player, False, (), expanded, len(visited))


# The searches of document [S1] as decisions of the player to move: what they would play, what they
# believe, and what that cost (rows ).
#
# `dfs` and `bfs` believe in the line that they found, on which the opponent helps: their +1 says no
# more than that the game *can* be won. What `andor` says is exact.

Optimist = Callable[..., Path]


def optimistic(
    search: Optimist,
    game: Game,
    s: State,
    *,
    order: Order = "last",
    revisit: bool = False,
    nodes: int = NODES,
) -> Analysis:
    """Return what `dfs` or `bfs` would play at `s`: the first move of its line, or the move that it tries
    first where no line is won.

    Only the move of the line has a value. Raises Unsuitable, LimitReached.
    """
    begun = time.perf_counter()
    found = search(game, s, game.mover(s), order=order, revisit=revisit, nodes=nodes)
    values, line = ({found.move: 1}, found.line) if found.move else ({}, ())
    best = found.move or next(iter(ordered(game, s, order)), 0)
    seconds = time.perf_counter() - begun
    return Analysis(
        game,
        s,
        search.__name__,
        int(found.found),
        {**values},
        best,
        found.expanded,
        found.visited,
        len(line),
        False,
        False,
        False,
        seconds,
        line,
    )


def and_or(
    game: Game, s: State, *, order: Order = "last", nodes: int = NODES, explain: bool = True
) -> Analysis:
    """Return what `andor` would play at `s`: all moves that keep the exact value or, unless it is to
    `explain`, the first winning one that it meets.

    `nodes` bounds each search: for a forced win of the mover, and for one of its opponent after
    each move. Raises Unsuitable, LimitReached.
    """
    begun = time.perf_counter()
    mover = game.mover(s)
    ours = andor(game, s, mover, order=order, nodes=nodes)
    if ours.found and ours.move and not explain:
        values = {ours.move: 1}
    else:
        values = {move: _exact_value(game, game.play(s, move), mover, order, nodes) for move in game.legal(s)}
    value = max(values.values(), default=_exact_value(game, s, mover, order, nodes))
    best = game.gathered(move for move, found in values.items() if found == value)
    seconds = time.perf_counter() - begun
    return Analysis(
        game,
        s,
        "andor",
        value,
        {**values},
        best,
        ours.expanded,
        ours.visited,
        len(ours.line),
        True,
        False,
        False,
        seconds,
        ours.line,
    )


def _exact_value(game: Game, s: State, player: int, order: Order, nodes: int) -> int:
    """The exact value of `s` to a player: 1, 0 or -1."""
    if andor(game, s, player, order=order, nodes=nodes).found:
        return 1
    return -1 if andor(game, s, 1 - player, order=order, nodes=nodes).found else 0
