"""Agents by name: `random`, `perfect:prefer=fastest,ties=first`, `human`.

An agent is a function of this file: what it is given comes first (`table`, the game and how it is
played), its options follow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, runtime_checkable

from damier.arena.human import HumanPlayer
from damier.core.analysis import Analysis
from damier.core.errors import Unsuitable
from damier.core.player import Player, Policy, RandomPlayer, Ties
from damier.core.rules import State
from damier.core.solution import ValueSolution
from damier.core.words import N_, _, message
from damier.games.pacman import ChasingPlayer
from damier.lab.agent_file import own_player
from damier.lab.engine_agent import GTP, UCI, gtp, uci
from damier.lab.games import is_file
from damier.lab.lab import Lab as Lab
from damier.lab.learners import learner_factory
from damier.lab.levels import PACMAN, Level, PacmanLevel, is_pacman, meaning
from damier.lab.options import name_and_options, read_options, unknown
from damier.lab.process_agent import NAME as PROCESS
from damier.lab.process_agent import isolated_player, names_program, process
from damier.lab.searchers import alphabeta, expectimax, maxn, mcts, minimax, selective
from damier.lab.state_space import andor, bfs, dfs
from damier.solve import PerfectPlayer
from damier.solve.perfect import PerfectPayoffPlayer, Prefer

AgentFactory: TypeAlias = Callable[..., Player]
PROGRAMS = (PROCESS, UCI, GTP)
"""The agents that start a program."""


@runtime_checkable
class Explaining(Player, Protocol):
    """A player that can explain a decision."""

    def analyse(self, s: State, seed: int = 0) -> Analysis: ...


def random(lab: Lab) -> Player:
    return RandomPlayer()


def perfect(lab: Lab, prefer: Prefer | None = None, ties: Ties = "random") -> Player:
    solution = lab.solution(_("perfect play needs the game solved"))
    if isinstance(solution, ValueSolution):
        return PerfectPayoffPlayer(solution, prefer or "value", ties)
    return PerfectPlayer(solution, prefer or ("fastest" if solution.cyclic else "value"), ties)


def chase(lab: Lab, share: float = 0.8) -> Player:
    return ChasingPlayer(lab.game, share)


def human(lab: Lab) -> Player:
    return HumanPlayer(lab.ask, lab.tell)


def beginner(lab: Lab) -> Player:
    return at_level(lab, "beginner")


def medium(lab: Lab) -> Player:
    return at_level(lab, "medium")


def strong(lab: Lab) -> Player:
    return at_level(lab, "strong")


def at_level(lab: Lab, level: Level) -> Player:
    """The agent that a level is in a game. Raises Unsuitable where there is no such level."""
    found = brought(lab, meaning(lab.game, level).agent)
    if is_pacman(lab.game):
        return PacmanLevel(level, brought(lab, PACMAN[level]), found)
    return found


AGENTS: dict[str, tuple[AgentFactory, str]] = {
    "alphabeta": (
        alphabeta,
        N_(
            "minimax that leaves out what cannot matter; plies= or seconds= limit it; window=null: principal"
            " variation search"
        ),
    ),
    "andor": (andor, N_("plays what wins whatever the opponent does")),
    "beads": (learner_factory("beads"), N_("matchboxes that learn: a bead drawn is a move")),
    "beginner": (beginner, N_("level 1 of 4: sees what its own move does, and no further")),
    "bfs": (bfs, N_("follows a shortest line to a won game, as if the opponent helped")),
    "chase": (chase, N_("a ghost of Pacman: mostly comes nearer; flees when it is scared")),
    "dfs": (dfs, N_("follows the first line to a won game, as if the opponent helped")),
    "expectimax": (expectimax, N_("expects all others, and dice, to play at random")),
    GTP: (gtp, N_("an engine for Go in a process of its own, asked in GTP: run=gnugo")),
    "human": (human, N_("you, at the terminal")),
    "maxn": (maxn, N_("searches for any number of players, each of whom looks at its own payoff")),
    "mcts": (mcts, N_("Monte Carlo tree search: random games grow a tree")),
    "mean": (learner_factory("mean"), N_("learns the mean score of every move")),
    "medium": (medium, N_("level 2 of 4: looks a little ahead")),
    "menace": (
        learner_factory("beads", "hexapion"),
        N_("the matchboxes of tic-tac-toe: beads:preset=hexapion"),
    ),
    "minimax": (minimax, N_("looks ahead at everything, as far as plies= allows")),
    "perfect": (perfect, N_("keeps the exact value; prefer=value|fastest, ties=first|last|random")),
    PROCESS: (process, N_("a program in any language, in a process of its own: run=./agent")),
    "q": (learner_factory("q"), N_("Q-learning: learns what every move is worth")),
    "random": (random, N_("every legal move is as likely")),
    UCI: (uci, N_("an engine for chess in a process of its own, asked in UCI: run=stockfish,elo=1800")),
    "selective": (
        selective,
        N_(
            "the recipe of programs for chess and draughts: looks deep where something happens; seconds=,"
            " nodes= or plies= limit it"
        ),
    ),
    "strong": (strong, N_("level 3 of 4: looks far ahead; level 4 is perfect")),
    "v": (learner_factory("v"), N_("learns what every position after its move is worth")),
}


def agent(lab: Lab, text: str) -> Player:
    """The player that is written `name` or `name:option=value,…`,
    or `path/to/file.py[:name][:options]`, one of somebody's own; the path of a program, `./agent`, is
    short for `process:run=./agent`. Neither where the lab loads no files.

    Raises UnknownName, BadInput, LimitReached, and AgentFault for what is wrong in the file.
    """
    if not lab.loads_files:
        return brought(lab, text)
    if names_program(text):
        return brought(lab, f"{PROCESS}:run={text}")
    if not is_own(text):
        return brought(lab, text)
    return isolated_player(text, lab.game, seed=lab.seed) if lab.isolated else own_player(lab, text)


def is_brought(text: str) -> bool:
    """Whether an agent is written as somebody's own: a file of Python, or a program."""
    return is_own(text) or names_program(text) or text.partition(":")[0] in PROGRAMS


def is_own(text: str) -> bool:
    """Whether an agent is written as a file of somebody's own, which runs when it is loaded."""
    return is_file(text) and not names_program(text)


def brought(lab: Lab, text: str) -> Player:
    """One of the agents that damier brings: never a file of Python.

    Raises UnknownName, BadInput, LimitReached.
    """
    name, written = name_and_options(text)
    if name not in AGENTS:
        raise unknown(_("agent"), name, AGENTS)
    factory = AGENTS[name][0]
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
                " minimax selective",
                agent=text,
            )
        )
    return player
