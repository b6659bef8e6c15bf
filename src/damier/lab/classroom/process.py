"""The process behind a class: looks at what is handed in, marks it, and plays the games.

    python -m damier.lab.classroom.process FOLDER

A line on its standard input says that there may be something new; when that ends, so does the
process, at once: what it had not finished another does. It answers nobody: what it finds is in the
store of FOLDER. It runs behind everything else on the machine.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from damier.agents.isolation import no_isolation
from damier.arena.classroom.queue import ClassQueue, CurrentEntrant, TakenSubmission
from damier.arena.classroom.roll import Classroom, Roll
from damier.arena.tournament.store import Store, opened
from damier.core.errors import BadFile, DamierError, Unsuitable
from damier.core.words import _, speaking
from damier.lab.classroom.check import FileCheck, unchecked
from damier.lab.classroom.folder import ClassFolder
from damier.lab.classroom.play import ClassGames
from damier.lab.classroom.told import marks_text, report_text
from damier.lab.games import load
from damier.lab.marking.finding import ExactTruth
from damier.lab.marking.sheet import sheet as sheet_of

NICE = 15
CHECKERS = 2
"""Files that are looked at at once."""
REST = 5.0
"""Seconds after which work is looked for though nobody said that there is any."""


@dataclass
class ClassWork:
    """Everything that a class has to do, shared by a few threads; `checked` are the files that are looked
    at now.
    """

    folder: ClassFolder
    store: Store
    classroom: Classroom
    checked: set[int] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _news: threading.Condition = field(default_factory=threading.Condition)
    _version: int = 0

    def __post_init__(self) -> None:
        """Raises BadFile for a sheet that is gone, or wrong."""
        sheet = sheet_of(self.classroom.sheet) if self.classroom.sheet else None
        self.game = sheet.game if sheet else load(self.classroom.plan.game_text)
        truth = ExactTruth(self.game) if sheet else None
        if truth is not None:
            truth.prepare()
        self.queue = ClassQueue(self.store, self.classroom.tournament)
        self.check = FileCheck(self.game, sheet, truth)
        self.games = ClassGames(self.queue, self.classroom.plan, self.game, self.text_of)

    def look(self) -> None:
        """There may be something new to do."""
        with self._news:
            self._version += 1
            self._news.notify_all()

    def check_next(self) -> bool:
        """Looks at the file that has waited longest; False where none waits."""
        with self._lock:  # so that no two take the same
            taken = self.queue.next_waiting(self.checked)
            if taken is None:
                return False
            self.checked.add(taken.id)
        try:
            with speaking(taken.language):
                self._check(taken)
        finally:
            self.checked.discard(taken.id)
            self.look()
        return True

    def _check(self, taken: TakenSubmission) -> None:
        if taken.is_hopeless:
            said = _("what looks at files was ended by this one again and again")
            self.queue.refuse(taken.id, report_text(unchecked(said)))
            return
        path = self.folder.write(taken.id, taken.content)
        report = self.check.report(path, taken.wanted)
        if report["plays"]:
            self.queue.admit(taken.id, f"{path}:{report['agent']}", taken.sha256, report_text(report))
        else:
            self.queue.refuse(taken.id, report_text(report))

    def mark_next(self) -> bool:
        """Marks a file that has no marks yet; False where all have."""
        if self.check.sheet is None:
            return False
        taken = self.queue.next_unmarked()
        if taken is None:
            return False
        with speaking(taken.language):
            path = self.folder.write(taken.id, taken.content)
            self.queue.keep_marks(taken.id, marks_text(self.check.marks(path)))
        return True

    def play_next(self) -> bool:
        """Plays a pair; False where nothing is left to play, or files wait to be looked at."""
        return not self.checked and self.games.play_next(lambda: bool(self.checked))

    def text_of(self, entrant: CurrentEntrant) -> str:
        """The agent of an entrant, its file in place."""
        path = self.folder.write(entrant.submission, self.queue.content(entrant.submission))
        return str(path) + entrant.text.rpartition(path.name)[2]

    def go_on(self, work: Callable[[], bool]) -> None:
        """Does some work as long as there is any, then waits for more; for ever."""
        while True:
            seen = self._version
            if not work():
                with self._news:
                    self._news.wait_for(lambda: self._version != seen, REST)


def main(folder: str) -> None:
    """Works until nobody is there any more to say that there is something new."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICE)
    place = ClassFolder(Path(folder))
    if refusal := no_isolation():
        raise Unsuitable(_("agents cannot be isolated here: {why}", why=refusal))
    with opened(place.store, create=False) as store:
        classroom = Roll(store).classroom()
        if classroom is None:
            raise BadFile(_("{path} keeps no class", path=place.store))
        work = ClassWork(place, store, classroom)
        jobs = [work.check_next] * CHECKERS + [work.mark_next, work.play_next]
        for job in jobs:
            threading.Thread(target=guarded, args=(work, job), daemon=True).start()
        for _line in sys.stdin.buffer:
            work.look()
    os._exit(0)


def guarded(work: ClassWork, job: Callable[[], bool]) -> None:
    """One kind of work, for ever; where damier itself fails the process ends, and another begins."""
    try:
        work.go_on(job)
    except BaseException:
        with contextlib.suppress(Exception):
            sys.excepthook(*sys.exc_info())
        os._exit(1)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except DamierError as error:
        sys.exit(str(error))
