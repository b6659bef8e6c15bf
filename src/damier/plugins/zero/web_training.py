"""A training of the web lab: bounded in games and seconds, graded as often as a third of its time allows, and
told to whoever watches.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from damier.core.errors import BadFile, BadInput, DamierError, Unsuitable
from damier.core.game import Game
from damier.core.json_types import JsonValue
from damier.core.words import _, grouped, message
from damier.lab.options import read_options
from damier.plugins.zero.agent import ZeroPlayer
from damier.plugins.zero.grading import ZeroGrader
from damier.plugins.zero.kept import KeptNetwork, keep, kept
from damier.plugins.zero.self_play import SearchSettings
from damier.plugins.zero.train_command import row_of
from damier.plugins.zero.training import (
    Generation,
    ZeroSettings,
    ZeroTraining,
    comparable,
    complete,
    require_settings,
)
from damier.web import learners
from damier.web.messages import Order, Progress, SaveOrder, TrainingPlan
from damier.web.settings import Settings
from damier.web.trainee import Orders, Reporter, Stopped, Trainee

MOST_SECONDS = 120.0
"""Seconds of a training; it can be asked to go on."""
GENERATION = 128
"""Games of a generation, where a page says nothing else: fewer than on the command line, to be watched."""
CEILINGS = {"simulations": 128, "hidden": 128, "layers": 4, "games": 1024, "window": 50_000, "batch": 2048}
"""Largest options of a training of a page."""
USUAL = ZeroSettings(games=GENERATION, window=50_000)
GRADES = 2.0
"""Seconds of learning for each second of grading, at least."""


def settings_of(learner: str) -> ZeroSettings:
    """Return the settings of a training that a page asks for. Raises BadInput."""
    options = read_options("zero", learner.partition(":")[2], ZeroSettings)
    found = replace(USUAL, **options)
    require_settings(found)
    if found.network != USUAL.network:
        raise BadInput(
            message(
                "zero: network={network} is trained by damier train GAME zero, not on a page",
                network=found.network,
            )
        )
    for name, most in CEILINGS.items():
        if getattr(found, name) > most:
            raise BadInput(message("zero: at most {option}={n} here", option=name, n=most))
    return found


@dataclass
class ZeroReporter(Reporter):
    """A training told line by line; its picture is its curve."""

    training: ZeroTraining | None = None
    curve: list[JsonValue] = field(default_factory=list)

    def show(self, state: str) -> None:
        self.tell({"now": self._now(state), "drawing": {"curve": self.curve}})

    def show_if_due(self) -> None:
        if time.monotonic() >= self._beat_due:
            self._beat_due = time.monotonic() + 0.1
            self.show_numbers("running" if self.training else "preparing")

    def _now(self, state: str) -> Progress:
        games = self.training.learnt.games if self.training else 0
        return {
            "of": self.games,
            "stage": self.stage,
            "pace": 0.0,
            "state": state,
            "games": games,
            "notes": self.notes,
            "rate": self.rate.after(games),
        }


class ZeroTrainee(Trainee):
    """A training of a network."""

    reporter: ZeroReporter

    def __init__(self, settings: Settings, plan: TrainingPlan, orders: Orders, told: IO[str]) -> None:
        super().__init__(settings, plan, orders, told)
        self.reporter = ZeroReporter(told, self.games, 0.0)
        self._path = settings.folder / f"{plan['name']}.json"
        self._begun = self._due = 0.0
        self._ungraded: Generation | None = None

    def run(self) -> None:
        """The whole of it. Raises DamierError, Stopped where it was stopped."""
        if self.plan["opponent"] or self.plan["starts"]:
            raise BadInput(
                message("zero learns from games against itself: it has no {option}", option="opponent")
            )
        lab = self.registry.lab(self.plan["game"])
        settings = settings_of(self.plan["learner"])
        found = self._kept(lab.game, settings)  # what is refused is refused before anything is worked out
        lab.job = replace(lab.job, progress=self._progress, note=self.reporter.notes)
        self._grader = ZeroGrader(lab)
        if not self._grader.is_solved:
            raise Unsuitable(
                message(
                    "{game} is too large to be graded in all positions on a page; damier train {game} zero"
                    " trains it",
                    game=lab.game.text,
                )
            )
        self._training = training = ZeroTraining(lab, settings, self.plan["seed"])
        if found:
            try:
                training.restore(found.arrays, found.done())
            except (ValueError, KeyError) as error:
                raise BadFile(
                    message("{path} does not hold this training", path=self.plan["name"])
                ) from error
        training.prepare()
        self.reporter.stage, self.reporter.training = "", training
        self.reporter.show("running")
        self._begun = time.monotonic()
        try:
            training.run(self._goes_on, self._after)
        except Stopped:
            self._keep(self._path)
            raise
        if self._ungraded:
            self._grade(self._ungraded)
        self._keep(self._path)
        self.reporter.show("finished")

    def show_stopped(self, why: str = "") -> None:
        """The last picture of a training that was stopped."""
        self.reporter.stage = why
        self.reporter.show("stopped")

    def _kept(self, game: Game, settings: ZeroSettings) -> KeptNetwork | None:
        """Return what it goes on with; None for a new one, of which there must be no file yet.

        Raises BadInput, BadFile.
        """
        folder, name = self.registry.settings.folder, self.plan["name"]
        if not self.plan["resume"]:
            learners.free_place(folder, name)
            return None
        found = kept(learners.kept(folder, name), game)
        settings = complete(settings, game)
        known, seed, curve = (found.facts.get(fact) for fact in ("settings", "seed", "curve"))
        theirs = comparable(known) if isinstance(known, dict) else None
        if theirs != settings.as_json() or seed != self.plan["seed"]:
            raise BadInput(message("{name} was trained with other options", name=name))
        games = found.done()[1]
        if self.games <= games:
            raise BadInput(
                message(
                    "{name} has played {n} games already; say how many it is to have played in all",
                    name=name,
                    n=games,
                )
            )
        self.reporter.curve = list(curve) if isinstance(curve, list) else []
        return found

    def _goes_on(self) -> bool:
        """Return whether there are games, and time, for another generation."""
        before = time.monotonic()
        self._obey()
        self._begun += time.monotonic() - before  # a pause is no training
        if time.monotonic() - self._begun > MOST_SECONDS:
            said = _("ended after {n} seconds, the longest that a page trains", n=grouped(MOST_SECONDS))
            self.reporter.notes(said)
            return False
        return self._training.learnt.games < self.games

    def _after(self, found: Generation) -> None:
        """Grades, keeps and shows what was learnt, where it is time to."""
        self.reporter.stage = ""
        self._ungraded = found
        if time.monotonic() >= self._due:
            begun = time.monotonic()
            self._grade(found)
            self._keep(self._path)
            self.reporter.show("running")
            now = time.monotonic()
            self._due = now + GRADES * (now - begun)
        self.reporter.show_if_due()

    def _grade(self, found: Generation) -> None:
        """Adds a point to the curve."""
        search = SearchSettings(self._training.settings.simulations)
        player = ZeroPlayer("zero", self._training.engines, self._training.network(), search)
        self.reporter.curve = [*self.reporter.curve, row_of(found, self._grader.grade(player))]
        self._ungraded = None

    def _keep(self, path: Path, name: str = "") -> None:
        """Writes what was learnt. Raises Full where there is no room for it."""
        training = self._training
        if not training.learnt.generations:
            return
        with self.quota.within(self.plan["owner"], name or self.plan["name"]):
            keep(
                path,
                training.lab.game,
                self.plan["learner"],
                training.network(),
                training.arrays(),
                training.facts(self.reporter.curve),
            )

    def _do(self, order: Order) -> None:
        if order["do"] == "save":
            self._keep_now(order)
        elif order["do"] != "pace":
            super()._do(order)

    def _keep_now(self, order: SaveOrder) -> None:
        """Writes it now, as another learner too where a name is given."""
        try:
            self._keep(self._path)
            if order.get("as"):
                self._keep(learners.free_place(self.registry.settings.folder, order["as"]), order["as"])
            self.reporter.tell({"saved": self._training.learnt.games, "number": order["number"]})
        except DamierError as error:
            self.reporter.tell({"saved": 0, "number": order["number"], "error": str(error)})
