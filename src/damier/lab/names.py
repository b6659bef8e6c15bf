"""What games and agents are called where people read: a title in the reader's language, beside the
name that commands and addresses take.
"""

from __future__ import annotations

from functools import cache

from damier.core.game import Game
from damier.core.words import N_, _
from damier.lab.games import game_factories, load

AGENTS_IN_WORDS = {
    "alphabeta": N_("alpha-beta"),
    "andor": N_("AND-OR search"),
    "beads": N_("matchboxes"),
    "beginner": N_("beginner"),
    "bfs": N_("breadth-first search"),
    "chase": N_("a ghost that comes nearer"),
    "dfs": N_("depth-first search"),
    "expectimax": "expectimax",
    "gtp": N_("an engine in GTP"),
    "human": N_("a person"),
    "maxn": "max^n",
    "mcts": N_("Monte Carlo tree search"),
    "mean": N_("mean scores"),
    "medium": N_("medium"),
    "menace": "MENACE",
    "minimax": "minimax",
    "perfect": N_("the perfect player"),
    "process": N_("a program"),
    "q": N_("Q-learning"),
    "random": N_("the random player"),
    "selective": N_("selective search"),
    "self": N_("itself"),
    "strong": N_("strong"),
    "uci": N_("an engine in UCI"),
    "v": N_("the V-function"),
}
"""The agents, and `self`, whom a learner plays that is its own opponent."""


def game_in_words(written: str, game: Game | None = None) -> str:
    """The title of a game, with the options that it is written with; somebody's own `game` has the
    title that its file gives, or its name.

    >>> game_in_words("hexapawn:blocked=loss"), game_in_words("mine")
    ('Hexapawn (blocked=loss)', 'mine')
    """
    name, _colon, options = written.partition(":")
    title = game.title if game else title_of_game(name)
    return with_options(_(title) if title else name, options)


@cache
def title_of_game(name: str) -> str:
    """The title of a game that damier brings, as its file marks it; nothing for any other."""
    return load(name).title if name in game_factories() else ""


def agent_in_words(text: str) -> str:
    """An agent in words, with its options; a name that is none of damier's stays as it is.

    >>> agent_in_words("random"), agent_in_words("mcts:simulations=1000"), agent_in_words("mine.py")
    ('the random player', 'Monte Carlo tree search (simulations=1000)', 'mine.py')
    """
    name, _colon, options = text.partition(":")
    return with_options(_(AGENTS_IN_WORDS[name]), options) if name in AGENTS_IN_WORDS else text


def with_options(words: str, options: str) -> str:
    return f"{words} ({options.replace(',', ', ')})" if options else words
