"""Exams: variants of a sheet from one's own trees and games, their keys apart, returned answers marked
(docs/exams.md).
"""

from pathlib import Path

from damier.core.words import N_
from damier.lab.plugins import Command
from damier.web.rooms import Verb, WebRoom

EXAM = Command(
    "damier.plugins.exams.exam_command:exam", N_("an exam in variants, its keys, its answers marked")
)
EXAMS = WebRoom(
    "damier.plugins.exams.room",
    {
        "page": Verb("quick", 10, cached=True, channel="address"),
        "mark": Verb("slow", 20),
    },
    {"/exams": "page"},
    folder=Path(__file__).parent,
)
