"""Matches: many games between two agents, counted with intervals, on one core or several."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import zip_longest
from math import cos, pi, sin, sqrt, tan
from typing import NamedTuple, TypeAlias

from damier.arena.records import GameRecord
from damier.core.analysis import TWO_PLAYERS, require
from damier.core.errors import BadInput
from damier.core.job import Job, in_order, processes_pay, uninterrupted
from damier.core.loop import DRAWS, LOSSES, PLIES, UNFINISHED, WINS, MatchSetup, Played
from damier.core.past import played, played as states_of
from damier.core.player import CountsFaults
from damier.core.tiers import seconds_left
from damier.core.words import Text, _, message

FIRST_CHUNK, PURE_CHUNK, RECORDED_CHUNK, COMPILED_CHUNK, FAR_CHUNK = 1, 32, 2_000, 50_000, 1_000_000
# games in one go, once their rate is known: short for Ctrl-C, long beside what a chunk costs
CHUNK_SECONDS = 0.05

Keep = Callable[[list[GameRecord]], None]


@dataclass
class Score:
    """The result of a match, for the first agent; `seats` has the same for each seat it sat at:
    (wins, draws, losses).
    """

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    unfinished: int = 0  # stopped at the limit of plies, counted as draws
    plies: int = 0
    seconds: float = 0.0  # of playing; compiling and solving are not in it
    seats: list[tuple[int, int, int]] = field(default_factory=lambda: [(0, 0, 0), (0, 0, 0)])

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The 95 % interval of each rate."""
        return {name: wilson(getattr(self, name), self.games) for name in ("wins", "draws", "losses")}

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds > 0 else 0.0

    def add(self, played: Played) -> None:
        """Counts some more games."""
        for seat in (0, 1):
            won, drawn, lost = (played.tallies[3 * seat + end] for end in (WINS, DRAWS, LOSSES))
            self.wins, self.draws, self.losses = self.wins + won, self.draws + drawn, self.losses + lost
            self.games += won + drawn + lost
            before = self.seats[seat]
            self.seats[seat] = (before[0] + won, before[1] + drawn, before[2] + lost)
        self.unfinished += played.tallies[UNFINISHED]
        self.plies += played.tallies[PLIES]


def match(
    table: MatchSetup,
    games: int,
    job: Job | None = None,
    *,
    first: int = 0,
    keep: Keep | None = None,
    score: Score | None = None,
    hire: Hire | None = None,
) -> Score:
    """Plays `games` games, from number `first` on; `keep` is handed the records in order, if the
    table records moves.

    Plain Python at first, compiled once there is enough to play and both agents can be: the games
    are the same. The cores of the job share compiled games, unless an agent learns from one for the
    next; games that stay plain, and compiled ones where others take those, are shared with those whom
    `hire` gives, once that pays. Pass a `score` to read what was played when it is interrupted.
    """
    require(table.game, _("a match"), TWO_PLAYERS)
    job, score = job or Job(), score or Score()

    def compiled() -> bool:
        return table.compiles and table.tier.rises(job, seconds_left(score.seconds, score.games, games))

    def shared() -> bool:
        pays = processes_pay(seconds_left(score.seconds, score.games, games))
        several = first + score.games > begin + FIRST_CHUNK  # the latest came after others
        plain = job.jit is False or not table.compiles or bool(table.tier.refusal)  # to the end
        return hire is not None and pays and several and apart(table) and plain

    begin, known = first + score.games, Played()  # the first games, as plain Python played them
    if not compiled():
        latest = play_games(
            table,
            first,
            games,
            job,
            score,
            keep,
            jit=False,
            until=lambda: compiled() or shared(),
            known=known,
        )
        if score.games < games and hire is not None and latest is not None and shared():
            _play_shared(table, first, games, job, score, keep, hire, latest, jit=False)
            play_games(table, first, games, job, score, keep, jit=False)
    if score.games < games:
        if not table.learns:
            require_same_games(table, begin, known)
        _play_compiled(table, first, games, job, score, keep, hire)
    if after := table.faults.after_game:
        job.note(_("{fault} (after a game, which counts)", fault=str(after[min(after)])))
    return score


