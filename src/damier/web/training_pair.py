"""Two players of a training room, each with its own table, and what they know after what has happened:
they play it again, by the code that trains. An agent of one's own is copied from moment to moment.

What was found is kept for a while, so that the next step is quick. The log of what has happened stands in
the address of the page; both are graded where that takes no time that anybody would notice.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from typing import NamedTuple, TypeAlias, TypeGuard
from urllib.parse import quote, unquote

from damier.agents.own import OwnPlayer
from damier.core.errors import AgentFault, BadInput, IllegalMove, LimitReached, Unsuitable
from damier.core.game import Game, Position
from damier.core.grade import Curve, Grade
from damier.core.loop import MatchSetup
from damier.core.player import Learner, Player, Policy, RandomPlayer
from damier.core.rules import State
from damier.core.words import FormattedNumber, message
from damier.lab.games import Lab
from damier.lab.grading import decisions, fixed_choices
from damier.lab.learners import with_parameters
from damier.lab.traced_agent import FollowedOwn, followed
from damier.lab.training import GRADED_BYTES, MOST_ASKED, Starts, power_of_two, require_two
from damier.learn.action_values import Memory
from damier.learn.episode_trace import ScriptedPerson, WatchedEpisode, WatchedPlayer, watch
from damier.learn.parameters import fields_of
from damier.learn.player import AnyParameters, LearningPlayer, PolicyBySeat, SeatedPlayer
from damier.learn.store import table_in
from damier.learn.training import Training
from damier.solve.grade import Grader, refuse_ungradable
from damier.solve.reach import has_at_most, plies_of_random_game
from damier.web.limits import LRU
from damier.web.messages import LONGEST_NAME, MOST_MOVES

# What is known at a seat of a training room at one moment.


@dataclass(frozen=True)
class SeatKnown:
    """Knowledge of the learner at one seat, and how it goes on learning."""

    memory: Memory
    parameters: AnyParameters  # the dataclass of its algorithm


Known: TypeAlias = "SeatKnown | FollowedOwn | None"
"""What is known at a seat: the table of a learner, or an agent of one's own, whether it learns or not; None
of all others.
"""


def is_learning(player: Player) -> TypeGuard[LearningPlayer]:
    """Return whether a player learns here in a table of damier's: one from a file plays what it knows."""
    return isinstance(player, LearningPlayer) and player.learns


def learns_here(player: Player) -> TypeGuard[Learner]:
    """Return whether a player learns here, in whatever way."""
    return is_learning(player) or (isinstance(player, FollowedOwn) and player.learns)


def takes_tables(player: Player) -> bool:
    """Return whether a player takes the file of the Hexapawn lab: a table in which both players see positions
    alike.
    """
    return is_learning(player) and player.name == "q" and bool(getattr(player.parameters, "alike", False))


def known_of(player: Player) -> Known:
    """Return what a player knows at this moment. Of an agent of one's own it is the object: who plays
    copies it.
    """
    if isinstance(player, FollowedOwn):
        return player
    return SeatKnown(player.memory.copied(), player.parameters) if is_learning(player) else None


def experience(seat: SeatKnown | FollowedOwn) -> tuple[int, int]:
    """Return how many positions it knows, or was to move in, and how many decisions it has taken."""
    if isinstance(seat, FollowedOwn):
        return len(seat.visits), seat.decisions
    return len(seat.memory), seat.memory.decisions


# What has happened in a training room, as text in an address: `400*;1~epsilon=0.1;2:b3b2,a3a2` is four
# hundred games of the two agents, agent 1 told to explore less, then a game in which a person sat at seat 2.
#
# It depends on nothing else what the agents know: they play and learn it again, by the code that trains.


MOST_ENTRIES = 400
MOST_GAMES = 200_000
"""Games that the agents may play by themselves, in all."""
SPARED = str.maketrans({"\n": "|", " ": "_"})
SPACED = str.maketrans({"|": "\n", "_": " "})
"""How the lines and words of a table are parted in an address."""
OPTIONS = ("epsilon", "alpha", "gamma", "temperature", "policy")
"""What can be changed of an agent while it learns."""


