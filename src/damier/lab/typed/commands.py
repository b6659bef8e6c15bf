"""Which document writes its commands how."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from damier.core.errors import BadInput
from damier.core.words import N_, _, message
from damier.lab.typed.morpion import typed_morpion
from damier.lab.typed.nim import typed_nim
from damier.lab.typed.replies import RoomLink, TypedAnswer, refused
from damier.lab.typed.slides import typed_slides
from damier.lab.typed.vfunction import typed_vfunction

# The lines of document [S0] in which one chooses the players, typed as it prints them, and the
# number of a board (rows ).

UNDERSTOOD = 'player1=new Agent("AgentA", 1, this);  id(-1 -1 -1 0 0 0 1 1 1)'
LONGEST = 300
PLAYER = re.compile(
    r'(?:this\.)?player([12])\s*=\s*new\s+(\w+)\s*\(\s*"(\w{1,30})"\s*,\s*([12])\s*,\s*this\s*\)'
)
NUMBER = re.compile(r"id\(\s*([-0-9,\s]+)\)")
CLASSES = {"RandomPlayer": "random", "Joueur": "human", "Agent": "q:preset=hexapion"}
"""The players of the document, as damier writes them."""
WORDS = {"RandomPlayer": N_("a random player"), "Joueur": N_("you"), "Agent": N_("the agent that learns")}
CELLS = 9


def typed_hexapion(text: str, before: Sequence[str] = ()) -> TypedAnswer:
    """What a line comes to, after those that were typed before it. Raises BadInput."""
    if len(text) > LONGEST:
        raise BadInput(message("a command has at most {n} characters", n=LONGEST))
    line = text.strip().rstrip(";").strip()
    if found := NUMBER.fullmatch(line):
        return number_of_board(found[1])
    chosen = {1: "Agent", 2: "RandomPlayer"}
    for earlier in before:
        player = PLAYER.fullmatch(earlier.strip().rstrip(";").strip())
        if player and player[2] in CLASSES:
            chosen[int(player[1])] = player[2]
    found = PLAYER.fullmatch(line)
    if not found:
        raise refused(text, UNDERSTOOD)
    seat, kind = int(found[1]), found[2]
    if kind not in CLASSES:
        raise BadInput(
            message("no player is called {name}; there are: {names}", name=kind, names=" ".join(CLASSES))
        )
    if int(found[4]) != seat:
        raise BadInput(message("player{n} has the number {n}, not {other}", n=seat, other=found[4]))
    chosen[seat] = kind
    said = _("Seat 1: {one}. Seat 2: {other}.", one=_(WORDS[chosen[1]]), other=_(WORDS[chosen[2]]))
    return TypedAnswer(f'player{seat}=new {kind}("{found[3]}", {seat}, this)', (said,), (door(chosen),))


def door(chosen: Mapping[int, str]) -> RoomLink:
    """Where these two meet: in the room of training, where they learn from every game."""
    agents = {str(seat): CLASSES[kind] for seat, kind in chosen.items()}
    persons = [seat for seat, agent in agents.items() if agent == "human"]
    if len(persons) == 2:
        return RoomLink(_("The two at the board"), "/hexapawn?1=human&2=human")
    values = [f"{seat}={agent}" for seat, agent in agents.items() if agent != "human"]
    return RoomLink(
        _("Both in the room of training"),
        "/training/hexapawn?" + "&".join([*values, *(f"person={seat}" for seat in persons)]),
    )


def number_of_board(written: str) -> TypedAnswer:
    """id(s) of nine cells, the top left one first, as its sum. Raises BadInput."""
    words = written.replace(",", " ").split()
    if len(words) != CELLS or any(word not in ("-1", "0", "1") for word in words):
        raise BadInput(message("a board is {n} cells, top left first: 1 white, -1 black, 0 empty", n=CELLS))
    cells = [int(word) for word in words]
    weights = [3 ** (CELLS - 1 - place) for place in range(CELLS)]
    total = sum((cell + 1) * weight for cell, weight in zip(cells, weights, strict=True))
    terms = " + ".join(f"{cell + 1}×{weight}" for cell, weight in zip(cells, weights, strict=True))
    return TypedAnswer(f"id({' '.join(map(str, cells))})", (terms, _("state {n}", n=total)))


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
