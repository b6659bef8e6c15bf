"""The tree or the graph of a game's positions as DOT text, for those who have Graphviz: `dot -Tpdf
FILE.dot -o FILE.pdf`.
"""

from __future__ import annotations

from damier.core.diagram import Diagram, Vertex
from damier.core.words import printable
from damier.draw.graph import whose_turn, words_of
from damier.draw.svg import PALETTE
from damier.draw.text import own_lines

COLOURS = {
    "win": PALETTE["good"][0],
    "draw": PALETTE["even"][0],
    "loss": PALETTE["bad"][0],
    None: PALETTE["quiet"][0],
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
      n0 [label="2 ||\\n1 to move", color="#5b6672",
          tooltip="nim:matches=2,take=3,misere=true: player 1 to move; 2 ||"]
    }
    """
    lines = [
        f"label={_quoted(title)}; labelloc=t; fontname=monospace",
        "node [shape=box, style=rounded, fontname=monospace]",
        "edge [fontname=monospace]",
    ]
    for number, vertex in enumerate(diagram.vertices):
        lines.append(
            f"n{number} [label={_text(vertex)}, color={_quoted(COLOURS[vertex.value])},"
            f" tooltip={_quoted(words_of(vertex))}]"
        )
        for edge in vertex.edges:
            keeps = vertex.as_good_as(diagram.vertices[edge.child])
            lines.append(
                f"n{number} -> n{edge.child}"
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