def _play_compiled(
    table: MatchSetup, first: int, games: int, job: Job, score: Score, keep: Keep | None, hire: Hire | None
) -> None:
    """Plays the games that are left compiled: by the cores of the job and, once their own rate says that it
    pays, by others.
    """
    jobs = 1 if table.learns else job.jobs
    if hire is None or not hire.compiled or table.learns:
        play_games(table, first, games, job, score, keep, jit=True, jobs=jobs)
        return
    before, spent = score.games, score.seconds

    def pays() -> bool:
        return processes_pay(seconds_left(score.seconds - spent, score.games - before, games - before))

    latest = play_games(table, first, games, job, score, keep, jit=True, jobs=jobs, until=pays)
    if score.games < games and latest is not None:
        _play_shared(table, first, games, job, score, keep, hire, latest, jit=True)
        play_games(table, first, games, job, score, keep, jit=True, jobs=jobs)


def apart(table: MatchSetup) -> bool:
    """Return whether its games may be played in any order: nobody learns, and nobody is counted by its faults
    who has any.
    """
    counted = any(isinstance(agent, CountsFaults) for agent in table.agents)
    return not table.learns and not (counted and table.faults.of_game)


def play_games(
    table: MatchSetup,
    first: int,
    games: int,
    job: Job,
    score: Score,
    keep: Keep | None,
    *,
    jit: bool,
    jobs: int = 1,
    until: Callable[[], bool] = lambda: False,
    known: Played | None = None,
) -> PlayedGames | None:
    """Plays the games that are left, a chunk at a time, so that progress shows and Ctrl-C works;
    ends early where `until` says so. The first of them are kept in `known`; returns the last chunk.
    """
    latest = None
    numbers = range(first + score.games, first + games)
    chunks = Chunks(numbers, PURE_CHUNK if not jit else RECORDED_CHUNK if table.record else COMPILED_CHUNK)
    begun = time.perf_counter()
    for start, done in _in_order(table, chunks, jit, jobs):
        seconds = time.perf_counter() - begun
        if known is not None and sum(known.tallies[:UNFINISHED]) < MOST:
            known.add(done)
        _count(table, start, done, seconds, score, keep)
        job.progress(score.games, games, _("games"))
        latest = PlayedGames(range(start, start + sum(done.tallies[:UNFINISHED])), done, {}, {}, seconds)
        if until():
            break
        begun = time.perf_counter()
    return latest


def _count(
    table: MatchSetup, start: int, played: Played, seconds: float, score: Score, keep: Keep | None
) -> None:
    """Some games have been played."""
    records = [record(table, start + index, line) for index, line in enumerate(played.lines)]
    with uninterrupted():  # what is recorded is counted
        score.add(played)
        score.seconds += seconds
        if keep:
            keep(records)


def _play_shared(
    table: MatchSetup,
    first: int,
    games: int,
    job: Job,
    score: Score,
    keep: Keep | None,
    hire: Hire,
    latest: PlayedGames,
    *,
    jit: bool,
) -> None:
    """Lets others play the games that are left, unless they play the latest games otherwise than they
    were played here: then an agent keeps something in mind from game to game. Ends early where a fault
    is to be counted by whoever counts faults.
    """
    begun, before = time.perf_counter(), score.games
    with hire.others() as play:
        again = next(iter(play([latest.games], jit)))
        if again.played != latest.played:
            job.note(
                _(
                    "{first} against {second} is not the same when other games came before; the games are"
                    " played one after the other",
                    first=table.agents[0].text,
                    second=table.agents[1].text,
                )
            )
            return
        most = FAR_CHUNK if jit and not table.record else RECORDED_CHUNK
        chunks = Chunks(range(first + score.games, first + games), most, seconds=hire.seconds)
        for done in play(chunks, jit):
            table.faults.of_game.update(done.faults)
            if not apart(table):
                for number in done.faults:
                    del table.faults.of_game[number]
                break
            table.faults.after_game.update(done.after)
            chunks.took(len(done.games), done.seconds)
            _count(table, done.games.start, done.played, time.perf_counter() - begun, score, keep)
            job.progress(score.games, games, _("games"))
            begun = time.perf_counter()
    for agent in table.agents:
        if isinstance(agent, CountsFaults):
            agent.played_elsewhere(score.games - before)