class GamesAlone(NamedTuple):
    """Games of the two agents, one after the other."""

    games: int


class PersonGame(NamedTuple):
    """A game with a person at a seat, from 0, who played these moves; the agent's follow from its table."""

    seat: int
    moves: tuple[str, ...]


class RatesChanged(NamedTuple):
    """The agent at a seat, from 0, was told to go on with other parameters."""

    seat: int
    options: tuple[tuple[str, str], ...]


class TableGiven(NamedTuple):
    """The agent at a seat, from 0, was given a table that was saved, as the text of its file."""

    seat: int
    text: str


RoomEvent: TypeAlias = "GamesAlone | PersonGame | RatesChanged | TableGiven"


def read_log(text: str) -> list[RoomEvent]:
    """Return what is in a text, in its shortest form. Raises BadInput, LimitReached.

    >>> read_log("1*;2*;1~alpha=0.5;1~alpha=0.1")
    [GamesAlone(games=3), RatesChanged(seat=0, options=(('alpha', '0.1'),))]
    >>> read_log("2:b3b2,a3a2")
    [PersonGame(seat=1, moves=('b3b2', 'a3a2'))]
    """
    return joined_events(read_event(part) for part in text.split(";") if part)


def read_event(part: str) -> RoomEvent:
    """One of them. Raises BadInput."""
    if found := re.fullmatch(r"([1-9][0-9]{0,6})\*", part, re.ASCII):
        return GamesAlone(int(found[1]))
    if found := re.fullmatch(r"([12])~(.+)", part):
        options = [option.partition("=") for option in found[2].split(",")]
        if unknown := [name for name, _equals, _value in options if name not in OPTIONS]:
            raise BadInput(
                message(
                    "{name} cannot be changed here; these can: {names}",
                    name=unknown[0],
                    names=" ".join(OPTIONS),
                )
            )
        return RatesChanged(int(found[1]) - 1, tuple((name, value) for name, _equals, value in options))
    if found := re.fullmatch(r"([12])=(.*)", part):
        return TableGiven(int(found[1]) - 1, unquote(found[2].translate(SPACED)))
    if found := re.fullmatch(r"([12]):(.*)", part):
        moves = tuple(unquote(move) for move in found[2].split(",") if move)
        if len(moves) <= MOST_MOVES and all(len(move) <= LONGEST_NAME for move in moves):
            return PersonGame(int(found[1]) - 1, moves)
    raise BadInput(message("{part} is nothing that happens in a training room", part=part[:40]))


def joined_events(events: Iterable[RoomEvent]) -> list[RoomEvent]:
    """Games that follow one another as one event, and of a parameter its last value.

    Raises LimitReached where there are too many.
    """
    found: list[RoomEvent] = []
    for event in events:
        last = found[-1] if found else None
        if isinstance(event, GamesAlone) and isinstance(last, GamesAlone):
            found[-1] = GamesAlone(last.games + event.games)
        elif isinstance(event, RatesChanged) and isinstance(last, RatesChanged) and last.seat == event.seat:
            found[-1] = RatesChanged(event.seat, tuple({**dict(last.options), **dict(event.options)}.items()))
        elif isinstance(event, TableGiven) and isinstance(last, TableGiven) and last.seat == event.seat:
            found[-1] = event
        else:
            found.append(event)
    if len(found) > MOST_ENTRIES:
        raise LimitReached(
            message("a page keeps up to {n} games with a person; begin with new agents", n=MOST_ENTRIES)
        )
    if sum(event.games for event in found if isinstance(event, GamesAlone)) > MOST_GAMES:
        raise LimitReached(
            message(
                "agents of a training room play up to {n} games by themselves; longer trainings are under"
                " Learning",
                n=FormattedNumber(MOST_GAMES, ","),
            )
        )
    return found


