"""Pictures to files: SVG as it is; PNG and PDF by vl-convert, which draws what SVG says
(docs/decisions/0013).
"""

from __future__ import annotations

from pathlib import Path

from damier.core.errors import BadInput
from damier.core.files import replacing, require_place, write_text
from damier.core.words import message
from damier.draw.pdf import write_pages
from damier.draw.plot import converter, drawn, joiner

SUFFIXES = (".svg", ".png", ".pdf")
SCALE = 2.0
"""Pixels of a PNG for one unit of the picture: sharp on a screen and on a slide."""


def require_picture(path: Path) -> None:
    """Raises BadInput where no picture can be written: before long work whose result is to be
    drawn.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise BadInput(
            message(
                "{path}: the name of a picture ends in {suffixes}", path=path, suffixes=" ".join(SUFFIXES)
            )
        )
    require_place(path)
    if suffix != ".svg":
        converter(path)
    if suffix == ".pdf":
        joiner(path)


def write_picture(svg: str, path: Path) -> None:
    """Writes a picture, given as SVG text, in the format that the name of the file ends in.

    Raises BadInput.
    """
    require_picture(path)
    suffix = path.suffix.lower()
    if suffix == ".svg":
        write_text(path, svg)
    elif suffix == ".pdf":
        write_pages([svg], path)
    else:
        png = drawn(svg, "png", path, SCALE)
        with replacing(path) as stream:
            stream.write(png)
