"""Registry of a worker: the games, agents and learners that pages may name, and what was worked out
about them.
"""

from __future__ import annotations

import contextlib
import copy
import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from damier.core.errors import BadFile, BadInput
from damier.core.game import Game, written_game
from damier.core.job import Job
from damier.core.json_data import format_of, read_header
from damier.core.player import Player
from damier.core.words import _, message
from damier.lab import agents, games
from damier.lab.games import GAMES, Lab, unknown_game
from damier.lab.options import unknown
from damier.lab.plugins import resolved
from damier.lab.user_file import parts
from damier.web import learners
from damier.web.limits import LRU, THINKING, held_to_ceilings
from damier.web.messages import LearnerHeader, Params, RoomAnswer
from damier.web.rooms import ROOMS, LearnerKind
from damier.web.settings import Settings

if TYPE_CHECKING:
    from damier.agents.own import OwnPlayer
    from damier.lab.agent_file import AgentFile, OwnAgent
    from damier.learn.store import Agent

# What files of one's own and of learners need is imported where one is named: many modules, which a board
# does without.
#
# The agents of one's own that the lab serves, by the names that pages and files of learners give them.
#
# A page names one `mine[:Class][:option=value,…]`; the file of a learner has what a command would be
# given, `mine.py[:Class][:option=value,…]`, with or without a folder. Whatever stands there, only the
# files run that are served, and of a path nothing counts but the name of its file.


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
    _files: LRU[str, tuple[object, AgentFile]] = field(default_factory=lambda: LRU(200))

    def named_on_page(self, text: str) -> Named | None:
        """The agent that a page names; None where it is none of these."""
        own, options = self.settings.own_and_options(text)
        return Named(own, own.partition(":")[2], options) if own else None

    def in_files(self) -> dict[str, str]:
        """Return what each is called in addresses of pages, with what files and commands write."""
        return {own: self.as_in_file(own) for own in self.settings.agents}

    def named_in_file(self, text: str) -> Named | None:
        """The agent that the file of a learner names; None where nothing of that name is served."""
        from damier.agents.languages import is_source

        path, wanted, options = parts(text)
        stem = Path(path).stem
        for own in (f"{stem}:{wanted}", stem):
            if is_source(path) and own in self.settings.agents:
                return Named(own, wanted, options)
        return None

    def as_in_file(self, text: str) -> str:
        """Return what a page names, as files and commands write it; all else as it is."""
        found = self.named_on_page(text)
        if found is None:
            return text
        file = Path(self.settings.agents[found.own]).name
        return ":".join(filter(None, (file, found.wanted, found.options)))

    def learners(self) -> list[str]:
        """The names of those that may learn, as far as their files show it: none of them runs."""
        from damier.lab.agent_file import may_learn

        return [
            own for own, path in self.settings.agents.items() if may_learn(Path(path), own.partition(":")[2])
        ]

    def game(self, own: str) -> str:
        """Return which game is for an agent, as far as its file shows it: it does not run."""
        from damier.lab.agent_file import game_of

        return game_of(Path(self.settings.agents[own]), own.partition(":")[2])

    def edition(self, text: str) -> object:
        """Return what changes when the file of the agent that a page names is edited; None of any other."""
        found = self.named_on_page(text)
        return self.settings.edition(found.own) if found else None

    def options(self, own: str) -> str:
        """All options of the agent `own`, with their defaults.

        Raises BadFile, BadInput, AgentFault.
        """
        from damier.lab.agent_file import options_in

        with without_folder(self.settings.agents[own]):
            return options_in(self._file(own), own.partition(":")[2])

    def player(self, lab: Lab, named: Named, text: str) -> OwnPlayer:
        """The agent, made anew; it is called `text`.

        Raises BadFile, BadInput, Unsuitable, AgentFault.
        """
        from damier.lab.agent_file import player_in, refuse_hidden

        refuse_hidden(lab.game, text)
        with without_folder(self.settings.agents[named.own]):
            return player_in(self._file(named.own), lab, text, named.wanted, named.options)

    def _file(self, own: str) -> AgentFile:
        """The file of an agent; loaded again when it has been edited."""
        from damier.lab.agent_file import loaded

        path, edition = self.settings.agents[own], self.settings.edition(own)
        _edition, found = self._files.find(
            path, lambda: (edition, loaded(Path(path))), lambda kept: kept[0] == edition
        )
        return found


