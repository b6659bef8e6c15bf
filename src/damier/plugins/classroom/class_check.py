"""A file that was handed in, looked at: whether it plays legally, and how its sheet stands; and what was
found, as data that a store keeps. Its code runs in a sandbox, or not at all.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NotRequired, TypedDict, TypeVar

from damier.agents.isolation import HOME, AgentLimits
from damier.arena.match import Score, match
from damier.arena.records import GameRecord
from damier.core.errors import BadInput, DamierError, LimitReached
from damier.core.game import Game, Position
from damier.core.job import Job
from damier.core.json_data import to_json
from damier.core.json_types import JsonValue
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.core.words import Message, Text, _, bounded, error_text, message, packed, replaced, unpacked
from damier.lab.agent_file import isolated_player
from damier.plugins.classroom.marking.reports import facts, text as shown_text
from damier.plugins.classroom.marking.sheet import (
    ItemMark,
    MarkingSheet,
    StudentMarks,
    mark_item,
)
from damier.plugins.classroom.marking.submission import ExactTruth, Finding, Submission, WrongAnswer

FILE = "agent.py"
"""What every file in Python is called in its sandbox, and in what is said of it."""
IN_SANDBOX = f"{HOME}/own/"
"""The folder of a student's files in their sandbox, which no sentence needs to tell."""
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
        """Return what a student is told of a file; `wanted` is the agent that is to play. What it raises
        itself is of the machine: it may be tried again.
        """
        submission = Submission(path, self.game, isolated=True)
        found = unchecked("")
        try:
            submission.allow(LISTING)
            found["agents"] = submission.agents()
            found["agent"] = chosen_of(found["agents"], wanted)
            submission.agent(found["agent"], seed=0)  # it says more of what is wrong than who plays it
            score, fault, moves = self.tried(path, found["agent"])
            if fault:
                found["moves"] = moves
            found["games"] = [score.games, score.wins, score.draws, score.losses]
            found["pace"] = round(score.seconds / score.games, 4)
            found["plays"] = not fault
            found["said"] = kept(
                without_place(of_file(fault), path) if fault else message("It plays legally.")
            )
        except BadInput as error:
            found["said"] = kept(without_place(error_text(error), path))
        except (LimitReached, MemoryError, OSError):
            raise
        except Exception as error:
            say_on_terminal()
            sentence = message(
                "{file}: damier could not look at it ({kind})", file=FILE, kind=type(error).__name__
            )
            found["said"] = kept(sentence)
        try:
            found["items"] = [item_facts(mark) for mark in self._marks(submission, open_only=True)]
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

    def unmarked(self, text: Text) -> list[ItemMark]:
        """The whole sheet of a file that cannot be marked."""
        items = self.sheet.items if self.sheet else ()
        return [ItemMark(item, Finding(False, text), 0.0) for item in items]

    def _marks(self, submission: Submission, *, open_only: bool) -> list[ItemMark]:
        if self.sheet is None or self.truth is None:
            return []
        found = []
        for item in self.sheet.items:
            if item.is_open or not open_only:
                mark = mark_item(item, submission, self.truth)
                sentence = without_place(mark.finding.sentence, submission.path)
                found.append(replace(mark, finding=replace(mark.finding, sentence=sentence)))
        return found

    def tried(self, path: Path, agent: str) -> tuple[Score, Text, list[str]]:
        """Some games against random moves; why the last was lost by a fault, if it was, and its moves."""
        player = isolated_player(f"{path}:{agent}", self.game, LIMITS)
        player.text = FILE if (path / FILE).exists() else path.name  # of a folder, its file
        setup = MatchSetup(
            self.game, (player, RandomPlayer()), 0, swap=1, limit=MAX_PLIES, record=True, strict=False
        )
        score = Score()
        faults: list[tuple[Text, list[str]]] = [("", [])]
        begun = time.monotonic()

        def keep(records: list[GameRecord]) -> None:
            faults.extend((record.fault, list(record.moves)) for record in records if record.fault)

        try:
            while score.games < TRIED and not faults[1:] and time.monotonic() - begun <= TRYING:
                match(setup, score.games + 2, Job(jit=False), keep=keep, score=score)
        finally:
            player.close()
        return score, *faults[-1]


