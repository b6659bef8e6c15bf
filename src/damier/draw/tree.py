"""A tree as a picture: who moves, values, windows [α, β], the best moves thick, what was cut off
broken and crossed out.
"""

from __future__ import annotations

from collections.abc import Callable

from damier.core.errors import LimitReached
from damier.core.rules import CHANCE
from damier.core.tree import Mark, Scene, written_value
from damier.core.words import _, interval, message, printable
from damier.draw import svg
from damier.draw.layout import NodeSize, tidy
from damier.draw.text import columns_of

FONT, SMALL = 14.0, 10.5
PAD, SIGN = 7.0, 13.0
DROP = 46.0
"""From the foot of a node to the head of those below it."""
ALONG = 0.8
"""Part of a branch at which the name of its move stands."""
LARGEST = 60_000.0
"""The widest and highest picture, in its own units: more than that no program shows."""
NAME = 16
"""The longest name in a node."""


def tree_svg(
    scene: Scene,
    title: str,
    note: str = "",
    like: Scene | None = None,
    below: svg.SvgBlock | None = None,
    *,
    headed: bool = True,
) -> str:
    """A tree at one moment as SVG text; `below` it another block, then the lines of `note`; above it its
    title, unless that stands elsewhere.

    Each node stands where it would in `like`, another moment of the same tree, so that a series of
    pictures keeps still. Raises LimitReached, with its size, for a tree that is too large to be
    looked at.
    """
    drawn = tree_block(scene, scene if like is None else like)
    lines = [
        legend(scene if like is None else like),
        *([scene.sentence] if scene.sentence and scene.here >= 0 else []),
        *note.split("\n"),
    ]
    text = svg.text_block([line for line in lines if line], max(drawn.width, svg.LEAST))
    heading = svg.SvgBlock(
        columns_of(title) * svg.CHARACTER * FONT,
        1.6 * FONT,
        svg.label(printable(title, 200), 0, 0.7 * FONT, FONT, "start"),
    )
    between = [below] if below else []
    above = [heading] if headed else []
    width = max(block.width for block in (drawn, text, *above, *between))
    beside = [svg.left_in(block, width) for block in (*between, text)]
    body = svg.stacked([*(svg.left_in(block, width) for block in above), drawn, *beside])
    return svg.document(body, printable(title, 200), "\n".join(tree_lines(scene)))


def tree_block(scene: Scene, like: Scene) -> svg.SvgBlock:
    """Only the tree, its nodes standing where they do in `like`. Raises LimitReached."""
    boxes = node_boxes(scene)
    others = boxes if like is scene else node_boxes(like)
    names = [printable(scene.move_label(place), NAME) for place in range(len(scene.places))]
    sizes = [
        NodeSize(
            max(box.width, other.width, columns_of(name) * svg.CHARACTER * SMALL / ALONG + 4),
            max(box.height, other.height),
        )
        for box, other, name in zip(boxes, others, names, strict=True)
    ]
    at = tidy(scene.children(), sizes, drop=DROP)
    width = max(place.x + size.width / 2 for place, size in zip(at, sizes, strict=True))
    height = max(place.y + size.height for place, size in zip(at, sizes, strict=True))
    if width > LARGEST or height > LARGEST:
        size = f"{svg.number(round(width))} × {svg.number(round(height))}"
        raise LimitReached(
            message(
                "the picture would be {size} wide and high; up to {most} is drawn: give fewer --plies",
                size=size,
                most=svg.number(LARGEST),
            )
        )
    branches, labels = [], []
    for place, (_node, above, _move, _ply) in enumerate(scene.places):
        if above >= 0 and scene.marks[place].known != "hidden":
            start = (at[above].x, at[above].y + boxes[above].height)
            branches.append(branch(scene, place, start, at[place]))
            drawn = move_label(names[place], start, at[place], cut=scene.marks[place].known == "cut")
            labels.append(
                svg.tag("g", drawn, data_label=branch_name(scene, place))
                if is_answerable(scene, above)
                else drawn
            )
    answerable = any(is_answerable(scene, place) for place in range(len(scene.places)))
    nodes = [
        numbered(svg.moved(box.body, at[place].x - box.width / 2, at[place].y), place if answerable else None)
        for place, box in enumerate(boxes)
        if scene.marks[place].known != "hidden"
    ]
    return svg.SvgBlock(width, height, "".join((*branches, *labels, *nodes)))


def numbered(body: str, place: int | None) -> str:
    """A node with the number of its place, where a reader may cut what is above it."""
    return body if place is None else svg.tag("g", body, data_place=place)


def is_answerable(scene: Scene, place: int) -> bool:
    """Return whether the branches of a place are a reader's to choose."""
    return scene.marks[place].known in ("blank", "unseen") and scene.roles[place] is not None


def node_boxes(scene: Scene) -> list[svg.SvgBlock]:
    return [node_box(scene, place) for place in range(len(scene.places))]


