"""A large picture is drawn in a process of its own: the same bytes, and a fault there is one here."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from damier.draw import picture_files

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect x="5" y="5" width="50" height="30"'
    ' fill="#246"/></svg>'
)


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_the_bytes_are_the_same(monkeypatch: pytest.MonkeyPatch, kind: Literal["png", "pdf"]) -> None:
    pytest.importorskip("vl_convert")
    here = picture_files.drawn(SVG, kind, Path("x"), 2.0)
    monkeypatch.setattr(picture_files, "LARGE", 0)
    assert picture_files.drawn(SVG, kind, Path("x"), 2.0) == here


def test_a_fault_there_is_one_here(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("vl_convert")
    monkeypatch.setattr(picture_files, "LARGE", 0)
    with pytest.raises((RuntimeError, ValueError)):
        picture_files.drawn("<no picture", "png", Path("x"))