def write_log(events: Sequence[RoomEvent]) -> str:
    """The text of what has happened.

    >>> write_log([GamesAlone(3), RatesChanged(0, (("alpha", "0.1"),)), PersonGame(1, ("b3b2", "a3,2"))])
    '3*;1~alpha=0.1;2:b3b2,a3%2C2'
    """
    return ";".join(map(write_event, events))


def write_event(event: RoomEvent) -> str:
    """The text of one event."""
    if isinstance(event, GamesAlone):
        return f"{event.games}*"
    if isinstance(event, TableGiven):
        return f"{event.seat + 1}=" + quote(event.text, safe="\n ").translate(SPARED)
    if isinstance(event, RatesChanged):
        return f"{event.seat + 1}~" + ",".join(f"{name}={value}" for name, value in event.options)
    return f"{event.seat + 1}:" + ",".join(quote(move, safe="") for move in event.moves)


# What both players of a training room are worth, exactly, as far as that takes no time that anybody
# would notice: in plain Python, of games with few positions.


MOST_POSITIONS = 20_000
"""Of the largest game that is graded after its games; a larger one is graded when somebody asks. A grade
takes some 13 µs of plain Python a position: a quarter of a second here, when a game has ended. Compiled it
takes 1 µs, but the seconds that it takes to compile would be waited for.
"""
FREE_POSITIONS = 1_000
"""Of a game that is graded after every block of games."""
LATE_POSITIONS, LATE_BY_CHANCE = 200_000, 20_000
"""Of the largest game that is graded when somebody asks, and of one with chance nodes, which takes many
passes over all of them.
"""
SELDOM = 8
"""Grades of a larger game, however many games have been played, or up to twice as many."""


class RoomGrades:
    """Grades of both players of a room against `against`.

    Attributes:
        comes_later: whether the game is too large for a grade after its games, so that it is asked for
        varies: by seat, why an agent of one's own cannot be graded
    """

    def __init__(self, lab: Lab, against: Policy) -> None:
        self._lab, self._against = lab, against
        self._too_many = False
        self.varies: dict[int, str] = {}

    @property
    def comes_later(self) -> bool:
        return self._grader is None and self._too_many

    def grade_compiled(self, agents: tuple[Player, Player]) -> Grade:
        """The exact grade of both in a larger game, compiled, in a worker that stands back.

        Raises Unsuitable, AgentFault, and LimitReached, before the work, for one that is too large.
        """
        grader = self._grader or self._large
        policy = self.policy(agents, grader)
        if policy is None:
            raise Unsuitable(message("they are not graded: {why}", why=next(iter(self.varies.values()))))
        return grader.grade(policy)

    @cached_property
    def _large(self) -> Grader:
        game, job = self._lab.game, self._lab.job
        refuse_ungradable(game)
        most = LATE_BY_CHANCE if game.stochastic else LATE_POSITIONS
        if not has_at_most(game, most, job):
            raise LimitReached(
                message(
                    "{game} has more than {n} positions, too many to grade here: choose a smaller board",
                    game=game.text,
                    n=FormattedNumber(most, ","),
                )
            )
        return Grader(game, self._against, replace(job, memory=min(job.memory, GRADED_BYTES)))

    @cached_property
    def _grader(self) -> Grader | None:
        game, job = self._lab.game, replace(self._lab.job, jit=False)
        try:
            if has_at_most(game, MOST_POSITIONS, job):
                return Grader(game, self._against, job)
            self._too_many = True
        except (Unsuitable, LimitReached):
            pass
        return None

    def every(self, games: int) -> int:
        """Games between two grades, a power of 2, where so many have been played in all."""
        if self._grader is None or self._grader.positions <= FREE_POSITIONS:
            return 1
        return max(1, power_of_two(games / SELDOM))

    def grade(self, agents: tuple[Player, Player]) -> Grade | None:
        """The exact grade of both, each at its seat."""
        policy = self.policy(agents, self._grader) if self._grader else None
        return self._grader.grade(policy) if self._grader and policy else None

    def policy(self, agents: tuple[Player, Player], grader: Grader) -> Policy | None:
        """Both as one policy that plays with what is known at each seat; where one only learns, or only
        one can be graded, that one.
        """
        first, second = (self._policy_at(seat, agent, grader) for seat, agent in enumerate(agents))
        if first is None or second is None:
            return first if second is None else second
        if (
            isinstance(first, LearningPlayer)
            and isinstance(second, LearningPlayer)
            and first.name == second.name
        ):
            return SeatedPlayer(first, second)
        return PolicyBySeat(first, second)

    def _policy_at(self, seat: int, agent: Player, grader: Grader) -> Policy | None:
        """Return what a learner plays when it does not learn: an agent of one's own that says no
        probabilities is asked in every position. Raises LimitReached where these are too many.
        """
        if is_learning(agent):
            return agent
        if not isinstance(agent, FollowedOwn) or not agent.learns:
            return None
        plays = agent.frozen()
        if isinstance(plays, Policy):
            return plays
        if grader.positions > MOST_ASKED:
            raise LimitReached(
                message(
                    "it would be asked in {n} positions: that takes too long here",
                    n=FormattedNumber(grader.positions, ","),
                )
            )
        decided = fixed_choices(self._lab.game, plays, self._decisions)
        self.varies[seat] = decided.varies
        return None if decided.varies else decided

    @cached_property
    def _decisions(self) -> list[State]:
        return decisions(self._lab.game, self._lab.job)


