"""A file that was handed in, looked at: whether it plays legally, and how its sheet stands. Its code
runs in a sandbox, or not at all.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

from damier.agents.limits import AgentLimits
from damier.arena.match import Score, match
from damier.core.errors import BadInput, LimitReached
from damier.core.game import Game
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.core.record import GameRecord
from damier.core.words import Text, message, replaced, said_by
from damier.lab.classroom.folder import FILE
from damier.lab.classroom.told import FileReport, kept, told, unchecked
from damier.lab.marking.finding import ExactTruth, Finding
from damier.lab.marking.marks import ItemMark, mark_item
from damier.lab.marking.sheet import MarkingSheet
from damier.lab.marking.submission import Submission
from damier.lab.process_agent import isolated_player

LIMITS = AgentLimits(seconds=2.0, game_seconds=4.0)
"""Of an agent of a class: a slow one would hold up all others."""
TRIED, TRYING = 10, 8.0
"""Games against random moves in which a file shows that it plays, and the seconds after which fewer,
but one at each seat, have to do.
"""
LISTING = 10.0
MAX_PLIES = 1_000


@dataclass(frozen=True)
class FileCheck:
    """Looks at files; `sheet` is None where the class has none."""

    game: Game
    sheet: MarkingSheet | None
    truth: ExactTruth | None

    def report(self, path: Path, wanted: str) -> FileReport:
        """What a student is told of a file; `wanted` is the agent that is to play. What it raises itself is
        of the machine: it may be tried again.
        """
        submission = Submission(path, self.game, isolated=True)
        found = unchecked("")
        try:
            submission.allow(LISTING)
            found["agents"] = submission.agents()
            found["agent"] = chosen_of(found["agents"], wanted)
            submission.agent(found["agent"], seed=0)  # it says more of what is wrong than who plays it
            score, fault = self._tried(path, found["agent"])
            found["games"] = [score.games, score.wins, score.draws, score.losses]
            found["pace"] = round(score.seconds / score.games, 4)
            found["plays"] = not fault
            found["said"] = kept(without_place(fault, path) if fault else message("It plays legally."))
        except BadInput as error:
            found["said"] = kept(without_place(said_by(error), path))
        except (LimitReached, MemoryError, OSError):
            raise
        except Exception as error:
            say_on_terminal()
            said = message(
                "{file}: damier could not look at it ({kind})", file=FILE, kind=type(error).__name__
            )
            found["said"] = kept(said)
        try:
            found["items"] = [told(mark) for mark in self._marks(submission, open_only=True)]
        finally:
            submission.end()
        return found

    def marks(self, path: Path) -> list[ItemMark]:
        """The whole sheet."""
        submission = Submission(path, self.game, isolated=True)
        try:
            return self._marks(submission, open_only=False)
        finally:
            submission.end()

    def unmarked(self, said: Text) -> list[ItemMark]:
        """The whole sheet of a file that cannot be marked."""
        items = self.sheet.items if self.sheet else ()
        return [ItemMark(item, Finding(False, said), 0.0) for item in items]

    def _marks(self, submission: Submission, *, open_only: bool) -> list[ItemMark]:
        if self.sheet is None or self.truth is None:
            return []
        found = []
        for item in self.sheet.items:
            if item.is_open or not open_only:
                mark = mark_item(item, submission, self.truth)
                said = without_place(mark.finding.sentence, submission.path)
                found.append(replace(mark, finding=replace(mark.finding, sentence=said)))
        return found

    def _tried(self, path: Path, agent: str) -> tuple[Score, Text]:
        """Some games against random moves; why the first was lost by a fault, if one was."""
        player = isolated_player(f"{path}:{agent}", self.game, LIMITS)
        player.text = FILE
        setup = MatchSetup(
            self.game, (player, RandomPlayer()), 0, swap=1, limit=MAX_PLIES, record=True, strict=False
        )
        score = Score()
        faults: list[Text] = [""]
        begun = time.monotonic()

        def keep(records: list[GameRecord]) -> None:
            faults.extend(record.fault for record in records if record.fault)

        try:
            for first in range(0, TRIED, 2):
                if faults[1:] or time.monotonic() - begun > TRYING:
                    break
                part = match(setup, 2, Job(jit=False), first=first, keep=keep)
                score.games += part.games
                score.wins, score.draws = score.wins + part.wins, score.draws + part.draws
                score.losses, score.seconds = score.losses + part.losses, score.seconds + part.seconds
        finally:
            player.close()
        return score, faults[-1]


def say_on_terminal() -> None:
    """Tells a fault of damier that goes on, where whoever started the lab sees it."""
    with contextlib.suppress(Exception):
        sys.excepthook(*sys.exc_info())


def without_place(said: Text, path: Path) -> Text:
    """A sentence about a file that does not tell where it lies."""
    return replaced(said, f"{path.parent}{os.sep}", "")


def chosen_of(agents: list[str], wanted: str) -> str:
    """The agent that is to play: the one wanted, or the first. Raises BadInput."""
    if not agents:
        raise BadInput(
            message(
                "{path} has no agent; write a function play(position), or a class with a method"
                " play(self, position)",
                path=FILE,
            )
        )
    if wanted and wanted not in agents:
        raise BadInput(
            message(
                "{path} has no agent {name}; it has: {names}", path=FILE, name=wanted, names=" ".join(agents)
            )
        )
    return wanted or agents[0]
