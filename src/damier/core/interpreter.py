"""How another process of Python is started: with damier and what it needs, whatever folder somebody
happens to stand in.
"""

from __future__ import annotations

import sys


def python(*words: str) -> list[str]:
    """The command line of this Python with some `words`.

    With `-m` and `-c` alone Python looks for modules in the current folder first: a file
    `jinja2.py` among the downloads from where a lab is started would run in every worker. `-P`
    leaves that folder out.
    """
    return [sys.executable, "-P", *words]
