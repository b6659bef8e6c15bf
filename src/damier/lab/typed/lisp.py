"""The few words of Lisp in which document [S1] writes its calls, read and never run: lists, names,
whole numbers, and the quote.

>>> read("(explore 7 actions 'IA 0)")
['explore', 7, 'actions', 'IA', 0]
"""

from __future__ import annotations

import re
from typing import TypeAlias

from damier.core.errors import BadInput
from damier.core.words import message, printable

Form: TypeAlias = "int | str | list[Form]"
"""What is read: a number, a name, or a list of such."""

LONGEST = 300
DEEPEST = 20
TOKEN = re.compile(r"\s*(?:(?P<comment>;.*)|(?P<bracket>[()'])|(?P<atom>[^\s()';]+))")


def read(text: str) -> Form:
    """One form. Raises BadInput."""
    if len(text) > LONGEST:
        raise BadInput(message("a command has at most {n} characters", n=LONGEST))
    found, rest = _form(tokens(text), 0)
    if rest:
        raise BadInput(
            message("after the command stands {text}: one command at a time", text=printable(rest[0], 40))
        )
    return found


def tokens(text: str) -> list[str]:
    """Brackets, quotes and atoms, in order. Raises BadInput."""
    found, at = [], 0
    while at < len(text.rstrip()):
        match = TOKEN.match(text, at)
        if match is None or match.end() == at:
            raise BadInput(message("{text} cannot be read here", text=printable(text[at:], 40)))
        at = match.end()
        if not match["comment"]:
            found.append(match["bracket"] or match["atom"])
    return found


def _form(rest: list[str], depth: int) -> tuple[Form, list[str]]:
    if not rest or depth > DEEPEST:
        raise BadInput(message("a bracket is not closed"))
    token, rest = rest[0], rest[1:]
    if token == "'":
        return _form(rest, depth + 1)
    if token == ")":
        raise BadInput(message("a bracket is closed that was not opened"))
    if token != "(":
        return (int(token) if token.isascii() and token.isdecimal() and len(token) < 10 else token), rest
    found: list[Form] = []
    while rest and rest[0] != ")":
        form, rest = _form(rest, depth + 1)
        found.append(form)
    if not rest:
        raise BadInput(message("a bracket is not closed"))
    return found, rest[1:]
