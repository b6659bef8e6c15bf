"""The searches of document [S1] told step by step: `explore` (depth-first), breadth-first with its
list of visited states, and the mixed search (AND/OR), rows A-36 to A-38.

What they find, and what it costs, is what `dfs`, `bfs` and `andor` of this room find: these are
made for speed, those to be watched. A *place* is a state where it was come to; a state that two
moves lead to has two places.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from damier.core.errors import LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.requirements import require
from damier.core.rules import State
from damier.core.words import FormattedNumber, message
from damier.search.path import NEEDS, Order, ordered, won

SpaceAlgorithm: TypeAlias = Literal["dfs", "bfs", "andor"]
SPACE_ALGORITHMS: tuple[SpaceAlgorithm, ...] = ("dfs", "bfs", "andor")

SpaceStepKind: TypeAlias = Literal["root", "take", "go", "wait", "won", "lost", "seen", "yes", "no"]
"""root   the first state
take   breadth-first: the state that waited longest is expanded
go     a move is tried, and its state searched at once
wait   a move is tried, and its state put at the end of the queue
won, lost   a move is tried, and ends the game
seen   a move is tried, and its state is known already
yes    a state is settled: from here the player wins (AND/OR: whatever the opponent does)
no     a state is settled: from here no way, or no forced way, to a win was found
"""

MOST_PLACES = 1_500
"""The most places of a search that is told."""


class SpacePlace(NamedTuple):
    """A state where it was come to: from which place (-1 for the first), by which move."""

    state: State
    above: int
    move: int
    ply: int


class SpaceStep(NamedTuple):
    """One step.

    place  where it happens: for a move that is tried, the place that it leads to
    by     for a state that is settled, the place of the move that settled it; -1: all of them
    known  for a state that was seen before: what is known of it in an AND/OR search
    """

    kind: SpaceStepKind
    place: int
    by: int = -1
    known: bool | None = None


@dataclass
class ToldSearch:
    """A search that has been told.

    found     whether a win was found (AND/OR: can be forced) for `player`
    line      the moves of it, or the line that the search followed to its end
    expanded  states whose moves were tried; visited: different states that it came to
    """

    game: Game
    algorithm: SpaceAlgorithm
    player: int
    revisit: bool
    places: list[SpacePlace] = field(default_factory=list)
    steps: list[SpaceStep] = field(default_factory=list)
    found: bool = False
    line: tuple[int, ...] = ()
    expanded: int = 0
    visited: int = 0

    @property
    def move(self) -> int:
        """The first move of the line; 0 where there is none."""
        return self.line[0] if self.line else 0

    def moves_at(self, place: int, order: Order) -> Iterator[int]:
        """The moves at a place, that to be tried first at the front."""
        return iter(ordered(self.game, self.places[place].state, order))

    def put(self, above: int, move: int) -> int:
        """A new place below another. Raises LimitReached."""
        if len(self.places) >= MOST_PLACES:
            raise LimitReached(
                message(
                    "the search comes to more than {n} states; up to so many are told step by step",
                    n=FormattedNumber(MOST_PLACES, ","),
                ),
                {"places": len(self.places)},
            )
        here = self.places[above]
        self.places.append(SpacePlace(self.game.play(here.state, move), above, move, here.ply + 1))
        return len(self.places) - 1

    def tell(self, kind: SpaceStepKind, place: int, by: int = -1, known: bool | None = None) -> None:
        self.steps.append(SpaceStep(kind, place, by, known))

    def has_won(self, place: int) -> bool:
        return won(self.game, self.places[place].state, self.player)

    def is_over(self, place: int) -> bool:
        return bool(self.game.over(self.places[place].state))

    def is_ours(self, place: int) -> bool:
        """Whether the player for whom is searched moves at a place."""
        return self.game.mover(self.places[place].state) == self.player

    def way_to(self, place: int) -> list[int]:
        """The places from the first to this one."""
        way = [place]
        while self.places[way[-1]].above >= 0:
            way.append(self.places[way[-1]].above)
        return way[::-1]


def told(
    game: Game,
    s: State,
    algorithm: SpaceAlgorithm,
    player: int,
    *,
    order: Order = "last",
    revisit: bool = False,
) -> ToldSearch:
    """A search for a win of `player` from `s`, step by step; `revisit` keeps no list of what was
    seen. Raises Unsuitable, LimitReached.
    """
    require(game, algorithm, *NEEDS)
    this = ToldSearch(game, algorithm, player, revisit and algorithm != "andor", [SpacePlace(s, -1, 0, 0)])
    this.visited = 1
    this.tell("root", 0)
    if this.is_over(0):
        this.found = this.has_won(0)
    elif algorithm == "dfs":
        depth_first(this, order)
    elif algorithm == "bfs":
        breadth_first(this, order)
    else:
        and_or_first(this, order)
    return this


def depth_first(this: ToldSearch, order: Order) -> None:
    """`explore`: the first move after which there is a way to win, the opponent helping."""
    seen = {this.places[0].state}
    path, untried = [0], [this.moves_at(0, order)]
    this.expanded = 1
    while path:
        move = next(untried[-1], 0)
        if not move:
            untried.pop()
            this.tell("no", path.pop())
            continue
        child = this.put(path[-1], move)
        is_new = this.places[child].state not in seen
        seen.add(this.places[child].state)
        this.visited = len(seen)
        if this.has_won(child):
            this.tell("won", child)
            settle_line(this, child)
            return
        if this.is_over(child):
            this.tell("lost", child)
        elif is_new or this.revisit:
            this.tell("go", child)
            this.expanded += 1
            path.append(child)
            untried.append(this.moves_at(child, order))
        else:
            this.tell("seen", child)


def breadth_first(this: ToldSearch, order: Order) -> None:
    """Ply by ply: a shortest way to a win, the opponent helping."""
    seen, waiting = {this.places[0].state}, deque([0])
    while waiting:
        here = waiting.popleft()
        this.tell("take", here)
        this.expanded += 1
        for move in this.moves_at(here, order):
            child = this.put(here, move)
            is_new = this.places[child].state not in seen
            seen.add(this.places[child].state)
            this.visited = len(seen)
            if not is_new and not this.revisit:
                this.tell("seen", child)
            elif this.has_won(child):
                this.tell("won", child)
                settle_line(this, child)
                return
            elif this.is_over(child):
                this.tell("lost", child)
            else:
                this.tell("wait", child)
                waiting.append(child)
    this.tell("no", 0)


def settle_line(this: ToldSearch, end: int) -> None:
    """The way back from a game that is won: every place says by which move."""
    way = this.way_to(end)
    this.found, this.line = True, tuple(this.places[place].move for place in way[1:])
    for place, child in zip(reversed(way[:-1]), reversed(way[1:]), strict=True):
        this.tell("yes", place, child)


def and_or_first(this: ToldSearch, order: Order) -> None:
    """The mixed search: one good move of the player's, every move of the opponent's; a state is
    decided once.
    """
    known: dict[State, bool] = {}
    settled_by: dict[int, int] = {}
    path, untried = [0], [this.moves_at(0, order)]
    on_path = {this.places[0].state}
    this.expanded = 1

    def settle(answer: bool, by: int) -> None:
        place = path.pop()
        untried.pop()
        on_path.discard(this.places[place].state)
        known[this.places[place].state] = answer
        settled_by[place] = by
        this.tell("yes" if answer else "no", place, by)

    child = -1  # the move just tried, once it is decided
    while path:
        here = path[-1]
        settles = this.is_ours(here)
        if child >= 0 and known[this.places[child].state] == settles:
            settle(settles, child)
            child = here
            continue
        move = next(untried[-1], 0)
        if not move:
            settle(not settles, -1)
            child = here
            continue
        child = this.put(here, move)
        state = this.places[child].state
        if state in on_path:
            raise Unsuitable(
                message(
                    "in {game} a position can come back: andor has no answer for endless play",
                    game=this.game.text,
                )
            )
        if state in known:
            this.tell("seen", child, known=known[state])
        elif this.is_over(child):
            known[state] = this.has_won(child)
            this.tell("won" if known[state] else "lost", child)
        else:
            this.tell("go", child)
            this.expanded += 1
            path.append(child)
            untried.append(this.moves_at(child, order))
            on_path.add(state)
            child = -1
    this.found, this.visited = known[this.places[0].state], len(known)
    this.line = followed(this, settled_by)


def followed(this: ToldSearch, settled_by: dict[int, int]) -> tuple[int, ...]:
    """The first move of what was found: that which settles the first state, or else the one tried
    first, and so on as far as the places go.
    """
    first: dict[int, int] = {}
    for number, place in enumerate(this.places[1:], 1):
        first.setdefault(place.above, number)
    line, here = [], 0
    while here in settled_by:
        here = settled_by[here] if settled_by[here] >= 0 else first[here]
        line.append(this.places[here].move)
    return tuple(line)
