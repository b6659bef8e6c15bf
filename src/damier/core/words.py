"""Every sentence that a person reads goes through one catalogue (GNU gettext, domain `damier`).

`_` translates now; `N_` only marks a text that is translated where it is shown. Values are put in by name, so that a translator may move
them, and are shown escaped: no file and no user can send control characters to a terminal through a message.
"""

from __future__ import annotations

import gettext
import os
from pathlib import Path

LOCALE = Path(__file__).parent.parent / "locale"
_catalogue = gettext.translation("damier", LOCALE, fallback=True)


def _(text: str, /, **values: object) -> str:
    """The translation of `text`, its `{names}` replaced by `values`."""
    return _filled(_catalogue.gettext(text), values)


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """Like `_`, for a text that depends on a number: `{n}` is that number."""
    return _filled(_catalogue.ngettext(one, many, n), {"n": n, **values})


def N_(text: str) -> str:
    """Marks `text` for the catalogue and returns it as it is."""
    return text


def _filled(text: str, values: dict[str, object]) -> str:
    return text.format(**{name: printable(value) for name, value in values.items()}) if values else text


def printable(value: object, longest: int = 400) -> str:
    """`value` as text that is safe to show on one line: control characters are escaped, very long texts are cut.

    >>> printable("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    text = str(value)
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii") for c in text)
