"""Settings of the documentation site, which `scripts/docs` builds (docs/decisions/0066)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

project = "damier"
author = copyright = "damier's developers"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
html_theme = "furo"
html_title = "damier"
html_show_sphinx = False
html_copy_source = False
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_maximum_signature_line_length = 80
default_role = "code"
# a list of names, as links from them would be ambiguous
napoleon_custom_sections = [("Attributes", "params_style")]
nitpicky = False
man_pages = [("docs/commands", "damier", "the laboratory for two-player games", author, 1)]
man_show_urls = False
today = "0.1.0"  # in the manual page, whose bytes do not follow the day

UNMEANT = re.compile(r"([|*]|_(?!\w))")
"""Signs that docstrings use as they are, and Sphinx as marks."""


def with_literals(lines: Sequence[str]) -> Iterator[str]:
    """Yield a docstring whose indented examples, after a line that ends in a colon, are literal."""
    for line, *following in zip(lines, [*lines[1:], ""], [*lines[2:], "", ""], strict=False):
        begins = (
            line.endswith(":")
            and not line.startswith(" ")
            and not following[0]
            and following[1][:4].isspace()
        )
        yield f"{line}:" if begins and following[1].strip() else line


def docstring(_app: Sphinx, _what: str, _name: str, _of: object, _options: object, lines: list[str]) -> None:
    """Give a docstring of damier the form that Sphinx reads."""
    lines[:] = [UNMEANT.sub(r"\\\1", line) for line in with_literals(lines)]


def unnamed(
    _app: Sphinx, _what: str, _name: str, member: object, _skip: bool, _options: object
) -> bool | None:
    """Leave out the fields of a named tuple, of which Python says only their numbers."""
    return (getattr(member, "__doc__", None) or "").startswith("Alias for field number") or None


def setup(app: Sphinx) -> None:
    """Join what Sphinx does not know: damier's docstrings, and sessions with a program as plain text."""
    app.connect("autodoc-process-docstring", docstring, priority=400)  # before napoleon, which writes marks
    app.connect("autodoc-skip-member", unnamed)
    app.add_lexer("transcript", TextLexer)