def branch(scene: Scene, place: int, start: tuple[float, float], end: tuple[float, float]) -> str:
    """The line to a node: thick for a best move, broken and crossed out where nobody went."""
    d = f"M{svg.number(start[0])} {svg.number(start[1])}L{svg.number(end[0])} {svg.number(end[1])}"
    if scene.marks[place].known != "cut":
        thick, above = place in scene.thick, scene.places[place].above
        return svg.tag(
            "path",
            class_="d-line-ink" if thick else "d-line-quiet",
            d=d,
            stroke_width=3.2 if thick else 1.2,
            data_branch=branch_name(scene, place) if is_answerable(scene, above) else None,
            data_from=above if is_answerable(scene, above) else None,
            data_to=place if is_answerable(scene, above) else None,
        )
    line = svg.tag("path", class_="d-line-quiet", d=d, stroke_width=1.1, stroke_dasharray="4 3")
    first = scene.marks[scene.places[place].above].known != "cut"
    return line + (cross(between(start, end, 0.36)) if first else "")


def branch_name(scene: Scene, place: int) -> str:
    """Return what the branch to a place is called where a reader chooses it: NODE/MOVE."""
    above = scene.places[scene.places[place].above]
    return f"{scene.tree.nodes[above.node].name}/{scene.move_name(place)}"


def cross(at: tuple[float, float]) -> str:
    x, y, r = *at, 4.5
    d = svg.polyline([(x - r, y - r), (x + r, y + r)]) + svg.polyline([(x - r, y + r), (x + r, y - r)])
    return svg.tag("path", class_="d-line-bad", d=d, stroke_width=2.4)


