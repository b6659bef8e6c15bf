"""One training as a process: it learns, tells how it goes as lines of JSON, and obeys what it reads on its standard input.

The first line that it reads is the plan, {"do": "train", …}; each later one names what else to `do`: pause, go, stop, save, pace. What it tells is one of
{"about": …} (once), {"picture": …}, {"saved": games, "number": …}, {"error": sentence}. When nobody is there any more to tell, it saves and ends.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, NoReturn

from damier.core.errors import BadInput, DamierError
from damier.core.files import to_json
from damier.core.grade import Grade
from damier.core.words import _, grouped, speak
from damier.lab.agents import agent
from damier.lab.training import Plan, Trainer, trainer
from damier.learn import reading, store
from damier.learn.player import LearningPlayer
from damier.learn.training import Training
from damier.web.desk import Desk, limited, refuse_files
from damier.web.learning import learners
from damier.web.learning.orders import LAST_SECONDS, Line, Orders
from damier.web.learning.snapshot import about_training, moment
from damier.web.settings import Settings

REST = 0.1
"""The fewest seconds between two pictures."""
SHARE = 16
"""And so many times as long as a picture takes: watching costs no more than that part of the training's time."""
MOST_PLIES = 1000


class Stopped(DamierError):
    """The training is to end now, after a whole game."""


class Trainee:
    """A training that is watched.

    plan    as the hub has checked it: name, game, learner, opponent, seat, seed, games, pace (games a second, 0: no limit), resume
    stage   what goes on between the games: a game being solved, a loop being compiled
    """

    def __init__(self, settings: Settings, plan: Line, orders: Orders, told: IO[str]) -> None:
        self.plan, self.orders, self.told = plan, orders, told
        self.desk = Desk(settings)
        self.games, self.pace, self.paused, self.stage = int(plan["games"]), float(plan["pace"]), False, ""
        self.made: Trainer | None = None
        self._busy = False
        self._picture_due = 0.0
        self._game_due = time.monotonic()
        self._rate = Rate()

    def tell(self, line: Line) -> None:
        """Raises Stopped where nobody is there any more to be told."""
        try:
            self.told.write(to_json(line) + "\n")
            self.told.flush()
        except BrokenPipeError:
            self.told = open(os.devnull, "w")  # noqa: SIM115 (to the end of this process)
            raise Stopped(_("stopped")) from None

    def run(self) -> None:
        """The whole of it. Raises DamierError, Stopped where it was stopped."""
        self.made = made = self._made()
        self.tell({"about": about_training(made, self.plan["game"])})
        self._show("running")
        training = made.training
        training.shown = self._shown
        self._keep_step()
        training.run(self.games, made.lab.job)
        self._show("finished")

    def show_stopped(self) -> None:
        """The last picture of a training that was stopped."""
        if self.made is not None:
            self.stage = ""
            self._show("stopped")

    def _made(self) -> Trainer:
        """The training, new or from its file, which is kept up to date."""
        folder, name = self.desk.settings.folder, self.plan["name"]
        lab = self.desk.lab(self.plan["game"])
        lab.job.progress = self._progress
        if self.plan["resume"]:
            path = learners.kept(folder, name)
            made = trainer(lab, plan_of_file(reading.load(path, lab.game)))
            made.resume(path)
            if self.games <= made.training.games:
                raise BadInput(_("{name} has played {n} games already; say how many it is to have played in all", name=name, n=made.training.games))
        else:
            path, plan = learners.free_place(folder, name), checked_plan(self.plan)
            if plan.opponent and plan.opponent.startswith("perfect"):  # which takes its time, and would be waited for
                agent(lab, plan.learner)
                self._show("preparing")
            made = trainer(lab, plan)
        made.training.grade = self._graded_by(made.training.grade)
        made.save_to(path)
        return made

    def _shown(self, training: Training) -> None:
        """After every chunk of games: a picture if one is due, and whatever was ordered; then as long a rest as the pace asks for."""
        self.stage = ""
        if training.games < self.games:
            self._show_if_due()
            self._obey()
            self._rest(training)

    def _progress(self, done: int, total: int | None, what: str) -> None:
        """What the job says: also while nothing is played, because something is being worked out."""
        if what == _("games"):
            return
        self._busy = True
        if not done and what != self.stage:
            self._picture_due = 0.0  # that it begins is told at once: it may be the last word for a while
        self.stage = f"{what}: {grouped(done)}" if done else what
        self._show_if_due()
        self._obey()
        self._busy = False

    def _graded_by(self, grade: Callable[[LearningPlayer], Grade | None]) -> Callable[[LearningPlayer], Grade | None]:
        """The same, but nothing while something is being worked out, be it what grades: neither for a picture, nor for a stop, which leaves it so."""
        return lambda learner: None if self._busy else grade(learner)

    def _obey(self, seconds: float = 0.0) -> None:
        """Does what was ordered; while it is paused, until it may go on."""
        while (order := self.orders.next(seconds)) is not None or self.paused:
            seconds = 3600.0 if self.paused else 0.0
            if order is not None:
                self._do(order)
                seconds = 3600.0 if self.paused else 0.0

    def _do(self, order: Line) -> None:
        """One order."""
        what = order["do"]
        if what == "stop":
            raise Stopped(_("stopped"))
        if what in ("pause", "go"):
            self.paused = what == "pause"
            self._game_due = time.monotonic()
            self._rate = Rate()
            self._show("paused" if self.paused else "running")
        elif what == "pace":
            self.pace = float(order["pace"])
            self._keep_step()
        elif what == "save" and self.made is not None:
            self._save(order)

    def _save(self, order: Line) -> None:
        """Saves now; as another learner too, where a name is given."""
        assert self.made is not None
        try:
            self.made.training.saved(self.made.training)
            if order.get("as"):
                store.save(self.made.agent(), learners.free_place(self.desk.settings.folder, order["as"]))
            self.tell({"saved": self.made.training.games, "number": order["number"]})
        except DamierError as error:
            self.tell({"saved": 0, "number": order["number"], "error": str(error)})

    def _keep_step(self) -> None:
        """Games that are played between two looks at the clock: what comes of a training does not depend on it."""
        assert self.made is not None
        self.made.training.show_every = max(1, int(self.pace / 10)) if self.pace else None
        self._game_due = time.monotonic()

    def _rest(self, training: Training) -> None:
        """Waits until the next games may be played; obeys meanwhile."""
        if not self.pace:
            return
        self._game_due += (training.show_every or 1) / self.pace
        while self.pace and (left := self._game_due - time.monotonic()) > 0:
            self._obey(left)
        self._game_due = max(self._game_due, time.monotonic() - 1.0)  # what was missed by more than this is not made up for

    def _show_if_due(self) -> None:
        begun = time.monotonic()
        if begun >= self._picture_due:
            self._show("running")
            self._picture_due = time.monotonic() + max(REST, SHARE * (time.monotonic() - begun))

    def _show(self, state: str) -> None:
        """Tells this moment."""
        if self.made is None:
            self.tell({"picture": {"state": "preparing", "games": 0, "of": self.games, "stage": self.stage, "pace": self.pace, "notes": []}})
            return
        facts = {"state": state, "of": self.games, "stage": self.stage, "pace": self.pace, "notes": self.made.lab.job.notes}
        self.tell({"picture": facts | moment(self.made) | {"rate": self._rate.after(self.made.training.games)}})


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


