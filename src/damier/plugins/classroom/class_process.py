"""The process behind a class: looks at what is handed in, marks it, and plays the games.

    python -m damier.plugins.classroom.class_process FOLDER

A line on its standard input says that there may be something new; when that ends, so does the
process, at once: what it had not finished another does. It answers nobody: what it finds is in the
store of the class, a file in FOLDER, or what the environment names (`STORE_VARIABLE`). It stands back
behind what people wait for, and its sandboxes, which are of its session, with it: not further, since
the clock of an agent goes on while it waits for a processor.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from damier.agents.isolation import no_isolation
from damier.agents.languages import file_name_of
from damier.agents.process import ProcessPlayer
from damier.arena.match import match
from damier.arena.pairing import Pairing, PlayedGame, TournamentPlan, missing, seed_of_pair
from damier.arena.records import GameRecord
from damier.arena.store import Store, is_url, opened, shown
from damier.core.errors import BadFile, BadInput, DamierError, Unsuitable
from damier.core.files import read_text, write_bytes, writing_to
from damier.core.game import Game
from damier.core.job import Job, stand_back
from damier.core.loop import MatchSetup
from damier.core.runtime import listen, serve_parent
from damier.core.words import message, speaking
from damier.lab.agent_file import isolated_player
from damier.lab.games import is_file, load
from damier.lab.tournament import played
from damier.plugins.classroom.class_archive import is_zipped, unpack, write_private
from damier.plugins.classroom.class_check import (
    LIMITS,
    MAX_PLIES,
    FileCheck,
    marks_text,
    read_report,
    report_text,
    say_on_terminal,
    unchecked,
)
from damier.plugins.classroom.class_store import (
    CODE_LENGTH,
    LOOK,
    MARK,
    PLAY,
    TRY,
    Classroom,
    ClassStore,
    CurrentEntrant,
    Roll,
    TakenSubmission,
    UnplayedPair,
    new_key,
)
from damier.plugins.classroom.marking.sheet import BROUGHT, require_askable, sheet as sheet_of
from damier.plugins.classroom.marking.submission import ExactTruth
from damier.web.settings import STORE_VARIABLE, OpenedClass, plain_key

# The folder of a class: its store, its code, and the files of students, where the sandbox takes
# them from. The store is what counts: the files are written anew from it.

STORE, CODE, FILES, LOCK = "class.db", "code.txt", "submissions", "lock"
SIGN = ":"
"""What parts a file from the agent in it."""
SHORTEST_CODE, LARGEST_CODE = 6, 200


class ClassFolder:
    """FOLDER: what lies where.

    Attributes:
        store: the path or URL of the store; a file in the folder, where none is named
    """

    def __init__(self, folder: Path, store: str = "") -> None:
        self.folder = folder.absolute()
        self.store = store or str(self.folder / STORE)

    def make(self) -> None:
        """Makes it, for this user alone, where it is not there. Raises BadInput, LimitReached."""
        if SIGN in str(self.folder) or ".py" in str(self.folder):
            raise BadInput(
                message("{path}: the folder of a class has neither : nor .py in its path", path=self.folder)
            )
        with writing_to(self.folder):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            (self.folder / FILES).mkdir(mode=0o700, exist_ok=True)
            if not os.access(self.folder, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Inside, no other process works for this class; waits until the one before has ended."""
        import fcntl

        with open(self.folder / LOCK, "ab") as held:
            fcntl.flock(held, fcntl.LOCK_EX)  # the system lets go for who is killed
            yield

    def code(self) -> str:
        """The code of the class: it is made once, lies readable in the folder since it stands on a board
        anyway, and may be written there by hand. Raises BadInput for one that is too easily guessed.
        """
        path = self.folder / CODE
        if path.exists():
            code = read_text(path, LARGEST_CODE).strip()
            if len(plain_key(code)) < SHORTEST_CODE or not code.isascii() or not code.isprintable():
                raise BadInput(
                    message(
                        "{path}: the code of a class has at least {n} letters and digits",
                        path=path,
                        n=SHORTEST_CODE,
                    )
                )
            return code
        code = new_key(CODE_LENGTH)
        write_bytes(path, f"{code}\n".encode(), private=True)
        return code

    def write(self, submission: int, content: bytes) -> Path:
        """The file of a submission, by its number: nothing that a student wrote is part of its path; or the
        folder, where one was handed in. An archive that cannot be read stays a file, which is no program.
        """
        return self._write(self.folder / FILES / str(submission), content)

    @contextlib.contextmanager
    def on_trial(self, trial: int, content: bytes) -> Iterator[Path]:
        """The file of a trial, in place as `write` puts one that is handed in: afterwards it is gone."""
        place = self.folder / FILES / f"trial-{trial}"
        shutil.rmtree(place, ignore_errors=True)  # whoever tried it before was killed
        try:
            yield self._write(place, content)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _write(self, place: Path, content: bytes) -> Path:
        if is_zipped(content):
            with contextlib.suppress(BadInput):
                return unpack(content, place)
        return write_private(place / file_name_of(content), content)