def say_on_terminal() -> None:
    """Tells what has failed, and goes on, where whoever started the lab sees it: in one line what is no fault
    of damier, as a disk that is full.
    """
    error = sys.exception()
    with contextlib.suppress(Exception):
        if isinstance(error, DamierError):
            print(error, file=sys.stderr, flush=True)
        else:
            sys.excepthook(*sys.exc_info())


def of_file(fault: Text) -> Text:
    """A fault of an agent, without the agent where it names one of its files."""
    what = fault.values.get("what") if isinstance(fault, Message) else None
    return what if isinstance(what, Message) and "place" in what.values else fault


def without_place(text: Text, path: Path) -> Text:
    """A sentence about a file that does not tell where it lies."""
    here = replaced(text, f"{path if path.is_dir() else path.parent}{os.sep}", "")
    return replaced(here, IN_SANDBOX, "")


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


# What was found of a file, as data that a store keeps and pages show. Sentences are kept as codes and
# parameters (`packed` of `core/words.py`), and put into words in the language of who reads.

LONGEST = 500
"""Characters of a sentence about a file."""
LONGEST_TIME = 1e7
"""Seconds."""
T = TypeVar("T")


class WrongAnswerFacts(TypedDict):
    """The first thing that was wrong: the state of the position (null for a tree, which is not kept), what
    was expected, and got.
    """

    state: list[JsonValue] | None
    expected: JsonValue
    got: JsonValue


class ItemFacts(TypedDict):
    """The state of an item of the sheet. `said`, like `expected` and `got`: the facts of a sentence, or a
    text.
    """

    name: str
    passed: bool
    said: JsonValue
    seconds: float
    wrong: NotRequired[WrongAnswerFacts]


class FileReport(TypedDict):
    """The report that a student reads.

    Attributes:
        plays: whether the file plays
        said: how it stands, or why not, as in an item
        agent: which of its agents plays, of `agents`
        games: how many were tried, and how many it won, drew and lost
        pace: seconds a game
        items: those of the sheet that are open
        moves: where it lost by a fault in a game: the moves before that
    """

    plays: bool
    said: JsonValue
    agent: str
    agents: list[str]
    games: list[int]
    pace: float
    items: list[ItemFacts]
    moves: NotRequired[list[str]]


def report_text(report: FileReport) -> str:
    return to_json(dict(report))


def unchecked(text: Text) -> FileReport:
    """The report on a file that could not be looked at."""
    return {
        "plays": False,
        "said": kept(text),
        "agent": "",
        "agents": [],
        "games": [],
        "pace": 0.0,
        "items": [],
    }


def read_report(text: str) -> FileReport | None:
    """Return what a store keeps of a report; None before there is one. One that is damaged, or of another
    damier, is one that says so.
    """
    if not text:
        return None
    try:
        return report_of(json.loads(text))
    except (ValueError, RecursionError):
        return unchecked(unreadable_report())


def unreadable_report() -> str:
    return _(
        "the report that is kept of this file cannot be read: it is damaged, or of another damier; hand"
        " the file in again"
    )


def report_of(data: object) -> FileReport:
    """A report from data that somebody may have edited. Raises ValueError."""
    data = checked(data, dict)
    games = [checked(number, int) for number in checked(data.get("games"), list)]
    if len(games) not in (0, 4):
        raise ValueError(games)
    report: FileReport = {
        "plays": checked(data.get("plays"), bool),
        "said": data.get("said"),
        "agent": checked(data.get("agent"), str),
        "agents": [checked(name, str) for name in checked(data.get("agents"), list)],
        "games": games,
        "pace": seconds_of(data.get("pace")),
        "items": items_of(data.get("items")),
    }
    if "moves" in data:
        report["moves"] = [checked(move, str) for move in checked(data["moves"], list)]
    return report


