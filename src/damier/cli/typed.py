"""`damier type`: a command as one of the five documents prints it."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from damier.cli.options import Json
from damier.cli.output import report, say
from damier.core.words import _


def typed(
    command: Annotated[
        str,
        Parameter(
            help=_(
                "in quotation marks, such as \"(explore 7 actions 'IA 0)\" or './tictactoe -t 1000 random ai'"
            )
        ),
    ],
    /,
    *,
    json: Json = False,
) -> None:
    from damier.lab.course.sheet import typed_anywhere

    document, found = typed_anywhere(command)
    facts = {"document": document, "command": found.command, "lines": list(found.lines)}
    report(facts, json, lambda: say("\n".join(found.lines)))
