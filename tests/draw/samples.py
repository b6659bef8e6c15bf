"""Positions that the tests of this room draw."""

from __future__ import annotations

import random
from typing import NamedTuple

from damier import Game, Grid, load
from damier.core.game import Position
from damier.draw import MoveMark, move_marks
from damier.lab.games import GAMES
from damier.solve.dispatch import solve

HOSTILE = "<script>alert('&\"1\x1b[2J')</script>]]>\x00\ud800"


class Turns(NamedTuple):
    left: int
    mover: int


def hostile_game(grid: bool) -> Game:
    """A game of two turns whose every word is an attack."""

    def board(s: Turns) -> Grid:
        return Grid(("<&", "\x1b."), columns=("<b>", HOSTILE), lines=("&", "\x00"))

    return Game(
        HOSTILE,
        Turns(2, 0),
        moves=lambda s: 0b111,
        play=lambda s, move: Turns(s.left - 1, 1 - s.mover),
        outcome=lambda s: -1 if s.left == 0 else 1 << 40,
        grid=board if grid else None,
        place=(lambda s, move: ((3,), (0, 3), ())[move.bit_length() - 1]) if grid else None,
        show=lambda s: f"{HOSTILE}\n  {s.left}",
        name_move=lambda s, move: f"{HOSTILE}{move}",
    )


def solved(text: str, *moves: str) -> tuple[Position, list[MoveMark]]:
    """A position of a small game and its exact marks."""
    position = load(text).position().play(*moves)
    return position, move_marks(
        position.game, position.state, solve(position.game, position.state).explain(position.state)
    )


LONGER = ("hyper_backgammon", "pacman", "hex", "isola")
"""Games with so much to draw that some checks of every game leave them to the long tests."""


def every_game() -> list[str]:
    """Each game that damier brings, and boards of unusual shape."""
    shapes = [
        "mnk:width=12,height=2",
        "mnk:width=1,height=1,in_a_row=1",
        "connect_four:width=10,height=5",
        "nim:matches=100",
        "nim:heaps=1-3-5-7",
    ]
    return [*GAMES, *shapes, "pawns:width=5,height=4", "octapawn"]


def walk(text: str, seed: int) -> list[Position]:
    """The positions of a random game."""
    draw = random.Random(seed)
    positions = [load(text).position()]
    while not positions[-1].over and len(positions) < 40:
        positions.append(positions[-1].play(draw.choice(positions[-1].moves)))
    return positions


def contrast(one: str, other: str) -> float:
    """How far two colours, written #rrggbb, lie apart: from 1 to 21 (WCAG 2.2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