TRIED_GAMES, TRIED_SECONDS = 6, 0.5
"""Games that agents of one's own play twice when a room is opened, and CPU seconds after which that is
enough.
"""
MOST_SECONDS = 10.0
"""CPU seconds that games with an agent of one's own may take to be played again."""
KEPT = 24
"""Moments that are kept of a pair, each with the list of what led to it."""
PLIES = 1_000
"""The most plies of a game, as in a training."""
FILMED = 40_000
"""Places that the pictures of a game may show in all: a position of chess has 64, a game some hundred
positions. More would be tens of megabytes.
"""
ALONE = -1
"""Instead of the seat of a person: nobody."""


@dataclass(frozen=True)
class PairKnown:
    """Both seats after some games; `seconds` of CPU time that it takes to play them again, with an agent of
    one's own among them.
    """

    seats: tuple[Known, Known]
    games: int = 0
    curve: Curve = field(default_factory=Curve)
    seconds: float = 0.0

    @property
    def totals(self) -> tuple[int, int, int]:
        """Games won at seat 1, drawn, won at seat 2."""
        total = self.curve.total
        return total.wins, total.draws, total.losses

    @property
    def grade(self) -> Grade | None:
        """Return what both were worth when they were graded last, each at its seat."""
        return next((block.grade for block in reversed(self.curve.blocks) if block.grade), None)


