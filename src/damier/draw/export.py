"""Pictures to files: SVG as it is; PNG and PDF by vl-convert, which draws what SVG says (docs/decisions/0013)."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from damier.core.errors import BadInput
from damier.core.files import replacing, require_place, write_text
from damier.core.words import _

SUFFIXES = (".svg", ".png", ".pdf")
SCALE = 2.0
"""Pixels of a PNG for one unit of the picture: sharp on a screen and on a slide."""


def require_picture(path: Path) -> None:
    """Raises BadInput where no picture can be written: before long work whose result is to be drawn."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise BadInput(_("{path}: the name of a picture ends in {suffixes}", path=path, suffixes=" ".join(SUFFIXES)))
    require_place(path)
    if suffix != ".svg":
        converter(path)
    if suffix == ".pdf":
        from damier.draw.pdf import joiner

        joiner(path)


def write_picture(svg: str, path: Path) -> None:
    """Writes a picture, given as SVG text, in the format that the name of the file ends in. Raises BadInput."""
    require_picture(path)
    suffix = path.suffix.lower()
    if suffix == ".svg":
        write_text(path, svg)
    elif suffix == ".pdf":
        from damier.draw.pdf import write_pages

        write_pages([svg], path)
    else:
        drawn = converter(path).svg_to_png(svg, scale=SCALE)
        with replacing(path) as stream:
            stream.write(drawn)


def converter(path: Path) -> ModuleType:
    """The library that draws SVG. Raises BadInput where it is not installed."""
    try:
        import vl_convert
    except ImportError as error:
        raise BadInput(_("{path}: PNG and PDF need one more package: pip install 'damier[plot]'; .svg needs none", path=path)) from error
    return vl_convert
