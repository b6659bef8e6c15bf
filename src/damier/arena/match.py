"""Matches: many games between two agents, counted with intervals, on one core or several."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from damier.arena.elsewhere import Hire, PlayedGames
from damier.arena.first_games import MOST, require_same_games
from damier.arena.statistics import wilson
from damier.core import cores
from damier.core.cores import in_order
from damier.core.errors import Unsuitable
from damier.core.job import Job, uninterrupted
from damier.core.loop import DRAWS, LOSSES, PLIES, UNFINISHED, WINS, MatchSetup, Played
from damier.core.past import played as states_of
from damier.core.player import CountsFaults
from damier.core.record import GameRecord
from damier.core.tiers import seconds_left
from damier.core.words import _, message

FIRST_CHUNK, PURE_CHUNK, RECORDED_CHUNK, COMPILED_CHUNK, FAR_CHUNK = 1, 32, 2_000, 50_000, 1_000_000
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
    if table.game.players != 2:
        raise Unsuitable(
            message(
                "a match is between two players; {game} has {n}", game=table.game.text, n=table.game.players
            )
        )
    job, score = job or Job(), score or Score()

    def compiled() -> bool:
        left = seconds_left(score.seconds, score.games, games)
        return table.compiles and table.tier.rises(job, left)

    def shared() -> bool:
        pays = seconds_left(score.seconds, score.games, games) >= cores.PROCESSES_PAY
        several = first + score.games > begin + FIRST_CHUNK  # the latest came after others
        return hire is not None and pays and several and apart(table) and stays_plain(table, job)

    begin, known = first + score.games, Played()  # the first games, as plain Python played them
    if not compiled():
        latest = _play(
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
            _play(table, first, games, job, score, keep, jit=False)
    if score.games < games:
        if not table.learns:
            require_same_games(table, begin, known)
        _play_compiled(table, first, games, job, score, keep, hire)
    return score


def _play_compiled(
    table: MatchSetup, first: int, games: int, job: Job, score: Score, keep: Keep | None, hire: Hire | None
) -> None:
    """Plays the games that are left compiled: by the cores of the job and, once their own rate says that it
    pays, by others.
    """
    jobs = 1 if table.learns else job.jobs
    if hire is None or not hire.compiled or table.learns:
        _play(table, first, games, job, score, keep, jit=True, jobs=jobs)
        return
    before, spent = score.games, score.seconds

    def pays() -> bool:
        left = seconds_left(score.seconds - spent, score.games - before, games - before)
        return left >= cores.PROCESSES_PAY

    latest = _play(table, first, games, job, score, keep, jit=True, jobs=jobs, until=pays)
    if score.games < games and latest is not None:
        _play_shared(table, first, games, job, score, keep, hire, latest, jit=True)
        _play(table, first, games, job, score, keep, jit=True, jobs=jobs)


def stays_plain(table: MatchSetup, job: Job) -> bool:
    """Whether its games are never played compiled."""
    return job.jit is False or not table.compiles or bool(table.tier.refusal)


def apart(table: MatchSetup) -> bool:
    """Whether its games may be played in any order: nobody learns, and nobody is counted by its faults
    who has any.
    """
    counted = any(isinstance(agent, CountsFaults) for agent in table.agents)
    return not table.learns and not (counted and table.faults.of_game)


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
) -> PlayedGames | None:
    """Plays the games that are left, a chunk at a time, so that progress shows and Ctrl-C works;
    ends early where `until` says so. The first of them are kept in `known`; returns the last chunk.
    """
    latest = None
    numbers = range(first + score.games, first + games)
    chunks = Chunks(numbers, PURE_CHUNK if not jit else RECORDED_CHUNK if table.record else COMPILED_CHUNK)
    begun = time.perf_counter()
    for start, played in _in_order(table, chunks, jit, jobs):
        seconds = time.perf_counter() - begun
        if known is not None and sum(known.tallies[:UNFINISHED]) < MOST:
            known.add(played)
        _count(table, start, played, seconds, score, keep)
        job.progress(score.games, games, _("games"))
        latest = PlayedGames(range(start, start + sum(played.tallies[:UNFINISHED])), played, {}, seconds)
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
    with hire.others() as others:
        again = next(iter(others.play([latest.games], jit=jit)))
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
        chunks = Chunks(range(first + score.games, first + games), most, seconds=others.seconds)
        for done in others.play(chunks, jit=jit):
            table.faults.of_game.update(done.faults)
            if not apart(table):
                for number in done.faults:
                    del table.faults.of_game[number]
                break
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
