"""One training as a process: it learns, tells how it goes as lines of JSON, and obeys what it reads
on its standard input.

The first line that it reads is the plan, {"do": "train", …}; each later one names what else to
`do`: pause, go, stop, save, pace. What it tells is one of {"about": …} (once), {"now": …}, {"now":
…, "picture": …}, {"saved": games, "number": …}, {"error": sentence}. When nobody is there any more
to tell, it saves and ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from io import TextIOWrapper
from pathlib import Path
from typing import IO, NoReturn

from damier.core.errors import BadInput, DamierError
from damier.core.grade import Grade
from damier.core.job import Notes, fault_in_words, stand_back
from damier.core.json_data import to_json
from damier.core.player import Learner
from damier.core.runtime import limit_memory, serve_parent
from damier.core.words import _, grouped, labelled, message, speak
from damier.lab.agent_file import OwnAgent
from damier.lab.plugins import resolved
from damier.lab.training import Plan, Trainer, trainer, typed_starts
from damier.learn.player import LearningPlayer
from damier.learn.store import Agent
from damier.learn.training import Training
from damier.web import learners
from damier.web.learners import Full, Quota
from damier.web.limits import limited
from damier.web.messages import Order, Progress, SaveOrder, TrainingLine, TrainingPlan
from damier.web.registry import OwnAgents, Registry, load_learner, not_served, refuse_agent
from damier.web.rooms import ROOMS
from damier.web.settings import Settings
from damier.web.snapshot import about_training, moment, numbers

NICE = 5
"""How far a training stands back behind the pages of the lab."""


class Trainee:
    """A training that is watched.

    Attributes:
        plan: as the hub has checked it
        path: the file of its learner
        runs: whether there is something to be saved
    """

    def __init__(self, settings: Settings, plan: TrainingPlan, orders: Orders, answers: IO[str]) -> None:
        self.plan, self.orders = plan, orders
        self.registry = Registry(settings)
        self.quota = Quota(settings.folder, settings.disk)
        self.path = settings.folder / f"{plan['name']}.json"
        self.games, self.paused, self.runs = int(plan["games"]), False, False
        self.reporter = Reporter(answers, self.games, float(plan["pace"]))
        self._busy = False
        self._game_due = time.monotonic()

    def run(self) -> None:
        """The whole of it. Raises DamierError, Stopped where it was stopped."""
        made = self._made()
        self.reporter.made, self.runs = made, True
        self.reporter.tell({"about": about_training(made, self.plan["game"])})
        self.reporter.show("running")
        training = made.training
        training.report = self._report_chunk
        self._keep_step(made)
        training.run(self.games, made.lab.job)
        self.reporter.show("finished")

    def show_stopped(self, why: str = "") -> None:
        """The last picture of a training that was stopped."""
        self.reporter.stage = why
        self.reporter.show("stopped")

    def _made(self) -> Trainer:
        """The training, new or from its file, which is kept up to date."""
        folder, name = self.registry.settings.folder, self.plan["name"]
        lab = self.registry.lab(self.plan["game"])
        lab.job = replace(lab.job, progress=self._progress, note=self.reporter.notes)
        resumes = self.plan["resume"]
        if resumes:
            plan = plan_of_file(load_learner(learners.kept(folder, name), lab.game), name, self.registry.own)
        else:
            learners.free_place(folder, name)
            plan = checked_plan(self.plan, self.registry.own)
        plan.starts = typed_starts(lab.game, self.plan["starts"])
        # which takes its time, and would be waited for
        if not resumes and plan.opponent and plan.opponent.startswith("perfect"):
            self.registry.training_agent(lab, plan.learner)
            self.reporter.show("preparing")
        made = trainer(lab, plan, self.registry.training_agent)
        if resumes:
            made.resume(self.path)
            self.require_more(made.training.episodes)
        made.training.grade = self._graded_by(made)
        made.training.saved = lambda _training: self.keep(self.path, name)
        return made

    def require_more(self, played: int) -> None:
        """Raises BadInput for a learner that goes on, and has played as many games as it is to play."""
        if self.games <= played:
            raise BadInput(
                message(
                    "{name} has played {n} games already; say how many it is to have played in all",
                    name=self.plan["name"],
                    n=played,
                )
            )

    def keep(self, path: Path, name: str) -> None:
        """Writes what was learnt, as the learner of this name. Raises Full where there is no room for it."""
        made = self.reporter.made
        assert made is not None
        with self.quota.within(self.plan["owner"], name):
            made.save(path)

    def _report_chunk(self, training: Training) -> None:
        """After every chunk of games: a picture if one is due, and whatever was ordered; then as
        long a rest as the pace asks for.
        """
        self.reporter.stage = ""
        if training.episodes < self.games:
            self.reporter.show_if_due()
            self._obey()
            self._rest(training)

    def _progress(self, done: int, total: int | None, what: str) -> None:
        """Tell what the job says: also while nothing is played, because something is being worked out."""
        if what == _("games"):
            return
        self._busy = True
        if not done and what != self.reporter.stage:
            self.reporter.hurry()  # that it begins is told at once: it may be the last word for a while
        self.reporter.stage = labelled(what, grouped(done)) if done else what
        self.reporter.show_if_due()
        self._obey()
        self._busy = False

    def _graded_by(self, made: Trainer) -> Callable[[Learner], Grade | None]:
        """Return the same, but while something is being worked out, be it what grades, only what is
        known of as many games: neither a picture nor a stop, which leaves it so, waits for more.
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
        elif order["do"] == "save" and self.runs:
            self._save(order)
        elif order["do"] == "pace" and (made := self.reporter.made) is not None:
            self.reporter.pace = float(order["pace"])
            self._keep_step(made)
            self.reporter.show_numbers("paused" if self.paused else "running")

    def _save(self, order: SaveOrder) -> None:
        """Saves now; as another learner too, where a name is given."""
        try:
            self.keep(self.path, self.plan["name"])
            if order.get("as"):
                self.keep(learners.free_place(self.registry.settings.folder, order["as"]), order["as"])
            self.reporter.tell({"saved": self.reporter.played, "number": order["number"]})
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
    source, answers = serve_parent()
    orders, output = Orders(source), TextIOWrapper(answers, encoding="utf-8")
    stand_back(NICE)
    plan = orders.next(LAST_SECONDS)
    if plan is None or plan["do"] != "train":
        os._exit(1)
    speak(plan["language"])
    settings = Settings.from_text(sys.argv[1])
    limit_memory(settings.largest)
    kind = ROOMS[ROOMS.training(plan["learner"])].learners
    made: type[Trainee] = resolved(kind.trains) if kind else Trainee
    with contextlib.suppress(Stopped):
        train(made(settings, plan, orders, output))
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
        trainee.reporter.tell({"error": fault_in_words(error)})


