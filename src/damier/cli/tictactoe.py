"""`tictactoe`: the command of document S4 (rows A-78 to A-81), on the same games and agents.

    tictactoe -s A1 A2                 one game, shown
    tictactoe -t N A1 A2               N games, the wins of each
    … -p M [TRAINER]                   a learner trains first

Its options take one or two values, as the document writes them, which is why it is read by argparse.
"""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn

from damier.cli.options import checked_count, checked_seed
from damier.cli.output import report, say
from damier.core.errors import BadInput, Unsuitable
from damier.core.words import _

AGENTS = {"human": "human", "random": "random", "ai": "perfect:prefer=value,ties=first"}
"""The document's agents, as damier writes them: its minimax takes the first of the best moves (row A-76)."""

LEARNER = "rl"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(message)


def parser() -> Parser:
    """The options of the document, and those of every command of damier."""
    names = " ".join([*AGENTS, LEARNER])
    parser = Parser("tictactoe", description=_("Tic-tac-toe between two agents: {names}.", names=names), allow_abbrev=False)
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("-s", nargs=2, metavar=("A1", "A2"), help=_("one game, shown; A1 is X and starts"))
    kind.add_argument("-t", nargs=3, metavar=("N", "A1", "A2"), help=_("N games: prints the wins of each"))
    parser.add_argument("-p", nargs="+", metavar=("M", "TRAINER"), help=_("rl first trains M games against TRAINER (default: its opponent)"))
    parser.add_argument("--seed", type=int, help=_("the same seed gives the same games"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object on standard output"))
    return parser


def command(arguments: list[str]) -> None:
    """Runs the command. Raises BadInput."""
    options = parser().parse_args(arguments)
    seed = checked_seed(options.seed)
    names = options.s or options.t[1:]
    trained = options.p[1:] if options.p else []
    if len(trained) > 1:
        raise BadInput(_("-p M [TRAINER]: one trainer at most, not {names}", names=" ".join(trained)))
    if options.p:
        whole("-p", options.p[0])
    for name in [*names, *trained]:
        refuse_unknown(name)
    if options.p:
        raise BadInput(_("-p trains rl, and neither agent is rl"))
    if options.s:
        one_game(names, seed, options.json)
    else:
        many_games(names, checked_count("-t", whole("-t", options.t[0])), seed, options.json)


def refuse_unknown(name: str) -> None:
    """Raises Unsuitable for the learner, which does not exist yet, UnknownName for any other unknown agent."""
    from damier.lab.options import unknown

    if name == LEARNER:
        raise Unsuitable(_("rl, the learning agent, is not there yet; play with {names}", names=" ".join(AGENTS)))
    if name not in AGENTS:
        raise unknown(_("agent"), name, AGENTS)


def whole(option: str, text: str) -> int:
    """A number of games."""
    if not (text.isascii() and text.isdecimal()) or len(text) > 12:
        raise BadInput(_("{option} {text}: it must be a number of games", option=option, text=text))
    return int(text)


def one_game(names: list[str], seed: int, json: bool) -> None:
    from damier.cli import play
    from damier.lab.agents import Lab, agent
    from damier.lab.games import load

    tell = play.to_stderr if json else say
    lab = Lab(load("tictactoe"), ask=lambda prompt: play.ask(prompt, tell), tell=tell)
    first, second = (agent(lab, AGENTS[name]) for name in names)
    played = play.play_shown(lab, (first, second), seed, 9, False, tell)
    report(play.facts(played), json, lambda: None)


def many_games(names: list[str], games: int, seed: int, json: bool) -> None:
    from damier.arena.match import match
    from damier.cli import play
    from damier.cli.match import facts, show
    from damier.core.loop import Table
    from damier.lab.agents import Lab, agent
    from damier.lab.games import load

    tell = play.to_stderr if json else say
    lab = Lab(load("tictactoe"), ask=lambda prompt: play.ask(prompt, tell), tell=tell)
    first, second = (play.shown(agent(lab, AGENTS[name]), tell) for name in names)
    table = Table(lab.game, (first, second), seed)
    data = facts(table, match(table, games))
    report(data, json, lambda: show(data, None))


def main() -> None:
    """The entry point."""
    from damier.cli.main import prepared, run

    sys.exit(run(command, prepared()))
