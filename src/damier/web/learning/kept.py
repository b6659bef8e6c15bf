"""The learners that lie in files, read once, and again when they have changed."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from damier.core.errors import BadFile, BadInput
from damier.core.game import Game
from damier.core.option_text import written_game
from damier.core.words import message
from damier.lab import own_file
from damier.learn import reading
from damier.learn.store import Agent, whole
from damier.web.hub import Client, Message
from damier.web.learning import learners
from damier.web.learning.quota import owner_of
from damier.web.learning.steering import is_owner, may_steer
from damier.web.messages.parts import NoAnswer
from damier.web.messages.training import LearnerHeader
from damier.web.own_agents import without_folders
from damier.web.params import Asked

if TYPE_CHECKING:
    from damier.web.learning.trainings import Trainings
import inspect

from damier.draw.text import position_name
from damier.learn.action_values import Memory, Row
from damier.learn.player import ALGORITHMS

MOST_AGENTS = 8
"""Learners whose tables are held."""
UNREADABLE: LearnerHeader = {"game": "", "learner": "", "games": 0}
"""What a damaged file says of itself."""

Stamp = tuple[int, str]


@dataclass
class Kept:
    """A folder of learners."""

    folder: Path
    _headers: dict[str, tuple[Stamp, LearnerHeader]] = field(default_factory=dict)
    _agents: OrderedDict[str, tuple[Stamp, Agent | own_file.OwnAgent]] = field(default_factory=OrderedDict)

    def header(self, name: str) -> LearnerHeader:
        """What a file says of itself: `game` as it is written, `learner`, `games`.

        Raises BadInput where there is no such learner.
        """
        path = learners.kept(self.folder, name)
        stamp = learners.saved_at(path)
        if self._headers.get(name, (None,))[0] != stamp:
            if len(self._headers) > 2 * learners.MOST:
                self._headers.clear()
            self._headers[name] = stamp, header_of(path)
        return self._headers[name][1]

    def agent(self, name: str, game: Game) -> Agent | own_file.OwnAgent:
        """All that is known of a learner of this game.

        Raises BadInput, BadFile: without the place of the file, which is no page's business.
        """
        path = learners.kept(self.folder, name)
        stamp = learners.saved_at(path)
        held = self._agents.get(name)
        if held is None or held[0] != stamp or held[1].game is not game:
            try:
                self._agents[name] = stamp, load_learner(path, game)
            except BadFile as error:
                raise BadFile(str(error).replace(str(path), name)) from None
            if len(self._agents) > MOST_AGENTS:
                self._agents.popitem(last=False)
        self._agents.move_to_end(name)
        return self._agents[name][1]


def load_learner(path: Path, game: Game) -> Agent | own_file.OwnAgent:
    """All that the file of a learner says. Raises BadFile."""
    return own_file.load(path, game) if learners.is_own(path) else reading.load(path, game)


def header_of(path: Path) -> LearnerHeader:
    try:
        own = learners.is_own(path)
        found = own_file.header(path) if own else reading.header(path)
        learner = str(found.get("agent" if own else "learner"))
        return {
            "game": written_game(found),
            "learner": without_folders(learner) if own else learner,
            "games": whole(found, "games"),
        }
    except BadFile:
        return UNREADABLE


# The learners that lie in files, renamed and deleted by whoever began them, or serves the lab.


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


# A table as text, as document S0 keeps it (row A-24): the file of one agent, named after it.


def table_text(game: Game, memory: Memory, *, beads: bool) -> str:
    """A line `decisions epsilon`, then three lines a position, in order of discovery: its number, as
    its mover sees it where the game has numbers, else its board; its actions; their values, or beads.
    """
    lines = [f"{memory.decisions} {memory.epsilon:.9g}"]
    for row in memory.rows():
        lines += [
            position_text(game, row),
            " ".join(actions_of(game, row)),
            " ".join(values_of(row, beads=beads)),
        ]
    return "\n".join(lines) + "\n"


def position_text(game: Game, row: Row) -> str:
    if game.id is not None:
        return position_name(game, row.state)
    return "/".join(line.strip() for line in game.show(row.state).splitlines())


def actions_of(game: Game, row: Row) -> list[str]:
    """The moves of a row by their numbers; V where it is a position after a move."""
    if not any(row.moves):
        return ["V"]
    return [str(move.bit_length() - 1 if game.moves_are_bits else move) for move in row.moves]


def values_of(row: Row, *, beads: bool) -> list[str]:
    """The values as 32-bit floats are printed; of matchboxes, the beads."""
    return list(map(str, row.counts)) if beads else [f"{value:.9g}" for value in row.values]


# The code by which an algorithm chooses and learns, as it stands in this program (document S3 shows its
# own so).


def code_of(algorithm: str) -> str:
    """How it chooses a move while it learns, and what it learns from a finished game."""
    module = ALGORITHMS[algorithm]
    return "\n\n".join(inspect.getsource(function).rstrip() for function in (module.choose, module.learn))
