"""The guided sheets of the five documents, a document a file: their questions, whose answers damier computes,
their texts in both languages, their commands as they are printed, and their figures.
"""

from pathlib import Path

from damier.core.words import N_
from damier.lab.plugins import Command
from damier.web.rooms import Verb, WebRoom

TYPE = Command(
    "damier.plugins.course.commands:typed", N_("commands as the five documents print them; a session")
)
FIGURE = Command(
    "damier.plugins.course.commands:figure", N_("a figure of the documents: roulette, updates, tables")
)
COURSE = WebRoom(
    "damier.plugins.course.room",
    {
        "page": Verb("quick", 10, cached=True, channel="address"),
        "sheet": Verb("quick", 10, cached=True, channel="address"),
        "mark": Verb("slow", 20, cached=True),
        "typed_command": Verb("slow", 20, cached=True),
    },
    {
        "/course": "page",
        "/course/{name}": "sheet",
    },
    folder=Path(__file__).parent,
    title=N_("Course"),
    under="/tree?view=exercise",
)
