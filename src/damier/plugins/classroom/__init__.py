"""A class that hands in its agents, and marking: `damier check`, `damier serve --class` (docs/class.md,
docs/marking.md).
"""

from pathlib import Path

from damier.core.words import N_
from damier.lab.plugins import Command
from damier.web.rooms import Verb, WebRoom

CHECK = Command(
    "damier.plugins.classroom.check_command:check", N_("what students have handed in, marked and explained")
)
CLASSROOM = WebRoom(
    "damier.plugins.classroom.room",
    {
        "page": Verb("class", 20, channel="address"),
        "board": Verb("class", 20, channel="address"),
        "teacher": Verb("class", 20, channel="address"),
        "compare": Verb("class", 20, channel="address"),
        "live": Verb("class", 20, channel="hub"),
        "hand_in": Verb("class", 20),
        "try_out": Verb("class", 20),
        "report": Verb("class", 20),
        "trial": Verb("class", 20),
        "starter": Verb("class", 20),
        "starter_file": Verb("class", 20, channel="address"),
        "identify": Verb("class", 20),
        "teach": Verb("class", 20),
        "students": Verb("class", 20),
        "new_key": Verb("class", 20),
        "remove": Verb("class", 20),
        "join": Verb("class", 20),
        "who": Verb("class", 20),
        "keep_run": Verb("class", 20),
        "download": Verb("class", 60, channel="address"),
    },
    {
        "/class": "page",
        "/class/board": "board",
        "/class/teacher": "teacher",
        "/class/compare": "compare",
        "/class/starter/{name}": "starter_file",
        "/class/files/{name:path}": "download",
    },
    folder=Path(__file__).parent,
    title=N_("Class"),
    of_store=True,
    needs_server=True,
    service="damier.plugins.classroom.class_auth:ClassService",
    warms="damier.plugins.classroom.room:warm",
    opens="damier.plugins.classroom.class_process:open_class",
)
