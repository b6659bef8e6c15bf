"""Studies over parameters: sweeps of trainings, depth × evaluation, Pacman's laboratory (docs/sweep.md)."""

from pathlib import Path

from damier.core.words import N_
from damier.lab.plugins import Command
from damier.web.rooms import Verb, WebRoom

SWEEP = Command(
    "damier.plugins.studies.sweep_command:sweep", N_("many trainings over parameters and seeds, compared")
)
STUDY = Command(
    "damier.plugins.studies.study_command:study", N_("what depth and evaluation are worth; how trees grow")
)
LABORATORY = WebRoom(
    "damier.plugins.studies.laboratory",
    {
        "page": Verb("quick", 10, channel="address"),
        "play": Verb("slow", 20),
        "games": Verb("quick", 10),
        "replay": Verb("slow", 20, cached=True),
    },
    {"/pacman/laboratory": "page"},
    folder=Path(__file__).parent,
)
