"""A board in a notebook: play on it, see what every move is worth, read in Python what stands on it.

    from damier.notebook import Board
    board = Board("hexapawn", opponent="perfect", hints=True)
    board

It is the board of the web lab: the same session, the same parts of a page, the same program that finds out
which move is meant. What the page asks a server there is here a message to the kernel.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from operator import index
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

from damier.agents.own import GameRandom, OwnPlayer, OwnPolicy, chooser
from damier.core.display import display_size
from damier.core.errors import BadInput, DamierError
from damier.core.game import Game, Position, written_position
from damier.core.job import Job
from damier.core.player import Player, follow
from damier.core.runtime import needing
from damier.core.words import N_, _, message, plural
from damier.draw.board import board_svg
from damier.draw.svg import sheet
from damier.draw.text import board_text
from damier.lab.agents import agent
from damier.lab.games import Lab, load
from damier.lab.pictures import svg_as_png
from damier.solve import solve

with needing("notebook", N_("a board in a notebook needs more packages: {command}")):
    import anywidget
    import traitlets

    from damier.web import pages
    from damier.web.board_parts import answer, is_steered, line_part, marks_of, moments_of, wants_values
    from damier.web.board_session import DIE, HUMAN, GameSession, is_chance
    from damier.web.board_truth import KnownTruth, known_at_once, known_here

STATIC = Path(__file__).parent / "web" / "static"
IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+\.js)";\n', re.MULTILINE)


def program(name: str) -> str:
    """A module of the web lab with all that it imports, as one: a widget has no address to import from."""
    text = (STATIC / name).read_text(encoding="utf-8")
    parts = [program(imported) for imported in IMPORT.findall(text)]
    return "".join(parts) + re.sub(r"^export (?!default)", "", IMPORT.sub("", text), flags=re.MULTILINE)


def style() -> str:
    """The style sheets of the pages, which hold inside of the board alone."""
    sheets = [(STATIC / f"{name}.css").read_text(encoding="utf-8") for name in ("page", "board", "notebook")]
    return ".damier-board {\n" + "\n".join([sheet(), *sheets]).replace(":root", "&") + "}\n"


@dataclass(frozen=True)
class NotebookSession(GameSession):
    """A game on the board of a notebook, which may begin with any position."""

    first: Position | None = None

    @cached_property
    def line(self) -> tuple[list[Position], list[str]]:
        positions, names = [self.first or self.game.position()], list(self.written)
        for number, name in enumerate(names):
            position = positions[-1]
            move = self.sample_chance(position, number) if name == DIE else position.read(name)
            positions.append(position.after(move))
        return positions, names


class Board(anywidget.AnyWidget):
    """A board to play on in a notebook; where no kernel runs, the picture of what stood on it.

    Attributes:
        game: as on the command line, a game of one's own, or a position to begin with
        opponent: who plays all other seats: an agent as on the command line, a player such as one that has
            learnt here, or an agent of one's own, a function of the position or an object with its methods;
            None: nobody, all moves are made here
        seat: of the person who plays here, from 1
        hints: whether the board shows what every move is worth, exactly
        seed: what dice and agents draw from

    Raises UnknownName, BadInput, Unsuitable, LimitReached.
    """

    _esm, _css = program("notebook.js"), style()
    frame = traitlets.Unicode().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        game: str | Game | Position = "tictactoe",
        *,
        opponent: object = None,
        seat: int = 1,
        hints: bool = False,
        seed: int = 0,
    ) -> None:
        first = game if isinstance(game, Position) else None
        rules = load(game) if isinstance(game, str) else game.game if isinstance(game, Position) else game
        if not isinstance(rules, Game):
            raise BadInput(message("a board is of a game, by its name or itself, or of a position"))
        if seat not in range(1, rules.players + 1):
            raise BadInput(message("seat is 1 to {n}", n=rules.players))
        self._lab = Lab(rules, Job())
        if first == rules.position():
            first = None
        self._player = None if opponent in (None, HUMAN) else as_player(self._lab, opponent, first)
        self._session = NotebookSession(
            game if isinstance(game, str) else rules.text,
            self._lab,
            (),
            0,
            self._seats(seat - 1),
            seed,
            frozenset(["truth"] if hints else []),
            begin=written_position(first) if first else "",
            first=first,
        )
        self._resigned: int | None = None
        self._slice = 0
        super().__init__(
            frame=pages.part(
                "notebook_board.html",
                parts={},
                steered=is_steered(self._session),
                places=rules.place is not None,
            )
        )
        self.on_msg(self.receive)
        self._go_on()

    def _seats(self, seat: int) -> tuple[str, ...]:
        opponent = self._player.text if self._player else HUMAN
        return tuple(HUMAN if n == seat else opponent for n in range(self._lab.game.players))

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._session.position

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that led to it."""
        return tuple(self._session.moves[: self._session.at])

    def play(self, *moves: str) -> Board:
        """Plays moves, each answered by the opponent. Raises IllegalMove."""
        for move in moves:
            name = self.position.game.name_move(self.position.state, self.position.read(move))
            self._change(self._session.then(name))
        return self

    def undo(self) -> Board:
        """Takes back all moves since the last one that was made here, and that."""
        session = self._session
        made = [ply for ply in range(session.at) if session.positions[ply].mover in session.people]
        return self.go_to(made[-1]) if made else self

    def new(self, *, swap: bool = False) -> Board:
        """Begins a new game, in which dice fall anew; with `swap` in the next seat."""
        session, seats = self._session, self._session.seats
        if swap and len(session.people) == 1:
            seats = self._seats((session.people[0] + 1) % len(seats))
        self._change(replace(session, written=(), at=0, seats=seats, seed=session.seed + 1))
        return self

    def go_to(self, ply: int) -> Board:
        """Goes back, or forth, to the position after so many moves; a new move forgets what followed."""
        if not 0 <= (ply := index(ply)) <= len(self._session.written):
            raise BadInput(plural("there is {n} move", "there are {n} moves", len(self._session.written)))
        self._session, self._slice = replace(self._session, at=ply), 0
        self._show()
        return self

    def reply(self) -> Board:
        """Has the opponent move where it was stopped, or where the moves that followed were taken back."""
        session = self._session
        self._change(replace(session, written=tuple(session.moves[: session.at])))
        return self

    # The opponent, and what is sent to the page.

    def _change(self, session: NotebookSession) -> None:
        self._session, self._slice, self._resigned = session, 0, None
        self._go_on()

    def _go_on(self) -> None:
        """Shows the board, while dice fall and the opponent moves, until a person is to move."""
        try:
            while self._moves_by_itself():
                self._show()
                self._session = self._after_reply()
        except KeyboardInterrupt:
            self._show(_("Stopped before it had moved: Let it move asks it again."))
            raise
        except DamierError as error:
            self._show(str(error))
            raise
        self._show()

    def _moves_by_itself(self) -> bool:
        session = self._session
        position = session.position
        return not position.over and self._resigned is None and position.mover not in session.people

    def _after_reply(self) -> NotebookSession:
        session = self._session
        position, game = session.position, session.game
        if is_chance(position):
            thrown = session.sample_chance(position, session.at)
            name = DIE if game.imperfect_information else game.name_move(position.state, thrown)
            return session.then(name)
        assert self._player
        follow(self._player, position)
        move = self._player.choose(game, position.state, session.random(session.at))
        if not move:
            self._resigned = position.mover
            return session
        return session.then(game.name_move(position.state, move))

    def receive(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        """Does what was done on the page; what is wrong is told there."""
        try:
            if "play" in content:
                if self._session.position.mover in self._session.people:
                    self.play(content["play"])
            elif "at" in content:
                self.go_to(content["at"])
            elif "slice" in content:
                self._prove(content["slice"])
            else:
                {
                    "undo": self.undo,
                    "new": self.new,
                    "other": lambda: self.new(swap=True),
                    "reply": self.reply,
                    "on": self.reply,
                }[content["do"]]()
        except DamierError as error:
            self._show(str(error))
        except KeyboardInterrupt:
            pass  # it is shown

    def _prove(self, number: int) -> None:
        """One more slice of the work that finds the exact values; once, however many pages ask for it."""
        if number == self._slice:
            self._slice += 1
            self._show(values=lambda session: known_here(replace(session, slice=number)))

    def _show(self, notice: str = "", values: Any = known_at_once) -> None:
        session, known = self._session, dict[str, KnownTruth]()

        def remembered(session: GameSession) -> KnownTruth:
            known["here"] = values(session)
            return known["here"]

        found = answer(session, remembered, self._resigned)
        line = line_part(session, moments_of(session, known.get("here")))
        parts = found["parts"] | {"line": line if session.moves or session.begin else ""}
        if not session.shows:
            parts["truth"] = ""
        state = found["state"] | {"thinks": self._moves_by_itself(), "slice": self._slice}
        self.shown = {"parts": parts, "state": state, "notice": notice}

    def board_picture(self) -> str:
        session = self._session
        found = known_at_once(session) if wants_values(session) else None
        return board_svg(session.position, marks_of(session, found) if found else None)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The board, and its picture for where no kernel runs."""
        found: tuple[dict[str, Any], dict[str, Any]] | None = super()._repr_mimebundle_(**options)
        bundle, metadata = found or ({}, {})
        svg = self.board_picture()
        bundle |= {"text/plain": board_text(self.position), "image/svg+xml": svg}
        with contextlib.suppress(DamierError):
            bundle["image/png"] = png = svg_as_png(svg)
            metadata["image/png"] = display_size(png)
        return bundle, metadata


def as_player(lab: Lab, opponent: object, first: Position | None = None) -> Player:
    """The opponent at a board, of any kind that it takes; a perfect one knows all that can follow `first`."""
    if isinstance(opponent, str):
        if first and opponent.partition(":")[0] == "perfect":
            lab.known = solve(lab.game, first.state, job=lab.job)
        return agent(lab, opponent)
    if hasattr(opponent, "kernel") and hasattr(opponent, "compiles"):
        player: Player = opponent  # type: ignore[assignment]  # whatever has the methods
        return player
    own = SimpleNamespace(play=opponent) if isinstance(opponent, FunctionType) else opponent
    name = getattr(opponent, "__name__", type(opponent).__name__)
    code = getattr(chooser(own), "__code__", None)
    kind = OwnPolicy if hasattr(own, "policy") else OwnPlayer
    return kind(lab.game, own, GameRandom(), name, Path(code.co_filename if code else name))
