"""An agent as the mind of an engine: it decides within what it is given, can be told to stop, and tells
what it found on the way.

An agent that searches takes the limits that it is given in place of its own; any other decides as it
always does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from damier.core.analysis import Analysis, evaluation
from damier.core.bits import Rng, random_word
from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.moves import each, random_move
from damier.core.player import TIES, Kernel, chosen, follow
from damier.core.position import Position
from damier.core.rules import State
from damier.lab.agents import AGENTS, agent
from damier.lab.lab import Lab
from damier.lab.options import parameters
from damier.search.player import SearchPlayer
from damier.search.running import DEPTH

DEFAULT_AGENT = "selective:seconds=1"
"""Who plays as an engine if nobody else is named, where the game says how to judge a position."""
ELSEWHERE = "mcts:seconds=1"
"""Who plays the other games."""
LIMITS = ("plies", "rounds", "nodes", "seconds", "simulations")
MOST_PLIES = 10_000
"""That a game is said to have; nobody here knows its limit."""


def usual_agent(game: Game) -> str:
    """Who plays a game as an engine if nobody else is named."""
    return DEFAULT_AGENT if game.evaluation else ELSEWHERE


class SearchBounds(NamedTuple):
    """How far an agent may look; nothing set: as far as it always does.

    endless  until it is stopped
    among    the only moves to choose from; none: all
    """

    plies: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    endless: bool = False
    among: Sequence[int] = ()

    @property
    def options(self) -> dict[str, float]:
        """As options of an agent."""
        given = {"plies": self.plies, "nodes": self.nodes, "seconds": self.seconds}
        return {name: value for name, value in given.items() if value is not None}


class ChosenMove(NamedTuple):
    """A move, 0 where the agent resigns; whether the agent had no time to choose it."""

    move: int
    at_random: bool = False


@dataclass
class Thinker:
    """The agent that is written `text`, at the game of a lab.

    stopping  whether a KeyboardInterrupt means: answer now

    Raises what `agent` raises.
    """

    lab: Lab
    text: str
    rng: Rng
    stopping: Callable[[], bool] = lambda: False
    _best: int = field(default=0, init=False)
    _at: State | None = field(default=None, init=False)  # where that is the best move so far

    def __post_init__(self) -> None:
        self.player = agent(self.lab, self.text)
        game, player = self.lab.game, self.player
        self._kernel = player.kernel(jit=False) or Kernel(
            lambda s, arrays, rng: player.choose(game, s, rng), None, ()
        )
        self.new_game()

    def new_game(self) -> None:
        self._kernel.begin(self._kernel.arrays, MOST_PLIES)

    def think(self, at: Position, bounds: SearchBounds, tell: Callable[[Analysis], None]) -> ChosenMove:
        """The move that the agent chooses in a position that is not over; `tell` hears what it found.

        Raises AgentFault, KeyboardInterrupt.
        """
        s = at.state
        if not self.stopping() or self._at != s:
            self._best, self._at = 0, s
        resigns = False
        try:
            if self.stopping():
                raise KeyboardInterrupt
            if isinstance(self.player, SearchPlayer):
                self._search(at, bounds, tell)
            else:
                follow(self.player, at)
                self._best = self._kernel.choose(s, self._kernel.arrays, self.rng)
                resigns = self._best == 0
        except LimitReached:  # before a single move was known
            pass
        except KeyboardInterrupt:
            if not self.stopping():
                raise
        if resigns and not bounds.among:
            return ChosenMove(0)
        if self._best and (not bounds.among or self._best in bounds.among):
            return ChosenMove(self._best)
        return ChosenMove(
            bounds.among[0] if bounds.among else random_move(self.rng, self.lab.game.moves(s)), True
        )

    def _search(self, at: Position, bounds: SearchBounds, tell: Callable[[Analysis], None]) -> None:
        """Searches ever deeper where no clock runs; else once, as long as there is time."""
        for text, explain in self._searches(bounds):
            player = agent(self.lab, text)
            assert isinstance(player, SearchPlayer)
            explained = explain or bool(bounds.among)
            found = player.decide(
                at.state, at.before, random_word(self.rng) if player.draws else 0, explained
            )
            if explain and found.interrupted and self._best:  # it has seen some of the moves only
                raise KeyboardInterrupt
            self._take(found, player, bounds.among)
            tell(found)
            if found.interrupted:
                raise KeyboardInterrupt
            if found.exact:
                return

    def _searches(self, bounds: SearchBounds) -> Iterator[tuple[str, bool]]:
        """The searches of a decision one after the other, as agents, and whether they are explained."""
        options = [name for name in bounds.options if name in self._known]
        deepens = "plies" in self._known and "seconds" not in options and "nodes" not in options
        if not deepens:
            if options and "plies" in self._known:
                yield self._within({"plies": 1}), False  # a move is known whenever it has to stop
            yield (self.text if not options else self._within(bounds.options)), False
            return
        own = dict(part.split("=", 1) for part in self.text.partition(":")[2].split(",") if "=" in part)
        if not bounds.endless and not options and not ("plies" in own and own["plies"].isdigit()):
            yield self.text, True  # limited by something else
            return
        last = DEPTH if bounds.endless else int(bounds.plies or own["plies"])
        for plies in range(1, last + 1):
            yield self._within({"plies": plies}), True

    @property
    def _known(self) -> list[str]:
        """The options of the agent; none of one that is not damier's own."""
        name = self.text.partition(":")[0]
        return [*parameters(AGENTS[name][0], ["lab"])] if name in AGENTS else []

    def _within(self, limits: dict[str, float]) -> str:
        """The agent with these limits in place of its own."""
        name, _colon, options = self.text.partition(":")
        kept = [part for part in options.split(",") if part and part.split("=")[0] not in LIMITS]
        given = [f"{limit}={value}" for limit, value in limits.items() if limit in self._known]
        return ":".join(filter(None, (name, ",".join([*given, *kept]))))

    def _take(self, found: Analysis, player: SearchPlayer, among: Sequence[int]) -> None:
        """Remembers the best move so far."""
        best = [move for move in each(found.best) if not among or move in among]
        if best:
            self._best = chosen(self.lab.game.gathered(best), TIES[player.ties], self.rng)
        elif among:
            known = [move for move in among if move in found.values]
            values = [value for move in known if not isinstance(value := found.values[move], tuple)]
            if values:
                self._best = known[values.index(max(values))]


def unit_of(lab: Lab, text: str) -> float:
    """What a pawn is worth in the values of a search, where its evaluation says so; else 1."""
    options = dict(part.split("=", 1) for part in text.partition(":")[2].split(",") if "=" in part)
    pawns = lab.game.features.get("pawns")
    if pawns is None or not options.get("evaluate") or "/" in options["evaluate"]:
        return 1.0
    judged = evaluation(lab.game, options["evaluate"])
    weights = dict(zip(judged.features, judged.weights, strict=True))
    return abs(weights.get(pawns, 0.0)) or 1.0
