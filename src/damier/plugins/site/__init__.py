"""The web lab as plain files, `damier site OUT` (docs/site.md): Python runs in the reader's browser."""

from pathlib import Path

from damier.core.words import N_
from damier.lab.plugins import Command
from damier.web.rooms import Verb, WebRoom

SITE = Command("damier.plugins.site.site_command:site", N_("the web lab as plain files, for any web server"))
PASTED = WebRoom(
    "damier.plugins.site.tab",
    {
        "page": Verb("quick", 10, channel="address"),
        "take": Verb("quick", 10),
    },
    {"/own": "page"},
    folder=Path(__file__).parent,
    title=N_("Your own"),
)
"""The room of a site in which a reader pastes a game or an agent; no lab that is served has it."""
