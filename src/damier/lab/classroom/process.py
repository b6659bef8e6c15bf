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
from damier.core.priority import stand_back
from damier.core.words import message, speaking
from damier.lab.classroom.check import FileCheck, unchecked
from damier.lab.classroom.folder import ClassFolder
from damier.lab.classroom.play import ClassGames
from damier.lab.classroom.told import marks_text, report_text
from damier.lab.games import load
from damier.lab.marking.finding import ExactTruth
from damier.lab.marking.sheet import sheet as sheet_of

NICE = 10
CHECKERS = 2
"""Files that are looked at at once."""
REST = 5.0
"""Seconds after which work is looked for though nobody said that there is any."""


@dataclass
class ClassWork:
    """Everything that a class has to do, shared by a few threads.

    checked  the files that are looked at now, marked: those that are marked
    """

    folder: ClassFolder
    store: Store
    classroom: Classroom
    checked: set[int] = field(default_factory=set)
    marked: set[int] = field(default_factory=set)
    _suspected: bool = False  # whether one of them may end this process, and so is alone
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
        return self._work_on(
            self.checked, lambda fresh: self.queue.next_waiting(self.checked, fresh=fresh), self._check
        )

    def mark_next(self) -> bool:
        """Marks a file that has no marks yet; False where all have, or files wait to be looked at."""
        if self.check.sheet is None or self.queue.has_waiting():
            return False
        return self._work_on(self.marked, lambda fresh: self.queue.next_unmarked(fresh=fresh), self._mark)

    def _work_on(
        self,
        at_work: set[int],
        take: Callable[[bool], TakenSubmission | None],
        work: Callable[[TakenSubmission], None],
    ) -> bool:
        """Takes a file and works on it; False where there is none. A file that may end this process is
        taken alone, so that no other pays for it.
        """
        with self._lock:
            taken = None if self._suspected else take(bool(self.checked or self.marked))
            if taken is None:
                return False
            at_work.add(taken.id)
            self._suspected = taken.is_suspect
        try:
            with speaking(taken.language):
                work(taken)
        finally:
            with self._lock:
                at_work.discard(taken.id)
                self._suspected = False
            self.look()
        return True

    def _check(self, taken: TakenSubmission) -> None:
        if taken.is_hopeless:
            said = message("what looks at files was ended by this one again and again")
            self.queue.refuse(taken.id, report_text(unchecked(said)))
            return
        path = self.folder.write(taken.id, taken.content)
        report = self.check.report(path, taken.wanted)
        if report["plays"]:
            self.queue.admit(taken.id, f"{path}:{report['agent']}", taken.sha256, report_text(report))
        else:
            self.queue.refuse(taken.id, report_text(report))

    def _mark(self, taken: TakenSubmission) -> None:
        marks = [] if taken.is_hopeless else self.check.marks(self.folder.write(taken.id, taken.content))
        self.queue.keep_marks(taken.id, marks_text(marks))

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
    stand_back(NICE)
    place = ClassFolder(Path(folder))
    if refusal := no_isolation():
        raise Unsuitable(message("agents cannot be isolated here: {why}", why=refusal))
    works: list[ClassWork] = []
    listening = threading.Thread(target=listen, args=(works,), daemon=True)
    listening.start()
    with place.alone(), opened(place.store, create=False) as store:
        classroom = Roll(store).classroom()
        if classroom is None:
            raise BadFile(message("{path} keeps no class", path=place.store))
        work = ClassWork(place, store, classroom)
        works.append(work)
        for job in [work.check_next] * CHECKERS + [work.mark_next, work.play_next]:
            threading.Thread(target=guarded, args=(work, job), daemon=True).start()
        listening.join()


def listen(works: list[ClassWork]) -> None:
    """Passes on that there is something new; ends the process where nobody can say so any more."""
    for _line in sys.stdin.buffer:
        for work in works:
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
