"""The process behind a class: looks at what is handed in, marks it, and plays the games.

    python -m damier.lab.classroom.process FOLDER

A line on its standard input says that there may be something new; when that ends, so does the
process, at once: what it had not finished another does. It answers nobody: what it finds is in the
store of FOLDER. It stands back behind what people wait for, and its sandboxes, which are of its session,
with it: not further, since the clock of an agent goes on while it waits for a processor.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from damier.agents.isolation import no_isolation
from damier.arena.classroom.queue import LOOK, MARK, PLAY, ClassQueue, CurrentEntrant, TakenSubmission
from damier.arena.classroom.roll import Classroom, Roll
from damier.arena.tournament.store import Store, opened
from damier.core.errors import BadFile, DamierError, Unsuitable
from damier.core.job import stand_back
from damier.core.words import message, speaking
from damier.lab.classroom.check import FileCheck, marks_text, report_text, say_on_terminal, unchecked
from damier.lab.classroom.folder import ClassFolder
from damier.lab.classroom.play import ClassGames, NextPair
from damier.lab.games import load
from damier.lab.marking.finding import ExactTruth
from damier.lab.marking.sheet import sheet as sheet_of

NICE = 5
"""As a training: with 10, honest files were late on a busy machine."""
CHECKERS = 2
"""Files that are looked at at once."""
REST = 5.0
"""Seconds after which work is looked for though nobody said that there is any, and after work that failed."""


class Workable(Protocol):
    """A piece of work: its number among those of its kind, and whether it was broken off before."""

    @property
    def id(self) -> int: ...

    @property
    def is_suspect(self) -> bool: ...


W = TypeVar("W", bound=Workable)


@dataclass
class ClassWork:
    """Everything that a class has to do, shared by a few threads.

    at_work  what is worked on now, by kind
    """

    folder: ClassFolder
    store: Store
    classroom: Classroom
    at_work: dict[str, set[int]] = field(default_factory=lambda: {kind: set() for kind in (LOOK, MARK, PLAY)})
    _is_alone: bool = False  # whether what is at work is suspect: then nothing else begins
    _held_up: set[str] = field(default_factory=set)  # kinds of which only what is suspect is left to do
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
        self.queue.take_over()
        self.check = FileCheck(self.game, sheet, truth)
        self.games = ClassGames(self.queue, self.classroom.plan, self.game, self.text_of)

    def look(self) -> None:
        """There may be something new to do."""
        with self._news:
            self._version += 1
            self._news.notify_all()

    def check_next(self) -> bool:
        """Looks at the file whose student has waited longest; False where none waits."""
        return self._work_on(LOOK, self._next_waiting, self._check)

    def _next_waiting(self) -> TakenSubmission | None:
        said = message("a newer file of yours replaced this one before it was looked at")
        return self.queue.next_waiting(self.at_work[LOOK], report_text(unchecked(said)))

    def mark_next(self) -> bool:
        """Marks a file that has no marks yet; False where all have, or files wait to be looked at."""
        if self.check.sheet is None or self.queue.has_waiting():
            return False
        return self._work_on(MARK, self.queue.next_unmarked, self._mark)

    def play_next(self) -> bool:
        """Plays a pair; False where nothing is left to play, or something else is more urgent."""
        if self._is_urgent() or self.queue.has_waiting():
            return False
        return self._work_on(PLAY, self.games.next, self._play)

    def _is_urgent(self) -> bool:
        """Whether games give way: to a file that is looked at, or one that has to be alone."""
        return bool(self.at_work[LOOK] or self._held_up - {PLAY})

    def _work_on(self, kind: str, choose: Callable[[], W | None], work: Callable[[W], None]) -> bool:
        """Takes a piece of work and does it; False where there is none, or it failed. What may end this
        process is at work alone, so that nothing else pays for it.
        """
        with self._lock:
            if self._is_alone:
                return False
            self._held_up.discard(kind)
            found = choose()
            if found is None:
                return False
            if found.is_suspect and any(self.at_work.values()):
                self._held_up.add(kind)
                return False
            self.queue.begin(kind, found.id)
            self.at_work[kind].add(found.id)
            self._is_alone = found.is_suspect
        try:
            ended = self._came_to_its_end(kind, found, work)
        finally:
            with self._lock:
                self.at_work[kind].discard(found.id)
                self._is_alone = False
            self.look()
        if not ended:
            time.sleep(
                REST
            )  # most of what can still fail (a full disk, too many processes) takes time to pass
        return ended

    def _came_to_its_end(self, kind: str, found: W, work: Callable[[W], None]) -> bool:
        """Does a piece of work; False where it failed."""
        try:
            work(found)
            return True
        except Exception:
            say_on_terminal()
            self.queue.fail(kind, found.id, alone=found.is_suspect)
            return False

    def _check(self, taken: TakenSubmission) -> None:
        with speaking(taken.language):
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
        with speaking(taken.language):
            if taken.is_hopeless:
                marks = self.check.unmarked(message("what marks files was ended by this one again and again"))
            else:
                marks = self.check.marks(self.folder.write(taken.id, taken.content))
            self.queue.keep_marks(taken.id, marks_text(marks))

    def _play(self, pair: NextPair) -> None:
        if self.games.play(pair, self._is_urgent) or not pair.is_suspect:
            self.queue.end(PLAY, pair.id)
        else:  # it gave way, and still has to show that it comes to its end
            self.queue.fail(PLAY, pair.id, alone=False)

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
        say_on_terminal()
        os._exit(1)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except DamierError as error:
        sys.exit(str(error))
