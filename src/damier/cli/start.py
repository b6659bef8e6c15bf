"""`damier start`: the starter kit of a document, in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from damier.cli.options import Json
from damier.cli.output import report, say
from damier.core.words import _, language
from damier.lab.kits import kit


def start(
    document: Annotated[str, Parameter(help=_("a document that something is handed in for: s0, s1, s3, s4"))],
    folder: Annotated[Path, Parameter(help=_("a new folder"))],
    /,
    *,
    programming: Annotated[
        str, Parameter(name="--language", help=_("the programming language of the kit"))
    ] = "python",
    json: Json = False,
) -> None:
    made = kit(document, programming)
    made.write(folder)
    spoken = "" if language() == "en" else f" --lang {language()}"
    steps = [
        (f"cd {folder}", ""),
        (made.test, _("the test that runs from the first minute")),
        (f"damier check {document} .{spoken}", _("how far you are, stage by stage, and what to write next")),
    ]

    def tell() -> None:
        say(_("written to {path}: {files}", path=folder, files=" ".join(made.files)))
        say(_("README.md says what is asked. Now:"))
        width = max(len(line) for line, _what in steps)
        for line, what in steps:
            say(f"    {line:<{width}}   {what}".rstrip())

    data = {
        "document": document,
        "language": programming,
        "folder": str(folder),
        "files": list(made.files),
        "next": [line for line, _what in steps],
    }
    report(data, json, tell)