@dataclass
class Chunks:
    """Some games in pieces, each about as long as a Ctrl-C may wait."""

    numbers: range
    most: int
    size: int = FIRST_CHUNK
    seconds: float = CHUNK_SECONDS

    def __iter__(self) -> Iterator[range]:
        first = self.numbers.start
        while first < self.numbers.stop:  # a match may be of 10 ** 12 games
            stop = min(first + self.size, self.numbers.stop)
            yield range(first, stop)
            first = stop

    def took(self, games: int, seconds: float) -> None:
        """Told how long so many games took, it chooses how many come next."""
        self.size = max(1, min(self.most, 4 * self.size, int(games * self.seconds / max(seconds, 1e-9))))


def _in_order(table: MatchSetup, chunks: Chunks, jit: bool, jobs: int) -> Iterator[tuple[int, Played]]:
    """Plays chunks of games, several at a time, and hands them over in their order: the number of
    the first game, and what came of them.
    """

    def play(chunk: range) -> tuple[int, Played]:
        begun = time.perf_counter()
        played = table.play(chunk.start, chunk.stop, jit=jit)
        chunks.took(len(chunk), time.perf_counter() - begun)
        return chunk.start, played

    return in_order(jobs if jit else 1, play, chunks)


def record(table: MatchSetup, number: int, line: list[int]) -> GameRecord:
    """The record of game `number`, its moves in the game's own words."""
    game = table.game
    resigned = line[-1:] == [0]
    moves = line[: len(line) - resigned]
    *before, s = states_of(game, moves)
    names = [game.name_move(earlier, move) for earlier, move in zip(before, moves, strict=True)]
    players = [agent.text for agent in table.agents]
    if table.swap and number & 1:
        players.reverse()
    finished = resigned or bool(game.over(s))
    if resigned:
        payoffs = tuple(-1 if player == game.mover(s) else 1 for player in range(game.players))
    else:
        payoffs = tuple(int(game.payoff(s, player)) if finished else 0 for player in range(game.players))
    return GameRecord(
        game.name,
        game.options,
        tuple(players),
        tuple(names),
        payoffs,
        table.seed,
        number,
        finished,
        resigned,
        table.faults.of_game.get(number, "") if resigned else "",
    )


# The first games of a match, played by compiled code as well as in plain Python: what is compiled goes
# on only where both play the same. The rules of the game were compared before
# (`damier.core.tiers`); here it is the agents, such as one that brings a kernel of its own.

MOST = 64
"""Games that are compared."""


def require_same_games(table: MatchSetup, first: int, plain: Played) -> None:
    """Plays games from number `first` on, whose end in plain Python is known, compiled too.

    Raises BadInput with the position and both moves where the two differ.
    """
    games = sum(plain.tallies[:UNFINISHED])
    if table.play(first, first + games, jit=True) == plain:
        return
    recorded = replace(table, record=True)
    lines = [recorded.play(first, first + games, jit=jit).lines for jit in (False, True)]
    for number, (expected, found) in enumerate(zip(*lines, strict=True), first):
        if expected != found:
            raise BadInput(difference(table, number, expected, found))
    raise BadInput(
        message(
            "{game}: {first} against {second} does not play the same games again, so that it cannot go on"
            " compiled",
            game=table.game.text,
            first=table.agents[0].text,
            second=table.agents[1].text,
        )
    )


