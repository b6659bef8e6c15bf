"""What students hand in instead of a file in Python, known by its first bytes, so that they are told
what it is, and what to do, rather than what Python says of it.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import tokenize
from pathlib import Path

from damier.core.errors import AgentFault
from damier.core.words import N_, Text, message

LARGEST = 1 << 20

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
COMPILED = re.compile(rb".[\r\x0e]\r\n", re.DOTALL)
"""How a file begins that Python has compiled, since 3.8 (its magic number, then a line's end)."""
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
PAGE = re.compile(rb"\s*<(?:!doctype|html|\?xml)", re.IGNORECASE)


def why_no_python(content: bytes) -> Text:
    """Why a file cannot be one in Python, in a sentence; nothing where it may be one."""
    if not content.strip():
        return message("the file is empty")
    if content.startswith(UTF_16):
        return message("the file is written in UTF-16; save it as UTF-8")
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


def require_python(path: Path) -> None:
    """Raises AgentFault for a file that cannot be one in Python. What cannot be read is told by whoever
    reads it.
    """
    with contextlib.suppress(OSError), open(path, "rb") as file:
        if why := why_no_python(file.read(LARGEST)):
            raise AgentFault(message("{file}: {why}", file=path.name, why=why))


def kind_of(content: bytes) -> str:
    """What a file is that is no text of a program, to be translated; empty where it may be one."""
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
    """The first line that is not in the encoding that the file says it has: UTF-8, mostly."""
    try:
        encoding, _lines = tokenize.detect_encoding(io.BytesIO(content).readline)
    except (SyntaxError, ValueError):  # it names none that there is, or begins with what is none
        encoding = "utf-8"
    try:
        content.decode(encoding)
    except UnicodeError as error:
        at = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = content.count(b"\n", 0, at) + 1
        return message(
            "the file is not written in {encoding} (line {line}); save it as UTF-8",
            encoding=encoding.upper(),
            line=line,
        )
    return ""
