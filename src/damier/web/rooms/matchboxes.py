"""The matchboxes: play against a machine that draws its moves as beads, and see what each game does
to its boxes (spec A-26 to A-32, B-7).

Nothing is kept between two questions but what makes them quick: `played` lists the games so far,
`moves` is the one that goes on.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from damier.core.errors import UnknownName
from damier.core.files import to_json
from damier.core.matchbox import Matchbox
from damier.core.position import line
from damier.core.words import _
from damier.draw.pdf import write_pages
from damier.draw.plot import converter, joiner
from damier.draw.sheets import machine_pages
from damier.lab.agents import Lab
from damier.lab.building import instructions, title_of
from damier.lab.games import game_factories
from damier.lab.matchboxes import POSITIONS, SUITS, Machine, new_machine
from damier.learn.presets import SeatName
from damier.web import pages
from damier.web.asked import Asked
from damier.web.desk import Desk, refuse_files
from damier.web.matchboxes.bout import Bout
from damier.web.matchboxes.boxes import boxes_part, found_part
from damier.web.matchboxes.parts import Moment, learner_names, opponent_names, parts_of, seat_names
from damier.web.matchboxes.played import MOST_GAMES, OPPONENTS, Bulk, Entry, read_played, write_played
from damier.web.matchboxes.replaying import after
from damier.web.matchboxes.shelf import Known, Shelf
from damier.web.messages.rooms import MachineState, MatchboxAnswer, PartsAnswer

SEATS: tuple[SeatName | Literal[""], ...] = ("", "1", "2", "alternate")
GAME = "tictactoe"
"""The game whose boxes are shown first: it is the one of the first machine."""
SHELVES = 8
LARGEST_PLAYED = 200_000
"""Characters of a list of games."""
SHOWN = 12
"""Boxes of a stage that are shown before somebody asks for more."""

_shelves: OrderedDict[tuple[str, str, str], Shelf] = OrderedDict()


@dataclass
class Visit:
    """A machine, the games that it has played, and the one that goes on, all as a browser says it."""

    game: str
    agent: str
    shelf: Shelf
    seed: int
    played: list[Entry]

    @property
    def known(self) -> Known:
        return after(self.shelf, self.seed, self.played)

    @property
    def machine(self) -> Machine:
        """The machine as it is now, to be printed."""
        known = self.known
        return replace(self.shelf.machine, boxes=tuple(self.shelf.boxes(known.memory)), games=known.games)


def visit(desk: Desk, asked: Asked) -> Visit:
    """What a question is about. Raises UnknownName, BadInput, Unsuitable, LimitReached."""
    game = asked.text("game") or GAME
    lab = desk.lab(game)
    agent = asked.text("agent") or SUITS.get(lab.game.name, "beads")
    seat = asked.choice("seat", SEATS)
    played = read_played(asked.text("played", longest=LARGEST_PLAYED))
    return Visit(game, agent, shelf_of(lab, game, agent, seat), asked.whole("seed", 1), played)


def shelf_of(lab: Lab, game: str, agent: str, seat: SeatName | Literal[""]) -> Shelf:
    """The boxes of a machine, made when they are first asked for; anew where the game was loaded
    again.
    """
    known_as = (game, agent, seat)
    if known_as not in _shelves or _shelves[known_as].lab is not lab:
        refuse_files(agent.partition(":")[2])
        _shelves[known_as] = Shelf(lab, new_machine(lab, agent, seat or None))
        if len(_shelves) > SHELVES:
            _shelves.popitem(last=False)
    _shelves.move_to_end(known_as)
    return _shelves[known_as]


def page(desk: Desk, asked: Asked) -> str:
    """The room, as the address says it."""
    found = visit(desk, asked)
    moment = moment_of(found, asked)
    return pages.page(
        "matchboxes.html",
        "/matchboxes",
        _("Matchboxes"),
        state=to_json(moment.state),
        now=moment.state,
        parts=parts_of(moment),
        games=dict.fromkeys([*playable(desk), found.game]),
        learners=learner_names(found.agent),
        seats=seat_names(),
        opponents=opponent_names(),
        most=MOST_GAMES,
        printable=all(find_spec(package) for package in ("vl_convert", "pypdf")),
    )


def playable(desk: Desk) -> Iterator[str]:
    """The games for which a machine may be built, as far as it is known without looking at their
    positions; an own game is not even loaded for that.
    """
    yield from desk.settings.games
    for name in game_factories():
        game = desk.game(name)
        if (
            game.players == 2
            and not game.imperfect_information
            and (game.states is None or game.states <= POSITIONS)
        ):
            yield name


def show(desk: Desk, asked: Asked) -> MatchboxAnswer:
    """A game after some moves: the machine draws its bead, unless it is to wait for it; a game that
    is over is learnt from. Raises IllegalMove.
    """
    return answer(visit(desk, asked), asked)


def train(desk: Desk, asked: Asked) -> MatchboxAnswer:
    """The machine plays `games` against an `opponent`; a game that is over counts before them, one
    that goes on is left. Raises LimitReached.
    """
    found = visit(desk, asked)
    bulk = Bulk(asked.whole("games", 1_000, 1, MOST_GAMES), asked.choice("opponent", OPPONENTS))
    moment = moment_of(found, asked)
    played = write_played([*moment.finished, bulk])
    return show(desk, Asked({**asked.values, "played": played, "moves": []}))


def answer(found: Visit, asked: Asked) -> MatchboxAnswer:
    moment = moment_of(found, asked)
    return {"parts": parts_of(moment), "state": moment.state}


def moment_of(found: Visit, asked: Asked) -> Moment:
    """Follows the game that goes on, and lets the machine move."""
    known = found.known
    bout = Bout(found.shelf, known, found.seed)
    bout.follow(asked.moves())
    waits = asked.flag("pause") and not asked.flag("draw")
    while bout.drawing and not (waits and bout.position.mover == bout.seat):
        bout.draw()
    changes = bout.learn() if bout.over else []
    state: MachineState = {
        "game": found.game,
        "agent": found.agent,
        "seat": found.shelf.machine.seat,
        "seed": found.seed,
        "played": write_played(found.played),
    }
    return Moment(found.shelf, known, bout, changes, found.played, state, asked.flag("pause"))


def boxes(desk: Desk, asked: Asked) -> PartsAnswer:
    """The boxes of one `stage`, those that have come up apart from the others; `most` of each."""
    found = visit(desk, asked)
    stage, most = asked.whole("stage", 0, 0, 1_000), asked.whole("most", SHOWN, 1, 10_000)
    return {"parts": {f"boxes-{stage}": boxes_part(found.shelf, found.known, stage, most)}}


def find(desk: Desk, asked: Asked) -> PartsAnswer:
    """A box by its `number`, or by the moves that lead to it.

    Raises UnknownName, IllegalMove, BadInput.
    """
    found = visit(desk, asked)
    return {"parts": {"found": found_part(found.shelf, wanted_box(found, asked))}}


def wanted_box(found: Visit, asked: Asked) -> Matchbox:
    shelf, memory = found.shelf, found.known.memory
    if moves := asked.moves():
        position = line(shelf.lab.game, moves)[-1]
        box = None if position.over else shelf.box_of(position, memory)
        if box is None:
            raise UnknownName(_("there is no box for the position after {moves}", moves=", ".join(moves)))
        return box
    boxes = shelf.boxes(memory)
    return boxes[asked.whole("number", 1, 1, len(boxes)) - 1]


def sheets(desk: Desk, asked: Asked) -> str:
    """All boxes on pages to print, cut out and build."""
    machine = visit(desk, asked).machine
    drawn = [
        pages.picture(svg) for svg in machine_pages(machine.boxes, title_of(machine), instructions(machine))
    ]
    return pages.page("matchbox_sheets.html", "/matchboxes", title_of(machine), sheets=drawn)


def pdf(desk: Desk, asked: Asked) -> bytes:
    """The same as `damier matchboxes -o boxes.pdf`.

    Raises BadInput where the extra `plot` is not installed.
    """
    name = Path("boxes.pdf")
    converter(name)
    joiner(name)
    machine = visit(desk, asked).machine
    with TemporaryDirectory() as folder:
        write_pages(machine_pages(machine.boxes, title_of(machine), instructions(machine)), folder / name)
        return (folder / name).read_bytes()
