"""AlphaZero: a network that learns from games of self-play, guided by a search, graded exactly while it
learns (docs/zero.md).
"""

from pathlib import Path

from damier.core.words import N_
from damier.lab.plugins import AgentKind
from damier.web.rooms import LearnerKind, Verb, WebRoom

ZERO = AgentKind(
    "damier.plugins.zero.agent:zero",
    "AlphaZero",
    N_("a network and the search that it guides: file=FOLDER of damier train GAME zero, simulations="),
)
ROOM = WebRoom(
    "damier.plugins.zero.room",
    {
        "page": Verb("slow", 20, channel="address"),
        "look": Verb("slow", 20),
        "show": Verb("slow", 20),
        "download": Verb("slow", 20, channel="address"),
        "numbers": Verb("quick", 10, channel="hub"),
        "drawn": Verb("slow", 10, channel="hub"),
    },
    {"/zero": "page", "/zero/files/{file}": "download", "/zero/{game:path}": "page"},
    folder=Path(__file__).parent,
    title=N_("AlphaZero"),
    under="/training",
    needs_server=True,
    learners=LearnerKind(
        "zero",
        "damier-zerolearner/1",
        "/zero/{game}",
        "damier.plugins.zero.room:ZeroTrainee",
        "damier.plugins.zero.agent:opponent",
    ),
)
