"""The source of a program in Python that somebody else wrote: a student's file, or a user's own. What is
handed in instead of one is known by its first bytes, so that people are told what it is, and what to do,
rather than what Python says of it.

A source is written in UTF-8. Where it says so itself (PEP 263) it may be in ASCII or Latin-1, as old files
are; whatever else such a line names is refused before any codec sees a stranger's bytes.
"""

from __future__ import annotations

import codecs
import json
import re
from pathlib import Path

from damier.core.errors import BadFile
from damier.core.files import read_bytes
from damier.core.words import N_, Text, message

LARGEST = 1 << 24

BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", N_("a picture (PNG)")),
    (b"\xff\xd8\xff", N_("a picture (JPEG)")),
    (b"GIF8", N_("a picture (GIF)")),
    (b"%PDF-", N_("a PDF document")),
    (b"PK\x03\x04", N_("an archive (ZIP), or a document of a word processor")),
    (b"\x1f\x8b", N_("an archive (gzip)")),
    (b"{\\rtf", N_("a document of a word processor (RTF)")),
    (b"\x7fELF", N_("a compiled program")),
    (b"MZ\x90\x00", N_("a compiled program")),
)
"""How files begin that are no text of a program."""
COMPILED = re.compile(rb".[\r\x0e]\r\n[\0-\3]\0\0\0", re.DOTALL)
"""How a file begins that Python has compiled, since 3.8: its magic number, a line's end,
four bytes of flags.
"""
MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
"""How files begin that an editor wrote in another encoding; the longer ones first."""
COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
NO_CODE = re.compile(rb"[ \t\f]*(?:#.*)?")
"""A first line after which the second may name the encoding."""
UTF_8 = "utf-8"
ENCODINGS = {
    UTF_8: ("utf-8", "utf8", "utf-8-sig"),
    "ascii": ("ascii", "us-ascii"),
    "latin-1": ("latin-1", "latin1", "iso-8859-1", "iso8859-1", "iso-latin-1"),
}
"""Those of a source, and what files call them."""
LONGEST_NAME = 40
PAGE = re.compile(rb"\s*<(?:!doctype|html|\?xml)", re.IGNORECASE)


def read_source(path: Path) -> str:
    """The text of a file in Python. Raises BadFile for what cannot be read, or cannot be in Python."""
    content = read_bytes(path, LARGEST)
    if why := why_no_python(content):
        raise BadFile(message("{file}: {why}", file=path.name, why=why))
    return content.removeprefix(codecs.BOM_UTF8).decode(encoding_of(content))


def why_no_python(content: bytes) -> Text:
    """Return why a file cannot be one in Python, in a sentence; nothing where it may be one."""
    if not content.strip():
        return message("the file is empty")
    if mark := next((name for beginning, name in MARKS if content.startswith(beginning)), ""):
        return message("the file is written in {encoding}; save it as UTF-8", encoding=mark)
    if what := kind_of(content):
        return message(
            "the file is {what}, no program in Python; choose the file that ends in .py", what=message(what)
        )
    if is_notebook(content):
        return message(
            "the file is a notebook (Jupyter), no program in Python; export it as a file that ends in .py"
        )
    if b"\0" in content:
        return message("the file is no text; choose the file that ends in .py")
    return why_unreadable(content)


def kind_of(content: bytes) -> str:
    """Return what a file is that is no text of a program, to be translated; empty where it may be one."""
    found = next((what for beginning, what in BEGINNINGS if content.startswith(beginning)), "")
    if found:
        return found
    if COMPILED.match(content):
        return N_("a file that Python has compiled (.pyc)")
    if PAGE.match(content):
        return N_("a page of the web (HTML)")
    return ""


def is_notebook(content: bytes) -> bool:
    if not content.lstrip().startswith(b"{") or b'"cells"' not in content:
        return False
    try:
        return isinstance(json.loads(content), dict)
    except (ValueError, RecursionError):
        return False


def why_unreadable(content: bytes) -> Text:
    """Return what is wrong with the encoding of a text: it names another than those of a source, or the first
    line that is not in the one that it names.
    """
    encoding = encoding_of(content)
    if not encoding:
        return message(
            "the file says that it is written in {encoding}; save it as UTF-8, and take the line out that"
            " says so",
            encoding=named_encoding(content),
        )
    try:
        content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return message(
            "the file is not written in {encoding} (line {line}); save it as UTF-8",
            encoding=encoding.upper(),
            line=line,
        )
    return ""


def encoding_of(content: bytes) -> str:
    """The encoding of a source, a key of ENCODINGS; empty where it names another, or begins as one in UTF-8
    and says that it is not.
    """
    name = re.sub("-(unix|dos|mac)$", "", named_encoding(content).lower().replace("_", "-"))  # after Emacs
    if content.startswith(codecs.BOM_UTF8):
        return UTF_8 if name.startswith(UTF_8) else ""  # as Python wants it, to which utf8 is another
    return next((encoding for encoding, names in ENCODINGS.items() if name in names), "")


def named_encoding(content: bytes) -> str:
    """The encoding that one of the first two lines of a source names, as it is written there; else UTF-8."""
    for line in content.removeprefix(codecs.BOM_UTF8).splitlines()[:2]:
        if found := COOKIE.match(line):
            return found[1].decode("ascii")[:LONGEST_NAME]
        if not NO_CODE.fullmatch(line):
            break
    return UTF_8
