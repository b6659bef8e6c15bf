"""Every sentence that a person reads goes through one catalogue (GNU gettext, domain `damier`).

`_` translates now. `message` makes a `Message`, which is put into words where it is shown, in the language
of whoever reads it: errors hold messages, and what is kept or crosses processes is the code of a message,
which is its English text, and its parameters (`packed`, `unpacked`). `N_` only marks a text that is
translated where it is shown. Values are put in by name, so that a translator may move them, and are shown
escaped: no file and no user can send control characters to a terminal through a message.

What comes from a file or from another process is never a format: `unpacked` takes the codes of the
catalogue alone, and plain parameters of bounded length.

The language in force belongs to the context (`contextvars`), so that a server answers each reader
in the reader's own; `speak` sets it for whatever has no context of its own, the threads of a
command among it. English is what the sources are written in.
"""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from math import ceil, floor, isfinite, log10
from pathlib import Path
from typing import TypeAlias, TypeGuard

from damier.core.json_types import JsonObject, JsonValue

LOCALE = Path(__file__).parent.parent / "locale"
SOURCE = "en"
NO_BREAK = "\N{NO-BREAK SPACE}"  # what French puts before a colon; printable, whatever str.isprintable says

_here: ContextVar[str | None] = ContextVar("language", default=None)
_elsewhere = SOURCE


def _(text: str, /, **values: object) -> str:
    """The translation of `text`, its `{names}` replaced by `values`."""
    translated = catalogue(language()).gettext(text) if text else ""  # a catalogue's text of "" is its head
    if not values:
        return translated
    return translated.format(**{name: printable(value) for name, value in values.items()})


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """Like `_`, for a text that depends on a number: `{n}` is that number."""
    printed = {name: printable(value) for name, value in {"n": n, **values}.items()}
    return catalogue(language()).ngettext(one, many, n).format(**printed)


@dataclass(frozen=True)
class FormattedNumber:
    """A number in a format of Python, put into words where it is shown.

    >>> str(FormattedNumber(1234567, ","))
    '1,234,567'
    """

    number: float
    form: str = "g"

    def __str__(self) -> str:
        return decimal(self.number, self.form)


@dataclass(frozen=True)
class Message:
    """A sentence as a code and its parameters; `str` puts it into words, in the language in force.

    Attributes:
        code: a text of the catalogue.
        values: what is put in for its `{names}`: a text is printable and of bounded length.
        many: the text for another number than one, if the text depends on a number.
        n: that number.
    """

    code: str
    values: Mapping[str, str | FormattedNumber | Message] = field(default_factory=dict)
    many: str = ""
    n: int = 0

    def __str__(self) -> str:
        if self.many:
            return ngettext(self.code, self.many, self.n, **self.values)
        return _(self.code, **self.values)

    def replaced(self, old: str, new: str) -> Message:
        """Return the same message with a text replaced in all its values, at any depth."""
        values = {name: replaced(value, old, new) for name, value in self.values.items()}
        return Message(self.code, values, self.many, self.n)


Text: TypeAlias = str | Message | FormattedNumber
"""What can be shown: a plain text, in whatever language it is, or what is put into words then."""


def message(text: str, /, **values: object) -> Message:
    """Return what `_` would say, to be said where it is shown."""
    return Message(text, {name: _value(value) for name, value in values.items()})


def plural(one: str, many: str, n: int, /, **values: object) -> Message:
    """Return what `ngettext` would say, to be said where it is shown."""
    return Message(one, {name: _value(value) for name, value in {"n": n, **values}.items()}, many, n)


def _value(value: object) -> Text:
    value = error_text(value) if isinstance(value, BaseException) else value
    return value if isinstance(value, (Message, FormattedNumber)) else printable(value)


def in_seconds(seconds: float) -> Message:
    """A time in words.

    >>> str(in_seconds(1)), str(in_seconds(0.5))
    ('1 second', '0.5 seconds')
    """
    return plural("{n} second", "{n} seconds", 1 if seconds == 1 else 2, n=FormattedNumber(seconds))


def replaced(text: Text, old: str, new: str) -> Text:
    """Return a text, or a message with all its values, with `old` replaced by `new`."""
    if isinstance(text, Message):
        return text.replaced(old, new)
    return text.replace(old, new) if isinstance(text, str) else text


def bounded(text: Text, longest: int) -> Text:
    """Return a text of others on one printable line of bounded length; a message is that already."""
    return printable(text, longest) if isinstance(text, str) else text


def error_text(error: BaseException) -> Text:
    """Return what an error says: the message that it was given, else its text."""
    text = error.args[0] if len(error.args) == 1 else None
    return text if isinstance(text, Message) else str(error)