# What the hub orders a training to do, as lines of JSON: read by a thread, so that nobody waits
# for them who has games to play.

LAST_SECONDS = 30.0
"""What is left to save when the hub has gone."""


@dataclass
class Orders:
    """Orders that the hub has sent and that were not yet read. The end of the stream is an order to stop."""

    source: IO[bytes]

    def __post_init__(self) -> None:
        self._lines: queue.SimpleQueue[Order] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.source:
            with contextlib.suppress(ValueError):
                self._lines.put(json.loads(line))
        self._lines.put({"do": "stop"})
        time.sleep(LAST_SECONDS)
        os._exit(1)

    def next(self, seconds: float = 0.0) -> Order | None:
        """The next order, waited for so long; None where there is none."""
        with contextlib.suppress(queue.Empty):
            return self._lines.get(timeout=seconds) if seconds > 0 else self._lines.get_nowait()
        return None


# What a training is to be: as a page orders it, or as the file says with which it goes on.

MOST_PLIES = 1000


def checked_plan(plan: TrainingPlan, own: OwnAgents) -> Plan:
    """The plan of a new training, its agents as files name them.

    Raises BadInput for agents that a page may not name.
    """
    refuse_agents(plan["learner"], plan["opponent"])
    return Plan(
        own.as_in_file(plan["learner"]),
        own.as_in_file(limited(plan["opponent"])) or None,
        plan["seat"] or None,
        plan["seed"],
        MOST_PLIES,
    )


def plan_of_file(found: Agent | OwnAgent, name: str, own: OwnAgents) -> Plan:
    """The plan of a training that goes on; `name` is that of its learner.

    Raises BadInput for a learner that was never trained, by an agent that a page may not name, or
    that is one of somebody's own which is not served.

    The file may come from anywhere: what it says is no more to be trusted than what a page says.
    """
    if not found.training:
        raise BadInput(message("this learner was never trained, so there is nothing to go on with"))
    opponent = str(found.training["opponent"] or "")
    if own.named_in_file(opponent) is None:
        refuse_agents(opponent)
    if isinstance(found, Agent):
        learner = LearningPlayer(found.game, found.learner, found.parameters).text
    elif own.named_in_file(found.learner) is None:
        raise not_served(name, found.learner)
    else:
        learner = found.learner
    return Plan(learner, **{name: found.training[name] for name in ("opponent", "seat", "seed", "max_plies")})


def refuse_agents(*texts: str) -> None:
    """Raises BadInput for agents that are files of this machine, or people."""
    for text in texts:
        refuse_agent(text)
        if text.partition(":")[0] == "human":
            raise BadInput(message("people cannot sit in a training: play against the learner on the board"))


# What a training tells of itself: its numbers ten times a second, by the clock, and a whole
# picture as often as that costs it little.

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


@dataclass
class Reporter:
    """A training told line by line.

    Attributes:
        games: that it is to have played in all
        pace: games a second, 0: no limit
        stage: what goes on between the games: a game being solved, a loop being compiled
        made: the training, once it is put together
        notes: what its job notes
    """

    told: IO[str]
    games: int
    pace: float
    stage: str = ""
    made: Trainer | None = None
    notes: Notes = field(default_factory=Notes)
    rate: Rate = field(default_factory=Rate)
    _beat_due: float = 0.0
    _picture_due: float = 0.0

    @property
    def played(self) -> int:
        """Return how many games were played so far."""
        return self.made.training.episodes if self.made else 0

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
        """Tell this moment as far as it is time to."""
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
        """Let what is told next be told at once."""
        self._beat_due = self._picture_due = 0.0

    def _now(self, state: str) -> Progress:
        begun: Progress = {
            "of": self.games,
            "stage": self.stage,
            "pace": self.pace,
            "state": "preparing",
            "games": 0,
            "notes": [],
        }
        if self.made is None:
            return begun
        found = numbers(self.made)
        rate = self.rate.after(found["games"])
        return {**begun, **found, "state": state, "notes": self.notes, "rate": rate}


if __name__ == "__main__":
    main()
