"""The language a command line speaks: `--lang`, anywhere on the line, else the environment's, else
English.

It is settled before the commands are imported, because their lines of help are translated as they
are read.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Mapping, Sequence

from damier.core.errors import BadInput
from damier.core.words import LOCALE, N_, SOURCE, language, languages, message, spoken

OPTION = "--lang"
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

WORDS_OF_ARGPARSE = (
    N_("usage: "),
    N_("options"),
    N_("show this help message and exit"),
    N_("one of the arguments %s is required"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("invalid %(type)s value: %(value)r"),
    N_("not allowed with argument %s"),
    N_("expected one argument"),
    N_("expected at least one argument"),
    N_("expected %s argument", "expected %s arguments"),
    N_("ignored explicit argument %r"),
    N_("unrecognized arguments: %s"),
)


def split(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """The value of `--lang`, the last one where there are several, and the line without it.

    Raises BadInput.
    """
    wanted, rest, left = None, [], list(arguments)
    while left and left[0] != "--":
        argument = left.pop(0)
        if argument == OPTION:
            if not left:
                raise BadInput(message("--lang needs a value: {choices}", choices=choices()))
            wanted = left.pop(0)
        elif argument.startswith(f"{OPTION}="):
            wanted = argument.removeprefix(f"{OPTION}=")
        else:
            rest.append(argument)
    return wanted, rest + left


def checked(wanted: str) -> str:
    """The language that `--lang` names. Raises BadInput."""
    code = spoken([wanted])
    if code is None:
        raise BadInput(
            message("--lang {wanted}: it must be one of {choices}", wanted=wanted, choices=choices())
        )
    return code


def of_environment(variables: Mapping[str, str]) -> str:
    """The language that the first of the variables asks for (LANGUAGE may name several); English
    where damier does not speak it.
    """
    value = next((variables[name] for name in VARIABLES if variables.get(name)), "")
    return spoken(value.split(":")) or SOURCE


def choices() -> str:
    return " ".join(languages())


def lend_to_argparse() -> None:
    """argparse asks the standard library's gettext for its words, and that now finds them in our
    catalogue, in the language in force.
    """
    os.environ["LANGUAGE"] = language()
    gettext.bindtextdomain("damier", str(LOCALE))
    gettext.textdomain("damier")
