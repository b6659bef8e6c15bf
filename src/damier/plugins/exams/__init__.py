"""Exams: variants of a sheet from one's own trees and games, their keys apart, returned answers marked
(docs/exams.md).
"""

from damier.core.words import N_
from damier.lab.plugins import Command

EXAM = Command(
    "damier.plugins.exams.exam_command:exam", N_("an exam in variants, its keys, its answers marked")
)
