"""Learning curves: whatever a training comes to, the picture is valid, inside its frame, and says
in words and patterns what it shows.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from damier.core.errors import BadInput
from damier.core.runtime import installing
from damier.draw.curve import (
    ASCII,
    BLOCKS,
    Point,
    RateInterval,
    Series,
    curve_line,
    curve_svg,
    curve_text,
    signs_for,
)
from damier.draw.line_charts import PENS, axes, games_scale, round_step, scale, spread
from damier.draw.picture_files import require_picture, write_picture
from damier.draw.svg import PALETTE
from damier.draw.text import TableLine, columns_of, table_lines
from tests.draw.samples import HOSTILE, contrast
from tests.draw.test_svg import SVG, assert_inside, boxes, parsed


def rates(win: float) -> tuple[RateInterval, RateInterval, RateInterval]:
    def rate(share: float) -> RateInterval:
        return RateInterval(share, max(0.0, share - 0.1), min(1.0, share + 0.1))

    return rate(win), rate((1 - win) / 2), rate((1 - win) / 2)


def climbing(
    blocks: int = 25, games: int = 100_000, ceiling: float | None = 0.5, start: float = -0.25, name: str = "q"
) -> Series:
    """A curve that goes straight from `start` to the ceiling; not graded without one."""
    points = []
    for block in range(1, blocks + 1):
        payoff = (
            None
            if ceiling is None
            else ceiling
            if block == blocks
            else start + (ceiling - start) * block / blocks
        )
        points.append(Point(games * block // blocks, rates(block / blocks), 1 / block, payoff, ceiling))
    return Series(name, tuple(points), "random")


CASES = {
    "usual": [climbing()],
    "large payoffs": [climbing(ceiling=123_456_789.0, start=-50_000_000.0)],
    "no games": [Series("q", ())],
    "no grades": [climbing(ceiling=None)],
    "several, no grades": [climbing(ceiling=None), climbing(ceiling=None, name="v")],
    "one block": [climbing(1, 17)],
    "one game": [climbing(1, 1)],
    "all equal": [climbing(ceiling=0.5, start=0.5)],
    "always lost": [climbing(ceiling=-1.0, start=-1.0)],
    "always won": [climbing(ceiling=1.0, start=1.0)],
    "negative": [climbing(ceiling=-0.2, start=-0.9)],
    "10^9 games": [climbing(games=10**9)],
    "10^12 games": [climbing(games=10**12)],
    "two ceilings": [climbing(), climbing(ceiling=0.9, name="v")],
    "many": [
        climbing(name=f"q:preset=hexapion,alpha=0.0{n},temperature=123.456,epsilon_floor=0.125", start=n / 20)
        for n in range(9)
    ],
    "hostile": [replace(climbing(name=HOSTILE * 3), against=HOSTILE)],
}


@pytest.mark.parametrize("curves", CASES.values(), ids=CASES.keys())
def test_every_curve_is_a_valid_picture_inside_its_frame(curves):
    svg = curve_svg(curves, f"{HOSTILE} a title of many words" * 6)
    assert_inside(parsed(svg))
    assert "<script" not in svg
    assert "nan" not in svg
    assert not re.search(r"\bid=|url\(|href|var\(", svg)


@pytest.mark.parametrize("curves", CASES.values(), ids=CASES.keys())
def test_names_and_numbers_keep_out_of_each_others_way(curves):
    texts = [box for element, *box in boxes(parsed(curve_svg(curves))) if element.tag == SVG + "text"]
    for i, (left, top, right, bottom) in enumerate(texts):
        for other_left, other_top, other_right, other_bottom in texts[:i]:
            across = min(right, other_right) - max(left, other_left)
            down = min(bottom, other_bottom) - max(top, other_top)
            assert across <= 0 or down <= 1


def test_lines_are_told_apart_without_colour():
    root = parsed(curve_svg([climbing(name=f"learner {n}", start=n / 20) for n in range(6)]))
    lines = [
        path
        for path in root.iter(SVG + "path")
        if path.get("stroke-width") == "2" and path.get("d", "").count("L") > 1
    ]
    assert len({path.get("stroke-dasharray") for path in lines}) == len(lines) == 6
    written = {text.text for text in root.iter(SVG + "text")}
    assert {f"learner\u00a0{n}" for n in range(6)} <= written
    samples = [
        path
        for path in root.iter(SVG + "path")
        if path.get("stroke-width") == "2" and path.get("d", "").count("L") == 1
    ]
    assert sorted(path.get("stroke-dasharray", "") for path in samples) == sorted(
        path.get("stroke-dasharray", "") for path in lines
    )


@pytest.mark.parametrize("scheme", [0, 1])
@pytest.mark.parametrize("colour", [colour for colour, _dashes in PENS])
def test_lines_can_be_seen(colour, scheme):
    """A contrast of at least 3 to 1 (WCAG 2.2, success criterion 1.4.11)."""

    assert contrast(PALETTE[colour][scheme], PALETTE["cell"][scheme]) >= 3


def test_the_curve_meets_the_ceiling_at_its_end():
    root = parsed(curve_svg([climbing()]))
    ceiling = next(
        path.get("d") for path in root.iter(SVG + "path") if path.get("stroke-dasharray") == "1 2.5"
    )
    curve = next(
        path.get("d")
        for path in root.iter(SVG + "path")
        if path.get("stroke-width") == "2" and path.get("d", "").count("L") == 24
    )
    assert ceiling is not None
    assert curve is not None
    assert ceiling.split()[-1] == curve.split()[-1]
    heights = [float(point.split()[1]) for point in curve[1:].split("L")]
    assert heights == sorted(heights, reverse=True)
    assert float(ceiling.split()[-1]) > 0


def test_a_curve_in_words():
    assert parsed(curve_svg([climbing()], "hexapawn")).findtext(SVG + "title") == "hexapawn"
    told = (
        "q: after 100,000 games 100.0 % won, 0.0 % drawn, 0.0 % lost; exact payoff -0.2200 at first, +0.5000"
        " at last; ceiling +0.5000"
    )
    assert parsed(curve_svg([climbing()])).findtext(SVG + "desc") == told
    assert parsed(curve_svg([climbing(ceiling=None)])).findtext(SVG + "desc") == told.split(";")[0]


def test_axes_have_round_numbers():
    assert [round_step(span, 5) for span in (1, 3, 7, 12, 99_999)] == [0.2, 1.0, 2.0, 5.0, 20_000.0]
    assert games_scale(3, 100).ticks == (0, 1, 2, 3)
    assert games_scale(100_000, 100).ticks == (0, 20_000, 40_000, 60_000, 80_000, 100_000)
    written = axes(games_scale(10**9, 460), scale([0.1, 0.9], 200, -1, 1), "{:+.2f}".format)
    assert "1,000" in written.below.body
    assert "games\u00a0(millions)" in written.below.body
    assert scale([0.5, 0.5], 200, -1, 1).ticks == (0.4, 0.45, 0.5, 0.55, 0.6)
    assert scale([-1, -1], 200, -1, 1).low == -1


def test_names_are_spread_without_touching():
    for wanted in ([0, 0, 0, 0], [90, 95, 99], [-10, 50, 200], [3]):
        tops = spread(wanted, [10] * len(wanted), 100)
        assert all(below - above >= 10 for above, below in pairwise(tops))
        assert tops[0] >= 0
        assert tops[-1] <= 90
    assert spread([0, 0], [80, 80], 100) == [0, 80]


@pytest.mark.parametrize("curves", CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("signs", [BLOCKS, ASCII])
def test_the_plot_of_a_terminal_keeps_its_size(curves, signs):
    for width, height in ((78, 10), (40, 5), (120, 12)):
        lines = curve_text(curves[0], width, height, signs=signs).split("\n")
        assert len(lines) == height
        assert max(map(columns_of, lines)) <= width
        if signs is ASCII:
            assert "\n".join(lines).isascii()


def test_margins_have_room_for_their_numbers_and_a_foot_below_them():
    points = tuple(Point(n + 1, rates(0.5), 0, 100.0 * n - 1234, 14444.4444) for n in range(40))
    lines = curve_text(Series("q", points), 78, 10).split("\n")
    assert (lines[0][:13], lines[8][:13]) == ("+14444.4444 ┄", "-1234.5000  ▁")
    assert max(map(columns_of, lines)) == 78
    assert lines[1].endswith("▁") or lines[4].endswith("█") or lines[8].endswith("█")


def test_only_what_reaches_the_ceiling_touches_it():
    nearly = Series("q", (Point(50, rates(0.5), 0, 0.5 - 1e-6, 0.5), Point(100, rates(0.5), 0, 0.5, 0.5)))
    highest = curve_text(nearly, 48, 10).split("\n")[1][8:]
    assert set(highest[:20]) == {"▇"}
    assert set(highest[20:]) == {"█"}
    assert curve_line(nearly, 10) == "▇" * 5 + "█" * 5


def test_the_plot_leaves_room_for_games_to_come():
    lines = curve_text(climbing(10, 100), 48, 10, games=400).split("\n")
    assert lines[-2].count("█") <= 10
    assert lines[-1].endswith("400 games")
    assert len(curve_line(climbing(10, 100), 40, games=400)) == 10


def test_a_block_without_a_grade_is_drawn_as_the_one_before():
    curve = climbing(2, 100)
    open_end = replace(curve, points=(*curve.points, Point(150, rates(1.0))))
    last = curve_text(open_end, 68, 10).split("\n")[-3][8:]
    assert set(last[20:]) == {"█"}
    assert len(last) == 60


def test_signs_of_a_stream():
    assert signs_for("UTF-8") is BLOCKS
    assert signs_for("ascii") is signs_for("ISO-8859-1") is ASCII


def test_a_table_has_a_column_for_each_move_and_marks_a_line():
    lines = [TableLine("377", {0: "0.25", 6: "-10.00"}), TableLine("10030", {3: "1.00"})]
    assert table_lines(lines, marked=1) == [
        "            0     3       6",
        "    377  0.25        -10.00",
        "> 10030        1.00",
    ]
    assert table_lines([TableLine("a", {-1: "0.50"})], heads={-1: "V"}) == ["        V", "  a  0.50"]


def test_pictures_in_files(tmp_path):
    pytest.importorskip("vl_convert")
    svg = curve_svg([climbing()])
    for name, begin in (("a.svg", b"<svg "), ("a.png", b"\x89PNG\r\n"), ("a.PDF", b"%PDF-")):
        path = tmp_path / name
        write_picture(svg, path)
        first = path.read_bytes()
        assert first.startswith(begin)
        write_picture(svg, path)
        assert path.read_bytes() == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.PDF", "a.png", "a.svg"]


@pytest.mark.parametrize(
    ("name", "said"),
    [("a.gif", ".svg .png .pdf"), ("a", ".svg .png .pdf")],
)
def test_a_place_where_no_picture_can_be_is_refused(tmp_path, name, said):
    with pytest.raises(BadInput, match=re.escape(said)):
        require_picture(tmp_path / name)
    with pytest.raises(BadInput, match=re.escape(said)):
        write_picture("<svg/>", tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_the_folder_of_a_picture_is_made(tmp_path):
    write_picture("<svg/>", tmp_path / "new" / "deep" / "a.svg")
    assert (tmp_path / "new" / "deep" / "a.svg").read_text() == "<svg/>"
    with pytest.raises(BadInput, match="cannot be written"):
        require_picture(tmp_path / "new" / "deep" / "a.svg" / "b.svg")


def test_without_the_package_one_line_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "vl_convert", None)
    with pytest.raises(BadInput, match=re.escape(installing("plot"))):
        require_picture(tmp_path / "a.png")
    write_picture(curve_svg([climbing()]), tmp_path / "a.svg")
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
