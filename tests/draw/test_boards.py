"""Boards that are no rectangles of cells: points and lines, hexagons, any graph; as text to the
letter, as pictures inside their frame, as places to point at.
"""

from __future__ import annotations

import re
from math import cos, hypot, pi, sin
from xml.etree import ElementTree

import pytest

from damier import BadGame, Grid, Hexagons, Points, load
from damier.core.board import Board
from damier.draw.background import material
from damier.draw.board import Touch, board_block
from damier.draw.svg import DARK, LIGHT, MATERIALS, PALETTE, document
from damier.draw.text import MoveMark, board_lines, grid_of
from tests.draw.samples import contrast
from tests.draw.test_svg import SVG, assert_inside, badge_boxes, parsed

STONES = {"X": "dark", "O": "light"}


def go(size: int) -> Points:
    """A board of Go with a few stones, as GTP names its points."""
    edge = 2 if size < 13 else 3
    lines = sorted({edge, size - 1 - edge, size // 2})
    return Points.crossings(
        size,
        size,
        {"X": 1 << size, "O": 1 << size + 1 | 1 << size * size - 1},
        STONES,
        tuple("ABCDEFGHJKLMNOPQRST"[:size]),
        tuple(map(str, range(size, 0, -1))),
        tuple(row * size + column for row in lines for column in lines),
    )


def rhombus(width: int, height: int) -> Hexagons:
    return Hexagons.rhombus(
        width,
        height,
        {"X": 0b10, "O": 1 << width * height - 1},
        STONES,
        tuple("abcdefghijk"[:width]),
        tuple(map(str, range(1, height + 1))),
        ("X", "O"),
    )


def rings() -> Points:
    """Two squares around each other, the middles of their sides joined."""
    spots = [(x, y) for y in (0, 2, 4) for x in (0, 2, 4) if (x, y) != (2, 2)]
    spots += [(x, y) for y in (1, 2, 3) for x in (1, 2, 3) if (x, y) != (2, 2)]
    squares = [(0, 1, 2, 4, 7, 6, 5, 3, 0), (8, 9, 10, 12, 15, 14, 13, 11, 8)]
    return Points.of(spots, {"W": 1, "B": 1 << 12}, (*squares, (1, 9), (3, 11), (4, 12), (6, 14)))


def crossed() -> Points:
    """Three by three points with the diagonals."""
    spots = [(x, y) for y in range(3) for x in range(3)]
    paths = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
    return Points.of(
        spots, {"X": 1, "O": 1 << 4}, paths, {"X": "cross", "O": "ring"}, names=tuple("ABCDEFGHI")
    )


def petersen() -> Points:
    """A graph whose points lie anywhere."""
    spots = [(r * sin(2 * pi * n / 5), -r * cos(2 * pi * n / 5)) for r in (2.5, 1.25) for n in range(5)]
    return Points.of(
        spots, {"A": 0b11}, ((0, 1, 2, 3, 4, 0), (5, 7, 9, 6, 8, 5), *((n, n + 5) for n in range(5)))
    )


BOARDS: dict[str, Board] = {
    "go 5": go(5),
    "go 19": go(19),
    "hex 5": rhombus(5, 5),
    "hex 11": rhombus(11, 11),
    "hex 3 by 2": rhombus(3, 2),
    "one row": rhombus(4, 1),
    "one column": rhombus(1, 4),
    "one cell": Hexagons((".",), edges=("X", "O")),
    "hexagon": Hexagons(("...", "....", ".X...", "....", "..."), indents=(2, 1, 0, 1, 2)),
    "rings": rings(),
    "crossed": crossed(),
    "petersen": petersen(),
    "one point": Points(".", ((3, 3),)),
    "cells 19": Grid(
        ("." * 19,) * 19, {"X": "dark"}, tuple("ABCDEFGHIJKLMNOPQRS"), tuple(map(str, range(19, 0, -1)))
    ),
}
every_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS.keys())


def lines(text: str) -> list[str]:
    """A text written indented by eight."""
    return [row[8:] for row in text.strip("\n").split("\n")][:-1]


TEXTS = {
    "go 5": """
        5  . . . . .
        4  X O . . .
        3  . . + . .
        2  . . . . .
        1  . . . . O
           A B C D E
        """,
    "hex 5": """
          a b c d e
        1  . X . . .
         2  . . . . .
          3  . . . . .
           4  . . . . .
            5  . . . . O
        """,
    "hexagon": """
          . . .
         . . . .
        . X . . .
         . . . .
          . . .
        """,
    "rings": """
        W-------.-------.
        |   .---.---.   |
        .---.       B---.
        |   .---.---.   |
        .-------.-------.
        """,
    "crossed": """
        X---.---.
        | \\ | / |
        .---O---.
        | / | \\ |
        .---.---.
        """,
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_board_as_text_is_as_its_players_write_it(name: str) -> None:
    assert board_lines(BOARDS[name], {}) == lines(TEXTS[name])


def test_values_make_room_for_themselves() -> None:
    assert board_lines(go(5), {0: "+12*"})[0] == "5  +12* .    .    .    ."
    assert board_lines(rhombus(3, 2), {3: "-4"}) == [" a   b   c", "1  .   X   .", "  2  -4  .   O"]
    assert board_lines(rings(), {1: "+1*", 8: "0"})[:2] == ["W-------+1*-----.", "|   0---.---.   |"]


@every_board
def test_a_board_has_as_many_marks_and_middles_as_places(board: Board) -> None:
    assert sorted(place for row in board.by_rows for place in row) == list(range(board.places))
    assert "".join(board.rows) == "".join(board.piece(place) for row in board.by_rows for place in row)
    width, height = board.extent
    middles = [board.centre(place) for place in range(board.places)]
    assert all(0.49 < x < width - 0.49 and 0.49 < y < height - 0.49 for x, y in middles)
    assert all(
        hypot(x - to_x, y - to_y) > 0.99 for n, (x, y) in enumerate(middles) for to_x, to_y in middles[:n]
    )


@every_board
@pytest.mark.parametrize("size", [16, 64])
def test_a_picture_holds_all_of_a_board(board: Board, size: float) -> None:
    last = board.places - 1
    marks = [MoveMark(1, "first", (0,), "win", 12, True), MoveMark(2, "move", (0, last), "loss", 3)]
    touch = Touch((last,))
    svg = document(board_block(board, marks[: 1 + (last > 0)], size, touch), "a board", "of some kind")
    root = parsed(svg)
    assert_inside(root)
    assert len(badge_boxes(root)) == 1 + (last > 0)
    assert board_block(board, marks[: 1 + (last > 0)], size, touch) == board_block(
        board, marks[: 1 + (last > 0)], size, touch
    )


@every_board
def test_every_place_can_be_pointed_at_and_has_a_name_of_its_own(board: Board) -> None:
    root = ElementTree.fromstring(f'<g xmlns="{SVG[1:-1]}">{board_block(board, touch=Touch()).body}</g>')
    found = [element for element in root.iter() if element.get("class") == "d-touch"]
    assert [int(element.get("data-cell", -1)) for element in found] == list(range(board.places))
    names = [element.get("data-name") for element in found]
    assert all(names)
    assert len(set(names)) == board.places
    kind = "polygon" if isinstance(board, Hexagons) else "rect"
    assert {element.tag for element in found} == {SVG + kind}


def test_names_come_from_labels_or_are_given() -> None:
    assert [go(19).name_of(point) for point in (0, 8, 360)] == ["A19", "J19", "T1"]
    assert [rhombus(5, 5).name_of(cell) for cell in (0, 7, 24)] == ["a1", "c2", "e5"]
    assert crossed().name_of(3) == "D"
    assert petersen().name_of(0) == ""


def test_lines_of_a_board_of_go_are_as_many_as_it_has_and_dots_only_its_stars() -> None:
    body = board_block(go(19)).body
    assert body.count('<path class="d-edge"') == 38
    assert body.count('class="d-star"') == 9
    assert board_block(rings()).body.count('class="d-star"') == 16


def test_the_edges_of_hex_belong_to_who_joins_them() -> None:
    """Two dark bands above and below, two light ones beside; they part at the corners."""
    body = board_block(rhombus(5, 5)).body.rpartition('class="d-cell"')[2]
    bands = re.findall(r'<polygon class="(\S+)" points="([^"]+)"', body)
    assert [look for look, _points in bands] == ["d-dark", "d-light", "d-dark", "d-light"]
    corners = [[tuple(map(float, point.split(","))) for point in points.split()] for _look, points in bands]
    for n in range(4):
        assert len(set(corners[n]) & set(corners[(n + 1) % 4])) == 2, "a corner inside and one outside"
    middle = [sum(y for _x, y in corners[n]) / len(corners[n]) for n in range(4)]
    assert all(middle[0] < beside < middle[2] for beside in (middle[1], middle[3]))


@pytest.mark.parametrize("width", [9, 13, 19])
def test_labels_of_a_large_board_can_be_read_where_it_is_as_small_as_a_phone(width: int) -> None:
    """At least 8 pixels on a screen of 390, less the margins of a page."""
    for board in (go(width), rhombus(min(width, 11), min(width, 11))):
        svg = document(board_block(board), "t", "d")
        drawn = float(re.search(r'viewBox="0 0 (\S+) ', svg)[1])  # type: ignore[index]
        fonts = {float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)}
        assert min(fonts) * 350 / drawn >= 8


@pytest.mark.parametrize("scheme", [0, 1])
def test_lines_and_edges_can_be_seen(scheme: int) -> None:
    """A contrast of at least 3 to 1 (WCAG 2.2, success criterion 1.4.11)."""
    assert contrast(PALETTE["quiet"][scheme], PALETTE["square"][scheme]) >= 3
    for look in ("light", "dark"):
        shades = [PALETTE[look][scheme], PALETTE[f"{look}_rim"][scheme]]
        assert max(contrast(shade, PALETTE["paper"][scheme]) for shade in shades) >= 3


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Points("..", ((0, 0),)), "2 marks for 1 points"),
        (lambda: Points(".", ((0, 0),), paths=((0, 1),)), "no point 1"),
        (lambda: Points(".", ((0, 0),), stars=(-1,)), "no point -1"),
        (lambda: Hexagons(("..", "."), edges=("X", "O")), "rhombus"),
        (lambda: Hexagons(("..", ".."), edges=("X",)), "two pieces"),
        (lambda: Hexagons(("..", ".."), indents=(0,)), "1 indents for 2 rows"),
    ],
)
def test_a_board_that_is_none_is_refused(make, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadGame, match=words):
        make()


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("connect_four", "m-rack"),
        ("othello", "m-felt"),
        ("go:size=5", "m-wood"),
        ("nine_mens_morris", "m-wood"),
        ("hex:size=5", "m-comb"),
        ("chess", "m-inlay"),
        ("draughts", "m-inlay"),
        ("hexapawn", "m-inlay"),
        ("tictactoe", None),
        ("kalah", None),
    ],
)
def test_a_board_is_made_of_what_stands_on_it(name: str, made: str | None) -> None:
    grid = grid_of(load(name).position())
    assert grid is not None
    assert material(grid) == made
    drawn = board_block(grid).body
    assert drawn.startswith(f'<g class="{made}">' if made else "<g>")


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("made", ["m-rack", "m-felt", "m-wood", "m-comb", "m-inlay"])
def test_men_stand_out_from_what_a_board_is_made_of(made: str, theme: int) -> None:
    """A disc and the ground around it, or its own rim, differ as WCAG 1.4.11 asks: by 3 : 1."""
    colours = {name: pair[theme] for name, pair in (PALETTE | MATERIALS[made]).items()}
    grounds = {"m-rack": ("panel",), "m-inlay": ("square", "shade")}.get(made, ("square",))
    for man in ("light", "dark"):
        for ground in grounds:
            seen = [contrast(colours[part], colours[ground]) for part in (man, f"{man}_rim")]
            assert max(seen) >= 3, (man, ground, seen)
    assert contrast(colours["light"], colours["dark"]) >= 2  # and a groove tells them apart
