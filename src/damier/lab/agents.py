"""Agents by name, `random`, `perfect:prefer=fastest,ties=first`, or by the file or the program that
plays.

An agent is a function: what it is given comes first (`lab`, the game and what is known of it), its
options follow.
"""

from __future__ import annotations

import inspect
import os
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from damier.core.analysis import Analysis
from damier.core.bits import Rng
from damier.core.errors import BadInput, IllegalMove, UnknownName, Unsuitable
from damier.core.game import Game, Position, written
from damier.core.player import AskedPlayer, Player, Policy, RandomPlayer
from damier.core.rules import State
from damier.core.words import N_, _, message
from damier.lab.games import Lab as Lab, is_file
from damier.lab.options import name_and_options, read_options, signed, unknown, with_options
from damier.lab.plugins import AgentKind, PluginRegistry, module_of
from damier.lab.user_file import is_folder

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@runtime_checkable
class Explaining(Player, Protocol):
    """A player that can explain a decision."""

    def analyse(self, s: State, seed: int = 0) -> Analysis: ...


def random(lab: Lab) -> Player:
    return RandomPlayer()


def human(lab: Lab) -> Player:
    return HumanPlayer(lab.ask, lab.tell)


AGENTS_OF_DAMIER = {
    "alphabeta": AgentKind(
        "damier.lab.searchers:alphabeta",
        N_("alpha-beta"),
        N_(
            "minimax that leaves out what cannot matter; plies= or seconds= limit it; window=null: principal"
            " variation search"
        ),
    ),
    "andor": AgentKind(
        "damier.lab.searchers:andor", N_("AND-OR search"), N_("plays what wins whatever the opponent does")
    ),
    "beads": AgentKind(
        "damier.lab.learners:beads", N_("matchboxes"), N_("matchboxes that learn: a bead drawn is a move")
    ),
    "beginner": AgentKind(
        "damier.lab.levels:beginner",
        N_("beginner"),
        N_("level 1 of 4: sees what its own move does, and no further"),
    ),
    "bfs": AgentKind(
        "damier.lab.searchers:bfs",
        N_("breadth-first search"),
        N_("follows a shortest line to a won game, as if the opponent helped"),
    ),
    "chase": AgentKind(
        "damier.lab.levels:chase",
        N_("a ghost that comes nearer"),
        N_("a ghost of Pacman: mostly comes nearer; flees when it is scared"),
    ),
    "dfs": AgentKind(
        "damier.lab.searchers:dfs",
        N_("depth-first search"),
        N_("follows the first line to a won game, as if the opponent helped"),
    ),
    "expectimax": AgentKind(
        "damier.lab.searchers:expectimax", "expectimax", N_("expects all others, and dice, to play at random")
    ),
    "human": AgentKind("damier.lab.agents:human", N_("a person"), N_("you, at the terminal")),
    "maxn": AgentKind(
        "damier.lab.searchers:maxn",
        "max^n",
        N_("searches for any number of players, each of whom looks at its own payoff"),
    ),
    "mcts": AgentKind(
        "damier.lab.searchers:mcts",
        N_("Monte Carlo tree search"),
        N_("Monte Carlo tree search: random games grow a tree"),
    ),
    "mean": AgentKind(
        "damier.lab.learners:mean", N_("mean scores"), N_("learns the mean score of every move")
    ),
    "medium": AgentKind("damier.lab.levels:medium", N_("medium"), N_("level 2 of 4: looks a little ahead")),
    "menace": AgentKind(
        "damier.lab.learners:menace",
        "MENACE",
        N_("the matchboxes of tic-tac-toe: beads:preset=hexapion"),
    ),
    "minimax": AgentKind(
        "damier.lab.searchers:minimax", "minimax", N_("looks ahead at everything, as far as plies= allows")
    ),
    "perfect": AgentKind(
        "damier.lab.levels:perfect",
        N_("the perfect player"),
        N_("keeps the exact value; prefer=value|fastest, ties=first|last|random"),
    ),
    "process": AgentKind(
        "damier.lab.agent_file:process",
        N_("a program"),
        N_("a program in any language, in a process of its own: run=./agent"),
        program=True,
    ),
    "q": AgentKind(
        "damier.lab.learners:q", N_("Q-learning"), N_("Q-learning: learns what every move is worth")
    ),
    "random": AgentKind(
        "damier.lab.agents:random", N_("the random player"), N_("every legal move is as likely")
    ),
    "selective": AgentKind(
        "damier.lab.searchers:selective",
        N_("selective search"),
        N_(
            "the recipe of programs for chess and draughts: looks deep where something happens; seconds=,"
            " nodes= or plies= limit it"
        ),
    ),
    "strong": AgentKind(
        "damier.lab.levels:strong", N_("strong"), N_("level 3 of 4: looks far ahead; level 4 is perfect")
    ),
    "v": AgentKind(
        "damier.lab.learners:v",
        N_("the V-function"),
        N_("learns what every position after its move is worth"),
    ),
}


