"""What a page says of a machine: its game, the games that it has played, and the one that goes on.

Nothing is kept between two questions but what makes them quick: `played` lists the games so far,
`moves` is the one that goes on.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Literal

from damier.lab.agents import Lab
from damier.lab.matchboxes import SUITS, Machine, new_machine
from damier.learn.parameters import SeatName
from damier.web.matchboxes.boxes import MOST, BoxSet, Known
from damier.web.matchboxes.human_game import HumanGame, after
from damier.web.matchboxes.parts import Moment
from damier.web.matchboxes.played import Entry, read_played, write_played
from damier.web.messages.rooms import MachineState
from damier.web.params import Asked
from damier.web.registry import Registry, refuse_agent

SEATS: tuple[SeatName | Literal[""], ...] = ("", "1", "2", "alternate")
GAME = "tictactoe"
"""The game whose boxes are shown first: it is the one of the first machine."""
SHELVES = 8
"""Machines that are kept."""
LARGEST_PLAYED = 200_000
"""Characters of a list of games."""

_shelves: OrderedDict[tuple[str, str, str], BoxSet] = OrderedDict()


@dataclass
class Visit:
    """A machine, the games that it has played, and the one that goes on, all as a browser says it."""

    game: str
    agent: str
    box_set: BoxSet
    seed: int
    played: list[Entry]

    @property
    def known(self) -> Known:
        return after(self.box_set, self.seed, self.played)

    @property
    def machine(self) -> Machine:
        """The machine as it is now, to be printed."""
        known = self.known
        return replace(self.box_set.machine, boxes=tuple(self.box_set.boxes(known.memory)), games=known.games)


def visit(registry: Registry, asked: Asked) -> Visit:
    """What a question is about. Raises UnknownName, BadInput, Unsuitable, LimitReached."""
    game = asked.text("game") or GAME
    lab = registry.lab(game)
    agent = asked.text("agent") or SUITS.get(lab.game.name, "beads")
    seat = asked.choice("seat", SEATS)
    played = read_played(asked.text("played", longest=LARGEST_PLAYED))
    return Visit(game, agent, box_set_of(lab, game, agent, seat), asked.whole("seed", 1), played)


def box_set_of(lab: Lab, game: str, agent: str, seat: SeatName | Literal[""]) -> BoxSet:
    """The boxes of a machine, made when they are first asked for; anew where the game was loaded
    again.
    """
    known_as = (game, agent, seat)
    if known_as not in _shelves or _shelves[known_as].lab is not lab:
        refuse_agent(agent)
        _shelves[known_as] = BoxSet(lab, new_machine(lab, agent, seat or None, MOST))
        if len(_shelves) > SHELVES:
            _shelves.popitem(last=False)
    _shelves.move_to_end(known_as)
    return _shelves[known_as]


def moment_of(found: Visit, asked: Asked) -> Moment:
    """Follows the game that goes on, and lets the machine move."""
    known = found.known
    human_game = HumanGame(found.box_set, known, found.seed)
    human_game.follow(asked.moves())
    waits = asked.flag("pause") and not asked.flag("draw")
    while human_game.drawing and not (waits and human_game.position.mover == human_game.seat):
        human_game.draw()
    changes = human_game.learn() if human_game.over else []
    state: MachineState = {
        "game": found.game,
        "agent": found.agent,
        "seat": found.box_set.machine.seat,
        "seed": found.seed,
        "played": write_played(found.played),
    }
    return Moment(found.box_set, known, human_game, changes, found.played, state, asked.flag("pause"))