# A class opened: its folder, what it plays, its sheet, and the teacher's key.

GAMES = 20
"""Of each pair, at both seats in turn."""


def open_class(folder: Path, game: str, sheet: str, store: str = "") -> OpenedClass:
    """Opens the class in a folder, which is founded where it is not there yet. What is left out, game
    or sheet, is as the class has it; a sheet has a game of its own. The class is kept in a file there, or
    in `store`, by its path or URL.

    Raises Unsuitable where agents cannot be isolated, BadInput, BadFile.
    """
    if refusal := no_isolation():
        raise Unsuitable(
            message(
                "--class: agents of a class play in a sandbox only, and there is none here: {why}",
                why=refusal,
            )
        )
    place = ClassFolder(folder, store)
    if not (game or sheet or is_url(place.store) or Path(place.store).is_file()):
        raise nothing_to_play()
    place.make()
    with opened(place.store) as kept:
        roll = Roll(kept)
        before = roll.classroom()
        sheet = resolved(sheet) or (before.sheet if before else "")
        of_sheet = game_of(sheet) if sheet else ""
        played = load(game).text if game else of_sheet or (before.plan.game_text if before else "")
        if not played:
            raise nothing_to_play()
        found = load(played)
        if is_file(played) or found.players != 2:
            raise BadInput(
                message("--class: a class plays a game for two that damier brings, not {game}", game=game)
            )
        if of_sheet and of_sheet != found.text:
            raise BadInput(
                message(
                    "--class: the sheet is about {other}, the class plays {game}",
                    other=of_sheet,
                    game=found.text,
                )
            )
        plan = TournamentPlan(found.name, found.options, "", (), 0, GAMES, MAX_PLIES, is_open=True)
        key = roll.open(plan, sheet)
    return OpenedClass(place.store, place.code(), key, found.text)


def game_of(sheet: str) -> str:
    """The game that a sheet is about. Raises DamierError for a sheet that cannot be marked."""
    found = sheet_of(sheet)
    require_askable(found, ExactTruth(found.game))
    return found.game.text


def nothing_to_play() -> BadInput:
    return BadInput(
        message("--class: say what the class plays: damier serve tictactoe --class FOLDER, or --sheet s4")
    )


def resolved(sheet: str) -> str:
    """A sheet by its name, or by the whole path of its file."""
    return sheet if not sheet or (BROUGHT / f"{sheet}.toml").is_file() else str(Path(sheet).absolute())


# The games of a class, played on in the background: a pair at a time, the quick agents first.

KEEP_SECONDS = 0.25
"""Between two transactions: what a killed process may have to play again."""
MOST_PLAYERS = 32
"""Agents that are kept running between their games: each is a process."""


class MoreUrgent(Exception):
    """There is something more urgent than games."""


