"""One episode, watched: each decision with the numbers that were drawn for it, each reward where it falls,
each update as the learner makes it.

The loop of all games plays it (`damier.core.loop`), with the functions of the learners themselves: what
is told here is what they have computed, and what they know afterwards is what they would know without
anybody looking.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from damier.core.arrays import Floats
from damier.core.bits import Rng, random_unit
from damier.core.compile import Bindings
from damier.core.errors import IllegalMove
from damier.core.game import Game, Position
from damier.core.loop import MatchSetup
from damier.core.open_addressing import NUMBERS_IN_DICTIONARY
from damier.core.player import ActionProbabilities, Arrays, Choose, Kernel
from damier.core.rules import State
from damier.core.words import message
from damier.learn.parameters import ParameterNumber
from damier.learn.player import ALGORITHMS, LearningPlayer
from damier.learn.qtable import EPSILON, SeatArrays, begin, update_trace


class TracedUpdate(NamedTuple):
    """Facts of `update_trace`."""

    player: int
    decision: int
    entry: int
    times: int
    reward: float
    following: float
    trace: float
    target: float
    before: float
    after: float


class TracedDecision(NamedTuple):
    """A decision of a learner.

    Attributes:
        row, entry: of its table; -1 where there was nothing to decide
        move: 0: it gives up
        epsilon: how often it explores
        drawn: the first two random numbers from which it chose
        shares: how likely it is to play each legal move without exploring, in their order
    """

    player: int
    state: State
    row: int
    entry: int
    move: int
    epsilon: float
    drawn: tuple[float, float]
    shares: tuple[float, ...]


@dataclass
class WatchedEpisode:
    """A game from where it begins to its end, or to where a person is to move.

    Attributes:
        moves: as the game's rules know them, those of chance among them; a 0 at the end gives up
        rewards: by seat, what the learner there was told at each move that gained something, in their order
        received: by seat, what had come before each decision, and after the last
    """

    game: Game
    begin: State
    moves: list[int] = field(default_factory=list)
    waits: bool = False
    decisions: list[TracedDecision] = field(default_factory=list)
    updates: list[TracedUpdate] = field(default_factory=list)
    rewards: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    received: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    seats: dict[int, int] = field(default_factory=dict)  # by the identity of a learner's options
    _positions: list[Position] = field(default_factory=list, repr=False, compare=False)

    def positions(self) -> list[Position]:
        """The positions from the first on; each is made once, since every step of a long game asks."""
        if not self._positions:
            self._positions.append(Position(self.game, self.begin))
        for move in self.moves[len(self._positions) - 1 :]:
            if move:
                self._positions.append(self._positions[-1].after(move))
        return self._positions

    @property
    def resigned(self) -> bool:
        """Return whether somebody gave up."""
        return not self.waits and bool(self.moves) and self.moves[-1] == 0


_watched: list[WatchedEpisode] = []
"""The episode that is played now: functions of engines have no other way to tell anybody."""


def is_broken_off() -> bool:
    """Return whether the episode that is played now ends here only because a person is to move."""
    return bool(_watched) and _watched[-1].waits


def note_update(*numbers: float) -> None:
    """Bound to `update_trace`, of whose numbers a TracedUpdate is made."""
    _watched[-1].updates.append(TracedUpdate._make(numbers))


def watched(
    choose_one: Choose,
    observe_one: Callable[[int, int, Arrays], None],
    learn_one: Callable[[int, int, Arrays], None],
    probabilities_of_one: ActionProbabilities,
) -> Kernel[Arrays]:
    """Return the traced functions of one algorithm, for arrays that are put in later: they are made once,
    since engines are kept by what they call.
    """

    def choose(s: State, arrays: Arrays, rng: Rng) -> int:
        episode, seat = _watched[-1], SeatArrays(*arrays)
        again, decisions, epsilon = [rng[0]], seat.length[0], seat.rates[EPSILON]
        move = choose_one(s, arrays, rng)
        shares: Floats = [0.0] * len(seat.weights)
        probabilities_of_one(s, arrays, shares)
        taken = seat.length[0] > decisions
        row, entry = (int(seat.rows[decisions]), int(seat.entries[decisions])) if taken else (-1, -1)
        drawn = random_unit(again), random_unit(again)
        player = episode.seats[id(seat.options)]
        episode.decisions.append(
            TracedDecision(player, s, row, entry, move, epsilon, drawn, tuple(map(float, shares)))
        )
        return move

    def observe_reward(reward: int, player: int, arrays: Arrays) -> None:
        episode, seat = _watched[-1], SeatArrays(*arrays)
        before = seat.rewards[seat.length[0]]
        observe_one(reward, player, arrays)
        episode.rewards[episode.seats[id(seat.options)]].append(seat.rewards[seat.length[0]] - before)

    def learn(payoff: int, player: int, arrays: Arrays) -> None:
        episode, seat = _watched[-1], SeatArrays(*arrays)
        received = map(float, seat.rewards[: int(seat.length[0]) + 1])
        episode.received[episode.seats[id(seat.options)]][:] = received
        if not episode.waits:  # else there is no end to learn from
            learn_one(payoff, player, arrays)

    return Kernel(choose, probabilities_of_one, (), begin, observe_reward, learn, TELLING)


TELLING: Bindings = {**NUMBERS_IN_DICTIONARY, update_trace: note_update}
WATCHED = {
    name: watched(a.choose, a.observe_reward, a.learn, a.action_probabilities)
    for name, a in ALGORITHMS.items()
}


class WatchedPlayer(LearningPlayer):
    """A learner whose games are watched; it sits in plain Python only."""

    compiles = False

    def kernel(self, *, jit: bool) -> Kernel[Arrays] | None:
        return WATCHED[self.name]._replace(arrays=self._arrays(False), grow=self._grow)

    @property
    def options(self) -> tuple[ParameterNumber, ...]:
        """Return what its arrays are known by while it plays."""
        return self._options


@dataclass
class ScriptedPerson:
    """A person whose moves are known by name, as far as they go: then the game waits."""

    game: Game
    names: Sequence[str]
    text, compiles, learns = "human", False, False
    played: int = 0

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        """The next move; 0 where there is none. Raises IllegalMove."""
        if self.played == len(self.names):
            for episode in _watched:
                episode.waits = True
            return 0
        self.played += 1
        try:
            return Position(game, s).read(self.names[self.played - 1])
        except IllegalMove as error:
            raise IllegalMove(message("move {number}: {error}", number=self.played, error=error)) from None

    def kernel(self, *, jit: bool) -> Kernel[tuple[ScriptedPerson, Game]] | None:
        return Kernel(choose_by_script, None, (self, self.game))


def choose_by_script(s: State, arrays: tuple[ScriptedPerson, Game], rng: Rng) -> int:
    """The kernel of a ScriptedPerson."""
    person, game = arrays
    return person.choose(game, s, rng)


def watch(table: MatchSetup, number: int) -> WatchedEpisode:
    """Plays game `number` at a table that records moves, and tells it; learners learn from it where it
    comes to its end.

    A player that learns must be a WatchedPlayer. Raises IllegalMove for a move of a person's.
    """
    episode = WatchedEpisode(table.game, table.starts(number) if table.starts else table.game.start)
    learners = {seat: player for seat, player in enumerate(table.agents) if isinstance(player, WatchedPlayer)}
    episode.seats = {id(player.options): seat for seat, player in learners.items()}
    _watched.append(episode)
    try:
        episode.moves = table.play(number, number + 1, jit=False).lines[0]
    finally:
        _watched.pop()
    if episode.waits:
        episode.moves.pop()
        for player in learners.values():
            player.memory.break_off()
    return episode
