"""The translations: what the sources say is brought into each .po file, and each .po file into the
.mo that damier reads. `scripts/catalogue` runs it.
"""

from __future__ import annotations

import argparse
import copy
import functools
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "damier"
LOCALE = SOURCE / "locale"
MARKS = {"_": None, "message": None, "N_": {1: (1,), 2: (1, 2)}, "ngettext": (1, 2), "plural": (1, 2)}
NAMED = re.compile(r"\w+")
BEFORE_A_BREAK = re.compile(r" [:;!?»]|[0-9}] %|« ")  # French has a no-break space there
NOT_FRENCH = re.compile(r"[^\s\u00a0][!?;»](?=\s|$)|«[^\u00a0]|[“”’]|\.\.\.")
"""Marks that nothing parts from the word beside them, English quotation marks and apostrophes, dots one by
one.
"""
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
"""What a file of translations is made at, so that the same sources make the same bytes."""
PERCENT = re.compile(r"%(?:\(\w+\))?[a-z]")


def languages() -> list[str]:
    return sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/damier.po"))


def file_of(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "damier.po"


@functools.cache
def sentences() -> Catalog:
    """Every marked text of the sources, in the order of the files; to be read only."""
    with open(ROOT / "babel.cfg", encoding="utf-8") as stream:
        methods, options = parse_mapping_cfg(stream)
    catalog = Catalog()
    for name, _line, text, comments, context in extract_from_dir(
        SOURCE, methods, options, MARKS, ["Translators:"], strip_comment_tags=True
    ):
        catalog.add(text, locations=[(Path(name).as_posix(), None)], auto_comments=comments, context=context)
    return catalog


def translation(language: str) -> Catalog:
    with open(file_of(language), "rb") as stream:
        return read_po(stream, language)


def update(language: str) -> Catalog:
    """Writes the translation anew, with the texts that the sources have now, and its .mo; returns
    it.
    """
    catalog, template = translation(language), copy.deepcopy(sentences())
    template.creation_date = catalog.creation_date  # a file whose texts are the same stays the same
    catalog.update(template, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    with open(file_of(language), "wb") as stream:
        write_po(stream, catalog, width=120, include_lineno=False)
    with open(file_of(language).with_suffix(".mo"), "wb") as stream:
        write_mo(stream, catalog)
    return catalog


def write_own() -> None:
    """Writes the .mo of the sources' own texts: the closed list of what may come from outside."""
    own = own_file()
    own.parent.mkdir(parents=True, exist_ok=True)
    with open(own, "wb") as stream:
        write_mo(stream, own_catalog())


def own_file() -> Path:
    return LOCALE / "en" / "LC_MESSAGES" / "damier.mo"


def own_catalog() -> Catalog:
    """Every text of the sources as its own translation."""
    found = Catalog("en", fuzzy=False, creation_date=EPOCH, revision_date=EPOCH)
    for message in sentences():
        if message.id:
            found.add(message.id, message.id)
    return found


def begin(language: str) -> None:
    """An empty translation into a language that has none."""
    file_of(language).parent.mkdir(parents=True)
    with open(file_of(language), "wb") as stream:
        write_po(
            stream,
            Catalog(
                language,
                project="damier",
                copyright_holder="damier",
                header_comment=f"# damier: {language}",
                fuzzy=False,
            ),
            width=120,
        )


def texts(message: Message) -> tuple[str, ...]:
    return tuple(message.id) if isinstance(message.id, (tuple, list)) else (message.id,)


def translations(message: Message) -> tuple[str, ...]:
    return tuple(message.string) if isinstance(message.string, (tuple, list)) else (message.string or "",)


def placeholders(text: str) -> set[str]:
    """What is put into a text: `{names}`, and the `%s` of argparse."""
    return {f"{{{name}}}" for _said, name, _spec, _kind in fields_of(text)} | set(PERCENT.findall(text))


def fields_of(text: str) -> list[tuple[str, str, str | None, str | None]]:
    """What a text has in braces."""
    return [
        (said, name, form, kind) for said, name, form, kind in Formatter().parse(text) if name is not None
    ]


def faults(language: str) -> Iterator[str]:
    """What is wrong with a translation, a line each."""
    now, catalog = sentences(), translation(language)
    for message in now:
        if message.id and message.id not in catalog:
            yield f"not in the catalogue: {texts(message)[0]!r}"
    for message in catalog:
        if message.id:
            yield from (f"{fault}: {texts(message)[0]!r}" for fault in faults_of(message, now, language))
    if compiled("en") != translated(own_catalog()):
        yield "the texts of the sources are not those of en/LC_MESSAGES/damier.mo"
    if not compiled(language).items() >= translated(catalog).items():
        yield "damier.mo is not that of damier.po"


def faults_of(message: Message, now: Catalog, language: str) -> Iterator[str]:
    if message.id not in now:
        yield "no longer in the sources"
    if message.fuzzy:
        yield "fuzzy"
    for text in (*texts(message), *translations(message)):
        if any(not NAMED.fullmatch(name) or form or kind for _said, name, form, kind in fields_of(text)):
            yield f"more than names in braces ({text!r})"
    for said in translations(message):
        wanted = texts(message)[-1]
        if not said:
            yield "not translated"
        elif not placeholders(wanted) >= placeholders(said) >= placeholders(texts(message)[0]) - {"{n}"}:
            yield f"other placeholders ({said!r})"
        elif (wanted[0] == " ", wanted[-1] == " ") != (said[0] == " ", said[-1] == " "):
            yield f"other spaces at its ends ({said!r})"
        elif language == "fr" and BEFORE_A_BREAK.search(said):
            yield f"a space where French has a no-break space ({said!r})"
        elif language == "fr" and NOT_FRENCH.search(said):
            yield f"marks that French sets otherwise ({said!r})"


def compiled(language: str) -> dict[str, tuple[str, ...]]:
    """What the .mo holds."""
    with open(file_of(language).with_suffix(".mo"), "rb") as stream:
        return translated(read_mo(stream))


def translated(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    return {
        texts(message)[0]: translations(message)
        for message in catalog
        if message.id and all(translations(message))
    }


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        "scripts/catalogue", description="Brings the translations up to date with the sources."
    )
    parser.add_argument("--new", metavar="LANGUAGE", help="begin a translation, for example: it")
    wanted = parser.parse_args(arguments).new
    if wanted:
        begin(wanted)
    found = False
    write_own()
    for language in languages():
        update(language)
        for fault in faults(language):
            found = True
            print(f"{file_of(language).relative_to(ROOT)}: {fault}")
    return int(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
