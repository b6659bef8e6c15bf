"""The learners that lie in files, read once, and again when they have changed."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

from damier.core.errors import BadFile
from damier.core.game import Game
from damier.core.option_text import written_game
from damier.lab import own_file
from damier.learn import reading
from damier.learn.agent_facts import whole
from damier.learn.store import Agent
from damier.web.learning import learners
from damier.web.messages.training import LearnerHeader
from damier.web.own_agents import without_folders

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