def N_(text: str, many: str = "") -> str:
    """Marks `text`, and what it is for `many` where that is another text, for the catalogue;
    returns `text` as it is.
    """
    return text


def grouped(number: float) -> str:
    """A whole number, or one rounded to it, its thousands set apart as the language in force does
    it.

    >>> grouped(1234567)
    '1,234,567'
    """
    return decimal(round(number), ",")


def labelled(label: object, value: object) -> str:
    """A value behind what it is, with a colon as the language in force sets one; nothing is escaped or cut.

    >>> labelled("won", 3)
    'won: 3'
    """
    return _("{name}: {value}").format(name=label, value=value)


def interval(low: str, high: str) -> str:
    """The ends of an interval as the language in force parts them: where commas are decimal, no comma."""
    return _("{low}, {high}", low=low, high=high)


def spaced(text: str) -> str:
    """A text as its author typed it, in the language in force: in French with no-break spaces before `:`,
    `;`, `?`, `!`, `%` and inside of quotes, so that no line begins with a sign.

    >>> with speaking("fr"):
    ...     spaced("nul : rien ; « oui » à 5 % ?").count(NO_BREAK)
    6
    """
    return BEFORE_A_SIGN.sub(NO_BREAK, text) if language() == "fr" else text


BEFORE_A_SIGN = re.compile(r" (?=[:;?!%»](?:[\s)»]|$))|(?<=«) ")