class Pair:
    """The two players that a room was opened with.

    Attributes:
        players: as they are before their first game
        known: what they know after lists of events
        begins: where game number n begins; None: at the start of the game
    """

    def __init__(
        self, lab: Lab, players: tuple[Player, Player], seed: int, starts: Starts | None = None
    ) -> None:
        """Raises Unsuitable for a game that learners cannot handle, BadInput where nobody learns, or where
        an agent of one's own does not come to the same twice, AgentFault for what is wrong in its file.
        """
        require_two(lab)
        refuse_long_films(lab.game)
        first, second = (followed(player) if isinstance(player, OwnPlayer) else player for player in players)
        self.lab, self.players, self.seed = lab, (first, second), seed
        self.begins = starts.of(lab.game, seed) if starts else None
        self.known = LRU[tuple[RoomEvent, ...], PairKnown](KEPT)
        if not any(map(learns_here, self.players)):
            raise BadInput(message("one of the two must be an agent that learns"))
        self.grades = RoomGrades(lab, self.against)
        self._tables: dict[tuple[int, bool], MatchSetup] = {}
        self.own = [player for player in self.players if isinstance(player, FollowedOwn)]
        if self.own:
            self._require_alike()

    def _require_alike(self) -> None:
        """Raises BadInput where the first games come out otherwise when they are played again; the fault of
        an agent, where that is the difference: on a busy machine it may answer late.
        """
        first, fault = self._tried(TRIED_GAMES, TRIED_SECONDS)
        again, other = self._tried(len(first) - 1, math.inf)
        once = fault or other
        if once and str(fault) != str(other):
            raise once
        if first != again:
            raise self._varying()

    def _tried(self, games: int, seconds: float) -> tuple[list[object], AgentFault | None]:
        """Return what the first games come to, as many as begin within the CPU seconds, what the agents know
        then, and the fault that ended the last of them, which is told when that game is shown.
        """
        found: list[object] = []
        fault = None
        agents, begun = self.agents(self.at_first, telling=False), time.process_time()
        table = MatchSetup(self.lab.game, agents, self.seed, limit=PLIES, record=True, starts=self.begins)
        while len(found) < games and time.process_time() - begun < seconds and not fault:
            try:
                found.append(table.play(len(found), len(found) + 1, jit=False).lines)
            except AgentFault as error:
                found.append(None)
                fault = error
        return [*found, [agent.knows() for agent in agents if isinstance(agent, FollowedOwn)]], fault

    def _varying(self) -> BadInput:
        return BadInput(
            message(
                "{agent}: played again, its games come out otherwise, so this room cannot show them; it may"
                " draw other random numbers than those of rng, or keep what it learns outside of its object",
                agent=" / ".join(dict.fromkeys(player.text for player in self.own)),
            )
        )

    @property
    def against(self) -> Policy:
        """Return whom learners are graded against: who never changes, else the random player."""
        for player in self.players:
            plays = player.frozen() if isinstance(player, FollowedOwn) else player
            if isinstance(plays, Policy) and not learns_here(player):
                return plays
        return RandomPlayer()

    @property
    def at_first(self) -> PairKnown:
        """Before the first game."""
        first, second = map(known_of, self.players)
        return PairKnown((first, second))

    def after(self, events: Sequence[RoomEvent]) -> PairKnown:
        """Return what they know after these events.

        Raises BadInput, IllegalMove where that cannot have been so.
        """
        listed = tuple(events)
        done, known = self._nearest(listed)
        goes_on = known.games > 0
        for place in range(done, len(listed)):
            # of the next event, which may have grown since
            played = known.games - sum(
                event.games if isinstance(event, GamesAlone) else isinstance(event, PersonGame)
                for event in listed[:place]
            )
            if goes_on:
                self._require_short(known, listed[place], played)
            known = self._happened(known, listed[place], played)
            self.known[listed[: place + 1]] = known
        return known

    def _require_short(self, known: PairKnown, event: RoomEvent, played: int) -> None:
        """Raises LimitReached where games with an agent of one's own would soon take too long to be played
        again by whoever opens the page; single games may still be looked at.
        """
        more = event.games - played if isinstance(event, GamesAlone) else 1
        if more > 1 and known.seconds > MOST_SECONDS:
            raise LimitReached(
                message(
                    "this room plays all games again for who opens its page; these {n} take {seconds}"
                    " seconds, so from here on one game at a time; longer trainings are under Learning",
                    n=FormattedNumber(known.games, ","),
                    seconds=round(known.seconds),
                )
            )

    def _nearest(self, listed: tuple[RoomEvent, ...]) -> tuple[int, PairKnown]:
        """The latest moment on the way that is kept: after how many events, the last perhaps in part."""
        for done in range(len(listed), 0, -1):
            if listed[:done] in self.known:
                return done, self.known[listed[:done]]
            event = listed[done - 1]
            if isinstance(event, GamesAlone):
                before = listed[: done - 1]
                last = [kept[-1] for kept in self.known if len(kept) == done and kept[:-1] == before]
                shorter = [each for each in last if isinstance(each, GamesAlone) and each.games < event.games]
                if shorter:
                    return done - 1, self.known[(*before, max(shorter))]
        return 0, self.at_first

    def _happened(self, known: PairKnown, event: RoomEvent, played: int) -> PairKnown:
        if isinstance(event, RatesChanged):
            return self._changed(known, event)
        if isinstance(event, TableGiven):
            return self._given(known, event)
        if isinstance(event, GamesAlone):
            return self._played(known, event.games - played, ALONE, ())
        try:
            episode, _agents = self.watched(known, event.seat, event.moves)
        except IllegalMove as error:
            raise (self._varying() if self.own else error) from error
        if episode.waits or len(event.moves) > len(plies_of(episode, event.seat)):
            raise (
                self._varying() if self.own else BadInput(message("game {n} is not over", n=known.games + 1))
            )
        return self._played(known, 1, event.seat, event.moves)

    def _changed(self, known: PairKnown, event: RatesChanged) -> PairKnown:
        seat, player = known.seats[event.seat], self.players[event.seat]
        if isinstance(seat, FollowedOwn) and seat.learns:
            changed: Known = with_rates(seat, event)
        elif isinstance(seat, SeatKnown) and is_learning(player):
            memory = seat.memory.copied()
            options = options_of(event, seat.parameters)
            parameters = with_parameters(player.name, seat.parameters, options)
            if any(name == "epsilon" for name, _value in event.options):
                memory.rates[:] = [parameters.epsilon] * 2
            changed = SeatKnown(memory, parameters)
        else:
            raise BadInput(message("agent {n} does not learn", n=event.seat + 1))
        return self._with(known, event.seat, changed)

    def _given(self, known: PairKnown, event: TableGiven) -> PairKnown:
        """Return what they know when one has a saved table, and goes on with its decisions and its ε."""
        seat, player = known.seats[event.seat], self.players[event.seat]
        if not isinstance(seat, SeatKnown) or not takes_tables(player):
            raise BadInput(
                message(
                    "agent {n}: only q:preset=hexapion takes the table of the Hexapawn lab", n=event.seat + 1
                )
            )
        memory = table_in(event.text, self.lab.game, f"Agent{'AB'[event.seat]}.txt")
        return self._with(known, event.seat, SeatKnown(memory, seat.parameters))

    @staticmethod
    def _with(known: PairKnown, seat: int, changed: Known) -> PairKnown:
        seats = list(known.seats)
        seats[seat] = changed
        return replace(known, seats=(seats[0], seats[1]))

    def agents(self, known: PairKnown, *, telling: bool) -> tuple[Player, Player]:
        """The players with copies of what they know, which they may change."""
        first, second = (
            self._agent(player, seat, telling=telling)
            for player, seat in zip(self.players, known.seats, strict=True)
        )
        return first, second

    def _agent(self, player: Player, seat: Known, *, telling: bool) -> Player:
        if isinstance(seat, FollowedOwn):
            return seat.copied(watched=telling)
        if seat is None or not is_learning(player):
            return player
        kind = WatchedPlayer if telling else LearningPlayer
        return kind(self.lab.game, player.name, seat.parameters, seat.memory.copied())

    def watched(
        self, known: PairKnown, person: int, moves: Sequence[str]
    ) -> tuple[WatchedEpisode, tuple[Player, Player]]:
        """The next game, watched, as far as the moves of a person go where one sits there; and the agents
        after it.
        """
        agents = self.agents(known, telling=True)
        return watch(self._table(agents, person, moves, telling=True), known.games), agents

    def _table(
        self, players: tuple[Player, Player], person: int, moves: Sequence[str], *, telling: bool
    ) -> MatchSetup:
        """Return who plays, at the table that serves them: it keeps its engine."""
        game = self.lab.game
        sitting = [
            ScriptedPerson(game, moves) if seat == person else player for seat, player in enumerate(players)
        ]
        pair: tuple[Player, Player] = (sitting[0], sitting[1])
        known_as = (person, telling)
        if known_as not in self._tables:
            self._tables[known_as] = MatchSetup(
                game, pair, self.seed, limit=PLIES, record=telling, starts=self.begins
            )
        table = self._tables[known_as]
        table.agents = pair
        return table

    def _played(self, known: PairKnown, games: int, person: int, moves: Sequence[str]) -> PairKnown:
        """After so many games in the loop, numbered on from those before."""
        begun, agents = time.process_time(), self.agents(known, telling=False)
        learners = [agent for agent in agents if learns_here(agent)]
        table = self._table(agents, person, moves, telling=False)
        curve = Curve(known.curve.size, [replace(block) for block in known.curve.blocks])
        training = Training(table, learners[0], known.games, curve)
        every = self.grades.every(known.games + games)
        training.grade = lambda _learner: None if training.episodes % every else self.grades.grade(agents)
        training.grade_every = lambda: every
        training.run(known.games + games, self.lab.job)
        seats = list(map(known_of, agents))
        seconds = known.seconds + time.process_time() - begun
        return PairKnown((seats[0], seats[1]), known.games + games, training.curve, seconds)