LEARNER_OF_S4 = "rl"
AGENTS_OF_S4 = {
    "human": "human",
    "random": "random",
    "ai": "perfect:prefer=value,ties=first",
    LEARNER_OF_S4: "mean:preset=morpion",
}
"""As damier writes them: the document's minimax takes the first of the best moves (row A-76)."""


def plugged(point: EntryPoint) -> AgentKind:
    """Return the agent of a plug-in, which is written as those in files of one's own are."""
    from damier.lab.agent_file import AgentFile, all_options, chosen, player_in, refuse_hidden

    module, path = module_of(point)
    _name, kind = chosen(module, path, point.attr)

    def make(lab: Lab, **options: object) -> Player:
        text = written(point.name, options)
        refuse_hidden(lab.game, text)
        return player_in(AgentFile(path, module, ""), lab, text, point.attr, text.partition(":")[2])

    summary, *_more = (
        inspect.getdoc(kind.parameters if inspect.isfunction(kind.make) else kind.make) or ""
    ).split("\n")
    return AgentKind(signed(make, all_options(kind)), "", summary)


AGENTS = PluginRegistry[AgentKind]("damier.agents", AGENTS_OF_DAMIER, plugged)


def agent(lab: Lab, text: str) -> Player:
    """The player that is written `name` or `name:option=value,…`,
    or `path/to/file.py[:name][:options]`, one of somebody's own; the path of a program, `./agent`, is
    short for `process:run=./agent`. Neither where the lab loads no files.

    Raises UnknownName, BadInput, LimitReached, and AgentFault for what is wrong in the file.
    """
    if not lab.loads_files:
        return brought(lab, text)
    if is_compiled_program(text):
        from damier.lab.agent_file import compiled_program

        return compiled_program(lab, text)
    if names_program(text):
        return brought(lab, f"process:run={written_in_full(text)}")
    if not is_own(text):
        return brought(lab, text)
    if lab.isolated:
        from damier.lab.agent_file import isolated_player

        return isolated_player(text, lab.game, seed=lab.seed)
    from damier.lab.agent_file import own_player

    return own_player(lab, text)


def is_brought(text: str) -> bool:
    """Return whether an agent is written as somebody's own: a file of Python, or a program."""
    return is_own(text) or names_program(text) or starts_program(text.partition(":")[0])


def starts_program(name: str) -> bool:
    """Return whether the agents of that name start a program that the user names."""
    return name in AGENTS and AGENTS[name].program


def is_compiled_program(text: str) -> bool:
    """Return whether an agent is a file or a folder in another language that is a program of its own."""
    from damier.agents.languages import language_of, sources_of  # many modules, for files alone

    path = text.partition(":")[0]
    return language_of(path) is not None and os.path.exists(path) and sources_of(Path(path)).is_program


def is_program(text: str) -> bool:
    """Return whether an agent is written as a program that speaks damier's own protocol."""
    return names_program(text) or text.partition(":")[0] == "process"