def checked_plan(plan: Line) -> Plan:
    """The plan of a new training. Raises BadInput for agents that a page may not name."""
    for text in (plan["learner"], plan["opponent"]):
        name, _colon, options = text.partition(":")
        refuse_files(options)
        if name == "human":
            raise BadInput(_("people cannot sit in a training: play against the learner on the board"))
    return Plan(plan["learner"], limited(plan["opponent"]) or None, plan["seat"] or None, plan["seed"], MOST_PLIES)


def plan_of_file(found: store.Agent) -> Plan:
    """The plan of a training that goes on. Raises BadInput for a learner that was never trained."""
    if not found.training:
        raise BadInput(_("this learner was never trained, so there is nothing to go on with"))
    learner = LearningPlayer(found.game, found.learner, found.parameters).text
    return Plan(learner, **{name: found.training[name] for name in ("opponent", "seat", "seed", "max_plies")})


def main() -> NoReturn:
    """Trains as the first line says. What games print goes to standard error."""
    told = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    orders = Orders(sys.stdin.buffer)
    plan = orders.next(LAST_SECONDS)
    if plan is None or plan["do"] != "train":
        os._exit(1)
    speak(plan["language"])
    trainee = Trainee(Settings.from_text(sys.argv[1]), plan, orders, told)
    try:
        trainee.run()
    except Stopped:
        trainee.show_stopped()
    except DamierError as error:
        trainee.tell({"error": str(error).replace(f"{trainee.desk.settings.folder}{os.sep}", "")})
    except Exception as error:  # who watches reads one line; who serves sees where
        sys.excepthook(*sys.exc_info())
        trainee.tell({"error": _("a fault of the game, or of damier itself: {kind}: {error}", kind=type(error).__name__, error=error)})
    os._exit(0)  # a thread still waits for orders


if __name__ == "__main__":
    main()
