"""Starter kits: what a document's handout describes, with the parts to be written left open.

    kits/DOCUMENT/LANGUAGE/          the files of a kit, in a programming language; kit.toml is about it
    kits/DOCUMENT/RULES.fr.md.kit    names, arguments and numbers, for kits of all programming languages

A file is called as it will be, with `.kit` behind it, so that nobody takes it for one of damier's own
sources. `README.fr.md.kit` is written for readers of French only, as `README.md`; so is, of any file, a
line that begins with `fr|`. A line {RULES} stands for the rules.

`kit.toml` says `test`, the command that tests a kit; it is run where the kit is. What the document gives and
an agent is compiled with lies with that (`damier.agents.languages`): it is `given`, by the names of files.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from damier.agents.languages import RUNTIMES
from damier.core.errors import BadInput
from damier.core.files import write_text, writing_to
from damier.core.words import _, language, languages, message, spaced
from damier.lab.options import unknown

BROUGHT = Path(__file__).parents[1] / "kits"
ENDING = ".kit"
RULES, TOML = "RULES", "kit.toml"
CODE = "    "
"""What a line of code begins with in Markdown."""
MARKED = re.compile(r"(\w\w)\|")
"""The beginning of a line for readers of one language."""


@dataclass(frozen=True)
class Kit:
    """The starter kit of a document, in a programming language."""

    document: str
    programming: str

    @cached_property
    def files(self) -> dict[str, str]:
        """Return what is written, by the places of files, in the language in force."""
        place = BROUGHT / self.document / self.programming
        rules = typed_rules(self.document)
        runtime = RUNTIMES / self.programming
        found = {name: (runtime / name).read_text(encoding="utf-8") for name in self._about.get("given", ())}
        for path in sorted(place.rglob("*" + ENDING)):
            name = name_here(path.name)
            if name is not None:
                text = lines_here(path.read_text(encoding="utf-8")).replace("{RULES}\n", rules)
                found[str(path.relative_to(place).with_name(name).as_posix())] = text
        return found

    @property
    def test(self) -> str:
        """The command that tests it, in its folder."""
        return str(self._about["test"])

    @cached_property
    def _about(self) -> dict[str, Any]:
        return tomllib.loads((BROUGHT / self.document / self.programming / TOML).read_text(encoding="utf-8"))

    def write(self, folder: Path) -> None:
        """Writes it into a folder, which is made where it is not there.

        Raises BadInput for one that is not empty, or cannot be written.
        """
        with writing_to(folder):
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise BadInput(message("{path} is not empty; give a new folder", path=folder))
            for place, text in self.files.items():
                (folder / place).parent.mkdir(parents=True, exist_ok=True)
                write_text(folder / place, text)


def kits() -> dict[str, list[str]]:
    """The programming languages that there are kits in, by document."""
    return {
        document.name: sorted(path.parent.name for path in document.glob(f"*/{TOML}"))
        for document in sorted(BROUGHT.iterdir())
        if document.is_dir()
    }


def kit(document: str, programming: str) -> Kit:
    """The kit of a document. Raises BadInput where there is none."""
    found = kits()
    if document not in found:
        raise unknown(_("document"), document, found)
    if programming not in found[document]:
        raise BadInput(
            message(
                "there is no kit of {document} in {language}; there is: {names}",
                document=document,
                language=programming,
                names=" ".join(found[document]),
            )
        )
    return Kit(document, programming)


def rules_of(document: str) -> str:
    """The rules of a document: names, arguments and numbers, as Markdown for a page, in the language in
    force.
    """
    lines = typed_rules(document).splitlines(keepends=True)
    return "".join(line if line.startswith(CODE) else spaced(line) for line in lines)


def typed_rules(document: str) -> str:
    """The rules as they are typed, for the README of a kit."""
    place = BROUGHT / document / f"{RULES}.{language()}.md{ENDING}"
    if not place.is_file():
        place = place.with_name(f"{RULES}.en.md{ENDING}")
    return place.read_text(encoding="utf-8") if place.is_file() else ""


def name_here(name: str) -> str | None:
    """The name of a file as it is written; None where it is for readers of another language."""
    parts = name.removesuffix(ENDING).split(".")
    if len(parts) > 2 and parts[-2] in languages():
        if parts[-2] != language():
            return None
        del parts[-2]
    return ".".join(parts)


def lines_here(text: str) -> str:
    """A text without the lines that are for readers of other languages."""
    lines = []
    for line in text.splitlines(keepends=True):
        marked = MARKED.match(line)
        if marked is None or marked[1] not in languages():
            lines.append(line)
        elif marked[1] == language():
            lines.append(line[marked.end() :])
    return "".join(lines)