@dataclass
class ClassGames:
    """The games of a class. `text_of` is the agent of an entrant, its file in place."""

    queue: ClassStore
    plan: TournamentPlan
    game: Game
    text_of: Callable[[CurrentEntrant], str]
    _players: OrderedDict[int, ProcessPlayer] = field(default_factory=OrderedDict, init=False)
    _waiting: list[tuple[Pairing, PlayedGame]] = field(default_factory=list, init=False)
    _since: float = field(default=0.0, init=False)

    def next(self) -> UnplayedPair | None:
        """The pair to play next: the quick ones first, what is suspect last; None where nothing is left."""
        pairs = self.queue.unplayed(self.plan.games)
        entrants = {entrant.place: entrant for pair in pairs for entrant in (pair.first, pair.second)}
        paces = {place: pace_of(entrant) for place, entrant in entrants.items()}
        pair = min(
            pairs,
            key=lambda pair: (
                pair.is_suspect,
                round(paces[pair.first.place] + paces[pair.second.place], 1),
                pair.id,
            ),
            default=None,
        )
        if pair is None:
            self.close()  # an agent that waits costs memory, and somebody who watches it
        return pair

    def play(self, pair: UnplayedPair, urgent: Callable[[], bool]) -> bool:
        """Plays what is left of a pair; whether to its end. Breaks off, what was played kept, as soon as
        something else is `urgent`.
        """
        try:
            self.play_pair(pair, urgent)
            return True
        except MoreUrgent:
            return False
        except Exception:
            self.close()  # nobody knows what its agents are at
            raise
        finally:
            self._flush()

    def close(self) -> None:
        """Ends all agents."""
        for player in self._players.values():
            player.close()
        self._players.clear()

    def play_pair(self, pair: UnplayedPair, urgent: Callable[[], bool]) -> None:
        seed = seed_of_pair(self.plan.seed, pair.first.name, pair.second.name)
        setup = MatchSetup(
            self.game,
            (self._player(pair.first), self._player(pair.second)),
            seed,
            swap=1,
            limit=self.plan.max_plies,
            record=True,
            strict=False,
        )
        known = self.queue.store.played(pair.pairing.id)

        def keep(records: list[GameRecord]) -> None:
            self._waiting += [(pair.pairing, played(record)) for record in records]
            if time.monotonic() - self._since >= KEEP_SECONDS:
                self._flush()
            if urgent():
                raise MoreUrgent

        for numbers in missing(range(self.plan.games), known):
            match(setup, len(numbers), Job(jit=False), first=numbers.start, keep=keep)

    def _player(self, entrant: CurrentEntrant) -> ProcessPlayer:
        if entrant.place not in self._players:
            player = isolated_player(self.text_of(entrant), self.game, LIMITS)
            player.text = entrant.student
            self._players[entrant.place] = player
        self._players.move_to_end(entrant.place)
        while len(self._players) > MOST_PLAYERS:
            self._players.popitem(last=False)[1].close()
        return self._players[entrant.place]

    def _flush(self) -> None:
        """Everything gathered is in the store when this returns."""
        self.queue.store.keep(self._waiting)
        self._waiting = []
        self._since = time.monotonic()


def pace_of(entrant: CurrentEntrant) -> float:
    """Seconds a game, as it was tried."""
    report = read_report(entrant.report)
    return report["pace"] if report else 0.0


NICE = 5
"""As a training: with 10, honest files were late on a busy machine."""
CHECKERS = 2
"""Files that are looked at at once."""
REST = 5.0
"""Seconds after which work is looked for though nobody said that there is any, and after work that failed."""


W = TypeVar("W", TakenSubmission, UnplayedPair)
"""A piece of work."""


