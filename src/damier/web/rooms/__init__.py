"""The rooms of the web lab: which verbs may be asked of each, what they may cost, and the addresses of its
pages.

A verb `room.verb` is a function of the module of its room. No other can be called: the hub and the workers
both look here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

from damier.core.words import N_
from damier.lab.plugins import PluginRegistry, instance_of


class Verb(NamedTuple):
    """Question that a room answers, and how it is answered.

    Attributes:
        pool: quick answers never wait behind slow ones, nor the judge of moves at a table behind pictures,
            nor the reply of an agent behind a proof, nor anybody behind a class with matchboxes, or one that
            hands in
        seconds: after so long the process that works on it is ended, and another takes its place
        cached: the answer depends on nothing but the question: it is kept for the next who asks the same
        channel: who asks it: a page with a question, a reader with an address, or nobody but the hub
    """

    pool: Literal["quick", "judge", "moves", "slow", "proofs", "boxes", "class"]
    seconds: float
    cached: bool = False
    channel: Literal["question", "address", "hub"] = "question"


@dataclass(frozen=True)
class LearnerKind:
    """Kind of learner that a room trains by a way of its own; all others are trained in the learning room.

    Attributes:
        name: what the text of such a learner begins with, as `zero` in `zero:simulations=32`
        format: the format of its file
        page: the address of the page of its room, of a `{game}`
        trains: where the class of its trainings is, made like `damier.web.trainee.Trainee`
        plays: where the function is that makes the player of a file, of its lab, path and text
    """

    name: str
    format: str
    page: str
    trains: str
    plays: str


@dataclass(frozen=True)
class WebRoom:
    """A room of the web lab.

    Attributes:
        module: where the functions of its verbs are, imported when the first is asked for
        verbs: what may be asked
        pages: its pages' verbs by their addresses, as patterns of Starlette
        prefix: what the names of its functions begin with, where the module is also that of another room
        folder: where its own `templates/` and `static/` lie, if it has some
        title: what the menu of every page calls it; nothing: it is not listed there
        under: the address in `MENU` below which it is listed; nothing: below the first
        about: what its pages are, for whoever finds one by a search or is sent its address
        of_store: whether it is open only where the lab has a store of tournaments
        needs_server: whether it is open only where the lab is served, and not as plain files (docs/site.md)
        service: where its `RoomService` is, `module:name`; rooms that name the same one share it
        warms: where the function is that makes it ready, in steps, before workers are forked
        opens: where the function is that opens it in a folder, as `damier serve --class FOLDER` asks
        learners: what it trains; `numbers` and `drawn` are its verbs by which the hub shows a training
    """

    module: str
    verbs: Mapping[str, Verb]
    pages: Mapping[str, str] = field(default_factory=dict)
    prefix: str = ""
    folder: Path | None = None
    title: str = ""
    under: str = ""
    about: str = ""
    of_store: bool = False
    needs_server: bool = False
    service: str = ""
    warms: str = ""
    opens: str = ""
    learners: LearnerKind | None = None


ROOMS_OF_DAMIER = {
    "home": WebRoom(
        "damier.web.rooms.home",
        {
            "page": Verb("quick", 10, cached=True, channel="address"),
            "show": Verb("quick", 10, cached=True),
            "play": Verb("quick", 10, cached=True),
        },
        {"/": "page"},
    ),
    "gallery": WebRoom(
        "damier.web.rooms.gallery",
        {
            "page": Verb("quick", 10, cached=True, channel="address"),
            "card": Verb("quick", 10, cached=True),
            "facts": Verb("slow", 20, cached=True),
            "problem": Verb("quick", 10, channel="hub"),
            "link": Verb("slow", 20, cached=True, channel="hub"),
        },
        {"/games": "page"},
        title=N_("Games"),
        about=N_(
            "Board games with exact values: play them, solve them, search them, watch machines learn them."
        ),
    ),
    "learning": WebRoom(
        "damier.web.rooms.learning",
        {
            "page": Verb("quick", 10, channel="address"),
            "show": Verb("slow", 20),
            "download": Verb("slow", 20, channel="address"),
            "compare": Verb("slow", 30),
            "numbers": Verb("quick", 10, channel="hub"),
            "drawn": Verb("slow", 10, channel="hub"),
            "listed": Verb("slow", 10, channel="hub"),
        },
        {
            "/learning": "page",
            "/learning/files/{file}": "download",
        },
        title=N_("Learning"),
        under="/training",
        needs_server=True,
        about=N_(
            "Train machines that learn a game, and see exactly how good they are after every block of games."
        ),
    ),
    "matchboxes": WebRoom(
        "damier.web.rooms.matchboxes",
        {
            "page": Verb("boxes", 60, channel="address"),
            "show": Verb("boxes", 60),
            "train": Verb("boxes", 60),
            "boxes": Verb("boxes", 60),
            "find": Verb("boxes", 60),
            "sheets": Verb("boxes", 60, channel="address"),
            "pdf": Verb("boxes", 90, channel="address"),
        },
        {
            "/matchboxes": "page",
            "/matchboxes/sheets": "sheets",
            "/matchboxes/boxes.pdf": "pdf",
        },
        title=N_("Matchboxes"),
        under="/training",
        about=N_("A machine of matchboxes and beads that learns a game, box by box, as MENACE did."),
    ),
    "training_room": WebRoom(
        "damier.web.rooms.training_room",
        {
            "page": Verb("boxes", 60, channel="address"),
            "show": Verb("boxes", 60),
            "grade": Verb("proofs", 60, cached=True),
            "download": Verb("boxes", 60, channel="address"),
        },
        {
            "/training": "page",
            "/training/files/{name}": "download",
            "/training/{game:path}": "page",
        },
    ),
    "board": WebRoom(
        "damier.web.rooms.board",
        {
            "page": Verb("quick", 10, channel="address"),
            "show": Verb("quick", 10, cached=True),
            "move": Verb("quick", 10, cached=True),
            "reply": Verb("moves", 10),
            "soon": Verb("quick", 10),
            "seats": Verb("quick", 10),
            "table": Verb("quick", 10),
        },
        {"/{game:path}": "page"},
    ),
    "levels": WebRoom(
        "damier.web.rooms.board",
        {
            "show": Verb("slow", 60, cached=True),
        },
        prefix="levels_",
    ),
    "boards": WebRoom(
        "damier.web.rooms.board",
        {
            "possible": Verb("slow", 20, cached=True),
            "code": Verb("quick", 10),
            "edit": Verb("quick", 10),
        },
        prefix="boards_",
    ),
    "truth": WebRoom(
        "damier.web.rooms.board",
        {
            "show": Verb("proofs", 60, cached=True),
            "guess": Verb("proofs", 60, cached=True),
            "why": Verb("proofs", 60, cached=True),
            "line": Verb("proofs", 60, cached=True, channel="address"),
        },
        {"/why/{game:path}": "line"},
        prefix="truth_",
    ),
    "puzzles": WebRoom(
        "damier.web.rooms.puzzle",
        {
            "page": Verb("slow", 60, cached=True, channel="address"),
            "show": Verb("slow", 60, cached=True),
        },
        {"/puzzles/{game:path}": "page"},
        about=N_("Puzzles of a game: positions in which exactly one move is right, and why no other is."),
    ),
    "mind": WebRoom(
        "damier.web.rooms.board",
        {
            "show": Verb("slow", 20),
        },
        prefix="mind_",
    ),
    "table": WebRoom(
        "damier.web.rooms.board",
        {
            "judge": Verb("judge", 10, cached=True),
            "agents": Verb("slow", 20),
        },
        prefix="table_",
    ),
    "tree": WebRoom(
        "damier.web.rooms.tree",
        {
            "page": Verb("slow", 20, cached=True, channel="address"),
            "show": Verb("slow", 20, cached=True),
            "steps": Verb("slow", 20, cached=True),
        },
        {"/tree": "page"},
        title=N_("Trees"),
        about=N_(
            "Minimax and alpha-beta step by step on a tree: what is searched, what is cut, and why;"
            " with exercises."
        ),
    ),
    "exercise": WebRoom(
        "damier.web.rooms.exercise",
        {
            "show": Verb("slow", 20, cached=True),
            "mark": Verb("slow", 20),
            "key": Verb("slow", 20, cached=True),
            "result": Verb("slow", 20),
        },
    ),
    "graph": WebRoom(
        "damier.web.rooms.tree",
        {
            "show": Verb("slow", 30, cached=True),
        },
        prefix="graph_",
    ),
    "lessons": WebRoom(
        "damier.web.rooms.lessons",
        {
            "page": Verb("quick", 10, cached=True, channel="address"),
            "lesson": Verb("quick", 10, cached=True, channel="address"),
        },
        {
            "/lessons": "page",
            "/lessons/{name}": "lesson",
        },
        title=N_("Lessons"),
        about=N_("Lessons on search and learning in games, each with something to try."),
    ),
}
PLAY, EXERCISES = "/games", "/tree?view=exercise"
MENU = {
    PLAY: N_("Play"),
    "/training": N_("Watch it learn"),
    "/tree": N_("Trees"),
    EXERCISES: N_("Exercises"),
    "/lessons": N_("Lessons"),
    "/class": N_("Class"),
}
"""What one can do here, by the addresses where it is done: the menu of every page, in its order. All other
rooms stand below one of these.
"""


LEARNING = "learning"
"""The room of all learners that no other room trains."""
LAB_ABOUT = N_("A laboratory of two-player games: play, solve, search and learn them, exactly.")
ANY_PAGE = "/{game:path}"
"""The address that fits whatever is no other page."""


class RoomRegistry(PluginRegistry[WebRoom]):
    """The rooms by their names; what may be asked of all of them."""

    @cached_property
    def verbs(self) -> dict[str, Verb]:
        """Every verb by its whole name, `room.verb`."""
        return {
            f"{name}.{verb}": cost for name in self._in_order() for verb, cost in self[name].verbs.items()
        }

    @cached_property
    def pages(self) -> dict[str, str]:
        """The verbs that make pages, by address; the first that fits counts."""
        found: dict[str, str] = {}
        for name in self._in_order():
            for address, verb in self[name].pages.items():
                found.setdefault(address, f"{name}.{verb}")
        found[ANY_PAGE] = found.pop(ANY_PAGE)  # the last
        return found

    def menu(self, *, store: bool, server: bool = True) -> dict[str, str]:
        """Return the titles of the rooms that every page lists, by the addresses of their first pages; with a
        `store` of tournaments also of those that need one, without a `server` none that needs one.
        """
        return {next(iter(room.pages)): room.title for room in self._open(store, server) if room.title}

    def sections(self, *, store: bool, server: bool = True) -> list[dict[str, object]]:
        """Return the menu of those rooms: the address and the title of each entry, and the titles of the
        rooms below it, by address.
        """
        opened = self._open(store, server)
        there = {address for room in opened for address in room.pages}
        below = [(room.under or PLAY, next(iter(room.pages)), room.title) for room in opened if room.title]
        return [
            {
                "address": address,
                "title": title,
                "rooms": {path: name for under, path, name in below if under == address and path not in MENU},
            }
            for address, title in MENU.items()
            if address.partition("?")[0] in there
        ]

    def _open(self, store: bool, server: bool) -> list[WebRoom]:
        rooms = (self[name] for name in self._in_order())
        return [room for room in rooms if (store or not room.of_store) and (server or not room.needs_server)]

    def about(self, address: str) -> str:
        """Return what the pages of the room at an address are; of any other room, what the lab is."""
        verb = self.pages.get(address.partition("?")[0], "")
        return (self.of(verb).about if verb else "") or LAB_ABOUT

    def of(self, verb: str) -> WebRoom:
        """Return the room of a verb, written `room.verb`."""
        return self[verb.partition(".")[0]]

    def training(self, learner: str) -> str:
        """Return the name of the room in which a learner is trained."""
        wanted = learner.partition(":")[0]
        return next((name for name, kind in self._learners() if kind.name == wanted), LEARNING)

    def keeping(self, format: str) -> LearnerKind | None:
        """Return the kind of learner whose files have a format; None for those of the learning room."""
        return next((kind for _name, kind in self._learners() if kind.format == format), None)

    def address_of(self, learner: str, game: str) -> str:
        """Return the address of the page that shows a learner of a game."""
        kind = self[self.training(learner)].learners
        return kind.page.format(game=game) if kind else "/learning"

    def _learners(self) -> Iterator[tuple[str, LearnerKind]]:
        """The kinds of learners of rooms of their own, by room."""
        for name in self._in_order():
            if kind := self[name].learners:
                yield name, kind

    def folders(self, kind: str) -> list[Path]:
        """Return the folders of plug-ins in which templates, or static files, lie."""
        found = {self[name].folder: None for name in self._in_order()}
        return [folder / kind for folder in found if folder and (folder / kind).is_dir()]

    def _in_order(self) -> list[str]:
        """The rooms of the house before those of plug-ins, whose pages hide none of damier's."""
        return [*self.own, *self.plugged()]


ROOMS = RoomRegistry("damier.rooms", ROOMS_OF_DAMIER, instance_of(WebRoom))
