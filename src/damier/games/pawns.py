"""Hexapawn and its family: pawns of chess against pawns; reach the far side or take them all
(Martin Gardner, Scientific American, March 1962 [Gardner62]; document [S0], rows A-1 to A-6 and
A-25).

Cells are numbered row by row from the top left; White starts at the bottom and moves up. Cell c is
bit c of a set of pawns:

    0 1 2    black
    3 4 5
    6 7 8    white

Actions are numbered from the mover's own side, row by row from home and left to right; a Black
player sees the board turned round. In each row of 3 columns: 0 a-forward, 1 a×b, 2 b×a, 3
b-forward, 4 b×c, 5 c×b, 6 c-forward; so column c moves forward by 3c, captures to the left by 3c -
1 and to the right by 3c + 1.

>>> from damier import load
>>> load("hexapawn").position().play("a1a2").moves
('c3c2', 'b3b2', 'b3a2')
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from damier.core.bits import popcount, position_of
from damier.core.board import Grid, read_rows, written_rows
from damier.core.encoding import OTHER, OWN, PlaneLayout
from damier.core.game import Game, require
from damier.core.moves import MOVES
from damier.core.rules import ONGOING
from damier.core.words import N_, _

Blocked = Literal["draw", "loss"]


PIECES = ("W", "B")
MOVERS = ("white", "black")


class PawnsState(NamedTuple):
    white: int
    black: int
    mover: int  # 0 White, 1 Black


def pawns(width: int = 3, height: int = 3, blocked: Blocked = "draw") -> Game:
    """A row of pawns a side on `width` columns; who cannot move draws or loses (`blocked`)."""
    require_size("pawns", width, height)
    cells = width * height
    routes = (
        routes_of_white(width, height),
        tuple((cells - 1 - source, cells - 1 - target) for source, target in routes_of_white(width, height)),
    )
    actions = len(routes[0])
    sources = tuple(tuple(1 << source for source, _target in side) for side in routes)
    targets = tuple(tuple(1 << target for _source, target in side) for side in routes)
    captures = tuple(abs(source - target) != width for source, target in routes[0])
    top_row = (1 << width) - 1
    rows = tuple(top_row << row * width for row in range(height))
    bottom_row = top_row << (cells - width)
    payoff_of_blocked = -1 if blocked == "loss" else 0

    def moves(s: PawnsState) -> int:
        mine, theirs = (s.white, s.black) if s.mover == 0 else (s.black, s.white)
        from_, to = sources[s.mover], targets[s.mover]
        legal = 0
        for action in range(actions):
            if mine & from_[action]:
                if captures[action]:
                    if theirs & to[action]:
                        legal |= 1 << action
                elif not (mine | theirs) & to[action]:
                    legal |= 1 << action
        return legal

    def play(s: PawnsState, move: int) -> PawnsState:
        action = position_of(move)
        from_, to = sources[s.mover][action], targets[s.mover][action]
        if s.mover == 0:
            return PawnsState(s.white ^ from_ ^ to, s.black & ~to, 1)
        return PawnsState(s.white & ~to, s.black ^ from_ ^ to, 0)

    def outcome(s: PawnsState) -> int:
        if s.white & top_row or s.black == 0:  # only who has just moved can have won: White, then
            return -1 if s.mover == 1 else 1
        if s.black & bottom_row or s.white == 0:
            return -1 if s.mover == 0 else 1
        return ONGOING if moves(s) else payoff_of_blocked

    def reward(s: PawnsState, move: int) -> int:
        """Pawns taken (row A-7)."""
        return 1 if captures[position_of(move)] else 0

    def material(s: PawnsState) -> int:
        """White pawns less black ones."""
        return popcount(s.white) - popcount(s.black)

    def advance(s: PawnsState) -> int:
        """Rows that White's pawns have come, less those that Black's have."""
        come = 0
        for row in range(height):
            come += (height - 1 - row) * popcount(s.white & rows[row]) - row * popcount(s.black & rows[row])
        return come

    def turn_move(move: int, symmetry: int) -> int:
        if symmetry == 0:
            return move
        row, place_in_row = divmod(position_of(move), 3 * width - 2)
        return 1 << row * (3 * width - 2) + 3 * width - 3 - place_in_row

    def turn(s: PawnsState, symmetry: int) -> PawnsState:
        return PawnsState(mirrored(s.white), mirrored(s.black), s.mover) if symmetry else s

    def canonical(s: PawnsState) -> PawnsState:
        """The board as its mover sees it, as if it were White (row A-5)."""
        return s if s.mover == 0 else PawnsState(turned(s.black), turned(s.white), 0)

    def turned(pieces: int) -> int:
        round_ = 0
        for cell in range(cells):
            round_ |= (pieces >> cell & 1) << (cells - 1 - cell)
        return round_

    def planes(s: PawnsState, player: int) -> tuple[int, int]:
        """The board turned so that own pawns go up, as the numbers of moves have it."""
        return (s.white, s.black) if player == 0 else (turned(s.black), turned(s.white))

    def mirrored(pieces: int) -> int:
        turned = 0
        for row in range(height):
            for column in range(width):
                turned |= (pieces >> (row * width + column) & 1) << (row * width + width - 1 - column)
        return turned

    def name_cell(cell: int) -> str:
        return f"{chr(ord('a') + cell % width)}{height - cell // width}"

    def place(s: PawnsState, move: int) -> tuple[int, ...]:
        return routes[s.mover][position_of(move)]

    def name_move(s: PawnsState, move: int) -> str:
        return "".join(name_cell(cell) for cell in place(s, move))

    def grid(s: PawnsState) -> Grid:
        columns = tuple(chr(ord("a") + column) for column in range(width))
        lines = tuple(str(height - row) for row in range(height))
        return Grid.of(
            width, height, {"W": s.white, "B": s.black}, {"W": "light", "B": "dark"}, columns, lines
        )

    def write_position(s: PawnsState) -> str:
        return written_rows(grid(s).rows, MOVERS[s.mover])

    def read_position(text: str) -> PawnsState:
        (white, black), player = read_rows(text, width, height, PIECES, MOVERS)
        require(
            popcount(white) <= width and popcount(black) <= width,
            _("a player has at most {n} pawns", n=width),
        )
        s = PawnsState(white, black, player)
        require(outcome(s) != 1, _("the player to move has won already: the game was over before"))
        return s

    def both_views(s: PawnsState) -> list[int]:
        """Row A-4 and A-5: the board in base 3, cell 0 most significant, enemy 0, free 1, own 2;
        seen by White, and by Black turned round.
        """
        view_of_white = sum(
            ((s.white >> cell & 1) - (s.black >> cell & 1) + 1) * 3 ** (cells - 1 - cell)
            for cell in range(cells)
        )
        view_of_black = sum(
            ((s.black >> cell & 1) - (s.white >> cell & 1) + 1) * 3**cell for cell in range(cells)
        )
        return [view_of_white, view_of_black]

    return Game(
        "pawns",
        PawnsState(white=bottom_row, black=top_row, mover=0),
        moves,
        play,
        outcome,
        reward=reward,
        bits=(cells, cells, 1),
        symmetries=2 if width > 1 else 1,
        turn=turn,
        turn_move=turn_move,
        canonical=canonical,
        planes=planes,
        plane_layout=PlaneLayout(height, width, (OWN, OTHER)),
        actions=actions,
        features={"pawns": material, "advance": advance},
        name_move=name_move,
        grid=grid,
        place=place,
        write_position=write_position,
        read_position=read_position,
        id=both_views,
        sides=(N_("White"), N_("Black")),
        title=N_("Pawns"),
        summary=N_("Pawns against pawns: reach the far side, or take them all"),
        description=(
            N_(
                "Move a pawn one cell straight ahead, or take one of the other's diagonally ahead. Who"
                " reaches the far side wins, and so does who takes all the other's pawns. A player who cannot"
                " move has lost."
            )
            if blocked == "loss"
            else N_(
                "Move a pawn one cell straight ahead, or take one of the other's diagonally ahead. Who"
                " reaches the far side wins, and so does who takes all the other's pawns. Where a player"
                " cannot move, the game is a draw."
            )
        ),
    )


def require_size(name: str, width: int, height: int) -> None:
    """Raise BadInput where a board has too few cells, or more actions than a set of moves holds."""
    actions = max(0, 3 * width - 2) * max(0, height - 1)
    require(
        width > 0 and height > 1 and actions <= MOVES and width * height <= 62,
        _(
            "{game}: {width} columns × {height} rows: {n} actions; there are from 1 to 62, on at least 2"
            " rows",
            game=name,
            width=width,
            height=height,
            n=actions,
        ),
    )


def hexapawn(width: int = 3, height: int = 3, blocked: Blocked = "draw") -> Game:
    """Three pawns a side on three by three."""
    require_size("hexapawn", width, height)
    game = pawns(width, height, blocked)
    game.name, game.title = "hexapawn", N_("Hexapawn")
    return game


def octapawn(width: int = 4, height: int = 4, blocked: Blocked = "draw") -> Game:
    """Four pawns a side on four by four."""
    require_size("octapawn", width, height)
    game = pawns(width, height, blocked)
    game.name, game.title = "octapawn", N_("Octapawn")
    return game


def routes_of_white(width: int, height: int) -> tuple[tuple[int, int], ...]:
    """Source and target cell of every action of White, in the order of the action numbers."""
    return tuple(
        (row * width + column, (row - 1) * width + column + right)
        for row in range(height - 1, 0, -1)
        for column in range(width)
        for right in (-1, 0, 1)
        if 0 <= column + right < width
    )
