"""Training: many episodes (games from start to end) in the loop, block by block, with a curve.

What comes of it depends on the seed and the number of episodes only.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from damier.core.errors import DamierError, LimitReached
from damier.core.grade import Curve, Grade
from damier.core.job import Job, gib, uninterrupted, within
from damier.core.loop import DRAWS, LOSSES, WINS, MatchSetup, Played
from damier.core.player import Learner, Policy, Remembered
from damier.core.tiers import seconds_left
from damier.core.words import _, grouped

# games in one go; the last before their rate is known
FIRST_PURE_CHUNK, PURE_CHUNK, COMPILED_CHUNK = 4, 32, 250
# games in one go, once their rate is known: short for Ctrl-C, long beside what a chunk costs
CHUNK_SECONDS = 0.05
LAST_GRADE_SECONDS = 0.25  # that the grade of the last block may take where Ctrl-C has ended it


def ungraded(learner: Learner) -> Grade | None:
    return None


@dataclass
class Training:
    """A learner at the first place of a table, its opponent at the second, and how far it has come.

    Attributes:
        grade: what the learner is worth, asked at the end of a block
        grade_every: games between two grades: a power of 2, so that a block ends there, or 0 for never; the
            last block is graded in any case but that
        saved: called with the training at the end of every block, and after every `save_every` games or
            `save_seconds` seconds
        report: called after every chunk of games
    """

    table: MatchSetup
    learner: Learner
    episodes: int = 0  # played in all
    curve: Curve = field(default_factory=Curve)
    grade: Callable[[Learner], Grade | None] = ungraded
    grade_every: Callable[[], int] = lambda: 1
    saved: Callable[[Training], None] = lambda training: None
    report: Callable[[Training], None] = lambda training: None
    save_every: int | None = None
    save_seconds: float = 5.0
    seconds: float = 0.0  # of playing and learning, in this run
    played: int = 0  # games, in this run
    chunk: int = COMPILED_CHUNK  # games that are played compiled in one go
    show_every: int | None = None  # games after which `shown` is called at the latest
    _grading: bool = False
    _prompt: bool = True  # whether every player answers at once

    @property
    def games_per_second(self) -> float:
        return self.played / self.seconds if self.seconds > 0 else 0.0

    def run(self, games: int, job: Job) -> None:
        """Goes on until so many games have been played in all; stopped by Ctrl-C, it ends after a
        whole game, saved.

        Plain Python at first, compiled once there is enough to do and both players can be: the
        table is the same.
        """
        self.curve.prepare(games)
        if self.curve.blocks and self.episodes < games:
            self.curve.keep_grades(self.grade_every())
        self._grading = False
        self._prompt = all(isinstance(agent, (Policy, Learner)) for agent in self.table.agents)
        saved_at = time.monotonic()
        try:
            # Ctrl-C may have come while it was graded
            if self.curve.blocks and self.curve.left == self.curve.size:
                self._end_block(last=self.episodes == games)
            while self.episodes < games:
                jit = self._compiled(games, job)
                stop = self._next_stop(games, jit)
                with self._whole_games():
                    self._play(stop, jit)
                if self.curve.left == self.curve.size or self.episodes == games:
                    self._end_block(last=self.episodes == games)
                with self._whole_games():
                    due = (
                        self.episodes % self.save_every == 0
                        if self.save_every is not None
                        else self.curve.left == self.curve.size
                        or time.monotonic() - saved_at > self.save_seconds
                    )
                    if due or self.episodes == games:
                        saved_at = time.monotonic()
                        self.saved(self)
                    self.report(self)
                job.progress(self.episodes, games, _("games"))
                self._require(job)
        except (
            KeyboardInterrupt,
            DamierError,
        ) as end:  # broken off within a game only where somebody thinks for long
            with uninterrupted():
                for memory in self._memories:
                    memory.break_off()
                if not isinstance(end, KeyboardInterrupt):
                    self._end_block(last=True)
                elif not self._grading:
                    within(LAST_GRADE_SECONDS, lambda: self._end_block(last=True))
                self.saved(self)
            raise

    def _whole_games(self) -> contextlib.AbstractContextManager[None]:
        """Holds Ctrl-C back where every player answers at once, so that it can wait for the end of
        a game; a person does not.
        """
        return uninterrupted() if self._prompt else contextlib.nullcontext()

    @property
    def _memories(self) -> list[Remembered]:
        """The tables that learn, each once."""
        players = (agent for agent in self.table.agents if isinstance(agent, Learner))
        return list({id(player.memory): player.memory for player in players}.values())

    def _compiled(self, games: int, job: Job) -> bool:
        """Return whether the next games are played compiled: those that are left would take plain Python
        long enough, by what the games so far took.
        """
        left = seconds_left(self.seconds, self.played, self.played + games - self.episodes)
        return self.table.compiles and self.table.tier.rises(job, left)

    def _require(self, job: Job) -> None:
        """Raises LimitReached, everything saved, where the tables are larger than the memory
        budget.
        """
        if sum(memory.bytes for memory in self._memories) > job.memory:
            known = sum(len(memory) for memory in self._memories)
            facts = {"budget": gib(job.memory), "games": grouped(self.episodes), "n": grouped(known)}
            sentence = _(
                "stopped at the memory budget of {budget} after {games} games, with {n} positions known. A"
                " larger --memory goes further",
                **facts,
            )
            raise LimitReached(sentence, {"games": self.episodes, "positions": known})

    def _next_stop(self, games: int, jit: bool) -> int:
        """Return where the next chunk of games ends: short enough for Ctrl-C, and never beyond a block or a
        place to save.
        """
        chunk = self.chunk if jit else self._pure_chunk
        stops = [games, self.episodes + chunk, self.episodes + self.curve.left]
        if self.save_every is not None:
            stops.append(self.episodes + self.save_every - self.episodes % self.save_every)
        if self.show_every is not None:
            stops.append(self.episodes + self.show_every)
        return min(stops)

    @property
    def _pure_chunk(self) -> int:
        """Games in one go in plain Python."""
        if not self._prompt:
            return 1
        if not self.played:
            return FIRST_PURE_CHUNK if self.table.compiles else 1
        return max(1, min(PURE_CHUNK, int(CHUNK_SECONDS * self.games_per_second)))

    def _play(self, stop: int, jit: bool) -> None:
        """Plays up to game `stop`."""
        begun = time.perf_counter()
        played = self.table.play(self.episodes, stop, jit=jit)
        seconds = time.perf_counter() - begun
        self.seconds += seconds
        if jit and stop - self.episodes == self.chunk:
            self.chunk = max(1, int(self.chunk * min(4.0, CHUNK_SECONDS / max(seconds, 1e-9))))
        self.played += stop - self.episodes
        self.episodes = stop
        block = self.curve.add(*results(played))
        block.epsilon = self.learner.memory.epsilon

    def _end_block(self, *, last: bool) -> None:
        """Grades the last block, if it is its turn, which is as long as the game is large: a Ctrl-C
        meanwhile leaves it without a grade.
        """
        if not self.curve.blocks or self.curve.blocks[-1].grade is not None:
            return
        every = self.grade_every()
        if every and (last or self.episodes % every == 0):
            self._grading = True
            self.curve.blocks[-1].grade = self.grade(self.learner)
            self._grading = False


def results(played: Played) -> tuple[int, int, int]:
    """Wins, draws and losses of the first agent, at whichever seat."""
    wins, draws, losses = (played.tallies[end] + played.tallies[3 + end] for end in (WINS, DRAWS, LOSSES))
    return wins, draws, losses
