"""`scripts/lessons [PAGE…] [--check] [--french]`: writes the numbers and the pictures of the lessons, in
both languages, or says which are not those that are measured.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from damier.core.words import speaking
from measured import (
    alphago,
    chinook,
    deep_blue,
    grade,
    history,
    matchboxes,
    mean,
    networks,
    nim,
    q,
    search,
    state_space,
    v,
)
from measured.french import french
from measured.writing import Untrue

FOLDER = Path(__file__).resolve().parent.parent
FRENCH = FOLDER / "fr"
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
    "networks": (networks,),
}
"""The modules that measure each page: BLOCKS by the name of the mark in the page, PICTURES by the
name of the file.
"""
BLOCK = re.compile(r"(<!-- measured: ([a-z0-9-]+) -->\n)(.*?)(<!-- /measured -->)", re.DOTALL)


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
            files = in_french(page) if options.french else measured(page)
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
        names = " ".join(path.relative_to(FOLDER).as_posix() for path in changed) or "nothing"
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
    made.add_argument(
        "--french",
        action="store_true",
        help="measure nothing: only what the English pages say, in the French ones",
    )
    return made


def measured(page: str) -> dict[Path, str]:
    """The files of a page as they are measured now, in both languages. Raises Untrue."""
    blocks: dict[str, Callable[[], str]] = {}
    files: dict[Path, str] = {}
    for module in MODULES[page]:
        blocks |= module.BLOCKS
        files |= {FOLDER / name: draw() for name, draw in module.PICTURES.items()}
        with speaking("fr"):
            files |= {FRENCH / name: draw() for name, draw in module.PICTURES.items()}
    found = {name: block() for name, block in blocks.items()}
    english = FOLDER / f"{page}.md"
    return files | {english: filled(english, found)} | translated(page, found)


def in_french(page: str) -> dict[Path, str]:
    """The French page with what the English one says. Raises Untrue."""
    english = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    return translated(page, {name: text.strip() for _begin, name, text, _end in BLOCK.findall(english)})


def translated(page: str, found: dict[str, str]) -> dict[Path, str]:
    """The French page with what was measured, said in French. Raises Untrue."""
    path = FRENCH / f"{page}.md"
    return {path: filled(path, {name: french(text) for name, text in found.items()})}


def filled(path: Path, blocks: dict[str, str]) -> str:
    """A page with the blocks in their places. Raises Untrue where it has other marks."""
    text = path.read_text(encoding="utf-8")
    marked = [name for _begin, name, _text, _end in BLOCK.findall(text)]
    if sorted(marked) != sorted(blocks):
        raise Untrue(
            f"{path.name} has a mark for each of {', '.join(sorted(blocks))}, not {', '.join(marked)}"
        )
    return BLOCK.sub(lambda found: f"{found[1]}\n{blocks[found[2]]}\n\n{found[4]}", text)
