"""Pictures: valid, self-contained, the same every time, inside their frame, and readable without
eyes and without colours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import hypot
from xml.etree import ElementTree

import pytest
from lasting import later, shortly

from damier import load
from damier.core.board import Grid
from damier.core.game import Position
from damier.core.words import speaking
from damier.draw import MoveMark, board_block, board_svg, move_marks
from damier.draw.board import Box, mistakes_svg, title_of
from damier.draw.svg import BOLD, CHARACTER, PALETTE
from tests.draw.samples import LONGER, contrast, every_game, hostile_game, solved, walk

SVG = "{http://www.w3.org/2000/svg}"
SOLVED = [
    ("tictactoe", "4", "0", "8"),
    ("connect_four:width=4,height=4", *"333321"),
    ("hexapawn",),
    ("octapawn", "b1b2", "c4c3", "d1d2"),
    ("nim:heaps=1-3-5-7", "4:2"),
    ("nim:matches=100",),
    ("nim",),
]


def parsed(svg: str) -> ElementTree.Element:
    """The root of a picture that is checked to be one."""
    root = ElementTree.fromstring(svg)
    assert root.tag == SVG + "svg"
    assert root.get("role") == "img"
    for name in ("title", "desc"):
        element = root.find(SVG + name)
        assert element is not None
        assert (element.text or "").strip()
    return root


def boxes(
    element: ElementTree.Element, x: float = 0, y: float = 0
) -> Iterator[tuple[ElementTree.Element, float, float, float, float]]:
    """Every shape and text with its left, top, right and bottom, outlines included; the width of a
    text is estimated.
    """
    shift = re.fullmatch(r"translate\((\S+) (\S+)\)", element.get("transform", "translate(0 0)"))
    assert shift
    x, y = x + float(shift[1]), y + float(shift[2])

    def length(name: str) -> float:
        return float(element.get(name, 0))

    name, half = element.tag.removeprefix(SVG), length("stroke-width") / 2
    if name == "rect":
        left, top = x + length("x"), y + length("y")
        yield element, left - half, top - half, left + length("width") + half, top + length("height") + half
    elif name in ("circle", "ellipse"):
        across, down = (length("r") or length("rx")) + half, (length("r") or length("ry")) + half
        yield (
            element,
            x + length("cx") - across,
            y + length("cy") - down,
            x + length("cx") + across,
            y + length("cy") + down,
        )
    elif name in ("polygon", "path"):
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", element.get("points") or element.get("d") or "")]
        yield (
            element,
            x + min(numbers[::2]) - half,
            y + min(numbers[1::2]) - half,
            x + max(numbers[::2]) + half,
            y + max(numbers[1::2]) + half,
        )
    elif name == "text":
        size = length("font-size")
        width = len(element.text or "") * size * (BOLD if element.get("class") == "d-value" else CHARACTER)
        left = (
            x
            + length("x")
            - width * {"start": 0, "middle": 0.5, "end": 1}[element.get("text-anchor", "start")]
        )
        yield element, left, y + length("y") - 0.8 * size, left + width, y + length("y") + 0.2 * size
    else:
        assert name in ("svg", "g", "title", "desc", "style"), name
    for child in element:
        yield from boxes(child, x, y)


def badge_boxes(root: ElementTree.Element) -> list[Box]:
    """Where the badges of a picture lie."""
    marks = ("d-win", "d-draw", "d-loss")
    found = [
        box
        for element, *box in boxes(root)
        if element.tag == SVG + "rect" and element.get("class", "").startswith(marks)
    ]
    return [
        Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
        for left, top, right, bottom in found
    ]


def assert_inside(root: ElementTree.Element) -> None:
    width, height = (float(side) for side in root.get("viewBox", "").split()[2:])
    for element, left, top, right, bottom in boxes(root):
        assert left >= 0, (element.attrib, element.text)
        assert top >= 0, (element.attrib, element.text)
        assert right <= width, (element.attrib, element.text)
        assert bottom <= height, (element.attrib, element.text)


@pytest.mark.parametrize("step", [6, later(1)])
@pytest.mark.parametrize("game", [later(game) if game in LONGER else game for game in every_game()])
def test_every_game_has_valid_pictures_with_a_name(game, step):
    for position in walk(game, seed=2)[::step]:
        marks = move_marks(position.game, position.state)
        for svg in (board_svg(position), board_svg(position, marks)):
            root = parsed(svg)
            assert (root.findtext(SVG + "title") or "").startswith(position.game.title or position.game.name)
            assert_inside(root)


@pytest.mark.parametrize("played", SOLVED)
@pytest.mark.parametrize("size", shortly([24, 64, 100], 24))
def test_values_lie_inside_the_frame_and_apart(played, size):
    position, marks = solved(*played)
    root = parsed(board_svg(position, marks, size))
    assert_inside(root)
    badges = badge_boxes(root)
    assert len(badges) == len(marks)
    for i, badge in enumerate(badges):
        assert all(badge.overlap(other) < 1e-6 for other in badges[:i])


@pytest.mark.parametrize("played", SOLVED)
def test_values_are_written_and_best_moves_outlined(played):
    position, marks = solved(*played)
    root = parsed(board_svg(position, marks))
    groups = {
        group.get("data-move"): group
        for group in root.iter(SVG + "g")
        if group.find(f"{SVG}text[@class='d-value']") is not None
    }
    for mark in marks:
        group = groups[mark.name]
        assert group.findtext(f"{SVG}text[@class='d-value']") == mark.short
        assert group.findtext(SVG + "title") == mark.words
        assert ("d-best" in ElementTree.tostring(group, "unicode")) == mark.best


def test_badges_of_crossing_arrows_lie_apart():
    game = load("octapawn")
    white, black = sum(1 << cell for cell in (8, 9, 10, 11)), sum(1 << cell for cell in (4, 5, 6, 7))
    position = Position(game, type(game.start)(white, black, 0))
    marks = [
        MoveMark(mark.move, mark.name, mark.cells, "loss", 3) for mark in move_marks(game, position.state)
    ]
    badges = badge_boxes(parsed(board_svg(position, marks)))
    assert len(badges) == len(marks) == 6
    for i, badge in enumerate(badges):
        assert all(badge.overlap(other) < 1e-6 for other in badges[:i])


def test_arrows_into_one_free_cell_have_badges_apart():
    """Queens may all go to one cell; nothing here may assume pawns."""
    marks = [
        MoveMark(1 << i, str(i), (cell, 4), "win", 12, True)
        for i, cell in enumerate((0, 2, 6, 8, 1, 3, 5, 7))
    ]
    block = board_block(Grid(("QQQ", "Q.Q", "QQQ")), marks)
    badges = badge_boxes(ElementTree.fromstring(f'<g xmlns="{SVG[1:-1]}">{block.body}</g>'))
    assert len(badges) == 8
    for i, badge in enumerate(badges):
        assert all(hypot(badge.x - other.x, badge.y - other.y) > 8 for other in badges[:i])


@pytest.mark.parametrize("grid", [True, False])
def test_hostile_words_stay_words(grid):
    position = hostile_game(grid).position()
    marks = [
        MoveMark(mark.move, mark.name, mark.cells, "win", 1, True) if mark.move == 2 else mark
        for mark in move_marks(position.game, position.state)
    ]
    svg = board_svg(position, marks)
    svg.encode("utf-8")
    root = parsed(svg)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg",
        "title",
        "desc",
        "style",
        "g",
        "rect",
        "circle",
        "polygon",
        "text",
    }
    assert "<script" not in svg


def test_pictures_are_the_same_every_time():
    position, marks = solved("octapawn", "b1b2", "c4c3", "d1d2")
    assert (
        board_svg(position, marks)
        == board_svg(position, list(marks))
        == board_svg(*solved("octapawn", "b1b2", "c4c3", "d1d2"))
    )


def test_pictures_need_nothing_from_outside_and_share_a_page():
    """No address but the name of SVG, no id that two pictures could both have, no rule that reaches
    beyond the picture.
    """
    svg = board_svg(*solved("octapawn", "b1b2"))
    assert re.findall(r"https?://[^\"]+", svg) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"\bid=|url\(|href|@import|var\(", svg)
    style = parsed(svg).findtext(SVG + "style") or ""
    selectors = [
        line.split("{")[0].strip() for line in style.splitlines() if "{" in line and not line.startswith("@")
    ]
    assert selectors
    assert all(selector.startswith(".damier ") for selector in selectors)
    assert "@media (prefers-color-scheme: dark) {" in style


def test_a_board_in_words():
    position, marks = solved("hexapawn:blocked=loss", "b1b2")
    root = parsed(board_svg(position, marks))
    assert root.findtext(SVG + "title") == "Hexapawn: Black to move"
    assert (root.findtext(SVG + "desc") or "").splitlines() == [
        "Row 3: 3 × dark",
        "Row 2: free, light, free",
        "Row 1: light, free, light",
        "c3c2 loses in 2 plies",
        "c3b2 wins in 5 plies",
        "a3b2 wins in 5 plies",
        "a3a2 loses in 2 plies",
    ]


@pytest.mark.parametrize(
    ("moves", "title"),
    [
        ("", "X to move"),
        ("4", "O to move"),
        ("03142", "X has won"),
        ("041286", "O has won"),
        ("012435768", "drawn"),
    ],
)
def test_titles(moves, title):
    svg = board_svg(load("tictactoe").position().play(*moves))
    assert parsed(svg).findtext(SVG + "title") == f"Tic-tac-toe: {title}"


def test_a_long_name_is_broken_at_its_commas():
    drawn = parsed(mistakes_svg([], "hexapawn:width=3,height=3,blocked=draw: where random first goes wrong"))
    lines = [(line.text or "").replace("\xa0", " ") for line in drawn.iter(SVG + "text")]
    assert lines[0] == "hexapawn:width=3, height=3,"
    assert lines[1].startswith("blocked=draw: ")


def test_a_title_says_names_in_the_language_in_force():
    with speaking("fr"):
        assert title_of(load("hexapawn").position()) == "Hexapion\N{NO-BREAK SPACE}: Blanc doit jouer"
        assert title_of(load("examples/clock.py").position()).startswith(
            "clock\N{NO-BREAK SPACE}: le joueur 1"
        )
        assert title_of(load("nim").position()) == "Nim\N{NO-BREAK SPACE}: le joueur 1 doit jouer"


def test_every_look_has_a_shape_of_its_own():
    looks = {"x": "cross", "o": "ring", "l": "light", "d": "dark", "w": "wall", "m": "match"}
    bodies = []
    for piece in (*looks, "K"):
        bare = re.sub(
            r' class="[^"]*"',
            "",
            board_block(Grid((piece,), {piece: looks[piece]} if piece in looks else {})).body,
        )
        bodies.append(bare.split("/>", 1)[1] if piece not in "md" else bare)
    assert len(set(bodies)) == len(bodies)


def test_notebooks_show_the_picture():
    position = load("tictactoe").position()
    assert position._repr_svg_() == board_svg(position)


@pytest.mark.parametrize("scheme", [0, 1])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("on_mark", "good"),
        ("on_mark", "bad"),
        ("on_mark", "even"),
        ("on_mark", "quiet"),
        ("ink", "paper"),
        ("quiet", "paper"),
    ],
)
def test_texts_can_be_read(text, ground, scheme):
    """A contrast of at least 4.5 to 1 (WCAG 2.2, success criterion 1.4.3)."""

    assert contrast(PALETTE[text][scheme], PALETTE[ground][scheme]) >= 4.5