def plies_of(episode: WatchedEpisode, seat: int) -> list[int]:
    """The plies at which a seat has moved."""
    return [ply for ply, position, _move in moves_of(episode) if position.mover == seat]


def moves_of(episode: WatchedEpisode) -> Iterator[tuple[int, Position, int]]:
    """Every move of a game, with its ply and its position."""
    for ply, (position, move) in enumerate(zip(episode.positions(), episode.moves, strict=False)):
        if move:
            yield ply, position, move


def refuse_long_films(game: Game) -> None:
    """Raises LimitReached where the pictures of a usual game, one by random moves, are too many."""
    places = game.grid(game.start).places if game.grid else 1
    if plies_of_random_game(game, game.start) * places > FILMED:
        raise LimitReached(
            message(
                "{game} is too large for this room, which shows every position of a game as a picture of"
                " {n} places: choose a smaller board, or let it learn under Learning",
                game=game.text,
                n=places,
            )
        )


# The numbers by which an agent learns, changed between two of its games.


def with_rates(seat: FollowedOwn, event: RatesChanged) -> FollowedOwn:
    """An agent of one's own that goes on with other numbers in attributes of these names.

    Raises BadInput, AgentFault.
    """
    found, rates = seat.copied(), seat.rates()
    for name, value in event.options:
        if name not in rates:
            raise BadInput(message("agent {n} has no {name}", n=event.seat + 1, name=name))
        number = number_in(name, value)
        if number < 0 or (number > 1 and name != "temperature"):
            raise BadInput(message("{name}={value}; it must be from 0 to 1", name=name, value=value))
        found.call(setattr, found.agent, name, number)
    return found


def options_of(event: RatesChanged, parameters: object) -> dict[str, str | float]:
    """The parameters that an event changes, as numbers. Raises BadInput."""
    found: dict[str, str | float] = {}
    for name, value in event.options:
        (of,) = fields_of({name: value})
        if not hasattr(parameters, of):
            raise BadInput(message("agent {n} has no {name}", n=event.seat + 1, name=name))
        if name == "policy":
            if value not in ("greedy", "softmax"):
                raise BadInput(
                    message("{name} must be one of: {choices}", name=name, choices="greedy softmax")
                )
            found[name] = value
        else:
            found[name] = number_in(name, value)
    return found


def number_in(name: str, value: str) -> float:
    """A number that somebody typed. Raises BadInput."""
    try:
        number = float(value.replace(",", "."))
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise BadInput(message("{name}={value}: that is no number", name=name, value=value[:20]))
    return number
