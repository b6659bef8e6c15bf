"""A sweep carried out: the trainings that its file lacks, shared among processes or machines, each kept
as it ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from damier.core.errors import BadInput, DamierError, LimitReached
from damier.core.job import Job
from damier.core.json_types import JsonObject
from damier.core.words import _
from damier.lab.lab import Lab
from damier.lab.sweep.kept import SweepFile
from damier.lab.sweep.plan import SweepPlan, TrainingOrder, orders_of
from damier.lab.sweep.result import TrainingResult
from damier.lab.tournament import digest, digest_of_text
from damier.lab.workers.hiring import Hiring, shared
from damier.lab.workers.work import Listener, PieceWork


@dataclass
class Sweep:
    """A plan, its trainings in order, and what is known of them.

    Raises what `orders_of` and `SweepFile` raise.
    """

    lab: Lab
    plan: SweepPlan
    path: Path | None = None
    orders: list[TrainingOrder] = field(init=False)
    kept: SweepFile = field(init=False)

    def __post_init__(self) -> None:
        self.orders = orders_of(self.plan, self.lab)
        game = self.lab.game
        header: JsonObject = {
            "game": game.text,
            "source": digest(game.source) if game.source else "",
            **self.plan.given,
            "opponent_digest": digest_of_text(self.plan.opponent or ""),
        }
        digests = {setting.text: digest_of_text(setting.text) for setting in self.plan.settings}
        self.kept = SweepFile(self.path, header, digests)

    @property
    def results(self) -> list[TrainingResult]:
        """The trainings that have ended, in the order of the plan."""
        return [found for order in self.orders if (found := self.kept.result(order)) is not None]

    def run(self, hire: Hiring | None = None) -> None:
        """Trains what is missing. Raises BadInput or LimitReached, with the learner, as a training
        does; what has ended is kept.
        """
        missing = [order for order in self.orders if self.kept.result(order) is None]
        known = sum(order["games"] for order in self.orders) - sum(order["games"] for order in missing)
        progress = SweepProgress(self.lab.job, missing, known)
        work = PieceWork("sweep", self.lab, self.plan.given)
        for piece in shared(work, [cast("JsonObject", order) for order in missing], progress, hire=hire):
            if piece.error is not None:
                raise blamed(missing[piece.number], piece.error)
            self.kept.keep(cast("TrainingResult", piece.answer))
            progress.progress(piece.number, missing[piece.number]["games"], None, "")


def blamed(order: TrainingOrder, error: DamierError) -> DamierError:
    """The error of a training, which it names."""
    said = _("{learner}, seed {seed}: {error}", learner=order["learner"], seed=order["seed"], error=error)
    return LimitReached(said, error.reached) if isinstance(error, LimitReached) else BadInput(said)


class SweepProgress(Listener):
    """The games of all trainings, counted together; `known` were played before."""

    def __init__(self, job: Job, orders: list[TrainingOrder], known: int) -> None:
        self._tell: Callable[[int, int | None, str], None] = job.progress
        self._total = known + sum(order["games"] for order in orders)
        self._games, self._played = [0] * len(orders), known

    def progress(self, number: int, done: int, total: int | None, what: str) -> None:
        """Takes how many games of a training are played."""
        if what in ("", _("games")):
            self._played += done - self._games[number]
            self._games[number] = done
            self._tell(self._played, self._total, _("games"))
