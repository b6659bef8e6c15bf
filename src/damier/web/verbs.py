"""What a browser can ask for, and what it may cost. A verb `room.verb` is the function `verb` of `rooms/room.py`; no other can be called."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Verb(NamedTuple):
    """pool     quick answers never wait behind slow ones, nor the judge of moves at a table behind pictures, nor anybody behind a class with matchboxes
    seconds  after so long the process that works on it is ended, and another takes its place
    cached   the answer depends on nothing but the question: it is kept for the next who asks the same
    """

    pool: Literal["quick", "judge", "slow", "boxes"]
    seconds: float
    cached: bool = False


VERBS: dict[str, Verb] = {
    "gallery.page": Verb("quick", 10, cached=True),
    "gallery.card": Verb("quick", 10, cached=True),
    "gallery.facts": Verb("slow", 20, cached=True),
    "gallery.problem": Verb("quick", 10),
    "lessons.page": Verb("quick", 10, cached=True),
    "lessons.lesson": Verb("quick", 10, cached=True),
    "matchboxes.page": Verb("boxes", 60),
    "matchboxes.show": Verb("boxes", 60),
    "matchboxes.train": Verb("boxes", 60),
    "matchboxes.boxes": Verb("boxes", 60),
    "matchboxes.find": Verb("boxes", 60),
    "matchboxes.sheets": Verb("boxes", 60),
    "matchboxes.pdf": Verb("boxes", 90),
    "board.page": Verb("quick", 10),
    "board.show": Verb("quick", 10, cached=True),
    "board.move": Verb("quick", 10, cached=True),
    "board.reply": Verb("slow", 20),
    "board.soon": Verb("quick", 10),
    "board.seats": Verb("quick", 10),
    "board.table": Verb("quick", 10),
    "boards.possible": Verb("slow", 20, cached=True),
    "boards.code": Verb("quick", 10),
    "truth.show": Verb("slow", 60, cached=True),
    "truth.guess": Verb("slow", 60, cached=True),
    "mind.show": Verb("slow", 20),
    "table.judge": Verb("judge", 10, cached=True),
    "table.agents": Verb("slow", 20),
    "learning.page": Verb("quick", 10),
    "learning.show": Verb("slow", 20),
    "learning.compare": Verb("slow", 30),
    "tree.page": Verb("slow", 20, cached=True),
    "tree.show": Verb("slow", 20, cached=True),
    "tree.steps": Verb("slow", 20, cached=True),
    "exercise.show": Verb("slow", 20, cached=True),
    "exercise.mark": Verb("slow", 20),
    "exercise.key": Verb("slow", 20, cached=True),
    "graph.show": Verb("slow", 30, cached=True),
}
