"""The packages of the extra `plot`, imported only when a picture needs them."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import ModuleType
from typing import Literal

from damier.core.errors import BadInput
from damier.core.extras import installing
from damier.core.interpreter import python
from damier.core.words import message
from damier.draw.fonts import in_shipped_font


def converter(path: Path) -> ModuleType:
    """The library that draws SVG. Raises BadInput where it is not installed."""
    try:
        import vl_convert
    except ImportError as error:
        raise BadInput(
            message(
                "{path}: PNG and PDF need one more package: {command}; .svg needs none",
                path=path,
                command=installing("plot"),
            )
        ) from error
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
    try:
        import pypdf
    except ImportError as error:
        raise BadInput(
            message(
                "{path}: a PDF of several pages needs two more packages: {command}; .svg needs none",
                path=path,
                command=installing("plot"),
            )
        ) from error
    return pypdf
