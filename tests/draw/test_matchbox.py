"""Matchboxes drawn: every bead with its letter and its move, everything inside the sheet and the
label, words of a hostile game as words.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from lasting import later, long

from damier import Game, load
from damier.core.errors import BadInput
from damier.core.game import Position
from damier.core.runtime import installing
from damier.draw.matchbox import (
    HUES,
    LABEL_HEIGHT,
    LABEL_WIDTH,
    LETTERS,
    PAGE_HEIGHT,
    PAGE_WIDTH,
    SINGLE,
    BeadKind,
    Kinds,
    Matchbox,
    bead,
    entries_of,
    machine_pages,
    machine_svg,
    matchbox_block,
    printed_label,
)
from damier.draw.picture_files import write_pages
from damier.lab.agents import Lab
from damier.lab.matchboxes import instructions, new_machine
from tests.draw.samples import HOSTILE, hostile_game
from tests.draw.test_svg import SVG, assert_inside, boxes, parsed

MACHINES = [
    "hexapawn",
    "nim",
    "nim:heaps=1-2-3",
    "nim:matches=70",
    "mnk:width=3,height=2",
    "connect_four:width=2,height=3,in_a_row=2",
]
SECTIONS = [("Heading", ["One sentence. " * 40] * 12)]


def machine_boxes(text: str) -> tuple[Matchbox, ...]:
    return new_machine(Lab(load(text))).boxes


def a_box(text: str, *beads: int) -> Matchbox:
    """The first position of a game, with so many beads for its moves."""
    game = load(text)
    return Matchbox(1, 0, game.position(), dict(zip(game.legal(game.start), beads, strict=False)))


def drawn(body: str) -> ElementTree.Element:
    return ElementTree.fromstring(f'<g xmlns="{SVG[1:-1]}">{body}</g>')


def texts(element: ElementTree.Element) -> list[str]:
    return [(text.text or "").replace("\u00a0", " ") for text in element.iter(SVG + "text")]


@pytest.mark.parametrize("game", MACHINES)
def test_a_sheet_shows_every_box_and_names_every_bead(game: str) -> None:
    found = machine_boxes(game)
    root = parsed(machine_svg(found, game))
    assert_inside(root)
    groups = [group for group in root.iter(SVG + "g") if group.get("data-box")]
    assert [group.get("data-box") for group in groups] == [str(box.number) for box in found]
    for box, group in zip(found, groups, strict=True):
        names = [box.position.game.name_move(box.position.state, move) for move in box.beads]
        assert [text for text in texts(group) if text.startswith("→")] == [f"→ {name}" for name in names]
        words = group.findtext(SVG + "title") or ""
        assert all(
            f"{name} {beads} × " in words for name, beads in zip(names, box.beads.values(), strict=True)
        )


@long
def test_the_sheet_of_menace_counts_beads_of_nine_kinds() -> None:
    found = machine_boxes("tictactoe")
    needed = list(Kinds(found).needed())
    assert [kind.letter for kind, _beads in needed] == list("ABCDEFGHI")
    assert sum(beads for _kind, beads in needed) == 1720
    sheet = texts(parsed(machine_svg(found, "MENACE")))
    assert "Decision 2 of the machine: 12 boxes, 198 beads" in sheet
    assert {f"{kind.name}: move {cell}, × {beads:,}" for cell, (kind, beads) in enumerate(needed)} <= set(
        sheet
    )


def test_beads_are_drawn_one_by_one_while_they_are_few() -> None:
    box = a_box("nim", SINGLE, SINGLE + 1, 0)
    root = drawn(matchbox_block(box, Kinds([box])).body)
    letters = texts(root)
    assert letters.count("A") == SINGLE + 1  # on the label, and one by one in the drawer
    assert letters.count("B") == letters.count("C") == 2
    assert f"× {SINGLE + 1}" in letters
    assert "× 0" in letters


def test_few_moves_have_a_kind_each_in_all_boxes_many_only_in_their_box() -> None:
    menace, her = Kinds(machine_boxes("tictactoe")), Kinds(machine_boxes("hexapawn"))
    assert {kind.letter: name for kind, name in menace.moves.items()} == {
        LETTERS[cell]: str(cell) for cell in range(9)
    }
    assert not her.moves
    for box in her.boxes:
        assert [kind.number for kind in her.of(box).values()] == list(range(len(box.beads)))
    columns = Kinds(machine_boxes("connect_four:width=2,height=3,in_a_row=2"))
    assert list(columns.moves.values()) == ["1", "2"]  # a column is one move, wherever the disc falls


def test_every_kind_has_its_own_letter_and_name() -> None:
    kinds = [BeadKind(number) for number in range(5000)]  # a game may have more moves than there are letters
    assert len({kind.letter for kind in kinds}) == len({kind.name for kind in kinds}) == 5000


def contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("hue", HUES, ids=lambda hue: hue.name)
def test_letters_on_beads_can_be_read(hue) -> None:
    assert contrast(hue.fill, hue.ink) >= 4.5
    assert hue.ink in bead(BeadKind(HUES.index(hue)), 0, 0, 5)


class Corner(NamedTuple):
    mover: int


def crossing() -> Game:
    """One position in which arrows cross and end together, as pawns never do."""
    from damier import Grid

    routes = ((0, 4), (2, 4), (6, 4), (8, 4), (0, 8), (2, 6))
    return Game(
        "crossing",
        Corner(0),
        moves=lambda s: 63,
        play=lambda s, move: Corner(1),
        outcome=lambda s: 1 << 40 if s.mover == 0 else 1,
        grid=lambda s: Grid(("Q.Q", "...", "Q.Q")),
        place=lambda s, move: routes[move.bit_length() - 1],
    )


def test_beads_on_crossing_arrows_lie_apart() -> None:
    game = crossing()
    box = Matchbox(1, 0, Position(game, game.start), {1 << move: 1 for move in range(6)})
    from damier.draw.matchbox import label_block

    root = drawn(label_block(box, entries_of(box, Kinds([box]))).body)
    discs = [
        (float(disc.get("cx", 0)), float(disc.get("cy", 0)), float(disc.get("r", 0)))
        for disc in root.iter(SVG + "circle")
    ]
    assert len(discs) == 6
    for i, (x, y, radius) in enumerate(discs):
        assert all(((x - u) ** 2 + (y - v) ** 2) ** 0.5 > 0.9 * radius for u, v, _radius in discs[:i])


@pytest.mark.parametrize("grid", [True, False])
def test_hostile_words_stay_words(grid: bool) -> None:
    game = hostile_game(grid)
    box = Matchbox(1, 0, game.position(), {1: 4, 2: 1 << 50, 4: 0})
    for svg in (machine_svg([box], HOSTILE), *machine_pages([box], HOSTILE, [(HOSTILE, [HOSTILE * 9])])):
        svg.encode("utf-8")
        found = {element.tag.removeprefix(SVG) for element in parsed(svg).iter()}
        assert found <= {"svg", "title", "desc", "style", "g", "rect", "circle", "path", "text"}


def scaled_boxes(
    element: ElementTree.Element, factor: float = 1, x: float = 0, y: float = 0
) -> list[tuple[float, float, float, float]]:
    """Like `boxes`, for pictures with parts that are made smaller."""
    found = []
    for child in element:
        if child.tag == SVG + "g":
            transform = child.get("transform", "translate(0 0)")
            scale, shift = (
                re.fullmatch(r"scale\((\S+)\)", transform),
                re.fullmatch(r"translate\((\S+) (\S+)\)", transform),
            )
            dx, dy = (float(shift[1]), float(shift[2])) if shift else (0.0, 0.0)
            found += scaled_boxes(
                child, factor * float(scale[1]) if scale else factor, x + factor * dx, y + factor * dy
            )
        elif child.tag not in (SVG + "title", SVG + "desc", SVG + "style"):
            shape = ElementTree.Element(SVG + "g")
            shape.append(child)
            found += [
                (x + factor * left, y + factor * top, x + factor * right, y + factor * bottom)
                for _e, left, top, right, bottom in boxes(shape)
            ]
    return found


@pytest.mark.parametrize("game", [*MACHINES, "tictactoe"])
def test_all_of_a_label_lies_inside_the_lines_to_cut_along(game: str) -> None:
    found = machine_boxes(game)
    kinds = Kinds(found)
    for box in (found[0], found[-1], max(found, key=lambda box: len(box.beads))):
        for left, top, right, bottom in scaled_boxes(drawn(printed_label(box, entries_of(box, kinds)))):
            assert left >= -0.3  # half of the line
            assert top >= -0.3
            assert right <= LABEL_WIDTH + 0.3
            assert bottom <= LABEL_HEIGHT + 0.3


@pytest.mark.parametrize("game", [*MACHINES, later("tictactoe")])
def test_pages_are_a4_and_hold_every_label_once(game: str) -> None:
    found = new_machine(Lab(load(game)))
    pages = [parsed(svg) for svg in machine_pages(found.boxes, game, [*instructions(found), *SECTIONS])]
    for page in pages:
        assert (page.get("width"), page.get("height")) == ("595.28", "841.89")
        for left, top, right, bottom in scaled_boxes(page):
            assert left >= 0
            assert top >= 0
            assert right <= PAGE_WIDTH
            assert bottom <= PAGE_HEIGHT
    cut = [rect for page in pages for rect in page.iter(SVG + "rect") if rect.get("stroke-dasharray")]
    assert len(cut) == len(found.boxes)
    # 53 mm by 36 mm
    assert all((rect.get("width"), rect.get("height")) == ("150.24", "102.05") for rect in cut)
    text = " ".join(text for page in pages for text in texts(page))
    assert all(f"box {box.number}" in text for box in found.boxes)
    assert text.count("One sentence.") == 40 * 12  # though they take several pages
    assert f"page {len(pages)} of {len(pages)}" in text


def hexapawn_pages() -> list[str]:
    found = new_machine(Lab(load("hexapawn")))
    return list(machine_pages(found.boxes, "hexapawn", instructions(found)))


@long
def test_a_pdf_is_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    pytest.importorskip("pypdf")
    pytest.importorskip("vl_convert")
    pages, one, two = hexapawn_pages(), tmp_path / "one.pdf", tmp_path / "two.pdf"
    write_pages(pages, one)
    program = (
        "import sys; from pathlib import Path; from damier.draw.picture_files import write_pages;"
        " write_pages(sys.stdin.read().split('\\0'), Path(sys.argv[1]))"
    )
    subprocess.run([sys.executable, "-c", program, str(two)], input="\0".join(pages), text=True, check=True)
    assert one.read_bytes() == two.read_bytes()
    assert sorted(tmp_path.iterdir()) == [one, two]


def test_a_pdf_has_all_pages_and_no_dates(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    pytest.importorskip("vl_convert")
    pages, one, two = hexapawn_pages(), tmp_path / "one.pdf", tmp_path / "two.pdf"
    write_pages(pages, one)
    write_pages(pages, two)
    assert one.read_bytes() == two.read_bytes()
    assert sorted(tmp_path.iterdir()) == [one, two]
    read = pypdf.PdfReader(one)
    assert len(read.pages) == len(pages) == 3
    assert "Date" not in str(read.metadata)
    assert [round(float(side)) for side in read.pages[1].mediabox[2:]] == [595, 842]
    assert "box 19" in read.pages[1].extract_text().replace("\u00a0", " ")


@pytest.mark.parametrize("missing", ["pypdf", "vl_convert"])
def test_without_the_packages_one_line_says_what_to_install(
    missing: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(BadInput, match=re.escape(installing("plot"))):
        write_pages(["<svg/>"], tmp_path / "boxes.pdf")
    assert list(tmp_path.iterdir()) == []


def test_a_box_of_a_great_many_beads_stays_on_its_pages() -> None:
    box = a_box("tictactoe", *[1 << 50] * 9)
    assert_inside(parsed(machine_svg([box], "full")))
    for page in map(parsed, machine_pages([box], "full", [])):
        assert all(left >= 0 and right <= PAGE_WIDTH for left, _top, right, _bottom in scaled_boxes(page))
