"""The agents of one's own that the lab serves, by the names that pages and files of learners give them.

A page names one `mine[:Class][:option=value,…]`; the file of a learner has what a command would be
given, `mine.py[:Class][:option=value,…]`, with or without a folder. Whatever stands there, only the
files run that are served, and of a path nothing counts but the name of its file.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from damier.agents.own import OwnPlayer
from damier.core.errors import BadInput
from damier.lab.agent_file import AgentFile, loaded, options_in, player_in, refuse_hidden
from damier.lab.lab import Lab
from damier.lab.learning_methods import may_learn
from damier.lab.user_file import parts
from damier.web.settings import Settings

SUFFIX = ".py"


class Named(NamedTuple):
    """One of the agents that are served, as a text names it: its name on pages, its name in its file
    (nothing where that has one only), and its options.
    """

    own: str
    wanted: str
    options: str


@dataclass
class OwnAgents:
    """The agents of one's own of a lab, loaded again when their files are edited."""

    settings: Settings
    _files: dict[str, tuple[object, AgentFile]] = field(default_factory=dict)

    def named_on_page(self, text: str) -> Named | None:
        """The agent that a page names; None where it is none of these."""
        own = self.settings.own_agent(text)
        return Named(own, own.partition(":")[2], text[len(own) :].lstrip(":")) if own else None

    def named_in_file(self, text: str) -> Named | None:
        """The agent that the file of a learner names; None where nothing of that name is served."""
        path, wanted, options = parts(text)
        stem = Path(path).stem
        for own in (f"{stem}:{wanted}", stem):
            if path.endswith(SUFFIX) and own in self.settings.agents:
                return Named(own, wanted, options)
        return None

    def as_in_file(self, text: str) -> str:
        """What a page names, as files and commands write it; all else as it is."""
        found = self.named_on_page(text)
        if found is None:
            return text
        file = Path(self.settings.agents[found.own]).name
        return ":".join(filter(None, (file, found.wanted, found.options)))

    def learners(self) -> list[str]:
        """The names of those that may learn, as far as their files show it: none of them runs."""
        return [
            own for own, path in self.settings.agents.items() if may_learn(Path(path), own.partition(":")[2])
        ]

    def edition(self, text: str) -> object:
        """What changes when the file of the agent that a page names is edited; None of any other."""
        found = self.named_on_page(text)
        return self.settings.edition(found.own) if found else None

    def options(self, own: str) -> str:
        """All options of the agent `own`, with their defaults.

        Raises BadFile, BadInput, AgentFault.
        """
        with without_folder(self.settings.agents[own]):
            return options_in(self._file(own), own.partition(":")[2])

    def player(self, lab: Lab, named: Named, text: str) -> OwnPlayer:
        """The agent, made anew; it is called `text`.

        Raises BadFile, BadInput, Unsuitable, AgentFault.
        """
        refuse_hidden(lab.game, text)
        with without_folder(self.settings.agents[named.own]):
            return player_in(self._file(named.own), lab, text, named.wanted, named.options)

    def _file(self, own: str) -> AgentFile:
        """The file of an agent; loaded again when it has been edited."""
        path, edition = self.settings.agents[own], self.settings.edition(own)
        if path not in self._files or self._files[path][0] != edition:
            self._files[path] = edition, loaded(Path(path))
        return self._files[path][1]


def without_folders(text: str) -> str:
    """An agent as the file of a learner names it, for pages: where files lie is not their business.

    >>> without_folders("agents/mine.py:Mine:n=1"), without_folders("q:alpha=0.5")
    ('mine.py:Mine:n=1', 'q:alpha=0.5')
    """
    path, found, rest = text.partition(SUFFIX)
    return os.path.basename(path) + found + rest


@contextlib.contextmanager
def without_folder(path: str) -> Iterator[None]:
    """Leaves in a refusal the name of a file, and of those beside it: where they lie is no page's
    business.
    """
    try:
        yield
    except BadInput as error:
        raise type(error)(str(error).replace(f"{Path(path).parent}{os.sep}", "")) from error
