"""Matches: many games between two agents, counted with intervals, on one core or several."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from damier.arena.first_games import MOST, require_same_games
from damier.arena.statistics import wilson
from damier.core.cores import in_order
from damier.core.errors import BadInput, Unsuitable
from damier.core.job import Job, uninterrupted
from damier.core.loop import DRAWS, LOSSES, PLIES, UNFINISHED, WINS, MatchSetup, Played
from damier.core.past import played as states_of
from damier.core.record import GameRecord
from damier.core.tiers import seconds_left
from damier.core.words import _

FIRST_CHUNK, PURE_CHUNK, RECORDED_CHUNK, COMPILED_CHUNK = 1, 32, 2_000, 50_000
# games in one go, once their rate is known: short for Ctrl-C, long beside what a chunk costs
CHUNK_SECONDS = 0.05

Keep = Callable[[list[GameRecord]], None]


@dataclass
class Score:
    """What came of a match, for the first agent; `seats` has the same for each seat it sat at:
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
    jobs: int = 1,
    keep: Keep | None = None,
    score: Score | None = None,
) -> Score:
    """Plays `games` games, from number `first` on; `keep` is handed the records in order, if the
    table records moves.

    Plain Python at first, compiled once there is enough to play and both agents can be: the games
    are the same. `jobs` share the compiled games among threads. Pass a `score` to read what was
    played when it is interrupted.
    """
    if table.game.players != 2:
        raise Unsuitable(
            _("a match is between two players; {game} has {n}", game=table.game.text, n=table.game.players)
        )
    job, score = job or Job(), score or Score()
    if table.learns and jobs > 1:
        raise BadInput(_("--jobs {n}: an agent that learns plays its games one after the other", n=jobs))

    def compiled() -> bool:
        left = seconds_left(score.seconds, score.games, games)
        return table.compiles and table.tier.rises(job, left)

    begin, known = first + score.games, Played()  # the first games, as plain Python played them
    if not compiled():
        _play(table, first, games, job, score, keep, jit=False, until=compiled, known=known)
    if score.games < games:
        if not table.learns:
            require_same_games(table, begin, known)
        _play(table, first, games, job, score, keep, jit=True, jobs=jobs)
    elif jobs > 1 and (job.jit is False or not table.compiles or table.tier.refusal):
        job.note(_("--jobs shares compiled games; these are played in plain Python, on one core"))
    return score


def never() -> bool:
    return False


def _play(
    table: MatchSetup,
    first: int,
    games: int,
    job: Job,
    score: Score,
    keep: Keep | None,
    *,
    jit: bool,
    jobs: int = 1,
    until: Callable[[], bool] = never,
    known: Played | None = None,
) -> None:
    """Plays the games that are left, a chunk at a time, so that progress shows and Ctrl-C works;
    ends early where `until` says so. The first of them are kept in `known`.
    """
    numbers = range(first + score.games, first + games)
    chunks = Chunks(numbers, PURE_CHUNK if not jit else RECORDED_CHUNK if table.record else COMPILED_CHUNK)
    begun = time.perf_counter()
    for start, played in _in_order(table, chunks, jit, jobs):
        seconds = time.perf_counter() - begun
        if known is not None and sum(known.tallies[:UNFINISHED]) < MOST:
            known.add(played)
        records = [record(table, start + index, line) for index, line in enumerate(played.lines)]
        with uninterrupted():  # what is recorded is counted
            score.add(played)
            score.seconds += seconds
            if keep:
                keep(records)
        job.progress(score.games, games, _("games"))
        if until():
            return
        begun = time.perf_counter()


@dataclass
class Chunks:
    """Some games in pieces, each about as long as a Ctrl-C may wait."""

    numbers: range
    most: int
    size: int = FIRST_CHUNK

    def __iter__(self) -> Iterator[range]:
        first = self.numbers.start
        while first < self.numbers.stop:  # a match may be of 10 ** 12 games
            stop = min(first + self.size, self.numbers.stop)
            yield range(first, stop)
            first = stop

    def took(self, games: int, seconds: float) -> None:
        """Told how long so many games took, it chooses how many come next."""
        self.size = max(1, min(self.most, 4 * self.size, int(games * CHUNK_SECONDS / max(seconds, 1e-9))))


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