def is_own(text: str) -> bool:
    """Return whether an agent is written as a file of somebody's own, which runs when it is loaded."""
    from damier.agents.languages import language_of

    return (is_file(text) or language_of(text.partition(":")[0]) is not None) and not names_program(text)


def names_program(text: str) -> bool:
    """Return whether the text of an agent is the path of a program, as in `./agent`: then it is written
    short for `process:run=./agent`. A file of Python is none, nor of another language, nor is a folder.
    """
    from damier.agents.languages import language_of

    path = text.partition(":")[0]
    return os.sep in path and not path.endswith(".py") and language_of(path) is None and not is_folder(text)


def written_in_full(text: str) -> str:
    """Return a program's path, with options behind a comma or a colon, as `process:run=` takes it: quoted
    where the file that is there has a space in its name, which would end the word.

    >>> written_in_full("./agent --deep"), written_in_full("./agent:seconds=2")
    ('./agent --deep', './agent,seconds=2')
    """
    path, *options = re.split(r"[,:](?=\w+=)", text, maxsplit=1)
    return ",".join((shlex.quote(path) if os.path.isfile(path) else path, *options))


def brought(lab: Lab, text: str) -> Player:
    """One of the agents that damier brings: never a file of Python.

    Raises UnknownName, BadInput, LimitReached.
    """
    name, written = name_and_options(text)
    if name not in AGENTS:
        if lab.loads_files and os.path.isfile(f"{name}.py"):
            rest = text[len(name) :]
            raise UnknownName(
                message(
                    "no agent is called {name}; an agent of the file {name}.py is written {text}",
                    name=name,
                    text=f"{name}.py{rest}",
                )
            )
        raise unknown(_("agent"), name, AGENTS.names())
    factory = AGENTS[name].factory
    return factory(lab, **read_options(name, written, factory, given=["lab"]))


def policy(lab: Lab, text: str) -> Policy:
    """The agent that is written `text`, if its probabilities are known.

    Raises Unsuitable for one whose are not, like a person's.
    """
    player = agent(lab, text)
    if not isinstance(player, Policy):
        raise Unsuitable(
            message("{agent} cannot say how likely its moves are, so it cannot be graded", agent=text)
        )
    return player


def searcher(lab: Lab, text: str) -> Explaining:
    """The agent that is written `text`, if it searches. Raises Unsuitable for one that does not."""
    player = agent(lab, text)
    if not isinstance(player, Explaining):
        raise Unsuitable(
            message(
                "{agent} does not search; those that do: alphabeta andor bfs dfs expectimax maxn mcts"
                " minimax selective zero uci",
                agent=text,
            )
        )
    return player


def agent_in_words(text: str) -> str:
    """Return an agent in words, with its options; a name that is none of damier's stays as it is.

    >>> agent_in_words("random"), agent_in_words("mcts:simulations=1000"), agent_in_words("mine.py")
    ('the random player', 'Monte Carlo tree search (simulations=1000)', 'mine.py')
    """
    name, _colon, options = text.partition(":")
    if name == "self":
        return with_options(_("itself"), options)
    title = AGENTS[name].title if name in AGENTS else ""
    return with_options(_(title), options) if title else text


# A person at the terminal: asked until the answer is a legal move (rows ).


@dataclass
class HumanPlayer(AskedPlayer):
    """`ask` shows a prompt and returns a line; it raises EOFError at the end of the input.

    `tell` shows a sentence.
    """

    ask: Callable[[str], str]
    tell: Callable[[str], None]

    text = "human"

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        position = Position(game, s)
        while True:
            try:
                answer = self.ask(
                    _("Player {n}, your move ({moves}): ", n=position.mover + 1, moves=some(position.moves))
                )
            except EOFError:
                raise BadInput(message("the input ended before the game did")) from None
            if not answer.strip():
                continue
            try:
                return position.read(answer)
            except IllegalMove as error:
                self.tell(str(error))


def some(names: tuple[str, ...], most: int = 20) -> str:
    """A list of moves short enough for a prompt."""
    return " ".join(names) if len(names) <= most else " ".join(names[:most]) + " …"
