"""Pages of SVG as one PDF without dates, equal bytes for equal pages (docs/decisions/0014)."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from damier.core.files import replacing
from damier.draw.plot import drawn, joiner

if TYPE_CHECKING:
    from pypdf import PageObject


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
