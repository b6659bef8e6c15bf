"""The lines of document [S0] in which one chooses the players, typed as it prints them, and the
number of a board (rows A-4, A-11 and A-14).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from damier.core.errors import BadInput
from damier.core.words import N_, _, message
from damier.lab.typed.said import RoomLink, TypedAnswer, refused

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