def without_folders(text: str) -> str:
    """An agent as the file of a learner names it, for pages: where files lie is not their business.

    >>> without_folders("agents/mine.py:Mine:n=1"), without_folders("q:alpha=0.5")
    ('mine.py:Mine:n=1', 'q:alpha=0.5')
    """
    from damier.agents.languages import is_source

    path = parts(text)[0]
    return os.path.basename(path) + text[len(path) :] if is_source(path) else text


@contextlib.contextmanager
def without_folder(path: str) -> Iterator[None]:
    """Leaves in a refusal the name of a file, and of those beside it: where they lie is no page's
    business.
    """
    try:
        yield
    except BadInput as error:
        raise type(error)(str(error).replace(f"{Path(path).parent}{os.sep}", "")) from error


# The learners that lie in files, read once, and again when they have changed.


Stamp = tuple[int, str]


def load_learner(path: Path, game: Game) -> Agent | OwnAgent:
    """All that the file of a learner says. Raises BadFile, BadInput for one that another room keeps."""
    from damier.lab import agent_file
    from damier.learn import store

    if kind := kind_of(path):
        raise BadInput(message("{name} is a learner of another room: {kind}", name=path.stem, kind=kind.name))
    return agent_file.load(path, game) if learners.is_own(path) else store.load(path, game)


def kind_of(path: Path) -> LearnerKind | None:
    """Return the kind of learner of another room that a file holds; None where it is none."""
    try:
        return ROOMS.keeping(format_of(path))
    except BadFile:
        return None


def header_of(path: Path) -> LearnerHeader:
    """Return what the file of a learner says of itself, also of one that cannot be read."""
    from damier.lab import agent_file
    from damier.learn import store

    try:
        own = learners.is_own(path)
        if kind_of(path):
            found = read_header(path)
        else:
            found = agent_file.header(path) if own else store.header(path)
        learner = str(found.get("agent" if own else "learner"))
        return {
            "game": written_game(found),
            "learner": without_folders(learner) if own else learner,
            "games": store.whole(found, "games"),
        }
    except BadFile:
        return {"game": "", "learner": "", "games": 0}


# The files of one's own that a lab is opened with, by what pages call the games and agents in them.

RESERVED = ("ask", "live", "own", "static")
"""Addresses of the lab that are neither games nor pages."""


