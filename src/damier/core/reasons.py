"""Why the operating system refused, in the language in force: its sentences are translated like
ours.
"""

from __future__ import annotations

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
