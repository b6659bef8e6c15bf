"""The tree or the graph of a game's positions as a picture: a small board in every node, what it is
worth in colour and in signs, moves on the edges, those that keep the value thick (document [S1],
row A-35).
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from damier.core.board import Board, Grid
from damier.core.display import Displayed
from damier.core.game import Position
from damier.core.rules import CHANCE
from damier.core.solution import SIGNED, PayoffValue, Value
from damier.core.words import _, ngettext, printable
from damier.draw import svg
from damier.draw.background import ground
from damier.draw.board import Box, title_of
from damier.draw.layout import POST, NodePlace, NodeSize, Route, layered, layers_of, tidy
from damier.draw.pieces import bare_frame, pieces
from damier.draw.text import MARGIN, columns_of, grid_of, is_free, is_heaps, own_lines

DiagramKind: TypeAlias = Literal["complete", "truncated", "merged"]
"""complete   a position is drawn as often as lines of play lead to it
truncated  drawn with what follows only where it is met first, depth-first; "…" elsewhere
merged     drawn once
"""


class Edge(NamedTuple):
    """An edge from one node to another: the names of the moves, several where they lead to the
    same.
    """

    child: int
    moves: tuple[str, ...]


@dataclass
class Vertex:
    """A node: a position, the edges to those that follow, and what it is worth to the first player,
    where that is known.

    Attributes:
        payoff: its payoff to the first player, where that is more than a win, a draw or a loss
        repeated: drawn with what follows elsewhere: only "…" stands here
        cut: not the end of a game, but the last ply that was asked for
    """

    position: Position
    edges: list[Edge] = field(default_factory=list)
    value: Value | None = None
    repeated: bool = False
    cut: bool = False
    payoff: PayoffValue | None = None

    @property
    def sign(self) -> str:
        """The value in a few characters, nothing where it is not known."""
        return str(self.payoff) if self.payoff else SIGNED[self.value] if self.value else ""

    def as_good_as(self, other: Vertex) -> bool:
        """Return whether both are worth the same, as far as it is known."""
        if self.payoff and other.payoff:
            return abs(self.payoff.payoff - other.payoff.payoff) <= MARGIN
        return self.value is not None and self.value == other.value


@dataclass
class Diagram(Displayed):
    """The nodes, the first at number 0."""

    kind: DiagramKind
    vertices: list[Vertex]

    @property
    def children(self) -> list[list[int]]:
        """The numbers of the nodes that follow each node."""
        return [[edge.child for edge in vertex.edges] for vertex in self.vertices]


class DiagramShape(NamedTuple):
    """The size of a diagram, whether it can be drawn or not.

    Attributes:
        nodes: all that would be drawn, states + repeated
        leaves: nodes below which nothing is drawn
        states: different positions
        repeated: nodes whose position is met elsewhere before: in a truncated tree the "…"
    """

    nodes: int
    leaves: int
    edges: int
    states: int
    repeated: int


# Its picture.

LINES: dict[Value, str] = {"win": "good", "draw": "quiet", "loss": "bad"}
CELL, TALLEST, WIDEST = 18.0, 60.0, 120.0  # height of a cell, and of a board; width of a board
BROADEST, LINES_SHOWN = 32, 10  # characters and lines of a board that is only text
FONT, PAD = 9.0, 5.0
TREE_DROP, GRAPH_DROP, CROWDED = 38.0, 64.0, 96.0
LEVEL = 44.0
"""Depth of an edge within a layer, its bend left out."""
LONGEST = 14
"""Characters on an edge."""
COLUMN = (LONGEST + 6) * svg.CHARACTER * FONT
"""Wider than any label."""
ALONG = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78)
"""Parts of an edge where its label may lie, the best first."""


class GraphLine(NamedTuple):
    """An edge on its way from node to node."""

    source: Vertex
    edge: Edge
    target: Vertex
    route: Route

    @property
    def keeps(self) -> bool:
        """Return whether the moves keep the value."""
        return self.source.as_good_as(self.target)

    @property
    def text(self) -> str:
        """The moves, as many as there is room for."""
        text, more = printable(" ".join(self.edge.moves)), len(self.edge.moves) - 1
        return (
            text if len(text) <= LONGEST or not more else f"{printable(self.edge.moves[0], LONGEST)} +{more}"
        )


def graph_svg(diagram: Diagram, title: str = "") -> str:
    """The picture as SVG text."""
    blocks = [node_block(vertex) for vertex in diagram.vertices]
    sizes = [NodeSize(block.width, block.height) for block in blocks]
    places, routes = _placed(diagram, sizes)
    edges = [(vertex, edge) for vertex in diagram.vertices for edge in vertex.edges]
    lines = [
        GraphLine(vertex, edge, diagram.vertices[edge.child], route)
        for (vertex, edge), route in zip(edges, routes, strict=True)
    ]
    is_graph = diagram.kind == "merged"
    rights = [place.x + size.width / 2 for place, size in zip(places, sizes, strict=True)]
    rights += [x + POST / 2 for route in routes for x, _y in route]  # an edge may pass beside all nodes
    width = max(rights)
    height = max(place.y + size.height for place, size in zip(places, sizes, strict=True))
    stays = any(route[0][1] == route[-1][1] for route in routes)  # an edge within a layer
    height += LEVEL if stays else 0
    drawn = [_curve(line, arrow=is_graph) for line in lines]
    drawn += _labels(lines, near_the_end=not is_graph)
    drawn += [
        svg.moved(block.body, place.x - block.width / 2, place.y)
        for block, place in zip(blocks, places, strict=True)
    ]
    heading = title or title_of(diagram.vertices[0].position)
    picture = [
        _words(heading, 1.4 * FONT, width, "d-ink"),
        svg.SvgBlock(width, height, "".join(drawn)),
        _words(legend(diagram), FONT, width, "d-quiet"),
    ]
    return svg.document(svg.stacked(picture), heading, in_words(diagram))


def _placed(diagram: Diagram, sizes: Sequence[NodeSize]) -> tuple[list[NodePlace], list[Route]]:
    """Return where the nodes stand and the edges run."""
    pairs = [(above, edge.child) for above, vertex in enumerate(diagram.vertices) for edge in vertex.edges]
    if diagram.kind == "merged":
        layers = layers_of(diagram.children)
        # the more edges, the more room
        return layered(pairs, layers, sizes, drop=GRAPH_DROP + min(CROWDED, len(pairs) / (max(layers) + 1)))
    places = tidy(diagram.children, sizes, drop=TREE_DROP)
    return places, [
        ((places[above].x, places[above].y + sizes[above].height), (places[below].x, places[below].y))
        for above, below in pairs
    ]


def node_block(vertex: Vertex) -> svg.SvgBlock:
    """A node: its board, below it what it is worth to the first player and whose turn it is."""
    if vertex.repeated:
        board = svg.SvgBlock(3 * FONT, FONT, svg.label("…", 1.5 * FONT, 0.4 * FONT, 1.4 * FONT))
    else:
        board = svg.stacked([mini_board(vertex.position), _caption(vertex)], 4)
    width, height = board.width + 2 * PAD, board.height + 2 * PAD
    frame = svg.tag("rect", class_="d-paper", width=width, height=height, rx=5)
    frame += svg.tag(
        "rect",
        class_=f"d-line-{LINES[vertex.value] if vertex.value else 'quiet'}",
        width=width,
        height=height,
        rx=5,
        stroke_width=1.6,
    )
    more = (
        "".join(
            svg.tag("circle", class_="d-area-quiet", cx=width / 2, cy=height + 4 * dot, r=1.0)
            for dot in (1, 2, 3)
        )
        if vertex.cut
        else ""
    )
    body = svg.tag(
        "g", svg.tag("title", svg.escaped(words_of(vertex))), frame, svg.moved(board.body, PAD, PAD), more
    )
    return svg.SvgBlock(width, height + (14 if vertex.cut else 0), body)


def mini_board(position: Position) -> svg.SvgBlock:
    """A board as small as can still be read, without the names of its rows and columns."""
    grid = grid_of(position)
    if grid is None:
        return svg.board_text_block(
            [printable(line, BROADEST) for line in own_lines(position)[:LINES_SHOWN]], FONT
        )
    if is_heaps(grid):
        return _heaps(grid)
    across, down = grid.extent
    frame = bare_frame(grid, min(CELL, TALLEST / down, WIDEST / across))
    return svg.SvgBlock(frame.across, frame.down, ground(grid, frame) + pieces(grid, frame))


def words_of(vertex: Vertex) -> str:
    """A node in words."""
    lines = [title_of(vertex.position), " / ".join(own_lines(vertex.position))]
    if vertex.value:
        lines.append(_("worth {value} to player 1", value=vertex.sign))
    if vertex.repeated:
        lines.append(_("what follows is drawn elsewhere"))
    if vertex.cut:
        lines.append(_("what follows is not drawn"))
    return _("; ").join(lines)


def legend(diagram: Diagram) -> str:
    """Return what the signs mean, those that are there."""
    values = any(vertex.value for vertex in diagram.vertices)
    entries = (
        [
            _("what it is worth to player 1, if both play perfectly; thick: keeps the value")
            if any(vertex.payoff for vertex in diagram.vertices)
            else _(
                "+1 player 1 wins, 0 draw, −1 player 2 wins, if both play perfectly; thick: keeps the value"
            )
        ]
        if values
        else []
    )
    if any(vertex.repeated for vertex in diagram.vertices):
        entries.append(_("… is drawn elsewhere"))
    if any(vertex.cut for vertex in diagram.vertices):
        entries.append(_("three dots below: the game goes on"))
    return _("; ").join(entries)


def in_words(diagram: Diagram) -> str:
    """Return how many nodes and edges, and the first position, for those who do not see the picture."""
    edges = sum(len(vertex.edges) for vertex in diagram.vertices)
    return _(
        "{nodes}, {edges}. {first}",
        nodes=ngettext("{n} node", "{n} nodes", len(diagram.vertices)),
        edges=ngettext("{n} edge", "{n} edges", edges),
        first=words_of(diagram.vertices[0]),
    )


def whose_turn(position: Position) -> str:
    """Return who moves, or how the game ended, in few words."""
    payoffs = position.payoffs
    if payoffs is None:
        return _("chance") if position.mover == CHANCE else _("{n} to move", n=position.mover + 1)
    if sorted(payoffs) == [-1, 1]:
        return _("{n} has won", n=payoffs.index(1) + 1)
    return _("payoffs {payoffs}", payoffs=" ".join(map(str, payoffs))) if any(payoffs) else _("drawn")


def _caption(vertex: Vertex) -> svg.SvgBlock:
    """The value on its colour, and whose turn it is."""
    turn = whose_turn(vertex.position)
    sign, left = "", 0.0
    if vertex.value:
        left = (svg.BOLD * len(vertex.sign) + 0.7) * FONT
        sign = svg.tag(
            "rect",
            class_=f"d-{vertex.value}",
            x=0,
            y=0,
            width=left,
            height=1.4 * FONT,
            rx=0.5 * FONT,
            stroke_width=0.5,
        )
        sign += svg.label(vertex.sign, left / 2, 0.7 * FONT, FONT, class_="d-value")
        left += 0.4 * FONT
    return svg.SvgBlock(
        left + svg.CHARACTER * FONT * columns_of(turn),
        1.4 * FONT,
        sign + svg.label(turn, left, 0.7 * FONT, FONT, "start"),
    )


def _heaps(grid: Board) -> svg.SvgBlock:
    """Rows of matches, as long as they are, and how many."""
    counts = [sum(not is_free(piece) for piece in row) for row in grid.rows]
    longest = max([*counts, 1])
    rows = Grid(tuple(row[:longest] for row in grid.rows), grid.looks)
    size = min(CELL, 2 * WIDEST / longest)
    frame = bare_frame(rows, size)
    written = [
        svg.label(f"({count})", longest * size / 2 + 2, (row + 0.5) * size, FONT, "start")
        for row, count in enumerate(counts)
    ]
    room = svg.CHARACTER * FONT * max(len(f"({count})") for count in counts)
    return svg.SvgBlock(
        longest * size / 2 + 2 + room, len(counts) * size, pieces(rows, frame) + "".join(written)
    )


def _curve(line: GraphLine, *, arrow: bool) -> str:
    """An edge, straight up or down at every point of its route."""
    d = f"M{svg.number(line.route[0][0])} {svg.number(line.route[0][1])}"
    for (x, y), (to_x, to_y) in zip(line.route, line.route[1:], strict=False):
        between = (y + to_y) / 2 if y != to_y else y + LEVEL
        d += "C" + " ".join(map(svg.number, (x, between, to_x, between, to_x, to_y)))
    colour = LINES[line.target.value] if line.target.value else "quiet"
    drawn = svg.tag("path", class_=f"d-line-{colour}", d=d, stroke_width=2.4 if line.keeps else 1.0)
    if arrow:
        (x, y), before = line.route[-1], line.route[-2][1]
        back = -6.0 if y > before else 6.0
        points = svg.corners([(x, y), (x - 3, y + back), (x + 3, y + back)])
        drawn += svg.tag("polygon", class_=f"d-area-{colour}", points=points)
    return drawn


def _labels(lines: Sequence[GraphLine], *, near_the_end: bool) -> Iterator[str]:
    """The moves on their edges: in a tree above the node that they lead to, in a graph where they
    cover least of each other.
    """
    # by the gap between layers, and by the column of the picture: all others are out of reach
    placed: dict[tuple[float, int], list[Box]] = {}
    for line in lines:
        (x, y), (to_x, to_y) = line.route[0], line.route[1]
        width, height = svg.CHARACTER * FONT * columns_of(line.text) + 2, 1.1 * FONT
        spots = (
            [(to_x, to_y - 0.8 * FONT)]
            if near_the_end
            else [_along(x, y, to_x, to_y, part) for part in ALONG]
        )
        boxes = [Box(*spot, width, height) for spot in spots]
        gap = min(y, to_y)
        box = boxes[0] if near_the_end else min(boxes, key=lambda box: _covered(box, gap, placed))
        placed.setdefault((gap, int(box.x // COLUMN)), []).append(box)
        ground_ = svg.tag(
            "rect",
            class_="d-paper",
            x=box.x - width / 2,
            y=box.y - height / 2,
            width=width,
            height=height,
            fill_opacity=0.85,
        )
        yield ground_ + svg.label(line.text, box.x, box.y, FONT)


def _covered(box: Box, gap: float, placed: Mapping[tuple[float, int], Sequence[Box]]) -> float:
    """Return how much of the labels in a gap a label would cover."""
    column = int(box.x // COLUMN)
    return sum(
        box.overlap(other)
        for near in (column - 1, column, column + 1)
        for other in placed.get((gap, near), ())
    )


def _along(x: float, y: float, to_x: float, to_y: float, part: float) -> tuple[float, float]:
    """The point at a part of the way of `_curve`."""
    bend = part * part * (3 - 2 * part)
    if y == to_y:
        return x + (to_x - x) * bend, y + LEVEL * 3 * part * (1 - part)
    return x + (to_x - x) * bend, y + (to_y - y) * 1.5 * part * (1 - part) + (to_y - y) * part**3


def _words(text: str, size: float, room: float, class_: str) -> svg.SvgBlock:
    """Text in lines as wide as the picture, or a little wider than a narrow one."""
    lines = textwrap.wrap(printable(text), max(44, int(room / (svg.CHARACTER * size)))) if text else []
    return svg.lines_block(lines, size, class_, anchor="middle")


# The tree or the graph of a game's positions as DOT text, for those who have Graphviz: `dot -Tpdf
# FILE.dot -o FILE.pdf`.

COLOURS = {
    "win": svg.PALETTE["good"][0],
    "draw": svg.PALETTE["even"][0],
    "loss": svg.PALETTE["bad"][0],
    None: svg.PALETTE["quiet"][0],
}


def graph_dot(diagram: Diagram, title: str = "") -> str:
    """A `digraph` with the nodes and edges of a diagram: values in colour and in signs, moves on
    the edges.

    >>> from damier import load
    >>> diagram = Diagram("complete", [Vertex(load("nim:matches=2").position())])
    >>> print(graph_dot(diagram))  # doctest: +NORMALIZE_WHITESPACE
    digraph {
      label=""; labelloc=t; fontname=monospace
      node [shape=box, style=rounded, fontname=monospace]
      edge [fontname=monospace]
      n0 [label="2 ||\\n1 to move", color="#5b6672", tooltip="Nim: player 1 to move; 2 ||"]
    }
    """
    lines = [
        f"label={_quoted(title)}; labelloc=t; fontname=monospace",
        "node [shape=box, style=rounded, fontname=monospace]",
        "edge [fontname=monospace]",
    ]
    for node, vertex in enumerate(diagram.vertices):
        lines.append(
            f"n{node} [label={_text(vertex)}, color={_quoted(COLOURS[vertex.value])},"
            f" tooltip={_quoted(words_of(vertex))}]"
        )
        for edge in vertex.edges:
            keeps = vertex.as_good_as(diagram.vertices[edge.child])
            lines.append(
                f"n{node} -> n{edge.child}"
                f" [label={_quoted(' '.join(edge.moves))}{', penwidth=2.4' if keeps else ''}]"
            )
    return "\n".join(["digraph {", *(f"  {line}" for line in lines), "}"])


def _text(vertex: Vertex) -> str:
    """The label of a node: its board, its value, whose turn it is."""
    if vertex.repeated:
        return _quoted("…")
    value = f"{vertex.sign}  " if vertex.sign else ""
    return _quoted(
        *own_lines(vertex.position), value + whose_turn(vertex.position), *(["⋮"] if vertex.cut else [])
    )


def _quoted(*lines: str) -> str:
    """Lines as one string of DOT, which knows no escapes but these."""
    return (
        '"'
        + "\\n".join(printable(line, 10_000).replace("\\", "\\\\").replace('"', '\\"') for line in lines)
        + '"'
    )
