"""What can be asked of a worker, by which door, and what it may cost.

A verb `room.verb` is the function `verb` of `rooms/room.py`. No other can be called: the hub and
the worker both look here.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from damier.web.messages.rooms import RoomAnswer
    from damier.web.params import Asked
    from damier.web.registry import Registry

RoomFunction: TypeAlias = "Callable[[Registry, Asked], RoomAnswer]"


LARGEST_ANSWER = 32 << 20
"""Bytes of an answer: the hub holds all of it until it is taken."""


class Verb(NamedTuple):
    """pool     quick answers never wait behind slow ones, nor the judge of moves at a table behind
             pictures, nor the reply of an agent behind a proof, nor anybody behind a class with
             matchboxes, or one that hands in
    seconds  after so long the process that works on it is ended, and another takes its place
    cached   the answer depends on nothing but the question: it is kept for the next who asks the
             same
    door     who asks it: a page with a question, a reader with an address, or nobody but the hub
    """

    pool: Literal["quick", "judge", "moves", "slow", "proofs", "boxes", "class"]
    seconds: float
    cached: bool = False
    door: Literal["question", "address", "hub"] = "question"


VERBS: dict[str, Verb] = {
    "home.page": Verb("quick", 10, cached=True, door="address"),
    "home.show": Verb("quick", 10, cached=True),
    "home.play": Verb("quick", 10, cached=True),
    "gallery.page": Verb("quick", 10, cached=True, door="address"),
    "gallery.card": Verb("quick", 10, cached=True),
    "gallery.facts": Verb("slow", 20, cached=True),
    "gallery.problem": Verb("quick", 10, door="hub"),
    "lessons.page": Verb("quick", 10, cached=True, door="address"),
    "lessons.lesson": Verb("quick", 10, cached=True, door="address"),
    "matchboxes.page": Verb("boxes", 60, door="address"),
    "matchboxes.show": Verb("boxes", 60),
    "matchboxes.train": Verb("boxes", 60),
    "matchboxes.boxes": Verb("boxes", 60),
    "matchboxes.find": Verb("boxes", 60),
    "matchboxes.sheets": Verb("boxes", 60, door="address"),
    "matchboxes.pdf": Verb("boxes", 90, door="address"),
    "training_room.page": Verb("boxes", 60, door="address"),
    "training_room.show": Verb("boxes", 60),
    "training_room.grade": Verb("proofs", 60, cached=True),
    "training_room.download": Verb("boxes", 60, door="address"),
    "board.page": Verb("quick", 10, door="address"),
    "board.show": Verb("quick", 10, cached=True),
    "board.move": Verb("quick", 10, cached=True),
    "board.reply": Verb("moves", 10),
    "board.soon": Verb("quick", 10),
    "board.seats": Verb("quick", 10),
    "board.table": Verb("quick", 10),
    "levels.show": Verb("slow", 60, cached=True),
    "boards.possible": Verb("slow", 20, cached=True),
    "boards.code": Verb("quick", 10),
    "boards.edit": Verb("quick", 10),
    "truth.show": Verb("proofs", 60, cached=True),
    "truth.guess": Verb("proofs", 60, cached=True),
    "mind.show": Verb("slow", 20),
    "table.judge": Verb("judge", 10, cached=True),
    "table.agents": Verb("slow", 20),
    "learning.page": Verb("quick", 10, door="address"),
    "learning.show": Verb("slow", 20),
    "learning.download": Verb("slow", 20, door="address"),
    "learning.compare": Verb("slow", 30),
    "learning.numbers": Verb("quick", 10, door="hub"),
    "learning.drawn": Verb("slow", 10, door="hub"),
    "learning.listed": Verb("slow", 10, door="hub"),
    "classroom.page": Verb("class", 20, door="address"),
    "classroom.live": Verb("class", 20, door="hub"),
    "classroom.hand_in": Verb("class", 20),
    "classroom.report": Verb("class", 20),
    "classroom.identify": Verb("class", 20),
    "classroom.teach": Verb("class", 20),
    "classroom.students": Verb("class", 20),
    "classroom.new_key": Verb("class", 20),
    "classroom.remove": Verb("class", 20),
    "classroom.join": Verb("class", 20),
    "classroom.who": Verb("class", 20),
    "classroom.keep_run": Verb("class", 20),
    "classroom.download": Verb("class", 60, door="address"),
    "classroom_drills.page": Verb("class", 20, door="address"),
    "classroom_drills.sheet": Verb("class", 20, door="address"),
    "classroom_drills.show": Verb("class", 20),
    "classroom_drills.mark": Verb("class", 20),
    "classroom_drills.key": Verb("class", 20),
    "classroom_drills.hand_in": Verb("class", 20),
    "tree.page": Verb("slow", 20, cached=True, door="address"),
    "tree.show": Verb("slow", 20, cached=True),
    "tree.steps": Verb("slow", 20, cached=True),
    "exercise.show": Verb("slow", 20, cached=True),
    "exercise.mark": Verb("slow", 20),
    "exercise.key": Verb("slow", 20, cached=True),
    "exercise.result": Verb("slow", 20),
    "course.page": Verb("quick", 10, cached=True, door="address"),
    "course.sheet": Verb("quick", 10, cached=True, door="address"),
    "course.mark": Verb("slow", 20, cached=True),
    "course.typed_command": Verb("slow", 20, cached=True),
    "graph.show": Verb("slow", 30, cached=True),
    "laboratory.page": Verb("quick", 10, door="address"),
    "laboratory.play": Verb("slow", 20),
    "laboratory.games": Verb("quick", 10),
    "laboratory.replay": Verb("slow", 20, cached=True),
}


def function_of(verb: str) -> RoomFunction:
    """The function of a verb; its room is imported when it is first asked for.

    Raises KeyError for what is no verb.
    """
    if verb not in VERBS:
        raise KeyError(verb)
    room, name = verb.split(".")
    function: RoomFunction = getattr(import_module(f"damier.web.rooms.{room}"), name)
    return function
