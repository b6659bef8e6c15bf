"""Every sentence that a person reads goes through one catalogue (GNU gettext, domain `damier`).

`_` translates now; `N_` only marks a text that is translated where it is shown. Values are put in
by name, so that a translator may move them, and are shown escaped: no file and no user can send
control characters to a terminal through a message.

What is told later, or elsewhere, to somebody of another language (the report on a file, say) is kept
as its facts, and `retold` when it is read (`core/sentence.py`).

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
from functools import cache, lru_cache
from pathlib import Path

from damier.core.json_types import JsonValue
from damier.core.sentence import DEEPEST, LONGEST, MOST_VALUES, Sentence, said_by

LOCALE = Path(__file__).parent.parent / "locale"
SOURCE = "en"
NO_BREAK = "\N{NO-BREAK SPACE}"  # what French puts before a colon; printable, whatever str.isprintable says

_here: ContextVar[str | None] = ContextVar("language", default=None)
_elsewhere = SOURCE


def _(text: str, /, **values: object) -> str:
    """The translation of `text`, its `{names}` replaced by `values`."""
    if not values:
        return _unfilled(language(), text)
    shown = {name: printable(value) for name, value in values.items()}
    return Sentence(_catalogue(language()).gettext(text).format(**shown), ("text", text, shown))


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """Like `_`, for a text that depends on a number: `{n}` is that number."""
    shown = {name: printable(value) for name, value in {"n": n, **values}.items()}
    said = _catalogue(language()).ngettext(one, many, n).format(**shown)
    return Sentence(said, ("plural", one, many, n, shown))


@lru_cache(maxsize=10_000)
def _unfilled(code: str, text: str) -> str:
    return Sentence(_catalogue(code).gettext(text), ("text", text, {}))


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
    return _number(round(number), ",")


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
    return _number(number, form)


def _number(number: float, form: str) -> str:
    thousands, point = _marks(language())
    said = format(number, form)
    said = said.replace(",", thousands) if form == "," else said.replace(".", point)
    return Sentence(said, ("number", number, form))


@cache
def _marks(code: str) -> tuple[str, str]:
    translation = _catalogue(code).gettext
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


def together(*said: str) -> str:
    """What is said, one after the other in one sentence; nothing of what is empty.

    >>> together("it wins", "", "in 3 plies")
    'it wins; in 3 plies'
    """
    # Translators: what stands between two parts of a sentence.
    return joined(_("; "), filter(None, said))


def joined(between: str, said: Iterable[str]) -> str:
    """Texts one after the other, like `str.join`, but that each may be retold.

    >>> joined(", ", ["1", "2"])
    '1, 2'
    """
    parts = list(said)
    return Sentence(between.join(parts), ("parts", parts, between))


def retold(kept: JsonValue) -> str:
    """What was kept of a text (`facts_of`) in the language in force; a plain text as it is.

    Raises ValueError for what is nothing of that kind, or too large: it may come from a stranger.

    >>> from damier.core.sentence import facts_of
    >>> retold(facts_of(_("{n} calls for one position", n=grouped(1200))))
    '1,200 calls for one position'
    """
    return _retold(kept, DEEPEST)


FORM = re.compile(r",|\+?(\.[0-9])?[gf]?")
"""The formats of a number that are retold: none of them is long."""


def _retold(kept: JsonValue, deepest: int) -> str:
    if isinstance(kept, str):
        return printable(kept, LONGEST)
    if not isinstance(kept, Mapping) or not deepest:
        raise ValueError(kept)
    number, form, parts = kept.get("number"), kept.get("form"), kept.get("parts")
    if "text" in kept:
        return _sentence(kept, deepest - 1)
    if isinstance(number, (int, float)) and isinstance(form, str) and FORM.fullmatch(form):
        return _number(number, form)
    if not isinstance(parts, list) or len(parts) > MOST_VALUES:
        raise ValueError(kept)
    between = _retold(kept.get("between"), deepest - 1)
    return joined(between, [_retold(part, deepest - 1) for part in parts])


def _sentence(kept: Mapping[str, JsonValue], deepest: int) -> str:
    given, many, n = kept.get("values"), kept.get("many"), kept.get("n")
    if not isinstance(given, Mapping) or len(given) > MOST_VALUES:
        raise ValueError(kept)
    values = {name: _retold(value, deepest) for name, value in given.items()}
    text = _template(kept.get("text"), values)
    if many is None:
        return _(text, **values)
    if not isinstance(n, int):
        raise ValueError(kept)
    return ngettext(text, _template(many, values), n, **{**values, "n": values.get("n", n)})


def _template(text: JsonValue, values: Mapping[str, str]) -> str:
    """A text into which nothing but these values is put, each as it is. Raises ValueError."""
    from string import Formatter  # takes time, and is for what comes from elsewhere only

    if not isinstance(text, str) or len(text) > LONGEST:
        raise ValueError(text)
    for _before, name, form, conversion in Formatter().parse(text) if values else ():
        if name is not None and (not name.isidentifier() or name not in values or form or conversion):
            raise ValueError(text)
    return printable(text, LONGEST)


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


def printable(value: object, longest: int = 400) -> str:
    """`value` as text that is safe to show on one line: control characters are escaped, very long
    texts are cut.

    >>> printable("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, BaseException):
        value = said_by(value)
    if isinstance(value, Sentence) and len(value) <= longest:
        return value  # its values are printable
    text = str(value)
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return "".join(
        c if c.isprintable() or c == NO_BREAK else c.encode("unicode_escape", "surrogatepass").decode("ascii")
        for c in text
    )
