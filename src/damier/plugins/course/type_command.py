"""`damier type`: commands as the five documents print them, one after the other; without any, a session at a
prompt, which remembers what was typed before.
"""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from damier.cli import interrupt
from damier.cli.options import Json
from damier.cli.output import clear_bar, remark, report, say
from damier.core.errors import BadInput, DamierError
from damier.core.files import make_place, write_text
from damier.core.job import presses
from damier.core.words import _, message

if TYPE_CHECKING:
    from damier.plugins.course.question import TypedAnswer

PROMPT, MORE = "> ", "… "
ENDS = ("quit", "exit", "(quit)", "(exit)", "quitter", ":q")
MOST_LINES = 100
"""Lines that a command may go on over."""
SETTLED = 0.1
"""Seconds after which the thread that watches Ctrl-C has seen that one was answered."""


def typed(
    *commands: Annotated[
        str,
        Parameter(
            help=_(
                'in quotation marks, such as "(explore 7 actions \'IA 0)" or'
                " './tictactoe -t 1000 random ai'; several in order; without any, a session at a prompt"
            )
        ),
    ],
    out: Annotated[
        Path | None,
        Parameter(name=("--out", "-o"), help=_("write what the last one comes to, whole, to a text file")),
    ] = None,
    json: Json = False,
) -> None:
    if not commands:
        if json or out is not None:
            raise BadInput(message("--json and --out need a COMMAND"))
        session()
        return
    if out is not None:
        make_place(out)
    sitting = CommandSession()
    answers = [sitting.answer(command) for command in commands]
    if len(answers) == 1 and not json and out is None and played_here(*answers[0]):
        return
    if out is not None:
        last = answers[-1][1]
        write_text(out, "\n".join(last.whole or last.lines) + "\n")
    facts = [
        {"document": document, "command": found.command, "lines": list(found.lines)}
        for document, found in answers
    ]
    whole = facts[0] if len(facts) == 1 else {"commands": facts}
    report(whole, json, lambda: show(answers, out))


def show(answers: list[tuple[str, TypedAnswer]], out: Path | None) -> None:
    """The answers, one after the other."""
    for number, (_document, found) in enumerate(answers):
        if len(answers) > 1:
            say(("\n" if number else "") + PROMPT + found.command)
        say("\n".join(found.lines))
    if out is not None:
        say(_("written to {path}", path=out))


def played_here(document: str, found: TypedAnswer) -> bool:
    """Return whether a command is a game with a person, which is played at this terminal."""
    words = found.command.split()
    if document != "s4" or "human" not in words:
        return False
    from damier.cli.tictactoe import command

    command(words[1:])
    return True


class CommandSession:
    """The commands that were understood so far; later ones build on them."""

    def __init__(self) -> None:
        self.before: list[str] = []
        self.document = "s3"

    def answer(self, command: str) -> tuple[str, TypedAnswer]:
        """Return what a command comes to, and the document that writes it so.

        Raises BadInput, LimitReached.
        """
        from damier.plugins.course.sheet import typed_anywhere

        self.document, found = typed_anywhere(command, self.before, self.document)
        self.before.append(command)
        return self.document, found


def session() -> None:
    """Answer commands until the input ends. At a terminal Ctrl-C leaves a command, not the session."""
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    sitting = CommandSession()
    if at_terminal:
        with contextlib.suppress(ImportError):  # not on every system: then lines are typed without history
            import readline  # noqa: F401
        say(_("Type commands as a document prints them; arrow up: those before; quit or Ctrl-D: the end."))
    while True:
        pressed = presses()
        try:
            command = read_command(at_terminal)
            if command is None or command.strip().lower() in ENDS:
                return
            if command.strip():
                answered(sitting, command)
        except KeyboardInterrupt:
            if not at_terminal or presses() == pressed:
                raise
            clear_bar()
            say()
            time.sleep(SETTLED)
            interrupt.begin()


def answered(sitting: CommandSession, command: str) -> None:
    """Print what a command comes to, or why it is refused: the session goes on."""
    try:
        document, found = sitting.answer(command)
        if not played_here(document, found):
            say("\n".join(found.lines))
    except DamierError as error:
        remark(f"damier: {error}")


def read_command(at_terminal: bool) -> str | None:
    """Return the next command, lines until its brackets are closed; None at the end of the input."""
    text = ""
    for number in range(MOST_LINES):
        try:
            line = input(MORE if number else PROMPT) if at_terminal else sys.stdin.readline()
        except EOFError:  # Ctrl-D
            say()
            return text if number else None
        if not line and not at_terminal:
            return text if number else None
        text = f"{text} {line.strip()}" if number else line.strip()
        if not line.strip() or text.count("(") <= text.count(")"):
            break
    return text
