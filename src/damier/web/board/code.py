"""The address of a table as a code that a phone reads (QR, ISO/IEC 18004), drawn by segno
(docs/decisions/0057).
"""

from __future__ import annotations

import segno
from markupsafe import Markup

from damier.core.words import _


def code_picture(link: str) -> Markup:
    """The code as SVG: dark on light in every theme, with the quiet edge that readers need."""
    code = segno.make(link, micro=False)
    drawn: str = code.svg_inline(
        scale=4,
        border=4,
        dark="#000",
        light="#fff",
        svgclass="code",
        lineclass=None,
        omitsize=True,
        title=_("The address of this table as a QR code"),
    )
    return Markup(drawn.replace("<svg ", '<svg role="img" ', 1))
