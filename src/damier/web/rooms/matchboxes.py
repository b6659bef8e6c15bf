"""The matchboxes: play against a machine that draws its moves as beads, and see what each game does
to its boxes (spec A-26 to A-32, B-7).
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from damier.core.diagram import Matchbox
from damier.core.errors import UnknownName
from damier.core.json_data import to_json
from damier.core.position import line
from damier.core.words import _, message
from damier.draw.plot import converter, joiner, write_pages
from damier.draw.sheets import machine_pages
from damier.lab.games import game_factories
from damier.lab.matchboxes import POSITIONS, instructions, title_of
from damier.web import pages
from damier.web.matchboxes.boxes import boxes_part, found_part
from damier.web.matchboxes.parts import learner_names, opponent_names, parts_of, seat_names
from damier.web.matchboxes.played import MOST_GAMES, OPPONENTS, Bulk, write_played
from damier.web.matchboxes.visit import Visit, moment_of, visit
from damier.web.messages.parts import PartsAnswer
from damier.web.messages.rooms import MatchboxAnswer
from damier.web.params import Asked
from damier.web.registry import Registry

SHOWN = 12
"""Boxes of a stage that are shown before somebody asks for more."""


def page(registry: Registry, asked: Asked) -> str:
    """The room, as the address says it."""
    found = visit(registry, asked)
    moment = moment_of(found, asked)
    return pages.page(
        "matchboxes.html",
        "/matchboxes",
        _("Matchboxes"),
        state=to_json(moment.state),
        now=moment.state,
        parts=parts_of(moment),
        games=dict.fromkeys([*playable(registry), found.game]),
        learners=learner_names(found.agent),
        seats=seat_names(),
        opponents=opponent_names(),
        most=MOST_GAMES,
        printable=all(find_spec(package) for package in ("vl_convert", "pypdf")),
    )


def playable(registry: Registry) -> Iterator[str]:
    """The games for which a machine may be built, as far as it is known without looking at their
    positions; an own game is not even loaded for that.
    """
    yield from registry.settings.games
    for name in game_factories():
        game = registry.game(name)
        if (
            game.players == 2
            and not game.imperfect_information
            and (game.states is None or game.states <= POSITIONS)
        ):
            yield name


def show(registry: Registry, asked: Asked) -> MatchboxAnswer:
    """A game after some moves: the machine draws its bead, unless it is to wait for it; a game that
    is over is learnt from. Raises IllegalMove.
    """
    return answer(visit(registry, asked), asked)


def train(registry: Registry, asked: Asked) -> MatchboxAnswer:
    """The machine plays `games` against an `opponent`; a game that is over counts before them, one
    that goes on is left. Raises LimitReached.
    """
    found = visit(registry, asked)
    bulk = Bulk(asked.whole("games", 1_000, 1, MOST_GAMES), asked.choice("opponent", OPPONENTS))
    moment = moment_of(found, asked)
    played = write_played([*moment.finished, bulk])
    return show(registry, Asked({**asked.values, "played": played, "moves": []}))


def answer(found: Visit, asked: Asked) -> MatchboxAnswer:
    moment = moment_of(found, asked)
    return {"parts": parts_of(moment), "state": moment.state}


def boxes(registry: Registry, asked: Asked) -> PartsAnswer:
    """The boxes of one `stage`, those that have come up apart from the others; `most` of each."""
    found = visit(registry, asked)
    stage, most = asked.whole("stage", 0, 0, 1_000), asked.whole("most", SHOWN, 1, 10_000)
    return {"parts": {f"boxes-{stage}": boxes_part(found.box_set, found.known, stage, most)}}


def find(registry: Registry, asked: Asked) -> PartsAnswer:
    """A box by its `number`, or by the moves that lead to it.

    Raises UnknownName, IllegalMove, BadInput.
    """
    found = visit(registry, asked)
    return {"parts": {"found": found_part(found.box_set, wanted_box(found, asked))}}


def wanted_box(found: Visit, asked: Asked) -> Matchbox:
    box_set, memory = found.box_set, found.known.memory
    if moves := asked.moves():
        position = line(box_set.lab.game, moves)[-1]
        box = None if position.over else box_set.box_of(position, memory)
        if box is None:
            raise UnknownName(
                message("there is no box for the position after {moves}", moves=", ".join(moves))
            )
        return box
    boxes = box_set.boxes(memory)
    return boxes[asked.whole("number", 1, 1, len(boxes)) - 1]


def sheets(registry: Registry, asked: Asked) -> str:
    """All boxes on pages to print, cut out and build."""
    machine = visit(registry, asked).machine
    drawn = [
        pages.picture(svg) for svg in machine_pages(machine.boxes, title_of(machine), instructions(machine))
    ]
    return pages.page("matchbox_sheets.html", "/matchboxes", title_of(machine), sheets=drawn)


def pdf(registry: Registry, asked: Asked) -> bytes:
    """The same as `damier matchboxes -o boxes.pdf`.

    Raises BadInput where the extra `plot` is not installed.
    """
    name = Path("boxes.pdf")
    converter(name)
    joiner(name)
    machine = visit(registry, asked).machine
    with TemporaryDirectory() as folder:
        write_pages(machine_pages(machine.boxes, title_of(machine), instructions(machine)), folder / name)
        return (folder / name).read_bytes()
