"""The searches of document [S1] told step by step: `explore` (depth-first), breadth-first with its
list of visited states, and the mixed search (AND/OR), rows A-36 to A-38.

They are `dfs`, `bfs` and `andor` of this room, and tell what they do. A *place* is a state where it was
come to; a state that two moves lead to has two places.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.rules import State
from damier.core.tree import TERMINAL, Mark, Move, Node, Role, Scene, SearchMoment, Trace, Tree, unfolded
from damier.core.words import FormattedNumber, _, message, ngettext
from damier.search.state_space import Order, Tell, andor, bfs, dfs, won

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

    Attributes:
        place: where it happens: for a move that is tried, the place that it leads to
        by: for a state that is settled, the place of the move that settled it; -1: all of them
        known: for a state that was seen before: what is known of it in an AND/OR search
    """

    kind: SpaceStepKind
    place: int
    by: int = -1
    known: bool | None = None


@dataclass
class TracedSearch:
    """A search that has been told.

    Attributes:
        found: whether a win was found (AND/OR: can be forced) for `player`
        line: the moves of it, or the line that the search followed to its end
        expanded: states whose moves were tried
        visited: different states that it came to
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

    def put(self, above: int, move: int, state: State) -> int:
        """A new place below another. Raises LimitReached."""
        if len(self.places) >= MOST_PLACES:
            raise LimitReached(
                message(
                    "the search comes to more than {n} states; up to so many are told step by step",
                    n=FormattedNumber(MOST_PLACES, ","),
                ),
                {"places": len(self.places)},
            )
        self.places.append(SpacePlace(state, above, move, self.places[above].ply + 1))
        return len(self.places) - 1

    def has_won(self, place: int) -> bool:
        return won(self.game, self.places[place].state, self.player)

    def is_over(self, place: int) -> bool:
        return bool(self.game.over(self.places[place].state))

    def is_ours(self, place: int) -> bool:
        """Return whether the player for whom is searched moves at a place."""
        return self.game.mover(self.places[place].state) == self.player


def trace_search(
    game: Game,
    s: State,
    algorithm: SpaceAlgorithm,
    player: int,
    *,
    order: Order = "last",
    revisit: bool = False,
) -> TracedSearch:
    """A search for a win of `player` from `s`, step by step; `revisit` keeps no list of what was
    seen. Raises Unsuitable, LimitReached.
    """
    this = TracedSearch(game, algorithm, player, revisit and algorithm != "andor", [SpacePlace(s, -1, 0, 0)])
    this.steps.append(SpaceStep("root", 0))
    tell = telling(this)
    if algorithm == "andor":
        path = andor(game, s, player, order=order, tell=tell)
    else:
        path = (dfs if algorithm == "dfs" else bfs)(game, s, player, order=order, revisit=revisit, tell=tell)
    this.found, this.line, this.expanded, this.visited = path.found, path.line, path.expanded, path.visited
    if algorithm == "andor":
        this.line = followed(this)
    elif path.found:
        child = len(this.places) - 1
        while (place := this.places[child].above) >= 0:
            this.steps.append(SpaceStep("yes", place, child))
            child = place
    elif algorithm == "bfs" and path.expanded:
        this.steps.append(SpaceStep("no", 0))
    return this


def telling(this: TracedSearch) -> Tell:
    """Return what hears of the steps of a search, and knows at which places they happen."""
    waiting, path = deque([0]), [0]
    after: dict[tuple[int, int], int] = {}

    def tell(
        kind: SpaceStepKind, move: int = 0, state: State | None = None, known: bool | None = None
    ) -> None:
        if kind == "take":
            path[:] = [waiting.popleft()]
            this.steps.append(SpaceStep(kind, path[-1]))
        elif kind in ("yes", "no"):
            place = path.pop()
            this.steps.append(SpaceStep(kind, place, after[place, move] if move else -1))
        elif state is not None:
            place = after[path[-1], move] = this.put(path[-1], move, state)
            this.steps.append(SpaceStep(kind, place, known=known))
            if kind == "go":
                path.append(place)
            elif kind == "wait":
                waiting.append(place)

    return tell


def followed(this: TracedSearch) -> tuple[int, ...]:
    """The first move of what was found: that which settles the first state, or else the one tried
    first, and so on as far as the places go.
    """
    settled_by = {step.place: step.by for step in this.steps if step.kind in ("yes", "no")}
    first: dict[int, int] = {}
    for number, place in enumerate(this.places[1:], 1):
        first.setdefault(place.above, number)
    line, here = [], 0
    while here in settled_by:
        here = settled_by[here] if settled_by[here] >= 0 else first[here]
        line.append(this.places[here].move)
    return tuple(line)


# The told searches of document [S1] in words: a sentence for each step, and the indented trace that
# its programs print (row A-42: three columns further to the right at every ply).

INDENT = 3
"""How much further to the right a ply begins."""

StateNames: TypeAlias = "Callable[[int], str]"
"""By the number of a place, what its state is called."""


def ours() -> str:
    """Return what the player is called for whom is searched, as in the document."""
    return _("AI")


def theirs() -> str:
    return _("HUMAN")


def who(this: TracedSearch, place: int) -> str:
    """Return who moves at a place."""
    return ours() if this.is_ours(place) else theirs()


def who_came(this: TracedSearch, place: int) -> str:
    """Return who made the move that leads to a place."""
    return who(this, this.places[place].above)


def move_name(this: TracedSearch, place: int) -> str:
    """The move that leads to a place."""
    here = this.places[place]
    return this.game.name_move(this.places[here.above].state, here.move)


def trace_line(this: TracedSearch, step: SpaceStep, name: StateNames) -> str:
    """One line of the trace, indented by its ply."""
    return " " * (INDENT * this.places[step.place].ply) + traced(this, step, name)


def traced(this: TracedSearch, step: SpaceStep, name: StateNames) -> str:
    """Return the line without its indentation."""
    state = name(step.place)
    if step.kind == "root":
        return state
    if step.kind == "take":
        return _("expand {state}", state=state)
    if step.kind in ("yes", "no"):
        return f"{state} = {answer(this, step)}"
    line = _(
        "{who} plays {move} → {state}",
        who=who_came(this, step.place),
        move=move_name(this, step.place),
        state=state,
    )
    after = {
        "go": "",
        "wait": _(": into the queue"),
        "won": _(": won"),
        "lost": _(": lost"),
        "seen": _(": seen before")
        if step.known is None
        else _(": known, {answer}", answer=yes_or_no(step.known)),
    }
    return line + after[step.kind]


def answer(this: TracedSearch, step: SpaceStep) -> str:
    """Return what a settled state gives back: the move, T or NIL, as Lisp writes it."""
    if step.kind == "no":
        return "NIL"
    return move_name(this, step.by) if step.by >= 0 else "T"


def yes_or_no(known: bool) -> str:
    return _("✓ won") if known else _("✗ not won")


def sentence(this: TracedSearch, step: SpaceStep, name: StateNames) -> str:
    """A step in words, with its reason."""
    if step.kind == "root":
        return began(this, name)
    if step.kind == "take":
        return _(
            "{state} has waited longest: it is taken from the queue, and {who} tries every move there.",
            state=name(step.place),
            who=who(this, step.place),
        )
    if step.kind in ("yes", "no"):
        return settled(this, step, name)
    return tried(this, step, name)


def began(this: TracedSearch, name: StateNames) -> str:
    """Return what is looked for."""
    sentence = _(
        "{state}: {who} is to move. Is there a game that {ours} wins?",
        state=name(0),
        who=who(this, 0),
        ours=ours(),
    )
    if this.algorithm == "andor":
        sentence = _(
            "{state}: {who} is to move. Can {ours} force a win, whatever {theirs} plays?",
            state=name(0),
            who=who(this, 0),
            ours=ours(),
            theirs=theirs(),
        )
    if this.is_over(0):
        return (
            sentence
            + " "
            + (_("The game is over: won.") if this.has_won(0) else _("The game is over: not won."))
        )
    return sentence


def tried(this: TracedSearch, step: SpaceStep, name: StateNames) -> str:
    """A move that is tried, and what becomes of its state."""
    state = name(step.place)
    sentence = (
        _(
            "{who} plays {move}: {state}.",
            who=who_came(this, step.place),
            move=move_name(this, step.place),
            state=state,
        )
        + " "
    )
    if step.kind == "won":
        return sentence + _("The game is over, and {ours} has won it.", ours=ours())
    if step.kind == "lost":
        return sentence + _("The game is over, and {ours} has not won it.", ours=ours())
    if step.kind == "wait":
        return (
            sentence + _("It is new: it goes to the end of the queue.")
            if this.revisit
            else sentence
            + _("It is new: it goes to the end of the queue, and onto the list of visited states.")
        )
    if step.kind == "seen":
        if step.known is None:
            return sentence + _("It is on the list of visited states already: it is not looked at twice.")
        return sentence + _("It was decided before: {answer}.", answer=yes_or_no(step.known))
    return sentence + goes_on(this, step.place)


def goes_on(this: TracedSearch, place: int) -> str:
    """Return what is asked at a state that is searched at once."""
    if this.algorithm == "andor":
        if this.is_ours(place):
            return _("OR: {who} is to move, and needs one move that wins.", who=who(this, place))
        return _("AND: {who} is to move, and every move must be answered.", who=who(this, place))
    if this.is_ours(place):
        return _("{who} is to move: which move leads to a win?", who=who(this, place))
    return _(
        "{theirs} is to move, and explore chooses for it too: the move that suits {ours}.",
        theirs=theirs(),
        ours=ours(),
    )


def settled(this: TracedSearch, step: SpaceStep, name: StateNames) -> str:
    """A state that gives back its answer."""
    state, mine = name(step.place), this.is_ours(step.place)
    if this.algorithm != "andor":
        return _settled_by_hope(this, step, name)
    if step.kind == "yes":
        if mine:
            return _(
                "{state}, OR: {move} wins, and one good move is enough.",
                state=state,
                move=move_name(this, step.by),
            )
        return _(
            "{state}, AND: {ours} wins after every move of {theirs}.",
            state=state,
            ours=ours(),
            theirs=theirs(),
        )
    if mine:
        return _("{state}, OR: no move wins.", state=state)
    return _(
        "{state}, AND: after {move} {ours} has no forced win, and one such move is enough.",
        state=state,
        move=move_name(this, step.by),
        ours=ours(),
    )


def _settled_by_hope(this: TracedSearch, step: SpaceStep, name: StateNames) -> str:
    state, mine = name(step.place), this.is_ours(step.place)
    if step.kind == "no":
        if this.algorithm == "bfs":
            return _("The queue is empty: there is no game that {ours} wins.", ours=ours())
        return _("{state} gives back NIL: no move there leads to a win of {ours}.", state=state, ours=ours())
    move = move_name(this, step.by)
    if mine:
        return _("{state} gives back {move}: after it there is a way to win.", state=state, move=move)
    return _(
        "{state} gives back {move}: so {theirs} would have to play; nothing makes it do so.",
        state=state,
        move=move,
        theirs=theirs(),
    )


def conclusion(this: TracedSearch) -> str:
    """Return what the search comes to."""
    if this.is_over(0):
        return _("The game is over.")
    names = line_names(this)
    if not this.found:
        return _("NIL: no forced win") if this.algorithm == "andor" else _("NIL: no way to a win")
    if this.algorithm == "andor":
        if this.is_ours(0):
            return _("{move}: it wins whatever {theirs} plays", move=names[0], theirs=theirs())
        return _("{ours} wins whatever {theirs} plays", ours=ours(), theirs=theirs())
    return _("{move}: the line hoped for is {line}", move=names[0], line=" ".join(names))


def line_names(this: TracedSearch) -> list[str]:
    """The moves of the line."""
    state, names = this.places[0].state, []
    for move in this.line:
        names.append(this.game.name_move(state, move))
        state = this.game.play(state, move)
    return names


def cost_words(this: TracedSearch) -> str:
    """Return what it cost."""
    return _(
        "{expanded}, {visited}",
        expanded=ngettext("{n} state expanded", "{n} states expanded", this.expanded),
        visited=ngettext("{n} state met", "{n} different states met", this.visited),
    )


def state_names(this: TracedSearch) -> StateNames:
    """Return what the states are called: in Nim as the document writes them, (7 AI); elsewhere by number,
    in the order in which they were first come to.
    """
    numbers: dict[State, int] = {}
    for place in this.places:
        numbers.setdefault(place.state, len(numbers) + 1)

    def name(place: int) -> str:
        state = this.places[place].state
        if this.game.name == "nim" and this.game.write_position is not None:
            heaps = this.game.write_position(state).split()[0]
            return f"({heaps} {who(this, place)})"
        return f"({numbers[state]} {who(this, place)})"

    return name


# A told search of document [S1] played again: its states as a tree, as far as they had been come to
# after any of its steps.


class SpaceReplay(Trace[SpaceStep, "SpaceMoment"]):
    """The moments of the search of a space of states; its lines are the indented trace."""

    def __init__(self, found: TracedSearch) -> None:
        self.found, self.steps = found, found.steps
        self.name = state_names(found)
        self.sentences = tuple(sentence(found, step, self.name) for step in found.steps)
        self.lines = tuple(trace_line(found, step, self.name) for step in found.steps)
        self.below: list[list[int]] = [[] for _place in found.places]
        for number, place in enumerate(found.places[1:], 1):
            self.below[place.above].append(number)
        self.at = {place: number for number, place in enumerate(preorder(self.below))}

        self.blank = self._blank()

    def _blank(self) -> Scene:
        """The places as the nodes of a tree, in the order in which they are drawn; nothing known of them."""
        found, drawn = self.found, list(self.at)
        movers = [0 if found.is_ours(place) else 1 for place in drawn]
        nodes, roles = list[Node](), list[Role | None]()
        for place, mover in zip(drawn, movers, strict=True):
            moves = tuple(Move(move_name(found, child), self.at[child], 1.0) for child in self.below[place])
            over = found.is_over(place)
            nodes.append(Node(self.name(place), TERMINAL if over else mover, moves, None, None))
            roles.append(None if over else "max" if mover == 0 else "min")
        tree = Tree(tuple(nodes), 0, 2)
        places, marks = unfolded(tree, None, MOST_PLACES), (Mark("hidden"),) * len(nodes)
        legend = _(
            "▲ {ours} moves   ▼ {theirs} moves   broken: not expanded again   thick: what was found",
            ours=ours(),
            theirs=theirs(),
        )
        return Scene(tree, places, tuple(roles), tuple(movers), marks, legend=legend)

    def begin(self) -> SpaceMoment:
        return SpaceMoment(self)

    def facts(self) -> list[dict[str, object]]:
        """All steps as plain data."""
        found, places = self.found, self.found.places
        return [
            {
                "kind": step.kind,
                "state": self.name(step.place),
                "ply": places[step.place].ply,
                "move": move_name(found, step.place) if places[step.place].above >= 0 else None,
                "trace": line,
                "words": sentence,
            }
            for step, line, sentence in zip(self.steps, self.lines, self.sentences, strict=True)
        ]


class SpaceMoment(SearchMoment[SpaceStep]):
    """Knowledge after some steps: the states that were met, in order, and those in the queue."""

    def __init__(self, replay: SpaceReplay) -> None:
        super().__init__(replay.blank)
        self.replay = replay
        self.seen: dict[State, int] = {}
        self.queue: list[int] = []
        self.expanded = 0

    @property
    def listed(self) -> list[str]:
        """The states that the search has met, in order, by their names."""
        return [self.replay.name(place) for place in self.seen.values()]

    @property
    def waiting(self) -> list[str]:
        """The states in the queue, by their names."""
        return [self.replay.name(place) for place in self.queue]

    def take(self, step: SpaceStep) -> None:
        found, self.here = self.replay.found, self.replay.at[step.place]
        self.seen.setdefault(found.places[step.place].state, step.place)
        if step.kind == "root":
            over = found.is_over(0)
            self._mark(0, yes_or_no(found.found) if over else "" if found.algorithm == "bfs" else "…")
            if not over and found.algorithm == "bfs":
                self.queue.append(0)
                self._mark(0, _("waits"))
        elif step.kind == "take":
            self.queue.remove(step.place)
            self.expanded += 1
            self._mark(step.place, _("no. {n}", n=self.expanded))
        elif step.kind == "wait":
            self.queue.append(step.place)
            self._mark(step.place, _("waits"))
        elif step.kind == "go":
            self._mark(step.place, "…")
        elif step.kind in ("won", "lost"):
            self._mark(step.place, _("✓ won") if step.kind == "won" else _("✗ lost"))
        elif step.kind == "seen":
            self._mark(step.place, _("seen") if step.known is None else yes_or_no(step.known), cut=True)
        else:
            self._settle(step)

    def _settle(self, step: SpaceStep) -> None:
        found = self.replay.found
        if found.algorithm == "andor":
            self._mark(step.place, yes_or_no(step.kind == "yes"))
        else:
            self._mark(step.place, f"→ {answer(found, step)}" if step.kind == "yes" else answer(found, step))
        if step.by >= 0:
            self.thick.add(self.replay.at[step.by])

    def _mark(self, place: int, note: str, *, cut: bool = False) -> None:
        self.marks[self.replay.at[place]] = Mark("cut" if cut else "done", note=note)


def preorder(below: Sequence[Sequence[int]]) -> list[int]:
    """The places from the first down, the move tried first at the front."""
    found, todo = [], [0]
    while todo:
        found.append(todo.pop())
        todo += reversed(below[found[-1]])
    return found