LONG = 15
"""Digits from which on a number is told as a power of ten."""
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def in_short(n: int) -> str:
    """A bound as people read it: from a thousand million million on as a power of ten, rounded up.

    >>> in_short(5478), in_short(42_781_843_136_549_010)
    ('5,478', '4.3 · 10¹⁶')
    """
    power = len(str(n)) - 1
    if power < LONG:
        return grouped(n)
    tenths = -(-n // 10 ** (power - 1))
    return f"{decimal(tenths / 10, '.1f')} · 10{str(power).translate(RAISED)}"


def bound_in_words(bound: float) -> str:
    """A bound above 0 as people read it: one digit, rounded up, as a power of ten where it is small.

    >>> bound_in_words(0.01), bound_in_words(4.2e-8)
    ('0.01', '5 · 10⁻⁸')
    """
    power = floor(log10(bound))
    digit = ceil(round(bound / 10**power, 6))
    if digit == 10:
        digit, power = 1, power + 1
    if power > -4:
        return decimal(digit * 10**power, ".1g")
    return f"{digit} · 10{str(power).translate(RAISED)}"


def decimal(number: float, form: str = "g") -> str:
    """A number in a format of Python, its decimals, or with the format `,` its thousands, set apart as the
    language in force does it.

    >>> decimal(-0.5, "+.2f"), decimal(3.0)
    ('-0.50', '3')
    """
    thousands, point = _marks(language())
    text = format(number, form)
    return text.replace(",", thousands) if form == "," else text.replace(".", point)


@cache
def _marks(code: str) -> tuple[str, str]:
    translation = catalogue(code).gettext
    # Translators: what stands between the thousands of a number.
    thousands = translation(N_(","))
    # Translators: what stands before the decimals of a number.
    return thousands, translation(N_("."))


def percent(share: float, form: str = ".1f") -> str:
    """A share of 1 in percent.

    >>> percent(0.4361), percent(1, ".0f")
    ('43.6 %', '100 %')
    """
    return _("{n} %", n=decimal(100 * share, form))


def together(*text: str) -> str:
    """Return what is said, one after the other in one sentence; nothing of what is empty.

    >>> together("it wins", "", "in 3 plies")
    'it wins; in 3 plies'
    """
    # Translators: what stands between two parts of a sentence.
    return _("; ").join(filter(None, text))


def packed(text: Text) -> JsonValue:
    """Return a text as JSON: a plain text as it is, a number with its format, a message as its code and
    its parameters:

        {"code": TEXT, "values": {NAME: VALUE}}             a text of the catalogue
        {"code": ONE, "n": N, "values": {NAME: VALUE}}      one that depends on a number
        {"number": N, "form": FORM}
    """
    if isinstance(text, FormattedNumber):
        number = text.number if isinstance(text.number, int) else float(text.number)
        return {"number": number, "form": text.form} if isfinite(number) else str(text)
    if isinstance(text, str):
        return text
    try:
        _parameters(text.code, counted=bool(text.many))
    except ValueError:  # words of others, of Python itself say
        return str(text)
    found: JsonObject = {
        "code": text.code,
        "values": {name: packed(text.values[name]) for name in text.values},
    }
    return {**found, "n": int(text.n)} if text.many else found


LONGEST, DEEPEST, MOST_VALUES, LARGEST = 2_000, 8, 40, 10**18
"""Characters of a text, messages within messages, values of one, and the size of a number, that are read
from outside.
"""
FORM = re.compile(r",|\+?(\.[0-9])?[gf]?")
"""The formats of a number that are read from outside: none of them is long."""


def unpacked(kept: JsonValue, deepest: int = DEEPEST) -> Text:
    """Return the text that was packed: of a file or a process of others, so that all of it is checked; with
    so many messages within messages at most.

    Raises ValueError for what is no such text, or too large.

    >>> str(unpacked(packed(message("{n} calls for one position", n=FormattedNumber(1200, ",")))))
    '1,200 calls for one position'
    >>> unpacked({"code": "{n.foo}", "values": {"n": "x"}})
    Traceback (most recent call last):
    ValueError: {n.foo}
    """
    if isinstance(kept, str):
        return printable(kept, LONGEST)
    if not isinstance(kept, Mapping) or not deepest:
        raise ValueError(kept)
    if kept.keys() == {"number", "form"}:
        number, form = kept["number"], kept["form"]
        if _is_number(number) and isinstance(form, str) and FORM.fullmatch(form):
            return FormattedNumber(number, form)
        raise ValueError(kept)
    code, values, n = kept.get("code"), kept.get("values"), kept.get("n", 0)
    if not isinstance(code, str) or not code or not isinstance(values, Mapping) or len(values) > MOST_VALUES:
        raise ValueError(kept)
    if not isinstance(n, int) or isinstance(n, bool) or abs(n) >= LARGEST:
        raise ValueError(kept)
    if not kept.keys() <= {"code", "values", "n"}:
        raise ValueError(kept)
    many, wanted = _parameters(code, counted="n" in kept)
    if not values.keys() >= wanted:
        raise ValueError(kept)
    return Message(code, {name: unpacked(values[name], deepest - 1) for name in wanted}, many, n)


def _is_number(number: JsonValue) -> TypeGuard[int | float]:
    return isinstance(number, (int, float)) and not isinstance(number, bool) and abs(number) < LARGEST


@cache
def _parameters(code: str, *, counted: bool) -> tuple[str, frozenset[str]]:
    """The text for many, and the names of the parameters, of a code of the catalogue. Raises ValueError."""
    from string import Formatter  # takes time, and is for what comes from elsewhere only

    every = _every_text()
    try:
        many = every.ngettext(code, code, 2) if counted else every.gettext(code)
    except LookupError:
        raise ValueError(code) from None
    parts = [*Formatter().parse(code), *Formatter().parse(many)]
    names = {name for _before, name, _form, _conversion in parts if name is not None}
    return many if counted else "", frozenset(names | {"n"} if counted else names)


class _NoText(gettext.NullTranslations):
    """A text that the catalogue does not have."""

    def gettext(self, message: str) -> str:
        raise LookupError(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        raise LookupError(msgid1)


@cache
def _every_text() -> gettext.NullTranslations:
    """Every text of the sources, which is its own translation."""
    found = gettext.translation("damier", LOCALE, [SOURCE])
    found.add_fallback(_NoText())
    return found


def language() -> str:
    """The language in force, as its code: `en`, `fr`."""
    return _here.get() or _elsewhere


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, as their codes: English, and whatever has a catalogue."""
    found = {path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/damier.mo")}
    return SOURCE, *sorted(found - {SOURCE})


def own_name(code: str) -> str:
    """Return what the language `code` calls itself."""
    with speaking(code):
        # Translators: the name of your language, in your language.
        return _("English")


def spoken(wanted: Iterable[str]) -> str | None:
    """The first of the `wanted` languages that there is; each is a code, with its country or
    without: `fr`, `fr_FR.UTF-8`, `fr-CA`.
    """
    codes = (tag.replace("-", "_").split(".")[0].split("_")[0].lower() for tag in wanted)
    return next((code for code in codes if code in languages()), None)


def speak(code: str) -> None:
    """From now on this process speaks the language `code`, one of `languages()`, where no
    `speaking` says otherwise.
    """
    global _elsewhere
    _elsewhere = code


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Inside, in this context (a request, a task), the language is `code`, one of `languages()`."""
    before = _here.set(code)
    try:
        yield
    finally:
        _here.reset(before)


@cache
def catalogue(code: str) -> gettext.NullTranslations:
    if code == SOURCE:
        return gettext.NullTranslations()
    return gettext.translation("damier", LOCALE, [code])


def printable(value: object, longest: int = 400) -> str:
    """`value` as text that is safe to show on one line: control characters are escaped, very long
    texts are cut.

    >>> printable("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    text = str(value)
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return "".join(
        c if c.isprintable() or c == NO_BREAK else c.encode("unicode_escape", "surrogatepass").decode("ascii")
        for c in text
    )
