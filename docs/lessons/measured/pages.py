"""`scripts/lessons [PAGE…] [--check]`: writes the numbers and the pictures of the lessons, or says
which are not those that are measured.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from measured import (
    alphago,
    chinook,
    deep_blue,
    grade,
    history,
    matchboxes,
    mean,
    nim,
    q,
    search,
    state_space,
    v,
)
from measured.writing import Untrue

FOLDER = Path(__file__).resolve().parent.parent
MODULES: dict[str, tuple[ModuleType, ...]] = {
    "q": (q,),
    "v": (v,),
    "mean": (mean,),
    "matchboxes": (matchboxes, nim),
    "grade": (grade,),
    "state-space": (state_space,),
    "search": (search,),
    "chinook": (chinook,),
    "deep-blue": (deep_blue,),
    "alphago": (alphago,),
    "history": (history,),
}
"""The modules that measure each page: BLOCKS by the name of the mark in the page, PICTURES by the
name of the file.
"""
BLOCK = re.compile(r"(<!-- measured: ([a-z0-9-]+) -->\n).*?(<!-- /measured -->)", re.DOTALL)


def main(arguments: list[str] | None = None) -> int:
    """The command line of `scripts/lessons`; returns its exit code."""
    options = parser().parse_args(arguments)
    if unknown := [page for page in options.pages if page not in MODULES]:
        print(
            f"lessons: no page {', '.join(map(ascii, unknown))}; pages: {' '.join(MODULES)}", file=sys.stderr
        )
        return 2
    differ = []
    for page in options.pages or MODULES:
        begun = time.monotonic()
        try:
            files = measured(page)
        except Untrue as error:
            print(f"lessons: {page}: no longer true: {error}", file=sys.stderr)
            return 1
        changed = [
            path
            for path, text in files.items()
            if not path.exists() or path.read_text(encoding="utf-8") != text
        ]
        differ += changed
        if not options.check:
            for path in changed:
                path.write_text(files[path], encoding="utf-8")
        names = " ".join(path.name for path in changed) or "nothing"
        print(
            f"{page}: {time.monotonic() - begun:.0f} s, {names} {'differs' if options.check else 'written'}",
            file=sys.stderr,
        )
    return 1 if options.check and differ else 0


def parser() -> argparse.ArgumentParser:
    """What `scripts/lessons` understands."""
    made = argparse.ArgumentParser(
        prog="lessons", description="Measures what the lessons say, and writes it into docs/lessons."
    )
    made.add_argument("pages", nargs="*", metavar="PAGE", help=f"of {' '.join(MODULES)} (default: all)")
    made.add_argument(
        "--check", action="store_true", help="write nothing; exit code 1 where something differs"
    )
    return made


def measured(page: str) -> dict[Path, str]:
    """The files of a page as they are measured now. Raises Untrue."""
    path = FOLDER / f"{page}.md"
    blocks: dict[str, Callable[[], str]] = {}
    files: dict[Path, str] = {}
    for module in MODULES[page]:
        blocks |= module.BLOCKS
        files |= {FOLDER / name: draw() for name, draw in module.PICTURES.items()}
    text = path.read_text(encoding="utf-8")
    marked = [name for _begin, name, _end in BLOCK.findall(text)]
    if sorted(marked) != sorted(blocks):
        raise Untrue(
            f"{path.name} has a mark for each of {', '.join(sorted(blocks))}, not {', '.join(marked)}"
        )
    files[path] = BLOCK.sub(lambda found: f"{found[1]}\n{blocks[found[2]]()}\n\n{found[3]}", text)
    return files
