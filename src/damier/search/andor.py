"""Search for a forced win: one good move at our turns, every move at the opponent's (document [S1],
"parcours mixte", row A-38; N. J. Nilsson, "Problem-solving methods in artificial intelligence"
(1971) [Nilsson71], calls it an AND/OR graph).

    forced(s) = an end that is won for us
              | forced(s') for one move of ours          OR
              | forced(s') for every move of theirs      AND

Each position is decided once and remembered. The answers are exact: a win is forced for us where
`solve` says so, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from damier.core.analysis import require
from damier.core.errors import Unsuitable
from damier.core.game import Game
from damier.core.rules import State
from damier.core.solution import Value
from damier.core.words import message
from damier.search.bfs import NEEDS, NODES, Order, ordered, require_nodes, won


@dataclass(frozen=True)
class Forced:
    """Whether `player` can force a win, and how.

    plan      by position, the move that settled it: ours that wins, or the opponent's that spares
              it defeat; none where all moves came to the same
    line      what is played from the first position by the plan, or by the move tried first where
              there is none, as far as was searched
    expanded  positions whose moves were tried, each once; visited: those that were decided, ends
              included
    """

    player: int
    forced: bool
    plan: dict[State, int]
    line: tuple[int, ...]
    expanded: int
    visited: int

    @property
    def move(self) -> int:
        """The first move of the line; 0 where the game is over."""
        return self.line[0] if self.line else 0


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


def andor(game: Game, s: State, player: int, *, order: Order = "last", nodes: int = NODES) -> Forced:
    """Whether `player` can force a win from `s`.

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
        elif not (move := next(turn.untried, 0)):
            known[turn.s] = not turn.settles
            del path[turn.s]
        else:
            turn.move, turn.child = move, game.play(turn.s, move)
            if turn.child not in known:
                enter(turn.child)
    return Forced(player, known[s], plan, _line(game, s, order, known, plan), expanded, len(known))


def value_of(game: Game, s: State, *, order: Order = "last", nodes: int = NODES) -> Value:
    """The exact value of `s` for who is to move, by two searches: can the mover force a win, can
    the other?
    """
    mover = game.mover(s)
    if andor(game, s, mover, order=order, nodes=nodes).forced:
        return "win"
    return "loss" if andor(game, s, 1 - mover, order=order, nodes=nodes).forced else "draw"


def _line(
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
