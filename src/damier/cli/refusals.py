"""What is wrong with a command line that cannot be read: one sentence of ours for each error of
cyclopts that damier's commands can meet.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Literal, get_args, get_origin

from cyclopts import (
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from damier.core.words import N_, _

KINDS: dict[object, str] = {float: N_("a number"), int: N_("a whole number"), bool: N_("true or false")}


def refusal(error: CycloptsError) -> str:
    """The error as one line for a person."""
    match error:
        case UnknownCommandError():
            return unknown_command(error)
        case UnknownOptionError():
            return unknown_option(error)
        case MissingArgumentError():
            return missing(error)
        case RepeatArgumentError():
            return _("{option} is given twice", option=error.token.keyword)
        case UnusedCliTokensError():
            return _(
                "nothing is known to do with {words}; --help lists what the command takes",
                words=" ".join(error.unused_tokens or ()),
            )
        case CoercionError(msg=None):
            return no_value(error)
    return _("the command line cannot be read: {error}", error=" ".join(str(error).split()))


def unknown_command(error: UnknownCommandError) -> str:
    from damier.lab.options import unknown

    return str(
        unknown(
            _("command"),
            (error.unused_tokens or [""])[0],
            [name for name in error.app or () if not name.startswith("-")],
        )
    )


def unknown_option(error: UnknownOptionError) -> str:
    word = error.token.keyword or error.token.value
    near = get_close_matches(
        word, [name for argument in error.argument_collection for name in argument.names], 1
    )
    hint = _("did you mean {near}?", near=near[0]) if near else ""
    return _(
        "no option is called {word}; {hint} --help lists those of the command", word=word, hint=hint
    ).replace("  ", " ")


def missing(error: MissingArgumentError) -> str:
    if error.keyword:
        return _("{name} needs a value", name=error.keyword)
    name = error.argument.name if error.argument else ""
    near = get_close_matches(name, error.unused_tokens or (), 1)
    hint = _("did you mean it by {word}?", word=near[0]) if near else ""
    return _("{name} is missing; {hint} --help lists what the command takes", name=name, hint=hint).replace(
        "  ", " "
    )


def no_value(error: CoercionError) -> str:
    """A value that is none of those there are, or cannot be read as a number."""
    token, argument = error.token, error.argument
    name = (token.keyword if token else None) or (argument.name if argument else "")
    expected = (
        _("one of {choices}", choices=" ".join(map(str, choices(error.target_type))))
        if choices(error.target_type)
        else kind(error.target_type)
    )
    return _(
        "{name} {value}: it must be {expected}",
        name=name,
        value=token.value if token else "",
        expected=expected,
    )


def choices(hint: object) -> tuple[object, ...]:
    return get_args(hint) if get_origin(hint) is Literal else ()


def kind(hint: object) -> str:
    """A type, in words."""
    return _(KINDS[hint]) if hint in KINDS else str(getattr(hint, "__name__", hint))