def items_of(data: object) -> list[ItemFacts]:
    """Items from such data. Raises ValueError."""
    return [item_of(each) for each in checked(data, list)]


def item_of(data: object) -> ItemFacts:
    data = checked(data, dict)
    item: ItemFacts = {
        "name": checked(data.get("name"), str),
        "passed": checked(data.get("passed"), bool),
        "said": data.get("said"),
        "seconds": seconds_of(data.get("seconds")),
    }
    if "wrong" in data:
        wrong = checked(data["wrong"], dict)
        state = wrong.get("state")
        item["wrong"] = {
            "state": None if state is None else checked(state, list),
            "expected": wrong.get("expected"),
            "got": wrong.get("got"),
        }
    return item


def checked(value: object, kind: type[T]) -> T:
    """A value of this type, and of none that is derived from it. Raises ValueError."""
    if type(value) is not kind:
        raise ValueError(value)
    return value


def seconds_of(value: object) -> float:
    """A time that can be added up. Raises ValueError."""
    if not isinstance(value, (int, float)) or not 0 <= value <= LONGEST_TIME:  # nan is none, either
        raise ValueError(value)
    return float(value)


def marks_text(marks: Sequence[ItemMark]) -> str:
    return json.dumps([item_facts(mark) for mark in marks], ensure_ascii=False)


def item_facts(mark: ItemMark) -> ItemFacts:
    """An item as data."""
    finding = mark.finding
    item: ItemFacts = {
        "name": mark.item.name,
        "passed": finding.passed,
        "said": kept(finding.sentence),
        "seconds": round(mark.seconds, 3),
    }
    if wrong := finding.wrong:
        item["wrong"] = {
            "state": list(wrong.position.state) if wrong.position else None,
            "expected": kept(wrong.expected),
            "got": kept(wrong.got),
        }
    return item


def kept(text: Text) -> JsonValue:
    """Return what is kept of a sentence about a file."""
    return packed(bounded(text, LONGEST))


def finding_text(answer: JsonValue) -> str:
    """It again, in the language in force."""
    try:
        return str(unpacked(answer))
    except ValueError:  # of another damier, or damaged
        return _("what was found was kept by another damier, which has to read it")


def read_marks(text: str, sheet: MarkingSheet, name: str) -> StudentMarks:
    """The marks that a store keeps, by the items that the sheet has now; what is damaged, or of another
    damier, are none that say so.
    """
    try:
        return StudentMarks(name, Path(name), tuple(item_marks(items_of(json.loads(text)), sheet)))
    except Exception:  # whatever it is that cannot be shown: the other students' can
        sentence = _("the marks that are kept of the last file cannot be read: damaged, or of another damier")
        return StudentMarks(name, Path(name), (), sentence)


def item_marks(items: Sequence[ItemFacts], sheet: MarkingSheet) -> list[ItemMark]:
    """Items from data, those that the sheet still has, in its order. Raises an exception of any kind for what
    cannot be shown.
    """
    by_name = {item["name"]: item for item in items}
    return [
        ItemMark(item, finding_of(by_name[item.name], sheet), by_name[item.name]["seconds"])
        for item in sheet.items
        if item.name in by_name
    ]


def finding_of(item: ItemFacts, sheet: MarkingSheet) -> Finding:
    wrong, sentence = item.get("wrong"), finding_text(item["said"])
    if wrong is None:
        return Finding(item["passed"], sentence)
    state = wrong["state"]
    position = Position(sheet.game, sheet.game.read_state(state)) if state is not None else None
    found = WrongAnswer(position, finding_text(wrong["expected"]), finding_text(wrong["got"]))
    facts(found)  # raises here, not on a page: a state that fits the game need be no position of it
    shown_text(found)
    return Finding(item["passed"], sentence, found)
