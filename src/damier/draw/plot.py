"""The packages of the extra `plot`, imported only when a picture needs them."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from damier.core.errors import BadInput
from damier.core.words import _


def converter(path: Path) -> ModuleType:
    """The library that draws SVG. Raises BadInput where it is not installed."""
    try:
        import vl_convert
    except ImportError as error:
        raise BadInput(_("{path}: PNG and PDF need one more package: pip install 'damier[plot]'; .svg needs none", path=path)) from error
    return vl_convert


def joiner(path: Path) -> ModuleType:
    """The library that joins pages. Raises BadInput where it is not installed."""
    try:
        import pypdf
    except ImportError as error:
        raise BadInput(_("{path}: a PDF of several pages needs two more packages: pip install 'damier[plot]'; .svg needs none", path=path)) from error
    return pypdf
