"""Who may sit at a board: the agents that suit a game, in the words of their options, and those
that a page asks for.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from damier.core.errors import AgentFault, BadFile, DamierError, Unsuitable
from damier.core.game import Game
from damier.core.words import N_, _, together
from damier.lab.agents import AGENTS
from damier.lab.levels import LEVELS, NAMES, meaning, refuse_perfect
from damier.lab.options import defaults_text, read_options
from damier.learn.player import ALGORITHMS
from damier.web import limits
from damier.web.asked import Asked
from damier.web.registry import FILE_OPTIONS, Registry

HUMAN = "human"
LEARNER = "learner:"
OF_FILES = "learn"
"""The option that says whether an agent that a file holds goes on learning."""
SEARCHING = ("alphabeta", "selective", "minimax", "expectimax", "maxn", "mcts", "dfs", "bfs", "andor")
MEDIUM = "medium"
"""Whom a person meets who asked for nobody."""
LEVEL = "level"
GROUPS = {
    "own": N_("your agents"),
    "people": N_("people"),
    LEVEL: N_("levels"),
    "saved": N_("learners of this lab"),
    "playing": N_("more: agents"),
    "searching": N_("more: look ahead"),
    "new": N_("more: learners that know nothing yet"),
}


@dataclass(frozen=True)
class Choice:
    """One agent that may be chosen for a seat: its name, what it does, its options as they are when
    none is given.
    """

    name: str
    group: str
    words: str
    options: str = ""


def asked_seats(game: Game, asked: Asked) -> tuple[str, ...]:
    """An agent for every player, as the parameters `1`, `2`, … of an address name them; the last
    one named plays the seats that are left.
    """
    given = {player: text for player in range(game.players) if (text := asked.text(str(player + 1)))}
    if not given:
        return (HUMAN, *[standard_opponent(game)] * (game.players - 1))
    seats: list[str] = []
    for player in range(game.players):
        seats.append(given.get(player) or (seats[-1] if seats else HUMAN))
    return tuple(seats)


def standard_opponent(game: Game) -> str:
    """Whom a person meets who asked for nobody."""
    if game.name.startswith("pacman"):
        return "chase"
    return "random" if game.imperfect_information else MEDIUM


def choices(registry: Registry, name: str, player: int) -> list[Choice]:
    """The agents that can sit at a seat of a game; the options of the user's own are known when one is
    seated: no file runs for a list.
    """
    found = [Choice(HUMAN, "people", _("a person at this page")), *level_choices(registry, name)]
    if not registry.game(name).imperfect_information:
        found += [
            Choice(own, "own", _("your own: {file}", file=registry.own.as_in_file(own)))
            for own in registry.settings.agents
        ]
    for agent, (factory, words) in sorted(AGENTS.items()):
        if agent != HUMAN and agent not in NAMES and suits(registry, name, agent, player):
            found.append(
                Choice(
                    agent,
                    group_of(agent),
                    together(_(words), limits.said(agent)),
                    offered(agent, defaults_text(factory, ["lab"])),
                )
            )
    return found + [
        Choice(LEARNER + learner, "saved", _("learnt in this lab: what it knows now"))
        for learner in registry.learners(name)
    ]


def level_choices(registry: Registry, name: str) -> Iterator[Choice]:
    """The levels that a game has, each with what it does there."""
    game = registry.game(name)
    for level in LEVELS:
        with contextlib.suppress(Unsuitable):
            found = meaning(game, level)
            yield Choice(level, LEVEL, found.words)
    with contextlib.suppress(DamierError):
        refuse_perfect(registry.lab(name))
        yield Choice("perfect", LEVEL, _("never gives away what a position is worth: nobody does better"))


def group_of(agent: str) -> str:
    if agent in SEARCHING:
        return "searching"
    return "new" if agent in (*ALGORITHMS, "menace") else "playing"


def without_files(options: str) -> str:
    """Options that a page may give."""
    return ",".join(option for option in options.split(",") if option.partition("=")[0] not in FILE_OPTIONS)


def offered(agent: str, options: str) -> str:
    """The options of an agent as a page offers them: none about a file, and none beyond its ceiling.

    >>> offered("dfs", "order=last,nodes=1000000"), offered("q", "alpha=0.1,file=,learn=false")
    ('order=last,nodes=100000', 'alpha=0.1')
    """
    found = limits.lowered(agent, without_files(options))
    return ",".join(option for option in found.split(",") if option.partition("=")[0] != OF_FILES)


def suits(registry: Registry, name: str, agent: str, player: int) -> bool:
    """Whether an agent can play a game; the values of a game are not worked out for that."""
    try:
        registry.agent(name, agent)
    except DamierError:
        return False
    return not (agent == "chase" and player == 0)  # it plays the ghosts


def check(registry: Registry, name: str, text: str) -> None:
    """Raises BadInput, or LimitReached, for an agent that cannot sit at any seat of a game; no
    value is worked out for that.

    A fault in the file of one of the user's own does not unseat it: its seat tells it.
    """
    if registry.runs_own(text):
        fault(registry, name, text)
        return
    agent, _colon, options = text.partition(":")
    if agent == "perfect":
        read_options(agent, options, AGENTS[agent][0], given=["lab"])
        refuse_perfect(registry.lab(name))
    elif text != HUMAN:
        registry.agent(name, text)


def fault(registry: Registry, name: str, text: str) -> str:
    """What is wrong in the file of the user's own agent, with its line; nothing where all is well.

    Raises BadInput for options that it does not have, Unsuitable.
    """
    try:
        registry.agent(name, text)
    except (AgentFault, BadFile) as error:
        return str(error)
    return ""


def in_groups(found: list[Choice]) -> Iterator[tuple[str, list[Choice]]]:
    """The choices, those of one kind together, under their heading."""
    for group, words in GROUPS.items():
        members = [choice for choice in found if choice.group == group]
        if members:
            yield _(words), members
