"""Every sentence that a person reads goes through one catalogue (GNU gettext, domain `damier`).

`_` translates now; `N_` only marks a text that is translated where it is shown. Values are put in
by name, so that a translator may move them, and are shown escaped: no file and no user can send
control characters to a terminal through a message.

The language in force belongs to the context (`contextvars`), so that a server answers each reader
in the reader's own; `speak` sets it for whatever has no context of its own, the threads of a
command among it. English is what the sources are written in.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

LOCALE = Path(__file__).parent.parent / "locale"
SOURCE = "en"
NO_BREAK = "\N{NO-BREAK SPACE}"  # what French puts before a colon; printable, whatever str.isprintable says

_here: ContextVar[str | None] = ContextVar("language", default=None)
_elsewhere = SOURCE


def _(text: str, /, **values: object) -> str:
    """The translation of `text`, its `{names}` replaced by `values`."""
    return _filled(_catalogue(language()).gettext(text), values)


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """Like `_`, for a text that depends on a number: `{n}` is that number."""
    return _filled(_catalogue(language()).ngettext(one, many, n), {"n": n, **values})


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
    # Translators: what stands between the thousands of a number.
    return f"{round(number):,}".replace(",", _(","))


LONG = 15
"""Digits from which on a number is told as a power of ten."""
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


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


def decimal(number: float, form: str = "g") -> str:
    """A number in a format of Python, its decimals set apart as the language in force does it.

    >>> decimal(-0.5, "+.2f"), decimal(3.0)
    ('-0.50', '3')
    """
    # Translators: what stands before the decimals of a number.
    return format(number, form).replace(".", _("."))


def percent(share: float, form: str = ".1f") -> str:
    """A share of 1 in percent.

    >>> percent(0.4361), percent(1, ".0f")
    ('43.6 %', '100 %')
    """
    return _("{n} %", n=decimal(100 * share, form))


def together(*said: str) -> str:
    """What is said, one after the other in one sentence; nothing of what is empty.

    >>> together("it wins", "", "in 3 plies")
    'it wins; in 3 plies'
    """
    # Translators: what stands between two parts of a sentence.
    return _("; ").join(filter(None, said))


def language() -> str:
    """The language in force, as its code: `en`, `fr`."""
    return _here.get() or _elsewhere


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, as their codes: English, and whatever has a catalogue."""
    return SOURCE, *sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/damier.mo"))


def own_name(code: str) -> str:
    """What the language `code` calls itself."""
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
def _catalogue(code: str) -> gettext.NullTranslations:
    if code == SOURCE:
        return gettext.NullTranslations()
    return gettext.translation("damier", LOCALE, [code])


def _filled(text: str, values: dict[str, object]) -> str:
    return text.format(**{name: printable(value) for name, value in values.items()}) if values else text


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
