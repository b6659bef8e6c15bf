"""What is said on the command line, as a page says it: it has fields, and no options."""

from __future__ import annotations

import re

from damier.core.words import N_, _

FIELDS = {
    "--plies": N_("plies"),
    "--truncated": N_("the truncated tree"),
    "--merged": N_("the graph"),
    "--seat": N_("seat"),
    "--agent": N_("machine"),
    "--games": N_("games"),
}
"""Options that a page has a field for, and what is written beside it."""
OPTION = re.compile(r"--[a-z][a-z-]*")
CLAUSE = re.compile(r"(?:^|\s*\(|\s*[.;:,]\s)[^.;:,()]*--[a-z][^.;:,]*(?=$|[.;:,]\s|[.;:,]$)")
"""A part of a sentence that names an option, from the mark before it."""


def for_page(sentence: str) -> str:
    """A sentence without the options that it names: those that are fields here have their names, and
    the clause that advises another is left out, since nobody can follow it at a page.

    >>> for_page("the memory budget is 1 GiB (--memory)")
    'the memory budget is 1 GiB'
    >>> for_page("up to 3 are drawn: give fewer --plies")
    'up to 3 are drawn: give fewer “plies”'
    >>> for_page("stopped after 9 positions. A larger --memory goes further")
    'stopped after 9 positions'
    """
    return CLAUSE.sub("", OPTION.sub(lambda found: field(found[0]), sentence)).lstrip(" .;:,\u00a0")


def field(option: str) -> str:
    """An option by the words beside its field; as it is where there is none."""
    return _("“{field}”", field=_(FIELDS[option])) if option in FIELDS else option
