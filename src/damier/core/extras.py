"""How packages that damier does without are installed: the extras of pyproject.toml."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Final

COPY: Final = Path(__file__).resolve().parents[3]
"""The copy of the project that runs here, where it runs from one."""
ENVIRONMENT, EXTRAS = ".venv", ("web", "plot")
"""The environment of `scripts/damier`, and what that has from the beginning."""


def installing(extra: str, copy: Path = COPY) -> str:
    """The command that adds an extra: `pip install 'damier[class]'`; where damier runs from a copy of the
    project, of that copy; where `scripts/damier` made the environment, by the script that made it.
    """
    if not (copy / "pyproject.toml").is_file():
        return shlex.join(["pip", "install", f"damier[{extra}]"])
    if Path(sys.prefix).resolve() == copy / ENVIRONMENT:
        extras = EXTRAS if extra in EXTRAS else (*EXTRAS, extra)
        return shlex.join([str(copy / "scripts" / "environment"), ENVIRONMENT, *extras])
    return shlex.join(["pip", "install", "-e", f"{copy}[{extra}]"])
