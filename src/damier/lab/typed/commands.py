"""Which document writes its commands how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from damier.core.errors import BadInput
from damier.core.words import message
from damier.lab.typed.hexapion import typed_hexapion
from damier.lab.typed.morpion import typed_morpion
from damier.lab.typed.nim import typed_nim
from damier.lab.typed.said import TypedAnswer
from damier.lab.typed.slides import typed_slides
from damier.lab.typed.vfunction import typed_vfunction

TypedReader: TypeAlias = Callable[[str, Sequence[str]], TypedAnswer]

READERS: dict[str, TypedReader] = {
    "s0": typed_hexapion,
    "s1": typed_nim,
    "s2": typed_slides,
    "s3": typed_vfunction,
    "s4": typed_morpion,
}
"""By the short name of a document, what understands its commands."""
PHONES = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "−": "-", "–": "-", "—": "--"}
)
"""Signs that a phone, or a page from which a command is copied, puts for those of a keyboard."""
PRINTED: dict[str, tuple[str, ...]] = {
    "s0": (
        'player1=new RandomPlayer("AgentA", 1, this);',
        'player2=new Joueur("AgentB", 2, this);',
        'player1=new Agent("AgentA", 1, this);',
        "id(-1 -1 -1 0 0 0 1 1 1)",
    ),
    "s1": (
        "(setq nbCoupsAJouer (explore 4 actions 'HUMAIN 0))",
        "(explore 7 actions 'IA 0)",
        "(dotimes (x 1000)(explore-renf-rec 16 *actions*))",
        "(aff *actions*)",
    ),
    "s2": ("max-value(((3 12 8) (2 4 6) (14 5 2)))", "max-value(((3 12 8) (2 4 6) (14 5 2)), -∞, +∞)"),
    "s3": (
        "3**9",
        "get_state([1, 2, 0, 0, 1, 0, 0, 0, 0])",
        "demo.train(10000);",
        "demo.test(trained_agents[0], trained_agents[1], 100);",
    ),
    "s4": (
        "./tictactoe -s human human",
        "./tictactoe -s human ai",
        "./tictactoe -s human rl",
        "./tictactoe -s human rl -p 10000 ai",
        "./tictactoe -t 1000 random ai",
        "./tictactoe -t 1000 random rl",
        "./tictactoe -t 1000 random rl -p 100000",
        "./tictactoe -t 1000 random rl -p 100000 ai",
    ),
}
"""Commands as each document prints them."""


def typed(document: str, text: str, before: Sequence[str] = ()) -> TypedAnswer:
    """What a command of a document comes to, after those that were typed before it.

    Raises BadInput for one that is not understood, LimitReached.
    """
    written = text.strip().translate(PHONES)
    if not written:
        raise BadInput(message("type a command first"))
    return READERS[document](written, before)


def typed_anywhere(text: str) -> tuple[str, TypedAnswer]:
    """What a command comes to, whichever document writes it so; and the document. Raises BadInput."""
    refusals = []
    for document in first_tried(text):
        try:
            return document, typed(document, text)
        except BadInput as error:
            refusals.append(error)
    raise refusals[0]


def first_tried(text: str) -> list[str]:
    """The documents, that first whose commands begin as this one does."""
    start = text.strip()[:1]
    likely = {"(": "s1", ".": "s4", "t": "s4", "p": "s0", "i": "s0", "m": "s2", "v": "s2"}.get(start, "s3")
    return [likely, *(name for name in READERS if name != likely)]
