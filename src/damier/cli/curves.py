"""Learning curves as pictures in files; what they are made of is in `damier.lab.curves`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from damier.draw.curve import Series, curve_svg
from damier.draw.export import write_picture
from damier.lab.curves import mean_payoff, of_training, point, rates_in_words, series, title_of

__all__ = ["mean_payoff", "of_training", "point", "rates_in_words", "series", "title_of", "write_curve"]


def write_curve(curves: Sequence[Series], path: Path, title: str = "") -> None:
    """Writes a picture of curves to a .svg, .png or .pdf file. Raises BadInput."""
    write_picture(curve_svg(curves, title), path)
