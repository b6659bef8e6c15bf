"""The learners that lie in files, renamed and deleted by whoever began them, or serves the lab."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from damier.core.errors import BadInput
from damier.core.words import message
from damier.web.asked import Asked
from damier.web.hub import Client, Message
from damier.web.learning import learners
from damier.web.learning.quota import owner_of
from damier.web.learning.steering import is_owner, may_steer
from damier.web.messages.parts import NoAnswer

if TYPE_CHECKING:
    from damier.web.learning.trainings import Trainings


@dataclass
class LearnerFiles:
    """What may be done to learners that do not learn now."""

    trainings: Trainings

    def open(self) -> None:
        """From here on it may be ordered."""
        self.trainings.hub.handlers |= {"training.remove": self.remove, "training.rename": self.rename}

    async def remove(self, client: Client, message: Message) -> NoAnswer:
        """Deletes a learner. Raises BadInput."""
        name = self._resting(client, Asked(message))
        learners.kept(self.trainings.settings.folder, name).unlink()
        self._forget(name)
        return {}

    async def rename(self, client: Client, message: Message) -> NoAnswer:
        """Calls a learner by another name, which none has. Raises BadInput, LimitReached."""
        asked, folder, quota = Asked(message), self.trainings.settings.folder, self.trainings.quota
        name, to = self._resting(client, asked), asked.text("to")
        self.trainings.refuse_learning(to)
        learners.kept(folder, name).rename(learners.free_place(folder, to))
        if owner := quota.owner(name):
            quota.note(to, owner)
        self._forget(name)
        self._forget(to)
        return {}

    def _forget(self, name: str) -> None:
        self.trainings.known.pop(name, None)
        self.trainings.streams.changes += 1

    def _resting(self, client: Client, asked: Asked) -> str:
        """The name of a learner that does not learn now, and is the asker's. Raises BadInput."""
        name, known = asked.text("name"), self.trainings.known
        learners.kept(self.trainings.settings.folder, name)
        if name in known and known[name].runs:
            raise BadInput(message("{name} is learning now; stop it first", name=name))
        began = name in known and may_steer(client.address, known[name], asked)
        if not (
            is_owner(client.address) or began or self.trainings.quota.owner(name) == owner_of(client.asker)
        ):
            raise BadInput(
                message("{name} belongs to whoever began it, or to whoever serves this lab", name=name)
            )
        return name
