"""The few words of SVG that pictures here are written in, and their colours, so that every picture
of damier is of one hand.

Colours are classes, never variables: the program that turns a picture into PNG and PDF (resvg) does
not know `var()`. Nothing has an id, so that any number of pictures may share one page.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from math import hypot, prod
from typing import Literal, NamedTuple, TypeAlias

from damier.core.words import printable
from damier.draw.text import columns_of

Anchor: TypeAlias = Literal["start", "middle", "end"]
Colours: TypeAlias = dict[str, tuple[str, str]]
"""Colours by name, each in light and in dark."""

CHARACTER = 0.62
"""Width of a character of the fonts below, for one unit of font size; a little more than that of
most.
"""
BOLD = 0.7

# Blue, orange and grey can be told apart by everybody
# (Okabe and Ito, "Color universal design", 2008 [OkabeIto08]), and carry text at a contrast of at
# least 4.5.                 light      dark
PALETTE = {
    "paper": ("#ffffff", "#15181d"),
    "ink": ("#1f2730", "#e6e9ed"),
    "quiet": ("#5b6672", "#a3adb9"),
    "line": ("#c3cad2", "#46505c"),
    "cell": ("#f6f7f9", "#20252c"),
    "square": ("#efe9dc", "#4a4f58"),
    "shade": ("#d3c7ae", "#343a43"),
    "panel": ("#8597ab", "#2d3846"),
    "hole": ("#66798f", "#5b6979"),
    "rim": ("#6d8096", "#465466"),
    "light": ("#fdfcf8", "#f3efe4"),
    "light_rim": ("#3c4650", "#1a1f26"),
    "dark": ("#242b33", "#0b0e12"),
    "dark_rim": ("#0c1116", "#98a4b3"),
    "etched": ("#d6dce3", "#98a4b3"),
    "ring": ("#7a4f9e", "#c3a1e0"),
    "wood": ("#d9b582", "#c79f66"),
    "head": ("#a8402f", "#e07a5f"),
    "wall": ("#5b6672", "#79838f"),
    "pacman": ("#e3b505", "#f2cc2f"),
    "ghost": ("#a8402f", "#e07a5f"),
    "scared": ("#d8ecfa", "#20486a"),
    "good": ("#0067a5", "#6cbcf0"),
    "bad": ("#b04a00", "#f2a355"),
    "even": ("#5f6873", "#b4bcc6"),
    "on_mark": ("#ffffff", "#101418"),
    "edge": ("#5b6672", "#a3adb9"),
    "number": ("#1f2730", "#e6e9ed"),
    "seam": ("none", "none"),
    "shine": ("none", "none"),
}
MATERIALS = {
    "m-rack": {
        "panel": ("#1b3b78", "#1b3b78"),
        "rim": ("#14305f", "#3d66a8"),
        "hole": ("#e8edf5", "#10151c"),
        "dark": ("#e85a45", "#e85a45"),
        "dark_rim": ("#84190f", "#7d170e"),
        "light": ("#f7cb37", "#f3c742"),
        "light_rim": ("#8a6505", "#7a5904"),
    },
    "m-felt": {
        "square": ("#3a8a5b", "#2a6b46"),
        "seam": ("#236140", "#1a4a30"),
        "edge": ("#1c4a31", "#12301f"),
    },
    "m-wood": {
        "square": ("#e6c180", "#c39a5b"),
        "edge": ("#6a4a1e", "#4a3212"),
        "dark_rim": ("#0c1116", "#0b0e12"),
        "shine": ("#ffffff", "#ffffff"),
    },
    "m-comb": {
        "square": ("#e6c180", "#c39a5b"),
        "cell": ("#e6c180", "#c39a5b"),
        "line": ("#b08a4c", "#8a6835"),
    },
    "m-inlay": {
        "square": ("#f1dfbf", "#d5bf98"),
        "shade": ("#c69c6d", "#a88259"),
        "edge": ("#7d5a35", "#5d4227"),
        "number": ("#1f2730", "#15120e"),
        "dark_rim": ("#0c1116", "#000000"),
        "etched": ("#d6dce3", "#c9d1da"),
    },
}
"""Colours of boards that are made of something, in the place of those of paper."""
TOUCHED = {
    "tint": ("#e2d2ee", "#4a3a63"),
    "trace": ("#7a4f9e", "#c3a1e0"),
    "alarm": ("#e0806f", "#a8442f"),
}
"""Colours of what happens on a board that is played on: the cells of the last move, or a ring where a cell
has no ground of its own; a king in check.
"""
TOUCHED_MATERIALS = {
    "m-rack": {"trace": ("#ffffff", "#ffffff")},
    "m-felt": {"tint": ("#66ad83", "#4a9468"), "trace": ("#f6e7a8", "#f6e7a8")},
    "m-wood": {"trace": ("#d2582a", "#d2582a")},
    "m-comb": {"tint": ("#f3e07a", "#e3c25a")},
    "m-inlay": {"tint": ("#e3c94f", "#bfa23a"), "trace": ("#5d3b86", "#3d1f66")},
}

LIGHT, DARK = 0, 1

SANS = '"DejaVu Sans", Verdana, system-ui, sans-serif'
MONO = '"DejaVu Sans Mono", ui-monospace, Menlo, Consolas, monospace'

RULES = """
.damier text {{ font-family: {sans}; fill: {ink} }}
.damier .d-mono {{ font-family: {mono} }}
.damier .d-quiet {{ fill: {quiet} }}
.damier .d-paper {{ fill: {paper} }}
.damier .d-cell {{ fill: {cell}; stroke: {line} }}
.damier .d-square {{ fill: {square}; stroke: {seam} }}
.damier .d-shade {{ fill: {shade} }}
.damier .d-edge {{ fill: none; stroke: {edge} }}
.damier .d-star {{ fill: {edge} }}
.damier text.d-number {{ fill: {number} }}
.damier .d-panel {{ fill: {panel}; stroke: {rim} }}
.damier .d-hole {{ fill: {hole}; stroke: {rim} }}
.damier .d-shine {{ fill: {shine}; opacity: 0.28 }}
.damier .d-light {{ fill: {light}; stroke: {light_rim} }}
.damier .d-dark {{ fill: {dark}; stroke: {dark_rim} }}
.damier .d-groove {{ fill: none; stroke: {light_rim} }}
.damier .d-etched {{ fill: none; stroke: {etched} }}
.damier .d-cross {{ fill: none; stroke: {ink}; stroke-linecap: round }}
.damier .d-ring {{ fill: none; stroke: {ring} }}
.damier .d-wood {{ fill: {wood}; stroke: {quiet} }}
.damier .d-head {{ fill: {head} }}
.damier .d-wall {{ fill: {wall}; stroke: {wall} }}
.damier .d-food {{ fill: {ink} }}
.damier .d-pacman {{ fill: {pacman}; stroke: {ink}; stroke-linejoin: round }}
.damier .d-ghost {{ fill: {ghost}; stroke: {ink}; stroke-linejoin: round }}
.damier .d-scared {{ fill: {scared}; stroke: {ink}; stroke-linejoin: round }}
.damier .d-eye {{ fill: {paper}; stroke: {ink} }}
.damier .d-win {{ fill: {good}; stroke: {paper} }}
.damier .d-loss {{ fill: {bad}; stroke: {paper} }}
.damier .d-draw {{ fill: {even}; stroke: {paper} }}
.damier .d-none {{ fill: {quiet}; stroke: {paper} }}
.damier .d-best {{ stroke: {ink} }}
.damier .d-rule {{ fill: none; stroke: {line} }}
.damier text.d-value {{ fill: {on_mark}; font-weight: bold }}
.damier text.d-on-light {{ fill: #1f2730; font-weight: bold }}
.damier text.d-on-dark {{ fill: #ffffff; font-weight: bold }}
""" + "".join(
    f".damier .d-line-{name} {{{{ fill: none; stroke: {{{name}}}; stroke-linejoin: round }}}}\n.damier"
    f" .d-area-{name} {{{{ fill: {{{name}}} }}}}\n"
    for name in ("good", "bad", "ring", "ink", "head", "quiet", "paper")
)

TOUCHED_RULES = """
.damier .d-tint {{ fill: {tint} }}
.damier .d-trace {{ fill: none; stroke: {trace} }}
.damier .d-alarm {{ fill: {alarm} }}
"""
"""Rules of boards that are played on: they stand on pages alone."""


class SvgBlock(NamedTuple):
    """A part of a picture, its top left corner at 0, 0."""

    width: float
    height: float
    body: str


def document(
    block: SvgBlock, title: str, description: str, margin: float = 12, theme: int | None = None
) -> str:
    """A whole picture: complete in itself, named and described for those who do not see it, in
    light and in dark, or in one theme alone.
    """
    width, height = number(block.width + 2 * margin), number(block.height + 2 * margin)
    return tag(
        "svg",
        tag("title", escaped(title)),
        tag("desc", escaped(description)),
        tag("style", style() if theme is None else _rules(theme)),
        tag("rect", class_="d-paper", width=width, height=height, rx=6),
        moved(block.body, margin, margin),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        class_="damier",
    )


def style() -> str:
    """The rules of every picture, for light and for dark."""
    return f"{_rules(LIGHT)}@media (prefers-color-scheme: dark) {{{_rules(DARK)}}}\n"


def sheet() -> str:
    """Return those rules as the style sheet of a page whose root says `data-theme="light"` or `"dark"`,
    where its reader has chosen; for `embedded` pictures. What is printed is light.
    """
    light, dark = (_rules(theme) + _touched(theme) for theme in (LIGHT, DARK))
    return (
        f"{light}@media screen {{@media (prefers-color-scheme: dark) {{:root:not([data-theme=light])"
        f" {{{dark}}}}}\n:root[data-theme=dark] {{{dark}}}}}\n"
    )


def embedded(picture: str) -> str:
    """A picture for a page that has the style sheet `sheet`: without a style of its own, which such
    a page may refuse.
    """
    return picture.replace(tag("style", style()), "", 1)


LINK = (1200, 630)
"""Size of the picture that is shown beside a link, in pixels, as those who show them take it."""


def link_picture(pictures: Iterable[str], title: str) -> str:
    """A picture for links to a page: the first large one of its `embedded` pictures, in light, over its
    name.
    """
    (width, height), pictures = LINK, list(pictures)
    largest = max((prod(_size(picture)) for picture in pictures), default=0)
    found = next((picture for picture in pictures if prod(_size(picture)) >= largest / 3), "")
    drawn = [tag("style", _rules(LIGHT)), tag("rect", class_="d-paper", width=width, height=height)]
    if found:
        across, down = _size(found)
        factor = min((width - 80) / across, (height - 140) / down)
        size = f'x="{number((width - factor * across) / 2)}" y="24" width="{number(factor * across)}"'
        placed = f'<svg {size} height="{number(factor * down)}"'
        drawn += [
            placed + re.sub(r' (?:width|height)="[\d.]+"', "", found[4 : found.index(">")]),
            found[found.index(">") :],
        ]
    font = min(44.0, (width - 260) / (CHARACTER * max(1, columns_of(title))))
    drawn += [
        label(title, 40, height - 50, font, "start"),
        label("damier", width - 40, height - 50, 32, "end"),
    ]
    return tag(
        "svg",
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        class_="damier",
        width=width,
        height=height,
    )


def _size(picture: str) -> tuple[float, float]:
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', picture)
    return (float(found[1]), float(found[2])) if found else (1.0, 1.0)


@cache
def _rules(theme: int) -> str:
    return _coloured(RULES, PALETTE, MATERIALS, theme)


@cache
def _touched(theme: int) -> str:
    return _coloured(TOUCHED_RULES, TOUCHED, TOUCHED_MATERIALS, theme)


def _coloured(rules: str, colours: Colours, materials: dict[str, Colours], theme: int) -> str:
    """Return rules in the colours of a theme, and once more, as far as they differ, in those of each
    material.
    """
    written, palette = rules, {name: pair[theme] for name, pair in colours.items()}
    for material, own in materials.items():
        changed = re.compile(rf"\{{({'|'.join(own)})\}}")
        lines = "".join(rule for rule in rules.splitlines(keepends=True) if changed.search(rule))
        written += changed.sub(rf"{{{material}_\1}}", lines).replace(".damier ", f".damier .{material} ")
        palette |= {f"{material}_{name}": pair[theme] for name, pair in own.items()}
    return written.format(sans=SANS, mono=MONO, **palette)


def stacked(blocks: Iterable[SvgBlock], gap: float = 12) -> SvgBlock:
    """Blocks one below the other, on one axis."""
    blocks = list(blocks)
    width, top = max(block.width for block in blocks), 0.0
    bodies = []
    for block in blocks:
        bodies.append(moved(block.body, (width - block.width) / 2, top))
        top += block.height + gap
    return SvgBlock(width, top - gap, "".join(bodies))


def tag(name: str, *children: str, **attributes: object) -> str:
    """An element.

    `class_` is written class and `data_cell` data-cell; None leaves an attribute out.

    >>> tag("rect", class_="d-wall", stroke_width=1.5)
    '<rect class="d-wall" stroke-width="1.5"/>'
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}="
        f'"{number(value) if isinstance(value, float) else escaped(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def label(
    text: str, x: float, y: float, size: float, anchor: Anchor = "middle", class_: str | None = None
) -> str:
    """A line of text whose middle height is at `y`. Spaces are kept."""
    kept = escaped(text).replace(" ", "\u00a0")
    return tag(
        "text", kept, class_=class_, x=float(x), y=y + 0.35 * size, font_size=float(size), text_anchor=anchor
    )


def moved(body: str, x: float, y: float) -> str:
    """`body` with its corner at x, y."""
    return tag("g", body, transform=f"translate({number(x)} {number(y)})")


def polyline(points: Iterable[tuple[float, float]]) -> str:
    """Return the `d` of a path through points.

    >>> polyline([(0, 0), (1, 2.5)])
    'M0 0L1 2.5'
    """
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def corners(points: Iterable[tuple[float, float]]) -> str:
    """Return the `points` of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def arrow_head(before: tuple[float, float], end: tuple[float, float], colour: str, length: float) -> str:
    """Return the head of an arrow that comes from `before`."""
    dx, dy = end[0] - before[0], end[1] - before[1]
    way = hypot(dx, dy) or 1.0
    ux, uy = dx / way, dy / way
    outline = [
        (end[0] - back * ux - side * uy, end[1] - back * uy + side * ux)
        for back, side in ((0.0, 0.0), (length, 4.5), (length, -4.5))
    ]
    return tag("polygon", class_=f"d-area-{colour}", points=corners(outline))


def number(value: float) -> str:
    """A length with at most two decimals: enough for a picture, and the same on every machine."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


LONGEST_LINE = 100_000


def escaped(text: str) -> str:
    """Text that is safe inside an element or an attribute: XML has no way to write most control
    characters, so they are shown as `\\x1b`.
    """
    if text.isprintable() and len(text) < LONGEST_LINE:  # a picture of a board has thousands of them
        return escape(text)
    return "\n".join(escape(printable(line, LONGEST_LINE)) for line in text.split("\n"))


# Blocks that pictures are put together of: lines of text, rows and columns of blocks, and boxes to be
# filled in with a pen, or by a page that lays a field over each.

BOX, BOX_HEIGHT = 46.0, 30.0
"""Large enough to write two figures into, by hand."""
FILL_IN_FONT, FILL_IN_ROW = 13.0, 36.0
NOTHING: Mapping[str, str] = {}


class FillInLine(NamedTuple):
    """A line that asks something: its words, and the key of its answer."""

    text: str
    key: str


def answer_box(key: str, x: float, y: float, width: float = BOX, filled: Mapping[str, str] = NOTHING) -> str:
    """A box, its corner at x, y; `data-blank` says what belongs into it. With an answer, that stands
    there.
    """
    size = {"x": x, "y": y, "width": width, "height": BOX_HEIGHT, "rx": 3}
    if key not in filled:
        return tag("rect", class_="d-paper", **size) + tag("rect", class_="d-edge", **size, data_blank=key)
    frame = tag("rect", class_="d-cell", **size)
    text = label(filled[key], x + width / 2, y + BOX_HEIGHT / 2, FILL_IN_FONT)
    return frame + tag("g", text, font_weight="bold")


def fill_in_block(lines: Sequence[FillInLine], filled: Mapping[str, str], width: float) -> SvgBlock:
    """Lines with a box at the end of each."""
    widest = max(columns_of(line.text) for line in lines) * CHARACTER * FILL_IN_FONT + 14
    box = max([1.4 * BOX, *(columns_of(text) * 0.7 * FILL_IN_FONT + 14 for text in filled.values())])
    drawn = "".join(
        label(line.text, 0, FILL_IN_ROW * row + BOX_HEIGHT / 2, FILL_IN_FONT, "start")
        + answer_box(line.key, widest, FILL_IN_ROW * row, box, filled)
        for row, line in enumerate(lines)
    )
    return SvgBlock(max(width, widest + box), FILL_IN_ROW * len(lines), drawn)


LEAST = 480.0
"""The least width of the sentences below a picture."""
NOTE_FONT = 10.5


def left_in(block: SvgBlock, width: float) -> SvgBlock:
    """A block at the left edge of a wider one."""
    return SvgBlock(width, block.height, block.body)


def text_block(lines: Sequence[str], width: float) -> SvgBlock:
    """Return sentences below a picture."""
    room = max(20, int(width / (CHARACTER * NOTE_FONT)))
    rows = [row for line in lines for row in textwrap.wrap(printable(line, 1000), room)]
    return left_in(lines_block(rows, NOTE_FONT, "d-quiet", spacing=1.5), width)


def lines_block(
    lines: Sequence[str],
    font: float,
    class_: str | None = None,
    *,
    spacing: float = 1.4,
    top: float = 0.5,
    anchor: Anchor = "start",
) -> SvgBlock:
    """Return lines of text; `top` is the middle of the first one, in lines. How wide letters are is known
    about: what has to stand in the middle is anchored there.
    """
    width = max(map(columns_of, lines), default=0) * CHARACTER * font
    x = width / 2 if anchor == "middle" else 0
    drawn = [
        label(line, x, (row + top) * spacing * font, font, anchor, class_) for row, line in enumerate(lines)
    ]
    return SvgBlock(width, len(lines) * spacing * font, "".join(drawn))


def board_text_block(lines: Sequence[str], font: float) -> SvgBlock:
    """Return a board that is only text. Of a single line nothing has to stand below anything."""
    if len(lines) == 1:
        width = max(1.0, CHARACTER * columns_of(lines[0])) * font
        return SvgBlock(width, 1.4 * font, label(lines[0], width / 2, 0.98 * font, font))
    block = lines_block(lines, font, "d-mono", top=0.7)
    return SvgBlock(max(block.width, font), max(block.height, 1.4 * font), block.body)


def wrapped_block(text: str, room: float, font: float) -> SvgBlock:
    """Return words below a board, in lines that fit in `room`."""
    most = int(room / (CHARACTER * font))
    words = (word if len(word) <= most else word.replace(",", ", ") for word in text.split(" "))
    lines = textwrap.wrap(" ".join(words), most, break_on_hyphens=False)  # options part at their commas
    return lines_block(lines, font, "d-quiet", anchor="middle")


def sheet_svg(
    title: str,
    blocks: Sequence[SvgBlock],
    width: float,
    sentences: Sequence[str],
    words: Sequence[str],
    *,
    headed: bool,
) -> str:
    """Return a picture of blocks, its title above it if it is `headed`, `sentences` below; `words`
    describe it.
    """
    parts = [*blocks, text_block(sentences, width)] if sentences else [*blocks]
    if headed:
        parts.insert(0, SvgBlock(width, 22, label(title, 0, 10, 14, "start")))
    widest = max(block.width for block in parts)
    return document(stacked([left_in(block, widest) for block in parts]), title, "\n".join(words))


def line_block(text: str, font: float, room: float) -> SvgBlock:
    """Return a line of text at the left edge of a room."""
    block = lines_block([text], font)
    return left_in(block, max(room, block.width))


def table_of(blocks: Sequence[SvgBlock], across: int, gap: float, room: float = 0) -> SvgBlock:
    """Blocks of one size, row by row."""
    width, height = blocks[0].width + gap, max(block.height for block in blocks) + gap
    drawn = [
        moved(block.body, place % across * width, place // across * height)
        for place, block in enumerate(blocks)
    ]
    rows = -(-len(blocks) // across)
    return SvgBlock(max(room, min(across, len(blocks)) * width - gap), rows * height - gap, "".join(drawn))