def own_files(named: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The games and the agents in the files among what was named: name on the page -> path.

    Raises BadInput, BadFile, BadGame: what cannot be played is told now, not on a page.
    """
    found = playable_files(named)
    if found.faults:
        raise found.faults[0]
    return found.games, found.agents


class PlayableFiles(NamedTuple):
    """The games and the agents in some files, name on the page -> path; and why others cannot be played."""

    games: dict[str, str]
    agents: dict[str, str]
    faults: list[BadInput]


def playable_files(named: Sequence[str]) -> PlayableFiles:
    """Return what can be played of the files among what was named. Raises BadInput for what is no file."""
    playable = PlayableFiles({}, {}, [])
    for text in named:
        if not agents.is_own(text):
            games.load(text)
            continue
        path = str(Path(path_and_rest(text)[0]).absolute())
        try:
            found_games, found_agents = names_in(text)
            for own, found in ((playable.games, found_games), (playable.agents, found_agents)):
                for name in found:
                    if own.get(name, path) != path:
                        raise taken(path, name)
        except BadInput as fault:
            playable.faults.append(fault)
        else:
            playable.games.update(dict.fromkeys(found_games, path))
            playable.agents.update(dict.fromkeys(found_agents, path))
    return playable


def names_in(text: str) -> tuple[list[str], list[str]]:
    """The names on the page of the game and of the agents in a file; its game is tried out.

    Raises BadInput, BadFile, BadGame.
    """
    from damier.lab import agent_file

    path_text, wanted, options = parts(text)
    path = Path(path_text)
    has_games, several = agent_file.contents(path)
    if has_games:
        games.load(text)
    elif wanted or options:
        raise BadInput(
            message(
                "{path}: name the file alone: all its agents are served, and their options are given at"
                " their seats",
                path=path,
            )
        )
    addresses = {address.split("/")[1] for address in ROOMS.pages}
    if not re.fullmatch(r"[\w-]+", path.stem):
        raise BadInput(
            message(
                "{path}: {name} cannot be the name of a game or an agent on a page, which has letters,"
                " digits, _ and - alone; rename the file",
                path=path,
                name=path.stem,
            )
        )
    if has_games and path.stem in {*RESERVED, *addresses}:
        raise BadInput(
            message(
                "{path}: {name} cannot be the name of a game on a page: the lab has such a page;"
                " rename the file",
                path=path,
                name=path.stem,
            )
        )
    if (has_games and path.stem in GAMES) or (several and path.stem in (*agents.AGENTS, "learner", "self")):
        raise taken(path_text, path.stem)
    named = [f"{path.stem}:{name}" for name in several] if len(several) > 1 else [path.stem] * len(several)
    return [path.stem] if has_games else [], named


def taken(path: str, name: str) -> BadInput:
    """The refusal of a file whose name another has already."""
    return BadInput(
        message(
            "{path}: there is a game or an agent called {name} already; rename the file", path=path, name=name
        )
    )


def path_and_rest(game: str) -> tuple[str, str]:
    """The path of a file, and what follows it: `:function:options`."""
    path = parts(game)[0]
    return path, game[len(path) :]


# The games and agents of the lab.

FILES = (".txt", ".json", ".py")
PATH_SIGNS = "/\\\0"
FILE_OPTIONS = ("file", "start", "run", "tables")
"""Options that name a file, or a program: never from a page."""
NUMBER = re.compile(r"-?[0-9]+")


@dataclass
class Registry:
    """The games and the agents of the lab by the names that pages give them.

    Attributes:
        thinking: seconds that an agent may think about a move now
    """

    settings: Settings
    thinking: float = THINKING
    _labs: LRU[tuple[object, ...], Lab] = field(default_factory=lambda: LRU(16))
    _headers: LRU[str, tuple[Stamp, LearnerHeader]] = field(default_factory=lambda: LRU(2 * learners.MOST))
    _learners: LRU[str, tuple[Stamp, Agent | OwnAgent]] = field(default_factory=lambda: LRU(8))

    def __post_init__(self) -> None:
        self.own = OwnAgents(self.settings)

    @property
    def names(self) -> list[str]:
        """The games there are: the user's own first."""
        return [*self.settings.games, *GAMES]

    def lab(self, text: str) -> Lab:
        """A game, with what is known of it; an own game is loaded again when its file has been
        edited. Raises UnknownName, BadInput, BadGame.
        """
        name = text.partition(":")[0]
        known_as = (text, *(self.settings.edition(name) if name in self.settings.games else ()))
        return self._labs.find(
            known_as,
            lambda: Lab(
                self._load(text),
                Job(memory=self.settings.memory),
                no_answer,
                lambda sentence: None,
                loads_files=False,
            ),
        )

    def games_for_two(self, most: float = math.inf) -> list[str]:
        """The games of two players who know all there is to know, of no more than `most` positions, as far as
        it is known without looking at them; the user's own, which are not even loaded for that, first.
        """
        return [
            *self.settings.games,
            *(game.name for game in _games_for_two() if (game.states or 0) <= most),
        ]

    def game(self, text: str) -> Game:
        return self.lab(text).game

    def _load(self, text: str) -> Game:
        name, colon, options = text.partition(":")
        if name not in self.settings.games and name not in GAMES:
            raise unknown_game(name, self.names)
        refuse_files(options, numbers=name in self.settings.games)
        if name not in self.settings.games:
            return games.brought(text)
        path = self.settings.games[name]
        with without_folder(path):
            game = games.load(path + colon + options)
        game.name = name
        return game

    def agent(self, game: str, text: str) -> Player:
        """An agent as a page names it: one that damier brings, a learner of this lab, or one of the
        user's own, never a path. One that searches thinks no longer than anybody should wait.

        Raises UnknownName, BadInput, LimitReached, AgentFault.
        """
        name, _colon, options = text.partition(":")
        if own := self.own.named_on_page(text):
            refuse_files(own.options)
            return begun(self.own.player(self.lab(game), own, text))
        refuse_agent(text)
        if name == "human":
            raise BadInput(message("human is who sits at the page, not an agent that the server can ask"))
        if name == "learner":
            return self._learner(game, options)
        if name not in agents.AGENTS:
            raise unknown(_("agent"), name, [*self.own.in_files().values(), *agents.AGENTS])
        return agents.brought(self.lab(game), self.bounded(game, text))

    def bounded(self, game: str, text: str) -> str:
        """One of the agents that damier brings, as it is written with all that bounds it here; a level as the
        agent that it is there, which the clock bounds as it does any other. Those of Pacman are two agents in
        one, which are quick.
        """
        from damier.lab.levels import LEVELS, is_pacman, meaning  # players of all kinds

        found = self.game(game)
        for level in LEVELS:
            if level == text and not is_pacman(found):
                text = meaning(found, level).agent
        return held_to_ceilings(text, self.thinking)

    def training_agent(self, lab: Lab, text: str) -> Player:
        """An agent of a training, as the file of its learner names it: one that damier brings, or one
        that is served.

        Raises UnknownName, BadInput, LimitReached, AgentFault.
        """
        if own := self.own.named_in_file(text):
            refuse_files(own.options)
            return self.own.player(lab, own, text)
        return agents.brought(lab, text)

    def learners(self, game: str) -> list[str]:
        """The names of the learners of a game that this lab keeps, the one saved last first."""
        text = self.game(game).text
        return [name for name in learners.names(self.settings.folder) if self.written_game(name) == text]

    def written_game(self, name: str) -> str:
        """The game of a learner, as its file writes it; nothing where the file is none of damier."""
        return self._header(name)["game"]

    def learner_header(self, name: str) -> LearnerHeader:
        """Return what the file of a learner says of itself: `game` as pages name it, `learner`, `games`."""
        found = self._header(name)
        return {**found, "game": self.page_game(found["game"])}

    def _header(self, name: str) -> LearnerHeader:
        """Return what the file of a learner says of itself: `game` as it is written, `learner`, `games`.

        Raises BadInput where there is no such learner.
        """
        path = learners.kept(self.settings.folder, name)
        stamp = learners.saved_at(path)
        return self._headers.find(name, lambda: (stamp, header_of(path)), lambda kept: kept[0] == stamp)[1]

    def kept_agent(self, game: str, name: str) -> Agent | OwnAgent:
        """All that is known of a learner: read anew when its file has changed.

        Raises BadInput, BadFile.
        """
        found = self.written_game(name)
        if found and found != self.game(game).text:
            raise BadInput(
                message(
                    "{name} has learnt {found}, not {game}", name=name, found=self.page_game(found), game=game
                )
            )
        path, loaded = learners.kept(self.settings.folder, name), self.game(game)
        stamp = learners.saved_at(path)
        try:
            return self._learners.find(
                name,
                lambda: (stamp, load_learner(path, loaded)),
                lambda kept: kept[0] == stamp and kept[1].game is loaded,
            )[1]
        except BadFile as error:  # without the place of the file, which is no page's business
            raise BadFile(str(error).replace(str(path), name)) from None

    def page_game(self, text: str) -> str:
        """A game as it is written in a file, as pages name it: without the options that it has
        anyway.
        """
        name = text.partition(":")[0]
        try:
            return name if self.game(name).text == text else text
        except BadInput:
            return text

    def _learner(self, game: str, name: str) -> Player:
        from damier.lab.agent_file import OwnAgent
        from damier.learn.player import LearningPlayer, SeatedPlayer

        path = learners.kept(self.settings.folder, name)
        if kind := kind_of(path):
            with without_folder(str(path)):
                found: Player = resolved(kind.plays)(self.lab(game), path, f"learner:{name}")
                return found
        agent = self.kept_agent(game, name)
        if isinstance(agent, OwnAgent):
            return self._own_learner(game, name, agent)
        players = [
            LearningPlayer(agent.game, agent.learner, agent.parameters, memory, learns=False)
            for memory in agent.memories
        ]
        return players[0] if len(players) == 1 else SeatedPlayer(players[0], players[1])

    def _own_learner(self, game: str, name: str, agent: OwnAgent) -> Player:
        """An agent of one's own with what it has learnt, as its file says."""
        from damier.lab.agent_file import load_into

        own = self.own.named_in_file(agent.learner)
        if own is None:
            raise not_served(name, agent.learner)
        refuse_files(own.options)
        player = self.own.player(self.lab(game), own, f"learner:{name}")
        load_into(player, copy.deepcopy(agent.data))  # it may change what it is given
        return begun(player)


@cache
def _games_for_two() -> tuple[Game, ...]:
    """The games of damier and its plug-ins for two players who know all there is to know. They are made
    aside: more of them than a registry keeps would push out those whose agents are learning.
    """
    made = map(games.brought, GAMES)
    return tuple(game for game in made if game.players == 2 and not game.imperfect_information)


RoomFunction: TypeAlias = Callable[[Registry, Params], RoomAnswer]
"""What answers a verb."""


def begun(player: OwnPlayer) -> OwnPlayer:
    """Return the same before its first move: it is made anew for every question, so that the same
    question gets the same answer. Raises AgentFault.
    """
    player.begin_game()
    return player


def not_served(name: str, agent: str) -> BadInput:
    """The refusal of a learner whose agent this lab does not have."""
    file = without_folders(agent)
    return BadInput(
        message(
            "{name} was learnt by {agent}, which is not served here: damier serve {file}",
            name=name,
            agent=file,
            file=file.partition(":")[0],
        )
    )


def refuse_agent(text: str) -> None:
    """Raises BadInput for an agent that is a program or a file: no page starts or reads any."""
    name, _colon, options = text.partition(":")
    if (
        agents.starts_program(name)
        or name.lower().endswith(FILES)
        or any(sign in name for sign in PATH_SIGNS)
    ):
        raise BadInput(message("{agent} is a program: from a page none can be started", agent=name))
    refuse_files(options)


def refuse_files(options: str, *, numbers: bool = False) -> None:
    """Raises BadInput for options that name a file: a page has no say over the files of this
    machine.

    Of a user's own game the function may stand before its first option: `function:option=value`; and one that
    is called `start`, say, may take `numbers`.
    """
    for part in options.split(","):
        option, _equals, value = part.partition("=")
        names_file = option.rpartition(":")[2] in FILE_OPTIONS and not (numbers and NUMBER.fullmatch(value))
        names_file = names_file or value.lower().endswith(FILES)
        if names_file or any(sign in part for sign in PATH_SIGNS):
            raise BadInput(message("{option} names a file: from a page this is not possible", option=part))


def no_answer(prompt: str) -> str:
    raise EOFError