def difference(table: MatchSetup, number: int, plain: list[int], compiled: list[int]) -> str:
    """Return the place at which two games of the same number part."""
    game = table.game
    pairs = list(zip_longest(plain, compiled, fillvalue=0))
    ply = next(ply for ply, (expected, found) in enumerate(pairs) if expected != found)
    s = played(game, plain[:ply])[-1]
    names = [game.name_move(s, move) if move else _("nothing") for move in pairs[ply]]
    at_first_seat = (game.mover(s) == 0) != (table.swap == 2 or (table.swap == 1 and number & 1 == 1))
    return _(
        "{game}, game {number}, ply {ply}: compiled, {agent} plays {compiled}, in plain Python {plain}, in"
        " {state}; --pure plays it in plain Python",
        game=game.text,
        number=number,
        ply=ply,
        agent=table.agents[0 if at_first_seat else 1].text,
        compiled=names[1],
        plain=names[0],
        state=s,
    )


# Games of a match that others play, in other processes or on other machines.


class PlayedGames(NamedTuple):
    """Games of consecutive numbers, what came of them, the faults in them and after them by number, and how
    many seconds they took.
    """

    games: range
    played: Played
    faults: dict[int, Text]
    after: dict[int, Text]
    seconds: float


PlayElsewhere: TypeAlias = Callable[[Iterable[range], bool], Iterator[PlayedGames]]
"""play(chunks, jit): plays games of a table elsewhere, in plain Python or compiled; what came of them in
their order.
"""


class Hire(NamedTuple):
    """Gives others who play the same games, as long as a block lasts.

    Attributes:
        compiled: whether also compiled games: not where they are processes of this machine, whose cores share
            those games already
        seconds: that a chunk of games should take
    """

    others: Callable[[], AbstractContextManager[PlayElsewhere]]
    compiled: bool
    seconds: float


# How sure a rate is, after so many games: the interval of E. B. Wilson, "Probable inference, the
# law of succession, and statistical inference", Journal of the American Statistical Association 22
# (1927) [Wilson27]; and how sure a mean is: that of Student, "The probable error of a mean", Biometrika 6
# (1908) [Student08].

Z = 1.959963984540054  # 97.5 % of the normal distribution lies below: 95 % lies within


def wilson(successes: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a rate; all of [0, 1] after no game.

    >>> low, high = wilson(5, 10)
    >>> f"{low:.4f} {high:.4f}"
    '0.2366 0.7634'
    """
    if games == 0:
        return 0.0, 1.0
    rate, spread = successes / games, Z * Z / games
    centre = (rate + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * sqrt(rate * (1 - rate) / games + spread / games / 4)
    return (0.0 if successes == 0 else centre - half), (1.0 if successes == games else centre + half)


def mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % interval of the mean of what such values are drawn from, by Student's t; None of one
    value, which tells nothing of its spread.

    >>> low, high = mean_interval([1.0, 2.0, 3.0])
    >>> f"{low:.4f} {high:.4f}"
    '-0.4841 4.4841'
    """
    from statistics import fmean, stdev  # some milliseconds, that few commands need

    n = len(values)
    if n < 2:
        return None
    middle, half = fmean(values), student(n - 1) * stdev(values) / sqrt(n)
    return middle - half, middle + half


@cache
def student(degrees: int) -> float:
    """Return how far Student's t with so many degrees of freedom lies from 0 at most, 95 times of 100.

    >>> f"{student(1):.4f} {student(9):.4f}"
    '12.7062 2.2622'
    """
    low, high = 0.0, pi / 2
    for _step in range(60):
        middle = (low + high) / 2
        if within(middle, degrees) < 0.95:
            low = middle
        else:
            high = middle
    return tan(low) * sqrt(degrees)


def within(angle: float, degrees: int) -> float:
    """Return how likely the angle of t, whose tangent is |t| / sqrt(degrees), is at most this: M. Abramowitz
    and I. A. Stegun, Handbook of Mathematical Functions, 1964, 26.7.3 and 26.7.4 [AbramowitzStegun64].
    """
    odd = degrees % 2
    term = cos(angle) if odd else 1.0
    total = term if degrees > 1 else 0.0
    for k in range(2 + odd, degrees, 2):
        term *= cos(angle) ** 2 * (k - 1) / k
        total += term
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
