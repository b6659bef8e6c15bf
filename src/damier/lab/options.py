"""The options in a name such as `hexapawn:width=4,blocked=loss`: the parameters of the function
that makes the thing, read by their types.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from keyword import iskeyword
from types import UnionType
from typing import Any, Literal, TypeVar

from damier.core.errors import BadInput, UnknownName
from damier.core.game import Option, option_text
from damier.core.words import _, message

Made = TypeVar("Made", bound=Callable[..., Any])
LONGEST = 18
"""Digits of a whole number."""
NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
"""Parameters that can be options: what is given by its place, or gathered by * and **, has no name
to give it by.
"""


def name_and_options(text: str) -> tuple[str, str]:
    """A name and the options that are written behind it, which may be none.

    >>> name_and_options("nim:matches=5"), name_and_options("nim")
    (('nim', 'matches=5'), ('nim', ''))

    Raises BadInput for a colon with nothing behind it.
    """
    name, colon, options = text.partition(":")
    if colon and not options:
        raise BadInput(message("a colon with nothing beside it in {text}; leave it out", text=text))
    return name, options


def parameters(factory: Callable[..., object], given: Iterable[str] = ()) -> dict[str, inspect.Parameter]:
    """The options of a factory by name, their types resolved; `given` are arguments that are not
    options.

    An underscore at the end of a name, as in `lambda_`, is Python's need and no part of the option.
    A factory that gathers `**set` has options `set.NAME` beside them: any number, of any text.
    A factory with options that had another name once has a function `present`, which gives option
    and value as they are now.
    """
    hints = typing.get_type_hints(factory)
    options = {
        name.rstrip("_"): p
        for name, p in inspect.signature(factory).parameters.items()
        if p.kind in NAMED and name not in given
    }
    return {name: p.replace(annotation=hints.get(p.name, type(p.default))) for name, p in options.items()}


def defaults_text(factory: Callable[..., object], given: Iterable[str] = ()) -> str:
    """All options with their defaults, as they would be written."""
    named = [
        f"{name}={'' if default_of(p) is None else option_text(default_of(p))}"
        for name, p in parameters(factory, given).items()
    ]
    return ",".join(named + [f"{prefix}NAME=" for prefix in gathered(factory)])


def gathered(factory: Callable[..., object]) -> list[str]:
    """Return what the names of the options begin with that a factory gathers: of `**set`, `set.`."""
    kinds = inspect.signature(factory).parameters.values()
    return [f"{p.name}." for p in kinds if p.kind is inspect.Parameter.VAR_KEYWORD]


def default_of(parameter: inspect.Parameter) -> Option:
    """The default of an option; of one that depends on the game (None), the first of its choices,
    if it has any.
    """
    kinds = [kind for kind in typing.get_args(parameter.annotation) if typing.get_origin(kind) is Literal]
    default: Option = None if parameter.default is inspect.Parameter.empty else parameter.default
    if parameter.default is None and kinds:
        default, *_others = typing.get_args(kinds[0])
    return default


def read_options(
    name: str, text: str, factory: Callable[..., object], given: Iterable[str] = ()
) -> dict[str, Any]:
    """The options written in `text`, each of the type that its parameter has.

    Raises UnknownName, or BadInput for a value of the wrong type.
    """
    known, prefixes = parameters(factory, given), tuple(gathered(factory))
    options: dict[str, Any] = {}
    for part in text.split(",") if text else ():
        if not part.strip():
            raise BadInput(
                message("{name}:{options}: an option is missing beside a comma", name=name, options=text)
            )
        option, equals, value = part.partition("=")
        if present := getattr(factory, "present", None):
            option, value = present(option, value)
        of_any_name = bool(prefixes) and option.startswith(prefixes)
        if option not in known and not of_any_name:
            known_text = defaults_text(factory, given) or _("none")
            if near := get_close_matches(option, known, 1):
                raise UnknownName(
                    message(
                        "{name} has no option {option}; did you mean {near}? Its options: {known}",
                        name=name,
                        option=visible(option),
                        near=near[0],
                        known=known_text,
                    )
                )
            raise UnknownName(
                message(
                    "{name} has no option {option}; its options: {known}",
                    name=name,
                    option=visible(option),
                    known=known_text,
                )
            )
        if not equals:
            raise BadInput(
                message("{name}: {option} has no value; write {option}=VALUE", name=name, option=option)
            )
        if option in options:
            raise BadInput(message("{name}: {option} is given twice", name=name, option=option))
        options[option] = value if of_any_name else _read(name, option, value, known[option].annotation)
    for option, parameter in known.items():
        if parameter.default is inspect.Parameter.empty and option not in options:
            raise BadInput(
                message("{name}: {option} must be given: {name}:{option}=VALUE", name=name, option=option)
            )
    return options


def _read(name: str, option: str, value: str, kind: object) -> Option:
    """One value, read as the annotation of its parameter says."""
    kind = without_none(kind)
    if typing.get_origin(kind) is Literal:
        choices = typing.get_args(kind)
        if value in choices:
            return value
        expected = _("one of {choices}", choices=" ".join(map(str, choices)))
    elif kind is bool:
        if value.lower() in ("true", "false"):
            return value.lower() == "true"
        expected = _("true or false")
    elif kind is int:
        expected = _("a whole number")
        if re.fullmatch(r"[+-]?[0-9]+", value):
            if len(value.lstrip("+-")) <= LONGEST:
                return int(value)
            expected = _("a whole number of at most {n} digits", n=LONGEST)
    elif kind is float:
        expected = _("a number")
        if re.fullmatch(NUMBER, value) and abs(number := float(value)) < float("inf"):
            return number
    elif kind is str:
        return value
    else:
        sentence = _(
            "{name}: {option} cannot be given: its type must be int, float, bool, str or Literal",
            name=name,
            option=option,
        )
        raise BadInput(sentence)
    raise BadInput(
        message(
            "{name}: {option}={value}; it must be {expected}",
            name=name,
            option=option,
            value=value,
            expected=expected,
        )
    )


def without_none(kind: object) -> object:
    """Return what an option that may be left out is when it is given: of `int | None`, int."""
    if typing.get_origin(kind) not in (typing.Union, UnionType):
        return kind
    kinds = [part for part in typing.get_args(kind) if part is not type(None)]
    return kinds[0] if len(kinds) == 1 else kind


def unknown(kind: str, name: str, known: Iterable[str], written: str = "") -> UnknownName:
    """The error for a name that is not there, with the nearest ones that are; `written` is what was
    written, where that is another name of what is sought.
    """
    names = sorted(known)
    near = get_close_matches(name, names, 1)
    hint = _("did you mean {near}?", near=near[0]) if near else ""
    return UnknownName(
        _(
            "no {kind} is called {name}; {hint} there are: {names}",
            kind=kind,
            name=visible(written or name),
            hint=hint,
            names=" ".join(names),
        ).replace("  ", " ")
    )


def visible(name: str) -> str:
    """Return a name that is not there as a sentence shows it: in quotes where nothing, or a space at an end,
    would be overlooked.

    >>> visible("height"), visible(" height"), visible("")
    ('height', "' height'", "''")
    """
    return name if name and name == name.strip() else f"'{name}'"


def with_options(words: str, options: str) -> str:
    """Return what people call a thing, with the options that it is written with."""
    return f"{words} ({options.replace(',', ', ')})" if options else words


def signed(make: Made, options: Mapping[str, inspect.Parameter]) -> Made:
    """Return a function that takes `lab` and any options, which says from here on what these are."""
    lab = inspect.Parameter("lab", inspect.Parameter.POSITIONAL_ONLY)
    named = [p.replace(name=word(name), kind=p.KEYWORD_ONLY) for name, p in options.items()]
    make.__signature__ = inspect.Signature([lab, *named])  # type: ignore[attr-defined]
    make.__annotations__ = {p.name: p.annotation for p in named}
    return make


def word(option: str) -> str:
    """Return an option as the name of a parameter: `lambda` is a word of Python's own."""
    return f"{option}_" if iskeyword(option) else option
