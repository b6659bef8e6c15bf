"""The one loop that plays games, plain or compiled.

Game number n draws its random numbers from stream n of the seed, so that the same games are played
whatever the number of jobs and whichever of the two worlds plays them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from damier.core.arrays import Ints, ints, words
from damier.core.bits import Rng, reseed
from damier.core.compile import Bindings, Engine, instantiate
from damier.core.errors import AgentFault
from damier.core.game import Game
from damier.core.past import advance, empty, rewind
from damier.core.player import AnyKernel, Arrays, FollowsLine, Player, sample_chance
from damier.core.rules import CHANCE, AnyPast, Field, State, as_state, mover, moves, over, payoff, reward
from damier.core.tiers import Tier
from damier.core.words import Text, error_text

LOSSES, DRAWS, WINS = 0, 1, 2  # of the first agent, while it sits at seat 1; 3 to 5 the same at seat 2
UNFINISHED, PLIES = 6, 7
TALLIES = 8


class Stubs(NamedTuple):
    """Functions of an agent that the loop calls: bound to the functions of its kernel."""

    begin: Engine
    choose: Engine
    observe_reward: Engine
    learn: Engine

    def bound_to(self, kernel: AnyKernel) -> Bindings:
        bound: Bindings = {
            self.begin: kernel.begin,
            self.choose: kernel.choose,
            self.observe_reward: kernel.observe_reward,
            self.learn: kernel.learn,
        }
        return bound | kernel.bind


def begin_first(arrays: Arrays, plies: int) -> bool:
    raise TypeError


def choose_first(s: State, arrays: Arrays, rng: Rng) -> int:
    raise TypeError


def observe_reward_first(reward: int, player: int, arrays: Arrays) -> None:
    raise TypeError


def learn_first(payoff: int, player: int, arrays: Arrays) -> None:
    raise TypeError


def begin_second(arrays: Arrays, plies: int) -> bool:
    raise TypeError


def choose_second(s: State, arrays: Arrays, rng: Rng) -> int:
    raise TypeError


def observe_reward_second(reward: int, player: int, arrays: Arrays) -> None:
    raise TypeError


def learn_second(payoff: int, player: int, arrays: Arrays) -> None:
    raise TypeError


FIRST_AGENT = Stubs(begin_first, choose_first, observe_reward_first, learn_first)
SECOND_AGENT = Stubs(begin_second, choose_second, observe_reward_second, learn_second)


def run_games(
    start: tuple[Field, ...],
    first: int,
    stop: int,
    seed: int,
    swap: int,
    limit: int,
    arrays: Arrays,
    others: Arrays,
    rng: Rng,
    tallies: Ints,
    line: Ints,
    ends: Ints,
    past: AnyPast,
) -> int:
    """Plays games number first to stop, `limit` plies at most, and counts their ends in `tallies`;
    returns where it stopped.

    The first agent sits at seat 0; with `swap` 1 the agents change seats every other game, with 2
    it sits at seat 1. An agent that resigns (its move is 0) loses. Moves are written one game after
    the other to `line`, each game's end in there to `ends`; an empty `ends` records nothing. The
    loop stops early where `line` is full, or where a learner has no room.
    """
    recorded = len(ends) > 0
    written = 0
    for number in range(first, stop):
        if not begin_first(arrays, limit) or not begin_second(others, limit):
            return number
        reseed(rng, seed, number)
        seat = number & 1 if swap == 1 else swap >> 1  # of the first agent
        s = as_state(start)
        rewind(past, 0)
        plies = 0
        resigned = CHANCE  # who has
        while plies < limit and resigned < 0 and not over(s):
            player = mover(s)
            if player == CHANCE:
                move = sample_chance(s, moves(s), rng)
            elif player == seat:
                move = choose_first(s, arrays, rng)
            else:
                move = choose_second(s, others, rng)
            if recorded:
                if written == len(line):
                    return number
                line[written] = move
                written += 1
            if move == 0:
                resigned = player
            else:
                gained = reward(s, move)
                if gained != 0 and player != CHANCE:
                    observe_reward_first(gained if player == seat else -gained, player, arrays)
                    observe_reward_second(-gained if player == seat else gained, player, others)
                s = advance(s, move, past)
                plies += 1
        tallies[PLIES] += plies
        if recorded:
            ends[number - first] = written
        value, other_value = 0, 0
        if resigned >= 0:
            value, other_value = (-1, 1) if resigned == seat else (1, -1)
        elif over(s):
            value, other_value = payoff(s, seat), payoff(s, 1 - seat)
        else:
            tallies[UNFINISHED] += 1
        tallies[3 * seat + (WINS if value > 0 else LOSSES if value < 0 else DRAWS)] += 1
        learn_first(value, seat, arrays)
        learn_second(other_value, 1 - seat, others)
    return stop


@dataclass
class Played:
    """Some games: how they ended, and their moves if these were asked for."""

    tallies: list[int] = field(default_factory=lambda: [0] * TALLIES)
    lines: list[list[int]] = field(default_factory=list)

    def add(self, other: Played) -> None:
        self.tallies = [mine + theirs for mine, theirs in zip(self.tallies, other.tallies, strict=True)]
        self.lines += other.lines


@dataclass
class Faults:
    """Faults of agents (AgentFault), by the number of the game that was lost by it; and by that of the game
    after which an agent was at fault, which counts as it was played.
    """

    of_game: dict[int, Text] = field(default_factory=dict)
    after_game: dict[int, Text] = field(default_factory=dict)
    number: int = 0  # of the game that is played

    def forgiving(self, kernel: AnyKernel, *, counts: bool) -> AnyKernel:
        """Return the player as one whose faults lose it the game instead of ending the match.

        Args:
            counts: whether it is the one whose beginnings number the games
        """
        # by plain names: rules are bound in them
        begin_game, choose_move, learn_end = kernel.begin, kernel.choose, kernel.learn
        not_begun: AgentFault | None = None

        def begin(arrays: Arrays, plies: int) -> bool:
            nonlocal not_begun
            not_begun = None
            if counts:
                self.number += 1
            try:
                return begin_game(arrays, plies)
            except AgentFault as error:  # it loses when it is to move
                not_begun = error
                return True

        def choose(s: State, arrays: Arrays, rng: Rng) -> int:
            try:
                if not_begun is not None:
                    raise not_begun
                return choose_move(s, arrays, rng)
            except AgentFault as error:
                self.of_game[self.number] = error_text(error)
                return 0

        def learn(payoff: int, player: int, arrays: Arrays) -> None:
            try:
                learn_end(payoff, player, arrays)
            except AgentFault as error:
                self.after_game[self.number] = error_text(error)

        return kernel._replace(begin=begin, choose=choose, learn=learn)


@dataclass
class MatchSetup:
    """Two agents at a game, ready to play any of its games, plain or compiled.

    `seed` and `swap` as in `run_games`; `limit` the most plies of a game; `record` whether the
    moves are kept; `strict` whether an agent's fault is raised, else it loses the game, unless that is
    over, and `faults` says why. `starts` is where game number n begins, else every game begins at its start.
    """

    game: Game
    agents: tuple[Player, Player]
    seed: int
    swap: int = 0
    limit: int = 10_000
    record: bool = False
    strict: bool = True
    starts: Callable[[int], State] | None = None
    faults: Faults = field(default_factory=Faults, init=False)

    @property
    def compiles(self) -> bool:
        """Return whether both agents can sit in the compiled loop."""
        return all(agent.compiles for agent in self.agents)

    @property
    def learns(self) -> bool:
        """Return whether an agent learns from the games, which must then be played one after the other."""
        return any(agent.learns for agent in self.agents)

    @cached_property
    def tier(self) -> Tier:
        """Return whether the loop runs plain or compiled: prepared by playing nothing."""
        return Tier(self.game, lambda: self._run(0, 0, True))

    def play(self, first: int, stop: int, *, jit: bool) -> Played:
        """Games number first to stop. Raises Uncompilable."""
        return self._run(first, stop, jit)

    def _alike(self, first: int, stop: int) -> tuple[State, int]:
        """Return where game number `first` begins, and the number of the first game from there on that
        begins elsewhere.
        """
        if self.starts is None or first == stop:
            return self.game.start, stop
        start, number = self.starts(first), first + 1
        while number < stop and self.starts(number) == start:
            number += 1
        return start, number

    def _run(self, first: int, stop: int, jit: bool) -> Played:
        """Calls the engine until all games are played, for games that begin alike together; where there
        is no room for a game, or its moves, that game starts again with more.
        """
        rng, past = words(1, jit), empty(self.game, self.limit, jit)
        if not jit and self.game.has_past:
            for agent in self.agents:
                if isinstance(agent, FollowsLine):
                    agent.follow(past)
        played, room = Played(), LINE if self.record else 0
        while True:
            kernels = self._kernels(jit)
            engine = (
                instantiate(run_games, self.game, jit=True, bind=_bound(kernels))
                if jit
                else self._pure_engine
            )
            tallies, line, ends = (
                ints(TALLIES, jit),
                ints(room, jit),
                ints(stop - first if self.record else 0, jit),
            )
            arrays = (kernels[0].arrays, kernels[1].arrays)
            self.faults.number = first - 1
            start, end = self._alike(first, stop)
            reached = engine(
                self.game.fields(start),
                first,
                end,
                self.seed,
                int(self.swap),
                self.limit,
                *arrays,
                rng,
                tallies,
                line,
                ends,
                past,
            )
            cuts = [int(end) for end in ends[: reached - first]]
            lines = [
                [int(move) for move in line[begin:end]] for begin, end in zip([0, *cuts], cuts, strict=False)
            ]
            played.add(Played([int(n) for n in tallies], lines))
            if reached == stop:
                return played
            if reached == end:
                first = end
                continue
            for kernel in kernels:
                kernel.grow(self.limit)
            if reached == first:
                room *= 2  # one game alone is longer
            first = reached

    def _kernels(self, jit: bool) -> tuple[AnyKernel, AnyKernel]:
        first, second = (
            agent.kernel(jit=jit) or AnyKernel(_chooser(agent, self.game), None, ()) for agent in self.agents
        )
        if jit or self.strict:
            return first, second
        return self.faults.forgiving(first, counts=True), self.faults.forgiving(second, counts=False)

    @cached_property
    def _pure_engine(self) -> Callable[..., int]:
        """The loop in plain Python: made once, since making it costs as much as some twenty games."""
        return instantiate(run_games, self.game, jit=False, bind=_bound(self._kernels(False)))


def _bound(kernels: tuple[AnyKernel, AnyKernel]) -> Bindings:
    return FIRST_AGENT.bound_to(kernels[0]) | SECOND_AGENT.bound_to(kernels[1])


def _chooser(agent: Player, game: Game) -> Callable[[State, Arrays, Rng], int]:
    return lambda s, arrays, rng: agent.choose(game, s, rng)


LINE = 1 << 16  # moves recorded in one call of the engine
