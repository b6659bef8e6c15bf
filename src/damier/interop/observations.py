"""Games as environments show them, in plain Python: observations of a position, and legal moves by their
actions. Games and agents are given as they are, or as they are written on the command line.
"""

from __future__ import annotations

import zlib
from functools import cached_property
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from damier.core.arrays import IntArray
from damier.core.errors import BadInput, IllegalMove, Unsuitable
from damier.core.game import Game, Position, require
from damier.core.past import Line
from damier.core.player import Player
from damier.core.rules import CHANCE, State
from damier.core.words import N_, _, message
from damier.draw import board_svg
from damier.draw.picture_files import drawn
from damier.lab.agents import agent
from damier.lab.games import Lab, load

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHOWN = 40
"""Legal actions that an error names."""


def game_named(game: str | Game) -> Game:
    """Return a game that players see all of. Raises UnknownName, BadInput, and Unsuitable for one with
    imperfect information.
    """
    found = load(game) if isinstance(game, str) else game
    if found.imperfect_information:
        raise Unsuitable(
            message(
                "{game}: a player cannot see all of the position, and nothing says what it sees: there is no"
                " environment of it",
                game=found.text,
            )
        )
    if found.over(found.start):
        raise Unsuitable(message("{game} is over before it begins", game=found.text))
    return found


def require_seat(game: Game, seat: int | None, with_opponent: bool) -> None:
    """Raises BadInput for a seat that there is not, or that nobody plays against."""
    require(with_opponent or seat is None, _("seat={seat} needs an opponent", seat=seat))
    require(
        seat is None or seat in range(game.players),
        _("seat={seat}: {game} has seats 0 to {most}", seat=seat, game=game.text, most=game.players - 1),
    )


def player_named(game: Game, player: str | Player) -> Player:
    """Return an agent of a game. Raises UnknownName, BadInput, LimitReached."""
    return agent(Lab(game), player) if isinstance(player, str) else player


MISSING = N_("environments need {package}: {command}")
"""What is said where a package of the extra `gym` is not installed."""
MODES = ("ansi", "human", "rgb_array")
RENDERING: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 2}
"""What environments say of their pictures."""


class SingleGame:
    """The common part of environments of one game at a time.

    Attributes:
        game: its rules
        observer: what observations and actions mean is its `metadata`
        render_mode: ansi, human (which prints) or rgb_array; None: nobody looks
    """

    _line: Line | None = None

    def take(self, game: str | Game, render_mode: str | None) -> None:
        """Take a game. Raises what `game_named` raises, and BadInput for no way to render."""
        modes = " ".join(MODES)
        wrong = _("render_mode={mode}: it is one of {modes}", mode=render_mode, modes=modes)
        require(render_mode is None or render_mode in MODES, wrong)
        self.game, self.render_mode = game_named(game), render_mode
        self.observer = Observer(self.game)

    @property
    def line(self) -> Line:
        """The position, and those before it. Raises BadInput where no game has begun."""
        if self._line is None:
            raise BadInput(message("the game has not begun: call reset first"))
        return self._line

    @line.setter
    def line(self, line: Line) -> None:
        self._line = line

    def observation(self, player: int, *, decides: bool) -> dict[str, NDArray[np.int8]]:
        """Return what a player sees; no action is legal where it does not decide."""
        observer, s = self.observer, self.line.state
        mask = observer.mask(s) if decides else np.zeros(observer.actions, np.int8)
        return {"observation": observer.observe(s, player), "action_mask": mask}

    def picture(self) -> str | NDArray[np.uint8] | None:
        """Return the board as text or as an array of pixels; None where it is printed, or nobody looks."""
        position = Position(self.game, self.line.state, self.line.before)
        if self.render_mode == "ansi":
            return str(position)
        if self.render_mode == "human":
            print(position, flush=True)
        if self.render_mode == "rgb_array":
            return pixels(drawn(board_svg(position), "png", Path("rgb_array")))
        return None


def pixels(png: bytes) -> NDArray[np.uint8]:
    """The pixels of a PNG of eight bits a channel: rows, columns, and red, green and blue."""
    data, at, held = b"", 8, {}
    while at < len(png):
        size, kind = int.from_bytes(png[at : at + 4], "big"), png[at + 4 : at + 8]
        if kind == b"IDAT":
            data += png[at + 8 : at + 8 + size]
        else:
            held[kind] = png[at + 8 : at + 8 + size]
        at += size + 12
    width, height = (int.from_bytes(held[b"IHDR"][n : n + 4], "big") for n in (0, 4))
    depth, channels = held[b"IHDR"][8], {2: 3, 6: 4}[held[b"IHDR"][9]]
    assert depth == 8
    rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + width * channels)
    found = np.zeros((height + 1, width + 1, channels), np.uint8)
    for row in range(height):
        _unfilter(int(rows[row, 0]), rows[row, 1:].reshape(width, channels), found[row], found[row + 1])
    colours = found[1:, 1:, :3]
    if channels == 4:  # on white
        share = found[1:, 1:, 3:] / 255
        colours = np.rint(colours * share + 255 * (1 - share)).astype(np.uint8)
    return np.ascontiguousarray(colours)