def between(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def move_label(name: str, start: tuple[float, float], end: tuple[float, float], *, cut: bool) -> str:
    """The name of a move on its branch."""
    x, _y = between(start, end, ALONG)
    y = end[1] - 0.3 * DROP
    width = columns_of(name) * svg.CHARACTER * SMALL
    ground = svg.tag(
        "rect", class_="d-paper", x=x - width / 2 - 1, y=y - 0.6 * SMALL, width=width + 2, height=1.2 * SMALL
    )
    return ground + svg.label(name, x, y, SMALL, "middle", "d-quiet" if cut else None)


def node_box(scene: Scene, place: int) -> svg.SvgBlock:
    """A node: who moves and its name, its value, its window."""
    mark, name = scene.marks[place], printable(scene.node_name(place), NAME)
    role = scene.roles[place]
    value, window = (
        value_text(mark, end=role is None),
        (window_text(mark) if mark.window and role is not None else ""),
    )
    sign_room = SIGN + 4 if role is not None else 0.0
    head = sign_room + columns_of(name) * svg.CHARACTER * SMALL
    blank = svg.BOX if role != "best" else max(svg.BOX, 30.0 * scene.tree.players)
    value_width = blank if mark.known == "blank" else columns_of(value) * svg.BOLD * FONT
    width = max(SIGN, head, value_width, columns_of(window) * svg.CHARACTER * SMALL) + 2 * PAD
    rows, y = [], PAD - 2
    if name or role is not None:
        rows += [
            svg.moved(sign(scene, place), (width - head) / 2, y) if role is not None else "",
            svg.label(name, (width - head) / 2 + sign_room, y + SIGN / 2, SMALL, "start", "d-quiet"),
        ]
        y += SIGN + 3
    if mark.known == "blank":
        key = f"value:{scene.tree.nodes[scene.places[place].node].name}"
        rows.append(svg.answer_box(key, (width - value_width) / 2, y, value_width))
        y += svg.BOX_HEIGHT
    elif value:
        class_ = "d-quiet" if mark.known in ("cut", "unseen") else None
        rows.append(
            svg.tag(
                "g", svg.label(value, width / 2, y + 0.6 * FONT, FONT, "middle", class_), font_weight="bold"
            )
        )
        y += 1.25 * FONT
    if window:
        rows.append(svg.label(window, width / 2, y + 0.6 * SMALL, SMALL, "middle", "d-quiet"))
        y += 1.4 * SMALL
    height = max(y + PAD - 3, 1.5 * FONT)
    return svg.SvgBlock(width, height, frame(mark, width, height, here=place == scene.here) + "".join(rows))


def frame(mark: Mark, width: float, height: float, *, here: bool) -> str:
    """The outline of a node."""
    dashes = "4 3" if mark.known == "cut" else None
    drawn = svg.tag("rect", class_="d-cell", width=width, height=height, rx=5, stroke_dasharray=dashes)
    return drawn + (
        svg.tag("rect", class_="d-ring", x=-3, y=-3, width=width + 6, height=height + 6, rx=7, stroke_width=3)
        if here
        else ""
    )


def value_text(mark: Mark, *, end: bool) -> str:
    """Return what stands in a node for its value."""
    if mark.note:
        return mark.note
    if mark.known == "done":
        return written_value(mark.value) if mark.sign == "=" else f"{mark.sign} {written_value(mark.value)}"
    if mark.known == "open":
        return f"{written_value(mark.value)} …" if mark.value is not None and not end else "…"
    # a leaf that is told before it is read
    return written_value(mark.value) if end and mark.value is not None else ""


def sign(scene: Scene, place: int) -> str:
    """Return who moves: a triangle up for MAX, down for MIN, a disc for chance, a number for one of several
    players.
    """
    role, mover, s = scene.roles[place], scene.movers[place], SIGN
    several = scene.tree.players > 2 and mover > 0
    if role == "max":
        return svg.tag(
            "polygon",
            class_="d-area-good",
            points=f"{svg.number(s / 2)},0 {svg.number(s)},{svg.number(s)} 0,{svg.number(s)}",
        )
    if role == "min":
        drawn = svg.tag(
            "polygon",
            class_="d-area-bad",
            points=f"0,0 {svg.number(s)},0 {svg.number(s / 2)},{svg.number(s)}",
        )
    elif role == "mean" or mover == CHANCE:
        drawn = svg.tag("circle", class_="d-area-quiet", cx=s / 2, cy=s / 2, r=s / 2)
    else:
        drawn, several = svg.tag("circle", class_="d-area-ring", cx=s / 2, cy=s / 2, r=s / 2), True
    return drawn + (
        svg.label(str(mover + 1), s / 2, s * (0.36 if role == "min" else 0.5), 8.5, "middle", "d-value")
        if several and mover != CHANCE
        else ""
    )


# A tree as lines of text: who moves, what each node is worth, what was never looked at.

SYMBOLS = {"max": "▲", "min": "▼", "mean": "●", "best": "#", None: "•"}
HERE, CUT = "▶", "✕"


def tree_lines(scene: Scene, visible: Callable[[int], bool] = lambda place: True) -> list[str]:
    """The tree, one line a node; what is below a node that is not visible, or that was cut off, is
    left out.
    """
    below = scene.children()
    lines: list[str] = []
    todo = [(0, "", "")]
    while todo:
        place, before, inner = todo.pop()
        lines.append((HERE if place == scene.here else " ") + before + node_text(scene, place))
        shown_below = [
            child for child in below[place] if visible(child) and scene.marks[child].known != "hidden"
        ]
        if scene.marks[place].known == "cut" or not shown_below:
            continue
        rows = []
        for child in shown_below:
            last = child == shown_below[-1]
            rows.append(
                (child, inner + branch_text(scene, child, last), inner + ("    " if last else "│   "))
            )
        todo += reversed(rows)
    return lines


def branch_text(scene: Scene, place: int, last: bool) -> str:
    """The line that leads to a place: thick for the best move, broken where nobody went."""
    if scene.marks[place].known == "cut":
        return ("└╌" if last else "├╌") + CUT + " "
    if place in scene.thick:
        return ("┗━━" if last else "┣━━") + " "
    return ("└──" if last else "├──") + " "


def node_text(scene: Scene, place: int) -> str:
    """A node: the move that leads there, who moves on, its name, what is known of it."""
    move, name, mark = scene.move_label(place), scene.node_name(place), scene.marks[place]
    words = [printable(move, 60) + " →"] if move else []
    if scene.roles[place] is not None:
        words.append(symbol_text(scene, place))
    words += [printable(name, 60)] if name else []
    return " ".join(
        [
            *words,
            *known_text(mark),
            *([window_text(mark)] if mark.window and scene.roles[place] is not None else []),
        ]
    )


def symbol_text(scene: Scene, place: int) -> str:
    """Return who moves, with a number where the symbol does not tell it."""
    role, mover = scene.roles[place], scene.movers[place]
    numbered = mover != CHANCE and (role == "best" or (scene.tree.players > 2 and mover > 0))
    return SYMBOLS[role] + (str(mover + 1) if numbered else "")


def known_text(mark: Mark) -> list[str]:
    """Return what is known of a node."""
    if mark.note:
        return [f"= {mark.note}"]
    if mark.known == "cut":
        return [_("(not looked at)")]
    if mark.known == "unseen":
        return []
    if mark.known == "blank":
        return ["= …"]
    if mark.known == "done":
        return [f"{mark.sign} {written_value(mark.value)}"]
    return [_("{value} so far", value=written_value(mark.value)) if mark.value is not None else "…"]


def window_text(mark: Mark) -> str:
    """The window that a node is searched with."""
    assert mark.window is not None
    low, high = map(written_value, mark.window)
    return window_in_words(low, high)


def window_in_words(low: str, high: str) -> str:
    """Return a window as it is written."""
    return f"[{interval(low, high)}]"


def legend(scene: Scene) -> str:
    """Return what the signs mean, as far as they occur."""
    if scene.legend:
        return scene.legend
    roles, known_ = set(scene.roles), {mark.known for mark in scene.marks}
    words = {
        "max": "▲ MAX",
        "min": "▼ MIN",
        "mean": _("● chance"),
        "best": _("by number: the player who moves"),
    }
    entries = [text for role, text in words.items() if role in roles]
    if scene.thick:
        entries.append(_("thick: the best move"))
    if "cut" in known_:
        entries.append(_("{sign}: cut", sign=CUT))
    if any(mark.window for mark in scene.marks):
        entries.append(window_in_words("α", "β"))
    return "   ".join(entries)
