"""What a training tells of itself: its numbers ten times a second, by the clock, and a whole
picture as often as that costs it little.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import IO

from damier.core.errors import DamierError
from damier.core.job import Notes
from damier.core.json_text import to_json
from damier.core.words import message
from damier.lab.training import Trainer
from damier.web.learning.snapshot import moment, numbers
from damier.web.messages.training import Progress, TrainingLine

BEAT = 0.1
"""Seconds between two tellings of the numbers."""
SHARE = 16
"""Seconds between two pictures, by those that one takes: watching costs no more than that part of
the training's time.
"""
HURRY = BEAT / 4
"""What is due so soon is told now: games are played in chunks, and after the next one it would be
late.
"""


class Stopped(DamierError):
    """The training is to end now, after a whole game."""


@dataclass
class Reporter:
    """A training told line by line.

    games  that it is to have played in all; pace: games a second, 0: no limit
    stage  what goes on between the games: a game being solved, a loop being compiled
    made   the training, once it is put together
    notes  what its job notes
    """

    told: IO[str]
    games: int
    pace: float
    stage: str = ""
    made: Trainer | None = None
    notes: Notes = field(default_factory=Notes)
    _beat_due: float = 0.0
    _picture_due: float = 0.0

    def __post_init__(self) -> None:
        self.rate = Rate()

    def tell(self, line: TrainingLine) -> None:
        """Raises Stopped where nobody is there any more to be told."""
        try:
            self.told.write(to_json(line) + "\n")
            self.told.flush()
        except BrokenPipeError:
            self.told = open(os.devnull, "w")  # noqa: SIM115 (to the end of this process)
            raise Stopped(message("stopped")) from None

    def show(self, state: str) -> None:
        """Tells this moment: the numbers and the picture."""
        begun = time.monotonic()
        line: TrainingLine = {"now": self._now(state)}
        if self.made is not None:
            line["picture"] = moment(self.made)
        self.tell(line)
        self._picture_due = time.monotonic() + SHARE * (time.monotonic() - begun)

    def show_if_due(self) -> None:
        """The same as far as it is time to."""
        now = time.monotonic()
        if now + HURRY < self._beat_due:
            return
        self._beat_due = max(self._beat_due + BEAT, now)
        if now >= self._picture_due:
            self.show("running")
        else:
            self.show_numbers("running")

    def show_numbers(self, state: str) -> None:
        """Tells the numbers of this moment, without the picture."""
        self.tell({"now": self._now(state)})

    def hurry(self) -> None:
        """What is told next is told at once."""
        self._beat_due = self._picture_due = 0.0

    def _now(self, state: str) -> Progress:
        if self.made is None:
            return {
                "of": self.games,
                "stage": self.stage,
                "pace": self.pace,
                "state": "preparing",
                "games": 0,
                "notes": [],
            }
        found = numbers(self.made)
        return {
            "of": self.games,
            "stage": self.stage,
            "pace": self.pace,
            **found,
            "state": state,
            "notes": self.notes,
            "rate": self.rate.after(found["games"]),
        }


@dataclass
class Rate:
    """Games a second on the clock, over the last second; 0 before that has passed."""

    before: tuple[float, int] | None = None
    latest: float = 0.0

    def after(self, games: int) -> float:
        now = time.monotonic()
        if self.before is None:
            self.before = now, games
        elif now - self.before[0] >= 1.0:
            self.latest = (games - self.before[1]) / (now - self.before[0])
            self.before = now, games
        return self.latest
