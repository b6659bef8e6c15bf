"""The packages of the extra `plot`, imported only when a picture needs them."""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Literal

from damier.core.data_files import is_data, require_data
from damier.core.files import make_place, replacing, write_bytes, write_text
from damier.core.runtime import needing, python
from damier.core.words import N_
from damier.draw.svg import CHARACTER, MONO, SANS, escaped, number

if TYPE_CHECKING:
    from pypdf import PageObject


def converter(path: Path) -> ModuleType:
    """The library that draws SVG. Raises BadInput where it is not installed."""
    with needing(
        "plot", N_("{path}: PNG and PDF need one more package: {command}; .svg needs none"), path=path
    ):
        import vl_convert
    return vl_convert


LARGE = 100_000
"""Characters of SVG that take some 0.1 s to draw."""
IN_A_PROCESS = """
import sys, vl_convert
kind, scale = sys.argv[1:]
svg = sys.stdin.buffer.read().decode()
made = vl_convert.svg_to_pdf(svg) if kind == "pdf" else vl_convert.svg_to_png(svg, scale=float(scale))
sys.stdout.buffer.write(made)
"""


def drawn(svg: str, kind: Literal["png", "pdf"], path: Path, scale: float = 1.0) -> bytes:
    """A picture, given as SVG text, as the bytes of a PNG or a PDF.

    Raises BadInput where vl-convert is not installed.

    While it draws, no other thread runs and no signal is seen: a large picture is drawn in a
    process of its own, which Ctrl-C ends.
    """
    convert, svg = converter(path), in_shipped_font(svg)
    if len(svg) < LARGE:
        return bytes(convert.svg_to_pdf(svg) if kind == "pdf" else convert.svg_to_png(svg, scale=scale))
    line = python("-c", IN_A_PROCESS, kind, repr(scale))
    done = subprocess.run(line, input=svg.encode(), capture_output=True, check=False, start_new_session=True)
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace").strip().splitlines()[-1:])
    return done.stdout


def joiner(path: Path) -> ModuleType:
    """The library that joins pages. Raises BadInput where it is not installed."""
    sentence = N_("{path}: a PDF of several pages needs two more packages: {command}; .svg needs none")
    with needing("plot", sentence, path=path):
        import pypdf
    return pypdf


# The font of PNG and PDF: one that the converter brings along, so that a picture has the same
# bytes whatever fonts a machine has (docs/decisions/0013).
#
# It has no sister of one width, so a board that is written as text gets a place for each of its
# characters.

SHIPPED = '"Liberation Sans"'
STAND_INS = str.maketrans("✕✗✓▶⁻⁰₀₁₂₃₄₅₆₇₈₉", "××√►¯º0123456789")
"""Signs that it lacks, and what is drawn for them."""
NARROWED = 0.7
"""Size of the signs of such a line, for one unit of what a font of one width would have: a W then
is as wide as its place.
"""
LINE = re.compile(
    r'<text class="d-mono" x="([-\d.]+)" y="([-\d.]+)" font-size="([-\d.]+)"'
    r' text-anchor="start">([^<]*)</text>'
)


def in_shipped_font(svg: str) -> str:
    """The picture in the font that the converter has everywhere."""
    return LINE.sub(_placed, svg).replace(SANS, SHIPPED).replace(MONO, SHIPPED).translate(STAND_INS)


def _placed(line: re.Match[str]) -> str:
    """A line of text whose characters stand below one another in every line, as in a font of one
    width.
    """
    text, size = unescape(line[4]), float(line[3])
    width = CHARACTER * size
    places = " ".join(number(float(line[1]) + (place + 0.5) * width) for place in range(len(text)))
    return (
        f'<text class="d-mono" x="{places}" y="{line[2]}" font-size="{number(NARROWED * size)}"'
        f' text-anchor="middle">{escaped(text)}</text>'
    )


# Pages of SVG as one PDF without dates, equal bytes for equal pages (docs/decisions/0013).


def write_pages(pages: Iterable[str], path: Path) -> None:
    """Writes pages, given as SVG text, to one file. Raises BadInput."""
    pypdf = joiner(path)
    joined = pypdf.PdfWriter()
    for svg in pages:
        page = pypdf.PdfReader(io.BytesIO(drawn(svg, "pdf", path))).pages[0]
        put_resources_in_order(page)
        joined.add_page(page)
    joined.compress_identical_objects()
    with replacing(path) as stream:
        joined.write(stream)


def put_resources_in_order(page: PageObject) -> None:
    """vl-convert lists the fonts and other resources of a page in the order of a hash table, which
    differs from run to run.
    """
    from pypdf.generic import DictionaryObject

    resources = page["/Resources"]
    assert isinstance(resources, DictionaryObject)
    kinds = (kind.get_object() for kind in resources.values())
    for named in (kind for kind in kinds if isinstance(kind, DictionaryObject)):
        for name in sorted(named):
            value = named.raw_get(name)
            del named[name]
            named[name] = value


# Pictures to files: SVG as it is; PNG and PDF by vl-convert, which draws what SVG says
# (docs/decisions/0013).

SUFFIXES = (".svg", ".png", ".pdf")
SCALE = 2.0
"""Pixels of a PNG for one unit of the picture: sharp on a screen and on a slide."""


def require_picture(path: Path, *others: str) -> None:
    """Raises BadInput where no picture can be written, nor a file with another ending, of a table too: before
    long work whose result is to be drawn.
    """
    make_place(path, (*SUFFIXES, *others))
    suffix = path.suffix.lower()
    if suffix in (".png", ".pdf"):
        converter(path)
    if suffix == ".pdf":
        joiner(path)
    if is_data(path):
        require_data(path)


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
        write_bytes(path, drawn(svg, "png", path, SCALE))