def _unfilter(kind: int, coded: NDArray[np.uint8], above: NDArray[np.uint8], row: NDArray[np.uint8]) -> None:
    """Undo what a row of a PNG was coded by: the differences from its neighbours. Before the first pixel, and
    above the first row, all is 0.
    """
    if kind == 0:
        row[1:] = coded
    elif kind == 1:
        row[1:] = np.add.accumulate(coded, axis=0, dtype=np.uint8)
    elif kind == 2:
        row[1:] = coded + above[1:]
    else:
        up, before = above.astype(np.int64), np.zeros(coded.shape[1], np.int64)
        for place, code in enumerate(coded.astype(np.int64), 1):
            if kind == 3:
                guess = (before + up[place]) // 2
            else:
                guess = _paeth(before, up[place], up[place - 1])
            before = code + guess & 255
            row[place] = before


def _paeth(left: IntArray, above: IntArray, corner: IntArray) -> IntArray:
    """The one of three neighbours that is nearest to left + above - corner."""
    far = left + above - corner
    by_left, by_above, by_corner = abs(far - left), abs(far - above), abs(far - corner)
    return np.where(
        (by_left <= by_above) & (by_left <= by_corner), left, np.where(by_above <= by_corner, above, corner)
    )


class Observer:
    """Observations and actions of a game.

    Attributes:
        game: whose they are
        shape: planes, rows and columns
    """

    def __init__(self, game: Game) -> None:
        self.game, self.shape, self.actions = game, game.plane_layout.shape, game.actions
        cells = game.plane_layout.bits_of_cells
        self._bytes = (max(cells) >> 3) + 1
        in_order = cells == tuple(range(len(cells)))
        self._by_bit = game.moves_are_bits and "action" not in game.given
        self._mask_bytes = (game.most_moves() >> 3) + 1
        self._cells = slice(0, len(cells)) if in_order else np.array(cells)

    def observe(self, s: State, player: int) -> NDArray[np.int8]:
        """Return the planes of a position from the side of a player, whoever is to move."""
        size = self._bytes
        raw = b"".join([plane.to_bytes(size, "little") for plane in self.game.planes(s, player)])
        sets = np.frombuffer(raw, np.uint8).reshape(-1, size)
        bits = np.unpackbits(sets, axis=1, bitorder="little")
        return bits[:, self._cells].reshape(self.shape).view(np.int8)

    def legal(self, s: State) -> dict[int, int]:
        """Return the legal moves by their actions; none where the game is over, or chance decides."""
        game = self.game
        legal = game.legal(s)
        if not legal or game.mover(s) == CHANCE:
            return {}
        if game.moves_are_listed and "action" not in game.given:
            return dict(enumerate(legal))
        return {game.action(s, move): move for move in legal}

    def mask(self, s: State) -> NDArray[np.int8]:
        """Return which actions are legal, 1 or 0; the game is not over."""
        if self._by_bit:
            raw = np.frombuffer(self.game.moves(s).to_bytes(self._mask_bytes, "little"), np.uint8)  # type: ignore[union-attr]
            return np.unpackbits(raw, count=self.actions, bitorder="little").view(np.int8)
        mask = np.zeros(self.actions, np.int8)
        mask[list(self.legal(s))] = 1
        return mask

    def move_of(self, s: State, action: SupportsIndex) -> int:
        """Return the legal move of an action; 0 where it is not legal. Raises IllegalMove for what is no
        whole number.
        """
        try:
            action = index(action)
        except TypeError:
            raise self.illegal(s, action) from None
        if self._by_bit:
            return 1 << action & self.game.moves(s) if 0 <= action < self.actions else 0  # type: ignore[operator]
        return self.legal(s).get(action, 0)

    def illegal(self, s: State, action: object) -> IllegalMove:
        """Return the error that names an illegal action."""
        legal = " ".join(map(str, sorted(self.legal(s))[:SHOWN]))
        return IllegalMove(
            message("action {action} is not legal; legal are {legal}", action=str(action), legal=legal)
        )

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """Return what observations and actions mean: the names of planes, and how actions are numbered."""
        layout = self.game.plane_layout
        return {
            "game": self.game.text,
            "planes": list(layout.names),
            "rows": layout.rows,
            "columns": layout.columns,
            "actions": self.game.actions,
            "action_numbers": self.game.action_numbers,
        }
