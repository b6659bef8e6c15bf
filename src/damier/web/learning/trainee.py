"""One training as a process: it learns, tells how it goes as lines of JSON, and obeys what it reads
on its standard input.

The first line that it reads is the plan, {"do": "train", …}; each later one names what else to
`do`: pause, go, stop, save, pace. What it tells is one of {"about": …} (once), {"now": …}, {"now":
…, "picture": …}, {"saved": games, "number": …}, {"error": sentence}. When nobody is there any more
to tell, it saves and ends.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import IO, NoReturn

from damier.core.bounds import limit_memory
from damier.core.errors import BadInput, DamierError
from damier.core.grade import Grade
from damier.core.patience import words_of
from damier.core.player import Learner
from damier.core.priority import stand_back
from damier.core.words import _, grouped, message, speak
from damier.lab.training import Trainer, trainer
from damier.learn.training import Training
from damier.web.learning import learners
from damier.web.learning.kept import load_learner
from damier.web.learning.orders import LAST_SECONDS, Orders
from damier.web.learning.plans import checked_plan, plan_of_file
from damier.web.learning.quota import Full, Quota
from damier.web.learning.reporter import BEAT, Rate, Reporter, Stopped
from damier.web.learning.snapshot import about_training
from damier.web.messages.training import Order, SaveOrder, TrainingPlan
from damier.web.registry import Registry
from damier.web.settings import Settings

NICE = 5
"""How far a training stands back behind the pages of the lab."""


class Trainee:
    """A training that is watched.

    plan  as the hub has checked it
    """

    def __init__(self, settings: Settings, plan: TrainingPlan, orders: Orders, told: IO[str]) -> None:
        self.plan, self.orders = plan, orders
        self.registry = Registry(settings)
        self.quota = Quota(settings.folder, settings.disk)
        self.games, self.paused = int(plan["games"]), False
        self.reporter = Reporter(told, self.games, float(plan["pace"]))
        self._busy = False
        self._game_due = time.monotonic()

    def run(self) -> None:
        """The whole of it. Raises DamierError, Stopped where it was stopped."""
        made = self._made()
        self.reporter.made = made
        self.reporter.tell({"about": about_training(made, self.plan["game"])})
        self.reporter.show("running")
        training = made.training
        training.shown = self._shown
        self._keep_step(made)
        training.run(self.games, made.lab.job)
        self.reporter.show("finished")

    def show_stopped(self, why: str = "") -> None:
        """The last picture of a training that was stopped."""
        if self.reporter.made is not None:
            self.reporter.stage = why
            self.reporter.show("stopped")

    def _made(self) -> Trainer:
        """The training, new or from its file, which is kept up to date."""
        folder, name = self.registry.settings.folder, self.plan["name"]
        lab = self.registry.lab(self.plan["game"])
        lab.job = replace(lab.job, progress=self._progress, note=self.reporter.notes)
        if self.plan["resume"]:
            path = learners.kept(folder, name)
            plan = plan_of_file(load_learner(path, lab.game), name, self.registry.own)
            made = trainer(lab, plan, self.registry.training_agent)
            made.resume(path)
            if self.games <= made.training.episodes:
                raise BadInput(
                    message(
                        "{name} has played {n} games already; say how many it is to have played in all",
                        name=name,
                        n=made.training.episodes,
                    )
                )
        else:
            path, plan = learners.free_place(folder, name), checked_plan(self.plan, self.registry.own)
            # which takes its time, and would be waited for
            if plan.opponent and plan.opponent.startswith("perfect"):
                self.registry.training_agent(lab, plan.learner)
                self.reporter.show("preparing")
            made = trainer(lab, plan, self.registry.training_agent)
        made.training.grade = self._graded_by(made)
        made.save_to(path)
        made.training.saved = self._within_quota(made.training.saved)
        return made

    def _within_quota(self, save: Callable[[Training], None]) -> Callable[[Training], None]:
        """The same, but nothing is written beyond what is left. Raises Full."""

        def saved(training: Training) -> None:
            with self.quota.within(self.plan["owner"], self.plan["name"]):
                save(training)

        return saved

    def _shown(self, training: Training) -> None:
        """After every chunk of games: a picture if one is due, and whatever was ordered; then as
        long a rest as the pace asks for.
        """
        self.reporter.stage = ""
        if training.episodes < self.games:
            self.reporter.show_if_due()
            self._obey()
            self._rest(training)

    def _progress(self, done: int, total: int | None, what: str) -> None:
        """What the job says: also while nothing is played, because something is being worked out."""
        if what == _("games"):
            return
        self._busy = True
        if not done and what != self.reporter.stage:
            self.reporter.hurry()  # that it begins is told at once: it may be the last word for a while
        self.reporter.stage = f"{what}: {grouped(done)}" if done else what
        self.reporter.show_if_due()
        self._obey()
        self._busy = False

    def _graded_by(self, made: Trainer) -> Callable[[Learner], Grade | None]:
        """The same, but while something is being worked out, be it what grades, only what is known of as
        many games: neither a picture nor a stop, which leaves it so, waits for more.
        """
        grade, known = made.training.grade, dict[int, Grade | None]()

        def graded(learner: Learner) -> Grade | None:
            games = made.training.episodes
            if not self._busy:
                found = grade(learner)
                known.clear()
                known[games] = found
            return known.get(games)

        return graded

    def _obey(self, seconds: float = 0.0) -> None:
        """Does what was ordered; while it is paused, until it may go on."""
        while (order := self.orders.next(seconds)) is not None or self.paused:
            seconds = 3600.0 if self.paused else 0.0
            if order is not None:
                self._do(order)
                seconds = 3600.0 if self.paused else 0.0

    def _do(self, order: Order) -> None:
        """One order."""
        if order["do"] == "stop":
            raise Stopped(message("stopped"))
        if order["do"] in ("pause", "go"):
            self.paused = order["do"] == "pause"
            self._game_due = time.monotonic()
            self.reporter.rate = Rate()
            self.reporter.show("paused" if self.paused else "running")
        elif (made := self.reporter.made) is None:
            return
        elif order["do"] == "pace":
            self.reporter.pace = float(order["pace"])
            self._keep_step(made)
            self.reporter.show_numbers("paused" if self.paused else "running")
        elif order["do"] == "save":
            self._save(made, order)

    def _save(self, made: Trainer, order: SaveOrder) -> None:
        """Saves now; as another learner too, where a name is given."""
        try:
            made.training.saved(made.training)
            if order.get("as"):
                with self.quota.within(self.plan["owner"], order["as"]):
                    made.save(learners.free_place(self.registry.settings.folder, order["as"]))
            self.reporter.tell({"saved": made.training.episodes, "number": order["number"]})
        except DamierError as error:
            self.reporter.tell({"saved": 0, "number": order["number"], "error": str(error)})

    def _keep_step(self, made: Trainer) -> None:
        """Games that are played between two looks at the clock, two a beat: what comes of a
        training does not depend on it.
        """
        pace = self.reporter.pace
        made.training.show_every = max(1, int(pace * BEAT / 2)) if pace else None
        self._game_due = time.monotonic()

    def _rest(self, training: Training) -> None:
        """Waits until the next games may be played; obeys meanwhile."""
        if not self.reporter.pace:
            return
        self._game_due += (training.show_every or 1) / self.reporter.pace
        while self.reporter.pace and (left := self._game_due - time.monotonic()) > 0:
            self._obey(left)
        # what was missed by more than this is not made up for
        self._game_due = max(self._game_due, time.monotonic() - 1.0)


def main() -> NoReturn:
    """Trains as the first line says.

    What games print goes to standard error. Where nobody is there to be told how it ended, it ends
    in silence.
    """
    told = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who works for somebody ends with him
    stand_back(NICE)
    orders = Orders(sys.stdin.buffer)
    plan = orders.next(LAST_SECONDS)
    if plan is None or plan["do"] != "train":
        os._exit(1)
    speak(plan["language"])
    settings = Settings.from_text(sys.argv[1])
    limit_memory(settings.largest)
    with contextlib.suppress(Stopped):
        train(Trainee(settings, plan, orders, told))
    os._exit(0)  # a thread still waits for orders


def train(trainee: Trainee) -> None:
    """The whole of a training, and how it ended.

    Raises Stopped where nobody is there to be told that.
    """
    try:
        trainee.run()
    except Stopped:
        trainee.show_stopped()
    except Full as error:
        trainee.show_stopped(str(error))
    except DamierError as error:
        trainee.reporter.tell(
            {"error": str(error).replace(f"{trainee.registry.settings.folder}{os.sep}", "")}
        )
    except MemoryError:
        trainee.reporter.tell({"error": _("the machine has not enough memory for this")})
    except BaseException as error:  # who watches reads one line; who serves sees where
        sys.excepthook(*sys.exc_info())
        trainee.reporter.tell(
            {
                "error": _(
                    "a fault of the game, or of damier itself: {kind}: {error}",
                    kind=type(error).__name__,
                    error=words_of(error),
                )
            }
        )


if __name__ == "__main__":
    main()