@dataclass
class ClassWork:
    """Everything that a class has to do, shared by a few threads.

    Attributes:
        at_work: what is worked on now, by kind
    """

    folder: ClassFolder
    store: Store
    classroom: Classroom
    at_work: dict[str, set[int]] = field(
        default_factory=lambda: {kind: set() for kind in (LOOK, TRY, MARK, PLAY)}
    )
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
        self.queue = ClassStore(self.store, self.classroom.tournament)
        self.queue.take_over()
        self.check = FileCheck(self.game, sheet, truth)
        self.games = ClassGames(self.queue, self.classroom.plan, self.game, self.text_of)

    def look(self) -> None:
        """There may be something new to do."""
        with self._news:
            self._version += 1
            self._news.notify_all()

    def check_next(self) -> bool:
        """Looks at the file whose student has waited longest, or tries one where none is handed in; False
        where none waits.
        """
        replaced = unchecked(message("a newer file of yours replaced this one before it was looked at"))
        return self._work_on(
            LOOK,
            lambda: self.queue.next_waiting(self.at_work[LOOK], report_text(replaced)),
            self.check_submission,
        ) or self._work_on(TRY, lambda: self.queue.next_trial(self.at_work[TRY]), self._try_out)

    def mark_next(self) -> bool:
        """Marks a file that has no marks yet; False where all have, or files wait to be looked at."""
        if self.check.sheet is None or self.queue.has_waiting():
            return False
        return self._work_on(MARK, self.queue.next_unmarked, self._mark)

    def play_next(self) -> bool:
        """Plays a pair; False where nothing is left to play, or something else is more urgent."""
        if self._is_urgent() or self.queue.has_waiting():
            return False
        return self._work_on(PLAY, self.games.next, self.play_pair)

    def _is_urgent(self) -> bool:
        """Return whether games give way: to a file that is looked at, or one that has to be alone."""
        return bool(self.at_work[LOOK] or self.at_work[TRY] or self._held_up - {PLAY})

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
        ended = False
        try:
            work(found)
            ended = True
        except Exception:
            say_on_terminal()
            self.queue.fail(kind, found.id, alone=found.is_suspect)
        finally:
            with self._lock:
                self.at_work[kind].discard(found.id)
                self._is_alone = False
            self.look()
        if not ended:  # most of what can still fail (a full disk, too many processes) takes time to pass
            time.sleep(REST)
        return ended

    def check_submission(self, taken: TakenSubmission) -> None:
        with speaking(taken.language):
            if taken.is_hopeless:
                sentence = message("what looks at files was ended by this one again and again")
                self.queue.refuse(taken.id, report_text(unchecked(sentence)))
                return
            path = self.folder.write(taken.id, taken.content)
            report = self.check.report(path, taken.wanted)
            if report["plays"]:
                self.queue.admit(taken.id, f"{path}:{report['agent']}", taken.sha256, report_text(report))
            else:
                self.queue.refuse(taken.id, report_text(report))

    def _try_out(self, taken: TakenSubmission) -> None:
        """As `check_submission`, and nothing comes of it but the report; its file is gone afterwards."""
        with speaking(taken.language):
            if taken.is_hopeless:
                sentence = message("what looks at files was ended by this one again and again")
                report = unchecked(sentence)
            else:
                with self.folder.on_trial(taken.id, taken.content) as path:
                    report = self.check.report(path, taken.wanted)
            self.queue.keep_trial(taken.id, report_text(report))

    def _mark(self, taken: TakenSubmission) -> None:
        with speaking(taken.language):
            marks = (
                self.check.unmarked(message("what marks files was ended by this one again and again"))
                if taken.is_hopeless
                else self.check.marks(self.folder.write(taken.id, taken.content))
            )
            self.queue.keep_marks(taken.id, marks_text(marks))

    def play_pair(self, pair: UnplayedPair) -> None:
        if self.games.play(pair, self._is_urgent) or not pair.is_suspect:
            self.queue.end(PLAY, pair.id)
        else:  # it gave way, and still has to show that it comes to its end
            self.queue.fail(PLAY, pair.id, alone=False)

    def text_of(self, entrant: CurrentEntrant) -> str:
        """The agent of an entrant, its file in place."""
        path = self.folder.write(entrant.submission, self.queue.content(entrant.submission))
        return str(path) + entrant.text.rpartition(path.name)[2]

    def go_on(self, work: Callable[[], bool]) -> None:
        """Does some work as long as there is any, then waits for more; for ever. Where damier itself fails
        the process ends, and another begins.
        """
        try:
            while True:
                version = self._version
                if not work():
                    with self._news:
                        self._news.wait_for(lambda: self._version != version, REST)
        except BaseException:
            say_on_terminal()
            os._exit(1)


def main(folder: str) -> None:
    """Works until nobody is there any more to say that there is something new."""
    orders = serve_parent().orders
    stand_back(NICE)
    place = ClassFolder(Path(folder), os.environ.get(STORE_VARIABLE, ""))
    if refusal := no_isolation():
        raise Unsuitable(message("agents cannot be isolated here: {why}", why=refusal))
    works: list[ClassWork] = []

    def look(_line: bytes) -> None:
        for work in works:
            work.look()

    listening = listen(orders, look)
    with place.alone(), opened(place.store, create=False) as store, store.alone():
        classroom = Roll(store).classroom()
        if classroom is None:
            raise BadFile(message("{path} keeps no class", path=shown(place.store)))
        work = ClassWork(place, store, classroom)
        works.append(work)
        for job in [work.check_next] * CHECKERS + [work.mark_next, work.play_next]:
            threading.Thread(target=work.go_on, args=(job,), daemon=True).start()
        listening.join()


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except DamierError as error:
        sys.exit(str(error))
