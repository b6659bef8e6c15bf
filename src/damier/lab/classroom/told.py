"""What was found of a file, as data that a store keeps and pages show. Sentences are kept as codes and
parameters (`packed` of `core/words.py`), and put into words in the language of who reads.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NotRequired, TypedDict

from damier.core.json_text import to_json
from damier.core.json_types import JsonValue
from damier.core.position import Position
from damier.core.words import Text, _, bounded, packed, unpacked
from damier.lab.marking.finding import Finding, WrongAnswer
from damier.lab.marking.marks import ItemMark, StudentMarks
from damier.lab.marking.sheet import MarkingSheet

LONGEST = 500
"""Characters of a sentence about a file."""


class ToldWrong(TypedDict):
    """The first thing that was wrong: the state of the position (null for a tree, which is not kept), what
    was expected, and got.
    """

    state: list[JsonValue] | None
    expected: JsonValue
    got: JsonValue


class ToldItem(TypedDict):
    """How an item of the sheet stands. `said`, like `expected` and `got`: the facts of a sentence; a text,
    in the language of who handed in, where an earlier damier kept it.
    """

    name: str
    passed: bool
    said: JsonValue
    seconds: float
    wrong: NotRequired[ToldWrong]


class FileReport(TypedDict):
    """What a student is told.

    plays   whether the file plays; said: how it stands, or why not, as in an item
    agent   which of its agents plays, of `agents`
    games   how many were tried, and how many it won, drew and lost
    pace    seconds a game
    items   those of the sheet that are open
    """

    plays: bool
    said: JsonValue
    agent: str
    agents: list[str]
    games: list[int]
    pace: float
    items: list[ToldItem]


def report_text(report: FileReport) -> str:
    return to_json(dict(report))


def read_report(text: str) -> FileReport | None:
    """What a store keeps of a report; None before there is one."""
    found: FileReport | None = json.loads(text) if text else None
    return found


def marks_text(marks: Sequence[ItemMark]) -> str:
    return json.dumps([told(mark) for mark in marks], ensure_ascii=False)


def told(mark: ItemMark) -> ToldItem:
    """An item as data."""
    finding = mark.finding
    item: ToldItem = {
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


def kept(said: Text) -> JsonValue:
    """What is kept of a sentence about a file."""
    return packed(bounded(said, LONGEST))


def read_told(said: JsonValue) -> str:
    """It again, in the language in force."""
    try:
        return str(unpacked(said))
    except ValueError:  # of another damier, or damaged
        return _("what was found was kept by another damier, which has to read it")


def read_marks(text: str, sheet: MarkingSheet, name: str) -> StudentMarks:
    """The marks that a store keeps, by the items that the sheet has now."""
    return StudentMarks(name, Path(name), tuple(item_marks(json.loads(text), sheet)))


def item_marks(items: Sequence[ToldItem], sheet: MarkingSheet) -> list[ItemMark]:
    """Items from data, those that the sheet still has, in its order."""
    by_name = {item["name"]: item for item in items}
    return [
        ItemMark(item, finding_of(by_name[item.name], sheet), by_name[item.name]["seconds"])
        for item in sheet.items
        if item.name in by_name
    ]


def finding_of(item: ToldItem, sheet: MarkingSheet) -> Finding:
    wrong, said = item.get("wrong"), read_told(item["said"])
    if wrong is None:
        return Finding(item["passed"], said)
    state = wrong["state"]
    position = Position(sheet.game, sheet.game.read_state(state)) if state is not None else None
    expected, got = read_told(wrong["expected"]), read_told(wrong["got"])
    return Finding(item["passed"], said, WrongAnswer(position, expected, got))
