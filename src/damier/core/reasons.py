"""Why the operating system refused, or Python's reader of JSON, in the language in force: their
sentences are translated like ours.
"""

from __future__ import annotations

import json

from damier.core.words import N_, _

ITS_SENTENCES = (
    N_("No such file or directory"),
    N_("Permission denied"),
    N_("Operation not permitted"),
    N_("Is a directory"),
    N_("Not a directory"),
    N_("File exists"),
    N_("File name too long"),
    N_("File too large"),
    N_("Too many levels of symbolic links"),
    N_("No space left on device"),
    N_("Disk quota exceeded"),
    N_("Read-only file system"),
    N_("Input/output error"),
    N_("Address already in use"),
    N_("Cannot assign requested address"),
    N_("Name or service not known"),
)
"""Those that files and ports can meet; any other is shown as the system says it."""


def reason(error: OSError) -> str:
    """The sentence of an error, without its number and its file."""
    return _(error.strerror) if error.strerror else str(error)


OF_JSON = (
    N_("Expecting value"),
    N_("Expecting property name enclosed in double quotes"),
    N_("Expecting ':' delimiter"),
    N_("Expecting ',' delimiter"),
    N_("Illegal trailing comma before end of array"),
    N_("Illegal trailing comma before end of object"),
    N_("Unterminated string starting at"),
    N_("Invalid control character at"),
    N_("Invalid \\escape"),
    N_("Invalid \\uXXXX escape"),
    N_("Extra data"),
)
"""What Python says of a text that is no JSON, from 3.11 to 3.14."""


def reason_of_json(error: json.JSONDecodeError) -> str:
    """What is wrong with a text of JSON, and where."""
    why, line, column = _(error.msg), error.lineno, error.colno
    return _("{why}: line {line} column {column} (char {n})", why=why, line=line, column=column, n=error.pos)
